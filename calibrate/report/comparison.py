"""The page of a comparison of judges: cost of 1,000 verdicts against alignment, as a chart and as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from calibrate.report.blocks import Block, Cell, Column, Page, Paragraph, Section, Table
from calibrate.report.cost_chart import CostPoint, Series, cost_chart, letters
from calibrate.report.figures import between, dollars, three
from calibrate.report.html import html_page

__all__ = ["JudgePoint", "comparison_page"]

_SERIES = {
    "judge": Series("judge", "circle", "○", "s1"),
    "jury": Series("jury", "diamond", "◇", "s2"),
    "cascade": Series("cascade", "square", "□", "s3"),
}

_LONGEST_FIGURE = 24  # characters; what is longer is a sentence


@dataclass(frozen=True, slots=True)
class JudgePoint:
    """A judge, or what is made of several, in a comparison.

    Attributes:
        name: what tells it from the others.
        kind: a judge that was asked, a jury, or a cascade.
        alignment: None when it is undefined.
        low: lower end of its interval; None without one.
        high: upper end.
        cost_per_verdict: US dollars; None when unknown.
        on_front: whether no other one is as good or better at the same or a lower cost.
        figures: what else stands beside it in the table and is told at its point: names and values; empty ones are not.
    """

    name: str
    kind: Literal["judge", "jury", "cascade"]
    alignment: float | None
    low: float | None
    high: float | None
    cost_per_verdict: float | None
    on_front: bool
    figures: Mapping[str, str]

    @property
    def cost_per_1000(self) -> float | None:
        """US dollars per 1,000 verdicts; None when unknown."""
        return None if self.cost_per_verdict is None else 1000 * self.cost_per_verdict


def comparison_page(
    title: str, sentence: str, points: Sequence[JudgePoint], notes: Sequence[str] = (), simulated: bool = False
) -> str:
    """Return the page of a comparison as one HTML file.

    Args:
        title: what was compared.
        sentence: what a manager can quote.
        points: the judges, in the order of the table.
        notes: what should be known beside the figures.
        simulated: whether a simulated model had a part in it.

    Raises:
        InputError: Plotly or Jinja2 is not installed.
    """
    blocks: list[Block] = []
    marked = list(zip(letters(len(points)), points, strict=True))
    drawn = [(letter, each) for letter, each in marked if each.alignment is not None]
    table = _table(marked)
    if drawn:
        caption = "Alignment with the experts against the cost of 1,000 verdicts; up and to the left is better."
        blocks.append(cost_chart("cost", caption, [_spot(letter, each) for letter, each in drawn], table))
    else:
        blocks.append(table)
    blocks += [Paragraph(each, "muted") for each in _left_out(marked)]
    section = Section("judges", "Cost against alignment", tuple(blocks))
    return html_page(Page(title, sentence, (section,), simulated=simulated, notes=tuple(notes)))


def _spot(letter: str, point: JudgePoint) -> CostPoint:
    told = (
        f"{letter}: {point.name}",
        f"alignment {three(point.alignment)} {between(point.low, point.high)}",
        f"{dollars(point.cost_per_1000)} per 1,000 verdicts",
        *(f"{name}: {value}" for name, value in point.figures.items() if value),
    )
    return CostPoint(
        letter,
        point.cost_per_1000,
        point.alignment or 0.0,
        point.low,
        point.high,
        _SERIES[point.kind],
        point.on_front,
        told,
    )


def _table(marked: Sequence[tuple[str, JudgePoint]]) -> Table:
    names = tuple(dict.fromkeys(name for _, each in marked for name, value in each.figures.items() if value))
    told = {name for _, each in marked for name, value in each.figures.items() if len(value) > _LONGEST_FIGURE}
    several = len({each.kind for _, each in marked}) > 1
    columns = (
        Column("judge"),
        Column(""),
        *((Column("kind"),) if several else ()),
        Column("alignment", numeric=True),
        Column("cost of 1,000", numeric=True),
        Column("front"),
        *(Column(name, numeric=name not in told, prose=name in told) for name in names),
    )
    rows = tuple(
        (
            Cell(each.name, tone="strong" if each.on_front else ""),
            Cell(letter, tone="muted"),
            *((Cell(each.kind),) if several else ()),
            Cell(three(each.alignment), between(each.low, each.high)),
            Cell(dollars(each.cost_per_1000)),
            Cell("yes" if each.on_front else ""),
            *(Cell(each.figures.get(name, "")) for name in names),
        )
        for letter, each in marked
    )
    return Table("The judges compared, with 95 % intervals", columns, rows)


def _left_out(marked: Sequence[tuple[str, JudgePoint]]) -> list[str]:
    undefined = [each.name for _, each in marked if each.alignment is None]
    unknown = [each.name for _, each in marked if each.cost_per_verdict is None and each.alignment is not None]
    free = [each.name for _, each in marked if each.cost_per_verdict == 0]
    said = []
    if undefined:
        said.append(f"Not on the chart, since their alignment is undefined: {', '.join(undefined)}.")
    if unknown:
        said.append(
            f"Of unknown cost, in a column of their own on the chart and never on the front: {', '.join(unknown)}."
        )
    if free:
        said.append(f"A price of zero is what is declared for: {', '.join(free)}; running it may cost all the same.")
    return said
