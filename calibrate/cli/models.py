"""The command that lists models and what a run would cost on them."""

from typing import Annotated

import typer

from calibrate.cli.options import Output, grouped, output_options

__all__ = ["models"]

_SIZE = "Size of the run"


@grouped(out=output_options)
def models(
    out: Output,
    name: Annotated[str, typer.Argument(metavar="FILTER", show_default=False, help="A part of the model's name.")] = "",
    items: Annotated[int, typer.Option("--items", min=1, help="Verdicts.", rich_help_panel=_SIZE)] = 1000,
    input_tokens: Annotated[
        int, typer.Option("--input-tokens", min=1, help="Of each verdict.", rich_help_panel=_SIZE)
    ] = 1400,
    output_tokens: Annotated[
        int, typer.Option("--output-tokens", min=0, help="Of each verdict, reasoning included.", rich_help_panel=_SIZE)
    ] = 50,
    provider: Annotated[
        str | None,
        typer.Option("--provider", help="openai, anthropic, openai-decisions, sim, or calibrate.toml."),
    ] = None,
    sort: Annotated[str, typer.Option("--sort", help="cost or name.")] = "cost",
    everything: Annotated[
        bool, typer.Option("--all", help="Deprecated models, fine-tunes, and models for other things than text too.")
    ] = False,
) -> None:
    """List the models that can be called, their prices, and what a run would cost on each; no call is made."""
    from calibrate.console.models import show_models
    from calibrate.workflows.models import ModelsOptions, RunSize, list_models

    size = RunSize(items, input_tokens, output_tokens)
    options = ModelsOptions(name, size, provider, sort, everything)
    out.emit(list_models(options, out.settings()), show_models)
