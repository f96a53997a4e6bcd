"""Whether an answer is about what was asked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from calibrate.providers.sim.checks import Attention
from calibrate.providers.sim.evidence import covered_weight, shared_weight
from calibrate.providers.sim.findings import Finding
from calibrate.providers.sim.judging import ClaimResult, Judgement, decide
from calibrate.providers.sim.language import fold_word
from calibrate.providers.sim.lexicon import are_opposites
from calibrate.providers.sim.passages import Clause, read_clauses, text_language
from calibrate.providers.sim.polarity import speaks_of_silence

__all__ = ["judge_relevance", "wants_figure"]

_SHORT_ANSWER = 2.5
_LENIENT = 0.2
_HEAD_START = 0.1
_ON_TOPIC = 0.2
_SAYS_MUCH = 3.0
_WANTS_FIGURE = re.compile(
    r"\b(?:how (?:much|many|long|old|far|often|late|early)|when|what (?:time|date|year|day|price)|cuant[oa]s?|"
    r"cuando|que (?:hora|dia|ano|fecha)|a que hora|en que ano)\b"
)
_TIME_WORDS = re.compile(
    r"\b(?:immediately|always|never|daily|weekly|monthly|today|tomorrow|free|mondays?|tuesdays?|wednesdays?|"
    r"thursdays?|fridays?|saturdays?|sundays?|"
    r"weekends?|before|after|siempre|nunca|hoy|manana|gratis|gratuit[oa]|lunes|martes|miercoles|jueves|viernes|"
    r"sabados?|domingos?|antes|despues)\b"
)


def judge_relevance(answer: str, question: str, attention: Attention) -> Judgement:
    """Judge whether an answer addresses a question.

    Args:
        answer: what is judged.
        question: what was asked.
        attention: the checks to make. Figures: a question for a number or a date is answered by one. Entities: the
            answer is about what the question names. Negation: it is not about the opposite. Claims: each sentence by
            itself. Unless omissions are allowed, each part of the question is to be answered.
    """
    if not answer.strip() or not question.strip():
        return Judgement(good=False, score=0.0, overlap=0.0, reason="empty", empty=True)
    language = text_language(question, answer)
    asked = read_clauses((question,), language)
    said = read_clauses((answer,), language, whole_sentences=not attention.to("claims"))
    wanted = frozenset[str]().union(*(clause.concepts for clause in asked))
    forms = frozenset(
        word.stem if attention.to("paraphrase") else word.form for clause in asked for word in clause.words
    )
    overlap = _coverage(asked, said, attention)
    folded = " ".join(fold_word(part) for part in answer.split())
    if (
        speaks_of_silence(folded)
        and sum(clause.weight for clause in said) < 6 * _SHORT_ANSWER
        and not any(clause.figures for clause in said)
    ):
        return Judgement(good=False, score=0.1, overlap=overlap, reason="evasive")
    figure_wanted = wants_figure(question)
    weight = sum(clause.weight for clause in said)
    figures = any(clause.figures for clause in said)
    results: list[ClaimResult] = []
    for clause in said:
        findings = list(_findings(clause, asked, attention))
        answers = figure_wanted and bool(clause.figures)
        if attention.to("claims") and not answers and not _on_topic(clause, said, wanted, forms, attention):
            findings.append(Finding("off_topic", "claims", 0.7, clause.text))
        results.append(ClaimResult(clause.text, tuple(findings)))
    if attention.to("figures") and figure_wanted and not figures and not _TIME_WORDS.search(folded):
        results.append(ClaimResult("", (Finding("no_figure", "figures", 0.8, question),)))
    if not attention.to("omission"):
        results.extend(_unanswered(asked, said))
    checking = bool(attention.directives - {"paraphrase", "omission", "all-or-nothing"})
    short = weight <= _SHORT_ANSWER or (figures and figure_wanted)
    fit = 1.0 if short else min(1.0, overlap + _HEAD_START)
    return decide(results if checking else [], fit, attention, by_wording=True)


def wants_figure(question: str) -> bool:
    """Whether a question asks for a number, an amount or a time."""
    return _WANTS_FIGURE.search(" ".join(fold_word(part) for part in question.split())) is not None


def _findings(clause: Clause, asked: Sequence[Clause], attention: Attention) -> list[Finding]:
    found: list[Finding] = []
    for question in asked:
        if attention.to("entities"):
            names, wanted = clause.subject_names, question.names
            if names and wanted and not names & wanted and not clause.names & wanted:
                found.append(
                    Finding("other_than_asked", "entities", 0.9, " ".join(sorted(names)), " ".join(sorted(wanted)))
                )
            for group, members in question.contrasts.items():
                theirs = clause.contrasts.get(group)
                if theirs and not theirs & members:
                    told = ", ".join(sorted(theirs)), ", ".join(sorted(members))
                    found.append(Finding("other_than_asked", "entities", 0.9, *told))
        if attention.to("negation"):
            found.extend(
                Finding("opposite_of_asked", "negation", 0.8, word.form, other.form)
                for word in clause.words
                for other in question.words
                if word.weight
                and other.weight
                and are_opposites(word.stem, other.stem, clause.language)
                and not other.concepts & clause.concepts
                and not word.concepts & question.concepts
                and not clause.negated
            )
    return found


def _coverage(asked: Sequence[Clause], said: Sequence[Clause], attention: Attention) -> float:
    """Return the share of the question's weight that the answer takes up."""
    concepts = frozenset[str]().union(*(clause.concepts for clause in said))
    stems = frozenset(word.stem for clause in said for word in clause.words)
    forms = frozenset(word.form for clause in said for word in clause.words)
    total = shared = 0.0
    for clause in asked:
        for word in clause.words:
            total += word.weight
            present = {
                "concepts": bool(word.concepts & concepts),
                "stems": word.stem in stems,
                "forms": word.form in forms,
            }[attention.wording]
            shared += word.weight if present else 0.0
    return shared / total if total else 1.0


def _on_topic(
    clause: Clause, said: Sequence[Clause], wanted: frozenset[str], forms: frozenset[str], attention: Attention
) -> bool:
    """Whether a sentence takes up the question, or the sentence of the answer that takes it up most."""
    if clause.weight < _SAYS_MUCH:
        return True
    if attention.wording == "forms":
        return shared_weight(clause, forms) >= _ON_TOPIC or len(said) == 1
    if covered_weight(clause, wanted) >= _ON_TOPIC:
        return True
    best = max(
        (each for each in said if each is not clause), key=lambda each: covered_weight(each, wanted), default=None
    )
    return (
        best is not None
        and covered_weight(best, wanted) >= _ON_TOPIC
        and covered_weight(clause, best.concepts) >= _ON_TOPIC
    )


def _unanswered(asked: Sequence[Clause], said: Sequence[Clause]) -> list[ClaimResult]:
    parts = [clause for clause in asked if clause.weight >= 1.0]
    if len(parts) < 2:
        return []
    concepts = frozenset[str]().union(*(clause.concepts for clause in said))
    return [
        ClaimResult("", (Finding("unanswered", "omission", 0.6, part.text),))
        for part in parts
        if covered_weight(part, concepts) < _LENIENT
    ]
