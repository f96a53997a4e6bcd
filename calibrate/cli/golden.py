"""``calibrate golden``: check and merge golden sets."""

from typing import TYPE_CHECKING, Annotated

import typer

from calibrate.cli.options import Dimensions, Output, SetPath, grouped, output_options, set_options

if TYPE_CHECKING:
    from calibrate.golden import LoadOptions

__all__ = ["app"]

app = typer.Typer(help="Look after golden sets: check, merge.", no_args_is_help=True, rich_markup_mode=None)


@app.command("check")
@grouped(load=set_options, out=output_options)
def check(set_path: SetPath, load: "LoadOptions", out: Output, dimension: Dimensions = None) -> None:
    """Size, balance, raters' agreement, duplicates, empty inputs, and the smallest difference the set can resolve.

    Exit code 2 when the set cannot be used for calibration.
    """
    from calibrate.console.golden import show_check
    from calibrate.workflows.golden import check_golden

    result = check_golden(set_path, load, tuple(dimension or ()))
    out.emit(result, show_check)
    raise typer.Exit(2 if result.status == "refused" else 0)


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
