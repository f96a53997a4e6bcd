import dataclasses
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from genai_prices import data_snapshot
from genai_prices.types import ModelPrice, Tier, TieredPrices
from hypothesis import given, settings
from hypothesis import strategies as st

from calibrate.config import Prices
from calibrate.domain import Usage
from calibrate.providers import PriceSnapshot, Pricing

AT = datetime(2026, 11, 1, 12, tzinfo=UTC)
VERDICTS_PER_DAY = 1_000_000


@pytest.mark.parametrize(("model", "dollars"), [("gpt-4.1", 3200.0), ("gpt-4o-mini", 240.0)])
def test_the_worked_cost_of_a_day(model, dollars):
    """STATISTICS section 8: 1,400 input and 50 output tokens a verdict."""
    cost = Pricing(model, provider="openai").cost(Usage(input_tokens=1400, output_tokens=50), at=AT)
    assert cost is not None
    assert cost * VERDICTS_PER_DAY == pytest.approx(dollars, rel=1e-12)


def test_cached_input_is_billed_at_the_cache_price():
    pricing = Pricing("gpt-4.1", provider="openai")  # 2.00 input, 0.50 cached input, 8.00 output
    usage = Usage(input_tokens=1_000_000, cache_read_tokens=400_000, output_tokens=0)
    assert pricing.cost(usage, at=AT) == pytest.approx(0.6 * 2.0 + 0.4 * 0.5)


def test_input_written_to_the_cache_is_billed_at_the_write_price():
    pricing = Pricing("claude-sonnet-5-5", provider="anthropic")  # 2.00 input, 0.10 read, 2.50 written, 10.00 output
    usage = Usage(input_tokens=1_000_000, cache_read_tokens=500_000, cache_write_tokens=200_000, output_tokens=100_000)
    assert pricing.cost(usage, at=AT) == pytest.approx(0.3 * 2.0 + 0.5 * 0.1 + 0.2 * 2.5 + 0.1 * 10.0)


@pytest.mark.parametrize("usage", [Usage(input_tokens=-1, output_tokens=1), Usage(input_tokens=1, output_tokens=-1)])
def test_tokens_below_none_have_no_cost(usage):
    assert Pricing("gpt-4.1", provider="openai").cost(usage, at=AT) is None


def test_reasoning_is_a_part_of_the_output_and_not_billed_twice():
    pricing = Pricing("gpt-4.1", provider="openai")
    usage = Usage(input_tokens=0, output_tokens=1_000_000, reasoning_tokens=900_000)
    assert pricing.cost(usage, at=AT) == pytest.approx(8.0)


def test_decisions_bill_no_output_and_a_declared_price_for_it_counts():
    usage = Usage(input_tokens=100_000, cache_read_tokens=50_000, output_tokens=1_000_000)
    pricing = Pricing("gpt-6-luna", provider="openai-decisions")
    assert pricing.cost(usage, at=AT) == pytest.approx(0.01)
    assert pricing.most(100_000, 1_000_000, at=AT) == pytest.approx(0.01)
    snapshot = pricing.snapshot(AT)
    assert snapshot is not None
    assert (snapshot.input, snapshot.output) == (0.1, 0.0)
    assert dataclasses.replace(pricing, declared=Prices(0.1, 1.0)).cost(usage) == pytest.approx(1.01)
    assert Pricing("no-such-model", provider="openai-decisions").cost(usage, at=AT) is None


def test_a_declared_price_overrides_the_price_data():
    pricing = Pricing("gpt-4.1", provider="openai", declared=Prices(1.0, 3.0))
    usage = Usage(input_tokens=1_000_000, cache_read_tokens=1_000_000, output_tokens=1_000_000)
    assert pricing.cost(usage) == pytest.approx(4.0)


@pytest.mark.parametrize(
    ("prices", "dollars"),
    [
        (Prices(1.0, 3.0), 1.0 + 0.3),
        (Prices(1.0, 3.0, cache_read=0.1), 0.6 + 0.4 * 0.1 + 0.3),
        (Prices(1.0, 3.0, cache_write=1.25), 0.8 + 0.2 * 1.25 + 0.3),
        (Prices(1.0, 3.0, cache_read=0.0, cache_write=2.0), 0.4 + 0.2 * 2.0 + 0.3),
    ],
)
def test_the_declared_input_price_holds_for_cached_input_without_a_price_of_its_own(prices, dollars):
    usage = Usage(1_000_000, cache_read_tokens=400_000, cache_write_tokens=200_000, output_tokens=100_000)
    assert Pricing("m", declared=prices).cost(usage) == pytest.approx(dollars)


@pytest.mark.parametrize(
    "usage",
    [
        Usage(10, cache_read_tokens=20, output_tokens=1),
        Usage(10, cache_read_tokens=6, cache_write_tokens=6, output_tokens=1),
        Usage(10, cache_read_tokens=-1, output_tokens=1),
        Usage(-1, output_tokens=1),
        Usage(1, output_tokens=-1),
    ],
)
def test_contradictory_tokens_have_no_cost_at_declared_prices_either(usage):
    assert Pricing("m", declared=Prices(1.0, 1.0, cache_read=0.1, cache_write=2.0)).cost(usage) is None


def test_a_declared_price_of_nothing_costs_nothing():
    assert Pricing("m", declared=Prices(0.0, 0.0)).cost(Usage(input_tokens=10, output_tokens=10)) == 0.0


@pytest.mark.parametrize(
    "pricing",
    [
        Pricing("no-such-model", provider="openai"),
        Pricing("gpt-4.1", base_url="http://localhost:11434/v1"),
        Pricing("gpt-4.1", provider="no-such-provider"),
        Pricing("text-embedding-3-small", provider="openai"),  # has no output price
    ],
)
def test_an_unknown_price_is_unknown_and_never_zero(pricing):
    assert pricing.cost(Usage(input_tokens=10, output_tokens=10), at=AT) is None


@pytest.mark.parametrize(
    "usage",
    [Usage(), Usage(input_tokens=10), Usage(output_tokens=10), Usage(10, cache_read_tokens=20, output_tokens=1)],
)
@pytest.mark.parametrize("pricing", [Pricing("gpt-4.1", provider="openai")])
def test_unknown_or_contradictory_tokens_make_the_cost_unknown(pricing, usage):
    assert pricing.cost(usage, at=AT) is None


def test_a_declared_server_that_the_price_data_knows_is_priced_by_its_address():
    pricing = Pricing("llama-3.3-70b-versatile", base_url="https://api.groq.com/openai/v1")
    assert pricing.cost(Usage(input_tokens=1_000_000, output_tokens=0), at=AT) == pytest.approx(0.59)


def test_the_model_that_answered_is_the_one_that_is_billed():
    pricing = Pricing("gpt-4.1", provider="openai")
    usage = Usage(input_tokens=1_000_000, output_tokens=0)
    assert pricing.cost(usage, returned="gpt-4o-mini-2024-07-18", at=AT) == pytest.approx(0.15)
    assert pricing.cost(usage, returned="an-alias-of-ours", at=AT) == pytest.approx(2.0)


def test_a_snapshot_says_prices_source_and_date():
    snapshot = Pricing("gpt-4.1", provider="openai").snapshot(AT)
    assert snapshot is not None
    assert snapshot.source.startswith("genai-prices 0.")
    assert snapshot == PriceSnapshot(snapshot.source, "2026-11-01", 2.0, 8.0, cache_read=0.5, cache_write=None)
    assert snapshot.to_json()["date"] == "2026-11-01"


def test_a_snapshot_of_declared_prices_names_the_file():
    snapshot = Pricing("m", declared=Prices(1.0, 3.0)).snapshot(AT)
    assert snapshot == PriceSnapshot("calibrate.toml", "2026-11-01", 1.0, 3.0)


def test_a_snapshot_shows_declared_cache_prices():
    snapshot = Pricing("m", declared=Prices(1.0, 3.0, cache_read=0.1, cache_write=1.25)).snapshot(AT)
    assert snapshot == PriceSnapshot("calibrate.toml", "2026-11-01", 1.0, 3.0, cache_read=0.1, cache_write=1.25)


def test_prices_declared_elsewhere_say_where():
    snapshot = Pricing("m", declared=Prices(1.0, 3.0), declared_in="made up").snapshot(AT)
    assert snapshot is not None
    assert snapshot.source == "made up"


def test_there_is_no_snapshot_of_an_unknown_price():
    assert Pricing("no-such-model", provider="openai").snapshot(AT) is None
    assert Pricing("text-embedding-3-small", provider="openai").snapshot(AT) is None


PRICED = [
    Pricing("gpt-4.1", provider="openai"),  # a cache price below the input's
    Pricing("claude-sonnet-5-5", provider="anthropic"),  # writing to the cache costs more than input
    Pricing("claude-haiku-5-5", provider="anthropic"),  # five times as dear beyond 100,000 tokens
    Pricing("gpt-6-astra", provider="openai"),
    Pricing("sonar-reasoning", provider="perplexity"),  # a price for each request
    Pricing("perplexity/sonar-deep-research", provider="openrouter"),  # reasoning costs less than other output
    Pricing("m", declared=Prices(1.0, 3.0)),
    Pricing("m", declared=Prices(0.1, 0.3, cache_read=0.7, cache_write=0.2)),
]


@st.composite
def usages(draw):
    sent, received = draw(st.integers(0, 1_000_000)), draw(st.integers(0, 100_000))
    read = draw(st.integers(0, sent))
    written = draw(st.integers(0, sent - read))
    return Usage(sent, read, written, received, draw(st.integers(0, received)))


@settings(max_examples=200, deadline=None)
@given(usage=usages(), more=st.tuples(st.integers(0, 300_000), st.integers(0, 1000)), pricing=st.sampled_from(PRICED))
def test_no_call_costs_more_than_the_most(usage, more, pricing):
    cost = pricing.cost(usage, at=AT)
    assert cost is not None
    assert cost <= pricing.most(usage.input_tokens, usage.output_tokens, at=AT)
    assert cost <= pricing.most(usage.input_tokens + more[0], usage.output_tokens + more[1], at=AT)


@pytest.mark.parametrize(
    ("pricing", "dollars"),
    [
        (Pricing("gpt-4.1", provider="openai"), 0.05 * 2.0 + 0.01 * 8.0),
        (Pricing("claude-sonnet-5-5", provider="anthropic"), 0.05 * 2.5 + 0.01 * 10.0),
        (Pricing("m", declared=Prices(1.0, 3.0, cache_read=0.1)), 0.05 * 1.0 + 0.01 * 3.0),
        (Pricing("m", declared=Prices(1.0, 3.0, cache_read=4.0, cache_write=2.0)), 0.05 * 4.0 + 0.01 * 3.0),
        (Pricing("m", declared=Prices(1.0, 3.0, cache_read=0.1, cache_write=0.2)), 0.05 * 1.0 + 0.01 * 3.0),
    ],
)
def test_the_most_is_reached_where_all_input_is_billed_at_the_dearest_price(pricing, dollars):
    assert pricing.most(50_000, 10_000, at=AT) == pytest.approx(dollars)


def test_the_most_is_reached_at_the_price_of_long_prompts():
    pricing = Pricing("claude-haiku-5-5", provider="anthropic")  # written to the cache: 0.125, beyond 100,000: 0.625
    assert pricing.most(100_000, 0, at=AT) == pytest.approx(0.1 * 0.125)
    assert pricing.most(200_000, 0, at=AT) == pytest.approx(0.2 * 0.625)


def test_a_price_that_falls_for_long_prompts_is_no_way_around_the_most():
    snapshot = data_snapshot.get_snapshot()
    provider, model = snapshot.find_provider_model("gpt-4.1", None, "openai", None)
    falling = TieredPrices(base=Decimal(10), tiers=[Tier(start=1000, price=Decimal(1))])
    cheaper = dataclasses.replace(model, prices=ModelPrice(input_mtok=falling, output_mtok=Decimal(0)))
    changed = dataclasses.replace(provider, models=[cheaper])
    data_snapshot.set_custom_snapshot(data_snapshot.DataSnapshot([changed], from_auto_update=False))
    try:
        assert Pricing("gpt-4.1", provider="openai").most(1001, 0) == pytest.approx(1000 * 10 / 1_000_000)
    finally:
        data_snapshot.set_custom_snapshot(None)


def test_the_most_of_an_unknown_price_is_unknown():
    assert Pricing("no-such-model", provider="openai").most(10, 10, at=AT) is None
    assert Pricing("text-embedding-3-small", provider="openai").most(10, 10, at=AT) is None


@pytest.mark.parametrize(
    ("pricing", "dollars"),
    [
        (Pricing("claude-opus-5", provider="anthropic"), 2.5 + 12.5),
        (Pricing("gpt-4.1", provider="openai"), 1.0 + 4.0),
        (Pricing("gpt-3.5-turbo-1106", provider="openai"), 1.0 + 2.0),  # the same as usual
        (Pricing("claude-2", provider="anthropic"), None),  # not served in batches
        (Pricing("gpt-5.3-codex", provider="openai"), None),  # other prices for priority, none for batches
        (Pricing("no-such-model", provider="openai"), None),
        (Pricing("gpt-4.1", provider="openai", declared=Prices(1.0, 1.0)), None),
    ],
)
def test_the_cost_in_a_batch_is_the_listed_one_or_unknown(pricing, dollars):
    usage = Usage(input_tokens=1_000_000, output_tokens=1_000_000)
    assert pricing.batch_cost(usage, at=AT) == (None if dollars is None else pytest.approx(dollars))
    assert pricing.batch_cost(Usage(input_tokens=1), at=AT) is None
