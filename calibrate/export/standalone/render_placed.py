"""The request of a prompt that places inputs itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from calibrate.export.standalone.block import _data_block, _texts
from calibrate.export.standalone.constants import ASK, IN_BLOCK, SCHEMA
from calibrate.export.standalone.placed import _filled

# --- exported


def render(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the request that puts one item before the judge: ``system``, ``user``, ``schema``.

    Args:
        inputs: a text, or a list of chunks, for each name of INPUTS; other keys are not shown to the judge.

    Raises:
        ValueError: an input is missing.
        TypeError: an input is no text.
    """
    texts = _texts(inputs)
    return {"system": _filled(texts), "user": _data_block(texts) if IN_BLOCK else ASK, "schema": SCHEMA}
