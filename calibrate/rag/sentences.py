"""Where sentences end, in English and in Spanish."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

__all__ = ["Sentence", "sentences"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and its place.

    Attributes:
        text: without the white space and the list mark around it.
        start: index of its first character in the whole text.
        end: index after its last one.
    """

    text: str
    start: int
    end: int


def sentences(text: str) -> tuple[Sentence, ...]:
    """Split a text into sentences.

    A sentence ends at ``.``, ``!``, ``?`` or ``…`` before white space, at an empty line, and before an item of a list.
    It does not end inside a number (``3.5``), after an abbreviation (``art.``, ``p. ej.``, ``e.g.``, ``Sr.``) or a
    single letter (``J. Smith``), nor at ``!`` and ``?`` when it goes on in lower case. Abbreviations that often close
    a sentence (``etc.``, ``a.m.``) do so before a capital. Pieces without a letter or a digit are no sentences.
    """
    found = []
    for block_start, block_end in _blocks(text):
        start = block_start
        for mark in _END.finditer(text, block_start, block_end):
            if _ends(text, start, mark, block_end):
                found.append(_trimmed(text, start, mark.end()))
                start = mark.end()
        found.append(_trimmed(text, start, block_end))
    return tuple(each for each in found if any(character.isalnum() for character in each.text))


_BREAK = re.compile(r"\n\s*\n|\n(?=[ \t]*(?:[-*•·–]|#+|\(?\d{1,3}[.)]|\(?[a-zA-Z]\))[ \t]+\S)")
_LIST_MARK = re.compile(r"\s*(?:(?:[-*•·–]|#+|\(?\d{1,3}[.)]|[a-zA-Z]\))\s+)?")
_END = re.compile(r"[.!?…]+[\"'”’»)\]*_]*(?=\s|$)")
_WORD_BEFORE = re.compile(r"[^\s(\[\"'“‘«¿¡]*$")
_LONGEST_WORD = 40
_NEXT = re.compile(r"\s*[\"'“‘«(\[*_]*(.)?", re.DOTALL)

_NEVER_LAST = frozenset(
    """
    aptdo avda cf dña dr dra dres eds ej excmo excma figs gral ilmo ilma lic mr mrs ms núms pp págs párrs prof profa
    refs rev sr sra sres srta sto tel teléf tfno vid vols vs approx dept e.g eg i.e gen gov hon pres sen sgt sect
    """.split()
)
_SOMETIMES_LAST = frozenset(
    """
    etc a.m p.m co corp inc ltd jr s.a s.l s.l.u u.s u.k e.u ee.uu uu ee u.e a.c d.c b.c a.d ph.d al min máx mín max ud
    uds vd vds
    """.split()
)
_BEFORE_NUMBERS = frozenset(
    "no nos nº nr núm ca art arts cap caps fig pág párr par paras vol sec ed ref eq st sta".split()
)
"""Words of their own in other places: ``No. 5`` and ``art. 5``, but ``No. The`` and ``modern art. The``."""


def _blocks(text: str) -> list[tuple[int, int]]:
    edges = [0, *(match.end() for match in _BREAK.finditer(text)), len(text)]
    return list(pairwise(edges))


def _ends(text: str, start: int, mark: re.Match[str], block_end: int) -> bool:
    following = _NEXT.match(text, mark.end(), block_end)
    after = (following[1] if following else None) or ""
    if not after:
        return True
    if mark[0][0] != ".":
        return not after.islower()
    if mark[0].startswith(".."):
        return not after.islower()
    near = text[max(start, mark.start() - _LONGEST_WORD) : mark.start()]
    before = _WORD_BEFORE.search(near)
    word = before[0].casefold() if before else ""
    if word.isdecimal() and mark.start() - start < _LONGEST_WORD and not near[: len(near) - len(word)].strip():
        return False  # the mark of a numbered list
    if word in _BEFORE_NUMBERS:
        return not (after.isdecimal() or after.islower())
    if word in _SOMETIMES_LAST:
        return after.isupper() or after in "¿¡"
    return word not in _NEVER_LAST and not (len(word) == 1 and word.isalpha())


def _trimmed(text: str, start: int, end: int) -> Sentence:
    mark = _LIST_MARK.match(text, start, end)
    start = mark.end() if mark else start
    kept = text[start:end].rstrip()
    return Sentence(kept, start, start + len(kept))
