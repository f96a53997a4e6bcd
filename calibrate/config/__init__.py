"""Settings, from the environment and from ``calibrate.toml`` in the working directory.

This package is the only reader of the environment. Keys come from the environment only; the file declares models, and
overrides prices and limits of a provider's::

    [models.local]
    base_url = "http://localhost:11434/v1"
    model = "qwen3"

    [models.house]
    base_url = "https://llm.example.com"
    model = "claude-sonnet-5-5"
    api = "anthropic"
    key_env = "HOUSE_KEY"
    input_price = 2.0
    output_price = 10.0
    cache_read_price = 0.1
    requests_per_minute = 600

    [models.embedder]
    base_url = "http://localhost:11434/v1"
    model = "nomic-embed-text"
    input_price = 0.0
    output_price = 0.0

    [models."openai:gpt-4.1"]
    input_price = 1.5
    output_price = 6.0
    tokens_per_minute = 2_000_000
"""

from calibrate.config.environment import load_settings
from calibrate.config.settings import (
    PROVIDERS,
    Api,
    DeclaredModel,
    Override,
    Prices,
    RequestLimits,
    Secret,
    Settings,
    redact,
)

__all__ = [
    "PROVIDERS",
    "Api",
    "DeclaredModel",
    "Override",
    "Prices",
    "RequestLimits",
    "Secret",
    "Settings",
    "load_settings",
    "redact",
]
