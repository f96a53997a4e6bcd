"""A judge as one Python module of the standard library."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from calibrate.export.bundle import Exported
from calibrate.export.header import header
from calibrate.export.literals import docstring, literal

__all__ = ["as_python", "code", "constants"]

_MARK = "# --- exported\n"
_CLOSING_TAG = re.compile(r"</\s*+([^\W\d][\w.-]*+)\s*+>")  # the same tags that calibrate.judge finds in a prompt
_IMPORTS = """\
from __future__ import annotations

import json
import math
import re
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

__all__ = ["LABELS", "MAX_TOKENS", "MODEL", "SCHEMA", "SYSTEM", "TEMPERATURE", "Verdict", "parse", "render"]
"""


def as_python(exported: Exported) -> str:
    """Return a module with the judge's constants, ``render(inputs)`` and ``parse(reply, finish)``.

    It needs Python 3.9 and nothing else, makes the request that :func:`calibrate.judge.render` makes, and finds the
    verdict that :func:`calibrate.judge.parse_reply` (or ``parse_with_regex``) finds.
    """
    return "\n\n".join(
        [f"{docstring(header(exported))}\n\n{_IMPORTS}\n{constants(exported)}\n", code(exported), _piece("script")]
    )


def constants(exported: Exported) -> str:
    """Return the judge's own constants."""
    return "\n".join(_constants(exported))


def code(exported: Exported) -> str:
    """Return ``render`` and ``parse``; they need the imports ``math``, ``re``, ``unicodedata`` and types."""
    return "\n\n".join(_piece(name) for name in _pieces(exported))


def _pieces(exported: Exported) -> Iterator[str]:
    """Name the pieces of code that the judge needs: what is public first."""
    placed, own_format = bool(exported.prompt.placeholders), exported.settings.parse is not None
    yield "render_block" if not placed else "render_message" if own_format else "render_placed"
    yield "parse_pattern" if own_format else "parse_verdict"
    yield "block"
    if placed:
        yield "placed"
    yield from ("outcome", "match_scores" if exported.scale.kind == "interval" else "match_labels")
    yield from ("text", "objects")


@cache
def _piece(name: str) -> str:
    text = Path(__file__).parent.joinpath("standalone", f"{name}.py").read_text(encoding="utf-8")
    return text.partition(_MARK)[2].strip("\n") + "\n"


def _constants(exported: Exported) -> Iterator[str]:
    request, scale = exported.example(), exported.scale
    placed, own_format = bool(exported.prompt.placeholders), exported.settings.parse is not None
    yield f"MODEL = {literal(exported.model)}{_called(exported)}"
    yield f"TEMPERATURE: float | None = {literal(request.temperature)}"
    yield f"MAX_TOKENS = {literal(exported.max_tokens)}"
    yield f"INPUTS: tuple[str, ...] = {literal(exported.inputs)}"
    if placed:
        yield f"IN_BLOCK: tuple[str, ...] = {literal(exported.in_block)}  # the prompt places the others"
    else:
        yield "IN_BLOCK = INPUTS"
    if scale.kind == "interval":
        yield "LABELS: tuple[str, ...] = ()  # any number from LOW to HIGH"
        yield f"LOW: float | None = {literal(scale.low)}"
        yield f"HIGH: float | None = {literal(scale.high)}"
    else:
        yield f"LABELS: tuple[str, ...] = {literal(scale.labels)}"
    if placed and not own_format:
        yield "SYSTEM: str | None = None  # it differs from item to item: PARTS, with the inputs in their places"
    else:
        yield f"SYSTEM: str | None = {literal(request.system)}"
    if placed:
        yield f"PARTS: tuple[str, ...] = {literal(_parts(exported))}  # a text, an input, a text, ..."
        yield f"PLACED_TAGS: tuple[str, ...] = {literal(_placed_tags(exported))}"
        if not own_format:
            yield f"ASK = {literal(request.user)}" if not exported.in_block else 'ASK = ""  # the data block asks'
    schema = None if request.schema is None else dict(request.schema)
    yield f"SCHEMA: dict[str, Any] | None = {literal(schema)}"
    if own_format:
        yield f"PATTERN = {literal((exported.settings.parse or '').partition('=')[2])}"


def _called(exported: Exported) -> str:
    """Say, on one line, what the server calls a model that is declared under another name."""
    served = exported.served
    other = served is not None and served != exported.model.partition(":")[2]
    return f"  # the server calls it {json.dumps(served)}" if other else ""


def _parts(exported: Exported) -> tuple[str, ...]:
    """Return the text with its placeholders, as sent: texts, and between them the names of the inputs placed there."""
    prompt, section = exported.prompt, exported.section
    used = {*prompt.text, *"".join(prompt.placeholders)}
    marker = next(char for char in map(chr, range(0xE000, 0x110000)) if char not in used)
    parts = prompt.fill({name: f"{marker}{name}{marker}" for name in prompt.placeholders}).split(marker)
    if section is not None:
        parts[-1] += f"\n\n{section}"
    return tuple(parts)


def _placed_tags(exported: Exported) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_CLOSING_TAG.findall(exported.prompt.text)))
