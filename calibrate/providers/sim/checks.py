"""The checks of one claim against a source. Which of them are made is for the prompt to say."""

from __future__ import annotations

from collections.abc import Sequence

from calibrate.providers.sim.attention import Attention, Given
from calibrate.providers.sim.attribution import near, same_subject, subject_words
from calibrate.providers.sim.evidence import Evidence, Source
from calibrate.providers.sim.figures import Figure, is_count, opposite_bounds, same_figure
from calibrate.providers.sim.findings import Finding
from calibrate.providers.sim.lexicon import Word, look_up
from calibrate.providers.sim.passages import Clause
from calibrate.providers.sim.polarity import (
    agrees_in_denial,
    condition_finding,
    contradiction,
    is_denial,
    universal_finding,
)
from calibrate.providers.sim.rewording import check_in_other_words
from calibrate.providers.sim.truncation import completes, truncation_findings

__all__ = ["Attention", "Given", "check_claim"]

_MOST_FIGURES = 400
_LENIENT_MISSING = 0.75
_MISSING_LIMIT = {"forms": 0.34, "stems": 0.5, "concepts": 0.45}
_UNKNOWN_WORD = 0.8
_SAYS_SOMETHING = 0.75
_DENIAL_OVERLAP = 0.4


def check_claim(
    claim: Clause, source: Source, given: Given, attention: Attention, whole: Clause | None = None
) -> list[Finding]:
    """Return what is wrong with a claim, by the checks that ``attention`` asks for.

    Args:
        claim: what is checked.
        source: what it is checked by.
        given: what it may take for granted.
        attention: the checks to make.
        whole: the whole sentence, when ``claim`` is the first of the clauses it was cut into.
    """
    if attention.to("paraphrase"):
        return check_in_other_words(claim, source, given, attention, whole)
    attributed = attention.to("entities")
    own = subject_words(claim, source) if attributed else frozenset()
    evidence = source.about(claim, ignoring=own, hint=given.question)
    speaking = list(evidence.clauses)
    findings: list[Finding] = []
    if attributed:
        speaking, finding = same_subject(claim, evidence, source, given.question, given.forms)
        if finding:
            findings.append(finding)
    excused = not attention.to("truncation") and bool(speaking) and completes(claim, speaking[0])
    if attention.to("truncation") and not findings:
        findings.extend(truncation_findings(claim, speaking, given))
    if attention.to("figures") and not excused:
        findings.extend(
            _figure_findings(claim, _pool(claim, speaking, source, given, attention), given, attributed=attributed)
        )
    if attention.to("negation"):
        findings.extend(_polarity_findings(claim, speaking, evidence, source, given))
    denial = is_denial(claim)
    if denial and attention.to("silence") and not any(finding.check == "negation" for finding in findings):
        backed = evidence.overlap >= _DENIAL_OVERLAP and any(agrees_in_denial(claim, clause) for clause in speaking)
        if not backed:
            findings.append(Finding("silence", "silence", 0.8, claim.text))
    if excused or (denial and not attention.to("silence") and evidence.overlap < _DENIAL_OVERLAP):
        # A denial the source is silent on reads as true to someone who takes silence for a no.
        return findings
    if attention.to("unsupported") or attention.to("claims"):
        finding = _wording_finding(claim, speaking, source, given, attention)
        if finding:
            findings.append(finding)
    return findings


def _pool(
    claim: Clause, speaking: Sequence[Clause], source: Source, given: Given, attention: Attention
) -> Sequence[Clause]:
    """Return the clauses whose figures count: those of the same subject, those that speak of it, or all."""
    if not speaking:
        return source.clauses
    if attention.to("entities"):
        return near(claim, speaking, source, given.question)
    if attention.to("claims"):
        return [sibling for clause in speaking for sibling in source.sentence_of(clause)]
    return source.clauses


def _figure_findings(claim: Clause, pool: Sequence[Clause], given: Given, *, attributed: bool) -> list[Finding]:
    findings: list[Finding] = []
    kinds = [figure.kind for figure in claim.figures]
    everywhere = list(dict.fromkeys(each for clause in pool for each in clause.figures))[:_MOST_FIGURES]
    for figure in claim.figures:
        alone = kinds.count(figure.kind) == 1
        there = _pertinent(claim, figure, pool) if attributed and alone else everywhere
        alike = [other for other in there if same_figure(figure, other)]
        if alike and not all(opposite_bounds(figure, other) for other in alike):
            continue
        if not alike and any(same_figure(figure, asked) for asked in given.figures):
            continue
        rivals = alike or [other for other in there if other.kind == figure.kind]
        if rivals:
            findings.append(Finding("figure_differs", "figures", 1.0, figure.text, rivals[0].text))
        else:
            findings.append(Finding("figure_missing", "figures", 0.9, figure.text))
    return findings


def _pertinent(claim: Clause, figure: Figure, pool: Sequence[Clause]) -> list[Figure]:
    """Return the figures of the clauses that say most of what the claim says, among those with a figure of this "
    "kind."""
    rivals = [clause for clause in pool if any(other.kind == figure.kind for other in clause.figures)]
    if not rivals:
        return [each for clause in pool for each in clause.figures]
    shares = [_said(claim, clause) for clause in rivals]
    most = max(shares)
    return [
        each for clause, share in zip(rivals, shares, strict=True) if share >= most - 0.5 for each in clause.figures
    ]


def _said(claim: Clause, clause: Clause) -> float:
    concepts = clause.concepts | frozenset[str]().union(*(word.concepts for word in clause.subject))
    seen: set[str] = set()
    shared = 0.0
    for word in claim.words:
        if word.weight and word.stem not in seen and not is_count(word.form) and word.concepts & concepts:
            seen.add(word.stem)
            shared += word.weight
    return shared


def _polarity_findings(
    claim: Clause, speaking: Sequence[Clause], evidence: Evidence, source: Source, given: Given
) -> list[Finding]:
    if not speaking or evidence.overlap < 0.3:
        return []
    opposed = [contradiction(claim, clause, given.question) for clause in speaking[:2]]
    if opposed[0] is not None:
        return [opposed[0]]
    best = speaking[0]
    sentence = source.sentence_of(best)
    around = [word for clause in speaking for sibling in source.sentence_of(clause) for word in sibling.words]
    found = (
        condition_finding(claim, sentence, around, given.told),
        universal_finding(claim, best),
    )
    return [finding for finding in found if finding is not None]


def _wording_finding(
    claim: Clause, speaking: Sequence[Clause], source: Source, given: Given, attention: Attention
) -> Finding | None:
    if attention.to("claims"):
        around = [sibling for clause in speaking[:2] for sibling in source.sentence_of(clause)]
    else:
        around = source.clauses
    missing, share = _missing_words(claim, around, given, attention)
    strict = attention.to("unsupported")
    limit = _MISSING_LIMIT[attention.wording] if strict else _LENIENT_MISSING
    committed = next((word for word in missing if word.strong and word.form not in source.forms), None)
    if share > limit and (strict or len(missing) > 1):
        said = ", ".join(word.form.replace("_", " ") for word in missing[:5])
        return Finding(
            "unsupported" if strict else "wording", "unsupported" if strict else "wording", 0.5 + 0.4 * share, said
        )
    if strict and committed is not None:
        return Finding("unsupported", "unsupported", 0.7, committed.form.replace("_", " "))
    return None


def _missing_words(
    claim: Clause, around: Sequence[Clause], given: Given, attention: Attention
) -> tuple[list[Word], float]:
    wording = attention.wording
    concepts = frozenset[str]().union(*(clause.concepts | clause.heading for clause in around)) | given.question
    forms = {word.form for clause in around for word in clause.words} | given.forms
    stems = {word.stem for clause in around for word in clause.words}
    names = frozenset[str]().union(*(clause.subject_names for clause in around))
    if any(figure.kind == "money" for clause in around for figure in clause.figures):
        concepts |= look_up("cost" if claim.language == "en" else "coste", claim.language).concepts
    missing: list[Word] = []
    total = lost = 0.0
    seen: set[str] = set()
    for word in claim.words:
        if not word.weight or word.stem in seen or (attention.to("figures") and is_count(word.form)):
            continue
        if attention.to("entities") and (word.contrasts or word.form in claim.names):
            continue
        seen.add(word.stem)
        weight = word.weight if len(word.concepts) > 1 else word.weight * _UNKNOWN_WORD
        total += weight
        if wording == "concepts":
            present = bool(word.concepts & concepts)
        elif wording == "stems":
            present = word.stem in stems or word.form in given.forms
        else:
            present = word.form in forms
        if not present and word.form not in names:
            missing.append(word)
            lost += weight
    missing.sort(key=lambda word: -word.weight)
    return missing, lost / total if total >= _SAYS_SOMETHING else 0.0
