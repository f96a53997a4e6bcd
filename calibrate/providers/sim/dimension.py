"""Which question a judge prompt asks of an answer."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from calibrate.providers.sim.concepts import fold
from calibrate.providers.sim.requests import Role

__all__ = ["Dimension", "dimension_of"]

Dimension = Literal["faithfulness", "relevance", "accuracy", "quality"]

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


def dimension_of(instructions: str, roles: frozenset[Role]) -> Dimension:
    """Return what a prompt wants to know of the answer, given the inputs there are."""
    wanted = _wanted(instructions)
    if wanted == "faithfulness" and "context" not in roles:
        return "accuracy" if "reference" in roles else "quality"
    if wanted == "relevance" and "question" not in roles:
        return "quality"
    if wanted == "quality" and "reference" in roles and "context" not in roles:
        return "accuracy"
    return wanted


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
