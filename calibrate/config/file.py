"""``calibrate.toml``: what it may declare, and what is wrong with it in words."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from calibrate.config.settings import PROVIDERS, Api, DeclaredModel, Override, Prices, RequestLimits, Secret
from calibrate.errors import InputError

__all__ = ["FILE_NAME", "checked_url", "declared_models", "key_of"]

FILE_NAME = "calibrate.toml"
FILE_LIMIT = 1_000_000
"""Bytes; a larger configuration file is a mistake."""


def declared_models(file: Path, environ: Mapping[str, str]) -> tuple[dict[str, DeclaredModel], dict[str, Override]]:
    """Return the models that a file declares, and what it says about models of a provider, each by name.

    Args:
        file: the file; without one nothing is declared.
        environ: where the keys are that the file names.

    Raises:
        InputError: the file cannot be read or declares something unknown or impossible; file and field are named.
    """
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
            key=key_of(environ, server.key_env) if server.key_env else None,
            prices=server.prices,
            max_tokens=server.max_tokens,
            limits=server.limits,
        )
    return models, overrides


def key_of(environ: Mapping[str, str], variable: str) -> Secret | None:
    """Return the key in a variable; None when it is not set or empty."""
    value = environ.get(variable, "").strip()
    return Secret(value) if value else None


def checked_url(value: str) -> str:
    """Return a base URL without its last slash.

    Raises:
        ValueError: it is none, or holds a password.
    """
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("not a base URL; write http://host/path or https://host/path")
    if parts.username or parts.password:
        raise ValueError("a base URL holds no user name or password; name the key's variable in key_env instead")
    return value.rstrip("/")


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
            raise ValueError(
                "declare input_price and output_price together: one alone gives no cost (an embedding model has "
                "output_price = 0)"
            )
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
        return checked_url(value)


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


def _validated(table: type[_Validated], content: dict[str, Any], file: Path, *where: str) -> _Validated:
    try:
        return table.model_validate(content)
    except ValidationError as error:
        # A name that is not known says why another is missing, so it is told first.
        found = error.errors()
        first = next((each for each in found if each["type"] == "extra_forbidden"), found[0])
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
