"""What the functions have in common: names, settings, and running where a loop may run already."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from calibrate.config import Settings, load_settings
from calibrate.workflows.setup import JudgeOptions

__all__ = ["database", "judge_of", "names_of", "run_to_end", "settings_here"]

Result = TypeVar("Result")


def names_of(given: str | Sequence[str]) -> tuple[str, ...]:
    """One name, or several."""
    return (given,) if isinstance(given, str) else tuple(given)


def judge_of(model: str, prompt: str | Path | None, options: Mapping[str, Any]) -> JudgeOptions:
    """Return the judge's options; a prompt is its text, or a path."""
    if isinstance(prompt, Path):
        return JudgeOptions(model, prompt=prompt, **options)
    return JudgeOptions(model, prompt_text=prompt, **options)


def settings_here() -> Settings:
    """Return the settings of this environment and folder."""
    return load_settings(os.environ, Path.cwd())


def database(db: str | None) -> str:
    """Return the run database to use."""
    return db or settings_here().database_url


def run_to_end(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine to its end, in a thread of its own where a loop is already running here."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    outcome: list[Result] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(asyncio.run(work))
        except BaseException as error:  # noqa: BLE001 — handed to the caller's thread, nothing is swallowed
            failure.append(error)

    thread = threading.Thread(target=run, name="calibrate")
    thread.start()
    thread.join()
    if failure:
        raise failure[0]
    return outcome[0]
