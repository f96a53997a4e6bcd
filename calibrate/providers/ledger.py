"""What calls cost, and a cap on it that holds while many are in flight (STATISTICS section 8).

Every attempt is reserved at its largest possible cost before it is sent, and settled at what it did cost. An attempt
that may have been billed although no usable reply came stays reserved in full: what it cost is not known.
"""

from __future__ import annotations

import asyncio
import math

from calibrate.domain import Model, ModelRequest, ModelResponse, UncertainCharge, Usage
from calibrate.errors import BudgetExceeded, InputError
from calibrate.providers.prices import Pricing
from calibrate.providers.retry import CallError
from calibrate.providers.wrapper import ModelWrapper, innermost, layers

__all__ = ["Ledger", "MeteredModel", "expected_cost", "how_to_price", "in_dollars", "largest_cost"]

_MOST_DECIMALS = 10
_ROUNDING = 1e-9  # US dollars: sums of thousands of small costs are not exact


class Ledger:
    """The money of one command: all its models share it.

    Args:
        cap: US dollars that may be spent; None for no limit.
        spent: US dollars that count as spent already.

    Attributes:
        cap: as given.
        spent: US dollars spent so far; charges of unknown amount count with the most they can be.
        reserved: US dollars that the attempts in flight can cost at most.
    """

    def __init__(self, cap: float | None = None, spent: float = 0.0) -> None:
        self.cap, self.spent, self.reserved = cap, spent, 0.0
        self._in_flight = 0
        self._uncertain: list[UncertainCharge] = []
        self._orders: set[int] = set()
        self._waiting: list[asyncio.Future[None]] = []

    def fits(self, most: float) -> bool:
        """Whether an attempt that can cost so much fits below the cap, beside what is spent and reserved."""
        return self.cap is None or self.spent + self.reserved + most <= self.cap + _ROUNDING

    async def reserve(self, model: str, most: float | None) -> float:
        """Hold the largest possible cost of an attempt, and return it.

        When it does not fit, but attempts in flight may turn out cheaper than they were reserved, it waits for them.

        Raises:
            BudgetExceeded: it does not fit, and nothing is in flight.
            InputError: there is a cap and the price is unknown.
        """
        if self.cap is None:
            raise ValueError("there is no cap to reserve from")
        if most is None:
            raise InputError(f"{model}: a budget needs a price: {how_to_price(model)}")
        while not self.fits(most):
            if not self._in_flight:
                raise BudgetExceeded(
                    f"the budget of {in_dollars(self.cap, 2)} ends here: {in_dollars(self.spent)} are spent, and one "
                    f"more call to {model} can cost up to {in_dollars(most)}; what was answered is kept; raise "
                    "--budget to go on"
                )
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            await turn
        self.reserved += most
        self._in_flight += 1
        return most

    def settle(self, held: float, cost: float) -> None:
        """An attempt cost ``cost`` (0 when it was not billed)."""
        self._release(held)
        self.spent += cost
        self._wake()

    def leave_open(self, held: float, charge: UncertainCharge) -> None:
        """What an attempt cost is not known: it counts as the most it can have been."""
        self._release(held)
        self.spent += charge.at_most or 0.0
        self.keep(charge)
        self._wake()

    def keep(self, charge: UncertainCharge) -> None:
        """Enter a charge that no recorded reply stands for; it counts as spent already."""
        self._uncertain.append(charge)

    def count_once(self, order: int, most: float) -> None:
        """Count what was ordered earlier, and may be billed yet, as spent: the most it can be, once for each order."""
        if order not in self._orders:
            self._orders.add(order)
            self.spent += most

    def is_open(self, response: ModelResponse) -> bool:
        """Whether a reply does not tell what it cost, so that it is entered as a charge of unknown amount.

        Without a cap, a reply that tells its tokens needs none: what it cost can be told when the price is known.
        """
        return response.cost is None and (self.cap is not None or _is_untold(response.usage))

    def take_uncertain(self) -> tuple[UncertainCharge, ...]:
        """Return the charges of unknown amount since the last time, for the caller to record."""
        taken, self._uncertain = tuple(self._uncertain), []
        return taken

    def _release(self, held: float) -> None:
        if self.cap is not None:
            self._in_flight -= 1
            self.reserved = self.reserved - held if self._in_flight else 0.0

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for turn in waiting:
            if not turn.done():
                turn.set_result(None)


class MeteredModel(ModelWrapper):
    """Puts every attempt through the ledger. It stands inside the retries, so that each attempt is one entry."""

    def __init__(self, inner: Model, ledger: Ledger) -> None:
        super().__init__(inner)
        self._ledger = ledger

    async def complete(self, request: ModelRequest) -> ModelResponse:
        """Answer one request if the budget allows for it.

        Raises:
            BudgetExceeded: it does not.
        """
        # Pricing takes longer than the rest of the harness does for a call: without a cap it is asked when needed.
        held = 0.0
        if self._ledger.cap is not None:
            held = await self._ledger.reserve(self.name, largest_cost(self.inner, request))
        try:
            response = await self.inner.complete(request)
        except CallError as error:
            if error.billable:
                self._leave_open(request, held, str(error))
            else:
                self._ledger.settle(held, 0.0)
            raise
        except asyncio.CancelledError:
            self._leave_open(request, held, "stopped while it was in flight")
            raise
        except BaseException:
            self._ledger.settle(held, 0.0)
            raise
        if response.cost is not None:
            self._ledger.settle(held, response.cost)
        elif self._ledger.is_open(response):
            self._leave_open(request, held, "the reply did not tell what was billed")
        return response

    def _leave_open(self, request: ModelRequest, held: float, reason: str) -> None:
        most = largest_cost(self.inner, request)
        self._ledger.leave_open(held, UncertainCharge(self.name, reason, most))


def _is_untold(usage: Usage) -> bool:
    return usage.input_tokens is None or usage.output_tokens is None


def largest_cost(model: Model, request: ModelRequest) -> float | None:
    """Return the most, in US dollars, that one attempt can cost; None when its price is unknown."""
    for layer in layers(model):
        if (most := getattr(layer, "most_cost", None)) is not None:
            cost: float | None = most(request)
            return cost
    return None


def expected_cost(model: Model, input_tokens: int, output_tokens: int) -> float | None:
    """Return what so many tokens, none of them cached, cost in US dollars; None when the price is unknown."""
    for layer in layers(model):
        if (expected := getattr(layer, "expected_cost", None)) is not None:
            cost: float | None = expected(input_tokens, output_tokens)
            return cost
    pricing = getattr(innermost(model), "pricing", None)
    if not isinstance(pricing, Pricing):
        return None
    return pricing.cost(Usage(input_tokens=input_tokens, output_tokens=output_tokens))


def how_to_price(model: str) -> str:
    """Say how a model without a known price gets one."""
    if model.startswith(("py:", "exec:")):
        return "what your own code costs cannot be known here; leave --budget out"
    name = f'"{model}"' if ":" in model else model
    return f"declare input_price and output_price under [models.{name}] in calibrate.toml, or leave --budget out"


def in_dollars(amount: float, decimals: int = 4) -> str:
    """Write an amount with so many decimals, or with as many more as it takes to tell it: ``$0.0001`` even with two."""
    tried = range(decimals, _MOST_DECIMALS)
    enough = next((each for each in tried if math.isclose(round(amount, each), amount, rel_tol=1e-3)), _MOST_DECIMALS)
    return f"${amount:,.{enough}f}"
