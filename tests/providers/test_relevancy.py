"""Questions written back become similarities: judge and embedder behind one model, against a server on the loopback."""

import asyncio
import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loopback import Loopback, Reply, dropped, error, refused, truncated
from loopback_embeddings import letters

from calibrate.config import DeclaredModel, Prices, Secret, Settings
from calibrate.domain import ModelRequest, ModelResponse, Usage, request_key
from calibrate.errors import InputError, ProviderError
from calibrate.providers import (
    CachedModel,
    Ledger,
    check_request,
    dropped_parameters,
    expected_cost,
    innermost,
    largest_cost,
    limits_of,
    open_model,
    price_snapshot,
)
from calibrate.providers.batches import open_batches
from calibrate.providers.embedders import open_embedder
from calibrate.providers.embeddings import cosine_similarity, embedding_request
from calibrate.providers.relevancy import RelevancyModel

JUDGE, EMBEDDER = "openai:gpt-4.1", "openai:text-embedding-3-small"
QUESTION = "Who can cab?"
QUESTIONS = ["Who may cab?", "What is a bee?", "Who can cab?"]
SCHEMA = {"type": "object", "properties": {"questions": {"type": "array", "items": {"type": "string"}}}}
REQUEST = ModelRequest("Write questions.", "<answer>Anyone.</answer>", item={"inputs": {"question": QUESTION}})
WRITTEN = json.dumps({"questions": QUESTIONS})


def answering(judge=WRITTEN, embedder=""):
    """Replies of a server that is both; a list is answered in order, its last one repeated."""
    replies = {"openai": judge, "embeddings": embedder}
    left = {api: list(given) if isinstance(given, list) else [given] for api, given in replies.items()}

    def reply(call):
        waiting = left[call.api]
        return waiting.pop(0) if len(waiting) > 1 else waiting[0]

    return Loopback(reply)


def opened(server=None, embedder=EMBEDDER, ledger=None, **settings):
    url = "http://127.0.0.1:9/v1" if server is None else server.openai_url
    at = Settings(openai_key=Secret("sk-o"), openai_base_url=url, **settings)
    judge = open_model(JUDGE, at, ledger=ledger)
    return RelevancyModel(judge, open_embedder(embedder, at, ledger=ledger), ledger=ledger)


def ask(model, *requests):
    async def run():
        answers = []
        try:
            for request in requests or (REQUEST,):
                try:
                    answers.append(await model.complete(request))
                except ProviderError as failed:
                    answers.append(failed)
            return answers
        finally:
            await model.close()

    return asyncio.run(run())


def calls(server, api):
    return [call for call in server.calls if call.api == api]


def test_the_reply_becomes_the_questions_with_their_similarities():
    with answering() as server:
        [response] = ask(opened(server))
    expected = [cosine_similarity(letters(QUESTION), letters(each)) for each in QUESTIONS]
    assert json.loads(response.text) == {"questions": QUESTIONS, "similarities": expected, "embedder": EMBEDDER}
    assert expected[2] == 1.0 > expected[0] > expected[1] > 0.0
    assert response.finish == "stop"


def test_the_judge_never_sees_the_question_and_the_embedder_sees_nothing_else():
    with answering() as server:
        ask(opened(server))
    [asked], [embedded] = calls(server, "openai"), calls(server, "embeddings")
    assert QUESTION not in json.dumps(asked.body)
    assert asked.user == REQUEST.user
    assert embedded.body["input"] == [QUESTION, *QUESTIONS]


def test_the_inner_model_gets_no_item():
    seen = []

    class Judge:
        name, simulated, identity = "judge", True, {"version": 1}

        async def complete(self, request):
            seen.append(request)
            return ModelResponse(WRITTEN, "stop", "judge")

        async def close(self):
            seen.append("closed")

    model = RelevancyModel(Judge(), open_embedder("lexical", Settings()))
    ask(model)
    assert seen == [dataclasses.replace(REQUEST, item=None), "closed"]
    assert (model.name, model.simulated) == ("judge", True)
    assert model.identity == {"version": 1, "embedder": {"name": "lexical", "api": "lexical", "version": 1}}


def test_usage_is_the_judges_and_cost_and_latency_are_those_of_both():
    judge = Reply(WRITTEN, input_tokens=100, output_tokens=40, latency=0.05)
    with answering(judge, Reply(input_tokens=30, latency=0.05)) as server:
        [response] = ask(opened(server))
    assert (response.usage.input_tokens, response.usage.output_tokens) == (100, 40)
    assert response.cost == pytest.approx((100 * 2.0 + 40 * 8.0 + 30 * 0.02) / 1e6)
    assert response.latency > 0.1


@pytest.mark.parametrize("unknown", ["judge", "embedder"])
def test_where_one_cost_is_unknown_so_is_the_sum(unknown):
    judge, embedder = (Reply(WRITTEN, usage=unknown != "judge"), Reply("", usage=unknown != "embedder"))
    with answering(judge, embedder) as server:
        [response] = ask(opened(server))
    assert response.cost is None


def test_a_question_of_several_texts_is_one():
    request = dataclasses.replace(REQUEST, item={"inputs": {"question": ["Hello.", "Who?"]}})
    with answering() as server:
        ask(opened(server), request)
    assert calls(server, "embeddings")[0].body["input"][0] == "Hello.\nWho?"


def test_a_blank_question_is_like_nothing():
    request = dataclasses.replace(REQUEST, item={"inputs": {"question": " "}})
    with answering() as server:
        [response] = ask(opened(server), request)
    assert json.loads(response.text)["similarities"] == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    "text",
    [
        WRITTEN,
        f"```json\n{WRITTEN}\n```",
        f"Here they are, as {{asked}}:\n\n{WRITTEN}\nAnything else?",
        f'{{"questions": ["A draft?"]}}\nBetter:\n{WRITTEN}',
        f'{WRITTEN} {{"note": "done"}}',
        json.dumps({"reasoning": "{", "questions": [*QUESTIONS, "", " ", 7, None]}),
        json.dumps({"questions": [{"question": each} for each in QUESTIONS]}),
    ],
)
def test_questions_are_found_wherever_they_stand(text):
    with answering(text) as server:
        [response] = ask(opened(server))
    assert json.loads(response.text)["questions"] == QUESTIONS


@pytest.mark.parametrize(
    "reply",
    [
        Reply("I cannot."),
        Reply('{"questions": []}'),
        Reply('{"questions": ["Who'),
        Reply('{"label": "1"}'),
        Reply("{" * 3000),
        Reply('{"a":' * 3000),
        truncated(WRITTEN),
        refused(),
    ],
)
def test_a_reply_without_questions_is_passed_on_as_it_is_and_nothing_is_embedded(reply):
    with answering(reply) as server:
        [response] = ask(opened(server))
    assert response.text == reply.text
    assert response.finish == reply.finish
    assert response.cost is not None
    assert calls(server, "embeddings") == []


def test_more_text_than_the_limit_on_tokens_allows_for_is_passed_on():
    request = dataclasses.replace(REQUEST, max_tokens=10)
    fits, long = ('{"questions": ["' + "x" * length + '"]}' for length in (76, 77))
    with answering([fits, long]) as server:
        first, second = ask(opened(server), request, request)
    assert json.loads(first.text)["similarities"] == [0.0]
    assert second.text == long


def test_an_item_without_a_question_is_refused_before_anything_is_sent():
    with answering() as server:
        model = opened(server)
        for item in (None, {}, {"inputs": {"answer": "x"}}):
            request = dataclasses.replace(REQUEST, item=item)
            with pytest.raises(InputError, match="an item needs a question"):
                check_request(model, request)
            with pytest.raises(InputError, match="an item needs a question"):
                ask(model, request)
        check_request(model, REQUEST)
    assert server.requests == 0


def test_halves_of_characters_in_a_question_do_no_harm():
    with answering('{"questions": ["Who \\ud800 may?"]}') as server:
        [response] = ask(opened(server))
    assert json.loads(response.text)["questions"] == ["Who \ufffd may?"]


def test_a_failed_embedding_is_an_error_and_asking_again_pays_for_the_embedding_only():
    with answering(embedder=[error(400, "down"), Reply(input_tokens=30)]) as server:
        failed, response, again = ask(opened(server), REQUEST, REQUEST, REQUEST)
        judged = calls(server, "openai")
    assert isinstance(failed, ProviderError)
    assert str(failed).startswith(EMBEDDER)
    assert json.loads(response.text)["questions"] == QUESTIONS
    assert response.cost == again.cost  # the reply is a part of one response, as it would have been without the failure
    assert len(judged) == 2  # once for the first two, once for the third


def test_a_reply_is_kept_for_its_own_request_only():
    other = dataclasses.replace(REQUEST, item={"inputs": {"question": "Another?"}})
    with answering(embedder=[error(400), "ok"]) as server:
        ask(opened(server), REQUEST, other)
        assert len(calls(server, "openai")) == 2


def test_with_a_ledger_every_dollar_is_entered_once():
    ledger = Ledger(cap=1.0)
    with answering(Reply(WRITTEN, input_tokens=100, output_tokens=40), [error(400), "ok"]) as server:
        failed, response = ask(opened(server, ledger=ledger), REQUEST, REQUEST)
    assert isinstance(failed, ProviderError)
    [charge] = ledger.take_uncertain()
    assert charge.at_most == pytest.approx((100 * 2.0 + 40 * 8.0) / 1e6)
    assert charge.at_most + response.cost == pytest.approx(ledger.spent)
    assert ledger.reserved == 0.0


@pytest.mark.slow
def test_the_embedding_is_tried_again_by_itself():
    with answering(embedder=[error(429, retry_after=0.01), dropped(), "ok"]) as server:
        [response] = ask(opened(server))
        assert (len(calls(server, "openai")), len(calls(server, "embeddings"))) == (1, 3)
    assert "similarities" in response.text


def test_a_cache_stands_outside_and_tells_questions_and_embedders_apart():
    stored = {}
    with answering() as server:
        model, lexical = opened(server), opened(server, "lexical")
        other = dataclasses.replace(REQUEST, item={"inputs": {"question": "Another?"}})
        assert len({request_key(model, REQUEST), request_key(model, other), request_key(lexical, REQUEST)}) == 3
        [stored[request_key(model, REQUEST)]] = ask(CachedModel(model, stored.get))
        [replayed] = ask(CachedModel(model, stored.get))
        assert server.requests == 2
    assert "similarities" in replayed.text


def test_what_is_asked_about_a_model_is_told_through_it():
    model = opened()
    judge = innermost(model)
    assert judge.endpoint.model == "gpt-4.1"
    assert limits_of(model) == limits_of(model.inner) == (64, None)
    assert price_snapshot(model) == price_snapshot(model.inner)
    assert dropped_parameters(model) == ()


def test_reasoning_that_used_up_the_limit_is_told_through_it():
    used_up = Reply("", finish="length", reasoning_tokens=5)
    with answering([used_up, WRITTEN]) as server:
        model = opened(server)
        [response] = ask(model)
    assert response.enlarged == 1
    assert "token limit (4 times as large" in dropped_parameters(CachedModel(model, {}.get))[0]


def test_the_most_it_can_cost_is_that_of_both_and_no_less_than_what_it_costs():
    with answering(Reply(WRITTEN, input_tokens=20, output_tokens=40)) as server:
        model = opened(server)
        [response] = ask(model)
    both, judge = largest_cost(model, REQUEST), largest_cost(model.inner, dataclasses.replace(REQUEST, item=None))
    assert response.cost <= both
    assert 0 < both - judge < 0.1 * judge
    assert largest_cost(model, ModelRequest("", "?")) is not None  # asked to find out whether a price is known


@given(st.lists(st.text(min_size=1), min_size=1, max_size=9))
def test_no_questions_that_are_compared_cost_more_than_was_reserved(questions):
    model = opened()
    size = len(json.dumps(questions, ensure_ascii=False).encode())
    request = dataclasses.replace(REQUEST, max_tokens=-(-size // 8))
    most = largest_cost(model, request) - largest_cost(model.inner, dataclasses.replace(request, item=None))
    assert largest_cost(model.embedder, embedding_request([QUESTION, *questions])) <= most + 1e-12


def test_what_it_is_expected_to_cost_is_that_of_both():
    both, free = opened(), opened(embedder="lexical")
    judge = expected_cost(both.inner, 1000, 300)
    assert expected_cost(both, 1000, 300) == pytest.approx(judge + 400 * 0.02 / 1e6)
    assert expected_cost(free, 1000, 300) == judge


def test_without_the_embedders_price_no_cost_is_known():
    own = DeclaredModel("own", "http://127.0.0.1:9/v1", "m")
    unknown = opened(embedder="own", models={"own": own})
    known = opened(embedder="own", models={"own": dataclasses.replace(own, prices=Prices(0.0, 0.0))})
    assert largest_cost(unknown, REQUEST) is None
    assert expected_cost(unknown, 1, 1) is None
    assert largest_cost(known, REQUEST) == largest_cost(known.inner, dataclasses.replace(REQUEST, item=None))


def test_there_is_no_batch_mode():
    model = opened()
    for each in (model, CachedModel(model, {}.get)):
        with pytest.raises(InputError, match="answer relevancy has no batch mode"):
            open_batches(each)
    open_batches(model.inner)


def test_closing_closes_both_even_where_one_fails():
    closed = []

    class Part:
        name, simulated, identity = "part", False, {}

        async def close(self):
            closed.append(self)
            raise OSError

    parts = Part(), Part()
    with pytest.raises(OSError):  # noqa: PT011 — any
        asyncio.run(RelevancyModel(*parts).close())
    assert closed == [*parts]


def test_offline_it_needs_one_call_only():
    with answering() as server:
        [response] = ask(opened(server, "lexical"))
        assert server.requests == 1
    told = json.loads(response.text)
    assert told["embedder"] == "lexical"
    assert told["similarities"][2] == 1.0 > told["similarities"][0] > told["similarities"][1]
    assert response.usage != Usage()
    assert response.cost is not None
