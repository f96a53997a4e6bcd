"""What becomes of a failed attempt: no retry, a retry, or a wait until the provider's limit is over.

The loop is our own. A provider that says ``Retry-After`` speaks to all requests of that model: they all have to wait,
and waiting is no failed attempt. A retry library such as stamina decides per call, counts each refusal as an attempt,
sleeps on a clock of its own, and reports to whatever logger it finds, standard output included.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from calibrate.domain import Model, ModelRequest, ModelResponse
from calibrate.errors import ProviderError
from calibrate.providers.wrapper import ModelWrapper, innermost

__all__ = ["CallError", "NoRetry", "RateLimited", "Retry", "RetryingModel", "Transient"]


@dataclass(frozen=True, slots=True)
class NoRetry:
    """The same request would fail again."""


@dataclass(frozen=True, slots=True)
class Transient:
    """The same request may succeed a little later.

    Attributes:
        overloaded: whether the provider has too much to do (429, 503, 529), and fewer requests at once would help.
    """

    overloaded: bool = False


@dataclass(frozen=True, slots=True)
class RateLimited:
    """The provider takes no request before ``seconds`` have passed."""

    seconds: float


Retry: TypeAlias = NoRetry | Transient | RateLimited


class CallError(ProviderError):
    """One attempt failed.

    Attributes:
        retry: what to do about it.
        systemic: every other request to this model will fail the same way (key, quota, unreachable host).
        billable: whether the provider may have billed the attempt all the same: it was sent, and no refusal came back.
    """

    def __init__(self, message: str, *, retry: Retry, systemic: bool = False, billable: bool = False) -> None:
        super().__init__(message)
        self.retry = retry
        self.systemic = systemic
        self.billable = billable


class RetryingModel(ModelWrapper):
    """Another attempt where one can help.

    Transient failures are tried again after 1, 2, 4, ... seconds (up to 30, each shortened by up to half at random),
    at most ``attempts`` times in all. A stated limit holds back all requests of this model until it is over and does
    not count. Nothing is started later than ``total_seconds`` after the request came in.

    Args:
        inner: the model that may fail.
        attempts: the most attempts for one request.
        total_seconds: the most time for one request, waits included.
        clock: seconds on any steady clock.
        sleep: waits that many seconds.
        jitter: a number in [0, 1).
    """

    def __init__(
        self,
        inner: Model,
        *,
        attempts: int = 5,
        total_seconds: float = 600.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        super().__init__(inner)
        self._attempts = attempts
        self._total_seconds = total_seconds
        self._clock = clock
        self._sleep = sleep
        self._jitter = jitter
        self._limited_until = float("-inf")

    async def complete(self, request: ModelRequest) -> ModelResponse:
        """Answer one request, in as many attempts as it takes.

        Raises:
            CallError: the last failure, when there is no use in trying again.
        """
        deadline = self._clock() + self._total_seconds
        failures = 0
        while True:
            await self._wait_for_limit(deadline)
            try:
                response = await self.inner.complete(request)
            except CallError as error:
                if isinstance(error.retry, NoRetry):
                    raise
                if isinstance(error.retry, RateLimited):
                    self._limited_until = max(self._limited_until, self._clock() + error.retry.seconds)
                    if self._limited_until > deadline:
                        raise _given_up(error, failures + 1) from None
                    continue
                failures += 1
                wait = self._backoff(failures)
                if failures >= self._attempts or self._clock() + wait > deadline:
                    raise _given_up(error, failures) from None
            else:
                self._heed(getattr(innermost(self.inner), "pause", 0.0))
                return response
            await self._sleep(wait)

    def _heed(self, pause: float) -> None:
        """Hold back the next requests when the last reply says that nothing remains of a limit."""
        if pause > 0:
            self._limited_until = max(self._limited_until, self._clock() + pause)

    async def _wait_for_limit(self, deadline: float) -> None:
        # Again after each sleep: another request may have been told to wait longer.
        while (wait := self._limited_until - self._clock()) > 0:
            if self._limited_until > deadline:
                raise CallError(f"{self.name}: rate limited for another {wait:.0f} s", retry=NoRetry())
            await self._sleep(wait)

    def _backoff(self, failures: int) -> float:
        return min(30.0, 2.0 ** (failures - 1)) * (1.0 - 0.5 * self._jitter())


def _given_up(error: CallError, attempts: int) -> CallError:
    tries = "1 attempt" if attempts == 1 else f"{attempts} attempts"
    return CallError(f"{error} (given up after {tries})", retry=NoRetry(), systemic=error.systemic)
