"""From a judgement to one of the labels that the request offers."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from calibrate.domain import normalise_label
from calibrate.providers.sim.concepts import fold
from calibrate.providers.sim.judging import Judgement
from calibrate.providers.sim.requests import JudgeTask

__all__ = ["CONTRADICTING", "State", "choose_label", "choose_side", "state_in"]

State = Literal["supported", "contradicted", "missing", "partial"]

_TIE_MARGIN = 0.05
CONTRADICTING = frozenset(
    {
        "figure_differs",
        "negation",
        "opposite",
        "other_subject",
        "condition_lost",
        "universal",
        "not_the_reference",
        "opposite_of_asked",
    }
)
"""Kinds of findings by which an answer is at odds with the source, and does not merely go beyond it."""

# Order matters: "not supported" must be seen before "supported".
_CUES: tuple[tuple[State, re.Pattern[str]], ...] = (
    ("partial", re.compile(r"\b(?:partial|partly|mixed|some\b|parcial|en parte)")),
    (
        "missing",
        re.compile(
            r"\b(?:(?:not|no|un|in)[ -]?(?:mentioned|supported|stated|verif\w*|found|enough|relevant|grounded|"
            r"suficiente|mencion\w*|respald\w*|"
            r"consta|figura|dice)|neutral|missing|baseless|absent|extrinsic|nei\b|unknown|irrelevan\w*|neutro|"
            r"ausente|irrelevante|sin respaldo)"
        ),
    ),
    (
        "contradicted",
        re.compile(
            r"\b(?:contradict|contradic|conflict|refut|false|falso|falsa|wrong|incorrect|inaccurate|opposite|"
            r"hallucinat|alucina|unfaithful|infiel|"
            r"bad|fail|no\b|not\b|mal[oa]?\b|inexact)"
        ),
    ),
    (
        "supported",
        re.compile(
            r"\b(?:support|entail|faithful|correct|yes|true|good|pass|accura|relevan|grounded|ok\b|meets|respald|"
            r"fiel|si\b|verdad|apoya|buen|"
            r"cumple|pertinen|acert)"
        ),
    ),
)


def choose_label(judgement: Judgement, task: JudgeTask) -> str | float:
    """Return the label that states the judgement: text, or a number on an interval scale."""
    if task.scale == "interval":
        return round(task.low + judgement.score * (task.high - task.low), 2)
    if task.scale == "ordinal":
        return task.labels[round(judgement.score * (len(task.labels) - 1))]
    if task.scale == "nominal":
        return _nominal(judgement, task)
    if task.scale == "pairwise":
        return next((label for label in task.labels if normalise_label(label) not in ("a", "b")), task.labels[0])
    good = _says_good(task.labels, task.positive, task.instructions)
    return good if judgement.good else next(label for label in task.labels if label != good)


def choose_side(first: Judgement, second: Judgement, task: JudgeTask) -> str:
    """Return the label of the better of two answers, or of a tie when they are about equal and a tie is offered."""
    sides = {normalise_label(label): label for label in task.labels}
    tie = next((label for name, label in sides.items() if name not in ("a", "b")), None)
    margin = (first.good - second.good) + first.score - second.score
    if abs(margin) < _TIE_MARGIN and tie is not None:
        return tie
    return sides.get("a", task.labels[0]) if margin >= 0 else sides.get("b", task.labels[-1])


def _nominal(judgement: Judgement, task: JudgeTask) -> str:
    states = _states(task.labels, task.instructions)
    wanted = _state(judgement)
    order: dict[State, tuple[State, ...]] = {
        "supported": ("supported", "partial"),
        "partial": ("partial", "contradicted", "missing"),
        "missing": ("missing", "contradicted", "partial"),
        "contradicted": ("contradicted", "missing", "partial"),
    }
    for state in order[wanted]:
        for label in task.labels:
            if states[label] == state:
                return label
    return task.labels[0] if judgement.good else task.labels[-1]


def _state(judgement: Judgement) -> State:
    failing = [result for result in judgement.results if result.fails]
    if judgement.good and not failing:
        return "supported"
    if any(finding.kind in CONTRADICTING for result in failing for finding in result.findings):
        return "contradicted"
    if failing and 2 * len(failing) < len(judgement.results):
        return "partial"
    return "supported" if judgement.good else "missing"


@lru_cache(maxsize=256)
def _states(labels: tuple[str, ...], instructions: str) -> dict[str, State | None]:
    return {label: state_in(fold(label)) or state_in(_definition(label, labels, instructions)) for label in labels}


def state_in(text: str) -> State | None:
    """Return what a folded label, or its definition, says of a claim; None when it does not tell."""
    return next((state for state, pattern in _CUES if pattern.search(text)), None)


def _definition(label: str, labels: tuple[str, ...], instructions: str) -> str:
    """Return what the instructions say a label means: the rest of the line or sentence in which it is set off."""
    name = re.escape(fold(label).strip())
    text = fold(instructions)
    found = re.search(
        rf"(?<![\w.])[\"'(\[]?{name}[\"')\]]?\s*(?::|=|-|\bmeans\b|\bif\b|\bwhen\b|\bsignifica\b|\bsi\b|"
        rf"\bcuando\b)\s*([^.\n;]+)",
        text,
    )
    if found is None:
        return ""
    meaning = found[1]
    for other in labels:
        if other != label:
            meaning = re.split(rf",?\s*(?:\band\b|\by\b)?\s*[\"'(]?(?<!\w){re.escape(fold(other))}(?!\w)", meaning)[0]
    return meaning


@lru_cache(maxsize=256)
def _says_good(labels: tuple[str, ...], positive: str, instructions: str) -> str:
    """Return the label for a good answer: the positive one, unless the instructions say it marks a fault."""
    other = next(label for label in labels if label != positive)
    meaning, opposite = (state_in(_definition(label, labels, instructions)) for label in (positive, other))
    if meaning in ("contradicted", "missing") and opposite == "supported":
        return other
    return positive
