"""What the batch endpoints of the providers have in common: requests go in together, replies are fetched later."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeAlias

from calibrate.domain import ModelRequest, ModelResponse
from calibrate.providers.retry import CallError, Transient

__all__ = [
    "AnotherForm",
    "BatchEndpoint",
    "BatchLimits",
    "BatchRequest",
    "BatchState",
    "Outcome",
    "Results",
    "portions",
]


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """One request of a batch.

    Attributes:
        key: its content address, and its custom id at the provider.
        request: what is asked.
    """

    key: str
    request: ModelRequest


@dataclass(frozen=True, slots=True)
class BatchState:
    """How far a batch has come.

    Attributes:
        ended: whether its results can be read; nothing changes any more.
        total: its requests; 0 while the provider counts them.
        done: requests that were answered or have failed.
        problem: why the provider refused the batch as a whole; None when it did not.
        cancelled: whether somebody has cancelled it at the provider.
        gone: whether its results are not kept any more.
    """

    ended: bool
    total: int = 0
    done: int = 0
    problem: str | None = None
    cancelled: bool = False
    gone: bool = False


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """The most that one batch takes.

    Attributes:
        requests: requests.
        size: bytes.
    """

    requests: int
    size: int


class AnotherForm(CallError):  # noqa: N818 — says what to do next, as the retries do
    """The form of a request did not do; sent once more, it takes another form.

    Attributes:
        reply: what came all the same, billed, and a part of what the next response says it cost; None: nothing came.
    """

    def __init__(self, message: str, reply: ModelResponse | None = None) -> None:
        super().__init__(message, retry=Transient())
        self.reply = reply


Outcome: TypeAlias = ModelResponse | CallError
"""What became of one request of a batch; the latency of a response is 0, since nobody waited for it."""

Results: TypeAlias = AsyncGenerator[tuple[str, Outcome], None]
"""Outcomes by key, as they are read."""


class BatchEndpoint(Protocol):
    """A model's batch endpoint. Every method makes one attempt; a ``CallError`` says whether another can help."""

    @property
    def name(self) -> str:
        """The model as the user wrote it."""

    @property
    def discount(self) -> float:
        """What a request costs in a batch, as a share of its price in a call."""

    def most_cost(self, request: ModelRequest) -> float | None:
        """Return the most that a request in a batch can cost, in US dollars; None: price unknown."""

    def portions(self, requests: Sequence[BatchRequest]) -> Iterator[Sequence[BatchRequest]]:
        """Cut requests into batches that the provider takes."""

    async def submit(self, requests: Sequence[BatchRequest], token: str) -> str:
        """Submit one batch, marked with ``token`` where the provider keeps such marks, and return its id.

        Raises:
            CallError: it was not submitted, or it is not known whether it was (``billable``).
            InputError: the server has no batch endpoint.
        """

    async def find(
        self, token: str, since: datetime, keys: Collection[str], others: Collection[str] = ()
    ) -> str | None:
        """Return the id of a batch that was submitted although its id never arrived here; None when there is none.

        Args:
            token: the mark that it was submitted with.
            since: when it was about to be submitted, by the clock of this machine.
            keys: of its requests.
            others: ids that are those of other batches.
        """

    async def poll(self, batch: str) -> BatchState:
        """Return how far a batch has come."""

    def results(self, batch: str, requests: Mapping[str, ModelRequest]) -> Results:
        """Yield what became of the requests of a batch that has ended, by key, in any order.

        Requests that the provider never came to may be missing.

        Args:
            batch: its id.
            requests: those that are to be asked once more, in another form, where the model refuses the form.

        Raises:
            CallError: the results could not be read to their end.
        """


def portions(
    requests: Sequence[BatchRequest], size: Callable[[BatchRequest], int], limits: BatchLimits
) -> Iterator[Sequence[BatchRequest]]:
    """Cut requests into parts within ``limits``; a request that is too large for any batch is a part of its own."""
    part: list[BatchRequest] = []
    total = 0
    for request in requests:
        own = size(request)
        if part and (len(part) == limits.requests or total + own > limits.size):
            yield part
            part, total = [], 0
        part.append(request)
        total += own
    if part:
        yield part
