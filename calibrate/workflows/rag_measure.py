"""From what the judges said to figures, question by question, and to the trace of each question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from calibrate.domain import Item, Json, Scored, Unscored, Verdict
from calibrate.judge import LabelRoles, label_roles
from calibrate.rag import Corpus, Figure, Variant
from calibrate.rag.abstention import abstention_figures
from calibrate.rag.answers import (
    Claim,
    ClaimLabel,
    answer_relevancy_figure,
    claim_figures,
    context_relevancy_figure,
    correctness_figure,
    system_figures,
)
from calibrate.rag.checking_outputs import unknown_contexts
from calibrate.rag.citations import citation_figures, citation_support_figure, citations
from calibrate.rag.judged_items import CITED, Role, distinct_claims
from calibrate.rag.retrieval import retrieval_figures
from calibrate.workflows.rag_asking import Answered, Subject, claims_said
from calibrate.workflows.rag_judges import RoleJudge

__all__ = ["Measured", "measure_variant"]

_LABELS: Mapping[str, ClaimLabel] = {
    "supported": "supported",
    "contradicted": "contradicted",
    "not_mentioned": "not_mentioned",
}

_OF_CONTEXTS = frozenset(
    """
    faithfulness contradiction_rate factual_claims conditional_claims normative_claims citation_support citations_valid
    citation_precision context_relevancy context_recall context_precision
    """.split()
)
"""The figures that need to know what stood in the context."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One variant, measured.

    Attributes:
        variant: the variant.
        figures: all its figures.
        traces: by question, everything that was found.
    """

    variant: Variant
    figures: tuple[Figure, ...]
    traces: Mapping[str, Mapping[str, Json]]


@dataclass(slots=True)
class _Found:
    """What the judges said of one variant, by question; None where a verdict is missing."""

    claims: dict[str, tuple[Claim, ...]] = field(default_factory=dict)
    repeated: dict[str, int] = field(default_factory=dict)
    unsplit: set[str] = field(default_factory=set)
    cited: dict[str, list[Claim]] = field(default_factory=dict)
    similarities: dict[str, tuple[float, ...]] = field(default_factory=dict)
    questions: dict[str, list[Json]] = field(default_factory=dict)
    needed: dict[str, list[tuple[str, bool | None]]] = field(default_factory=dict)
    correct: dict[str, float | None] = field(default_factory=dict)
    said: dict[str, dict[str, Json]] = field(default_factory=dict)


def measure_variant(
    subject: Subject, variant: Variant, answered: Answered, judges: Mapping[Role, RoleJudge]
) -> Measured:
    """Return the figures and traces of a variant."""
    found = _read(variant, answered, judges)
    figures = tuple(_figures(subject, variant, answered, judges, found))
    return Measured(variant, figures, _traces(subject, variant, answered, found, figures))


def _read(variant: Variant, answered: Answered, judges: Mapping[Role, RoleJudge]) -> _Found:
    found = _Found()
    for role, verdicts in answered.verdicts.items():
        judge = judges[role]
        for item, verdict in verdicts.of(variant.name):
            question = item.attributes["question"]
            match role:
                case "abstention":
                    found.said.setdefault(question, {})["abstention"] = _told(verdict)
                case "claims":
                    claims = claims_said(verdict)
                    if claims is None:
                        found.unsplit.add(question)
                    else:
                        distinct = distinct_claims(claims)
                        found.claims[question] = tuple(Claim(each.text, each.kind) for each in distinct)
                        found.repeated[question] = len(claims) - len(distinct)
                case "claim_support":
                    _read_support(found, item, verdict, label_roles(judge.scale))
                case "answer_relevancy":
                    evidence: Mapping[str, Any] = (isinstance(verdict, Scored) and verdict.evidence) or {}
                    found.similarities[question] = tuple(evidence.get("similarities", ()))
                    found.questions[question] = list(evidence.get("questions", ()))
                case "context_relevancy":
                    part = item.attributes["part"]
                    found.needed.setdefault(question, []).append((part, _passes(judge, verdict)))
                case "correctness":
                    found.correct[question] = _score(judge, verdict)
                    found.said.setdefault(question, {})["correctness"] = _told(verdict)
    return found


def _read_support(found: _Found, item: Item, verdict: Verdict, roles: LabelRoles) -> None:
    """Enter the verdicts on an item's claims; without any, its claims stay without a label."""
    question = item.attributes["question"]
    stated: Sequence[Mapping[str, Any]] = ()
    if isinstance(verdict, Scored) and verdict.evidence is not None:
        listed: Any = verdict.evidence["claims"]
        stated = listed
    read = [_claim(each, roles) for each in stated]
    if item.attributes["against"] == CITED:
        text = item.inputs["claim"]
        missing = Claim(text if isinstance(text, str) else " ".join(text))
        found.cited.setdefault(question, []).extend(read or [missing])
        return
    number = int(item.attributes.get("part", "1")) - 1
    claims = list(found.claims[question])
    factual = [place for place, each in enumerate(claims) if each.kind == "factual"]
    for place, each in zip(factual[number:], read, strict=False):
        claims[place] = each
    found.claims[question] = tuple(claims)


def _claim(stated: Mapping[str, Any], roles: LabelRoles) -> Claim:
    return Claim(
        str(stated["claim"]),
        "factual",
        _LABELS[roles.role(str(stated["label"]))],
        str(stated["quote"]),
        bool(stated["quote_found"]),
        str(stated["reasoning"]),
    )


def _figures(
    subject: Subject,
    variant: Variant,
    answered: Answered,
    judges: Mapping[Role, RoleJudge],
    found: _Found,
) -> list[Figure]:
    bank, corpus, metrics = subject.bank, subject.corpus, subject.metrics
    abstained = answered.abstained[variant.name]
    figures: list[Figure] = []
    if "retrieval" in metrics:
        figures += retrieval_figures(bank, variant, subject.options.cuts)
    if "citations" in metrics and corpus is not None:
        figures += citation_figures(bank, variant, corpus, abstained)
    if "abstention" in metrics:
        figures += abstention_figures(bank, variant, abstained, judge="abstention" if "abstention" in judges else None)
    answers = _left_out(subject, variant, abstained)
    if "faithfulness" in metrics:
        unsplit = dict.fromkeys(found.unsplit, "unscored")
        silent = {each.id: "no_claims" for each in bank.questions if each.id not in found.claims}
        told = label_roles(judges["claim_support"].scale).contradicted is not None
        figures += claim_figures(found.claims, {**silent, **answers, **unsplit}, contradictions_told=told)
    if "citation_support" in metrics:
        cited = {
            question: [None if each.label is None else each.label == "supported" for each in claims]
            for question, claims in found.cited.items()
        }
        uncited = {each.id: "no_citations" for each in bank.questions if each.id not in cited}
        figures.append(citation_support_figure(cited, {**uncited, **answers}))
    if "answer_relevancy" in metrics:
        silent = {each.id: "no_answer" for each in bank.questions if each.id not in found.similarities}
        figures.append(answer_relevancy_figure(found.similarities, {**silent, **answers}))
    if "context_relevancy" in metrics:
        needed = {question: [each for _, each in parts] for question, parts in found.needed.items()}
        missing = {
            each.id: "no_context" if each.answerable else "no_relevant_chunk"
            for each in bank.questions
            if each.id not in needed
        }
        without = dict.fromkeys((each.id for each in bank.questions if each.id not in variant.outputs), "no_output")
        figures.append(context_relevancy_figure(needed, {**missing, **without}))
    if "correctness" in metrics:
        missing = {each.id: "no_reference" for each in bank.questions if not each.reference}
        without = dict.fromkeys((each.id for each in bank.questions if each.id not in variant.outputs), "no_output")
        figures.append(correctness_figure(found.correct, {**missing, **without}))
    unknown = unknown_contexts(variant, corpus)
    return [*(_without(each, unknown) for each in figures), *system_figures(bank, variant)]


def _without(figure: Figure, unknown: Iterable[str]) -> Figure:
    """Leave out of a figure what it would need an unknown context for, unless it was left out for want of an answer."""
    stays = ("no_relevant_chunk", "no_output", "abstained", "not_told")
    left_out = [name for name in unknown if figure.left_out.get(name) not in stays]
    if figure.name not in _OF_CONTEXTS or not left_out:
        return figure
    values = {name: value for name, value in figure.values.items() if name not in left_out}
    return replace(figure, values=values, left_out={**figure.left_out, **dict.fromkeys(left_out, "unknown_context")})


def _left_out(subject: Subject, variant: Variant, abstained: Mapping[str, bool | None]) -> dict[str, str]:
    """Return the questions that have no answer to be judged, and why."""
    found = {}
    for each in subject.bank.questions:
        if each.id not in variant.outputs:
            found[each.id] = "no_output"
        elif (declined := abstained.get(each.id)) is not False:
            found[each.id] = "abstained" if declined else "unscored"
    return found


def _traces(
    subject: Subject,
    variant: Variant,
    answered: Answered,
    found: _Found,
    figures: Sequence[Figure],
) -> dict[str, dict[str, Json]]:
    traces: dict[str, dict[str, Json]] = {}
    corpus = subject.corpus or Corpus(())
    unknown = unknown_contexts(variant, subject.corpus)
    for question in subject.bank.questions:
        output = variant.outputs.get(question.id)
        if output is None:
            continue
        ranks = {chunk: rank for rank, chunk in enumerate(output.ranked, 1)}
        relevant: list[Json] = [
            {"id": each, "rank": ranks.get(each), "in_context": each in output.context} for each in question.relevant
        ]
        trace: dict[str, Json] = {
            "answer": output.answer,
            "abstained": answered.abstained[variant.name].get(question.id),
            "relevant": relevant,
            "retrieved": len(output.ranked),
            "context": list(output.context),
            "unknown_context": question.id in unknown,
            "citations": []
            if question.id in unknown
            else [each.to_json() for each in citations(output.answer, corpus, output.context)],
            "claims": [each.to_json() for each in found.claims.get(question.id, ())],
            "repeated_claims": found.repeated.get(question.id, 0),
            "cited_claims": [each.to_json() for each in found.cited.get(question.id, ())],
            "questions_written_back": [
                {"question": asked, "similarity": similarity}
                for asked, similarity in zip(
                    found.questions.get(question.id, ()), found.similarities.get(question.id, ()), strict=False
                )
            ],
            "context_needed": [{"part": part, "needed": needed} for part, needed in found.needed.get(question.id, ())],
            "said": found.said.get(question.id, {}),
            "figures": {each.name: each.values[question.id] for each in figures if question.id in each.values},
        }
        traces[question.id] = trace
    return traces


def _passes(judge: RoleJudge, verdict: Verdict) -> bool | None:
    return judge.scale.passes(verdict.label) if isinstance(verdict, Scored) else None


def _score(judge: RoleJudge, verdict: Verdict) -> float | None:
    """Return 1 or 0 for a label, and a score as a share of its scale where that has bounds."""
    if not isinstance(verdict, Scored):
        return None
    scale = judge.scale
    if scale.kind == "interval" and scale.low is not None and scale.high is not None and scale.high > scale.low:
        return (float(verdict.label) - scale.low) / (scale.high - scale.low)
    passes = scale.passes(verdict.label)
    return None if passes is None else float(passes)


def _told(verdict: Verdict) -> dict[str, Json]:
    if isinstance(verdict, Unscored):
        return {"label": None, "unscored": verdict.reason, "detail": verdict.detail}
    return {"label": verdict.label, "reasoning": verdict.reasoning}
