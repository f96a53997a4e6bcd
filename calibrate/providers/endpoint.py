"""Where a model is reached, and what a failed call to it means: what the two vendor APIs have in common."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import ClassVar
from urllib.parse import urlsplit

from calibrate.config import Api, Secret
from calibrate.domain import Json
from calibrate.errors import CalibrateError, InputError
from calibrate.providers.prices import Pricing
from calibrate.providers.replies import storable
from calibrate.providers.retry import CallError, NoRetry, RateLimited, Retry, Transient

__all__ = ["REQUEST_SECONDS", "Endpoint", "EndpointModel"]

REQUEST_SECONDS = 300.0
"""The most time for one attempt: long enough for a reply with much reasoning."""

_RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_MESSAGE_LIMIT = 300


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
        said = self._one_line(message)
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

    def unreachable(self, reason: str) -> CallError:
        """Return the error for a connection that could not be made or broke."""
        return CallError(
            f"{self.name}: cannot reach {self.host}: {self._one_line(reason)}", retry=Transient(), systemic=True
        )

    def timed_out(self) -> CallError:
        """Return the error for an attempt that took too long."""
        return CallError(f"{self.name}: no reply from {self.host} in time", retry=Transient())

    def unreadable(self, reason: str) -> CallError:
        """Return the error for a reply that is none: broken JSON, nothing in it."""
        return CallError(f"{self.name}: {self.host} sent {self._one_line(reason)}", retry=Transient())

    def _one_line(self, text: str) -> str:
        if self.key is not None:
            text = text.replace(self.key.reveal(), "[redacted]")
        line = " ".join(storable(text).split())
        return line if len(line) <= _MESSAGE_LIMIT else line[:_MESSAGE_LIMIT] + "…"


class EndpointModel:
    """A model behind an API.

    Attributes:
        endpoint: the model and where it is.
        api: which API it is.
    """

    simulated = False
    api: ClassVar[Api]

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint

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


def _retry_for(status: int, headers: Mapping[str, str]) -> Retry:
    advice = headers.get("x-should-retry")
    if advice == "false" or (advice != "true" and status not in _RETRIED):
        return NoRetry()
    seconds = _retry_after(headers)
    # At least a second: a limit that is over at once would be asked about without end.
    return RateLimited(max(1.0, seconds)) if seconds is not None else Transient()


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Read ``retry-after-ms`` and ``Retry-After`` (seconds or a date, RFC 9110 section 10.2.3)."""
    try:
        return float(headers["retry-after-ms"]) / 1000
    except (KeyError, ValueError):
        pass
    value = headers.get("retry-after", "").strip()
    try:
        return float(value)
    except ValueError:
        pass
    try:
        return parsedate_to_datetime(value).timestamp() - time.time()
    except (ValueError, TypeError):
        return None
