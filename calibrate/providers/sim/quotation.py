"""How far a claim is in a source's own wording, and where it departs from it.

A writer who copies a sentence and changes one word changed it on purpose; a writer who says everything in other words
did not. So a departure counts as evidence only inside a near quotation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from calibrate.providers.sim.lexicon import Word
from calibrate.providers.sim.numerals import number_of
from calibrate.providers.sim.passages import Clause

__all__ = ["Departure", "Quotation", "QuotationIndex", "Run"]

_ARTICLES = frozenset("a an the el la los las un una unos unas".split())
_PLURAL = {"are": "is", "were": "was", "have": "has", "son": "es", "estan": "esta", "han": "ha"}
_SHORTEST_RUN = 2
_MOST_STARTS = 24
_WIDEST_GAP = 8
_SHORT_END = 4
_NEAR_SHARE = 0.6
_NEAR_WEIGHT = 2.0
_NEAR_RUN = 3


@dataclass(frozen=True, slots=True)
class Run:
    """Words that stand in the same order in a claim and in a source.

    Attributes:
        start: place of the first of them in the claim's words.
        end: place after the last of them.
        at: place of the first of them in the source's words.
        length: how many words it has, articles aside.
    """

    start: int
    end: int
    at: int
    length: int


@dataclass(frozen=True, slots=True)
class Departure:
    """Where a near quotation departs from its source.

    Attributes:
        said: the claim's words there; empty where it leaves something out.
        source: the source's words there; empty where the claim puts something in.
        inside: whether the quotation goes on after it in the same sentence of the source.
        opens: whether it stands in front of all that is quoted.
        closes: whether both the claim and the source's clause end with it.
    """

    said: tuple[Word, ...]
    source: tuple[Word, ...]
    inside: bool
    opens: bool = False
    closes: bool = False


@dataclass(frozen=True, slots=True)
class Quotation:
    """What a claim quotes.

    Attributes:
        words: the claim's words, articles aside.
        share: the share of its content words that it quotes, in [0, 1].
        weight: how much they say together.
        runs: the runs, in the claim's order.
        departures: where it departs from the source.
        clauses: the source's clauses it quotes, run by run.
        kept: those of them that are not grafted into a quotation of another sentence.
        onsets: run by run, the source's words in front of it in its clause.
        completed: run by run, the clause to whose end it goes, if it goes to the end of one.
    """

    words: tuple[Word, ...]
    share: float
    weight: float
    runs: tuple[Run, ...]
    departures: tuple[Departure, ...]
    clauses: tuple[Clause, ...]
    kept: tuple[Clause, ...]
    onsets: tuple[tuple[Word, ...], ...]
    completed: tuple[Clause | None, ...]

    @property
    def near(self) -> bool:
        """Whether the claim is a near quotation."""
        longest = max((run.length for run in self.runs), default=0)
        return self.share >= _NEAR_SHARE and self.weight >= _NEAR_WEIGHT and longest >= _NEAR_RUN

    @property
    def main(self) -> Clause | None:
        """The clause of which it quotes most at a stretch; None when it quotes nothing."""
        longest = max(range(len(self.runs)), key=lambda place: self.runs[place].length, default=None)
        return None if longest is None else self.clauses[longest]


class QuotationIndex:
    """A source's words in their order.

    Args:
        clauses: its clauses.
    """

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self._words: list[Word] = []
        self._keys: list[str] = []
        self._clause: list[Clause] = []
        self._starts: dict[tuple[str, str], list[int]] = defaultdict(list)
        for clause in clauses:
            for word in clause.words:
                if word.form in _ARTICLES:
                    continue
                self._words.append(word)
                self._keys.append(_key(word))
                self._clause.append(clause)
        for place, pair in enumerate(pairwise(self._keys)):
            if self._clause[place].sentence == self._clause[place + 1].sentence:
                self._starts[pair].append(place)

    def quotation(self, claim: Clause) -> Quotation:
        """Return what a claim quotes of the source."""
        words = tuple(word for word in claim.words if word.form not in _ARTICLES)
        keys = [_key(word) for word in words]
        runs: list[Run] = []
        place = 0
        while place < len(keys):
            run = self._longest(keys, place, runs[-1] if runs else None)
            if run is None or not any(word.weight for word in words[run.start : run.end]):
                run = self._goes_on(keys[place], words[place], place, runs[-1]) if runs else None
            if run is None:
                place += 1
                continue
            runs.append(run)
            place = run.end
        quoted = {place for run in runs for place in range(run.start, run.end)}
        total = sum(word.weight for word in words)
        shared = sum(word.weight for place, word in enumerate(words) if place in quoted)
        kept = self._without_grafts(runs)
        return Quotation(
            words=words,
            share=shared / total if total else 0.0,
            weight=shared,
            runs=tuple(runs),
            departures=tuple(self._departures(words, kept)),
            clauses=tuple(self._clause[run.at] for run in runs),
            kept=tuple(self._clause[run.at] for run in kept),
            onsets=tuple(self._onset(run) for run in runs),
            completed=tuple(self._completed(run) for run in runs),
        )

    def _longest(self, keys: Sequence[str], place: int, before: Run | None) -> Run | None:
        if place + 1 >= len(keys):
            return None
        best: Run | None = None
        for at in self._starts.get((keys[place], keys[place + 1]), ())[:_MOST_STARTS]:
            length = _SHORTEST_RUN
            while (
                place + length < len(keys)
                and at + length < len(self._keys)
                and keys[place + length] == self._keys[at + length]
                and self._clause[at].sentence == self._clause[at + length].sentence
            ):
                length += 1
            run = Run(place, place + length, at, length)
            if best is None or (run.length, self._follows(run, before)) > (best.length, self._follows(best, before)):
                best = run
        return best

    def _goes_on(self, key: str, word: Word, place: int, before: Run) -> Run | None:
        """Return the single word with which a quotation goes on a few words further."""
        end = before.at + before.length
        if word.weight < 1.0 or place - before.end > _WIDEST_GAP:
            return None
        for at in range(end, min(end + _WIDEST_GAP, len(self._keys))):
            if self._keys[at] == key and self._clause[at].sentence == self._clause[before.at].sentence:
                return Run(place, place + 1, at, 1)
        return None

    def _follows(self, run: Run, before: Run | None) -> bool:
        return (
            before is not None
            and 0 <= run.at - before.at - before.length <= _WIDEST_GAP
            and self._clause[run.at].sentence == self._clause[before.at].sentence
        )

    def _onset(self, run: Run) -> tuple[Word, ...]:
        start = run.at
        while start > 0 and self._clause[start - 1] is self._clause[run.at]:
            start -= 1
        return tuple(self._words[start : run.at])

    def _completed(self, run: Run) -> Clause | None:
        end = run.at + run.length
        whole = end == len(self._words) or self._clause[end] is not self._clause[end - 1]
        return self._clause[end - 1] if whole else None

    def _without_grafts(self, runs: Sequence[Run]) -> list[Run]:
        """Leave out runs of another sentence that stand between two runs of one, or in place of a sentence's end."""
        kept = [
            run
            for place, run in enumerate(runs)
            if not (
                0 < place < len(runs) - 1
                and not self._follows(run, runs[place - 1])
                and self._follows(runs[place + 1], runs[place - 1])
            )
        ]
        if len(kept) > 1 and kept[-1].length <= _SHORT_END and not self._follows(kept[-1], kept[-2]):
            rest = self._rest(kept[-2])
            if 0 < len(rest) <= _SHORT_END:
                kept.pop()
        return kept

    def _departures(self, words: Sequence[Word], runs: Sequence[Run]) -> list[Departure]:
        if not runs:
            return []
        found: list[Departure] = []
        if runs[0].start:
            found.append(Departure(tuple(words[: runs[0].start]), (), inside=False, opens=True))
        for one, other in pairwise(runs):
            said = tuple(words[one.end : other.start])
            gap = other.at - one.at - one.length
            same = self._follows(other, one)
            if said or gap:
                source = tuple(self._words[one.at + one.length : other.at]) if same else ()
                found.append(Departure(said, source, inside=same))
        if runs[-1].end < len(words):
            said, rest = tuple(words[runs[-1].end :]), self._rest(runs[-1])
            closes = 0 < len(rest) <= _SHORT_END and len(said) <= _SHORT_END
            found.append(Departure(said, rest if closes else (), inside=False, closes=closes))
        return found

    def _rest(self, run: Run) -> tuple[Word, ...]:
        start = end = run.at + run.length
        while end < len(self._words) and self._clause[end] is self._clause[start - 1]:
            end += 1
        return tuple(self._words[start:end])


def _key(word: Word) -> str:
    if word.form in _PLURAL:
        return _PLURAL[word.form]
    number = number_of(word.form)
    return number or (word.stem if word.weight else word.form)
