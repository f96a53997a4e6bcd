"""A judge as a metric of Ragas."""

from __future__ import annotations

from calibrate.export.asking import asking_module, names_in_order
from calibrate.export.bundle import Exported

__all__ = ["as_ragas"]

_USAGE = """\
A {kind} metric of Ragas 0.4:

    from judge import judge

    result = judge.score(**{{{inputs}}})
    result.value   # {value}, or None
    result.reason

ascore, batch_score and abatch_score work as well. An llm that is passed on is not used: what a {base} asks
itself has a system text of Ragas and one user message, wants a value and a reason, samples as Ragas sets it, and is
repeated with the error when a reply does not fit."""
_ADAPTER = '''\
class CalibratedJudge({base}):
    """A {kind} metric that sends the request of the judge."""

    def score(self, /, **inputs: Any) -> MetricResult:
        """Judge one item."""
        return _result(ask(inputs))

    async def ascore(self, /, **inputs: Any) -> MetricResult:
        """Judge one item, in a thread."""
        return await asyncio.to_thread(self.score, **inputs)


def _result(verdict: Verdict) -> MetricResult:
    if verdict.label is None:
        return MetricResult(value=None, reason=f"no verdict: {{verdict.unscored}}")
    return MetricResult(value={value}, reason=verdict.reasoning)


judge = CalibratedJudge(name=NAME, allowed_values={allowed})
'''
_LIBRARY = "from ragas.metrics import {names}\n"


def as_ragas(exported: Exported) -> str:
    """Return a module with the metric ``judge``.

    Raises:
        InputError: a verdict of the judge takes several calls, or its model answers no chat.
    """
    interval = exported.scale.kind == "interval"
    base, kind = ("NumericMetric", "numeric") if interval else ("DiscreteMetric", "discrete")
    bounds = "(-math.inf if LOW is None else LOW, math.inf if HIGH is None else HIGH)"
    return asking_module(
        exported,
        tool="Ragas",
        unscored="a result whose value is None and whose reason says why",
        usage=_USAGE.format(
            kind=kind, base=base, inputs=names_in_order(exported), value="a number" if interval else "one of LABELS"
        ),
        library=_LIBRARY.format(names=", ".join(sorted((base, "MetricResult")))),
        modules=("import asyncio",),
        adapter=_ADAPTER.format(
            base=base,
            kind=kind,
            value="float(verdict.label)" if interval else "verdict.label",
            allowed=bounds if interval else "list(LABELS)",
        ),
    )
