"""Content addresses: canonical JSON, hashed with BLAKE2b."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

__all__ = ["Json", "canonical_json", "digest"]

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None


def canonical_json(value: Json) -> str:
    """Write ``value`` as JSON with sorted keys, no spaces and no escapes: equal values, equal text.

    Raises:
        ValueError: a number is NaN or infinite; those are not values here.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(value: Json) -> str:
    """Return the 128-bit BLAKE2b digest of the canonical JSON of ``value`` as 32 hexadecimal digits."""
    text = canonical_json(value).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=16).hexdigest()
