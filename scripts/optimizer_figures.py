"""The figures of the optimizer bench: means over worlds, comparisons world by world, and what scores pretend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from optimizer_methods import Trace
from scipy import stats

__all__ = ["ITEMS", "SHARES", "Against", "Fared", "Mean", "against", "fared", "mean"]

ITEMS = 60
"""Development items: judge calls that one candidate takes, when it shows no examples and is not stopped."""

SHARES = (0.25, 0.5, 1.0)
"""The shares of the budget at which methods are looked at."""

_DRAWS = 2000
_SAME = 1e-9  # alignments that are closer are equal


@dataclass(frozen=True, slots=True)
class Fared:
    """How the methods fared in one world.

    Attributes:
        family: the world's family.
        seed: its seed.
        baseline: expected alignment of the prompt that all start from.
        attainable: the best that a search that knows the world finds.
        traces: by method.
    """

    family: str
    seed: int
    baseline: float
    attainable: float
    traces: Mapping[str, Trace]

    def to_json(self) -> dict[str, Any]:
        """Return all of it."""
        return {
            "family": self.family,
            "seed": self.seed,
            "baseline": self.baseline,
            "attainable": self.attainable,
            "methods": {
                name: [[each.calls, each.score, each.expected, each.meta_calls] for each in trace.standings]
                for name, trace in self.traces.items()
            },
        }


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over worlds with its 95 % interval, NaN for a single world."""

    value: float
    low: float
    high: float

    def to_json(self) -> dict[str, float | None]:
        """Return the three; a limit that is not known is null."""
        named = {"mean": self.value, "low": self.low, "high": self.high}
        return {name: value if np.isfinite(value) else None for name, value in named.items()}


def mean(values: Sequence[float] | np.ndarray) -> Mean:
    """Return the mean of independent worlds, with the interval of Student's t."""
    sample = np.asarray(values, dtype=float)
    middle = float(sample.mean())
    if len(sample) < 2:
        return Mean(middle, np.nan, np.nan)
    half = float(stats.t.ppf(0.975, len(sample) - 1) * sample.std(ddof=1) / len(sample) ** 0.5)
    return Mean(middle, middle - half, middle + half)


def fared(worlds: Sequence[Fared], method: str, budget: int) -> dict[str, Any]:
    """Return the means of a method over worlds.

    Returns:
        ``expected`` and ``optimism`` (the score of the prompt handed over minus its expected alignment), a
        :class:`Mean` for each of :data:`SHARES`; ``score`` and ``meta_calls`` at the whole budget.
    """
    at = [[world.traces[method].at(round(share * budget)) for world in worlds] for share in SHARES]
    return {
        "expected": [mean([each.expected for each in standings]) for standings in at],
        "optimism": [mean([each.score - each.expected for each in standings]) for standings in at],
        "score": mean([each.score for each in at[-1]]),
        "meta_calls": float(np.mean([each.meta_calls for each in at[-1]])),
    }


@dataclass(frozen=True, slots=True)
class Against:
    """A method against another, world by world.

    Attributes:
        worlds: how many there are.
        higher: in how many of them its prompt is better at the whole budget.
        lower: in how many it is worse.
        difference: its expected alignment minus the other's.
        share: the share of the budget with which its mean curve reaches the other's mean at the whole budget.
        share_low: lower limit of its 95 % interval, from resampled worlds of each family; ``inf`` is never.
        share_high: the upper limit.
        median_share: the median over worlds of the calls after which it reaches what the other has at the end, over
            the calls that the other has made by then; ``inf`` when it does not in half of the worlds.
        never: in how many worlds it never does within the budget.
    """

    worlds: int
    higher: int
    lower: int
    difference: Mean
    share: float
    share_low: float
    share_high: float
    median_share: float
    never: int

    @property
    def equal(self) -> int:
        """In how many worlds both end the same."""
        return self.worlds - self.higher - self.lower

    def to_json(self) -> dict[str, Any]:
        """Return all of it; what is never reached is null."""
        names = ("share", "share_low", "share_high", "median_share")
        return {
            "worlds": self.worlds,
            "higher": self.higher,
            "equal": self.equal,
            "lower": self.lower,
            "difference": self.difference.to_json(),
            **{name: value if np.isfinite(value := getattr(self, name)) else None for name in names},
            "never": self.never,
        }


def against(worlds: Sequence[Fared], method: str, other: str, budget: int) -> Against:
    """Compare a method with another at equal calls, and the calls for an equal alignment."""
    grid = np.arange(ITEMS, budget + 1, ITEMS)
    mine, theirs = _curves(worlds, method, grid), _curves(worlds, other, grid)
    differences = mine[:, -1] - theirs[:, -1]
    shares = []
    for world in worlds:
        end = world.traces[other].at(budget)
        calls = world.traces[method].calls_to(end.expected - _SAME)
        shares.append(calls / end.calls if calls <= budget else np.inf)
    reached = [_share(mine[drawn], theirs[drawn]) for drawn in _resampled(worlds)]
    low, high = np.quantile(reached, [0.025, 0.975], method="inverted_cdf")
    return Against(
        len(worlds),
        int((differences > _SAME).sum()),
        int((differences < -_SAME).sum()),
        mean(differences),
        _share(mine, theirs),
        float(low),
        float(high),
        float(np.quantile(shares, 0.5, method="inverted_cdf")),
        int(np.isinf(shares).sum()),
    )


def _curves(worlds: Sequence[Fared], method: str, grid: np.ndarray) -> np.ndarray:
    """Return the expected alignment of every world at every number of calls, ``[worlds, calls]``."""
    return np.array([[world.traces[method].at(calls).expected for calls in grid.tolist()] for world in worlds])


def _share(mine: np.ndarray, theirs: np.ndarray) -> float:
    reached = np.flatnonzero(mine.mean(axis=0) >= theirs[:, -1].mean() - _SAME)
    return float((reached[0] + 1) / mine.shape[1]) if len(reached) else np.inf


def _resampled(worlds: Sequence[Fared]) -> list[np.ndarray]:
    """Draw as many worlds of each family as there are, again and again."""
    draw = np.random.default_rng(0)
    families = [np.flatnonzero([world.family == name for world in worlds]) for name in {w.family: 0 for w in worlds}]
    return [np.concatenate([draw.choice(family, len(family)) for family in families]) for _ in range(_DRAWS)]
