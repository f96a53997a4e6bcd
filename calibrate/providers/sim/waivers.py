"""Claims that waive what the source asks for ("no need to ask a doctor"), or grant what it sets aside ("but not X")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from calibrate.providers.sim.attention import Given
from calibrate.providers.sim.evidence import Source
from calibrate.providers.sim.figures import is_count
from calibrate.providers.sim.findings import Finding
from calibrate.providers.sim.grammar import DETERMINERS
from calibrate.providers.sim.lexicon import Word, lexicon
from calibrate.providers.sim.passages import Clause

__all__ = ["waiver_findings"]

_WAIVED = re.compile(
    r"\b(?:(?:no|not|never) (?:need|have|require|required|necessary)|without|sin|"
    r"no (?:se )?(?:hace_falta|hace falta|es necesari[oa]|necesit\w+|tien\w+ que|exig\w+|requier\w+))\b"
)
_BUT = frozenset("but pero except salvo excepto although aunque sino".split())
_EVERY = frozenset("all every any everyone todos todas todo toda cualquier".split())
_WHICH = frozenset(
    "who that whose which with in at on from under over aged que con de en cuyo cuya mayores menores".split()
)
_REACH = 4
_AGREEING = 2
_SHARE = 0.6


def waiver_findings(claim: Clause, source: Source, given: Given) -> Iterator[Finding]:
    """Yield a finding when a claim waives what the source asks for, or grants what the source sets aside.

    Args:
        claim: what is checked.
        source: the source.
        given: the question and how the answer begins.
    """
    if given.affirmed:
        yield from _affirmed(given, source)
    widened = _widened(claim, source)
    if widened:
        yield Finding("universal", "negation", 0.8, *widened)
    waived = _waived(claim)
    if waived and _asked_for(waived, source):
        yield Finding("negation", "negation", 0.8, " ".join(word.form for word in waived).replace("_", " "))
    if claim.negated or any(word.denies for word in claim.words):
        return
    for clause in source.clauses:
        part = _set_aside(clause)
        if part and all(word.concepts & claim.concepts for word in part) and not _granted(part, clause, source):
            yield Finding("negation", "negation", 0.8, " ".join(word.form for word in part), clause.text)
            return


def _widened(claim: Clause, source: Source) -> tuple[str, ...]:
    """Return "every employee" and the source's "employees who ..." when it speaks of none but such."""
    for every, noun in pairwise(claim.words):
        if every.form not in _EVERY or noun.weight == 0 or is_count(noun.form):
            continue
        having = [
            (clause, place)
            for clause in source.clauses
            for place, word in enumerate(clause.words[:-1])
            if word.concepts & noun.concepts and place == 0 and claim.concepts & clause.concepts - word.concepts
        ]
        if having and all(clause.words[place + 1].form in _WHICH for clause, place in having):
            return f"{every.form} {noun.form}", having[0][0].text
    return ()


def _affirmed(given: Given, source: Source) -> Iterator[Finding]:
    """Yield a finding when an answer says yes to what the source says no to in the question's own words."""
    asked = [word for word in given.words if word.weight and not is_count(word.form)]
    known = lexicon(given.language)
    for clause in source.clauses:
        sentence = source.sentence_of(clause)
        limited = any(word.form in known.restrictors for each in sentence for word in each.words)
        if limited or any(word.form in known.conditionals for word in clause.words):
            continue
        # What is denied is what the negation stands in front of, not all that it reaches.
        denied = [clause.words[place] for place in sorted(clause.negated)][:1]
        shared = [word for word in asked if word.concepts & clause.concepts]
        turned = [word for word in shared if any(word.concepts & other.concepts for other in denied)]
        if turned and len(shared) >= max(_AGREEING, _SHARE * len(asked)):
            yield Finding("negation", "negation", 0.8, " ".join(word.form for word in turned), clause.text)
            return


def _waived(claim: Clause) -> list[Word]:
    """Return the content words of what is said not to be needed."""
    forms = [word.form for word in claim.words]
    for place in range(len(forms)):
        match = _WAIVED.match(" ".join(forms[place : place + 4]))
        if match is None:
            continue
        start = place + match.group().count(" ") + 1
        found: list[Word] = []
        for at in range(start, len(claim.words)):
            if (
                (at in claim.breaks and at > start)
                or len(found) >= _REACH
                or forms[at] in lexicon(claim.language).conditionals
            ):
                break
            if claim.words[at].weight == 1.0:
                if is_count(forms[at]):
                    break
                found.append(claim.words[at])
            elif found and forms[at] in ("and", "or", "y", "o", "hasta", "until", "up_to"):
                break
        return found
    return []


def _asked_for(waived: Sequence[Word], source: Source) -> bool:
    """Whether a clause of the source has most of what is waived and no clause that has it denies anything."""
    having = [
        clause
        for clause in source.clauses
        if sum(1 for word in waived if word.concepts & clause.concepts) >= max(1, (2 * len(waived) + 2) // 3)
    ]
    return (
        len(waived) > 1
        and bool(having)
        and not any(
            clause.negated or any(word.denies or word.negator for word in sibling.words)
            for clause in having
            for sibling in source.sentence_of(clause)
        )
    )


def _set_aside(clause: Clause) -> list[Word]:
    """Return the content words of "..., but not the access rights"."""
    words = clause.words
    for place, word in enumerate(words[:-1]):
        after = words[place + 1].form
        before = words[place - 1].form if place else ""
        if word.form not in ("not", "no") or after not in DETERMINERS or not (not place or before in _BUT):
            continue
        found: list[Word] = []
        for at in range(place + 1, len(words)):
            if at in clause.breaks or len(found) > _REACH:
                break
            if words[at].weight:
                found.append(words[at])
        if 1 < len(found) <= _REACH:
            return found
    return []


def _granted(part: Sequence[Word], aside: Clause, source: Source) -> bool:
    return any(
        clause is not aside and all(word.concepts & clause.concepts for word in part) and not clause.negated
        for clause in source.clauses
    )
