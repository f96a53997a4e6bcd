"""How many questions a comparison of two variants would take."""

from __future__ import annotations

from calibrate.rag.sample_resolution import resolution

__all__ = ["MOST", "questions_needed"]

MOST = 5_000
"""No more are counted: banks are written by hand."""


def questions_needed(difference: float) -> int | None:
    """Return how many questions find a paired difference of a share of this size four times in five.

    The exact McNemar test, on its own at 5 %, as in :func:`calibrate.rag.sample_resolution.resolution`.

    Args:
        difference: its size, in (0, 1]; the sign does not count.

    Returns:
        None when even 5,000 do not.
    """
    wanted = abs(difference)
    low, high = 4, MOST
    if not wanted or not _found(high, wanted):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if _found(middle, wanted) else (middle + 1, high)
    return low


def _found(n: int, difference: float) -> bool:
    least = resolution(n).difference
    return least is not None and least <= difference
