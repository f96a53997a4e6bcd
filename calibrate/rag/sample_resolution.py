"""Before anything is spent: what a number of questions can tell about one variant, and about two."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.metrics import mcnemar_exact, wilson

__all__ = ["POWER", "SampleResolution", "resolution"]

POWER = 0.8
"""Chance of finding a difference of the size that is called resolvable."""

LEVEL = 0.05

_MOST_QUESTIONS = 100_000


@dataclass(frozen=True, slots=True)
class SampleResolution:
    """What n questions resolve in a share, such as the hit rate or correctness.

    Attributes:
        n: the questions.
        share: the share that the width is for.
        half_width: half the width of the 95 % Wilson interval of that share.
        reversed_share: share of questions that a change for the better spoils, or one for the worse mends, all the
            same.
        difference: the smallest paired difference that the exact McNemar test, on its own at 5 %, finds with a chance
            of 80 %; None when even the largest possible one is not found.
        fewest_changed: questions that must change, all in one direction, for the test to see anything; None when n are
            not enough.
    """

    n: int
    share: float
    half_width: float
    reversed_share: float
    difference: float | None
    fewest_changed: int | None

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON."""
        return {
            "n": self.n,
            "share": self.share,
            "half_width": self.half_width,
            "reversed_share": self.reversed_share,
            "difference": self.difference,
            "fewest_changed": self.fewest_changed,
        }


def resolution(n: int, share: float = 0.5, *, reversed_share: float = 0.02) -> SampleResolution:
    """Return what n questions can tell.

    The power is exact: the number of questions that change is binomial, and so is, among these, the number of those
    that get better. Where several figures are tested together (Holm) a difference has to be larger.

    Args:
        n: questions, from 1 to 100,000.
        share: the share of the first variant, in [0, 1]: it decides how wide its interval is, at one half the widest.
        reversed_share: share of questions that move against the difference, in [0, 0.5).

    Raises:
        InputError: an argument is outside its range.
    """
    if not 1 <= n <= _MOST_QUESTIONS:
        raise InputError(f"a number of questions lies between 1 and {_MOST_QUESTIONS:,}, not {n:,}", field="n")
    if not (0 <= share <= 1 and 0 <= reversed_share < 0.5):
        raise InputError("shares lie in [0, 1], and the reversed one below 0.5", field="share")
    ends = wilson(share * n, n)
    assert ends is not None, "n is above 0"
    fewest = next((count for count in range(1, min(n, 20) + 1) if mcnemar_exact(0, count) < LEVEL), None)
    return SampleResolution(
        n, share, (ends.high - ends.low) / 2, reversed_share, _difference(n, reversed_share), fewest
    )


def _difference(n: int, reversed_share: float) -> float | None:
    low, high = 0.0, 1.0 - 2 * reversed_share
    if _power(n, high, reversed_share) < POWER:
        return None
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (low, middle) if _power(n, middle, reversed_share) >= POWER else (middle, high)
    return high


def _power(n: int, difference: float, reversed_share: float) -> float:
    """Return the chance that the test finds the difference, in its direction."""
    from scipy.stats import binom

    changed_share = difference + 2 * reversed_share
    if changed_share <= 0:
        return 0.0
    changed = np.arange(n + 1)
    mass = binom.pmf(changed, n, changed_share)
    likely = mass > 1e-12
    mass, changed = mass[likely], changed[likely]
    # The most questions that may move against the difference for the test to reject; -1 where none may.
    quantile = np.asarray(binom.ppf(LEVEL / 2, changed, 0.5))
    against = quantile - (2 * binom.cdf(quantile, changed, 0.5) >= LEVEL)
    return float(mass @ binom.cdf(against, changed, reversed_share / changed_share))
