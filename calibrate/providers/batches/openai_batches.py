"""The batch endpoint of OpenAI: a file of requests goes in, one or two files of results come out."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from calibrate.domain import ModelRequest
from calibrate.providers.batches.protocol import (
    BatchLimits,
    BatchRequest,
    BatchState,
    Outcome,
    Results,
    portions,
)
from calibrate.providers.batches.shared import EndpointBatches
from calibrate.providers.openai_model import OpenAIModel
from calibrate.providers.replies import field
from calibrate.providers.retry import CallError, NoRetry, Transient

if TYPE_CHECKING:
    from openai.types import Batch

__all__ = ["OpenAIBatches"]

# The provider's limits are 50,000 requests and 200 MB; some bytes are left for what is not counted.
_LIMITS = BatchLimits(requests=50_000, size=195_000_000)
_URL: Final = "/v1/chat/completions"
_MARK = "calibrate"
_ENDED = ("completed", "expired", "cancelled", "failed")
_CLOCKS = timedelta(hours=1)  # by how much this machine's clock and the provider's may differ


class OpenAIBatches(EndpointBatches[OpenAIModel]):
    """Batches of chat completions. A batch carries its token as metadata, so that it can always be found again.

    Args:
        model: the opened model; its connections are used.
        limits: the most that one batch takes; None for the provider's own.
    """

    def __init__(self, model: OpenAIModel, limits: BatchLimits | None = None) -> None:
        super().__init__(model)
        self._limits = limits or _LIMITS

    def portions(self, requests: Sequence[BatchRequest]) -> Iterator[Sequence[BatchRequest]]:
        """Cut requests into batches of at most 50,000 requests and 200 MB."""
        return portions(requests, lambda each: len(_line(each.key, self._model.body(each.request))), self._limits)

    async def submit(self, requests: Sequence[BatchRequest], token: str) -> str:
        """Upload the requests and submit them as one batch; see :class:`BatchEndpoint`."""
        from openai import NotFoundError

        bodies = [self._model.body(each.request) for each in requests]
        content = b"".join(_line(each.key, body) for each, body in zip(requests, bodies, strict=True))
        client = self._model._connect()
        with self._errors():
            try:
                file = await client.files.create(file=(f"{token}.jsonl", content), purpose="batch")
                batch = await client.batches.create(
                    input_file_id=file.id, endpoint=_URL, completion_window="24h", metadata={_MARK: token}
                )
            except NotFoundError:
                raise self._no_batches() from None
        for each, body in zip(requests, bodies, strict=True):
            self._remember(batch.id, each.request, body)
        return batch.id

    async def find(
        self,
        token: str,
        since: datetime,
        keys: Collection[str],  # noqa: ARG002 — the token is enough
        others: Collection[str] = (),  # noqa: ARG002 — the token is enough
    ) -> str | None:
        """Return the id of the batch that carries ``token``."""
        earliest = (since - _CLOCKS).timestamp()
        with self._errors():
            async for batch in self._model._connect().batches.list(limit=100):
                if batch.created_at < earliest:
                    return None
                if (batch.metadata or {}).get(_MARK) == token:
                    return batch.id
        return None

    async def poll(self, batch: str) -> BatchState:
        """Return how far a batch has come."""
        found = await self._retrieve(batch)
        counts = found.request_counts
        return BatchState(
            ended=found.status in _ENDED,
            total=counts.total if counts else 0,
            done=counts.completed + counts.failed if counts else 0,
            problem=self._problem(found) if found.status == "failed" else None,
            cancelled=found.status == "cancelled",
        )

    async def results(self, batch: str, requests: Mapping[str, ModelRequest]) -> Results:
        """Yield what became of the requests of a batch; see :class:`BatchEndpoint`."""
        self._assume(batch, requests)
        found = await self._retrieve(batch)
        for file in (found.output_file_id, found.error_file_id):
            if file:
                async for line in self._lines(file):
                    key = field(line, "custom_id")
                    if isinstance(key, str):
                        yield key, self._outcome(line, batch, requests.get(key))

    async def _retrieve(self, batch: str) -> Batch:
        from openai import NotFoundError

        with self._errors():
            try:
                return await self._model._connect().batches.retrieve(batch)
            except NotFoundError:
                raise self._lost(batch) from None

    async def _lines(self, file: str) -> AsyncIterator[object]:
        from openai import NotFoundError

        broken: ValueError | None = None
        with self._errors(), suppress(NotFoundError):  # a file that was deleted leaves its requests without a result
            async with self._model._connect().files.with_streaming_response.content(file) as response:
                async for line in _lines_of(response.iter_bytes()):
                    # A line that is none leaves its request without a result; the last one tells of a file cut short.
                    broken = None
                    try:
                        yield json.loads(line)
                    except ValueError as error:
                        broken = error
            if broken is not None:
                raise broken

    def _outcome(self, line: object, batch: str, request: ModelRequest | None) -> Outcome:
        response, error = field(line, "response"), field(line, "error")
        status, body = field(response, "status_code"), field(response, "body")
        if status == 200:
            try:
                return self._read(body)
            except CallError as unreadable:
                return unreadable
        if isinstance(status, int):
            fault = field(body, "error")
            words = str(field(fault, "message") or "no reason given")
            return self._refused(status, words, f"{field(fault, 'param')}: {words}", batch, request)
        code, words = field(error, "code"), str(field(error, "message") or "no reason given")
        retry = NoRetry() if code == "batch_cancelled" else Transient()
        told = self._model.endpoint.told(f"{words} ({code})" if code else words)
        return CallError(f"{self.name}: in its batch: {told}", retry=retry)

    def _problem(self, batch: Batch) -> str:
        faults = (batch.errors.data if batch.errors else None) or []
        first = next((fault for fault in faults if fault.message), None)
        if first is None or first.message is None:
            return "no reason given"
        line = f" (line {first.line})" if first.line is not None else ""
        more = f", and {len(faults) - 1} more" if len(faults) > 1 else ""
        return f"{self._model.endpoint.told(first.message)}{line}{more}"

    @contextmanager
    def _errors(self) -> Iterator[None]:
        from aiohttp import ClientError
        from httpx2 import HTTPError
        from openai import OpenAIError

        try:
            yield
        except (OpenAIError, ValueError) as error:  # ValueError: what should be JSON is none
            raise self._model._failure(error) from None
        except (ClientError, HTTPError) as error:  # while a file is read
            raise self._model.endpoint.disconnected(error) from None


async def _lines_of(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    # The transport's own lines end at every character that Unicode calls a line's end; replies are full of those.
    rest = b""
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if line.strip():
                yield line
    if rest.strip():
        yield rest


def _line(key: str, body: Mapping[str, Any]) -> bytes:
    request = {"custom_id": key, "method": "POST", "url": _URL, "body": body}
    return json.dumps(request, ensure_ascii=True).encode() + b"\n"
