"""The confidence of recorded verdicts: the judge's probability, from 0 to 1, that its label is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from calibrate.domain import Json, Scored, Verdict, number
from calibrate.errors import InputError
from calibrate.golden.cells import cell_text, is_blank
from calibrate.golden.recorded_rows import RecordedColumns, RecordedRows

__all__ = ["with_confidence"]


def with_confidence(
    judge: str, verdicts: Sequence[Verdict], rows: RecordedRows, columns: RecordedColumns, source: str
) -> tuple[tuple[Verdict, ...], str | None]:
    """Return a judge's verdicts with their recorded confidence, and what there is to say about it.

    A blank cell is no confidence. A column that was only found by its name and holds anything else is left out.

    Raises:
        InputError: a cell of a column that the user named is no probability.
    """
    column = columns.confidences.get(judge)
    if column is None:
        return tuple(verdicts), None
    cells = rows.column(column)
    told = [_probability(cell) for cell in cells]
    for row_number, cell, probability in zip(rows.numbers, cells, told, strict=True):
        if probability is None and not is_blank(cell):
            problem = f"{cell_text(cell)!r} is no probability from 0 to 1"
            if columns.confidence_named:
                raise InputError(
                    f"{problem}; give a number such as 0.85, or leave the cell empty",
                    file=source,
                    row=row_number,
                    field=column,
                )
            return tuple(verdicts), f"column '{column}' is no confidence, left out: row {row_number}: {problem}"
    found = tuple(
        replace(verdict, confidence=probability) if isinstance(verdict, Scored) else verdict
        for verdict, probability in zip(verdicts, told, strict=True)
    )
    return found, f"confidence of '{judge}' <- {column}{_only_ends(told)}"


def _only_ends(told: Sequence[float | None]) -> str:
    """Say so when a column holds no probability but 0 and 1: it may rather be a label."""
    stated = {probability for probability in told if probability is not None}
    if not stated or not stated <= {0.0, 1.0}:
        return ""
    return f"; it holds only {' and '.join(f'{each:g}' for each in sorted(stated))}: is it a probability, or a label?"


def _probability(cell: Json) -> float | None:
    value = number(cell)
    return value if value is not None and 0.0 <= value <= 1.0 else None
