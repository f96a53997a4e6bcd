"""What a judge prompt lacks or has too much of, guessed from the few errors shown: by reading them and their notes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from calibrate.providers.sim.checks import Attention
from calibrate.providers.sim.concepts import concepts_in, fold
from calibrate.providers.sim.dimension import Dimension, dimension_of
from calibrate.providers.sim.directives import DIRECTIVES
from calibrate.providers.sim.judging import Judgement
from calibrate.providers.sim.labels import state_in
from calibrate.providers.sim.metaprompt import MetaPrompt, ShownError
from calibrate.providers.sim.panel import judge_roles
from calibrate.providers.sim.requests import Role, roles_of

__all__ = ["CUES", "STRICT", "TOLERANT", "Diagnosis", "diagnose", "dimension_shown"]

TOLERANT = frozenset({"paraphrase", "omission"})
"""Directives that make a judge accept more."""

STRICT = frozenset(DIRECTIVES) - TOLERANT
"""Directives that make a judge reject more."""

_NOTE_WEIGHT = 1.5
_FOUND_WEIGHT = 1.0
_SPREAD_WEIGHT = 0.6
CUES: dict[str, frozenset[str]] = {
    "figures": frozenset({"figure", "weak_figure", "two_figures"}),
    "entities": frozenset({"other", "transfer", "one_other"}),
    "negation": frozenset({"polarity", "condition", "particle"}),
    "unsupported": frozenset({"absent", "addition", "outside", "plausible", "judged_unsupported"}),
    "silence": frozenset({"silence", "refusal"}),
    "truncation": frozenset({"cut"}),
    "paraphrase": frozenset({"wording", "meaning"}),
    "omission": frozenset({"omit", "left_out"}),
}
"""The ideas by which a note speaks of a directive's matter."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """How much speaks for each change to a prompt.

    Attributes:
        stricter: votes for strict directives to add.
        gentler: votes for tolerant directives to add.
        drop: votes for directives to take out.
    """

    stricter: Mapping[str, float]
    gentler: Mapping[str, float]
    drop: Mapping[str, float]


def diagnose(meta: MetaPrompt, asked: frozenset[str], dimension: Dimension) -> Diagnosis:
    """Return what the errors shown speak for.

    Args:
        meta: the meta-prompt.
        asked: the directives the current prompt already has.
        dimension: what is judged.
    """
    stricter: dict[str, float] = defaultdict(float)
    gentler: dict[str, float] = defaultdict(float)
    drop: dict[str, float] = defaultdict(float)
    for error in map(_claim_as_answer, meta.errors) if _is_of_claims(meta) else meta.errors:
        side = _side(error, meta)
        if side == "accepted":
            for name, votes in _accepted(error, asked, dimension).items():
                stricter[name] += votes
        elif side == "rejected":
            gentle, over_strict = _rejected(error, asked, dimension)
            for name, votes in gentle.items():
                gentler[name] += votes
            for name, votes in over_strict.items():
                drop[name] += votes
    return Diagnosis(stricter, gentler, drop)


def dimension_shown(meta: MetaPrompt) -> Dimension:
    """Return what the current prompt wants to know of an answer, given the inputs of the errors shown."""
    roles: set[Role] = set()
    for error in meta.errors:
        roles |= set(roles_of(error.inputs, "")[0])
    return dimension_of(f"{meta.dimension}. {meta.current}", frozenset(roles or {"question", "context", "answer"}))


def _is_of_claims(meta: MetaPrompt) -> bool:
    return "claim" in meta.dimension or "afirmaci" in meta.dimension


def _claim_as_answer(error: ShownError) -> ShownError:
    """Return an error in which the claim is what is judged, where the answer it is from is shown as well."""
    if "claim" not in error.inputs or "answer" not in error.inputs:
        return error
    others = {name: chunks for name, chunks in error.inputs.items() if name not in ("claim", "answer")}
    return replace(error, inputs={**others, "answer": error.inputs["claim"]})


def _side(error: ShownError, meta: MetaPrompt) -> Literal["accepted", "rejected", "neither"]:
    """Return whether the judge was too gentle or too strict."""
    if error.kind in ("wrongly accepted", "over-scored"):
        return "accepted"
    if error.kind in ("wrongly rejected", "under-scored"):
        return "rejected"
    if error.kind == "confused" and error.expert_label in meta.labels and error.judge_label in meta.labels:
        return (
            "accepted" if meta.labels.index(error.judge_label) < meta.labels.index(error.expert_label) else "rejected"
        )
    if error.kind == "confused" and _is_of_claims(meta):
        wanted, given = (state_in(fold(label)) for label in (error.expert_label, error.judge_label))
        if wanted and given and wanted != given and wanted in ("supported", "contradicted"):
            return "rejected" if wanted == "supported" else "accepted"
        return "accepted" if given == "supported" else "neither"
    return "neither"


def _accepted(error: ShownError, asked: frozenset[str], dimension: Dimension) -> dict[str, float]:
    votes = _from_note(error.note, STRICT - asked)
    # With tolerance for wording, what is still found is a fault and no matter of phrasing.
    judged = _read(error, frozenset(DIRECTIVES), dimension)
    failing = [result for result in judged.results if result.fails]
    for result in failing:
        for finding in result.findings:
            if finding.check in STRICT - asked:
                votes[finding.check] = votes.get(finding.check, 0.0) + _FOUND_WEIGHT
    if failing and len(judged.results) > len(failing):
        for name in {"claims", "all-or-nothing"} - asked:
            votes[name] = votes.get(name, 0.0) + _SPREAD_WEIGHT
    return votes


def _rejected(
    error: ShownError, asked: frozenset[str], dimension: Dimension
) -> tuple[dict[str, float], dict[str, float]]:
    gentle = _from_note(error.note, TOLERANT - asked)
    drop: dict[str, float] = {}
    for name in TOLERANT - asked:
        if _read(error, asked | {name}, dimension).good:
            gentle[name] = gentle.get(name, 0.0) + _FOUND_WEIGHT
    if not gentle:
        for result in _read(error, asked, dimension).results:
            for finding in result.findings if result.fails else ():
                if finding.check in asked:
                    drop[finding.check] = drop.get(finding.check, 0.0) + _FOUND_WEIGHT
    return gentle, drop


def _from_note(note: str, among: frozenset[str]) -> dict[str, float]:
    if not note.strip():
        return {}
    present = concepts_in(fold(note))
    return {name: _NOTE_WEIGHT for name in sorted(among) if name in CUES and present & CUES[name]}


def _read(error: ShownError, directives: frozenset[str], dimension: Dimension) -> Judgement:
    roles, _ = roles_of(error.inputs, "")
    return judge_roles(roles, "answer", dimension, Attention(directives))
