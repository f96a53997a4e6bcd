"""Models behind the OpenAI chat completions API: OpenAI's own, and every server that speaks it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any, Literal

from calibrate.domain import Finish, ModelRequest, ModelResponse, Usage, digest
from calibrate.providers.endpoint import Endpoint
from calibrate.providers.logprobs import label_probability
from calibrate.providers.openai_client import OpenAIClientModel, error_words
from calibrate.providers.parameters import Form, Parameters
from calibrate.providers.replies import field, joined_text, storable, usage_of

__all__ = ["OpenAIModel", "TokenLimit"]

TokenLimit = Literal["max_completion_tokens", "max_tokens"]

_CACHING = ("prompt_cache_options", "prompt_cache_breakpoint", "prompt_cache_key")
_OPTIONS = {
    "prompt_cache_options": "cache",
    "temperature": "temperature",
    "logprobs": "logprobs",
    "max_completion_tokens": "limit",
    "max_tokens": "limit",
}
_FINISHES: Mapping[str, Finish] = {"length": "length", "content_filter": "refusal"}
_SIZE = ("too large", "too long", "maximum", "at most", "exceeds", "less than")


class OpenAIModel(OpenAIClientModel):
    """A model asked through the official SDK.

    Structured output is a strict ``response_format``. A parameter that the model refuses is said another way or left
    out, and listed in :attr:`dropped`; the limit on tokens is never left out, since it bounds the bill. One instance
    belongs to one event loop.

    Instructions come first and are the same for all items, so that the provider's cache finds them by itself; a
    ``prompt_cache_key`` would only send to one machine what its equal beginning sends there already. Models that bill
    writing to their cache (GPT-5.6 and later) are different: left alone they write each whole prompt, at 1.25 times the
    price of input, and find nothing again, since a prompt is looked up as a whole. They are told that the instructions
    end the part to keep. (https://developers.openai.com/api/docs/guides/prompt-caching)

    Args:
        endpoint: the model and where it is.
        token_limit: how the largest reply is said first. Some servers ignore the name they do not know, so it matters.
    """

    api = "openai"
    added_tokens = 256  # marks around the messages, and what introduces a schema: about 100 by what is published

    def __init__(self, endpoint: Endpoint, *, token_limit: TokenLimit = "max_completion_tokens") -> None:
        super().__init__(endpoint)
        second: TokenLimit = "max_tokens" if token_limit == "max_completion_tokens" else "max_completion_tokens"
        self._parameters = Parameters(
            {
                "temperature": (Form("temperature", ("temperature",)), None),
                "cache": (Form("prompt_cache_options", _CACHING), None),
                "logprobs": (Form("logprobs", ("logprobs",)), None),
                "limit": tuple(Form(name, (name,), unless=_SIZE) for name in (token_limit, second)),
                "format": (
                    Form("json_schema", ("response_format", "json_schema", "structured output", "structured outputs")),
                    Form("json_object", ("response_format", "json_object")),
                    None,
                ),
            }
        )

    @property
    def dropped(self) -> tuple[str, ...]:
        """The parameters that this model turned out not to take, with what it gets instead."""
        return self._parameters.dropped

    async def complete(self, request: ModelRequest) -> ModelResponse:
        """Answer one request, in one attempt (and one more for each parameter the model refuses).

        Raises:
            CallError: no usable reply; says whether another attempt can help.
            InputError: the server does not know the model.
        """
        from openai import BadRequestError, OpenAIError, PermissionDeniedError, UnprocessableEntityError

        while True:
            sent = self.body(request)
            started = time.perf_counter()
            try:
                reply = await self._post("/chat/completions", sent)
            except (BadRequestError, PermissionDeniedError, UnprocessableEntityError) as error:
                if not self.learn(f"{error.param}: {error_words(error)}", sent):
                    raise self._failure(error) from None
            except OpenAIError as error:
                raise self._failure(error) from None
            else:
                return self.read(reply, time.perf_counter() - started)

    def body(self, request: ModelRequest) -> dict[str, Any]:
        """Return the JSON body that asks for ``request``, its options in the forms that the model takes."""
        forms = self._parameters.forms
        body: dict[str, Any] = {
            "model": self.endpoint.model,
            "messages": [{"role": "user", "content": request.user}],
        }
        if request.system:
            system: dict[str, Any] = {"role": "system", "content": request.system}
            body["messages"].insert(0, system)
            if forms["cache"] and self._bills_cache_writes:
                part = {"type": "text", "text": request.system, "prompt_cache_breakpoint": {"mode": "explicit"}}
                system["content"] = [part]
                body["prompt_cache_options"] = {"mode": "explicit"}
                body["prompt_cache_key"] = _cache_key(request.system)
        if forms["temperature"] and request.temperature is not None:
            body["temperature"] = request.temperature
        if limit := forms["limit"]:
            body[limit.name] = self.endpoint.max_tokens or request.max_tokens
        if forms["logprobs"] and request.confidence:
            body["logprobs"] = True
        if (form := forms["format"]) and request.schema is not None:
            body["response_format"] = {"type": form.name}
            if form.name == "json_schema":
                body["response_format"]["json_schema"] = {"name": "reply", "strict": True, "schema": request.schema}
        return body

    def learn(self, message: str, sent: Mapping[str, Any]) -> bool:
        """Take note that the model refused a body, and say whether the body it would get now is worth sending.

        Args:
            message: the provider's words, the name of the parameter included where it tells one.
            sent: what it refused.
        """
        said = {_OPTIONS[name]: name for name in _OPTIONS if name in sent}
        if "response_format" in sent:
            said["format"] = sent["response_format"]["type"]
        return self._parameters.learn(message, said)

    def read(self, reply: object, latency: float) -> ModelResponse:
        """Return what a reply says.

        Args:
            reply: the SDK's object, or the JSON object.
            latency: seconds from request to reply.

        Raises:
            CallError: it says nothing that can be read.
        """
        choices = field(reply, "choices")
        if not choices or not isinstance(choices, list):
            raise self.endpoint.unreadable("a reply without choices")
        message = field(choices[0], "message")
        if message is None or isinstance(message, str | int | float | list):
            raise self.endpoint.unreadable("a reply without a message")
        content = field(message, "content")
        text = "" if content is None else joined_text(content)
        if text is None:
            raise self.endpoint.unreadable("a reply whose content is no text")
        refusal = joined_text(field(message, "refusal"))
        usage = _usage(field(reply, "usage"))
        model = field(reply, "model")
        returned = storable(model) if model and isinstance(model, str) else self.endpoint.model
        return ModelResponse(
            text=storable(text or refusal or ""),
            finish="refusal" if refusal else _FINISHES.get(str(field(choices[0], "finish_reason")), "stop"),
            model=returned,
            usage=usage,
            cost=self.endpoint.pricing.cost(usage, returned=returned),
            latency=latency,
            confidence=label_probability(text, field(field(choices[0], "logprobs"), "content")),
        )

    @cached_property
    def _bills_cache_writes(self) -> bool:
        pricing = self.endpoint.pricing
        prices = replace(pricing, declared=None).snapshot() if pricing.provider == "openai" else None
        return prices is not None and prices.cache_write is not None


@lru_cache(maxsize=64)
def _cache_key(system: str) -> str:
    return digest(system)


def _usage(usage: object) -> Usage:
    details = field(usage, "prompt_tokens_details")
    return usage_of(
        inputs=[field(usage, "prompt_tokens")],
        cache_read=field(details, "cached_tokens"),
        cache_write=field(details, "cache_write_tokens"),
        output=field(usage, "completion_tokens"),
        reasoning=field(field(usage, "completion_tokens_details"), "reasoning_tokens"),
    )
