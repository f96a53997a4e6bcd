"""Whether an answer agrees with a reference answer, or with a source where there is no reference."""

from __future__ import annotations

import re
from dataclasses import replace

from calibrate.providers.sim.checks import Attention
from calibrate.providers.sim.figures import same_figure
from calibrate.providers.sim.findings import Finding
from calibrate.providers.sim.judging import ClaimResult, Judgement, decide, judge_support
from calibrate.providers.sim.passages import Clause, read_clauses, text_language

__all__ = ["judge_accuracy"]

_ALTERNATIVES = re.compile(r"\s*(?:\||\n|;|\s/\s)\s*")
_SHORT_REFERENCE = 8
_SAME_ENOUGH = 0.5
_COMPLETE_ENOUGH = 0.6


def judge_accuracy(
    answer: str, references: tuple[str, ...], context: tuple[str, ...], question: str, attention: Attention
) -> Judgement:
    """Judge whether an answer is right.

    Args:
        answer: what is judged.
        references: accepted answers; any one will do.
        context: what else is known.
        question: what was asked.
        attention: the checks to make. What goes beyond the reference counts against the answer only when asked for.
    """
    accepted = [part for text in references for part in _alternatives(text)]
    if not answer.strip():
        return Judgement(good=False, score=0.0, overlap=0.0, reason="empty", empty=True)
    if not accepted:
        if any(chunk.strip() for chunk in context):
            return judge_support(answer, context, question, attention)
        return Judgement(good=True, score=0.7, overlap=0.0, reason="nothing_to_check", empty=True)
    judged = [_against(answer, reference, context, question, attention) for reference in accepted]
    return max(judged, key=lambda each: (each.good, each.score))


def _alternatives(reference: str) -> list[str]:
    if len(reference.split()) > 3 * _SHORT_REFERENCE:
        return [reference]
    return [part for part in _ALTERNATIVES.split(reference.strip()) if part]


def _against(answer: str, reference: str, context: tuple[str, ...], question: str, attention: Attention) -> Judgement:
    language = text_language(reference, answer, question)
    wanted = read_clauses((reference,), language)
    said = read_clauses((answer,), language)
    given = frozenset(word.stem for clause in read_clauses((question,), language) for word in clause.words)
    told = _told(wanted, said, given, attention)
    if len(reference.split()) <= _SHORT_REFERENCE:
        finding = Finding(
            "not_the_reference",
            "figures" if _figures_differ(wanted, said) else "wording",
            1.0 - told / 2,
            "",
            reference,
        )
        wrong = told < _SAME_ENOUGH or (attention.to("figures") and _figures_differ(wanted, said))
        results = [ClaimResult(answer[:200], (finding,) if wrong else ())]
        if wrong:
            return replace(decide(results, told, attention), good=False)
        if not attention.to("unsupported"):
            return decide(results, max(told, _SAME_ENOUGH), attention)
    judgement = judge_support(answer, (reference, *context), question, attention)
    if told < _COMPLETE_ENOUGH / (3 if attention.to("omission") else 1) and len(reference.split()) > _SHORT_REFERENCE:
        results = [*judgement.results, ClaimResult("", (Finding("omission", "omission", 0.6, reference[:80]),))]
        return decide(results, judgement.overlap, attention) if attention.directives else judgement
    return judgement


def _told(wanted: list[Clause], said: list[Clause], given: frozenset[str], attention: Attention) -> float:
    """Return the share of a reference, question words aside, that the answer has."""
    concepts = frozenset[str]().union(*(clause.concepts for clause in said))
    forms = frozenset(word.form for clause in said for word in clause.words)
    figures = [figure for clause in said for figure in clause.figures]
    total = shared = 0.0
    for clause in wanted:
        for word in clause.words:
            if not word.weight or (word.stem in given and word.weight < 1.0) or word.form[0].isdigit():
                continue
            total += word.weight
            shared += (
                word.weight
                if word.form in forms or (attention.wording != "forms" and word.concepts & concepts)
                else 0.0
            )
        for figure in clause.figures:
            total += 1.0
            shared += 1.0 if any(same_figure(figure, other) for other in figures) else 0.0
    return shared / total if total else 1.0


def _figures_differ(wanted: list[Clause], said: list[Clause]) -> bool:
    figures = [figure for clause in said for figure in clause.figures]
    return any(
        not any(same_figure(figure, other) for other in figures) for clause in wanted for figure in clause.figures
    )
