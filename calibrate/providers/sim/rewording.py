"""The checks of one claim by a reader who has been told that other words are no error.

To such a reader a word that the source lacks proves nothing. What counts is evidence: a near quotation that departs
from its source, a figure that neither stands in the source nor follows from it, a name nobody mentioned, a denial of
something the source does not speak of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from calibrate.providers.sim.arithmetic import follows
from calibrate.providers.sim.attention import Attention, Given
from calibrate.providers.sim.attribution import subject_words
from calibrate.providers.sim.departures import departure_findings
from calibrate.providers.sim.evidence import Source
from calibrate.providers.sim.figures import Figure, is_count, same_figure
from calibrate.providers.sim.findings import Finding
from calibrate.providers.sim.language import fold_word
from calibrate.providers.sim.lexicon import Word, lexicon, look_up
from calibrate.providers.sim.passages import Clause
from calibrate.providers.sim.polarity import (
    asserts_nothing,
    is_denial,
    override_finding,
)
from calibrate.providers.sim.quotation import Quotation
from calibrate.providers.sim.rivals import rival_findings
from calibrate.providers.sim.truncation import completes, truncation_findings
from calibrate.providers.sim.waivers import waiver_findings

__all__ = ["check_in_other_words"]

_COUNTED = 4
_QUOTED_ANSWER = 0.7
_OWN_SHARE = 0.6
_OWN_QUOTED = 0.5
_BACKED_BY = 2
_QUOTED_DENIAL = 4
_FOREIGN_WORDS = 4
_ANNOUNCED = 3
_ADDING = frozenset("also additionally besides moreover too ademas tambien asimismo".split())
_HALVES = re.compile(r"\b(?:half|halved|doubled?|twice|mitad|doble)\b(?! an? )", re.IGNORECASE)
_POINTING = frozenset(
    "it its that this those these they them their such so there here no yes you your si ese esa eso esos esas este "
    "esta esto lo le les su sus usted tu asi ahi aqui".split()
)


def check_in_other_words(
    claim: Clause, source: Source, given: Given, attention: Attention, whole: Clause | None
) -> list[Finding]:
    """Return what is wrong with a claim, its wording aside.

    Args:
        claim: what is checked.
        source: what it is checked by.
        given: what it may take for granted.
        attention: the checks to make.
        whole: the whole sentence, when ``claim`` is the first of the clauses it was cut into.
    """
    quotation = source.quotation(claim)
    own = subject_words(claim, source) if attention.to("entities") else frozenset()
    speaking = source.about(claim, ignoring=own, hint=given.question).clauses
    findings: list[Finding] = []
    departures = departure_findings(claim, quotation, source, given.question)
    if whole is not None:
        departures += departure_findings(whole, source.quotation(whole), source, given.question)
    findings += [finding for finding in departures if attention.to(finding.check)]
    if attention.to("truncation"):
        findings += _goes_on(quotation) or (truncation_findings(claim, speaking, given) if not quotation.near else ())
    elif speaking and completes(claim, speaking[0]):
        return findings
    if attention.to("figures"):
        findings += _figure_findings(claim, quotation, source, given)
    if attention.to("entities"):
        findings += _name_findings(claim, source, given)
        findings += _section_findings(claim, source, given)
        findings += rival_findings(claim, source, given)
    if attention.to("negation"):
        findings += _polarity_findings(claim, source, given)
    if attention.to("silence") and not findings:
        findings += _silence_findings(claim, quotation, source, given)
    if attention.to("unsupported") and not findings:
        findings += _addition_findings(claim, quotation, source, given) or _foreign_findings(claim, source, given)
    return findings


def _goes_on(quotation: Quotation) -> list[Finding]:
    """Return the finding when a claim quotes a broken-off sentence to its end and says more."""
    for run, clause in zip(quotation.runs, quotation.completed, strict=True):
        more = [word for word in quotation.words[run.end :] if word.weight]
        if clause is not None and clause.truncated and more:
            said = " ".join(word.form for word in more[:4])
            return [Finding("truncation", "truncation", 0.8, said.replace("_", " "), clause.text)]
    return []


def _figure_findings(claim: Clause, quotation: Quotation, source: Source, given: Given) -> Iterator[Finding]:
    everywhere = [figure for clause in source.clauses for figure in clause.figures]
    quoted = [figure for each in quotation.clauses for clause in source.sentence_of(each) for figure in clause.figures]
    halved = any(_HALVES.search(clause.text) for clause in source.clauses)
    main = quotation.main
    stretch = main.figures if main is not None else ()
    for figure in claim.figures:
        if quotation.near:
            rivals = [other for other in stretch if other.kind == figure.kind]
            if _among(figure, quoted):
                continue
            if rivals and not _asked(figure, given) and not _is_total(figure, given):
                yield Finding("figure_differs", "figures", 1.0, figure.text, rivals[0].text)
                continue
        if _among(figure, everywhere) or _asked(figure, given):
            continue
        alike = [other for other in everywhere if figure.counts and other.counts == figure.counts]
        if figure.kind == "number" and figure.value <= _COUNTED and not alike:
            continue
        if _is_unit(figure) or _bare(figure, everywhere) or _is_total(figure, given):
            continue
        meant = [figure, replace(figure, kind="money")] if figure.kind == "number" and not figure.counts else [figure]
        if any(follows(each, everywhere, [*given.figures, *given.stated], halved=halved) for each in meant):
            continue
        rival = next((other for other in everywhere if other.kind == figure.kind), None)
        kind = "figure_missing" if rival is None else "figure_differs"
        yield Finding(kind, "figures", 0.9, figure.text, rival.text if rival else "")


def _is_unit(figure: Figure) -> bool:
    """Whether it is the "a year" of a rate."""
    return figure.kind == "minutes" and figure.text.split()[0] == "1"


def _bare(figure: Figure, source: Sequence[Figure]) -> bool:
    """Whether the source has it in another unit that it leaves out: a week, "books for 30 days and films for seven"."""
    return figure.kind == "minutes" and any(
        other.kind == "number" and not other.counts and other.value * unit == figure.value
        for other in source
        for unit in (60.0, 1440.0, 10080.0)
    )


def _is_total(figure: Figure, given: Given) -> bool:
    """Whether it is the sum of the other figures that the answer states."""
    rest = [other.value for other in given.stated if other is not figure and other.kind in (figure.kind, "number")]
    return len(rest) > 1 and abs(sum(rest) - figure.value) < 1e-6


def _asked(figure: Figure, given: Given) -> bool:
    return _among(figure, given.figures)


def _among(figure: Figure, figures: Sequence[Figure]) -> bool:
    """Whether one of several figures is the same, or the same number of days, working days or not."""
    return any(
        same_figure(figure, other)
        or (
            {figure.kind, other.kind} == {"minutes", "workdays"}
            and max(figure.value, other.value) == 1440.0 * min(figure.value, other.value)
        )
        for other in figures
    )


def _section_findings(claim: Clause, source: Source, given: Given) -> Iterator[Finding]:
    """Yield the finding when a figure belongs to another labelled part of the source than the one that is spoken of."""
    stems = frozenset(word.stem for word in claim.words)
    for sections in (*source.sections, source.named_parts):
        named = sections.named(stems) or sections.named(given.labels)
        if not named:
            continue
        names = sections.other_name(claim, named)
        if names is not None:
            yield Finding("other_subject", "entities", 0.8, names[0], names[1])
        elsewhere = sections.said_of_another(claim, named)
        if elsewhere:
            yield Finding("other_subject", "entities", 0.8, claim.text[:40], elsewhere)
        for figure in claim.figures:
            rival = sections.of_another(figure, named, stems)
            if rival is not None and not _asked(figure, given):
                yield Finding("other_subject", "entities", 0.8, figure.text, rival.text)


def _name_findings(claim: Clause, source: Source, given: Given) -> Iterator[Finding]:
    unknown = sorted(
        name
        for name in claim.names
        if name not in given.forms
        and not look_up(name, claim.language).concepts & source.known
        and not _abbreviates(name, source)
    )
    if unknown:
        yield Finding("unknown_name", "entities", 0.8, ", ".join(unknown))


def _abbreviates(name: str, source: Source) -> bool:
    """Whether a name is made of the initials of words that stand side by side in the source."""
    return len(name) > 1 and any(
        name in "".join(word.form[0] for word in clause.words if word.weight) for clause in source.clauses
    )


def _polarity_findings(claim: Clause, source: Source, given: Given) -> Iterator[Finding]:
    override = override_finding(claim, source.clauses, given.told)
    if override is not None:
        yield override
    yield from waiver_findings(claim, source, given)


def _silence_findings(claim: Clause, quotation: Quotation, source: Source, given: Given) -> Iterator[Finding]:
    """Yield the finding when a claim denies what was asked about and the source has no word of it."""
    quoted = any(
        run.length >= _QUOTED_DENIAL and any(word.negator for word in quotation.words[run.start : run.end])
        for run in quotation.runs
    )
    if quoted or not is_denial(claim):
        return
    asked = [
        word
        for word in _content(claim)
        if word.concepts & given.question and not word.concepts & source.known and not _of_a_named_class(word, source)
    ]
    if asked and not _backed(claim, source, given):
        yield Finding("silence", "silence", 0.8, claim.text)


def _of_a_named_class(word: Word, source: Source) -> bool:
    """Whether the source names others of an exclusive class: Sunday, where the question is of Saturday."""
    return any(word.contrasts & other.contrasts for clause in source.clauses for other in clause.words)


def _backed(claim: Clause, source: Source, given: Given) -> bool:
    """Whether some denial or restriction of the source is about what is denied or what was asked."""
    known = lexicon(claim.language)
    topic = claim.concepts | given.question
    for clause in source.clauses:
        if not (clause.negated or any(word.form in known.restrictors or word.denies for word in clause.words)):
            continue
        shared = {word.stem for word in clause.words if word.weight == 1.0 and word.concepts & topic}
        if len(shared) >= _BACKED_BY:
            return True
    return False


def _addition_findings(claim: Clause, quotation: Quotation, source: Source, given: Given) -> list[Finding]:
    """Return the finding when an answer that copies its source adds a statement in words of its own."""
    rest = given.content - claim.weight
    if rest <= 0 or (given.quoted - quotation.weight) / rest < _QUOTED_ANSWER or quotation.share >= _OWN_QUOTED:
        return []
    known = source.known | given.question
    words = _content(claim)
    if asserts_nothing(" ".join(fold_word(part) for part in claim.text.split())):
        return []
    strange = [word for word in words if not word.concepts & known]
    if len(strange) > 1 and len(strange) >= _OWN_SHARE * len(words):
        said = ", ".join(word.form.replace("_", " ") for word in strange[:5])
        return [Finding("unsupported", "unsupported", 0.8, said)]
    return []


def _foreign_findings(claim: Clause, source: Source, given: Given) -> list[Finding]:
    """Return the finding when a statement has nothing to do with the source or the question and points at neither."""
    words = _content(claim)
    known = source.known | given.question
    announced = any(word.form in _ADDING for word in claim.words)
    strange = [word.form for word in words if not word.concepts & known]
    if announced and len(strange) >= _ANNOUNCED and 2 * len(strange) >= len(words):
        return [Finding("unsupported", "unsupported", 0.8, ", ".join(strange[:5]))]
    if len(words) < _FOREIGN_WORDS or claim.figures or any(word.concepts & known for word in words):
        return []
    if any(word.form in _POINTING or (word.form in given.forms and word.weight) for word in claim.words):
        return []
    said = ", ".join(word.form.replace("_", " ") for word in words[:5])
    return [Finding("unsupported", "unsupported", 0.8, said)]


def _content(claim: Clause) -> list[Word]:
    found: dict[str, Word] = {}
    for word in claim.words:
        if word.weight == 1.0 and not is_count(word.form):
            found.setdefault(word.stem, word)
    return list(found.values())
