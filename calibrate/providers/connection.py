"""How requests travel, and how far one had come when it failed.

Both SDKs offer aiohttp under the client they use otherwise: it takes less than half the processor time per call. They
turn its errors into their own by lists that differ, and that call a connection which broke while the reply was awaited
a failure to connect; so the first cause decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from httpx2 import AsyncClient

__all__ = ["CONNECT_SECONDS", "REQUEST_SECONDS", "Stage", "failed_at", "failure_reason", "http_client"]

REQUEST_SECONDS = 300.0
"""The most time for one attempt: long enough for a reply with much reasoning."""

CONNECT_SECONDS = 10.0
"""The most time to connect."""

Stage: TypeAlias = Literal["connecting", "waiting", "broken"]
"""Where an attempt failed: before it was sent, waiting until the time was over, or because the connection broke."""

_MOST_CONNECTIONS = 10_000  # the limit is on requests in flight; without a number, aiohttp stops at 100
_IDLE_SECONDS = 60.0  # a kept connection outlives the pause between two calls


def http_client(kind: type[AsyncClient], *, proxied: bool = True) -> AsyncClient:
    """Return a client for one SDK, which keeps as many connections as there are requests in flight.

    Args:
        kind: the SDK's ``DefaultAioHttpClient``.
        proxied: whether the proxies that the environment names are used.
    """
    from httpx2 import Limits, Timeout

    limits = Limits(
        max_connections=_MOST_CONNECTIONS,
        max_keepalive_connections=_MOST_CONNECTIONS,
        keepalive_expiry=_IDLE_SECONDS,
    )
    return kind(timeout=Timeout(REQUEST_SECONDS, connect=CONNECT_SECONDS), limits=limits, trust_env=proxied)


def failed_at(error: BaseException) -> Stage:
    """Return how far the request of an SDK's connection error had come."""
    import aiohttp
    import httpx2

    cause = _first_cause(error)
    if isinstance(cause, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError | aiohttp.ClientHttpProxyError):
        return "connecting"
    if isinstance(cause, aiohttp.ServerTimeoutError | httpx2.ReadTimeout | httpx2.WriteTimeout):
        return "waiting"
    never_sent = (
        httpx2.ConnectError,
        httpx2.ConnectTimeout,
        httpx2.PoolTimeout,
        httpx2.ProxyError,
        httpx2.UnsupportedProtocol,
        aiohttp.InvalidURL,
        aiohttp.NonHttpUrlClientError,
    )
    return "connecting" if isinstance(cause, never_sent) else "broken"


def failure_reason(error: BaseException) -> str:
    """Return in words why a connection failed."""
    from aiohttp import ClientConnectorError

    cause = _first_cause(error)
    if isinstance(cause, ClientConnectorError):
        return cause.strerror or str(cause.os_error)
    return str(cause) or type(cause).__name__


def _first_cause(error: BaseException) -> BaseException:
    # aiohttp's, else the transport's.
    import aiohttp
    import httpx2

    causes = list(_causes(error))
    for kind in (aiohttp.ClientError, httpx2.RequestError):
        for cause in causes:
            if isinstance(cause, kind):
                return cause
    return causes[-1]


def _causes(error: BaseException) -> Iterator[BaseException]:
    following: BaseException | None = error
    while following is not None:
        yield following
        following = following.__cause__
