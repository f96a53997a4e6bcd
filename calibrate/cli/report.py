"""``calibrate report``: a page to send."""

from pathlib import Path
from typing import Annotated

import typer

from calibrate.cli.options import Annotators, Output, Reference, grouped, output_options

__all__ = ["report"]


@grouped(out=output_options)
def report(
    reference: Reference,
    out: Output,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="File to write; Markdown goes to stdout without it.")
    ] = None,
    format: Annotated[
        str | None, typer.Option("--format", help="html, or md for a pull request; default: by the file's name.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file if it exists.")] = False,
    max_items: Annotated[
        int,
        typer.Option(
            "--max-items",
            min=0,
            help="Show no more disagreements, or changed questions, in HTML; the page says how many.",
        ),
    ] = 200,
    annotators: Annotators = "experts",
) -> None:
    """Write a run as one page that opens offline, or as Markdown: figures, charts, prompts, disagreements, cost."""
    from calibrate.console.pages import show_report_page
    from calibrate.workflows.report import write_report

    found = write_report(
        out.database(),
        reference,
        output,
        format=format,
        overwrite=overwrite,
        most_items=max_items,
        annotators=annotators,
    )
    out.emit(found, show_report_page)
