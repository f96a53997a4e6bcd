"""JSON and JSON Lines as tables: types are kept, and what JSON does not allow is refused by row."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import NoReturn

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.golden.cells import cell_text
from calibrate.golden.table import MAX_FIELD, Table

__all__ = ["array_of", "mend_surrogates", "parse_json", "read_json", "read_json_lines"]

_SURROGATE_ESCAPE = re.compile(r"\\ud[89a-f]", re.IGNORECASE)


def read_json_lines(text: str, source: str) -> Table:
    """Read one object per line; blank lines are skipped but counted."""
    rows: list[Mapping[str, Json]] = []
    row_numbers: list[int] = []
    for line_number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        value = parse_json(line, source, line_number)
        if not isinstance(value, Mapping):
            hint = "; an array of objects belongs in a .json file" if isinstance(value, list) else ""
            raise InputError(f"not a JSON object{hint}", file=source, row=line_number)
        rows.append(value)
        row_numbers.append(line_number)
    return _table(text, rows, row_numbers, source)


def read_json(text: str, source: str) -> Table:
    """Read an array of objects, or an object that holds one array."""
    rows: list[Mapping[str, Json]] = []
    for row_number, value in enumerate(array_of(parse_json(text, source, None), source), start=1):
        if not isinstance(value, Mapping):
            raise InputError("not a JSON object", file=source, row=row_number)
        rows.append(value)
    return _table(text, rows, list(range(1, len(rows) + 1)), source)


def array_of(document: Json, source: str) -> list[Json]:
    """Return the array of a JSON document: the document itself, or the only array among its values."""
    if isinstance(document, list):
        return document
    if not isinstance(document, Mapping):
        raise InputError("neither an array of objects nor an object with one", file=source)
    arrays = [key for key, value in document.items() if isinstance(value, list)]
    if len(arrays) != 1:
        found = f"{len(arrays)} arrays ({', '.join(arrays)})" if arrays else "no array"
        raise InputError(f"the object holds {found}; a table is one array of objects", file=source)
    array = document[arrays[0]]
    return array if isinstance(array, list) else []


def parse_json(text: str, source: str, row: int | None, *, constant: Callable[[str], Json] | None = None) -> Json:
    """Parse strict JSON: no NaN, no key twice; ``constant``, if given, says what stands for NaN and Infinity.

    Raises:
        InputError: what is wrong, with the file and the row.
    """
    decoder = _DECODER if constant is None else json.JSONDecoder(object_pairs_hook=_object, parse_constant=constant)
    try:
        value: Json = decoder.decode(text)
    except json.JSONDecodeError as error:
        place = f"column {error.colno}" if row is not None else f"line {error.lineno}, column {error.colno}"
        hint = "; one object per line belongs in a .jsonl file" if row is None and error.msg == "Extra data" else ""
        raise InputError(f"not valid JSON: {error.msg} at {place}{hint}", file=source, row=row) from None
    except RecursionError:
        raise InputError("not readable: nested too deeply", file=source, row=row) from None
    except ValueError as error:
        if "set_int_max_str_digits" in str(error):  # Python's advice to programmers
            raise InputError("a number of thousands of digits; write it as text", file=source, row=row) from None
        raise InputError(f"not valid JSON: {error}", file=source, row=row) from None
    return value


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"key '{twice}' appears twice in one object")
    return mapping


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value; write null")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)


def _table(text: str, rows: list[Mapping[str, Json]], row_numbers: list[int], source: str) -> Table:
    if len(text) > MAX_FIELD:
        for row_number, row in zip(row_numbers, rows, strict=True):
            for key, value in row.items():
                if len(cell_text(value)) > MAX_FIELD:
                    raise InputError(
                        f"a value is larger than {MAX_FIELD // 1_000_000} MB", file=source, row=row_number, field=key
                    )
    said: tuple[str, ...] = ()
    if _SURROGATE_ESCAPE.search(text):
        mended = [mend_surrogates(row) for row in rows]
        broken = sum(one is not other for one, other in zip(mended, rows, strict=True))
        if broken:
            rows = [row for row in mended if isinstance(row, Mapping)]
            said = (f"half a surrogate pair in {broken} row{'s' if broken > 1 else ''}: read as U+FFFD",)
    columns = tuple(dict.fromkeys(key for row in rows for key in row))
    return Table(source, columns, tuple(rows), tuple(row_numbers), said)


def mend_surrogates(value: Json) -> Json:
    """Replace halves of surrogate pairs, which no file or database can hold; the same object when there are none."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return value
    if isinstance(value, Mapping):
        mended = {str(mend_surrogates(key)): mend_surrogates(each) for key, each in value.items()}
        same = all(mended.get(key) is each for key, each in value.items())
        return value if same and len(mended) == len(value) else mended
    if isinstance(value, list):
        items = [mend_surrogates(each) for each in value]
        return value if all(one is other for one, other in zip(items, value, strict=True)) else items
    return value
