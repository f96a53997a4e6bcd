"""The command that measures a judge's own variation."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from calibrate.cli.judge_options import repeated_judge_options
from calibrate.cli.options import (
    Budget,
    Dimensions,
    DryRun,
    Output,
    Seed,
    SetPath,
    grouped,
    output_options,
    set_options,
)

if TYPE_CHECKING:
    from calibrate.golden import LoadOptions
    from calibrate.workflows.setup import JudgeOptions

__all__ = ["noise"]


@grouped(judge=repeated_judge_options, load=set_options, out=output_options)
def noise(
    set_path: SetPath,
    judge: "JudgeOptions",
    load: "LoadOptions",
    out: Output,
    runs: Annotated[int, typer.Option("--runs", min=2, help="Fresh runs of the judge on the same items.")] = 5,
    dimension: Dimensions = None,
    budget: Budget = None,
    dry_run: DryRun = False,
    seed: Seed = 0,
) -> None:
    """The judge's own variation: run it several times afresh, see which verdicts flip and how far alignment moves.

    Replies to other runs are never replayed; an interrupted run of the same command goes on.

    Recorded repeats are measured by `calibrate score --run COLUMN`.
    """
    from calibrate.console.estimates import show_dry_run
    from calibrate.console.noise import show_noise
    from calibrate.workflows.noise import NoiseOptions, noise_dry_run
    from calibrate.workflows.noise import noise as run

    options = NoiseOptions(set_path, judge, load, tuple(dimension or ()), runs, seed, budget)
    if dry_run:
        out.emit(asyncio.run(noise_dry_run(options, out.settings(), out.database())), show_dry_run)
        return
    out.emit(asyncio.run(run(options, out.settings(), out.database(), out.progress())), show_noise)
