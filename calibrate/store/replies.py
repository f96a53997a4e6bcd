"""Stored responses by the content address of their request; asking afresh adds a generation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from calibrate.domain import ModelResponse
from calibrate.store.mapping import model_response, response_values
from calibrate.store.records import Typical
from calibrate.store.statements import chunks, insert_all
from calibrate.store.tables import EvaluationRow, ResponseRow, VerdictRow

__all__ = ["add_responses", "count_renewals", "known_keys", "models_before", "stored_responses", "typical_reply"]

_SAMPLE = 1000  # replies that tell what is typical


def stored_responses(session: Session, keys: Iterable[str]) -> dict[str, ModelResponse]:
    """Return the latest response of each of ``keys`` that has one."""
    found: dict[str, ModelResponse] = {}
    for chunk in chunks(list(dict.fromkeys(keys))):
        query = select(ResponseRow).where(ResponseRow.key.in_(chunk)).order_by(ResponseRow.generation)
        found.update((row.key, model_response(row)) for row in session.scalars(query))
    return found


def add_responses(
    session: Session,
    run_id: int,
    requested: str,
    responses: Sequence[tuple[str, ModelResponse]],
    created: str,
    *,
    behind: bool = False,
) -> None:
    """Add each response as the next generation of its key, also when one key comes twice: both were paid for.

    Args:
        session: writes.
        run_id: the run that pays.
        requested: the model's name.
        responses: by key.
        created: the time.
        behind: put them before the generations that are there, so that what is replayed stays what it was.
    """
    edge, step = (func.min, -1) if behind else (func.max, 1)
    generations: Counter[str] = Counter()
    for chunk in chunks(list(dict.fromkeys(key for key, _ in responses))):
        last = edge(ResponseRow.generation)
        query = select(ResponseRow.key, last).where(ResponseRow.key.in_(chunk)).group_by(ResponseRow.key)
        generations.update({key: generation + step for key, generation in session.execute(query)})
    rows = []
    for key, response in responses:
        values = response_values(run_id, key, requested, response, created)
        rows.append({**values, "generation": generations[key]})
        generations[key] += step
    insert_all(session, ResponseRow, rows)


def count_renewals(session: Session, keys: Iterable[str]) -> int:
    """Return how many responses of ``keys`` came after a first one."""
    total = 0
    for chunk in chunks(list(dict.fromkeys(keys))):
        query = select(func.count()).where(ResponseRow.key.in_(chunk), ResponseRow.generation > 0)
        total += session.scalars(query).one()
    return total


def known_keys(session: Session, keys: Sequence[str]) -> set[str]:
    """Return those of ``keys`` that have a stored response."""
    found: set[str] = set()
    for chunk in chunks(list(dict.fromkeys(keys))):
        found.update(session.scalars(select(ResponseRow.key).where(ResponseRow.key.in_(chunk))))
    return found


def typical_reply(session: Session, requested: str) -> Typical:
    """Return the means over the latest replies of a model."""
    latest = (
        select(ResponseRow.output_tokens, ResponseRow.latency)
        .where(ResponseRow.requested == requested)
        .order_by(ResponseRow.created.desc())
        .limit(_SAMPLE)
        .subquery()
    )
    waited = func.nullif(latest.c.latency, 0.0)  # for a reply in a batch nobody waited
    query = select(func.count(), func.avg(latest.c.output_tokens), func.avg(waited)).select_from(latest)
    replies, output, latency = session.execute(query).one()
    return Typical(replies, None if output is None else float(output), None if latency is None else float(latency))


def models_before(session: Session, evaluation: int) -> tuple[str, ...]:
    """Return the models that answered in the last evaluation of the same prompt and model before this one."""
    this = session.get_one(EvaluationRow, evaluation)
    earlier = session.scalar(
        select(func.max(EvaluationRow.id)).where(
            EvaluationRow.id < evaluation,
            EvaluationRow.prompt_digest == this.prompt_digest,
            EvaluationRow.model == this.model,
        )
    )
    if earlier is None:
        return ()
    # What was asked afresh since has the same keys: only replies from before this evaluation count.
    query = (
        select(ResponseRow.key, ResponseRow.returned)
        .join(VerdictRow, VerdictRow.response_key == ResponseRow.key)
        .where(VerdictRow.evaluation_id == earlier, ResponseRow.created < this.created)
        .order_by(ResponseRow.generation)
    )
    latest = {row.key: row.returned for row in session.execute(query)}
    return tuple(sorted(set(latest.values())))
