"""What the workflows that measure judges return, and the JSON document of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from calibrate.domain import Json
from calibrate.metrics import Alignment, Family
from calibrate.workflows.calibrated import Calibrated
from calibrate.workflows.people import People

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["METRIC_NAMES", "SCHEMA", "JudgeAlignment", "Report", "Status", "document", "frame", "too_many_unscored"]

SCHEMA = 1

METRIC_NAMES = {
    "accuracy": "accuracy",
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "cohen_kappa": "kappa",
    "pearson": "r",
    "spearman": "rho",
}
"""How tables name the metrics."""

Status = Literal["ok", "too_many_unscored", "below_acceptable", "judge_failed"]


@dataclass(frozen=True, slots=True)
class JudgeAlignment:
    """The alignment of one judge on one dimension, or on one slice of it.

    Attributes:
        judge: the judge's name.
        dimension: the dimension.
        slice: ``column=value``, or None for the whole dimension.
        alignment: the suite.
        people: the raters, and the judge among them; None for a slice.
        calibrated: what calibrated the judge on this dimension; None when that is not known.
    """

    judge: str
    dimension: str
    slice: str | None
    alignment: Alignment
    people: People | None = None
    calibrated: Calibrated | None = None

    def to_json(self) -> dict[str, Json]:
        """Return the entry of the ``results`` list."""
        people: dict[str, Json] = {} if self.people is None else {"people": self.people.to_json()}
        return {
            "judge": self.judge,
            "dimension": self.dimension,
            "slice": self.slice,
            **self.alignment.to_json(),
            **people,
            "calibrated": None if self.calibrated is None else self.calibrated.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Report:
    """What a measuring command found.

    Attributes:
        sentence: what a manager can quote.
        results: one entry for each judge, dimension and slice.
        status: ``ok``, or which threshold was missed (the results are kept, the exit code is 1).
        notes: what was mapped, left out or should be known.
        details: further parts of the JSON document, by key.
        simulated: whether a simulated model had a part in it.
        families: the differences of several judges, by what they judged: each dimension, and each run of it.
    """

    sentence: str
    results: tuple[JudgeAlignment, ...]
    status: Status = "ok"
    notes: tuple[str, ...] = ()
    details: Mapping[str, Json] = field(default_factory=dict)
    simulated: bool = False
    families: Mapping[str, Family] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document."""
        families: dict[str, Json] = {name: each.to_json() for name, each in self.families.items()}
        return document(
            self.status,
            results=[each.to_json() for each in self.results],
            sentence=self.sentence,
            simulated=self.simulated,
            notes=list(self.notes),
            **({"differences": families} if families else {}),
            **self.details,
        )

    def frame(self) -> pd.DataFrame:
        """Return one row for each judge, dimension and slice, and one column for each figure."""
        return frame(self.results)


def too_many_unscored(alignment: Alignment, allowed: float) -> bool:
    """Whether a larger share of the verdicts than ``allowed`` is missing."""
    if alignment.n == 0:
        return allowed < 1
    return (alignment.n - alignment.scored) / alignment.n > allowed


def document(status: str, **parts: Json) -> dict[str, Json]:
    """Return a JSON document of the command line."""
    return {"schema": SCHEMA, "status": status, **parts}


def frame(results: Sequence[JudgeAlignment]) -> pd.DataFrame:
    """Return alignments as a pandas frame; undefined figures are missing values."""
    import pandas as pd

    rows = []
    for each in results:
        alignment = each.alignment
        rows.append(
            {
                "judge": each.judge,
                "dimension": each.dimension,
                "slice": each.slice,
                "n": alignment.n,
                "scored": alignment.scored,
                "coverage": alignment.coverage,
                "alignment": alignment.alignment.value,
                "alignment_low": alignment.alignment.low,
                "alignment_high": alignment.alignment.high,
                **{name: metric.value for name, metric in alignment.metrics.items()},
                **{f"recall of {label}": recall.value for label, recall in alignment.recall_by_class.items()},
                **_confidence(alignment),
            }
        )
    return pd.DataFrame(rows)


def _confidence(alignment: Alignment) -> dict[str, float | None]:
    told = alignment.confidence
    return {} if told is None else {"brier": told.brier.value, "ece": told.ece.value}
