"""The request of a prompt that leaves all inputs to the data block."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from calibrate.export.standalone.block import _data_block, _texts
from calibrate.export.standalone.constants import SCHEMA, SYSTEM

# --- exported


def render(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the request that puts one item before the judge: ``system``, ``user``, ``schema``.

    Args:
        inputs: a text, or a list of chunks, for each name of INPUTS; other keys are not shown to the judge.

    Raises:
        ValueError: an input is missing.
        TypeError: an input is no text.
    """
    return {"system": SYSTEM, "user": _data_block(_texts(inputs)), "schema": SCHEMA}
