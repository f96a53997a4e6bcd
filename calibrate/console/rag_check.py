"""Banks of questions on the terminal: checks, and what was added to them."""

from __future__ import annotations

from rich.markup import escape

from calibrate.console.style import console, plain_table
from calibrate.workflows.rag_add import NewBank
from calibrate.workflows.rag_check import RagCheck
from calibrate.workflows.sentences import counted

__all__ = ["show_new_bank", "show_rag_check"]

_COLOURS = {"error": "red", "warning": "yellow", "info": ""}


def show_rag_check(check: RagCheck) -> None:
    """Print what is to be known about a bank of questions and the recorded variants."""
    out = console()
    out.print(check.sentence, style="bold", markup=False, soft_wrap=True)
    for note in check.notes:
        out.print(f"note: {note}", style="dim", markup=False, soft_wrap=True)
    origins = ", ".join(f"{origin}: {count}" for origin, count in check.origins.items())
    out.print(
        f"{counted(check.questions, 'question')} ({origins}), {check.references} with a reference answer, language "
        f"{check.language}",
        markup=False,
        soft_wrap=True,
    )
    for each in check.resolution:
        if each.half_width is not None:
            what = "with an answer in the corpus" if each.of == "answerable" else "without one, for abstention"
            out.print(
                f"{counted(each.n, 'question')} {what}: a share is known to ±{each.half_width:.2f} at worst (95 %)",
                markup=False,
                soft_wrap=True,
            )
    if check.variants:
        table = plain_table(("variant", "file", "outputs", "missing"), right=2)
        for variant in check.variants:
            table.add_row(escape(variant.name), escape(variant.source), str(variant.outputs), str(variant.missing))
        out.print(table)
    for finding in check.findings:
        where = f"{finding.dimension}: " if finding.dimension else ""
        text = f"{finding.level}: {where}{finding.message}"
        out.print(text, style=_COLOURS[finding.level], markup=False, soft_wrap=True)


def show_new_bank(written: NewBank) -> None:
    """Print what was written where."""
    out = console()
    out.print(written.sentence, style="bold", markup=False, soft_wrap=True)
    for message in written.messages:
        out.print(f"note: {message}", style="dim", markup=False, soft_wrap=True)
