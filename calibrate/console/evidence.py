"""What stands behind a winner, on the terminal."""

from __future__ import annotations

from rich.console import Console

from calibrate.console.style import cell, value
from calibrate.workflows.evidence import Evidence
from calibrate.workflows.sentences import counted, p_value

__all__ = ["say_evidence"]

_SOURCES = {"holdout": "held-out items", "confirm": "fresh labels", "cross_fit": "cross-fit, left-out folds"}
_CONCLUSIONS = {
    "better": "better",
    "non_inferior": "not worse by more than the margin",
    "worse": "worse",
    "cannot_tell": "these data cannot tell",
}


def say_evidence(out: Console, evidence: Evidence) -> None:
    """Print a line for each thing that was measured beside the search."""
    chance, noise = evidence.chance, evidence.noise
    if chance is not None:
        p = f"undefined ({chance.p.reason})" if chance.p.value is None else p_value(chance.p.value)
        stopped = (
            f" ({counted(chance.stopped, 'stopped one')} among them, missing verdicts drawn from the others')"
            if chance.stopped
            else ""
        )
        out.print(
            f"Chance: {p} that the best of {counted(chance.candidates, 'useless rewrite')}{stopped} gains as much; "
            "the winner's alignment corrected for choosing, but not for rewriting on the same items: "
            f"{cell(chance.corrected)}.",
            markup=False,
            soft_wrap=True,
        )
    if noise is not None:
        seen = (
            f"{value(noise.flip_rate)} of verdicts flip between two runs" if noise.flip_rate else "no verdict flipped"
        )
        what = (
            f"differences up to {value(noise.resolution)} are the judge's own variation"
            if noise.flip_rate
            else f"so few runs cannot rule out differences up to {value(noise.resolution)}"
        )
        fresh = f"; the winner's fresh runs: {value(noise.fresh)}, a gain of {value(noise.fresh_gain)}"
        out.print(
            f"Noise: {noise.repeats} runs each; {seen}; {what}{fresh if noise.winner else ''}.",
            markup=False,
            soft_wrap=True,
        )
    for unseen in evidence.unseen:
        uses = f", test {unseen.uses} on some of them" if unseen.uses > 1 else ""
        out.print(
            f"Unseen ({_SOURCES[unseen.source]}, n = {unseen.n}{uses}): {value(unseen.baseline.value)} before, "
            f"{value(unseen.winner.value)} after, difference {cell(unseen.difference)}: "
            f"{_CONCLUSIONS[unseen.conclusion]}.",
            markup=False,
            soft_wrap=True,
        )
