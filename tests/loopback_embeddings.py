"""OpenAI's embeddings API on the loopback server: what it refuses by the SDK's types, and the shape of its answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from loopback_apis import Call, OpenAIApi, Refused, Reply

if TYPE_CHECKING:
    from loopback import Loopback

__all__ = ["EmbeddingsApi", "letters"]


def letters(text: str) -> list[float]:
    """How often each letter occurs: a vector that a test can work out."""
    return [float(text.casefold().count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz"]


class EmbeddingsApi(OpenAIApi):
    """Shapes as in the SDK's ``embedding_create_params.py`` and ``create_embedding_response.py``.

    A reply's text is a JSON list of vectors; any other text stands for the counts of letters.
    """

    api: Literal["embeddings"] = "embeddings"  # type: ignore[assignment]
    parameters = frozenset({"input", "model", "dimensions", "encoding_format", "user"})

    def check(self, server: Loopback, body: Any, headers: Mapping[str, str]) -> None:
        self.check_call(server, body, headers)
        given = body.get("input")
        if not isinstance(given, list) or not 1 <= len(given) <= 2048:
            raise Refused(400, "Invalid 'input': expected 1 to 2048 texts.", param="input")
        if not all(isinstance(text, str) and text for text in given):
            raise Refused(400, "Invalid 'input': an input cannot be an empty string.", param="input")
        if body.get("encoding_format", "float") != "float":
            raise Refused(400, "this server knows floats only", param="encoding_format")

    def success(self, server: Loopback, call: Call, reply: Reply) -> dict[str, Any]:
        texts = call.body["input"]
        tokens = reply.input_tokens if reply.input_tokens is not None else sum(-(-len(text) // 4) for text in texts)
        server.charge(tokens, 0, 0)
        vectors = json.loads(reply.text) if reply.text.startswith("[") else [letters(text) for text in texts]
        data = [{"object": "embedding", "index": at, "embedding": vector} for at, vector in enumerate(vectors)]
        body: dict[str, Any] = {"object": "list", "data": data, "model": reply.model or call.body["model"]}
        if reply.usage:
            body["usage"] = {"prompt_tokens": tokens, "total_tokens": tokens}
        return body
