"""Whether a passage was needed to answer a question."""

from __future__ import annotations

from calibrate.providers.sim.checks import Attention
from calibrate.providers.sim.evidence import Source, covered_weight, shared_weight
from calibrate.providers.sim.findings import Finding
from calibrate.providers.sim.judging import ClaimResult, Judgement
from calibrate.providers.sim.passages import Clause, read_clauses, text_language
from calibrate.providers.sim.relevance import wants_figure

__all__ = ["judge_context"]

_ABOUT = 0.34
_MOST_SENTENCES = 3


def judge_context(passage: str, question: str, attention: Attention) -> Judgement:
    """Judge whether a question needs a passage: how much of what it asks about the passage speaks of.

    Args:
        passage: what was retrieved.
        question: what was asked.
        attention: the checks to make. Told that the same subject is not enough, the reader wants a figure where the
            question asks for one. Entities: what the question names has to be there.
    """
    if not passage.strip() or not question.strip():
        return Judgement(good=False, score=0.0, overlap=0.0, reason="empty", empty=True)
    language = text_language(question, passage)
    asked = [clause for clause in read_clauses((question,), language) if clause.weight]
    source = Source(read_clauses((passage,), language))
    overlap = max((_covered(clause, source, attention) for clause in asked), default=0.0)
    findings: list[Finding] = []
    if attention.to("needed") and wants_figure(question) and not any(_figures(clause, source) for clause in asked):
        findings.append(Finding("no_figure", "figures", 0.8, question))
    names = frozenset[str]().union(*(clause.names for clause in asked))
    if attention.to("entities") and names and not names & source.forms:
        findings.append(Finding("unknown_name", "entities", 0.9, " ".join(sorted(names))))
    results = (ClaimResult("", tuple(findings)),) if findings else ()
    good = overlap >= _ABOUT and not findings
    return Judgement(good, overlap * (0.4 if findings else 1.0), overlap, results, "needed" if good else "not_needed")


def _covered(asked: Clause, source: Source, attention: Attention) -> float:
    if attention.small:
        return shared_weight(asked, source.stems)
    return covered_weight(asked, source.known)


def _figures(asked: Clause, source: Source) -> bool:
    """Whether the sentences that speak most of a question give a figure."""
    speaking = source.about(asked).clauses[:_MOST_SENTENCES]
    return any(each.figures for clause in speaking for each in source.sentence_of(clause))
