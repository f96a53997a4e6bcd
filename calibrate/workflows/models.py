"""The models that can be called, with their prices, and what a run of a given size would cost on each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from calibrate.config import PROVIDERS, Prices, Settings
from calibrate.domain import Json, Usage
from calibrate.errors import InputError
from calibrate.providers.price_list import ListedModel, PriceList, price_list
from calibrate.providers.prices import PriceSnapshot, Pricing
from calibrate.workflows.record import money
from calibrate.workflows.results import document
from calibrate.workflows.sentences import counted
from calibrate.workflows.verdict_costs import cost_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["DECLARED", "SIMULATOR", "Known", "ModelList", "ModelsOptions", "RunSize", "list_models"]

DECLARED = "calibrate.toml"
"""Stands for the provider of a declared server."""

SIMULATOR = "sim"
"""Stands for the provider of the simulated models."""


@dataclass(frozen=True, slots=True)
class RunSize:
    """How much a run asks of a model.

    Attributes:
        items: verdicts, at least 1.
        input_tokens: of each verdict, at least 1.
        output_tokens: of each verdict, reasoning included, at least 0.
    """

    items: int = 1000
    input_tokens: int = 1400
    output_tokens: int = 50

    def __post_init__(self) -> None:
        for name, given, least in (
            ("items", self.items, 1),
            ("input_tokens", self.input_tokens, 1),
            ("output_tokens", self.output_tokens, 0),
        ):
            if given < least:
                raise InputError(f"{given} is too few; at least {least}", field=name)

    def __str__(self) -> str:
        noun = "verdict" if self.items == 1 else "verdicts"
        return f"{self.items:,} {noun} of {self.input_tokens:,} input and {self.output_tokens:,} output tokens"


@dataclass(frozen=True, slots=True)
class ModelsOptions:
    """Which models are listed, and for a run of what size.

    Attributes:
        name: a part of the name, in any case of letters; empty for all.
        size: the run.
        provider: one of the providers, ``sim``, or ``calibrate.toml`` for declared servers; None for all.
        sort: ``cost`` or ``name``.
        everything: list deprecated models, fine-tunes, and models for other things than text too.
    """

    name: str = ""
    size: RunSize = RunSize()
    provider: str | None = None
    sort: str = "cost"
    everything: bool = False

    def __post_init__(self) -> None:
        providers = (*PROVIDERS, SIMULATOR, DECLARED)
        if self.provider is not None and self.provider not in providers:
            raise InputError(
                f"there is no provider '{self.provider}'; use one of {', '.join(providers)}", field="provider"
            )
        if self.sort not in ("cost", "name"):
            raise InputError(f"there is no order '{self.sort}'; use cost or name", field="sort")


@dataclass(frozen=True, slots=True)
class Known:
    """A model, its prices, and the cost of the run.

    Attributes:
        name: as it is written for ``--judge``.
        provider: its provider, ``sim`` or ``calibrate.toml``.
        simulated: it is no LLM and its prices are made up.
        set_apart: why it is listed only when everything is asked for: ``deprecated``, ``not text`` or ``fine-tuned``.
        prices: None when unknown.
        long_prompts: prompts longer than some length have other prices.
        cost: US dollars for the run, None when unknown.
        batch_cost: the same in a batch, None when no batch price is known.
    """

    name: str
    provider: str
    simulated: bool
    set_apart: str | None
    prices: PriceSnapshot | None
    long_prompts: bool
    cost: float | None
    batch_cost: float | None

    def row(self) -> dict[str, Json]:
        """Return the model as one flat row; prices in US dollars per million tokens."""
        names = ("input", "output", "cache_read", "cache_write", "source")
        return {
            "name": self.name,
            "provider": self.provider,
            "simulated": self.simulated,
            **{name: None if self.prices is None else getattr(self.prices, name) for name in names},
            "long_prompts": self.long_prompts,
            "set_apart": self.set_apart,
            "cost": self.cost,
            "batch_cost": self.batch_cost,
        }


@dataclass(frozen=True, slots=True)
class ModelList:
    """Models with the cost of a run.

    Attributes:
        sentence: the cheapest and the dearest.
        models: what was asked for, in its order.
        left_out: how many more there are that are deprecated, fine-tuned, or not for text.
        size: the run.
        data: the price data.
        day: for which prices were read (ISO 8601, UTC).
    """

    sentence: str
    models: tuple[Known, ...]
    left_out: int
    size: RunSize
    data: PriceList
    day: str

    @property
    def about_the_data(self) -> str:
        """How old the price data is, as far as it tells."""
        newest = self.data.newest_change
        known = f"; its newest price change in force is of {newest.isoformat()}" if newest else ""
        return f"The price data of {self.data.source} bears no date of its own{known}. Nothing was fetched."

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document."""
        newest = self.data.newest_change
        return document(
            "ok",
            sentence=self.sentence,
            models=[each.row() for each in self.models],
            left_out=self.left_out,
            size={
                "items": self.size.items,
                "input_tokens": self.size.input_tokens,
                "output_tokens": self.size.output_tokens,
            },
            price_data={
                "source": self.data.source,
                "newest_change": None if newest is None else newest.isoformat(),
                "read_for": self.day,
            },
        )

    def frame(self) -> pd.DataFrame:
        """Return the models as a pandas frame; unknown figures are missing values."""
        import pandas as pd

        return pd.DataFrame([each.row() for each in self.models])


def list_models(options: ModelsOptions, settings: Settings, at: datetime | None = None) -> ModelList:
    """Return the models that can be called, with the cost of a run on each by the prices of that time (default: now).

    They are those of the price data, those of ``calibrate.toml``, and the simulated ones. No call is made.
    """
    at = at or datetime.now(UTC)
    day = at.astimezone(UTC).date().isoformat()
    data = price_list(at)
    asked = [
        each
        for each in _known(data, settings, options.size, at)
        if options.name.casefold() in each.name.casefold() and options.provider in (None, each.provider)
    ]
    shown = [each for each in asked if each.set_apart is None or options.everything]
    shown.sort(key=_by_cost if options.sort == "cost" else _by_name)
    return ModelList(_sentence(shown, options, day), tuple(shown), len(asked) - len(shown), options.size, data, day)


def _known(data: PriceList, settings: Settings, size: RunSize, at: datetime) -> Iterator[Known]:
    listed = {each.name: each for each in data.models}
    for name in dict.fromkeys((*listed, *settings.overrides)):
        provider, _, model = name.partition(":")
        override, entry = settings.overrides.get(name), listed.get(name)
        pricing = Pricing(model, provider=provider, declared=None if override is None else override.prices)
        # What somebody declares is what somebody uses.
        apart = _apart(entry) if entry is not None and override is None else None
        long = entry is not None and bool(entry.steps) and pricing.declared is None
        yield _priced(name, provider, pricing, size, at, set_apart=apart, long_prompts=long)
    for declared in settings.models.values():
        pricing = Pricing(declared.model, base_url=declared.base_url, declared=declared.prices)
        yield _priced(declared.name, DECLARED, pricing, size, at)
    for name, prices in _simulated().items():
        pricing = Pricing(name, declared=prices, declared_in="made up")
        yield _priced(name, SIMULATOR, pricing, size, at)


def _apart(listed: ListedModel) -> str | None:
    if not listed.answers_text:
        return "not text"
    if listed.fine_tuned:
        return "fine-tuned"
    return "deprecated" if listed.deprecated else None


def _simulated() -> Mapping[str, Prices]:
    from calibrate.providers.sim import PRICES

    return {name: Prices(price.input, price.output) for name, price in PRICES.items()}


def _priced(
    name: str,
    provider: str,
    pricing: Pricing,
    size: RunSize,
    at: datetime,
    *,
    set_apart: str | None = None,
    long_prompts: bool = False,
) -> Known:
    verdict = Usage(input_tokens=size.input_tokens, output_tokens=size.output_tokens)
    return Known(
        name=name,
        provider=provider,
        simulated=provider == SIMULATOR,
        set_apart=set_apart,
        prices=pricing.snapshot(at),
        long_prompts=long_prompts,
        cost=cost_of(size.items, pricing.cost(verdict, at=at)),
        batch_cost=cost_of(size.items, pricing.batch_cost(verdict, at=at)),
    )


def _by_cost(known: Known) -> tuple[bool, bool, float, str]:
    return known.simulated, known.cost is None, known.cost or 0.0, known.name


def _by_name(known: Known) -> str:
    return known.name


def _sentence(shown: Sequence[Known], options: ModelsOptions, day: str) -> str:
    """Say what the run costs on the cheapest model and on the dearest."""
    if not shown:
        return f"No model is known here {_asked(options)}."
    real = [each for each in shown if not each.simulated]
    if not real:
        return f"{options.size}: only simulated models are listed, and their prices are made up."
    priced = sorted((each for each in real if each.cost is not None), key=_by_cost)
    if not priced:
        return f"{options.size}: the price is unknown ({counted(len(real), 'model')})."
    cheapest, dearest = priced[0], priced[-1]
    sources = " and ".join(sorted({each.prices.source for each in priced if each.prices}, reverse=True))
    by = f"at the prices of {sources} for {day}"
    if cheapest.cost == dearest.cost:
        where = cheapest.name if len(priced) == 1 else f"each of {len(priced)} models"
        return f"{options.size} cost {money(cheapest.cost)} on {where}, {by}."
    low, high = f"{money(cheapest.cost)} on {cheapest.name}", f"{money(dearest.cost)} on {dearest.name}"
    return f"{options.size} cost from {low} to {high}, {by}."


def _asked(options: ModelsOptions) -> str:
    name = f"with '{options.name}' in its name" if options.name else ""
    provider = f"of {options.provider}" if options.provider else ""
    return " ".join(part for part in (name, provider) if part)
