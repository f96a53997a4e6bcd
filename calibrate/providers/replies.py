"""What a server really sent, where it differs from what its API promises.

The SDKs check nothing: a field holds whatever the server put there, and one that is missing is no attribute at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from calibrate.domain import Usage

__all__ = ["field", "joined_text", "storable", "usage_of"]

_UNSTORABLE = re.compile("[\ud800-\udfff\x00]")
_TEXT_PARTS = ("text", "output_text", None)
_MOST_TOKENS = 10**12


def storable(text: str) -> str:
    """Replace halves of surrogate pairs and NULs by U+FFFD: a reply reads the same live and replayed."""
    return _UNSTORABLE.sub("\ufffd", text)


def field(holder: object, name: str) -> object:
    """Return a field of an SDK's object or of a JSON object; None when there is none."""
    return holder.get(name) if isinstance(holder, dict) else getattr(holder, name, None)


def joined_text(content: object, *, between: str = "") -> str | None:
    """Return content as text, the text parts of a list joined; None when it is neither text nor a list.

    Parts of any other kind (thinking, images) are no part of the reply.

    Args:
        content: what stands where the reply should.
        between: what comes between two parts.
    """
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    return between.join(text for part in content if (text := _part(part)) is not None)


def usage_of(
    *,
    inputs: Iterable[object],
    cache_read: object = None,
    cache_write: object = None,
    output: object = None,
    reasoning: object = None,
) -> Usage:
    """Return the billed tokens; all unknown when one of the counts cannot be (negative, a fraction, no number).

    No request is empty: a server that counts no input at all does not count.

    Args:
        inputs: counts that make up the input; the first must be told.
        cache_read: input read from the provider's prompt cache.
        cache_write: input written to it.
        output: all output.
        reasoning: the part of the output that is hidden.
    """
    first, *others = inputs
    told = [first, *others, cache_read, cache_write, output, reasoning]
    if not all(count is None or _possible(count) for count in told):
        return Usage()
    input_tokens = None if first is None else sum(_count(each) or 0 for each in (first, *others))
    if input_tokens == 0:
        return Usage()
    return Usage(
        input_tokens=input_tokens,
        cache_read_tokens=_count(cache_read),
        cache_write_tokens=_count(cache_write),
        output_tokens=_count(output),
        reasoning_tokens=_count(reasoning),
    )


def _part(part: object) -> str | None:
    if isinstance(part, str):
        return part
    text = field(part, "text") if field(part, "type") in _TEXT_PARTS else None
    return text if isinstance(text, str) else None


def _possible(count: object) -> bool:
    return (
        isinstance(count, int | float) and not isinstance(count, bool) and 0 <= count <= _MOST_TOKENS and count % 1 == 0
    )


def _count(count: object) -> int | None:
    return int(count) if isinstance(count, int | float) else None
