"""What the requests of batches hold of a budget, from before they are submitted until they are collected."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from calibrate.domain import ModelRequest, ModelResponse
from calibrate.runner.jobs import Budget

__all__ = ["Holds"]

_UNTOLD = "the reply did not tell what was billed"
_PART = "one of two replies to a request; what both have cost is not known"


class Holds:
    """Holds by the key of a request, one for each.

    Args:
        budget: what is held from; None: nothing is held.
        most_cost: the most that a request can cost, in US dollars; None: price unknown.
    """

    def __init__(self, budget: Budget | None, most_cost: Callable[[ModelRequest], float | None]) -> None:
        self._budget, self._most_cost = budget, most_cost
        self._held: dict[str, float | None] = {}
        self._counted: dict[str, float] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._held

    async def hold(self, key: str, request: ModelRequest) -> None:
        """Hold the most that a request can cost, in place of what was held for it before.

        Raises:
            BudgetExceeded: it does not fit.
        """
        if self._budget is not None:
            self.settle(key, 0.0)
            self._held[key] = await self._budget.reserve(self._most_cost(request))

    def most(self, keys: Iterable[str]) -> float | None:
        """Return the most that requests can cost together, in US dollars; None when that of one is not known."""
        held = [self._held.get(key) for key in keys]
        return None if None in held else sum(each or 0.0 for each in held)

    def settle_reply(self, key: str, response: ModelResponse, request: ModelRequest | None, *, more: bool) -> None:
        """Enter what a reply cost, beside what is counted of it already; nothing when only its tokens tell that.

        Args:
            key: the request's.
            response: the reply.
            request: tells the most it can have cost, when nothing was held.
            more: whether it is a part of a reply that comes later, and that says what both have cost.
        """
        if response.cost is not None:
            cost: float | None = response.cost - (0.0 if more else self._counted.pop(key, 0.0))
        else:
            cost = None if self._budget is None or self._budget.is_open(response) else 0.0
        self.settle(key, cost, _UNTOLD, request)
        if more and cost:
            self._counted[key] = self._counted.get(key, 0.0) + cost

    def settle(self, key: str, cost: float | None, reason: str = "", request: ModelRequest | None = None) -> None:
        """Enter what a request cost, and hold nothing for it any more.

        Args:
            key: the request's.
            cost: US dollars; None when it may have been billed, and it is not known how much.
            reason: why it is not known.
            request: tells the most it can be, when nothing was held.
        """
        if self._budget is None:
            return
        held = self._held.pop(key, None)
        if cost is None:
            most = None if request is None else self._most_cost(request)
            self._budget.settle(held, None, reason=reason, most=most)
        elif held is not None or cost != 0.0:
            self._budget.settle(held, cost)

    def leave(self) -> None:
        """Count what is still held as spent: it may be billed yet, but nobody waits for it to come free.

        What is counted of replies is entered by itself where no later one says what both have cost.
        """
        for key, held in list(self._held.items()):
            self.settle(key, held or 0.0)
        if self._budget is not None:
            for cost in self._counted.values():
                self._budget.keep(cost, _PART)
        self._counted.clear()
