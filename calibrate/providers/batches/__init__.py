"""Batch endpoints: half the price, and replies within a day."""

from __future__ import annotations

from calibrate.domain import Model
from calibrate.errors import InputError
from calibrate.providers.batches.protocol import (
    AnotherForm,
    BatchEndpoint,
    BatchLimits,
    BatchRequest,
    BatchState,
    Outcome,
)
from calibrate.providers.batches.thinking import ThinkingBatches
from calibrate.providers.relevancy import RelevancyModel
from calibrate.providers.thinking import RoomForThinking
from calibrate.providers.wrapper import ModelWrapper, innermost, layers

__all__ = ["AnotherForm", "BatchEndpoint", "BatchLimits", "BatchRequest", "BatchState", "Outcome", "open_batches"]


def open_batches(model: Model, limits: BatchLimits | None = None) -> BatchEndpoint:
    """Return the batch endpoint of an opened model, wrapped or not; the model's ``close()`` closes it too.

    Args:
        model: the model.
        limits: the most that one batch takes; None for the provider's own.

    Raises:
        InputError: it has none.
    """
    if any(isinstance(layer, RelevancyModel) for layer in layers(model)):
        raise InputError(
            "answer relevancy has no batch mode: each reply is compared as it comes; leave --mode batch out"
        )
    endpoint = _open(model, limits)
    while isinstance(model, ModelWrapper):
        if isinstance(model, RoomForThinking):
            return ThinkingBatches(endpoint, model)
        model = model.inner
    return endpoint


def _open(model: Model, limits: BatchLimits | None) -> BatchEndpoint:
    inner, api = innermost(model), getattr(innermost(model), "api", None)
    # The modules behind the endpoints are loaded for the API in use only.
    if api == "openai":
        from calibrate.providers.batches.openai_batches import OpenAIBatches
        from calibrate.providers.openai_model import OpenAIModel

        if isinstance(inner, OpenAIModel):
            return OpenAIBatches(inner, limits)
    if api == "anthropic":
        from calibrate.providers.anthropic_model import AnthropicModel
        from calibrate.providers.batches.anthropic_batches import AnthropicBatches

        if isinstance(inner, AnthropicModel):
            return AnthropicBatches(inner, limits)
    raise InputError(
        f"{model.name} has no batch endpoint: models of openai: and anthropic: do; leave --mode batch out for others"
    )
