"""What measuring a judge returns: frozen figures, and their JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from calibrate.domain import UNSCORED_REASONS, Json, Scale, UnscoredReason
from calibrate.metrics.confidence import Confidence
from calibrate.metrics.estimates import Estimate
from calibrate.metrics.intervals import Interval
from calibrate.metrics.pairing import Invalid
from calibrate.metrics.readings import Reading
from calibrate.metrics.references import Reference

__all__ = ["Alignment", "Confusion", "Resampling", "WrongFigures"]


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of pairs of labels: rows gold, columns judge."""

    labels: tuple[str, ...]
    matrix: tuple[tuple[int, ...], ...]

    def to_json(self) -> dict[str, Json]:
        """Return labels and matrix as JSON."""
        return {"labels": list(self.labels), "matrix": [list(row) for row in self.matrix]}


@dataclass(frozen=True, slots=True)
class Resampling:
    """How the intervals were made.

    Attributes:
        unit: ``tables`` drawn around the counts, weighted ``rows`` (raw scores), or ``groups``; an interval over groups
            also holds the one of so many independent rows as the design effect leaves.
        draws: replicates made.
        undefined: replicates whose alignment is undefined, left out of the percentiles (groups only).
        design_effect: how many rows count as one (groups only): n / design_effect is the effective number of items.
    """

    unit: Literal["tables", "rows", "groups"]
    draws: int
    undefined: int = 0
    design_effect: float = 1.0

    def to_json(self) -> dict[str, Json]:
        """Return the fields as JSON."""
        return {
            "unit": self.unit,
            "draws": self.draws,
            "undefined": self.undefined,
            "design_effect": self.design_effect,
        }


@dataclass(frozen=True, slots=True)
class WrongFigures:
    """Alignment and accuracy with every unscored verdict counted as a disagreement."""

    alignment: Estimate
    components: int
    accuracy: Estimate

    def to_json(self) -> dict[str, Json]:
        """Return both figures as JSON."""
        return {
            "alignment": {**self.alignment.to_json(), "components": self.components},
            "accuracy": self.accuracy.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Alignment:
    """How one judge agrees with people on one set.

    Attributes:
        scale: the declared scale.
        invalid: what unscored verdicts counted as.
        n: items with a gold label.
        scored: those whose verdict states a label.
        coverage: scored / n; None for n = 0.
        alignment: mean of the components.
        components: how many metrics the mean averages; only equal numbers of one scale are ranked against each other.
        metrics: accuracy, precision, recall, f1, cohen_kappa and, where the scale has them, pearson and spearman.
        extras: figures beside the mean (adjacent accuracy, linear kappa; r and rho of preferences).
        reference: the best constant and the random judge on the same items.
        confusion: counts, rows gold, columns judge; empty without classes.
        recall_by_class: recall of each class with its Wilson interval.
        n_per_class: items people gave each label, unscored ones included.
        positive_rate: share of the positive class by human and judge in the table, None without a positive class.
        unscored: verdicts without a label, by reason.
        accuracy_wilson: Wilson interval of accuracy.
        accuracy_bounds: lowest and highest accuracy the full set can have (policy ``exclude``).
        wrong: the figures with unscored verdicts as disagreements, when there are any and the policy is another.
        resampling: how the intervals were made, None without intervals.
        readings: the figures in words.
        confidence: how far the judge's confidence can be believed; None when no verdict has one.
    """

    scale: Scale
    invalid: Invalid
    n: int
    scored: int
    coverage: float | None
    alignment: Estimate
    components: int
    metrics: Mapping[str, Estimate]
    extras: Mapping[str, Estimate]
    reference: Reference
    confusion: Confusion
    recall_by_class: Mapping[str, Estimate]
    n_per_class: Mapping[str, int]
    positive_rate: Mapping[str, float] | None
    unscored: Mapping[UnscoredReason, int]
    accuracy_wilson: Interval | None
    accuracy_bounds: Interval | None
    wrong: WrongFigures | None
    resampling: Resampling | None
    readings: tuple[Reading, ...]
    confidence: Confidence | None = None

    def to_json(self) -> dict[str, Json]:
        """Return every figure as JSON, undefined ones as null with their reason; ``confidence`` if there is any."""
        told: dict[str, Json] = {} if self.confidence is None else {"confidence": self.confidence.to_json()}
        return {
            "invalid": self.invalid,
            "n": self.n,
            "scored": self.scored,
            "coverage": self.coverage,
            "scale": self.scale.kind,
            "positive": self.scale.positive,
            "threshold": self.scale.threshold,
            "alignment": {**self.alignment.to_json(), "components": self.components},
            "reference": self.reference.to_json(),
            "metrics": {name: each.to_json() for name, each in self.metrics.items()},
            "extras": {name: each.to_json() for name, each in self.extras.items()},
            "confusion": self.confusion.to_json(),
            "n_per_class": dict(self.n_per_class),
            "recall_by_class": {label: each.value for label, each in self.recall_by_class.items()},
            "recall_by_class_interval": {
                label: None if each.value is None else [each.low, each.high]
                for label, each in self.recall_by_class.items()
            },
            "positive_rate": None if self.positive_rate is None else dict(self.positive_rate),
            "unscored": {reason: self.unscored[reason] for reason in UNSCORED_REASONS},
            "accuracy_wilson": _ends(self.accuracy_wilson),
            "accuracy_bounds": _ends(self.accuracy_bounds),
            "wrong": None if self.wrong is None else self.wrong.to_json(),
            "resampling": None if self.resampling is None else self.resampling.to_json(),
            "readings": [each.to_json() for each in self.readings],
            **told,
        }


def _ends(interval: Interval | None) -> Json:
    return None if interval is None else [interval.low, interval.high]
