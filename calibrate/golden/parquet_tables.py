"""Parquet tables, by pyarrow: an extra, imported only when such a file is read."""

from __future__ import annotations

import datetime
import decimal
import io
import math
from typing import Any

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.golden.table import MAX_FILE, Table

__all__ = ["read_parquet"]


def read_parquet(data: bytes, source: str) -> Table:
    """Read a Parquet file: text, numbers, lists and structs as in JSON; NaN is a missing value; dates are text.

    Raises:
        InputError: pyarrow is not installed, or the file is no Parquet file or holds binary cells.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ModuleNotFoundError:
        raise InputError(
            "reading Parquet needs pyarrow: pip install 'judge-calibrate[parquet]', or save the table as CSV",
            file=source,
        ) from None
    try:
        with parquet.ParquetFile(io.BytesIO(data)) as file:
            groups = range(file.metadata.num_row_groups)
            if sum(file.metadata.row_group(group).total_byte_size for group in groups) > MAX_FILE:
                raise InputError(f"larger than {MAX_FILE // 1_000_000_000} GB when unpacked; split it", file=source)
            table = file.read()
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(f"not readable as Parquet: {str(error).splitlines()[0]}", file=source) from None
    columns = tuple(str(name) for name in table.column_names)
    if len(set(columns)) != len(columns):
        raise InputError("two columns have the same name; rename one", file=source)
    rows = tuple(
        {column: _cell(value, source, row, column) for column, value in record.items()}
        for row, record in enumerate(table.to_pylist(), start=1)
    )
    return Table(source, columns, rows, tuple(range(1, len(rows) + 1)), encoding="")


def _cell(value: Any, source: str, row: int, column: str) -> Json:
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return None if math.isnan(value) else value
    if isinstance(value, list | tuple):
        return [_cell(each, source, row, column) for each in value]
    if isinstance(value, dict):
        return {str(key): _cell(each, source, row, column) for key, each in value.items()}
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, datetime.timedelta | decimal.Decimal):
        return str(value)
    raise InputError(
        "a binary cell; only text, numbers, dates, lists and structs are read", file=source, row=row, field=column
    )
