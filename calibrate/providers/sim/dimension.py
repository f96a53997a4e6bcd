"""Which question a judge prompt asks of an answer."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from calibrate.providers.sim.concepts import fold
from calibrate.providers.sim.requests import Role

__all__ = ["NARROW", "Dimension", "dimension_of"]

Dimension = Literal[
    "faithfulness", "relevance", "accuracy", "quality", "abstention", "context relevancy", "correctness"
]
NARROW: frozenset[Dimension] = frozenset({"abstention", "context relevancy", "correctness"})
"""Dimensions of a RAG evaluation, whose prompts ask for checks of their own."""


_TOLD: dict[Dimension, re.Pattern[str]] = {
    "faithfulness": re.compile(
        r"\b(?:faithful|grounded|groundedness|hallucinat|supported by|fiel(?:es)?\b|fidelidad|respaldad|"
        r"fundamentad|alucina|apoyad[oa] en)"
    ),
    "relevance": re.compile(
        r"\b(?:relevan|pertinen|on[- ]topic|off[- ]topic|(?:address|answer)(?:es|s)? (?:to )?the question|"
        r"respon(?:de|da) a (?:la|lo que)"
        r"|contesta(?:n)? a la pregunta|viene al caso|aborda(?:n)? la pregunta|resuelve la pregunta)"
    ),
    "accuracy": re.compile(
        r"\b(?:accura|factual|correctness|is correct|ground truth|reference answer|exactitud|veracidad|veraz|"
        r"factualmente|es correcta"
        r"|respuesta de referencia|precision de los hechos)"
    ),
}
_HINTS: dict[Dimension, re.Pattern[str]] = {
    "faithfulness": re.compile(r"\b(?:context|source|passage|document|contexto|fuente|pasaje|documento)"),
    "relevance": re.compile(r"\b(?:question|pregunta)"),
    "accuracy": re.compile(r"\b(?:reference|correct|referencia|correct[oa])"),
}
_TOLD_WEIGHT = 4
_OPENING = 400
_ABSTENTION = re.compile(
    r"\b(?:judg|decid|determin|evaluat|assess|say|tell|check|classif|criterion:|juzga|evalua|di\b|valora|"
    r"comprueba|clasifica|criterio:)[^.\n]{0,60}?"
    r"\b(abstention|abstain|declin|refus\w+ to|abstencion|se abst|rehus)"
)
_CORRECTNESS = re.compile(
    r"\bcorrect\w*,? compar\w+ (?:with|to|con) (?:an?|the|una|la) (?:reference|respuesta de referencia)"
    r"|\bsays what the reference (?:answer )?says|\bdice lo que dice la (?:respuesta de )?referencia"
)
_CONTEXT_RELEVANCY = re.compile(
    r"\b(?:context(?:ual)? relevan|(?:relevan\w+|pertinencia) (?:of|del?) (?:an? |the |each |un |el |cada )?"
    r"(?:retrieved |recuperado )?(?:passage|context|chunk|document|pasaje|contexto|fragmento|documento))"
)
_PASSAGE_NEEDED = re.compile(
    r"\b(?:passage|chunk|context|excerpt|sentence|document|pasaje|contexto|fragmento|documento|frase)s?\b[^.\n]{0,50}"
    r"\b(?:needed|necessary|relevan|useful|hac\w+ falta|necesari|pertinente|util)"
)


def dimension_of(instructions: str, roles: frozenset[Role]) -> Dimension:
    """Return what a prompt wants to know of the answer, given the inputs there are."""
    narrow = _narrow(instructions, roles)
    if narrow is not None:
        return narrow
    wanted = _wanted(instructions)
    if wanted == "faithfulness" and "context" not in roles:
        return "accuracy" if "reference" in roles else "quality"
    if wanted == "relevance" and "question" not in roles:
        return "quality"
    if wanted == "quality" and "reference" in roles and "context" not in roles:
        return "accuracy"
    return wanted


@lru_cache(maxsize=512)
def _narrow(instructions: str, roles: frozenset[Role]) -> Dimension | None:
    """Return a dimension of a narrow question, when the opening of the prompt asks it and nothing else before it."""
    text = fold(instructions)[:_OPENING]
    declining = _ABSTENTION.search(text)
    if declining and not any(found.start() < declining.start(1) for found in _others(text, set(_TOLD))):
        return "abstention"
    if "reference" in roles and _CORRECTNESS.search(text):
        return "correctness"
    answered = "answer" in roles or "answer_a" in roles
    passage = _CONTEXT_RELEVANCY.search(text) or (None if answered else _PASSAGE_NEEDED.search(text))
    others = _others(text, {"faithfulness", "accuracy"})
    if passage and not any(found.start() < passage.start() for found in others):
        return "context relevancy"
    return None


def _others(text: str, dimensions: set[Dimension]) -> list[re.Match[str]]:
    found = (_TOLD[dimension].search(text) for dimension in dimensions)
    return [match for match in found if match is not None]


@lru_cache(maxsize=512)
def _wanted(instructions: str) -> Dimension:
    text = fold(instructions)
    scores: dict[Dimension, float] = {}
    for dimension, pattern in _TOLD.items():
        found = list(pattern.finditer(text))
        # What is named first is what the prompt is about.
        early = 1.0 - found[0].start() / (len(text) + 1) if found else 0.0
        hints = min(3, len(_HINTS[dimension].findall(text)))
        scores[dimension] = _TOLD_WEIGHT * (len(found) > 0) + 3 * early + 0.3 * hints if found else 0.0
    best = max(scores, key=lambda dimension: scores[dimension])
    if scores[best] > 0:
        return best
    if len(_HINTS["faithfulness"].findall(text)) > 0:
        return "faithfulness"
    return "quality"
