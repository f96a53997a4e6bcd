"""Recorded verdicts: a table with a human column and one or more judge columns, no model needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from calibrate.domain import Json, Scale, Verdict
from calibrate.errors import InputError
from calibrate.golden.cells import cell_text, is_blank
from calibrate.golden.declaration import FoundLabels, LabelReader, find_labels, resolve_scale
from calibrate.golden.gold import read_label
from calibrate.golden.imports import Imported, read_imported
from calibrate.golden.judge_columns import JudgeColumn
from calibrate.golden.messages import deduced_in_words, listed, listing
from calibrate.golden.pass_rules import PassRule
from calibrate.golden.recorded_confidence import with_confidence
from calibrate.golden.recorded_labels import with_labels
from calibrate.golden.recorded_options import RecordedOptions
from calibrate.golden.recorded_raters import read_ratings
from calibrate.golden.recorded_rows import RecordedColumns, RecordedRows, find_recorded_columns, pick
from calibrate.golden.table import Table
from calibrate.golden.tables import read_table

__all__ = ["Recorded", "load_recorded"]


@dataclass(frozen=True, slots=True)
class Recorded:
    """Recorded verdicts; every sequence has one entry per row, in file order.

    Attributes:
        source: the table's path.
        scales: the scale of each dimension, in order of appearance.
        rows: row numbers in the file.
        ids: the items' ids.
        dimensions: each row's dimension.
        human: the human label, or None where there is none.
        verdicts: judge column to its verdicts.
        groups: the resampling unit, or None.
        slices: slice column to its values; None where the cell is empty.
        runs: which repeat of the item a row is; None when no run column was named.
        messages: what was mapped, deduced and left out, in sentences.
        unlabelled: how many rows have no human label.
        ratings: each row's labels by rater, from the columns that are named as a rater's.
        gold: where the human label comes from, in words.
        asked: on which rows a judge was asked, for the judges of a tool's file that were not asked on all.
    """

    source: str
    scales: Mapping[str, Scale]
    rows: tuple[int, ...]
    ids: tuple[str, ...]
    dimensions: tuple[str, ...]
    human: tuple[str | None, ...]
    verdicts: Mapping[str, tuple[Verdict, ...]]
    groups: tuple[str | None, ...]
    slices: Mapping[str, tuple[str | None, ...]]
    runs: tuple[str | None, ...]
    messages: tuple[str, ...]
    unlabelled: int
    ratings: tuple[Mapping[str, str], ...]
    gold: str
    asked: Mapping[str, tuple[bool, ...]] = field(default_factory=dict)

    @property
    def judges(self) -> tuple[str, ...]:
        """The judge columns, in order."""
        return tuple(self.verdicts)

    def select(self, positions: Sequence[int]) -> Recorded:
        """Return only the rows at these positions."""
        human = pick(self.human, positions)
        dimensions = pick(self.dimensions, positions)
        return replace(
            self,
            scales={name: self.scales[name] for name in dict.fromkeys(dimensions)},
            rows=pick(self.rows, positions),
            ids=pick(self.ids, positions),
            dimensions=dimensions,
            human=human,
            verdicts={judge: pick(verdicts, positions) for judge, verdicts in self.verdicts.items()},
            groups=pick(self.groups, positions),
            slices={column: pick(values, positions) for column, values in self.slices.items()},
            runs=pick(self.runs, positions),
            unlabelled=human.count(None),
            ratings=pick(self.ratings, positions),
            asked={judge: pick(asked, positions) for judge, asked in self.asked.items()},
        )

    def asked_of(self, *judges: str) -> Recorded:
        """Return only the rows on which all of these judges were asked."""
        asked = [self.asked[judge] for judge in judges if judge in self.asked]
        if not asked:
            return self
        return self.select([position for position, each in enumerate(zip(*asked, strict=True)) if all(each)])

    def labelled(self) -> Recorded:
        """Return only the rows with a human label."""
        return self.select([position for position, label in enumerate(self.human) if label is not None])


def load_recorded(path: str | Path, options: RecordedOptions | None = None) -> Recorded:
    """Read recorded verdicts.

    A judge cell that is empty or outside the declared labels is `Unscored` as ``invalid``, ``CANNOT_ASSESS`` as
    ``abstained``, and the words abstained, refused, truncated, error and invalid as what they say.

    Raises:
        InputError: one line that names file, row and field and says what to do.
    """
    options = options or RecordedOptions()
    imported = _read(path, options)
    if options.labels_from is not None:
        imported, options = with_labels(imported, options.labels_from, options)
    table = imported.table
    columns = find_recorded_columns(imported, options)
    rows = RecordedRows.of(table, columns, options)
    ids, runs = rows.ids(columns), rows.texts(columns.run)
    _refuse_repeats(rows, ids, runs, columns, table.source)
    reader, human = _human(rows, columns, table, options)
    verdicts, said_of_judges = _verdicts(rows, columns, table, options, reader.scale)
    ratings, said_of_raters = read_ratings(rows, columns, table, options, reader.scale)
    asked = rows.asked(columns)
    unlabelled = [item_id for item_id, label in zip(ids, human, strict=True) if label is None]
    deduced = {"": reader.scale} if options.scale is None else {}
    return Recorded(
        source=table.source,
        scales=dict.fromkeys(rows.dimensions, reader.scale),
        rows=rows.numbers,
        ids=ids,
        dimensions=rows.dimensions,
        human=human,
        verdicts=verdicts,
        groups=rows.texts(columns.group),
        slices={column: rows.texts(column) for column in columns.by},
        runs=runs,
        messages=(
            *table.messages,
            f"columns: human <- {columns.human or 'none'}; judge{'s' if len(verdicts) > 1 else ''} "
            f"{listing(tuple(verdicts))}",
            *rows.messages,
            *deduced_in_words(deduced, dimensions=1),
            *said_of_judges,
            *(
                f"judge '{judge}' was not asked on {each.count(False)} of {len(each)} rows, which do not count for it"
                for judge, each in asked.items()
                if judge in verdicts
            ),
            *said_of_raters,
            *(
                listed("row without a human label, left out", "rows without a human label, left out", unlabelled)
                if columns.human
                else ()
            ),
        ),
        unlabelled=len(unlabelled),
        ratings=ratings,
        gold=f"as given in column '{columns.human}'" if columns.human else "none",
        asked={judge: each for judge, each in asked.items() if judge in verdicts},
    )


def _read(path: str | Path, options: RecordedOptions) -> Imported:
    """Read the table, or the file of another tool as one."""
    if options.from_tool is None:
        return Imported(read_table(path, encoding=options.encoding, delimiter=options.delimiter))
    return read_imported(path, options.from_tool, encoding=options.encoding, delimiter=options.delimiter)


def _refuse_repeats(
    rows: RecordedRows, ids: Sequence[str], runs: Sequence[str | None], columns: RecordedColumns, source: str
) -> None:
    keys = list(zip(ids, rows.dimensions, runs, strict=True))
    if len(set(keys)) == len(keys) and all(ids):
        return
    first: dict[tuple[str, str, str | None], int] = {}
    for key, row_number in zip(keys, rows.numbers, strict=True):
        if not key[0]:
            raise InputError("no id", file=source, row=row_number, field=columns.id)
        seen = first.setdefault(key, row_number)
        if seen != row_number:
            hint = "within one run" if columns.run else "if these are repeats, name their column with --run"
            raise InputError(
                f"id '{key[0]}' appears twice, in rows {seen} and {row_number}; {hint}",
                file=source,
                row=row_number,
                field=columns.id,
            )


def _human(
    rows: RecordedRows, columns: RecordedColumns, table: Table, options: RecordedOptions
) -> tuple[LabelReader, tuple[str | None, ...]]:
    declared = options.declared(table.columns, columns.human or "")
    cells = rows.column(columns.human)
    rule = columns.rules.get(columns.human or "")
    found = find_labels(cells, declared.aliases) if rule is None else FoundLabels({}, {"0.0": 0, "1.0": 0})
    scale = resolve_scale(declared, found, source=table.source)
    if columns.rules and scale.kind != "binary":
        raise InputError(f"only binary labels can pass or fail; these are {scale.kind}", field="pass_if")
    reader = LabelReader(scale, declared.aliases, source=table.source)
    numbered = zip(rows.numbers, cells, strict=True)
    if rule is not None:
        return reader, tuple(_passed(cell, row_number, rule, scale, table.source) for row_number, cell in numbered)
    known: dict[str, str | None] = {}
    labels = []
    for row_number, cell in numbered:
        if isinstance(cell, str) and cell in known:
            labels.append(known[cell])
            continue
        label = read_label(cell, row_number, columns.human or "", reader, table.source)
        if isinstance(cell, str):
            known[cell] = label
        labels.append(label)
    return reader, tuple(labels)


def _passed(cell: Json, row_number: int, rule: PassRule, scale: Scale, source: str) -> str | None:
    if is_blank(cell):
        return None
    passes = rule.passes(cell)
    if passes is None:
        raise InputError(f"'{cell_text(cell)}' is not a number", file=source, row=row_number, field=rule.column)
    return scale.positive if passes else scale.negative


def _verdicts(
    rows: RecordedRows, columns: RecordedColumns, table: Table, options: RecordedOptions, scale: Scale
) -> tuple[dict[str, tuple[Verdict, ...]], tuple[str, ...]]:
    judges = []
    for name in columns.judges:
        reader = LabelReader(scale, options.declared(table.columns, name).aliases, source=table.source)
        judges.append(JudgeColumn(name, rows.column(name), reader, columns.rules.get(name)))
    binary = scale.kind == "binary"
    sound = [
        judge for judge in judges if judge.blank or (judge.states_any and not (binary and judge.fraction is not None))
    ]
    if sound and not columns.judges_named:
        # Columns that only look like a judge's by their name (judge_x_score beside judge_x) do not stop the others.
        left_out = [judge.name for judge in judges if judge not in sound]
    else:
        sound, left_out = judges, []
    said = [f"column '{name}' holds no labels, left out; to use it name it with --judge" for name in left_out]
    for judge in sound:
        if binary and judge.fraction is not None:
            raise InputError(
                f"{cell_text(rows.column(judge.name)[judge.fraction])} is no label ({', '.join(scale.labels)}); "
                f'numbers become labels by a rule such as --pass-if "{judge.name} >= 0.5"',
                file=table.source,
                row=rows.numbers[judge.fraction],
                field=judge.name,
            )
        if not judge.states_any:
            said.append(
                f"judge '{judge.name}': no cell is one of {', '.join(scale.labels) or 'the scores'}; --map WORD=LABEL "
                "maps other words, --pass-if turns numbers into labels"
            )
    found = {}
    for judge in sound:
        reasons = rows.column(columns.reasons[judge.name]) if judge.name in columns.reasons else None
        found[judge.name], message = with_confidence(judge.name, judge.verdicts(reasons), rows, columns, table.source)
        said += [message] if message else []
    return found, tuple(said)
