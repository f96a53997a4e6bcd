"""Whether a quote occurs in a text word for word (STATISTICS section 9)."""

from __future__ import annotations

import re
import unicodedata

from calibrate.domain import Text
from calibrate.judge.function_words import has_content

__all__ = ["occurs_in", "why_no_quote"]

_MARKS = "\"'“”‘’«»„‹›`"
_ZERO_WIDTH = dict.fromkeys([0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x00AD])
_WORD = re.compile(r"\w")


def occurs_in(quote: str, text: Text) -> bool:
    """Whether a quote occurs verbatim: white space and case folded, quotation marks around it left out.

    It has to begin and end at the border of a word, so that ``art`` is no quote of ``start``, and within one chunk
    where the text comes in chunks. A quote that has no number and no word but function words and negations
    (:mod:`calibrate.judge.function_words`) is none: ``the`` stands in every text, whatever the claim.
    """
    if not has_content(quote):
        return False
    wanted = _folded(quote).strip(_MARKS + " ")
    chunks = (text,) if isinstance(text, str) else text
    return any(_stands_in(wanted, _folded(chunk)) for chunk in chunks)


def why_no_quote(quote: str) -> str:
    """Say why a quote that does not occur in a context does not count."""
    if not quote:
        return "it quotes nothing"
    if not has_content(quote):
        return "its quote says nothing"
    return "the context does not say the quote word for word"


def _stands_in(wanted: str, text: str) -> bool:
    place = text.find(wanted)
    while place >= 0:
        end = place + len(wanted)
        if not (_joined(text, place) or _joined(text, end)):
            return True
        place = text.find(wanted, place + 1)
    return False


def _joined(text: str, place: int) -> bool:
    """Whether a word goes on across this place."""
    return 0 < place < len(text) and bool(_WORD.match(text[place - 1]) and _WORD.match(text[place]))


def _folded(text: str) -> str:
    composed = unicodedata.normalize("NFC", text.translate(_ZERO_WIDTH))
    return " ".join(unicodedata.normalize("NFC", composed.casefold()).split())
