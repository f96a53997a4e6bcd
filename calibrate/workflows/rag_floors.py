"""How large a difference of two variants the judges' own flips explain, figure by figure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, TypeAlias

from calibrate.rag.judged_items import Role
from calibrate.workflows.rag_judges import RoleJudge
from calibrate.workflows.rag_measure import Measured
from calibrate.workflows.rag_standing import Standing

__all__ = ["Compared", "floor_notes", "largest_floors", "noise_floors"]

Compared: TypeAlias = tuple[str, str, str]
"""Two variants, and a figure."""

_FROM_CLAIMS = ("faithfulness", "contradiction_rate")


def noise_floors(measured: Sequence[Measured], judges: Mapping[Role, RoleJudge]) -> dict[Compared, float]:
    """Return, for two variants and a figure, the difference that the judge's flips explain.

    It is that of the verdicts on the questions which both have a value for, as if both had as many as the one with
    fewer. Faithfulness hangs on the splitter too: a claim that
    comes or goes moves the mean by as much as a verdict that flips at most, so its flips are added where they are
    known. Where they are not, the floor is that of the verifier alone, and too low. Which questions count is taken as
    given, though a judge of abstention decides it.
    """
    # One variant alone has the floor of its difference from another of its kind.
    pairs = list(combinations(measured, 2)) or [(each, each) for each in measured]
    floors: dict[Compared, float] = {}
    for first, second in pairs:
        for ours in first.figures:
            judge = next((each for role, each in judges.items() if role == ours.judge), None)
            theirs = next((each for each in second.figures if each.name == ours.name), None)
            shared = () if theirs is None else sorted(ours.values.keys() & theirs.values.keys())
            if judge is None or not shared:
                continue
            standing = _with_splitter(judge.standing, judges) if ours.name in _FROM_CLAIMS else judge.standing
            counts = [_verdicts(each, ours.name, judge.role, shared) for each in (first, second)]
            floor = standing.floor(min(counts))
            if floor is not None:
                floors[first.variant.name, second.variant.name, ours.name] = floor
    return floors


def largest_floors(role: Role, measured: Sequence[Measured], floors: Mapping[Compared, float]) -> dict[str, float]:
    """Return the floors of a judge's figures; of several pairs of variants the largest."""
    names = dict.fromkeys(each.name for one in measured for each in one.figures if each.judge == role)
    found = {name: [floor for (_, _, figure), floor in floors.items() if figure == name] for name in names}
    return {name: max(each) for name, each in found.items() if each}


def floor_notes(judges: Mapping[Role, RoleJudge]) -> tuple[str, ...]:
    """Say where a floor lacks a part: the flips of the verifier are known, and those of the splitter are not."""
    verifier, splitter = judges.get("claim_support"), judges.get("claims")
    if verifier is None or splitter is None or verifier.standing.flip_rate is None:
        return ()
    if splitter.standing.flip_rate is not None:
        return ()
    return (
        "the noise floor of faithfulness counts the flips of claim_support alone: those of claims were never measured "
        "(`calibrate noise SET --task split`)",
    )


def _with_splitter(standing: Standing, judges: Mapping[Role, RoleJudge]) -> Standing:
    splitter = judges["claims"].standing.flip_rate if "claims" in judges else None
    if standing.flip_rate is None or splitter is None:
        return standing
    return replace(standing, flip_rate=min(1.0, standing.flip_rate + splitter))


def _verdicts(measured: Measured, name: str, role: Role, questions: Collection[str]) -> float:
    """Return how many verdicts of a judge stand behind a figure on some questions.

    Questions weigh the same, whatever the number of their verdicts: of unequal numbers it is the number of equal ones
    that gives the mean the same variance, Q^2 / sum(1 / m) for Q questions of m verdicts each.
    """
    parts = {"claim_support": "cited_claims" if name == "citation_support" else "claims"}.get(
        role, "context_needed" if role == "context_relevancy" else ""
    )
    if not parts:
        return len(questions)
    listed: list[Any] = [measured.traces[question][parts] for question in questions]
    judged: list[int] = [sum(each.get("kind", "factual") == "factual" for each in one) for one in listed]
    return float(len(judged) ** 2) / sum(1 / each for each in judged)
