"""What the loader says about a set, in plain sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from calibrate.domain import Scale
from calibrate.golden.drafts import Draft
from calibrate.golden.table import Table

__all__ = [
    "deduced_in_words",
    "language_in_words",
    "listed",
    "rows_left_out",
    "scale_in_words",
    "undeclared_in_words",
    "unused_in_words",
]

_LISTED = 10
_LANGUAGES = ("en", "es")  # those that the judge's own texts are written in


def rows_left_out(table: Table, drafts: Sequence[Draft]) -> tuple[str, ...]:
    """Say how many rows hold nothing, and how many are of a dimension that is not wanted."""
    rows = [row_number for row_number, _ in table.numbered()]
    blank = len(table.rows) - len(rows)
    unwanted = len(rows) - len({draft.row_number for draft in drafts})
    return (
        *((f"{blank} row{'s' if blank > 1 else ''} without any content, left out",) if blank else ()),
        *((f"{unwanted} row{'s' if unwanted > 1 else ''} of other dimensions, left out",) if unwanted else ()),
    )


def unused_in_words(unused: Mapping[str, Sequence[str]], *, dimensions: int) -> tuple[str, ...]:
    """Say which inputs are no inputs because they are null throughout."""
    return tuple(
        f"{name} is null in every row{'' if len(where) == dimensions else f' of {listing(where)}'}: not an input there"
        for name, where in unused.items()
    )


def deduced_in_words(scales: Mapping[str, Scale], *, dimensions: int) -> tuple[str, ...]:
    """Say which scales were told from the labels alone."""
    same: dict[str, list[str]] = {}
    for name, scale in scales.items():
        same.setdefault(scale_in_words(scale), []).append(name)
    return tuple(
        f"labels read as {words}{'' if len(names) == dimensions else f' ({listing(names)})'}"
        for words, names in same.items()
    )


def language_in_words(tag: str) -> tuple[str, ...]:
    """Say that English stands in for a language without texts; nothing for the languages that have them."""
    if tag.strip().casefold().replace("_", "-").split("-")[0] in _LANGUAGES:
        return ()
    return (f"language '{tag}': there are texts in {' and '.join(_LANGUAGES)} only; the English ones are used",)


def undeclared_in_words(spanish: Sequence[str]) -> tuple[str, ...]:
    """Say that a set with Spanish column names, whose language nobody said, has the English default prompt."""
    if not spanish:
        return ()
    return (f"Spanish column names ({listing(spanish)}) and no language: the default prompt is English; --language es",)


def scale_in_words(scale: Scale) -> str:
    """Say what a scale is: ``binary 0, 1 (positive 1)``."""
    positive = f" (positive {scale.positive})" if scale.positive is not None else ""
    threshold = f" (positive from {scale.threshold:g})" if scale.threshold is not None else ""
    return f"{scale.kind} {', '.join(scale.labels)}".strip() + positive + threshold


def listed(one: str, many: str, things: Sequence[str]) -> tuple[str, ...]:
    """Say how many things there are and list the first of them; nothing when there are none."""
    return (f"{len(things)} {one if len(things) == 1 else many}: {listing(things)}",) if things else ()


def listing(things: Sequence[str]) -> str:
    """Return the first things, comma separated."""
    return ", ".join(things[:_LISTED]) + (", ..." if len(things) > _LISTED else "")
