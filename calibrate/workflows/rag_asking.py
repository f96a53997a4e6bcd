"""Asking the judges of a RAG evaluation: each in its role, about all variants in one pool, every verdict recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from calibrate.domain import GoldenSet, Item, Scored, Unscored, Verdict, request_key
from calibrate.judge import Claim, ClaimKind, PromptJudge
from calibrate.providers import Ledger
from calibrate.rag import Bank, Corpus, Variant
from calibrate.rag.abstention import AbstentionRule, abstentions
from calibrate.rag.checking_outputs import unknown_contexts
from calibrate.rag.judged_items import (
    Role,
    abstention_items,
    citation_items,
    claim_items,
    context_items,
    correctness_items,
    relevancy_items,
    split_items,
)
from calibrate.rag.sentences import sentences
from calibrate.store import Store
from calibrate.workflows.evaluated import Evaluated
from calibrate.workflows.evaluation import Evaluator
from calibrate.workflows.preflight import Work, judging
from calibrate.workflows.progress import Progress
from calibrate.workflows.rag_judges import RoleJudge
from calibrate.workflows.rag_options import Metric, RagOptions
from calibrate.workflows.setup import LEXICAL, JudgeOptions, Prepared

__all__ = ["EMBEDDING", "Answered", "RoleVerdicts", "Subject", "ask_all", "claims_said", "works"]

EMBEDDING = "comparing questions written back"
"""The purpose of an embedder's calls."""

_TITLES: Mapping[Role, str] = {
    "abstention": "Who abstains",
    "claims": "Splitting answers into claims",
    "claim_support": "Holding claims against their context",
    "answer_relevancy": "Writing questions back",
    "context_relevancy": "Which of the context was needed",
    "correctness": "Comparing with the references",
}


@dataclass(frozen=True, slots=True)
class Subject:
    """What is evaluated.

    Attributes:
        bank: the questions.
        corpus: the chunks; None when there is none, and nothing that needs their texts is measured.
        variants: what each system did.
        metrics: what is measured.
        options: how.
    """

    bank: Bank
    corpus: Corpus | None
    variants: tuple[Variant, ...]
    metrics: tuple[Metric, ...]
    options: RagOptions

    def readable(self, variant: Variant) -> Variant:
        """Return a variant without the outputs whose context holds chunks that the corpus does not have.

        What an answer came from is then not known: nothing that needs its context is asked or measured.
        """
        unknown = unknown_contexts(variant, self.corpus)
        return replace(variant, outputs={name: out for name, out in variant.outputs.items() if name not in unknown})


@dataclass(frozen=True, slots=True)
class RoleVerdicts:
    """What the judge of a role said.

    Attributes:
        items: what it was asked about.
        evaluated: its verdicts by item, and what they took.
    """

    items: tuple[Item, ...]
    evaluated: Evaluated

    def of(self, variant: str) -> list[tuple[Item, Verdict]]:
        """Return the items of a variant with their verdicts."""
        mine = (item for item in self.items if item.attributes["variant"] == variant)
        return [(item, self.evaluated.verdicts[item.id]) for item in mine]

    @property
    def unscored(self) -> list[Unscored]:
        """The verdicts without a label."""
        return [each for each in self.evaluated.verdicts.values() if isinstance(each, Unscored)]


@dataclass(slots=True)
class Answered:
    """What is known of the answers before figures are made of it.

    Attributes:
        abstained: by variant and question; None where the judge gave no verdict.
        verdicts: by role.
    """

    abstained: dict[str, dict[str, bool | None]]
    verdicts: dict[Role, RoleVerdicts] = field(default_factory=dict)


def by_rule(subject: Subject) -> dict[str, dict[str, bool | None]]:
    """Return who abstained, by the declared phrases."""
    rule = AbstentionRule.of(subject.options.phrases, replace=subject.options.only_phrases)
    return {each.name: dict(abstentions(each, rule)) for each in subject.variants}


async def ask_all(
    subject: Subject,
    judges: Mapping[Role, RoleJudge],
    store: Store,
    run_id: int,
    progress: Progress,
    ledger: Ledger,
) -> Answered:
    """Ask every judge, in the order of ``judges``; what was answered is recorded before it counts.

    Raises:
        ProviderError: a model failed throughout; what was answered is stored.
        BudgetExceeded: the budget ended; what was answered is stored.
    """
    answered = Answered(by_rule(subject))
    for role, judge in judges.items():
        items = judge.seen(_items(role, subject, answered))
        answered.verdicts[role] = RoleVerdicts(items, Evaluated(0))
        if not items:
            continue
        golden = _golden(role, judge, items, subject)
        store.save_golden(golden, subject.bank.source)
        evaluator = Evaluator(
            store,
            run_id,
            golden,
            judge.model,
            judge.settings,
            concurrency=subject.options.concurrency,
            progress=progress,
            ledger=ledger,
            fresh=subject.options.fresh,
            unlabelled=True,
        )
        (evaluated,) = await evaluator.evaluate([judge.prompt], _TITLES[role])
        answered.verdicts[role] = RoleVerdicts(items, evaluated)
        if role == "abstention":
            _decide(answered, judge, items, evaluated.verdicts)
    return answered


def works(subject: Subject, judges: Mapping[Role, RoleJudge], store: Store | None) -> list[Work]:
    """Return what asking every judge takes, before anything is spent.

    How many claims an answer has is known only once it is split: until then a sentence counts as one, and answers that
    no judge of abstention has seen count as abstaining by the rule. An embedder's calls, one for each reply with
    questions, are work without a cost of its own: that is part of the judge's.
    """
    answered = Answered(by_rule(subject))
    if "abstention" in judges:
        items = judges["abstention"].seen(_items("abstention", subject, answered))
        _decide(answered, judges["abstention"], items, _stored(judges["abstention"], items, subject, store))
    found = []
    for role, judge in judges.items():
        if role == "claim_support" and "claims" in judges:
            items = _expected_claims(subject, answered, judges["claims"], store)
        else:
            items = _items(role, subject, answered)
        if not items:
            continue
        seen = judge.seen(items)
        golden = _golden(role, judge, seen, subject)
        part = Prepared(golden, judge.prompt, judge.settings, subject.bank.source)
        options = JudgeOptions(judge.model.name, concurrency=subject.options.concurrency, fresh=subject.options.fresh)
        work = judging(store, judge.model, part, options, unlabelled=True, purpose=role.replace("_", " "))
        found.append(work)
        if (embedder := _embedder(judge)) is not None and work.calls:
            found.append(Work(embedder, work.calls, 0, 0, 0, 0.0, 0.0, 0.0, assumed=False, purpose=EMBEDDING))
    return found


def _embedder(judge: RoleJudge) -> str | None:
    """Return the embedder that is called to compare questions written back; the lexical one is no call."""
    told = judge.model.identity.get("embedder")
    name = str(told["name"]) if isinstance(told, Mapping) else LEXICAL
    return None if name == LEXICAL else name


def claims_said(verdict: Verdict) -> tuple[Claim, ...] | None:
    """Return the claims of a split; None when there is none."""
    if not isinstance(verdict, Scored) or verdict.evidence is None:
        return None
    listed: Any = verdict.evidence["claims"]
    return tuple(Claim(str(each["claim"]), _kind(each["kind"])) for each in listed)


def _items(role: Role, subject: Subject, answered: Answered) -> tuple[Item, ...]:
    bank, corpus, options = subject.bank, subject.corpus or Corpus(()), subject.options
    found: list[Item] = []
    for variant in subject.variants:
        abstained = answered.abstained[variant.name]
        readable = subject.readable(variant)
        match role:
            case "abstention":
                found += abstention_items(bank, variant)
            case "claims":
                found += split_items(bank, readable, abstained)
            case "answer_relevancy":
                found += relevancy_items(bank, variant, abstained)
            case "context_relevancy":
                found += context_items(bank, readable, corpus, options.context_unit)
            case "correctness":
                found += correctness_items(bank, variant)
            case "claim_support":
                if "faithfulness" in subject.metrics:
                    claims = _claims(answered.verdicts.get("claims"), variant)
                    found += claim_items(bank, readable, corpus, claims, one_by_one=options.per_claim)
                if "citation_support" in subject.metrics:
                    found += citation_items(bank, readable, corpus, abstained)
    return tuple(found)


def _claims(split: RoleVerdicts | None, variant: Variant) -> dict[str, tuple[Claim, ...]]:
    said = [] if split is None else split.of(variant.name)
    found = ((item.attributes["question"], claims_said(verdict)) for item, verdict in said)
    return {question: claims for question, claims in found if claims is not None}


def _decide(answered: Answered, judge: RoleJudge, items: Sequence[Item], said: Mapping[str, Verdict]) -> None:
    """Let the judge's verdicts replace what the rule said; an answer without text abstains whatever it says."""
    for item in items:
        verdict = said.get(item.id)
        if verdict is not None:
            passes = judge.scale.passes(verdict.label) if isinstance(verdict, Scored) else None
            answered.abstained[item.attributes["variant"]][item.attributes["question"]] = passes


def _golden(role: Role, judge: RoleJudge, items: Sequence[Item], subject: Subject) -> GoldenSet:
    return GoldenSet(
        name=f"{subject.bank.name}: {role}",
        items=tuple(items),
        scales={role: judge.scale},
        provenance="answers of a RAG system, unlabelled: made to be judged, not to calibrate a judge",
        language=subject.bank.language,
        gold="none",
    )


def _expected_claims(
    subject: Subject, answered: Answered, splitter: RoleJudge, store: Store | None
) -> tuple[Item, ...]:
    """Return the claims to be verified: as they were split, where that is stored, else a claim a sentence."""
    bank, corpus, options = subject.bank, subject.corpus or Corpus(()), subject.options
    found: list[Item] = []
    for variant in map(subject.readable, subject.variants):
        abstained = answered.abstained[variant.name]
        if "faithfulness" in subject.metrics:
            answers = splitter.seen(split_items(bank, variant, abstained))
            said = _stored(splitter, answers, subject, store)
            claims = {item.attributes["question"]: _split(item, said.get(item.id)) for item in answers}
            found += claim_items(bank, variant, corpus, claims, one_by_one=options.per_claim)
        if "citation_support" in subject.metrics:
            found += citation_items(bank, variant, corpus, abstained)
    return tuple(found)


def _stored(judge: RoleJudge, items: Sequence[Item], subject: Subject, store: Store | None) -> dict[str, Verdict]:
    """Return, by item, what the judge has said already; of several votes the first."""
    if store is None or subject.options.fresh:
        return {}
    asked = PromptJudge(judge.prompt, judge.model.name, judge.scale, judge.settings.asked_once)
    keys = {item.id: request_key(judge.model, asked.request(item)) for item in items}
    known = store.responses(list(keys.values()))
    return {item.id: asked.read(known[keys[item.id]], item) for item in items if keys[item.id] in known}


def _split(item: Item, said: Verdict | None) -> tuple[Claim, ...]:
    if said is not None:
        return claims_said(said) or ()
    answer = item.inputs["answer"]
    text = answer if isinstance(answer, str) else "\n".join(answer)
    return tuple(Claim(each.text) for each in sentences(text))


def _kind(value: object) -> ClaimKind:
    return "conditional" if value == "conditional" else "normative" if value == "normative" else "factual"
