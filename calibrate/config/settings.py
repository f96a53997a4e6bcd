"""What the environment and ``calibrate.toml`` say, as frozen values; keys show themselves to nobody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import unquote, urlsplit

__all__ = [
    "PROVIDERS",
    "Api",
    "DeclaredModel",
    "Override",
    "Prices",
    "RequestLimits",
    "Secret",
    "Settings",
    "redact",
]

Api = Literal["openai", "anthropic"]

PROVIDERS = ("openai", "anthropic", "openai-decisions")
"""The prefixes of a provider's models."""


class Secret:
    """A key that shows itself to nobody but :meth:`reveal`: ``repr``, ``str`` and ``format`` are redacted."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Return the key, for the one place that sends it."""
        return self._value

    def __repr__(self) -> str:
        return "Secret([redacted])"

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self._value == other._value

    def __hash__(self) -> int:
        return hash((Secret, self._value))

    def __reduce__(self) -> str:
        raise TypeError("a secret is not written anywhere")


@dataclass(frozen=True, slots=True)
class Prices:
    """Declared prices, in US dollars per million tokens.

    Attributes:
        input: uncached input.
        output: output, reasoning included.
        cache_read: input read from the prompt cache; None bills it as ``input``.
        cache_write: input written to the prompt cache; None bills it as ``input``.
    """

    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """How much one model is asked at once and in a minute; None says nothing.

    Attributes:
        concurrency: the most requests in flight at once.
        requests_per_minute: the most requests in any minute.
        tokens_per_minute: the most tokens, input and output together, in any minute.
    """

    concurrency: int | None = None
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None


@dataclass(frozen=True, slots=True)
class DeclaredModel:
    """A model declared in ``calibrate.toml``: any server that speaks the OpenAI or the Anthropic API.

    Attributes:
        name: how commands refer to it.
        base_url: the root of the API, ``http://localhost:11434/v1`` for example.
        model: what the server calls it.
        api: which of the two APIs the server speaks.
        key_env: the environment variable that holds the key; None for a server that needs none.
        key: the key found there; None when the variable is not set.
        prices: what it costs, or None when not declared.
        max_tokens: the largest reply, in place of what a request asks for.
        limits: how much it is asked.
    """

    name: str
    base_url: str
    model: str
    api: Api = "openai"
    key_env: str | None = None
    key: Secret | None = None
    prices: Prices | None = None
    max_tokens: int | None = None
    limits: RequestLimits = RequestLimits()


@dataclass(frozen=True, slots=True)
class Override:
    """What ``calibrate.toml`` says about a provider's model, in place of what is known about it.

    Attributes:
        prices: what it costs, or None to leave it to the price data.
        max_tokens: the largest reply, in place of what a request asks for.
        limits: how much it is asked.
    """

    prices: Prices | None = None
    max_tokens: int | None = None
    limits: RequestLimits = RequestLimits()


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that comes from outside the command line.

    Attributes:
        openai_key: ``OPENAI_API_KEY``.
        anthropic_key: ``ANTHROPIC_API_KEY``.
        openai_base_url: ``OPENAI_BASE_URL``, or OpenAI's own.
        anthropic_base_url: ``ANTHROPIC_BASE_URL``, or Anthropic's own.
        database_url: ``CALIBRATE_DB``; not in the ``repr``, since it may hold a password.
        models: the declared models by name.
        overrides: what is declared about models of a provider, by name (``openai:gpt-4.1``).
    """

    openai_key: Secret | None = None
    anthropic_key: Secret | None = None
    openai_base_url: str = "https://api.openai.com/v1"
    anthropic_base_url: str = "https://api.anthropic.com"
    database_url: str = field(default="sqlite:///runs.db", repr=False)
    models: Mapping[str, DeclaredModel] = field(default_factory=dict)
    overrides: Mapping[str, Override] = field(default_factory=dict)

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """Every known key and password."""
        keys = [self.openai_key, self.anthropic_key, *(declared.key for declared in self.models.values())]
        return tuple(key for key in (*keys, *_passwords(self.database_url)) if key is not None)


def redact(text: str, settings: Settings) -> str:
    """Return ``text`` with every known key and password replaced by ``[redacted]``."""
    # The longest first: one key may be a part of another.
    for value in sorted((secret.reveal() for secret in settings.secrets), key=len, reverse=True):
        text = text.replace(value, "[redacted]")
    return text


def _passwords(database_url: str) -> tuple[Secret, ...]:
    try:
        password = urlsplit(database_url).password
    except ValueError:  # not a URL of this shape; the store says so when it opens it
        return ()
    # As written and as read: drivers show the one, errors the other.
    return tuple(Secret(value) for value in {password, unquote(password)}) if password else ()
