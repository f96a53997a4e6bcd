"""From names to embedders, with everything around them; and the similarity of vectors."""

import asyncio
import dataclasses
import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loopback import Loopback, Reply, dropped, error, malformed, without_usage
from loopback_embeddings import letters

from calibrate.config import DeclaredModel, Override, Prices, RequestLimits, Secret, Settings, load_settings
from calibrate.errors import BudgetExceeded, InputError, ProviderError
from calibrate.providers import Ledger, innermost, largest_cost
from calibrate.providers.embedders import open_embedder
from calibrate.providers.embeddings import cosine_similarity, embedding_request, embedding_vectors

SMALL = "openai:text-embedding-3-small"
REQUEST = embedding_request(["cab", "bee"])
finite = st.floats(allow_nan=False, allow_infinity=False, width=64)


def at(server, **changes):
    return dataclasses.replace(Settings(openai_key=Secret("sk-o"), openai_base_url=server.openai_url), **changes)


def ask(embedder, count=1, request=REQUEST):
    async def run():
        try:
            return await asyncio.gather(*(embedder.complete(request) for _ in range(count)))
        finally:
            await embedder.close()

    return asyncio.run(run())


def test_an_embedding_model_of_openai_answers_at_its_base_url_with_its_key():
    with Loopback(keys={"sk-o"}) as server:
        embedder = open_embedder(f" {SMALL} ", at(server))
        [response] = ask(embedder)
    assert embedding_vectors(response) == [letters("cab"), letters("bee")]
    assert (embedder.name, embedder.simulated) == (SMALL, False)
    assert response.cost == pytest.approx(2 * 0.02 / 1e6)


def test_a_declared_server_needs_no_key_and_has_the_declared_price(tmp_path):
    with Loopback(Reply(input_tokens=1000)) as server:
        text = f'[models.own]\nbase_url = "{server.openai_url}"\nmodel = "nomic"\ninput_price = 1\noutput_price = 0\n'
        (tmp_path / "calibrate.toml").write_text(text, encoding="utf-8")
        embedder = open_embedder("own", load_settings({}, tmp_path))
        [response] = ask(embedder)
    (call,) = server.calls
    assert call.body["model"] == "nomic"
    assert call.headers["authorization"] == "Bearer none"
    assert response.cost == pytest.approx(1000 / 1e6)
    assert embedder.identity["base_url"] == server.openai_url


def test_without_a_declared_price_a_servers_cost_is_unknown():
    with Loopback(Reply(input_tokens=1000)) as server:
        declared = DeclaredModel("own", server.openai_url, "text-embedding-3-small")
        [response] = ask(open_embedder("own", Settings(models={"own": declared})))
    assert response.cost is None


def test_a_declared_name_goes_first():
    with Loopback() as server:
        declared = DeclaredModel("lexical", server.openai_url, "m")
        ask(open_embedder("lexical", Settings(models={"lexical": declared})))
    assert server.requests == 1


def test_what_is_declared_about_a_model_of_openai_holds():
    override = Override(prices=Prices(7.0, 0.0), limits=RequestLimits(concurrency=2))
    with Loopback(Reply(input_tokens=100), together=2) as server:
        responses = ask(open_embedder(SMALL, at(server, overrides={SMALL: override})), count=6)
    assert server.most_in_flight == 2
    assert responses[0].cost == pytest.approx(700 / 1e6)


def test_lexical_needs_no_settings():
    [response] = ask(open_embedder("lexical", Settings()))
    assert len(embedding_vectors(response)) == 2


@pytest.mark.parametrize("name", ["", "nope", "openai:", "anthropic:claude-opus-5", "sim:reader", "lexical:x"])
def test_an_unknown_name_is_one_clear_line(name):
    settings = Settings(models={"own": DeclaredModel("own", "http://h/v1", "m")})
    with pytest.raises(InputError, match="there is no embedder") as caught:
        open_embedder(name, settings)
    assert "write lexical, openai:text-embedding-3-small" in str(caught.value)
    assert "(declared here: own)" in str(caught.value)


def test_a_server_that_speaks_another_api_is_refused():
    declared = DeclaredModel("house", "http://h", "claude", api="anthropic")
    with pytest.raises(InputError, match="speaks the anthropic API, which has no embeddings"):
        open_embedder("house", Settings(models={"house": declared}))


@pytest.mark.parametrize(("name", "variable"), [(SMALL, "OPENAI_API_KEY"), ("own", "OWN_KEY")])
def test_a_missing_key_names_its_variable(name, variable):
    declared = DeclaredModel("own", "http://h/v1", "m", key_env="OWN_KEY")
    with pytest.raises(InputError, match=f"needs a key: set the environment variable {variable}"):
        open_embedder(name, Settings(models={"own": declared}))


@pytest.mark.slow
@pytest.mark.parametrize("failed", [error(429, retry_after=0.01), error(500), dropped(), malformed(), Reply("[[1]]")])
def test_it_tries_again(failed):
    with Loopback([failed, "ok"]) as server:
        [response] = ask(open_embedder(SMALL, at(server)))
    assert embedding_vectors(response) == [letters("cab"), letters("bee")]
    assert server.requests == 2


@pytest.mark.slow
def test_what_was_sent_and_brought_nothing_counts_with_the_most_it_can_have_cost():
    ledger = Ledger(cap=1.0)
    with Loopback([malformed(), "ok"]) as server:
        embedder = open_embedder(SMALL, at(server), ledger=ledger)
        [response] = ask(embedder)
    most = largest_cost(embedder, REQUEST)
    assert [charge.at_most for charge in ledger.take_uncertain()] == [most]
    assert ledger.spent == pytest.approx(most + response.cost)
    assert ledger.reserved == 0.0


def test_a_reply_that_tells_its_tokens_is_not_a_charge_of_unknown_amount():
    ledger = Ledger()
    with Loopback(Reply(input_tokens=5)) as server:
        ask(open_embedder(SMALL, at(server), ledger=ledger))
    assert ledger.take_uncertain() == ()
    with Loopback(without_usage("")) as server:
        ask(open_embedder(SMALL, at(server), ledger=ledger))
    assert len(ledger.take_uncertain()) == 1


def test_the_budget_ends_before_a_call_that_does_not_fit():
    with Loopback() as server:
        with pytest.raises(BudgetExceeded, match=f"one more call to {SMALL}"):
            ask(open_embedder(SMALL, at(server), ledger=Ledger(cap=1e-6)))
        ask(open_embedder(SMALL, at(server), ledger=Ledger(cap=1e-5)))
    assert server.requests == 1


def test_a_budget_needs_a_price():
    with Loopback() as server:
        own = DeclaredModel("own", server.openai_url, "m")
        with pytest.raises(InputError, match="a budget needs a price: declare input_price"):
            ask(open_embedder("own", Settings(models={"own": own}), ledger=Ledger(cap=1.0)))
    assert server.requests == 0


def test_no_error_shows_a_key():
    with Loopback(error(400, "who is sk-o?")) as server, pytest.raises(ProviderError) as caught:
        ask(open_embedder(SMALL, at(server)))
    assert "sk-o?" not in str(caught.value)
    assert "[redacted]?" in str(caught.value)


def test_lexical_loads_no_sdk_and_openai_no_scikit_learn():
    program = """
import sys
from calibrate.config import Secret, Settings
from calibrate.providers.embedders import open_embedder
open_embedder(sys.argv[1], Settings(openai_key=Secret("k")))
print(sys.argv[2] in sys.modules)
"""
    for name, other in (("lexical", "openai"), (SMALL, "sklearn")):
        done = subprocess.run([sys.executable, "-c", program, name, other], capture_output=True, text=True, check=True)
        assert done.stdout == "False\n"


def test_the_price_of_the_usual_embedder_is_known():
    pricing = innermost(open_embedder(SMALL, Settings(openai_key=Secret("sk-o")))).pricing
    assert pricing.most(1_000_000, 0) == pytest.approx(0.02)


def test_a_request_asks_for_no_output():
    assert json.loads(REQUEST.user) == ["cab", "bee"]
    assert (REQUEST.max_tokens, REQUEST.schema, REQUEST.system) == (0, None, "")


@pytest.mark.parametrize(
    ("one", "other", "cosine"),
    [
        ([1, 0], [0, 1], 0.0),
        ([1, 1], [2, 2], 1.0),
        ([1, 0], [-3, 0], -1.0),
        ([3, 4], [4, 3], 24 / 25),
        ([0, 0], [1, 2], 0.0),
        ([], [], 0.0),
        ([1e300, 1e300], [1e300, 0], 0.5**0.5),
        ([1e-300, 1e-300], [1e-300, 0], 0.5**0.5),
    ],
)
def test_cosines_worked_by_hand(one, other, cosine):
    assert cosine_similarity(one, other) == pytest.approx(cosine)


@given(st.lists(st.tuples(finite, finite), max_size=8))
def test_cosines_are_finite_symmetric_and_bounded(pairs):
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    assert -1.0 <= cosine_similarity(one, other) <= 1.0
    assert cosine_similarity(one, other) == cosine_similarity(other, one)
    assert cosine_similarity(one, one) == (1.0 if any(one) else 0.0)


def test_vectors_of_different_lengths_are_not_compared():
    with pytest.raises(ValueError, match="2 and 3"):
        cosine_similarity([1, 2], [1, 2, 3])
