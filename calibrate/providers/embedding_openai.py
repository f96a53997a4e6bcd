"""Embedders behind the OpenAI embeddings API: OpenAI's own, and every server that speaks it."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from typing import Any

from calibrate.domain import Json, ModelRequest, ModelResponse, Usage
from calibrate.providers.embeddings import Vector, embedding_texts
from calibrate.providers.openai_client import OpenAIClientModel
from calibrate.providers.replies import field, storable, usage_of

__all__ = ["EmbeddingModel"]


class EmbeddingModel(OpenAIClientModel):
    """An embedder asked through the official SDK. One instance belongs to one event loop.

    Blank texts are not sent, since the API refuses them; their vectors are zeros. Where all are blank, nothing is sent,
    and the vectors are empty. Only input is billed. A declared limit on tokens has no meaning here.
    """

    api = "openai-embeddings"
    added_tokens = 64  # a server's marks around each text are fewer than the quotes that count with it

    @property
    def identity(self) -> Mapping[str, Json]:
        """What can change a vector beside the text."""
        return {"api": self.api, "base_url": self.endpoint.base_url, "model": self.endpoint.model}

    async def complete(self, request: ModelRequest) -> ModelResponse:
        """Return the vectors of the texts of a request, in one attempt.

        Raises:
            CallError: no usable vectors; says whether another attempt can help.
            InputError: the server does not know the model, or the request is no list of texts.
        """
        from openai import OpenAIError

        texts = embedding_texts(request, self.name)
        if not any(map(str.strip, texts)):
            return ModelResponse(json.dumps([[] for _ in texts]), "stop", self.endpoint.model, Usage(0, 0, 0, 0), 0.0)
        started = time.perf_counter()
        try:
            reply = await self._post("/embeddings", self.body(request))
        except OpenAIError as error:
            raise self._failure(error) from None
        return self.read(reply, texts, time.perf_counter() - started)

    def body(self, request: ModelRequest) -> dict[str, Any]:
        """Return the JSON body that asks for the vectors of the texts that are not blank."""
        texts = [text for text in embedding_texts(request, self.name) if text.strip()]
        return {"model": self.endpoint.model, "input": texts, "encoding_format": "float"}

    def most_cost(self, request: ModelRequest) -> float | None:
        """Return the most that one attempt can cost, in US dollars, or None when the price is unknown.

        Tokens are bytes or longer, and there is no output.
        """
        return self.most_of(len(request.user.encode("utf-8", "surrogatepass")), 0)

    def read(self, reply: object, texts: list[str], latency: float) -> ModelResponse:
        """Return the vectors in a reply.

        Args:
            reply: the JSON object.
            texts: all texts of the request, blank ones included.
            latency: seconds from request to reply.

        Raises:
            CallError: there is not one finite vector for each text that was sent, all of one length.
        """
        found = self._vectors(field(reply, "data"), sum(bool(text.strip()) for text in texts))
        zeros, following = [0.0] * len(found[0]), iter(found)
        vectors = [next(following) if text.strip() else zeros for text in texts]
        told = field(field(reply, "usage"), "prompt_tokens")
        usage = Usage() if told is None else usage_of(inputs=[told], output=0)
        model = field(reply, "model")
        returned = storable(model) if model and isinstance(model, str) else self.endpoint.model
        return ModelResponse(
            text=json.dumps(vectors),
            finish="stop",
            model=returned,
            usage=usage,
            cost=self.endpoint.pricing.cost(usage, returned=returned),
            latency=latency,
        )

    def _vectors(self, data: object, wanted: int) -> list[Vector]:
        if not isinstance(data, list) or len(data) != wanted:
            count = len(data) if isinstance(data, list) else "no"
            raise self.endpoint.unreadable(f"{count} vectors for {wanted} texts")
        vectors = [_vector(field(each, "embedding")) for each in _in_order(data)]
        known = [vector for vector in vectors if vector]
        if len(known) < len(vectors):
            raise self.endpoint.unreadable("a vector that is not a list of finite numbers")
        if len({len(vector) for vector in known}) > 1:
            raise self.endpoint.unreadable("vectors of different lengths")
        return known


def _in_order(data: list[object]) -> list[object]:
    """Return the entries by their index; as they came where the server does not number them."""
    numbered: dict[object, object] = {
        at: entry for entry in data if isinstance(at := field(entry, "index"), int) and not isinstance(at, bool)
    }
    return [numbered[at] for at in range(len(data))] if numbered.keys() == set(range(len(data))) else data


def _vector(given: object) -> Vector | None:
    if not isinstance(given, list):
        return None
    try:
        # An integer may be too large to be a number of this machine.
        sound = all(isinstance(x, int | float) and not isinstance(x, bool) and math.isfinite(x) for x in given)
        return [float(x) for x in given] if sound else None
    except OverflowError:
        return None
