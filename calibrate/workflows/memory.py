"""What earlier calibrations of the same set and dimension have tried, as a search is told of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calibrate.domain import Item, Json, Scale, Verdict
from calibrate.optimizer import Memory, Objective, Remembered, instructions_of
from calibrate.store import CandidateRecord, RunRecord, Store, Tried

__all__ = ["Before", "memory_of"]

_USELESS = ("duplicate", "near duplicate")  # they tell of the other search's trials, not of what fails


@dataclass(frozen=True, slots=True)
class Before:
    """What was tried before a search.

    Attributes:
        memory: what the search is told.
        best: the prompt that scored highest with the same judge, ``RUN:CANDIDATE``; empty when there is none.
        score: its score under this search's objective.
    """

    memory: Memory
    best: str = ""
    score: float = float("-inf")


def memory_of(
    store: Store,
    run: RunRecord,
    judge: Mapping[str, Any],
    objective: Objective,
    items: Sequence[Item],
    scale: Scale,
    *,
    without: str,
) -> Before:
    """Return what was tried before a run on its set and dimension.

    Scores are those of this search's objective: what was ranked by another one is scored again from its verdicts.

    Args:
        store: the run database.
        run: the run that asks.
        judge: its judge without the prompt; prompts that another judge has scored are told as such.
        objective: what this search ranks by.
        items: its labelled items.
        scale: their scale.
        without: the prompt that the search starts from.
    """
    scored: list[Remembered] = []
    stopped: list[str] = []
    rejections: list[str] = []
    best, highest = "", (float("-inf"), 0)
    earlier = store.tried_before(run)
    runs = {(each.run_id, each.candidate.number): each.candidate for each in earlier}
    for tried in earlier:
        candidate, same = tried.candidate, tried.spec.get("judge") == dict(judge)
        if candidate.prompt == without or not _asks_alike(tried.spec.get("judge") or {}, judge):
            continue
        if candidate.status == "rejected":
            if not candidate.reason.startswith(_USELESS):
                rejections.append(f"strategy {candidate.strategy}: {candidate.reason}")
        elif candidate.status == "stopped":
            if same and _is_hopeless(candidate, tried, objective):
                stopped.append(candidate.prompt)
        else:
            score = _score(store, tried, runs, objective, items, scale)
            name = "" if same else _name(tried.spec.get("judge") or {})
            if score is not None and same and (round(score, 9), -len(candidate.prompt)) > highest:
                best, highest = f"{tried.run_id}:{candidate.number}", (round(score, 9), -len(candidate.prompt))
            if score is not None:
                shown = candidate.shown
                written = instructions_of(candidate.prompt, shown)
                scored.append(Remembered(written, score, candidate.strategy, name, shown))
    return Before(Memory(tuple(scored), tuple(stopped), tuple(dict.fromkeys(rejections))), best, highest[0])


def _asks_alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether prompts of two judges ask for the same: what a verifier of claims is told tells no judge of answers."""
    return bool(one.get("splitter")) == bool(other.get("splitter"))


def _is_hopeless(candidate: CandidateRecord, tried: Tried, objective: Objective) -> bool:
    """Whether a candidate was stopped because it could not win: racing may have stopped it by mistake."""
    return not candidate.shown and not tried.spec.get("race") and _ranks_alike(tried, objective)


def _ranks_alike(tried: Tried, objective: Objective) -> bool:
    earlier = str(tried.spec.get("objective", "alignment"))
    return earlier == objective.text or (earlier in ("alignment", "pareto") and objective.is_alignment)


def _score(
    store: Store,
    tried: Tried,
    runs: Mapping[tuple[int, int], CandidateRecord],
    objective: Objective,
    items: Sequence[Item],
    scale: Scale,
) -> float | None:
    if _ranks_alike(tried, objective):
        return tried.candidate.score
    verdicts = _counted(store, tried.run_id, tried.candidate, runs)
    if any(item.id not in verdicts for item in items):
        return None
    return objective.value([item.label for item in items], [verdicts[item.id] for item in items], scale)


def _counted(
    store: Store, run_id: int, candidate: CandidateRecord, runs: Mapping[tuple[int, int], CandidateRecord]
) -> dict[str, Verdict]:
    """Return the verdicts that a candidate's score came from: its own, and its parent's on what it shows."""
    own = {} if candidate.evaluation is None else store.verdicts(candidate.evaluation)
    parent = None if candidate.parent is None else runs.get((run_id, candidate.parent))
    if not candidate.shown or parent is None:
        return own
    return {**_counted(store, run_id, parent, runs), **own}


def _name(judge: Mapping[str, Json]) -> str:
    return str(judge.get("model", "another judge"))
