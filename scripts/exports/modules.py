"""What the drivers of tools in Python have in common. It runs in the tool's environment."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["drive", "load", "read"]

_NO_VERDICT = "no verdict: "


def drive(judged: Callable[[ModuleType, dict[str, Any]], dict[str, Any]]) -> None:
    """Judge the items of all jobs, each with its exported module: ``drive.py JOBS RESULTS``.

    Args:
        judged: the module and an item's inputs to what the tool reads.
    """
    jobs, results = map(Path, sys.argv[1:3])
    read: dict[str, Any] = {}
    for job in json.loads(jobs.read_text(encoding="utf-8")):
        os.environ["OPENAI_BASE_URL"] = job["base_url"]  # the module connects when it judges its first item
        module = load(job["file"])
        read[job["judge"]] = {item["id"]: judged(module, item["inputs"]) for item in job["items"]}
    results.write_text(json.dumps(read), encoding="utf-8")


def read(label: str | None, said: str | None) -> dict[str, Any]:
    """Return a verdict as it is compared.

    Args:
        label: the label that the tool reads.
        said: without one, what the tool says instead.
    """
    unscored = None if label is not None else str(said).removeprefix(_NO_VERDICT)
    return {"label": label, "unscored": unscored}


def load(path: str) -> ModuleType:
    """Import an exported file under its name."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module
