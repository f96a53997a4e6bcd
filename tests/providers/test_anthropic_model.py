"""AnthropicModel through the official SDK, against a real server on the loopback."""

import asyncio
import dataclasses
import json
import logging
from datetime import UTC, datetime, timedelta

import anthropic
import pytest
from loopback import (
    Loopback,
    Reply,
    cut_off,
    dropped,
    error,
    malformed,
    refused,
    truncated,
    web_page,
    without_usage,
)

from calibrate.config import Secret
from calibrate.domain import ModelRequest, Usage
from calibrate.errors import InputError
from calibrate.providers import CallError, NoRetry, Pricing, RateLimited, Transient
from calibrate.providers.anthropic_model import AnthropicModel
from calibrate.providers.endpoint import Endpoint

KEY = "sk-ant-loopback-0123456789"
SCHEMA = {
    "type": "object",
    "properties": {"reasoning": {"type": "string"}, "label": {"type": "string", "enum": ["0", "1"]}},
    "required": ["reasoning", "label"],
    "additionalProperties": False,
}
REQUEST = ModelRequest(system="Judge.", user="<item>...</item>", schema=SCHEMA, temperature=None)
VERDICT = '{"reasoning": "It holds.", "label": "1"}'


def endpoint(base_url, **changes):
    return dataclasses.replace(
        Endpoint(
            name="anthropic:claude-sonnet-5-5",
            model="claude-sonnet-5-5",
            base_url=base_url,
            pricing=Pricing("claude-sonnet-5-5", provider="anthropic"),
            key=Secret(KEY),
            key_variable="ANTHROPIC_API_KEY",
        ),
        **changes,
    )


def ask(server, *requests, **changes):
    async def run():
        model = AnthropicModel(endpoint(server.anthropic_url, **changes))
        try:
            return [await model.complete(request) for request in requests or (REQUEST,)], model
        finally:
            await model.close()

    return asyncio.run(run())


def failure(server, kind=CallError, request=REQUEST, **changes):
    with pytest.raises(kind) as caught:
        ask(server, request, **changes)
    return caught.value


def test_a_request_marks_the_system_prompt_for_the_cache_and_asks_for_the_schema():
    with Loopback(VERDICT, keys={KEY}) as server:
        ask(server, dataclasses.replace(REQUEST, max_tokens=77))
    assert server.calls[0].body == {
        "model": "claude-sonnet-5-5",
        "max_tokens": 77,
        "system": [{"type": "text", "text": "Judge.", "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": REQUEST.user}],
        "output_config": {
            "format": {
                "type": "json_schema",
                "schema": {
                    "type": "object",
                    "properties": {"reasoning": {"type": "string"}, "label": {"enum": ["0", "1"]}},
                    "required": ["reasoning", "label"],
                    "additionalProperties": False,
                },
            }
        },
    }


def test_a_request_for_free_text_asks_for_nothing_that_it_need_not():
    with Loopback("Rewritten.") as server:
        ask(server, ModelRequest(system="", user="Rewrite.", temperature=None))
    assert server.calls[0].body == {
        "model": "claude-sonnet-5-5",
        "max_tokens": 1024,
        "messages": [{"role": "user", "content": "Rewrite."}],
    }


def test_the_limits_of_a_number_go_where_the_api_takes_them():
    """An interval scale: the API refuses minimum and maximum in a schema."""
    properties = {"reasoning": {"type": "string"}, "label": {"type": "number", "minimum": 0, "maximum": 10}}
    with Loopback('{"reasoning": "", "label": 7}') as server:
        ask(server, dataclasses.replace(REQUEST, schema={**SCHEMA, "properties": properties}))
    label = server.calls[0].schema["properties"]["label"]
    assert label["type"] == "number"
    assert "minimum: 0" in label["description"]
    assert server.requests == 1


def test_a_temperature_is_not_sent_since_the_api_has_none_and_that_is_said():
    with Loopback(VERDICT) as server:
        _, model = ask(server, dataclasses.replace(REQUEST, temperature=0.0))
        _, unasked = ask(server, REQUEST)
    assert server.requests == 2
    assert model.dropped == ("temperature",)
    assert unasked.dropped == ()


def test_a_response_has_text_model_usage_cost_and_latency():
    reply = Reply(
        VERDICT,
        model="claude-sonnet-5-5-20260901",
        input_tokens=1400,
        output_tokens=50,
        cached_tokens=900,
        written_tokens=100,
        reasoning_tokens=20,
    )
    with Loopback(reply) as server:
        [response], _ = ask(server)
    assert (response.text, response.finish) == (VERDICT, "stop")
    assert response.model == "claude-sonnet-5-5-20260901"
    assert response.usage == Usage(
        input_tokens=1400, cache_read_tokens=900, cache_write_tokens=100, output_tokens=50, reasoning_tokens=20
    )
    assert response.cost == pytest.approx((400 * 2.0 + 900 * 0.1 + 100 * 2.5 + 50 * 10.0) / 1e6)
    assert response.latency > 0


def test_thinking_never_becomes_text():
    with Loopback(Reply(VERDICT, thinking='Maybe {"reasoning": "", "label": "0"}?')) as server:
        [response], _ = ask(server)
    assert response.text == VERDICT


@pytest.mark.parametrize(
    ("reply", "finish", "text"),
    [
        (Reply("all"), "stop", "all"),
        (truncated('{"reasoning": "so'), "length", '{"reasoning": "so'),
        (refused("This is not allowed."), "refusal", "This is not allowed."),
        (refused(""), "refusal", ""),
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
        (error(500), Transient()),
        (error(529), Transient(overloaded=True)),
        (error(529, retry_after=3), RateLimited(3.0)),
        (error(400, "prompt is too long"), NoRetry()),
        (error(402, "credit balance is too low"), NoRetry()),
        (error(413), NoRetry()),
        (dropped(), Transient()),
        (malformed(), Transient()),
        (Reply(raw=b"{}"), Transient()),
        (Reply(raw=b"null"), Transient()),
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
        (Reply(raw=b"{}"), True),
        (error(400), False),
        (error(401), False),
        (error(429), False),
        (error(500), False),
        (error(529), False),
    ],
)
def test_what_was_sent_and_not_refused_may_have_been_billed(reply, billable, client, monkeypatch):
    monkeypatch.setattr("anthropic.DefaultAioHttpClient", getattr(anthropic, client))
    with Loopback(reply) as server:
        refusal = failure(server)
    assert refusal.billable == billable
    assert refusal.systemic == (reply.status == 401)


@pytest.mark.parametrize("client", ["DefaultAioHttpClient", "DefaultAsyncHttpxClient"])
def test_a_reply_that_takes_too_long_may_have_been_billed(client, monkeypatch):
    monkeypatch.setattr("anthropic.DefaultAioHttpClient", getattr(anthropic, client))
    monkeypatch.setattr("calibrate.providers.connection.REQUEST_SECONDS", 0.05)
    with Loopback(Reply(VERDICT, latency=30)) as server:
        refusal = failure(server)
    assert (refusal.retry, refusal.billable, refusal.systemic) == (Transient(), True, False)


@pytest.mark.parametrize("client", ["DefaultAioHttpClient", "DefaultAsyncHttpxClient"])
def test_nobody_listening_was_sent_nothing(client, monkeypatch):
    monkeypatch.setattr("anthropic.DefaultAioHttpClient", getattr(anthropic, client))
    with Loopback() as server:
        pass
    refusal = failure(server)
    assert str(refusal).startswith(f"anthropic:claude-sonnet-5-5: cannot reach 127.0.0.1:{server.port}: ")
    assert (refusal.retry, refusal.billable, refusal.systemic) == (Transient(), False, True)


def test_a_reply_after_which_nothing_remains_asks_for_a_pause_and_a_refusal_for_a_wait():
    reset = datetime.now(UTC) + timedelta(seconds=90)
    headers = {
        "anthropic-ratelimit-input-tokens-remaining": "0",
        "anthropic-ratelimit-input-tokens-reset": reset.isoformat(timespec="seconds").replace("+00:00", "Z"),
    }
    with Loopback([Reply(VERDICT, headers=headers), VERDICT, error(429, headers=headers)]) as server:
        _, paused = ask(server)
        _, going_on = ask(server)
        retry = failure(server).retry
    assert 60 < paused.pause <= 90
    assert going_on.pause == 0.0
    assert isinstance(retry, RateLimited)
    assert 60 < retry.seconds <= 90


def test_the_most_that_an_attempt_can_cost_bounds_what_it_costs():
    with Loopback(Reply(VERDICT, output_tokens=1024)) as server:
        [response], model = ask(server)
    sent = len(json.dumps(model.body(REQUEST), ensure_ascii=False).encode())
    # Writing to the prompt cache is dearer than reading afresh.
    bound = ((sent + 1024) * 2.5 + 1024 * 10.0) / 1e6
    assert bound <= model.most_cost(REQUEST) < bound + 64 * 2.5 / 1e6
    assert 0 < response.cost < model.most_cost(REQUEST)


def test_a_confidence_is_not_to_be_had_and_that_is_said():
    with Loopback(VERDICT) as server:
        [response], model = ask(server, dataclasses.replace(REQUEST, confidence=True))
    assert response.confidence is None
    assert model.dropped == ("logprobs",)


def test_a_batch_reads_the_json_and_learns_from_the_body_that_was_refused():
    model = AnthropicModel(endpoint("http://a"))
    sent = model.body(REQUEST)
    assert model.learn("output_config.format: structured outputs are not supported by this model.", sent)
    assert "tools" in model.body(REQUEST)
    assert model.learn("output_config.format: structured outputs are not supported by this model.", sent)
    assert "tools" in model.body(REQUEST)
    assert model.read(json.loads(body().raw), 0.0).text == VERDICT


def body(**changes):
    """A reply as some server sends it: what the API promises, but for the changes."""
    usage = {"input_tokens": 10, "output_tokens": 5}
    whole = {"id": "x", "type": "message", "role": "assistant", "model": "claude-sonnet-5-5", "stop_reason": "end_turn"}
    whole |= {"content": [{"type": "text", "text": VERDICT}], "usage": usage}
    return Reply(raw=json.dumps({**whole, **changes}).encode())


class TestServersThatSendWhatTheApiDoesNotPromise:
    @pytest.mark.parametrize(
        ("content", "text"),
        [
            (VERDICT, VERDICT),
            ([VERDICT], VERDICT),
            ([{"text": VERDICT}], VERDICT),
            ([{"type": "text", "text": None}, {"type": "text"}, None, 3], ""),
            ([{"type": "text", "text": "a \ud800 b"}], "a \ufffd b"),
            ([{"type": "tool_use", "id": "t", "name": "reply", "input": {"label": "\ud800"}}], '{"label": "\ufffd"}'),
        ],
    )
    def test_text_is_taken_where_there_is_some(self, content, text):
        with Loopback(body(content=content)) as server:
            [response], _ = ask(server)
        assert (response.text, response.finish) == (text, "stop")

    @pytest.mark.parametrize("content", [None, 42, {"text": VERDICT}])
    def test_content_that_is_none_is_unreadable_and_may_come_right(self, content):
        with Loopback(body(content=content)) as server:
            refusal = failure(server)
        assert (refusal.retry, refusal.systemic) == (Transient(), False)

    @pytest.mark.parametrize(
        "usage",
        [
            {"input_tokens": -1, "output_tokens": 5},
            {"input_tokens": 10, "output_tokens": 0.5},
            {"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": -3},
            {"input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": "some"},
            {"input_tokens": 10, "output_tokens": 5, "output_tokens_details": {"thinking_tokens": -3}},
            {"output_tokens": "many"},
            "many",
        ],
    )
    def test_a_usage_that_cannot_be_is_unknown_and_so_is_the_cost(self, usage):
        with Loopback(body(usage=usage)) as server:
            [response], _ = ask(server)
        assert response.text == VERDICT
        assert (response.usage, response.cost) == (Usage(), None)

    @pytest.mark.parametrize("changes", [{"stop_reason": ["x"]}, {"stop_details": "x"}, {"model": 3}])
    def test_other_fields_of_another_kind_say_nothing(self, changes):
        with Loopback(body(**changes)) as server:
            [response], _ = ask(server)
        assert (response.text, response.finish, response.model) == (VERDICT, "stop", "claude-sonnet-5-5")


def test_an_empty_account_fails_every_request():
    with Loopback(error(402, "credit balance is too low")) as server:
        refusal = failure(server)
    assert refusal.systemic
    assert "refuses (402): credit balance is too low" in str(refusal)


def test_a_refused_key_names_the_variable_and_never_the_key():
    with Loopback(keys={"another"}) as server:
        refusal = failure(server)
    assert "refused the key (401); check ANTHROPIC_API_KEY" in str(refusal)
    assert KEY not in str(refusal)
    assert (refusal.retry, refusal.systemic) == (NoRetry(), True)


def test_an_unknown_model_is_bad_input():
    with Loopback(models={"claude-opus-5"}) as server:
        refusal = failure(server, InputError)
    assert "does not know this model" in str(refusal)
    assert "model: claude-sonnet-5-5" in str(refusal)


@pytest.mark.parametrize("key", ["sk-„quoted“", "sk-quoted\nagain", "sk quoted"])
def test_a_key_that_cannot_be_sent_is_bad_input_and_not_shown(key):
    with Loopback() as server:
        refusal = failure(server, InputError, key=Secret(key))
    assert "the key in ANTHROPIC_API_KEY" in str(refusal)
    assert "quoted" not in str(refusal)
    assert server.requests == 0


def test_no_log_or_repr_shows_the_key(caplog):
    with caplog.at_level(logging.DEBUG), Loopback([error(500), VERDICT], keys={KEY}) as server:
        failure(server)
        _, model = ask(server)
    assert caplog.records
    shown = caplog.text + "".join(str(vars(record)) for record in caplog.records) + repr(model) + repr(vars(model))
    assert KEY not in shown


def test_without_a_key_none_of_the_environment_is_sent(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-of-someone-else")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "token-of-someone-else")
    with Loopback(VERDICT) as server:
        ask(server, key=None, key_variable=None)
    assert "someone-else" not in json.dumps(dict(server.calls[0].headers))


class TestModelsWithoutAnOutputFormat:
    def test_a_forced_tool_takes_its_place(self):
        with Loopback(VERDICT, refuses={"output_config"}) as server:
            responses, model = ask(server, REQUEST, REQUEST)
        assert server.requests == 3
        body = server.calls[0].body
        assert body["tool_choice"] == {"type": "tool", "name": body["tools"][0]["name"]}
        assert [json.loads(response.text) for response in responses] == [json.loads(VERDICT)] * 2
        assert [response.finish for response in responses] == ["stop", "stop"]
        assert model.dropped == ("json_schema (forced tool instead)",)

    def test_without_tools_either_the_prompt_alone_must_do(self):
        with Loopback(VERDICT, refuses={"output_config", "tools"}) as server:
            [response], model = ask(server)
        assert server.requests == 3
        assert set(server.calls[0].body) == {"model", "max_tokens", "system", "messages"}
        assert response.text == VERDICT
        assert model.dropped == ("json_schema",)


def test_identity_tells_the_apis_apart():
    model = AnthropicModel(endpoint("http://a"))
    assert model.identity == {
        "api": "anthropic",
        "base_url": "http://a",
        "model": "claude-sonnet-5-5",
        "max_tokens": None,
    }
