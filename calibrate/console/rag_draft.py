"""Drafted questions on the terminal."""

from __future__ import annotations

from rich.markup import escape

from calibrate.console.style import SIMULATED, console, plain_table
from calibrate.workflows.rag_draft import Drafted

__all__ = ["show_drafts"]


def show_drafts(drafted: Drafted) -> None:
    """Print what was drafted, where it is, and what to look at first."""
    out = console()
    out.print(drafted.sentence, style="bold", markup=False, soft_wrap=True)
    if drafted.simulated:
        out.print(SIMULATED, style="yellow")
    for note in drafted.notes:
        out.print(f"note: {note}", style="dim", markup=False, soft_wrap=True)
    if drafted.questions:
        table = plain_table(("id", "chunk", "question", "answer"), right=4)
        for each in drafted.questions:
            chunk = ", ".join(each.relevant) or "none"
            table.add_row(escape(each.id), escape(chunk), escape(each.text), escape(each.reference or ""))
        out.print()
        out.print(table)
    out.print()
    out.print(f"Run {drafted.run}: {drafted.spent_in_words}", markup=False, soft_wrap=True)
