"""Which column is what: usual names are found by themselves, and two candidates for one role are refused."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from calibrate.errors import InputError

__all__ = ["INPUT_ROLES", "ROLES", "ColumnFinder", "is_companion", "spanish_names"]

ROLES: Mapping[str, tuple[str, ...]] = {
    "id": ("id",),
    "dimension": ("dimension",),
    "question": ("question", "input", "prompt", "pregunta"),
    "context": ("context", "contexto"),
    "reference": ("reference", "referencia"),
    "answer": ("answer", "output", "response", "respuesta"),
    "answer_a": ("answer_a",),
    "answer_b": ("answer_b",),
    "claim": ("claim",),
    "label": ("label", "human_label", "human", "etiqueta"),
    "judge": ("judge", "verdict", "judge_label"),
    "note": ("note", "critique", "nota"),
    "relevant": ("relevant", "relevantes"),
}
"""The roles that a column can have, with their usual names; case does not matter."""

INPUT_ROLES = ("question", "context", "reference", "answer", "answer_a", "answer_b", "claim")
"""The roles that a judge may see, in the order in which it sees them."""

_RATERS = ("rater_", "annotator_")
_COMPANIONS = ("_reason", "_raw", "_note", "_confidence")
_DECIDES = {
    "id": "--id NAME, or id in card.toml",
    "label": "--human NAME, or label in card.toml",
    "judge": "--judge NAME",
}


_GIVEN_BY = {"label": "label (--human)"}
_SPANISH = {"pregunta", "contexto", "referencia", "respuesta", "etiqueta", "nota", "relevantes"}


def spanish_names(columns: Iterable[str]) -> tuple[str, ...]:
    """Return the columns whose usual name is a Spanish one, in alphabetical order."""
    return tuple(sorted(column for column in columns if _fold(column) in _SPANISH))


def is_companion(column: str) -> bool:
    """Whether a column only comments on another one (``judge_x_reason``, ``judge_x_raw``)."""
    return _fold(column).endswith(_COMPANIONS)


@dataclass(slots=True)
class ColumnFinder:
    """Finds the columns of one table.

    Attributes:
        columns: the table's columns.
        source: the table's file, for messages.
        given: role to column, as the user declared it.
        taken: columns that have a declared use already and are no candidates for another.
        found: role to column, as found so far.
    """

    columns: tuple[str, ...]
    source: str
    given: Mapping[str, str] = field(default_factory=dict)
    taken: Collection[str] = ()
    found: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for role in self.given:
            if role not in ROLES:
                raise InputError(f"no such role; known are {', '.join(ROLES)}", file=self.source, field=role)
        self.given = {role: self.named(column, _GIVEN_BY.get(role, role)) for role, column in self.given.items()}
        self.taken = {*self.taken, *self.given.values()}

    def named(self, column: str, what: str) -> str:
        """Return the table's column of that name (case does not matter when only one is meant).

        Raises:
            InputError: there is none; lists the columns. ``what`` is the option or role that named it.
        """
        if column in self.columns:
            return column
        alike = [each for each in self.columns if _fold(each) == _fold(column)]
        if len(alike) == 1:
            return alike[0]
        listed = ", ".join(self.columns[:30]) + (", ..." if len(self.columns) > 30 else "")
        raise InputError(f"no column '{column}'; the table has {listed}", file=self.source, field=what)

    def find(self, role: str) -> str | None:
        """Return the declared column of a role, else the one with a usual name, else None.

        Raises:
            InputError: two columns have usual names; names both and what decides.
        """
        column = self.given.get(role)
        if column is None:
            candidates = self.candidates(role)
            if len(candidates) > 1:
                decides = _DECIDES.get(role, f"--column {role}=NAME, or {role} under [columns] in card.toml")
                names = " and ".join(f"'{each}'" for each in candidates)
                raise InputError(f"columns {names} could both be the {role}; decide with {decides}", file=self.source)
            column = candidates[0] if candidates else None
        if column is not None:
            self.found[role] = column
        return column

    def candidates(self, role: str) -> list[str]:
        """Return the columns with a usual name of the role that have no declared use."""
        return [column for column in self.columns if _fold(column) in ROLES[role] and column not in self.taken]

    def role_of(self, column: str, roles: Iterable[str]) -> str | None:
        """Return which of ``roles`` a column has, by declaration or by its name."""
        for role in roles:
            if self.given.get(role, column if _fold(column) in ROLES[role] else None) == column:
                return role
        return None

    def raters(self) -> tuple[str, ...]:
        """Return the rater columns by their usual names, ``rater_*`` and ``annotator_*``."""
        return tuple(
            column
            for column in self.columns
            if _fold(column).startswith(_RATERS) and not is_companion(column) and column not in self.taken
        )

    def judges(self) -> tuple[str, ...]:
        """Return the judge columns by their usual names: one of judge, verdict, judge_label, and every ``judge_*``."""
        named = self.find("judge")
        return tuple(
            column
            for column in self.columns
            if column == named
            or (_fold(column).startswith("judge_") and not is_companion(column) and column not in self.taken)
        )

    @property
    def mapping(self) -> str:
        """The columns found so far, in words: ``id, question <- pregunta``."""
        return ", ".join(role if role == column else f"{role} <- {column}" for role, column in self.found.items())


def _fold(name: str) -> str:
    return re.sub(r"[\s\-]+", "_", unicodedata.normalize("NFKC", name).strip().casefold())
