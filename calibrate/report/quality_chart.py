"""What systems achieve against what an answer takes: seconds, tokens or money across, shares with intervals up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from calibrate.report.blocks import Chart, Table
from calibrate.report.cost_chart import Series
from calibrate.report.plot import axis, css, hover, layout, plain

__all__ = ["QualityPoint", "quality_chart"]

_APART = 0.014  # between the figures of one system, as a share of the axis: else their intervals hide each other
_MARGIN = 0.12


@dataclass(frozen=True, slots=True)
class QualityPoint:
    """One figure of one system.

    Attributes:
        letter: what stands beside it on the chart.
        amount: what an answer takes.
        value: the figure, in [0, 1].
        low: lower end of its interval; None without one.
        high: upper end.
        series: which figure it is.
        hover: what is told of it, line by line.
    """

    letter: str
    amount: float
    value: float
    low: float | None
    high: float | None
    series: Series
    hover: tuple[str, ...]


def quality_chart(
    name: str, caption: str, across: str, points: Sequence[QualityPoint], table: Table, *, prefix: str = ""
) -> Chart:
    """Draw systems by what an answer takes and what it is worth.

    Args:
        name: tells the chart from others of a page.
        caption: what it shows.
        across: the title of the axis of amounts.
        points: the figures; those of one system have one amount.
        table: the same data.
        prefix: what stands before an amount, such as ``$``.
    """
    amounts = [each.amount for each in points]
    low, high = min(amounts), max(amounts)
    span = (high - low) or high or 1.0
    kinds = list(dict.fromkeys(each.series for each in points))
    traces = []
    for place, series in enumerate(kinds):
        shift = (place - (len(kinds) - 1) / 2) * _APART * span
        traces.append(_trace([each for each in points if each.series == series], series, shift))
    axes: dict[str, Any] = {
        "xaxis": axis(
            across,
            range=[low - _MARGIN * span, high + _MARGIN * span],
            nticks=6,
            tickformat="~g",
            tickprefix=prefix,
        ),
        "yaxis": axis("share", range=[-0.03, 1.03]),
    }
    key = [(each.sign, each.name) for each in kinds]
    if any(each.low is not None for each in points):
        key.append(("│", "95 % interval"))
    figure: dict[str, Any] = {"data": traces, "layout": layout(showlegend=False, **axes)}
    return Chart(name, caption, figure, table, tuple(key), height=400)


def _trace(points: Sequence[QualityPoint], series: Series, shift: float) -> dict[str, Any]:
    colour = css(series.colour)
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [each.amount + shift for each in points],
        "y": [each.value for each in points],
        "text": [f"<b>{plain(each.letter)}</b>" for each in points],
        "textposition": series.beside,
        "hovertext": [hover(each.hover) for each in points],
        "hoverinfo": "text",
        "cliponaxis": False,
        "marker": {"symbol": series.symbol, "size": 11, "color": colour},
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": [0 if each.high is None else max(0.0, each.high - each.value) for each in points],
            "arrayminus": [0 if each.low is None else max(0.0, each.value - each.low) for each in points],
            "color": colour,
            "thickness": 1.2,
            "width": 4,
        },
    }
