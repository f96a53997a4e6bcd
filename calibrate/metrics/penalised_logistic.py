"""Logistic regression that survives separation: Firth's penalty, and the profile of the penalised likelihood.

Ordinary logistic regression has no finite estimate when a column separates the outcomes, which is what small sets and
good judges do. The penalty (half the log determinant of the information, Jeffreys' prior) always gives one, takes the
first-order bias away, and its profile gives intervals that are not symmetric where the data are not. Firth (1993);
Heinze and Schemper (2002).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Coefficient", "firth_coefficient"]

Array = NDArray[np.float64]
_Drop: TypeAlias = Callable[[float, Array], tuple[float, Array]]

_CHI_SQUARE = 3.841458820694124  # 95 % point, one degree of freedom
_STEPS = 200
_LARGEST_STEP = 5.0
_CLOSE = 1e-8
_PRECISION = 1e-5  # of the standardised drop
_FARTHEST = 500.0


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A log odds ratio.

    Attributes:
        value: the penalised estimate.
        low: lower end of the 95 % profile interval.
        high: upper end.
        p: of the penalised likelihood ratio test of 0.
    """

    value: float
    low: float
    high: float
    p: float


def firth_coefficient(columns: Array, outcome: Array, which: int, *, rows_as_one: float = 1.0) -> Coefficient:
    """Return one coefficient of a logistic regression with Firth's penalty.

    Args:
        columns: ``[n, p]``, the intercept included, of full rank.
        outcome: ``[n]``, 0 or 1.
        which: the column whose coefficient is wanted.
        rows_as_one: how many rows count as one (a design effect, at least 1).
    """
    model = _Model(columns, outcome, 1.0 / rows_as_one)
    free = np.ones(columns.shape[1], dtype=bool)
    best, highest = model.fit(np.zeros(columns.shape[1]), free)
    free[which] = False

    def drop(at: float, start: Array) -> tuple[float, Array]:
        """Twice the loss of penalised likelihood when the coefficient is fixed, and the fit of the others."""
        fixed = start.copy()
        fixed[which] = at
        fit, reached = model.fit(fixed, free)
        return 2.0 * (highest - reached), fit

    value = float(best[which])
    ends = [_end(drop, best, value, side * model.spread(best, which)) for side in (-1.0, 1.0)]
    at_zero, _ = drop(0.0, best)
    return Coefficient(value, ends[0], ends[1], math.erfc(math.sqrt(max(at_zero, 0.0) / 2.0)))


class _Model:
    """The penalised likelihood of one set of rows."""

    def __init__(self, columns: Array, outcome: Array, weight: float) -> None:
        self._x, self._y, self._weight = columns, outcome, weight

    def fit(self, start: Array, free: NDArray[np.bool_]) -> tuple[Array, float]:
        """Maximise over the free coefficients by Newton steps that never go down."""
        beta = start.copy()
        value = self._value(beta)
        for _ in range(_STEPS):
            score, information = self._score(beta)
            step = np.zeros_like(beta)
            step[free] = np.linalg.solve(information[np.ix_(free, free)], score[free])
            step *= min(1.0, _LARGEST_STEP / max(float(np.abs(step).max()), _CLOSE))
            while True:
                new = self._value(beta + step)
                if new >= value or float(np.abs(step).max()) < _CLOSE:
                    break
                step /= 2.0
            if new >= value:
                beta, value = beta + step, new
            if float(np.abs(step).max()) < _CLOSE:
                break
        return beta, value

    def spread(self, beta: Array, which: int) -> float:
        """The standard error at the estimate."""
        return math.sqrt(float(np.linalg.inv(self._information(beta)[0])[which, which]))

    def _information(self, beta: Array) -> tuple[Array, Array, Array]:
        share = 1.0 / (1.0 + np.exp(-np.clip(self._x @ beta, -500.0, 500.0)))
        spread = self._weight * share * (1.0 - share)
        return (self._x * spread[:, None]).T @ self._x, share, spread

    def _value(self, beta: Array) -> float:
        linear = self._x @ beta
        likelihood = self._weight * float((self._y * linear - np.logaddexp(0.0, linear)).sum())
        sign, log_determinant = np.linalg.slogdet(self._information(beta)[0])
        return likelihood + 0.5 * float(log_determinant) if sign > 0 else -math.inf

    def _score(self, beta: Array) -> tuple[Array, Array]:
        information, share, spread = self._information(beta)
        leverage = spread * np.einsum("ij,jk,ik->i", self._x, np.linalg.inv(information), self._x, optimize=True)
        residual = self._weight * (self._y - share) + leverage * (0.5 - share)
        return self._x.T @ residual, information


def _end(drop: _Drop, best: Array, value: float, step: float) -> float:
    """Where the likelihood has dropped by as much as a 95 % interval allows.

    The root of the drop is nearly a straight line: false position, halved where it stalls, takes a handful of fits.
    """
    wanted = math.sqrt(_CHI_SQUARE)

    def over(at: float, start: Array) -> tuple[float, Array]:
        loss, fit = drop(at, start)
        return math.sqrt(max(loss, 0.0)) - wanted, fit

    inside, below = value, -wanted
    outside = value + 2.0 * step
    above, fit = over(outside, best)
    while above < 0.0 and abs(outside) < _FARTHEST:
        inside, below = outside, above
        outside += 2.0 * step
        above, fit = over(outside, fit)
    if above < 0.0:
        return outside
    weights = [1.0, 1.0]
    for _ in range(_STEPS):
        left, right = below * weights[0], above * weights[1]
        middle = (inside * right - outside * left) / (right - left)
        here, fit = over(middle, fit)
        if abs(here) < _PRECISION or abs(outside - inside) < _PRECISION * abs(step):
            break
        if here < 0.0:
            inside, below, weights = middle, here, [1.0, weights[1] / 2.0]
        else:
            outside, above, weights = middle, here, [weights[0] / 2.0, 1.0]
    return middle
