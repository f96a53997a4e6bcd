"""From a model's name to the model."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from calibrate.domain import Model, ModelRequest
from calibrate.errors import InputError
from calibrate.providers.ledger import Ledger, MeteredModel
from calibrate.providers.limits import LimitedModel
from calibrate.providers.retry import RetryingModel
from calibrate.providers.thinking import RoomForThinking
from calibrate.providers.wrapper import innermost, layers

if TYPE_CHECKING:
    from calibrate.config import DeclaredModel, Override, RequestLimits, Settings
    from calibrate.providers.endpoint import Endpoint

__all__ = [
    "CONCURRENCY",
    "caution",
    "check_request",
    "declared_endpoint",
    "dropped_parameters",
    "open_model",
    "vendor_endpoint",
    "within_limits",
]

CONCURRENCY = 64
"""Requests in flight at once to a provider, when nothing else is said."""

_SIMULATORS = ("sim:reader", "sim:reader-small", "sim:writer")


def open_model(
    name: str,
    settings: Settings,
    *,
    concurrency: int | None = None,
    directory: Path | None = None,
    ledger: Ledger | None = None,
) -> Model:
    """Return the model of that name with everything around it but the cache, which the caller adds.

    Outermost first: room for thinking, retries, limits, the ledger. Each attempt passes the last two.

    A name is ``openai:NAME``, ``anthropic:NAME``, ``openai-decisions:NAME``, ``local:path/model.gguf``,
    ``local:smollm2``, ``sim:reader``, ``sim:reader-small``, ``sim:writer``, ``py:module:function``, ``exec:command``,
    or a model declared in ``calibrate.toml``. A declared name goes first.
    Only the library of the provider in use is loaded, and no connection is made yet. ``close()`` closes everything.

    Args:
        name: the model as the user wrote it.
        settings: keys, base URLs, declared models, and what is declared about others.
        concurrency: the most requests in flight at once; None takes the declared number, else 64 (for ``exec:`` the
            number of processors). A ``local:`` model never takes more than it answers at once.
        directory: where ``py:`` modules, ``exec:`` and ``local:`` files are; None is the working directory.
        ledger: where what the calls cost is entered; models of one command share it.

    Raises:
        InputError: there is no such model, its key is not set, or its code or its file cannot be loaded.
    """
    name = name.strip()
    here = directory or Path.cwd()
    ledger = ledger or Ledger()
    provider, separator, rest = name.partition(":")
    if name in settings.models:
        declared = settings.models[name]
        endpoint = declared_endpoint(declared)
        model = _openai(endpoint) if declared.api == "openai" else _anthropic(endpoint)
        return _remote(model, declared.limits, concurrency, ledger)
    if provider in ("openai", "anthropic", "openai-decisions") and rest:
        from calibrate.config import Override

        override = settings.overrides.get(name) or Override()
        endpoint = vendor_endpoint(name, provider, rest, settings, override)
        return _remote(_vendor(provider, endpoint), override.limits, concurrency, ledger)
    if provider == "local" and separator:
        return _local(name, here, concurrency, ledger)
    if name in _SIMULATORS:
        return MeteredModel(_simulator(name), ledger)
    if provider == "py" and separator:
        from calibrate.providers.code_judges import FunctionJudge

        return LimitedModel(FunctionJudge(name, here, _redaction(settings)), concurrency or CONCURRENCY)
    if provider == "exec" and separator:
        from calibrate.providers.code_judges import CommandJudge

        judge = CommandJudge(name, here, _redaction(settings))
        return LimitedModel(judge, concurrency or os.cpu_count() or 1)
    raise _unknown(name, settings)


def dropped_parameters(model: Model) -> tuple[str, ...]:
    """Return the parameters that a model, wrapped or not, turned out not to take so far."""
    dropped: tuple[str, ...] = getattr(innermost(model), "dropped", ())
    for layer in layers(model):
        if isinstance(layer, RoomForThinking) and layer.enlarged:
            return (*dropped, f"token limit ({layer.factor} times as large instead: reasoning used it up)")
    return dropped


def caution(model: Model) -> str | None:
    """Return what everybody who sees the verdicts of a model, wrapped or not, has to know about it, or None."""
    said: str | None = getattr(innermost(model), "caution", None)
    return said


def check_request(model: Model, request: ModelRequest) -> None:
    """Refuse, before anything is spent, what a model, wrapped or not, cannot be asked.

    Raises:
        InputError: names the model and says what to do.
    """
    for layer in layers(model):
        check = getattr(layer, "check", None)
        if check is not None:
            check(request)


def within_limits(model: Model, limits: RequestLimits, concurrency: int | None, ledger: Ledger) -> Model:
    """Return a model behind a server with retries, limits and the ledger around it, outermost first."""
    limited = LimitedModel(
        MeteredModel(model, ledger),
        concurrency or limits.concurrency or CONCURRENCY,
        requests_per_minute=limits.requests_per_minute,
        tokens_per_minute=limits.tokens_per_minute,
    )
    return RetryingModel(limited)


def vendor_endpoint(name: str, provider: str, model: str, settings: Settings, override: Override) -> Endpoint:
    """Return where a provider's model is.

    Raises:
        InputError: its key is not set.
    """
    from calibrate.providers.endpoint import Endpoint
    from calibrate.providers.prices import Pricing

    is_openai = provider != "anthropic"
    key = settings.openai_key if is_openai else settings.anthropic_key
    variable = "OPENAI_API_KEY" if is_openai else "ANTHROPIC_API_KEY"
    if key is None:
        raise InputError(f"{name} needs a key: set the environment variable {variable}")
    return Endpoint(
        name=name,
        model=model,
        base_url=settings.openai_base_url if is_openai else settings.anthropic_base_url,
        pricing=Pricing(model, provider=provider, declared=override.prices),
        key=key,
        key_variable=variable,
        max_tokens=override.max_tokens,
    )


def declared_endpoint(declared: DeclaredModel) -> Endpoint:
    """Return where a declared model is.

    Raises:
        InputError: its key is not set.
    """
    from calibrate.providers.endpoint import Endpoint
    from calibrate.providers.prices import Pricing

    if declared.key_env is not None and declared.key is None:
        raise InputError(f"model '{declared.name}' needs a key: set the environment variable {declared.key_env}")
    return Endpoint(
        name=declared.name,
        model=declared.model,
        base_url=declared.base_url,
        pricing=Pricing(declared.model, base_url=declared.base_url, declared=declared.prices),
        key=declared.key,
        key_variable=declared.key_env,
        max_tokens=declared.max_tokens,
    )


def _remote(model: Model, limits: RequestLimits, concurrency: int | None, ledger: Ledger) -> Model:
    return RoomForThinking(within_limits(model, limits, concurrency, ledger), ledger)


def _vendor(provider: str, endpoint: Endpoint) -> Model:
    if provider == "openai-decisions":
        return _decisions(endpoint)
    return _openai(endpoint) if provider == "openai" else _anthropic(endpoint)


def _openai(endpoint: Endpoint) -> Model:
    from calibrate.config import Settings
    from calibrate.providers.openai_model import OpenAIModel

    # Other servers know the older name, and some ignore the newer one without a word: the reply would have no limit.
    own = endpoint.base_url == Settings().openai_base_url
    return OpenAIModel(endpoint, token_limit="max_completion_tokens" if own else "max_tokens")


def _decisions(endpoint: Endpoint) -> Model:
    from calibrate.providers.decisions_model import DecisionsModel

    return DecisionsModel(endpoint)


def _anthropic(endpoint: Endpoint) -> Model:
    from calibrate.providers.anthropic_model import AnthropicModel

    return AnthropicModel(endpoint)


def _local(name: str, directory: Path, concurrency: int | None, ledger: Ledger) -> Model:
    from calibrate.config import RequestLimits
    from calibrate.providers.local_model import SLOTS, LocalModel

    # What waits for a slot inside the server would use up the time that one attempt has.
    places = min(concurrency or SLOTS, SLOTS)
    return _remote(LocalModel(name, directory), RequestLimits(), places, ledger)


def _simulator(name: str) -> Model:
    from calibrate.providers.sim import SimReader, SimWriter

    return SimWriter(name) if name == "sim:writer" else SimReader(name)


def _redaction(settings: Settings) -> Callable[[str], str]:
    from calibrate.config import redact

    return functools.partial(redact, settings=settings)


def _unknown(name: str, settings: Settings) -> InputError:
    declared = ", ".join(settings.models) or "none"
    return InputError(
        f"there is no model '{name}': write openai:NAME, anthropic:NAME, openai-decisions:NAME, "
        f"local:path/model.gguf, local:smollm2, {', '.join(_SIMULATORS)}, py:module:function, exec:command, or a model "
        f"declared in calibrate.toml (declared here: {declared})"
    )
