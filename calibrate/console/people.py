"""Raters on the terminal: agreement, human ceiling, alternative-annotator test; and whether a judge was calibrated."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape

from calibrate.console.style import plain_table, value
from calibrate.metrics import AlternativeAnnotator, HumanCeiling
from calibrate.workflows.calibrated import calibration_in_words
from calibrate.workflows.people import People
from calibrate.workflows.results import JudgeAlignment

__all__ = ["say_calibrated", "say_people"]


def say_people(out: Console, people: People) -> None:
    """Print what is known about the raters, and how the judge compares with them."""
    reason = people.gate.reason
    out.print(f"{reason[0].upper()}{reason[1:]} (gold: {people.gold}).", markup=False, soft_wrap=True)
    if people.no_ceiling is not None:
        out.print(
            "Human ceiling: undefined: with two raters, the items on which they differ have no majority and were left "
            "out (an adjudication column, or a third rater, gives them one).",
            markup=False,
            soft_wrap=True,
        )
    elif people.ceiling is not None:
        _say_ceiling(out, people.ceiling)
    else:
        return
    who = f"Alternative-annotator test, raters taken as {people.annotators}"
    test, undefined = people.alternative, people.undefined
    if undefined is not None or test is None:
        reason = "" if undefined is None else f": {undefined[1]}"
        out.print(f"{who}: undefined{reason}.", markup=False, soft_wrap=True)
        return
    out.print(f"{who}: {_outcome(test)}.", markup=False, soft_wrap=True)


def say_calibrated(out: Console, result: JudgeAlignment, *, name: str = "") -> None:
    """Print what calibrated a judge of a run, or that nothing did; ``name`` tells it from others."""
    if result.calibrated is not None:
        said = calibration_in_words(result.calibrated, result.dimension, judge=result.judge)
        style = "yellow" if result.calibrated.run is None else ""
        text = f"{name}: {said}." if name else f"{said[0].upper()}{said[1:]}."
        out.print(text, style=style, markup=False, soft_wrap=True)


def _say_ceiling(out: Console, ceiling: HumanCeiling) -> None:
    table = plain_table(("rater", "n", "rater's alignment", "judge's alignment"))
    for row in ceiling.rows:
        figures = (row.human.alignment, row.judge.alignment)
        shown = [value(each.value) if each.value is not None else f"– ({each.reason})" for each in figures]
        table.add_row(escape(row.rater), str(row.n), *shown)
    out.print(table)
    over = f"{ceiling.defined} of {len(ceiling.rows)} raters"
    if ceiling.human.value is None:
        said = f"undefined ({ceiling.human.reason})"
    else:
        said = f"raters {value(ceiling.human.value)}, the judge {value(ceiling.judge.value)}, mean over {over}"
    out.print(f"Human ceiling, against the same majorities of the other raters: {said}.", markup=False, soft_wrap=True)


def _outcome(test: AlternativeAnnotator) -> str:
    verdict = "the judge may stand in for a rater" if test.passed else "the judge may not stand in for a rater"
    left_out = f"; below 30 items, left out: {', '.join(test.skipped)}" if test.skipped else ""
    return (
        f"{verdict} (omega {value(test.omega, 2)}, won against {len(test.won)} of {len(test.p_values)}; "
        f"rho {value(test.rho, 2)}; epsilon {test.epsilon:g}){left_out}"
    )
