"""What is wrong with recorded outputs, by counting: chunks that do not exist, contexts from nowhere, gaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from calibrate.golden.check import Finding
from calibrate.golden.messages import listing
from calibrate.rag.bank import Bank
from calibrate.rag.checking import ids_in_words
from calibrate.rag.corpus import Corpus
from calibrate.rag.outputs import Output, Variant
from calibrate.rag.retrieval import contexts_not_told

__all__ = ["check_variant", "unknown_contexts"]


def check_variant(variant: Variant, bank: Bank, corpus: Corpus | None) -> tuple[Finding, ...]:
    """Check what a system did with the questions of a bank; ``dimension`` of a finding is the name of the variant.

    Codes: ``no_outputs``, ``no_known_context``, ``no_known_retrieved`` (errors: nothing can be measured on them),
    ``unknown_context`` (an error: what the answer came from cannot be read; an evaluation leaves these questions out of
    what needs the context); ``unknown_retrieved``, ``context_not_retrieved``, ``missing_outputs``, ``empty_answers``,
    ``no_contexts`` (warnings).
    """
    outputs = [variant.outputs[each.id] for each in bank.questions if each.id in variant.outputs]
    if not outputs:
        message = "no output to any question of the bank; its ids must be those of the bank's questions"
        return (Finding("error", "no_outputs", message, dimension=variant.name),)
    found = tuple(_found(outputs, variant.name, bank, corpus))
    if not contexts_not_told(variant):
        return found
    message = "chunks were retrieved and no output has a context: nothing that needs one is measured"
    return (*found, Finding("warning", "no_contexts", message, dimension=variant.name))


def unknown_contexts(variant: Variant, corpus: Corpus | None) -> Mapping[str, tuple[str, ...]]:
    """Return, by question, the ids in its context that the corpus does not have; only the questions with some.

    All questions, with no ids, where a variant retrieves and never has a context: then none of them is known.
    """
    if contexts_not_told(variant):
        return dict.fromkeys(variant.outputs, ())
    if corpus is None:
        return {}
    found = {question: _unknown(output.context, corpus) for question, output in variant.outputs.items()}
    return {question: ids for question, ids in found.items() if ids}


def _found(outputs: Sequence[Output], name: str, bank: Bank, corpus: Corpus | None) -> Iterator[Finding]:
    answered = {output.question for output in outputs}
    missing = [question.id for question in bank.questions if question.id not in answered]
    if missing:
        message = f"no output to {len(missing)} of {len(bank.questions)} questions: {listing(missing)}"
        yield Finding("warning", "missing_outputs", message, tuple(missing), name)
    if corpus is not None:
        yield from _unknown_chunks({each.question: each.context for each in outputs}, corpus, "context", name)
        yield from _unknown_chunks({each.question: each.ranked for each in outputs}, corpus, "retrieved", name)
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
    told: Mapping[str, tuple[str, ...]], corpus: Corpus, what: Literal["context", "retrieved"], name: str
) -> Iterator[Finding]:
    """Find the ids that the corpus does not have, in the contexts or among the retrieved."""
    found = {question: _unknown(ids, corpus) for question, ids in told.items()}
    concerned = tuple(question for question, ids in found.items() if ids)
    if not concerned:
        return
    ids = ids_in_words(dict.fromkeys(each for unknown in found.values() for each in unknown))
    if what == "context" and all(found[question] for question, context in told.items() if context):
        message = (
            f"every context holds chunks that the corpus does not have: {ids}; a context holds the ids of the "
            "corpus's chunks: are these texts, or the ids of another corpus?"
        )
        yield Finding("error", "no_known_context", message, concerned, name)
    elif what == "retrieved" and all(len(found[question]) == len(ranked) for question, ranked in told.items()):
        message = (
            f"the corpus has none of the retrieved chunks: {ids}; a ranking holds the ids of the corpus's chunks: are "
            "these texts, or the ids of another corpus?"
        )
        yield Finding("error", "no_known_retrieved", message, concerned, name)
    else:
        where = "in the context" if what == "context" else "among the retrieved"
        message = (
            f"chunks {where} that the corpus does not have, in {_outputs(len(concerned))}: {ids}; is it the corpus "
            "that was searched?"
        )
        level: Literal["error", "warning"] = "error" if what == "context" else "warning"
        yield Finding(level, f"unknown_{what}", message, concerned, name)


def _outputs(count: int) -> str:
    return "1 output" if count == 1 else f"{count} outputs"
