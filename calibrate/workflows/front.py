"""Alignment against cost: the candidates than which no other one is both better and cheaper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from calibrate.domain import Json
from calibrate.store import CandidateRecord

__all__ = ["FrontPoint", "cost_per_verdict", "front_of"]


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


def cost_per_verdict(candidate: CandidateRecord, judged: Mapping[int, int]) -> float | None:
    """Return US dollars a verdict, without a cache; None where the cost is not known in full.

    Args:
        candidate: a judged prompt.
        judged: by evaluation, the verdicts that its cost is for: those on items without a label too.
    """
    verdicts = 0 if candidate.evaluation is None else judged.get(candidate.evaluation, 0)
    return candidate.cost / verdicts if candidate.cost is not None and verdicts else None


def front_of(candidates: Sequence[CandidateRecord], judged: Mapping[int, int]) -> tuple[FrontPoint, ...]:
    """Return the front of score against cost per verdict, the cheapest first; of equals the first.

    Candidates without a score or with a cost that is not known in full are left out.

    Args:
        candidates: judged prompts.
        judged: by evaluation, the number of its verdicts.
    """
    costs = [(each, cost_per_verdict(each, judged)) for each in candidates if each.score is not None]
    points = [FrontPoint(each, cost) for each, cost in costs if cost is not None]
    front: list[FrontPoint] = []
    for point in sorted(points, key=lambda each: (each.cost, -(each.candidate.score or 0.0), each.candidate.number)):
        if not front or (point.candidate.score or 0.0) > (front[-1].candidate.score or 0.0):
            front.append(point)
    return tuple(front)
