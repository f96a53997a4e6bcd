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
from calibrate.judge import label_roles, shown_inputs

__all__ = ["as_python", "code", "constants"]

_MARK = "# --- exported\n"
_PARSERS = {"split": "parse_claims", "verify": "parse_support"}
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

__all__ = [{names}]
"""
_PUBLIC = ("LABELS", "MAX_TOKENS", "MODEL", "SCHEMA", "SYSTEM", "TEMPERATURE", "Verdict", "parse", "render")
_PUBLIC_OF_TASKS = {
    "split": ("Claim", "MAX_TOKENS", "MODEL", "SCHEMA", "SYSTEM", "Split", "TEMPERATURE", "parse", "render"),
    "verify": (*_PUBLIC[:-2], "VerifiedClaim", *_PUBLIC[-2:]),
}


def as_python(exported: Exported) -> str:
    """Return a module with the judge's constants, ``render(inputs)`` and ``parse(reply, finish)``.

    It needs Python 3.9 and nothing else, makes the request that :func:`calibrate.judge.render` makes, and finds what
    the judge itself reads in a reply: the verdict, the claims of an answer, or the verdicts on claims with their quotes
    checked. It is not for judges that write questions back, which need an embedder.
    """
    public = _PUBLIC_OF_TASKS.get(exported.settings.task, _PUBLIC)
    imports = _IMPORTS.format(names=", ".join(f'"{name}"' for name in public))
    return "\n\n".join(
        [f"{docstring(header(exported))}\n\n{imports}\n{constants(exported)}\n", code(exported), _piece("script")]
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
    task = exported.settings.task
    yield _PARSERS.get(task, "parse_pattern" if own_format else "parse_verdict")
    yield "block"
    if placed:
        yield "placed"
    if task == "split":
        yield from ("last_list", "claim_fields", "objects")
        return
    yield from ("last_list", "support_fields") if task == "verify" else ("outcome", "verdict_fields")
    yield "match_scores" if exported.scale.kind == "interval" else "match_labels"
    yield from ("text", "objects")


@cache
def _piece(name: str) -> str:
    text = Path(__file__).parent.joinpath("standalone", f"{name}.py").read_text(encoding="utf-8")
    return text.partition(_MARK)[2].strip("\n") + "\n"


def _constants(exported: Exported) -> Iterator[str]:
    request = exported.example()
    placed, own_format = bool(exported.prompt.placeholders), exported.settings.parse is not None
    yield f"MODEL = {literal(exported.model)}{_called(exported)}"
    yield f"TEMPERATURE: float | None = {literal(request.temperature)}"
    yield f"MAX_TOKENS = {literal(exported.max_tokens)}"
    yield f"INPUTS: tuple[str, ...] = {literal(shown_inputs(exported.settings.task, exported.inputs))}"
    if placed:
        yield f"IN_BLOCK: tuple[str, ...] = {literal(exported.in_block)}  # the prompt places the others"
    else:
        yield "IN_BLOCK = INPUTS"
    if exported.settings.task != "split":  # which states no label
        yield from _labels(exported)
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


def _labels(exported: Exported) -> Iterator[str]:
    scale = exported.scale
    if scale.kind == "interval":
        yield "LABELS: tuple[str, ...] = ()  # any number from LOW to HIGH"
        yield f"LOW: float | None = {literal(scale.low)}"
        yield f"HIGH: float | None = {literal(scale.high)}"
        return
    yield f"LABELS: tuple[str, ...] = {literal(scale.labels)}"
    if exported.settings.task == "verify":
        roles = label_roles(scale)
        yield f"SUPPORTED = {literal(roles.supported)}"
        yield f"NOT_MENTIONED = {literal(roles.not_mentioned)}"
        yield f"CONTRADICTED: str | None = {literal(roles.contradicted)}"


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
