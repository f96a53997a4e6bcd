"""How often intervals hold the truth: populations with a known alignment, and sets drawn from them.

A cell is a population: the shares of (gold, judge) pairs. Its truth is the alignment of that table of shares. Sets of n
items are drawn from it; those whose gold is one class have no alignment and are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibrate.domain import Scale
from calibrate.metrics.agreement import Array, Suite, alignment, components, suite_for
from calibrate.metrics.comparison import draw_differences
from calibrate.metrics.intervals import draw_tables, intervals_of, percentiles

BINARY = Scale("binary", ("0", "1"), "1")
ORDINAL = Scale("ordinal", ("1", "2", "3", "4", "5"))
NOMINAL = Scale("nominal", ("a", "b", "c", "d", "e"))

EQUAL = (0.2, 0.2, 0.2, 0.2, 0.2)
SKEWED = (0.4, 0.3, 0.15, 0.1, 0.05)

SETS = 2000
DRAWS = 1000


@dataclass(frozen=True)
class Coverage:
    """Shares of sets whose interval holds the truth, lies above it, and lies below it."""

    inside: float
    above: float
    below: float
    width: float


def binary_replies(finds_positive: float, finds_negative: float) -> Array:
    """A judge's label given gold: rows gold 0 and 1."""
    return np.array([[finds_negative, 1 - finds_negative], [1 - finds_positive, finds_positive]])


def ordinal_replies(accuracy: float) -> Array:
    """A judge of five levels: errors fall on the neighbours in four of five cases."""
    replies = np.zeros((5, 5))
    for level in range(5):
        near = [each for each in (level - 1, level + 1) if 0 <= each < 5]
        far = [each for each in range(5) if each != level and each not in near]
        replies[level, level] = accuracy
        replies[level, near] = (1 - accuracy) * 0.8 / len(near)
        replies[level, far] = (1 - accuracy) * 0.2 / len(far)
    return replies


def population(shares: tuple[float, ...], replies: Array) -> Array:
    return np.array(shares)[:, None] * replies


def joint_population(shares: tuple[float, ...], first: Array, second: Array, common: float) -> Array:
    """Two judges who give one reply in the share ``common`` of items where they can, and else reply independently."""
    k = len(shares)
    joint = np.zeros((k, k, k))
    for gold, share in enumerate(shares):
        same = np.minimum(first[gold], second[gold])
        left, right = first[gold] - same, second[gold] - same
        apart = np.outer(left, right) / left.sum() if left.sum() > 1e-12 else np.zeros((k, k))
        joint[gold] = share * (common * (np.diag(same) + apart) + (1 - common) * np.outer(first[gold], second[gold]))
    return joint


def coverage(scale: Scale, truth: Array, n: int, *, sets: int = SETS, draws: int = DRAWS, seed: int = 20) -> Coverage:
    """Draw sets from a population and count whose interval of alignment holds the population's."""
    how = suite_for(scale)
    generator = np.random.default_rng(seed)
    target = _alignment(truth, how)
    ends, values = [], []
    for _ in range(sets):
        counts = generator.multinomial(n, truth.ravel()).reshape(truth.shape).astype(float)
        value = _alignment(counts, how)
        if np.isfinite(value):
            drawn = draw_tables(counts, draws, generator)
            interval = intervals_of(lambda tables: {"alignment": alignment(components(tables, how))}, drawn)[
                "alignment"
            ]
            ends.append((interval.low, interval.high))
            values.append(value)
    return _shares(np.array(ends), np.array(values), target)


def paired_coverage(
    scale: Scale, truth: Array, n: int, *, sets: int = SETS, draws: int = DRAWS, seed: int = 20
) -> Coverage:
    """The same for the paired difference of two judges."""
    how = suite_for(scale)
    generator = np.random.default_rng(seed)
    k = truth.shape[0]
    target = _alignment(truth.sum(1), how) - _alignment(truth.sum(2), how)
    ends, values = [], []
    for _ in range(sets):
        counts = np.zeros((k, k + 5, k + 5))
        counts[:, :k, :k] = generator.multinomial(n, truth.ravel()).reshape(truth.shape)
        value = _alignment(counts.sum(1)[:, :k], how) - _alignment(counts.sum(2)[:, :k], how)
        interval = percentiles(draw_differences(counts, scale, "exclude", draws, generator))
        if np.isfinite(value) and interval is not None:
            ends.append((interval.low, interval.high))
            values.append(value)
    return _shares(np.array(ends), np.array(values), target)


def _alignment(table: Array, how: Suite) -> float:
    return float(alignment(components(table, how)))


def _shares(ends: NDArray[np.float64], values: NDArray[np.float64], target: float) -> Coverage:
    """An interval always reaches to its own estimate (Estimate.with_interval)."""
    low, high = np.minimum(ends[:, 0], values), np.maximum(ends[:, 1], values)
    above, below = float((low > target + 1e-9).mean()), float((high < target - 1e-9).mean())
    return Coverage(1 - above - below, above, below, float((high - low).mean()))
