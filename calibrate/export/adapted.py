"""A judge as a module of a tool that asks the model itself: what the tool's own definition stands on."""

from __future__ import annotations

from calibrate.errors import InputError
from calibrate.export.bundle import Exported
from calibrate.export.header import header
from calibrate.export.literals import docstring, literal
from calibrate.export.python import code, constants

__all__ = ["adapted_module", "served_model"]

_IMPORTS = """\
from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
"""


def adapted_module(exported: Exported, *, tool: str, usage: str, imports: str, adapter: str, further: str = "") -> str:
    """Return a module with the judge's ``render`` and ``parse``, and a definition around them.

    Args:
        exported: the judge.
        tool: what the tool is called.
        usage: how the definition is used, and what differs from the judge as it was measured.
        imports: what the definition imports.
        adapter: the definition; it has ``render(inputs)``, ``parse(reply, finish)`` and the judge's constants.
        further: constants of the definition.

    Raises:
        InputError: a verdict of the judge takes several calls.
    """
    refuse_several_calls(exported, tool)
    own = f"{constants(exported)}\nNAME = {literal(exported.name)}\n{further}"
    parts = [docstring(header(exported, usage)), f"{_IMPORTS}\n{imports}", own]
    return "\n".join(parts) + "\n\n" + "\n\n".join([adapter, code(exported)])


def refuse_several_calls(exported: Exported, tool: str) -> None:
    """Refuse a judge that asks more than once about an item.

    Raises:
        InputError: it does.
    """
    if exported.settings.asks_more_than_once:
        raise InputError(
            f"a verdict of this judge takes several calls (votes or both orders), and a definition for {tool} makes "
            "one; export it as json"
        )


def served_model(exported: Exported) -> str | None:
    """Return the model as ``provider/model``, as LiteLLM, DSPy and Inspect write it; None for other providers."""
    provider, _, model = exported.model.partition(":")
    return f"{provider}/{model}" if provider in ("openai", "anthropic") and model else None
