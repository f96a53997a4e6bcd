"""Models behind the Anthropic messages API."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from calibrate.domain import Finish, ModelRequest, ModelResponse, Usage
from calibrate.errors import CalibrateError
from calibrate.providers.connection import http_client
from calibrate.providers.endpoint import Endpoint, EndpointModel
from calibrate.providers.parameters import Form, Parameters
from calibrate.providers.replies import field, joined_text, storable, usage_of

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

__all__ = ["AnthropicModel"]

_FINISHES: Mapping[str, Finish] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
_FORMS = {"output_config": "json_schema", "tools": "forced tool"}
_TOOL = "reply"


class AnthropicModel(EndpointModel):
    """A model asked through the official SDK.

    Structured output is the API's JSON-schema output format, or a forced tool where a model refuses that. The system
    prompt is marked for the provider's cache. The API has no temperature since its version 2026-10-21, which the SDK
    sends, so none is sent; :attr:`dropped` says so. One instance belongs to one event loop.

    Args:
        endpoint: the model and where it is.
    """

    api = "anthropic"
    added_tokens = 1024  # the prompts with which tools and output formats are introduced: up to about 600 as published

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__(endpoint)
        self._client: AsyncAnthropic | None = None
        self._without: dict[str, None] = {}
        self._parameters = Parameters(
            {
                "format": (
                    Form("json_schema", ("output_config", "output_format", "structured output", "structured outputs")),
                    Form("forced tool", ("tools", "tool_choice", "tool use")),
                    None,
                )
            }
        )

    @property
    def dropped(self) -> tuple[str, ...]:
        """The parameters that were asked for and are not taken, with what the model gets instead."""
        return (*self._without, *self._parameters.dropped)

    async def complete(self, request: ModelRequest) -> ModelResponse:
        """Answer one request, in one attempt (and one more for each parameter the model refuses).

        Raises:
            CallError: no usable reply; says whether another attempt can help.
            InputError: the server does not know the model.
        """
        from anthropic import AnthropicError, BadRequestError, UnprocessableEntityError

        while True:
            sent = self.body(request)
            started = time.perf_counter()
            try:
                reply = await self._post("/v1/messages", sent)
            except (BadRequestError, UnprocessableEntityError) as error:
                if not self.learn(_words(error), sent):
                    raise self._failure(error) from None
            except AnthropicError as error:
                raise self._failure(error) from None
            else:
                return self.read(reply, time.perf_counter() - started)

    def body(self, request: ModelRequest) -> dict[str, Any]:
        """Return the JSON body that asks for ``request``, its options in the forms that the model takes."""
        if request.temperature is not None:
            self._without["temperature"] = None
        if request.confidence:
            self._without["logprobs"] = None
        body: dict[str, Any] = {
            "model": self.endpoint.model,
            "max_tokens": self.endpoint.max_tokens or request.max_tokens,
            "messages": [{"role": "user", "content": request.user}],
        }
        if request.system:
            body["system"] = [{"type": "text", "text": request.system, "cache_control": {"type": "ephemeral"}}]
        form = self._parameters.forms["format"]
        if form is None or request.schema is None:
            return body
        from anthropic import transform_schema

        # The API knows a subset of JSON schema; what lies outside goes into the descriptions.
        schema = transform_schema(dict(request.schema))
        if form.name == "json_schema":
            body["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        else:
            body["tools"] = [{"name": _TOOL, "description": "Give the reply.", "input_schema": schema}]
            body["tool_choice"] = {"type": "tool", "name": _TOOL}
        return body

    def learn(self, message: str, sent: Mapping[str, Any]) -> bool:
        """Take note that the model refused a body, and say whether the body it would get now is worth sending.

        Args:
            message: the provider's words.
            sent: what it refused.
        """
        form = next((form for name, form in _FORMS.items() if name in sent), None)
        return self._parameters.learn(message, {"format": form} if form else {})

    def read(self, reply: object, latency: float) -> ModelResponse:
        """Return what a reply says.

        Args:
            reply: the SDK's object, or the JSON object.
            latency: seconds from request to reply.

        Raises:
            CallError: it says nothing that can be read.
        """
        content = field(reply, "content")
        # Thinking is not part of the reply: a label that is only considered there must not count.
        text = joined_text(content, between="\n")
        if text is None:
            raise self.endpoint.unreadable("a reply without content")
        usage = _usage(field(reply, "usage"))
        model = field(reply, "model")
        returned = storable(model) if model and isinstance(model, str) else self.endpoint.model
        return ModelResponse(
            text=storable("\n".join(filter(None, [text, *_tool_inputs(content)])) or _explanation(reply)),
            finish=_FINISHES.get(str(field(reply, "stop_reason")), "stop"),
            model=returned,
            usage=usage,
            cost=self.endpoint.pricing.cost(usage, returned=returned),
            latency=latency,
        )

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.close()

    def _connect(self) -> AsyncAnthropic:
        if self._client is None:
            from anthropic import AsyncAnthropic, DefaultAioHttpClient

            self._client = AsyncAnthropic(
                api_key=self.endpoint.sent_key(),
                base_url=self.endpoint.base_url,
                max_retries=0,
                http_client=http_client(DefaultAioHttpClient),
            )
        return self._client

    async def _post(self, path: str, body: Mapping[str, Any]) -> object:
        """Send one request, and return the JSON of its reply, without the SDK's models of requests and replies.

        Raises:
            anthropic.APIError: no reply, or an error.
            CallError: it cannot be sent, or the reply is no JSON.
        """
        return await self._send(self._connect(), path, body)

    def _failure(self, error: Exception) -> CalibrateError:
        from anthropic import APIConnectionError, APIError, APIStatusError

        if isinstance(error, APIStatusError):
            return self.endpoint.refused(error.status_code, _words(error), headers=error.response.headers)
        if isinstance(error, APIConnectionError):
            return self.endpoint.disconnected(error)
        return self.endpoint.unreadable(
            f"an unreadable reply ({error.message if isinstance(error, APIError) else error})"
        )


def _words(error: Any) -> str:
    return str(error.api_message or error.message)


def _tool_inputs(content: object) -> list[str]:
    blocks = content if isinstance(content, list) else []
    used = [field(block, "input") for block in blocks if field(block, "type") == "tool_use"]
    return [json.dumps(each, ensure_ascii=False) for each in used]


def _explanation(reply: object) -> str:
    return joined_text(field(field(reply, "stop_details"), "explanation")) or ""


def _usage(usage: object) -> Usage:
    read, written = field(usage, "cache_read_input_tokens"), field(usage, "cache_creation_input_tokens")
    return usage_of(
        # The API counts uncached, written and read input apart.
        inputs=[field(usage, "input_tokens"), read, written],
        cache_read=read,
        cache_write=written,
        output=field(usage, "output_tokens"),
        reasoning=field(field(usage, "output_tokens_details"), "thinking_tokens"),
    )
