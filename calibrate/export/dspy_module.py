"""A judge as a module of DSPy."""

from __future__ import annotations

from calibrate.export.adapted import adapted_module, served_model
from calibrate.export.asking import names_in_order
from calibrate.export.bundle import Exported
from calibrate.export.literals import literal

__all__ = ["as_dspy"]

_USAGE = """\
A module of DSPy 3.4:

    from judge import Judge

    judge = Judge({given})
    prediction = judge(**{{{inputs}}})
    prediction.label      # one of LABELS, or None
    prediction.unscored   # without a label, why: abstained, invalid, refused or truncated
    prediction.reasoning

As a metric: lambda example, prediction, trace=None: judge(question=..., answer=...).label == "...". A prediction
without a label is no "no": leave it out.

No adapter of DSPy and no signature stands between: the texts, the reply format, the token limit and the temperature are
those that were measured. For that reason DSPy's optimizers find nothing in it to change. {lm}"""
_NAMED = "Without an lm it asks {model}; with one, it is asked with that one's key and server."
_UNNAMED = "The measured model ({model}) is not one that DSPy knows: give an lm."
_LIBRARY = """\
import dspy
from dspy import lm15
"""
_ADAPTER = '''\
class Judge(dspy.Module):
    """The judge; ``lm`` is the model to ask."""

    def __init__(self, lm: dspy.LM{optional}) -> None:
        super().__init__()
        self.lm = lm{default}

    def forward(self, /, **inputs: Any) -> dspy.Prediction:
        """Judge one item."""
        return _prediction(self.lm(_request(self.lm.model, inputs)))

    async def aforward(self, /, **inputs: Any) -> dspy.Prediction:
        """Judge one item."""
        return _prediction(await self.lm.acall(_request(self.lm.model, inputs)))


def _request(model: str, inputs: Mapping[str, Any]) -> lm15.Request:
    request = render(inputs)
    reply_format = None
    if request["schema"] is not None:
        reply_format = {{"type": "json_schema", "name": "reply", "strict": True, "schema": request["schema"]}}
    return lm15.Request(
        model=model,
        system=request["system"] or None,
        messages=(lm15.Message.user(request["user"]),),
        config=lm15.Config(temperature=TEMPERATURE, max_tokens=MAX_TOKENS, response_format=reply_format),
    )


def _prediction(response: lm15.Response) -> dspy.Prediction:
    parts = response.message.parts
    refused = any(part.type == "refusal" for part in parts)
    text = re.sub("[\\ud800-\\udfff\\x00]", "\\ufffd", "".join(_text_of_part(part) for part in parts))
    verdict = parse(text, "refusal" if refused else response.finish_reason)
    return dspy.Prediction(label=verdict.label, unscored=verdict.unscored, reasoning=verdict.reasoning)


def _text_of_part(part: Any) -> str:
    if part.type == "data":  # a reply that DSPy has read as JSON
        return json.dumps(part.value, ensure_ascii=False)
    return part.text if part.type in ("text", "refusal") else ""
'''


def as_dspy(exported: Exported) -> str:
    """Return a module with the class ``Judge``.

    Raises:
        InputError: a verdict of the judge takes several calls, or its model answers no chat.
    """
    model = served_model(exported)
    return adapted_module(
        exported,
        tool="DSPy",
        usage=_USAGE.format(
            given="" if model else "dspy.LM(...)",
            inputs=names_in_order(exported),
            lm=(_NAMED if model else _UNNAMED).format(model=exported.model),
        ),
        library=_LIBRARY,
        modules=("import json",),
        adapter=_ADAPTER.format(
            optional=" | None = None" if model else "",
            default=f" if lm is not None else dspy.LM({literal(model)})" if model else "",
        ),
    )
