"""Judge items with exported OpenEvals evaluators."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.append(str(Path(__file__).parents[1]))

from modules import drive, read


def judged(module: ModuleType, inputs: dict[str, Any]) -> dict[str, Any]:
    result = module.judge(**parts(module, inputs))
    assert result["value"] is not None or result["score"] is None
    return read(result["value"], result["comment"])


def parts(module: ModuleType, inputs: dict[str, Any]) -> dict[str, Any]:
    """An item as the tool has it: what was put in, and what came out."""
    output = inputs.get(module.OUTPUT)
    rest = {name: value for name, value in inputs.items() if name != module.OUTPUT}
    return {"inputs": inputs} if output is None else {"inputs": rest, "outputs": output}


drive(judged)
