"""What the requests of batches hold of a budget, from before they are submitted until they are collected."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from calibrate.domain import ModelRequest, ModelResponse
from calibrate.runner.jobs import Budget

__all__ = ["Holds"]


class Holds:
    """Holds by the key of a request, one for each.

    Args:
        budget: what is held from; None: nothing is held.
        most_cost: the most that a request can cost, in US dollars; None: price unknown.
    """

    def __init__(self, budget: Budget | None, most_cost: Callable[[ModelRequest], float | None]) -> None:
        self._budget, self._most_cost = budget, most_cost
        self._held: dict[str, float | None] = {}

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

    def cost(self, response: ModelResponse, counted: float = 0.0) -> float | None:
        """Return what a reply cost beside what is counted already; 0 when its tokens tell that as well."""
        if response.cost is not None:
            return response.cost - counted
        return None if self._budget is None or self._budget.is_open(response) else 0.0

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
        """Count what is still held as spent: it may be billed yet, but nobody waits for it to come free."""
        for key, held in list(self._held.items()):
            self.settle(key, held or 0.0)
