"""A judge as a scorer of Inspect."""

from __future__ import annotations

import textwrap

from calibrate.export.adapted import adapted_module, served_model
from calibrate.export.asking import field_names, scores
from calibrate.export.bundle import Exported
from calibrate.export.literals import literal

__all__ = ["as_inspect"]

_WIDTH = 100

_USAGE = """\
A scorer of Inspect (inspect_ai 0.3):

    from judge import judge

    Task(dataset=..., solver=..., scorer=judge())

{found}

A reply without a verdict is an unscored Score, which no metric counts; its reason says why.

Inspect's own instructions for graders are not used: the messages, the reply format, the token limit and the
temperature are those that were measured. Where a model's API has no place for one of them, Inspect leaves it out.
With models that reason, Inspect may use the Responses API of OpenAI; the judge was measured with chat completions."""
_FOUND = "The inputs are found by name in the sample's metadata."
_NAMED = 'The model is the role "grader", else the one that was measured ({model}).'
_UNNAMED = (
    'Give the model as judge(model) or as the role "grader": the measured one ({model}) is not one that Inspect knows.'
)
_LIBRARY = """\
from inspect_ai.model import (
    ChatMessageSystem,
    ChatMessageUser,
    ContentText,
    GenerateConfig,
    Model,
    ModelOutput,
    ResponseSchema,
    get_model,
)
from inspect_ai.scorer import (
    {scorer},
)
from inspect_ai.solver import TaskState
from inspect_ai.util import JSONSchema
"""
_ADAPTER = '''\
@scorer(metrics=[{metrics}])
def judge(model: str | Model | None = None) -> Scorer:
    """Score samples by the verdicts of the judge; ``model`` is asked in place of the role "grader"."""

    async def score(state: TaskState, target: Target) -> Score:
        request = render(_inputs(state, target))
        grader = get_model(model) if model is not None else {grader}
        messages = [ChatMessageUser(content=request["user"])]
        if request["system"]:
            messages.insert(0, ChatMessageSystem(content=request["system"]))
        verdict = _read(await grader.generate(messages, config=_CONFIG))
        if verdict.label is None:
            return Score.unscored(reason=verdict.unscored)
        return Score(value={value}, answer=verdict.label, explanation=verdict.reasoning)

    return score


def _inputs(state: TaskState, target: Target) -> dict[str, Any]:
    found = dict(state.metadata)
    if INPUT is not None:
        found.setdefault(INPUT, state.input_text)
    if REFERENCE is not None:
        found.setdefault(REFERENCE, target.text)
    if OUTPUT is not None:  # what is judged, never what a sample comes with
        found[OUTPUT] = state.output.completion
    return found


def _read(output: ModelOutput) -> Verdict:
    content = output.message.content
    parts = [] if isinstance(content, str) else content
    refused = any(isinstance(part, ContentText) and part.refusal for part in parts)
    finish = {{"max_tokens": "length", "model_length": "length"}}.get(output.stop_reason, output.stop_reason)
    text = re.sub("[\\ud800-\\udfff\\x00]", "\\ufffd", output.completion)
    return parse(text, "refusal" if refused else finish)


_SCHEMA = None if SCHEMA is None else JSONSchema.model_validate(SCHEMA)
_CONFIG = GenerateConfig(
    temperature=TEMPERATURE,
    max_tokens=MAX_TOKENS,
    response_schema=None if _SCHEMA is None else ResponseSchema(name="reply", json_schema=_SCHEMA, strict=True),
)
'''
_FURTHER = """\
INPUT: str | None = {input}  # the input that a sample's input is
OUTPUT: str | None = {output}  # the input that a sample's output is
REFERENCE: str | None = {reference}  # the input that a sample's target is
"""


def as_inspect(exported: Exported) -> str:
    """Return a module with the scorer ``judge``.

    Raises:
        InputError: a verdict of the judge takes several calls, or its model answers no chat.
    """
    model, roles = served_model(exported), field_names(exported)
    metrics, value, said = _scored(exported)
    names = [name.partition("(")[0] for name in metrics]
    own = ["CORRECT", "INCORRECT"] if exported.scale.kind == "binary" else []
    taken = [f"{roles[role]} is the sample's {what}" for role, what in _SAMPLE.items() if role in roles]
    told = [(_NAMED if model else _UNNAMED).format(model=exported.model), _FOUND]
    if taken:
        told.append(f"Else {', '.join(taken)}.")
    if "output" in roles:
        told.append("The output is never taken from the metadata.")
    told.append(f"score.answer is the label, and score.value {said}.")
    return adapted_module(
        exported,
        tool="Inspect",
        usage=_USAGE.format(found=textwrap.fill(" ".join(told), _WIDTH)),
        library=_LIBRARY.format(
            scorer=",\n    ".join([*own, "Score", "Scorer", "Target", *sorted([*names, "scorer"])])
        ),
        adapter=_ADAPTER.format(
            metrics=", ".join(metrics),
            value=value,
            grader=f'get_model(role="grader", default={literal(model)})'
            if model
            else 'get_model(role="grader", required=True)',
        ),
        further=_FURTHER.format(
            input=literal(roles.get("input")),
            output=literal(roles.get("output")),
            reference=literal(roles.get("reference")),
        ),
    )


_SAMPLE = {"input": "input", "output": "output", "reference": "target"}


def _scored(exported: Exported) -> tuple[list[str], str, str]:
    """Return the metrics of the scale, the score's value as code, and what it is."""
    numbers = scores(exported)
    if exported.scale.kind == "binary":
        positive = exported.scale.positive
        return (
            ["accuracy()", "stderr()"],
            f"CORRECT if verdict.label == {literal(positive)} else INCORRECT",
            f"is correct for {literal(positive)} and incorrect for the other label",
        )
    if exported.scale.kind == "interval":
        return ["mean()", "stderr()"], "float(verdict.label)", "is the score"
    if exported.scale.kind == "ordinal":
        return ["mean()", "stderr()"], f"{literal(numbers)}[verdict.label]", "is its number, or its rank from 0"
    return ["frequency()"], "verdict.label", "as well"
