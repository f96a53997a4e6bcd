"""Estimates on the terminal: the sentence, and the work of each model."""

from __future__ import annotations

from rich.markup import escape

from calibrate.console.style import SIMULATED, console, plain_table
from calibrate.workflows.preflight import DryRun
from calibrate.workflows.record import money

__all__ = ["show_dry_run"]


def show_dry_run(dry: DryRun) -> None:
    """Print what a command would do; nothing was done."""
    out, told = console(), dry.estimate
    out.print(f"Nothing was spent. This would take {told.sentence}.", style="bold", markup=False, soft_wrap=True)
    if told.simulated:
        out.print(SIMULATED, style="yellow")
    out.print()
    table = plain_table(("model", "calls", "stored", "input tokens", "output tokens", "about", "at most"))
    for work in told.works:
        most = "" if told.upper else money(work.most)
        table.add_row(
            escape(work.model),
            f"{work.calls:,}",
            f"{work.stored:,}",
            f"{work.input_tokens:,}",
            f"{work.output_tokens:,}",
            money(work.cost),
            most,
        )
    out.print(table)
