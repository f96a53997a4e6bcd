"""The batch endpoint of Anthropic: message batches."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

from calibrate.domain import ModelRequest
from calibrate.providers.anthropic_model import AnthropicModel
from calibrate.providers.batches.protocol import (
    BatchLimits,
    BatchRequest,
    BatchState,
    Outcome,
    Results,
    portions,
)
from calibrate.providers.batches.shared import EndpointBatches
from calibrate.providers.replies import field
from calibrate.providers.retry import CallError, NoRetry, Transient

if TYPE_CHECKING:
    from anthropic.types.messages import MessageBatch
    from anthropic.types.messages.batch_create_params import Request

__all__ = ["AnthropicBatches"]

# The provider's limits are 100,000 requests and 256 MB; some bytes are left for what is not counted.
_LIMITS = BatchLimits(requests=100_000, size=250_000_000)
_STATUSES: Mapping[str, int] = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
_CLOCKS = timedelta(hours=1)  # by how much this machine's clock and the provider's may differ


class AnthropicBatches(EndpointBatches[AnthropicModel]):
    """Message batches.

    A batch bears no mark of its own. One whose id never arrived is looked for among the batches that were created at
    that time with as many requests: one that has ended is ours when its custom ids are, since they are the content
    addresses of our requests; one in progress is taken for ours until its results say otherwise.

    Args:
        model: the opened model; its connections are used.
        limits: the most that one batch takes; None for the provider's own.
    """

    def __init__(self, model: AnthropicModel, limits: BatchLimits | None = None) -> None:
        super().__init__(model)
        self._limits = limits or _LIMITS

    def portions(self, requests: Sequence[BatchRequest]) -> Iterator[Sequence[BatchRequest]]:
        """Cut requests into batches of at most 100,000 requests and 256 MB."""
        return portions(requests, lambda each: len(json.dumps(self._entry(each))) + 1, self._limits)

    async def submit(self, requests: Sequence[BatchRequest], token: str) -> str:  # noqa: ARG002 — there is no place for it
        """Submit the requests as one batch; see :class:`BatchEndpoint`."""
        from anthropic import NotFoundError

        entries = [self._entry(each) for each in requests]
        with self._errors():
            try:
                batch = await self._model._connect().messages.batches.create(requests=cast("list[Request]", entries))
            except NotFoundError:
                raise self._no_batches() from None
        for each, entry in zip(requests, entries, strict=True):
            self._remember(batch.id, each.request, entry["params"])
        return batch.id

    async def find(
        self,
        token: str,  # noqa: ARG002 — batches bear no marks
        since: datetime,
        keys: Collection[str],
        others: Collection[str] = (),
    ) -> str | None:
        """Return the id of a batch that was created about then and may have these requests."""
        in_progress: str | None = None
        with self._errors():
            async for batch in self._model._connect().messages.batches.list(limit=100):
                if batch.created_at < since - _CLOCKS:
                    break
                late = batch.created_at > since + _CLOCKS
                if late or batch.id in others or _total(batch) != len(keys) or batch.archived_at is not None:
                    continue
                if batch.processing_status != "ended":
                    in_progress = in_progress or batch.id
                elif await self._first_key(batch.id) in keys:
                    return batch.id
        return in_progress

    async def poll(self, batch: str) -> BatchState:
        """Return how far a batch has come."""
        from anthropic import NotFoundError

        with self._errors():
            try:
                found = await self._model._connect().messages.batches.retrieve(batch)
            except NotFoundError:
                raise self._lost(batch) from None
        ended = found.processing_status == "ended"
        total = _total(found)
        return BatchState(
            ended=ended,
            total=total,
            done=total - found.request_counts.processing,
            cancelled=ended and found.cancel_initiated_at is not None,
            gone=ended and (found.archived_at is not None or found.results_url is None),
        )

    async def results(self, batch: str, requests: Mapping[str, ModelRequest]) -> Results:
        """Yield what became of the requests of a batch; see :class:`BatchEndpoint`."""
        self._assume(batch, requests)
        with self._errors():
            entries = await self._model._connect().messages.batches.results(batch)
            try:
                async for entry in entries:
                    key = field(entry, "custom_id")
                    if isinstance(key, str):
                        yield key, self._outcome(field(entry, "result"), batch, requests.get(key))
            finally:
                await entries.close()

    async def _first_key(self, batch: str) -> str | None:
        results = self.results(batch, {})
        try:
            return await anext((key async for key, _ in results), None)
        finally:
            await results.aclose()

    def _entry(self, each: BatchRequest) -> dict[str, Any]:
        return {"custom_id": each.key, "params": self._model.body(each.request)}

    def _outcome(self, result: object, batch: str, request: ModelRequest | None) -> Outcome:
        kind = field(result, "type")
        if kind == "succeeded":
            try:
                return self._read(field(result, "message"))
            except CallError as unreadable:
                return unreadable
        if kind == "errored":
            error = field(field(result, "error"), "error")
            words = str(field(error, "message") or "no reason given")
            status = _STATUSES.get(str(field(error, "type")), 500)
            return self._refused(status, words, words, batch, request)
        if kind == "canceled":
            return CallError(f"{self.name}: its batch was cancelled before it was answered", retry=NoRetry())
        return CallError(f"{self.name}: its batch expired before it was answered", retry=Transient())

    @contextmanager
    def _errors(self) -> Iterator[None]:
        from aiohttp import ClientError
        from anthropic import AnthropicError
        from httpx2 import HTTPError

        try:
            yield
        except (AnthropicError, ValueError) as error:  # ValueError: what should be JSON is none
            raise self._model._failure(error) from None
        except (ClientError, HTTPError) as error:  # while results are read
            raise self._model.endpoint.disconnected(error) from None


def _total(batch: MessageBatch) -> int:
    counts = batch.request_counts
    return counts.processing + counts.succeeded + counts.errored + counts.canceled + counts.expired
