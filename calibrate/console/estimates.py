"""Estimates on the terminal: the sentence, and the work of each model."""

from __future__ import annotations

from rich.markup import escape

from calibrate.console.style import SIMULATED, console, plain_table
from calibrate.workflows.preflight import DryRun, Work
from calibrate.workflows.record import money_column

__all__ = ["show_dry_run"]


def show_dry_run(dry: DryRun) -> None:
    """Print what a command would do; nothing was done."""
    out, told = console(), dry.estimate
    said = f". This would take {told.sentence}" if told.calls else f"; {told.sentence}"
    out.print(f"Nothing was spent{said}.", style="bold", markup=False, soft_wrap=True)
    if told.simulated:
        out.print(SIMULATED, style="yellow")
    if not told.calls:
        return
    bounded = not told.upper and any(work.most is not None for work in told.works)
    names = ("model", "for", "calls", "stored", "input tokens", "output tokens", "about")
    table = plain_table((*names, "at most") if bounded else names, right=2)
    costs, mosts = (money_column([getattr(work, name) for work in told.works]) for name in ("cost", "most"))
    for work, cost, most in zip(told.works, costs, mosts, strict=True):
        figures = (*_figures(work), cost, most) if bounded else (*_figures(work), cost)
        table.add_row(escape(work.model), escape(work.purpose), *figures)
    out.print()
    out.print(table)


def _figures(work: Work) -> tuple[str, ...]:
    tokens = work.input_tokens, work.output_tokens
    return (f"{work.calls:,}", f"{work.stored:,}", *(f"{each:,}" for each in tokens))
