"""Judge items with exported DeepEval metrics."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from deepeval.test_case import LLMTestCase

sys.path.append(str(Path(__file__).parents[1]))

from modules import drive, read


def judged(module: ModuleType, inputs: dict[str, Any]) -> dict[str, Any]:
    metric = module.CalibratedJudge()
    try:
        metric.measure(case(module.FIELDS, inputs))
    except module.NoVerdictError:
        assert metric.score is None
        assert not metric.success
    return read(metric.label, metric.error)


def case(fields: dict[str, str], inputs: dict[str, Any]) -> LLMTestCase:
    """The item as a test case: texts in fields of texts, chunks in the field of chunks, the rest in metadata."""
    fitting = {
        name: field
        for name, field in fields.items()
        if isinstance(inputs[name], list) == (field == "retrieval_context")
    }
    given = {"input": "", **{field: inputs[name] for name, field in fitting.items()}}
    return LLMTestCase(**given, metadata={name: text for name, text in inputs.items() if name not in fitting})


drive(judged)
