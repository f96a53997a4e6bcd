"""Which models the installed price data knows, of the providers that can be called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from calibrate.config import PROVIDERS

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, ModelPrice

__all__ = ["ListedModel", "PriceList", "price_list"]

_PRICED_IN = ("audio", "image", "video", "hours", "chars")
_NAMED_FOR = frozenset({"audio", "image", "realtime", "transcribe", "tts"})
_FINE_TUNED = re.compile(r"\bft[:-]")


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model in the price data.

    Attributes:
        provider: the prefix of its name.
        model: what the provider calls it.
        deprecated: the data says that the provider is giving it up.
        answers_text: it reads and writes text; others speak, draw, transcribe, embed or moderate.
        fine_tuned: the price of all fine-tunes of a model; each has a name of its own.
        steps: the lengths of a prompt, in tokens, beyond which another price holds.
    """

    provider: str
    model: str
    deprecated: bool
    answers_text: bool
    fine_tuned: bool
    steps: tuple[int, ...]

    @property
    def name(self) -> str:
        """The model as it is written for ``--judge``."""
        return f"{self.provider}:{self.model}"


@dataclass(frozen=True, slots=True)
class PriceList:
    """The price data of the installed package, which itself bears no date.

    Attributes:
        source: the package and its version.
        newest_change: the first day of the newest price that is in force; None when no price has a first day.
        models: what it lists.
    """

    source: str
    newest_change: date | None
    models: tuple[ListedModel, ...]


def price_list(at: datetime | None = None) -> PriceList:
    """Return the models that the price data lists for the known providers, as of that time (default: now)."""
    # Imported late: the price data is large, and most commands need none.
    from genai_prices import __version__, data_snapshot

    at = at or datetime.now(UTC)
    models: list[ListedModel] = []
    changes: list[date] = []
    for provider in data_snapshot.get_snapshot().providers:
        if provider.id in PROVIDERS:
            models += (_listed(provider.id, model, at) for model in provider.models)
            changes += (day for model in provider.models for day in _first_days(model) if day <= at.date())
    return PriceList(f"genai-prices {__version__}", max(changes, default=None), tuple(models))


def _listed(provider: str, model: ModelInfo, at: datetime) -> ListedModel:
    prices = _stated(model.get_prices(at))
    # Decisions are billed by their input; elsewhere a model without a price for output embeds or moderates.
    needed = {"input_mtok"} if provider == "openai-decisions" else {"input_mtok", "output_mtok"}
    other = any(word in price for price in prices for word in _PRICED_IN) or _NAMED_FOR & set(model.id.split("-"))
    steps = {tier.start for price in prices.values() for tier in getattr(price, "tiers", ())}
    return ListedModel(
        provider=provider,
        model=model.id,
        deprecated=bool(model.deprecated),
        answers_text=needed <= prices.keys() and not other,
        fine_tuned=_FINE_TUNED.search(model.id) is not None,
        steps=tuple(sorted(steps)),
    )


def _stated(prices: ModelPrice) -> dict[str, object]:
    return {name: price for name, price in vars(prices).items() if price is not None}


def _first_days(model: ModelInfo) -> Iterator[date]:
    conditional: Iterable[object] = model.prices if isinstance(model.prices, list) else ()
    for each in (*conditional, *(getattr(model, "price_variants", None) or ())):
        day = getattr(getattr(each, "constraint", None), "start_date", None)
        if isinstance(day, date):
            yield day
