"""``calibrate score``: the alignment of recorded verdicts."""

from typing import Annotated

import typer

from calibrate.cli.options import (
    Annotators,
    MaxUnscored,
    Output,
    Seed,
    TableOptions,
    as_keywords,
    finite,
    grouped,
    output_options,
    table_options,
)

__all__ = ["score"]

_TABLE = "Table"


@grouped(table=table_options, out=output_options)
def score(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Table with a human column and judge columns.")],
    table: TableOptions,
    out: Output,
    human: Annotated[
        str | None, typer.Option("--human", help="The experts' label column.", rich_help_panel=_TABLE)
    ] = None,
    judge: Annotated[
        list[str] | None,
        typer.Option("--judge", help="A judge's verdict column; may be repeated.", rich_help_panel=_TABLE),
    ] = None,
    pass_if: Annotated[
        list[str] | None,
        typer.Option(
            "--pass-if",
            metavar="RULE",
            help='Scores to labels: "score >= 0.5"; may be repeated.',
            rich_help_panel=_TABLE,
        ),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option("--by", help="Show each value of this column apart; may be repeated.", rich_help_panel=_TABLE),
    ] = None,
    run: Annotated[
        str | None, typer.Option("--run", help="Column that numbers repeats of the items.", rich_help_panel=_TABLE)
    ] = None,
    reason: Annotated[
        str | None, typer.Option("--reason", help="Column with the judge's reasoning.", rich_help_panel=_TABLE)
    ] = None,
    confidence_column: Annotated[
        str | None,
        typer.Option(
            "--confidence-column",
            help="Column with the judge's probability, 0 to 1, that its label is right.",
            rich_help_panel=_TABLE,
        ),
    ] = None,
    from_tool: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="TOOL",
            help="Tool that wrote FILE: promptfoo, deepeval, inspect, mlflow, langfuse or openinference.",
            rich_help_panel=_TABLE,
        ),
    ] = None,
    labels_from: Annotated[
        str | None,
        typer.Option(
            "--labels-from",
            metavar="TABLE",
            help="Table with the human labels by id, where FILE has none.",
            rich_help_panel=_TABLE,
        ),
    ] = None,
    invalid: Annotated[
        str, typer.Option("--invalid", help="How unscored verdicts count: exclude, wrong or category.")
    ] = "exclude",
    max_unscored: MaxUnscored = 0.05,
    require: Annotated[
        float | None, typer.Option("--require", callback=finite, help="Exit with 1 when an alignment is below this.")
    ] = None,
    seed: Seed = 0,
    annotators: Annotators = "experts",
) -> None:
    """Measure recorded verdicts against the experts; needs no model, no key and no database."""
    from calibrate.console.reports import show_report
    from calibrate.golden import RecordedOptions
    from calibrate.workflows.score import ScoreOptions
    from calibrate.workflows.score import score as measure

    recorded = RecordedOptions(
        **as_keywords(table),
        human=human,
        judges=tuple(judge or ()),
        pass_if=tuple(pass_if or ()),
        by=tuple(by or ()),
        run=run,
        reason=reason,
        confidence_column=confidence_column,
        from_tool=from_tool,
        labels_from=labels_from,
    )
    asked = ScoreOptions(file, recorded, invalid, max_unscored, require, seed, annotators)
    report = measure(asked, out.progress())
    out.emit(report, show_report)
    raise typer.Exit(0 if report.status == "ok" else 1)
