"""Settings, from the environment and from ``calibrate.toml`` in the working directory.

This module is the only reader of the environment. Keys come from the environment only; the file declares models, and
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

    [models."openai:gpt-4.1"]
    input_price = 1.5
    output_price = 6.0
    tokens_per_minute = 2_000_000
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar
from urllib.parse import unquote, urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from calibrate.errors import InputError

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

FILE_NAME = "calibrate.toml"
FILE_LIMIT = 1_000_000
"""Bytes; a larger configuration file is a mistake."""

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


def load_settings(environ: Mapping[str, str], directory: Path) -> Settings:
    """Read the settings from an environment and from ``calibrate.toml`` in ``directory``, if there is one.

    An empty variable counts as not set. Missing keys are no error here: they are one when a model needs them.

    Raises:
        InputError: the file cannot be read or declares something unknown or impossible (file and field are named),
            or a base URL is none.
    """
    default = Settings()
    models, overrides = _declared(directory / FILE_NAME, environ)
    return Settings(
        openai_key=_key(environ, "OPENAI_API_KEY"),
        anthropic_key=_key(environ, "ANTHROPIC_API_KEY"),
        openai_base_url=_base_url(environ, "OPENAI_BASE_URL", default.openai_base_url),
        anthropic_base_url=_base_url(environ, "ANTHROPIC_BASE_URL", default.anthropic_base_url),
        database_url=environ.get("CALIBRATE_DB", "").strip() or default.database_url,
        models=models,
        overrides=overrides,
    )


def redact(text: str, settings: Settings) -> str:
    """Return ``text`` with every known key and password replaced by ``[redacted]``."""
    # The longest first: one key may be a part of another.
    for value in sorted((secret.reveal() for secret in settings.secrets), key=len, reverse=True):
        text = text.replace(value, "[redacted]")
    return text


_Price = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_Count = Annotated[int, Field(ge=1)]
_Text = Annotated[str, Field(min_length=1)]


class _Table(BaseModel):
    """What any model may declare: a provider's and one of a server."""

    model_config = ConfigDict(extra="forbid", strict=True)

    input_price: _Price | None = None
    output_price: _Price | None = None
    cache_read_price: _Price | None = None
    cache_write_price: _Price | None = None
    max_tokens: _Count | None = None
    concurrency: _Count | None = None
    requests_per_minute: _Count | None = None
    tokens_per_minute: _Count | None = None

    @model_validator(mode="after")
    def _has_both_prices(self) -> Self:
        if (self.input_price is None) != (self.output_price is None):
            raise ValueError("declare input_price and output_price together: one alone gives no cost")
        if self.input_price is None and (self.cache_read_price is not None or self.cache_write_price is not None):
            raise ValueError("declare input_price and output_price too: a cache price alone gives no cost")
        return self

    @property
    def prices(self) -> Prices | None:
        if self.input_price is None or self.output_price is None:
            return None
        return Prices(self.input_price, self.output_price, self.cache_read_price, self.cache_write_price)

    @property
    def limits(self) -> RequestLimits:
        return RequestLimits(self.concurrency, self.requests_per_minute, self.tokens_per_minute)


class _ServerTable(_Table):
    base_url: str
    model: _Text
    api: Api = "openai"
    key_env: _Text | None = None

    @field_validator("base_url")
    @classmethod
    def _is_base_url(cls, value: str) -> str:
        return _checked_url(value)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    models: dict[str, dict[str, Any]] = {}

    @field_validator("models")
    @classmethod
    def _names_can_be_used(cls, value: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        for name in value:
            prefix, separator, rest = name.partition(":")
            usable = bool(rest) and prefix in PROVIDERS if separator else bool(name)
            if not usable or name != name.strip() or rest != rest.strip():
                provided = ", ".join(f"{provider}:NAME" for provider in PROVIDERS)
                raise ValueError(
                    f"model name {name!r}: use a name without ':' and outer spaces, or the name of a provider's model "
                    f"({provided}) to override its prices and limits"
                )
        return value


_Validated = TypeVar("_Validated", bound=BaseModel)


def _declared(file: Path, environ: Mapping[str, str]) -> tuple[dict[str, DeclaredModel], dict[str, Override]]:
    models, overrides = {}, {}
    for name, content in _validated(_File, _parse(file), file).models.items():
        if ":" in name:
            override = _validated(_Table, content, file, "models", name)
            overrides[name] = Override(override.prices, override.max_tokens, override.limits)
            continue
        server = _validated(_ServerTable, content, file, "models", name)
        models[name] = DeclaredModel(
            name=name,
            base_url=server.base_url,
            model=server.model,
            api=server.api,
            key_env=server.key_env,
            key=_key(environ, server.key_env) if server.key_env else None,
            prices=server.prices,
            max_tokens=server.max_tokens,
            limits=server.limits,
        )
    return models, overrides


def _validated(table: type[_Validated], content: dict[str, Any], file: Path, *where: str) -> _Validated:
    try:
        return table.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in (*where, *first["loc"]))
        raise InputError(_explain(first, table), file=str(file), field=field or None) from None


def _parse(file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as stream:
            content = stream.read(FILE_LIMIT + 1)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(file)) from None
    if len(content) > FILE_LIMIT:
        raise InputError(f"larger than {FILE_LIMIT} bytes; this is no configuration file", file=str(file))
    try:
        return tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise InputError("not UTF-8 text; save it as UTF-8", file=str(file)) from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML: {error}", file=str(file)) from None


def _explain(error: Any, table: type[BaseModel]) -> str:
    if error["type"] == "extra_forbidden":
        if table is _Table and error["loc"][-1] in _ServerTable.model_fields:
            return (
                "a provider's model has its address and its key from the environment; remove this, "
                "or declare a server under a name without ':'"
            )
        return f"unknown setting; known here: {', '.join(_in_order(table))}"
    if error["type"] == "missing":
        return "missing; declare it"
    message: str = error["msg"].removeprefix("Value error, ")
    return message[:1].lower() + message[1:]


def _in_order(table: type[BaseModel]) -> list[str]:
    # What makes a server one goes first; pydantic puts a subclass's fields last.
    return sorted(table.model_fields, key=lambda name: name in _Table.model_fields)


def _key(environ: Mapping[str, str], variable: str) -> Secret | None:
    value = environ.get(variable, "").strip()
    return Secret(value) if value else None


def _base_url(environ: Mapping[str, str], variable: str, default: str) -> str:
    value = environ.get(variable, "").strip()
    if not value:
        return default
    try:
        return _checked_url(value)
    except ValueError as error:
        raise InputError(str(error), field=variable) from None


def _checked_url(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("not a base URL; write http://host/path or https://host/path")
    if parts.username or parts.password:
        raise ValueError("a base URL holds no user name or password; name the key's variable in key_env instead")
    return value.rstrip("/")


def _passwords(database_url: str) -> tuple[Secret, ...]:
    try:
        password = urlsplit(database_url).password
    except ValueError:  # not a URL of this shape; the store says so when it opens it
        return ()
    # As written and as read: drivers show the one, errors the other.
    return tuple(Secret(value) for value in {password, unquote(password)}) if password else ()
