"""Golden sets on the terminal: checks and merges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.markup import escape

from calibrate.console.style import console, plain_table, value
from calibrate.workflows.golden import DimensionCheck, DisputedItem, GoldenCheck, Merged
from calibrate.workflows.sentences import counted

__all__ = ["show_check", "show_merge"]

_SHOWN = 10
_RATERS_APART = 6
"""More raters than these are counted by label, not listed one by one."""

_COLOURS = {"error": "red", "warning": "yellow", "info": ""}


def show_check(check: GoldenCheck) -> None:
    """Print what is to be known about a golden set."""
    out = console()
    out.print(check.sentence, style="bold", markup=False, soft_wrap=True)
    for note in check.notes:
        out.print(f"note: {note}", style="dim", markup=False, soft_wrap=True)
    names = ("dimension", "scale", "items", "labelled", "classes", "raters", "agreement", "kappa", "alpha")
    table = plain_table(names, right=99)
    for each in check.dimensions:
        people = each.agreement
        table.add_row(
            escape(each.dimension),
            each.scale.kind,
            str(each.items),
            str(each.labelled),
            escape(", ".join(f"{label}: {count}" for label, count in each.classes.items())),
            "1" if people is None else str(len(people.raters)),
            "unknown" if people is None else value(people.agreement.value, 2),
            "unknown" if people is None else value(people.kappa.value, 2),
            "unknown" if people is None else value(people.alpha.value, 2),
        )
    out.print(table)
    for each in check.dimensions:
        if each.resolution is not None:
            out.print(_resolution(each), markup=False, soft_wrap=True)
    for each in check.dimensions:
        _say_disputed(each)
    for finding in check.findings:
        where = f"{finding.dimension}: " if len(check.dimensions) > 1 and finding.dimension else ""
        text = f"{finding.level}: {where}{finding.message}"
        out.print(text, style=_COLOURS[finding.level], markup=False, soft_wrap=True)
    for plan in check.plan or ():
        from calibrate.console.plans import show_plan  # needs the run database's libraries, a mere check does not

        show_plan(plan)


def show_merge(merged: Merged) -> None:
    """Print what a merge changed."""
    out = console()
    out.print(merged.sentence, style="bold", markup=False, soft_wrap=True)
    for item_id, old, new in merged.labels:
        out.print(f"  {item_id}: {'no label' if old is None else old} -> {new}", markup=False)
    for message in merged.messages:
        out.print(f"note: {message}", style="dim", markup=False, soft_wrap=True)


def _say_disputed(check: DimensionCheck) -> None:
    """Print the items on which the raters disagree most, so that the rubric can be mended."""
    if check.agreement is None or not check.disputed:
        return
    out, raters = console(), check.agreement.raters
    shown = check.disputed[:_SHOWN]
    said = f"{check.dimension}: raters disagree on {counted(len(check.disputed), 'item')}{_which(check.disputed)}:"
    out.print(said, markup=False, soft_wrap=True)
    many = len(raters) > _RATERS_APART
    table = plain_table(("id", *(("labels",) if many else map(escape, raters)), ""), right=99)
    for each in shown:
        given = (_labels_given(each),) if many else (each.ratings.get(rater, "") for rater in raters)
        table.add_row(escape(each.id), *map(escape, given), escape(each.excerpt))
    out.print(table)


def _which(disputed: Sequence[DisputedItem]) -> str:
    """Say which of the disputed items are shown, when not all are."""
    if len(disputed) <= _SHOWN:
        return ""
    alike = disputed[0].disagreement == disputed[-1].disagreement
    return f", on each as much; {_SHOWN} of them" if alike else f", on these {_SHOWN} the most"


def _labels_given(item: DisputedItem) -> str:
    """Write how many raters gave each label, the most frequent first."""
    counts = Counter(item.ratings.values())
    return ", ".join(
        f"{label}: {count}" for label, count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    )


def _resolution(check: DimensionCheck) -> str:
    found = check.resolution
    assert found is not None
    return (
        f"{check.dimension}: {found.n} items tell two judges of alignment {found.alignment:.1f} apart when they differ "
        f"by {found.half_width:.2f} or more (errors taken as independent, which is cautious)."
    )
