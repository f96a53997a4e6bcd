"""What a batch run needs of others: a place where jobs are kept, and a budget."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Literal, Protocol

from calibrate.domain import ModelResponse

__all__ = ["Budget", "Job", "JobStatus", "Jobs"]

JobStatus = Literal["collected", "never submitted", "refused", "gone"]
"""What became of a job that is closed."""


class Job(Protocol):
    """Requests that were handed to a batch endpoint, or are about to be."""

    @property
    def id(self) -> int:
        """Its number."""

    @property
    def token(self) -> str:
        """The mark that it is submitted with."""

    @property
    def provider_id(self) -> str | None:
        """Its id at the provider; None until that has arrived."""

    @property
    def keys(self) -> frozenset[str]:
        """Content addresses of its requests."""

    @property
    def created(self) -> datetime:
        """When it was about to be submitted."""


class Jobs(Protocol):
    """The jobs of one model. Methods are called in threads, one at a time; what they write is durable."""

    def open(self, keys: Collection[str]) -> Sequence[Job]:
        """Return the jobs that are not closed and hold at least one of ``keys``."""

    def overtaken(self) -> Sequence[Job]:
        """Return the jobs that are not closed, although all their requests were answered since they were written."""

    def intend(self, keys: Sequence[str], at_most: float | None = None) -> Job | None:
        """Write a job that is about to be submitted, and own it.

        Keys that are in an open job, or were answered since this run began, are left out; None when none is left.

        Args:
            keys: content addresses of its requests.
            at_most: US dollars that they can cost; None when unknown.
        """

    def take(self, job: int) -> bool:
        """Own a job, or go on owning it; False when another living process does, or it is closed."""

    def submitted(self, job: int, provider_id: str | None) -> None:
        """Note a job's id at the provider; None when the one that was noted is somebody else's."""

    def close(self, job: int, status: JobStatus) -> None:
        """Close a job: its requests are free for another one."""

    def answered(self, keys: Iterable[str]) -> Mapping[str, ModelResponse]:
        """Return the responses that were recorded since this run began."""

    def booked(self, job: int, keys: Iterable[str]) -> Mapping[str, ModelResponse]:
        """Return the responses that came in a job and are recorded."""

    def keep(self, answers: Sequence[tuple[str, ModelResponse]]) -> None:
        """Store paid responses that nobody asks for now."""


class Budget(Protocol):
    """A cap on what requests may cost."""

    async def reserve(self, most: float | None) -> float | None:
        """Hold the largest possible cost of a request, and return what is held; None when that is unknown.

        It never waits for other requests: those of the same batch are held, but not sent yet.

        Args:
            most: US dollars; None when the price is unknown.

        Raises:
            BudgetExceeded: it does not fit.
        """

    def is_open(self, response: ModelResponse) -> bool:
        """Whether a reply does not tell what it cost, so that it is entered as a charge of unknown amount."""

    def keep(self, cost: float, reason: str) -> None:
        """Enter US dollars that count as spent already, and that no recorded reply stands for."""

    def settle(self, held: float | None, cost: float | None, *, reason: str = "", most: float | None = None) -> None:
        """Enter what a request cost, and hold nothing for it any more.

        Args:
            held: what was held; None when nothing was: its price is unknown, or an earlier process has submitted it.
            cost: US dollars; None when it may have been billed, and it is not known how much.
            reason: why it is not known.
            most: US dollars that it can have cost at most, for what was not held; None when unknown.
        """
