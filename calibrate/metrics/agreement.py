"""The alignment suite on confusion tables (STATISTICS section 1).

Every function takes one table or a stack of them, ``[..., k, k]``, rows human, columns judge, cells counts or any
non-negative mass (all figures are free of scale), and returns ``[...]``. Inside arrays an undefined figure is NaN, as
an array cannot hold a reason; :func:`measure` turns one table into estimates with reasons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from calibrate.domain import Scale
from calibrate.metrics.estimates import Estimate

__all__ = [
    "CLASS_METRICS",
    "CORRELATIONS",
    "Array",
    "Suite",
    "accuracy",
    "adjacent_accuracy",
    "alignment",
    "class_scores",
    "cohen_kappa",
    "components",
    "confusion_table",
    "estimate",
    "extras",
    "linear_kappa",
    "mean_estimate",
    "measure",
    "pearson",
    "scale_labels",
    "spearman",
    "suite_for",
]

Array: TypeAlias = NDArray[np.float64]
Weights = Literal["unweighted", "linear", "quadratic"]

CORRELATIONS = ("pearson", "spearman")
CLASS_METRICS = ("accuracy", "precision", "recall", "f1", "cohen_kappa")

TOO_FEW = 3
"""Correlations need at least this many items."""


@dataclass(frozen=True, slots=True)
class Suite:
    """Which of the seven metrics a table has, and how each is read from it.

    Attributes:
        labels: the labels of rows and columns.
        positive: index of the positive label; None means macro averages over the classes that occur.
        weights: weights of Cohen's kappa.
        values: the number of each label for r and rho in the mean; None leaves them out.
        extra_values: the number of each label for r and rho beside the mean (pairwise preference), else None.
        extra_class: whether the last label is a judge's class without a label.
    """

    labels: tuple[str, ...]
    positive: int | None = None
    weights: Weights = "unweighted"
    values: tuple[float, ...] | None = None
    extra_values: tuple[float, ...] | None = None
    extra_class: bool = False


def scale_labels(scale: Scale) -> tuple[str, ...]:
    """Return the classes of a scale: its labels, or the two sides of an interval scale's threshold (negative first)."""
    if scale.kind != "interval":
        return scale.labels
    if scale.threshold is None:
        return ()
    return (f"< {scale.threshold!r}", f">= {scale.threshold!r}")


def suite_for(scale: Scale, extra_class: str | None = None) -> Suite:
    """Return how tables of ``scale`` are measured.

    Args:
        scale: the declared scale. On an interval scale the table holds the two sides of the threshold, and r and rho
            come from raw scores instead.
        extra_class: a judge's class without a label (``(unscored)``, ``(abstained)``); the table is then nominal.
    """
    labels = scale_labels(scale)
    if extra_class is not None:
        return Suite((*labels, extra_class), extra_class=True)
    if scale.kind == "interval":
        return Suite(labels, positive=1)
    values = tuple(scale.value(label) for label in labels)
    if scale.kind == "binary":
        return Suite(labels, positive=labels.index(scale.positive or ""), values=values)
    if scale.kind == "ordinal":
        return Suite(labels, weights="quadratic", values=values)
    return Suite(labels, extra_values=values if scale.kind == "pairwise" else None)


def confusion_table(
    human: Sequence[int] | NDArray[np.int64], judge: Sequence[int] | NDArray[np.int64], k: int
) -> Array:
    """Count pairs of label indices in ``range(k)`` into a ``[k, k]`` table, rows human, columns judge."""
    cells = np.asarray(human, dtype=np.int64) * k + np.asarray(judge, dtype=np.int64)
    return np.bincount(cells, minlength=k * k).reshape(k, k).astype(np.float64)


def accuracy(tables: Array) -> Array:
    """Share of the mass on the diagonal, in [0, 1]."""
    return _divide(np.trace(tables, axis1=-2, axis2=-1), tables.sum((-2, -1)))


def adjacent_accuracy(tables: Array) -> Array:
    """Share of the mass at most one declared level off the diagonal, in [0, 1]."""
    k = tables.shape[-1]
    near = np.abs(np.subtract.outer(np.arange(k), np.arange(k))) <= 1
    return _divide((tables * near).sum((-2, -1)), tables.sum((-2, -1)))


def class_scores(tables: Array) -> tuple[Array, Array, Array]:
    """Precision, recall and F1 of each class, each ``[..., k]`` in [0, 1]; NaN where the denominator is empty."""
    right = np.diagonal(tables, axis1=-2, axis2=-1)
    human, judge = tables.sum(-1), tables.sum(-2)
    return _divide(right, judge), _divide(right, human), _divide(2 * right, human + judge)


def cohen_kappa(tables: Array, weights: Weights = "unweighted") -> Array:
    """Cohen's kappa, in [-1, 1].

    1 - observed / expected disagreement, weighted by the distance of the declared levels' positions (1 off the
    diagonal, ``|i - j|`` or ``(i - j)**2``). 0 for a constant judge, NaN when gold is one class. Cohen (1960, 1968).
    """
    human, judge = tables.sum(-1), tables.sum(-2)
    total = tables.sum((-2, -1))
    if weights == "unweighted":
        observed = total - np.trace(tables, axis1=-2, axis2=-1)
        expected = total - _divide((human * judge).sum(-1), total)
    else:
        position = np.arange(tables.shape[-1], dtype=np.float64)
        distance = np.abs(np.subtract.outer(position, position)) ** (2 if weights == "quadratic" else 1)
        observed = (tables * distance).sum((-2, -1))
        expected = _divide(((human @ distance) * judge).sum(-1), total)
    kappa = np.where(_is_constant(judge), 0.0, 1.0 - _divide(observed, expected))
    return np.where(_is_constant(human), np.nan, kappa)


def linear_kappa(tables: Array) -> Array:
    """Cohen's kappa with linear weights over the declared levels, in [-1, 1]."""
    return cohen_kappa(tables, "linear")


def pearson(tables: Array, values: Sequence[float]) -> Array:
    """Pearson's r of the labels' numbers, in [-1, 1]; NaN when either side is constant."""
    tables, distinct = _merge_equal_values(tables, values)
    return _correlation(tables, distinct, distinct)


def spearman(tables: Array, values: Sequence[float]) -> Array:
    """Spearman's rho, in [-1, 1]: Pearson's r of mid-ranks, which the margins fix; NaN when either side is constant."""
    tables, _ = _merge_equal_values(tables, values)
    return _correlation(tables, _mid_ranks(tables.sum(-1)), _mid_ranks(tables.sum(-2)))


def components(tables: Array, how: Suite) -> dict[str, Array]:
    """Return the metrics that enter the mean, by name and in order, each ``[...]``; undefined ones are NaN."""
    precision, recall, f1 = class_scores(tables)
    if how.positive is None:
        occurs = (tables.sum(-1) + tables.sum(-2)) > 0
        precision, recall, f1 = (_macro(each, occurs) for each in (precision, recall, f1))
    else:
        precision, recall, f1 = (each[..., how.positive] for each in (precision, recall, f1))
        precision = np.where(tables.sum((-2, -1)) > 0, np.nan_to_num(precision), np.nan)
    found = {
        "accuracy": accuracy(tables),
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "cohen_kappa": cohen_kappa(tables, how.weights),
    }
    if how.values is not None:
        found |= {"pearson": pearson(tables, how.values), "spearman": spearman(tables, how.values)}
    return found


def extras(tables: Array, how: Suite) -> dict[str, Array]:
    """Return the figures shown beside the mean, by name, each ``[...]``."""
    if how.weights == "quadratic":
        return {"adjacent_accuracy": adjacent_accuracy(tables), "linear_kappa": linear_kappa(tables)}
    if how.extra_values is not None:
        return {"pearson": pearson(tables, how.extra_values), "spearman": spearman(tables, how.extra_values)}
    return {}


def alignment(parts: Mapping[str, Array]) -> Array:
    """Return the arithmetic mean of the components; NaN where it is undefined.

    An undefined correlation enters as 0 (a constant judge carries no information); with one-class gold kappa is
    undefined, and with it the mean.
    """
    columns = [np.nan_to_num(part) if name in CORRELATIONS else part for name, part in parts.items()]
    mean: Array = np.mean(np.broadcast_arrays(*columns), axis=0)
    return mean


def measure(table: Array, how: Suite) -> tuple[dict[str, Estimate], Estimate, dict[str, Estimate]]:
    """Return the components of one ``[k, k]`` table, their mean and the extras, as estimates without intervals."""
    parts, beside = components(table, how), extras(table, how)
    n = float(table.sum())
    if n == 0:
        nothing = Estimate(None, reason="none_scored")
        return dict.fromkeys(parts, nothing), nothing, dict.fromkeys(beside, nothing)
    single = bool(_is_constant(table.sum(-1)))
    metrics = {name: estimate(name, float(part), single, n) for name, part in parts.items()}
    if how.positive is not None and table.sum(-2)[how.positive] == 0:
        metrics["precision"] = Estimate(metrics["precision"].value, reason="no_positive_predictions")
    others = {name: estimate(name, float(part), single, n) for name, part in beside.items()}
    return metrics, mean_estimate(parts, single, n), others


def estimate(name: str, value: float, single_class_gold: bool, n: float) -> Estimate:
    """Return one computed figure as an estimate, with the reason when it is NaN or rests on too few items."""
    if np.isfinite(value) and (name not in CORRELATIONS or n >= TOO_FEW):
        return Estimate(value)
    if single_class_gold:
        return Estimate(None, reason="single_class_gold")
    return Estimate(None, reason="too_few" if n < TOO_FEW else "constant_judge")


def mean_estimate(parts: Mapping[str, Array], single_class_gold: bool, n: float) -> Estimate:
    """Return the alignment of one judge as an estimate, with the reason when it is undefined."""
    if single_class_gold:
        return Estimate(None, reason="single_class_gold")
    if n < TOO_FEW and any(name in parts for name in CORRELATIONS):
        return Estimate(None, reason="too_few")
    return Estimate(float(alignment(parts)))


def _divide(numerator: Array, denominator: Array) -> Array:
    """Divide, giving NaN where the denominator is 0."""
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    out = np.full(denominator.shape, np.nan)
    np.divide(numerator, denominator, out=out, where=denominator > 0)
    return out


def _macro(scores: Array, occurs: NDArray[np.bool_]) -> Array:
    """Average over the classes that occur; a class that occurs on one side only scores 0."""
    return _divide(np.where(occurs, np.nan_to_num(scores), 0.0).sum(-1), occurs.sum(-1).astype(np.float64))


def _is_constant(margin: Array) -> NDArray[np.bool_]:
    constant: NDArray[np.bool_] = (margin > 0).sum(-1) <= 1
    return constant


def _merge_equal_values(tables: Array, values: Sequence[float]) -> tuple[Array, Array]:
    """Add up the rows and columns of labels that share a number, and order them by it."""
    distinct, where = np.unique(np.asarray(values, dtype=np.float64), return_inverse=True)
    if np.array_equal(where, np.arange(len(values))):
        return tables, distinct
    onto = (where[:, None] == np.arange(distinct.size)).astype(np.float64)
    return onto.T @ tables @ onto, distinct


def _mid_ranks(margin: Array) -> Array:
    return np.cumsum(margin, axis=-1) - margin / 2


def _correlation(tables: Array, human_values: Array, judge_values: Array) -> Array:
    """Pearson's r over table cells whose rows and columns carry the given numbers, ``[..., k]`` or ``[k]``."""
    human, judge = tables.sum(-1), tables.sum(-2)
    total = tables.sum((-2, -1))
    x = human_values - _divide((human * human_values).sum(-1), total)[..., None]
    y = judge_values - _divide((judge * judge_values).sum(-1), total)[..., None]
    covariance = ((tables @ y[..., None])[..., 0] * x).sum(-1)
    spread = np.sqrt((human * x**2).sum(-1) * (judge * y**2).sum(-1))
    undefined = _is_constant(human) | _is_constant(judge)
    return np.where(undefined, np.nan, np.clip(_divide(covariance, spread), -1.0, 1.0))
