"""Batch jobs: what was handed to a provider's batch endpoint, so that no process forgets it or pays for it twice.

A job is written before it is submitted, with a random token, and closed after its results were recorded. It belongs to
one process at a time; that of a process which is gone may be taken over (see :mod:`calibrate.store.leases`). Between
the processes that share a database, a request is in one open job at most.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, func, insert, select, update
from sqlalchemy.orm import Session

from calibrate.domain import ModelResponse
from calibrate.store.leases import keeps_out, lease
from calibrate.store.mapping import model_response
from calibrate.store.replies import add_responses
from calibrate.store.repository import Store
from calibrate.store.statements import chunks
from calibrate.store.tables import BatchRequestRow, BatchRow, ResponseRow

__all__ = ["BatchJob", "BatchJobs"]

_OPEN = "open"


@dataclass(frozen=True, slots=True)
class BatchJob:
    """A job that is not closed.

    Attributes:
        id: its number here.
        token: the random mark that it was submitted with.
        provider_id: its id at the provider; None until that has arrived.
        keys: content addresses of its requests.
        created: when it was about to be submitted.
    """

    id: int
    token: str
    provider_id: str | None
    keys: frozenset[str]
    created: datetime


class BatchJobs:
    """The jobs of one model, and what one run does with them.

    Args:
        store: the open database.
        run_id: the run that pays.
        model: the model's name.
    """

    def __init__(self, store: Store, run_id: int, model: str) -> None:
        self._access, self._run_id, self._model = store.access, run_id, model
        self._begun = self._access.now()

    def open(self, keys: Collection[str]) -> tuple[BatchJob, ...]:
        """Return the jobs that hold at least one of ``keys``, the oldest first."""
        with self._access.reading() as session:
            found = self._jobs_with(session, keys)
            rows = [session.get_one(BatchRow, job) for job in sorted(found)]
            return tuple(self._job(session, row) for row in rows)

    def pending(self) -> int:
        """Return the number of requests in all open jobs of the model."""
        query = (
            select(func.count()).select_from(BatchRequestRow).join(BatchRow, BatchRow.id == BatchRequestRow.batch_id)
        )
        with self._access.reading() as session:
            return session.scalars(query.where(BatchRow.model == self._model, BatchRow.status == _OPEN)).one()

    def most(self) -> dict[int, float | None]:
        """Return what each open job of this run can cost at most, in US dollars; None where that is not known."""
        query = select(BatchRow.id, BatchRow.at_most).where(
            BatchRow.model == self._model, BatchRow.run_id == self._run_id, BatchRow.status == _OPEN
        )
        with self._access.reading() as session:
            return {row.id: row.at_most for row in session.execute(query)}

    def overtaken(self) -> tuple[BatchJob, ...]:
        """Return the open jobs of the model whose requests were all answered since they were written."""
        answered = select(ResponseRow.key).where(
            ResponseRow.key == BatchRequestRow.key, ResponseRow.created >= BatchRow.created
        )
        waiting = select(BatchRequestRow.key).where(BatchRequestRow.batch_id == BatchRow.id, ~answered.exists())
        query = select(BatchRow).where(BatchRow.model == self._model, BatchRow.status == _OPEN, ~waiting.exists())
        with self._access.reading() as session:
            return tuple(self._job(session, row) for row in session.scalars(query.order_by(BatchRow.id)))

    def intend(self, keys: Sequence[str], at_most: float | None = None) -> BatchJob | None:
        """Write a job that is about to be submitted, and own it.

        Keys that are in an open job, or were answered since this run began, are left out; None when none is left.

        Args:
            keys: content addresses of its requests.
            at_most: US dollars that they can cost; None when unknown.
        """
        now = self._access.now()
        with self._access.writing() as session:
            taken = set(self._answered(session, keys, ResponseRow.created >= self._begun))
            for chunk in chunks(list(keys)):
                taken.update(session.scalars(_open_requests(BatchRequestRow.key, self._model, chunk)))
            free = [key for key in dict.fromkeys(keys) if key not in taken]
            if not free:
                return None
            row = BatchRow(
                run_id=self._run_id,
                token=secrets.token_hex(16),
                model=self._model,
                provider_id=None,
                status=_OPEN,
                created=now,
                owner=lease(self._access.holder, now),
                at_most=at_most,
            )
            session.add(row)
            session.flush()
            session.execute(insert(BatchRequestRow), [{"batch_id": row.id, "key": key} for key in free])
            return BatchJob(row.id, row.token, None, frozenset(free), datetime.fromisoformat(now))

    def take(self, job: int) -> bool:
        """Own a job, or go on owning it; False when another living process does, or it is closed."""
        holder, now = self._access.holder, self._access.now()
        with self._access.writing() as session:
            row = session.get_one(BatchRow, job)
            if row.status != _OPEN:
                return False
            if row.owner is not None and keeps_out(row.owner, holder, row.owner["since"], now):
                return False
            row.owner = lease(holder, now)
            return True

    def submitted(self, job: int, provider_id: str | None) -> None:
        """Note a job's id at the provider; None when the one that was noted is somebody else's."""
        with self._access.writing() as session:
            session.execute(update(BatchRow).where(BatchRow.id == job).values(provider_id=provider_id))

    def close(self, job: int, status: str) -> None:
        """Close a job: its requests are free for another one.

        Args:
            job: its number.
            status: what became of it, in at most 16 characters.
        """
        with self._access.writing() as session:
            session.execute(update(BatchRow).where(BatchRow.id == job).values(status=status, owner=None))

    def answered(self, keys: Iterable[str]) -> dict[str, ModelResponse]:
        """Return the responses that were stored since this run began."""
        with self._access.reading() as session:
            return self._answered(session, keys, ResponseRow.created >= self._begun)

    def booked(self, job: int, keys: Iterable[str]) -> dict[str, ModelResponse]:
        """Return the responses that came in a job and are stored."""
        with self._access.reading() as session:
            return self._answered(session, keys, ResponseRow.batch_id == job)

    def keep(self, answers: Sequence[tuple[str, ModelResponse]]) -> None:
        """Store paid responses that nobody asks for now, for whoever asks for them later; replays stay as they are."""
        with self._access.writing() as session:
            add_responses(session, self._run_id, self._model, answers, self._access.now(), behind=True)

    def _jobs_with(self, session: Session, keys: Collection[str]) -> set[int]:
        found: set[int] = set()
        for chunk in chunks(list(keys)):
            found.update(session.scalars(_open_requests(BatchRequestRow.batch_id, self._model, chunk)))
        return found

    def _job(self, session: Session, row: BatchRow) -> BatchJob:
        keys = session.scalars(select(BatchRequestRow.key).where(BatchRequestRow.batch_id == row.id))
        return BatchJob(row.id, row.token, row.provider_id, frozenset(keys), datetime.fromisoformat(row.created))

    def _answered(self, session: Session, keys: Iterable[str], which: ColumnElement[bool]) -> dict[str, ModelResponse]:
        found: dict[str, ModelResponse] = {}
        for chunk in chunks(list(dict.fromkeys(keys))):
            query = select(ResponseRow).where(ResponseRow.key.in_(chunk), which).order_by(ResponseRow.generation)
            found.update((row.key, model_response(row)) for row in session.scalars(query))
        return found


def _open_requests(column: Any, model: str, keys: Sequence[str]) -> Select[Any]:
    return (
        select(column)
        .join(BatchRow, BatchRow.id == BatchRequestRow.batch_id)
        .where(BatchRow.model == model, BatchRow.status == _OPEN, BatchRequestRow.key.in_(keys))
    )
