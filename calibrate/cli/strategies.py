"""The command that lists the ways in which a search rewrites a prompt."""

from typing import Annotated

import typer

from calibrate.cli.options import Output, grouped, output_options

__all__ = ["strategies"]


@grouped(out=output_options)
def strategies(
    out: Output,
    folder: Annotated[
        str | None,
        typer.Option("--strategies", metavar="FOLDER", help="With your own ones: a Markdown file (NAME.md) for each."),
    ] = None,
) -> None:
    """List the ways in which the meta-LLM is asked to rewrite a prompt, and when each is used."""
    from calibrate.console.strategies import show_strategies
    from calibrate.workflows.strategies import list_strategies

    out.emit(list_strategies(folder), show_strategies)
