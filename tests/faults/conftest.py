"""The program in a folder of its own, with retries whose seconds pass a hundred times faster."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from program import Program

from calibrate.providers import RetryingModel

SPEED = 100.0


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "CALIBRATE_DB"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(tmp_path, capsys)


@pytest.fixture
def fast_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries wait as they do, a hundred times faster, and never for want of time."""

    async def sleep(seconds: float) -> None:
        await asyncio.sleep(seconds / SPEED)

    defaults = RetryingModel.__init__.__kwdefaults__
    monkeypatch.setitem(defaults, "sleep", sleep)
    monkeypatch.setitem(defaults, "clock", lambda: time.monotonic() * SPEED)
    monkeypatch.setitem(defaults, "total_seconds", 1e6)
