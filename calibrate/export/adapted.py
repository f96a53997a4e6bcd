"""A judge as a module of a tool that asks the model itself: what the tool's own definition stands on."""

from __future__ import annotations

from calibrate.errors import InputError
from calibrate.export.bundle import Exported
from calibrate.export.header import header
from calibrate.export.literals import docstring, literal
from calibrate.export.python import code, constants

__all__ = ["adapted_module", "refuse_unaskable", "served_model"]

_IMPORTS = (
    "from collections.abc import Iterable, Mapping",
    "from typing import Any, NamedTuple",
    "import math",
    "import re",
    "import unicodedata",
)


def adapted_module(
    exported: Exported,
    *,
    tool: str,
    usage: str,
    library: str,
    adapter: str,
    modules: tuple[str, ...] = (),
    further: str = "",
) -> str:
    """Return a module with the judge's ``render`` and ``parse``, and a definition around them.

    Args:
        exported: the judge.
        tool: what the tool is called.
        usage: how the definition is used, and what differs from the judge as it was measured.
        library: the lines that import from the tool.
        adapter: the definition; it has ``render(inputs)``, ``parse(reply, finish)`` and the judge's constants.
        modules: the lines that import from the standard library for the definition.
        further: constants of the definition.

    Raises:
        InputError: a verdict of the judge takes several calls, or its model answers no chat.
    """
    refuse_unaskable(exported, tool)
    imports = "\n".join(sorted({*_IMPORTS, *modules}, key=lambda line: (line.startswith("from"), line)))
    top = "\n\n".join(
        [
            docstring(header(exported, usage)),
            f"from __future__ import annotations\n\n{imports}",
            f"{library}\n{constants(exported)}\nNAME = {literal(exported.name)}\n{further}",
        ]
    )
    return "\n\n".join([top, adapter, code(exported)])


def refuse_unaskable(exported: Exported, tool: str) -> None:
    """Refuse a judge that asks more than once about an item, or a model that answers no chat.

    Raises:
        InputError: it is one; names a format that takes it.
    """
    if exported.settings.asks_more_than_once:
        raise InputError(
            f"a verdict of this judge takes several calls (votes or both orders), and a definition for {tool} makes "
            "one; export it as json"
        )
    if exported.api == "openai-decisions":
        raise InputError(
            f"{exported.model} answers questions and no chat, which a definition for {tool} asks; export it as json"
        )


def served_model(exported: Exported) -> str | None:
    """Return the model as ``provider/model``, as LiteLLM, DSPy and Inspect write it; None for other providers."""
    provider, _, model = exported.model.partition(":")
    return f"{provider}/{model}" if provider in ("openai", "anthropic") and model else None
