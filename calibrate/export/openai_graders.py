"""A judge as a grader of OpenAI's evals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.export.adapted import refuse_unaskable
from calibrate.export.bundle import Exported
from calibrate.export.header import figures, simulation
from calibrate.export.hosted import cut, differences, template

__all__ = ["as_openai_graders"]

_LONGEST_FACT = 512  # of a value of an eval's metadata
_LONGEST_NAME = 64
_TOOL = "OpenAI"


def as_openai_graders(exported: Exported) -> str:
    """Return the parameters of ``evals.create``, as JSON: the grader, the columns that it needs, and the judge's facts.

    Judges with labels become a ``label_model`` grader, judges with scores a ``score_model`` grader.

    Raises:
        InputError: a grader cannot say what the judge is.
    """
    _refuse(exported)
    document: dict[str, Json] = {
        "name": cut(exported.name, _LONGEST_NAME),
        "metadata": {name: cut(fact, _LONGEST_FACT) for name, fact in _facts(exported)},
        "data_source_config": {
            "type": "custom",
            "item_schema": {
                "type": "object",
                "properties": {name: {"type": "string"} for name in exported.inputs},
                "required": list(exported.inputs),
            },
        },
        "testing_criteria": [_grader(exported)],
    }
    return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def _grader(exported: Exported) -> dict[str, Any]:
    scale, settings = exported.scale, exported.settings
    system, user = template(exported, _TOOL, lambda name: f"{{{{item.{name}}}}}")
    grader: dict[str, Any] = {
        "name": cut(exported.name, _LONGEST_NAME),
        "model": exported.model.partition(":")[2],
        "input": [{"role": "system", "content": system}, {"role": "user", "content": user}],
    }
    if scale.kind != "interval":
        return {
            "type": "label_model",
            **grader,
            "labels": list(scale.labels),
            "passing_labels": list(scale.labels) if scale.positive is None else [scale.positive],
        }
    sampling: dict[str, Any] = {"max_completions_tokens": exported.max_tokens}
    if settings.temperature is not None:
        sampling["temperature"] = settings.temperature
    grader = {"type": "score_model", **grader, "range": [scale.low, scale.high], "sampling_params": sampling}
    return grader if scale.threshold is None else {**grader, "pass_threshold": scale.threshold}


def _facts(exported: Exported) -> Iterator[tuple[str, str]]:
    """The facts of the judge; an eval has place for sixteen."""
    yield "about", f"A judge of {exported.dimension}, with the alignment that was measured."
    sentence = exported.provenance.get("sentence")
    if sentence:
        yield "sentence", str(sentence)
    for name, value in figures(exported):
        if value:
            yield name.lower().replace(" ", "_"), value
    if simulation(exported):
        yield "simulated", simulation(exported)
    yield "differs", differences(_TOOL, sampling=exported.scale.kind != "interval")
    if exported.scale.kind != "interval" and exported.scale.positive is None:
        yield "passing", "All labels pass: none of them is the good one. Only the label counts."


def _refuse(exported: Exported) -> None:
    refuse_unaskable(exported, _TOOL)
    if exported.model.partition(":")[0] != "openai":
        raise InputError(f"OpenAI's graders ask OpenAI's models, and {exported.model} is none; export it as python")
    if exported.settings.allow_abstain:
        raise InputError(
            "OpenAI's graders count an abstention as a failure, and this judge may abstain; export it as python"
        )
    scale = exported.scale
    if scale.kind == "interval" and (scale.low is None or scale.high is None):
        raise InputError("OpenAI's graders score in a range, and this scale has an open end; export it as python")
