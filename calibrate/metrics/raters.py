"""Agreement between people, and the gates before calibrating (STATISTICS section 6).

Ratings are one mapping for each item, from rater to label; a rater who did not see an item is absent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from calibrate.domain import Json, Scale
from calibrate.errors import InputError
from calibrate.metrics.agreement import Array, cohen_kappa, confusion_table
from calibrate.metrics.estimates import Estimate
from calibrate.metrics.intervals import wilson

__all__ = [
    "Gate",
    "ItemDisagreement",
    "Level",
    "RaterAgreement",
    "RaterPair",
    "Ratings",
    "agreement_gate",
    "disagreements",
    "krippendorff_alpha",
    "rater_agreement",
]

Ratings: TypeAlias = Sequence[Mapping[str, str]]
Level = Literal["nominal", "ordinal", "interval"]

LEAST_AGREEMENT = 0.80
LEAST_KAPPA = 0.6


@dataclass(frozen=True, slots=True)
class RaterPair:
    """Two raters on the items both labelled.

    Attributes:
        raters: their names.
        n: items both labelled.
        agreement: share of equal labels, with its Wilson interval.
        kappa: Cohen's kappa, quadratic on an ordinal scale; on raw scores of the two sides of the threshold.
    """

    raters: tuple[str, str]
    n: int
    agreement: Estimate
    kappa: Estimate


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """All raters of one dimension.

    Attributes:
        raters: their names, in order of appearance.
        pairs: every two raters.
        agreement: share of equal labels over all pairs of ratings of one item.
        kappa: mean of the pairs' kappas, weighted by shared items, undefined ones skipped.
        kappa_pairs: how many pairs that mean rests on.
        alpha: Krippendorff's alpha of the scale's level.
    """

    raters: tuple[str, ...]
    pairs: tuple[RaterPair, ...]
    agreement: Estimate
    kappa: Estimate
    kappa_pairs: int
    alpha: Estimate

    def to_json(self) -> dict[str, Json]:
        """Return the figures as JSON."""
        return {
            "raters": list(self.raters),
            "agreement": self.agreement.to_json(),
            "kappa": self.kappa.to_json(),
            "kappa_pairs": [self.kappa_pairs, len(self.pairs)],
            "alpha": self.alpha.to_json(),
            "pairs": [
                {
                    "raters": list(pair.raters),
                    "n": pair.n,
                    "agreement": pair.agreement.to_json(),
                    "kappa": pair.kappa.to_json(),
                }
                for pair in self.pairs
            ],
        }


@dataclass(frozen=True, slots=True)
class ItemDisagreement:
    """How far raters are apart on one item.

    Attributes:
        item: its position in the ratings.
        ratings: how many raters labelled it.
        disagreement: in [0, 1]: share of pairs of raters who differ, or their mean distance as a share of the scale.
    """

    item: int
    ratings: int
    disagreement: float


@dataclass(frozen=True, slots=True)
class Gate:
    """Whether people agree well enough to calibrate a judge against them.

    Attributes:
        passed: None when it cannot be known (one rater).
        code: ``agreed``, ``ambiguous`` or ``unknown``.
        reason: the sentence for the user.
        figures: what was compared with the bounds.
    """

    passed: bool | None
    code: Literal["agreed", "ambiguous", "unknown"]
    reason: str
    figures: Mapping[str, Estimate]

    def to_json(self) -> dict[str, Json]:
        """Return the gate as JSON."""
        figures = {name: each.to_json() for name, each in self.figures.items()}
        return {"passed": self.passed, "code": self.code, "reason": self.reason, "figures": figures}


def rater_agreement(ratings: Ratings, scale: Scale) -> RaterAgreement:
    """Return pairwise agreement and kappa, and Krippendorff's alpha.

    Raises:
        InputError: a label is outside the scale.
    """
    raters, values = _matrix(ratings, scale)
    pairs = tuple(_pair(raters, values, scale, a, b) for a, b in combinations(range(len(raters)), 2))
    shared = [pair for pair in pairs if pair.n]
    defined = [(pair.kappa.value, pair.n) for pair in shared if pair.kappa.value is not None]
    together = sum(pair.n for pair in shared)
    equal = sum((pair.agreement.value or 0.0) * pair.n for pair in shared)
    agreement = Estimate(equal / together) if together else Estimate(None, reason="no_common_items")
    if defined:
        kappa = Estimate(float(np.average([k for k, _ in defined], weights=[n for _, n in defined])))
    elif shared:
        kappa = shared[0].kappa
    else:
        kappa = Estimate(None, reason="no_common_items")
    return RaterAgreement(raters, pairs, agreement, kappa, len(defined), krippendorff_alpha(ratings, scale))


def krippendorff_alpha(ratings: Ratings, scale: Scale, level: Level | None = None) -> Estimate:
    """Return Krippendorff's alpha over all raters, gaps allowed, in (-1, 1].

    Args:
        ratings: labels by rater, for each item.
        scale: the declared scale.
        level: the level of measurement; by default the scale's: ordinal, interval, or else nominal.

    Raises:
        InputError: a label is outside the scale.
    """
    import krippendorff

    if level is None:
        level = "interval" if scale.kind == "interval" else "ordinal" if scale.kind == "ordinal" else "nominal"
    _, values = _matrix(ratings, scale)
    seen = np.isfinite(values)
    pairable = values[:, seen.sum(0) >= 2]
    if pairable.size == 0:
        return Estimate(None, reason="no_common_items")
    domain = np.unique(pairable[np.isfinite(pairable)])
    if domain.size < 2:
        return Estimate(None, reason="no_variation")
    counts = (pairable[:, :, None] == domain).sum(0)
    return Estimate(float(krippendorff.alpha(value_counts=counts, value_domain=domain, level_of_measurement=level)))


def disagreements(ratings: Ratings, scale: Scale) -> tuple[ItemDisagreement, ...]:
    """Return the items with at least two ratings, the most disputed first, equal ones in their order.

    Raises:
        InputError: a label is outside the scale.
    """
    _, values = _matrix(ratings, scale)
    ordered = scale.kind in ("ordinal", "interval")
    width = float(np.nanmax(values) - np.nanmin(values)) if np.isfinite(values).any() else 0.0
    if scale.kind == "ordinal":
        width = _label_values(scale)[-1] - _label_values(scale)[0]
    found = []
    for item, column in enumerate(values.T):
        given = column[np.isfinite(column)]
        if given.size < 2:
            continue
        gaps = np.abs(np.subtract.outer(given, given))[np.triu_indices(given.size, 1)]
        apart = float(gaps.mean() / width) if ordered and width else float((gaps > 0).mean())
        found.append(ItemDisagreement(item, int(given.size), apart))
    return tuple(sorted(found, key=lambda each: -each.disagreement))


def agreement_gate(ratings: Ratings, scale: Scale) -> Gate:
    """Judge whether the raters agree well enough.

    Binary, nominal and pairwise labels: agreement >= 0.80 and kappa >= 0.6. Ordinal and interval: kappa (quadratic) or
    alpha of that level >= 0.6.

    Raises:
        InputError: a label is outside the scale.
    """
    found = rater_agreement(ratings, scale)
    figures = {"agreement": found.agreement, "kappa": found.kappa, "alpha": found.alpha}
    if not any(pair.n for pair in found.pairs):
        reason = "agreement unknown: no item was labelled by two raters"
        return Gate(None, "unknown", reason if len(found.raters) > 1 else "agreement unknown: one rater", figures)
    agreement, kappa, alpha = found.agreement.value, found.kappa.value, found.alpha.value
    if scale.kind in ("ordinal", "interval"):
        best = max((each for each in (kappa, alpha) if each is not None), default=None)
        passed = None if best is None else best >= LEAST_KAPPA
        said = f"kappa {_said(kappa)}, alpha {_said(alpha)}; one of them must be at least {LEAST_KAPPA}"
    else:
        passed = None if kappa is None or agreement is None else agreement >= LEAST_AGREEMENT and kappa >= LEAST_KAPPA
        bounds = f"they must be at least {LEAST_AGREEMENT:.0%} and {LEAST_KAPPA}"
        said = f"agreement {'undefined' if agreement is None else f'{agreement:.0%}'}, kappa {_said(kappa)}; {bounds}"
    if passed is None:
        return Gate(None, "unknown", f"agreement unknown: all raters gave one and the same label ({said})", figures)
    if passed:
        return Gate(True, "agreed", f"raters agree: {said}", figures)
    return Gate(False, "ambiguous", f"the rubric is ambiguous: {said}", figures)


def _pair(raters: tuple[str, ...], values: Array, scale: Scale, a: int, b: int) -> RaterPair:
    both = np.isfinite(values[a]) & np.isfinite(values[b])
    first, second = values[a, both], values[b, both]
    n = int(both.sum())
    names = (raters[a], raters[b])
    if n == 0:
        nothing = Estimate(None, reason="no_common_items")
        return RaterPair(names, 0, nothing, nothing)
    equal = int((first == second).sum())
    ends = wilson(equal, n)
    agreement = Estimate(equal / n) if ends is None else Estimate(equal / n, ends.low, ends.high)
    return RaterPair(names, n, agreement, _kappa(first, second, scale))


def _kappa(first: Array, second: Array, scale: Scale) -> Estimate:
    if scale.kind == "interval":
        if scale.threshold is None:
            return Estimate(None, reason="no_threshold")
        sides = (first >= scale.threshold).astype(np.int64), (second >= scale.threshold).astype(np.int64)
        table = confusion_table(*sides, 2)
    else:
        positions = [np.searchsorted(_label_values(scale), each) for each in (first, second)]
        table = confusion_table(positions[0], positions[1], len(scale.labels))
    weights: Literal["quadratic", "unweighted"] = "quadratic" if scale.kind == "ordinal" else "unweighted"
    # Neither rater is the gold of the other: one label from one of them is 0, one and the same from both undefined.
    values = [float(cohen_kappa(each, weights)) for each in (table, table.T)]
    defined = [value for value in values if np.isfinite(value)]
    if defined:
        return Estimate(defined[0])
    return Estimate(None, reason="no_variation") if np.trace(table) > 0 else Estimate(0.0)


def _matrix(ratings: Ratings, scale: Scale) -> tuple[tuple[str, ...], Array]:
    """Return the raters, and the numbers of their labels ``[raters, items]``, NaN where a rater gave none."""
    raters = tuple(dict.fromkeys(rater for item in ratings for rater in item))
    at = {rater: position for position, rater in enumerate(raters)}
    values = np.full((len(raters), len(ratings)), np.nan)
    numbers = dict(zip(scale.labels, _label_values(scale), strict=True))
    for item, labels in enumerate(ratings):
        for rater, label in labels.items():
            values[at[rater], item] = _number(label, numbers, scale, item, rater)
    return raters, values


def _number(label: str, numbers: Mapping[str, float], scale: Scale, item: int, rater: str) -> float:
    matched = label if label in numbers else scale.match(label)
    if matched is None:
        raise InputError(f"'{label}' is no label of this scale", row=item + 1, field=rater)
    return float(matched) if scale.kind == "interval" else numbers[matched]


def _label_values(scale: Scale) -> NDArray[np.float64]:
    """Return a number for each label: its value on an ordinal scale, else its position."""
    if scale.kind == "ordinal":
        return np.array([scale.value(label) for label in scale.labels])
    return np.arange(len(scale.labels), dtype=np.float64)


def _said(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.2f}"
