"""What tokens cost (STATISTICS section 8): declared prices first, else the price data of the installed genai-prices.

Nothing is fetched: the data is the one that came with the package, and its version is part of every snapshot.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from calibrate.domain import Json, Model, Usage
from calibrate.providers.rates import Rates, rates_of
from calibrate.providers.wrapper import innermost

if TYPE_CHECKING:
    from genai_prices.types import PriceCalculation, TieredPrices

    from calibrate.config import Prices

__all__ = ["PriceSnapshot", "Pricing", "price_snapshot"]

MILLION = 1_000_000

_INPUT_ONLY = frozenset({"openai-decisions"})
"""Providers that bill no output; the price data lists no price for it."""


@dataclass(frozen=True, slots=True)
class PriceSnapshot:
    """The prices of a model, in US dollars per million tokens, as stored with a run.

    Prices that grow with the length of the prompt are shown at their lowest step.

    Attributes:
        source: who declares them, or the price package with its version.
        date: the day (UTC) for which they were read.
        input: uncached input.
        output: output, reasoning included.
        cache_read: input read from the provider's prompt cache; None when it has no price of its own.
        cache_write: input written to it; None when it has no price of its own.
    """

    source: str
    date: str
    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None

    def to_json(self) -> dict[str, Json]:
        """Return the snapshot as JSON."""
        return {
            "source": self.source,
            "date": self.date,
            "input": self.input,
            "output": self.output,
            "cache_read": self.cache_read,
            "cache_write": self.cache_write,
        }


@dataclass(frozen=True, slots=True)
class Pricing:
    """Where the price of a model is found.

    Attributes:
        model: the model as the provider calls it.
        provider: the provider in the price data; None looks the provider up by ``base_url``.
        base_url: the API's base URL; a server that the price data does not know has no price.
        declared: declared prices, which go before the price data.
        declared_in: who declares them.
    """

    model: str
    provider: str | None = None
    base_url: str = ""
    declared: Prices | None = None
    declared_in: str = "calibrate.toml"

    def cost(self, usage: Usage, *, returned: str | None = None, at: datetime | None = None) -> float | None:
        """Return what ``usage`` costs in US dollars, or None when its price or its tokens are unknown.

        A declared input price holds for cached input too, where no cache price is declared.

        Args:
            usage: billed tokens.
            returned: the model that answered; priced in place of the requested one when its price is known.
            at: when; prices change. Default: now.
        """
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        if self.declared is not None:
            return _declared_cost(self.declared, usage)
        if at is None and (rates := _rates(self, returned, int(time.time() // 60))) is not None:
            bill = rates.cost(usage)
            if bill is not None:
                return bill
        listed = self._listed(usage, returned, at) if returned else None
        listed = listed or self._listed(usage, self.model, at)
        return self._total(usage, listed)

    def batch_cost(self, usage: Usage, *, at: datetime | None = None) -> float | None:
        """Return what ``usage`` costs in US dollars when it is sent in a batch, or None when that is unknown.

        Declared prices say nothing about batches.
        """
        context = {"processing": "batch"}
        if self.declared is not None or usage.input_tokens is None or usage.output_tokens is None:
            return None
        at = at or datetime.now(UTC)
        listed = self._listed(usage, self.model, at)
        # Where no batch price is listed, the data answers with the usual one.
        for variant in getattr(listed and listed.model, "price_variants", None) or ():
            if variant.when == context and (variant.constraint is None or variant.constraint.active(at)):
                return self._total(usage, self._listed(usage, self.model, at, context))
        return None

    def most(self, input_tokens: int, output_tokens: int, *, at: datetime | None = None) -> float | None:
        """Return the most that a call with at most so many tokens can cost, in US dollars; None: price unknown.

        However the input is billed (uncached, read from the cache, written to it, at the price of long prompts) and
        however much of the output is reasoning, :meth:`cost` is not higher. (It may be where another model answered.)

        Args:
            input_tokens: all input tokens, at most.
            output_tokens: all output tokens, at most; reasoning is a part of them.
            at: when; prices change. Default: now.
        """
        at = at or datetime.now(UTC)
        listed = None if self.declared else self._listed(Usage(input_tokens=0, output_tokens=0), self.model, at)
        prices = {} if listed is None else vars(listed.model_price)
        # A price may fall beyond some length of the prompt: the dearest call may be one that ends just there.
        steps = {tier.start for price in prices.values() for tier in getattr(price, "tiers", ())}
        reasoned = {0, output_tokens} if any("reasoning" in name for name in prices) else {0}
        costs = [
            self.cost(Usage(sent, read, written, output_tokens, reasoning), at=at)
            for sent in (input_tokens, *(step for step in steps if step < input_tokens))
            # What is billed is linear in each part, so the most is where one part is everything.
            for read, written in ((0, 0), (sent, 0), (0, sent))
            for reasoning in reasoned
        ]
        known = [cost for cost in costs if cost is not None]
        return max(known) if len(known) == len(costs) else None

    def snapshot(self, at: datetime | None = None) -> PriceSnapshot | None:
        """Return the prices as they are at that time (default: now), or None when they are unknown."""
        at = at or datetime.now(UTC)
        date = at.astimezone(UTC).date().isoformat()
        if (own := self.declared) is not None:
            return PriceSnapshot(self.declared_in, date, own.input, own.output, own.cache_read, own.cache_write)
        listed = self._listed(Usage(input_tokens=0, output_tokens=0), self.model, at)
        if listed is None:
            return None
        price = listed.model_price
        into, out = _lowest(price.input_mtok), _lowest(price.output_mtok)
        if out is None and self.provider in _INPUT_ONLY:
            out = 0.0
        if into is None or out is None:
            return None
        from genai_prices import __version__

        return PriceSnapshot(
            source=f"genai-prices {__version__}",
            date=date,
            input=into,
            output=out,
            cache_read=_lowest(price.cache_read_mtok),
            cache_write=_lowest(price.cache_write_mtok),
        )

    def _total(self, usage: Usage, listed: PriceCalculation | None) -> float | None:
        if listed is None:
            return None
        # A price that is missing was counted as zero.
        price, output = listed.model_price, 0 if self.provider in _INPUT_ONLY else usage.output_tokens
        if (usage.input_tokens and price.input_mtok is None) or (output and price.output_mtok is None):
            return None
        return float(listed.total_price)

    def _listed(
        self, usage: Usage, model: str, at: datetime | None, context: Mapping[str, str] | None = None
    ) -> PriceCalculation | None:
        # Imported late: the price data is large, and most commands need none.
        import genai_prices

        try:
            tokens = genai_prices.Usage(
                input_tokens=usage.input_tokens,
                cache_read_tokens=usage.cache_read_tokens,
                cache_write_tokens=usage.cache_write_tokens,
                output_tokens=usage.output_tokens,
                output_reasoning_tokens=usage.reasoning_tokens,
            )
            when: dict[str, Any] = {"genai_request_timestamp": at}
            if context is not None:
                when["price_context"] = context  # older releases know no such argument, and no batch price
            if self.provider is not None:
                return genai_prices.calc_price(tokens, model, provider_id=self.provider, **when)
            return genai_prices.calc_price(tokens, model, provider_api_url=self.base_url, **when)
        except LookupError:
            return None
        except (
            ValueError
        ):  # the counts contradict each other (more cached tokens than tokens) or are none: the bill is unknown
            return None


def price_snapshot(model: Model, at: datetime | None = None) -> PriceSnapshot | None:
    """Return the prices of a model, wrapped or not, or None when it has none or they are unknown."""
    pricing = getattr(innermost(model), "pricing", None)
    return pricing.snapshot(at) if isinstance(pricing, Pricing) else None


@lru_cache(maxsize=256)
def _rates(pricing: Pricing, returned: str | None, minute: int) -> Rates | None:
    """Return the rates that hold in this minute; None when prices are unknown or depend on the length of the prompt."""
    at = datetime.fromtimestamp(minute * 60, UTC)
    nothing = Usage(input_tokens=0, output_tokens=0)
    listed = pricing._listed(nothing, returned, at) if returned else None
    listed = listed or pricing._listed(nothing, pricing.model, at)
    if listed is None or not all(isinstance(price, Decimal | None) for price in vars(listed.model_price).values()):
        return None
    return rates_of(lambda usage: pricing.cost(usage, returned=returned, at=at))


def _declared_cost(prices: Prices, usage: Usage) -> float | None:
    # Cached input without a price of its own is input like any other.
    read = usage.cache_read_tokens or 0 if prices.cache_read is not None else 0
    written = usage.cache_write_tokens or 0 if prices.cache_write is not None else 0
    received = usage.output_tokens or 0
    uncached = (usage.input_tokens or 0) - read - written
    if min(uncached, read, written, received) < 0:
        return None
    billed = (
        (uncached, prices.input),
        (read, prices.cache_read or 0.0),
        (written, prices.cache_write or 0.0),
        (received, prices.output),
    )
    # Exact until the end, so that a bound on the cost stays one.
    return float(sum(tokens * Decimal(str(price)) for tokens, price in billed) / MILLION)


def _lowest(price: Decimal | TieredPrices | None) -> float | None:
    if price is None:
        return None
    return float(price if isinstance(price, Decimal) else price.base)
