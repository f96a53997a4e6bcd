"""A RAG evaluation as a page to send: faults first, then every figure by variant, its differences, and its judges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from calibrate.rag.names import figure_name
from calibrate.rag.sample_resolution import SampleResolution
from calibrate.report import Block, Cell, Column, Facts, Notes, Page, Paragraph, Section, Table
from calibrate.store import RunRecord
from calibrate.workflows.rag_page_cost import cost_section
from calibrate.workflows.rag_page_faults import faults_section
from calibrate.workflows.rag_page_questions import question_sections
from calibrate.workflows.rag_page_reading import reading_section
from calibrate.workflows.rag_plan import resolution_sentence
from calibrate.workflows.rag_report import RagReport
from calibrate.workflows.rag_words import (
    conclusion_in_words,
    difference_in_words,
    figure_interval,
    figure_value,
    judge_in_words,
    judges_behind,
    left_out_in_words,
    missing_in_words,
    p_in_words,
    questions_in_words,
    system_in_words,
)
from calibrate.workflows.record import money
from calibrate.workflows.sentences import counted

__all__ = ["rag_page"]

_GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "Retrieval, which needs no model",
        ("recall", "precision", "hit_rate", "ndcg", "mrr", "context_recall", "context_p"),
    ),
    ("Abstention and citations", ("abstention", "answer_rate", "citations_", "citation_precision")),
    ("What it takes", ("answer_words", "latency", "tokens", "cost", "retrieved_chunks", "context_chunks")),
)
"""Figures by the beginnings of their names; what is in none of these comes from judges of answers."""

_ANSWERS = "Answers, as judges see them"
_TONES: Mapping[str, Any] = {"better": "good", "worse": "bad"}
_MOST_OPEN = 3  # pairs of variants whose tables are open at first


def rag_page(report: RagReport, run: RunRecord, most_items: int, *, markdown: bool = False) -> tuple[Page, int]:
    """Return the page of a RAG evaluation, and how many changed questions are not on it.

    Args:
        report: what the run found.
        run: the run.
        most_items: the largest number of questions with their traces, of those that go wrong and of those that changed.
        markdown: whether it is for a page in Markdown, which has room for few.
    """
    facts = report.facts
    failures, changes, left_out = question_sections(facts, report.run, most_items, markdown=markdown)
    sections = (
        faults_section(facts),
        _figures_section(facts),
        *_differences_section(facts),
        cost_section(facts),
        _judges_section(report),
        failures,
        changes,
        _resolution_section(facts),
        reading_section(facts),
        _record_section(report, run),
    )
    return Page(
        _title(facts), report.sentence, sections, _about(facts, run), report.simulated, _notes(report, run)
    ), left_out


def _title(facts: Mapping[str, Any]) -> str:
    return f"RAG evaluation on {facts['bank']['name']}: {counted(len(facts['variants']), 'variant')}"


def _about(facts: Mapping[str, Any], run: RunRecord) -> tuple[tuple[str, str], ...]:
    bank = facts["bank"]
    return (
        ("bank", bank["name"]),
        ("questions", f"{bank['questions']:,}, {bank['unanswerable']} without an answer in the corpus"),
        ("variants", ", ".join(each["name"] for each in facts["variants"])),
        ("judge", str(run.spec["judge"]["model"])),
        ("run", f"{run.id}, {run.status}"),
        ("started", run.created[:10]),
    )


def _notes(report: RagReport, run: RunRecord) -> tuple[str, ...]:
    said = []
    if run.status != "done":
        said.append(f"The run is {run.status}: the figures are those that it had found before.")
    if report.status == "too_many_unscored":
        missing = missing_in_words(report.facts["judges"])
        said.append(f"Too many verdicts are missing ({missing}): no good word is said about the figures they give.")
    unreviewed = report.facts["bank"]["unreviewed"]
    if unreviewed:
        said.append(f"{counted(unreviewed, 'question')} nobody has reviewed.")
    return tuple(said)


def _figures_section(facts: Mapping[str, Any]) -> Section:
    variants = facts["variants"]
    figures = [{each["name"]: each for each in variant["figures"]} for variant in variants]
    names = list(dict.fromkeys(name for each in figures for name in each))
    blocks: list[Block] = []
    for caption, group in _grouped(names):
        rows = tuple(_figure_row(name, figures, facts["judges"]) for name in group)
        columns = (
            Column("figure"),
            *(Column(each["name"], numeric=True) for each in variants),
            Column("questions", numeric=True),
            Column("left out", prose=True),
            Column("judge", prose=True),
        )
        judged = any(row[-1].text for row in rows)
        if not judged:
            columns, rows = columns[:-1], tuple(row[:-1] for row in rows)
        blocks.append(Table(caption, columns, rows))
    several = " Several numbers in a cell are those of the variants in their order." if len(variants) > 1 else ""
    said = "Means over the questions that have a value, with 95 % intervals; the others are left out and counted."
    blocks.append(Paragraph(said + several, "muted"))
    notes = [f"{each['name']}: {note}." for each in variants for note in each["notes"]]
    if notes:
        blocks.append(Notes(tuple(notes)))
    return Section("figures", "Figures by variant", tuple(blocks))


def _grouped(names: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the figures by what they are about; those of judged answers before what answers take."""
    known = {name: caption for name in names for caption, starts in _GROUPS if name.startswith(starts)}
    captions = [caption for caption, _ in _GROUPS]
    for caption in (*captions[:-1], _ANSWERS, captions[-1]):
        group = [name for name in names if known.get(name, _ANSWERS) == caption]
        if group:
            yield caption, group


def _figure_row(
    name: str, figures: Sequence[Mapping[str, Mapping[str, Any]]], judges: Sequence[Mapping[str, Any]]
) -> tuple[Cell, ...]:
    found = [each.get(name) for each in figures]
    role = next((each["judge"] for each in found if each is not None), None)
    return (
        Cell(figure_name(name)),
        *(Cell(figure_value(each), figure_interval(each)) for each in found),
        Cell(questions_in_words(found)),
        Cell(left_out_in_words(found)),
        Cell("; ".join(map(_judge, judges_behind(name, role, judges)))),
    )


def _judge(judge: Mapping[str, Any]) -> str:
    """Say who gives a figure, and how far that judge is known."""
    who = f"{judge['role'].replace('_', ' ')}: {judge['judge']}"
    return f"{who}, alignment {_alignment(judge)}" if judge["measured"] else f"{who}, never calibrated on such data"


def _alignment(judge: Mapping[str, Any]) -> str:
    if judge["alignment"] is None:
        return "undefined"
    ends = "" if judge["low"] is None or judge["high"] is None else f" ({judge['low']:.2f} to {judge['high']:.2f})"
    return f"{judge['alignment']:.2f}{ends}"


def _differences_section(facts: Mapping[str, Any]) -> Iterator[Section]:
    pairs = list(dict.fromkeys((each["first"], each["second"]) for each in facts["comparisons"]))
    if not pairs:
        return
    blocks: list[Block] = [
        Paragraph(
            "Paired, question by question, over those with a value in both variants: the means are over these, and so "
            "can be others than in the tables above. p (Holm) is corrected for the number of tests. Noise: nothing is "
            "left of the difference without the two questions that speak most for it, or the judge's own flips explain "
            "it. Not distinguishable: these questions cannot tell, which is no proof that nothing differs."
        )
    ]
    for first, second in pairs:
        tests = [each for each in facts["comparisons"] if (each["first"], each["second"]) == (first, second)]
        blocks.append(_differences(first, second, tests, folded=len(pairs) > _MOST_OPEN))
    yield Section("differences", "What differs", tuple(blocks))


def _differences(first: str, second: str, tests: Sequence[Mapping[str, Any]], *, folded: bool) -> Table:
    columns = (
        Column("figure"),
        Column(first, numeric=True),
        Column(second, numeric=True),
        Column("difference", numeric=True),
        Column("conclusion", prose=True),
        Column("p", numeric=True),
        Column("p (Holm)", numeric=True),
        Column("questions", numeric=True),
        Column("changed", numeric=True),
    )
    rows = tuple(
        (
            Cell(figure_name(each["name"])),
            *(
                Cell(figure_value({**each, "value": each[side], "left_out": {}}))
                for side in ("first_value", "second_value")
            ),
            Cell(*difference_in_words(each)),
            Cell(conclusion_in_words(each), tone=_TONES.get(each["conclusion"], "")),
            Cell(p_in_words(each["p"])),
            Cell(p_in_words(each["p_holm"])),
            Cell(str(each["n"])),
            Cell(str(len(each["changed"]))),
        )
        for each in tests
    )
    return Table(f"From {first} to {second}, with 95 % intervals", columns, rows, folded=folded)


def _judges_section(report: RagReport) -> Section:
    facts = report.facts
    judges: Sequence[Mapping[str, Any]] = facts["judges"]
    by = {"judge": "by a judge"}.get(facts["abstention_by"], f"by {facts['abstention_by']}")
    if not judges:
        said = "No judge was asked: what needs a model was not measured. Name one with --judge."
        return Section(
            "judges",
            "The judges behind the figures",
            (Paragraph(said), Paragraph(f"Whether an answer abstains is decided {by}.")),
        )
    columns = (
        Column("judge of"),
        Column("model"),
        Column("alignment", numeric=True),
        Column("n", numeric=True),
        Column("measured on", prose=True),
        Column("flips", numeric=True),
        Column("verdicts", numeric=True),
        Column("missing"),
        Column("cost", numeric=True),
        Column("prompt"),
    )
    rows = tuple(
        (
            Cell(each["role"].replace("_", " ")),
            Cell(each["judge"]),
            Cell(_alignment(each) if each["measured"] else "never", tone="" if each["measured"] else "bad"),
            Cell("" if each["n"] is None else str(each["n"])),
            Cell(", ".join(filter(None, (each["golden_set"], each["source"])))),
            Cell("not measured" if each["flip_rate"] is None else f"{each['flip_rate']:.1%}"),
            Cell(str(each["verdicts"])),
            Cell(", ".join(f"{reason} {count}" for reason, count in each["unscored"].items())),
            Cell(money(each["cost"])),
            Cell(str(each["record"]["prompt"])[:12], tone="muted"),
        )
        for each in judges
    )
    kept = [place for place in range(len(columns)) if any(row[place].text for row in rows)]
    table = Table(
        "What each judge judges, with its own alignment with experts and its own noise",
        tuple(columns[place] for place in kept),
        tuple(tuple(row[place] for place in kept) for row in rows),
    )
    blocks: list[Block] = [
        table,
        Notes(tuple(f"{judge_in_words(each)}." for each in judges)),
        Paragraph(
            f"{_missing(judges)} Paid: {report.spent_in_words}. The costs in the table are those of the verdicts: a "
            "reply that serves several of them, or was stored before, counts in each and is paid once, so that "
            f"together they may come to more. Whether an answer abstains is decided {by}.",
            "muted",
        ),
    ]
    return Section("judges", "The judges behind the figures", tuple(blocks))


def _missing(judges: Sequence[Mapping[str, Any]]) -> str:
    missing = missing_in_words(judges)
    return f"Without a verdict: {missing}." if missing else "No verdict is missing."


def _resolution_section(facts: Mapping[str, Any]) -> Section:
    sentences = [
        resolution_sentence(each["n"], SampleResolution(**each), name) for name, each in facts["resolution"].items()
    ]
    fewest = {each["fewest_changed"] for each in facts["resolution"].values() if each["fewest_changed"] is not None}
    if fewest:
        sentences.append(f"At least {max(fewest)} questions have to change, all one way, before a test sees anything.")
    sentences.append("Where several figures are tested together, a difference has to be larger.")
    return Section("resolution", "What so many questions can show", (Notes(tuple(sentences)),))


def _record_section(report: RagReport, run: RunRecord) -> Section:
    facts = report.facts
    bank, corpus = facts["bank"], facts["corpus"]
    sampled = f", a sample of {bank['sample']}" if bank["sample"] else ""
    told = [
        ("bank", f"{bank['name']}, digest {bank['digest']}{sampled}"),
        ("questions", f"{bank['answerable']} with an answer in the corpus, {bank['unanswerable']} without"),
        ("language", bank["language"]),
        ("corpus", "none" if corpus is None else f"{corpus['chunks']:,} chunks, digest {corpus['digest']}"),
        *((each["name"], _variant(each)) for each in facts["variants"]),
        ("measured", ", ".join(each.replace("_", " ") for each in facts["metrics"])),
        ("cuts", ", ".join(map(str, facts["cuts"]))),
        ("claims verified", facts["claims_verified"]),
        ("context relevancy by", facts["context_unit"]),
        ("seed", str(run.spec.get("seed", 0))),
        ("run", f"{run.id}, {run.created} by calibrate {run.version}, {run.status}"),
    ]
    blocks: list[Block] = [Facts(tuple(told))]
    if report.notes:
        blocks.append(Notes(report.notes))
    return Section("record", "What was evaluated", tuple(blocks))


def _variant(variant: Mapping[str, Any]) -> str:
    source = PurePath(str(variant["source"])).name  # where it lies on somebody's disk is nothing to send around
    outputs = counted(variant["outputs"], "output")
    return "; ".join(filter(None, (f"{source}, {outputs}, digest {variant['digest']}", system_in_words(variant))))
