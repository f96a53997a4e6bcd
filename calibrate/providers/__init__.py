"""Models, and what stands around them: retries, limits, prices and the cache. SDKs are loaded when they are used."""

from calibrate.providers.cache import CachedModel, Lookup
from calibrate.providers.limits import LimitedModel
from calibrate.providers.prices import PriceSnapshot, Pricing, price_snapshot
from calibrate.providers.registry import CONCURRENCY, dropped_parameters, open_model
from calibrate.providers.retry import CallError, NoRetry, RateLimited, Retry, RetryingModel, Transient
from calibrate.providers.wrapper import ModelWrapper, innermost

__all__ = [
    "CONCURRENCY",
    "CachedModel",
    "CallError",
    "LimitedModel",
    "Lookup",
    "ModelWrapper",
    "NoRetry",
    "PriceSnapshot",
    "Pricing",
    "RateLimited",
    "Retry",
    "RetryingModel",
    "Transient",
    "dropped_parameters",
    "innermost",
    "open_model",
    "price_snapshot",
]
