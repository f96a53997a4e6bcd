"""The file of another tool: JSON, JSON Lines, CSV or Parquet, with the limits that tables have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.golden.decoding import decode
from calibrate.golden.json_tables import mend_surrogates, parse_json
from calibrate.golden.tables import read_bytes, read_table

__all__ = ["Document", "first_object", "nested", "objects", "parse_document", "read_document"]

_TABLES = {".csv", ".tsv", ".txt", ".parquet"}
_LINES = {".jsonl", ".ndjson"}


@dataclass(frozen=True, slots=True)
class Document:
    """What a file holds, and what there is to say about that; the rows of a table are a list of objects."""

    source: str
    content: Json
    messages: tuple[str, ...] = ()


def read_document(path: str | Path, *, encoding: str | None = None, delimiter: str | None = None) -> Document:
    """Read a file by its name: ``.json``, ``.jsonl``, ``.csv``, ``.tsv`` or ``.parquet``.

    Raises:
        InputError: it cannot be read.
    """
    source, suffix = str(path), Path(path).suffix.lower()
    if suffix in _TABLES:
        table = read_table(path, encoding=encoding, delimiter=delimiter)
        return Document(source, [dict(row) for _, row in table.numbered()], table.messages)
    if suffix not in {".json", *_LINES}:
        raise InputError(
            "no file of recorded results by its name; known are .json, .jsonl, .csv, .parquet", file=source
        )
    data = read_bytes(Path(path), source)
    if not data.strip():
        raise InputError("the file is empty", file=source)
    decoded = decode(data, source=source, encoding=encoding)
    document = parse_document(decoded.text, source, lines=suffix in _LINES)
    return Document(source, document.content, (*decoded.messages, *document.messages))


def parse_document(text: str, source: str, *, lines: bool = False) -> Document:
    """Parse what a tool wrote. Python's NaN and Infinity, which JSON does not have, are missing values.

    Raises:
        InputError: it is not JSON, or an object holds a key twice.
    """
    missing: list[str] = []
    content: Json
    if lines:
        content = [
            parse_json(line, source, number, constant=missing.append)
            for number, line in enumerate(text.split("\n"), 1)
            if line.strip()
        ]
    else:
        content = parse_json(text, source, None, constant=missing.append)
    said = (f"{len(missing)} values are NaN or Infinity: read as missing",) if missing else ()
    if "\\ud" in text or "\\uD" in text:
        content = mend_surrogates(content)
    return Document(source, content, said)


def objects(value: Json) -> list[Mapping[str, Json]]:
    """Return the objects of a list, nothing else; a cell of a CSV file holds such a list as JSON text."""
    value = nested(value)
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


def nested(value: Json) -> Json:
    """Return the object or list that a text cell holds as JSON, anything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in {"{", "["}:
        try:
            return parse_json(value, "", None, constant=lambda _: None)
        except InputError:
            return value
    return value


def first_object(value: Json) -> Mapping[str, Json]:
    """Return the first object of a list, or the value itself where it is one; empty when there is none."""
    if isinstance(value, Mapping):
        return value
    return next((each for each in value if isinstance(each, Mapping)), {}) if isinstance(value, list) else {}
