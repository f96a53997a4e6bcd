"""Alignments on the terminal: the sentence, the table, the confusion, the readings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from calibrate.console.differences import say_differences
from calibrate.console.people import say_calibrated, say_people
from calibrate.console.style import SIMULATED, cell, console, plain_table, value
from calibrate.metrics import Alignment, Confidence, Estimate
from calibrate.workflows.calibrated import CALIBRATION_UNKNOWN
from calibrate.workflows.results import METRIC_NAMES, JudgeAlignment, Report
from calibrate.workflows.sentences import counted

__all__ = ["alignment_table", "say_readings", "say_result", "say_slices", "show_report"]

_MANY_CLASSES = 6
_SIDE_BY_SIDE = 4
_FEW = 30
_WIDEST = 100
"""Characters of a line of figures, in a pipe too."""

_OF_A_SLICE = ("n", "coverage", "alignment", "kappa")


def show_report(report: Report) -> None:
    """Print what a measuring command found."""
    out = console()
    out.print(report.sentence, style="bold", markup=False, soft_wrap=True)
    if report.simulated:
        out.print(SIMULATED, style="yellow")
    out.print()
    out.print(alignment_table([(None, each) for each in report.results if each.slice is None]))
    say_slices(out, [each for each in report.results if each.slice is not None])
    for name, family in report.families.items():
        if len(report.families) > 1:
            out.print(f"\n{name}", style="bold", markup=False)
        say_differences(out, family.pairs, labelled=family.n)
    for each in report.results:
        if each.slice is None:
            out.print()
            out.print(_title(each), style="bold", markup=False)
            say_result(out, each)
    if report.results and all(each.calibrated is None for each in report.results):
        out.print(f"\n{CALIBRATION_UNKNOWN[0].upper()}{CALIBRATION_UNKNOWN[1:]}.", markup=False, soft_wrap=True)
    noise = report.details.get("noise")
    for judge in noise if isinstance(noise, Sequence) else ():
        if isinstance(judge, Mapping):
            out.print(f"\nNoise: {judge['sentence']}", markup=False)
    runs = report.details.get("runs")
    if isinstance(runs, Sequence):
        for run in runs:
            if isinstance(run, dict):
                replayed = f", replayed from {run['replayed_from']}" if run["replayed_from"] else ""
                calls = counted(run["paid_calls"], "call")
                if run.get("claims"):
                    out.print(f"\n{run['claims']['in_words']}", markup=False, soft_wrap=True)
                out.print(
                    f"\nRun {run['run']} ({run['dimension']}): {calls} paid now{replayed}; "
                    f"cost of judging this set: {run['cost_in_words']}.\n"
                    f"Paid by this run in all: {run['spent_in_words']}.",
                    markup=False,
                )


def say_result(out: Console, result: JudgeAlignment) -> None:
    """Print what stands beside the figures of one judge: the readings, the raters, and what calibrated the judge."""
    say_readings(out, result.alignment)
    if result.people is not None:
        say_people(out, result.people)
    say_calibrated(out, result)


def alignment_table(results: Sequence[tuple[str | None, JudgeAlignment]]) -> Table:
    """Return judges side by side: alignment with its interval, the metrics, recall of each class, references.

    Figures in brackets stand beside the mean, not in it. Few judges stand in columns, with the interval of every
    figure; many stand in rows, with the interval of alignment.
    """
    named = [(_name(name, each, results), each.alignment) for name, each in results]
    classes = _classes([alignment for _, alignment in named])
    figures = [_figures(alignment, classes, intervals=len(named) <= _SIDE_BY_SIDE) for _, alignment in named]
    shown = [
        name for name in dict.fromkeys(key for row in figures for key in row) if any(row.get(name) for row in figures)
    ]
    if len(named) > _SIDE_BY_SIDE:
        return _in_rows("judge", [name for name, _ in named], figures, shown)
    table = plain_table(("", *(escape(name) for name, _ in named)), widest=_WIDEST)
    for figure in shown:
        table.add_row(escape(figure), *(row.get(figure, "") for row in figures))
    return table


def _in_rows(title: str, names: Sequence[str], figures: Sequence[Mapping[str, str]], shown: Sequence[str]) -> Table:
    table = plain_table((title, *map(escape, shown)), widest=_WIDEST)
    for name, row in zip(names, figures, strict=True):
        table.add_row(escape(name), *(row.get(figure, "") for figure in shown))
    return table


def say_slices(out: Console, results: Sequence[JudgeAlignment]) -> None:
    """Print the main figures of each slice: a line for a lone judge, a block of lines for several."""
    classes = _classes([each.alignment for each in results])
    shown = (*_OF_A_SLICE, *(f"recall of {each}" for each in classes))
    alone = len({each.judge for each in results}) == 1
    blocks: dict[str, list[JudgeAlignment]] = {}
    for each in results:
        blocks.setdefault(each.dimension if alone else f"{each.dimension}, {each.slice}", []).append(each)
    for title, block in blocks.items():
        out.print(f"\n{title}", style="bold", markup=False)
        names = [str(each.slice if alone else each.judge) for each in block]
        figures = [_figures(each.alignment, classes, intervals=False) for each in block]
        out.print(_in_rows("slice" if alone else "judge", names, figures, shown))


def _name(name: str | None, result: JudgeAlignment, results: Sequence[tuple[str | None, JudgeAlignment]]) -> str:
    """What tells a result from the others: the judge, with dimension and slice where there are several."""
    several = len({each.dimension for _, each in results}) > 1
    parts = [result.judge if name is None else name, result.dimension if several else "", result.slice or ""]
    return ", ".join(part for part in parts if part)


def _figures(a: Alignment, classes: Sequence[str], *, intervals: bool) -> dict[str, str]:
    show = cell if intervals else _bare
    return {
        "n": str(a.n) if a.n >= _FEW else f"{a.n} (few)",
        "coverage": _coverage(a),
        "alignment": cell(a.alignment),
        **{title: show(a.metrics[key]) if key in a.metrics else "" for key, title in METRIC_NAMES.items()},
        **{f"({METRIC_NAMES.get(key, key.replace('_', ' '))})": show(extra) for key, extra in a.extras.items()},
        **{f"recall of {each}": show(a.recall_by_class[each]) if each in a.recall_by_class else "" for each in classes},
        "best constant judge": value(a.reference.constant),
        "random judge": value(a.reference.random),
    }


def _coverage(a: Alignment) -> str:
    """Write the share of items with a verdict; 1.00 only when none is missing."""
    shown = value(a.coverage, 2)
    return "0.99" if shown == "1.00" and a.scored < a.n else shown


def _bare(estimate: Estimate) -> str:
    return value(estimate.value)


def say_readings(out: Console, alignment: Alignment) -> None:
    """Print the confusion table, what is undefined and why, the unscored, and the readings in words."""
    labels = alignment.confusion.labels
    if labels and len(labels) <= _MANY_CLASSES:
        table = plain_table(("human \\ judge", *map(escape, labels)))
        for label, row in zip(labels, alignment.confusion.matrix, strict=True):
            table.add_row(escape(label), *(f"{count:g}" for count in row))
        out.print(table)
    undefined = [
        f"{METRIC_NAMES.get(name, name)} ({metric.reason})"
        for name, metric in alignment.metrics.items()
        if metric.value is None
    ]
    if undefined:
        out.print(f"Undefined: {', '.join(undefined)}.", markup=False)
    if alignment.accuracy_bounds is not None and (alignment.coverage or 0) < 1:
        low, high = alignment.accuracy_bounds.low, alignment.accuracy_bounds.high
        out.print(f"Accuracy on all {alignment.n} lies between {low:.3f} and {high:.3f}.", markup=False)
    unscored = {reason: count for reason, count in alignment.unscored.items() if count}
    if unscored:
        listed = ", ".join(f"{count} {reason}" for reason, count in unscored.items())
        out.print(f"Without a verdict: {listed} of {alignment.n}.", markup=False)
    for reading in alignment.readings:
        out.print(f"- {reading.text}", markup=False)
    if alignment.confidence is not None:
        _say_confidence(out, alignment.confidence)


def _say_confidence(out: Console, confidence: Confidence) -> None:
    """Print how far the judge's confidence can be believed, and the reliability table."""
    left_out = [
        f"{count} {what}"
        for count, what in ((confidence.without_confidence, "without one"), (confidence.unscored, "without a verdict"))
        if count
    ]
    chance = "" if confidence.ece_by_chance is None else f" (up to {value(confidence.ece_by_chance)} by chance alone)"
    out.print(
        f"Confidence: Brier score {cell(confidence.brier)}, ECE {cell(confidence.ece)}{chance} in "
        f"{len(confidence.bins)} bins of equal mass, n = {confidence.n}{''.join(f', {each}' for each in left_out)}.",
        markup=False,
    )
    if confidence.bins:
        table = plain_table(("confidence", "n", "mean", "right"))
        for each in confidence.bins:
            span = value(each.low) if each.low == each.high else f"{value(each.low)} to {value(each.high)}"
            table.add_row(span, str(each.n), value(each.confidence), cell(each.right))
        out.print(table)


def _title(result: JudgeAlignment) -> str:
    return f"{result.judge}, {result.dimension}"


def _classes(alignments: Sequence[Alignment]) -> tuple[str, ...]:
    """The classes that people used, unless they are too many to show."""
    found = dict.fromkeys(label for each in alignments for label, count in each.n_per_class.items() if count)
    return tuple(found) if len(found) <= _MANY_CLASSES else ()
