"""Where the fault of a RAG system lies, as a page tells it: warnings, faults, what cannot be said, how to read it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from calibrate.rag.names import figure_name
from calibrate.report import Block, Cell, Column, Notes, Paragraph, Section, Table
from calibrate.workflows.sentences import counted

__all__ = ["faults_section", "reading_section"]

_RULES: Mapping[str, str] = {
    "invents": "it invents",
    "retrieval": "index, chunking or query",
    "reranker": "the reranker, or a context too small",
    "generation": "generation",
    "declines": "it declines what it could answer",
    "invents_more": "it invents more",
    "retrieval_worse": "retrieval is worse",
    "reranker_worse": "less of what is found reaches the context",
    "generation_worse": "generation is worse",
    "answers_do_not_follow": "retrieval is better, answers are not",
    "memory": "it answers from memory",
    "k_too_large": "k is too large",
}

_READING = (
    ("Abstains too seldom where nothing answers", "It invents. Fix this first: nothing else matters as much."),
    (
        "Recall is low even at the widest cut",
        "Index, chunking or query: what answers the question is not found at all.",
    ),
    (
        "Recall is high at the widest cut and low in the context",
        "The reranker, or a context too small: it is found and lost on the way.",
    ),
    (
        "All that is relevant stands in the context, and answers are unfaithful or wrong",
        "Generation: the prompt, or the model that answers.",
    ),
    ("All that is relevant stands in the context, and it declines", "It abstains too readily."),
    ("Retrieval becomes better and answers do not", "Generation: it makes nothing of what it gets."),
    (
        "Faithfulness falls and correctness rises",
        "It answers from memory: right today, and by nothing that you can check.",
    ),
    (
        "The context grows, its relevancy falls, faithfulness does not gain",
        "k is too large: what was added is not needed.",
    ),
    (
        "Faithfulness rises while answers shorten, correctness falls, or more is declined",
        "Beware (Goodhart): what is not said needs no support.",
    ),
)


def faults_section(facts: Mapping[str, Any]) -> Section:
    """Return the warnings, the faults of each variant and between variants, and the rules that cannot say anything."""
    blocks: list[Block] = [
        Paragraph(f"Beware, from {pair['first']} to {pair['second']}: {each['sentence'].rstrip('.')}.", "bad")
        for pair in facts["between"]
        for each in pair["warnings"]
    ]
    for variant in facts["variants"]:
        blocks += _faults(variant["name"], variant, "No rule finds a fault in it")
    for pair in facts["between"]:
        what = f"From {pair['first']} to {pair['second']}"
        blocks += _faults(what, pair, "No rule finds that the change made or left a fault")
    silent = [*_silent(facts)]
    if silent:
        columns = (Column("of"), Column("rule"), Column("what is missing", prose=True))
        blocks.append(Paragraph(f"{counted(len(silent), 'rule')} cannot say anything, since figures are missing."))
        blocks.append(Table("The silent rules, and what is missing", columns, tuple(silent), folded=len(silent) > 6))
    return Section("faults", "Where the fault lies", tuple(blocks))


def reading_section() -> Section:
    """Return the rules that figures are read by."""
    columns = (Column("what the figures show", prose=True), Column("where to look", prose=True))
    rows = tuple((Cell(seen), Cell(where)) for seen, where in _READING)
    said = (
        "Retrieval is read first, and without any model: no prompt makes up for what was not found. A rule is certain "
        "only where the whole 95 % interval allows no other reading; else the figures point to it and do not settle it."
    )
    table = Table("The rules that the figures are read by", columns, rows)
    return Section("reading", "How to read this", (Paragraph(said), table))


def _faults(what: str, found: Mapping[str, Any], none: str) -> Iterator[Block]:
    yield Paragraph(what, "strong")
    if found["faults"]:
        yield Notes(tuple(f"{each['sentence'].rstrip('.')}." for each in _told(found)))
    else:
        silent = len(found["silent"])
        open_ = f"; {counted(silent, 'rule')} cannot say anything" if silent else ""
        yield Paragraph(f"{none}{open_}.")


def _told(found: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    faults: Sequence[Mapping[str, Any]] = found["faults"]
    return sorted(faults, key=lambda each: int(each["order"]))


def _silent(facts: Mapping[str, Any]) -> Iterator[tuple[Cell, ...]]:
    of = [(each["name"], each["silent"]) for each in facts["variants"]]
    of += [(f"{each['first']} to {each['second']}", each["silent"]) for each in facts["between"]]
    for name, rules in of:
        for each in rules:
            missing = ", ".join(map(figure_name, each["missing"]))
            said = (
                f"{each['sentence']} ({missing})" if missing and missing not in each["sentence"] else each["sentence"]
            )
            yield Cell(name), Cell(_RULES.get(each["code"], each["code"])), Cell(said)
