"""Judges to export, and exported modules as Python sees them."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from calibrate.domain import Item, Json, Scale, Text
from calibrate.export import Exported, as_python
from calibrate.judge import JudgeSettings, Prompt, render

INPUTS = ("question", "context", "answer")
BINARY = Scale("binary", ("0", "1"), positive="1")
SCALES = {
    "binary": BINARY,
    "words": Scale("binary", ("unfaithful", "faithful"), positive="faithful"),
    "booleans": Scale("binary", ("true", "false"), positive="true"),
    "nominal": Scale("nominal", ("faithful", "partly", "partly faithful", "¡no!", "N/A", 'it\'s "so"\\')),
    "look-alikes": Scale("nominal", ("1", "(1)", "true", "0", "5", "?", "Straße")),
    "ordinal": Scale("ordinal", tuple(str(level) for level in range(1, 11))),
    "levels": Scale("ordinal", ("low", "middle", "high")),
    "pairwise": Scale("pairwise", ("A", "B", "tie")),
    "interval": Scale("interval", threshold=0.5, low=0.0, high=1.0),
    "unbounded": Scale("interval", threshold=0.5),
    "low": Scale("interval", threshold=0.5, low=-1.5),
    "high": Scale("interval", threshold=0.5, high=10.0),
}
METRICS: dict[str, Json] = {
    "judge": "winner",
    "n": 30,
    "alignment": {"value": 0.71239, "low": 0.58, "high": 0.8, "components": 7},
    "metrics": {"cohen_kappa": {"value": None, "reason": "constant_judge"}},
}
PROVENANCE: dict[str, Json] = {
    "golden_set": "support_faithfulness",
    "golden_digest": "0123456789abcdef",
    "run": "12:7",
    "version": "0.1.0",
    "n": 30,
    "sentence": "The judge gives the experts' label to 26 of 30 items.",
    "simulated": False,
    "created": "2025-06-01T10:00:00Z",
}


def exported(
    text: str = "Is the answer supported by the context?",
    *,
    scale: Scale = BINARY,
    settings: JudgeSettings | None = None,
    single_braces: bool = False,
    inputs: tuple[str, ...] = INPUTS,
    metrics: dict[str, Json] = METRICS,
    provenance: dict[str, Json] = PROVENANCE,
    **changed: Any,
) -> Exported:
    """A judge with figures; what is not given is as a run would have it."""
    facts: dict[str, Any] = {
        "name": "support_faithfulness-faithfulness",
        "dimension": "faithfulness",
        "model": "openai:gpt-4.1",
        "models_returned": ("gpt-4.1-2025-04-14",),
        **changed,
    }
    return Exported(
        prompt=Prompt.parse(text, inputs, single_braces=single_braces),
        scale=scale,
        settings=settings or JudgeSettings(),
        inputs=inputs,
        metrics=metrics,
        provenance=provenance,
        **facts,
    )


def module_of(judge: Exported) -> ModuleType:
    """The exported module, imported; its source must survive being written to a file."""
    module = ModuleType("exported_judge")
    source = as_python(judge).encode("utf-8")
    exec(compile(source, "exported_judge.py", "exec"), module.__dict__)
    return module


def sent(judge: Exported, inputs: dict[str, Text]) -> dict[str, Any]:
    """The request that the package itself makes of these inputs, in the order that they have in a golden set."""
    item = Item("1", judge.dimension, {name: inputs[name] for name in judge.inputs})
    request = render(judge.prompt, item, judge.scale, judge.settings)
    return {"system": request.system, "user": request.user, "schema": request.schema}
