"""What is wrong with recorded outputs, by counting: chunks that do not exist, contexts from nowhere, gaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from calibrate.golden.check import Finding
from calibrate.golden.messages import listing
from calibrate.rag.bank import Bank
from calibrate.rag.corpus import Corpus
from calibrate.rag.outputs import Output, Variant

__all__ = ["check_variant"]


def check_variant(variant: Variant, bank: Bank, corpus: Corpus | None) -> tuple[Finding, ...]:
    """Check what a system did with the questions of a bank; ``dimension`` of a finding is the name of the variant.

    Codes: ``no_outputs``, ``unknown_context`` (errors: what the answer came from cannot be read);
    ``unknown_retrieved``, ``context_not_retrieved``, ``missing_outputs``, ``empty_answers`` (warnings).
    """
    outputs = [variant.outputs[each.id] for each in bank.questions if each.id in variant.outputs]
    if not outputs:
        message = "no output to any question of the bank; its ids must be those of the bank's questions"
        return (Finding("error", "no_outputs", message, dimension=variant.name),)
    return tuple(_found(outputs, variant.name, bank, corpus))


def _found(outputs: Sequence[Output], name: str, bank: Bank, corpus: Corpus | None) -> Iterator[Finding]:
    answered = {output.question for output in outputs}
    missing = [question.id for question in bank.questions if question.id not in answered]
    if missing:
        message = f"no output to {len(missing)} of {len(bank.questions)} questions: {listing(missing)}"
        yield Finding("warning", "missing_outputs", message, tuple(missing), name)
    if corpus is not None:
        concerned = {each.question: _unknown(each.context, corpus) for each in outputs}
        yield from _unknown_chunks(concerned, "error", "unknown_context", "in the context", name)
        concerned = {each.question: _unknown(each.ranked, corpus) for each in outputs}
        yield from _unknown_chunks(concerned, "warning", "unknown_retrieved", "among the retrieved", name)
    elsewhere = [each.question for each in outputs if not set(each.context) <= set(each.ranked)]
    if elsewhere:
        message = (
            f"context chunks that were not retrieved, in {_outputs(len(elsewhere))}: {listing(elsewhere)}; is the list "
            "of retrieved chunks cut short?"
        )
        yield Finding("warning", "context_not_retrieved", message, tuple(elsewhere), name)
    empty = [each.question for each in outputs if not each.answer.strip()]
    if empty:
        message = f"an empty answer in {_outputs(len(empty))}: {listing(empty)}"
        yield Finding("warning", "empty_answers", message, tuple(empty), name)


def _unknown(ids: Iterable[str], corpus: Corpus) -> tuple[str, ...]:
    return tuple(each for each in ids if each not in corpus)


def _unknown_chunks(
    found: dict[str, tuple[str, ...]], level: str, code: str, where: str, name: str
) -> Iterator[Finding]:
    concerned = {question: ids for question, ids in found.items() if ids}
    if concerned:
        unknown = list(dict.fromkeys(each for ids in concerned.values() for each in ids))
        message = (
            f"chunks {where} that the corpus does not have, in {_outputs(len(concerned))}: {listing(unknown)}; is it "
            "the corpus that was searched?"
        )
        yield Finding("error" if level == "error" else "warning", code, message, tuple(concerned), name)


def _outputs(count: int) -> str:
    return "1 output" if count == 1 else f"{count} outputs"
