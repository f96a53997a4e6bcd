"""Differences of two proportions with score intervals: on the same items, and within strata of different items.

Score intervals keep their promise on small sets and at the boundary, where the usual ones collapse.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

__all__ = ["Difference", "paired_difference", "stratified_difference"]

Array = NDArray[np.float64]

_Z = NormalDist().inv_cdf(0.975)
_EDGE = 1.0 - 1e-9


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference of two proportions, in [-1, 1].

    Attributes:
        value: the difference.
        low: lower end of its 95 % interval.
        high: upper end.
        p: two-sided, of the score test of no difference.
    """

    value: float
    low: float
    high: float
    p: float


def paired_difference(more: float, less: float, n: float) -> Difference:
    """Return ``(more - less) / n`` with Tango's score interval. Tango (1998).

    Args:
        more: items that are positive the second time only.
        less: items that are positive the first time only.
        n: all items, above 0. Counts may be fractional (divided by a design effect).
    """
    value = (more - less) / n

    def z(delta: float) -> float:
        linear = -more - less + (2.0 * n - more + less) * delta
        constant = -less * delta * (1.0 - delta)
        root = math.sqrt(max(linear * linear - 8.0 * n * constant, 0.0))
        # Share of items that are positive the first time only, given the difference.
        share = max((root - linear) / (4.0 * n), 0.0)
        return _ratio(more - less - n * delta, n * (2.0 * share + delta * (1.0 - delta)))

    return _inverted(z, value)


def stratified_difference(counts: Array, *, rows_as_one: float = 1.0) -> Difference | None:
    """Return a difference of proportions within strata: Mantel-Haenszel weights, Miettinen-Nurminen score interval.

    Miettinen and Nurminen (1985). Strata in which one of the groups is empty say nothing and are left out.

    Args:
        counts: ``[strata, 2, 2]``: of each stratum and group, how many are negative and positive. The difference is the
            second group's share less the first's.
        rows_as_one: how many rows count as one (a design effect, at least 1).

    Returns:
        None when no stratum has items of both groups.
    """
    sizes = counts.sum(axis=2)
    usable = (sizes > 0).all(axis=1)
    if not usable.any():
        return None
    counts, sizes = counts[usable], sizes[usable]
    total = sizes.sum(axis=1)
    weights = sizes.prod(axis=1) / total
    weights = weights / weights.sum()
    first, second = counts[:, 0, 1], counts[:, 1, 1]
    differences = second / sizes[:, 1] - first / sizes[:, 0]
    value = float(weights @ differences)

    def z(delta: float) -> float:
        low = _restricted(first, second, sizes, delta)
        high = np.clip(low + delta, 0.0, 1.0)
        variances = low * (1.0 - low) / sizes[:, 0] + high * (1.0 - high) / sizes[:, 1]
        variances = variances * total / (total - 1.0) * rows_as_one
        return _ratio(value - delta, float(weights**2 @ variances))

    return _inverted(z, value)


def _restricted(first: Array, second: Array, sizes: Array, delta: float) -> Array:
    """The likeliest share of the first group in each stratum, given the difference (Farrington and Manning, 1990)."""
    zeros, ones = sizes[:, 0], sizes[:, 1]
    total = zeros + ones
    # Coefficients of the cubic in the first group's share, divided by the leading one.
    quadratic = ((ones + 2.0 * zeros) * delta - total - first - second) / total
    linear = ((zeros * delta - total - 2.0 * first) * delta + first + second) / total
    constant = first * delta * (1.0 - delta) / total
    turn = quadratic**3 / 27.0 - quadratic * linear / 6.0 + constant / 2.0
    root = np.sqrt(np.maximum(quadratic**2 / 9.0 - linear / 3.0, 0.0)) * np.where(turn < 0, -1.0, 1.0)
    cube = root**3
    with np.errstate(divide="ignore", invalid="ignore"):
        cosine = np.where(cube == 0.0, 0.0, turn / np.where(cube == 0.0, 1.0, cube))
    angle = (math.pi + np.arccos(np.clip(cosine, -1.0, 1.0))) / 3.0
    share = 2.0 * root * np.cos(angle) - quadratic / 3.0
    likeliest: Array = np.clip(share, max(0.0, -delta), min(1.0, 1.0 - delta))
    return likeliest


def _ratio(distance: float, variance: float) -> float:
    if variance > 0.0:
        return distance / math.sqrt(variance)
    return 0.0 if abs(distance) < 1e-12 else math.copysign(math.inf, distance)


def _inverted(z: Callable[[float], float], value: float) -> Difference:
    """Return the differences that the score test does not reject, and its p of no difference."""
    return Difference(
        value,
        _crossing(z, _Z, -_EDGE, value),
        _crossing(z, -_Z, value, _EDGE),
        math.erfc(min(abs(z(0.0)), 40.0) / math.sqrt(2.0)),
    )


def _crossing(z: Callable[[float], float], wanted: float, left: float, right: float) -> float:
    """Where the falling score statistic passes ``wanted``; the end of the range when it never does."""
    if wanted > 0 and z(left) < wanted:
        return -1.0
    if wanted < 0 and z(right) > wanted:
        return 1.0
    for _ in range(60):
        middle = (left + right) / 2.0
        left, right = (middle, right) if z(middle) > wanted else (left, middle)
    return (left + right) / 2.0
