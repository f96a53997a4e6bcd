"""Bills worked out from rates are the price data's own."""

import random

import pytest
from genai_prices import data_snapshot

from calibrate.domain import Usage
from calibrate.providers import Pricing
from calibrate.providers.rates import Rates, rates_of

PROVIDERS = ("openai", "anthropic", "deepseek", "groq", "google", "mistral")


def models(provider):
    [found] = [each for each in data_snapshot.get_snapshot().providers if each.id == provider]
    return [model.id for model in found.models]


def usages(draw):
    for _ in range(6):
        sent, output = draw.randrange(5000), draw.randrange(2000)
        read = draw.choice([None, 0, draw.randrange(sent + 1)])
        written = draw.choice([None, 0, draw.randrange(sent - (read or 0) + 1)])
        yield Usage(sent, read, written, output, draw.choice([None, 0, draw.randrange(output + 1)]))
    yield Usage(10, 11, 0, 5, 0)
    yield Usage(10, 6, 6, 5, 0)
    yield Usage(10, 0, 0, 5, 6)
    yield Usage(0, 0, 0, 0, 0)
    yield Usage(300_000, 0, 0, 5, 0)
    yield Usage(None, 0, 0, 5, 0)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_every_bill_is_the_one_of_the_price_data(provider, monkeypatch):
    draw = random.Random(provider)
    for model in models(provider):
        pricing = Pricing(model, provider=provider)
        for usage in usages(draw):
            by_rates = pricing.cost(usage)
            with monkeypatch.context() as patched:
                patched.setattr("calibrate.providers.prices._rates", lambda *_: None)
                by_rules = pricing.cost(usage)
            assert by_rates == by_rules, (model, usage)


def test_a_kind_without_a_price_has_no_rates():
    assert rates_of(lambda usage: None if usage.output_tokens else 0.0) is None


def test_a_price_for_the_call_itself_has_no_rates():
    assert rates_of(lambda usage: 0.01) is None


def test_rates_add_up():
    rates = rates_of(
        lambda u: (u.input_tokens + u.cache_read_tokens + 2 * u.cache_write_tokens + 4 * u.output_tokens) / 1e6
    )
    assert isinstance(rates, Rates)
    assert rates.cost(Usage(100, 20, 10, 5, 1)) == (100 + 20 + 20 + 20) / 1e6
