"""EmbeddingModel through the official SDK, against a real server on the loopback."""

import asyncio
import dataclasses
import json

import pytest
from loopback import Loopback, Reply, dropped, error, malformed, web_page, without_usage
from loopback_embeddings import letters

from calibrate.config import Prices, Secret
from calibrate.domain import ModelRequest, Usage
from calibrate.errors import InputError, ProviderError
from calibrate.providers import CallError, NoRetry, Pricing, RateLimited, Transient, largest_cost
from calibrate.providers.embedding_openai import EmbeddingModel
from calibrate.providers.embeddings import embedding_request, embedding_vectors
from calibrate.providers.endpoint import Endpoint

KEY = "sk-loopback-0123456789"
TEXTS = ["cab", "a bee", "¿qué?"]


def endpoint(base_url="http://host/v1", **changes):
    return dataclasses.replace(
        Endpoint(
            name="openai:text-embedding-3-small",
            model="text-embedding-3-small",
            base_url=base_url,
            pricing=Pricing("text-embedding-3-small", provider="openai"),
            key=Secret(KEY),
            key_variable="OPENAI_API_KEY",
        ),
        **changes,
    )


def ask(server, texts=TEXTS, request=None, **changes):
    async def run():
        model = EmbeddingModel(endpoint(server.openai_url, **changes))
        try:
            return await model.complete(request or embedding_request(texts))
        finally:
            await model.close()

    return asyncio.run(run())


def failure(server, kind=CallError, **changes):
    with pytest.raises(kind) as caught:
        ask(server, **changes)
    assert "\n" not in str(caught.value)
    return caught.value


def test_all_texts_go_in_one_request_with_the_key():
    with Loopback(keys={KEY}) as server:
        ask(server)
    (call,) = server.calls
    assert call.body == {"model": "text-embedding-3-small", "input": TEXTS, "encoding_format": "float"}


def test_each_text_has_its_vector():
    with Loopback() as server:
        response = ask(server)
    assert embedding_vectors(response) == [letters(text) for text in TEXTS]
    assert response.finish == "stop"


def test_usage_cost_and_model_are_told_and_only_the_input_is_billed():
    with Loopback(Reply(input_tokens=5000, model="text-embedding-3-small-2"), prices=(0.02, 0, 0)) as server:
        response = ask(server)
    assert response.usage == Usage(input_tokens=5000, output_tokens=0)
    assert response.cost == pytest.approx(5000 * 0.02 / 1e6)
    assert response.cost == pytest.approx(server.charged)
    assert response.model == "text-embedding-3-small-2"
    assert response.latency > 0


def test_a_declared_price_goes_before_the_price_data():
    with Loopback(Reply(input_tokens=5000)) as server:
        response = ask(server, pricing=Pricing("text-embedding-3-small", declared=Prices(3.0, 0.0)))
    assert response.cost == pytest.approx(5000 * 3.0 / 1e6)


def test_without_a_known_price_or_without_usage_the_cost_is_unknown():
    with Loopback(Reply(input_tokens=5000)) as server:
        unknown = ask(server, pricing=Pricing("own", base_url=server.openai_url))
    assert (unknown.cost, unknown.usage.input_tokens) == (None, 5000)
    with Loopback(without_usage("")) as server:
        untold = ask(server)
    assert (untold.cost, untold.usage) == (None, Usage())


def test_blank_texts_are_not_sent_and_have_vectors_of_zeros():
    with Loopback() as server:
        response = ask(server, ["", "cab", " \n"])
    assert server.calls[0].body["input"] == ["cab"]
    zeros = [0.0] * 26
    assert embedding_vectors(response) == [zeros, letters("cab"), zeros]


def test_where_all_texts_are_blank_nothing_is_sent_and_nothing_costs():
    with Loopback() as server:
        response = ask(server, ["", " "])
    assert server.requests == 0
    assert embedding_vectors(response) == [[], []]
    assert response.cost == 0.0


def numbered(*entries):
    data = [{"object": "embedding", "index": at, "embedding": vector} for at, vector in entries]
    return Reply(raw=json.dumps({"object": "list", "data": data, "model": "m"}).encode())


@pytest.mark.parametrize(
    ("reply", "vectors"),
    [
        (numbered((2, [3.0]), (0, [1.0]), (1, [2.0])), [[1.0], [2.0], [3.0]]),
        (numbered((0, [1]), (0, [2]), (0, [3])), [[1.0], [2.0], [3.0]]),
        (numbered((None, [1]), (None, [2]), (None, [3])), [[1.0], [2.0], [3.0]]),
    ],
)
def test_vectors_are_in_the_order_of_their_numbers_where_the_server_numbers_them(reply, vectors):
    with Loopback(reply) as server:
        assert embedding_vectors(ask(server)) == vectors


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[1, 2], [3, 4]]", "2 vectors for 3 texts"),
        ("[[1], [2], [3], [4]]", "4 vectors for 3 texts"),
        ("[[1, 2], [3, 4], [5]]", "vectors of different lengths"),
        ("[[1], [NaN], [3]]", "not a list of finite numbers"),
        ("[[1], [Infinity], [3]]", "not a list of finite numbers"),
        ("[[1], [1e999], [3]]", "not a list of finite numbers"),
        (f"[[1], [{10**400}], [3]]", "not a list of finite numbers"),
        ("[[1], [true], [3]]", "not a list of finite numbers"),
        ('[[1], ["AACAPw=="], [3]]', "not a list of finite numbers"),
        ('[[1], "AACAPw==", [3]]', "not a list of finite numbers"),
        ("[[1], [], [3]]", "not a list of finite numbers"),
        ("[[1], null, [3]]", "not a list of finite numbers"),
    ],
)
def test_vectors_that_are_none_are_an_error_that_says_so(text, said):
    with Loopback(Reply(text)) as server:
        caught = failure(server)
    assert isinstance(caught, ProviderError)
    assert said in str(caught)
    assert caught.billable
    assert caught.retry == Transient()


@pytest.mark.parametrize(
    ("reply", "retry", "billable"),
    [
        (error(429), Transient(overloaded=True), False),
        (error(429, retry_after=7), RateLimited(7.0), False),
        (error(500), Transient(), False),
        (error(400, "maximum context length is 8192 tokens"), NoRetry(), False),
        (error(429, "quota", code="insufficient_quota"), NoRetry(), False),
        (dropped(), Transient(), True),
        (malformed(), Transient(), True),
        (web_page(), Transient(), True),
        (Reply(raw=b"null"), Transient(), True),
        (Reply(raw=b'{"data": 3}'), Transient(), True),
        (Reply(raw=b'{"error": "loading"}'), Transient(), True),
    ],
)
def test_each_failure_says_whether_another_attempt_can_help(reply, retry, billable):
    with Loopback(reply) as server:
        caught = failure(server)
    assert (caught.retry, caught.billable) == (retry, billable)
    assert server.requests == 1


def test_an_unknown_model_is_an_input_error():
    with Loopback(models={"text-embedding-3-small"}) as server:
        assert "does not know this model" in str(failure(server, InputError, model="nope"))


def test_no_error_shows_the_key():
    with Loopback(error(400, f"bad key {KEY}")) as server:
        assert KEY not in str(failure(server))
    with Loopback(keys={"another"}) as server:
        refusal = failure(server)
    assert KEY not in str(refusal)
    assert "check OPENAI_API_KEY" in str(refusal)
    assert refusal.systemic


def test_a_prompt_is_refused_before_anything_is_sent():
    with Loopback() as server:
        for user in ("Judge this.", '{"a": 1}', "[1, 2]"):
            assert "is an embedder" in str(failure(server, InputError, request=ModelRequest(system="", user=user)))
    assert server.requests == 0


def test_half_a_character_cannot_be_sent_and_is_no_crash():
    with Loopback() as server:
        caught = failure(server, texts=["a\ud800", "b"])
    assert isinstance(caught.retry, NoRetry)


def test_the_most_it_can_cost_is_a_bound_near_the_cost():
    texts = ["How long do I have to return a product?"] * 4
    with Loopback(Reply(input_tokens=4 * 10)) as server:
        response = ask(server, texts)
    most = largest_cost(EmbeddingModel(endpoint()), embedding_request(texts))
    assert response.cost <= most <= 10 * response.cost


@pytest.mark.parametrize("max_tokens", [None, 4096])
def test_a_limit_on_tokens_means_nothing_to_an_embedder(max_tokens):
    model = EmbeddingModel(endpoint(max_tokens=max_tokens))
    assert largest_cost(model, embedding_request(["a"])) == pytest.approx(128 * 0.02 / 1e6)
    assert model.identity == {
        "api": "openai-embeddings",
        "base_url": "http://host/v1",
        "model": "text-embedding-3-small",
    }
