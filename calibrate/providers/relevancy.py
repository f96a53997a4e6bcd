"""Answer relevancy: questions written back from an answer, compared with the one that was asked (STATISTICS section 9).

A judge writes the questions; an embedder says how like the original they are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from calibrate.domain import Json, Model, ModelRequest, ModelResponse, UncertainCharge, request_key
from calibrate.errors import InputError
from calibrate.providers.embeddings import cosine_similarity, embedding_request, embedding_vectors
from calibrate.providers.ledger import Ledger, expected_cost, largest_cost
from calibrate.providers.replies import storable
from calibrate.providers.wrapper import ModelWrapper

__all__ = ["RelevancyModel"]

_BYTES_PER_TOKEN = 8
"""Bytes of questions that are compared for each token of the limit: more than any language takes for its sentences."""

_SHARE_OF_QUESTION = 4 / 3  # tokens compared for each token of three questions written back: the original is a fourth


class RelevancyModel(ModelWrapper):
    """Turns the questions in a judge's reply into their similarities with the question that was asked.

    The judge is asked without the item, so that it never sees that question. Its reply ``{"questions": [...]}``, in a
    fence or after prose too, becomes ``{"questions": [...], "similarities": [...], "embedder": name}``, the cosine
    similarities in the order of the questions. A reply without questions, one that did not end by itself, and one with
    far more text than its limit of tokens allows for, is passed on as it is.

    Usage is the judge's alone; cost and latency are those of both. Where the embedding fails, the reply is kept, and
    the same request pays for the embedding only. The cache stands outside: the question and the embedder are parts of
    the key.

    Args:
        inner: the judge.
        embedder: see :mod:`calibrate.providers.embeddings`.
        ledger: where the cost of a reply is entered whose embedding failed; the later response is then without it.

    Attributes:
        embedder: as given.
    """

    def __init__(self, inner: Model, embedder: Model, *, ledger: Ledger | None = None) -> None:
        super().__init__(inner)
        self.embedder = embedder
        self._ledger = ledger
        self._kept: dict[str, ModelResponse] = {}

    @property
    def identity(self) -> Mapping[str, Json]:
        """The judge's identity, and the embedder's with its name."""
        return {**self.inner.identity, "embedder": {"name": self.embedder.name, **self.embedder.identity}}

    async def complete(self, request: ModelRequest) -> ModelResponse:
        """Answer one request with the judge, and compare the questions in its reply.

        Raises:
            InputError: the item of the request has no question.
            ProviderError: the judge or the embedder did not answer after all retries.
        """
        question = self._asked(request)
        key = request_key(self, request)
        reply = self._kept.get(key) or await self.inner.complete(_without_item(request))
        questions = _questions(reply.text) if reply.finish == "stop" else []
        if not questions or _size(questions) > _largest_size(request):
            return reply
        try:
            embedded = await self.embedder.complete(embedding_request([question, *questions]))
        except BaseException:
            if key not in self._kept:
                self._kept[key] = self._entered(reply)
            raise
        self._kept.pop(key, None)
        original, *others = embedding_vectors(embedded)
        similarities = [cosine_similarity(original, other) for other in others]
        told = {"questions": questions, "similarities": similarities, "embedder": self.embedder.name}
        return replace(
            reply,
            text=json.dumps(told, ensure_ascii=False),
            cost=None if reply.cost is None or embedded.cost is None else reply.cost + embedded.cost,
            latency=reply.latency + embedded.latency,
        )

    async def close(self) -> None:
        """Close the judge and the embedder."""
        try:
            await self.inner.close()
        finally:
            await self.embedder.close()

    def check(self, request: ModelRequest) -> None:
        """Refuse an item without a question.

        Raises:
            InputError: there is nothing to compare with.
        """
        self._asked(request)

    def most_cost(self, request: ModelRequest) -> float | None:
        """Return the most that judge and embedder together can cost in one attempt each; None when one is unknown."""
        filler = "?" * _largest_size(request)
        compared = embedding_request([_question(request) or "", filler])
        asked, embedded = largest_cost(self.inner, _without_item(request)), largest_cost(self.embedder, compared)
        return None if asked is None or embedded is None else asked + embedded

    def expected_cost(self, input_tokens: int, output_tokens: int) -> float | None:
        """Return what so many tokens of the judge, and comparing what it writes, cost; None when one is unknown."""
        asked = expected_cost(self.inner, input_tokens, output_tokens)
        embedded = expected_cost(self.embedder, round(output_tokens * _SHARE_OF_QUESTION), 0)
        return None if asked is None or embedded is None else asked + embedded

    def _asked(self, request: ModelRequest) -> str:
        question = _question(request)
        if question is None:
            raise InputError("answer relevancy compares with the question that was asked: an item needs a question")
        return question

    def _entered(self, reply: ModelResponse) -> ModelResponse:
        """Enter what a reply cost that no response stands for yet, and return it as one that costs nothing more."""
        if self._ledger is None:
            return reply
        # What does not tell its cost is in the ledger already, with the most that it can be.
        if not self._ledger.is_open(reply):
            reason = "questions were written back, and comparing them failed"
            self._ledger.keep(UncertainCharge(self.name, reason, reply.cost))
        return replace(reply, cost=0.0)


def _without_item(request: ModelRequest) -> ModelRequest:
    return replace(request, item=None)


def _question(request: ModelRequest) -> str | None:
    inputs = request.item.get("inputs") if request.item is not None else None
    question = inputs.get("question") if isinstance(inputs, Mapping) else None
    if isinstance(question, list | tuple):
        return "\n".join(str(each) for each in question)
    return question if isinstance(question, str) else None


def _size(questions: list[str]) -> int:
    return len(json.dumps(questions, ensure_ascii=False).encode())


def _largest_size(request: ModelRequest) -> int:
    return _BYTES_PER_TOKEN * request.max_tokens


def _questions(text: str) -> list[str]:
    """Return the questions of the last object in a reply that has any."""
    found: list[str] = []
    decoder, start = json.JSONDecoder(), text.find("{")
    while start >= 0:
        end = start + 1
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            value = None
        found = _texts(value) or found
        start = text.find("{", end)
    return found


def _texts(value: object) -> list[str]:
    listed = value.get("questions") if isinstance(value, dict) else None
    if not isinstance(listed, list):
        return []
    texts = (each.get("question") if isinstance(each, dict) else each for each in listed)
    return [storable(text).strip() for text in texts if isinstance(text, str) and text.strip()]
