"""Inputs in the places that the prompt has for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from calibrate.export.standalone.block import _BLOCK_TAGS, _input_text, _starts_of
from calibrate.export.standalone.constants import PARTS, PLACED_TAGS

# --- exported


def _filled(texts: Mapping[str, Any]) -> str:
    """Put the inputs in their places; the prompt's own tags around a place are neutralised in its text as well."""
    return "".join(
        _input_text(texts[part], _PLACED_TAG_START) if index % 2 else part for index, part in enumerate(PARTS)
    )


_PLACED_TAG_START = _starts_of((*_BLOCK_TAGS, *PLACED_TAGS))
