"""How often a judge errs either way on the experts' labels: what a weak alignment does to the figures it gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calibrate.domain import Json, Scale
from calibrate.errors import InputError
from calibrate.judge import label_roles

__all__ = ["JudgeErrors", "errors_in_words", "errors_of"]

_WORDS = {
    "claim_support": ("calls", "unsupported claims", "supported", "supported claims", "unsupported"),
    "correctness": ("calls", "wrong answers", "right", "right answers", "wrong"),
    "context_relevancy": ("calls", "needless passages", "needed", "needed passages", "needless"),
    "abstention": ("takes", "answers", "for abstentions", "abstentions", "for answers"),
}


@dataclass(frozen=True, slots=True)
class JudgeErrors:
    """Counts of a judge's scored verdicts against the experts' labels.

    Attributes:
        negatives: items that the experts give a label other than the good one (unsupported, wrong, not needed).
        false_positives: those of them that the judge calls good.
        positives: items that they call good.
        false_negatives: those of them that the judge does not call good.
    """

    negatives: int
    false_positives: int
    positives: int
    false_negatives: int

    def to_json(self) -> dict[str, Json]:
        """Return the counts."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def errors_of(role: str, metrics: Mapping[str, Any]) -> JudgeErrors | None:
    """Return a judge's errors from its stored alignment; None for roles and scales that have no two sides.

    Args:
        role: what it judges.
        metrics: the alignment suite as JSON.
    """
    confusion = metrics.get("confusion") or {}
    labels, matrix = list(confusion.get("labels") or ()), list(confusion.get("matrix") or ())
    good = _good_label(metrics, labels)
    if role not in _WORDS or good is None or not any(map(sum, matrix)):
        return None
    at = labels.index(good)
    # Verdicts that state no label may have a column of their own: they are no word against an item.
    stated = [labels.index(each) for each in _stated(metrics, labels)]
    others = [row for place, row in enumerate(matrix) if place != at]
    return JudgeErrors(
        negatives=sum(map(sum, others)),
        false_positives=sum(row[at] for row in others),
        positives=sum(matrix[at]),
        false_negatives=sum(matrix[at][place] for place in stated if place != at),
    )


def errors_in_words(role: str, errors: JudgeErrors) -> str:
    """Say both kinds of error: ``it calls 9 of 46 unsupported claims supported and 3 of 50 supported claims ...``."""
    verb, bad, as_good, good, as_bad = _WORDS[role]
    said = []
    if errors.negatives:
        said.append(f"{errors.false_positives} of {errors.negatives} {bad} {as_good}")
    if errors.positives:
        said.append(f"{errors.false_negatives} of {errors.positives} {good} {as_bad}")
    unseen = bad if not errors.negatives else good if not errors.positives else ""
    return f"it {verb} {' and '.join(said)}" + (f", and was shown no {unseen}" if unseen else "")


def _good_label(metrics: Mapping[str, Any], labels: list[str]) -> str | None:
    positive = metrics.get("positive")
    if metrics.get("scale") == "binary" and positive in labels:
        return str(positive)
    if metrics.get("scale") != "nominal":
        return None
    try:
        return label_roles(Scale("nominal", tuple(_stated(metrics, labels)))).supported
    except InputError:
        return None


def _stated(metrics: Mapping[str, Any], labels: list[str]) -> list[str]:
    known = metrics.get("recall_by_class") or {}
    return [each for each in labels if each in known]
