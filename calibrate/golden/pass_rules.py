"""``--pass-if "score >= 0.5"``: the declared way from a number to a label."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from calibrate.domain import Json, number
from calibrate.errors import InputError
from calibrate.golden.columns import ColumnFinder

__all__ = ["EVERY_JUDGE", "PassRule", "parse_pass_rule", "rules_by_column"]

EVERY_JUDGE = "score"
"""The name that stands for each judge column in a rule."""

_OPERATORS: Mapping[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
}
_RULE = re.compile(r"\s*(?P<column>.*?[^\s<>=!])\s*(?P<operator>>=|<=|==|>|<)\s*(?P<bound>[^<>=]+?)\s*")


@dataclass(frozen=True, slots=True)
class PassRule:
    """A number in ``column`` passes when it compares with ``bound`` as ``comparison`` (>= > <= < ==) says."""

    column: str
    comparison: str
    bound: float

    def passes(self, cell: Json) -> bool | None:
        """Whether the number in a cell passes; None when the cell holds no number."""
        value = number(cell)
        return None if value is None else _OPERATORS[self.comparison](value, self.bound)


def parse_pass_rule(text: str) -> PassRule:
    """Read ``COLUMN >= NUMBER``.

    Raises:
        InputError: it does not read like that.
    """
    match = _RULE.fullmatch(text)
    bound = number(match["bound"]) if match else None
    if match is None or bound is None:
        raise InputError(
            f"'{text}' is no rule; write it like \"{EVERY_JUDGE} >= 0.5\" (operators >= > <= < ==)", field="pass_if"
        )
    return PassRule(match["column"], match["operator"], bound)


def rules_by_column(
    rules: Sequence[str], finder: ColumnFinder, *, human: str | None, judges: Sequence[str], judges_named: bool
) -> tuple[tuple[str, ...], dict[str, PassRule]]:
    """Return the judge columns and the rule of each column that has one.

    A rule names the human column, a judge column, or ``score`` for every judge column that has no rule of its own. When
    the judges were not named, a rule's column becomes one of them.

    Raises:
        InputError: a rule cannot be read, names no such column, or a column has two.
    """
    all_judges = list(judges)
    by_column: dict[str, PassRule] = {}
    for_every: PassRule | None = None
    for rule in map(parse_pass_rule, rules):
        named_score = EVERY_JUDGE in finder.columns and (not judges_named or EVERY_JUDGE in (*judges, human))
        if rule.column == EVERY_JUDGE and not named_score:
            for_every = rule
            continue
        column = finder.named(rule.column, "pass_if")
        if column in by_column:
            raise InputError(f"two rules for column '{column}'", field="pass_if")
        if column not in (*all_judges, human):
            if judges_named:
                raise InputError(
                    f"column '{column}' is neither the human column nor a judge; write {EVERY_JUDGE} for every judge",
                    field="pass_if",
                )
            all_judges.append(column)
        by_column[column] = rule
    if for_every is not None:
        by_column = {**dict.fromkeys(all_judges, for_every), **by_column}
    return tuple(all_judges), by_column
