"""Judgements are recorded in chunks, and counted after that."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime

from calibrate.domain import Judgement, ModelResponse, Unscored
from calibrate.errors import ProviderError
from calibrate.runner.pool import Task

__all__ = ["CHUNK", "Recorder"]

CHUNK = 500
"""Judgements recorded together, at most."""

_FEWEST_THAT_TELL = 3


class Recorder:
    """Gathers judgements.

    Args:
        record: makes them durable.
        on_done: called for each after it was recorded.
        now: the time.
    """

    def __init__(
        self,
        record: Callable[[Sequence[Judgement]], Awaitable[None]],
        on_done: Callable[[Judgement], None],
        now: Callable[[], datetime],
    ) -> None:
        self._record, self._on_done, self._now = record, on_done, now
        self._gathered: list[Judgement] = []
        self._answered = self._failed = 0
        self._last = ""

    async def answer(self, tasks: Sequence[Task], response: ModelResponse) -> None:
        """Record what a response says of each task; the first one pays for it."""
        self._answered += 1
        again = replace(response, cached_at=response.cached_at or self._now().isoformat(timespec="seconds"))
        for number, task in enumerate(tasks):
            told = again if number else response
            await self._add(Judgement(task.evaluation, task.item.id, task.read(told), task.key, told))

    async def fail(self, tasks: Sequence[Task], reason: str) -> None:
        """Record why there is no response."""
        self._failed += 1
        self._last = reason
        for task in tasks:
            await self._add(Judgement(task.evaluation, task.item.id, Unscored("error", reason), task.key, None))

    async def flush(self) -> None:
        """Record what has gathered."""
        gathered, self._gathered = self._gathered, []
        if gathered:
            await self._record(gathered)
            for judgement in gathered:
                self._on_done(judgement)

    def check(self) -> None:
        """Raise when nothing succeeded: requests that all failed tell of the provider, not of the items."""
        if not self._answered and self._failed >= _FEWEST_THAT_TELL:
            raise ProviderError(f"all {self._failed} requests failed; the last one: {self._last}")

    async def _add(self, judgement: Judgement) -> None:
        self._gathered.append(judgement)
        if len(self._gathered) >= CHUNK:
            await self.flush()
