"""What the repository hands out: frozen copies of rows, free of sessions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from calibrate.domain import Usage

__all__ = ["CandidateRecord", "CandidateStatus", "RunKind", "RunRecord", "RunStatus", "Spending", "Tried", "Typical"]

RunKind = Literal["baseline", "optimize", "noise", "bias", "rag"]
RunStatus = Literal["running", "done", "interrupted", "failed"]
CandidateStatus = Literal["scored", "rejected", "stopped"]


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run.

    Attributes:
        id: the number that users type.
        kind: ``baseline``, ``optimize``, ``noise``, ``bias`` or ``rag``.
        number: 0 for the first run of this specification, 1 for a second one asked for with ``--new``, ...
        spec: everything that fixes the result.
        golden_digest: the golden set it ran on.
        dimension: the dimension.
        status: running, done, interrupted or failed.
        result: the stored result, None until the run is done.
        version: the tool version that made it.
        created: ISO 8601, UTC.
        finished: ISO 8601, UTC, or None.
    """

    id: int
    kind: RunKind
    number: int
    spec: Mapping[str, Any]
    golden_digest: str
    dimension: str
    status: RunStatus
    result: Mapping[str, Any] | None
    version: str
    created: str
    finished: str | None


@dataclass(frozen=True, slots=True)
class CandidateRecord:
    """A prompt that a run tried.

    Attributes:
        number: 0 for the prompt the run started from.
        iteration: 0 for that prompt, then 1, 2, ...
        strategy: the strategy that wrote it; ``baseline`` for number 0.
        parent: the candidate it rewrote, None for number 0.
        prompt: its text.
        status: ``scored``, ``rejected`` before it was judged, or ``stopped`` before it was judged on all items.
        reason: why it was rejected or stopped, else empty.
        evaluation: its evaluation, None when rejected; that of a stopped one lacks verdicts.
        score: what it is ranked by, the value of the search's objective with unscored verdicts counted as wrong; None
            unless it was scored.
        metrics: the alignment suite as JSON; None unless it was scored.
        cost: US dollars that judging it takes without any cache; None when unknown or rejected.
        partner: the second candidate that it was merged from, None when there is none.
        shown: ids of the items that it shows as examples: it is not judged on them, and in its score they count with
            its parent's verdicts.
    """

    number: int
    iteration: int
    strategy: str
    parent: int | None
    prompt: str
    status: CandidateStatus
    reason: str = ""
    evaluation: int | None = None
    score: float | None = None
    metrics: Mapping[str, Any] | None = None
    cost: float | None = None
    partner: int | None = None
    shown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tried:
    """A candidate that an earlier run has tried.

    Attributes:
        candidate: the candidate.
        run_id: its run.
        spec: that run's specification: which judge, which objective.
    """

    candidate: CandidateRecord
    run_id: int
    spec: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Spending:
    """What a run has paid for.

    Attributes:
        calls: paid calls.
        cost: US dollars of the calls whose cost is known.
        unknown: calls whose cost is unknown.
        usage: billed tokens of all calls together, each kind as far as it was told.
        enlarged: replies that reasoning used up, which were asked for again with a larger token limit.
        uncertain: charges of unknown amount beside the calls: attempts that may have been billed without an answer.
        uncertain_most: US dollars that those can have cost at most; None when a price is unknown.
        uncertain_known: the same over those whose most is known.
    """

    calls: int
    cost: float
    unknown: int
    usage: Usage = field(default_factory=Usage)
    enlarged: int = 0
    uncertain: int = 0
    uncertain_most: float | None = 0.0
    uncertain_known: float = 0.0

    def __add__(self, other: Spending) -> Spending:
        """Return what two runs have paid for together."""
        mine, others = self.usage, other.usage
        usage = Usage(*(_sum(getattr(mine, name), getattr(others, name)) for name in mine.__dataclass_fields__))
        most = (self.uncertain_most, other.uncertain_most)
        return Spending(
            calls=self.calls + other.calls,
            cost=self.cost + other.cost,
            unknown=self.unknown + other.unknown,
            usage=usage,
            enlarged=self.enlarged + other.enlarged,
            uncertain=self.uncertain + other.uncertain,
            uncertain_most=None if None in most else sum(each or 0.0 for each in most),
            uncertain_known=self.uncertain_known + other.uncertain_known,
        )


@dataclass(frozen=True, slots=True)
class Typical:
    """What a model's replies were like so far.

    Attributes:
        replies: how many were looked at.
        output_tokens: their mean length; None when none told it.
        latency: mean seconds from request to reply; None without replies.
    """

    replies: int
    output_tokens: float | None
    latency: float | None


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None and other is None else (one or 0) + (other or 0)
