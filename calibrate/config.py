"""Settings, from the environment and from ``calibrate.toml`` in the working directory.

This module is the only reader of the environment. Keys come from the environment only; the file declares models::

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
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import unquote, urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from calibrate.errors import InputError

__all__ = ["Api", "DeclaredModel", "Secret", "Settings", "load_settings", "redact"]

FILE_NAME = "calibrate.toml"
FILE_LIMIT = 1_000_000
"""Bytes; a larger configuration file is a mistake."""

Api = Literal["openai", "anthropic"]


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
class DeclaredModel:
    """A model declared in ``calibrate.toml``: any server that speaks the OpenAI or the Anthropic API.

    Attributes:
        name: how commands refer to it.
        base_url: the root of the API, ``http://localhost:11434/v1`` for example.
        model: what the server calls it.
        api: which of the two APIs the server speaks.
        key_env: the environment variable that holds the key; None for a server that needs none.
        key: the key found there; None when the variable is not set.
        input_price: US dollars per million input tokens, or None when not declared.
        output_price: US dollars per million output tokens, or None when not declared.
        max_tokens: the largest reply, in place of what a request asks for.
        concurrency: the most requests in flight at once.
    """

    name: str
    base_url: str
    model: str
    api: Api = "openai"
    key_env: str | None = None
    key: Secret | None = None
    input_price: float | None = None
    output_price: float | None = None
    max_tokens: int | None = None
    concurrency: int | None = None


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
    """

    openai_key: Secret | None = None
    anthropic_key: Secret | None = None
    openai_base_url: str = "https://api.openai.com/v1"
    anthropic_base_url: str = "https://api.anthropic.com"
    database_url: str = field(default="sqlite:///runs.db", repr=False)
    models: Mapping[str, DeclaredModel] = field(default_factory=dict)

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
    return Settings(
        openai_key=_key(environ, "OPENAI_API_KEY"),
        anthropic_key=_key(environ, "ANTHROPIC_API_KEY"),
        openai_base_url=_base_url(environ, "OPENAI_BASE_URL", default.openai_base_url),
        anthropic_base_url=_base_url(environ, "ANTHROPIC_BASE_URL", default.anthropic_base_url),
        database_url=environ.get("CALIBRATE_DB", "").strip() or default.database_url,
        models=_declared_models(directory / FILE_NAME, environ),
    )


def redact(text: str, settings: Settings) -> str:
    """Return ``text`` with every known key and password replaced by ``[redacted]``."""
    # The longest first: one key may be a part of another.
    for value in sorted((secret.reveal() for secret in settings.secrets), key=len, reverse=True):
        text = text.replace(value, "[redacted]")
    return text


class _ModelTable(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    base_url: str
    model: Annotated[str, Field(min_length=1)]
    api: Api = "openai"
    key_env: Annotated[str, Field(min_length=1)] | None = None
    input_price: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    output_price: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    concurrency: Annotated[int, Field(ge=1)] | None = None

    @field_validator("base_url")
    @classmethod
    def _is_base_url(cls, value: str) -> str:
        return _checked_url(value)

    @model_validator(mode="after")
    def _has_both_prices(self) -> Self:
        if (self.input_price is None) != (self.output_price is None):
            raise ValueError("declare input_price and output_price together: one alone gives no cost")
        return self


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    models: dict[str, _ModelTable] = {}

    @field_validator("models")
    @classmethod
    def _names_are_plain(cls, value: dict[str, _ModelTable]) -> dict[str, _ModelTable]:
        for name in value:
            if not name or ":" in name or name != name.strip():
                raise ValueError(f"model name {name!r}: use a name without ':' and outer spaces")
        return value


def _declared_models(file: Path, environ: Mapping[str, str]) -> dict[str, DeclaredModel]:
    content = _parse(file)
    try:
        tables = _File.model_validate(content).models
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(_explain(first), file=str(file), field=where or None) from None
    return {
        name: DeclaredModel(
            name=name,
            key=_key(environ, table.key_env) if table.key_env else None,
            **table.model_dump(),
        )
        for name, table in tables.items()
    }


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


def _explain(error: Any) -> str:
    if error["type"] == "extra_forbidden":
        known = _File.model_fields if len(error["loc"]) == 1 else _ModelTable.model_fields
        return f"unknown setting; known here: {', '.join(known)}"
    if error["type"] == "missing":
        return "missing; declare it"
    message: str = error["msg"].removeprefix("Value error, ")
    return message[:1].lower() + message[1:]


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
