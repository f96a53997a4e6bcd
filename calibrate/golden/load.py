"""Loading a golden set: a folder with a card, a single file with options, or a set that comes with the package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibrate.domain import GoldenSet, Item, Json
from calibrate.errors import InputError
from calibrate.golden.card import Card
from calibrate.golden.cells import cell_text, is_blank
from calibrate.golden.columns import spanish_names
from calibrate.golden.declaration import LabelReader, find_labels, resolve_scale
from calibrate.golden.drafts import Draft, draft_items, unused_inputs, without_inputs
from calibrate.golden.gold import Gold, gold_in_words, gold_of
from calibrate.golden.layout import Layout, lay_out
from calibrate.golden.locate import Location, locate
from calibrate.golden.messages import (
    deduced_in_words,
    language_in_words,
    listed,
    rows_left_out,
    undeclared_in_words,
    unused_in_words,
)
from calibrate.golden.options import LoadOptions
from calibrate.golden.table import Table
from calibrate.golden.tables import read_table

__all__ = ["LoadedSet", "load_golden"]


@dataclass(frozen=True, slots=True)
class LoadedSet:
    """A golden set and what there is to say about how it was read.

    Attributes:
        golden: the set, unlabelled items included (their label is None).
        source: the table's path.
        messages: what was mapped, left out or empty, in sentences.
        unlabelled: ids of items without a gold label, ties not counted.
        ties: ids of items whose raters tie and that nothing decides.
        empty_inputs: (id, input name) of every empty input.
        readers: dimension to what reads its labels.
        layout: which column feeds what.
        table: the table as read.
        location: where the set, its card and its table are.
    """

    golden: GoldenSet
    source: str
    messages: tuple[str, ...]
    unlabelled: tuple[str, ...]
    ties: tuple[str, ...]
    empty_inputs: tuple[tuple[str, str], ...]
    readers: Mapping[str, LabelReader]
    layout: Layout
    table: Table
    location: Location


def load_golden(path: str | Path, options: LoadOptions | None = None) -> LoadedSet:
    """Load a golden set.

    Args:
        path: a table, a folder that holds one (and a ``card.toml``), or the name of a set that comes with the package.
        options: what the user says beside the card.

    Raises:
        InputError: one line that names file, row and field and says what to do.
    """
    options = options or LoadOptions()
    location = locate(path)
    card = options.over(location.card)
    table = read_table(location.table, encoding=options.encoding, delimiter=options.delimiter)
    layout = lay_out(table, card)
    drafts = draft_items(table, layout)
    unused = unused_inputs(drafts, layout)
    readers = _readers(drafts, layout, card, options)
    pairs = _items(without_inputs(drafts, unused), table, layout, readers)
    golden = GoldenSet(
        name=card.name or location.name,
        items=tuple(item for item, _ in pairs),
        scales={dimension: reader.scale for dimension, reader in readers.items()},
        provenance=card.provenance,
        language=card.language,
        gold=_gold(pairs, layout, readers),
    )
    unlabelled = tuple(item.id for item, gold in pairs if gold.label is None and not gold.tie)
    ties = tuple(item.id for item, gold in pairs if gold.label is None and gold.tie)
    if options.strict:
        _refuse_unlabelled(golden, table.source)
    empty = tuple(
        (item.id, name) for item in golden.items for name, text in item.inputs.items() if not "".join(text).strip()
    )
    said = (
        *table.messages,
        f"columns: {layout.found}",
        *layout.messages,
        *language_in_words(card.language),
        *(() if "language" in card.model_fields_set else undeclared_in_words(spanish_names(layout.used))),
        *rows_left_out(table, drafts),
        *unused_in_words(unused, dimensions=len(readers)),
        *deduced_in_words(
            {name: each.scale for name, each in readers.items() if options.declared(card, name).scale is None},
            dimensions=len(readers),
        ),
        *listed("item without a label, left out", "items without a label, left out", unlabelled),
        *listed("item on which raters tie, left out", "items on which raters tie, left out", ties),
        *((f"{len(golden.labelled)} items used",) if unlabelled or ties else ()),
        *listed("empty input", "empty inputs", [f"{item_id} {name}" for item_id, name in empty]),
    )
    return LoadedSet(golden, table.source, said, unlabelled, ties, empty, readers, layout, table, location)


def _readers(drafts: Sequence[Draft], layout: Layout, card: Card, options: LoadOptions) -> dict[str, LabelReader]:
    cells: dict[str, list[Json]] = {}
    for draft in drafts:
        columns = layout.of(draft.dimension)
        named = (columns.label, columns.adjudicated, *columns.raters)
        cells.setdefault(draft.dimension, []).extend(draft.row.get(column) for column in named if column is not None)
    if options.needs_labels:
        for name in cells:
            _refuse_without_labels(name, layout)
    declared = {name: options.declared(card, name) for name in cells}
    readers = {}
    for name, declaration in declared.items():
        # What is declared once for several dimensions is completed by the labels of all of them.
        shared = declaration.scale is not None or declaration.positive is not None
        pool = [other for other in cells if declared[other] == declaration] if shared else [name]
        found = find_labels((cell for other in pool for cell in cells[other]), declaration.aliases)
        scale = resolve_scale(declaration, found, source=layout.source)
        readers[name] = LabelReader(scale, declaration.aliases, source=layout.source)
    return readers


def _refuse_without_labels(dimension: str, layout: Layout) -> None:
    columns = layout.of(dimension)
    if columns.label is None and not columns.raters:
        raise InputError(
            f"no column holds labels of {dimension} (usual names: label, human_label, human, rater_*); name it with "
            "--human NAME, or label in card.toml",
            file=layout.source,
        )


def _refuse_unlabelled(golden: GoldenSet, source: str) -> None:
    without = [item for item in golden.items if item.label is None]
    if without:
        count = f"{len(without)} items have" if len(without) > 1 else "1 item has"
        raise InputError(
            f"item '{without[0].id}' has no gold label ({count} none); label it, or leave --strict away",
            file=source,
            row=without[0].row,
        )


def _items(
    drafts: Sequence[Draft], table: Table, layout: Layout, readers: Mapping[str, LabelReader]
) -> list[tuple[Item, Gold]]:
    used = layout.used
    others = [column for column in table.columns if column not in used]
    pairs = []
    for draft in drafts:
        columns, row = layout.of(draft.dimension), draft.row
        gold = gold_of(row, draft.row_number, columns, readers[draft.dimension], table.source)
        group = row.get(layout.group) if layout.group else None
        item = Item(
            id=draft.id,
            dimension=draft.dimension,
            inputs=draft.inputs,
            label=gold.label,
            ratings=gold.ratings,
            note=cell_text(row.get(columns.note)) if columns.note else "",
            group=None if is_blank(group) else cell_text(group),
            attributes={column: cell_text(row[column]) for column in others if row.get(column) is not None},
            row=draft.row_number,
        )
        pairs.append((item, gold))
    return pairs


def _gold(pairs: Sequence[tuple[Item, Gold]], layout: Layout, readers: Mapping[str, LabelReader]) -> str:
    words = {}
    for name, reader in readers.items():
        raters = {rater for item, gold in pairs if item.dimension == name for rater in gold.ratings}
        words[name] = gold_in_words(layout.of(name), len(raters), interval=reader.scale.kind == "interval")
    if len(set(words.values())) == 1:
        return next(iter(words.values()))
    return "; ".join(f"{name}: {made}" for name, made in words.items())
