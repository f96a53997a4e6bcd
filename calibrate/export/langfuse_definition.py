"""A judge as an evaluator that Langfuse runs: an LLM as a judge."""

from __future__ import annotations

import json

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.export.adapted import refuse_unaskable
from calibrate.export.asking import field_names
from calibrate.export.bundle import Exported
from calibrate.export.header import header
from calibrate.export.hosted import differences, template
from calibrate.judge import ABSTENTION

__all__ = ["as_langfuse_evaluator"]

_SOURCES = {"input": "input", "output": "output", "reference": "expected_output"}
_USAGE = """\
The body of POST /api/public/evaluators. Variables whose name says no role are taken from the observation's input by
that name; change variableMapping where they stand elsewhere.

{differs}"""


def as_langfuse_evaluator(exported: Exported) -> str:
    """Return the body of the request that makes the evaluator, as JSON.

    Raises:
        InputError: such an evaluator cannot say what the judge is.
    """
    refuse_unaskable(exported, "Langfuse")
    provider, _, model = exported.model.partition(":")
    if provider not in ("openai", "anthropic"):
        raise InputError(f"{exported.model} is no model that Langfuse asks; export it as langfuse")
    system, user = template(exported, "Langfuse", lambda name: f"{{{{{name}}}}}")
    document: dict[str, Json] = {
        "type": "llm_as_judge",
        "name": " ".join(exported.name.split()),
        "description": header(exported, _USAGE.format(differs=differences("Langfuse", sampling=True))),
        "prompt": [{"role": "system", "content": system}, {"role": "user", "content": user}],
        "modelConfig": {"provider": provider, "model": model},
        "variableMapping": _mapping(exported),
        "outputDefinition": _output(exported),
    }
    return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def _mapping(exported: Exported) -> list[Json]:
    roles = {name: role for role, name in field_names(exported).items() if role in _SOURCES}
    return [
        {"variable": name, "source": _SOURCES[roles[name]]}
        if name in roles
        else {"variable": name, "source": "input", "jsonPath": f"$.{name}"}
        for name in exported.inputs
    ]


def _output(exported: Exported) -> dict[str, Json]:
    scale = exported.scale
    if scale.kind != "interval":
        labels: list[Json] = [*scale.labels, *([ABSTENTION] if exported.settings.allow_abstain else [])]
        return {"dataType": "CATEGORICAL", "categories": labels, "shouldAllowMultipleMatches": False}
    if exported.settings.allow_abstain:
        raise InputError("a numeric score of Langfuse has no place for an abstention; export it as langfuse")
    bounds: dict[str, Json] = {"minValue": scale.low, "maxValue": scale.high}
    return {"dataType": "NUMERIC", **{name: bound for name, bound in bounds.items() if bound is not None}}
