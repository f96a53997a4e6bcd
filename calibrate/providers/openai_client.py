"""What the APIs of OpenAI have in common: one client, and what its errors mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calibrate.errors import CalibrateError
from calibrate.providers.endpoint import REQUEST_SECONDS, Endpoint, EndpointModel

if TYPE_CHECKING:
    from openai import APIError, AsyncOpenAI

__all__ = ["OpenAIClientModel", "error_words"]


class OpenAIClientModel(EndpointModel):
    """A model asked through OpenAI's SDK, which makes one attempt. One instance belongs to one event loop."""

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__(endpoint)
        self._client: AsyncOpenAI | None = None

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.close()

    def _connect(self) -> AsyncOpenAI:
        if self._client is None:
            from openai import AsyncOpenAI, Timeout

            self._client = AsyncOpenAI(
                api_key=self.endpoint.sent_key(),
                base_url=self.endpoint.base_url,
                max_retries=0,
                timeout=Timeout(REQUEST_SECONDS, connect=10.0),
            )
        return self._client

    def _failure(self, error: Exception) -> CalibrateError:
        from openai import APIConnectionError, APIError, APIStatusError, APITimeoutError

        if isinstance(error, APIStatusError):
            return self.endpoint.refused(
                error.status_code, error_words(error), code=error.code, headers=error.response.headers
            )
        if isinstance(error, APITimeoutError):
            return self.endpoint.timed_out()
        if isinstance(error, APIConnectionError):
            return self.endpoint.unreachable(str(error.__cause__ or error))
        return self.endpoint.unreadable(
            f"an unreadable reply ({error.message if isinstance(error, APIError) else error})"
        )


def error_words(error: APIError) -> str:
    """Return what the provider says in an error."""
    message = error.body.get("message") if isinstance(error.body, dict) else None
    return message if isinstance(message, str) else error.message
