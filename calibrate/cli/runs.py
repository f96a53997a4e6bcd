"""Commands that read the run database: runs, show, diff."""

from typing import Annotated

import typer

from calibrate.cli.options import Annotators, MaxUnscored, Output, Reference, grouped, output_options

__all__ = ["diff", "runs", "show"]


@grouped(out=output_options)
def runs(out: Output) -> None:
    """List all runs."""
    from calibrate.console.runs import show_runs
    from calibrate.workflows.runs import list_runs

    out.emit(list_runs(out.database()), show_runs)


@grouped(out=output_options)
def show(
    reference: Reference,
    out: Output,
    max_unscored: MaxUnscored = 0.05,
    annotators: Annotators = "experts",
    by: Annotated[
        list[str] | None,
        typer.Option("--by", help="Show each value of this column of the golden set apart; may be repeated."),
    ] = None,
    checklist: Annotated[
        bool, typer.Option("--checklist", help="Every fact a report must state, or why it is not known.")
    ] = False,
) -> None:
    """Show a run in full (figures, candidates, prompt, record), or one candidate with its verdicts."""
    from calibrate.console.runs import show_checklist, show_run
    from calibrate.workflows.rag_stored import refuse_rag_run
    from calibrate.workflows.runs import describe

    described = describe(out.database(), reference, max_unscored, annotators, tuple(by or ()))
    if checklist:
        refuse_rag_run(described.stored.run, field="--checklist")
    out.emit(described, show_checklist if checklist else lambda each: show_run(each, out.db))


@grouped(out=output_options)
def diff(first: Reference, second: Reference, out: Output) -> None:
    """Compare two prompts: their text, their figures, and the items whose verdict changed."""
    from calibrate.console.runs import show_difference
    from calibrate.workflows.runs import compare_runs

    out.emit(compare_runs(out.database(), first, second), show_difference)
