"""Alignment against cost: the candidates than which no other one is both better and cheaper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibrate.domain import GoldenSet, Json
from calibrate.store import CandidateRecord

__all__ = ["FrontPoint", "front_of"]


@dataclass(frozen=True, slots=True)
class FrontPoint:
    """A candidate on the front.

    Attributes:
        candidate: the candidate.
        cost: US dollars a verdict, without a cache.
    """

    candidate: CandidateRecord
    cost: float

    def to_json(self) -> dict[str, Json]:
        """Return its number, score and cost."""
        return {"candidate": self.candidate.number, "score": self.candidate.score, "cost_per_verdict": self.cost}


def front_of(candidates: Sequence[CandidateRecord], golden: GoldenSet) -> tuple[FrontPoint, ...]:
    """Return the front of score against cost per verdict, the cheapest first; of equals the first.

    Candidates without a score or with a cost that is not known in full are left out.

    Args:
        candidates: those of a run.
        golden: its set; a candidate is not judged on what it shows.
    """
    points = [
        FrontPoint(each, each.cost / judged)
        for each in candidates
        if each.score is not None and each.cost is not None and (judged := len(golden.without(each.shown).labelled))
    ]
    front: list[FrontPoint] = []
    for point in sorted(points, key=lambda each: (each.cost, -(each.candidate.score or 0.0), each.candidate.number)):
        if not front or (point.candidate.score or 0.0) > (front[-1].candidate.score or 0.0):
            front.append(point)
    return tuple(front)
