"""Everything that a RAG evaluation found, as the one document that the run keeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from calibrate.domain import Json
from calibrate.rag import Figure
from calibrate.rag.answers import percentile, total
from calibrate.rag.changes import changed_questions
from calibrate.rag.checking_outputs import unknown_contexts
from calibrate.rag.comparing import Paired, compare_variants
from calibrate.rag.failures import failed_questions
from calibrate.rag.fault_changes import change_faults
from calibrate.rag.faults import variant_faults
from calibrate.rag.goodhart import goodhart_warning
from calibrate.rag.judged_items import Role
from calibrate.rag.retrieval import depth_notes
from calibrate.rag.sample_resolution import resolution
from calibrate.rag.summaries import Summary, summarise
from calibrate.workflows.rag_asking import Answered, Subject
from calibrate.workflows.rag_bank_labels import on_this_bank
from calibrate.workflows.rag_floors import Compared, largest_floors, noise_floors
from calibrate.workflows.rag_judges import RoleJudge
from calibrate.workflows.rag_measure import Measured

__all__ = ["OUTCOMES", "facts_of", "is_without_claims"]

OUTCOMES = (
    "context_recall",
    "mrr",
    "abstention_recall",
    "answer_rate",
    "faithfulness",
    "correctness",
    "answer_relevancy",
    "context_relevancy",
    "citations_valid",
    "citation_support",
)
"""The figures that variants are compared in, beside recall at each cut; what a system spends is a family of its own."""

_SPENT = ("answer_words", "context_chunks", "latency", "tokens", "cost")


def facts_of(
    subject: Subject, measured: Sequence[Measured], answered: Answered, judges: Mapping[Role, RoleJudge]
) -> dict[str, Any]:
    """Return what was found, as JSON.

    Args:
        subject: what was evaluated.
        measured: its variants, measured.
        answered: what the judges said.
        judges: who they are.
    """
    options, bank, corpus = subject.options, subject.bank, subject.corpus
    figures = {each.variant.name: each.figures for each in measured}
    summaries = {
        name: {figure.name: summarise(figure, seed=options.seed) for figure in each} for name, each in figures.items()
    }
    floors = noise_floors(measured, judges)
    paired = _compared(figures, _outcomes(options.cuts), floors, options.seed)
    spent = _compared(figures, _SPENT, {}, options.seed)
    answerable = sum(each.answerable for each in bank.questions)
    return {
        "bank": {
            "name": bank.name,
            "questions": len(bank.questions),
            "answerable": answerable,
            "unanswerable": len(bank.questions) - answerable,
            "unreviewed": sum(not each.reviewed for each in bank.questions),
            "language": bank.language,
            "digest": bank.digest,
            "sample": options.sample,
        },
        "corpus": None if corpus is None else {"chunks": len(corpus.chunks), "digest": corpus.digest},
        "metrics": list(subject.metrics),
        "cuts": list(options.cuts),
        "context_unit": options.context_unit,
        "claims_verified": "one call each" if options.per_claim else "all of an answer in one call",
        "abstention_by": "judge" if "abstention" in judges else "declared phrases",
        "variants": [_variant(subject, each, summaries[each.variant.name]) for each in measured],
        "comparisons": [each.to_json() for each in (*paired, *spent)],
        "changes": _changes(measured),
        "between": _between(figures, (*paired, *spent), options.cuts),
        "judges": [
            {
                **_judge(judge, answered, largest_floors(judge.role, measured, floors)),
                "on_this_bank": on_this_bank(judge, answered, bank, options.seed),
            }
            for judge in judges.values()
        ],
        "resolution": {
            name: resolution(count).to_json()
            for name, count in (("answerable", answerable), ("unanswerable", len(bank.questions) - answerable))
            if count
        },
        "questions": {
            each.id: {"text": each.text, "relevant": list(each.relevant), "reference": each.reference}
            for each in bank.questions
        },
        "traces": {each.variant.name: each.traces for each in measured},
        "chunks": _chunks(subject),
        "evaluations": [each.evaluated.evaluation for each in answered.verdicts.values() if each.items],
    }


def _outcomes(cuts: Sequence[int]) -> tuple[str, ...]:
    return (*(f"recall@{cut}" for cut in cuts), *OUTCOMES)


def _compared(
    figures: Mapping[str, Sequence[Figure]], names: Sequence[str], floors: Mapping[Compared, float], seed: int
) -> tuple[Paired, ...]:
    chosen = {
        variant: [each for name in names for each in every if each.name == name and each.values]
        for variant, every in figures.items()
    }
    return compare_variants(chosen, floors_by_pair=floors, seed=seed)


def is_without_claims(figures: Sequence[Figure]) -> bool:
    """Tell whether answers were taken apart and none has a claim of any kind, which no good splitter says."""
    counts = [each for each in figures if each.judge == "claims" and each.name.endswith("_claims")]
    return any(each.values for each in counts) and not any(any(each.values.values()) for each in counts)


def _variant(subject: Subject, measured: Measured, summaries: Mapping[str, Summary]) -> dict[str, Any]:
    variant, options = measured.variant, subject.options
    by_name = {each.name: each for each in measured.figures}
    latency = by_name["latency"]
    return {
        "name": variant.name,
        "source": variant.source,
        "digest": variant.digest,
        "outputs": len(variant.outputs),
        "missing": sum(each.id not in variant.outputs for each in subject.bank.questions),
        "unknown_context": len(unknown_contexts(variant, subject.corpus)),
        "without_claims": is_without_claims(measured.figures),
        "figures": [each.to_json() for each in summaries.values()],
        "latency": {"median": percentile(latency, 0.5), "p95": percentile(latency, 0.95)},
        "tokens": total(by_name["tokens"]),
        "cost": total(by_name["cost"]),
        **variant_faults(measured.figures, cuts=options.cuts, seed=options.seed).to_json(),
        "failures": [each.to_json() for each in failed_questions(subject.bank.questions, measured.traces)],
        "notes": list(depth_notes(subject.bank, variant, options.cuts).values())
        if "retrieval" in subject.metrics
        else [],
    }


def _changes(measured: Sequence[Measured]) -> list[dict[str, Json]]:
    """Return, for every two variants, the questions whose outcome changed."""
    found: list[dict[str, Json]] = []
    for first, second in combinations(measured, 2):
        changed = changed_questions(first.figures, second.figures)
        found.append(
            {
                "first": first.variant.name,
                "second": second.variant.name,
                "questions": [each.to_json() for each in changed],
            }
        )
    return found


def _between(
    figures: Mapping[str, Sequence[Figure]], paired: Sequence[Paired], cuts: Sequence[int]
) -> list[dict[str, Json]]:
    """Return, for every two variants, what the differences point to, and what should make one suspicious."""
    found: list[dict[str, Json]] = []
    for first, second in combinations(figures, 2):
        mine = [each for each in paired if (each.first, each.second) == (first, second)]
        warning = goodhart_warning(mine, (figures[first], figures[second]))
        found.append(
            {
                "first": first,
                "second": second,
                **change_faults(mine, cuts=cuts).to_json(),
                "warnings": [] if warning is None else [warning.to_json()],
            }
        )
    return found


def _judge(judge: RoleJudge, answered: Answered, floors: Mapping[str, float]) -> dict[str, Any]:
    verdicts = answered.verdicts[judge.role]
    reasons = Counter(each.reason for each in verdicts.unscored)
    return {
        **judge.standing.to_json(),
        "record": judge.to_json(),
        "verdicts": len(verdicts.items),
        "unscored": dict(reasons),
        "paid_calls": verdicts.evaluated.paid_calls,
        "replayed_from": verdicts.evaluated.replayed_from,
        "cost": verdicts.evaluated.cost,
        "noise_floors": dict(floors),
    }


def _chunks(subject: Subject) -> dict[str, str]:
    """Return the texts that traces speak of: what is relevant, and what stood in a context."""
    corpus = subject.corpus
    if corpus is None:
        return {}
    ids = dict.fromkeys(_named(subject))
    return {each: corpus.by_id[each].text for each in ids if each in corpus}


def _named(subject: Subject) -> Iterator[str]:
    for question in subject.bank.questions:
        yield from question.relevant
    for variant in subject.variants:
        for output in variant.outputs.values():
            yield from output.context
