"""CSV and TSV: the delimiter is found, quoting follows RFC 4180, every cell is text or missing."""

from __future__ import annotations

import csv
import io
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.golden.cells import restore
from calibrate.golden.table import MAX_FIELD, Table

__all__ = ["read_csv"]

_DELIMITERS = (",", ";", "\t", "|")
_DELIMITER_NAMES = {"tab": "\t", "\\t": "\t"}
_SNIFFED = 1 << 16
_ESCAPED = re.compile(r"'[=+\-@\t\r]")
_field_limit = threading.Lock()


def read_csv(text: str, source: str, *, usual: str = ",", delimiter: str | None = None) -> Table:
    """Read CSV text; ``usual`` is the delimiter that goes without saying, ``delimiter`` the declared one.

    Raises:
        InputError: what is wrong, with the file and the row.
    """
    wanted = _delimiter(delimiter) or _sniff(text, usual)
    columns, rows, said = _rows(text, wanted, source)
    if delimiter is None and wanted != usual:
        said = ("delimiter tab" if wanted == "\t" else f"delimiter '{wanted}'", *said)
    return Table(source, columns, rows, tuple(range(1, len(rows) + 1)), said, delimiter=wanted)


def _delimiter(given: str | None) -> str | None:
    if given is None:
        return None
    delimiter = _DELIMITER_NAMES.get(given, given)
    if len(delimiter) != 1 or delimiter in "\r\n\"'":
        raise InputError(f"'{given}' cannot separate cells; give one character, or tab", field="delimiter")
    return delimiter


def _sniff(text: str, usual: str) -> str:
    """The delimiter that splits the header and gives most rows its width; the widest when two do so equally well."""
    best, best_score = usual, (0.0, 1)
    for delimiter in sorted(_DELIMITERS, key=lambda each: each != usual):
        reader = csv.reader(io.StringIO(text[:_SNIFFED], newline=""), delimiter=delimiter)
        try:
            widths = [len(cells) for cells in reader if cells]
        except csv.Error:
            continue
        if len(text) > _SNIFFED and len(widths) > 1:
            widths.pop()
        if not widths or widths[0] < 2:
            continue
        score = (sum(width == widths[0] for width in widths) / len(widths), widths[0])
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _rows(
    text: str, delimiter: str, source: str
) -> tuple[tuple[str, ...], tuple[Mapping[str, Json], ...], tuple[str, ...]]:
    rows: list[Mapping[str, Json]] = []
    columns: tuple[str, ...] = ()
    with _large_fields():
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        try:
            columns = _header(next((cells for cells in reader if cells), []), source)
            width = len(columns)
            for cells in reader:
                if len(cells) == width:
                    row: dict[str, Json] = dict(zip(columns, cells, strict=True))
                    rows.append({column: cell or None for column, cell in row.items()} if "" in cells else row)
                elif cells:
                    found = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
                    raise InputError(
                        f"{found}, but the header names {width} columns; quote cells that hold the delimiter",
                        file=source,
                        row=len(rows) + 1,
                    )
        except csv.Error as error:
            where = len(rows) + 1 if columns else None
            raise InputError(_csv_problem(str(error)), file=source, row=where) from None
    said = _restore_neutralised(rows) if _ESCAPED.search(text) else ()
    return columns, tuple(rows), said


def _header(cells: list[str], source: str) -> tuple[str, ...]:
    columns = tuple(restore(cell) for cell in cells)
    for position, column in enumerate(columns):
        if column in columns[:position]:
            name = f"column '{column}' appears twice" if column else "two columns have no name"
            raise InputError(f"{name}; rename one", file=source)
    return columns


def _restore_neutralised(rows: list[Mapping[str, Json]]) -> tuple[str, ...]:
    count = 0
    for position, row in enumerate(rows):
        escaped = {
            column: restored
            for column, cell in row.items()
            if isinstance(cell, str) and cell[0] == "'" and (restored := restore(cell)) != cell
        }
        if escaped:
            count += len(escaped)
            rows[position] = {**row, **escaped}
    if not count:
        return ()
    cells = "1 cell" if count == 1 else f"{count} cells"
    return (f"{cells} with an apostrophe before = + - @: read without it (the mark of a neutralised formula)",)


def _csv_problem(error: str) -> str:
    if "field larger" in error:
        return f"a cell is larger than {MAX_FIELD // 1_000_000} MB"
    if "end of data" in error:
        return "a quoted cell is never closed"
    if "expected after" in error:
        return "text after a closing quote; a quote inside a quoted cell is written twice"
    return f"not readable as CSV: {error}"


@contextmanager
def _large_fields() -> Iterator[None]:
    # The csv module's limit is one global; the lock keeps two readers from restoring each other's.
    with _field_limit:
        previous = csv.field_size_limit(MAX_FIELD)
        try:
            yield
        finally:
            csv.field_size_limit(previous)
