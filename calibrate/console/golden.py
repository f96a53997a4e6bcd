"""Golden sets on the terminal: checks and merges."""

from __future__ import annotations

from rich.markup import escape

from calibrate.console.style import console, plain_table, value
from calibrate.workflows.golden import GoldenCheck, Merged

__all__ = ["show_check", "show_merge"]

_COLOURS = {"error": "red", "warning": "yellow", "info": ""}


def show_check(check: GoldenCheck) -> None:
    """Print what is to be known about a golden set."""
    out = console()
    out.print(check.sentence, style="bold", markup=False, soft_wrap=True)
    for note in check.notes:
        out.print(f"note: {note}", style="dim", markup=False, soft_wrap=True)
    table = plain_table(
        ("dimension", "scale", "items", "labelled", "classes", "raters", "agreement", "kappa", "alpha"), right=2
    )
    for each in check.dimensions:
        table.add_row(
            escape(each.dimension),
            each.scale.kind,
            str(each.items),
            str(each.labelled),
            escape(", ".join(f"{label}: {count}" for label, count in each.classes.items())),
            str(each.raters),
            value(each.agreement, 2),
            value(each.kappa, 2),
            value(each.alpha, 2),
        )
    out.print(table)
    for each in check.dimensions:
        if each.resolution is not None:
            out.print(f"{each.dimension}: {each.resolution_in_words}", markup=False, soft_wrap=True)
    for finding in check.findings:
        ids = f" ({', '.join(finding.ids[:10])}{', …' if len(finding.ids) > 10 else ''})" if finding.ids else ""
        out.print(
            f"{finding.level}: {finding.message}{ids}", style=_COLOURS[finding.level], markup=False, soft_wrap=True
        )


def show_merge(merged: Merged) -> None:
    """Print what a merge changed."""
    out = console()
    out.print(merged.sentence, style="bold", markup=False, soft_wrap=True)
    for item_id, old, new in merged.labels:
        out.print(f"  {item_id}: {old} -> {new}", markup=False)
