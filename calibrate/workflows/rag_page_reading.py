"""How to read a RAG evaluation, as a page tells it: the rules with their thresholds, and what the words mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from calibrate.rag.comparing import LEVEL
from calibrate.rag.diagnoses import FaultCode, Rule
from calibrate.rag.fault_changes import change_rules
from calibrate.rag.faults import FEWEST_QUESTIONS, variant_rules
from calibrate.rag.goodhart import SHORTER_ENOUGH
from calibrate.report import Cell, Column, Facts, Paragraph, Section, Table

__all__ = ["reading_section"]


_WHERE: Mapping[FaultCode, str] = {
    "invents": "It invents. Fix this first: nothing else matters as much.",
    "retrieval": "Index, chunking or query: what answers the question is not found at all.",
    "reranker": "The reranker, or a context too small: it is found and lost on the way.",
    "generation": "Generation: the prompt, or the model that answers.",
    "declines": "Generation: it abstains too readily.",
    "invents_more": "It invents more. Fix this first.",
    "retrieval_worse": "Index, chunking or query.",
    "reranker_worse": "The reranker, or a context too small.",
    "generation_worse": "Generation: worse, or more cautious where only correctness falls and more is declined.",
    "answers_do_not_follow": "Generation: it makes nothing of what it gets.",
    "memory": "It answers from memory: right today, and by nothing that you can check.",
    "k_too_large": "k is too large: what was added is not needed.",
}


def reading_section(facts: Mapping[str, Any]) -> Section:
    """Return the rules that figures are read by, each with its threshold, and what the words of the page mean."""
    one = (
        "Retrieval is read first, and without any model: no prompt makes up for what was not found. A rule is certain "
        "only where the whole 95 % interval is below its threshold, by an exact test too; else the fault is called "
        "likely, as it is where declared phrases and no judge decide what abstains. Rules about answers need "
        f"{FEWEST_QUESTIONS} questions or more with all that is relevant in the context."
    )
    two = (
        f"Between two variants a figure falls or rises when p of its own test is below {LEVEL} and the difference is "
        "no noise; a rule is certain only where that holds after the correction for all tests (Holm) too."
    )
    beware = (
        f"faithfulness rises while answers lose {SHORTER_ENOUGH:.0%} of their words or more, correctness falls, or "
        "answering where it can falls",
        "Beware (Goodhart): what is not said needs no support.",
    )
    cuts = facts["cuts"]
    return Section(
        "reading",
        "How to read this",
        (
            Paragraph(one),
            _table("The rules for one variant", _rows(variant_rules(cuts))),
            Paragraph(two),
            _table("The rules for two variants", [*_rows(change_rules(cuts)), beware]),
            Facts(tuple(_words(facts))),
        ),
    )


def _rows(rules: Sequence[Rule]) -> list[tuple[str, str]]:
    return [(each.sentence, _WHERE[each.code]) for each in rules]


def _table(caption: str, rows: Sequence[tuple[str, str]]) -> Table:
    columns = (Column("what the figures show", prose=True), Column("where to look", prose=True))
    return Table(caption, columns, tuple((Cell(seen), Cell(where)) for seen, where in rows))


def _words(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if "faithfulness" in facts["metrics"]:
        yield (
            "factual claim",
            "states something that the context can support or contradict; a rule or a permission that it reports is "
            "one. Only these count in faithfulness.",
        )
        yield "conditional claim", "holds only under a condition that is left open; it is counted and not verified."
        yield "normative claim", "the answer's own advice or opinion; it is counted and not verified."
    if facts["comparisons"]:
        yield (
            "figures and differences",
            "A figure of a variant is a mean over all its questions with a value. A difference is over the questions "
            "that have a value in both variants, so that the means it is between can be others.",
        )
    if "answer_relevancy" in facts["metrics"]:
        yield (
            "answer relevancy",
            "the mean similarity of the question with questions that a model writes from the answer alone. The lexical "
            "embedder, which is the one unless --embedder or the judge names another, compares shared words and parts "
            "of words, not meaning: its values are low, and compare with no other embedder's.",
        )
