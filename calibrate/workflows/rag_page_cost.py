"""What each variant of a RAG system achieves against what an answer takes, as charts and as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from calibrate.rag.names import figure_name
from calibrate.report import (
    Block,
    Cell,
    Column,
    Facts,
    Paragraph,
    QualityPoint,
    Section,
    Series,
    Table,
    letters,
    quality_chart,
)
from calibrate.workflows.rag_words import figure_interval, figure_value, system_in_words

__all__ = ["cost_section"]

_QUALITY: Mapping[str, Series] = {
    "correctness": Series(figure_name("correctness"), "circle", "○", "s1"),
    "faithfulness": Series(figure_name("faithfulness"), "diamond", "◇", "s2"),
    "context_recall": Series(figure_name("context_recall"), "square", "□", "s3"),
    "abstention_recall": Series(figure_name("abstention_recall"), "triangle-up", "△", "s4"),
}
"""The figures that stand for what a system is worth, as far as they were measured."""

_AMOUNTS = (
    ("latency", "seconds an answer", ""),
    ("cost", "US dollars an answer", "$"),
    ("tokens", "tokens an answer", ""),
)

_Figures = Mapping[str, Mapping[str, Any]]


def cost_section(facts: Mapping[str, Any]) -> Section:
    """Return what the variants achieve against seconds, US dollars and tokens, as far as their outputs tell."""
    variants = [(each, {figure["name"]: figure for figure in each["figures"]}) for each in facts["variants"]]
    told = [(each["name"], system_in_words(each)) for each, _ in variants]
    blocks: list[Block] = [Facts(tuple((name, words or "its outputs do not tell") for name, words in told))]
    named = [
        (letter, each["name"], figures)
        for letter, (each, figures) in zip(letters(len(variants)), variants, strict=True)
    ]
    quality = [name for name in _QUALITY if any(_has(figures, name) for _, _, figures in named)]
    unknown = []
    for amount, across, prefix in _AMOUNTS:
        known = [each for each in named if _has(each[2], amount)]
        if not known:
            unknown.append(figure_name(amount))
            continue
        table = _table(named, amount, quality)
        points = [*_points(known, amount, quality)]
        if len(known) > 1 and points:
            caption = f"What each variant achieves against {across}; up and to the left is better."
            blocks.append(quality_chart(amount, caption, across, points, table, prefix=prefix))
        else:
            lone = f"only the outputs of {known[0][1]} tell it, and a chart compares variants"
            why = lone if len(known) == 1 else "no figure of quality was measured"
            blocks += [table, Paragraph(f"No chart against {across}: {why}.", "muted")]
    if unknown:
        blocks.append(Paragraph(f"Unknown, as the outputs do not tell: {', '.join(unknown)}.", "muted"))
    return Section("cost", "Quality against cost and time", tuple(blocks))


def _has(figures: _Figures, name: str) -> bool:
    return name in figures and figures[name]["value"] is not None


def _points(known: Sequence[tuple[str, str, _Figures]], amount: str, quality: Sequence[str]) -> Iterator[QualityPoint]:
    for letter, variant, figures in known:
        for name in quality:
            if not _has(figures, name):
                continue
            figure, taken = figures[name], figures[amount]
            told = (
                f"{letter}: {variant}",
                f"{figure_name(name)} {figure_value(figure)} {figure_interval(figure)}",
                f"{figure_name(amount)}: {figure_value(taken)} {figure_interval(taken)}",
            )
            low, high = figure["low"], figure["high"]
            yield QualityPoint(letter, taken["value"], figure["value"], low, high, _QUALITY[name], told)


def _table(named: Sequence[tuple[str, str, _Figures]], amount: str, quality: Sequence[str]) -> Table:
    columns = (
        Column("variant"),
        Column(""),
        Column(figure_name(amount), numeric=True),
        *(Column(figure_name(name), numeric=True) for name in quality),
    )
    rows = tuple(
        (
            Cell(variant),
            Cell(letter, tone="muted"),
            *(Cell(figure_value(figures.get(name)), figure_interval(figures.get(name))) for name in (amount, *quality)),
        )
        for letter, variant, figures in named
    )
    return Table(f"Variants by {figure_name(amount)}, with 95 % intervals", columns, rows)
