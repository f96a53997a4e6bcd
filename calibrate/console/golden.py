"""Golden sets on the terminal: checks and merges."""

from __future__ import annotations

from rich.markup import escape

from calibrate.console.style import console, plain_table, value
from calibrate.workflows.golden import DimensionCheck, GoldenCheck, Merged
from calibrate.workflows.sentences import counted

__all__ = ["show_check", "show_merge"]

_SHOWN = 10
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
        out.print(f"  {item_id}: {old} -> {new}", markup=False)
    for message in merged.messages:
        out.print(f"note: {message}", style="dim", markup=False, soft_wrap=True)


def _say_disputed(check: DimensionCheck) -> None:
    """Print the items on which the raters disagree most, so that the rubric can be mended."""
    if check.agreement is None or not check.disputed:
        return
    out, raters = console(), check.agreement.raters
    shown = check.disputed[:_SHOWN]
    most = "" if len(shown) == len(check.disputed) else f", these {len(shown)} the most"
    said = f"{check.dimension}: raters disagree on {counted(len(check.disputed), 'item')}{most}:"
    out.print(said, markup=False, soft_wrap=True)
    table = plain_table(("id", *map(escape, raters), ""), right=99)
    for each in shown:
        table.add_row(escape(each.id), *(escape(each.ratings.get(rater, "")) for rater in raters), escape(each.excerpt))
    out.print(table)


def _resolution(check: DimensionCheck) -> str:
    found = check.resolution
    assert found is not None
    return (
        f"{check.dimension}: {found.n} items tell two judges of alignment {found.alignment:.1f} apart when they differ "
        f"by {found.half_width:.2f} or more (errors taken as independent, which is cautious)."
    )
