"""Whether a prompt copies text of items: runs of words, and short inputs that stand in it whole.

Words are compared without case, Unicode form, punctuation and invisible characters. Chinese, Japanese and Korean set no
or few spaces; each of their characters (a Hangul syllable too) counts as half a word. A prompt copies an item if it has

- a run of 8 or more consecutive words of one of its inputs (STATISTICS section 5), or
- one of its inputs of 5 to 7 words whole, or
- two of its inputs of 2 to 4 words whole, unless one is part of the other.

The last two leave out what tells no item apart: labels, the names of dimensions and inputs, and texts that more than a
quarter of the items have in common (a question that is the same for all).
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, combinations

from calibrate.domain import Item

__all__ = ["ItemTexts", "quoted_items", "word_runs"]

_RUN, _WHOLE, _PART = 8, 5, 2  # words
_COMMON = 4  # a text that more than one in so many items have tells no item apart

# Kana, Han (with its iteration marks), Bopomofo and Hangul, without the punctuation among them.
_UNSPACED = (
    "\u1100-\u11ff\u3005-\u3007\u3021-\u3029\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7fb\uf900-\ufaff\U00020000-\U0003ffff"
)
_HALF = re.compile(f"[{_UNSPACED}]")
_WORD = re.compile(r"\w+")
_MIXED = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")
_EMPHASIS = re.compile(r"(?<!\w)_++|_++(?!\w)")  # underscores around words, not within names
# Not of the category of format characters, but as invisible: the grapheme joiner, Hangul fillers, variation selectors.
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")

# An index of every run would be large. A run of 8 words holds two runs of 7, one of them at an even position of the
# text: indexing those finds all. Of the 16 half words, four steps and runs of 13 do the same.
_STEP, _KEY = 2, 7
_HALF_STEP, _HALF_KEY = 4, 13


def word_runs(text: str, length: int = _RUN) -> frozenset[tuple[str, ...]]:
    """Return all runs of ``length`` consecutive words, case and Unicode form folded.

    A character of a script without spaces is half a word and stands alone: such runs are the shortest ones, from each
    position on, that come to ``length`` words.
    """
    return frozenset(_words(text).runs(length))


class ItemTexts:
    """What items say, prepared for many prompts.

    Args:
        items: the items. Memory is about 50 bytes for each of their words (measured on contexts of 2,000 words).
    """

    def __init__(self, items: Sequence[Item]) -> None:
        self._ids = [item.id for item in items]
        self._long: dict[str, tuple[str, str]] = {}
        self._keys: set[int] = set()  # hashes, which take a fraction of the memory; a hit is looked up in the texts
        self._half_keys: set[int] = set()
        short = []
        for number, field, text, words in _texts(items):
            if words.weight < 2 * _RUN:
                short.append((number, field, words))
            elif text not in self._long:
                self._long[text] = (self._ids[number], words.joined)
                if words.spaced:
                    self._keys.update(map(hash, words.grams(_KEY, _STEP)))
                else:
                    self._half_keys.update(map(hash, words.half_grams(_HALF_KEY, _HALF_STEP)))
        self._short = _ShortTexts(items, short)

    def copied(self, prompt: str, parent: str = "") -> str | None:
        """Return the id of an item that ``prompt`` copies text of, None when there is none.

        Args:
            prompt: the prompt.
            parent: its words may be repeated, in runs or in whole inputs that it holds itself.
        """
        words, known = _words(prompt), _words(parent)
        found = self._run(words, known)
        if found is None:
            found = next((self._ids[number] for number in self._short.copied(words, known)), None)
        return found

    def _run(self, words: _Words, known: _Words) -> str | None:
        if self._keys.isdisjoint(map(hash, words.grams(_KEY))) and (
            not self._half_keys or self._half_keys.isdisjoint(map(hash, words.half_grams(_HALF_KEY)))
        ):
            return None
        allowed = frozenset(known.runs(_RUN))
        for run in words.runs(_RUN):
            if run not in allowed and self._may_hold(run):
                wanted = f" {' '.join(run)} "
                for owner, text in self._long.values():
                    if wanted in text:
                        return owner
        return None

    def _may_hold(self, run: tuple[str, ...]) -> bool:
        words = _Words(run, spaced=len(run) == _RUN)
        if words.spaced and not self._keys.isdisjoint(map(hash, words.grams(_KEY))):
            return True
        return bool(self._half_keys) and not self._half_keys.isdisjoint(map(hash, words.half_grams(_HALF_KEY)))


def quoted_items(prompt: str, items: Sequence[Item]) -> tuple[str, ...]:
    """Return the ids of the items whose text a prompt quotes, in their order.

    The rules are those for a rewrite, without a parent: whatever the prompt says counts.
    """
    words = _words(prompt)
    runs, half_runs = frozenset(words.grams(_RUN)), frozenset(words.half_grams(2 * _RUN))
    quoted: set[int] = set()
    short = []
    for number, field, _, text in _texts(items):
        if text.weight < 2 * _RUN:
            short.append((number, field, text))
        elif number not in quoted:
            new = runs.isdisjoint(text.grams(_RUN)) if text.spaced else half_runs.isdisjoint(text.half_grams(2 * _RUN))
            if not new:
                quoted.add(number)
    quoted.update(_ShortTexts(items, short).copied(words))
    return tuple(dict.fromkeys(items[number].id for number in sorted(quoted)))


@dataclass(frozen=True)
class _Words:
    """The words of a text, folded; characters of scripts without spaces each by itself (``spaced``: there are none)."""

    words: Sequence[str]
    spaced: bool = True

    @cached_property
    def halves(self) -> list[str]:
        """The half words: a word of a script with spaces stands for two, each of them the whole word."""
        each = {word: (word,) * _weight(word) for word in set(self.words)}
        return list(chain.from_iterable(map(each.__getitem__, self.words)))

    @property
    def weight(self) -> int:
        """Its length in half words."""
        return 2 * len(self.words) if self.spaced else len(self.halves)

    @property
    def joined(self) -> str:
        """The words between spaces, in which whole words can be looked up."""
        return f" {' '.join(self.words)} "

    def runs(self, length: int) -> Iterator[tuple[str, ...]]:
        """Yield, from each position, the shortest run of at least ``length`` words."""
        if self.spaced:
            yield from self.grams(length)
            return
        weights = [_weight(word) for word in self.words]
        end = total = 0
        for start, first in enumerate(weights):
            while total < 2 * length and end < len(weights):
                total += weights[end]
                end += 1
            if total < 2 * length:
                return
            yield tuple(self.words[start:end])
            total -= first

    def grams(self, size: int, step: int = 1) -> Iterator[tuple[str, ...]]:
        """Yield ``size`` consecutive words from each position that is a multiple of ``step``."""
        return _grams(self.words, size, step)

    def half_grams(self, size: int, step: int = 1) -> Iterator[tuple[str, ...]]:
        """Yield ``size`` consecutive half words; texts have one in common if they share words that weigh as much."""
        return _grams(self.halves, size, step)


class _ShortTexts:
    """Inputs shorter than a run, of items known by their numbers."""

    def __init__(self, items: Sequence[Item], texts: Iterable[tuple[int, str, _Words]]) -> None:
        owners: defaultdict[tuple[str, ...], dict[int, str]] = defaultdict(dict)
        for number, field, words in texts:
            if words.weight >= 2 * _PART:
                owners[tuple(words.words)].setdefault(number, field)
        most = max(2, len(items) // _COMMON)
        task = _words_of_the_task(items) if owners else frozenset()
        self._by_length: defaultdict[int, dict[tuple[str, ...], Mapping[int, str]]] = defaultdict(dict)
        for text, owned in owners.items():
            if len(owned) <= most and text not in task:
                self._by_length[len(text)][text] = owned

    def copied(self, prompt: _Words, parent: _Words | None = None) -> list[int]:
        """Return the numbers of the items that a prompt copies by holding inputs whole, in ascending order."""
        known = parent.joined if parent is not None else ""
        held: defaultdict[int, list[tuple[str, tuple[str, ...]]]] = defaultdict(list)
        for length, texts in self._by_length.items():
            for text in texts.keys() & frozenset(prompt.grams(length)):
                if f" {' '.join(text)} " not in known:
                    for number, field in texts[text].items():
                        held[number].append((field, text))
        return sorted(number for number, found in held.items() if _copies(found))


def _copies(held: Sequence[tuple[str, tuple[str, ...]]]) -> bool:
    if any(sum(map(_weight, text)) >= 2 * _WHOLE for _, text in held):
        return True
    joined = [(field, f" {' '.join(text)} ") for field, text in held]
    return any(
        field != other and one not in two and two not in one for (field, one), (other, two) in combinations(joined, 2)
    )


def _texts(items: Sequence[Item]) -> Iterator[tuple[int, str, str, _Words]]:
    """Yield each text of each item: the item's number, the input's name, the text as it is and its words."""
    last: dict[str, tuple[str, _Words]] = {}  # neighbours often have their context in common
    for number, item in enumerate(items):
        for field, content in item.inputs.items():
            for text in [content] if isinstance(content, str) else content:
                before = last.get(field)
                words = before[1] if before is not None and before[0] == text else _words(text)
                last[field] = (text, words)
                yield number, field, text, words


def _words_of_the_task(items: Sequence[Item]) -> frozenset[tuple[str, ...]]:
    names: set[str] = set()
    for item in items:
        names.update((item.dimension, item.label or ""), item.ratings.values(), item.inputs)
    spoken = names | {name.replace("_", " ") for name in names}
    return frozenset(tuple(_words(name).words) for name in spoken)


def _words(text: str) -> _Words:
    if text.isascii():
        return _Words(_WORD.findall(_unemphasised(text.casefold())))
    # First each character by itself: a text that is in normal form already is found to be so at once.
    for char in set(text):
        visible = _visible(char)
        if visible != char:
            text = text.replace(char, visible)
    folded = _unemphasised(unicodedata.normalize("NFKC", text).casefold())
    if _HALF.search(folded):
        return _Words(_MIXED.findall(folded), spaced=False)
    return _Words(_WORD.findall(folded))


def _unemphasised(text: str) -> str:
    return _EMPHASIS.sub(" ", text) if "_" in text else text


@lru_cache(maxsize=1 << 16)
def _visible(char: str) -> str:
    """Return the normal form of a character, nothing for an invisible one."""
    if unicodedata.category(char) == "Cf" or _INVISIBLE.match(char):
        return ""
    return unicodedata.normalize("NFKC", char)


@lru_cache(maxsize=1 << 16)
def _weight(word: str) -> int:
    """Return the half words that a word counts as."""
    return 1 if len(word) == 1 and _HALF.match(word) else 2


def _grams(words: Sequence[str], size: int, step: int) -> Iterator[tuple[str, ...]]:
    return zip(*(words[start::step] for start in range(size)), strict=False)
