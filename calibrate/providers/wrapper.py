"""The base of every wrapper: a model around a model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from calibrate.domain import Json, Model, ModelRequest, ModelResponse

__all__ = ["ModelWrapper", "innermost", "layers"]


class ModelWrapper:
    """A model that passes everything on to another one.

    Attributes:
        inner: the model around which this one stands.
    """

    def __init__(self, inner: Model) -> None:
        self.inner = inner

    @property
    def name(self) -> str:
        """The inner model's name."""
        return self.inner.name

    @property
    def simulated(self) -> bool:
        """Whether the inner model is simulated."""
        return self.inner.simulated

    @property
    def identity(self) -> Mapping[str, Json]:
        """The inner model's identity: a wrapper changes no reply."""
        return self.inner.identity

    async def complete(self, request: ModelRequest) -> ModelResponse:
        """Answer one request with the inner model."""
        return await self.inner.complete(request)

    async def close(self) -> None:
        """Close the inner model."""
        await self.inner.close()


def layers(model: Model) -> Iterator[Model]:
    """Yield a model and everything inside it, outermost first."""
    yield model
    while isinstance(model, ModelWrapper):
        model = model.inner
        yield model


def innermost(model: Model) -> Model:
    """Return the model inside all wrappers."""
    while isinstance(model, ModelWrapper):
        model = model.inner
    return model
