"""The options of batch endpoints."""

import math
from typing import Annotated, Literal, TypedDict

import typer

__all__ = ["Batching", "batch_options"]

_JUDGE = "Judge"


class Batching(TypedDict):
    """How a judge's requests travel; the names are those of the judge's options."""

    mode: Literal["direct", "batch"]
    poll_seconds: float


def _finite(seconds: float) -> float:
    if not math.isfinite(seconds):
        raise typer.BadParameter(f"{seconds} is not a number of seconds")
    return seconds


def batch_options(
    mode: Annotated[
        Literal["direct", "batch"],
        typer.Option(
            "--mode", help="batch: the provider's batch endpoint, half the price, within a day.", rich_help_panel=_JUDGE
        ),
    ] = "direct",
    poll_seconds: Annotated[
        float,
        typer.Option(
            "--poll", min=1, callback=_finite, help="Seconds between two looks at a batch.", rich_help_panel=_JUDGE
        ),
    ] = 30.0,
) -> Batching:
    """Call by call, or in batches."""
    return Batching(mode=mode, poll_seconds=poll_seconds)
