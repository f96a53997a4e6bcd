"""Human labels from a table of their own, joined by id to verdicts that were recorded without them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.golden.cells import cell_text, is_blank
from calibrate.golden.columns import ColumnFinder
from calibrate.golden.imports import Imported
from calibrate.golden.recorded_options import RecordedOptions
from calibrate.golden.table import Table
from calibrate.golden.tables import read_table

__all__ = ["with_labels"]


def with_labels(imported: Imported, path: str | Path, options: RecordedOptions) -> tuple[Imported, RecordedOptions]:
    """Add the labels of a table to the rows with the same id, as the human column.

    Args:
        imported: the verdicts.
        path: a table with an id column and a label column, found by their usual names; ``options.human`` names another
            label column.
        options: how the verdicts are read; ``options.id`` names their id column.

    Raises:
        InputError: a column is missing, an id has two labels, or no id is one of the verdicts'.
    """
    table, labels = imported.table, read_table(path)
    finder = ColumnFinder(labels.columns, labels.source)
    own = finder.find("id")
    column = finder.named(options.human, "human") if options.human else finder.find("label")
    if own is None or column is None:
        missing = "id" if own is None else "label"
        raise InputError(
            f"no column '{missing}'; a table of labels has the ids of the verdicts in 'id', and their labels in "
            "'label', 'human_label' or the column named with --human",
            file=labels.source,
        )
    given = _by_id(labels, own, column)
    id_column = options.id or imported.id or ColumnFinder(table.columns, table.source).find("id")
    if id_column is None:
        raise InputError("no id column to join the labels by; name it with --id", file=table.source)
    id_column = ColumnFinder(table.columns, table.source).named(id_column, "id")
    ids = [cell_text(row.get(id_column)).strip() for row in table.rows]
    matched = sum(each in given for each in ids)
    if not matched:
        raise InputError(
            f"none of its ids is an id of the verdicts, such as '{ids[0][:80]}' in column '{id_column}'",
            file=labels.source,
        )
    name = column
    while name in table.columns:
        name = f"{name} (labels)"
    unused = len(given.keys() - set(ids))
    said = f"human labels of {matched} of {len(ids)} rows <- {Path(path).name}, column {column}"
    joined = replace(
        table,
        columns=(*table.columns, name),
        rows=tuple({**row, name: given.get(each)} for row, each in zip(table.rows, ids, strict=True)),
        messages=(*table.messages, said + (f"; {unused} of its ids are of no row" if unused else "")),
    )
    return replace(imported, table=joined), replace(options, human=name)


def _by_id(labels: Table, own: str, column: str) -> Mapping[str, Json]:
    found: dict[str, Json] = {}
    for row_number, row in labels.numbered():
        item, label = cell_text(row.get(own)).strip(), row.get(column)
        if not item or is_blank(label):
            continue
        if cell_text(found.setdefault(item, label)) != cell_text(label):
            raise InputError(f"id '{item[:80]}' has two labels", file=labels.source, row=row_number, field=column)
    return found
