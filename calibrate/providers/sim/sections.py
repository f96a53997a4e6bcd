"""Labelled parts of a source, by a heading or as in "Basic plan: ...", and whose figures are whose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

from calibrate.providers.sim.figures import Figure, is_count, same_figure
from calibrate.providers.sim.lexicon import Word
from calibrate.providers.sim.passages import Clause

__all__ = ["Sections"]

_PARALLEL = 0.3
_MORE = 2
_MOSTLY = 0.7
_SPANS = ("minutes", "workdays")


class Sections:
    """The labelled parts of a source.

    Args:
        clauses: the source's clauses.
        by: what labels them: a heading or an opening label, a label under a heading, or the names that stand beside
            the same noun ("the Solo plan", "the Duo plan").
    """

    def __init__(self, clauses: Sequence[Clause], *, by: Literal["label", "inner", "name"] = "label") -> None:
        self._parts: dict[frozenset[str], list[Clause]] = {}
        self._names = by == "name"
        labels = (
            _named_alike(clauses)
            if by == "name"
            else [clause.inner if by == "inner" else clause.label for clause in clauses]
        )
        for clause, label in zip(clauses, labels, strict=True):
            if label:
                self._parts.setdefault(label, []).append(clause)
        shared = Counter(stem for label in self._parts for stem in label)
        self._telling = {label: frozenset(stem for stem in label if shared[stem] == 1) for label in self._parts}
        self._loose = [clause for clause, label in zip(clauses, labels, strict=True) if not label]

    def named(self, stems: frozenset[str]) -> list[frozenset[str]]:
        """Return the labels that words name by what only these labels have."""
        return [label for label, telling in self._telling.items() if telling & stems or label <= stems]

    def of_another(
        self, figure: Figure, named: Sequence[frozenset[str]], stems: frozenset[str] = frozenset()
    ) -> Figure | None:
        """Return what the named parts have in place of a figure that only parts like them have.

        None where the named parts, or parts of another sort, have the figure themselves, and where nobody has it.

        Args:
            figure: what is stated.
            named: the labels of the parts it is stated of.
            stems: all that the statement says; a part of which it has a word besides is spoken of, too.
        """
        ours = frozenset[str]().union(*named)
        own = [clause for label in named for clause in self._parts[label]]
        if not own or any(_has(clause, figure) for clause in (*own, *self._loose)):
            return None
        found: Figure | None = None
        for label, clauses in self._parts.items():
            for clause in clauses if label not in named else ():
                if not _has(clause, figure):
                    continue
                if clause.carried or (label - ours) & stems:
                    return None
                rival = next(_rivals(figure, label, clause, named, own), None)
                if rival is None:
                    return None
                found = found or rival
        return found

    def said_of_another(self, claim: Clause, named: Sequence[frozenset[str]]) -> str:
        """Return the text of another part that says what the claim says of the named one, which does not.

        Empty where the named part refers to the other ("everything in Basic, and ..."), or where nobody says it.
        """
        labels = frozenset[str]().union(*self._parts)
        ours = frozenset[str]().union(*(self._telling[label] for label in named))
        stems = frozenset(word.stem for word in claim.words)
        words = [
            word for word in claim.words if word.weight == 1.0 and word.stem not in labels and not is_count(word.form)
        ]
        own = [clause for label in named for clause in self._parts[label]]
        if not own or claim.negated:
            return ""
        here = _said(claim.figures, words, [*own, *self._loose])
        for label, clauses in self._parts.items():
            telling = self._telling[label]
            if (
                label in named
                or telling & stems
                or any(telling & {word.stem for word in clause.words} for clause in own)
            ):
                continue
            builds_on = any(ours & {word.stem for word in clause.words} and not clause.heading for clause in clauses)
            if not self._names and not (builds_on and len(label) == 1):
                # Headings such as "Delivery" part a text by what is spoken of, not by whom it holds for.
                continue
            there = _said(claim.figures, words, clauses)
            if there - here >= _MORE and there >= _MOSTLY * (len(words) + len(claim.figures)):
                return clauses[0].text
        return ""

    def other_name(self, claim: Clause, named: Sequence[frozenset[str]]) -> tuple[str, str] | None:
        """Return a name of the claim and the one the named parts have in its place: "the Beta app", "the Alpha app"."""
        own = [clause for label in named for clause in self._parts[label]]
        there = {word.form for clause in own for word in clause.words}
        for word, noun, step in _named_things(claim):
            if word.form in there:
                continue
            for clause in own:
                for other, its_noun, its_step in _named_things(clause):
                    if its_noun.stem == noun.stem and its_step == step:
                        return word.form, other.form
        return None


def _said(figures: Sequence[Figure], words: Sequence[Word], clauses: Sequence[Clause]) -> int:
    """Return how many of some figures and words clauses have."""
    concepts = frozenset[str]().union(*(clause.concepts | clause.heading for clause in clauses))
    return sum(1 for word in words if word.concepts & concepts) + sum(
        1 for figure in figures if any(_has(clause, figure) for clause in clauses)
    )


def _named_alike(clauses: Sequence[Clause]) -> list[frozenset[str]]:
    """Return, clause by clause, the name its sentence opens with, when others stand beside the same noun."""
    beside: dict[str, set[str]] = {}
    opening: dict[int, tuple[str, str]] = {}
    for clause in clauses:
        for word, noun, _ in _named_things(clause):
            beside.setdefault(noun.stem, set()).add(word.stem)
            opening.setdefault(clause.sentence, (word.stem, noun.stem))
    found: list[frozenset[str]] = []
    for clause in clauses:
        name, beside_name = opening.get(clause.sentence, ("", ""))
        found.append(frozenset({name}) if len(beside.get(beside_name, set())) > 1 else frozenset())
    return found


def _named_things(clause: Clause) -> Iterator[tuple[Word, Word, int]]:
    """Yield each name with the word beside it that is none, and on which side that stands: "the Alpha app"."""
    for before, after in pairwise(word for word in clause.words if word.weight):
        if (before.form in clause.names) != (after.form in clause.names):
            yield (before, after, 1) if before.form in clause.names else (after, before, -1)


def _rivals(
    figure: Figure, label: frozenset[str], clause: Clause, named: Sequence[frozenset[str]], own: Sequence[Clause]
) -> Iterator[Figure]:
    alike = any(label & other for other in named)
    for other in own:
        if alike or _parallel(clause, other):
            yield from (each for each in other.figures if _competes(each, figure))


def _has(clause: Clause, figure: Figure) -> bool:
    return any(same_figure(figure, other) for other in clause.figures)


def _competes(one: Figure, other: Figure) -> bool:
    if one.kind == "number":
        return one.kind == other.kind and one.counts == other.counts != ""
    return one.kind == other.kind or (one.kind in _SPANS and other.kind in _SPANS)


def _parallel(one: Clause, other: Clause) -> bool:
    stems = [frozenset(word.stem for word in clause.words if word.weight == 1.0) for clause in (one, other)]
    joint = stems[0] | stems[1]
    return bool(joint) and len(stems[0] & stems[1]) >= _PARALLEL * len(joint)
