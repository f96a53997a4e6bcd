"""Writing the next version of a golden set: same columns, same order, same types; only the edits differ."""

from __future__ import annotations

import itertools
import json
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from calibrate.domain import Item, Json, number
from calibrate.errors import InputError
from calibrate.golden.card import CARD_NAME, read_card_text, with_key
from calibrate.golden.cells import is_blank
from calibrate.golden.declaration import LabelReader
from calibrate.golden.decoding import decode
from calibrate.golden.json_tables import array_of, parse_json
from calibrate.golden.load import LoadedSet, load_golden
from calibrate.golden.locate import Location
from calibrate.golden.options import LoadOptions
from calibrate.golden.table import Table
from calibrate.golden.writing import write_csv, write_json_lines, write_text

__all__ = ["Edit", "newest_version", "next_version", "write_rows", "write_version"]

_VERSIONED = re.compile(r"(?P<name>.+)\.v(?P<number>[0-9]+)")


@dataclass(frozen=True, slots=True)
class Edit:
    """A new label, a new note, or both, for one item; None leaves what there is."""

    item: Item
    label: str | None
    note: str | None


@dataclass(frozen=True, slots=True)
class _Target:
    """Where a dimension's labels and notes go in the new version.

    Attributes:
        label: the label column.
        note: the note column.
        from_raters: gold came from raters, so that the label column is new and holds all gold labels.
        card_keys: the keys that the card needs in the dimension's table for the columns to be found.
    """

    label: str
    note: str
    from_raters: bool
    card_keys: Mapping[str, str]


def write_version(
    loaded: LoadedSet, edits: Sequence[Edit], *, options: LoadOptions, taken_from: str
) -> tuple[Path, tuple[str, ...]]:
    """Write the next version of a set beside it, read it back, and only then give it its name.

    Args:
        loaded: the set.
        edits: what changes.
        options: how the set was loaded.
        taken_from: the name of the file the edits came from, for the card's provenance.

    Returns:
        The new folder or file, and what there is to say about it.

    Raises:
        InputError: a version cannot be written there, or the card cannot be edited.
    """
    if not loaded.table.encoding:
        raise InputError("a Parquet set; save it as JSON Lines and merge into that", file=loaded.source)
    targets = {name: _target(name, loaded) for name in loaded.golden.dimensions}
    rows = _edited_rows(loaded, edits, targets)
    card = _edited_card(loaded, edits, targets, taken_from)
    location = loaded.location
    target = next_version(location.path)
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        temporary.mkdir()
        table = temporary / (location.table.relative_to(location.path) if location.is_folder else target.name)
        table.parent.mkdir(parents=True, exist_ok=True)
        added = [column for target in targets.values() for column in (target.label, target.note)]
        write_rows(table, loaded.table, rows, added)
        if location.is_folder:
            write_text(temporary / CARD_NAME, card)
        _verify(temporary if location.is_folder else table, loaded, edits, options)
        (temporary if location.is_folder else table).rename(target)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=str(target)) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return target, _said(loaded, edits, targets)


def _target(dimension: str, loaded: LoadedSet) -> _Target:
    layout, table = loaded.layout, loaded.table
    columns = layout.of(dimension)
    suffix = f"_{re.sub(r'[^0-9a-zA-Z]+', '_', dimension)}" if dimension in layout.own else ""
    keys = {}
    label, note = columns.label, columns.note
    if label is None:
        label = layout.empty_label or _new_column(f"label{suffix}", table)
        keys["label"] = label
    if note is None:
        note = _new_column(f"note{suffix}", table)
        keys["note"] = note
    if dimension not in layout.own:  # found by their usual names
        keys = {}
    return _Target(label, note, columns.label is None, keys)


def _new_column(name: str, table: Table) -> str:
    while name in table.columns:
        name += "_new"
    return name


def _edited_rows(loaded: LoadedSet, edits: Sequence[Edit], targets: Mapping[str, _Target]) -> list[dict[str, Json]]:
    rows = {number: dict(row) for number, row in zip(loaded.table.row_numbers, loaded.table.rows, strict=True)}
    relabelled = {edit.item.dimension for edit in edits if edit.label is not None}
    for item in loaded.golden.items:
        target = targets[item.dimension]
        if target.from_raters and item.dimension in relabelled:
            rows[item.row][target.label] = _typed(item.label, item.dimension, loaded)
    written: dict[tuple[int, str], str] = {}
    for edit in edits:
        row, target = edit.item.row, targets[edit.item.dimension]
        if edit.label is not None and edit.label != edit.item.label:
            rows[row][target.label] = _typed(edit.label, edit.item.dimension, loaded)
        if edit.note is not None:
            if written.setdefault((row, target.note), edit.note) != edit.note:
                raise InputError(
                    f"item '{edit.item.id}' has one note for all its dimensions, and gets two", field=target.note
                )
            rows[row][target.note] = edit.note
    return list(rows.values())


def _typed(label: str | None, dimension: str, loaded: LoadedSet) -> Json:
    """The label as the set writes its labels: as text, a number or a boolean."""
    columns = loaded.layout.of(dimension)
    sources = [columns.label] if columns.label is not None else list(columns.raters)
    cells = (row.get(column) for row in loaded.table.rows for column in sources)
    types = {type(cell) for cell in cells if not is_blank(cell)}
    if label is None or str in types:
        return label
    reader: LabelReader = loaded.readers[dimension]
    value = number(label)
    candidates: list[Json] = [True, False] if value is None else [True, False, int(value), value]
    return next((each for each in candidates if type(each) in types and reader.read(each) == label), label)


def _edited_card(loaded: LoadedSet, edits: Sequence[Edit], targets: Mapping[str, _Target], taken_from: str) -> str:
    location = loaded.location
    text = read_card_text(location.card_path) if location.card_path else ""
    source = str(location.card_path or location.path / CARD_NAME)
    with_labels = {edit.item.dimension for edit in edits if edit.label is not None}
    with_notes = {edit.item.dimension for edit in edits if edit.note is not None}
    for dimension, target in targets.items():
        for key, column in target.card_keys.items():
            if dimension in (with_labels if key == "label" else with_notes):
                text = with_key(text, ("dimensions", dimension), key, column, source=source)
    labels = sum(edit.label is not None and edit.label != edit.item.label for edit in edits)
    notes = sum(edit.note is not None for edit in edits)
    sentence = f"{_count(labels, 'label')} and {_count(notes, 'note')} taken in from {taken_from}."
    if any(targets[dimension].from_raters for dimension in with_labels):
        sentence += f" The other labels: {loaded.golden.gold}."
    provenance = f"{location.card.provenance.rstrip()} {sentence}".strip()
    return with_key(text, (), "provenance", provenance, source=source)


def write_rows(path: Path, table: Table, rows: Sequence[Mapping[str, Json]], added: Iterable[str] = ()) -> None:
    """Write rows as the table that they come from was written: its type, its columns, its delimiter.

    Args:
        path: the file to write, of the table's type.
        table: what the rows come from; no Parquet file.
        rows: all rows of the new table.
        added: columns that it may have beside the old ones; those that a row holds are written.

    Raises:
        InputError: the file cannot be written.
    """
    suffix = path.suffix.lower()
    if suffix in {".jsonl", ".ndjson"}:
        write_json_lines(path, rows)
    elif suffix == ".json":
        text = decode(Path(table.source).read_bytes(), source=table.source, encoding=table.encoding).text
        document = parse_json(text, table.source, None)
        array_of(document, table.source)[:] = list(rows)
        write_text(path, json.dumps(document, ensure_ascii=False, indent=2 if "\n" in text.strip() else None) + "\n")
    else:
        present = {column for row in rows for column in row}
        columns = [*table.columns, *(each for each in dict.fromkeys(added) if each in present - set(table.columns))]
        write_csv(
            path,
            columns,
            rows,
            delimiter=table.delimiter or ",",
            encoding="utf-8-sig" if table.encoding == "utf-8-sig" else "utf-8",
        )


def newest_version(location: Location) -> Path | None:
    """Return the newest version after the one at ``location``; None when that is the newest."""
    newest = None
    for version in _later_versions(location.path):
        if not version.exists():
            break
        newest = version
    return newest


def next_version(path: Path) -> Path:
    """Return the first name after ``my_set.csv`` (``my_set.v2.csv``, ``my_set.v3.csv``, ...) that is free."""
    return next(version for version in _later_versions(path) if not version.exists())


def _later_versions(path: Path) -> Iterator[Path]:
    """Return the names of the versions that come after the one at ``path``, without an end."""
    place = path if path.name else path.resolve()
    name, suffix = (place.name, "") if place.is_dir() else (place.stem, place.suffix)
    versioned = _VERSIONED.fullmatch(name)
    base, number = (versioned["name"], int(versioned["number"])) if versioned else (name, 1)
    return (place.with_name(f"{base}.v{later}{suffix}") for later in itertools.count(number + 1))


def _verify(path: Path, loaded: LoadedSet, edits: Sequence[Edit], options: LoadOptions) -> None:
    again = load_golden(path, replace(options, encoding=None))
    wanted = {(item.id, item.dimension): (item.label, item.note) for item in loaded.golden.items}
    edited = set()
    for edit in edits:
        key = (edit.item.id, edit.item.dimension)
        label, note = wanted[key]
        wanted[key] = (label if edit.label is None else edit.label, note if edit.note is None else edit.note)
        edited.add(key)
    found = {(item.id, item.dimension): (item.label, item.note) for item in again.golden.items}
    same_labels = {key: label for key, (label, _) in found.items()} == {
        key: label for key, (label, _) in wanted.items()
    }
    if not same_labels or any(found[key] != wanted[key] for key in edited):
        raise InputError(
            "labels and notes would not be found again in the new version; give the set columns 'label' and 'note'",
            file=loaded.source,
        )


def _said(loaded: LoadedSet, edits: Sequence[Edit], targets: Mapping[str, _Target]) -> tuple[str, ...]:
    relabelled = {edit.item.dimension for edit in edits if edit.label is not None}
    added = dict.fromkeys(targets[name].label for name in targets if name in relabelled and targets[name].from_raters)
    said = [f"gold came from raters: column '{column}' now holds every gold label and decides" for column in added]
    if not loaded.table.encoding.startswith("utf-8"):
        said.append(f"the new version is UTF-8, the old one {loaded.table.encoding}: leave --encoding away")
    return tuple(said)


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
