"""Whether a figure or a name is the one its passage has, or was taken from a passage about something else.

A claim says several things at once: a price and whose price it is. What is stated is looked for everywhere in the
source, and so is everything of its kind. Where another passage has another value and more of what the claim and the
question speak of, while the passage with the claim's own value adds nothing to it, the value was taken from elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from calibrate.providers.sim.attention import Given
from calibrate.providers.sim.evidence import Source
from calibrate.providers.sim.figures import Figure, is_count, same_figure
from calibrate.providers.sim.findings import Finding
from calibrate.providers.sim.lexicon import Word
from calibrate.providers.sim.passages import Clause, read_words

__all__ = ["rival_findings"]

_ANYTIME = re.compile(
    r"\b(?:at any (?:time|point|moment)|any ?time|whenever you (?:like|want)|cuando (?:quieras?|lo desees?|desee)|"
    r"en cualquier momento|a cualquier hora)\b",
    re.IGNORECASE,
)
_CUT = re.compile(r",\s+")
_ASKED = 0.5
_BOTH = 1.5
_LEAD = 1.5
_NAMED_TWICE = 2


def rival_findings(claim: Clause, source: Source, given: Given) -> Iterator[Finding]:
    """Yield a finding for each figure and name of a claim that belongs to another passage than the claim is about.

    Args:
        claim: what is checked.
        source: the source.
        given: the question, and the sentence the claim is part of.
    """
    topic = _Topic(claim, given)
    pieces = [piece for clause in source.clauses for piece in _pieces(clause)]
    for figure in claim.figures:
        if any(same_figure(figure, other) for other in given.figures):
            continue
        hits = [clause for clause in source.clauses if _has(clause, figure)]
        rates = {other.per for clause in hits for other in clause.figures if same_figure(figure, other)}
        if figure.per and rates and not rates & {figure.per, ""}:
            yield Finding("figure_differs", "figures", 0.9, f"{figure.text} / {figure.per}", " ".join(sorted(rates)))
            continue
        rivals = [
            (clause, other)
            for clause in source.clauses
            for other in clause.figures
            if _competes(figure, other) and not any(same_figure(other, stated) for stated in claim.figures)
        ]
        for clause, other in rivals if hits else ():
            if clause not in hits and all(topic.prefers(clause, hit, source) for hit in hits):
                yield Finding("figure_differs", "figures", 0.8, figure.text, other.text)
                break
    if _ANYTIME.search(claim.text):
        hits = [clause for clause in source.clauses if _ANYTIME.search(clause.text)]
        for clause in source.clauses:
            limit = next((figure for figure in clause.figures if figure.kind == "minutes"), None)
            if limit is not None and hits and all(topic.prefers(clause, hit, source) for hit in hits):
                yield Finding("figure_differs", "figures", 0.8, claim.text[:40], limit.text)
                break
    for name in _sequences(claim):
        if given.names.intersection(name):
            continue
        hits = [clause for clause in pieces if name in _sequences(clause)]
        candidates = [
            (clause, another)
            for clause in pieces
            if clause not in hits
            for another in _sequences(clause)
            if len(another) == len(name) and not claim.names.intersection(another)
        ]
        for clause, another in candidates if hits else ():
            if all(topic.prefers(clause, hit, source, name) for hit in hits):
                yield Finding("other_subject", "entities", 0.8, " ".join(name), " ".join(another))
                break


class _Topic:
    """What a claim and its question speak of."""

    def __init__(self, claim: Clause, given: Given) -> None:
        question, beside = given.words, given.beside.get(claim.sentence, ())
        self._words: dict[str, tuple[Word, float]] = {}
        for words, weight in ((claim.words, 1.0), (claim.subject, 1.0), (question, _ASKED)):
            for word in words:
                named = word.form in claim.names or (words is question and word.form.isdigit())
                if word.weight == 1.0 and (named or not is_count(word.form)):
                    known = self._words.get(word.stem)
                    self._words[word.stem] = (
                        word,
                        weight if known is None else max(known[1], _BOTH * (words is question)),
                    )

        # What is said beside the claim helps to find its sentence, not its place in one.
        self._beside = [
            word for word in beside if word.weight == 1.0 and not is_count(word.form) and word.stem not in self._words
        ]

    def prefers(self, one: Clause, other: Clause, source: Source, name: Sequence[str] = ()) -> bool:
        """Whether the claim speaks of what ``one`` speaks of and ``other`` does not, and of nothing the other way."""
        apart = one.sentence != other.sentence
        topic = [(word, weight) for word, weight in self._words.values() if word.form not in name]
        here, there = (source.sentence_of(each) if apart else [each] for each in (one, other))
        ours, theirs = _concepts(here), _concepts(there)
        lead = [weight for word, weight in topic if word.concepts & ours and not word.concepts & theirs]
        lag = [weight for word, weight in topic if word.concepts & theirs and not word.concepts & ours]
        if apart:
            lead += [_ASKED for word in self._beside if word.concepts & ours and not word.concepts & theirs]
            lag += [_ASKED for word in self._beside if word.concepts & theirs and not word.concepts & ours]
        least = _LEAD if apart else 1.0
        own = any(weight >= 1.0 for weight in lead)
        return own and sum(lead) - sum(lag) >= least and max(lag, default=0.0) < 1.0


def _pieces(clause: Clause) -> list[Clause]:
    """Cut a clause with names at its commas: "A is done by X, B is handled by Y"."""
    if len(_sequences(clause)) < _NAMED_TWICE:
        return [clause]
    found: list[Clause] = []
    for text in _CUT.split(clause.text):
        words = read_words(text, clause.language)
        concepts = frozenset[str]().union(*(word.concepts for word in words if word.weight))
        found.append(replace(clause, text=text, words=words, concepts=concepts, breaks=frozenset(), subject=()))
    return found


def _concepts(clauses: Sequence[Clause]) -> frozenset[str]:
    return frozenset[str]().union(
        *(clause.concepts | clause.heading | (frozenset() if clause.carried else clause.label) for clause in clauses),
        *(word.concepts for clause in clauses for word in clause.subject),
    )


def _has(clause: Clause, figure: Figure) -> bool:
    return any(same_figure(figure, other) for other in clause.figures)


def _competes(figure: Figure, other: Figure) -> bool:
    if {figure.kind, other.kind} == {"minutes", "workdays"}:
        return True
    if figure.kind != other.kind or same_figure(figure, other) or figure.counts != other.counts:
        return False
    # Bare numbers are prices without a sign, telephone numbers, versions: as many digits, or a point in both.
    return figure.kind != "number" or bool(figure.counts) or _shape(figure) == _shape(other)


def _shape(figure: Figure) -> str:
    return "." if "." in figure.text else "0" * len(figure.text)


def _sequences(clause: Clause) -> list[tuple[str, ...]]:
    """Return the names of several words in a clause: "Marie Keller"."""
    found: list[tuple[str, ...]] = []
    current: list[str] = []
    for place, word in enumerate((*clause.words, None)):
        if word is not None and word.form in clause.names and place not in clause.breaks:
            current.append(word.form)
            continue
        if len(current) >= _NAMED_TWICE:
            found.append(tuple(current))
        current = [word.form] if word is not None and word.form in clause.names else []
    return found
