"""From an embedder's name to the embedder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calibrate.domain import Model
from calibrate.errors import InputError
from calibrate.providers.ledger import Ledger
from calibrate.providers.registry import declared_endpoint, vendor_endpoint, within_limits

if TYPE_CHECKING:
    from calibrate.config import Settings

__all__ = ["open_embedder"]


def open_embedder(
    name: str, settings: Settings, *, ledger: Ledger | None = None, concurrency: int | None = None
) -> Model:
    """Return the embedder of that name with retries, limits and the ledger around it.

    A name is ``openai:NAME`` (``openai:text-embedding-3-small``), a model declared in ``calibrate.toml`` behind any
    server that speaks OpenAI's embeddings API, or ``lexical``, which needs no server and is free. A declared name goes
    first. What an embedder is asked and answers: :mod:`calibrate.providers.embeddings`.

    Args:
        name: the embedder as the user wrote it.
        settings: keys, base URLs, declared models, and what is declared about others.
        ledger: where what the calls cost is entered; models of one command share it.
        concurrency: the most requests in flight at once; None takes the declared number, else 64.

    Raises:
        InputError: there is no such embedder, or its key is not set.
    """
    name = name.strip()
    ledger = ledger or Ledger()
    provider, _, model = name.partition(":")
    if (declared := settings.models.get(name)) is not None:
        if declared.api != "openai":
            raise InputError(
                f"model '{name}' speaks the {declared.api} API, which has no embeddings; declare a server that speaks "
                "OpenAI's"
            )
        endpoint, limits = declared_endpoint(declared), declared.limits
    elif name == "lexical":
        from calibrate.providers.embedding_lexical import LexicalEmbedder

        return LexicalEmbedder()
    elif provider == "openai" and model:
        from calibrate.config import Override

        override = settings.overrides.get(name) or Override()
        endpoint, limits = vendor_endpoint(name, provider, model, settings, override), override.limits
    else:
        declared_here = ", ".join(settings.models) or "none"
        raise InputError(
            f"there is no embedder '{name}': write lexical, openai:text-embedding-3-small (or another embedding model "
            f"of openai:), or a model declared in calibrate.toml (declared here: {declared_here})"
        )
    from calibrate.providers.embedding_openai import EmbeddingModel

    return within_limits(EmbeddingModel(endpoint), limits, concurrency, ledger)
