"""A chart in text: points over a whole number, a step line of the best so far, and marks for what has no value.

::

    0.60 ┤                            •──◆────
         │              •─────•───────┘     •
    0.40 ┤      •──•────┘  •
         │•─────┘
    0.21 ┤    •
         └┬─────────┬─────────┬──────────────
          0         5         10    candidate
             ×    ×
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass
from typing import Literal

from rich.console import Console

from calibrate.store import CandidateRecord

__all__ = ["Point", "PointKind", "Signs", "axis_labels", "chart", "say_trajectory", "signs_for", "value_range"]

PointKind = Literal["scored", "winner", "rejected", "stopped"]

_WIDEST, _NARROWEST, _HEIGHT = 80, 24, 10
_TICK_GAP = 8


@dataclass(frozen=True, slots=True)
class Point:
    """One thing that was tried.

    Attributes:
        x: its place, 0 or above.
        y: its value; None puts it below the axis, in the row of its kind.
        kind: how it is marked. ``rejected`` and ``stopped`` have no value.
    """

    x: int
    y: float | None
    kind: PointKind = "scored"


@dataclass(frozen=True, slots=True)
class Signs:
    """The characters that a chart is made of."""

    scored: str
    winner: str
    rejected: str
    stopped: str
    flat: str
    up: str
    turn_up: str
    turn_flat: str
    axis: str
    tick: str
    corner: str
    below: str

    def mark(self, kind: PointKind) -> str:
        """Return the mark of a kind of point."""
        marks = {
            "scored": self.scored,
            "winner": self.winner,
            "rejected": self.rejected,
            "stopped": self.stopped,
        }
        return marks[kind]


_BLOCKS = Signs("•", "◆", "×", "◌", "─", "│", "┘", "┌", "│", "┤", "└", "┬")
_ASCII = Signs("o", "#", "x", "/", "-", "|", "+", "+", "|", "+", "+", "+")


def chart(
    points: Sequence[Point],
    *,
    width: int,
    height: int = _HEIGHT,
    x_name: str = "",
    encoding: str = "utf-8",
) -> list[str]:
    """Draw points, and the best value so far as a step line, in a grid of characters.

    Args:
        points: in any order; where two fall on one cell the winner, else the later one shows.
        width: columns of the whole chart, axis included; fewer than 24 are taken as 24.
        height: rows of the grid, at least 2; the axis, its labels and up to two rows of marks come below.
        x_name: what x counts.
        encoding: of the console; plain ASCII is used when it lacks the characters of lines and blocks.

    Returns:
        Lines without trailing blanks, none longer than ``width``; no line when no point has a value.
    """
    valued = sorted((each for each in points if each.y is not None), key=lambda each: (each.x, each.kind == "winner"))
    values = [each.y for each in valued if each.y is not None]
    if not values:
        return []
    signs = signs_for(encoding)
    height = max(2, height)
    low, high = value_range(values)
    labels = axis_labels(low, high, height)
    margin = max(map(len, labels))
    columns = max(_NARROWEST, width) - margin - 2
    last = max(each.x for each in points)

    def column(x: int) -> int:
        return round(x / last * (columns - 1)) if last else 0

    def row(y: float) -> int:
        return round((high - y) / (high - low) * (height - 1))

    grid = [[" "] * columns for _ in range(height)]
    _draw_steps(grid, [(column(each.x), row(each.y)) for each in valued if each.y is not None], signs)
    for each in valued:
        if each.y is not None:
            cell = grid[row(each.y)]
            if cell[column(each.x)] != signs.winner:
                cell[column(each.x)] = signs.mark(each.kind)
    lines = [
        f"{label:>{margin}} {signs.tick if label else signs.axis}{''.join(cells)}"
        for label, cells in zip(labels, grid, strict=True)
    ]
    lines += [" " * (margin + 1) + line for line in _x_axis(last, columns, column, x_name, signs)]
    for kind in ("rejected", "stopped"):
        marks = [" "] * columns
        for each in points:
            if each.y is None and each.kind == kind:
                marks[column(each.x)] = signs.mark(each.kind)
        if any(mark != " " for mark in marks):
            lines.append(" " * (margin + 2) + "".join(marks))
    return [line.rstrip() for line in lines]


def say_trajectory(
    out: Console, candidates: Sequence[CandidateRecord], *, winner: int | None, name: str = "alignment"
) -> None:
    """Print the scores of a calibration's candidates in order of number; nothing when none has a score.

    Args:
        out: the console; its width and encoding decide how it is drawn.
        candidates: those of the run.
        winner: number of the one to mark, None for none.
        name: what the scores are.
    """
    points = [Point(each.number, each.score, _kind(each, winner)) for each in candidates]
    width = min(out.width, _WIDEST)
    lines = chart(points, width=width, x_name="candidate", encoding=out.encoding)
    if not lines:
        return
    signs = signs_for(out.encoding)
    shown = {each.kind for each in points}
    legend = [f"{signs.scored} scored"]
    if "winner" in shown:
        legend.append(f"{signs.winner} winner")
    legend.append(f"{signs.flat} best so far")
    legend += [f"{signs.rejected} rejected"] if "rejected" in shown else []
    legend += [f"{signs.stopped} stopped early"] if "stopped" in shown else []
    for line in (f"{name}:", *lines):
        out.print(line, markup=False, no_wrap=True, overflow="ignore", crop=False)
    out.print("   ".join(legend), style="dim", markup=False)


def _kind(candidate: CandidateRecord, winner: int | None) -> PointKind:
    if candidate.status != "scored":
        return candidate.status
    return "winner" if candidate.number == winner else "scored"


def signs_for(encoding: str) -> Signs:
    """Return the characters that an encoding has."""
    try:
        "".join(astuple(_BLOCKS)).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return _ASCII
    return _BLOCKS


def value_range(values: Sequence[float]) -> tuple[float, float]:
    """Return the ends of the value axis; equal values lie in its middle."""
    low, high = min(values), max(values)
    return (low - 0.05, high + 0.05) if high - low < 1e-9 else (low, high)


def axis_labels(low: float, high: float, height: int) -> list[str]:
    """Return a label for the first and the last row and some between, else empty text."""
    digits = 2 if high - low >= 0.05 else 3
    step = max(1, (height - 1) // 3)
    labelled = {0, height - 1, *(at for at in range(0, height, step) if height - 1 - at >= step)}
    return [f"{high - at / (height - 1) * (high - low):.{digits}f}" if at in labelled else "" for at in range(height)]


def _draw_steps(grid: list[list[str]], cells: Sequence[tuple[int, int]], signs: Signs) -> None:
    """Draw the best so far from the first point to the right edge; rows count from the top, so the best is the least.

    Args:
        grid: rows of cells, changed.
        cells: column and row of each point, from left to right.
        signs: the characters.
    """
    best_in: dict[int, int] = {}
    for column, row in cells:
        best_in[column] = min(row, best_in.get(column, row))
    (first, *_), best = cells[0], best_in[cells[0][0]]
    for column in range(first, len(grid[0])):
        reached = min(best, best_in.get(column, best))
        if reached == best:
            grid[best][column] = signs.flat
            continue
        grid[best][column] = signs.turn_up
        for between in range(reached + 1, best):
            grid[between][column] = signs.up
        grid[reached][column] = signs.turn_flat
        best = reached


def _x_axis(last: int, columns: int, column: Callable[[int], int], name: str, signs: Signs) -> list[str]:
    """Return the axis with its ticks, and the line of their labels with the name at its end."""
    step = next(each for each in _nice_steps() if column(min(each, last)) >= _TICK_GAP or each >= last)
    ticks = range(0, last + 1, step)
    axis, labels = [signs.flat] * columns, [" "] * columns
    for at in ticks:
        axis[column(at)] = signs.below
        text = str(at)
        if column(at) + len(text) <= columns:
            labels[column(at) : column(at) + len(text)] = text
    written = "".join(labels).rstrip()
    if name and len(written) + 2 + len(name) <= columns:
        written = written.ljust(columns - len(name)) + name
        return [signs.corner + "".join(axis), " " + written]
    return [signs.corner + "".join(axis), " " + written, *([" " + name.rjust(columns)] if name else [])]


def _nice_steps() -> Iterator[int]:
    size = 1
    while True:
        yield from (size, 2 * size, 5 * size)
        size *= 10
