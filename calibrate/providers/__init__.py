"""Models, and what stands around them: retries, limits, prices and the cache. SDKs are loaded when they are used."""

from calibrate.providers.cache import CachedModel, Lookup
from calibrate.providers.ledger import Ledger, MeteredModel, expected_cost, how_to_price, largest_cost
from calibrate.providers.limits import LimitedModel, limits_of
from calibrate.providers.prices import PriceSnapshot, Pricing, price_snapshot
from calibrate.providers.registry import CONCURRENCY, caution, check_request, dropped_parameters, open_model
from calibrate.providers.retry import CallError, NoRetry, RateLimited, Retry, RetryingModel, Transient
from calibrate.providers.thinking import RoomForThinking
from calibrate.providers.wrapper import ModelWrapper, innermost

__all__ = [
    "CONCURRENCY",
    "CachedModel",
    "CallError",
    "Ledger",
    "LimitedModel",
    "Lookup",
    "MeteredModel",
    "ModelWrapper",
    "NoRetry",
    "PriceSnapshot",
    "Pricing",
    "RateLimited",
    "Retry",
    "RetryingModel",
    "RoomForThinking",
    "Transient",
    "caution",
    "check_request",
    "dropped_parameters",
    "expected_cost",
    "how_to_price",
    "innermost",
    "largest_cost",
    "limits_of",
    "open_model",
    "price_snapshot",
]
