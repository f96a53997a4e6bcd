"""Paired differences of judges on the terminal: which are real, corrected for their number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.markup import escape

from calibrate.console.style import minus_of, plain_table
from calibrate.metrics import JudgePair
from calibrate.workflows.sentences import p_value, signed

__all__ = ["say_differences"]

_MOST_PAIRS = 15
_WIDEST = 100
"""Characters of a line of figures, in a pipe too."""


def say_differences(
    out: Console, pairs: Sequence[JudgePair], letters: Mapping[str, str] | None = None, *, labelled: int | None = None
) -> None:
    """Print the differences, those that are real first; nothing without a pair.

    Args:
        out: the console.
        pairs: every two judges.
        letters: what stands for the judges in the table; None for their names.
        labelled: the items that there are; the table says on how many each pair was compared where these are fewer.
    """
    if not pairs:
        return
    ranked = sorted(pairs, key=lambda each: (not each.real, 1.0 if each.p is None else each.p))
    real = sum(each.real for each in pairs)
    corrected = "" if len(pairs) == 1 else f", corrected for {len(pairs)} comparisons (Holm)"
    fewer = labelled is not None and any(each.comparison.n < labelled for each in pairs)
    same = "the n items with a verdict of both" if fewer else "the same items"
    out.print(
        f"\nDifferences on {same}{corrected}: {real} of {len(pairs)} {'is' if real == 1 else 'are'} real.",
        markup=False,
    )
    several = len(pairs) > 1
    tests = ("p alone", "p corrected") if several else ("p",)
    columns = ("judges", *(("n",) if fewer else ()), "difference in alignment", *tests, "real")
    table = plain_table(columns, widest=_WIDEST)
    minus = f" {minus_of(out)} "
    for each in ranked[:_MOST_PAIRS]:
        names = [name if letters is None else letters[name] for name in (each.candidate, each.baseline)]
        found = (each.comparison.p, each.p) if several else (each.p,)
        figures = (signed(each.comparison.difference), *map(_bare, found), "yes" if each.real else "no")
        table.add_row(escape(minus.join(names)), *((str(each.comparison.n),) if fewer else ()), *figures)
    out.print(table)
    if len(pairs) > _MOST_PAIRS:
        out.print(f"... and {len(pairs) - _MOST_PAIRS} more (--json lists all).")


def _bare(p: float | None) -> str:
    """Write a p value without its letter."""
    return "–" if p is None else p_value(p).removeprefix("p ").removeprefix("= ")
