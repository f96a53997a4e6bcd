"""What the departures of a near quotation from its source give away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from calibrate.providers.sim.attribution import named_otherwise
from calibrate.providers.sim.evidence import Source, covered_weight
from calibrate.providers.sim.figures import is_count
from calibrate.providers.sim.findings import Finding
from calibrate.providers.sim.grammar import DETERMINERS, VERBS
from calibrate.providers.sim.language import fold_word
from calibrate.providers.sim.lexicon import Word, lexicon
from calibrate.providers.sim.numerals import number_of
from calibrate.providers.sim.passages import Clause
from calibrate.providers.sim.polarity import asserts_nothing
from calibrate.providers.sim.quotation import Departure, Quotation

__all__ = ["departure_findings"]

_ADDING = frozenset("and or plus well also nor y e o u ni mas ademas tambien".split())
_EVERY = frozenset(
    "all both every each any everyone anyone ambos ambas todos todas todo toda cada cualquier cualquiera".split()
)
_GRAFTED = frozenset(
    "if unless until only except provided as_long_as si salvo excepto siempre_que a_menos_que solo hasta_que".split()
)
_SPLICED_SHARE = 0.8
_SHORT = 4
_LOOSE = 2
_LOOSE_SHARE = 0.6
_GRAFT_WORDS = 3


@dataclass(frozen=True, slots=True)
class _Known:
    source: Source
    passage: frozenset[str]
    stretch: frozenset[str]
    given: frozenset[str]
    language: str


def departure_findings(claim: Clause, quotation: Quotation, source: Source, given: frozenset[str]) -> list[Finding]:
    """Return what is wrong with a near quotation, whatever the check; none for a claim in its own words.

    Args:
        claim: a whole sentence or a clause of one.
        quotation: what it quotes.
        source: the source.
        given: the concepts of the question.
    """
    if not quotation.near or _is_faithful(quotation):
        return []
    sentences = {id(each): each for clause in quotation.kept for each in source.sentence_of(clause)}
    passage = frozenset[str]().union(*(each.concepts | each.heading for each in sentences.values()))
    stretch = frozenset[str]().union(*(each.concepts | each.heading for each in quotation.kept))
    known = _Known(source, passage, stretch, given, claim.language)
    found: list[Finding] = []
    main = quotation.main
    named = claim.subject_names & {word.form for word in claim.words} or claim.contrasts
    if (
        main is not None
        and named
        and named_otherwise(claim, main, source)
        and not _said_of_its_own(claim, main, source)
    ):
        said = " ".join(sorted(claim.subject_names)) or claim.text[:40]
        found.append(Finding("other_subject", "entities", 0.9, said, main.text))
    for departure in quotation.departures:
        found.extend(_of_departure(departure, claim, quotation, known))
    found.extend(_grafted_condition(quotation))
    found.extend(_other_subject(quotation))
    return found


def _is_faithful(quotation: Quotation) -> bool:
    """Whether it quotes one sentence and departs from it nowhere."""
    return len({clause.sentence for clause in quotation.clauses}) == 1 and not any(
        word.weight or word.negator for each in quotation.departures for word in each.said + each.source
    )


def _of_departure(departure: Departure, claim: Clause, quotation: Quotation, known: _Known) -> Iterator[Finding]:
    said = [word for word in departure.said if _says_something(word)]
    there = [word for word in departure.source if _says_something(word)]
    taken = frozenset[str]().union(*(word.concepts for word in there))
    if departure.inside:
        yield from _lost_denial(departure, claim)
        yield from _widened(departure, there)
    last = not departure.inside and departure is quotation.departures[-1]
    own = [word for word in said if not word.concepts & taken]
    adding = _adds(departure.said) and not any(word.form in _GRAFTED for word in departure.said)
    replaced = (
        (departure.inside or departure.closes)
        and bool(there)
        and len(there) <= _SHORT
        and not all(word.concepts & claim.concepts for word in there)
    )
    coordinated = adding and (departure.inside or departure.said[0].form in _ADDING)
    if departure.opens:
        # "Towels and bed linen are included": only what is set beside the quotation's own beginning counts.
        coordinated = len(departure.said) <= _SHORT and departure.said[-1].form in _ADDING
    strange = [word for word in own if not word.concepts & (known.source.known | known.given)]
    here = known.stretch if departure.opens else known.passage
    elsewhere = [word for word in own if word.concepts & known.source.known and not word.concepts & here]
    idle = asserts_nothing(" ".join(fold_word(part) for part in claim.text.split()))
    quote = " ".join(word.form for word in departure.source)
    pairs = any(known.source.has_pair(one, other) for one, other in pairwise(said) if one in elsewhere)
    naming = [word for word in elsewhere if pairs or _names_a_thing(word, known.source)]
    if replaced and any(word.form in claim.names for word in own):
        yield Finding("unknown_name", "entities", 0.9, _text(own))
    elif (coordinated and any(word.form not in VERBS for word in elsewhere)) or (replaced and naming):
        yield Finding("other_subject", "entities", 0.8, _text(elsewhere), quote)
    if coordinated and _is_an_item(strange, claim) and not (replaced and len(said) != len(there)):
        yield Finding("unsupported", "unsupported", 0.8, _text(strange))
    elif last and not idle and len(strange) >= _LOOSE and quotation.share >= _LOOSE_SHARE:
        yield Finding("unsupported", "unsupported", 0.7, _text(strange))


def _names_a_thing(word: Word, source: Source) -> bool:
    """Whether a word stands for a thing of its own in the source: it has a name, a class, or is spoken of."""
    if word.form in VERBS:
        return False
    return bool(word.contrasts or word.form in source.names or word.concepts & source.heads)


def _is_an_item(strange: Sequence[Word], claim: Clause) -> bool:
    """Whether what is added is a further thing ("and a passport"), not a verb of the claim's own."""
    if len(strange) != 1:
        return bool(strange)
    place = next(place for place, word in enumerate(claim.words) if word is strange[0])
    return place > 0 and claim.words[place - 1].form in DETERMINERS


def _adds(said: Sequence[Word]) -> bool:
    forms = [word.form for word in said]
    return bool(forms) and (forms[0] in _ADDING or forms[-1] in _ADDING or forms[-2:] == ["well", "as"])


def _says_something(word: Word) -> bool:
    return word.weight == 1.0 and not is_count(word.form)


def _lost_denial(departure: Departure, claim: Clause) -> Iterator[Finding]:
    """Yield the finding when what is left out, or put in, turns what is said around."""
    known = lexicon(claim.language)
    turning = (known.negators | known.restrictors | known.conditionals) - {"ni", "nor", "when", "cuando"}
    forms = {word.form for word in claim.words}
    lost = [word for word in departure.source if word.form in turning and word.form not in forms]
    put_in = [word for word in departure.said if word.form in known.negators - {"ni", "nor"}]
    denied = any(word.form in known.negators or word.denies for word in departure.said)
    if lost and lost[0].form in known.negators and len(departure.source) > _SHORT:
        # A whole clause is passed over, not a "not" taken out.
        return
    if lost and not denied and len(departure.said) <= _SHORT:
        kind = "negation" if lost[0].form in known.negators else "condition_lost"
        yield Finding(kind, "negation", 0.9, _text(departure.source), _text(departure.source))
    elif (
        put_in
        and not lost
        and len(departure.said) <= _SHORT
        and len(departure.source) <= _SHORT
        and not any(_says_something(word) for word in departure.said)
        and not any(word.form in known.negators or word.denies for word in departure.source)
    ):
        yield Finding("negation", "negation", 0.9, _text(departure.said), _text(departure.source))


def _widened(departure: Departure, there: Sequence[Word]) -> Iterator[Finding]:
    """Yield the finding when "all" or "both" stands where the source names fewer."""
    every = [word for word in departure.said if word.form in _EVERY]
    fewer = [word for word in departure.source if number_of(word.form) == "1"]
    named = [word for word in there if not any(word.concepts & other.concepts for other in departure.said)]
    if every and (fewer or named) and not any(word.form in _EVERY for word in departure.source):
        yield Finding("universal", "negation", 0.8, _text(departure.said), _text(departure.source))


def _said_of_its_own(claim: Clause, main: Clause, source: Source) -> bool:
    """Whether a clause about what the claim is about says as much of the claim as the one that is quoted."""
    names = claim.subject_names
    own = [clause for clause in source.clauses if names and names <= clause.subject_names | clause.names]
    ignoring = frozenset(names)
    most = covered_weight(claim, main.concepts, ignoring=ignoring)
    return any(covered_weight(claim, clause.concepts, ignoring=ignoring) >= most for clause in own)


def _other_subject(quotation: Quotation) -> Iterator[Finding]:
    """Yield the finding when what is quoted of one thing is said of another: one sentence's subject, another's rest."""
    if quotation.share < _SPLICED_SHARE:
        return
    said = {word.stem for word in quotation.words}
    pairs = zip(pairwise(quotation.runs), pairwise(quotation.clauses), quotation.onsets[1:], strict=True)
    for (one, other), (before, after), onset in pairs:
        if before.sentence == after.sentence or other.length < _GRAFT_WORDS:
            continue
        between = [word for word in quotation.words[one.end : other.start] if word.weight == 1.0]
        lost = [word for word in onset if word.weight == 1.0 and word.stem not in said]
        if lost and not between and any(word.form in VERBS for word in quotation.words[other.start : other.start + 1]):
            yield Finding("other_subject", "entities", 0.8, _text(quotation.words[one.start : one.end]), after.text)


def _grafted_condition(quotation: Quotation) -> Iterator[Finding]:
    """Yield the finding when a rule is quoted with the condition of another."""
    for place, (run, clause) in enumerate(zip(quotation.runs, quotation.clauses, strict=True)):
        if run.length < _GRAFT_WORDS:
            continue
        beside = place - 1 if place else 1
        if beside >= len(quotation.runs) or quotation.runs[beside].length < _GRAFT_WORDS:
            continue
        if quotation.clauses[beside].sentence == clause.sentence:
            continue
        first = max(0, run.start - 1)
        mark = next((word.form for word in quotation.words[first : run.start + 1] if word.form in _GRAFTED), "")
        if mark:
            yield Finding("condition_added", "negation", 0.8, _text(quotation.words[run.start : run.end]), clause.text)


def _text(words: Sequence[Word]) -> str:
    return " ".join(word.form.replace("_", " ") for word in words[:6])
