"""Models behind OpenAI's decisions API: typed questions about an input, answered by probabilities instead of text."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any, ClassVar

from calibrate.domain import Json, ModelRequest, ModelResponse, Usage
from calibrate.errors import InputError
from calibrate.providers.openai_client import OpenAIClientModel
from calibrate.providers.replies import field, storable, usage_of

__all__ = ["DecisionsModel"]

_MOST_CHOICES = 255


class DecisionsModel(OpenAIClientModel):
    """A judge that chooses between declared labels and says how probable its choice is.

    Every request is one *choice* question between the labels of the verdict's schema:

    - A *predicate* is the probability of one statement. With two labels of the user's words it takes a statement that
      nobody wrote, and it has no place for an abstention; a choice names the words that the instructions use, and of
      two labels the other one's probability is what is left.
    - A *score* answers with the mean level, which may lie between two; a verdict is one level, and the most probable
      one is what the label means on every other judge.

    The instructions are those of the question and the data block is the input, "the input to evaluate for every
    question": a system message there is a part of what is evaluated. The API has neither a temperature nor a limit on
    tokens. There is no reasoning. The confidence is the probability of the chosen label; the ``confidence`` of the
    answer is left alone, since the API does not say that it is a probability.

    Attributes:
        dropped: the parameters that the API does not have.
    """

    api = "openai-decisions"
    dropped: ClassVar[tuple[str, ...]] = ("temperature", "token limit")
    added_tokens = 512  # marks around the input and the question, which no one has published; choices bring their own

    @property
    def identity(self) -> Mapping[str, Json]:
        """What can change a reply beside the request."""
        return {"api": self.api, "base_url": self.endpoint.base_url, "model": self.endpoint.model}

    def check(self, request: ModelRequest) -> None:
        """Refuse a request that no choice between labels answers.

        Raises:
            InputError: says what to do.
        """
        name, labels = self.endpoint.name, _labels(request)
        if request.schema is None:
            raise InputError(
                f"{name} chooses between labels and writes no text: use it as --judge without --parse, and another "
                "model as --optimizer"
            )
        if not labels and field(field(request.schema, "properties"), "label") is None:
            raise InputError(
                f"{name} chooses between labels and writes no text: it cannot split answers, quote for a claim or "
                "write questions back; use another model with --task"
            )
        if not labels:
            raise InputError(
                f"{name} chooses between labels and gives no scores: declare labels (--scale ordinal --labels 1,2,3), "
                "or use another judge for an interval scale"
            )
        if len(labels) > _MOST_CHOICES:
            raise InputError(
                f"{name} chooses between at most {_MOST_CHOICES} labels, and these are {len(labels)}; use another judge"
            )

    async def complete(self, request: ModelRequest) -> ModelResponse:
        """Answer one request, in one attempt.

        Raises:
            CallError: no usable answer; says whether another attempt can help.
            InputError: the server does not know the model, or the request is none for this API.
        """
        from openai import OpenAIError

        self.check(request)
        started = time.perf_counter()
        try:
            reply = await self._post("/decisions", self.body(request))
        except OpenAIError as error:
            raise self._failure(error) from None
        return self.read(reply, time.perf_counter() - started)

    def body(self, request: ModelRequest) -> dict[str, Any]:
        """Return the JSON body that asks for ``request``."""
        choices = [{"value": label} for label in _labels(request)]
        question = {"type": "choice", "name": "label", "instructions": request.system, "choices": choices}
        return {"model": self.endpoint.model, "input": request.user, "questions": [question]}

    def read(self, reply: object, latency: float) -> ModelResponse:
        """Return what a reply says, as the JSON of a verdict.

        Args:
            reply: the SDK's object, or the JSON object.
            latency: seconds from request to reply.

        Raises:
            CallError: it says nothing that can be read.
        """
        answers = field(reply, "answers")
        if not isinstance(answers, list) or len(answers) != 1:
            raise self.endpoint.unreadable("a reply without the one answer that was asked for")
        refused = field(answers[0], "type") == "refusal"
        usage = _usage(field(reply, "usage"))
        model = field(reply, "model")
        returned = storable(model) if model and isinstance(model, str) else self.endpoint.model
        return ModelResponse(
            text="" if refused else self._verdict(answers[0]),
            finish="refusal" if refused else "stop",
            model=returned,
            usage=usage,
            cost=self.endpoint.pricing.cost(usage, returned=returned),
            latency=latency,
        )

    def _verdict(self, answer: object) -> str:
        label = field(answer, "choice")
        if field(answer, "type") != "choice" or not isinstance(label, str):
            raise self.endpoint.unreadable("an answer that chooses no label")
        told: dict[str, Json] = {"label": storable(label)}
        probability = _probability(field(answer, "probabilities"), label)
        if probability is not None:
            told["confidence"] = probability
        return json.dumps(told, ensure_ascii=False)


def _labels(request: ModelRequest) -> list[Json]:
    """Return the labels that the schema of a verdict offers; none for another request."""
    labels = field(field(field(request.schema, "properties"), "label"), "enum")
    return labels if isinstance(labels, list) else []


def _probability(probabilities: object, label: str) -> float | None:
    """Return the probability of the chosen label, None when the answer does not tell a possible one."""
    if not isinstance(probabilities, list):
        return None
    for each in probabilities:
        value = field(each, "probability")
        if field(each, "value") == label and isinstance(value, int | float) and not isinstance(value, bool):
            return float(value) if 0 <= value <= 1 else None
    return None


def _usage(usage: object) -> Usage:
    details = field(usage, "input_tokens_details")
    return usage_of(
        inputs=[field(usage, "input_tokens")],
        cache_read=field(details, "cached_tokens"),
        cache_write=field(details, "cache_write_tokens"),
        output=field(usage, "output_tokens"),
        reasoning=field(field(usage, "output_tokens_details"), "reasoning_tokens"),
    )
