"""A tool's file as a table, and which of its columns are verdicts, reasons and human labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.golden.cells import cell_text
from calibrate.golden.messages import listing
from calibrate.golden.table import MAX_FIELD, Table

__all__ = ["Imported", "Part", "Rows"]

Part: TypeAlias = Literal[
    "id", "run", "verdict", "score", "value", "reason", "human", "human score", "human reason", "item", "metadata"
]
"""What a cell is. Verdicts, scores, values and reasons are a judge's, of the name that it goes by."""

_ORDER: tuple[Part, ...] = (
    "id",
    "run",
    "verdict",
    "score",
    "value",
    "reason",
    "human",
    "human score",
    "human reason",
    "item",
    "metadata",
)
_NAMED_AFTER: Mapping[Part, str] = {
    "score": "{} score",
    "value": "{} value",
    "reason": "{} reason",
    "human": "human {}",
    "human score": "human {} score",
    "human reason": "human {} reason",
}
_OF_A_JUDGE: tuple[Part, ...] = ("verdict", "score", "value")
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Imported:
    """What a tool recorded.

    Attributes:
        table: one row per judged output.
        judges: the columns with verdicts.
        reasons: judge column to the column with its reasons.
        human: column with human labels to the judge column of the same name, None when there is none.
        id: the column with the ids.
        run: the column that tells repeats apart, if there are any.
        asked: column of verdicts, scores or values to the column of its judge's verdicts, which a row holds, empty or
            not, only where that judge was asked.
    """

    table: Table
    judges: tuple[str, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)
    human: Mapping[str, str | None] = field(default_factory=dict)
    id: str | None = None
    run: str | None = None
    asked: Mapping[str, str] = field(default_factory=dict)

    def human_column(self, judges: Sequence[str], usual: Sequence[str]) -> str | None:
        """Return the column with the human labels, or None when there is none.

        Where people labelled under several names, the labels of the only judge that is asked about are taken.

        Args:
            judges: the judge columns that the user named.
            usual: other columns that have a usual name of human labels.

        Raises:
            InputError: there are two, and nothing decides.
        """
        found = list(dict.fromkeys((*self.human, *usual)))
        if len(found) > 1:
            of_judge = [column for column, judge in self.human.items() if judge is not None and judge in judges]
            if len(of_judge) != 1:
                raise InputError(
                    f"columns {' and '.join(repr(each) for each in found[:8])} could both be the human labels; decide "
                    "with --human NAME",
                    file=self.table.source,
                )
            found = of_judge
        return found[0] if found else None

    def judges_of(self, human: str | None) -> tuple[str, ...]:
        """Return the judge columns to measure against a human column: the one of its name, else all."""
        own = self.human.get(human or "")
        return (own,) if own is not None else tuple(each for each in self.judges if each != human)


class Rows:
    """Collects a tool's cells row by row, and names the columns when all are known.

    Args:
        source: the file, for messages.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self._rows: list[dict[tuple[Part, str], Json]] = []

    def add(self, item_id: Json) -> int:
        """Start a row and return its position."""
        self._rows.append({("id", ""): item_id})
        return len(self._rows) - 1

    def put(self, row: int, part: Part, name: str, value: Json) -> None:
        """Fill a cell; what is null stays empty. A verdict that is null is one that was asked for and not given.

        Raises:
            InputError: it is larger than a cell may be.
        """
        if value is None and part != "verdict":
            return
        if isinstance(value, str | list | dict) and len(cell_text(value)) > MAX_FIELD:
            raise InputError(
                f"a value is larger than {MAX_FIELD // 1_000_000} MB", file=self.source, row=row + 1, field=name
            )
        self._rows[row][part, name] = value

    def replace(self, row: int, parts: Sequence[Part], name: str, values: Sequence[Json]) -> None:
        """Fill several cells of one name, emptying those that have no value now."""
        for part, value in zip(parts, values, strict=True):
            self._rows[row].pop((part, name), None)
            self.put(row, part, name, value)

    def put_all(self, row: int, part: Part, values: Json) -> None:
        """Fill one cell for each key of an object; anything else is no set of cells."""
        if isinstance(values, Mapping):
            for name, value in values.items():
                self.put(row, part, name, value)

    def holds(self, row: int, part: Part, name: str) -> bool:
        """Whether a cell is filled."""
        return (part, name) in self._rows[row]

    def imported(self, tool: str, messages: Sequence[str] = ()) -> Imported:
        """Return the table and what its columns are.

        Raises:
            InputError: there is no row, or no verdict in any.
        """
        if not self._rows:
            raise InputError(f"no results: the {tool} file holds none", file=self.source)
        keys = dict.fromkeys(key for part in _ORDER for row in self._rows for key in row if key[0] == part)
        names = _column_names(list(keys))
        judges = {name: column for (part, name), column in names.items() if part == "verdict"}
        if not judges:
            raise InputError(f"no verdicts: no result in the {tool} file holds one", file=self.source)
        humans = {name: column for (part, name), column in names.items() if part == "human"}
        scores = [column for (part, _), column in names.items() if part == "score"]
        said = [f"{tool}: {len(self._rows)} results; verdicts of {listing(tuple(judges.values()))}"]
        if scores:
            said.append(f"scores beside them, for --judge with --pass-if: {listing(scores)}")
        table = Table(
            self.source,
            tuple(names.values()),
            tuple({names[key]: value for key, value in row.items()} for row in self._rows),
            tuple(range(1, len(self._rows) + 1)),
            (*said, *messages),
        )
        reasons = {judges[name]: names["reason", name] for name in judges if ("reason", name) in names}
        return Imported(
            table,
            tuple(judges.values()),
            reasons,
            {column: judges.get(name) for name, column in humans.items()},
            names["id", ""],
            names.get(("run", "")),
            {column: judges[name] for (part, name), column in names.items() if part in _OF_A_JUDGE and name in judges},
        )


def _column_names(keys: Sequence[tuple[Part, str]]) -> dict[tuple[Part, str], str]:
    """Name each column; where two would have one name, the later says what it is."""
    names: dict[tuple[Part, str], str] = {}
    taken: set[str] = set()
    for part, name in keys:
        shown = " ".join("".join(each if each.isprintable() else " " for each in name).split())[:_LONGEST_NAME]
        column = _NAMED_AFTER.get(part, "{}").format(shown) if shown else part
        if column.casefold() in taken:
            column = f"{part} {column}"
        number, tried = 1, column
        while tried.casefold() in taken:
            number += 1
            tried = f"{column} {number}"
        taken.add(tried.casefold())
        names[part, name] = tried
    return names
