"""The loopback server refuses what the real APIs refuse, in their shapes."""

import asyncio
import contextlib
import http.client
import json

import anthropic
import openai
import pytest
from loopback import Loopback, Reply, cut_off, dropped, empty_choices, error, malformed, web_page

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}


def openai_call(server, **body):
    async def run():
        async with openai.AsyncOpenAI(api_key="k", base_url=server.openai_url, max_retries=0) as client:
            return await client.chat.completions.create(
                **{"model": "m", "messages": [{"role": "user", "content": "json?"}], **body}
            )

    return asyncio.run(run())


def anthropic_call(server, **body):
    async def run():
        async with anthropic.AsyncAnthropic(api_key="k", base_url=server.anthropic_url, max_retries=0) as client:
            return await client.messages.create(
                **{"model": "m", "max_tokens": 5, "messages": [{"role": "user", "content": "?"}], **body}
            )

    return asyncio.run(run())


def response_format(schema):
    return {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": schema}}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"messages": []}, "'messages'"),
        ({"extra_body": {"temprature": 1}}, "Unrecognized request argument supplied: temprature"),
        ({"max_tokens": 5, "max_completion_tokens": 5}, "at the same time"),
        ({"max_tokens": 0}, "below minimum"),
        (
            {"response_format": response_format({k: v for k, v in SCHEMA.items() if k != "additionalProperties"})},
            "'additionalProperties' is required to be supplied and to be false",
        ),
        ({"response_format": response_format({**SCHEMA, "required": []})}, "Missing 'a'"),
        (
            {"response_format": response_format({**SCHEMA, "properties": {"a": {"type": "object"}}})},
            r"In context=\('properties', 'a'\), 'additionalProperties'",
        ),
        (
            {"response_format": {"type": "json_object"}, "messages": [{"role": "user", "content": "?"}]},
            "must contain the word 'json'",
        ),
    ],
)
def test_openai_refusals(body, said):
    with Loopback() as server, pytest.raises(openai.BadRequestError, match=said):
        openai_call(server, **body)
    assert (server.requests, server.calls) == (1, [])


def test_openai_accepts_a_strict_schema():
    with Loopback('{"a": ""}') as server:
        assert openai_call(server, response_format=response_format(SCHEMA)).choices[0].message.content == '{"a": ""}'
    assert server.calls[0].schema == SCHEMA


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"messages": []}, "messages"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"messages": [{"role": "user", "content": ""}]}, "non-empty"),
        ({"messages": [{"role": "system", "content": "x"}]}, "Unexpected role"),
        ({"extra_body": {"temperature": 0.0}}, "temperature: Extra inputs are not permitted"),
        (
            {"output_config": {"format": {"type": "json_schema", "schema": {"type": "object"}}}},
            "must be explicitly set to false",
        ),
        (
            {"output_config": {"format": {"type": "json_schema", "schema": {"type": "number", "minimum": 1}}}},
            "minimum are not supported",
        ),
    ],
)
def test_anthropic_refusals(body, said):
    with Loopback() as server, pytest.raises(anthropic.BadRequestError, match=said):
        anthropic_call(server, **body)
    assert (server.requests, server.calls) == (1, [])


def test_error_shapes():
    with Loopback(error(429, "slow down", retry_after=3, code="rate_limit_exceeded"), keys={"k"}) as server:
        with pytest.raises(openai.RateLimitError) as caught:
            openai_call(server)
        assert caught.value.code == "rate_limit_exceeded"
        assert caught.value.response.headers["retry-after"] == "3"
        with pytest.raises(anthropic.RateLimitError) as other:
            anthropic_call(server)
        assert (other.value.type, other.value.api_message) == ("rate_limit_error", "slow down")


def test_replies_are_scripted_in_order_and_the_last_one_stays():
    with Loopback(["a", Reply("b")]) as server:
        texts = [openai_call(server).choices[0].message.content for _ in range(3)]
    assert texts == ["a", "b", "b"]


def test_replies_may_be_computed_from_the_call():
    with Loopback(lambda call: f"{call.index} {call.system}|{call.user}") as server:
        messages = [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]
        assert openai_call(server, messages=messages).choices[0].message.content == "0 s|u"
        assert anthropic_call(server, system="s").content[0].text == "1 s|?"


def test_a_function_that_fails_fails_the_test():
    with pytest.raises(ZeroDivisionError), Loopback(lambda call: str(1 / 0)) as server:  # noqa: SIM117 — the outer one sees the end of the block
        with pytest.raises(openai.APIConnectionError):
            openai_call(server)


def test_it_charges_what_it_answers():
    with Loopback([Reply("x", input_tokens=100, cached_tokens=50, output_tokens=10), error(500)]) as server:
        openai_call(server)
        with pytest.raises(openai.InternalServerError):
            openai_call(server)
    assert server.charged == pytest.approx((50 * 2.0 + 50 * 0.5 + 10 * 8.0) / 1e6)


@pytest.mark.parametrize("fault", [dropped, cut_off, malformed, web_page, empty_choices])
def test_a_reply_that_cannot_be_read_is_charged_when_it_is_said(fault):
    def charged(**told):
        with Loopback(fault(**told)) as server, contextlib.suppress(openai.APIConnectionError, json.JSONDecodeError):
            openai_call(server)
        return server.charged

    assert charged() == 0
    assert charged(charged=True) > 0


def test_an_error_is_charged_when_it_is_said():
    with Loopback(Reply(status=500, charged=True)) as server, pytest.raises(openai.InternalServerError):
        openai_call(server)
    assert server.charged > 0


def test_a_body_is_cut_off_halfway():
    with Loopback(cut_off("x" * 100)) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "?"}]})
        connection.request("POST", "/v1/chat/completions", body, {"Authorization": "Bearer k"})
        with pytest.raises(http.client.IncompleteRead) as caught:
            connection.getresponse().read()
        connection.close()
    assert caught.value.partial
    assert caught.value.expected >= len(caught.value.partial)


def test_a_dropped_connection_brings_no_byte():
    with Loopback(dropped()) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "?"}]})
        connection.request("POST", "/v1/chat/completions", body, {"Authorization": "Bearer k"})
        with pytest.raises((http.client.RemoteDisconnected, ConnectionResetError)):
            connection.getresponse()
        connection.close()


def test_log_probabilities_are_told_on_request():
    tokens = [{"token": "x", "bytes": [120], "logprob": -0.5, "top_logprobs": []}]
    with Loopback(Reply("x", logprobs=tokens)) as server:
        assert openai_call(server).choices[0].logprobs is None
        assert openai_call(server, logprobs=True).choices[0].logprobs.content[0].logprob == -0.5


def test_log_probabilities_are_refused_as_a_permission():
    with Loopback("x", refuses={"logprobs"}) as server, pytest.raises(openai.PermissionDeniedError, match="logprobs"):
        openai_call(server, logprobs=True)


def test_a_connection_serves_many_requests():
    with Loopback("x") as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "?"}]})
        for _ in range(100):
            connection.request("POST", "/v1/chat/completions", body, {"Authorization": "Bearer k"})
            assert json.loads(connection.getresponse().read())["choices"][0]["message"]["content"] == "x"
        connection.close()
    assert (server.requests, server.connections) == (100, 1)


def test_an_unknown_address_is_not_found():
    with Loopback() as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        connection.request("GET", "/v1/models")
        assert connection.getresponse().status == 404
        connection.close()
