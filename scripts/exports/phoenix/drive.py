"""Judge items with exported Phoenix evaluators."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.append(str(Path(__file__).parents[1]))

from modules import drive, read


def judged(module: ModuleType, inputs: dict[str, Any]) -> dict[str, Any]:
    score = module.judge.evaluate(inputs)[0]
    assert score.label is not None or score.score is None
    return read(score.label, score.explanation)


drive(judged)
