"""The command that probes a judge for leanings."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from calibrate.cli.batching import Batching, batch_options
from calibrate.cli.options import Budget, DryRun, Output, Reference, grouped, output_options, split

__all__ = ["bias"]

_SET, _ASK = "Golden set", "Asking again"


@grouped(batching=batch_options, out=output_options)
def bias(
    reference: Reference,
    batching: Batching,
    out: Output,
    by: Annotated[
        list[str] | None,
        typer.Option("--by", help="Compare the values of this column; may be repeated.", rich_help_panel=_SET),
    ] = None,
    model_column: Annotated[
        str | None,
        typer.Option(
            "--model-column",
            help="Which model answered; for pairs COLUMN_A,COLUMN_B. Found by its usual names.",
            rich_help_panel=_SET,
        ),
    ] = None,
    own: Annotated[
        list[str] | None,
        typer.Option("--own", help="A value of it that is the judge's own; may be repeated.", rich_help_panel=_SET),
    ] = None,
    answer: Annotated[
        str | None,
        typer.Option("--answer", help="The input that is the answer; for pairs FIRST,SECOND.", rich_help_panel=_SET),
    ] = None,
    accept: Annotated[
        str | None,
        typer.Option("--accept", help="Ordinal and nominal scales: the labels that accept.", rich_help_panel=_SET),
    ] = None,
    ask: Annotated[
        bool,
        typer.Option("--ask", help="Ask the judge again, with edits that must not matter.", rich_help_panel=_ASK),
    ] = False,
    again: Annotated[
        bool,
        typer.Option("--again", help="And the same again, to know the judge's own noise.", rich_help_panel=_ASK),
    ] = False,
    paraphrase: Annotated[
        list[Path] | None,
        typer.Option(
            "--prompt-paraphrase",
            metavar="FILE",
            help="And with this prompt, which says the same; may be repeated.",
            rich_help_panel=_ASK,
        ),
    ] = None,
    concurrency: Annotated[
        int | None, typer.Option("--concurrency", min=1, help="Calls in flight at most.", rich_help_panel=_ASK)
    ] = None,
    fresh: Annotated[
        bool,
        typer.Option("--fresh", help="Ask again instead of replaying stored replies.", rich_help_panel=_ASK),
    ] = False,
    budget: Budget = None,
    dry_run: DryRun = False,
) -> None:
    """Probe a judge for leanings: longer answers, leniency, order, its own answers, any column, harmless edits.

    Without --ask no call is made. Every probe says what it could have seen.
    """
    from calibrate.console.bias import show_bias
    from calibrate.console.estimates import show_dry_run
    from calibrate.workflows.bias import BiasOptions, bias_dry_run
    from calibrate.workflows.bias import bias as run
    from calibrate.workflows.bias_probes import ProbeOptions

    probes = ProbeOptions(tuple(by or ()), split(model_column), tuple(own or ()), split(answer), split(accept))
    options = BiasOptions(
        reference,
        probes,
        ask or dry_run,
        again,
        tuple(paraphrase or ()),
        concurrency=concurrency,
        fresh=fresh,
        budget=budget,
        **batching,
    )
    if dry_run:
        out.emit(asyncio.run(bias_dry_run(options, out.settings(), out.database())), show_dry_run)
        return
    out.emit(asyncio.run(run(options, out.settings(), out.database(), out.progress())), show_bias)
