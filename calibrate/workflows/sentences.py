"""The sentences that results begin with: what a manager can quote, and no more than the data carry."""

from __future__ import annotations

from collections.abc import Iterable

from calibrate.metrics import Alignment, Estimate
from calibrate.workflows.results import JudgeAlignment

__all__ = ["calibration_sentence", "figure", "joined", "judge_sentence"]


def judge_sentence(result: JudgeAlignment, max_unscored: float) -> str:
    """Say how far a judge agrees with the experts, and what it does to each class."""
    alignment = result.alignment
    where = f" ({result.slice})" if result.slice else ""
    who = f"{result.judge} on {result.dimension}{where}"
    if alignment.coverage < 1 - max_unscored:
        return (
            f"{who}: {alignment.n - alignment.scored} of {alignment.n} items have no usable verdict; "
            "this judge cannot be relied on until it answers."
        )
    if alignment.value.value is None:
        return f"{who}: alignment is undefined ({alignment.value.reason}) on {alignment.n} items."
    return (
        f"{who} agrees with the experts at alignment {figure(alignment.value)} on {alignment.scored} items"
        f"{_classes(alignment)}."
    )


def calibration_sentence(
    baseline: Alignment, winner: Alignment, difference: Estimate | None, *, same: bool, max_unscored: float
) -> str:
    """Say what a calibration came to, on the items that it searched on.

    Args:
        baseline: alignment of the prompt it started from.
        winner: alignment of the best prompt.
        difference: winner minus baseline, paired, or None when it is undefined.
        same: whether the winner is the baseline itself.
        max_unscored: share of unscored verdicts above which no good word is said.
    """
    items = f"these {winner.n} items"
    if same:
        return f"No prompt tried did better than the baseline ({figure(baseline.value)}) on {items}."
    if winner.coverage < 1 - max_unscored:
        return f"The best prompt leaves {winner.n - winner.scored} of {items} without a verdict; it is not usable."
    change = f"alignment {figure(baseline.value)} before, {figure(winner.value)} after"
    if difference is None or difference.value is None or difference.low is None:
        return f"On {items}: {change}; not tested on unseen ones."
    gain = f"paired difference {difference.value:+.2f}, 95 % interval {difference.low:+.2f} to {difference.high:+.2f}"
    if difference.low > 0:
        return f"Better on {items}, not tested on unseen ones: {change} ({gain})."
    return f"Not distinguishable from the baseline on {items}: {change} ({gain})."


def figure(estimate: Estimate) -> str:
    """Write a figure with its interval, or why there is none."""
    if estimate.value is None:
        return f"undefined ({estimate.reason})"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.2f}"
    return f"{estimate.value:.2f} (95 % interval {estimate.low:.2f} to {estimate.high:.2f})"


def joined(sentences: Iterable[str]) -> str:
    """Put sentences on one line."""
    return " ".join(sentences)


def _classes(alignment: Alignment) -> str:
    """The share of each class that the judge recognises, for scales of few classes."""
    counts = alignment.n_per_class
    if not 0 < len(counts) <= 3:
        return ""
    parts = [
        f"{round(recall.value * counts[label])} of {counts[label]} labelled {label!r}"
        for label, recall in alignment.recall_by_class.items()
        if recall.value is not None and label in counts
    ]
    return f"; it recognises {' and '.join(parts)}" if parts else ""
