"""The application: every command, in the order of a user's work. Command bodies import what they need."""

from __future__ import annotations

from typing import Annotated

import typer

from calibrate.cli import (
    bias,
    card,
    compare,
    disagree,
    explain,
    export,
    golden,
    judging,
    models,
    noise,
    rag,
    report,
    runs,
    score,
    strategies,
)
from calibrate.domain.version import VERSION

__all__ = ["app"]

app = typer.Typer(
    name="calibrate",
    help="Tell whether an LLM judge is right, make it right, and know what that costs.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"calibrate {VERSION}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Tell whether an LLM judge is right, make it right, and know what that costs."""


app.command("demo")(judging.demo)
app.command("score")(score.score)
app.add_typer(golden.app, name="golden")
app.command("models")(models.models)
app.command("baseline")(judging.baseline)
app.command("optimize")(judging.optimize)
app.command("strategies")(strategies.strategies)
app.command("compare")(compare.compare)
app.command("noise")(noise.noise)
app.command("disagreements")(disagree.disagreements)
app.command("runs")(runs.runs)
app.command("show")(runs.show)
app.command("diff")(runs.diff)
app.command("explain")(explain.explain)
app.command("bias")(bias.bias)
app.add_typer(rag.app, name="rag")
app.command("report")(report.report)
app.command("export")(export.export)
app.command("card")(card.card)
