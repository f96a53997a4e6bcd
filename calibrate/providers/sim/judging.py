"""From an answer to a judgement: its claims, what the checks found, and a score that follows from both."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from calibrate.providers.sim.checks import Attention, Given, check_claim
from calibrate.providers.sim.evidence import Source, covered_weight
from calibrate.providers.sim.figures import Figure
from calibrate.providers.sim.findings import FAILING, Finding
from calibrate.providers.sim.language import Language, fold_word
from calibrate.providers.sim.lexicon import lexicon
from calibrate.providers.sim.passages import Clause, read_clauses, text_language
from calibrate.providers.sim.polarity import speaks_of_silence

__all__ = ["ClaimResult", "Judgement", "decide", "is_boilerplate", "judge_support"]

_YES = frozenset({"yes", "si", "yeah", "yep", "correct", "claro", "indeed"})
_SHORT = 2.0
_PRONOUNS = frozenset("it this that them lo los las eso esto ello".split())
_NO = frozenset({"no", "nope"})
_LENIENT_OVERLAP = 0.3
_OMISSION_COST = 0.15
_TOLD_ENOUGH = 0.2
_CACHED_CHARACTERS = 20_000
_MARKER = re.compile(
    r"^\W*(?:yes|no|sí|si|yeah|nope|correct|claro|indeed|claro que sí|por supuesto|of course)\b[\s,.!:;–—-]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """One claim and what is wrong with it."""

    text: str
    findings: tuple[Finding, ...]

    @property
    def severity(self) -> float:
        """The severity of the worst finding, 0 when there is none."""
        return max((finding.severity for finding in self.findings), default=0.0)

    @property
    def fails(self) -> bool:
        """Whether the claim fails."""
        return self.severity >= FAILING


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the reader thinks of an answer.

    Attributes:
        good: whether it meets the criterion.
        score: how well, in [0, 1].
        overlap: the share of the answer's wording that the source has, in [0, 1].
        results: claim by claim.
        reason: what decided, as named in :mod:`.wordings`.
        empty: whether there was nothing to judge or nothing to judge it by.
    """

    good: bool
    score: float
    overlap: float
    results: tuple[ClaimResult, ...] = ()
    reason: str = ""
    empty: bool = False


@dataclass(frozen=True, slots=True)
class _Reading:
    source: Source
    sentences: tuple[Clause, ...]
    claims: tuple[Clause, ...]
    given: Given
    told_share: float


def judge_support(answer: str, chunks: tuple[str, ...], question: str, attention: Attention) -> Judgement:
    """Judge whether a source supports an answer.

    Args:
        answer: what is judged.
        chunks: the source, in parts.
        question: what was asked; may be empty.
        attention: the checks to make.
    """
    if not answer.strip() or not any(chunk.strip() for chunk in chunks):
        return Judgement(good=False, score=0.0, overlap=0.0, reason="empty", empty=True)
    size = len(answer) + sum(len(chunk) for chunk in chunks) + len(question)
    read = _read_cached if size <= _CACHED_CHARACTERS else _read
    reading = read(answer, chunks, question)
    whole = reading.claims if attention.to("claims") else reading.sentences
    uncut = _first_of_each(whole, reading.sentences) if attention.to("claims") else {}
    overlap = _overlap(reading, attention)
    checking = bool(attention.directives - {"paraphrase", "omission", "all-or-nothing"})
    results = [
        ClaimResult(claim.text, tuple(check_claim(claim, reading.source, reading.given, attention, uncut.get(place))))
        for place, claim in enumerate(whole if checking else ())
    ]
    brief = not attention.to("omission") and reading.told_share < _TOLD_ENOUGH
    if brief and checking:
        results.append(ClaimResult("", (Finding("omission", "omission", 0.5, ""),)))
    if checking and not whole:
        return Judgement(good=True, score=1.0, overlap=overlap, reason="claims_nothing")
    return decide(results, overlap, attention, brief=brief)


def decide(
    results: Sequence[ClaimResult],
    overlap: float,
    attention: Attention,
    *,
    brief: bool = False,
    by_wording: bool = False,
) -> Judgement:
    """Return the judgement that follows from the findings and from the overlap of wording.

    Args:
        results: claim by claim; empty when no check was asked for.
        overlap: the share of wording found, in [0, 1].
        attention: whether one failing claim decides, and whether claims were judged by themselves.
        brief: whether the answer leaves much out.
        by_wording: whether the overlap counts even when claims are judged by themselves.
    """
    failing = [result for result in results if result.fails]
    share = len(failing) / len(results) if results else 0.0
    worst = max((result.severity for result in results), default=0.0)
    wording = overlap - (_OMISSION_COST if brief and not results else 0.0)
    # To a reader who judges claim by claim, or whom other words do not bother, the overall wording says nothing more.
    enough = (attention.to("claims") or attention.to("paraphrase")) and bool(results) and not by_wording
    if failing and attention.to("all-or-nothing"):
        good, reason = False, "one_fails"
        badness = max(share, 0.9 * worst)
    elif share > 0.5:
        good, reason = False, "most_fail"
        badness = max(share, 0.5 * worst)
    elif not enough and wording < _LENIENT_OVERLAP:
        good, reason = False, "little_overlap"
        badness = 1.0 - wording
    else:
        good, reason = True, ("some_fail" if failing else "checked" if results else "overlap")
        badness = 0.6 * share
    fit = min(1.0, 0.4 + wording) if not enough else 1.0
    score = max(0.0, min(1.0, fit * (1.0 - badness)))
    return Judgement(good=good, score=score, overlap=overlap, results=tuple(results), reason=reason)


def is_boilerplate(sentence: str, language: Language) -> bool:
    """Whether a sentence greets, thanks or offers help."""
    pattern = _boilerplate(language)
    return pattern is not None and pattern.match(" ".join(fold_word(part) for part in sentence.split())) is not None


def _first_of_each(claims: Sequence[Clause], sentences: Sequence[Clause]) -> dict[int, Clause]:
    """Return the uncut sentences of which several claims were made, by the place of the first of these."""
    by_number = {sentence.sentence: sentence for sentence in sentences}
    first: dict[int, Clause] = {}
    taken: set[int] = set()
    for place, claim in enumerate(claims):
        sentence = by_number.get(claim.sentence)
        if sentence is not None and claim.sentence not in taken and sentence.text != claim.text:
            first[place] = sentence
        taken.add(claim.sentence)
    return first


def _overlap(reading: _Reading, attention: Attention) -> float:
    forms = reading.source.forms | reading.given.forms
    stems = reading.source.stems
    concepts = reading.source.concepts | reading.given.question
    total = shared = 0.0
    for clause in reading.sentences:
        for word in clause.words:
            total += word.weight
            if attention.wording == "concepts":
                present = bool(word.concepts & concepts)
            elif attention.wording == "stems":
                present = word.stem in stems or word.form in forms
            else:
                present = word.form in forms
            shared += word.weight if present else 0.0
    return shared / total if total else 1.0


def _read(answer: str, chunks: tuple[str, ...], question: str) -> _Reading:
    language = text_language(answer, *chunks, question)
    source = _source(chunks, language)
    asked = read_clauses((question,), language)
    given_concepts = frozenset[str]().union(*(clause.concepts for clause in asked))
    subjects = frozenset[str]().union(*(clause.subject_names for clause in source.clauses))
    sentences = _claims(answer, asked, language, subjects, whole=True)
    claims = _claims(answer, asked, language, subjects, whole=False)
    figures: tuple[Figure, ...] = tuple(figure for clause in asked for figure in clause.figures)
    answered = frozenset[str]().union(*(clause.concepts for clause in claims))
    given = Given(
        question=given_concepts,
        forms=frozenset(word.form for clause in asked for word in clause.words),
        figures=figures,
        told=answered | given_concepts,
        names=frozenset[str]().union(*(clause.names for clause in asked)),
        labels=frozenset(word.stem for clause in asked for word in clause.words),
        stated=tuple(figure for clause in claims for figure in clause.figures),
        content=sum(clause.weight for clause in claims),
        quoted=sum(source.quotation(clause).weight for clause in claims),
        language=language,
        affirmed=bool(sentences) and bool(asked) and _opens_with(answer, _YES),
        beside={clause.sentence: clause.words for clause in sentences},
        words=tuple(word for clause in asked for word in clause.words),
    )
    return _Reading(source, tuple(sentences), tuple(claims), given, _told_share(asked, answered, source))


@lru_cache(maxsize=128)
def _source(chunks: tuple[str, ...], language: Language) -> Source:
    return Source(read_clauses(chunks, language))


_read_cached = lru_cache(maxsize=512)(_read)


def _told_share(asked: Sequence[Clause], answered: frozenset[str], source: Source) -> float:
    """Return how much of the source's most pertinent sentence the answer tells, in [0, 1]; 1 when nothing was asked."""
    question = next((clause for clause in reversed(asked) if clause.weight >= 1.0), None)
    if question is None:
        return 1.0
    found = source.about(question).clauses
    if not found:
        return 1.0
    sentence = source.sentence_of(found[0])
    return max(covered_weight(clause, answered) for clause in sentence)


def _claims(
    answer: str, asked: Sequence[Clause], language: Language, subjects: frozenset[str], *, whole: bool
) -> list[Clause]:
    read = read_clauses((answer,), language, whole_sentences=whole)
    boilerplate = _boilerplate(language)
    claims: list[Clause] = []
    for position, clause in enumerate(read):
        folded = " ".join(fold_word(part) for part in clause.text.split())
        marker = clause.words[0].form if clause.words else ""
        if position == 0 and marker in _YES | _NO and asked:
            rest = _MARKER.sub("", clause.text, count=1)
            remainder = read_clauses((rest,), language, whole_sentences=True)
            if sum(each.weight for each in remainder) < 1.0:
                claims.append(_as_statement(asked, marker in _NO))
                if not remainder:
                    continue
                clause = remainder[0]
        if clause.question or speaks_of_silence(folded):
            continue
        if boilerplate is not None and boilerplate.match(folded) and not clause.figures:
            continue
        if clause.weight > 0 or clause.figures:
            claims.append(clause)
    for clause in claims:
        if not clause.subject_names and not clause.subject_contrasts and asked:
            clause.subject_names = subjects & frozenset[str]().union(*(each.names for each in asked))
            clause.subject_contrasts = {group: members for each in asked for group, members in each.contrasts.items()}
        if asked and clause.weight < _SHORT and any(word.form in _PRONOUNS for word in clause.words):
            _resolve(clause, asked[-1])
    return claims


def _resolve(claim: Clause, question: Clause) -> None:
    """Let a short claim say what it says of "it" of what was asked about."""
    asked = tuple(word for word in question.words if word.weight and not word.concepts & claim.concepts)
    if claim.negated:
        claim.negated |= frozenset(range(len(claim.words), len(claim.words) + len(asked)))
    claim.words += asked
    claim.concepts |= question.concepts
    claim.weight += sum(word.weight for word in asked)


def _opens_with(answer: str, words: frozenset[str]) -> bool:
    return any(fold_word(part) in words for part in re.findall(r"[^\W\d_]+", answer[:20])[:1])


def _as_statement(asked: Sequence[Clause], denied: bool) -> Clause:
    """Return the claim that a bare yes or no makes: what was asked, affirmed or denied."""
    question = asked[-1]
    positions = frozenset(place for place, word in enumerate(question.words) if word.weight)
    return replace(question, question=False, negated=positions if denied else frozenset())


@lru_cache(maxsize=4)
def _boilerplate(language: Language) -> re.Pattern[str] | None:
    pattern = lexicon(language).boilerplate
    return re.compile(rf"\W*{pattern.strip()}", re.VERBOSE | re.IGNORECASE) if pattern else None
