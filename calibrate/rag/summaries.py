"""A figure over all its questions: the mean with its 95 % interval, and what was left out and why."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from calibrate.domain import Json
from calibrate.metrics import Interval, wilson
from calibrate.rag.figures import Figure

__all__ = ["DRAWS", "UNSEEN", "Summary", "mean_interval", "summarise"]

Array = NDArray[np.float64]

DRAWS = 2000

UNSEEN = 0.5
"""Weight of the question that was not asked, beside 1 of each that was."""


@dataclass(frozen=True)
class Summary:
    """One figure of one variant.

    Attributes:
        name: of the figure.
        value: the mean over its questions; None when none has a value.
        low: lower end of the mean's 95 % interval; None without one.
        high: upper end.
        n: questions with a value.
        left_out: how many questions have none, by reason.
        judge: the role of the judge that it comes from, if any.
        higher_is_better: whether more is better; None where neither is.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    left_out: Mapping[str, int] = field(default_factory=dict)
    judge: str | None = None
    higher_is_better: bool | None = True

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON."""
        return {
            "name": self.name,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "n": self.n,
            "left_out": dict(self.left_out),
            "judge": self.judge,
            "higher_is_better": self.higher_is_better,
        }


def summarise(figure: Figure, *, seed: int = 0, draws: int = DRAWS) -> Summary:
    """Return a figure's mean, its interval and what was left out.

    Args:
        figure: the figure, question by question.
        seed: of the generator.
        draws: replicates, where they are needed.
    """
    ordered = np.array([figure.values[each] for each in sorted(figure.values)], dtype=np.float64)
    share = figure.is_share and bool(((ordered >= 0) & (ordered <= 1)).all())
    ends = mean_interval(ordered, np.random.default_rng(seed), share=share, draws=draws)
    return Summary(
        figure.name,
        figure.mean,
        None if ends is None else ends.low,
        None if ends is None else ends.high,
        len(figure.values),
        dict(sorted(Counter(figure.left_out.values()).items())),
        figure.judge,
        figure.higher_is_better,
    )


def mean_interval(values: Array, generator: Generator, *, share: bool, draws: int = DRAWS) -> Interval | None:
    """Return the 95 % interval of the mean of questions' values, which reaches at least to the mean.

    - Only 0 and 1: Wilson.
    - Other shares: the questions get weights from a flat Dirichlet (the Bayesian bootstrap, Rubin 1981) with one more
      question beside them, worth 0 for the lower end and 1 for the upper one: what thirty answers have not shown, the
      next may. Plain resampling, BCa and studentised alike, gives an interval of no width when all thirty agree.
    - Amounts, which have no upper end: the studentised bootstrap (Efron 1979). None where fewer than 5 questions differ
      from the commonest value: it covers .43 where 95 % of thirty counts are equal.

    Args:
        values: one a question.
        generator: the source of randomness.
        share: whether values lie in [0, 1].
        draws: replicates.
    """
    n = values.size
    if n == 0:
        return None
    if share and bool(((values == 0) | (values == 1)).all()):
        return wilson(float(values.sum()), n)
    if share:
        return _of_shares(values, generator, draws)
    commonest = int(np.unique(values, return_counts=True)[1].max())
    return _of_amounts(values, generator, draws) if n - commonest >= _FEWEST_OTHERS else None


_FEWEST_OTHERS = 5


def _of_shares(values: Array, generator: Generator, draws: int) -> Interval:
    weights = generator.dirichlet([*np.ones(values.size), UNSEEN], size=draws)
    means = weights[:, :-1] @ values
    mean = float(values.mean())
    low, high = np.quantile(means, 0.025), np.quantile(means + weights[:, -1], 0.975)
    return Interval(min(float(low), mean), max(float(high), mean))


def _of_amounts(values: Array, generator: Generator, draws: int) -> Interval:
    n, mean = values.size, float(values.mean())
    error = float(values.std(ddof=1)) / math.sqrt(n)
    drawn = values[generator.integers(0, n, size=(draws, n))]
    errors = drawn.std(axis=1, ddof=1) / math.sqrt(n)
    usable = errors > 0
    t = (drawn.mean(axis=1)[usable] - mean) / errors[usable]
    # A few different values among many equal ones make some replicates nearly constant, and their t without bounds.
    low_t, high_t = np.quantile(t, (0.025, 0.975))
    low, high = mean - float(high_t) * error, mean - float(low_t) * error
    return Interval(max(low, 0.0) if values.min() >= 0 else low, high)
