"""``calibrate golden``: check, sample and merge golden sets."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from calibrate.cli.options import Dimensions, Output, SetPath, finite, grouped, output_options, set_options

if TYPE_CHECKING:
    from calibrate.golden import LoadOptions

__all__ = ["app"]

app = typer.Typer(help="Look after golden sets: check, sample, merge.", no_args_is_help=True, rich_markup_mode=None)

_PLAN = "Plan"
By = Annotated[
    str | None,
    typer.Option("--by", help="Column with slices: rare ones first, draws in proportion.", rich_help_panel=_PLAN),
]
DrawSeed = Annotated[int, typer.Option("--seed", min=0, help="Of the random draw.", rich_help_panel=_PLAN)]


@app.command("check")
@grouped(load=set_options, out=output_options)
def check(
    set_path: SetPath,
    load: "LoadOptions",
    out: Output,
    dimension: Dimensions = None,
    plan: Annotated[
        bool,
        typer.Option(
            "--plan", help="What more labels would buy, and which items to label next.", rich_help_panel=_PLAN
        ),
    ] = False,
    run: Annotated[
        str | None,
        typer.Option(
            "--run", metavar="ID", help="Plan for the measured alignment of this run, not 0.7.", rich_help_panel=_PLAN
        ),
    ] = None,
    difference: Annotated[
        float,
        typer.Option(
            "--difference", callback=finite, help="Of two judges' alignments, to be resolved.", rich_help_panel=_PLAN
        ),
    ] = 0.05,
    by: By = None,
    seed: DrawSeed = 0,
) -> None:
    """Size, balance, raters' agreement, duplicates, empty inputs, and the smallest difference the set can resolve.

    Exit code 2 when the set cannot be used for calibration.
    """
    from calibrate.console.golden import show_check

    if plan:
        from calibrate.workflows.plan import PlanOptions, check_and_plan

        options = PlanOptions(run, difference, by, seed)
        result = check_and_plan(set_path, load, tuple(dimension or ()), options, out.database())
    elif run is not None or by is not None:
        raise typer.BadParameter("is about the next labels: use it with --plan", param_hint="--run" if run else "--by")
    else:
        from calibrate.workflows.golden import check_golden

        result = check_golden(set_path, load, tuple(dimension or ()))
    out.emit(result, show_check)
    raise typer.Exit(2 if result.status == "refused" else 0)


@app.command("sample")
@grouped(load=set_options, out=output_options)
def sample(
    set_path: SetPath,
    output: Annotated[Path, typer.Option("-o", "--output", help="CSV or JSONL file to write.")],
    load: "LoadOptions",
    out: Output,
    number: Annotated[int, typer.Option("-n", "--number", min=1, help="Items to write, at most.")] = 50,
    dimension: Dimensions = None,
    by: By = None,
    seed: DrawSeed = 0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file if it exists.")] = False,
) -> None:
    """Write the unlabelled items to label next, with empty columns label_new and note.

    Fill them in, then `calibrate golden merge SET FILE` makes a new version of the set.
    """
    from calibrate.console.plans import show_sample
    from calibrate.workflows.plan import PlanOptions, write_sample

    options, names = PlanOptions(by=by, seed=seed), tuple(dimension or ())
    written = write_sample(set_path, output, load, names, options, out.database(), number=number, overwrite=overwrite)
    out.emit(written, show_sample)


@app.command("merge")
@grouped(load=set_options, out=output_options)
def merge(
    set_path: SetPath,
    labels_file: Annotated[
        str, typer.Argument(metavar="FILE", help="As `calibrate disagreements` writes it, with label_new filled in.")
    ],
    load: "LoadOptions",
    out: Output,
) -> None:
    """Make a new version of a set with new labels and notes; the old one stays as it is."""
    from calibrate.console.golden import show_merge
    from calibrate.workflows.golden import merge_golden

    out.emit(merge_golden(set_path, labels_file, load), show_merge)
