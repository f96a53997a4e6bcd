"""What earlier calibrations of the same set and dimension have tried, as a search is told of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calibrate.domain import Item, Json, Scale
from calibrate.optimizer import Memory, Objective, Remembered, instructions_of
from calibrate.store import RunRecord, Store, Tried

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
    best, highest = "", float("-inf")
    for tried in store.tried_before(run):
        candidate, same = tried.candidate, tried.spec.get("judge") == dict(judge)
        if candidate.prompt == without:
            continue
        if candidate.status == "rejected":
            if not candidate.reason.startswith(_USELESS):
                rejections.append(f"strategy {candidate.strategy}: {candidate.reason}")
        elif candidate.status == "stopped":
            if same and not candidate.shown and tried.spec.get("objective", "alignment") == objective.text:
                stopped.append(candidate.prompt)
        else:
            score = _score(store, tried, objective, items, scale)
            name = "" if same else _name(tried.spec.get("judge") or {})
            if score is not None and same and score > highest:
                best, highest = f"{tried.run_id}:{candidate.number}", score
            if score is not None:
                shown = candidate.shown
                written = instructions_of(candidate.prompt, shown)
                scored.append(Remembered(written, score, candidate.strategy, name, shown))
    return Before(Memory(tuple(scored), tuple(stopped), tuple(dict.fromkeys(rejections))), best, highest)


def _score(store: Store, tried: Tried, objective: Objective, items: Sequence[Item], scale: Scale) -> float | None:
    candidate = tried.candidate
    if tried.spec.get("objective", "alignment") == objective.text or candidate.evaluation is None:
        return candidate.score
    verdicts = store.verdicts(candidate.evaluation)
    known = [item for item in items if item.id in verdicts]
    if len(known) < len(items) - len(candidate.shown):
        return None
    return objective.value([item.label for item in known], [verdicts[item.id] for item in known], scale)


def _name(judge: Mapping[str, Json]) -> str:
    return str(judge.get("model", "another judge"))
