"""Judges side by side on the terminal: which to take, cost against alignment, and which differences are real."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.markup import escape

from calibrate.console.differences import say_differences
from calibrate.console.reports import alignment_table
from calibrate.console.scatter import Spot, scatter
from calibrate.console.style import SIMULATED, cell, console, plain_table, value
from calibrate.metrics import Automation
from calibrate.workflows.calibrated import calibration_in_words
from calibrate.workflows.compared import Compared, ComparedSet, Standings
from calibrate.workflows.record import money_column
from calibrate.workflows.verdict_costs import DAYS_A_YEAR

__all__ = ["show_comparison"]

_WIDEST = 80
_MOST_CLASSES = 4


def show_comparison(found: ComparedSet) -> None:
    """Print the sentence, then for each dimension the judges, the chart, the metrics and the differences."""
    out = console()
    out.print(found.sentence, style="bold", markup=False, soft_wrap=True)
    if found.simulated:
        out.print(SIMULATED, style="yellow")
    for standings in found.each:
        out.print()
        if len(found.each) > 1:
            out.print(standings.dimension, style="bold", markup=False)
        _say_judges(out, standings, found.volume)
        _say_chart(out, standings)
        out.print("\nEvery figure, the unscored left out:", markup=False)
        out.print(alignment_table(list(zip(_letters(), (each.result for each in standings.compared), strict=False))))
        letters = dict(zip((each.name for each in standings.compared), _letters(), strict=False))
        say_differences(out, standings.family.pairs, letters)
        _say_further(out, standings)
    out.print(f"\nPaid by the runs behind it in all: {found.paid_in_words}.", markup=False, soft_wrap=True)


def _say_judges(out: Console, standings: Standings, volume: int | None) -> None:
    """Print a line for each judge: standing, alignment, recall of each class, cost and time."""
    compared = standings.compared
    prompts = {each.how for each in compared if each.kind == "judge"}
    if len(prompts) == 1:
        out.print(f"Prompt of all: {prompts.pop()}.", markup=False)
    known = list(compared[0].alignment.recall_by_class)
    classes = known if len(known) <= _MOST_CLASSES else []  # all of them stand below, with every figure
    costs = dict(_cost_columns(compared, volume))
    table = plain_table(
        (
            "",
            "judge",
            "alignment",
            *(f"recall of {escape(each)}" for each in classes),
            "no verdict",
            *costs,
            "median s a call",
            "p95",
            "front",
            "beside the best",
        ),
        right=2,
        widest=None,
    )
    for position, (letter, each) in enumerate(zip(_letters(), compared, strict=False)):
        alignment = each.alignment
        table.add_row(
            letter + (" *" if each.name == standings.choice else ""),
            escape(each.name),
            cell(each.ranked),
            *(value(alignment.recall_by_class[label].value, 2) for label in classes),
            _share(alignment.n - alignment.scored, alignment.n),
            *(column[position] for column in costs.values()),
            value(each.toll.median_seconds, 2),
            value(each.toll.p95_seconds, 2),
            "yes" if each.name in standings.front else "",
            _beside_best(standings, each),
        )
    out.print(table)
    legend = (
        "front: no other one is better for the same cost or less, nor as good for less; "
        "* the one to take: no cheaper judge is shown to be as good"
    )
    if any(each.alignment.wrong is not None for each in compared):
        legend += "; alignment: verdicts that are missing count as wrong"
    out.print(legend, style="dim", markup=False)


def _cost_columns(compared: Sequence[Compared], volume: int | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the columns of costs: of 1,000 verdicts, and at the volume of a day and of a year; batches where known."""
    spans = [("1,000", 1000)]
    if volume is not None:
        spans += [(f"a day of {volume:,}", volume), ("a year", volume * DAYS_A_YEAR)]
    batches = any(each.toll.cost.batch is not None for each in compared)
    for name, verdicts in spans:
        costs = [each.toll.cost.times(verdicts) for each in compared]
        yield f"cost of {name}" if name == "1,000" else name, money_column([each.live for each in costs])
        if batches:
            yield f"{name} in batches", money_column([each.batch for each in costs])


def _say_chart(out: Console, standings: Standings) -> None:
    """Print alignment against the cost of 1,000 verdicts; capital letters are on the front."""
    spots, without = [], []
    for letter, each in zip(_letters(), standings.compared, strict=False):
        if each.score is None or each.cost is None:
            without.append(letter)
            continue
        on_front = each.name in standings.front
        spots.append((not on_front, Spot(each.cost * 1000, each.score, _mark(letter.upper() if on_front else letter))))
    ordered = [spot for _, spot in sorted(spots, key=lambda each: each[0])]
    if len(ordered) < 2:
        return
    out.print("\nAlignment against cost (capital letters: the front):", markup=False)
    width = min(out.width, _WIDEST)
    for line in scatter(ordered, width=width, x_name="US dollars per 1,000 verdicts", encoding=out.encoding):
        out.print(line, markup=False, no_wrap=True, overflow="ignore", crop=False)
    if without:
        out.print(f"Not in it, without a known cost or alignment: {', '.join(without)}.", markup=False)


def _say_further(out: Console, standings: Standings) -> None:
    """Print the rules of juries and cascades, what judges may decide alone, what calibrated them, and the notes."""
    out.print()
    for letter, each in zip(_letters(), standings.compared, strict=False):
        said = [] if each.kind == "judge" else [f"{each.how}."]
        if each.result.calibrated is not None:
            words = calibration_in_words(each.result.calibrated, standings.dimension, judge=each.name)
            said.append(f"run {each.run}; {words}.")
        if each.automation is not None and (each.kind == "judge" or each.automation.share is not None):
            said.append(each.automation.sentence + _worst(each.automation))
        out.print(f"{letter}: {' '.join(said)}", markup=False, soft_wrap=True)
    for note in standings.notes:
        out.print(f"- {note}", markup=False, soft_wrap=True)


def _worst(automation: Automation) -> str:
    """Name the slice of the automated items that is wrong most."""
    worst = automation.worst
    if worst is None or not worst.errors:
        return ""
    where = f"{worst.column} {worst.value}"
    return f" Worst among them: {worst.errors} of {worst.decisions} wrong where {where} ({cell(worst.error)})."


def _beside_best(standings: Standings, each: Compared) -> str:
    if each.name == standings.best:
        return "best"
    found = standings.beside.get(each.name)
    return "" if found is None else found.in_words


def _share(part: int, whole: int) -> str:
    return "0" if not part else f"{part / whole:.1%}"


def _mark(letters: str) -> str:
    """Return the one character of a chart that stands for a judge; beyond the alphabet all have the same."""
    return letters if len(letters) == 1 else "*"


def _letters() -> Iterator[str]:
    yield from string.ascii_lowercase
    for first in string.ascii_lowercase:
        yield from (first + second for second in string.ascii_lowercase)
