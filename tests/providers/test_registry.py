import asyncio
import dataclasses
import subprocess
import sys

import pytest
from loopback import Loopback, error

from calibrate.config import DeclaredModel, Override, Prices, RequestLimits, Secret, Settings
from calibrate.domain import ModelRequest
from calibrate.errors import InputError, ProviderError
from calibrate.providers import dropped_parameters, innermost, open_model, price_snapshot

REQUEST = ModelRequest(system="Judge.", user="<item></item>")
KEYS = Settings(openai_key=Secret("sk-openai"), anthropic_key=Secret("sk-anthropic"))


def at(server, **models):
    return dataclasses.replace(
        KEYS, openai_base_url=server.openai_url, anthropic_base_url=server.anthropic_url, models=models
    )


def ask(model, count=1):
    async def run():
        try:
            return await asyncio.gather(*(model.complete(REQUEST) for _ in range(count)))
        finally:
            await model.close()

    return asyncio.run(run())


@pytest.mark.parametrize("name", ["openai:gpt-4.1", "anthropic:claude-sonnet-5-5"])
def test_a_vendor_model_answers_at_its_base_url_with_its_key(name):
    with Loopback("hello", keys={"sk-openai" if name.startswith("openai") else "sk-anthropic"}) as server:
        model = open_model(name, at(server))
        [response] = ask(model)
    assert response.text == "hello"
    assert response.cost is not None
    assert (model.name, model.simulated) == (name, False)
    assert server.calls[0].body["model"] == name.partition(":")[2]


@pytest.mark.slow
def test_it_retries():
    with Loopback([error(429, retry_after=0.01), "hello"]) as server:
        [response] = ask(open_model("openai:gpt-4.1", at(server)))
    assert response.text == "hello"
    assert server.requests == 2


def test_it_limits_the_requests_in_flight():
    with Loopback("hello", together=3) as server:
        ask(open_model("openai:gpt-4.1", at(server), concurrency=3), count=9)
    assert server.most_in_flight == 3


@pytest.mark.parametrize(
    ("name", "variable"), [("openai:gpt-4.1", "OPENAI_API_KEY"), ("anthropic:claude-opus-5", "ANTHROPIC_API_KEY")]
)
def test_a_missing_key_names_its_variable_before_any_call(name, variable):
    with pytest.raises(InputError, match=rf"^{name} needs a key: set the environment variable {variable}$"):
        open_model(name, Settings())


@pytest.mark.parametrize(
    "name", ["", "gpt-4.1", "openai", "openai:", "anthropic:", "gemini:pro", "sim:unknown", "py", "exec"]
)
def test_an_unknown_model_lists_what_there_is(name):
    settings = Settings(models={"local": DeclaredModel("local", "http://h/v1", "m")})
    with pytest.raises(InputError) as caught:
        open_model(name, settings)
    for known in ("openai:NAME", "anthropic:NAME", "sim:reader", "py:module:function", "exec:command", "local"):
        assert known in str(caught.value)


class TestDeclaredModels:
    def test_a_server_without_a_key_gets_none_of_the_others(self):
        with Loopback("hello") as server:
            model = open_model("local", at(server, local=DeclaredModel("local", server.openai_url, "qwen3")))
            [response] = ask(model)
        assert model.name == "local"
        assert server.calls[0].body["model"] == "qwen3"
        assert server.calls[0].headers["authorization"] == "Bearer none"
        assert response.cost is None

    def test_its_prices_key_limit_and_concurrency_are_the_declared_ones(self):
        declared = DeclaredModel(
            "house",
            "",
            "m",
            key_env="HOUSE_KEY",
            key=Secret("hush"),
            prices=Prices(1_000_000.0, 0.0),
            max_tokens=7,
            limits=RequestLimits(concurrency=2),
        )
        with Loopback("hello", keys={"hush"}, together=2, latency=0.02) as server:
            declared = dataclasses.replace(declared, base_url=server.openai_url)
            model = open_model("house", at(server, house=declared))
            responses = ask(model, count=4)
        assert server.most_in_flight == 2
        assert server.calls[0].body["max_tokens"] == 7
        assert responses[0].cost == responses[0].usage.input_tokens
        assert price_snapshot(model).source == "calibrate.toml"

    def test_it_may_speak_the_other_api(self):
        with Loopback("hello") as server:
            declared = DeclaredModel("house", server.anthropic_url, "m", api="anthropic")
            ask(open_model("house", at(server, house=declared)))
        assert server.calls[0].api == "anthropic"

    def test_a_missing_key_names_its_variable(self):
        declared = DeclaredModel("house", "http://h/v1", "m", key_env="HOUSE_KEY")
        with pytest.raises(InputError, match="model 'house' needs a key: set the environment variable HOUSE_KEY"):
            open_model("house", Settings(models={"house": declared}))

    def test_a_refused_key_of_a_server_that_was_declared_without_one_says_how_to_declare_it(self):
        with Loopback(keys={"hush"}) as server:
            model = open_model("local", at(server, local=DeclaredModel("local", server.openai_url, "m")))
            with pytest.raises(ProviderError, match=r"declare key_env for it in calibrate\.toml"):
                ask(model)


class TestOverrides:
    def test_prices_limit_and_concurrency_are_the_declared_ones(self):
        override = Override(Prices(1_000_000.0, 0.0, cache_read=7.0), max_tokens=7, limits=RequestLimits(concurrency=2))
        with Loopback("hello", together=2, latency=0.02) as server:
            model = open_model(
                "openai:gpt-4.1", dataclasses.replace(at(server), overrides={"openai:gpt-4.1": override})
            )
            responses = ask(model, count=4)
        assert server.most_in_flight == 2
        assert server.calls[0].body["model"] == "gpt-4.1"
        assert 7 in (server.calls[0].body.get("max_tokens"), server.calls[0].body.get("max_completion_tokens"))
        assert responses[0].cost == responses[0].usage.input_tokens
        snapshot = price_snapshot(model)
        assert (snapshot.source, snapshot.cache_read) == ("calibrate.toml", 7.0)

    def test_a_number_on_the_command_goes_before_the_declared_one(self):
        override = Override(limits=RequestLimits(concurrency=1))
        with Loopback("hello", together=3) as server:
            overridden = dataclasses.replace(at(server), overrides={"openai:gpt-4.1": override})
            ask(open_model("openai:gpt-4.1", overridden, concurrency=3), count=9)
        assert server.most_in_flight == 3

    def test_limits_alone_leave_the_price_to_the_price_data(self):
        override = Override(limits=RequestLimits(requests_per_minute=60))
        model = open_model("openai:gpt-4.1", dataclasses.replace(KEYS, overrides={"openai:gpt-4.1": override}))
        assert price_snapshot(model).source.startswith("genai-prices ")

    def test_another_model_is_left_alone(self):
        overrides = {"openai:gpt-4.1": Override(Prices(0.0, 0.0))}
        model = open_model("openai:gpt-4.1-mini", dataclasses.replace(KEYS, overrides=overrides))
        assert price_snapshot(model).input > 0


def test_dropped_parameters_are_seen_through_the_wrappers():
    with Loopback("hello", refuses={"temperature"}) as server:
        model = open_model("openai:o9", at(server))
        assert dropped_parameters(model) == ()
        ask(model)
    assert dropped_parameters(model) == ("temperature",)


def test_prices_are_seen_through_the_wrappers():
    snapshot = price_snapshot(open_model("openai:gpt-4.1", KEYS))
    assert (snapshot.input, snapshot.output) == (2.0, 8.0)


def test_a_function_and_a_command_are_models_without_a_price(tmp_path):
    (tmp_path / "judge_in_registry.py").write_text("def judge(item): return item['id']")
    request = dataclasses.replace(REQUEST, item={"id": "1", "dimension": "d", "inputs": {}})
    for name in ("py:judge_in_registry:judge", "exec:echo 1"):
        model = open_model(name, Settings(), directory=tmp_path)
        assert model.name == name
        assert price_snapshot(model) is None
        assert dropped_parameters(model) == ()
        response = asyncio.run(model.complete(request))
        assert (response.text, response.cost) == ('{"label": "1"}', None)
    assert innermost(model) is not model


def test_the_working_directory_is_where_functions_are_found_when_none_is_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "judge_in_working_directory.py").write_text("def judge(item): return 1")
    open_model("py:judge_in_working_directory:judge", Settings())


@pytest.mark.parametrize(
    ("statement", "loaded"),
    [
        ("open_model('openai:gpt-4.1', KEYS)", []),
        ("asyncio.run(open_model('openai:gpt-4.1', KEYS).close())", []),
        ("open_model('exec:echo 1', KEYS)", []),
    ],
)
def test_opening_a_model_loads_no_sdk(statement, loaded):
    program = f"""
import asyncio, sys
from calibrate.config import Secret, Settings
from calibrate.providers import open_model
KEYS = Settings(openai_key=Secret("k"))
{statement}
print([name for name in ("openai", "anthropic", "genai_prices", "httpx2", "numpy") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(loaded)


def test_asking_one_vendor_does_not_load_the_other():
    with Loopback("hello") as server:
        program = f"""
import asyncio, sys
from calibrate.config import Secret, Settings
from calibrate.domain import ModelRequest
from calibrate.providers import open_model
async def run():
    model = open_model("openai:gpt-4.1", Settings(openai_key=Secret("k"), openai_base_url="{server.openai_url}"))
    await model.complete(ModelRequest(system="", user="?"))
    await model.close()
asyncio.run(run())
print("openai" in sys.modules, "anthropic" in sys.modules)
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True False"
