"""Prices that are the same for every token of a kind: a bill is then a sum of five products.

The price data works out each bill from its rules, which takes as long as asking for the reply.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from calibrate.domain import Usage

__all__ = ["Rates", "rates_of"]

_MANY = 1_000_000


@dataclass(frozen=True, slots=True)
class Rates:
    """US dollars for one token of each kind.

    Attributes:
        uncached: input that was not cached.
        read: input read from the prompt cache.
        written: input written to it.
        answer: output that is not reasoning.
        reasoning: output that is.
    """

    uncached: Decimal
    read: Decimal
    written: Decimal
    answer: Decimal
    reasoning: Decimal

    def cost(self, usage: Usage) -> float | None:
        """Return what ``usage`` costs, or None when that takes more than sums: counts unknown, or in contradiction."""
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        read, written = usage.cache_read_tokens or 0, usage.cache_write_tokens or 0
        reasoning = usage.reasoning_tokens or 0
        uncached, answer = usage.input_tokens - read - written, usage.output_tokens - reasoning
        if min(uncached, read, written, answer, reasoning) < 0:
            return None
        return float(
            uncached * self.uncached
            + read * self.read
            + written * self.written
            + answer * self.answer
            + reasoning * self.reasoning
        )


def rates_of(cost: Callable[[Usage], float | None]) -> Rates | None:
    """Return the rates behind ``cost``, which is known to be a sum of products; None when one of them is unknown."""
    bills = [
        cost(Usage(0, 0, 0, 0, 0)),
        cost(Usage(_MANY, 0, 0, 0, 0)),
        cost(Usage(_MANY, _MANY, 0, 0, 0)),
        cost(Usage(_MANY, 0, _MANY, 0, 0)),
        cost(Usage(0, 0, 0, _MANY, 0)),
        cost(Usage(0, 0, 0, _MANY, _MANY)),
    ]
    nothing, *known = [Decimal(str(bill)) for bill in bills if bill is not None]
    if len(known) + 1 != len(bills) or nothing:
        return None
    uncached, read, written, answer, reasoning = (bill / _MANY for bill in known)
    return Rates(uncached, read, written, answer, reasoning)
