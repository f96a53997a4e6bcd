"""Judge items with exported Ragas metrics."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.append(str(Path(__file__).parents[1]))

from modules import drive, read


def judged(module: ModuleType, inputs: dict[str, Any]) -> dict[str, Any]:
    result = module.judge.score(**inputs)
    return read(None if result.value is None else str(result.value), result.reason)


drive(judged)
