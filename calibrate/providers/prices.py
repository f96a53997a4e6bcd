"""What tokens cost (STATISTICS section 8): declared prices first, else the price data of the installed genai-prices.

Nothing is fetched: the data is the one that came with the package, and its version is part of every snapshot.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from calibrate.domain import Json, Model, Usage
from calibrate.providers.wrapper import innermost

if TYPE_CHECKING:
    from genai_prices.types import PriceCalculation, TieredPrices

__all__ = ["PriceSnapshot", "Pricing", "price_snapshot"]

MILLION = 1_000_000


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
        input_price: declared US dollars per million input tokens.
        output_price: declared US dollars per million output tokens.
        declared_in: who declares them.
    """

    model: str
    provider: str | None = None
    base_url: str = ""
    input_price: float | None = None
    output_price: float | None = None
    declared_in: str = "calibrate.toml"

    def cost(self, usage: Usage, *, returned: str | None = None, at: datetime | None = None) -> float | None:
        """Return what ``usage`` costs in US dollars, or None when its price or its tokens are unknown.

        A declared input price holds for cached input too: a declaration names no other.

        Args:
            usage: billed tokens.
            returned: the model that answered; priced in place of the requested one when its price is known.
            at: when; prices change. Default: now.
        """
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        if self.input_price is not None and self.output_price is not None:
            return (usage.input_tokens * self.input_price + usage.output_tokens * self.output_price) / MILLION
        listed = self._listed(usage, returned, at) if returned else None
        listed = listed or self._listed(usage, self.model, at)
        if listed is None:
            return None
        # A price that is missing was counted as zero.
        price = listed.model_price
        if (usage.input_tokens and price.input_mtok is None) or (usage.output_tokens and price.output_mtok is None):
            return None
        return float(listed.total_price)

    def snapshot(self, at: datetime | None = None) -> PriceSnapshot | None:
        """Return the prices as they are at that time (default: now), or None when they are unknown."""
        at = at or datetime.now(UTC)
        date = at.astimezone(UTC).date().isoformat()
        if self.input_price is not None and self.output_price is not None:
            return PriceSnapshot(self.declared_in, date, self.input_price, self.output_price)
        listed = self._listed(Usage(input_tokens=0, output_tokens=0), self.model, at)
        if listed is None:
            return None
        price = listed.model_price
        into, out = _lowest(price.input_mtok), _lowest(price.output_mtok)
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

    def _listed(self, usage: Usage, model: str, at: datetime | None) -> PriceCalculation | None:
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
            if self.provider is not None:
                return genai_prices.calc_price(tokens, model, provider_id=self.provider, genai_request_timestamp=at)
            return genai_prices.calc_price(tokens, model, provider_api_url=self.base_url, genai_request_timestamp=at)
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


def _lowest(price: Decimal | TieredPrices | None) -> float | None:
    if price is None:
        return None
    return float(price if isinstance(price, Decimal) else price.base)
