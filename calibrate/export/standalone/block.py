"""The data block: the item's inputs between tags that their text cannot close."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from calibrate.export.standalone.constants import IN_BLOCK, INPUTS

# --- exported


def _texts(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the inputs in the order that the judge knows; whatever else is in ``inputs`` is not shown to it."""
    if not isinstance(inputs, Mapping):
        raise TypeError("give the inputs as an object: a text by name")
    texts = {}
    for name in INPUTS:
        if name not in inputs:
            raise ValueError(f'the input {name!r} is missing; give "" if the item has none')
        value = inputs[name]
        chunks = [value] if isinstance(value, str) else value
        if not isinstance(chunks, (list, tuple)) or not all(isinstance(chunk, str) for chunk in chunks):
            raise TypeError(f"the input {name!r} is neither a text nor a list of texts")
        texts[name] = value
    return texts


def _data_block(texts: Mapping[str, Any]) -> str:
    elements = [f"<{name}>\n{_input_text(texts[name], _TAG_START)}\n</{name}>\n" for name in IN_BLOCK]
    return f"<item>\n{''.join(elements)}</item>"


def _input_text(value: Any, tag_start: re.Pattern[str]) -> str:
    """Write a text as it is, chunks as elements, nothing as ``(empty)``; ``<`` of a tag becomes ``&lt;``."""
    if isinstance(value, str):
        return tag_start.sub("&lt;", value) or "(empty)"
    chunks = [
        f'<chunk index="{index}">\n{_input_text(chunk, tag_start)}\n</chunk>' for index, chunk in enumerate(value, 1)
    ]
    return "\n".join(chunks) or "(empty)"


def _starts_of(tags: Iterable[str]) -> re.Pattern[str]:
    names = "|".join(re.escape(tag) for tag in tags)
    return re.compile(rf"<(?=\s*(?:/\s*)?(?!\s)(?:{names})(?!\w))", re.IGNORECASE)


_BLOCK_TAGS = ("item", "chunk", *INPUTS)
_TAG_START = _starts_of(_BLOCK_TAGS)
