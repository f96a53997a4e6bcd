"""A judge as a scorer of MLflow."""

from __future__ import annotations

from calibrate.export.asking import asking_module, field_names, names_in_order, numbers
from calibrate.export.bundle import Exported
from calibrate.export.item_parts import parts_code
from calibrate.export.literals import literal

__all__ = ["as_mlflow"]

_USAGE = """\
A scorer of MLflow 3:

    from judge import judge

    judge(inputs={{{inputs}}}).value
    mlflow.genai.evaluate(data=rows, scorers=[judge])

The judge finds its inputs by their names, in outputs, inputs and expectations; outputs that are a text are {output}.
The value is the label, a number where all labels are numbers; metadata["label"] is the label as text.

It is no make_judge: that puts its own text before the instructions, writes the whole of inputs and outputs as JSON and
asks for a result and a rationale, so that the model would read another prompt than the one that was measured."""
_LIBRARY = """\
from mlflow.entities import AssessmentError, AssessmentSource, Feedback
from mlflow.genai import scorer
"""
_ADAPTER = '''\
NUMBERS: dict[str, float] = {numbers}
{parts}

@scorer(name=NAME)
def judge(inputs: Any = None, outputs: Any = None, expectations: Any = None) -> Feedback:
    """Judge one row."""
    verdict = ask(_inputs_from(inputs, outputs, expectations))
    source = AssessmentSource(source_type="LLM_JUDGE", source_id=MODEL)
    if verdict.label is None:
        code = str(verdict.unscored).upper()
        error = AssessmentError(error_code=code, error_message=f"no verdict: {{verdict.unscored}}")
        return Feedback(name=NAME, error=error, rationale=verdict.reasoning or None, source=source)
    value = {value}
    metadata = {{"label": verdict.label}}
    return Feedback(name=NAME, value=value, rationale=verdict.reasoning, source=source, metadata=metadata)
'''


def as_mlflow(exported: Exported) -> str:
    """Return a module with the scorer ``judge``.

    Raises:
        InputError: a verdict of the judge takes several calls, or its model answers no chat.
    """
    interval = exported.scale.kind == "interval"
    output = field_names(exported).get("output")
    return asking_module(
        exported,
        tool="MLflow",
        unscored="feedback with an error and no value",
        usage=_USAGE.format(inputs=names_in_order(exported), output=f'"{output}"' if output else "not taken"),
        library=_LIBRARY,
        modules=(),
        adapter=_ADAPTER.format(
            numbers=literal(numbers(exported)),
            parts=parts_code(exported),
            value="float(verdict.label)" if interval else "NUMBERS.get(verdict.label, verdict.label)",
        ),
    )
