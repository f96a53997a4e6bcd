"""What the functions have in common: names, settings, and running where a loop may run already."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from calibrate.config import Settings, load_settings
from calibrate.errors import InputError
from calibrate.workflows.bundles import is_bundle
from calibrate.workflows.setup import JudgeOptions

__all__ = ["database", "judge_of", "names_of", "run_to_end", "settings_here"]

Result = TypeVar("Result")


def names_of(given: str | Sequence[str]) -> tuple[str, ...]:
    """One name, or several."""
    return (given,) if isinstance(given, str) else tuple(given)


def judge_of(model: str | Path, prompt: str | Path | None, options: Mapping[str, Any]) -> JudgeOptions:
    """Return the judge's options; a judge is ``provider:name`` or a bundle, a prompt its text, a bundle, or a path."""
    given = tuple(options) if prompt is None else ("prompt", *options)
    if isinstance(model, Path) and not is_bundle(model):
        raise InputError("a path of a judge is a bundle, which ends in .json", file=str(model))
    if isinstance(prompt, Path) or (prompt is not None and is_bundle(prompt)):
        return JudgeOptions(str(model), prompt=Path(prompt), given=given, **options)
    return JudgeOptions(str(model), prompt_text=prompt, given=given, **options)


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
