"""The program in a folder of its own, with retries whose seconds pass a hundred times faster."""

from __future__ import annotations

import asyncio
import time

import pytest
from program_fixtures import own_folder, program

from calibrate.providers import RetryingModel

__all__ = ["fast_waiting", "own_folder", "program"]

SPEED = 100.0


@pytest.fixture
def fast_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries wait as they do, a hundred times faster, and never for want of time."""

    async def sleep(seconds: float) -> None:
        await asyncio.sleep(seconds / SPEED)

    defaults = RetryingModel.__init__.__kwdefaults__
    monkeypatch.setitem(defaults, "sleep", sleep)
    monkeypatch.setitem(defaults, "clock", lambda: time.monotonic() * SPEED)
    monkeypatch.setitem(defaults, "total_seconds", 1e6)
