"""How a table and its card come together: which column feeds what, for each dimension."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.golden.card import Card, DimensionCard
from calibrate.golden.cells import cell_text, is_blank
from calibrate.golden.columns import INPUT_ROLES, ColumnFinder
from calibrate.golden.table import Table

__all__ = ["DimensionColumns", "Layout", "lay_out", "usual_dimension"]


@dataclass(frozen=True, slots=True)
class DimensionColumns:
    """The columns of one dimension.

    Attributes:
        label: the gold label, or None when gold comes from raters.
        raters: one column per rater.
        adjudicated: decides where raters tie.
        note: the experts' notes.
    """

    label: str | None = None
    raters: tuple[str, ...] = ()
    adjudicated: str | None = None
    note: str | None = None

    @property
    def used(self) -> set[str]:
        """All of them."""
        return {column for column in (self.label, self.adjudicated, self.note, *self.raters) if column is not None}


@dataclass(frozen=True, slots=True)
class Layout:
    """Which column feeds what.

    Attributes:
        source: the table's file, for messages.
        id: the column with the ids; None when they are made from the inputs.
        dimension: the column that names each row's dimension, if there is one.
        names: the dimensions of a table without such a column: one, or several label columns side by side.
        only: with a dimension column: the one dimension that is wanted, if not all are.
        inputs: input name to column, in the order in which a judge sees them.
        usual_inputs: the names of those that a judge of a dimension sees that lists none of its own.
        own_inputs: those that it sees, for the dimensions that list their own.
        inputs_declared: the user listed the inputs, so that even one that is empty throughout is kept.
        group: the column with the resampling unit.
        empty_label: a label column without a single label, beside raters from whom gold comes instead.
        default: the columns of a dimension that has none of its own.
        own: the columns of the dimensions that have.
        side_by_side: the table has the labels of several dimensions side by side.
        found: what the usual names gave, in words.
        messages: what else there is to say.
    """

    source: str
    id: str | None
    dimension: str | None
    names: tuple[str, ...]
    only: str | None
    inputs: Mapping[str, str]
    usual_inputs: tuple[str, ...]
    own_inputs: Mapping[str, tuple[str, ...]]
    inputs_declared: bool
    group: str | None
    empty_label: str | None
    default: DimensionColumns
    own: Mapping[str, DimensionColumns]
    side_by_side: bool
    found: str
    messages: tuple[str, ...]

    def of(self, dimension: str) -> DimensionColumns:
        """Return the columns of a dimension."""
        return self.own.get(dimension, self.default)

    def inputs_of(self, dimension: str) -> tuple[str, ...]:
        """Return the names of the inputs that a judge of a dimension sees."""
        return self.own_inputs.get(dimension, self.usual_inputs)

    def dimensions_of(self, row: Mapping[str, Json], row_number: int) -> tuple[str, ...]:
        """Return the dimensions that a row has a label for, or () when it is not wanted.

        Raises:
            InputError: the dimension column is empty there.
        """
        if self.dimension is None:
            return self.names
        cell = row.get(self.dimension)
        if is_blank(cell):
            raise InputError("no dimension", file=self.source, row=row_number, field=self.dimension)
        name = cell_text(cell).strip()
        return (name,) if self.only in (None, name) else ()

    @property
    def used(self) -> set[str]:
        """All columns with a use; the others are attributes."""
        single = {column for column in (self.id, self.dimension, self.group) if column is not None}
        return single.union(self.inputs.values(), self.default.used, *(each.used for each in self.own.values()))


def lay_out(table: Table, card: Card) -> Layout:
    """Work out which column feeds what.

    Raises:
        InputError: a declared column does not exist, two columns could have one role, or there is no input at all.
    """
    finder = _finder(table, card)
    side_by_side = any(each.label or each.raters for each in card.dimensions.values())
    id_column = finder.find("id")
    dimension = finder.find("dimension") if "dimension" in card.columns or not side_by_side else None
    usual = _declared_inputs(card.inputs, finder) if card.inputs else _usual_inputs(finder)
    own_inputs = {name: _declared_inputs(each.inputs, finder) for name, each in card.dimensions.items() if each.inputs}
    inputs = {name: column for found in (usual, *own_inputs.values()) for name, column in found.items()}
    wide = side_by_side and dimension is None
    default = _default_columns(card, finder, wide=wide)
    empty_label = default.label if default.raters and _all_blank(table, default.label) else None
    if empty_label is not None:
        default = replace(default, label=None)
    own = {name: _own_columns(name, each, default, finder) for name, each in card.dimensions.items()}
    _refuse_labels_as_inputs(inputs, (default, *own.values()), finder)
    names, messages = ((), ()) if dimension else _names(card, table, inputs, wide=wide)
    return Layout(
        source=table.source,
        id=id_column,
        dimension=dimension,
        names=names,
        only=card.dimension if dimension else None,
        inputs=inputs,
        usual_inputs=tuple(usual),
        own_inputs={name: tuple(found) for name, found in own_inputs.items()},
        inputs_declared=bool(card.inputs),
        group=finder.named(card.group, "group") if card.group else None,
        empty_label=empty_label,
        default=default,
        own=own,
        side_by_side=wide,
        found=finder.mapping + (f"; raters {', '.join(default.raters)}" if default.raters else ""),
        messages=(
            *messages,
            *((f"column '{empty_label}' is empty: gold comes from the raters",) if empty_label is not None else ()),
        ),
    )


def usual_dimension(*, has_context: bool) -> tuple[str, str]:
    """Return the dimension of a set that names none, and the sentence that says so."""
    if has_context:
        return "faithfulness", "dimension: faithfulness (none is named, and the set has a context)"
    return "quality", "dimension: quality (none is named, and the set has no context)"


def _all_blank(table: Table, column: str | None) -> bool:
    return column is not None and all(is_blank(row.get(column)) for row in table.rows)


def _finder(table: Table, card: Card) -> ColumnFinder:
    own_keys = {"id": card.id, "label": card.label, "note": card.note}
    given = {**card.columns, **{role: column for role, column in own_keys.items() if column is not None}}
    declared = [card.group, card.adjudicated, *card.raters]
    for each in card.dimensions.values():
        declared += [each.label, each.adjudicated, each.note, *each.raters]
    return ColumnFinder(
        table.columns, table.source, given=given, taken={column for column in declared if column is not None}
    )


def _usual_inputs(finder: ColumnFinder) -> dict[str, str]:
    inputs = {role: column for role in INPUT_ROLES if (column := finder.find(role)) is not None}
    if not inputs:
        raise InputError(
            "no column with an input such as question, context or answer; name them with --column answer=NAME, or "
            "inputs = [...] in card.toml",
            file=finder.source,
        )
    return inputs


def _declared_inputs(entries: Iterable[str], finder: ColumnFinder) -> dict[str, str]:
    inputs: dict[str, str] = {}
    for entry in entries:
        by_role = finder.find(entry) if entry in INPUT_ROLES and entry not in finder.columns else None
        column = by_role or finder.named(entry, "inputs")
        name = finder.role_of(column, INPUT_ROLES) or re.sub(r"[^\w.-]+", "_", column).strip("_")
        if name in inputs:
            raise InputError(
                f"columns '{inputs[name]}' and '{column}' would both be the input {name}",
                file=finder.source,
                field="inputs",
            )
        inputs[name] = finder.found[name] = column
    return inputs


def _refuse_labels_as_inputs(
    inputs: Mapping[str, str], columns: Iterable[DimensionColumns], finder: ColumnFinder
) -> None:
    """A judge that sees what the experts said agrees with them for the wrong reason."""
    uses = dict.fromkeys(finder.raters(), "is a rater's")
    for each in columns:
        uses |= dict.fromkeys(each.raters, "is a rater's")
        named = {each.note: "holds the experts' notes", each.adjudicated: "decides where raters tie"}
        uses |= {column: use for column, use in {**named, each.label: "holds the gold labels"}.items() if column}
    for column in inputs.values():
        if column in uses:
            raise InputError(
                f"column '{column}' {uses[column]}, which a judge must not see; leave it out of the inputs (--inputs, "
                "or inputs in card.toml)",
                file=finder.source,
                field="inputs",
            )


def _default_columns(card: Card, finder: ColumnFinder, *, wide: bool) -> DimensionColumns:
    note = finder.find("note")
    if wide:
        return DimensionColumns(note=note)
    return DimensionColumns(
        label=finder.find("label"),
        raters=tuple(finder.named(column, "raters") for column in card.raters) or finder.raters(),
        adjudicated=finder.named(card.adjudicated, "adjudicated") if card.adjudicated else None,
        note=note,
    )


def _own_columns(name: str, card: DimensionCard, default: DimensionColumns, finder: ColumnFinder) -> DimensionColumns:
    where = f"dimensions.{name}"
    raters = tuple(finder.named(column, f"{where}.raters") for column in card.raters)
    label = finder.named(card.label, f"{where}.label") if card.label else None
    return DimensionColumns(
        label=label if label or raters else default.label,
        raters=raters or default.raters,
        adjudicated=finder.named(card.adjudicated, f"{where}.adjudicated") if card.adjudicated else default.adjudicated,
        note=finder.named(card.note, f"{where}.note") if card.note else default.note,
    )


def _names(
    card: Card, table: Table, inputs: Mapping[str, str], *, wide: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    declared = tuple(card.dimensions)
    if not wide and len(declared) > 1 and card.dimension is None:
        raise InputError(
            f"dimensions {', '.join(declared)} share one table without a dimension column; say where each has its "
            f'labels: [dimensions.{declared[0]}] label = "..."',
            file=table.source,
        )
    if wide:
        bare = [name for name, each in card.dimensions.items() if not each.label and not each.raters]
        if bare:
            raise InputError("no label column and no raters", file=table.source, field=f"dimensions.{bare[0]}")
        if card.dimension is None:
            return declared, ()
        if card.dimension not in declared:
            raise InputError(
                f"no such dimension; known are {', '.join(declared)}", file=table.source, field="dimension"
            )
    if card.dimension is not None:
        return (card.dimension,), ()
    if declared:
        return declared, ()
    context = inputs.get("context")
    name, message = usual_dimension(has_context=context is not None and not _all_blank(table, context))
    return (name,), (message,)
