"""The command that compares judges on cost and alignment."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from calibrate.cli.judge_options import JUDGES, Fresh, asking_options
from calibrate.cli.options import (
    Annotators,
    Budget,
    Dimensions,
    DryRun,
    MaxUnscored,
    Output,
    Seed,
    SetPath,
    grouped,
    output_options,
    set_options,
)

if TYPE_CHECKING:
    from calibrate.golden import LoadOptions
    from calibrate.workflows.recalibrate import Recalibration
    from calibrate.workflows.setup import JudgeOptions

__all__ = ["compare"]

_JUDGES, _AGAIN = "Judges", "Calibrating again"


@grouped(how=asking_options, load=set_options, out=output_options)
def compare(
    set_path: SetPath,
    how: "JudgeOptions",
    load: "LoadOptions",
    out: Output,
    judge: Annotated[
        list[str],
        typer.Option("--judge", help=f"A judge; repeat for each. {JUDGES}.", rich_help_panel=_JUDGES),
    ],
    prompt: Annotated[
        list[Path] | None,
        typer.Option(
            "--prompt", help="A prompt file or bundle.json for every model; may be repeated.", rich_help_panel=_JUDGES
        ),
    ] = None,
    prompt_from: Annotated[
        list[str] | None,
        typer.Option(
            "--prompt-from",
            metavar="ID",
            help="The prompt of a run or candidate (3, 3:5) for every model; may be repeated.",
            rich_help_panel=_JUDGES,
        ),
    ] = None,
    generic: Annotated[
        bool, typer.Option("--generic", help="The generic prompt too, beside others.", rich_help_panel=_JUDGES)
    ] = False,
    one_verdict: Annotated[
        bool,
        typer.Option(
            "--one-verdict",
            help="With --splitter: each model with one verdict an answer too (generic prompt).",
            rich_help_panel=_JUDGES,
        ),
    ] = False,
    votes: Annotated[
        list[int] | None,
        typer.Option(
            "--votes", min=1, help="Ask so often about each item; repeated: a judge for each.", rich_help_panel=_JUDGES
        ),
    ] = None,
    no_juries: Annotated[
        bool,
        typer.Option("--no-juries", help="No juries and cascades of the judges beside them.", rich_help_panel=_JUDGES),
    ] = False,
    recalibrate: Annotated[
        bool,
        typer.Option(
            "--recalibrate",
            help="Calibrate each model from the --prompt-from as well, and show what that buys.",
            rich_help_panel=_AGAIN,
        ),
    ] = False,
    optimizer: Annotated[
        str | None,
        typer.Option("--optimizer", help="The meta-LLM that rewrites for --recalibrate.", rich_help_panel=_AGAIN),
    ] = None,
    iterations: Annotated[
        int, typer.Option("--iterations", min=1, help="Of each calibration, at most.", rich_help_panel=_AGAIN)
    ] = 3,
    unseen: Annotated[
        bool, typer.Option("--unseen", help="Compare on items that no search in the database has seen.")
    ] = False,
    margin: Annotated[
        float, typer.Option("--margin", help="How much lower in alignment still counts as as good.")
    ] = 0.05,
    max_error: Annotated[
        float,
        typer.Option("--max-error", help="The error allowed where a judge with confidence decides alone."),
    ] = 0.05,
    volume: Annotated[
        int | None, typer.Option("--volume", min=1, metavar="N", help="Tell what N verdicts a day cost.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Write cost against alignment as a page (HTML).")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the page if it exists.")] = False,
    fresh: Fresh = False,
    dimension: Dimensions = None,
    max_unscored: MaxUnscored = 0.05,
    budget: Budget = None,
    dry_run: DryRun = False,
    seed: Seed = 0,
    annotators: Annotators = "experts",
) -> None:
    """Compare judges (model x prompt x votes) on the same items: alignment, recall, cost, time; and which one to take.

    Every judge is a run of its own; what is stored is replayed, so that a further judge pays only for itself.
    """
    from calibrate.console.compare import show_comparison
    from calibrate.console.estimates import show_dry_run
    from calibrate.workflows.compare import CompareOptions, compare_dry_run
    from calibrate.workflows.compare import compare as run
    from calibrate.workflows.comparison_page import dimensions_of, refuse_page, write_page
    from calibrate.workflows.contenders import Judges

    options = CompareOptions(
        set_path,
        Judges(
            tuple(judge),
            replace(how, fresh=fresh),
            tuple(prompt or ()),
            tuple(prompt_from or ()),
            generic,
            tuple(votes or (1,)),
            one_verdict=one_verdict,
        ),
        load,
        tuple(dimension or ()),
        unseen=unseen,
        juries=not no_juries,
        margin=margin,
        max_error=max_error,
        volume=volume,
        recalibration=_recalibration(recalibrate, optimizer, iterations),
        max_unscored=max_unscored,
        seed=seed,
        budget=budget,
        annotators=annotators,
    )
    if plot is not None:
        names = options.dimensions or dimensions_of(set_path, load)
        refuse_page(plot, out.database(), set_path, names, overwrite=overwrite)
    if dry_run:
        out.emit(asyncio.run(compare_dry_run(options, out.settings(), out.database())), show_dry_run)
        return
    found = asyncio.run(run(options, out.settings(), out.database(), out.progress()))
    out.emit(found, show_comparison)
    if plot is not None:
        written = " and ".join(map(str, write_page(plot, found)))
        out.progress().note(f"written to {written}")
    raise typer.Exit({"ok": 0, "judge_failed": 3}.get(found.status, 1))


def _recalibration(wanted: bool, optimizer: str | None, iterations: int) -> "Recalibration | None":
    from calibrate.errors import InputError
    from calibrate.optimizer import Limits
    from calibrate.workflows.recalibrate import Recalibration

    if not wanted:
        if optimizer is not None:
            raise InputError("--optimizer is for --recalibrate; add it, or leave it out", field="--optimizer")
        return None
    if optimizer is None:
        raise InputError("name the meta-LLM that rewrites the prompt, as for optimize", field="--optimizer")
    return Recalibration(optimizer, Limits(iterations=iterations))
