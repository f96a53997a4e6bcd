"""What the APIs of OpenAI have in common: one client, and what its errors mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from calibrate.errors import CalibrateError
from calibrate.providers.connection import http_client
from calibrate.providers.endpoint import Endpoint, EndpointModel

if TYPE_CHECKING:
    from openai import APIError, AsyncOpenAI

__all__ = ["OpenAIClientModel", "error_words"]


class OpenAIClientModel(EndpointModel):
    """A model asked through OpenAI's SDK, which makes one attempt. One instance belongs to one event loop.

    Attributes:
        proxied: whether requests go through the proxies that the environment names.
    """

    proxied: ClassVar[bool] = True

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__(endpoint)
        self._client: AsyncOpenAI | None = None

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.close()

    def _connect(self) -> AsyncOpenAI:
        if self._client is None:
            from openai import AsyncOpenAI, DefaultAioHttpClient

            self._client = AsyncOpenAI(
                api_key=self.endpoint.sent_key(),
                base_url=self.endpoint.base_url,
                max_retries=0,
                http_client=http_client(DefaultAioHttpClient, proxied=self.proxied),
            )
        return self._client

    async def _post(self, path: str, body: Mapping[str, Any]) -> object:
        """Send one request, and return the JSON of its reply.

        The SDK's own way to ask without its models of requests and replies: they check nothing, and cost more than
        everything else that it does.

        Raises:
            openai.APIError: no reply, or an error.
            CallError: it cannot be sent, or the reply is no JSON.
        """
        return await self._send(self._connect(), path, body)

    def _failure(self, error: Exception) -> CalibrateError:
        from openai import APIConnectionError, APIError, APIStatusError

        if isinstance(error, APIStatusError):
            return self.endpoint.refused(
                error.status_code, error_words(error), code=error.code, headers=error.response.headers
            )
        if isinstance(error, APIConnectionError):
            return self.endpoint.disconnected(error)
        return self.endpoint.unreadable(
            f"an unreadable reply ({error.message if isinstance(error, APIError) else error})"
        )


def error_words(error: APIError) -> str:
    """Return what the provider says in an error."""
    message = error.body.get("message") if isinstance(error.body, dict) else None
    return message if isinstance(message, str) else error.message
