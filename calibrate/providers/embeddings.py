"""How texts are put to an embedder, and vectors taken from its response: an embedder is a model like any other.

The request's data block is a JSON list of texts, and the response's text is the JSON list of their vectors, in the same
order. So retries, limits, the ledger and the cache stand around an embedder as they do around every model.
"""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Sequence

from calibrate.domain import ModelRequest, ModelResponse
from calibrate.errors import InputError

__all__ = ["Vector", "cosine_similarity", "embedding_request", "embedding_texts", "embedding_vectors"]

Vector = list[float]


def embedding_request(texts: Sequence[str]) -> ModelRequest:
    """Return the request for the vectors of some texts. An embedding has no output tokens, so that none are allowed."""
    return ModelRequest(
        system="", user=json.dumps(list(texts), ensure_ascii=False), schema=None, temperature=None, max_tokens=0
    )


def embedding_texts(request: ModelRequest, name: str) -> list[str]:
    """Return the texts of a request.

    Args:
        request: what an embedder is asked.
        name: the embedder, for the message.

    Raises:
        InputError: the request is no list of texts, but a prompt.
    """
    try:
        texts = json.loads(request.user)
    except (ValueError, RecursionError):
        texts = None
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InputError(f"{name} is an embedder: it compares texts and answers no prompts; name another model")
    return texts


def embedding_vectors(response: ModelResponse) -> list[Vector]:
    """Return the vectors of a response, in the order of the texts."""
    vectors: list[Vector] = json.loads(response.text)
    return vectors


def cosine_similarity(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the cosine of the angle between two vectors, in [-1, 1]; 0 where one of them is zero or empty.

    A text without content has a vector of zeros: it is like nothing.

    Raises:
        ValueError: they differ in length.
    """
    if len(one) != len(other):
        raise ValueError(f"vectors of {len(one)} and {len(other)} numbers cannot be compared")
    largest, other_largest = (max(map(abs, vector), default=0.0) for vector in (one, other))
    if not (largest and other_largest):
        return 0.0
    # By its largest number first: the product of two long vectors would have no number.
    a, b = [x / largest for x in one], [y / other_largest for y in other]
    cosine = _product(a, b) / math.sqrt(_product(a, a) * _product(b, b))
    return min(1.0, max(-1.0, cosine))


def _product(one: Sequence[float], other: Sequence[float]) -> float:
    return math.fsum(map(operator.mul, one, other))
