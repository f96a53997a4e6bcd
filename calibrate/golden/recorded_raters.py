"""The raters' columns in a table of recorded verdicts."""

from __future__ import annotations

from collections.abc import Mapping

from calibrate.domain import Json, Scale
from calibrate.golden.cells import is_blank
from calibrate.golden.declaration import LabelReader
from calibrate.golden.messages import listing
from calibrate.golden.recorded_options import RecordedOptions
from calibrate.golden.recorded_rows import RecordedColumns, RecordedRows
from calibrate.golden.table import Table

__all__ = ["read_ratings"]

_NO_RATERS: Mapping[str, str] = {}


def read_ratings(
    rows: RecordedRows, columns: RecordedColumns, table: Table, options: RecordedOptions, scale: Scale
) -> tuple[tuple[Mapping[str, str], ...], tuple[str, ...]]:
    """Return each row's labels by rater, and what there is to say.

    A column that is a rater's by its name only, and holds something that is no label, is left out: the verdicts can be
    measured without it.
    """
    if not columns.raters:
        return (_NO_RATERS,) * len(rows.cells), ()
    ratings: list[dict[str, str]] = [{} for _ in rows.cells]
    read, left_out = [], []
    for rater in columns.raters:
        reader = LabelReader(scale, options.declared(table.columns, rater).aliases, source=table.source)
        labels = _labels(rows.column(rater), reader)
        if labels is None:
            left_out.append(rater)
            continue
        read.append(rater)
        for rating, label in zip(ratings, labels, strict=True):
            if label is not None:
                rating[rater] = label
    said = [f"rater{'s' if len(read) > 1 else ''} {listing(tuple(read))}"] if read else []
    said += [f"column '{rater}' holds what is no label, left out as a rater's" for rater in left_out]
    return tuple(ratings), tuple(said)


def _labels(cells: list[Json], reader: LabelReader) -> list[str | None] | None:
    labels: list[str | None] = []
    for cell in cells:
        label = None if is_blank(cell) else reader.read(cell)
        if label is None and not is_blank(cell):
            return None
        labels.append(label)
    return labels
