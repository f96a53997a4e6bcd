"""``calibrate export``: the winning prompt, ready to use."""

from pathlib import Path
from typing import Annotated

import typer

from calibrate.cli.options import Output, grouped, output_options

__all__ = ["export"]

_FORMATS = (
    "text, json, python (a module without dependencies), markdown; or a definition for another tool: mlflow, deepeval, "
    "ragas, openevals, phoenix, promptfoo, openai-graders, inspect, dspy, langfuse, langfuse-evaluator."
)


@grouped(out=output_options)
def export(
    reference: Annotated[
        str,
        typer.Argument(metavar="ID", help="A run, such as 2, one of its candidates, such as 2:5, or a bundle.json."),
    ],
    out: Output,
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help=_FORMATS)] = "text",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="File to write; default: stdout.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file if it exists.")] = False,
) -> None:
    """Write a calibrated judge: its prompt, a JSON bundle, a Python module, or a definition for another tool."""
    from calibrate.console.runs import show_export
    from calibrate.workflows.export import export_prompt

    out.emit(export_prompt(out.database(), reference, to, output, overwrite=overwrite), show_export)
