"""The columns and rows of a table of recorded verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn, TypeVar

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.golden.cells import cell_text, is_blank
from calibrate.golden.columns import ColumnFinder
from calibrate.golden.imports import Imported
from calibrate.golden.layout import usual_dimension
from calibrate.golden.messages import listing
from calibrate.golden.pass_rules import PassRule, rules_by_column
from calibrate.golden.recorded_options import RecordedOptions
from calibrate.golden.table import Table

__all__ = ["RecordedColumns", "RecordedRows", "find_recorded_columns", "pick"]

_T = TypeVar("_T")

_MOST_COLUMNS = 30


@dataclass(frozen=True, slots=True)
class RecordedColumns:
    """Which column of a table of recorded verdicts is what.

    ``rules`` are by column, ``reasons`` and ``confidences`` by judge; ``raters`` are those named as
    raters', the human column among them if it is; ``asked`` is of a tool's file (see `Imported`).
    """

    id: str | None
    human: str | None
    judges: tuple[str, ...]
    judges_named: bool
    reasons: Mapping[str, str]
    confidences: Mapping[str, str]
    confidence_named: bool
    rules: Mapping[str, PassRule]
    dimension: str | None
    context: str | None
    group: str | None
    run: str | None
    by: tuple[str, ...]
    raters: tuple[str, ...] = ()
    asked: Mapping[str, str] = field(default_factory=dict)


def find_recorded_columns(imported: Imported, options: RecordedOptions) -> RecordedColumns:
    """Work out which column is what, by the options, by what the format of a tool says, and by the usual names.

    Raises:
        InputError: a named column does not exist, two could have one role, or there is none with labels or verdicts.
    """
    table = imported.table
    bare = ColumnFinder(table.columns, table.source)
    given = {
        role: bare.named(column, option)
        for role, column, option in (("label", options.human, "--human"), ("id", options.id or imported.id, "--id"))
        if column is not None
    }
    other_uses = (options.group, options.run, options.reason, options.confidence_column, *options.judges)
    finder = ColumnFinder(
        table.columns,
        table.source,
        given=given,
        taken={column for column in other_uses if column is not None},
    )

    def optional(column: str | None, field: str) -> str | None:
        return None if column is None else finder.named(column, field)

    if imported.human and options.human is None:
        human = imported.human_column(options.judges, finder.candidates("label"))
    else:
        human = finder.find("label")
    if human is None and options.needs_human:
        _refuse_without_human(finder, options)
    named = tuple(dict.fromkeys(finder.named(column, "judge") for column in options.judges))
    known = imported.judges_of(human)
    judges, rules = rules_by_column(
        options.pass_if, finder, human=human, judges=named or known or finder.judges(), judges_named=bool(named)
    )
    if human in judges:
        raise InputError(
            f"column '{human}' cannot be both the human labels and a judge's verdicts; name two with --human and "
            "--judge",
            file=table.source,
        )
    if not judges:
        raise InputError(
            f"no column holds a judge's verdicts (usual names: judge, verdict, judge_*); {_columns(finder)}; name it "
            "with --judge NAME",
            file=table.source,
        )
    dimension = finder.find("dimension")
    return RecordedColumns(
        id=finder.find("id"),
        human=human,
        judges=judges,
        judges_named=bool(named),
        reasons={
            **{judge: column for judge, column in imported.reasons.items() if judge in judges},
            **_by_judge(judges, optional(options.reason, "reason"), "reason", table),
        },
        confidences=_by_judge(judges, optional(options.confidence_column, "confidence_column"), "confidence", table),
        confidence_named=options.confidence_column is not None,
        rules=rules,
        dimension=dimension,
        context=next(iter(finder.candidates("context")), None),
        group=optional(options.group, "group"),
        run=optional(options.run or imported.run, "run"),
        by=tuple(each for column in options.by if (each := finder.named(column, "by")) != dimension),
        raters=tuple(
            each
            for each in ColumnFinder(table.columns, table.source).raters()
            if each not in judges and (each == human or each not in finder.taken)
        ),
        asked={judge: imported.asked[judge] for judge in judges if judge in imported.asked},
    )


def _refuse_without_human(finder: ColumnFinder, options: RecordedOptions) -> NoReturn:
    uses = [("--id", options.id), ("--group", options.group), ("--run", options.run), ("--reason", options.reason)]
    uses.append(("--confidence-column", options.confidence_column))
    for option, column in (*uses, *(("--judge", judge) for judge in options.judges)):
        if column is not None and finder.role_of(column, ("label",)):
            raise InputError(
                f"column '{column}' would hold the human labels, but {option} gives it another use; name the column "
                "with the human labels with --human NAME",
                file=finder.source,
            )
    raters = finder.raters()
    if raters:
        judge = "" if options.judges or finder.judges() else " --judge NAME"
        raise InputError(
            "no column holds human labels (usual names: label, human_label, human), but there are raters' "
            f"({listing(raters)}): measure against one rater with --human {raters[0]}{judge}, or add a column 'label' "
            "with what they agree on",
            file=finder.source,
        )
    raise InputError(
        f"no column holds human labels (usual names: label, human_label, human); {_columns(finder)}; name it with "
        f"--human NAME{', or give a table of labels by id with --labels-from TABLE' if options.from_tool else ''}",
        file=finder.source,
    )


def _columns(finder: ColumnFinder) -> str:
    shown = ", ".join(finder.columns[:_MOST_COLUMNS])
    return f"the table has {shown}{', ...' if len(finder.columns) > _MOST_COLUMNS else ''}"


def _by_judge(judges: Sequence[str], named: str | None, what: str, table: Table) -> dict[str, str]:
    if named is None:
        return {judge: f"{judge}_{what}" for judge in judges if f"{judge}_{what}" in table.columns}
    if len(judges) > 1:
        raise InputError(
            f"one {what} column for several judges ({listing(judges)}); call them JUDGE_{what}, or name one judge",
            file=table.source,
            field=what,
        )
    return {judges[0]: named}


@dataclass(frozen=True, slots=True)
class RecordedRows:
    """The rows that are used: their numbers, their cells, their dimensions, and what there is to say about that."""

    numbers: tuple[int, ...]
    cells: tuple[Mapping[str, Json], ...]
    dimensions: tuple[str, ...]
    messages: tuple[str, ...]

    @classmethod
    def of(cls, table: Table, columns: RecordedColumns, options: RecordedOptions) -> RecordedRows:
        """Take the rows of the wanted dimension that hold anything."""
        numbered = list(table.numbered())
        said: tuple[str, ...] = ()
        if columns.dimension is None:
            name, message = options.dimension, None
            if name is None:
                has_context = any(not is_blank(row.get(columns.context or "")) for _, row in numbered)
                name, message = usual_dimension(has_context=has_context)
            said = (message,) if message else ()
            dimensions = [name] * len(numbered)
        else:
            dimensions = [_dimension(row, row_number, columns.dimension, table) for row_number, row in numbered]
            if options.dimension is not None:
                wanted = [position for position, name in enumerate(dimensions) if name == options.dimension]
                if not wanted:
                    known = listing(tuple(dict.fromkeys(dimensions)))
                    raise InputError(
                        f"no row of dimension '{options.dimension}'; the table has {known}", file=table.source
                    )
                said = (f"only {options.dimension}: {len(numbered) - len(wanted)} rows of other dimensions left out",)
                numbered = list(pick(numbered, wanted))
                dimensions = list(pick(dimensions, wanted))
        numbers, cells = zip(*numbered, strict=True)
        return cls(numbers, cells, tuple(dimensions), said)

    def column(self, name: str | None) -> list[Json]:
        """The cells of a column."""
        return [None] * len(self.cells) if name is None else [row.get(name) for row in self.cells]

    def asked(self, columns: RecordedColumns) -> dict[str, tuple[bool, ...]]:
        """On which rows each judge was asked, for those that were not asked on all."""
        found = {judge: tuple(column in row for row in self.cells) for judge, column in columns.asked.items()}
        return {judge: asked for judge, asked in found.items() if not all(asked)}

    def texts(self, name: str | None) -> tuple[str | None, ...]:
        """The cells of a column as text, None where they are blank."""
        if name is None:
            return (None,) * len(self.cells)
        return tuple(None if is_blank(cell) else cell_text(cell) for cell in self.column(name))

    def ids(self, columns: RecordedColumns) -> tuple[str, ...]:
        """The ids; row numbers in a table without an id column."""
        if columns.id is None:
            return tuple(map(str, self.numbers))
        return tuple(text if text is not None else "" for text in self.texts(columns.id))


def _dimension(row: Mapping[str, Json], row_number: int, column: str, table: Table) -> str:
    cell = row.get(column)
    if is_blank(cell):
        raise InputError("no dimension", file=table.source, row=row_number, field=column)
    return cell_text(cell).strip()


def pick(values: Sequence[_T], positions: Sequence[int]) -> tuple[_T, ...]:
    """Return the values at the positions."""
    return tuple(values[position] for position in positions)
