"""What the judges of a RAG evaluation are shown: one item for each thing to be judged.

Every judge has a role, which is also the dimension that it is calibrated on:

- ``abstention``: does the answer decline to answer? (question, answer)
- ``claims``: takes an answer apart into claims. (question, answer)
- ``claim_support``: are claims supported by the context, and by the chunks that they cite? (context, claim; the
  question too, where the judge knows it)
- ``answer_relevancy``: writes questions back from the answer. (question, answer)
- ``context_relevancy``: was this chunk, or sentence, needed to answer the question? (question, context)
- ``correctness``: does the answer say what the reference says? (question, reference, answer)

The ids of the items are made of variant and question; which they belong to is in their attributes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, TypeAlias, get_args

from calibrate.domain import Item, Scale, Text
from calibrate.judge import Claim, Task
from calibrate.rag.bank import Bank
from calibrate.rag.citations import cited_claims, without_citations
from calibrate.rag.corpus import Corpus
from calibrate.rag.outputs import Variant
from calibrate.rag.sentences import sentences

__all__ = [
    "CITED",
    "CONTEXT",
    "ROLES",
    "ContextUnit",
    "Role",
    "abstention_items",
    "citation_items",
    "claim_items",
    "context_items",
    "correctness_items",
    "distinct_claims",
    "relevancy_items",
    "role_inputs",
    "role_scale",
    "role_task",
    "split_items",
]

Role: TypeAlias = Literal[
    "abstention", "claims", "claim_support", "answer_relevancy", "context_relevancy", "correctness"
]
ROLES: tuple[Role, ...] = get_args(Role)

ContextUnit: TypeAlias = Literal["chunk", "sentence"]

CONTEXT = "context"
CITED = "cited chunks"
"""What a claim is held against, in the attribute ``against`` of its item."""

_TASKS: Mapping[Role, Task] = {"claims": "split", "claim_support": "verify", "answer_relevancy": "questions"}
_INPUTS: Mapping[Role, tuple[str, ...]] = {
    "abstention": ("question", "answer"),
    "claims": ("question", "answer"),
    "claim_support": ("context", "claim"),
    "answer_relevancy": ("question", "answer"),
    "context_relevancy": ("question", "context"),
    "correctness": ("question", "reference", "answer"),
}


def role_task(role: Role) -> Task:
    """Return what the judge of a role is asked to do."""
    return _TASKS.get(role, "verdict")


def role_inputs(role: Role) -> tuple[str, ...]:
    """Return what a judge sees that was not calibrated on anything else, in the order of its items."""
    return _INPUTS[role]


def role_scale(role: Role, language: str) -> Scale:
    """Return the labels of a judge that brings none of its own."""
    if role == "answer_relevancy":
        return Scale("interval", threshold=0.5, low=0.0, high=1.0)
    if role == "claim_support":
        spanish = language.casefold().startswith("es")
        words = ("respaldada", "contradicha", "no mencionada") if spanish else (
            "supported", "contradicted", "not mentioned"
        )  # fmt: skip
        return Scale("nominal", labels=words)
    return Scale("binary", labels=("0", "1"), positive="1")


def abstention_items(bank: Bank, variant: Variant) -> tuple[Item, ...]:
    """Return the answers of a variant, for the judge of abstention; an answer without text abstains anyway."""
    return tuple(_answers("abstention", bank, variant, {}))


def split_items(bank: Bank, variant: Variant, abstained: Mapping[str, bool | None]) -> tuple[Item, ...]:
    """Return the answers to be taken apart: those that do not abstain. Citations are left out of them."""
    return tuple(_answers("claims", bank, variant, abstained))


def relevancy_items(bank: Bank, variant: Variant, abstained: Mapping[str, bool | None]) -> tuple[Item, ...]:
    """Return the answers that questions are written back from: those that do not abstain."""
    return tuple(_answers("answer_relevancy", bank, variant, abstained))


def correctness_items(bank: Bank, variant: Variant) -> tuple[Item, ...]:
    """Return the answers to the questions that have a reference, declined ones too: a reference was to be had."""
    found = []
    for question in bank.questions:
        output = variant.outputs.get(question.id)
        if output is not None and question.reference:
            inputs = {"question": question.text, "reference": question.reference, "answer": output.answer}
            found.append(_item("correctness", variant, question.id, inputs))
    return tuple(found)


def context_items(bank: Bank, variant: Variant, corpus: Corpus, unit: ContextUnit = "chunk") -> tuple[Item, ...]:
    """Return the chunks of each context, or their sentences, each with the question that it was retrieved for.

    Of a question that nothing in the corpus answers no chunk can be needed: it is left out.
    """
    found = []
    for question in bank.questions:
        output = variant.outputs.get(question.id) if question.answerable else None
        for chunk in () if output is None else output.context:
            for text in corpus.texts([chunk]):
                parts = (text,) if unit == "chunk" else tuple(each.text for each in sentences(text)) or (text,)
                for number, part in enumerate(parts, 1):
                    name = chunk if unit == "chunk" else f"{chunk}.{number}"
                    inputs = {"question": question.text, "context": part}
                    found.append(_item("context_relevancy", variant, question.id, inputs, part=name, chunk=chunk))
    return tuple(found)


def claim_items(
    bank: Bank,
    variant: Variant,
    corpus: Corpus,
    claims: Mapping[str, Sequence[Claim]],
    *,
    one_by_one: bool = False,
) -> tuple[Item, ...]:
    """Return the factual claims of each answer with its context: all in one item, or one item each.

    A claim that a splitter repeats is one claim.
    """
    found = []
    for question in bank.questions:
        factual = [each.text for each in distinct_claims(claims.get(question.id, ())) if each.kind == "factual"]
        if not factual:
            continue
        context = corpus.texts(variant.outputs[question.id].context)
        groups = [(claim,) for claim in factual] if one_by_one else [tuple(factual)]
        for number, group in enumerate(groups, 1):
            inputs: dict[str, Text] = {
                "question": question.text,
                "context": context,
                "claim": group[0] if one_by_one else group,
            }
            part = f"{number}" if one_by_one else ""
            found.append(_item("claim_support", variant, question.id, inputs, part=part, against=CONTEXT))
    return tuple(found)


def distinct_claims(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Return claims without those that repeat one before word for word, but for case, white space and the last stop."""
    found: dict[tuple[str, str], Claim] = {}
    for each in claims:
        found.setdefault((" ".join(each.text.casefold().split()).rstrip("."), each.kind), each)
    return tuple(found.values())


def citation_items(
    bank: Bank, variant: Variant, corpus: Corpus, abstained: Mapping[str, bool | None]
) -> tuple[Item, ...]:
    """Return what each answer states with valid citations, with the chunks that it cites there as the context."""
    found = []
    for question in bank.questions:
        output = variant.outputs.get(question.id)
        if output is None or abstained.get(question.id) is not False:
            continue
        for number, claim in enumerate(cited_claims(output.answer, corpus, output.context), 1):
            inputs: dict[str, Text] = {
                "question": question.text,
                "context": corpus.texts(claim.ids),
                "claim": claim.sentence,
            }
            ids = " ".join(claim.ids)
            found.append(
                _item("claim_support", variant, question.id, inputs, part=f"cited {number}", against=CITED, cited=ids)
            )
    return tuple(found)


def _answers(role: Role, bank: Bank, variant: Variant, abstained: Mapping[str, bool | None]) -> Iterator[Item]:
    for question in bank.questions:
        output = variant.outputs.get(question.id)
        if output is None or abstained.get(question.id, False) is not False:
            continue
        answer = without_citations(output.answer).strip()
        if answer:
            yield _item(role, variant, question.id, {"question": question.text, "answer": answer})


def _item(
    role: Role, variant: Variant, question: str, inputs: Mapping[str, Text], part: str = "", **further: str
) -> Item:
    group = f"{_escaped(variant.name)}/{_escaped(question)}"
    name = f"{group}#{part}" if part else group
    attributes = {"variant": variant.name, "question": question, **({"part": part} if part else {}), **further}
    return Item(name, role, dict(inputs), group=group, attributes=attributes)


def _escaped(name: str) -> str:
    """Write a name so that what it is put together with can be told from it."""
    return name.replace("%", "%25").replace("/", "%2F").replace("#", "%23")
