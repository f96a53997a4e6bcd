"""Words that say nothing by themselves, in English and Spanish: articles, prepositions, forms of *be*, negations."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["FUNCTION_WORDS", "NEGATIONS", "has_content", "without_accents"]

NEGATIONS = frozenset(
    "no not never none neither nor without nunca jamas sin ningun ninguna ninguno nadie nada tampoco ni".split()
)
"""Words that turn a statement round, without accents."""

FUNCTION_WORDS = frozenset(
    "a an the of to in on at for from by with and or is are was were be been it its this that as t s "
    "el la los las un una unos unas de del al a en por para con y e o u es son fue fueron ser esta estan este se "
    "su sus que lo le les como".split()
)
"""Words that only hold others together, without accents."""

_WORD = re.compile(r"\d+|[^\W\d_]+")


def has_content(text: str) -> bool:
    """Whether a text has a number, or a word that is neither a function word nor a negation."""
    words = _WORD.findall(without_accents(text))
    return any(word not in FUNCTION_WORDS and word not in NEGATIONS for word in words)


def without_accents(text: str) -> str:
    """Fold case and take accents away."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in folded if not unicodedata.combining(char))
