"""How figures are spelled on a page."""

from __future__ import annotations

__all__ = ["between", "dollars", "three"]

_LEAST_WITH_DIGITS = 1e-4  # US dollars; smaller amounts are written with an exponent


def three(value: float | None) -> str:
    """Write a figure with three digits, or that there is none."""
    return "undefined" if value is None else f"{value:.3f}"


def between(low: float | None, high: float | None) -> str:
    """Write an interval; empty when there is none."""
    return "" if low is None or high is None else f"{low:.3f} to {high:.3f}"


def dollars(amount: float | None) -> str:
    """Write an amount of US dollars with enough digits to be told from zero, or ``unknown``."""
    if amount is None:
        return "unknown"
    if amount == 0:
        return "$0"
    if amount >= 0.1:
        return f"${amount:,.2f}"
    return f"${amount:.2g}" if amount >= _LEAST_WITH_DIGITS else f"${amount:.1e}"
