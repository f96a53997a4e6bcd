"""Room for models that think, in batches: what reasoning has used up is asked once more, in the next batch."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from calibrate.domain import ModelRequest, ModelResponse
from calibrate.providers.batches.protocol import AnotherForm, BatchEndpoint, BatchRequest, BatchState, Outcome
from calibrate.providers.thinking import FACTOR, RoomForThinking, both_replies, used_up, with_room

__all__ = ["ThinkingBatches"]


class ThinkingBatches:
    """A batch endpoint that gives requests as much room as single calls get.

    Args:
        inner: the endpoint.
        room: what knows by how much token limits are multiplied; single calls of the same model share it.
    """

    def __init__(self, inner: BatchEndpoint, room: RoomForThinking) -> None:
        self._inner, self._room = inner, room
        self._factors: dict[str, int] = {}
        self._first: dict[str, ModelResponse] = {}

    @property
    def name(self) -> str:
        """The model as the user wrote it."""
        return self._inner.name

    @property
    def discount(self) -> float:
        """What a request costs in a batch, as a share of its price in a call."""
        return self._inner.discount

    def most_cost(self, request: ModelRequest) -> float | None:
        """Return the most that a request can cost with the room that it gets now."""
        return self._inner.most_cost(with_room(request, self._room.factor))

    def portions(self, requests: Sequence[BatchRequest]) -> Iterator[Sequence[BatchRequest]]:
        """Cut requests into batches that the provider takes."""
        return self._inner.portions(requests)  # room is said in a number: the size stays

    async def submit(self, requests: Sequence[BatchRequest], token: str) -> str:
        """Submit one batch; see :class:`BatchEndpoint`."""
        factor = self._room.factor
        larger = [replace(each, request=with_room(each.request, factor)) for each in requests]
        batch = await self._inner.submit(larger, token)
        self._factors[batch] = factor
        return batch

    async def find(
        self, token: str, since: datetime, keys: Collection[str], others: Collection[str] = ()
    ) -> str | None:
        """Return the id of a batch whose id never arrived; see :class:`BatchEndpoint`."""
        return await self._inner.find(token, since, keys, others)

    async def poll(self, batch: str) -> BatchState:
        """Return how far a batch has come."""
        return await self._inner.poll(batch)

    async def results(
        self, batch: str, requests: Mapping[str, ModelRequest]
    ) -> AsyncGenerator[tuple[str, Outcome], None]:
        """Yield what became of the requests of a batch; see :class:`BatchEndpoint`."""
        factor = self._factors.get(batch, 1)  # 1 for a batch of an earlier process: at worst it is asked once too often
        results = self._inner.results(batch, {key: with_room(each, factor) for key, each in requests.items()})
        try:
            async for key, outcome in results:
                yield key, self._outcome(key, outcome, factor) if key in requests else outcome
        finally:
            await results.aclose()

    def _outcome(self, key: str, outcome: Outcome, factor: int) -> Outcome:
        if not isinstance(outcome, ModelResponse):
            return outcome
        if factor == 1 and used_up(outcome) and not self._room.is_fixed:
            self._room.enlarged += 1
            self._room.factor = FACTOR
            self._first[key] = outcome
            return AnotherForm(f"{self.name}: reasoning used up the token limit", outcome)
        first = self._first.pop(key, None)
        return outcome if first is None else both_replies(first, outcome)
