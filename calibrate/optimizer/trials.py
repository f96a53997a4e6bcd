"""What the loop works with: candidates, what became of them, and errors worth showing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from calibrate.domain import Item, Scale, Scored, Verdict

__all__ = [
    "Candidate",
    "ErrorKind",
    "Evaluation",
    "Memory",
    "Misjudged",
    "Remembered",
    "StopReason",
    "Trial",
    "is_right",
    "misjudged",
]

StopReason = Literal["target", "plateau", "stalled", "limit", "exhausted"]
"""Why a calibration ended: the target was reached; no further gain, above or below the plateau; iterations ran out; no
strategy applies to the prompts that are to be rewritten."""

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
        partner: the number of the second candidate that it was merged from, None for the others.
        shown: ids of the items that the prompt shows as examples: it is not judged on them, nor on those that are
            alike.
    """

    number: int
    iteration: int
    strategy: str
    parent: int | None
    prompt: str
    partner: int | None = None
    shown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A judged candidate.

    Attributes:
        score: what candidates are ranked by, the value of the search's objective with unscored verdicts counted as
            wrong; None when judging was stopped before all items were judged.
        verdicts: the candidate's verdicts, by item id.
        assumed: the verdicts that its score takes from its parent, on the items that it shows: a prompt earns nothing
            on the examples it quotes, and loses nothing either, so that it is compared on the others.
        stopped: why judging was stopped; empty when it was not.
    """

    score: float | None
    verdicts: Mapping[str, Verdict]
    assumed: Mapping[str, Verdict] = field(default_factory=dict)
    stopped: str = ""

    @property
    def complete(self) -> Mapping[str, Verdict]:
        """The verdicts that the score was computed from."""
        return {**self.assumed, **self.verdicts} if self.assumed else self.verdicts


@dataclass(frozen=True, slots=True)
class Trial:
    """A candidate and what became of it: an evaluation, or the reason why it was not judged."""

    candidate: Candidate
    evaluation: Evaluation | None
    rejected: str = ""

    @property
    def score(self) -> float | None:
        """The evaluation's score; None when it was rejected or stopped."""
        return None if self.evaluation is None else self.evaluation.score

    @property
    def rank(self) -> tuple[float, bool, int, int]:
        """Orders scored trials: the highest score first; of equals the baseline, then the shortest, then the earliest.

        Of two prompts that do as well the shorter one costs less with every verdict. Scores are equal to nine digits:
        sums in another order differ in the last ones.
        """
        assert self.score is not None  # trials without a score are not ranked
        candidate = self.candidate
        return round(self.score, 9), candidate.number == 0, -len(candidate.prompt), -candidate.number


@dataclass(frozen=True, slots=True)
class Remembered:
    """A prompt that an earlier calibration of the same set and dimension has scored.

    Attributes:
        prompt: the prompt.
        score: its score under this search's objective.
        strategy: the strategy that wrote it.
        judge: the judge model, when it is another one than this search's; its scores are no measure here.
        shown: ids of the items that the program showed after it; ``prompt`` is then what stands before them.
    """

    prompt: str
    score: float
    strategy: str
    judge: str = ""
    shown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Memory:
    """What earlier calibrations have tried.

    Attributes:
        scored: prompts with their scores. Those of this search's judge are not tried again.
        stopped: prompts that this search's judge was stopped at under the same objective; they are not tried again.
        rejections: one line for each kind of rejection.
    """

    scored: tuple[Remembered, ...] = ()
    stopped: tuple[str, ...] = ()
    rejections: tuple[str, ...] = ()


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


def misjudged(items: Sequence[Item], verdicts: Mapping[str, Verdict], scale: Scale) -> tuple[Misjudged, ...]:
    """Return the items whose verdict differs from gold, the farthest off first, then in the order of the set.

    Items without a verdict are left out.
    """
    found = [
        error
        for item in items
        if item.label is not None
        and item.id in verdicts
        and (error := _compare(item, item.label, verdicts[item.id], scale)) is not None
    ]
    return tuple(sorted(found, key=lambda error: -error.distance))


def is_right(item: Item, verdict: Verdict, scale: Scale) -> bool:
    """Whether a verdict agrees with a labelled item's gold; an unscored one does not."""
    return isinstance(verdict, Scored) and item.label is not None and _agree(item.label, verdict.label, scale)


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
