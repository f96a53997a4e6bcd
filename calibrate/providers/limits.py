"""How many requests one model gets at once, and how many a minute."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from calibrate.domain import Model, ModelRequest, ModelResponse
from calibrate.providers.retry import CallError, RateLimited, Transient
from calibrate.providers.wrapper import ModelWrapper

if TYPE_CHECKING:
    from aiolimiter import AsyncLimiter

__all__ = ["LimitedModel", "limits_of"]

_CHARACTERS_PER_TOKEN = 4
_WINDOW = (
    5.0  # seconds' worth of a rate that may be sent at once; a whole minute's at once would double the first minute
)


class LimitedModel(ModelWrapper):
    """Limits one model, and no other: each has its own.

    At most ``concurrency`` requests are in flight; the others wait in order of arrival. A provider that is overloaded
    or limits the rate halves that number, once for all requests that were in flight then; every answer raises it again,
    by one in the time of one round (additive increase, multiplicative decrease: Chiu and Jain 1989). It stands inside
    the retries, so that a request which waits for its next attempt holds no place.

    Args:
        inner: the model.
        concurrency: the most requests in flight at once.
        requests_per_minute: None for no limit.
        tokens_per_minute: input and output, None for no limit. A request counts with a quarter of its characters and
            with the mean output so far (before the first reply: its token limit).

    Attributes:
        room: requests that may be in flight now, from 1 to ``concurrency``.
        concurrency: as given.
        requests_per_minute: as given.
    """

    def __init__(
        self,
        inner: Model,
        concurrency: int,
        *,
        requests_per_minute: int | None = None,
        tokens_per_minute: int | None = None,
    ) -> None:
        super().__init__(inner)
        self.room = float(concurrency)
        self.concurrency, self.requests_per_minute = concurrency, requests_per_minute
        self._in_flight = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._started = 0
        self._started_at_decrease = 0
        self._requests = _limiter(requests_per_minute)
        self._tokens = _limiter(tokens_per_minute)
        self._replies, self._output = 0, 0

    async def complete(self, request: ModelRequest) -> ModelResponse:
        """Answer one request when there is a place for it."""
        await self._enter()
        try:
            await self._within_rates(request)
            self._started += 1
            number = self._started
            response = await self.inner.complete(request)
        except CallError as error:
            if _too_much(error) and number > self._started_at_decrease:
                self.room = max(1.0, self.room / 2)
                self._started_at_decrease = self._started
            raise
        else:
            self.room = min(self.concurrency, self.room + 1 / self.room)
            self._replies += 1
            self._output += response.usage.output_tokens or 0
            return response
        finally:
            self._leave()

    async def _enter(self) -> None:
        if self._in_flight < int(self.room) and not self._waiting:
            self._in_flight += 1
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self._leave()  # the place was given just before: pass it on
            raise

    def _leave(self) -> None:
        self._in_flight -= 1
        while self._waiting and self._in_flight < int(self.room):
            place = self._waiting.popleft()
            if not place.done():
                self._in_flight += 1
                place.set_result(None)

    async def _within_rates(self, request: ModelRequest) -> None:
        if self._requests is not None:
            await self._requests.acquire()
        if self._tokens is not None:
            left = float(self._expected_tokens(request))
            while left > 0:  # a request may be larger than what the limiter lets through at once
                await self._tokens.acquire(min(left, self._tokens.max_rate))
                left -= self._tokens.max_rate

    def _expected_tokens(self, request: ModelRequest) -> int:
        output = self._output // self._replies if self._replies else request.max_tokens
        return (len(request.system) + len(request.user)) // _CHARACTERS_PER_TOKEN + output


def limits_of(model: Model) -> tuple[int | None, int | None]:
    """Return the most requests in flight and the most a minute of a model, wrapped or not; None for no limit."""
    while isinstance(model, ModelWrapper):
        if isinstance(model, LimitedModel):
            return model.concurrency, model.requests_per_minute
        model = model.inner
    return None, None


def _too_much(error: CallError) -> bool:
    return isinstance(error.retry, RateLimited) or (isinstance(error.retry, Transient) and error.retry.overloaded)


def _limiter(per_minute: int | None) -> AsyncLimiter | None:
    if per_minute is None:
        return None
    from aiolimiter import AsyncLimiter

    at_once = max(1.0, per_minute * _WINDOW / 60)
    return AsyncLimiter(at_once, at_once * 60 / per_minute)
