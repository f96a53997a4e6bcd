"""Taking new labels in: a new version of a set beside the old one, which stays as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from calibrate.domain import Item, Json, Text
from calibrate.errors import InputError
from calibrate.golden.cells import cell_text, is_blank
from calibrate.golden.columns import ColumnFinder
from calibrate.golden.declaration import LabelReader
from calibrate.golden.gold import read_label
from calibrate.golden.load import LoadedSet, load_golden
from calibrate.golden.options import LoadOptions
from calibrate.golden.table import Table
from calibrate.golden.tables import read_table
from calibrate.golden.versions import Edit, newest_version, write_version

__all__ = ["MergeResult", "merge"]


@dataclass(frozen=True, slots=True)
class MergeResult:
    """What a merge did.

    Attributes:
        path: the new version; the set itself when nothing changed, the newest version when it holds the edits already.
        labels: (id, old label or None, new label) of each item whose label changed.
        notes: ids of the items whose note changed.
        confirmed: ids of the items whose new label is the old one.
        blank: how many rows were left blank, label and note.
        messages: what else there is to say, in sentences.
    """

    path: Path
    labels: tuple[tuple[str, str | None, str], ...]
    notes: tuple[str, ...]
    confirmed: tuple[str, ...]
    blank: int
    messages: tuple[str, ...]

    @property
    def changed(self) -> int:
        """How many items changed, by label or by note."""
        return len({item_id for item_id, _, _ in self.labels} | set(self.notes))


def merge(set_path: str | Path, labels_path: str | Path, options: LoadOptions | None = None) -> MergeResult:
    """Write a new version of a golden set with new labels and notes, beside the old one.

    A folder ``NAME`` gives the folder ``NAME.v2``, a file ``name.csv`` the file ``name.v2.csv`` (the next free number).
    Where gold is what raters agree on, the new version gets a label column with all gold labels, so that the new ones
    win. When the newest version holds all the edits already, none is written.

    Args:
        set_path: the set, as for `load_golden`.
        labels_path: a table with ``id``, ``dimension`` if the set has several, ``label_new`` and ``note``; blank cells
            change nothing. Input columns, where present, must still hold what the set holds.
        options: what the user says about the set beside its card.

    Raises:
        InputError: an unknown id, a bad label or a changed input, by row; nothing is written then.
    """
    options = replace(options or LoadOptions(), strict=False)
    loaded = load_golden(set_path, options)
    if options.dimension is not None and (loaded.layout.dimension is not None or loaded.layout.side_by_side):
        # Every dimension goes into the new version, whichever one the caller is at work on.
        options = replace(options, dimension=None)
        loaded = load_golden(set_path, options)
    labels = read_table(labels_path, encoding=options.encoding)
    edits, blank, messages = _edits(loaded, labels)
    new_labels = tuple((edit.item.id, edit.item.label, edit.label) for edit in edits if edit.label is not None)
    changed = tuple(each for each in new_labels if each[1] != each[2])
    confirmed = tuple(item_id for item_id, old, new in new_labels if old == new)
    notes = tuple(edit.item.id for edit in edits if edit.note is not None and edit.note != edit.item.note)
    if not changed and not notes:
        said = "nothing changed, so no new version was written"
        return MergeResult(loaded.location.path, (), (), confirmed, blank, (*messages, said))
    newest = newest_version(loaded.location)
    if newest is not None and _holds(newest, edits, loaded, options):
        said = f"{newest} holds these labels and notes already, so no new version was written"
        return MergeResult(newest, (), (), confirmed, blank, (*messages, said))
    path, said_of_version = write_version(loaded, edits, options=options, taken_from=Path(labels_path).name)
    return MergeResult(path, changed, notes, confirmed, blank, (*messages, *said_of_version))


def _holds(version: Path, edits: Sequence[Edit], loaded: LoadedSet, options: LoadOptions) -> bool:
    """Whether a version has the set's items, with the edits taken in."""
    try:
        golden = load_golden(version, replace(options, encoding=None)).golden
    except InputError:  # somebody else's file, or one that was edited since
        return False
    found = {(item.id, item.dimension): item for item in golden.items}
    if found.keys() != {(item.id, item.dimension) for item in loaded.golden.items}:
        return False
    pairs = [(edit, found[edit.item.id, edit.item.dimension]) for edit in edits]
    return all(edit.label in (None, item.label) and edit.note in (None, item.note) for edit, item in pairs)


def _edits(loaded: LoadedSet, labels: Table) -> tuple[list[Edit], int, tuple[str, ...]]:
    finder = ColumnFinder(labels.columns, labels.source)
    columns = {name: finder.named(name, name) for name in ("id", "label_new")}
    note, dimension = (next(iter(finder.candidates(role)), None) for role in ("note", "dimension"))
    items = {(item.id, item.dimension): item for item in loaded.golden.items}
    edits: dict[tuple[str, str], Edit] = {}
    rows: dict[tuple[str, str], int] = {}
    blank = stale = 0
    for row_number, row in labels.numbered():
        item = _item(row, row_number, columns["id"], dimension, items, loaded, labels)
        key = (item.id, item.dimension)
        if key in rows:
            raise InputError(
                f"id '{item.id}' appears twice, in rows {rows[key]} and {row_number}",
                file=labels.source,
                row=row_number,
            )
        rows[key] = row_number
        _refuse_changed_inputs(item, row, row_number, labels)
        cell = row.get(columns["label_new"])
        label = read_label(cell, row_number, columns["label_new"], loaded.readers[item.dimension], labels.source)
        new_note = cell_text(row.get(note)) if note is not None and not is_blank(row.get(note)) else None
        if label is None and new_note is None:
            blank += 1
            continue
        stale += _differs(row.get("label"), item, loaded.readers[item.dimension])
        edits[key] = Edit(item, label, new_note)
    messages = ("label in " + (f"{stale} rows is" if stale > 1 else "1 row is") + " not the set's; label_new decides",)
    return list(edits.values()), blank, messages if stale else ()


def _item(
    row: Mapping[str, Json],
    row_number: int,
    id_column: str,
    dimension_column: str | None,
    items: Mapping[tuple[str, str], Item],
    loaded: LoadedSet,
    labels: Table,
) -> Item:
    item_id = cell_text(row.get(id_column))
    if dimension_column is not None and not is_blank(row.get(dimension_column)):
        dimensions = [cell_text(row.get(dimension_column)).strip()]
    else:
        dimensions = [name for name in loaded.golden.dimensions if (item_id, name) in items]
    if len(dimensions) > 1:
        raise InputError(
            f"item '{item_id}' has several dimensions ({', '.join(dimensions)}); say which in a column 'dimension'",
            file=labels.source,
            row=row_number,
        )
    item = items.get((item_id, dimensions[0])) if dimensions else None
    if item is None:
        where = f" in dimension '{dimensions[0]}'" if dimensions else ""
        raise InputError(
            f"no item '{item_id}'{where} in {loaded.source}", file=labels.source, row=row_number, field=id_column
        )
    return item


def _refuse_changed_inputs(item: Item, row: Mapping[str, Json], row_number: int, labels: Table) -> None:
    for name, text in item.inputs.items():
        if name in labels.columns and _comparable(row.get(name)) != _comparable(_as_cell(text)):
            raise InputError(
                f"the {name} of item '{item.id}' is not the set's any more; label the item as it is now",
                file=labels.source,
                row=row_number,
                field=name,
            )


def _as_cell(text: Text) -> Json:
    return text if isinstance(text, str) else list(text)


def _comparable(cell: Json) -> str:
    """A cell's text with line ends as spreadsheets leave them."""
    return cell_text(cell).replace("\r\n", "\n").replace("\r", "\n")


def _differs(cell: Json, item: Item, reader: LabelReader) -> bool:
    return not is_blank(cell) and reader.read(cell) != item.label
