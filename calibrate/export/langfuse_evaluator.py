"""A judge as an evaluator for Langfuse's experiments."""

from __future__ import annotations

from calibrate.export.asking import asking_module, scores
from calibrate.export.bundle import Exported
from calibrate.export.item_parts import parts_code
from calibrate.export.literals import literal

__all__ = ["as_langfuse"]

_USAGE = """\
An evaluator for experiments of Langfuse (SDK 5):

    from judge import judge

    langfuse.run_experiment(name="...", data=[...], task=..., evaluators=[judge])

The inputs are found by name in the item's input, expected output and metadata and in the task's output, where these are
objects; an input or an output that is a text stands for the input of that role. The score {name} {value};
its metadata hold the label. Without a verdict there is no such score, and the score "{name} unscored" says why.

An evaluator that Langfuse itself runs (an LLM as a judge, in its web interface) would put inputs into the prompt as
they are and ask for a score in a form of its own. That is another judge, and its alignment was not measured."""
_ADAPTER = '''\
def judge(
    *, input: Any, output: Any, expected_output: Any = None, metadata: Any = None, **_: Any
) -> Evaluation:
    """Judge one item of an experiment."""
    known = metadata if isinstance(metadata, Mapping) else {{}}
    found = {{name: value for name, value in known.items() if name != OUTPUT}}  # never what is judged
    found.update(_inputs_from(input, output, expected_output))
    verdict = ask(found)
    if verdict.label is None:
        return Evaluation(name=f"{{NAME}} unscored", value=verdict.unscored or "", data_type="CATEGORICAL")
    return Evaluation(
        name=NAME,
        value={value},
        data_type="{kind}",
        comment=verdict.reasoning,
        metadata={{"label": verdict.label}},
    )


{parts}'''


def as_langfuse(exported: Exported) -> str:
    """Return a module with the evaluator ``judge``.

    Raises:
        InputError: a verdict of the judge takes several calls, or its model answers no chat.
    """
    kind, value, said = _scored(exported)
    return asking_module(
        exported,
        tool="Langfuse",
        unscored="no score",
        usage=_USAGE.format(name=" ".join(exported.name.split()), value=said),
        library="from langfuse import Evaluation\n",
        modules=(),
        adapter=_ADAPTER.format(value=value, kind=kind, parts=parts_code(exported)),
    )


def _scored(exported: Exported) -> tuple[str, str, str]:
    """Return the kind of the score, its value as code, and what it is."""
    scale = exported.scale
    if scale.kind == "binary":
        return "BOOLEAN", f"verdict.label == {literal(scale.positive)}", f"is true for {literal(scale.positive)}"
    if scale.kind == "interval":
        return "NUMERIC", "float(verdict.label)", "is the number"
    if scale.kind == "ordinal":
        return "NUMERIC", f"{literal(scores(exported))}[verdict.label]", "is the level's number, or its rank from 0"
    return "CATEGORICAL", "verdict.label", "is the label"
