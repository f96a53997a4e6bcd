"""How many requests one model gets at once."""

from __future__ import annotations

import asyncio

from calibrate.domain import Model, ModelRequest, ModelResponse
from calibrate.providers.wrapper import ModelWrapper

__all__ = ["LimitedModel"]


class LimitedModel(ModelWrapper):
    """At most ``concurrency`` requests in flight; the others wait in order of arrival.

    It stands inside the retries, so that a request which waits for its next attempt holds no place.
    """

    def __init__(self, inner: Model, concurrency: int) -> None:
        super().__init__(inner)
        self._places = asyncio.Semaphore(concurrency)

    async def complete(self, request: ModelRequest) -> ModelResponse:
        """Answer one request when there is a place for it."""
        async with self._places:
            return await self.inner.complete(request)
