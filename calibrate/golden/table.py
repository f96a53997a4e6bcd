"""The table type, and the limits within which tables are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from calibrate.domain import Json
from calibrate.golden.cells import is_blank

__all__ = ["MAX_FIELD", "MAX_FILE", "Table"]

MAX_FILE = 1_000_000_000
"""The largest file, in bytes."""
MAX_FIELD = 10_000_000
"""The largest cell, in characters."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it stands in its file.

    Attributes:
        source: the path, as given.
        columns: the column names in order; for JSON the keys in order of first appearance.
        rows: one mapping per row. A CSV cell is text, or None when it is empty; JSON keeps its types, and a key that an
            object lacks is absent.
        row_numbers: the number of each row for messages: data rows from 1; JSON Lines are counted in lines.
        messages: what the reader found out by itself, such as ``delimiter ';'``.
        delimiter: of a CSV or TSV file, else None.
        encoding: what the text was read with; empty for Parquet.
    """

    source: str
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, Json], ...]
    row_numbers: tuple[int, ...]
    messages: tuple[str, ...] = ()
    delimiter: str | None = None
    encoding: str = "utf-8"

    def numbered(self) -> Iterator[tuple[int, Mapping[str, Json]]]:
        """Yield (row number, row) of every row that holds anything."""
        for row_number, row in zip(self.row_numbers, self.rows, strict=True):
            if not all(map(is_blank, row.values())):
                yield row_number, row
