"""The options of a judge of two steps, which takes answers apart and judges claim by claim."""

from pathlib import Path
from typing import Annotated, TypedDict

import typer

__all__ = ["TwoSteps", "two_step_options"]

_JUDGE = "Claim by claim"


class TwoSteps(TypedDict):
    """Who splits answers, and how claims are asked about; the names are those of the judge's options."""

    splitter: str | None
    splitter_prompt: Path | None
    per_claim: bool


def two_step_options(
    splitter: Annotated[
        str | None,
        typer.Option(
            "--splitter",
            metavar="MODEL",
            help="Judge claim by claim: this model, or a bundle.json of --task split, splits each answer; the judge "
            "holds its claims against the context.",
            rich_help_panel=_JUDGE,
        ),
    ] = None,
    splitter_prompt: Annotated[
        Path | None,
        typer.Option(
            "--splitter-prompt",
            help="The splitter's prompt file, or a bundle.json; default: a generic prompt.",
            rich_help_panel=_JUDGE,
        ),
    ] = None,
    per_claim: Annotated[
        bool,
        typer.Option(
            "--per-claim",
            help="A call for each claim; default: one call for all claims of an answer.",
            rich_help_panel=_JUDGE,
        ),
    ] = False,
) -> TwoSteps:
    """One verdict on an answer, or one that follows from its claims."""
    return TwoSteps(splitter=splitter, splitter_prompt=splitter_prompt, per_claim=per_claim)
