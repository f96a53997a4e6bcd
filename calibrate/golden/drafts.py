"""From a table's rows to items whose labels are still unread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from calibrate.domain import Json, Text, digest
from calibrate.errors import InputError
from calibrate.golden.cells import cell_text, is_blank
from calibrate.golden.layout import Layout
from calibrate.golden.table import Table

__all__ = ["Draft", "draft_items", "unused_inputs", "without_inputs"]


@dataclass(frozen=True, slots=True)
class Draft:
    """One item to be."""

    id: str
    dimension: str
    inputs: Mapping[str, Text]
    row: Mapping[str, Json]
    row_number: int


def draft_items(table: Table, layout: Layout) -> list[Draft]:
    """Return one draft per row and dimension.

    Raises:
        InputError: an id is missing or appears twice in a dimension, or the wanted dimension does not occur.
    """
    drafts: list[Draft] = []
    rows_by_id: dict[tuple[str, str], int] = {}
    made_ids: Counter[str] = Counter()
    for row_number, row in table.numbered():
        dimensions = layout.dimensions_of(row, row_number)
        if not dimensions:
            continue
        inputs = {name: _text(row.get(column)) for name, column in layout.inputs.items()}
        if layout.id is not None:
            item_id = _id(row.get(layout.id), row_number, layout)
        else:
            item_id = _made_id(inputs, dimensions, made_ids)
        for dimension in dimensions:
            first = rows_by_id.setdefault((item_id, dimension), row_number)
            if first != row_number:
                raise _appears_twice(item_id, dimension, first, row_number, layout)
            seen = {name: inputs[name] for name in layout.inputs_of(dimension)}
            drafts.append(Draft(item_id, dimension, seen, row, row_number))
    if not drafts:
        names = dict.fromkeys(cell_text(row.get(layout.dimension or "")) for _, row in table.numbered())
        raise InputError(f"no items of dimension '{layout.only}'; the table has {', '.join(names)}", file=table.source)
    return drafts


def unused_inputs(drafts: list[Draft], layout: Layout) -> dict[str, tuple[str, ...]]:
    """Return, by input name, the dimensions in which it is null in every row; none when the inputs were declared."""
    if layout.inputs_declared:
        return {}
    used = {
        (draft.dimension, name)
        for draft in drafts
        for name, column in layout.inputs.items()
        if draft.row.get(column) is not None
    }
    dimensions = tuple(dict.fromkeys(draft.dimension for draft in drafts))
    unused = {name: tuple(each for each in dimensions if (each, name) not in used) for name in layout.inputs}
    return {name: where for name, where in unused.items() if where}


def without_inputs(drafts: list[Draft], unused: Mapping[str, tuple[str, ...]]) -> list[Draft]:
    """Return the drafts without the inputs that their dimension does not use."""
    if not unused:
        return drafts
    return [
        replace(
            draft,
            inputs={name: text for name, text in draft.inputs.items() if draft.dimension not in unused.get(name, ())},
        )
        for draft in drafts
    ]


def _id(cell: Json, row_number: int, layout: Layout) -> str:
    if is_blank(cell):
        raise InputError("no id", file=layout.source, row=row_number, field=layout.id)
    return cell_text(cell)


def _made_id(inputs: Mapping[str, Text], dimensions: tuple[str, ...], made: Counter[str]) -> str:
    """An id from the content, the same in whatever row the item stands; equal items are numbered."""
    base = digest({name: text if isinstance(text, str) else list(text) for name, text in inputs.items()})[:16]
    key = f"{base} {' '.join(dimensions)}"
    made[key] += 1
    return base if made[key] == 1 else f"{base}-{made[key]}"


def _text(cell: Json) -> Text:
    """An input's text: the chunks of a list are kept apart, and what is not text becomes its JSON."""
    return tuple(cell_text(chunk) for chunk in cell) if isinstance(cell, list) else cell_text(cell)


def _appears_twice(item_id: str, dimension: str, first: int, second: int, layout: Layout) -> InputError:
    where = f" in {dimension}" if layout.dimension else ""
    return InputError(
        f"id '{item_id}' appears twice{where}, in rows {first} and {second}; ids must be unique",
        file=layout.source,
        row=second,
        field=layout.id,
    )
