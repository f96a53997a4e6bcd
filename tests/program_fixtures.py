"""The program in a folder of its own, with a judge and a meta-LLM at the other end of ``OPENAI_BASE_URL``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from loopback import Loopback
from program import PROMPT, Program, World, write_pages

from calibrate.providers import RetryingModel

__all__ = ["no_waiting", "own_folder", "pages", "program", "server", "world"]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "CALIBRATE_DB"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(tmp_path, capsys)


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def server(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    with Loopback(world) as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.openai_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-any")
        yield running


@pytest.fixture
def pages(tmp_path: Path) -> str:
    """The golden set, and the prompt beside it."""
    (tmp_path / "prompt.txt").write_text(PROMPT, encoding="utf-8")
    return write_pages(tmp_path / "pages.csv").name


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries do not wait: what is tested is what becomes of a failure, not how long it takes."""

    async def at_once(seconds: float) -> None:
        return None

    monkeypatch.setitem(RetryingModel.__init__.__kwdefaults__, "sleep", at_once)
