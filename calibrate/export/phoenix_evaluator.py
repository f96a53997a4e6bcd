"""A judge as an evaluator of Arize Phoenix."""

from __future__ import annotations

import json

from calibrate.export.asking import asking_module, names_in_order, scores
from calibrate.export.bundle import Exported
from calibrate.export.literals import literal

__all__ = ["as_phoenix"]

_USAGE = """\
An evaluator of Phoenix Evals 3:

    from judge import judge

    judge.evaluate({{{inputs}}})[0]  # a Score: label, score, explanation
    judge.bind({{{first}: "path.in.a.row", ...}})  # only if a row names its parts in another way
    evaluate_dataframe(dataframe=..., evaluators=[judge])

The score is the label's number; a nominal label has none.

It is no ClassificationEvaluator: that asks for a label and an explanation in a form of its own."""
_LIBRARY = "from phoenix.evals import Evaluator, Score\n"
_ADAPTER = '''\
SCORES: dict[str, float] = {scores}


class CalibratedJudge(Evaluator):
    """An evaluator that sends the request of the judge."""

    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        verdict = ask(eval_input)
        metadata = {{"model": MODEL}}
        if verdict.label is None:
            metadata["unscored"] = str(verdict.unscored)
            explanation = f"no verdict: {{verdict.unscored}}"
            return [Score(name=self.name, explanation=explanation, metadata=metadata, kind="llm")]
        return [
            Score(
                name=self.name,
                label=verdict.label,
                score={score},
                explanation=verdict.reasoning,
                metadata=metadata,
                kind="llm",
                direction=self.direction,
            )
        ]


judge = CalibratedJudge(name=NAME, kind="llm"{direction})
judge.bind({{name: name for name in INPUTS}})
'''


def as_phoenix(exported: Exported) -> str:
    """Return a module with the evaluator ``judge``.

    Raises:
        InputError: a verdict of the judge takes several calls, or its model answers no chat.
    """
    kind = exported.scale.kind
    return asking_module(
        exported,
        tool="Phoenix",
        unscored="a Score without label and score, whose explanation says why",
        usage=_USAGE.format(
            inputs=names_in_order(exported), first=json.dumps("".join(exported.inputs[:1]), ensure_ascii=False)
        ),
        library=_LIBRARY,
        modules=(),
        adapter=_ADAPTER.format(
            scores=literal(scores(exported)),
            score="float(verdict.label)" if kind == "interval" else "SCORES.get(verdict.label)",
            direction="" if kind in ("binary", "ordinal", "interval") else ', direction="neutral"',
        ),
    )
