"""``models``: what can be called, at which prices, and what a run would cost."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pytest

import calibrate
from calibrate.config import Settings
from calibrate.errors import InputError
from calibrate.workflows.models import ModelsOptions, RunSize, list_models

TOML = """
[models.local]
base_url = "http://localhost:11434/v1"
model = "qwen3"

[models.house]
base_url = "https://llm.example.com"
model = "m"
input_price = 1.0
output_price = 2.0
cache_write_price = 1.25

[models."openai:gpt-4.1"]
input_price = 1.0
output_price = 4.0
cache_read_price = 0.25

[models."openai:gpt-4o-mini"]
requests_per_minute = 60

[models."anthropic:not-in-the-data"]
concurrency = 2

[models."openai:text-embedding-3-small"]
concurrency = 2
"""


def named(document):
    return {each["name"]: each for each in document["models"]}


@pytest.fixture
def declared():
    Path("calibrate.toml").write_text(TOML)


@pytest.mark.parametrize(("name", "dollars"), [("openai:gpt-4.1", 3200.0), ("openai:gpt-4o-mini", 240.0)])
def test_the_worked_cost_of_a_day(program, name, dollars):
    """STATISTICS section 8: 1,400 input and 50 output tokens a verdict, 1,000,000 verdicts."""
    size = ("--items", 1_000_000, "--input-tokens", 1400, "--output-tokens", 50)
    document = program("models", name, *size, "--json").json
    assert named(document)[name]["cost"] == dollars
    line = next(line for line in program("models", name, *size).out.splitlines() if line.startswith(f"{name} "))
    assert f" ${dollars:,.2f} " in line


def test_the_document(program):
    document = program("models", "gpt-4.1", "--json").json
    assert (document["schema"], document["status"], document["left_out"]) == (1, "ok", 0)
    assert document["size"] == {"items": 1000, "input_tokens": 1400, "output_tokens": 50}
    assert document["price_data"]["source"].startswith("genai-prices ")
    assert document["price_data"]["newest_change"] <= document["price_data"]["read_for"]
    model = named(document)["openai:gpt-4.1"]
    assert {
        name: model[name] for name in ("provider", "simulated", "input", "output", "cache_read", "cache_write")
    } == {
        "provider": "openai",
        "simulated": False,
        "input": 2.0,
        "output": 8.0,
        "cache_read": 0.5,
        "cache_write": None,
    }
    assert (model["cost"], model["batch_cost"]) == (3.2, 1.6)
    assert model["source"] == document["price_data"]["source"]


def test_the_first_line_names_the_cheapest_and_the_dearest_the_price_data_and_its_day(program):
    first, about, *_ = program("models", "gpt-4.1").out.splitlines()
    assert re.fullmatch(
        r"1,000 verdicts of 1,400 input and 50 output tokens cost from \$0\.16 on openai:gpt-4\.1-nano to \$3\.20 on "
        r"openai:gpt-4\.1, at the prices of genai-prices [\d.]+ for \d{4}-\d\d-\d\d\.",
        first,
    )
    assert re.fullmatch(
        r"The price data of genai-prices [\d.]+ bears no date of its own; its newest price change in force is of "
        r"\d{4}-\d\d-\d\d\. Nothing was fetched\.",
        about,
    )


def test_the_models_are_sorted_by_cost_with_unknown_and_made_up_prices_last_or_by_name(program, declared):
    by_cost = program("models", "--json").json["models"]
    llms = [each for each in by_cost if not each["simulated"]]
    known = [each["cost"] for each in llms if each["cost"] is not None]
    assert known == sorted(known)
    assert all(each["cost"] is None for each in llms[len(known) :])
    assert [each["name"] for each in by_cost[-3:]] == ["sim:reader-small", "sim:reader", "sim:writer"]
    names = [each["name"] for each in program("models", "--sort", "name", "--json").json["models"]]
    assert names == sorted(each["name"] for each in by_cost)


def test_an_unknown_price_is_unknown_and_never_zero(program, declared):
    model = named(program("models", "local", "--json").json)["local"]
    assert all(model[name] is None for name in ("input", "output", "cache_read", "cost", "batch_cost", "source"))
    shown = program("models", "local").out
    assert shown.startswith("1,000 verdicts of 1,400 input and 50 output tokens: the price is unknown (1 model).\n")
    assert re.search(r"^local +unknown +unknown +– +– +unknown +– +–", shown, re.MULTILINE)
    assert "Declare an unknown price in calibrate.toml" in shown
    assert "$0" not in shown


def test_what_is_declared_goes_before_the_price_data(program, declared):
    models = named(program("models", "--json").json)
    house, override, limited = models["house"], models["openai:gpt-4.1"], models["openai:gpt-4o-mini"]
    assert (house["provider"], house["source"], house["cache_write"]) == ("calibrate.toml", "calibrate.toml", 1.25)
    assert house["cost"] == 1.5
    assert (override["cost"], override["cache_read"], override["source"]) == (1.6, 0.25, "calibrate.toml")
    assert override["batch_cost"] is None
    assert limited["cost"] == 0.24
    assert models["anthropic:not-in-the-data"]["cost"] is None
    assert "openai:text-embedding-3-small" in models, "somebody declares it"
    first = program("models", "gpt-4.1").out.splitlines()[0]
    assert re.search(r"at the prices of genai-prices [\d.]+ and calibrate\.toml for ", first)


def test_simulated_models_are_said_to_be_so_and_are_never_the_cheapest(program):
    document = program("models", "sim:", "--json").json
    assert set(named(document)) == {"sim:reader", "sim:reader-small", "sim:writer"}
    assert {(each["simulated"], each["source"]) for each in document["models"]} == {(True, "made up")}
    shown = program("models", "sim:").out
    assert "only simulated models are listed, and their prices are made up." in shown.splitlines()[0]
    assert "sim:reader (simulated)" in shown
    assert "Simulated models are no LLMs" in shown
    assert "sim:" not in program("models").out.splitlines()[0]


def test_models_for_other_things_than_text_and_fine_tunes_are_left_out_unless_asked_for(program):
    some, everything = program("models", "--json").json, program("models", "--all", "--json").json
    added = {each["name"]: each["set_apart"] for each in everything["models"]}
    for each in some["models"]:
        assert added.pop(each["name"]) is None
    assert len(added) == some["left_out"] > 0
    assert everything["left_out"] == 0
    assert (
        added["openai:text-embedding-3-small"] == added["openai:whisper-1"] == added["openai:gpt-image-1"] == "not text"
    )
    assert added["openai:ft:gpt-4o"] == "fine-tuned"
    shown = program("models", "embedding").out
    assert "3 models left out" in shown
    assert shown.startswith("No model is known here with 'embedding' in its name.\n")
    assert "openai:text-embedding-3-small (not text)" in program("models", "embedding", "--all").out


def test_the_filter_is_a_part_of_the_name_in_any_case_and_the_provider_narrows_it(program, declared):
    assert set(named(program("models", "HAIKU-4", "--json").json)) == {"anthropic:claude-haiku-4-5"}
    for provider in ("openai", "anthropic", "openai-decisions", "sim", "calibrate.toml"):
        found = program("models", "--provider", provider, "--json").json["models"]
        assert found
        assert {each["provider"] for each in found} == {provider}
    assert program("models", "claude", "--provider", "openai", "--json").json["models"] == []
    assert (
        "No model is known here with 'claude' in its name of openai."
        in program("models", "claude", "--provider", "openai").out
    )


def test_one_cost_for_all_is_said_once(program):
    first = program("models", "claude-sonnet-5", "--provider", "anthropic").out.splitlines()[0]
    assert " cost $3.30 on each of 2 models, at the prices of " in first
    assert " cost $240.00 on openai:o1-pro, at the prices of " in program("models", "o1-pro").out.splitlines()[0]


def test_decisions_are_billed_by_their_input_alone(program):
    (model,) = program("models", "--provider", "openai-decisions", "--json").json["models"]
    assert (model["name"], model["input"], model["output"], model["cost"]) == (
        "openai-decisions:gpt-6-luna",
        0.1,
        0.0,
        0.14,
    )


def test_a_long_prompt_has_its_own_price(program):
    def cost(tokens):
        document = program("models", "claude-haiku-5-5", "--input-tokens", tokens, "--output-tokens", 0, "--json").json
        return document["models"][0]["cost"]

    assert cost(100_000) == pytest.approx(10.0)
    assert cost(200_000) == pytest.approx(100.0)
    shown = program("models", "claude-haiku-5-5").out
    assert "0.1+" in shown
    assert "+: another price holds for long prompts" in shown


def test_a_model_whose_batches_cost_the_same_shows_it_and_one_without_batches_shows_none(program):
    models = named(program("models", "gpt-3.5-turbo", "--json").json)
    assert models["openai:gpt-3.5-turbo-1106"]["batch_cost"] == models["openai:gpt-3.5-turbo-1106"]["cost"]
    assert models["openai:gpt-3.5-turbo-16k"]["batch_cost"] is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--items", 0), "--items"),
        (("--input-tokens", 0), "--input-tokens"),
        (("--output-tokens", -1), "--output-tokens"),
        (("--provider", "gemini"), "there is no provider 'gemini'; use one of openai, anthropic,"),
        (("--sort", "size"), "there is no order 'size'; use cost or name"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(program, arguments, said):
    outcome = program("models", *arguments, code=2)
    assert said in outcome.err
    assert outcome.out == ""
    assert outcome.err.count("\n") == 1


def test_a_broken_calibrate_toml_is_named(program):
    Path("calibrate.toml").write_text('[models."openai:gpt-4.1"]\ncache_read_price = 1\n')
    assert "calibrate.toml" in program("models", code=2).err


def test_the_function_returns_the_same_and_a_frame(program, declared):
    result = calibrate.models("gpt-4.1", items=10)
    assert json.loads(json.dumps(result.to_json())) == program("models", "gpt-4.1", "--items", 10, "--json").json
    frame = calibrate.models("local").frame()
    assert list(frame["name"]) == ["local"]
    assert pd.isna(frame.loc[0, "cost"])
    with pytest.raises(InputError, match="at least 1"):
        calibrate.models(items=0)


def test_the_prices_are_those_of_the_day():
    def listed(year):
        options = ModelsOptions("o3", RunSize(1, 1_000_000, 0), "openai")
        found = list_models(options, Settings(), datetime(year, 1, 1, tzinfo=UTC))
        assert found.data.newest_change is None or found.data.newest_change.isoformat() <= found.day
        return next(each.cost for each in found.models if each.name == "openai:o3"), found.day

    assert listed(2025) == (10.0, "2025-01-01")
    assert listed(2026) == (2.0, "2026-01-01")
