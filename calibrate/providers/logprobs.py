"""How sure a model is of its label: the probability of the tokens that state it.

That is the probability of this label after the reasoning that was written before it, as the model's softmax tells it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from calibrate.providers.replies import field

__all__ = ["label_probability"]

_ROUNDING = 1e-3
_LEAST = -1e6
_KEY = re.compile(rb'"label"\s*:\s*')
_VALUE = re.compile(rb'"(?P<text>(?:[^"\\]|\\.)+)"|(?P<bare>-?[0-9][0-9.eE+-]*|true|false)', re.DOTALL)


def label_probability(text: str, tokens: object) -> float | None:
    """Return the probability, in [0, 1], of the value of the last ``"label"`` field, or None when it cannot be told.

    It is the product of the probabilities of all tokens that hold a part of the value. A token that holds more (a
    quotation mark, a brace) counts in full; the quotation marks by themselves do not.

    Args:
        text: the reply.
        tokens: its tokens as the OpenAI API tells them: a list of objects with ``token``, ``bytes`` and ``logprob``.
    """
    if not isinstance(tokens, list):
        return None
    pieces = [_bytes(token) for token in tokens]
    if any(piece is None for piece in pieces):
        return None
    whole = b"".join(piece for piece in pieces if piece is not None)
    place = _value(whole)
    said = text.encode("utf-8", "replace")
    stated = _value(said)
    if place is None or stated is None or whole[slice(*place)] != said[slice(*stated)]:
        return None
    total = 0.0
    for token, (start, end) in zip(tokens, _spans(pieces), strict=True):
        if start < place[1] and end > place[0]:
            logprob = field(token, "logprob")
            # Rounding may make a certainty a little more than certain.
            if isinstance(logprob, bool) or not isinstance(logprob, int | float) or not logprob < _ROUNDING:
                return None
            total += max(_LEAST, logprob)
    return math.exp(min(0.0, total))


def _value(text: bytes) -> tuple[int, int] | None:
    keys = list(_KEY.finditer(text))
    value = _VALUE.match(text, keys[-1].end()) if keys else None
    return value.span(value.lastgroup or 0) if value else None


def _spans(pieces: list[bytes | None]) -> Iterator[tuple[int, int]]:
    at = 0
    for piece in pieces:
        length = len(piece or b"")
        yield at, at + length
        at += length


def _bytes(token: object) -> bytes | None:
    # A character may be spread over several tokens: only their bytes tell which part each of them is.
    told = field(token, "bytes")
    if isinstance(told, list):
        try:
            return bytes(told)
        except (TypeError, ValueError, OverflowError):
            return None
    text = field(token, "token")
    return text.encode("utf-8", "replace") if isinstance(text, str) else None
