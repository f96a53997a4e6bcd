"""How much a judge's own variation moves its alignment (STATISTICS section 4).

One judge answers the same items k times. What a gain must exceed to be more than this variation, the resolution, is
1.96 SD of the difference in alignment between two runs of that judge. Unscored verdicts count as disagreements, as
wherever judges are ranked.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from calibrate.domain import UNSCORED_REASONS, Json, Scale, Scored, UnscoredReason, Verdict
from calibrate.errors import InputError
from calibrate.metrics.agreement import Array
from calibrate.metrics.estimates import Estimate
from calibrate.metrics.intervals import DRAWS, LEVEL, affordable_draws
from calibrate.metrics.judge_stack import JudgeStack

__all__ = ["Flip", "NoiseFloor", "noise_floor"]

Codes = NDArray[np.int64]

UNSEEN_FLIPS = 1.25
"""Flipped items added to those that two repeats show: few flips, or none, tell little about how many there will be.

Without them up to 11 % of pairs of runs of one judge are called different (n = 30 and 100, flip rates .03 to .2), as
too few flips are seen too often; with them at most 5.8 %. They do not help raw scores without a threshold, which vary
on every item: up to 9 % at n = 30 with two repeats.
"""

_MOST_CHANGES = 400


@dataclass(frozen=True, slots=True)
class Flip:
    """An item on which the repeats differ.

    Attributes:
        row: the item's position in the sequences measured, from 0.
        labels: how often each label was given, the commonest first.
        unscored: how often there was no label, by reason.
    """

    row: int
    labels: Mapping[str, int]
    unscored: Mapping[UnscoredReason, int]

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON."""
        return {
            "row": self.row,
            "labels": dict(self.labels),
            "unscored": {str(reason): count for reason, count in self.unscored.items()},
        }


@dataclass(frozen=True, slots=True)
class NoiseFloor:
    """One judge's own variation on one set.

    Attributes:
        k: repeats.
        n: items with a gold label.
        flip_rate: share of the pairs of repeats on an item that differ, over all items; in [0, 1]. Another label, score
            or reason is a difference, other reasoning is not.
        flips: the items on which any repeats differ.
        alignment: alignment of each repeat.
        sd: sample standard deviation of these.
        resolution: the largest difference in alignment of two runs that this variation explains, at 95 %; at least
            ``one_flip``.
        one_flip: the most that one changed verdict moves alignment: to another label; on ordinal scales to a
            neighbouring level; on interval scales to the nearest score that occurs on the other side of the threshold,
            without one to the next score that occurs.
        draws: redraws the resolution rests on.
    """

    k: int
    n: int
    flip_rate: Estimate
    flips: tuple[Flip, ...]
    alignment: tuple[Estimate, ...]
    sd: Estimate
    resolution: Estimate
    one_flip: Estimate
    draws: int

    def to_json(self) -> dict[str, Json]:
        """Return every figure as JSON, undefined ones as null with their reason."""
        return {
            "k": self.k,
            "n": self.n,
            "flip_rate": self.flip_rate.to_json(),
            "flips": [each.to_json() for each in self.flips],
            "alignment": [each.to_json() for each in self.alignment],
            "sd": self.sd.to_json(),
            "resolution": self.resolution.to_json(),
            "one_flip": self.one_flip.to_json(),
            "draws": self.draws,
        }


def noise_floor(
    human: Sequence[str | None],
    repeats: Sequence[Sequence[Verdict]],
    scale: Scale,
    *,
    seed: int = 0,
    draws: int = DRAWS,
) -> NoiseFloor:
    """Measure how far a judge's verdicts, and with them its alignment, vary from run to run.

    Each item's verdict is redrawn from its k repeats twice, independently, many times. The variance of the difference
    in alignment, times k / (k - 1) as k repeats vary less around their own mean, plus that of ``UNSEEN_FLIPS * 2 / k``
    flipped items, gives the resolution.

    Args:
        human: gold label of each row; None leaves the row out.
        repeats: verdicts of one judge on the same rows, from k >= 2 fresh runs.
        scale: the declared scale.
        seed: seed of the generator.
        draws: redraws, fewer for large data.

    Raises:
        InputError: fewer than two repeats, the lengths differ, or a label is outside the scale.
    """
    k = len(repeats)
    if k < 2:
        raise InputError(f"noise shows between repeats: {k} given, it takes 2 or more fresh runs of the same judge")
    stack = JudgeStack.of(human, repeats, scale)
    given = [[_answer(run[row]) for run in repeats] for row in stack.pairs[0].rows]
    flips = tuple(
        _flip(int(row), each) for row, each in zip(stack.pairs[0].rows, given, strict=True) if len(set(each)) > 1
    )
    if stack.undefined is not None:
        nothing = Estimate(None, reason=stack.undefined)
        rate = _flip_rate(given, k) if stack.n else nothing
        return NoiseFloor(k, stack.n, rate, flips, (nothing,) * k, nothing, nothing, nothing, 0)
    alignments = stack.alignments(stack.codes)
    one_flip, square = _one_verdict_changes(stack, alignments)
    unseen = UNSEEN_FLIPS * 2 / k * square
    made = affordable_draws(draws, 2 * stack.n)
    seen = _variance_of_difference(stack, made, np.random.default_rng(seed)) * k / (k - 1)
    resolution = NormalDist().inv_cdf(0.5 + LEVEL / 2) * math.sqrt(seen + unseen)
    return NoiseFloor(
        k=k,
        n=stack.n,
        flip_rate=_flip_rate(given, k),
        flips=flips,
        alignment=tuple(Estimate(float(each)) for each in alignments),
        sd=Estimate(float(alignments.std(ddof=1))),
        resolution=Estimate(max(resolution, one_flip)),
        one_flip=Estimate(one_flip),
        draws=made,
    )


def _variance_of_difference(stack: JudgeStack, draws: int, generator: np.random.Generator) -> float:
    items = np.arange(stack.n)
    chosen = generator.integers(0, stack.judges, size=(2, draws, stack.n))
    first, second = stack.alignments(stack.codes[chosen, items])
    return float((first - second).var())


def _one_verdict_changes(stack: JudgeStack, alignments: Array) -> tuple[float, float]:
    """Return how far one changed verdict moves alignment at most, and the mean square of it.

    Every gold class has the same part in the mean: a flip on a rare class moves alignment most and is seen least. Equal
    verdicts on equal gold are changed once. Of more than 400 different ones (raw scores) an even part is.
    """
    gold = stack.pairs[0].human_scores if stack.scores.size else stack.human
    changes, shares = [], []
    for codes, alignment in zip(stack.codes, alignments, strict=True):
        _, first, count = np.unique(np.stack([gold, codes]), axis=1, return_index=True, return_counts=True)
        part = np.unique(np.linspace(0, first.size - 1, min(first.size, _MOST_CHANGES)).astype(np.int64))
        share = count[part] / np.bincount(stack.human)[stack.human[first[part]]]
        others = [_others(stack, int(codes[row])) for row in first[part]]
        many = np.array([len(each) for each in others])
        changed = np.repeat(codes[None], many.sum(), axis=0)
        changed[np.arange(many.sum()), np.repeat(first[part], many)] = np.concatenate(others)
        changes.append(np.abs(stack.alignments(changed) - alignment))
        shares.append(np.repeat(share / many, many))
    found = np.concatenate(changes)
    return float(found.max()), float(np.average(found**2, weights=np.concatenate(shares)))


def _others(stack: JudgeStack, code: int) -> list[int]:
    """Return what a verdict could have been instead (see ``NoiseFloor.one_flip``)."""
    scale = stack.pairs[0].scale
    if scale.threshold is not None:
        # An unscored verdict always lies on the wrong side, whatever its score: no verdict flips to that.
        stated = stack.sides == (stack.scores >= scale.threshold)
        across = np.flatnonzero(stated & (stack.sides != stack.sides[code]))
        return [int(across[np.argmin(np.abs(stack.scores[across] - stack.scores[code]))])]
    classes = stack.scores.size or len(stack.pairs[0].labels)
    near = scale.kind in ("ordinal", "interval")
    others = (code - 1, code + 1) if near else range(classes)
    return [each for each in others if 0 <= each < classes and each != code]


def _answer(verdict: Verdict) -> tuple[str, str]:
    return ("label", verdict.label) if isinstance(verdict, Scored) else ("reason", verdict.reason)


def _flip_rate(given: Sequence[Sequence[tuple[str, str]]], k: int) -> Estimate:
    same = sum(count * (count - 1) for each in given for count in Counter(each).values())
    return Estimate(1 - same / (len(given) * k * (k - 1)))


def _flip(row: int, given: Sequence[tuple[str, str]]) -> Flip:
    counts = Counter(given).most_common()
    return Flip(
        row,
        {name: count for (kind, name), count in counts if kind == "label"},
        {
            reason: count
            for (kind, name), count in counts
            for reason in UNSCORED_REASONS
            if (kind, name) == ("reason", reason)
        },
    )
