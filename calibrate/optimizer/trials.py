"""What the loop works with: candidates, what became of them, and errors worth showing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from calibrate.domain import Item, Scale, Scored, Verdict

__all__ = ["Candidate", "ErrorKind", "Evaluation", "Misjudged", "Remembered", "StopReason", "Trial", "misjudged"]

StopReason = Literal["target", "plateau", "stalled", "limit"]
"""Why a calibration ended: the target was reached; no further gain, above or below the plateau; iterations ran out."""

ErrorKind: TypeAlias = Literal[
    "wrongly accepted", "wrongly rejected", "over-scored", "under-scored", "confused", "unscored"
]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A prompt to try.

    Attributes:
        number: 0 for the prompt the loop started from, then in order of proposal.
        iteration: 0 for that prompt, then 1, 2, ...
        strategy: the strategy that wrote it; ``baseline`` for number 0.
        parent: the number of the candidate it rewrote, None for number 0.
        prompt: the instructions.
    """

    number: int
    iteration: int
    strategy: str
    parent: int | None
    prompt: str


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A candidate judged on the full set.

    Attributes:
        score: alignment with unscored verdicts counted as wrong, in [-1, 1]; candidates are ranked by it.
        verdicts: the verdict on each item, by id.
    """

    score: float
    verdicts: Mapping[str, Verdict]


@dataclass(frozen=True, slots=True)
class Trial:
    """A candidate and what became of it: an evaluation, or the reason why it was not judged."""

    candidate: Candidate
    evaluation: Evaluation | None
    rejected: str = ""

    @property
    def score(self) -> float | None:
        """The evaluation's score, None when rejected."""
        return None if self.evaluation is None else self.evaluation.score


@dataclass(frozen=True, slots=True)
class Remembered:
    """A prompt that an earlier calibration of the same set, dimension and judge has scored."""

    prompt: str
    score: float
    strategy: str


@dataclass(frozen=True, slots=True)
class Misjudged:
    """An item on which judge and experts differ.

    Attributes:
        item: the item.
        verdict: the judge's verdict.
        kind: which way it is wrong, in words that do not depend on the positive class.
        distance: how far off it is: 1 on unordered scales, else the difference of the values.
    """

    item: Item
    verdict: Verdict
    kind: ErrorKind
    distance: float = field(default=1.0)


def misjudged(items: tuple[Item, ...], verdicts: Mapping[str, Verdict], scale: Scale) -> tuple[Misjudged, ...]:
    """Return the items whose verdict differs from gold, the farthest off first, then in the order of the set."""
    found = [
        error
        for item in items
        if item.label is not None and (error := _compare(item, item.label, verdicts[item.id], scale)) is not None
    ]
    return tuple(sorted(found, key=lambda error: -error.distance))


def _compare(item: Item, gold: str, verdict: Verdict, scale: Scale) -> Misjudged | None:
    if not isinstance(verdict, Scored):
        return Misjudged(item, verdict, "unscored")
    if _agree(gold, verdict.label, scale):
        return None
    if scale.kind == "binary":
        return Misjudged(item, verdict, "wrongly accepted" if scale.passes(verdict.label) else "wrongly rejected")
    if scale.kind in ("nominal", "pairwise"):
        return Misjudged(item, verdict, "confused")
    excess = scale.value(verdict.label) - scale.value(gold)
    return Misjudged(item, verdict, "over-scored" if excess > 0 else "under-scored", abs(excess))


def _agree(gold: str, label: str, scale: Scale) -> bool:
    if scale.kind != "interval":
        return label == gold
    if scale.threshold is None:
        return scale.value(label) == scale.value(gold)
    return scale.passes(label) == scale.passes(gold)
