"""Alignment against what 1,000 verdicts cost: interval bars, the front as a line, and a strip for unknown costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from calibrate.report.blocks import Chart, Table
from calibrate.report.figures import dollars
from calibrate.report.plot import axis, css, hover, layout, plain

__all__ = ["CostPoint", "Series", "cost_chart", "letters"]

_LOG_FROM = 10.0  # how many times the least the largest cost is, from which on the axis is logarithmic
_UNKNOWN, _FREE = "unknown", "$0"
_STRIP = 0.11  # width of a column beside the axis, as a share of the chart
_MOST_TICKS = 7
_MOST_LABELS = 16
_MOST_SHARED = 4  # letters beside one spot
_LETTER = 0.016  # width of a letter, as a share of the chart
_LINE = 0.06  # height of a label, as a share of the chart


@dataclass(frozen=True, slots=True)
class Series:
    """How points of one kind are drawn.

    Attributes:
        name: what they are.
        symbol: Plotly's name of their shape.
        sign: a character like it, for the key.
        colour: their colour, a name of the style sheet.
        beside: where their letter stands, in Plotly's words.
    """

    name: str
    symbol: str
    sign: str
    colour: str
    beside: str = "middle right"


@dataclass(frozen=True, slots=True)
class CostPoint:
    """A judge on the chart.

    Attributes:
        letter: what stands beside it on the chart; empty for nothing.
        cost: US dollars per 1,000 verdicts; None when unknown.
        alignment: its alignment.
        low: lower end of its interval; None without one.
        high: upper end.
        series: its kind.
        on_front: whether no other one is as good or better at the same or a lower cost.
        hover: what is told of it, line by line.
    """

    letter: str
    cost: float | None
    alignment: float
    low: float | None
    high: float | None
    series: Series
    on_front: bool
    hover: tuple[str, ...]


def letters(number: int) -> list[str]:
    """Return A to Z, then AA, AB and so on."""

    def letter(position: int) -> str:
        before, last = divmod(position, 26)
        return (letter(before - 1) if before else "") + chr(ord("A") + last)

    return [letter(each) for each in range(number)]


def cost_chart(name: str, caption: str, points: Sequence[CostPoint], table: Table) -> Chart:
    """Draw judges by cost and alignment.

    Unknown costs stand in a column of their own on the left; so do costs of zero where the axis is logarithmic.
    """
    costs = [each.cost for each in points if each.cost]
    logarithmic = bool(costs) and max(costs) / min(costs) > _LOG_FROM
    strip = [_UNKNOWN] if any(each.cost is None for each in points) else []
    strip += [_FREE] if logarithmic and any(each.cost == 0 for each in points) else []
    places = {id(each): _place(each, logarithmic=logarithmic) for each in points}
    traces = [_front(points, places)] if any(each.on_front for each in points) else []
    shared = _readable(points, places, _shared_letters(points, places), logarithmic=logarithmic)
    for series in dict.fromkeys(each.series for each in points):
        for on_front in (False, True):
            for in_strip in (False, True):
                drawn = [
                    each
                    for each in points
                    if each.series == series and each.on_front == on_front and (places[id(each)][1]) == in_strip
                ]
                if drawn:
                    traces.append(_trace(drawn, places, shared, series, on_front=on_front, in_strip=in_strip))
    left = len(strip) * _STRIP + 0.02 if strip else 0.0
    title = "US dollars per 1,000 verdicts"
    scale = {"type": "log", **_ticks(costs)} if logarithmic else {"tickprefix": "$"}
    axes: dict[str, Any] = {
        "xaxis": axis(f"{title} (log)" if logarithmic else title, domain=[left, 1], nticks=6, tickformat="~g", **scale),
        "yaxis": axis("alignment", anchor="x2" if strip else "x"),
    }
    if strip:
        axes["xaxis2"] = axis(
            "",
            domain=[0, left - 0.02],
            type="category",
            categoryorder="array",
            categoryarray=strip,
            range=[-0.5, len(strip) - 0.5],
            tickvals=strip,
            ticktext=[each.replace(_UNKNOWN, "un-<br>known") for each in strip],
            tickangle=0,
        )
    key = [(each.sign, each.name) for each in dict.fromkeys(point.series for point in points)]
    if any(each.on_front for each in points):
        key.append(("┄", "the front, filled: no other one is as good for the same cost or less"))
    if any(each.low is not None for each in points):
        key.append(("│", "95 % interval"))
    return Chart(
        name, caption, {"data": traces, "layout": layout(showlegend=False, **axes)}, table, tuple(key), height=400
    )


def _ticks(costs: Sequence[float]) -> dict[str, Any]:
    """Return ticks at 1, 2 and 5 of each power of ten, or at the powers alone where those would be many."""
    low, high = math.floor(math.log10(min(costs))), math.ceil(math.log10(max(costs)))
    for steps in ((1, 2, 5), (1, 3), (1,)):
        found = [step * 10.0**power for power in range(low, high + 1) for step in steps]
        shown = [each for each in found if min(costs) / 2 <= each <= max(costs) * 2]
        if len(shown) <= _MOST_TICKS:
            break
    return {"tickvals": shown, "ticktext": [dollars(each) for each in shown], "tickangle": 0}


_Place = tuple[float | str, bool]


def _place(point: CostPoint, *, logarithmic: bool) -> _Place:
    """Return where a point stands on its axis, and whether that is the strip."""
    if point.cost is None:
        return _UNKNOWN, True
    if point.cost == 0 and logarithmic:
        return _FREE, True
    return point.cost, False


def _shared_letters(points: Sequence[CostPoint], places: dict[int, _Place]) -> dict[int, str]:
    """Return what stands beside each point: the first of those on one spot carries the letters of all."""
    spots: dict[tuple[str, float], list[CostPoint]] = {}
    for each in points:
        if each.letter:
            where = places[id(each)][0]
            spot = f"{where:.2g}" if isinstance(where, float) else where
            spots.setdefault((spot, round(each.alignment, 2)), []).append(each)
    return {id(each): "" for each in points} | {
        id(spot[0]): " ".join(each.letter for each in spot[:_MOST_SHARED]) + (" …" if spot[_MOST_SHARED:] else "")
        for spot in spots.values()
    }


def _readable(
    points: Sequence[CostPoint], places: dict[int, _Place], labels: dict[int, str], *, logarithmic: bool
) -> dict[int, str]:
    """Return the labels that have room, those on the front first; the table has the others."""
    across = _shares([_along(places[id(each)][0], logarithmic=logarithmic) for each in points])
    ends = [end for each in points for end in (each.low, each.high) if end is not None]
    up = _shares([*(each.alignment for each in points), *ends])  # the axis holds the interval bars too
    kept: dict[int, tuple[bool, float, float, float]] = {}
    for at in sorted(range(len(points)), key=lambda at: not points[at].on_front):
        label, strip = labels[id(points[at])], places[id(points[at])][1]
        if not label or len(kept) == _MOST_LABELS:
            continue
        left, right = across[at], across[at] + len(label) * _LETTER
        near = (
            strip == other_strip and left < other_right and other_left < right and abs(up[at] - height) < _LINE
            for other_strip, other_left, other_right, height in kept.values()
        )
        if not any(near):
            kept[id(points[at])] = (strip, left, right, up[at])
    return {key: label if key in kept else "" for key, label in labels.items()}


def _along(place: float | str, *, logarithmic: bool) -> float | None:
    """Return how far along the axis a cost is; None in the strip beside it."""
    if isinstance(place, str):
        return None
    return math.log10(place) if logarithmic else place


def _shares(values: Sequence[float | None]) -> list[float]:
    """Return where values lie between the least and the largest; 0 for those that lie elsewhere."""
    known = [each for each in values if each is not None]
    low, span = min(known, default=0.0), max(known, default=0.0) - min(known, default=0.0)
    return [0.0 if each is None or not span else (each - low) / span for each in values]


def _front(points: Sequence[CostPoint], places: dict[int, _Place]) -> dict[str, Any]:
    on_front = [each for each in points if each.on_front and not places[id(each)][1]]
    ordered = sorted(on_front, key=lambda each: each.cost or 0.0)
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [each.cost for each in ordered],
        "y": [each.alignment for each in ordered],
        "line": {"color": css("soft"), "width": 1.5, "dash": "dot"},
        "hoverinfo": "skip",
    }


def _trace(
    points: Sequence[CostPoint],
    places: dict[int, _Place],
    shared: dict[int, str],
    series: Series,
    *,
    on_front: bool,
    in_strip: bool,
) -> dict[str, Any]:
    colour = css(series.colour)
    bars = any(each.low is not None for each in points)
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [places[id(each)][0] for each in points],
        "y": [each.alignment for each in points],
        **({"xaxis": "x2"} if in_strip else {}),
        "text": [f"<b>{plain(shared[id(each)])}</b>" if shared[id(each)] else "" for each in points],
        "textposition": series.beside,
        "hovertext": [hover(each.hover) for each in points],
        "hoverinfo": "text",
        "cliponaxis": False,
        "marker": {
            "symbol": series.symbol if on_front else f"{series.symbol}-open",
            "size": 12,
            "color": colour,
            "line": {"width": 2, "color": colour},
        },
        **({"error_y": _bars(points, colour)} if bars else {}),
    }


def _bars(points: Sequence[CostPoint], colour: dict[str, str]) -> dict[str, Any]:
    return {
        "type": "data",
        "symmetric": False,
        "array": [0 if each.high is None else max(0.0, each.high - each.alignment) for each in points],
        "arrayminus": [0 if each.low is None else max(0.0, each.alignment - each.low) for each in points],
        "color": colour,
        "thickness": 1.2,
        "width": 4,
    }
