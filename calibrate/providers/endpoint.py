"""Where a model is reached, and what a failed call to it means: what the two vendor APIs have in common."""

from __future__ import annotations

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit

from calibrate.config import Secret
from calibrate.domain import Json, ModelRequest
from calibrate.errors import CalibrateError, InputError
from calibrate.providers.connection import failed_at, failure_reason
from calibrate.providers.prices import Pricing
from calibrate.providers.rate_headers import exhausted, retry_after
from calibrate.providers.replies import storable
from calibrate.providers.retry import CallError, NoRetry, RateLimited, Retry, Transient

if TYPE_CHECKING:
    from httpx2 import Response

__all__ = ["Endpoint", "EndpointModel"]

_OVERLOADED = frozenset({429, 503, 529})
_RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_MESSAGE_LIMIT = 300
_STEP = 64  # tokens to which the bound on the input is rounded up


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One model behind one API.

    Attributes:
        name: the model as the user wrote it.
        model: what the server calls it.
        base_url: the root of the API.
        pricing: where its price is found.
        key: the key to send; None for a server that needs none.
        key_variable: the environment variable the key came from, for messages.
        max_tokens: the largest reply, in place of what a request asks for.
    """

    name: str
    model: str
    base_url: str
    pricing: Pricing
    key: Secret | None = None
    key_variable: str | None = None
    max_tokens: int | None = None

    @property
    def host(self) -> str:
        """The host, with its port when one is given."""
        return urlsplit(self.base_url).netloc

    def sent_key(self) -> str:
        """Return the key as it is sent.

        Without a key it is a word that is none: an SDK that gets nothing looks for a key of its own in the environment,
        and would send it to a server that needs none.

        Raises:
            InputError: the key holds characters that no header takes. (The SDKs' own messages would quote it.)
        """
        if self.key is None:
            return "none"
        key = self.key.reveal()
        if not key.isascii() or not key.isprintable() or " " in key:
            raise InputError(
                f"{self.name}: the key in {self.key_variable} holds characters that no key has; set it again"
            )
        return key

    def refused(
        self, status: int, message: str, *, code: str | None = None, headers: Mapping[str, str] | None = None
    ) -> CalibrateError:
        """Return the error for a reply with an error status.

        Args:
            status: the HTTP status.
            message: the provider's words.
            code: the provider's code, if it gave one.
            headers: of the reply, names in lower case or case-insensitive.
        """
        said = self.told(message)
        if status == 401:
            # The provider's message is left out: it may quote the key.
            source = f"check {self.key_variable}" if self.key_variable else "declare key_env for it in calibrate.toml"
            return CallError(
                f"{self.name}: {self.host} refused the key (401); {source}", retry=NoRetry(), systemic=True
            )
        if status == 404:
            return InputError(f"{self.name}: {self.host} does not know this model or address (404): {said}")
        if status in (402, 403) or code == "insufficient_quota":
            return CallError(f"{self.name}: {self.host} refuses ({status}): {said}", retry=NoRetry(), systemic=True)
        return CallError(f"{self.name}: {self.host} answered {status}: {said}", retry=_retry_for(status, headers or {}))

    def disconnected(self, error: BaseException) -> CallError:
        """Return the error for a connection that could not be made, broke, or brought no reply in time.

        Only a connection that cannot be made tells of the other requests; only what was sent can have been billed.

        Args:
            error: the SDK's, or the transport's.
        """
        stage = failed_at(error)
        if stage == "waiting":
            return CallError(f"{self.name}: no reply from {self.host} in time", retry=Transient(), billable=True)
        reason = failure_reason(error)
        if stage == "connecting":
            return self.unreachable(reason)
        message = f"{self.name}: the connection to {self.host} broke: {self.told(reason)}"
        return CallError(message, retry=Transient(), billable=True)

    def unreachable(self, reason: str) -> CallError:
        """Return the error for a connection that could not be made."""
        message = f"{self.name}: cannot reach {self.host}: {self.told(reason)}"
        return CallError(message, retry=Transient(), systemic=True)

    def unreadable(self, reason: str) -> CallError:
        """Return the error for a reply that is none: broken JSON, nothing in it."""
        message = f"{self.name}: {self.host} sent {self.told(reason)}"
        return CallError(message, retry=Transient(), billable=True)

    def unsendable(self, reason: str) -> CallError:
        """Return the error for a request that cannot be put into bytes."""
        return CallError(f"{self.name}: the request cannot be sent: {self.told(reason)}", retry=NoRetry())

    def told(self, text: str) -> str:
        """Return words of the server as they may be shown and kept: one line of some length, without the key."""
        if self.key is not None:
            text = text.replace(self.key.reveal(), "[redacted]")
        line = " ".join(storable(text).split())
        return line if len(line) <= _MESSAGE_LIMIT else line[:_MESSAGE_LIMIT] + "…"


class EndpointModel(ABC):
    """A model behind an API.

    Attributes:
        endpoint: the model and where it is.
        api: which API it is.
        added_tokens: input tokens that the provider adds to what is sent, at most.
        pause: seconds for which no further request should be sent, since the last reply says that nothing remains of a
            rate limit; 0.0 when something remains, or nothing was said.
    """

    simulated = False
    api: ClassVar[str]
    added_tokens: ClassVar[int]

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.pause = 0.0

    @property
    def name(self) -> str:
        """The model as the user wrote it."""
        return self.endpoint.name

    @property
    def identity(self) -> Mapping[str, Json]:
        """What can change a reply beside the request."""
        end = self.endpoint
        return {"api": self.api, "base_url": end.base_url, "model": end.model, "max_tokens": end.max_tokens}

    @property
    def pricing(self) -> Pricing:
        """Where the price is found."""
        return self.endpoint.pricing

    @abstractmethod
    def body(self, request: ModelRequest) -> dict[str, Any]:
        """Return the JSON body that asks for ``request``."""

    def most_cost(self, request: ModelRequest) -> float | None:
        """Return the most that one attempt can cost, in US dollars, or None when the price is unknown.

        Tokens are bytes or longer, so that there are no more of them than bytes are sent; :attr:`added_tokens` come on
        top. The output is bounded by the token limit, which reasoning counts towards.
        """
        sent = len(json.dumps(self.body(request), ensure_ascii=False).encode("utf-8", "surrogatepass"))
        return self.most_of(sent, self.endpoint.max_tokens or request.max_tokens)

    def most_of(self, sent: int, output: int) -> float | None:
        """Return the most that so many bytes sent and tokens of output can cost; None when the price is unknown."""
        steps = -(-(sent + self.added_tokens) // _STEP)
        return _most(self.endpoint.pricing, steps * _STEP, output, int(time.time() // 60))

    async def _send(self, client: Any, path: str, body: Mapping[str, Any]) -> object:
        """Send one request with an SDK's client, and return the JSON of its reply.

        Raises:
            CallError: it cannot be sent, the connection failed in a way the SDK does not translate, or it is no JSON.
        """
        from aiohttp import ClientError
        from httpx2 import Response

        try:
            response = await client.post(path, cast_to=Response, body=body)
        except UnicodeEncodeError as error:
            raise self.endpoint.unsendable(str(error)) from None
        except ClientError as error:
            raise self.endpoint.disconnected(error) from None
        return self._json(response)

    def _json(self, response: Response) -> object:
        """Return the JSON of a reply that is no error, and take note of what its headers say.

        Raises:
            CallError: it is no JSON.
        """
        # Most replies have no header that is 0: looking each one up by name would take longer than reading the reply.
        is_zero = any(value == b"0" for _, value in response.headers.raw)
        self.pause = (exhausted(response.headers) or 0.0) if is_zero else 0.0
        try:
            reply: object = json.loads(response.content)
        except (ValueError, RecursionError) as error:
            kind = response.headers.get("content-type", "application/json")
            reason = str(error) if "json" in kind else f"it is {kind}"
            raise self.endpoint.unreadable(f"an unreadable reply ({reason})") from None
        return reply


@lru_cache(maxsize=4096)
def _most(pricing: Pricing, input_tokens: int, output_tokens: int, minute: int) -> float | None:
    # Finding a price takes longer than sending a request: requests of about one length share one. Prices change, so
    # that it holds for a minute.
    return pricing.most(input_tokens, output_tokens, at=datetime.fromtimestamp(minute * 60, UTC))


def _retry_for(status: int, headers: Mapping[str, str]) -> Retry:
    advice = headers.get("x-should-retry")
    if advice == "false" or (advice != "true" and status not in _RETRIED):
        return NoRetry()
    seconds = retry_after(headers)
    if seconds is None and status in _OVERLOADED:
        seconds = exhausted(headers)
    # At least a second: a limit that is over at once would be asked about without end.
    return RateLimited(max(1.0, seconds)) if seconds is not None else Transient(overloaded=status in _OVERLOADED)
