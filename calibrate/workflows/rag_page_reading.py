"""How to read a RAG evaluation, as a page tells it: the rules with their thresholds, and what the words mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from calibrate.rag.comparing import LEVEL
from calibrate.rag.faults import (
    ABSTENTION_ENOUGH,
    ANSWERED_ENOUGH,
    CORRECT_ENOUGH,
    FAITHFUL_ENOUGH,
    FEWEST_QUESTIONS,
    LOST_ENOUGH,
    RECALL_ENOUGH,
)
from calibrate.rag.goodhart import SHORTER_ENOUGH
from calibrate.report import Cell, Column, Facts, Paragraph, Section, Table

__all__ = ["reading_section"]


def reading_section(facts: Mapping[str, Any]) -> Section:
    """Return the rules that figures are read by, each with its threshold, and what the words of the page mean."""
    columns = (Column("what the figures show", prose=True), Column("where to look", prose=True))
    wide, narrow = f"recall@{max(facts['cuts'])}", f"recall@{min(facts['cuts'])}"
    one = tuple((Cell(seen), Cell(where)) for seen, where in _rules(wide))
    change = tuple((Cell(seen), Cell(where)) for seen, where in _rules_of_changes(wide, narrow))
    said = (
        "Retrieval is read first, and without any model: no prompt makes up for what was not found. A rule is certain "
        "only where the whole 95 % interval is below its threshold; else the figures point to it and do not settle it."
    )
    moved = (
        f"Between two variants a figure falls or rises when p of its own test is below {LEVEL} and the difference is "
        "no noise; a rule is certain only where that holds after the correction for all tests (Holm) too."
    )
    return Section(
        "reading",
        "How to read this",
        (
            Paragraph(said),
            Table("The rules for one variant", columns, one),
            Paragraph(moved),
            Table("The rules for two variants", columns, change),
            Facts(tuple(_words(facts))),
        ),
    )


def _rules(wide: str) -> Iterator[tuple[str, str]]:
    yield (
        f"Abstention where it must is below {ABSTENTION_ENOUGH}",
        "It invents. Fix this first: nothing else matters as much.",
    )
    yield (
        f"{wide} is below {RECALL_ENOUGH}",
        "Index, chunking or query: what answers the question is not found at all.",
    )
    yield (
        f"Context recall is below {RECALL_ENOUGH}, and {wide} is at least {LOST_ENOUGH} higher",
        "The reranker, or a context too small: it is found and lost on the way.",
    )
    full = f"Over the questions whose relevant chunks were all in the context, if there are {FEWEST_QUESTIONS} or more"
    yield (
        f"{full}: faithfulness is below {FAITHFUL_ENOUGH}, or correctness below {CORRECT_ENOUGH}",
        "Generation: the prompt, or the model that answers.",
    )
    yield (f"{full}: answering where it can is below {ANSWERED_ENOUGH}", "It abstains too readily.")


def _rules_of_changes(wide: str, narrow: str) -> Iterator[tuple[str, str]]:
    yield "Abstention where it must falls", "It invents more. Fix this first."
    yield f"{wide} falls", "Index, chunking or query."
    yield f"Context recall falls and {wide} does not", "The reranker, or a context too small."
    yield "Faithfulness or correctness falls and context recall does not", "Generation."
    yield (
        f"Context recall (without one, {narrow}) rises, and neither faithfulness nor correctness does",
        "Generation: it makes nothing of what it gets.",
    )
    yield (
        "Faithfulness falls and correctness rises",
        "It answers from memory: right today, and by nothing that you can check.",
    )
    yield (
        "The context holds more chunks, context relevancy falls, and faithfulness does not rise",
        "k is too large: what was added is not needed.",
    )
    yield (
        f"Faithfulness rises while answers lose {SHORTER_ENOUGH:.0%} of their words or more, correctness falls, or "
        "answering where it can falls",
        "Beware (Goodhart): what is not said needs no support.",
    )


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
