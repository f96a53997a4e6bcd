"""OpenAIModel through the official SDK, against a real server on the loopback."""

import asyncio
import dataclasses
import json
import logging
import math

import openai
import pytest
from loopback import (
    Loopback,
    Reply,
    cut_off,
    dropped,
    empty_choices,
    error,
    malformed,
    refused,
    truncated,
    web_page,
    without_usage,
)

from calibrate.config import Prices, Secret
from calibrate.domain import ModelRequest, Usage
from calibrate.errors import InputError
from calibrate.providers import CallError, NoRetry, Pricing, RateLimited, Transient
from calibrate.providers.endpoint import Endpoint
from calibrate.providers.openai_model import OpenAIModel

KEY = "sk-loopback-0123456789"
SCHEMA = {
    "type": "object",
    "properties": {"reasoning": {"type": "string"}, "label": {"type": "string", "enum": ["0", "1"]}},
    "required": ["reasoning", "label"],
    "additionalProperties": False,
}
REQUEST = ModelRequest(system="Judge. Reply with JSON.", user="<item>...</item>", schema=SCHEMA)
VERDICT = '{"reasoning": "It holds.", "label": "1"}'


def endpoint(base_url, **changes):
    return dataclasses.replace(
        Endpoint(
            name="openai:gpt-4.1",
            model="gpt-4.1",
            base_url=base_url,
            pricing=Pricing("gpt-4.1", provider="openai"),
            key=Secret(KEY),
            key_variable="OPENAI_API_KEY",
        ),
        **changes,
    )


def ask(server, *requests, token_limit="max_completion_tokens", **changes):
    """The responses to requests that are made one after the other, and the model."""

    async def run():
        model = OpenAIModel(endpoint(server.openai_url, **changes), token_limit=token_limit)
        try:
            return [await model.complete(request) for request in requests or (REQUEST,)], model
        finally:
            await model.close()

    return asyncio.run(run())


def failure(server, kind=CallError, request=REQUEST, **changes):
    with pytest.raises(kind) as caught:
        ask(server, request, **changes)
    return caught.value


def test_a_request_is_sent_as_a_strict_schema_with_temperature_and_limit():
    with Loopback(VERDICT, keys={KEY}) as server:
        ask(server, dataclasses.replace(REQUEST, temperature=0.25, max_tokens=77))
    body = server.calls[0].body
    assert body == {
        "model": "gpt-4.1",
        "messages": [{"role": "system", "content": REQUEST.system}, {"role": "user", "content": REQUEST.user}],
        "temperature": 0.25,
        "max_completion_tokens": 77,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA},
        },
    }


def test_a_request_for_free_text_asks_for_nothing_that_it_need_not():
    with Loopback("Rewritten.") as server:
        ask(server, ModelRequest(system="", user="Rewrite.", schema=None, temperature=None))
    assert server.calls[0].body == {
        "model": "gpt-4.1",
        "messages": [{"role": "user", "content": "Rewrite."}],
        "max_completion_tokens": 1024,
    }


def test_a_declared_limit_takes_the_place_of_the_requested_one():
    with Loopback(VERDICT) as server:
        _, model = ask(server, max_tokens=9)
    assert server.calls[0].body["max_completion_tokens"] == 9
    assert model.identity["max_tokens"] == 9


def test_a_response_has_text_model_usage_cost_and_latency():
    reply = Reply(
        VERDICT,
        model="gpt-4.1-2025-04-14",
        input_tokens=1400,
        output_tokens=50,
        cached_tokens=1000,
        reasoning_tokens=20,
    )
    with Loopback(reply) as server:
        [response], _ = ask(server)
    assert response.text == VERDICT
    assert response.finish == "stop"
    assert response.model == "gpt-4.1-2025-04-14"
    assert response.usage == Usage(input_tokens=1400, cache_read_tokens=1000, output_tokens=50, reasoning_tokens=20)
    assert response.cost == pytest.approx((400 * 2.0 + 1000 * 0.5 + 50 * 8.0) / 1e6)
    assert response.cost == pytest.approx(server.charged)
    assert response.latency > 0
    assert response.cached_at is None


@pytest.mark.parametrize(
    ("reply", "finish", "text"),
    [
        (Reply("all"), "stop", "all"),
        (truncated('{"reasoning": "so'), "length", '{"reasoning": "so'),
        (refused("I cannot judge this."), "refusal", "I cannot judge this."),
        (Reply("", finish="content_filter"), "refusal", ""),
    ],
)
def test_finish_reasons(reply, finish, text):
    with Loopback(reply) as server:
        [response], _ = ask(server)
    assert (response.finish, response.text) == (finish, text)


def test_usage_that_is_not_told_is_unknown_and_so_is_the_cost():
    with Loopback(without_usage(VERDICT)) as server:
        [response], _ = ask(server)
    assert response.usage == Usage()
    assert response.cost is None


@pytest.mark.parametrize(
    ("reply", "retry"),
    [
        (error(429), Transient(overloaded=True)),
        (error(429, retry_after=7), RateLimited(7.0)),
        (error(429, retry_after=0), RateLimited(1.0)),
        (error(429, retry_after="soon"), Transient(overloaded=True)),
        (error(503, retry_after=2.5), RateLimited(2.5)),
        (error(500), Transient()),
        (error(529), Transient(overloaded=True)),
        (error(400, "context length exceeded"), NoRetry()),
        (error(413), NoRetry()),
        (error(429, "You exceeded your current quota", code="insufficient_quota"), NoRetry()),
        (Reply(status=500, headers={"x-should-retry": "false"}), NoRetry()),
        (Reply(status=400, headers={"x-should-retry": "true"}), Transient()),
        (Reply(status=429, headers={"retry-after-ms": "1500", "retry-after": "9"}), RateLimited(1.5)),
        (dropped(), Transient()),
        (malformed(), Transient()),
        (empty_choices(), Transient()),
        (Reply(raw=b"null"), Transient()),
        (Reply(raw=b'"text"'), Transient()),
    ],
)
def test_each_failure_says_whether_another_attempt_can_help(reply, retry):
    with Loopback(reply) as server:
        assert failure(server).retry == retry
        assert server.requests == 1  # the SDK retries nothing by itself


@pytest.mark.parametrize("client", ["DefaultAioHttpClient", "DefaultAsyncHttpxClient"])
@pytest.mark.parametrize(
    ("reply", "billable"),
    [
        (dropped(), True),
        (cut_off(VERDICT), True),
        (malformed(), True),
        (web_page(), True),
        (empty_choices(), True),
        (Reply(raw=b"[" * 100_000), True),
        (Reply(raw=b"zipped", headers={"content-encoding": "gzip"}), True),
        (Reply(raw=b"{}", headers={"content-length": "no number"}), True),
        (error(400), False),
        (error(401), False),
        (error(429), False),
        (error(500), False),
        (error(529), False),
    ],
)
def test_what_was_sent_and_not_refused_may_have_been_billed(reply, billable, client, monkeypatch):
    monkeypatch.setattr("openai.DefaultAioHttpClient", getattr(openai, client))
    with Loopback(reply) as server:
        refusal = failure(server)
    assert refusal.billable == billable
    assert refusal.systemic == (reply.status == 401)
    assert server.charged == 0


@pytest.mark.parametrize("client", ["DefaultAioHttpClient", "DefaultAsyncHttpxClient"])
def test_a_reply_that_takes_too_long_may_have_been_billed(client, monkeypatch):
    monkeypatch.setattr("openai.DefaultAioHttpClient", getattr(openai, client))
    monkeypatch.setattr("calibrate.providers.connection.REQUEST_SECONDS", 0.05)
    with Loopback(Reply(VERDICT, latency=30)) as server:
        refusal = failure(server)
    assert str(refusal) == f"openai:gpt-4.1: no reply from 127.0.0.1:{server.port} in time"
    assert (refusal.retry, refusal.billable, refusal.systemic) == (Transient(), True, False)


def test_a_request_that_has_no_bytes_is_not_sent():
    with Loopback(VERDICT) as server:
        refusal = failure(server, request=dataclasses.replace(REQUEST, user="\ud800"))
    assert (refusal.retry, refusal.billable, refusal.systemic) == (NoRetry(), False, False)
    assert server.requests == 0


def test_a_web_page_is_called_one():
    with Loopback(web_page()) as server:
        assert "an unreadable reply (it is text/html; charset=utf-8)" in str(failure(server))


NOTHING_LEFT = {"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1m2.5s"}


@pytest.mark.parametrize(
    ("status", "headers", "retry"),
    [
        (429, NOTHING_LEFT, RateLimited(62.5)),
        (503, NOTHING_LEFT, RateLimited(62.5)),
        (429, {**NOTHING_LEFT, "retry-after": "3"}, RateLimited(3.0)),
        (429, {**NOTHING_LEFT, "x-ratelimit-reset-tokens": "20ms"}, RateLimited(1.0)),
        (429, {**NOTHING_LEFT, "x-ratelimit-reset-tokens": "soon"}, Transient(overloaded=True)),
        (429, {**NOTHING_LEFT, "x-ratelimit-remaining-tokens": "1"}, Transient(overloaded=True)),
        (500, NOTHING_LEFT, Transient()),
        (400, NOTHING_LEFT, NoRetry()),
    ],
)
def test_a_limit_that_is_used_up_tells_how_long_to_wait(status, headers, retry):
    with Loopback(error(status, headers=headers)) as server:
        assert failure(server).retry == retry


def test_a_reply_after_which_nothing_remains_asks_for_a_pause():
    with Loopback([Reply(VERDICT, headers=NOTHING_LEFT), VERDICT]) as server:
        _, paused = ask(server)
        _, going_on = ask(server)
    assert (paused.pause, going_on.pause) == (62.5, 0.0)


class TestModelsThatBillWritingToTheirCache:
    NEWER = Pricing("gpt-6.1-sol", provider="openai")

    def test_they_are_told_to_keep_the_instructions_and_nothing_else(self):
        other = dataclasses.replace(REQUEST, user="<item>another</item>")
        with Loopback(VERDICT) as server:
            _, model = ask(server, REQUEST, other, pricing=self.NEWER)
        one, two = (call.body for call in server.calls)
        system = {"type": "text", "text": REQUEST.system, "prompt_cache_breakpoint": {"mode": "explicit"}}
        assert one["messages"][0] == {"role": "system", "content": [system]} == two["messages"][0]
        assert one["messages"][1] == {"role": "user", "content": REQUEST.user}
        assert one["prompt_cache_options"] == {"mode": "explicit"}
        assert one["prompt_cache_key"] == two["prompt_cache_key"]
        assert model.dropped == ()

    def test_a_server_that_does_not_know_how_is_not_told(self):
        with Loopback(VERDICT, refuses={"prompt_cache_options"}) as server:
            _, model = ask(server, REQUEST, REQUEST, pricing=self.NEWER)
        assert server.requests == 3
        assert server.calls[0].body["messages"][0] == {"role": "system", "content": REQUEST.system}
        assert "prompt_cache_key" not in server.calls[0].body
        assert model.dropped == ("prompt_cache_options",)

    @pytest.mark.parametrize(
        "pricing",
        [
            Pricing("gpt-4.1", provider="openai"),
            Pricing("gpt-of-tomorrow", provider="openai"),
            Pricing("gpt-6.1-sol", base_url="http://localhost:8000/v1"),
        ],
    )
    def test_others_are_asked_as_ever(self, pricing):
        model = OpenAIModel(endpoint("http://a/v1", pricing=pricing))
        assert model.body(REQUEST)["messages"][0] == {"role": "system", "content": REQUEST.system}
        assert "prompt_cache_options" not in model.body(REQUEST)

    def test_without_instructions_there_is_nothing_to_keep(self):
        model = OpenAIModel(endpoint("http://a/v1", pricing=self.NEWER))
        assert "prompt_cache_options" not in model.body(dataclasses.replace(REQUEST, system=""))


class TestTheMostThatAnAttemptCanCost:
    def test_every_byte_may_be_a_token_and_the_limit_may_be_used_up(self):
        model = OpenAIModel(endpoint("http://a/v1"))
        request = dataclasses.replace(REQUEST, user="é" * 1000, max_tokens=500)
        sent = len(json.dumps(model.body(request), ensure_ascii=False).encode())
        assert sent > 2000
        bound = ((sent + 256) * 2.0 + 500 * 8.0) / 1e6
        assert bound <= model.most_cost(request) < bound + 64 * 2.0 / 1e6

    def test_a_declared_limit_bounds_the_output(self):
        model = OpenAIModel(endpoint("http://a/v1", max_tokens=9))
        assert model.most_cost(REQUEST) < OpenAIModel(endpoint("http://a/v1")).most_cost(REQUEST)

    def test_without_a_price_it_is_unknown(self):
        model = OpenAIModel(endpoint("http://a/v1", pricing=Pricing("mine", base_url="http://a/v1")))
        assert model.most_cost(REQUEST) is None

    def test_a_call_costs_no_more(self):
        with Loopback(Reply(VERDICT, output_tokens=1024)) as server:
            [response], model = ask(server)
        assert 0 < response.cost < model.most_cost(REQUEST)


def tokens(*pairs):
    return [
        {"token": text, "logprob": math.log(p), "bytes": list(text.encode()), "top_logprobs": []} for text, p in pairs
    ]


class TestConfidence:
    SURE = dataclasses.replace(REQUEST, confidence=True)
    TOKENS = tokens(('{"reasoning": "It holds."', 0.5), (', "label": "', 0.5), ("1", 0.9), ('"}', 0.5))

    def test_it_is_the_probability_of_the_label(self):
        with Loopback(Reply(VERDICT, logprobs=self.TOKENS)) as server:
            [response], model = ask(server, self.SURE)
        assert server.calls[0].body["logprobs"] is True
        assert response.confidence == pytest.approx(0.9)
        assert model.dropped == ()

    def test_it_is_asked_for_on_request_only(self):
        with Loopback(Reply(VERDICT, logprobs=self.TOKENS)) as server:
            [response], _ = ask(server)
        assert "logprobs" not in server.calls[0].body
        assert response.confidence is None

    def test_a_model_that_tells_none_is_asked_no_more(self):
        with Loopback(VERDICT, refuses={"logprobs"}) as server:
            responses, model = ask(server, self.SURE, self.SURE)
        assert server.requests == 3
        assert [response.confidence for response in responses] == [None, None]
        assert model.dropped == ("logprobs",)

    def test_a_permission_that_is_missing_for_everything_is_a_failure(self):
        with Loopback(error(403, "this project has no access")) as server:
            refusal = failure(server, request=self.SURE)
        assert (refusal.retry, refusal.systemic, server.requests) == (NoRetry(), True, 1)


def test_a_batch_reads_the_json_and_learns_from_the_body_that_was_refused():
    model = OpenAIModel(endpoint("http://a/v1"))
    sent = model.body(REQUEST)
    assert model.learn("temperature: 'temperature' does not support 0.0 with this model.", sent)
    assert model.body(REQUEST) == {name: value for name, value in sent.items() if name != "temperature"}
    assert not model.learn("temperature: 'temperature' is not supported", model.body(REQUEST))
    whole = json.loads(body().raw)
    assert (model.read(whole, 0.0).text, model.read(whole, 0.0).usage) == (
        VERDICT,
        Usage(input_tokens=10, output_tokens=5),
    )


def body(**changes):
    """A reply as some server sends it: what the API promises, but for the changes."""
    message = {"role": "assistant", "content": VERDICT}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    choices = [{"index": 0, "finish_reason": "stop", "message": changes.pop("message", message)}]
    whole = {"id": "x", "object": "chat.completion", "created": 0, "model": "gpt-4.1", "choices": choices}
    return Reply(raw=json.dumps({**whole, "usage": usage, **changes}).encode())


def content(value):
    return body(message={"role": "assistant", "content": value})


class TestServersThatSendWhatTheApiDoesNotPromise:
    @pytest.mark.parametrize(
        ("sent", "text"),
        [
            ([{"type": "text", "text": VERDICT}], VERDICT),
            ([{"type": "text", "text": VERDICT[:9]}, {"type": "output_text", "text": VERDICT[9:]}], VERDICT),
            ([{"text": VERDICT}, VERDICT], VERDICT * 2),
            ([{"type": "thinking", "text": "0?"}, {"type": "text", "text": VERDICT}], VERDICT),
            ([{"type": "text", "text": None}, {"type": ["text"], "text": "x"}, None, 3], ""),
            ([], ""),
            (None, ""),
        ],
    )
    def test_the_text_parts_of_content_are_joined(self, sent, text):
        with Loopback(content(sent)) as server:
            [response], _ = ask(server)
        assert (response.text, response.finish) == (text, "stop")

    @pytest.mark.parametrize(
        "reply",
        [
            body(message=None),
            body(message="text"),
            body(message=[]),
            body(choices=[None]),
            body(choices=["text"]),
            body(choices={"message": {}}),
            content(42),
            content({"text": VERDICT}),
        ],
    )
    def test_a_reply_without_a_message_is_unreadable_and_may_come_right(self, reply):
        with Loopback(reply) as server:
            refusal = failure(server)
        assert (refusal.retry, refusal.systemic) == (Transient(), False)

    @pytest.mark.parametrize(
        "usage",
        [
            {"prompt_tokens": -1, "completion_tokens": 5},
            {"prompt_tokens": 10, "completion_tokens": 0.5},
            {"prompt_tokens": "10", "completion_tokens": 5},
            {"prompt_tokens": True, "completion_tokens": 5},
            {"prompt_tokens": 10, "completion_tokens": 10**400},
            {"prompt_tokens": 10, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": -3}},
            {"prompt_tokens": 10, "completion_tokens": 5, "completion_tokens_details": {"reasoning_tokens": 1.5}},
            "many",
            [3],
        ],
    )
    @pytest.mark.parametrize("declared", [None, Prices(1.0, 1.0)])
    def test_a_usage_that_cannot_be_is_unknown_and_so_is_the_cost(self, usage, declared):
        pricing = Pricing("gpt-4.1", provider="openai", declared=declared)
        with Loopback(body(usage=usage)) as server:
            [response], _ = ask(server, pricing=pricing)
        assert response.text == VERDICT
        assert (response.usage, response.cost) == (Usage(), None)

    def test_a_whole_number_written_as_a_fraction_is_that_number(self):
        with Loopback(body(usage={"prompt_tokens": 10.0, "completion_tokens": 5.0})) as server:
            [response], _ = ask(server)
        assert response.usage == Usage(input_tokens=10, output_tokens=5)

    @pytest.mark.parametrize("sent", ["a \ud800 b \x00 c", [{"type": "text", "text": "a \ud800 b \x00 c"}]])
    def test_text_holds_nothing_that_the_store_would_change(self, sent):
        with Loopback(content(sent)) as server:
            [response], _ = ask(server)
        assert response.text == "a \ufffd b \ufffd c"

    @pytest.mark.parametrize("model", [None, 3, ["gpt"], ""])
    def test_a_model_without_a_name_is_the_one_that_was_asked(self, model):
        with Loopback(body(model=model)) as server:
            [response], _ = ask(server)
        assert response.model == "gpt-4.1"


def test_a_limit_given_as_a_date_is_a_wait_until_then():
    from email.utils import formatdate
    from time import time

    with Loopback(error(429, retry_after=formatdate(time() + 90, usegmt=True))) as server:
        retry = failure(server).retry
    assert isinstance(retry, RateLimited)
    assert 60 < retry.seconds <= 90


def test_nobody_listening_names_the_host():
    with Loopback() as server:
        base_url = server.openai_url
        port = server.port

    async def run():
        model = OpenAIModel(endpoint(base_url))
        try:
            await model.complete(REQUEST)
        finally:
            await model.close()

    with pytest.raises(CallError, match=rf"^openai:gpt-4.1: cannot reach 127\.0\.0\.1:{port}: ") as caught:
        asyncio.run(run())
    assert caught.value.retry == Transient()
    assert caught.value.systemic


def test_a_refused_key_names_the_variable_and_never_the_key():
    with Loopback(keys={"another"}) as server:
        refusal = failure(server)
    assert "refused the key (401); check OPENAI_API_KEY" in str(refusal)
    assert KEY not in str(refusal)
    assert (refusal.retry, refusal.systemic) == (NoRetry(), True)


def test_an_unknown_model_is_bad_input():
    with Loopback(models={"gpt-5"}) as server:
        refusal = failure(server, InputError)
    assert "does not know this model" in str(refusal)
    assert "`gpt-4.1` does not exist" in str(refusal)


@pytest.mark.parametrize("key", ["sk-„quoted“", "sk-quoted\nagain", "sk quoted"])
def test_a_key_that_cannot_be_sent_is_bad_input_and_not_shown(key):
    with Loopback() as server:
        refusal = failure(server, InputError, key=Secret(key))
    assert "the key in OPENAI_API_KEY" in str(refusal)
    assert "quoted" not in str(refusal)
    assert server.requests == 0


def test_a_key_that_the_provider_quotes_is_redacted_and_the_message_is_one_line():
    with Loopback(error(400, f"what is\n{KEY}?" + "x" * 1000)) as server:
        message = str(failure(server))
    assert message.startswith(f"openai:gpt-4.1: 127.0.0.1:{server.port} answered 400: what is [redacted]?x")
    assert "\n" not in message
    assert len(message) < 400


def test_no_log_or_repr_shows_the_key(caplog):
    with caplog.at_level(logging.DEBUG), Loopback([error(500), VERDICT], keys={KEY}) as server:
        failure(server)
        _, model = ask(server)
    assert caplog.records
    shown = caplog.text + "".join(str(vars(record)) for record in caplog.records) + repr(model) + repr(vars(model))
    assert KEY not in shown


def test_without_a_key_none_of_the_environment_is_sent(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-someone-else")
    with Loopback(VERDICT) as server:
        ask(server, key=None, key_variable=None)
    assert server.calls[0].headers["authorization"] == "Bearer none"


class TestParametersThatAModelRefuses:
    def test_temperature_is_left_out_after_the_first_refusal_and_from_then_on(self):
        with Loopback(VERDICT, refuses={"temperature"}) as server:
            _, model = ask(server, REQUEST, REQUEST, REQUEST)
        assert server.requests == 4
        assert ["temperature" in call.body for call in server.calls] == [False] * 3
        assert model.dropped == ("temperature",)

    def test_the_limit_is_said_the_other_way_round(self):
        with Loopback(VERDICT, refuses={"max_completion_tokens"}) as server:
            _, model = ask(server, REQUEST, REQUEST)
        assert server.requests == 3
        assert [call.body["max_tokens"] for call in server.calls] == [1024, 1024]
        assert model.dropped == ("max_completion_tokens (max_tokens instead)",)

    def test_a_server_of_ones_own_is_asked_with_the_older_limit_first(self):
        with Loopback(VERDICT, refuses={"max_tokens"}) as server:
            _, model = ask(server, token_limit="max_tokens")
        assert server.calls[0].body["max_completion_tokens"] == 1024
        assert model.dropped == ("max_tokens (max_completion_tokens instead)",)

    def test_the_limit_is_never_left_out(self):
        with Loopback(VERDICT, refuses={"max_tokens", "max_completion_tokens"}) as server:
            assert failure(server).retry == NoRetry()
        assert server.requests == 2

    def test_a_limit_that_is_too_large_stays_as_it_is(self):
        said = "max_completion_tokens is too large: 1024. This model supports at most 512 completion tokens."
        with Loopback([error(400, said), VERDICT]) as server:
            assert "too large" in str(failure(server))
        assert server.requests == 1

    @pytest.mark.parametrize(
        ("refuses", "sent", "dropped"),
        [
            ({"json_schema"}, {"type": "json_object"}, "json_schema (json_object instead)"),
            ({"json_schema", "json_object"}, None, "json_schema"),
        ],
    )
    def test_a_server_without_json_schemas_gets_what_it_takes(self, refuses, sent, dropped):
        with Loopback(VERDICT, refuses=refuses) as server:
            [response], model = ask(server)
        assert server.calls[0].body.get("response_format") == sent
        assert response.text == VERDICT
        assert model.dropped == (dropped,)

    def test_several_refusals_are_learned_one_by_one(self):
        with Loopback(VERDICT, refuses={"temperature", "max_completion_tokens", "json_schema"}) as server:
            _, model = ask(server, REQUEST, REQUEST)
        assert server.requests == 3 + 2
        assert len(model.dropped) == 3

    def test_requests_in_flight_together_all_get_through(self):
        async def run():
            model = OpenAIModel(endpoint(server.openai_url))
            responses = await asyncio.gather(*(model.complete(REQUEST) for _ in range(20)))
            await model.close()
            return responses, model

        with Loopback(VERDICT, refuses={"temperature", "json_schema", "json_object"}) as server:
            responses, model = asyncio.run(run())
        assert [response.text for response in responses] == [VERDICT] * 20
        assert model.dropped == ("temperature", "json_schema")

    def test_a_refusal_that_names_no_parameter_is_a_failure(self):
        with Loopback([error(400, "the temperatures are too high here"), VERDICT]) as server:
            failure(server)
        assert server.requests == 1

    def test_a_parameter_that_was_not_asked_for_is_not_learned(self):
        with Loopback([error(400, "temperature is not supported"), VERDICT]) as server:
            failure(server, request=dataclasses.replace(REQUEST, temperature=None))
        assert server.requests == 1


def test_one_client_keeps_many_requests_in_flight_over_kept_connections():
    async def run():
        model = OpenAIModel(endpoint(server.openai_url))
        await asyncio.gather(*(model.complete(REQUEST) for _ in range(200)))
        await asyncio.gather(*(model.complete(REQUEST) for _ in range(200)))
        await model.close()

    with Loopback(VERDICT, together=200) as server:  # more than either transport takes by itself
        asyncio.run(run())
    assert server.most_in_flight == 200
    assert server.connections == 200


def test_identity_tells_servers_and_models_apart_and_holds_no_key():
    one = OpenAIModel(endpoint("http://a/v1"))
    assert one.identity == {"api": "openai", "base_url": "http://a/v1", "model": "gpt-4.1", "max_tokens": None}
    assert one.identity != OpenAIModel(endpoint("http://b/v1")).identity
    assert KEY not in json.dumps(one.identity)
    assert not one.simulated


def test_closing_an_unused_model_does_nothing():
    asyncio.run(OpenAIModel(endpoint("http://a/v1")).close())
