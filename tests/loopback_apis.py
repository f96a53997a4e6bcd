"""The two APIs that the loopback server speaks: what they refuse, and the shapes of their replies."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from loopback import Loopback

__all__ = ["APIS", "AnthropicApi", "Call", "OpenAIApi", "Refused", "Reply"]

Finish = Literal["stop", "length", "refusal", "content_filter"]


@dataclass(frozen=True, slots=True)
class Call:
    """One request that was accepted.

    Attributes:
        api: which of the APIs.
        body: the JSON body.
        headers: names in lower case.
        index: how many were accepted before it.
    """

    api: Literal["openai", "anthropic", "decisions", "embeddings"]
    body: Mapping[str, Any]
    headers: Mapping[str, str]
    index: int

    @property
    def system(self) -> str:
        if self.api == "openai":
            return "".join(_text(m["content"]) for m in self.body["messages"] if m["role"] in ("system", "developer"))
        if self.api == "decisions":
            return "".join(question["instructions"] for question in self.body["questions"])
        return _text(self.body.get("system", ""))

    @property
    def user(self) -> str:
        if self.api == "decisions":
            return str(self.body["input"])
        if self.api == "embeddings":
            return json.dumps(self.body["input"], ensure_ascii=False)
        return "".join(m["content"] for m in self.body["messages"] if m["role"] == "user")

    @property
    def schema(self) -> Mapping[str, Any] | None:
        if self.api == "openai":
            form = (self.body.get("response_format") or {}).get("json_schema")
        else:
            form = (self.body.get("output_config") or {}).get("format")
        schema: Mapping[str, Any] | None = form["schema"] if form else None
        return schema


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server answers.

    Attributes:
        text: the reply's text.
        finish: why it ended.
        model: the model that says it answered; None is the requested one.
        input_tokens: None counts four characters as a token.
        output_tokens: None counts four characters as a token.
        cached_tokens: input read from the prompt cache, a part of ``input_tokens``.
        written_tokens: input written to the prompt cache, a part of ``input_tokens``.
        reasoning_tokens: a part of ``output_tokens``.
        thinking: hidden reasoning; a thinking block on Anthropic's API.
        usage: whether the usage is told.
        latency: seconds in addition to the server's.
        status: the HTTP status.
        headers: additional headers; a ``content-type`` takes the place of the usual one.
        raw: sent in place of the body.
        drop: break the connection before any byte of an answer.
        cut: break the connection after half of the body.
        charged: whether a reply is charged although it is an error, or cannot be read.
        logprobs: the tokens with their log-probabilities, as the OpenAI API tells them when it is asked for them.
    """

    text: str = ""
    finish: Finish = "stop"
    model: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int = 0
    written_tokens: int = 0
    reasoning_tokens: int = 0
    thinking: str = ""
    usage: bool = True
    latency: float = 0.0
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    drop: bool = False
    cut: bool = False
    charged: bool = False
    logprobs: Sequence[Mapping[str, Any]] | None = None
    message: str = ""
    code: str | None = None


class Refused(Exception):  # noqa: N818 — carries an error reply, and is none of the program's errors
    def __init__(self, status: int, message: str, *, param: str | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.param, self.code = status, message, param, code


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(block["text"] for block in content)


def _bearer(headers: Mapping[str, str]) -> str:
    scheme, _, key = headers.get("authorization", "").partition(" ")
    return key if scheme.lower() == "bearer" else ""


def _tokens(text: str) -> int:
    return -(-len(text) // 4)


class OpenAIApi:
    """Shapes as in https://platform.openai.com/docs/api-reference/chat and .../guides/error-codes."""

    api: Literal["openai"] = "openai"
    parameters = frozenset(
        {
            "model",
            "messages",
            "temperature",
            "top_p",
            "n",
            "stop",
            "stream",
            "max_tokens",
            "max_completion_tokens",
            "response_format",
            "seed",
            "logprobs",
            "top_logprobs",
            "user",
            "store",
            "metadata",
            "reasoning_effort",
            "service_tier",
            "prompt_cache_key",
            "prompt_cache_options",
            "frequency_penalty",
            "presence_penalty",
        }
    )

    def check(self, server: Loopback, body: Any, headers: Mapping[str, str]) -> None:
        self.check_call(server, body, headers)
        messages = body.get("messages")
        if not messages or any(m.get("role") not in ("system", "developer", "user", "assistant") for m in messages):
            raise Refused(400, "Invalid type for 'messages'.", param="messages", code="invalid_type")
        self._check_parameters(server.refuses, body)
        self._check_format(server.refuses, body)

    def check_call(self, server: Loopback, body: Any, headers: Mapping[str, str]) -> None:
        key = _bearer(headers)
        if not key:
            raise Refused(401, "You didn't provide an API key.")
        if server.keys is not None and key not in server.keys:
            raise Refused(401, f"Incorrect API key provided: {key}.", code="invalid_api_key")
        for name in sorted(body.keys() - self.parameters):
            raise Refused(400, f"Unrecognized request argument supplied: {name}", code="unknown_parameter")
        if not isinstance(body.get("model"), str):
            raise Refused(400, "you must provide a model parameter")
        if server.models is not None and body["model"] not in server.models:
            message = f"The model `{body['model']}` does not exist or you do not have access to it."
            raise Refused(404, message, code="model_not_found")

    def _check_parameters(self, refuses: Collection[str], body: Mapping[str, Any]) -> None:
        if "prompt_cache_options" in body and "prompt_cache_options" in refuses:
            message = "Unsupported parameter: 'prompt_cache_options' is not supported with this model."
            raise Refused(400, message, param="prompt_cache_options", code="unsupported_parameter")
        if body.get("logprobs") and "logprobs" in refuses:
            raise Refused(403, "You are not allowed to request logprobs from this model")
        if "temperature" in body and "temperature" in refuses:
            message = (
                f"Unsupported value: 'temperature' does not support {body['temperature']} with this model. "
                "Only the default (1) value is supported."
            )
            raise Refused(400, message, param="temperature", code="unsupported_value")
        for name, other in (("max_tokens", "max_completion_tokens"), ("max_completion_tokens", "max_tokens")):
            if name in body and name in refuses:
                message = f"Unsupported parameter: '{name}' is not supported with this model. Use '{other}' instead."
                raise Refused(400, message, param=name, code="unsupported_parameter")
        if "max_tokens" in body and "max_completion_tokens" in body:
            message = "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported."
            raise Refused(400, message, param="max_tokens", code="invalid_parameter_combination")
        limit = body.get("max_completion_tokens", body.get("max_tokens", 1))
        if not isinstance(limit, int) or limit < 1:
            raise Refused(400, "Invalid value: integer below minimum value.", param="max_tokens")

    def _check_format(self, refuses: Collection[str], body: Mapping[str, Any]) -> None:
        form = body.get("response_format")
        if form is None:
            return
        if form["type"] in refuses:
            message = f"Invalid parameter: 'response_format' of type '{form['type']}' is not supported with this model."
            raise Refused(400, message, param=None)
        if form["type"] == "json_schema":
            schema = form["json_schema"]
            if not schema.get("name"):
                raise Refused(400, "Missing required parameter: 'response_format.json_schema.name'.", param="name")
            if schema.get("strict"):
                fault = _strict_fault(schema["schema"])
                if fault:
                    message = f"Invalid schema for response_format '{schema['name']}': {fault}"
                    raise Refused(400, message, param="response_format")
        elif form["type"] == "json_object" and "json" not in json.dumps(body["messages"]).lower():
            message = (
                "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
            )
            raise Refused(400, message, param="messages")

    def error(self, refusal: Refused) -> bytes:
        kind = {401: "invalid_request_error", 429: "requests", 500: "server_error"}
        fault = {
            "message": refusal.message,
            "type": kind.get(refusal.status, "invalid_request_error"),
            "param": refusal.param,
            "code": refusal.code,
        }
        return json.dumps({"error": fault}).encode()

    def success(self, server: Loopback, call: Call, reply: Reply) -> dict[str, Any]:
        prompt = reply.input_tokens if reply.input_tokens is not None else _tokens(call.system) + _tokens(call.user)
        output = reply.output_tokens
        output = output if output is not None else _tokens(reply.text) + reply.reasoning_tokens
        server.charge(prompt - reply.cached_tokens, reply.cached_tokens, output)
        said_no = reply.finish == "refusal"
        message: dict[str, Any] = {
            "role": "assistant",
            "content": None if said_no or reply.finish == "content_filter" else reply.text,
            "refusal": reply.text if said_no else None,
            "annotations": [],
        }
        body: dict[str, Any] = {
            "id": f"chatcmpl-{call.index}",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": reply.model or call.body["model"],
            "choices": [
                {
                    "index": 0,
                    "message": message,
                    "logprobs": {"content": reply.logprobs, "refusal": None} if call.body.get("logprobs") else None,
                    "finish_reason": "stop" if said_no else reply.finish,
                }
            ],
        }
        if reply.usage:
            body["usage"] = {
                "prompt_tokens": prompt,
                "completion_tokens": output,
                "total_tokens": prompt + output,
                "prompt_tokens_details": {"cached_tokens": reply.cached_tokens, "audio_tokens": 0},
                "completion_tokens_details": {"reasoning_tokens": reply.reasoning_tokens, "audio_tokens": 0},
            }
        return body


def _strict_fault(schema: Any, path: tuple[str, ...] = ()) -> str | None:
    """What OpenAI's strict mode has against a schema: every object closed, every property required."""
    if not isinstance(schema, dict):
        return None
    context = f"In context={path}, "
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            return f"{context}'additionalProperties' is required to be supplied and to be false."
        missing = schema.get("properties", {}).keys() - set(schema.get("required", []))
        if missing:
            return (
                f"{context}'required' is required to be supplied and to be an array including every key in "
                f"properties. Missing '{min(missing)}'."
            )
    inner = [("properties", name, each) for name, each in schema.get("properties", {}).items()]
    inner += [("items", "", schema["items"])] if "items" in schema else []
    return next((fault for a, b, each in inner if (fault := _strict_fault(each, (*path, a, b)))), None)


class AnthropicApi:
    """Shapes as in https://platform.claude.com/docs/en/api/messages and .../api/errors."""

    api: Literal["anthropic"] = "anthropic"
    parameters = frozenset(
        {
            "model",
            "messages",
            "max_tokens",
            "system",
            "stop_sequences",
            "stream",
            "metadata",
            "thinking",
            "tools",
            "tool_choice",
            "output_config",
            "service_tier",
            "cache_control",
        }
    )
    kinds: Mapping[int, str] = {
        400: "invalid_request_error",
        401: "authentication_error",
        402: "billing_error",
        403: "permission_error",
        404: "not_found_error",
        413: "request_too_large",
        429: "rate_limit_error",
        529: "overloaded_error",
    }

    def check(self, server: Loopback, body: Any, headers: Mapping[str, str]) -> None:
        key = headers.get("x-api-key") or _bearer(headers)
        if not key:
            raise Refused(401, "x-api-key header is required")
        if server.keys is not None and key not in server.keys:
            raise Refused(401, "invalid x-api-key")
        if "anthropic-version" not in headers:
            raise Refused(400, "anthropic-version: header is required")
        for name in sorted(body.keys() - self.parameters):
            raise Refused(400, f"{name}: Extra inputs are not permitted")
        for name in ("model", "max_tokens", "messages"):
            if name not in body:
                raise Refused(400, f"{name}: Field required")
        if server.models is not None and body["model"] not in server.models:
            raise Refused(404, f"model: {body['model']}")
        if not isinstance(body["max_tokens"], int) or body["max_tokens"] < 1:
            raise Refused(400, "max_tokens: Input should be greater than or equal to 1")
        if not body["messages"] or any(not message.get("content") for message in body["messages"]):
            raise Refused(400, "messages: text content blocks must be non-empty")
        if any(m.get("role") not in ("user", "assistant") for m in body["messages"]):
            raise Refused(400, 'messages: Unexpected role "system".')
        self._check_output(server.refuses, body)

    def _check_output(self, refuses: Collection[str], body: Mapping[str, Any]) -> None:
        form = (body.get("output_config") or {}).get("format")
        if form is not None:
            if "output_config" in refuses:
                raise Refused(400, "output_config.format: structured outputs are not supported by this model.")
            fault = self._schema_fault(form["schema"])
            if fault:
                raise Refused(400, f"output_config.format.schema: {fault}")
        if "tools" in body and "tools" in refuses:
            raise Refused(400, "tools: tool use is not supported by this model.")

    def _schema_fault(self, schema: Any) -> str | None:
        if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
            return "For 'object' type, 'additionalProperties' must be explicitly set to false"
        limits = [name for name in ("maximum", "minimum") if name in schema]
        if limits:
            return f"For '{schema['type']}' type, properties {', '.join(limits)} are not supported"
        return next(
            (fault for each in schema.get("properties", {}).values() if (fault := self._schema_fault(each))), None
        )

    def error(self, refusal: Refused) -> bytes:
        kind = self.kinds.get(refusal.status, "api_error")
        fault = {"type": "error", "error": {"type": kind, "message": refusal.message}, "request_id": "req_1"}
        return json.dumps(fault).encode()

    def success(self, server: Loopback, call: Call, reply: Reply) -> dict[str, Any]:
        prompt = reply.input_tokens if reply.input_tokens is not None else _tokens(call.system) + _tokens(call.user)
        uncached = prompt - reply.cached_tokens - reply.written_tokens
        output = reply.output_tokens
        output = output if output is not None else _tokens(reply.text) + reply.reasoning_tokens
        server.charge(uncached + reply.written_tokens, reply.cached_tokens, output)
        content: list[dict[str, Any]] = []
        if reply.thinking:
            content.append({"type": "thinking", "thinking": reply.thinking, "signature": "sig"})
        said_no = reply.finish in ("refusal", "content_filter")
        forced = (call.body.get("tool_choice") or {}).get("type") == "tool"
        if forced and not said_no:
            name = call.body["tool_choice"]["name"]
            content.append({"type": "tool_use", "id": "toolu_1", "name": name, "input": json.loads(reply.text)})
        elif not said_no:
            content.append({"type": "text", "text": reply.text})
        stop = {"stop": "tool_use" if forced else "end_turn", "length": "max_tokens"}.get(reply.finish, "refusal")
        body: dict[str, Any] = {
            "id": f"msg_{call.index}",
            "type": "message",
            "role": "assistant",
            "model": reply.model or call.body["model"],
            "content": content,
            "stop_reason": stop,
            "stop_sequence": None,
            "stop_details": {"type": "refusal", "category": None, "explanation": reply.text} if said_no else None,
        }
        if reply.usage:
            body["usage"] = {
                "input_tokens": uncached,
                "cache_creation_input_tokens": reply.written_tokens,
                "cache_read_input_tokens": reply.cached_tokens,
                "output_tokens": output,
                "output_tokens_details": {"thinking_tokens": reply.reasoning_tokens},
                "service_tier": "standard",
            }
        return body


APIS: Mapping[str, OpenAIApi | AnthropicApi] = {"/v1/chat/completions": OpenAIApi(), "/v1/messages": AnthropicApi()}
