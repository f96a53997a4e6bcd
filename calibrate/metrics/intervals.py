"""Intervals of anything computed from counts, and of proportions (STATISTICS section 3).

Tables are drawn from ``Dirichlet(counts + prior)`` with a prior mass of 2; the 95 % interval is read off the
drawn figures. Its cost does not depend on n, and nothing collapses at the boundary. Where the prior mass lies:

- Two classes: 2 / cells in every cell.
- More classes: the same mass spread evenly says "1 of k right" and pulls every figure of a good judge down (five
  classes, 30 items: upper ends miss the truth in 10 to 24 % of sets), while mass on the diagonal pulls a useless judge
  up. So the two ends are read from two priors of mass 2: the lower end from the even one, the upper end from one with
  three quarters on the diagonal.
- A label that people, or the judge, never used in these data may be one they never use. The lower end is also read with
  such rows and columns empty; otherwise their prior mass would credit a constant judge with precision on classes it
  never names.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from calibrate.metrics.agreement import Array

__all__ = [
    "DRAWS",
    "Interval",
    "TableDraws",
    "affordable_draws",
    "bootstrap_groups",
    "design_effect",
    "dirichlet_tables",
    "draw_tables",
    "embed",
    "intervals_of",
    "percentiles",
    "percentiles_of",
    "union",
    "wilson",
]

Codes = NDArray[np.int64]

DRAWS = 2000
LEVEL = 0.95
PRIOR_MASS = 2.0
RIGHT_SHARE = 0.75
"""Share of the prior mass on the diagonal, for upper ends with more than two classes."""

_NUMBERS_A_CALL = 10_000_000
_FEWEST_DRAWS = 200


@dataclass(frozen=True, slots=True)
class Interval:
    """The two ends of a 95 % interval."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class TableDraws:
    """Drawn tables, each ``[draws, ...]``.

    Attributes:
        lower: stacks for lower ends; the lowest percentile over them counts.
        upper: the stack for upper ends.
    """

    lower: tuple[Array, ...]
    upper: Array


def wilson(successes: float, n: float) -> Interval | None:
    """Return the 95 % Wilson score interval of a proportion, or None for n = 0. Wilson (1927)."""
    if n <= 0:
        return None
    z = NormalDist().inv_cdf(0.5 + LEVEL / 2)
    share = successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low = 0.0 if successes <= 0 else max(0.0, centre - half)
    high = 1.0 if successes >= n else min(1.0, centre + half)
    return Interval(low, high)


def affordable_draws(draws: int, size: int) -> int:
    """Return how many draws of ``size`` numbers are made: fewer than asked for above 5,000, but at least 200."""
    return min(draws, max(_FEWEST_DRAWS, _NUMBERS_A_CALL // max(size, 1)))


def dirichlet_tables(counts: Array, prior: Array, draws: int, generator: Generator) -> Array:
    """Draw tables from ``Dirichlet(counts + prior)``, up to their scale, which no figure depends on.

    Returns:
        ``[draws, *counts.shape]``, a view whose draws are contiguous in memory: sums over cells are then fast.
    """
    shapes = (counts + prior)[..., None]
    return np.moveaxis(generator.standard_gamma(shapes, size=(*counts.shape, draws)), -1, 0)


def draw_tables(counts: Array, draws: int, generator: Generator) -> TableDraws:
    """Draw tables like one of counts.

    Args:
        counts: ``[k, k + u]``: rows gold, columns the same k labels and then u unscored reasons. Labels that neither
            side used, and reasons that did not occur, get no prior mass: they are no cells of these data.
        draws: how many.
        generator: the source of randomness.
    """
    k = counts.shape[0]
    human, judge = counts.sum(1) > 0, counts.sum(0) > 0
    occurs = human | judge[:k]
    if occurs.sum() < 2:
        occurs = np.ones(k, dtype=bool)
    rows, columns = np.flatnonzero(occurs), np.flatnonzero(np.concatenate([occurs, judge[k:]]))
    seen = counts[np.ix_(rows, columns)]
    draws = affordable_draws(draws, counts.size)

    def full(drawn: Array) -> Array:
        return embed(drawn, rows, columns, counts.shape)

    even = np.full(seen.shape, PRIOR_MASS / seen.size)
    drawn = dirichlet_tables(seen, even, draws, generator)
    lower = [full(drawn)]
    used = np.outer(human[rows], judge[columns])
    if not used.all():
        lower.append(full(drawn * used))
    if rows.size == 2:
        return TableDraws(tuple(lower), lower[0])
    return TableDraws(tuple(lower), full(dirichlet_tables(seen, _mostly_right(even), draws, generator)))


def embed(drawn: Array, rows: Codes, columns: Codes, shape: tuple[int, ...]) -> Array:
    """Put drawn ``[draws, r, c]`` tables into empty ones of ``shape`` at the given rows and columns."""
    full = np.moveaxis(np.zeros((*shape, drawn.shape[0])), -1, 0)
    full[:, rows[:, None], columns] = drawn
    return full


def bootstrap_groups(tables: Array, draws: int, generator: Generator) -> Array:
    """Resample groups with replacement and add up their tables: ``[groups, ...]`` to ``[draws, ...]``."""
    groups = tables.shape[0]
    weights = generator.multinomial(groups, np.full(groups, 1 / groups), size=draws).astype(np.float64)
    return np.tensordot(weights, tables, axes=1)


def design_effect(by_group: Array, by_row: Array, groups: int, n: int) -> float:
    """Return how many rows count as one: variance over resampled groups / variance with rows independent.

    Args:
        by_group: a figure in each replicate of a bootstrap over groups; undefined ones are left out.
        by_row: the same figure in draws that take rows as independent.
        groups: number of groups.
        n: number of rows.

    Returns:
        At least 1, at most the mean size of a group. Kish (1965).
    """
    by_group, by_row = (each[np.isfinite(each)] for each in (by_group, by_row))
    if by_group.size < 2 or by_row.size < 2 or float(np.ptp(by_row)) == 0.0:
        return 1.0
    ratio = float(by_group.var() / by_row.var()) * groups / (groups - 1)
    return min(max(ratio, 1.0), n / groups)


def percentiles_of(figures: Mapping[str, Array]) -> dict[str, Interval]:
    """Return the percentiles of every drawn figure that is defined in at least one draw."""
    ends = {name: percentiles(values) for name, values in figures.items()}
    return {name: each for name, each in ends.items() if each is not None}


def percentiles(values: Array) -> Interval | None:
    """Return the 2.5 and 97.5 percentiles of the defined values, or None when there are none."""
    defined = values[np.isfinite(values)]
    if defined.size == 0:
        return None
    low, high = np.quantile(defined, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return Interval(float(low), float(high))


def intervals_of(figures: Callable[[Array], Mapping[str, Array]], drawn: TableDraws) -> dict[str, Interval]:
    """Return the interval of every figure that ``figures`` computes from a stack of tables."""
    lower = [figures(stack) for stack in drawn.lower]
    upper = lower[0] if drawn.upper is drawn.lower[0] else figures(drawn.upper)
    found = {}
    for name in upper:
        ends = [percentiles(each[name]) for each in lower]
        top = percentiles(upper[name])
        lows = [each.low for each in ends if each is not None]
        if lows and top is not None:
            found[name] = Interval(min(lows), max(top.high, *lows))
    return found


def union(first: Mapping[str, Interval], second: Mapping[str, Interval]) -> dict[str, Interval]:
    """Return, by name, the smallest interval that holds both; a figure with one interval keeps it."""
    both = {
        name: Interval(min(first[name].low, second[name].low), max(first[name].high, second[name].high))
        for name in first.keys() & second.keys()
    }
    return {**second, **first, **both}


def _mostly_right(even: Array) -> Array:
    """Return the prior for upper ends: the mass of the label cells, three quarters of it on the diagonal."""
    k = even.shape[0]
    prior = even.copy()
    prior[:, :k] = PRIOR_MASS * (1 - RIGHT_SHARE) / (k * (k - 1))
    prior[np.arange(k), np.arange(k)] = PRIOR_MASS * RIGHT_SHARE / k
    return prior
