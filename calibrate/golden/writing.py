"""Writing tables: whole or not at all, never over the file they came from, and safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
import os
import secrets
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.golden.cells import cell_text, neutralise

__all__ = ["refuse_overwriting", "write_csv", "write_json_lines", "write_text"]


def write_csv(
    path: str | Path,
    columns: Sequence[str],
    rows: Iterable[Mapping[str, Json]],
    *,
    source: str | Path | None = None,
    delimiter: str = ",",
    encoding: str = "utf-8",
) -> None:
    """Write a CSV file (RFC 4180) whose cells no spreadsheet runs; `read_table` reads back the same texts.

    Text that starts with = + - @, a tab or a carriage return gets a leading apostrophe, numbers such as ``-2`` do not,
    and reading takes it away again (see `calibrate.golden.cells`). Null and empty text are both an empty cell, so both
    are read back as missing. Numbers, booleans, lists and objects are written as JSON.

    Args:
        path: the file to write; the file appears whole, or not at all.
        columns: the columns, in order.
        rows: one mapping per row; a missing key is an empty cell.
        source: the file that the rows came from; writing to it is refused.
        delimiter: between cells.
        encoding: ``utf-8``, or ``utf-8-sig`` for spreadsheets that need the mark.

    Raises:
        InputError: the path is the source, or cannot be written.
    """
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=delimiter)
    writer.writerow([neutralise(column) for column in columns])
    writer.writerows([_csv_cell(row.get(column)) for column in columns] for row in rows)
    write_text(path, buffer.getvalue(), source=source, encoding=encoding)


def write_json_lines(path: str | Path, rows: Iterable[Mapping[str, Json]], *, source: str | Path | None = None) -> None:
    """Write one JSON object per line (UTF-8); types are kept.

    Raises:
        InputError: the path is the source, or cannot be written.
    """
    text = "".join(f"{json.dumps(row, ensure_ascii=False, allow_nan=False)}\n" for row in rows)
    write_text(path, text, source=source)


def write_text(path: str | Path, text: str, *, source: str | Path | None = None, encoding: str = "utf-8") -> None:
    """Write a text file as it is, whole or not at all: a temporary file beside it, then a rename.

    Raises:
        InputError: the path is the source, or cannot be written.
    """
    target = Path(path)
    if source is not None and _same_file(target, Path(source)):
        raise InputError("would overwrite the file it was read from; give another name", file=str(path))
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("x", encoding=encoding, newline="") as handle:
            handle.write(text)
            handle.flush()
            os.fsync(handle.fileno())
        temporary.replace(target)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=str(path)) from None
    except UnicodeEncodeError as error:
        raise InputError(f"cannot be written as {encoding}: {error.reason}", file=str(path)) from None
    finally:
        temporary.unlink(missing_ok=True)


def refuse_overwriting(path: str | Path, *, overwrite: bool, never: Iterable[str | Path] = ()) -> None:
    """Refuse to write over what is there.

    Args:
        path: the file to be written.
        overwrite: whether a file that exists may be replaced.
        never: files that are not replaced in any case.

    Raises:
        InputError: the file is one of ``never``, exists and may not be replaced, or is no file.
    """
    target = Path(path)
    if any(_same_file(target, Path(each)) for each in never):
        raise InputError("in use here and never overwritten; give another name", file=str(path))
    if target.exists() and not target.is_file():
        raise InputError("not a file that can be written; give another name", file=str(path))
    if target.exists() and not overwrite:
        raise InputError("exists already; give another name, or replace it with --overwrite", file=str(path))


def _csv_cell(value: Json) -> str:
    return neutralise(value) if isinstance(value, str) else cell_text(value)


def _same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one of them does not exist yet
        return one.resolve() == other.resolve()
