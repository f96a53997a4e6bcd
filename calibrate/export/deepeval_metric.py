"""A judge as a metric of DeepEval."""

from __future__ import annotations

import json

from calibrate.domain import Json, Scale
from calibrate.errors import InputError
from calibrate.export.adapted import refuse_unaskable
from calibrate.export.asking import asking_module, field_names, scores
from calibrate.export.bundle import Exported
from calibrate.export.literals import literal

__all__ = ["as_deepeval"]

_USAGE = """\
A metric of DeepEval 4:

    from judge import CalibratedJudge

    metric = CalibratedJudge()
    metric.measure(test_case)  # metric.score, metric.label, metric.reason
    evaluate(test_cases=[...], metrics=[metric])

An input is read from the test case's metadata, by its name, else from the field that FIELDS has for it. A list of texts
is shown as chunks: an input that is one text in the golden set belongs into metadata and not into retrieval_context.
{judged}{score}

It is no GEval: that has a model write steps, puts all into one user message and asks for a score from 0 to 10, which it
weights by the probabilities of tokens."""
_LIBRARY = """\
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase
"""
_ADAPTER = '''\
SCORES: dict[str, float] = {scores}
THRESHOLD: float | None = {threshold}
FIELDS: dict[str, str] = {fields}
OUTPUT: str | None = {output}  # what is judged


class CalibratedJudge(BaseMetric):
    """A metric that sends the request of the judge.

    Attributes:
        label: the label of the last test case; None without a verdict.
    """

    def __init__(self, threshold: float | None = THRESHOLD) -> None:
        self.threshold = threshold
        self.evaluation_model = MODEL
        self.include_reason = True
        self.label: str | None = None

    def measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """Judge one test case.

        Raises:
            NoVerdictError: the reply has no verdict.
        """
        return self._take(ask(_inputs_of(test_case)))

    async def a_measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """Judge one test case, in a thread."""
        return self._take(await asyncio.to_thread(ask, _inputs_of(test_case)))

    @property
    def __name__(self) -> str:
        """The metric's name in reports."""
        return NAME

    def _take(self, verdict: Verdict) -> float:
        self.score = self.success = self.error = None
        self.label, self.reason = verdict.label, verdict.reasoning
        if verdict.label is None:
            self.error = f"no verdict: {{verdict.unscored}}"
            raise NoVerdictError(self.error)
        self.score = {score}
        self.is_successful()
        return self.score


class NoVerdictError(Exception):
    """The reply has no verdict: that is no low score."""


def _inputs_of(test_case: LLMTestCase) -> dict[str, Any]:
    fields = {{name: getattr(test_case, field) for name, field in FIELDS.items()}}
    given = {{name: value for name, value in fields.items() if value is not None}}
    further = {{name: value for name, value in (test_case.metadata or {{}}).items() if name != OUTPUT}}
    return {{**given, **further}}
'''
_FIELDS = {
    "input": "input",
    "output": "actual_output",
    "reference": "expected_output",
    "context": "retrieval_context",
}


def as_deepeval(exported: Exported) -> str:
    """Return a module with the metric ``CalibratedJudge``.

    Raises:
        InputError: the labels have no numbers, which a metric must have, a verdict of the judge takes several calls, or
            its model answers no chat.
    """
    scale, roles = exported.scale, field_names(exported)
    refuse_unaskable(exported, "DeepEval")
    if scale.kind == "nominal":
        raise InputError(
            "a DeepEval metric is a number, and nominal labels have none; export it as python, mlflow, ragas, "
            "openevals or phoenix"
        )
    threshold: Json = 0.5 if scale.kind == "binary" else scale.threshold
    return asking_module(
        exported,
        tool="DeepEval",
        unscored="an error of the metric and no score. evaluate goes on after it only with "
        "ErrorConfig(ignore_errors=True), and its pass rate counts the case as failed",
        usage=_USAGE.format(
            score=_score(scale),
            judged="What is judged is actual_output, whatever the metadata hold.\n" if "output" in roles else "",
        ),
        library=_LIBRARY,
        modules=("import asyncio",),
        adapter=_ADAPTER.format(
            scores=literal(scores(exported)),
            threshold=literal(threshold),
            fields=literal({name: _FIELDS[role] for role, name in roles.items()}),
            output=literal(roles.get("output")),
            score="float(verdict.label)" if scale.kind == "interval" else "SCORES[verdict.label]",
        ),
    )


def _score(scale: Scale) -> str:
    if scale.kind == "binary":
        return f"The score is 1 for the label {_shown(scale.positive)} and 0 for {_shown(scale.negative)}."
    if scale.kind == "interval":
        return "The score is the judge's own; from THRESHOLD on, it passes."
    return "The score is the label's number. Without a threshold, which you may give, it neither passes nor fails."


def _shown(label: str | None) -> str:
    return json.dumps(label, ensure_ascii=False)
