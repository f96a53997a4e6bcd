"""Correlations of raw scores, and draws of everything an interval scale is measured by.

Weights are stacks ``[draws, n]``, one weight for every row; a weight of 1 everywhere gives the ordinary statistic.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from calibrate.metrics.agreement import Array, Suite, alignment, components
from calibrate.metrics.intervals import PRIOR_MASS, affordable_draws

__all__ = [
    "ScoreRows",
    "draw_score_pairs",
    "draw_scores",
    "raw_pearson",
    "raw_spearman",
    "resample_score_groups",
    "resample_score_pairs",
]

_NUMBERS_A_CHUNK = 2_000_000

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Ranked:
    """One column of scores, prepared for ranking under many weights.

    Attributes:
        centred: ``[n]``, the scores less their mean.
        order: ``[n]``, the rows in ascending order of score.
        starts: where each distinct score begins in that order.
        position: ``[n]``, the index of each row's score among the distinct scores.
    """

    centred: Array
    order: Codes
    starts: Codes
    position: Codes

    @classmethod
    def of(cls, scores: Array) -> _Ranked:
        values, position = np.unique(scores, return_inverse=True)
        order = np.argsort(position, kind="stable")
        starts = np.searchsorted(position[order], np.arange(values.size))
        return cls(scores - scores.mean(), order, starts, position)

    def mass(self, weights: Array) -> Array:
        """Return the weight at each distinct score, ``[draws, distinct]``."""
        ordered = weights[:, self.order]
        if self.starts.size == self.order.size:
            return ordered
        return np.add.reduceat(ordered, self.starts, axis=1)

    def mid_ranks(self, mass: Array) -> Array:
        """Return each row's mid-rank among the weighted rows, centred, ``[draws, n]``."""
        ranks = np.cumsum(mass, axis=1)
        middle = ranks[:, -1:] / 2
        ranks -= mass / 2
        ranks -= middle
        return ranks[:, self.position]


@dataclass(frozen=True, slots=True)
class ScoreRows:
    """Gold scores and a judge's scores, with the side of the threshold (0 or 1) each is on; all ``[n]``, n >= 1."""

    human: Array
    judge: Array
    human_side: Codes
    judge_side: Codes

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.human.size)

    def figures(self, how: Suite, weights: Array) -> dict[str, Array]:
        """Return the components and ``alignment`` under row weights ``[draws, n]``, each ``[draws]``."""
        return next(self._figures(how, iter([weights])))

    def _figures(self, how: Suite, stacks: Iterator[Array]) -> Iterator[dict[str, Array]]:
        human, judge = _Ranked.of(self.human), _Ranked.of(self.judge)
        cells = np.eye(4)[self.human_side * 2 + self.judge_side]
        for weights in stacks:
            parts = components((weights @ cells).reshape(-1, 2, 2), how) if how.labels else {}
            human_mass, judge_mass = human.mass(weights), judge.mass(weights)
            human_varies = (human_mass > 0).sum(1) > 1
            varies = human_varies & ((judge_mass > 0).sum(1) > 1)
            parts["pearson"] = np.where(varies, _pearson(human.centred, judge.centred, weights), np.nan)
            human_ranks, judge_ranks = human.mid_ranks(human_mass), judge.mid_ranks(judge_mass)
            parts["spearman"] = np.where(varies, _spearman(human_ranks, judge_ranks, weights), np.nan)
            yield parts | {"alignment": np.where(human_varies, alignment(parts), np.nan)}


def raw_pearson(human: Array, judge: Array) -> float:
    """Pearson's r of two columns of scores, in [-1, 1]; NaN where either is constant."""
    return float(_plain(human, judge)["pearson"][0])


def raw_spearman(human: Array, judge: Array) -> float:
    """Spearman's rho of two columns of scores, ties at mid-ranks, in [-1, 1]; NaN where either is constant."""
    return float(_plain(human, judge)["spearman"][0])


def draw_scores(rows: ScoreRows, how: Suite, draws: int, generator: Generator, effect: float = 1.0) -> dict[str, Array]:
    """Draw the figures of raw scores by a weighted (Bayesian) bootstrap over rows, with the prior mass of tables.

    Every row weighs Exp(1), and four more rows weigh Gamma(1/2): one for each pair of sides, at the mean score of gold
    and judge on them. With scores of two values this is the table interval exactly; like it, it does not collapse for
    a perfect judge, and no replicate is undefined. Without a threshold the sides are those of the mean. Rubin (1981).
    Where ``effect`` rows count as one (groups), each weighs Gamma(1 / effect).
    """
    (extended,), shapes = _with_prior((rows,), how, effect)
    stacks = (generator.standard_gamma(shapes, size=(chunk, extended.n)) for chunk in _chunks(draws, extended.n))
    return _gather(extended._figures(how, stacks))


def draw_score_pairs(
    judges: tuple[ScoreRows, ScoreRows], how: Suite, draws: int, generator: Generator, effect: float = 1.0
) -> Array:
    """Draw the second judge's alignment less the first's, under the same row weights, ``[draws]``.

    As :func:`draw_scores`, with eight rows of Gamma(1/4): one for each triple of sides.
    """
    extended, shapes = _with_prior(judges, how, effect)
    size = extended[0].n
    gains = []
    for chunk in _chunks(draws, size):
        weights = generator.standard_gamma(shapes, size=(chunk, size))
        first, second = (each.figures(how, weights)["alignment"] for each in extended)
        gains.append(second - first)
    return np.concatenate(gains)


def resample_score_groups(
    rows: ScoreRows, how: Suite, groups: Codes, draws: int, generator: Generator
) -> dict[str, Array]:
    """Draw the figures of raw scores by a bootstrap over groups; ``groups`` is ``[n]``, numbered from 0."""
    return _gather(rows._figures(how, _group_weights(groups, draws, generator)))


def resample_score_pairs(
    judges: tuple[ScoreRows, ScoreRows], how: Suite, groups: Codes, draws: int, generator: Generator
) -> Array:
    """Draw the second judge's alignment less the first's by a bootstrap over groups, ``[draws]``."""
    gains = []
    for weights in _group_weights(groups, draws, generator):
        first, second = (each.figures(how, weights)["alignment"] for each in judges)
        gains.append(second - first)
    return np.concatenate(gains)


def _group_weights(groups: Codes, draws: int, generator: Generator) -> Iterator[Array]:
    count = int(groups.max()) + 1
    share = np.full(count, 1 / count)
    for chunk in _chunks(draws, groups.size):
        yield generator.multinomial(count, share, size=chunk)[:, groups].astype(np.float64)


def _with_prior(judges: tuple[ScoreRows, ...], how: Suite, effect: float) -> tuple[tuple[ScoreRows, ...], Array]:
    """Add the rows of the prior, and merge equal rows; return the rows by judge, and each row's Gamma shape.

    The first column is gold, the others the judges; every combination of their sides is one row, at the mean scores.
    """
    scores = np.column_stack([judges[0].human, *(each.judge for each in judges)])
    sides = np.column_stack([judges[0].human_side, *(each.judge_side for each in judges)])
    if not how.labels:
        sides = (scores >= scores.mean(0)).astype(np.int64)
    width = scores.shape[1]
    rows, counts = np.unique(np.column_stack([scores, sides]), axis=0, return_counts=True)
    prior_sides = np.array(list(product((0, 1), repeat=width)))
    means = [_side_means(scores[:, at], sides[:, at])[prior_sides[:, at]] for at in range(width)]
    scores = np.concatenate([rows[:, :width], np.column_stack(means)])
    sides = np.concatenate([rows[:, width:].astype(np.int64), prior_sides])
    extended = (ScoreRows(scores[:, 0], scores[:, at], sides[:, 0], sides[:, at]) for at in range(1, width))
    return tuple(extended), np.concatenate([counts / effect, np.full(len(prior_sides), PRIOR_MASS / len(prior_sides))])


def _plain(human: Array, judge: Array) -> dict[str, Array]:
    none = np.zeros(human.size, dtype=np.int64)
    return ScoreRows(human, judge, none, none).figures(Suite(()), np.ones((1, human.size)))


def _pearson(human: Array, judge: Array, weights: Array) -> Array:
    total = weights.sum(1)
    columns = np.column_stack([human, judge, human * judge, human**2, judge**2])
    mean_human, mean_judge, product, human_square, judge_square = (weights @ columns / total[:, None]).T
    covariance = product - mean_human * mean_judge
    spread = np.sqrt(np.maximum((human_square - mean_human**2) * (judge_square - mean_judge**2), 0.0))
    return _ratio(covariance, spread)


def _spearman(human_ranks: Array, judge_ranks: Array, weights: Array) -> Array:
    weighted = weights * human_ranks
    covariance = np.einsum("dn,dn->d", weighted, judge_ranks)
    human_spread = np.einsum("dn,dn->d", weighted, human_ranks)
    judge_spread = np.einsum("dn,dn,dn->d", weights, judge_ranks, judge_ranks)
    return _ratio(covariance, np.sqrt(human_spread * judge_spread))


def _ratio(covariance: Array, spread: Array) -> Array:
    out = np.full(spread.shape, np.nan)
    np.divide(covariance, spread, out=out, where=spread > 0)
    clipped: Array = np.clip(out, -1.0, 1.0)
    return clipped


def _chunks(draws: int, size: int) -> Iterator[int]:
    left = affordable_draws(draws, size)
    at_once = max(1, _NUMBERS_A_CHUNK // size)
    while left > 0:
        yield min(at_once, left)
        left -= at_once


def _gather(found: Iterator[dict[str, Array]]) -> dict[str, Array]:
    chunks = list(found)
    return {name: np.concatenate([each[name] for each in chunks]) for name in chunks[0]}


def _side_means(scores: Array, side: Codes) -> Array:
    """Return the mean score of each side; the overall mean for a side without rows."""
    return np.array([scores[side == each].mean() if (side == each).any() else scores.mean() for each in (0, 1)])
