"""Reads the settings; the only reader of the environment."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from calibrate.config.file import FILE_NAME, checked_url, declared_models, key_of
from calibrate.config.settings import Settings
from calibrate.errors import InputError

__all__ = ["load_settings"]


def load_settings(environ: Mapping[str, str], directory: Path) -> Settings:
    """Read the settings from an environment and from ``calibrate.toml`` in ``directory``, if there is one.

    An empty variable counts as not set. Missing keys are no error here: they are one when a model needs them.

    Raises:
        InputError: the file cannot be read or declares something unknown or impossible (file and field are named),
            or a base URL is none.
    """
    default = Settings()
    models, overrides = declared_models(directory / FILE_NAME, environ)
    return Settings(
        openai_key=key_of(environ, "OPENAI_API_KEY"),
        anthropic_key=key_of(environ, "ANTHROPIC_API_KEY"),
        openai_base_url=_base_url(environ, "OPENAI_BASE_URL", default.openai_base_url),
        anthropic_base_url=_base_url(environ, "ANTHROPIC_BASE_URL", default.anthropic_base_url),
        database_url=environ.get("CALIBRATE_DB", "").strip() or default.database_url,
        models=models,
        overrides=overrides,
    )


def _base_url(environ: Mapping[str, str], variable: str, default: str) -> str:
    value = environ.get(variable, "").strip()
    if not value:
        return default
    try:
        return checked_url(value)
    except ValueError as error:
        raise InputError(str(error), field=variable) from None
