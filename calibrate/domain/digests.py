"""Content addresses: canonical JSON, hashed with BLAKE2b."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

__all__ = ["Json", "canonical_json", "digest", "digest_of_pieces"]

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None


def canonical_json(value: Json) -> str:
    """Write ``value`` as JSON with sorted keys, no spaces and no escapes: equal values, equal text.

    Raises:
        ValueError: a number is NaN or infinite; those are not values here.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(value: Json) -> str:
    """Return the 128-bit BLAKE2b digest of the canonical JSON of ``value`` as 32 hexadecimal digits."""
    return digest_of_pieces([canonical_json(value)])


def digest_of_pieces(pieces: Iterable[str]) -> str:
    """Return the digest of a canonical JSON text that comes in pieces."""
    state = hashlib.blake2b(digest_size=16)
    for piece in pieces:
        state.update(piece.encode("utf-8", "surrogatepass"))
    return state.hexdigest()
