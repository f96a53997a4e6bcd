"""Recorded judge cells as verdicts: a label, or unscored with the reason. Nothing is cast and nothing is dropped."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import get_args

from calibrate.domain import Json, Scored, Unscored, UnscoredReason, Verdict, normalise_label, number
from calibrate.golden.cells import cell_text, is_blank
from calibrate.golden.declaration import LabelReader
from calibrate.golden.pass_rules import PassRule

__all__ = ["JudgeColumn"]

_REASONS: dict[str, UnscoredReason] = {reason: reason for reason in get_args(UnscoredReason)}
_REASONS["cannot_assess"] = "abstained"
_SHOWN = 80


class JudgeColumn:
    """The verdicts of one judge; each distinct cell is read once.

    Args:
        name: the column's name.
        cells: its cells.
        reader: reads labels, aliases included.
        rule: turns numbers into labels, if declared; cells that hold no number are then no labels.
    """

    def __init__(self, name: str, cells: Sequence[Json], reader: LabelReader, rule: PassRule | None = None) -> None:
        self.name = name
        self._reader, self._rule = reader, rule
        self._keys = [cell if isinstance(cell, str) else _key(cell) for cell in cells]
        self._first: dict[Hashable, int] = {}
        for position, key in enumerate(self._keys):
            self._first.setdefault(key, position)
        self._verdicts: dict[Hashable, Verdict] = {
            key: self._verdict(cells[position]) for key, position in self._first.items()
        }
        self._cells = cells

    @property
    def blank(self) -> bool:
        """Whether no cell holds anything."""
        return all(is_blank(self._cells[position]) for position in self._first.values())

    @property
    def states_any(self) -> bool:
        """Whether any cell is a label, an abstention or another declared reason."""
        return any(isinstance(each, Scored) or each.reason != "invalid" for each in self._verdicts.values())

    @property
    def fraction(self) -> int | None:
        """The position of the first number that is not whole and no label; None when a rule says what numbers mean."""
        if self._rule is not None:
            return None
        for key, position in self._first.items():
            value = number(self._cells[position])
            if value is not None and not value.is_integer() and isinstance(self._verdicts[key], Unscored):
                return position
        return None

    def verdicts(self, reasons: Sequence[Json] | None = None) -> tuple[Verdict, ...]:
        """Return one verdict per cell, with the judge's reasoning from ``reasons`` where it gave a label."""
        verdicts = [self._verdicts[key] for key in self._keys]
        if reasons is None:
            return tuple(verdicts)
        return tuple(
            Scored(verdict.label, reasoning=cell_text(reason)) if isinstance(verdict, Scored) and reason else verdict
            for verdict, reason in zip(verdicts, reasons, strict=True)
        )

    def _verdict(self, cell: Json) -> Verdict:
        if is_blank(cell):
            return Unscored("invalid", "empty")
        label = self._label(cell)
        if label is not None:
            return Scored(label)
        text = cell_text(cell)
        reason = _REASONS.get(normalise_label(text))
        if reason is not None:
            return Unscored(reason, "as recorded")
        return Unscored("invalid", text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}...")

    def _label(self, cell: Json) -> str | None:
        if self._rule is None:
            return self._reader.read(cell)
        passes = self._rule.passes(cell)
        scale = self._reader.scale
        return None if passes is None else scale.positive if passes else scale.negative


def _key(cell: Json) -> Hashable:
    # True == 1 == 1.0, yet they may read differently; lists and objects have no hash.
    return (type(cell), cell if isinstance(cell, bool | int | float) or cell is None else cell_text(cell))
