"""Labelled parts of a source, by a heading or as in "Basic plan: ...", and whose figures are whose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from calibrate.providers.sim.figures import Figure, same_figure
from calibrate.providers.sim.lexicon import Word
from calibrate.providers.sim.passages import Clause

__all__ = ["Sections"]

_PARALLEL = 0.3
_SPANS = ("minutes", "workdays")


class Sections:
    """The labelled parts of a source.

    Args:
        clauses: the source's clauses.
        inner: whether to go by the labels under headings.
    """

    def __init__(self, clauses: Sequence[Clause], *, inner: bool = False) -> None:
        self._parts: dict[frozenset[str], list[Clause]] = {}
        for clause in clauses:
            label = clause.inner if inner else clause.label
            if label:
                self._parts.setdefault(label, []).append(clause)
        shared = Counter(stem for label in self._parts for stem in label)
        self._telling = {label: frozenset(stem for stem in label if shared[stem] == 1) for label in self._parts}
        self._loose = [clause for clause in clauses if not (clause.inner if inner else clause.label)]

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
