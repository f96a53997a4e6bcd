"""The batch endpoints through the official SDKs, against a real server on the loopback."""

import asyncio
import json
from datetime import UTC, datetime, timedelta

import pytest
from loopback import Loopback, Reply, error, malformed, refused
from loopback_apis import Refused

from calibrate.config import DeclaredModel, Override, Prices, Secret, Settings
from calibrate.domain import ModelRequest, ModelResponse, request_key
from calibrate.errors import InputError
from calibrate.providers import CallError, NoRetry, Transient, innermost, open_model
from calibrate.providers.batches import AnotherForm, BatchLimits, BatchRequest, open_batches

SCHEMA = {
    "type": "object",
    "properties": {"label": {"type": "string", "enum": ["0", "1"]}},
    "required": ["label"],
    "additionalProperties": False,
}
MODELS = ["openai:gpt-4.1", "anthropic:claude-haiku-4-5"]
TOKEN = "0123456789abcdef0123456789abcdef"
NOW = datetime.now(UTC)

both = pytest.mark.parametrize("name", MODELS)


def settings(server, **changes):
    return Settings(
        openai_key=Secret("sk-one"),
        anthropic_key=Secret("sk-two"),
        openai_base_url=server.openai_url,
        anthropic_base_url=server.base_url,
        **changes,
    )


def requests(model, count=3, **changes):
    made = [ModelRequest(system="Judge. JSON.", user=f"item {n}", schema=SCHEMA, **changes) for n in range(count)]
    return [BatchRequest(request_key(model, each), each) for each in made]


def use(server, name, work, **changes):
    """Return what ``work(endpoint, model)`` returns."""

    async def run():
        model = open_model(name, settings(server, **changes))
        try:
            return await work(open_batches(model), model)
        finally:
            await model.close()

    return asyncio.run(run())


async def outcomes(endpoint, batch, asked):
    return {key: each async for key, each in endpoint.results(batch, {one.key: one.request for one in asked})}


async def submitted(endpoint, model, count=3, **changes):
    """Submit requests, wait for the end, and return their outcomes in order."""
    asked = requests(model, count, **changes)
    batch = await endpoint.submit(asked, TOKEN)
    while not (await endpoint.poll(batch)).ended:
        pass
    found = await outcomes(endpoint, batch, asked)
    return [found.get(one.key) for one in asked]


@both
def test_requests_are_answered_by_custom_id_with_the_bodies_of_single_calls(name):
    async def work(endpoint, model):
        answers = await submitted(endpoint, model)
        single = await model.complete(requests(model)[0].request)
        return answers, single

    with Loopback(lambda call: '{"label": "1"}' + call.user[-1]) as server:
        answers, single = use(server, name, work)
    assert [each.text for each in answers] == ['{"label": "1"}0', '{"label": "1"}1', '{"label": "1"}2']
    assert server.calls[0].body == server.calls[3].body
    assert answers[0].usage == single.usage
    assert answers[0].latency == 0.0


@both
def test_a_reply_costs_half_of_what_it_costs_in_a_single_call(name):
    async def work(endpoint, model):
        answers = await submitted(endpoint, model, count=1)
        return answers[0], await model.complete(requests(model)[0].request)

    with Loopback(Reply("{}", input_tokens=1000, output_tokens=100)) as server:
        batched, single = use(server, name, work)
    assert single.cost > 0
    assert batched.cost == pytest.approx(single.cost / 2)


def test_declared_prices_of_a_providers_model_are_halved_and_those_of_a_server_are_not():
    async def work(endpoint, model):
        return (await submitted(endpoint, model, count=1))[0].cost

    prices = Prices(2.0, 10.0)
    reply = Reply("{}", input_tokens=1_000_000, output_tokens=0)
    with Loopback(reply) as server:
        override = {"openai:gpt-4.1": Override(prices=prices)}
        assert use(server, "openai:gpt-4.1", work, overrides=override) == pytest.approx(1.0)
        house = DeclaredModel("house", server.openai_url, "m", prices=prices)
        assert use(server, "house", work, models={"house": house}) == pytest.approx(2.0)


@both
def test_the_most_that_a_request_costs_bounds_what_it_does_cost(name):
    async def work(endpoint, model):
        (asked,) = requests(model, 1, max_tokens=50)
        return endpoint.most_cost(asked.request), innermost(model).most_cost(asked.request)

    with Loopback() as server:
        most, single = use(server, name, work)
    assert most == pytest.approx(single / 2)


@both
def test_a_batch_in_progress_says_how_far_it_is(name):
    async def work(endpoint, model):
        batch = await endpoint.submit(requests(model), TOKEN)
        return [await endpoint.poll(batch) for _ in range(3)]

    with Loopback("{}") as server:
        server.batches.script.looks = 2
        states = use(server, name, work)
    assert [(state.ended, state.done, state.total) for state in states] == [(False, 0, 3), (False, 0, 3), (True, 3, 3)]


@both
def test_expired_requests_can_be_asked_again_and_cancelled_ones_are_left(name):
    fates = ["expired", "cancelled", None]

    async def work(endpoint, model):
        asked = requests(model)
        server.batches.script.fate = dict(zip([one.key for one in asked], fates, strict=True)).get
        server.batches.script.fate = lambda key, _, by=server.batches.script.fate: by(key)
        return await submitted(endpoint, model)

    with Loopback("{}") as server:
        expired, cancelled, answered = use(server, name, work)
    assert expired.retry == Transient()
    assert cancelled.retry == NoRetry()
    assert isinstance(answered, ModelResponse)
    assert len(server.batches.charged) == 1


@both
def test_failures_of_single_requests_come_back_with_their_reason(name):
    replies = {"0": error(500, "the model fell over"), "1": error(400, "this item is indecent"), "2": refused("No.")}

    with Loopback(lambda call: replies[call.user[-1]]) as server:
        broken, indecent, answered = use(server, name, submitted)
    assert "the model fell over" in str(broken)
    assert broken.retry == Transient()
    assert "this item is indecent" in str(indecent)
    assert indecent.retry == NoRetry()
    assert answered.finish == "refusal"


@both
def test_replies_with_ends_of_lines_of_every_kind_are_read_whole(name):
    text = "one\u2028two\x85three\x0bfour\x1cfive\rsix\nseven \U0001f600"
    with Loopback(text) as server:
        assert [each.text for each in use(server, name, submitted)] == [text] * 3


def test_a_line_that_is_none_leaves_one_request_without_a_result():
    async def work(endpoint, model):
        asked = requests(model)
        batch = await endpoint.submit(asked, TOKEN)
        await endpoint.poll(batch)
        file = server.batches._file
        server.batches._file = lambda name: file(name).replace(b'{"id"', b'{"id', 1)
        return await outcomes(endpoint, batch, asked)

    with Loopback("{}") as server:
        assert len(use(server, MODELS[0], work)) == 2


def test_a_file_that_was_deleted_leaves_its_requests_without_a_result():
    def deleted(name):
        raise Refused(404, "No such File object")

    async def work(endpoint, model):
        asked = requests(model)
        batch = await endpoint.submit(asked, TOKEN)
        await endpoint.poll(batch)
        server.batches._file = deleted
        return await outcomes(endpoint, batch, asked)

    with Loopback("{}") as server:
        assert use(server, MODELS[0], work) == {}


@both
def test_an_unreadable_reply_is_one_requests_failure(name):
    with Loopback(lambda call: Reply(raw=b"{}") if call.user[-1] == "1" else "{}") as server:
        first, second, third = use(server, name, submitted)
    assert isinstance(second, CallError)
    assert [first.text, third.text] == ["{}", "{}"]


@pytest.mark.parametrize(("name", "parameter"), [(MODELS[0], "temperature"), (MODELS[1], "output_config")])
def test_a_parameter_that_is_refused_is_learned_and_sent_in_another_form(name, parameter):
    async def work(endpoint, model):
        return await submitted(endpoint, model), await submitted(endpoint, model)

    with Loopback('{"label": "1"}', refuses={parameter}) as server:
        first, second = use(server, name, work)
    assert [type(each) for each in first] == [AnotherForm] * 3
    assert all(isinstance(each, ModelResponse) for each in second)
    assert parameter not in server.calls[0].body
    assert len(server.batches.charged) == 3


@both
def test_a_refusal_read_by_another_process_is_learned_from_too(name):
    async def submit(endpoint, model):
        return await endpoint.submit(requests(model), TOKEN)

    async def collect(endpoint, model):
        assert (await endpoint.poll(batch)).ended
        return await outcomes(endpoint, batch, requests(model)), await submitted(endpoint, model)

    with Loopback('{"label": "1"}', refuses={"temperature", "output_config"}) as server:
        batch = use(server, name, submit)
        first, second = use(server, name, collect)
    assert {type(each) for each in first.values()} == {AnotherForm}
    assert all(isinstance(each, ModelResponse) for each in second)


def test_a_batch_that_fails_validation_says_why():
    async def work(endpoint, model):
        return await endpoint.poll(await endpoint.submit(requests(model), TOKEN))

    with Loopback() as server:
        server.batches.script.problem = "The enqueued token limit\nis reached."
        state = use(server, MODELS[0], work)
    assert state.ended
    assert state.problem == "The enqueued token limit is reached. (line 1)"


def test_what_a_server_says_of_a_batch_shows_no_key_and_can_be_kept(monkeypatch):
    words = "Incorrect key sk-one;\nhalf \ud83d of it\x00 " + "and on " * 100

    async def work(endpoint, model):
        (failure,) = await submitted(endpoint, model, count=1)
        server.batches.script.problem = words
        state = await endpoint.poll(await endpoint.submit(requests(model), TOKEN))
        return str(failure), state.problem

    def failed(_):
        (key,) = server.batches.batches[0].requests
        return json.dumps({"custom_id": key, "error": {"code": "invalid", "message": words}}).encode()

    with Loopback("{}") as server:
        monkeypatch.setattr(server.batches, "_file", failed)
        failure, problem = use(server, MODELS[0], work)
    for told in (failure, problem):
        assert "Incorrect key [redacted]; half \ufffd of it\ufffd and on" in told
        assert "\n" not in told
        assert len(told) < 400


@both
def test_what_reasoning_used_up_is_asked_again_with_more_room_and_both_replies_are_paid(name):
    def reply(call):
        limit = call.body.get("max_tokens") or call.body["max_completion_tokens"]
        return Reply("", finish="length", output_tokens=limit) if limit == 100 else Reply("{}", output_tokens=10)

    async def work(endpoint, model):
        return [await submitted(endpoint, model, count=2, max_tokens=100) for _ in range(3)]

    with Loopback(reply) as server:
        first, second, third = use(server, name, work)
    assert [type(each) for each in first] == [AnotherForm] * 2
    assert [(each.text, each.enlarged, each.usage.output_tokens) for each in second] == [("{}", 1, 110)] * 2
    assert second[0].cost == pytest.approx(first[0].reply.cost + third[0].cost)
    assert [(each.text, each.enlarged, each.usage.output_tokens) for each in third] == [("{}", 0, 10)] * 2


# Batches whose id never arrived


@both
def test_a_batch_whose_id_never_arrived_is_found_among_others(name):
    async def work(endpoint, model):
        mine, other, more = requests(model, 3), requests(model, 3, max_tokens=9), requests(model, 4, max_tokens=9)
        server.batches.script.lost_replies = 1
        with pytest.raises(CallError) as caught:
            await endpoint.submit(mine, TOKEN)
        assert caught.value.billable
        others = [await endpoint.submit(each, 31 * "f" + str(n)) for n, each in enumerate([other, more, more])]
        for batch in others:
            await endpoint.poll(batch)
        await endpoint.poll(server.batches.batches[0].id)
        return await endpoint.find(TOKEN, NOW, {one.key for one in mine}, others[:1])

    with Loopback("{}") as server:
        assert use(server, name, work) == server.batches.batches[0].id


@both
def test_nothing_is_found_when_nothing_was_submitted(name):
    async def work(endpoint, model):
        for n in range(3):
            await endpoint.poll(await endpoint.submit(requests(model, 3, max_tokens=n + 1), 31 * "f" + str(n)))
        return await endpoint.find(TOKEN, NOW, {one.key for one in requests(model, 3)})

    with Loopback("{}") as server:
        assert use(server, name, work) is None


@both
def test_batches_of_long_before_are_not_looked_at(name):
    async def work(endpoint, model):
        asked = requests(model)
        await endpoint.poll(await endpoint.submit(asked, TOKEN))
        keys = {one.key for one in asked}
        return [await endpoint.find(TOKEN, NOW + timedelta(hours=hours), keys) is not None for hours in (0, 3)]

    with Loopback("{}") as server:
        assert use(server, name, work) == [True, False]


def test_a_message_batch_in_progress_is_taken_for_ours_until_its_results_say_otherwise():
    async def work(endpoint, model):
        batch = await endpoint.submit(requests(model, 3, max_tokens=9), TOKEN)
        keys = {one.key for one in requests(model, 3)}
        tentative = await endpoint.find(TOKEN, NOW, keys)
        server.batches.batches[0].looks = 0
        await endpoint.poll(batch)
        return batch, tentative, await endpoint.find(TOKEN, NOW, keys)

    with Loopback("{}") as server:
        server.batches.script.looks = float("inf")
        batch, tentative, at_the_end = use(server, MODELS[1], work)
    assert tentative == batch
    assert at_the_end is None


# What is refused


def test_results_that_the_provider_keeps_no_more_are_gone():
    async def work(endpoint, model):
        batch = await endpoint.submit(requests(model), TOKEN)
        await endpoint.poll(batch)
        server.batches.batches[0].archived = True
        return await endpoint.poll(batch)

    with Loopback("{}") as server:
        assert use(server, MODELS[1], work).gone


@both
def test_a_batch_of_another_key_is_one_line(name):
    with Loopback() as server, pytest.raises(InputError, match=r"knows no batch other-1 for this key; use the key"):
        use(server, name, lambda endpoint, model: endpoint.poll("other-1"))


@both
def test_a_refused_key_is_systemic_and_shows_no_key(name):
    async def work(endpoint, model):
        return await endpoint.submit(requests(model), TOKEN)

    with Loopback(keys={"another"}) as server, pytest.raises(CallError, match="refused the key") as caught:
        use(server, name, work)
    assert caught.value.systemic
    assert "sk-" not in str(caught.value)


def test_a_server_without_batches_is_one_line():
    async def work(endpoint, model):
        return await endpoint.submit(requests(model), TOKEN)

    with Loopback() as server:
        house = DeclaredModel("house", f"{server.base_url}/elsewhere", "m")
        with pytest.raises(InputError, match=r"house: 127.* has no batch endpoint \(404\); leave --mode batch out"):
            use(server, "house", work, models={"house": house})


@pytest.mark.parametrize("name", ["sim:reader", "py:json:dumps"])
def test_models_without_batches_are_one_line(name):
    with Loopback() as server, pytest.raises(InputError, match=f"{name} has no batch endpoint: models of openai"):
        use(server, name, submitted)


# Size


@both
def test_requests_are_cut_into_batches_by_number_and_by_size(name):
    async def work(endpoint, model):
        asked = requests(model, 10)
        whole = [len(part) for part in endpoint.portions(asked)]
        endpoint = open_batches(model, BatchLimits(requests=4, size=10**6))
        by_number = [len(part) for part in endpoint.portions(asked)]
        endpoint = open_batches(model, BatchLimits(requests=100, size=2000))
        by_size = list(endpoint.portions([*asked, *requests(model, 1, max_tokens=1)]))
        assert [one for part in by_size for one in part][:10] == asked
        endpoint = open_batches(model, BatchLimits(requests=100, size=1))
        return whole, by_number, len(by_size), [len(part) for part in endpoint.portions(asked)]

    with Loopback() as server:
        whole, by_number, parts, alone = use(server, name, work)
    assert whole == [10]
    assert by_number == [4, 4, 2]
    assert 2 <= parts <= 10
    assert alone == [1] * 10


def test_a_file_cut_short_is_a_failure_that_another_attempt_can_mend():
    async def work(endpoint, model):
        asked = requests(model)
        batch = await endpoint.submit(asked, TOKEN)
        await endpoint.poll(batch)
        server.batches._line = lambda key, result: None
        server.batches._file = lambda name: malformed().raw
        return await outcomes(endpoint, batch, asked)

    with Loopback("{}") as server, pytest.raises(CallError) as caught:
        use(server, MODELS[0], work)
    assert caught.value.retry == Transient()
