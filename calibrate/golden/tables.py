"""Tables: CSV, TSV, JSON Lines, JSON and Parquet, read with limits and never executed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from calibrate.errors import InputError
from calibrate.golden.csv_tables import read_csv
from calibrate.golden.decoding import decode
from calibrate.golden.json_tables import read_json, read_json_lines
from calibrate.golden.parquet_tables import read_parquet
from calibrate.golden.table import MAX_FILE, Table

__all__ = ["TABLE_SUFFIXES", "Table", "read_bytes", "read_table"]

TABLE_SUFFIXES = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet")
"""The file types that a folder's table may have."""
_SPREADSHEETS = {".xlsx", ".xls", ".ods"}


def read_table(path: str | Path, *, encoding: str | None = None, delimiter: str | None = None) -> Table:
    """Read a table; its type is that of its file name.

    Args:
        path: a ``.csv``, ``.tsv``, ``.txt``, ``.jsonl``, ``.ndjson``, ``.json`` or ``.parquet`` file.
        encoding: of a text file; UTF-8 when not given.
        delimiter: of a CSV file, ``tab`` for a tab; found among comma, semicolon, tab and ``|`` when not given.

    Raises:
        InputError: the file cannot be read as a table; names the file and, where there is one, the row.
    """
    source, suffix = str(path), Path(path).suffix.lower()
    if suffix in _SPREADSHEETS:
        raise InputError("spreadsheets are not read; save the sheet as CSV (UTF-8)", file=source)
    if suffix not in {*TABLE_SUFFIXES, ".txt"}:
        raise InputError(f"not a table by its name; known are {', '.join(TABLE_SUFFIXES)}", file=source)
    data = read_bytes(Path(path), source)
    if not data.strip():
        raise InputError("the file is empty", file=source)
    if suffix == ".parquet":
        table = read_parquet(data, source)
    else:
        decoded = decode(data, source=source, encoding=encoding)
        if suffix == ".json":
            table = read_json(decoded.text, source)
        elif suffix in {".jsonl", ".ndjson"}:
            table = read_json_lines(decoded.text, source)
        else:
            usual = "\t" if suffix == ".tsv" else ","
            table = read_csv(decoded.text, source, usual=usual, delimiter=delimiter)
        table = replace(table, encoding=decoded.encoding, messages=(*decoded.messages, *table.messages))
    if next(table.numbered(), None) is None:
        raise InputError("no items: the table has no rows", file=source)
    return table


def read_bytes(path: Path, source: str) -> bytes:
    """Read a file within the limit.

    Raises:
        InputError: there is none, it cannot be read, or it is too large.
    """
    try:
        if path.is_dir():
            raise InputError("a folder, not a file", file=source)
        if path.stat().st_size > MAX_FILE:
            raise _too_large(source)
        with path.open("rb") as handle:
            data = handle.read(MAX_FILE + 1)
    except FileNotFoundError:
        raise InputError("no such file", file=source) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=source) from None
    if len(data) > MAX_FILE:  # a pipe, which has no size before it is read
        raise _too_large(source)
    return data


def _too_large(source: str) -> InputError:
    return InputError(f"larger than {MAX_FILE // 1_000_000_000} GB; split it", file=source)
