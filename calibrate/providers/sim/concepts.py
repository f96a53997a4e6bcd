"""The ideas a judge prompt speaks of, as groups of word stems in English and Spanish.

A concept is present in a stretch of text when any of its stems is. Texts are folded first (:func:`fold`): lower case,
no accents, no markup, ``n't`` written out.

How the stems are written: each matches from the start of a word with any ending (``compar`` is compare, compares,
comparar); ``!`` closes the word (``sum!`` is not summary); ``_`` is a space; ``~`` is a gap of up to four words;
``(a|b)`` is a choice; ``-x_`` in front means "not after x"; ``<unit>`` is any
of the words listed under that name.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import chain

from calibrate.providers.sim.stems_of_attitudes import ATTITUDES
from calibrate.providers.sim.stems_of_checks_en import CHECKS_EN, WORDS_EN
from calibrate.providers.sim.stems_of_checks_es import CHECKS_ES, WORDS_ES
from calibrate.providers.sim.stems_of_matters import MATTERS
from calibrate.providers.sim.stems_of_standards_en import STANDARDS_EN
from calibrate.providers.sim.stems_of_standards_es import STANDARDS_ES

__all__ = ["concepts_in", "fold"]

_MARKUP = re.compile(r"[*_`#>]+")
_NOT = re.compile(r"n't\b")
_RUN_OF_MARKS = re.compile(r"([^\w\s])[^\w\s]{3,}")
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"\w+")
_NAMED = re.compile(r"<(\w+)>")
_WORDS = {name: "|".join(words.split()) for name, words in {**WORDS_EN, **WORDS_ES}.items()}
_GROUPS = (MATTERS, ATTITUDES, CHECKS_EN, CHECKS_ES, STANDARDS_EN, STANDARDS_ES)
_NOT_AFTER = re.compile(r"^(-(\(.*?\)|[^_])*_)+")
_SINGLE = re.compile(r"[a-z0-9]+!?")
_LETTERS = re.compile(r"[a-z]+")
_KEY_LENGTH = 4
_SHORT_WORD = 3
_QUOTES = str.maketrans({"“": '"', "”": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "…": "..."})
_GAP = r"(?:\W+\w+){0,4}?\W+"


@dataclass(frozen=True, slots=True)
class _Index:
    """The stems of all concepts, ordered by how a text is searched for them.

    Attributes:
        whole: concepts by a whole word.
        opening: concepts by the opening of a word.
        phrases: concepts and patterns by the letters, or the whole word, that a phrase starts with.
        anywhere: concepts and patterns that start with something other than letters.
    """

    whole: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    opening: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    phrases: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    anywhere: list[tuple[str, str]] = field(default_factory=list)


def fold(text: str) -> str:
    """Lower the case, drop accents and markup, straighten quotes, write negation out, keep line breaks."""
    plain = unicodedata.normalize("NFKD", text.translate(_QUOTES).casefold())
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    plain = plain.replace("can't", "can not").replace("won't", "will not").replace("cannot", "can not")
    plain = _NOT.sub(" not", plain)
    return _MARKUP.sub(" ", plain)


@lru_cache(maxsize=4096)
def concepts_in(folded: str) -> frozenset[str]:
    """Return the names of the concepts whose stems occur in a folded text."""
    index = _index()
    text = _RUN_OF_MARKS.sub(r"\1\1\1", _SPACE.sub(" ", folded))
    found: set[str] = {name for name, pattern in index.anywhere if _compiled(pattern).search(text)}
    places: dict[str, list[int]] = defaultdict(list)
    for word in _WORD.finditer(text):
        spelled = word.group()
        found |= index.whole.get(spelled, _NONE)
        for length in range(1, len(spelled) + 1):
            found |= index.opening.get(spelled[:length], _NONE)
            if length <= _KEY_LENGTH:
                places[spelled[:length]].append(word.start())
        places[f"{spelled}!"].append(word.start())
    for key, starts in places.items():
        for name, pattern in index.phrases.get(key, ()):
            if name not in found:
                match = _compiled(pattern).match
                if any(match(text, start) for start in starts):
                    found.add(name)
    return frozenset(found)


_NONE: frozenset[str] = frozenset()


@lru_cache(maxsize=1)
def _index() -> _Index:
    index = _Index()
    for name, stems in chain.from_iterable(group.items() for group in _GROUPS):
        for written in stems.split():
            stem = _NAMED.sub(lambda named: f"(?:{_WORDS[named[1]]})", written)
            if _SINGLE.fullmatch(stem):
                (index.whole if stem.endswith("!") else index.opening)[stem.rstrip("!")].add(name)
                continue
            keys = _keys(_NOT_AFTER.sub("", stem))
            for key in keys:
                index.phrases[key].append((name, _pattern(stem)))
            if not keys:
                index.anywhere.append((name, rf"(?<!\w)(?:{_pattern(stem)})"))
    return index


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    # Most phrases start with words that a prompt never has: they need not be compiled.
    return re.compile(pattern)


def _keys(stem: str, after: str = "") -> set[str]:
    """Return how a word can start at which a stem can match: its first letters, or all of them with a closing "!".

    Empty when what the stem matches need not start with letters.
    """
    if not stem.startswith("("):
        letters = _LETTERS.match(stem)
        if not letters:
            return set()
        closing = (stem + after)[letters.end() : letters.end() + 1]
        if closing and closing in "?*{":
            return {letters.group()[:-1][:_KEY_LENGTH]} - {""}
        closed = closing == "!" or (closing == "_" and letters.end() <= _SHORT_WORD)
        return {f"{letters.group()}!" if closed else letters.group()[:_KEY_LENGTH]}
    depth, start, choices = 0, 1, []
    for place, character in enumerate(stem):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if (character == "|" and depth == 1) or (character == ")" and depth == 0):
            choices.append(stem[start:place].removeprefix("?:"))
            start = place + 1
        if depth == 0:
            break
    rest = stem[start:]
    found = [_keys(choice, "!" if rest.startswith("!") else ")") for choice in choices]
    if rest.startswith("?"):
        found.append(_keys(rest[1:].lstrip("!_")))
    return set().union(*found) if all(found) else set()


def _pattern(stem: str) -> str:
    after = ""
    while stem.startswith("-"):
        word, _, stem = stem[1:].partition("_")
        after += rf"(?<!\b{word} )"
    # Each word is open at its end unless it is closed by "!", or is a short one inside a phrase.
    stem = re.sub(r"(?<![a-z0-9\\\\\])])([a-z]{1,3})_", r"\1!_", stem)
    body = re.sub(r"(?<=[a-z0-9)])(?=[_~]|$)", r"\\w*", stem)
    body = re.sub(r"(?<!\(\?)!", r"\\b", body).replace("~", _GAP).replace("_", r"\W+")
    return rf"{after}(?:{body})"
