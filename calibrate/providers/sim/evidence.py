"""Finding what a source says about a claim: which clauses speak of it, and which of them speak of the same thing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from calibrate.providers.sim.lexicon import Word
from calibrate.providers.sim.passages import Clause
from calibrate.providers.sim.quotation import Quotation, QuotationIndex
from calibrate.providers.sim.sections import Sections

__all__ = ["Evidence", "Source", "covered_weight", "shared_weight"]

_MOST_CANDIDATES = 6
_NEAR_BEST = 0.6
_MAX_POSTINGS = 400
_HINT_WEIGHT = 0.15


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks of a claim.

    Attributes:
        clauses: the clauses of the source that speak of it, best first.
        overlap: the share of the claim's weight that the best of them covers, in [0, 1].
    """

    clauses: tuple[Clause, ...]
    overlap: float


class Source:
    """A source text, indexed by concept.

    Args:
        clauses: its clauses.
    """

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self.clauses = list(clauses)
        self.concepts: frozenset[str] = frozenset().union(*(clause.concepts for clause in clauses))
        # What it speaks of at all: headings and the labels of rows and paragraphs too.
        self.known: frozenset[str] = self.concepts.union(
            *(clause.heading for clause in clauses), *(word.concepts for clause in clauses for word in clause.subject)
        )
        self.stems: frozenset[str] = frozenset(word.stem for clause in clauses for word in clause.words if word.weight)
        self.forms: frozenset[str] = frozenset(word.form for clause in clauses for word in clause.words)
        self.names: frozenset[str] = frozenset().union(*(clause.names | clause.subject_names for clause in clauses))
        self.heads: frozenset[str] = frozenset().union(*(clause.head for clause in clauses))
        self.sections = (Sections(clauses), Sections(clauses, by="inner"))
        self.named_parts = Sections(clauses, by="name")
        self._quotations: QuotationIndex | None = None
        self._pairs: set[tuple[str, str]] | None = None
        self._where: dict[str, list[int]] = defaultdict(list)
        for index, clause in enumerate(clauses):
            for concept in clause.concepts | clause.heading:
                self._where[concept].append(index)
        self._by_sentence: dict[int, list[Clause]] = defaultdict(list)
        for clause in clauses:
            self._by_sentence[clause.sentence].append(clause)

    def about(
        self, claim: Clause, *, ignoring: frozenset[str] = frozenset(), hint: frozenset[str] = frozenset()
    ) -> Evidence:
        """Return the clauses that share most of a claim's weight.

        Args:
            claim: what to look for.
            ignoring: folded words that do not count, such as the names a claim speaks of.
            hint: concepts of the question, which help to tell clauses apart.
        """
        scores: dict[int, float] = defaultdict(float)
        total = 0.0
        for word in _distinct(claim, ignoring) or _distinct(claim, frozenset()):
            total += word.weight
            reached: set[int] = set()
            for concept in word.concepts:
                postings = self._where.get(concept, ())
                reached.update(postings[:_MAX_POSTINGS])
            for index in reached:
                scores[index] += word.weight
        for figure in claim.figures:
            for index in [*scores]:
                if any(
                    figure.value == other.value and figure.kind == other.kind for other in self.clauses[index].figures
                ):
                    scores[index] += 0.5
        overlap = min(1.0, max(scores.values()) / total) if scores and total else 0.0
        for concept in hint:
            for index in self._where.get(concept, ())[:_MAX_POSTINGS]:
                scores[index] += _HINT_WEIGHT
        if not scores:
            return Evidence((), 0.0)
        ranked = sorted(scores, key=lambda index: (-scores[index], self.clauses[index].weight, index))
        best = scores[ranked[0]]
        near = [index for index in ranked[: 3 * _MOST_CANDIDATES] if scores[index] >= _NEAR_BEST * best]
        return Evidence(tuple(self.clauses[index] for index in near[:_MOST_CANDIDATES]), overlap)

    def has_pair(self, first: Word, second: Word) -> bool:
        """Whether two words stand side by side anywhere in the source, function words aside."""
        if self._pairs is None:
            self._pairs = set()
            for clause in self.clauses:
                stems = [word.stem for word in clause.words if word.weight]
                self._pairs.update(pairwise(stems))
        return (first.stem, second.stem) in self._pairs

    def quotation(self, claim: Clause) -> Quotation:
        """Return what a claim quotes of the source."""
        if self._quotations is None:
            self._quotations = QuotationIndex(self.clauses)
        return self._quotations.quotation(claim)

    def sentence_of(self, clause: Clause) -> list[Clause]:
        """Return all clauses of the sentence a clause is part of."""
        return self._by_sentence[clause.sentence]


def covered_weight(claim: Clause, concepts: frozenset[str], *, ignoring: frozenset[str] = frozenset()) -> float:
    """Return the share of a claim's weight whose concepts are among ``concepts``; 1 for a claim that says nothing."""
    total = shared = 0.0
    for word in _distinct(claim, ignoring):
        total += word.weight
        if word.concepts & concepts:
            shared += word.weight
    return shared / total if total else 1.0


def shared_weight(claim: Clause, stems: frozenset[str], *, ignoring: frozenset[str] = frozenset()) -> float:
    """Return the share of a claim's weight whose very words (by stem) are among ``stems``."""
    total = shared = 0.0
    for word in _distinct(claim, ignoring):
        total += word.weight
        if word.stem in stems:
            shared += word.weight
    return shared / total if total else 1.0


def _distinct(claim: Clause, ignoring: frozenset[str]) -> list[Word]:
    seen: dict[str, Word] = {}
    for word in claim.words:
        if word.weight and word.form not in ignoring:
            seen.setdefault(word.stem, word)
    return list(seen.values())
