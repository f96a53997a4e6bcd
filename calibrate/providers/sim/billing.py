"""Made-up prices and token counts, so that simulated runs show what a bill looks like."""

from __future__ import annotations

from dataclasses import dataclass

from calibrate.config import Prices
from calibrate.domain import Finish, ModelRequest, ModelResponse, Usage, canonical_json
from calibrate.providers.prices import Pricing

__all__ = ["PRICES", "SIMULATOR_VERSION", "Price", "most_cost", "pricing", "respond"]

SIMULATOR_VERSION = "2"
"""Raised whenever a reply could change; part of every model's identity."""

_CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens; made up.

    Attributes:
        input: for what is sent.
        output: for what comes back.
    """

    input: float
    output: float


PRICES: dict[str, Price] = {
    "sim:reader": Price(2.0, 8.0),
    "sim:reader-small": Price(0.2, 0.8),
    "sim:writer": Price(5.0, 15.0),
}


def respond(request: ModelRequest, text: str, model: str, seconds: float) -> ModelResponse:
    """Return the response to a request, cut at the request's token limit, with its made-up bill."""
    limit = max(1, request.max_tokens) * _CHARACTERS_PER_TOKEN
    finish: Finish = "stop" if len(text) <= limit else "length"
    text = text[:limit]
    sent = _sent(request)
    received = _tokens(len(text))
    price = PRICES[model]
    return ModelResponse(
        text=text,
        finish=finish,
        model=model,
        usage=Usage(
            input_tokens=sent, cache_read_tokens=0, cache_write_tokens=0, output_tokens=received, reasoning_tokens=0
        ),
        cost=(sent * price.input + received * price.output) / 1e6,
        latency=seconds,
    )


def pricing(model: str) -> Pricing:
    """Return the made-up prices of a simulated model as any model has them."""
    price = PRICES[model]
    return Pricing(model, declared=Prices(price.input, price.output), declared_in="made up for the simulator")


def most_cost(request: ModelRequest, model: str) -> float:
    """Return the most, in made-up US dollars, that the response to a request can cost."""
    price = PRICES[model]
    return (_sent(request) * price.input + max(1, request.max_tokens) * price.output) / 1e6


def _sent(request: ModelRequest) -> int:
    schema = canonical_json(request.schema) if request.schema is not None else ""
    return _tokens(len(request.system) + len(request.user) + len(schema))


def _tokens(characters: int) -> int:
    return -(-characters // _CHARACTERS_PER_TOKEN)
