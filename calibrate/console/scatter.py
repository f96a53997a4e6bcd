"""A scatter in text: lettered points over two axes, such as alignment against cost.

::

    0.75 ┤                      A
         │
    0.71 ┤     B
         │                    c
    0.40 ┤
         └┬──────────────────┬──
          0.24             3.2    US dollars per 1,000 verdicts (log)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from calibrate.console.chart import Signs, axis_labels, signs_for, value_range

__all__ = ["Spot", "scatter"]

_NARROWEST, _HEIGHT = 24, 10
_LOG_FROM = 10.0  # how many times the least the largest x is, from which on the axis is logarithmic


@dataclass(frozen=True, slots=True)
class Spot:
    """A point and the letter that stands for it.

    Attributes:
        x: its place, 0 or above.
        y: its value.
        letter: one character.
    """

    x: float
    y: float
    letter: str


def scatter(
    spots: Sequence[Spot],
    *,
    width: int,
    height: int = _HEIGHT,
    x_name: str = "",
    encoding: str = "utf-8",
) -> list[str]:
    """Draw points in a grid of characters; of points that fall on one cell the first shows.

    Args:
        spots: the points, the most important first.
        width: columns of the whole chart, axis included; fewer than 24 are taken as 24.
        height: rows of the grid, at least 2.
        x_name: what x is, with its unit.
        encoding: of the console; plain ASCII is used when it lacks the characters of lines.

    Returns:
        Lines without trailing blanks; none when there is no point.
    """
    if not spots:
        return []
    signs, height = signs_for(encoding), max(2, height)
    low, high = value_range([each.y for each in spots])
    labels = axis_labels(low, high, height)
    margin = max(map(len, labels))
    columns = max(_NARROWEST, width) - margin - 2
    place, logarithmic = _places([each.x for each in spots])
    grid = [[" "] * columns for _ in range(height)]
    for each in reversed(spots):
        row = round((high - each.y) / (high - low) * (height - 1))
        grid[row][round(place(each.x) * (columns - 1))] = each.letter
    lines = [
        f"{label:>{margin}} {signs.tick if label else signs.axis}{''.join(cells)}"
        for label, cells in zip(labels, grid, strict=True)
    ]
    name = f"{x_name} (log)" if logarithmic else x_name
    lines += [" " * (margin + 1) + line for line in _x_axis([each.x for each in spots], columns, name, signs)]
    return [line.rstrip() for line in lines]


class _Places:
    """Where on the axis, in [0, 1], a value stands."""

    def __init__(self, low: float, high: float, *, logarithmic: bool) -> None:
        self._low, self._high, self._logarithmic = low, high, logarithmic

    def __call__(self, x: float) -> float:
        """Return the place of ``x``; the middle when all values are one."""
        if self._high <= self._low:
            return 0.5
        if self._logarithmic:
            return math.log(x / self._low) / math.log(self._high / self._low)
        return (x - self._low) / (self._high - self._low)


def _places(values: Sequence[float]) -> tuple[_Places, bool]:
    low, high = min(values), max(values)
    logarithmic = low > 0 and high / low >= _LOG_FROM
    return _Places(low, high, logarithmic=logarithmic), logarithmic


def _x_axis(values: Sequence[float], columns: int, name: str, signs: Signs) -> list[str]:
    low, high = min(values), max(values)
    axis = [signs.flat] * columns
    if high <= low:
        axis[columns // 2] = signs.below
        labels = [f"{low:.3g}".center(columns), name.center(columns)]
    else:
        axis[0] = axis[-1] = signs.below
        left, right = f"{low:.3g}", f"{high:.3g}"
        between = columns - len(left) - len(right)
        fits = len(name) + 2 <= between
        labels = [left + (name.center(between) if fits else " " * between) + right, *([] if fits else [name])]
    return [signs.corner + "".join(axis), *(f" {each}" for each in labels)]
