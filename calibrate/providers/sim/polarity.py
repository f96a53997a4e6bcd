"""Whether a claim says the opposite of its evidence, loses or adds a condition, or says more than it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from calibrate.providers.sim.evidence import covered_weight
from calibrate.providers.sim.figures import UNIT_WORDS, is_count
from calibrate.providers.sim.findings import Finding
from calibrate.providers.sim.lexicon import Word, are_opposites, lexicon
from calibrate.providers.sim.passages import Clause

__all__ = [
    "agrees_in_denial",
    "asserts_nothing",
    "condition_finding",
    "contradiction",
    "is_denial",
    "override_finding",
    "speaks_of_silence",
    "universal_finding",
]

_ENOUGH_SHARED = 0.4
_ENOUGH_DENIED = 0.5
_ENOUGH_OF_THE_DENIED = 0.5
_ENOUGH_OF_THE_RULE = 0.6
_CONDITION_KEPT = 0.3
_CONDITION_NAMED = 0.5
_CONDITION_WORDS = 4

_ADVICE = re.compile(
    r"\b(?:i would|i'd|i suggest|i recommend|you(?: may| might)? want to|it would be|it's|"
    r"it is) (?:best |better |worth |safest |advisable )*"
    r"(?:to )?(?:check|ask|confirm|contact|call|consult|verify|speak|talk|suggest|recommend)"
    r"|\b(?:te|le|os) (?:recomiendo|recomendamos|aconsejo|aconsejamos|sugiero|sugerimos|conviene)"
    r"|\b(?:lo mejor es|es mejor|conviene|habria que|seria mejor|mejor) (?:que )?"
    r"(?:consult|pregunt|confirm|contact|llam)"
    r"|^\W*(?:(?:it|that|this) depends|both|depende|segun|varia|possibly|it varies|only to a degree)\b"
)

_EXCEPTING = frozenset({"except", "unless", "excluding", "excepto", "salvo", "a_menos_que"})
_OBLIGING = frozenset(
    {
        "must",
        "require",
        "requires",
        "required",
        "need",
        "needs",
        "debe",
        "deben",
        "requiere",
        "requieren",
        "necesario",
        "hay_que",
    }
)

_LAST_WORDS = 2
_OVERRIDING = frozenset(
    {("even", "if"), ("even", "with"), ("even", "without"), ("whether", "or"), ("ni", "siquiera"), ("incluso", "si"),
     ("incluso", "con"), ("incluso", "sin"), ("sin", "importar"), ("aun", "con"), ("aun", "sin")}
)  # fmt: skip
_OVERRIDING_WORDS = frozenset({"regardless", "irrespective", "siquiera", "independientemente"})
_OR_NOT = frozenset({("or", "not"), ("o", "no")})

_FOR = frozenset({"for", "para", "con", "with"})

_SILENT = re.compile(
    r"\b(?:context|document(?:s|ation)?|information|text|source|article|policy|passage|page|excerpt|"
    r"extract|material|note|guide|handbook|manual|leaflet|term|section|description|rule|faq)s?\b"
    r".{0,25}\b(?:not|"
    r"n't|no)\b.{0,12}"
    r"\b(?:mention|say|specif|state|provid|contain|includ|indicat|cover|give|detail|explain|"
    r"address|discuss|refer|tell|clarif|list|spell|set out|go into)"
    r"|\b(?:no|not have|without|lack)\b.{0,15}\b(?:information|details|mention|data)\b"
    r"|\b(?:not|n't|never) (?:mentioned|specified|stated|indicated|clear|"
    r"addressed|discussed|spelled out|listed here|available in the)\b"
    r"|\b(?:says?|said|states?|mentions?|specif\w+|gives?|tells?) nothing\b|\bno mention\b"
    r"|\bnothing (?:is )?(?:said|mentioned|stated|specified)\b"
    r"|\bnada (?:dice|indica|menciona|aclara|se dice|se indica|sobre)\b|\bno (?:dice|indica|aclara) nada\b"
    r"|\bi (?:do not|don't|cannot|can't) (?:know|have|find|see|confirm|tell|say|be sure|verify)"
    r"|\bno (?:te |le |os |lo |la |me consta |puedo |podemos |podria )+(?:puedo |podemos )?"
    r"(?:confirm|asegur|afirm|decir)"
    r"|\bno (?:se )?(?:mencion|especific|indic|detall|dic|figur|const|aparec|"
    r"aclar|concret|precis|habla|explic)"
    r"|\bno (?:dispongo|disponemos|tengo|tenemos|hay|encuentro|encuentra|cuento|"
    r"contiene|da|ofrece|aporta) .{0,14}(?:informacion|datos|detalles|"
    r"constancia)|\bno lo se\b"
)


@dataclass(frozen=True, slots=True)
class _Condition:
    mark: str
    words: tuple[Word, ...]
    rule: frozenset[str]


def is_denial(claim: Clause) -> bool:
    """Whether a claim says that something is not so."""
    known = lexicon(claim.language)
    conditional = known.conditionals | known.restrictors
    # What is denied in a condition ("if it has not been used") is not what the claim says.
    end = next((place for place, word in enumerate(claim.words) if word.form in conditional), len(claim.words))
    quiet = {place for place, word in enumerate(claim.words) if word.quiet}
    if any(position < end for position in claim.negated) and not (quiet and not _has_negator(claim)):
        return True
    return any(word.denies and word.weight and not word.quiet for word in claim.words)


def _has_negator(clause: Clause) -> bool:
    return any(word.negator or (word.denies and not word.quiet) for word in clause.words)


def speaks_of_silence(folded: str) -> bool:
    """Whether a text says that the source does not say, rather than that something is not so."""
    return _SILENT.search(folded) is not None


def asserts_nothing(folded: str) -> bool:
    """Whether a text advises to ask somebody, or says that it depends, rather than how something is."""
    return _ADVICE.search(folded) is not None


def contradiction(claim: Clause, evidence: Clause, given: frozenset[str]) -> Finding | None:
    """Return the finding when ``evidence`` says the opposite of ``claim``: by a negation on one side or by an opposite.

    Args:
        given: the concepts of the question, which both may take for granted.
    """
    exception = _exception(evidence)
    excepted = [evidence.words[place] for place in exception if evidence.words[place].weight]
    # What is said of the excepted case is the opposite of what is said in general.
    set_aside = _exception(claim)
    stated = frozenset[str]().union(
        *(word.concepts for place, word in enumerate(claim.words) if word.weight and place not in set_aside)
    )
    turned = bool(excepted) and 2 * sum(1 for word in excepted if word.concepts & stated) > len(excepted)
    rule_denies = any(_denies(evidence, place) for place in range(len(evidence.words)) if place not in exception)
    claim_denies = evidence_denies = both_deny = False
    shared = total = denied = denied_shared = 0.0
    left_claim: list[int] = []
    forms_there = {word.form for word in evidence.words}
    forms_here = {word.form for word in claim.words}
    matched_evidence: set[int] = set()
    for position, word in enumerate(claim.words):
        if position in set_aside:
            continue
        if not word.weight:
            if word.form not in forms_there:
                left_claim.append(position)
            continue
        total += word.weight
        denies = _denies(claim, position)
        places = [
            place for place, other in enumerate(evidence.words) if other.weight and other.concepts & word.concepts
        ]
        if places and not turned and exception.issuperset(places):
            shared += word.weight
            continue
        if not places:
            left_claim.append(position)
            continue
        shared += word.weight
        matched_evidence.update(places)
        denied_there = any(
            not rule_denies if place in exception else _denies(evidence, place) != turned for place in places
        )
        claim_denies |= denies
        evidence_denies |= denied_there
        both_deny |= denies and denied_there
    for place, word in enumerate(evidence.words):
        if word.weight and place not in exception and _denies(evidence, place) != turned:
            denied += word.weight
            denied_shared += word.weight if place in matched_evidence or word.concepts & given else 0.0
    if not total or shared / total < _ENOUGH_SHARED or not _same_matter(claim, evidence, given):
        return None
    negation = claim_denies != evidence_denies and not both_deny
    if negation and evidence_denies and denied and denied_shared / denied < _ENOUGH_OF_THE_DENIED:
        return None
    left_evidence = [
        place
        for place, word in enumerate(evidence.words)
        if place not in matched_evidence and (word.weight or word.form not in forms_here)
    ]
    opposites = _opposites(claim, evidence, left_claim, left_evidence)
    if negation != bool(opposites):
        said = opposites[0] if opposites else _denied_words(claim if claim_denies else evidence)
        return Finding("opposite" if opposites else "negation", "negation", 1.0, said, evidence.text)
    return None


def agrees_in_denial(claim: Clause, evidence: Clause) -> bool:
    """Whether ``evidence`` denies, limits or excludes something that ``claim`` denies."""
    known = lexicon(claim.language)
    covered = covered_weight(claim, evidence.concepts | evidence.heading)
    if covered < _ENOUGH_DENIED:
        return False
    if any(word.form in known.restrictors for word in evidence.words):
        return bool(claim.concepts & evidence.concepts)
    for position, word in enumerate(claim.words):
        if not word.weight:
            continue
        for place, other in enumerate(evidence.words):
            if not other.weight:
                continue
            denied_there = _denies(evidence, place)
            if other.concepts & word.concepts and denied_there and (word.weight == 1.0 or covered > 0.6):
                return True
            if position in claim.negated and are_opposites(word.stem, other.stem, claim.language):
                return True
    return False


def condition_finding(
    claim: Clause, evidence: Sequence[Clause], around: Sequence[Word], told: frozenset[str]
) -> Finding | None:
    """Return the finding when a claim states a rule without the condition it holds under, or adds a condition.

    Args:
        evidence: the clauses of the sentence that supports the claim best.
        around: the words of everything that speaks of the claim.
        told: the concepts of the whole answer and of the question; a condition named there is not lost.
    """
    for place, clause in enumerate(evidence):
        before = evidence[place - 1] if place else None
        for condition in _conditions(clause, before):
            if _is_lost(condition, claim, told) and _states_rule(claim, condition.rule):
                lost = " ".join((condition.mark, *(word.form for word in condition.words))).replace("_", " ")
                return Finding("condition_lost", "negation", 0.8, lost, clause.text)
    known = lexicon(claim.language)
    own = [condition for condition in _conditions(claim, None) if condition.mark in known.restrictors]
    limits = known.restrictors | known.negators | known.conditionals | _OBLIGING
    if own and not any(word.form in limits or word.denies for word in around):
        added = " ".join((own[0].mark, *(word.form for word in own[0].words)))
        return Finding("condition_added", "negation", 0.7, added)
    return None


def override_finding(claim: Clause, source: Sequence[Clause], told: frozenset[str]) -> Finding | None:
    """Return the finding when a claim says that something makes no difference on which the source makes it depend.

    Args:
        told: the concepts of the whole answer and of the question.
    """
    reached = _overridden(claim)
    if not reached:
        return None
    for before, clause in zip((None, *source), source, strict=False):
        for condition in _conditions(clause, before):
            shared = [word for word in condition.words if any(word.concepts & other.concepts for other in reached)]
            if shared and 2 * len(shared) >= len(condition.words) and (claim.concepts | told) & condition.rule:
                said = " ".join(word.form for word in reached)
                return Finding("condition_lost", "negation", 0.8, said.replace("_", " "), clause.text)
    return None


def _overridden(claim: Clause) -> list[Word]:
    """Return the content words of what a claim says to make no difference: "even with consent", "declared or not"."""
    forms = [word.form for word in claim.words]
    for place in range(len(forms)):
        pair = tuple(forms[place : place + 2])
        if pair in _OVERRIDING or forms[place] in _OVERRIDING_WORDS:
            return [word for word in claim.words[place + 1 :] if word.weight][:_CONDITION_WORDS]
        if pair in _OR_NOT:
            return [word for word in claim.words[:place] if word.weight][-_LAST_WORDS:]
    return []


def universal_finding(claim: Clause, evidence: Clause) -> Finding | None:
    """Return the finding when a claim leaves no case out ("always") where the evidence does ("usually")."""
    known = lexicon(claim.language)
    there = {word.form for word in evidence.words}
    if there & known.universal or not there & known.hedges or known.hedges & {word.form for word in claim.words}:
        return None
    said = next((word.form for word in claim.words if word.form in known.universal and word.form not in there), "")
    hedge = next((word.form for word in evidence.words if word.form in known.hedges), "")
    return Finding("universal", "negation", 0.7, said, hedge) if said else None


def _denies(clause: Clause, place: int) -> bool:
    return (place in clause.negated) != clause.words[place].denies


def _exception(clause: Clause) -> frozenset[int]:
    """Return the positions of the words that name an exception ("except on Sundays")."""
    for position, word in enumerate(clause.words):
        if word.form in _EXCEPTING and position > 0:
            return frozenset(range(position + 1, len(clause.words)))
    return frozenset()


def _same_matter(claim: Clause, evidence: Clause, given: frozenset[str]) -> bool:
    if not claim.head or not evidence.head:
        return True
    return bool(evidence.head & (claim.concepts | given) or claim.head & (evidence.concepts | evidence.heading))


def _opposites(claim: Clause, evidence: Clause, left_claim: Sequence[int], left_evidence: Sequence[int]) -> list[str]:
    found: list[str] = []
    for place in left_claim:
        for there in left_evidence:
            word, other = claim.words[place], evidence.words[there]
            if not are_opposites(word.stem, other.stem, claim.language):
                continue
            if other.weight and (there in evidence.negated) != (place in claim.negated):
                # "not included" and "separately" say the same.
                continue
            if word.weight or _governs_the_same(claim, place, evidence, there):
                found.append(f"{word.form} / {other.form}")
    return found


def _governs_the_same(claim: Clause, place: int, evidence: Clause, there: int) -> bool:
    """Whether two prepositions ("before", "after") stand in front of the same thing, or both in front of a number."""
    one = next((word for word in claim.words[place + 1 : place + 4] if word.weight), None)
    other = next((word for word in evidence.words[there + 1 : there + 4] if word.weight), None)
    if one is None or other is None:
        return False
    numbers = is_count(one.form), is_count(other.form)
    return all(numbers) or (not any(numbers) and bool(one.concepts & other.concepts))


def _denied_words(clause: Clause) -> str:
    denied = [clause.words[place].form for place in sorted(clause.negated)]
    denied += [word.form for word in clause.words if word.denies]
    return " ".join(denied[:4])


def _is_lost(condition: _Condition, claim: Clause, told: frozenset[str]) -> bool:
    named = sum(1 for word in condition.words if word.concepts & told)
    if named >= _CONDITION_NAMED * len(condition.words):
        return False
    # What the claim has of the condition may be what the rule is about; the rest must be told somewhere.
    rest = [word for word in condition.words if not word.concepts & claim.concepts]
    return bool(rest) and sum(1 for word in rest if word.concepts & told) < _CONDITION_KEPT * len(rest)


def _states_rule(claim: Clause, rule: frozenset[str]) -> bool:
    total = covered = 0.0
    for word in claim.words:
        total += word.weight
        covered += word.weight if word.concepts & rule else 0.0
    return covered >= 1.0 and covered / total >= _ENOUGH_OF_THE_RULE


def _conditions(clause: Clause, before: Clause | None) -> list[_Condition]:
    known = lexicon(clause.language)
    words = clause.words
    marks = known.restrictors | {"a_menos_que", "siempre_que", "provided", "as_long_as"}
    marks |= known.conditionals - {"when", "cuando"}
    found: list[_Condition] = []
    for place, word in enumerate(words):
        limits_free = word.form in _FOR and place > 0 and words[place - 1].quiet
        if not limits_free and word.form not in marks:
            continue
        position, end = place, place + 1
        limit = _CONDITION_WORDS if word.form in known.restrictors or limits_free else 2 * _CONDITION_WORDS
        while end < len(words) and not (end in clause.breaks and end > position + 1) and limit:
            limit -= 1 if words[end].weight else 0
            end += 1
        inside = tuple(
            each
            for each in words[position + 1 : end]
            if each.weight and each.form not in known.restrictors and each.form not in _EXCEPTING
        )
        if word.form in known.restrictors and (position + 1 in clause.breaks or position + 1 == len(words)):
            # "for members only": what is limited stands in front.
            inside = tuple([each for each in words[:position] if each.weight][-1:])
            position, end = position - 2, position + 1
        if not inside or inside[0].form[0].isdigit() or inside[0].form in UNIT_WORDS:
            continue
        rule = [each for index, each in enumerate(words) if each.weight and not position <= index < end]
        rule += [each for each in clause.subject if each not in inside] if rule else []
        if place <= 1 and before is not None and not rule:
            rule = [each for each in before.words if each.weight]
        found.append(_Condition(word.form, inside, frozenset().union(*(each.concepts for each in rule))))
    return found
