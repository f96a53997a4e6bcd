"""DecisionsModel through the official SDK, against a real server on the loopback."""

import asyncio
import dataclasses
import json

import openai
import pytest
from loopback import Loopback, Reply, dropped, error, malformed, refused, without_usage

from calibrate.config import Prices, Secret, Settings
from calibrate.domain import Item, ModelRequest, Scale, Scored, Unscored, Usage
from calibrate.errors import InputError
from calibrate.judge import JudgeSettings, Prompt, PromptJudge
from calibrate.providers import CallError, NoRetry, Pricing, RateLimited, check_request, dropped_parameters, open_model
from calibrate.providers.decisions_model import DecisionsModel
from calibrate.providers.endpoint import Endpoint

KEY = "sk-loopback-0123456789"
NAME = "openai-decisions:gpt-6-luna"
BINARY = Scale("binary", ("0", "1"), "1")
SCALES = {
    "binary": BINARY,
    "nominal": Scale("nominal", ("billing", "technical", "other")),
    "pairwise": Scale("pairwise", ("A", "B", "tie")),
    "ordinal": Scale("ordinal", ("1", "2", "3", "4", "5")),
}
ITEM = Item("1", "any", {"question": "Why?", "answer": "Because."})


def judge(scale=BINARY, **settings):
    return PromptJudge(
        Prompt.parse("Is the answer right?", ["question", "answer"]), NAME, scale, JudgeSettings(**settings)
    )


REQUEST = judge().request(ITEM)


def endpoint(base_url, **changes):
    return dataclasses.replace(
        Endpoint(
            name=NAME,
            model="gpt-6-luna",
            base_url=base_url,
            pricing=Pricing("gpt-6-luna", provider="openai-decisions"),
            key=Secret(KEY),
            key_variable="OPENAI_API_KEY",
        ),
        **changes,
    )


def ask(server, request=REQUEST, **changes):
    async def run():
        model = DecisionsModel(endpoint(server.openai_url, **changes))
        try:
            return await model.complete(request)
        finally:
            await model.close()

    return asyncio.run(run())


def failure(server, kind=CallError, **changes):
    with pytest.raises(kind) as caught:
        ask(server, **changes)
    return caught.value


def answered(**answer):
    usage = {"input_tokens": 9, "output_tokens": 0}
    return Reply(raw=json.dumps({"answers": [answer] if answer else [], "model": "m", "usage": usage}).encode())


def test_the_instructions_are_the_question_and_the_data_block_is_the_input():
    with Loopback("1", keys={KEY}) as server:
        ask(server)
    (call,) = server.calls
    assert call.body == {
        "model": "gpt-6-luna",
        "input": REQUEST.user,
        "questions": [
            {
                "type": "choice",
                "name": "label",
                "instructions": REQUEST.system,
                "choices": [{"value": "0"}, {"value": "1"}],
            }
        ],
    }
    assert call.user.startswith("<item>")
    assert call.system.startswith("Is the answer right?")


@pytest.mark.parametrize("name", SCALES)
def test_every_scale_of_labels_is_a_choice_between_them(name):
    scale = SCALES[name]
    asked = judge(scale)
    with Loopback(json.dumps({"label": scale.labels[-1], "confidence": 0.625})) as server:
        response = ask(server, asked.request(ITEM))
    assert [choice["value"] for choice in server.calls[0].body["questions"][0]["choices"]] == list(scale.labels)
    assert asked.read(response) == Scored(scale.labels[-1], "", 0.625)


def test_the_confidence_is_the_probability_of_the_chosen_label():
    with Loopback(json.dumps({"label": "billing", "confidence": 0.5})) as server:
        response = ask(server, judge(SCALES["nominal"]).request(ITEM))
    # The answer's own "confidence" is 0.25 here: how far 0.5 is from an even spread over three labels.
    assert json.loads(response.text) == {"label": "billing", "confidence": 0.5}
    assert response.finish == "stop"


@pytest.mark.parametrize("probabilities", [[], None, [{"value": "1", "probability": 1.5}], [{"value": "0"}], "x"])
def test_a_probability_that_is_not_told_is_not_made_up(probabilities):
    with Loopback(answered(type="choice", choice="1", confidence=0.9, probabilities=probabilities)) as server:
        response = ask(server)
    assert json.loads(response.text) == {"label": "1"}
    assert judge().read(response) == Scored("1")


def test_abstaining_is_a_choice_only_where_it_is_allowed():
    asked = judge(allow_abstain=True)
    with Loopback("CANNOT_ASSESS") as server:
        response = ask(server, asked.request(ITEM))
    assert [choice["value"] for choice in server.calls[0].body["questions"][0]["choices"]] == [
        "0",
        "1",
        "CANNOT_ASSESS",
    ]
    assert asked.read(response) == Unscored("abstained")


def test_a_refusal_is_refused():
    with Loopback(refused()) as server:
        response = ask(server)
    assert (response.text, response.finish) == ("", "refusal")
    verdict = judge().read(response)
    assert isinstance(verdict, Unscored)
    assert verdict.reason == "refused"


def test_a_label_that_was_not_offered_is_invalid():
    with Loopback(answered(type="choice", choice="maybe", confidence=1, probabilities=[])) as server:
        verdict = judge().read(ask(server))
    assert isinstance(verdict, Unscored)
    assert verdict.reason == "invalid"


def test_usage_cost_and_model_are_told_and_only_the_input_is_billed():
    tokens = {"input_tokens": 2000, "cached_tokens": 1000, "written_tokens": 500, "output_tokens": 3}
    with Loopback(Reply("1", model="gpt-6-luna-2026-10-01", **tokens)) as server:
        response = ask(server)
    assert response.usage == Usage(2000, 1000, 500, 3, 0)
    assert response.cost == pytest.approx(2000 * 0.1 / 1e6)
    assert response.model == "gpt-6-luna-2026-10-01"
    assert response.latency > 0


def test_a_declared_price_goes_before_the_price_data():
    pricing = Pricing("gpt-6-luna", provider="openai-decisions", declared=Prices(3.0, 5.0))
    with Loopback(Reply("1", input_tokens=2000, output_tokens=3)) as server:
        response = ask(server, pricing=pricing)
    assert response.cost == pytest.approx((2000 * 3.0 + 3 * 5.0) / 1e6)


def test_without_usage_the_cost_is_unknown():
    with Loopback(without_usage("1")) as server:
        response = ask(server)
    assert response.usage == Usage()
    assert response.cost is None


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (ModelRequest(system="", user="Rewrite."), "writes no text: use it as --judge without --parse"),
        (judge(parse="label=(.)").request(ITEM), "another model as --optimizer"),
        (judge(Scale("interval", threshold=0.5)).request(ITEM), "gives no scores: declare labels"),
        (judge(Scale("interval"), allow_abstain=True).request(ITEM), "gives no scores: declare labels"),
        (
            judge(Scale("nominal", tuple(f"l{n}" for n in range(256)))).request(ITEM),
            "at most 255 labels, and these are 256",
        ),
    ],
)
def test_what_it_cannot_answer_is_refused_before_anything_is_sent(request_, said):
    with Loopback("1") as server:
        refusal = failure(server, InputError, request=request_)
        model = open_model(NAME, Settings(openai_key=Secret(KEY), openai_base_url=server.openai_url))
        with pytest.raises(InputError, match=said):
            check_request(model, request_)
    assert said in str(refusal)
    assert str(refusal).startswith(NAME)
    assert "\n" not in str(refusal)
    assert server.requests == 0


def test_any_request_may_be_put_to_a_model_that_writes_text():
    check_request(open_model("sim:writer", Settings()), ModelRequest(system="", user="Rewrite."))


@pytest.mark.parametrize(
    ("reply", "retry"),
    [
        (error(400, "input too long"), NoRetry()),
        (error(401), NoRetry()),
        (error(429, code="insufficient_quota"), NoRetry()),
        (error(429, retry_after=7), RateLimited(7.0)),
    ],
)
def test_an_error_says_whether_another_attempt_can_help(reply, retry):
    with Loopback(reply) as server:
        assert failure(server).retry == retry
    assert server.requests == 1


@pytest.mark.parametrize(
    "reply",
    [
        dropped(),
        malformed(),
        error(500),
        Reply(raw=b"null"),
        Reply(raw=b'"text"'),
        answered(),
        answered(type="predicate", probability=0.5),
        answered(type="choice", choice=True, confidence=1, probabilities=[]),
    ],
)
def test_a_reply_that_is_none_may_succeed_later(reply):
    with Loopback(reply) as server:
        assert not isinstance(failure(server).retry, NoRetry)


def test_an_unknown_model_is_an_input_error():
    with Loopback("1", models={"gpt-6-luna"}) as server:
        assert "does not know this model" in str(failure(server, InputError, model="gpt-7"))


def test_no_error_shows_the_key():
    with Loopback(error(400, f"bad key {KEY}")) as server:
        assert KEY not in str(failure(server))


def test_its_identity_is_its_address_and_its_model():
    model = DecisionsModel(endpoint("http://host/v1"))
    assert model.identity == {"api": "openai-decisions", "base_url": "http://host/v1", "model": "gpt-6-luna"}
    assert (model.name, model.simulated) == (NAME, False)
    assert dropped_parameters(model) == ("temperature", "token limit")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ({"type": "rank"}, "questions\\[0\\].type"),
        ({"choices": [{"value": "1"}]}, "between 2 and 255"),
        ({"choices": [{"value": str(n)} for n in range(256)]}, "between 2 and 255"),
        ({"choices": [{"value": "1"}, {"value": "1"}]}, "unique"),
        ({"choices": [{"value": 1}, {"value": 2}]}, "Invalid type"),
        ({"levels": []}, "Unknown parameter"),
        ({"instructions": None}, "Missing required"),
    ],
)
def test_the_loopback_server_refuses_what_the_types_do_not_allow(question, said):
    sound = {"type": "choice", "instructions": "?", "choices": [{"value": "0"}, {"value": "1"}]}

    async def run(server):
        async with openai.AsyncOpenAI(api_key="k", base_url=server.openai_url, max_retries=0) as client:
            await client.decisions.create(model="m", input="x", questions=[{**sound, **question}])

    with Loopback("1") as server, pytest.raises(openai.BadRequestError, match=said):
        asyncio.run(run(server))
