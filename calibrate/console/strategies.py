"""The list of rewrite strategies on the terminal."""

from __future__ import annotations

from rich.markup import escape

from calibrate.console.style import console, plain_table
from calibrate.workflows.strategies import ListedStrategy, StrategyList

__all__ = ["show_strategies"]


def show_strategies(strategies: StrategyList) -> None:
    """Print a line for each strategy, and what the marks mean."""
    out = console()
    out.print(strategies.sentence, style="bold", markup=False, soft_wrap=True)
    out.print()
    table = plain_table(("strategy", "what it does", "used while"), right=3)
    for each in strategies.strategies:
        table.add_row(
            escape(each.strategy.name) + _mark(each), escape(each.strategy.description), escape(each.used_while)
        )
    out.print(table)
    if strategies.folder is not None:
        out.print()
        out.print(f"(own): from {strategies.folder}.", markup=False, soft_wrap=True)


def _mark(listed: ListedStrategy) -> str:
    if not listed.own:
        return ""
    return " (own, replaces a built-in one)" if listed.replaces else " (own)"
