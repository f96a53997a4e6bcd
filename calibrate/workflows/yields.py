"""What a search tried: what each strategy brought, what was in vain, and which items no prompt gets right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from calibrate.domain import Item, Json
from calibrate.store import CandidateRecord
from calibrate.workflows.answers import Answers
from calibrate.workflows.ranking import rank

__all__ = ["InVain", "StrategyYield", "in_vain", "lost_items", "never_right", "new_bests", "yields"]

_DIGITS = 9


@dataclass(frozen=True, slots=True)
class StrategyYield:
    """What one strategy brought.

    Attributes:
        strategy: its name.
        tries: candidates it proposed.
        rejected: those that were not judged.
        stopped: those whose judging was stopped.
        wins: those that scored above their parent; a merge, above both parents.
        gain: sum of the improvements of the best score so far that its candidates made, in order of number; at least 0.
        cost: US dollars of judging its candidates once without a cache; None when a part is unknown.
    """

    strategy: str
    tries: int
    rejected: int
    stopped: int
    wins: int
    gain: float
    cost: float | None

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON."""
        return {
            "strategy": self.strategy,
            "tries": self.tries,
            "rejected": self.rejected,
            "stopped": self.stopped,
            "wins": self.wins,
            "gain": self.gain,
            "cost": self.cost,
        }


@dataclass(frozen=True, slots=True)
class InVain:
    """The rewrites by one strategy that the winner does not come from.

    Attributes:
        strategy: its name.
        rewrites: how many.
        best: the highest score among them; None when none was scored.
        rejected: how often each reason for a rejection came up.
        stopped: how many were stopped before they were judged on all items.
    """

    strategy: str
    rewrites: int
    best: float | None
    rejected: Mapping[str, int]
    stopped: int

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON."""
        return {
            "strategy": self.strategy,
            "rewrites": self.rewrites,
            "best": self.best,
            "rejected": dict(self.rejected),
            "stopped": self.stopped,
        }


def new_bests(candidates: Sequence[CandidateRecord]) -> tuple[CandidateRecord, ...]:
    """Return the best candidate of each iteration that scored above all before it, the first one included.

    The candidates of an iteration are judged together: of equals the one is meant that the search goes on from.
    """
    found: list[CandidateRecord] = []
    scored = [each for each in candidates if each.score is not None]
    for number in sorted({each.iteration for each in scored}):
        best = max((each for each in scored if each.iteration == number), key=rank)
        if best.score is not None and (not found or _above(best.score, found[-1].score)):
            found.append(best)
    return tuple(found)


def yields(candidates: Sequence[CandidateRecord]) -> tuple[StrategyYield, ...]:
    """Return what each strategy brought: the largest gain first, then the most wins, then by first use."""
    gains: dict[str, float] = {}
    bests = new_bests(candidates)
    for before, after in pairwise(bests):
        gains[after.strategy] = gains.get(after.strategy, 0.0) + (after.score or 0.0) - (before.score or 0.0)
    by_number = {each.number: each for each in candidates}
    found = []
    for strategy, own in _by_strategy(candidates).items():
        judged = [each.cost for each in own if each.status != "rejected"]
        known = [cost for cost in judged if cost is not None]
        found.append(
            StrategyYield(
                strategy=strategy,
                tries=len(own),
                rejected=len(own) - len(judged),
                stopped=sum(each.status == "stopped" for each in own),
                wins=sum(_won(each, by_number) for each in own),
                gain=gains.get(strategy, 0.0),
                cost=sum(known) if len(known) == len(judged) else None,
            )
        )
    return tuple(sorted(found, key=lambda each: (-round(each.gain, _DIGITS), -each.wins)))


def in_vain(candidates: Sequence[CandidateRecord], way: Collection[int]) -> tuple[InVain, ...]:
    """Return the rewrites that are not on the way to the winner, by strategy; the highest score first.

    Args:
        candidates: all of the run.
        way: numbers of the candidates that the winner comes from, and its own.
    """
    found = []
    for strategy, own in _by_strategy([each for each in candidates if each.number not in way]).items():
        reasons = Counter(each.reason for each in own if each.status == "rejected")
        scores = [each.score for each in own if each.score is not None]
        stopped = sum(each.status == "stopped" for each in own)
        found.append(InVain(strategy, len(own), max(scores, default=None), dict(reasons.most_common()), stopped))
    return tuple(sorted(found, key=lambda each: (each.best is None, -(each.best or 0.0))))


def never_right(items: Sequence[Item], answers: Mapping[int, Answers]) -> tuple[str, ...]:
    """Return the items that were judged and that no candidate got right, in the order of the set."""
    never = _union(each.wrong for each in answers.values()) - _union(each.right for each in answers.values())
    return tuple(item.id for item in items if item.id in never)


def lost_items(items: Sequence[Item], answers: Mapping[int, Answers], number: int) -> tuple[str, ...]:
    """Return the items that the baseline alone got right and that candidate ``number`` gets wrong."""
    found_again = _union(each.right for rewrite, each in answers.items() if rewrite)
    lost = (answers[0].right - found_again) & answers[number].wrong
    return tuple(item.id for item in items if item.id in lost)


def _union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*sets)


def _by_strategy(candidates: Sequence[CandidateRecord]) -> dict[str, list[CandidateRecord]]:
    found: dict[str, list[CandidateRecord]] = {}
    for each in candidates:
        if each.number:
            found.setdefault(each.strategy, []).append(each)
    return found


def _won(candidate: CandidateRecord, candidates: Mapping[int, CandidateRecord]) -> bool:
    if candidate.score is None:
        return False
    parents = [candidates[each] for each in (candidate.parent, candidate.partner) if each is not None]
    return bool(parents) and all(_above(candidate.score, each.score) for each in parents)


def _above(score: float, other: float | None) -> bool:
    """Whether a score is above another one; what differs in the last digits only is equal, as in the search."""
    return other is not None and round(score, _DIGITS) > round(other, _DIGITS)
