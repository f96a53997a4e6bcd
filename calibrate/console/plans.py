"""Plans for more labels on the terminal, and the files of items to label."""

from __future__ import annotations

from rich.markup import escape

from calibrate.console.style import console, plain_table
from calibrate.workflows.golden import excerpt
from calibrate.workflows.plan import DimensionPlan, Sample

__all__ = ["show_plan", "show_sample"]


def show_plan(plan: DimensionPlan) -> None:
    """Print what more labels buy, and which items to label next."""
    out = console()
    judge = "a judge of alignment" if plan.assumed_from is None else f"the judge of run {plan.assumed_from}, alignment"
    out.print(f"\n{plan.dimension}: what more labels buy, for {judge} {plan.assumed:.2f}", style="bold", markup=False)
    if plan.rows:
        table = plain_table(("labelled items", "alignment is known to", "two judges differ by", "items of each class"))
        for row in plan.rows:
            classes = ", ".join(f"{label}: {count}" for label, count in row.classes.items())
            table.add_row(str(row.n), f"± {row.half_width:.3f}", f"{row.resolvable:.3f}", escape(classes))
        out.print(table)
        needed = plan.items_for_difference
        amount = "more than ten million items" if needed is None else f"{needed:,} items"
        out.print(
            f"A difference of {plan.difference:g} is resolved by {amount} (errors taken as independent, which is "
            f"cautious). Rarest class: '{plan.rarest}'.",
            markup=False,
            soft_wrap=True,
        )
    else:
        out.print("Fewer than two classes have labelled items: label some of each first.", markup=False)
    out.print(f"Label next: {plan.ranking.how}", markup=False, soft_wrap=True)
    if plan.suggested:
        table = plain_table(("id", "why", ""), right=99)
        for each in plan.suggested:
            table.add_row(escape(each.item.id), escape("; ".join(each.reasons)), escape(excerpt(each.item)))
        out.print(table)


def show_sample(sample: Sample) -> None:
    """Print what was written, and how the items were chosen."""
    out = console()
    out.print(sample.sentence, style="bold", markup=False, soft_wrap=True)
    for dimension, how in sample.how.items():
        out.print(f"{dimension}: {how}" if len(sample.how) > 1 else how, markup=False, soft_wrap=True)
