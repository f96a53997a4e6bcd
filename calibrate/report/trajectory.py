"""The candidates of a calibration in the order in which they were tried: which way each went, and from where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from calibrate.domain import Json
from calibrate.report.blocks import Chart, Table
from calibrate.report.figures import three
from calibrate.report.plot import axis, css, hover, layout, plain

__all__ = ["OUTCOMES", "Outcome", "Step", "trajectory_chart"]

Outcome = Literal["start", "best", "level", "below_best", "below_parent", "stopped", "rejected"]

OUTCOMES: dict[Outcome, tuple[str, str, str]] = {
    "start": ("hexagon", "⬢", "the start"),
    "best": ("star", "★", "new best"),
    "level": ("circle", "●", "as good as the best so far"),
    "below_best": ("circle-open", "○", "below the best so far"),
    "below_parent": ("triangle-down-open", "▽", "a regression: below its parent"),
    "stopped": ("square-open", "□", "stopped early"),
    "rejected": ("x-thin", "×", "rejected, never judged"),
}
"""Of each outcome the shape, a character like it, and the words."""

_COLOURS = 12
_STRIP = 0.13  # height of the strip for candidates without a score, as a share of the chart
_NONE = "no score"


@dataclass(frozen=True, slots=True)
class Step:
    """A candidate.

    Attributes:
        number: its number.
        iteration: when it was written.
        strategy: how.
        parent: what it was written from; None for the start.
        score: what it is ranked by; None when it was not judged to the end.
        outcome: which way it went.
        winner: whether it is the winner.
        told: what else is told at its point, line by line.
    """

    number: int
    iteration: int
    strategy: str
    parent: int | None
    score: float | None
    outcome: Outcome
    winner: bool
    told: tuple[str, ...] = ()


def trajectory_chart(steps: Sequence[Step], score: str, table: Table, best: str = "winner") -> Chart:
    """Draw the candidates: shape by outcome, colour by strategy, a line for the best so far.

    Args:
        steps: the candidates by number.
        score: what the score is called.
        table: the same as a table.
        best: what the best of them is called.
    """
    scored = [each for each in steps if each.score is not None]
    bare = [each for each in steps if each.score is None]
    bottom = _STRIP + 0.05 if bare else 0.0
    traces = [_parents(scored), _best(scored)]
    strategies = dict.fromkeys(each.strategy for each in steps)
    legend = tuple((strategy, f"s{position % _COLOURS + 1}") for position, strategy in enumerate(strategies))
    for strategy, name in legend:
        colour = css(name)
        here = [each for each in scored if each.strategy == strategy]
        without = [each for each in bare if each.strategy == strategy]
        if here:
            traces.append(_points(here, strategy, colour, best))
        if without:
            traces.append({**_points(without, strategy, colour, best), "yaxis": "y2"})
    firsts = [each for at, each in enumerate(steps) if at == 0 or each.iteration != steps[at - 1].iteration]
    axes: dict[str, Any] = {
        "xaxis": axis(
            "iteration, its candidates in order",
            tickvals=[each.number for each in firsts],
            ticktext=[str(each.iteration) for each in firsts],
            tickangle=0,
            range=[-0.7, steps[-1].number + 0.7],
            anchor="y2" if bare else "y",
        ),
        "yaxis": axis(plain(score), domain=[bottom, 1]),
    }
    if bare:
        axes["yaxis2"] = axis(
            "", domain=[0, _STRIP], type="category", categoryarray=[_NONE], range=[-0.5, 0.5], showgrid=False
        )
    won = [each for each in scored if each.winner]
    traces.append(_ring(won))
    figure: dict[str, Json] = {
        "data": traces,
        "layout": layout(
            showlegend=False,
            annotations=[_winner(each, best) for each in won],
            **axes,
        ),
    }
    key = [OUTCOMES[name][1:] for name in OUTCOMES if any(each.outcome == name for each in steps)]
    caption = (
        f"Each candidate's {score}: shape by outcome, colour by strategy; the line is the best so far, and thin lines "
        "lead back to the prompt that a candidate was written from."
    )
    return Chart("trajectory", caption, figure, table, (*key, ("━", "best so far")), legend)


def _points(steps: Sequence[Step], strategy: str, colour: dict[str, str], best: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "meta": strategy,
        "x": [each.number for each in steps],
        "y": [_NONE if each.score is None else each.score for each in steps],
        "hovertext": [hover(_told(each, best)) for each in steps],
        "hoverinfo": "text",
        "cliponaxis": False,
        "marker": {
            "symbol": [OUTCOMES[each.outcome][0] for each in steps],
            "size": [15 if each.outcome in ("best", "start") else 11 for each in steps],
            "opacity": 1,
            "color": colour,
            "line": {"width": 2, "color": colour},
        },
    }


def _told(step: Step, best: str) -> tuple[str, ...]:
    origin = "" if step.parent is None else f", from {step.parent}"
    figure = "no score" if step.score is None else three(step.score)
    won = f"the {best}; " if step.winner else ""
    return (
        f"candidate {step.number}: {step.strategy}{origin}",
        f"{figure}: {won}{OUTCOMES[step.outcome][2]}",
        *step.told,
    )


def _parents(scored: Sequence[Step]) -> dict[str, Any]:
    """Return thin lines from each candidate back to its parent."""
    places = {each.number: each.score for each in scored}
    x: list[int | None] = []
    y: list[float | None] = []
    for each in scored:
        if each.parent is not None and each.parent in places:
            x += [each.parent, each.number, None]
            y += [places[each.parent], each.score, None]
    line = {"color": css("soft"), "width": 0.8}
    return {**_silent(x, y, line), "opacity": 0.35}


def _best(scored: Sequence[Step]) -> dict[str, Any]:
    x: list[float] = []
    y: list[float] = []
    for each in scored:
        x.append(each.number)
        y.append(max(each.score or 0.0, y[-1]) if y else each.score or 0.0)
    return _silent(x, y, {"color": css("best"), "width": 2, "shape": "hv"})


def _silent(x: Sequence[float | None], y: Sequence[float | None], line: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": list(x),
        "y": list(y),
        "line": line,
        "hoverinfo": "skip",
    }


def _ring(steps: Sequence[Step]) -> dict[str, Any]:
    """Return a ring around the winner."""
    line = {"width": 2, "color": css("ink")}
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [each.number for each in steps],
        "y": [each.score for each in steps],
        "marker": {"symbol": "circle-open", "size": 20, "color": css("ink"), "line": line},
        "hoverinfo": "skip",
        "cliponaxis": False,
    }


def _winner(step: Step, best: str) -> dict[str, Any]:
    return {
        "x": step.number,
        "y": step.score,
        "text": f"<b>{plain(best)}</b>",
        "yshift": 20,
        "showarrow": False,
        "font": {"color": css("ink")},
    }
