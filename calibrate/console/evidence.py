"""What stands behind a winner, on the terminal."""

from __future__ import annotations

from rich.console import Console

from calibrate.console.style import cell, value
from calibrate.workflows.evidence import Evidence

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
        out.print(
            f"Chance: p {value(chance.p.value)} that the best of {chance.candidates} useless rewrites gains as much; "
            f"the winner's alignment corrected for choosing: {cell(chance.corrected)} (rewriting on the same items is "
            "not corrected for).",
            markup=False,
        )
    if noise is not None:
        fresh = f"; the winner's fresh runs: {value(noise.fresh)}, a gain of {value(noise.fresh_gain)}"
        out.print(
            f"Noise: {noise.repeats} runs each; {value(noise.flip_rate)} of verdicts flip between runs; differences "
            f"up to {value(noise.resolution)} are the judge's own variation{fresh if noise.winner else ''}.",
            markup=False,
        )
    for unseen in evidence.unseen:
        uses = f", use {unseen.uses} of them" if unseen.source != "cross_fit" else ""
        out.print(
            f"Unseen ({_SOURCES[unseen.source]}, n = {unseen.n}{uses}): {value(unseen.baseline.value)} before, "
            f"{value(unseen.winner.value)} after, difference {cell(unseen.difference)}: "
            f"{_CONCLUSIONS[unseen.conclusion]}.",
            markup=False,
        )
