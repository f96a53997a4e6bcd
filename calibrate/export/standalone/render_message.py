"""The request of a prompt that places inputs itself and has its own output format: one message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from calibrate.export.standalone.block import _data_block, _texts
from calibrate.export.standalone.constants import IN_BLOCK, SCHEMA, SYSTEM
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
    user = f"{_filled(texts)}\n\n{_data_block(texts)}" if IN_BLOCK else _filled(texts)
    return {"system": SYSTEM, "user": user, "schema": SCHEMA}
