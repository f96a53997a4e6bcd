"""A judge's own variation on the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape

from calibrate.console.style import SIMULATED, cell, console, plain_table, value
from calibrate.workflows.noise_report import JudgeNoise, NoiseReport

__all__ = ["say_noise", "show_noise"]

_SHOWN = 20


def show_noise(report: NoiseReport) -> None:
    """Print how far a judge's verdicts vary, which items flip, and what votes would buy."""
    out = console()
    out.print(report.sentence, style="bold", markup=False, soft_wrap=True)
    if report.simulated:
        out.print(SIMULATED, style="yellow")
    for each in report.results:
        say_noise(out, each)


def say_noise(out: Console, noise: JudgeNoise) -> None:
    """Print one judge's noise on one dimension."""
    floor = noise.floor
    out.print()
    out.print(f"{noise.judge}, {noise.dimension}", style="bold", markup=False)
    runs = ", ".join(value(each.value) for each in floor.alignment)
    out.print(f"Alignment of each run: {runs}; SD {cell(floor.sd)}.", markup=False)
    out.print(
        f"Flip rate {cell(floor.flip_rate)}; resolution {cell(floor.resolution)}; one changed verdict moves alignment "
        f"by up to {cell(floor.one_flip)}.",
        markup=False,
    )
    if floor.flips:
        table = plain_table(("item that flips", "verdicts"))
        for flip in floor.flips[:_SHOWN]:
            given = {**flip.labels, **{f"({reason})": count for reason, count in flip.unscored.items()}}
            verdicts = ", ".join(f"{count} x {name}" for name, count in given.items())
            table.add_row(escape(noise.ids[flip.row]), escape(verdicts))
        out.print(table)
        if len(floor.flips) > _SHOWN:
            out.print(f"... and {len(floor.flips) - _SHOWN} more (--json lists all).")
    votes = noise.votes
    if votes is not None:
        by_votes = ", ".join(f"{count}: {value(each.value)}" for count, each in votes.by_votes.items())
        adaptive = ""
        if votes.adaptive.value is not None:
            calls = value(votes.adaptive_calls.value, 2)
            adaptive = f"; a third vote only where two differ: {cell(votes.adaptive)} at {calls} calls an item"
        out.print(f"Expected alignment by votes: {by_votes}{adaptive}.", markup=False)
    if noise.run is not None:
        out.print(f"Run {noise.run}: paid {noise.spent_in_words}.", markup=False)
