"""Judge items with exported MLflow scorers."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.append(str(Path(__file__).parents[1]))

from modules import drive, read


def judged(module: ModuleType, inputs: dict[str, Any]) -> dict[str, Any]:
    feedback = module.judge(**parts(module, inputs))
    if feedback.error:
        assert feedback.value is None
        return read(None, feedback.error.error_message)
    return read(feedback.metadata["label"], None)


def parts(module: ModuleType, inputs: dict[str, Any]) -> dict[str, Any]:
    """An item as the tool has it: what was put in, and what came out."""
    output = inputs.get(module.OUTPUT)
    rest = {name: value for name, value in inputs.items() if name != module.OUTPUT}
    return {"inputs": inputs} if output is None else {"inputs": rest, "outputs": output}


drive(judged)
