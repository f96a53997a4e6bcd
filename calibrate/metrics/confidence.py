"""How far a judge's confidence can be believed (STATISTICS section 10): Brier score, ECE, reliability table.

Top-label calibration: the stated probability ``c`` that the label is right, against ``r``, 1 if it is right and else 0.
With two classes it is the probability ``q`` of the positive label, told differently: for a positive verdict ``q = c``
and ``y = r``, for a negative one ``q = 1 - c`` and ``y = 1 - r`` (``y`` is 1 for positive gold), so that
``(q - y)^2 = (c - r)^2`` in both cases and the Brier score is the same. (The bins are those of ``c``: ``q`` and
``1 - q`` are as sure of their label and share one.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from calibrate.domain import Json, Scale, Scored, Verdict
from calibrate.metrics.agreement import Array
from calibrate.metrics.estimates import Estimate, Reason
from calibrate.metrics.intervals import (
    DRAWS,
    PRIOR_MASS,
    Interval,
    affordable_draws,
    bootstrap_groups,
    design_effect,
    percentiles,
    percentiles_of,
    union,
    wilson,
)
from calibrate.metrics.pairing import Codes, group_numbers, pair

__all__ = ["BINS", "Confidence", "ReliabilityBin", "measure_confidence"]

BINS = 15
"""Bins of equal mass; fewer when there are fewer items or distinct confidences."""

_CHANCE = 0.95
_MOST_VALUES = 1000
_COST_OF_A_CELL = 10  # cells of one verdict or of none take longer to draw than the cells of tables


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """The verdicts of about one confidence.

    Attributes:
        low: the lowest confidence among them.
        high: the highest.
        n: how many.
        confidence: their mean confidence.
        right: the share of them that is right, with its Wilson interval.
    """

    low: float
    high: float
    n: int
    confidence: float
    right: Estimate

    def to_json(self) -> dict[str, Json]:
        """Return the fields as JSON."""
        return {
            "low": self.low,
            "high": self.high,
            "n": self.n,
            "confidence": self.confidence,
            "right": self.right.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Confidence:
    """How far the confidence of one judge can be believed on one set.

    Attributes:
        n: labelled items whose verdict states a label and a confidence: what every figure here is about.
        without_confidence: those whose verdict states a label but no confidence.
        unscored: those whose verdict states no label.
        mean: the mean confidence; None for n = 0.
        right: the share that is right, with its Wilson interval.
        brier: mean squared difference between confidence and being right, in [0, 1], lower is better. Brier (1950).
        ece: expected calibration error: mean over the bins, weighted by items, of the difference between mean
            confidence and share right, in [0, 1]. It has no interval: a resampled one is biased upwards. Naeini, Cooper
            and Hauskrecht (2015).
        ece_by_chance: what the ECE of a perfectly calibrated judge with these confidences stays below in 95 % of sets
            of these items; few items in a bin make an ECE of their own.
        bins: the reliability table, by rising confidence; none is empty.
    """

    n: int
    without_confidence: int
    unscored: int
    mean: float | None
    right: Estimate
    brier: Estimate
    ece: Estimate
    ece_by_chance: float | None
    bins: tuple[ReliabilityBin, ...]

    def to_json(self) -> dict[str, Json]:
        """Return every figure as JSON, undefined ones as null with their reason."""
        return {
            "n": self.n,
            "without_confidence": self.without_confidence,
            "unscored": self.unscored,
            "mean": self.mean,
            "right": self.right.to_json(),
            "brier": self.brier.to_json(),
            "ece": {
                **self.ece.to_json(),
                "by_chance": self.ece_by_chance,
                "bins": len(self.bins),
                "binning": f"at most {BINS} of equal mass, equal confidences together",
            },
            "reliability": [each.to_json() for each in self.bins],
        }


def measure_confidence(
    human: Sequence[str | None],
    verdicts: Sequence[Verdict],
    scale: Scale,
    *,
    groups: Sequence[str | None] | None = None,
    seed: int = 0,
    draws: int = DRAWS,
    intervals: bool = True,
) -> Confidence:
    """Measure the confidence of verdicts against gold labels.

    On an interval scale a score is right when it is on the gold score's side of the threshold.

    Args:
        human: gold label of each row; None leaves the row out, with its verdict.
        verdicts: the judge's verdict on the same rows; those without a label or a confidence are counted, and nothing
            is filled in for them.
        scale: the declared scale.
        groups: resampling unit of each row; a row without one stands alone.
        seed: seed of the generator of the interval and of the ECE by chance.
        draws: replicates; fewer are made, but at least 200, when the data are large.
        intervals: whether to draw: the interval of the Brier score, and the ECE by chance.

    Raises:
        InputError: the lengths differ, a label is outside the scale.
    """
    pairs = pair(human, verdicts, scale)
    stated = [_stated(verdicts[row]) for row in pairs.rows]
    told = [each for each in stated if each is not None]
    used = np.array([each is not None for each in stated], dtype=bool)
    kept = pairs.keep(used)
    counts = {
        "n": kept.n,
        "without_confidence": int((pairs.scored & ~used).sum()),
        "unscored": int((~pairs.scored).sum()),
    }
    if kept.n == 0 or len(kept.labels) < 2:
        reason: Reason = "no_threshold" if kept.n else "no_confidence"
        nothing, mean = Estimate(None, reason=reason), float(np.mean(told)) if told else None
        return Confidence(**counts, mean=mean, right=nothing, brier=nothing, ece=nothing, ece_by_chance=None, bins=())

    cells = _Cells.of(np.array(told, dtype=float), kept.human == kept.judge)
    brier, by_chance = Estimate(cells.brier), None
    if intervals:
        generator = np.random.default_rng(seed)
        numbers = None if groups is None else group_numbers(groups, kept)
        ends = _brier_interval(cells, numbers, draws, generator)
        brier = brier if ends is None else brier.with_interval(ends.low, ends.high)
        by_chance = _ece_by_chance(cells, draws, generator)
    return Confidence(
        **counts,
        mean=float(cells.value @ cells.count) / cells.n,
        right=_share(float(cells.right.sum()), cells.n),
        brier=brier,
        ece=Estimate(float(_ece(cells, cells.right[None, :])[0])),
        ece_by_chance=by_chance,
        bins=tuple(_reliability(cells, cells.bins == each) for each in range(int(cells.bins.max()) + 1)),
    )


@dataclass(frozen=True, slots=True)
class _Cells:
    """The verdicts counted by confidence, so that the order of the rows does not matter.

    Attributes:
        value: ``[m]``, the distinct confidences, ascending.
        count: ``[m]``, how many verdicts have each.
        right: ``[m]``, how many of them are right.
        bins: ``[m]``, the bin of each.
        position: ``[n]``, the index of each row's confidence.
        row_right: ``[n]``, whether each row's label is right.
    """

    value: Array
    count: Array
    right: Array
    bins: Codes
    position: Codes
    row_right: NDArray[np.bool_]

    @classmethod
    def of(cls, confidence: Array, right: NDArray[np.bool_]) -> _Cells:
        value, position, count = np.unique(confidence, return_inverse=True, return_counts=True)
        hits = np.bincount(position, right, value.size).astype(float)
        return cls(value, count.astype(float), hits, equal_mass_bins(count), position, right)

    @property
    def n(self) -> int:
        return self.position.size

    @property
    def brier(self) -> float:
        return float(self.right @ (self.value - 1) ** 2 + (self.count - self.right) @ self.value**2) / self.n


def equal_mass_bins(count: NDArray[np.int64]) -> Codes:
    """Return the bin of each distinct confidence, numbered from 0 without gaps.

    Of ``min(15, n)`` bins of equal mass, a confidence goes with all its verdicts to the one that holds the middle of
    their ranks; bins that thereby stay empty are no bins.

    Args:
        count: how many verdicts have each confidence, in ascending order of confidence.
    """
    n = int(count.sum())
    middle_twice = 2 * np.cumsum(count) - count
    bins: Codes = np.unique(middle_twice * min(BINS, n) // (2 * n), return_inverse=True)[1]
    return bins


def _stated(verdict: Verdict) -> float | None:
    return verdict.confidence if isinstance(verdict, Scored) else None


def _share(right: float, n: int) -> Estimate:
    ends = wilson(right, n)
    share = Estimate(right / n)
    return share if ends is None else share.with_interval(ends.low, ends.high)


def _reliability(cells: _Cells, inside: NDArray[np.bool_]) -> ReliabilityBin:
    value, count = cells.value[inside], cells.count[inside]
    n = int(count.sum())
    right = _share(float(cells.right[inside].sum()), n)
    return ReliabilityBin(float(value[0]), float(value[-1]), n, float(value @ count) / n, right)


def _ece(cells: _Cells, right: Array) -> Array:
    """Return the ECE of ``[draws, m]`` numbers of right verdicts."""
    gaps = cells.value * cells.count - right
    starts = np.searchsorted(cells.bins, np.arange(int(cells.bins.max()) + 1))
    ece: Array = np.abs(np.add.reduceat(gaps, starts, axis=1)).sum(1) / cells.n
    return ece


def _ece_by_chance(cells: _Cells, draws: int, generator: Generator) -> float:
    size = (affordable_draws(draws, _COST_OF_A_CELL * cells.value.size), cells.value.size)
    if cells.value.size == cells.n:  # no two alike: the usual case of large data, and much faster
        right = (generator.random(size) < cells.value).astype(float)
    else:
        right = generator.binomial(cells.count.astype(np.int64), cells.value, size=size).astype(float)
    return float(np.quantile(_ece(cells, right), _CHANCE))


def _brier_interval(cells: _Cells, groups: Codes | None, draws: int, generator: Generator) -> Interval | None:
    """Return the 95 % interval of the Brier score; None when all rows share one group.

    As for tables: drawn from ``Dirichlet(counts + prior)``, cells being a confidence with a right and with a wrong
    label, the prior mass of 2 spread like the confidences and evenly over right and wrong: a judge that was right every
    time gets no interval of width 0. Over groups the interval also holds the percentiles of resampled groups, and is
    that of so many rows as the design effect leaves.
    """
    by_row = _drawn_brier(cells, 1.0, draws, generator)
    if groups is None:
        return percentiles(by_row)
    group_count = int(groups.max()) + 1
    if group_count == 1:
        return None
    loss = (cells.value[cells.position] - cells.row_right) ** 2
    sums = np.stack([np.bincount(groups, each, group_count) for each in (loss, np.ones(cells.n))], axis=1).astype(float)
    replicates = bootstrap_groups(sums, affordable_draws(draws, group_count), generator)
    by_group = replicates[:, 0] / replicates[:, 1]
    effect = design_effect(by_group, by_row, group_count, cells.n)
    effective = _drawn_brier(cells, effect, draws, generator)
    return union(percentiles_of({"brier": effective}), percentiles_of({"brier": by_group}))["brier"]


def _drawn_brier(cells: _Cells, effect: float, draws: int, generator: Generator) -> Array:
    value, count, right = cells.value, cells.count, cells.right
    if value.size > _MOST_VALUES:
        # Neighbours among so many confidences are one as far as the width of the interval goes.
        starts = np.arange(0, value.size, -(-value.size // _MOST_VALUES))
        value = np.add.reduceat(value * count, starts) / np.add.reduceat(count, starts)
        count, right = np.add.reduceat(count, starts), np.add.reduceat(right, starts)
    prior = PRIOR_MASS * count / (2 * cells.n)
    counts = np.concatenate([right / effect + prior, (count - right) / effect + prior])
    losses = np.concatenate([(value - 1) ** 2, value**2])
    made = affordable_draws(draws, _COST_OF_A_CELL * losses.size)
    weights = generator.standard_gamma(counts, size=(made, losses.size))
    drawn: Array = weights @ losses / weights.sum(1)
    return drawn
