"""``calibrate rag add`` and ``calibrate rag accept``: take cases into a bank of questions."""

from typing import TYPE_CHECKING, Annotated

import typer

from calibrate.cli.options import Output, grouped, output_options
from calibrate.cli.rag_options import BankPath, reading_options

if TYPE_CHECKING:
    from calibrate.workflows.rag_loading import RagReading

__all__ = ["accept", "add"]


@grouped(reading=reading_options, out=output_options)
def add(
    bank: BankPath,
    reading: "RagReading",
    out: Output,
    question: Annotated[str | None, typer.Option("--question", help="The question, as it was asked.")] = None,
    from_output: Annotated[
        str | None,
        typer.Option("--from-output", metavar="FILE:ID", help="Take the question from this row of a log."),
    ] = None,
    relevant: Annotated[
        list[str] | None, typer.Option("--relevant", metavar="ID", help="A chunk that answers it; may be repeated.")
    ] = None,
    unanswerable: Annotated[
        bool, typer.Option("--unanswerable", help="Nothing in the corpus answers it: the system must abstain.")
    ] = False,
    reference: Annotated[
        str | None, typer.Option("--reference", help="An answer that a person holds to be right.")
    ] = None,
    question_id: Annotated[str | None, typer.Option("--id", help="Its id; default: the bank's next one.")] = None,
) -> None:
    """Add a failure seen in use to a new version of the bank; the old one stays as it is."""
    from calibrate.console.rag_check import show_new_bank
    from calibrate.workflows.rag_add import NewCase, add_case

    case = NewCase(question, from_output, tuple(relevant or ()), unanswerable, reference, question_id)
    out.emit(add_case(bank, case, reading), show_new_bank)


@grouped(reading=reading_options, out=output_options)
def accept(
    bank: BankPath,
    reading: "RagReading",
    out: Output,
    ids: Annotated[list[str] | None, typer.Argument(metavar="ID", help="The questions to accept.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every question that nobody has reviewed.")] = False,
    drop_others: Annotated[
        bool, typer.Option("--drop-others", help="Leave out the other questions that nobody has reviewed.")
    ] = False,
) -> None:
    """Mark drafted questions as reviewed, in a new version of the bank; the old one stays as it is.

    `calibrate rag accept BANK ID... --drop-others` takes in the good drafts and rejects the rest; without an ID it
    rejects them all.
    """
    from calibrate.console.rag_check import show_new_bank
    from calibrate.workflows.rag_add import accept_questions

    written = accept_questions(bank, tuple(ids or ()), reading, everything=everything, drop_others=drop_others)
    out.emit(written, show_new_bank)
