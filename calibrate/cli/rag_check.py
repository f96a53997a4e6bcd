"""``calibrate rag check``: what a bank of questions can show."""

from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from calibrate.cli.options import Output, grouped, output_options
from calibrate.cli.rag_options import BankPath, ContextFromRanked, Variants, reading_options

if TYPE_CHECKING:
    from calibrate.workflows.rag_loading import RagReading

__all__ = ["check"]


@grouped(reading=reading_options, out=output_options)
def check(
    bank: BankPath,
    reading: "RagReading",
    out: Output,
    variant: Variants = None,
    context_from_ranked: ContextFromRanked = None,
) -> None:
    """Look for chunks that do not exist, questions that are too easy or twice there, gaps, and what the bank resolves.

    Exit code 2 when the bank, or a variant, cannot be used as it is.
    """
    from calibrate.console.rag_check import show_rag_check
    from calibrate.workflows.rag_check import check_rag

    result = check_rag(bank, replace(reading, context_from_ranked=context_from_ranked), tuple(variant or ()))
    out.emit(result, show_rag_check)
    raise typer.Exit(2 if result.status == "refused" else 0)
