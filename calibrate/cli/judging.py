"""Commands that run a judge: baseline, optimize, demo."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from calibrate.cli.judge_options import judge_options
from calibrate.cli.options import (
    Annotators,
    Budget,
    Dimensions,
    DryRun,
    MaxUnscored,
    Output,
    Seed,
    SetPath,
    finite,
    grouped,
    output_options,
    set_options,
)
from calibrate.cli.search_options import search_options

if TYPE_CHECKING:
    from calibrate.golden import LoadOptions
    from calibrate.workflows.procedure import SearchOptions
    from calibrate.workflows.setup import JudgeOptions

__all__ = ["baseline", "demo", "optimize"]

_SEARCH, _PROOF = "Search", "Proof"


@grouped(judge=judge_options, load=set_options, out=output_options)
def baseline(
    set_path: SetPath,
    judge: "JudgeOptions",
    load: "LoadOptions",
    out: Output,
    dimension: Dimensions = None,
    max_unscored: MaxUnscored = 0.05,
    budget: Budget = None,
    dry_run: DryRun = False,
    unlabelled: Annotated[
        bool,
        typer.Option(
            "--unlabelled", help="Judge unlabelled items too: they show which to label next (golden check --plan)."
        ),
    ] = False,
    seed: Seed = 0,
    annotators: Annotators = "experts",
) -> None:
    """Step 0: run today's prompt on a golden set and measure it.

    Every verdict is stored before it counts; the same command again makes no calls.
    """
    from calibrate.console.estimates import show_dry_run
    from calibrate.console.reports import show_report
    from calibrate.workflows.baseline import BaselineOptions, baseline_dry_run
    from calibrate.workflows.baseline import baseline as run

    options = BaselineOptions(
        set_path, judge, load, tuple(dimension or ()), max_unscored, seed, budget, annotators, unlabelled
    )
    if dry_run:
        out.emit(asyncio.run(baseline_dry_run(options, out.settings(), out.database())), show_dry_run)
        return
    report = asyncio.run(run(options, out.settings(), out.database(), out.progress()))
    out.emit(report, show_report)
    raise typer.Exit(0 if report.status == "ok" else 1)


@grouped(judge=judge_options, load=set_options, search=search_options, out=output_options)
def optimize(
    set_path: SetPath,
    judge: "JudgeOptions",
    load: "LoadOptions",
    search: "SearchOptions",
    out: Output,
    optimizer: Annotated[
        str,
        typer.Option("--optimizer", help="The meta-LLM that rewrites the prompt: named as for --judge, or sim:writer."),
    ],
    iterations: Annotated[
        int, typer.Option("--iterations", min=1, help="At most so many.", rich_help_panel=_SEARCH)
    ] = 9,
    target: Annotated[
        float,
        typer.Option(
            "--target", callback=finite, help="Stop when the best score reaches this.", rich_help_panel=_SEARCH
        ),
    ] = 0.95,
    history: Annotated[
        int, typer.Option("--history", min=0, help="Earlier prompts shown to the meta-LLM.", rich_help_panel=_SEARCH)
    ] = 20,
    meta_characters: Annotated[
        int,
        typer.Option(
            "--meta-characters",
            min=1000,
            help="What these prompts may have together, and the errors shown; less for a meta-LLM of small context.",
            rich_help_panel=_SEARCH,
        ),
    ] = 60_000,
    start: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="ID", help="Start from an earlier prompt: RUN or RUN:CANDIDATE.", rich_help_panel=_SEARCH
        ),
    ] = None,
    new: Annotated[
        bool,
        typer.Option("--new", help="Start another calibration that knows the earlier ones.", rich_help_panel=_SEARCH),
    ] = False,
    force: Annotated[
        bool,
        typer.Option("--force", help="Calibrate although the raters agree too little.", rich_help_panel=_SEARCH),
    ] = False,
    holdout: Annotated[
        float | None,
        typer.Option(
            "--holdout",
            min=0,
            max=0.9,
            help="Share of the items that the search does not see; default 0.3 from 100 items on, else 0.",
            rich_help_panel=_PROOF,
        ),
    ] = None,
    confirm: Annotated[
        str | None,
        typer.Option(
            "--confirm", metavar="FILE", help="Test the winner on these fresh labels.", rich_help_panel=_PROOF
        ),
    ] = None,
    cross_fit: Annotated[
        int,
        typer.Option(
            "--cross-fit",
            metavar="K",
            min=0,
            max=20,
            help="Calibrate K more times, each tested on the fold it did not see.",
            rich_help_panel=_PROOF,
        ),
    ] = 0,
    noise_repeats: Annotated[
        int,
        typer.Option(
            "--noise-repeats",
            min=0,
            help="Fresh runs of baseline and winner that measure the judge's own variation; 0 for none.",
            rich_help_panel=_PROOF,
        ),
    ] = 3,
    max_prompt: Annotated[
        int, typer.Option("--max-prompt", min=100, help="Longest prompt in characters.", rich_help_panel=_SEARCH)
    ] = 6000,
    acceptable: Annotated[
        float,
        typer.Option(
            "--acceptable", callback=finite, help="Alignment below which the result is not acceptable; recorded."
        ),
    ] = 0.7,
    require: Annotated[bool, typer.Option("--require", help="Exit with 1 when the result is not acceptable.")] = False,
    dimension: Dimensions = None,
    max_unscored: MaxUnscored = 0.05,
    budget: Budget = None,
    dry_run: DryRun = False,
    seed: Seed = 0,
    annotators: Annotators = "experts",
) -> None:
    """Calibrate a judge: a meta-LLM rewrites its prompt, each rewrite is scored on the set, the best is kept.

    From 100 items on (or with --holdout) the set is the part that is not held out; the best is then tested on the rest.
    Interrupted, the same command goes on and pays only for what is missing; finished, it shows the stored result.
    """
    from calibrate.console.calibrations import show_calibrations
    from calibrate.console.estimates import show_dry_run
    from calibrate.optimizer import Limits
    from calibrate.workflows.optimize import OptimizeOptions, optimize_dry_run
    from calibrate.workflows.optimize import optimize as run

    options = OptimizeOptions(
        set_path,
        judge,
        optimizer,
        load,
        dimensions=tuple(dimension or ()),
        limits=Limits(iterations=iterations, target=target, history=history, characters=meta_characters),
        search=search,
        start=start,
        acceptable=acceptable,
        require=require,
        new=new,
        force=force,
        max_prompt=max_prompt,
        max_unscored=max_unscored,
        seed=seed,
        budget=budget,
        annotators=annotators,
        holdout=holdout,
        confirm=confirm,
        cross_fit=cross_fit,
        noise_repeats=noise_repeats,
    )
    if dry_run:
        out.emit(asyncio.run(optimize_dry_run(options, out.settings(), out.database())), show_dry_run)
        return
    result = asyncio.run(run(options, out.settings(), out.database(), out.progress()))
    out.emit(result, show_calibrations)
    raise typer.Exit(0 if result.status == "ok" else 1)


@grouped(out=output_options)
def demo(out: Output) -> None:
    """A tour without a key: baseline, calibration, before/after table; simulated models on a shipped set."""
    from calibrate.console.calibrations import show_demo
    from calibrate.workflows.demo import demo as run

    out.emit(asyncio.run(run(out.settings(), out.database(), out.progress())), show_demo)
