"""The ideas a judge prompt speaks of, as groups of word stems in English and Spanish.

A concept is present in a stretch of text when any of its stems is. Texts are folded first (:func:`fold`): lower case,
no accents, no markup, ``n't`` written out.

How the stems are written: each matches from the start of a word with any ending (``compar`` is compare, compares,
comparar); ``!`` closes the word (``sum!`` is not summary); ``_`` is a space; ``~`` is a gap of up to four words;
``(a|b)`` is a choice; ``-x_`` in front means "not after x".
"""

from __future__ import annotations

import re
import unicodedata

from calibrate.providers.sim.stems_of_attitudes import ATTITUDES
from calibrate.providers.sim.stems_of_matters import MATTERS

__all__ = ["concepts_in", "fold"]

_MARKUP = re.compile(r"[*_`#>]+")
_NOT = re.compile(r"n't\b")
_SPACE = re.compile(r"\s+")
_QUOTES = str.maketrans({"“": '"', "”": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "…": "..."})
_GAP = r"(?:\W+\w+){0,4}?\W+"
_CONCEPTS: dict[str, re.Pattern[str]] = {}


def fold(text: str) -> str:
    """Lower the case, drop accents and markup, straighten quotes, write negation out, keep line breaks."""
    plain = unicodedata.normalize("NFKD", text.translate(_QUOTES).casefold())
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    plain = _NOT.sub(" not", plain).replace("cannot", "can not")
    return _MARKUP.sub(" ", plain)


def concepts_in(folded: str) -> frozenset[str]:
    """Return the names of the concepts whose stems occur in a folded text."""
    if not _CONCEPTS:
        _CONCEPTS.update({name: _compile(stems) for name, stems in {**MATTERS, **ATTITUDES}.items()})
    text = _SPACE.sub(" ", folded)
    return frozenset(name for name, pattern in _CONCEPTS.items() if pattern.search(text))


def _compile(stems: str) -> re.Pattern[str]:
    return re.compile("|".join(_pattern(stem) for stem in stems.split()))


def _pattern(stem: str) -> str:
    after = ""
    while stem.startswith("-"):
        word, _, stem = stem[1:].partition("_")
        after += rf"(?<!\b{word} )"
    # Each word is open at its end unless it is closed by "!", or is a short one inside a phrase.
    stem = re.sub(r"(?<![a-z0-9\\\\\])])([a-z]{1,3})_", r"\1!_", stem)
    body = re.sub(r"(?<=[a-z0-9)])(?=[_~]|$)", r"\\w*", stem)
    body = re.sub(r"(?<!\(\?)!", r"\\b", body).replace("~", _GAP).replace("_", r"\W+")
    return rf"(?<!\w){after}(?:{body})"
