"""A server on 127.0.0.1 that answers like OpenAI's chat, decisions and embeddings and Anthropic's messages APIs.

Requests are checked as the real ones are, and refused in the real shapes; replies are scripted or computed::

    with Loopback(["first", Reply("second", finish="length"), error(429, retry_after=1)]) as server:
        AsyncOpenAI(base_url=server.openai_url, api_key="any")

    with Loopback(lambda call: '{"reasoning": "", "label": "1"}', latency=0.05) as server: ...
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from loopback_apis import APIS, AnthropicApi, Call, OpenAIApi, Refused, Reply
from loopback_batches import BatchApis, Dropped
from loopback_decisions import DecisionsApi
from loopback_embeddings import EmbeddingsApi

__all__ = [
    "Call",
    "Entry",
    "Loopback",
    "Reply",
    "cut_off",
    "dropped",
    "empty_choices",
    "error",
    "malformed",
    "refused",
    "truncated",
    "web_page",
    "without_usage",
]


def error(
    status: int,
    message: str = "told to fail",
    *,
    retry_after: float | str | None = None,
    headers: Mapping[str, str] | None = None,
    code: str | None = None,
) -> Reply:
    told = {} if retry_after is None else {"retry-after": str(retry_after)}
    return Reply(status=status, message=message, headers={**told, **(headers or {})}, code=code)


def refused(text: str = "I cannot help with that.") -> Reply:
    return Reply(text, finish="refusal")


def truncated(text: str) -> Reply:
    return Reply(text, finish="length")


def without_usage(text: str) -> Reply:
    return Reply(text, usage=False)


def dropped(*, charged: bool = False) -> Reply:
    return Reply(drop=True, charged=charged)


def cut_off(text: str = "", *, charged: bool = False) -> Reply:
    return Reply(text, cut=True, charged=charged)


def malformed(*, charged: bool = False) -> Reply:
    return Reply(raw=b'{"id": "x", "choices": [{"ind', charged=charged)


def web_page(*, charged: bool = False) -> Reply:
    page = b"<!doctype html><title>Sign in</title>"
    return Reply(raw=page, headers={"content-type": "text/html; charset=utf-8"}, charged=charged)


def empty_choices(*, charged: bool = False) -> Reply:
    body = b'{"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": []}'
    return Reply(raw=body, charged=charged)


_APIS = {**APIS, "/v1/decisions": DecisionsApi(), "/v1/embeddings": EmbeddingsApi()}

Replies = str | Reply | Sequence[str | Reply] | Callable[[Call], str | Reply]


@dataclass(frozen=True, slots=True)
class Entry:
    """One reply, and the US dollars that were charged for it."""

    call: Call
    reply: Reply
    charge: float


class Loopback:
    """The server, in a thread of its own while the ``with`` block runs.

    Args:
        replies: one reply for all; replies in order, the last one repeated; or a function of the call.
        latency: seconds before each reply.
        together: no reply before so many requests are in flight at once.
        keys: the keys that are let in; None lets any in.
        models: the models that exist; None knows all.
        refuses: parameters that the models do not take.
        prices: US dollars per million tokens of input, cached input and output.

    Attributes:
        calls: the accepted requests, in order.
        requests: all requests, refused ones included.
        connections: connections made.
        most_in_flight: the most requests that were waiting for their reply at once.
        charged: US dollars for all replies that can be read, and for those others that are said to be charged.
        entries: the replies, in the order in which they were sent; each is entered before it is sent.
        batches: the batch APIs; see there.

    Raises:
        Exception: at the end of the block, what the function of the call raised.
    """

    def __init__(
        self,
        replies: Replies = "ok",
        *,
        latency: float = 0.0,
        together: int = 1,
        keys: Collection[str] | None = None,
        models: Collection[str] | None = None,
        refuses: Collection[str] = (),
        prices: tuple[float, float, float] = (2.0, 0.5, 8.0),
    ) -> None:
        self._replies = replies
        self._latency = latency
        self._together = together
        self._held: list[Callable[[], None]] = []
        self.keys = keys
        self.models = models
        self.refuses = frozenset(refuses)
        self._prices = prices
        self.calls: list[Call] = []
        self.requests = 0
        self.connections = 0
        self.most_in_flight = 0
        self.charged = 0.0
        self.entries: list[Entry] = []
        self._charging = True
        self.batches = BatchApis(self)
        self._in_flight = 0
        self._failure: Exception | None = None
        self._transports: set[asyncio.Transport] = set()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    anthropic_url = base_url

    @property
    def openai_url(self) -> str:
        return f"{self.base_url}/v1"

    def __enter__(self) -> Loopback:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        if self._failure is not None:
            raise self._failure

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        server = await self._loop.create_server(lambda: _Connection(self), "127.0.0.1", 0, backlog=1024)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        for transport in list(self._transports):
            transport.abort()
        await asyncio.sleep(0)

    def _reply(self, call: Call) -> Reply:
        if callable(self._replies):
            reply = self._replies(call)
        elif isinstance(self._replies, str | Reply):
            reply = self._replies
        else:
            reply = self._replies[min(call.index, len(self._replies) - 1)]
        return Reply(reply) if isinstance(reply, str) else reply

    def charge(self, uncached: int, cached: int, output: int) -> None:
        if not self._charging:
            return
        prices = self._prices
        self.charged += (uncached * prices[0] + cached * prices[1] + output * prices[2]) / 1e6


class _Connection(asyncio.Protocol):
    def __init__(self, server: Loopback) -> None:
        self._server = server
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._server.connections += 1
        self._server._transports.add(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._server._transports.discard(self._transport)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, separator, rest = self._buffer.partition(b"\r\n\r\n")
        if not separator:
            return
        lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        length = int(headers.get("content-length", 0))
        if len(rest) < length:
            return
        self._buffer = rest[length:]
        method, path, _ = lines[0].split(" ")
        if not self._answer_batches(method, path, headers, rest[:length]):
            self._answer(method, path.partition("?")[0], headers, rest[:length])

    def _answer_batches(self, method: str, target: str, headers: Mapping[str, str], content: bytes) -> bool:
        try:
            answer = self._server.batches.answer(method, target, headers, content)
        except Refused as refusal:
            self._send(refusal.status, {}, self._server.batches.refusal(target, refusal))
        except Dropped:
            self._transport.abort()
        except Exception as failure:  # noqa: BLE001 — as below
            self._server._failure = failure
            self._transport.abort()
        else:
            if answer is None:
                return False
            self._send(200, {}, answer)
        return True

    def _answer(self, method: str, path: str, headers: Mapping[str, str], content: bytes) -> None:
        server = self._server
        server.requests += 1
        shapes = _APIS.get(path)
        if shapes is None or method != "POST":
            self._send(404, {}, json.dumps({"detail": "Not Found"}).encode())
            return
        try:
            body = json.loads(content)
            shapes.check(server, body, headers)
        except Refused as refusal:
            self._send(refusal.status, {}, shapes.error(refusal))
            return
        call = Call(shapes.api, body, headers, len(server.calls))
        server.calls.append(call)
        try:
            reply = server._reply(call)
        except Exception as failure:  # noqa: BLE001 — the test's own function failed: the test is told at the end
            server._failure = failure
            self._transport.abort()
            return
        server._in_flight += 1
        server.most_in_flight = max(server.most_in_flight, server._in_flight)
        server._held.append(lambda: self._finish_later(shapes, call, reply))
        if server._in_flight >= server._together:
            held, server._held = server._held, []
            for finish in held:
                finish()

    def _finish_later(self, shapes: OpenAIApi | AnthropicApi, call: Call, reply: Reply) -> None:
        wait = self._server._latency + reply.latency
        if wait:
            self._server._loop.call_later(wait, self._finish, shapes, call, reply)
        else:
            self._finish(shapes, call, reply)

    def _finish(self, shapes: OpenAIApi | AnthropicApi, call: Call, reply: Reply) -> None:
        server = self._server
        server._in_flight -= 1
        faulty = reply.drop or reply.cut or reply.raw is not None or reply.status != 200
        server._charging = reply.charged or not faulty
        charged = server.charged
        content = b""
        if server._charging or reply.cut:
            content = json.dumps(shapes.success(server, call, reply)).encode()
        server.entries.append(Entry(call, reply, server.charged - charged))
        if reply.drop:
            self._transport.abort()
        elif reply.cut:
            self._send(reply.status, reply.headers, content, half=True)
        elif reply.raw is not None:
            self._send(reply.status, reply.headers, reply.raw)
        elif reply.status != 200:
            refusal = Refused(reply.status, reply.message, code=reply.code)
            self._send(reply.status, reply.headers, shapes.error(refusal))
        else:
            self._send(200, reply.headers, content)

    def _send(self, status: int, headers: Mapping[str, str], content: bytes, *, half: bool = False) -> None:
        told = {"content-type": "application/json", "content-length": str(len(content)), **headers}
        lines = [f"HTTP/1.1 {status} .", *(f"{name}: {value}" for name, value in told.items())]
        if self._transport.is_closing():
            return
        self._transport.write("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n")
        self._transport.write(content[: len(content) // 2] if half else content)
        if half:
            self._transport.close()
