"""Whether a piece of evidence speaks of the same thing as a claim: the same product, person, plan or place."""

from __future__ import annotations

from collections.abc import Sequence

from calibrate.providers.sim.evidence import Evidence, Source, covered_weight
from calibrate.providers.sim.figures import is_count
from calibrate.providers.sim.findings import Finding
from calibrate.providers.sim.lexicon import Word, look_up
from calibrate.providers.sim.passages import Clause

__all__ = ["named_otherwise", "near", "same_subject", "speaks_of_another", "subject_words"]

_ONLY_ELSEWHERE = 0.3


def subject_words(claim: Clause, source: Source) -> frozenset[str]:
    """Return the folded words of a claim that name what it is about: proper names and words of exclusive classes."""
    names = {word.form for word in claim.words if word.form in claim.names or word.form in source.names}
    return frozenset(names | {word.form for word in claim.words if word.contrasts})


def same_subject(
    claim: Clause, evidence: Evidence, source: Source, question: frozenset[str], asked: frozenset[str]
) -> tuple[list[Clause], Finding | None]:
    """Return the evidence that speaks of what the claim is about, and a finding when the claim rests on the rest.

    Args:
        question: the concepts of the question.
        asked: its words.
    """
    unknown = sorted(
        name
        for name in claim.names
        if name not in asked and not look_up(name, claim.language).concepts & source.concepts
    )
    if unknown and source.clauses:
        return list(evidence.clauses), Finding("unknown_name", "entities", 0.8, ", ".join(unknown))
    same: list[Clause] = []
    others: list[Clause] = []
    for clause in evidence.clauses:
        (others if speaks_of_another(claim, clause, source, question) else same).append(clause)
    if not others:
        return same, None
    own = subject_words(claim, source)
    said = " ".join(sorted(own)) or " ".join(word.form for word in claim.subject) or claim.text[:40]
    if not same:
        return list(evidence.clauses), Finding("other_subject", "entities", 0.9, said, others[0].text)
    elsewhere = covered_weight(claim, _all_concepts([others[0]]), ignoring=own)
    there = max(
        covered_weight(claim, _all_concepts(near(claim, [clause], source, question)), ignoring=own) for clause in same
    )
    if elsewhere - there >= _ONLY_ELSEWHERE:
        return same, Finding("other_subject", "entities", 0.9, said, others[0].text)
    return same, None


def _all_concepts(clauses: Sequence[Clause]) -> frozenset[str]:
    """Return the concepts of clauses and of what they are about."""
    subjects = (word.concepts for clause in clauses for word in clause.subject)
    return frozenset[str]().union(*subjects, *(clause.concepts for clause in clauses))


def near(claim: Clause, clauses: Sequence[Clause], source: Source, question: frozenset[str]) -> list[Clause]:
    """Return clauses and the other clauses of their sentences, those about something else left out."""
    found: dict[int, Clause] = {id(clause): clause for clause in clauses}
    for clause in clauses:
        for sibling in source.sentence_of(clause):
            if id(sibling) not in found and not speaks_of_another(claim, sibling, source, question):
                found[id(sibling)] = sibling
    return list(found.values())


def speaks_of_another(claim: Clause, clause: Clause, source: Source, question: frozenset[str]) -> bool:
    """Whether a clause is about something else than the claim."""
    if named_otherwise(claim, clause, source):
        return True
    if claim.subject_names & clause.subject_names or clause.general:
        return False
    head, their_head = claim.head, clause.head
    if (
        head
        and their_head
        and head & source.heads
        and not head & (clause.concepts | clause.heading)
        and not their_head & (claim.concepts | question)
    ):
        return True
    return _replaces_a_word(claim, clause, source, question)


def named_otherwise(claim: Clause, clause: Clause, source: Source) -> bool:
    """Whether a clause is about something with another name, or of another of several exclusive classes."""
    ours, theirs = claim.subject_names, clause.subject_names
    apart = bool(ours and theirs) and not (ours <= theirs or theirs <= ours)
    if apart and not (theirs <= claim.names or ours <= clause.names):
        return True
    objects, other_objects = claim.names & source.forms, clause.names - claim.names
    if objects and other_objects and not claim.names & (clause.names | theirs):
        return True
    for group, members in claim.subject_contrasts.items():
        if group in clause.subject_contrasts and not members & clause.subject_contrasts[group]:
            return True
    return False


def _replaces_a_word(claim: Clause, clause: Clause, source: Source, question: frozenset[str]) -> bool:
    """Whether the claim has another word of the source where the clause has its own: "fabric covers", "leather "
    "covers"."""
    ours = _content(claim.words)
    own = _content(clause.words)
    theirs = [*(word for word in clause.subject if word not in own), *own]
    known = clause.concepts | clause.heading | frozenset[str]().union(*(word.concepts for word in clause.subject))
    taken = claim.concepts | question
    for place, word in enumerate(ours):
        if word.weight < 1.0 or word.concepts & known or not word.concepts & source.concepts:
            continue
        for step in (-1, 1):
            if not 0 <= place + step < len(ours):
                continue
            neighbour = ours[place + step]
            rival = _rival(neighbour, step, theirs)
            if rival is None or rival.concepts & taken:
                continue
            pair = (word, neighbour) if step == 1 else (neighbour, word)
            nouns = bool(rival.concepts & source.heads) or rival.form[-1] == word.form[-1] == "s"
            if source.has_pair(*pair) or (nouns and word.concepts & source.heads):
                return True
    return False


def _content(words: Sequence[Word]) -> list[Word]:
    """Return the words that say something, figures aside, each once."""
    return list(dict.fromkeys(word for word in words if word.weight and not is_count(word.form)))


def _rival(neighbour: Word, step: int, words: Sequence[Word]) -> Word | None:
    """Return the word that stands beside ``neighbour`` on the same side, when it says something."""
    for place, word in enumerate(words):
        if word.concepts & neighbour.concepts and 0 <= place - step < len(words):
            beside = words[place - step]
            if beside.weight == 1.0 and not beside.concepts & neighbour.concepts:
                return beside
    return None
