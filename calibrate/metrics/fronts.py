"""The front of alignment against cost: what no other one beats on both."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

__all__ = ["pareto_front"]


def pareto_front(points: Sequence[tuple[float | None, float | None]]) -> tuple[bool, ...]:
    """Return which points are on the front.

    A point is, when none is at least as good and at most as dear, and better or cheaper. Of equal points all are. A
    point of unknown alignment or cost never is, and keeps no other off.

    Args:
        points: alignment and cost of each.
    """
    known = sorted(
        (-alignment, cost, at)
        for at, (alignment, cost) in enumerate(points)
        if alignment is not None and cost is not None
    )
    found = [False] * len(points)
    cheapest, last = inf, None
    for alignment, cost, at in known:  # the best first, the cheaper of equals first
        if cost < cheapest or (alignment, cost) == last:
            found[at] = True
            cheapest, last = cost, (alignment, cost)
    return tuple(found)
