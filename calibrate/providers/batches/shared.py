"""What both batch endpoints do in the same way: prices, and refusals that a model can be asked around."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Generic, Protocol, TypeVar

from calibrate.domain import ModelRequest, ModelResponse
from calibrate.errors import InputError
from calibrate.providers.batches.protocol import AnotherForm
from calibrate.providers.endpoint import Endpoint
from calibrate.providers.retry import CallError

__all__ = ["BatchedModel", "EndpointBatches"]

_DISCOUNT = 0.5  # both providers: half the price of a call, for every kind of token
_LONG = ("messages", "system")


class BatchedModel(Protocol):
    """What a model must know for its requests to be sent in batches."""

    endpoint: Endpoint

    def body(self, request: ModelRequest) -> dict[str, Any]:
        """Return the JSON body of a request."""

    def learn(self, message: str, sent: Mapping[str, Any]) -> bool:
        """Take note of a refusal, and say whether another form is worth sending."""

    def read(self, reply: object, latency: float) -> ModelResponse:
        """Return what a reply says."""

    def most_cost(self, request: ModelRequest) -> float | None:
        """Return the most that a single call can cost, in US dollars."""


AnyModel = TypeVar("AnyModel", bound=BatchedModel)


class EndpointBatches(Generic[AnyModel]):
    """The part of a batch endpoint that does not depend on the API.

    Args:
        model: the opened model; its connections are used.
    """

    def __init__(self, model: AnyModel) -> None:
        self._model = model
        self._sent: dict[str, dict[tuple[bool, ...], dict[str, Any]]] = {}

    @property
    def name(self) -> str:
        """The model as the user wrote it."""
        return self._model.endpoint.name

    @property
    def discount(self) -> float:
        """What a request costs in a batch, as a share of its price in a call."""
        # A server declared in calibrate.toml costs what is declared: of its batches nothing is known.
        return _DISCOUNT if self._model.endpoint.pricing.provider is not None else 1.0

    def most_cost(self, request: ModelRequest) -> float | None:
        """Return the most that a request in a batch can cost, in US dollars; None: price unknown."""
        most = self._model.most_cost(request)
        return None if most is None else most * self.discount

    def _read(self, reply: object) -> ModelResponse:
        response = self._model.read(reply, 0.0)
        cost = self._model.endpoint.pricing.batch_cost(response.usage)
        if cost is None and response.cost is not None:
            cost = response.cost * self.discount
        return replace(response, cost=cost)

    def _remember(self, batch: str, request: ModelRequest, body: Mapping[str, Any]) -> None:
        """Keep the form in which the requests of a batch were sent: the model may learn before they are refused."""
        forms = self._sent.setdefault(batch, {})
        if _kind(request) not in forms:
            forms[_kind(request)] = {name: value for name, value in body.items() if name not in _LONG}

    def _assume(self, batch: str, requests: Mapping[str, ModelRequest]) -> None:
        """Take a batch of an earlier process for one in today's form, before its refusals change that."""
        if batch not in self._sent:
            for request in {_kind(each): each for each in requests.values()}.values():
                self._remember(batch, request, self._model.body(request))

    def _refused(self, status: int, words: str, said: str, batch: str, request: ModelRequest | None) -> CallError:
        """Return the error for a request that was refused.

        Args:
            status: the HTTP status.
            words: the provider's words.
            said: the same with the name of the parameter, where the provider tells one.
            batch: the batch's id.
            request: what was asked; None when nobody asks for it any more.
        """
        sent = self._sent.get(batch, {}).get(_kind(request)) if request is not None else None
        error = self._model.endpoint.refused(status, words)
        if sent is not None and status in (400, 422) and self._model.learn(said, sent):
            return AnotherForm(str(error))
        if isinstance(error, CallError):
            return error
        raise error

    def _no_batches(self) -> InputError:
        host = self._model.endpoint.host
        return InputError(f"{self.name}: {host} has no batch endpoint (404); leave --mode batch out")

    def _lost(self, batch: str) -> InputError:
        host = self._model.endpoint.host
        return InputError(
            f"{self.name}: {host} knows no batch {batch} for this key; use the key that it was submitted with, or "
            "leave --mode batch out"
        )


def _kind(request: ModelRequest) -> tuple[bool, ...]:
    return request.temperature is None, request.schema is None
