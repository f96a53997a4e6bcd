"""``calibrate card``: one page about a judge, to keep beside its prompt."""

from pathlib import Path
from typing import Annotated

import typer

from calibrate.cli.options import Output, Reference, grouped, output_options

__all__ = ["card"]


@grouped(out=output_options)
def card(
    reference: Reference,
    out: Output,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="File to write; default: stdout.")] = None,
    to: Annotated[str, typer.Option("--format", help="md or json.")] = "md",
    review_by: Annotated[
        str | None,
        typer.Option("--review-by", metavar="DATE", help="Look at it again by then; default: 90 days after the run."),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file if it exists.")] = False,
) -> None:
    """Write a judge's card: what it judges, its figures, failures, biases and cost, its limits, when to look again."""
    from calibrate.console.runs import show_export
    from calibrate.workflows.card import card as write_card

    made = write_card(out.database(), reference, output, to=to, review_by=review_by, overwrite=overwrite)
    out.emit(made, show_export)
