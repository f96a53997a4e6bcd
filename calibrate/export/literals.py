"""Data as Python source that reads back as the same data, whatever it holds."""

from __future__ import annotations

from collections.abc import Mapping

from calibrate.domain import Json

__all__ = ["docstring", "literal"]

_WIDTH = 100


def literal(value: Json, indent: int = 0) -> str:
    """Write a value as a literal: short ones on one line, texts line by line, sequences as tuples or lists.

    Args:
        value: text, number, truth value, None, a tuple or list, or a mapping.
        indent: by how many spaces the line that it stands on is indented.
    """
    if isinstance(value, str):
        lines = value.split("\n")
        pieces = [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
        if len(pieces) < 2:
            return _quoted(value)
        return _spread("(", [_quoted(piece) for piece in pieces], ")", indent, after="")
    if isinstance(value, Mapping):
        inner = indent + 4
        members = [f"{_quoted(name)}: {literal(member, inner)}" for name, member in value.items()]
        return _inline_or_spread("{", members, "}", indent)
    if isinstance(value, tuple):
        members = [literal(member, indent + 4) for member in value]
        return f"({members[0]},)" if len(members) == 1 else _inline_or_spread("(", members, ")", indent)
    if isinstance(value, list):
        return _inline_or_spread("[", [literal(member, indent + 4) for member in value], "]", indent)
    return repr(value)


def docstring(text: str) -> str:
    """Write a text in triple quotes; nothing in it can end them."""
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    shown = "".join(char if char == "\n" or char.isprintable() else repr(char)[1:-1] for char in escaped)
    return f'"""{shown}\n"""'


def _quoted(text: str) -> str:
    """Return ``repr``, in double quotes where that needs no further escape."""
    written = repr(text)
    return f'"{written[1:-1]}"' if written[0] == "'" and '"' not in text else written


def _inline_or_spread(opening: str, members: list[str], closing: str, indent: int) -> str:
    inline = f"{opening}{', '.join(members)}{closing}"
    if "\n" not in inline and indent + len(inline) <= _WIDTH:
        return inline
    return _spread(opening, members, closing, indent, after=",")


def _spread(opening: str, members: list[str], closing: str, indent: int, *, after: str) -> str:
    space = " " * (indent + 4)
    return "\n".join([opening, *(f"{space}{member}{after}" for member in members), " " * indent + closing])
