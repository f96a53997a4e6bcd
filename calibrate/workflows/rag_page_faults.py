"""Where the fault of a RAG system lies, as a page tells it: warnings, faults, and rules that could not be applied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from calibrate.rag.names import figure_name
from calibrate.report import Block, Cell, Column, Notes, Paragraph, Section, Table
from calibrate.workflows.sentences import counted

__all__ = ["faults_section"]

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


def faults_section(facts: Mapping[str, Any]) -> Section:
    """Return the warnings, the faults of each variant and between variants, and the rules that could not be applied."""
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
        columns = (Column("of"), Column("what the rule looks for"), Column("why it could not be applied", prose=True))
        blocks.append(Paragraph(f"{counted(len(silent), 'rule')} could not be applied, as figures are missing."))
        blocks.append(Table("Rules that could not be applied", columns, tuple(silent), folded=len(silent) > 6))
    return Section("faults", "Where the fault lies", tuple(blocks))


def _faults(what: str, found: Mapping[str, Any], none: str) -> Iterator[Block]:
    yield Paragraph(what, "strong")
    if found["faults"]:
        yield Notes(tuple(f"{each['sentence'].rstrip('.')}." for each in _told(found)))
    else:
        silent = len(found["silent"])
        open_ = f"; {counted(silent, 'rule')} could not be applied" if silent else ""
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
