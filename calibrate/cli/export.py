"""``calibrate export``: the winning prompt, ready to use."""

from pathlib import Path
from typing import Annotated

import typer

from calibrate.cli.options import Output, grouped, output_options

__all__ = ["export"]


@grouped(out=output_options)
def export(
    reference: Annotated[
        str,
        typer.Argument(metavar="ID", help="A run, such as 2, one of its candidates, such as 2:5, or a bundle.json."),
    ],
    out: Output,
    to: Annotated[str, typer.Option("--to", help="text, json or python.")] = "text",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="File to write; default: stdout.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file if it exists.")] = False,
) -> None:
    """Write a calibrated prompt as text, as a JSON bundle, or as a Python module without dependencies."""
    from calibrate.console.runs import show_export
    from calibrate.workflows.export import export_prompt

    out.emit(export_prompt(out.database(), reference, to, output, overwrite=overwrite), show_export)
