"""The data block: an item's inputs between tags that the data cannot close.

Inside data, a ``<`` that starts one of the block's own tags is written ``&lt;``; every other character stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from calibrate.domain import Text

__all__ = ["DATA_BLOCK_VERSION", "block_tags", "data_block", "input_text", "neutralise"]

DATA_BLOCK_VERSION = 1
"""Part of a judge's identity: raised whenever the block's text changes."""

_EMPTY = "(empty)"


def data_block(inputs: Mapping[str, Text], *, leave_out: Iterable[str] = (), tags: Iterable[str] = ()) -> str:
    """Write the inputs as a data block, in their order.

    Args:
        inputs: texts by name; a tuple of chunks becomes numbered ``<chunk>`` elements.
        leave_out: inputs that stand elsewhere and are not repeated.
        tags: further tag names to neutralise.
    """
    names = block_tags(inputs) | set(tags)
    hidden = set(leave_out)
    elements = [
        f"<{name}>\n{input_text(value, names)}\n</{name}>\n" for name, value in inputs.items() if name not in hidden
    ]
    return f"<item>\n{''.join(elements)}</item>"


def block_tags(inputs: Iterable[str]) -> set[str]:
    """Return the names of the tags that a block with these inputs is made of."""
    return {"item", "chunk", *inputs}


def input_text(value: Text, tags: Iterable[str]) -> str:
    """Write one input, neutralised: text as it is, chunks as elements, nothing as ``(empty)``."""
    if isinstance(value, str):
        return neutralise(value, tags) or _EMPTY
    chunks = [
        f'<chunk index="{index}">\n{neutralise(chunk, tags) or _EMPTY}\n</chunk>'
        for index, chunk in enumerate(value, start=1)
    ]
    return "\n".join(chunks) or _EMPTY


def neutralise(text: str, tags: Iterable[str]) -> str:
    """Write ``&lt;`` for each ``<`` that starts a tag of one of these names.

    Opening or closing, in any case, with white space after ``<`` or ``/``. ``<items>`` is not the tag ``item``.
    """
    return _tag_start(tuple(sorted(tags))).sub("&lt;", text) if "<" in text else text


@lru_cache(maxsize=256)
def _tag_start(tags: tuple[str, ...]) -> re.Pattern[str]:
    names = "|".join(re.escape(tag) for tag in tags)
    return re.compile(rf"<(?=\s*+/?\s*+(?:{names})(?!\w))", re.IGNORECASE)
