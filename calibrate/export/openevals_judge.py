"""A judge as an evaluator of OpenEvals, which LangSmith runs too."""

from __future__ import annotations

from calibrate.export.asking import asking_module, field_names, names_in_order, scores
from calibrate.export.bundle import Exported
from calibrate.export.item_parts import parts_code
from calibrate.export.literals import literal

__all__ = ["as_openevals"]

_USAGE = """\
An evaluator of OpenEvals, made by create_llm_as_judge:

    from judge import judge

    judge(inputs={{{inputs}}})  # key, score, value, comment
    client.evaluate(target, data=..., evaluators=[judge])  # of a LangSmith client

The judge finds its inputs by their names, in outputs, inputs, reference_outputs and further arguments; outputs
that are a text are {output}. "value" is the label and "score" its number; a nominal label has none."""
_LIBRARY = "from openevals.llm import create_llm_as_judge\n"
_ADAPTER = '''\
SCORES: dict[str, float] = {scores}
{parts}

def _messages(*, inputs: Any = None, outputs: Any = None, reference_outputs: Any = None, **others: Any) -> list[Any]:
    request = render({{**others, **_inputs_from(inputs, outputs, reference_outputs)}})
    system = [{{"role": "system", "content": request["system"]}}] if request["system"] else []
    return [*system, {{"role": "user", "content": request["user"]}}]


class _Judge:
    """The client that create_llm_as_judge calls: it asks with the judge's settings, and replies with the result."""

    @property
    def chat(self) -> _Judge:
        return self

    @property
    def completions(self) -> _Judge:
        return self

    def create(self, *, messages: list[Any], **_: Any) -> Any:
        texts = {{message["role"]: message["content"] for message in messages}}
        verdict = answer({{"system": texts.get("system", ""), "user": texts["user"], "schema": SCHEMA}})
        result: dict[str, Any] = {{"key": NAME, "score": None, "value": None}}
        if verdict.label is None:
            result["comment"] = f"no verdict: {{verdict.unscored}}"
        else:
            result.update(score={score}, value=verdict.label, comment=verdict.reasoning)
        return SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content=json.dumps(result)))])


_RESULT = {{"name": "result", "schema": {{"type": "object", "additionalProperties": False}}}}  # what the client gives
judge = create_llm_as_judge(
    prompt=_messages, judge=_Judge(), model=SERVED_MODEL, feedback_key=NAME, output_schema=_RESULT
)
'''


def as_openevals(exported: Exported) -> str:
    """Return a module with the evaluator ``judge``.

    Raises:
        InputError: a verdict of the judge takes several calls, or its model answers no chat.
    """
    interval = exported.scale.kind == "interval"
    output = field_names(exported).get("output")
    return asking_module(
        exported,
        tool="OpenEvals",
        unscored="a result whose score and value are None and whose comment says why",
        usage=_USAGE.format(inputs=names_in_order(exported), output=f'"{output}"' if output else "not taken"),
        library=_LIBRARY,
        modules=("import json", "from types import SimpleNamespace"),
        adapter=_ADAPTER.format(
            scores=literal(scores(exported)),
            parts=parts_code(exported),
            score="float(verdict.label)" if interval else "SCORES.get(verdict.label)",
        ),
    )
