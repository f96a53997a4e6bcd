"""How gold is made: a label as given, or what the raters agree on (STATISTICS section 6)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.golden.cells import cell_text, is_blank
from calibrate.golden.declaration import LabelReader
from calibrate.golden.layout import DimensionColumns

__all__ = ["Gold", "gold_in_words", "gold_of", "read_label"]


@dataclass(frozen=True, slots=True)
class Gold:
    """The gold label of one item, and each rater's.

    Attributes:
        label: the gold label, or None.
        ratings: rater to label; raters who did not see the item are absent.
        tie: the raters tie (whether or not an adjudication decided).
    """

    label: str | None
    ratings: Mapping[str, str]
    tie: bool = False


def gold_of(
    row: Mapping[str, Json], row_number: int, columns: DimensionColumns, reader: LabelReader, source: str
) -> Gold:
    """Read the gold of one row.

    A label column is gold as given. Without one, gold is the label that more raters gave than any other (on an interval
    scale, their mean); where several labels are ahead together, the adjudication column decides, or nothing does.

    Raises:
        InputError: a label outside the scale; names row and column.
    """
    ratings = {
        rater: label
        for rater in columns.raters
        if (label := read_label(row.get(rater), row_number, rater, reader, source)) is not None
    }
    if columns.label is not None:
        return Gold(read_label(row.get(columns.label), row_number, columns.label, reader, source), ratings)
    adjudicated = None
    if columns.adjudicated is not None:
        adjudicated = read_label(row.get(columns.adjudicated), row_number, columns.adjudicated, reader, source)
    if not ratings:
        return Gold(adjudicated, ratings)
    if reader.scale.kind == "interval":
        mean = math.fsum(map(float, ratings.values())) / len(ratings)
        return Gold(reader.scale.match(mean), ratings)
    (first, votes), *others = Counter(ratings.values()).most_common()
    if others and others[0][1] == votes:
        return Gold(adjudicated, ratings, tie=True)
    return Gold(first, ratings)


def read_label(cell: Json, row_number: int, column: str, reader: LabelReader, source: str) -> str | None:
    """Return the label in a cell, or None when the cell is blank.

    Raises:
        InputError: the cell states no label of the scale.
    """
    if is_blank(cell):
        return None
    label = reader.read(cell)
    if label is None:
        shown = cell_text(cell)
        shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
        raise InputError(
            f"'{shown}' is not a label; expected {reader.expected}", file=source, row=row_number, field=column
        )
    return label


def gold_in_words(columns: DimensionColumns, raters: int, *, interval: bool) -> str:
    """Say how the gold of a dimension was made, and from how many raters (those that labelled at least one item)."""
    several = f"{raters} raters"
    if columns.label is not None:
        return "as given" if raters == 0 else f"as given, beside {'one rater' if raters == 1 else several}"
    if raters == 0:
        return "none" if columns.adjudicated is None else f"as adjudicated in '{columns.adjudicated}'"
    if raters == 1:
        return "one rater"
    if interval:
        return f"mean of {several}"
    adjudicated = f", ties adjudicated by '{columns.adjudicated}'" if columns.adjudicated else ""
    return f"majority of {several}{adjudicated}"
