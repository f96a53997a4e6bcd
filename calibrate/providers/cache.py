"""The response cache: what was answered once is not paid for twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from calibrate.domain import Model, ModelRequest, ModelResponse, request_key
from calibrate.providers.wrapper import ModelWrapper

__all__ = ["CachedModel", "Lookup"]

Lookup = Callable[[str], ModelResponse | None]
"""Returns the stored response to a request key, with ``cached_at`` set, or None."""


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True)
class _Flight:
    task: asyncio.Task[ModelResponse]
    waiting: int = 0


class CachedModel(ModelWrapper):
    """Replays stored responses, and joins identical requests that are in flight at once into one call.

    A replayed response, stored or joined, has ``cached_at`` set: nothing was paid for it. Storing is the caller's.

    Args:
        inner: the model that answers what is not stored.
        lookup: finds stored responses by :func:`~calibrate.domain.request_key`.
        keep: keys that are asked for more than once; their responses are kept, so that they are paid for once.
        now: the time, for joined responses.
    """

    def __init__(
        self, inner: Model, lookup: Lookup, *, keep: Collection[str] = (), now: Callable[[], datetime] = _now
    ) -> None:
        super().__init__(inner)
        self._lookup = lookup
        self._keep = frozenset(keep)
        self._kept: dict[str, ModelResponse] = {}
        self._now = now
        self._flights: dict[str, _Flight] = {}

    async def complete(self, request: ModelRequest) -> ModelResponse:
        """Answer one request from the store, from a call in flight, or with the inner model."""
        key = request_key(self.inner, request)
        flight = self._flights.get(key)
        if flight is not None:
            response = await self._join(key, flight)
            return replace(response, cached_at=self._now().isoformat(timespec="seconds"))
        stored = self._kept.get(key) or self._lookup(key)
        if stored is not None:
            return stored
        flight = self._flights[key] = _Flight(asyncio.create_task(self.inner.complete(request)))
        response = await self._join(key, flight)
        if key in self._keep:
            self._kept[key] = replace(response, cached_at=self._now().isoformat(timespec="seconds"))
        return response

    async def _join(self, key: str, flight: _Flight) -> ModelResponse:
        flight.waiting += 1
        try:
            # Who gives up must not take the reply from the others who wait for it.
            return await asyncio.shield(flight.task)
        except asyncio.CancelledError:
            # Stopped at the very moment at which the reply came: it is paid for, so it is handed over all the same.
            if flight.task.done() and not flight.task.cancelled() and flight.task.exception() is None:
                return flight.task.result()
            raise
        finally:
            flight.waiting -= 1
            if not flight.waiting:
                # Gone before it is cancelled: nobody may join it any more.
                del self._flights[key]
                flight.task.cancel()
