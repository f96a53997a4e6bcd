"""``calibrate disagreements``: what judge and experts see differently, as a table to fill in."""

from pathlib import Path
from typing import Annotated

import typer

from calibrate.cli.options import Output, Reference, grouped, output_options

__all__ = ["disagreements"]


@grouped(out=output_options)
def disagreements(
    reference: Reference,
    output: Annotated[Path, typer.Option("-o", "--output", help="CSV or JSONL file to write.")],
    out: Output,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file if it exists.")] = False,
) -> None:
    """Write the items on which judge and experts differ, with empty columns label_new and note.

    Fill them in, then `calibrate golden merge SET FILE` makes a new version of the set.
    """
    from calibrate.console.runs import show_written
    from calibrate.workflows.disagreements import write_disagreements

    out.emit(write_disagreements(out.database(), reference, output, overwrite=overwrite), show_written)
