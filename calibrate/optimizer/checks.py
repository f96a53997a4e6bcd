"""Checks that a candidate passes before anything is paid for judging it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from calibrate.domain import Item
from calibrate.domain.similarity import jaccard, shingles
from calibrate.optimizer.leaks import ItemTexts, word_runs

__all__ = ["NEAR_DUPLICATE", "CandidateChecks", "word_runs"]

NEAR_DUPLICATE = 0.95
"""Jaccard similarity of 5-word shingles from which two prompts count as the same."""


@dataclass(slots=True)
class _Known:
    name: str
    text: str
    shingles: frozenset[str]
    shown: frozenset[str]


class CandidateChecks:
    """Tells why a prompt must not be judged.

    It is empty, too long or no proper text, lost a placeholder, is a duplicate, or copies text of an item.

    Args:
        items: the development items; a run of 8 or more of their consecutive words, outside the parent prompt, is a
            leak (STATISTICS section 5), and so are short inputs that stand in the prompt whole
            (:mod:`calibrate.optimizer.leaks`).
        placeholders: placeholders that must stay.
        max_characters: the longest prompt allowed.
    """

    def __init__(self, items: Sequence[Item], *, placeholders: Iterable[str] = (), max_characters: int = 6000) -> None:
        self._placeholders, self._max_characters = tuple(placeholders), max_characters
        self._known: list[_Known] = []
        self._texts = ItemTexts(items)

    def remember(self, name: str, instructions: str, shown: Iterable[str] = ()) -> None:
        """Count a prompt as tried, under a name that a rejection can cite.

        Args:
            name: the name.
            instructions: its text, without the examples that the program has added.
            shown: the items of those examples.
        """
        self._known.append(_Known(name, _folded(instructions), shingles(instructions), frozenset(shown)))

    def problem(self, prompt: str, parent: str, instructions: str | None = None, shown: Iterable[str] = ()) -> str:
        """Return why ``prompt``, a rewrite of ``parent``, must not be judged; empty text when it may.

        Args:
            prompt: the whole prompt.
            parent: what it may repeat: the instructions that it was rewritten from.
            instructions: the part that the meta-LLM wrote; None for the whole. Examples that the program has added are
                no leak: the items they show leave the scoring.
            shown: the items of those examples. Only prompts that show the same ones are duplicates.
        """
        if not prompt.strip():
            return "empty"
        if len(prompt) > self._max_characters:
            return f"too long: {len(prompt)} characters, the limit is {self._max_characters}"
        if not _encodes(prompt):
            return "contains characters that cannot be encoded"
        lost = [name for name in self._placeholders if not _placeholder(name).search(prompt)]
        if lost:
            return f"placeholder lost: {', '.join(lost)}"
        written = prompt if instructions is None else instructions
        return self._duplicate(written, frozenset(shown)) or self._leak(written, parent)

    def _duplicate(self, instructions: str, shown: frozenset[str]) -> str:
        folded, own = _folded(instructions), shingles(instructions)
        for known in self._known:
            if known.shown != shown:
                continue
            if known.text == folded:
                return f"duplicate of {known.name}"
            if own and known.shingles and jaccard(own, known.shingles) >= NEAR_DUPLICATE:
                return f"near duplicate of {known.name}"
        return ""

    def _leak(self, prompt: str, parent: str) -> str:
        copied = self._texts.copied(prompt, parent)
        return "" if copied is None else f"copies text of item {copied}"


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair: no request, file or database can hold it
        return False
    return True


def _placeholder(name: str) -> re.Pattern[str]:
    return re.compile(r"\{\{[ \t]*" + re.escape(name) + r"[ \t]*\}\}")


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
