import dataclasses
from pathlib import Path

import pytest

from calibrate.config import (
    DeclaredModel,
    Override,
    Prices,
    RequestLimits,
    Secret,
    Settings,
    load_settings,
    redact,
)
from calibrate.errors import InputError


def declare(directory: Path, text: str) -> Path:
    (directory / "calibrate.toml").write_text(text, encoding="utf-8")
    return directory


def test_without_environment_and_file_there_are_defaults_and_no_keys(tmp_path):
    assert load_settings({}, tmp_path) == Settings(
        openai_key=None,
        anthropic_key=None,
        openai_base_url="https://api.openai.com/v1",
        anthropic_base_url="https://api.anthropic.com",
        database_url="sqlite:///runs.db",
        models={},
    )


def test_the_environment_gives_keys_base_urls_and_the_database(tmp_path):
    settings = load_settings(
        {
            "OPENAI_API_KEY": " sk-one\n",
            "ANTHROPIC_API_KEY": "sk-two",
            "OPENAI_BASE_URL": "http://localhost:1/v1/",
            "ANTHROPIC_BASE_URL": "http://localhost:2",
            "CALIBRATE_DB": "postgresql://db/runs",
        },
        tmp_path,
    )
    assert settings.openai_key == Secret("sk-one")
    assert settings.anthropic_key == Secret("sk-two")
    assert settings.openai_base_url == "http://localhost:1/v1"
    assert settings.anthropic_base_url == "http://localhost:2"
    assert settings.database_url == "postgresql://db/runs"


def test_an_empty_variable_counts_as_not_set(tmp_path):
    assert load_settings({"OPENAI_API_KEY": " ", "OPENAI_BASE_URL": "", "CALIBRATE_DB": ""}, tmp_path) == Settings()


def test_settings_are_frozen(tmp_path):
    with pytest.raises(dataclasses.FrozenInstanceError):
        load_settings({}, tmp_path).database_url = "sqlite:///other.db"


def test_a_declared_model_has_everything_the_file_says(tmp_path):
    declare(
        tmp_path,
        """
        [models.local]
        base_url = "http://localhost:11434/v1/"
        model = "qwen3"

        [models.house]
        base_url = "https://llm.example.com"
        model = "claude-sonnet-5-5"
        api = "anthropic"
        key_env = "HOUSE_KEY"
        input_price = 2
        output_price = 10.5
        cache_read_price = 0.2
        cache_write_price = 2.5
        max_tokens = 4096
        concurrency = 8
        requests_per_minute = 600
        tokens_per_minute = 2_000_000
        """,
    )
    settings = load_settings({"HOUSE_KEY": "hush"}, tmp_path)
    assert settings.models == {
        "local": DeclaredModel(name="local", base_url="http://localhost:11434/v1", model="qwen3"),
        "house": DeclaredModel(
            name="house",
            base_url="https://llm.example.com",
            model="claude-sonnet-5-5",
            api="anthropic",
            key_env="HOUSE_KEY",
            key=Secret("hush"),
            prices=Prices(2.0, 10.5, cache_read=0.2, cache_write=2.5),
            max_tokens=4096,
            limits=RequestLimits(concurrency=8, requests_per_minute=600, tokens_per_minute=2_000_000),
        ),
    }
    assert settings.overrides == {}


def test_a_table_with_the_name_of_a_providers_model_overrides_its_prices_and_limits(tmp_path):
    declare(
        tmp_path,
        """
        [models."openai:gpt-4.1"]
        input_price = 1.5
        output_price = 6
        cache_read_price = 0.0
        max_tokens = 500
        concurrency = 4
        requests_per_minute = 60
        tokens_per_minute = 90_000

        [models."anthropic:claude-opus-5"]
        requests_per_minute = 1

        [models."openai-decisions:gpt-6-luna"]
        input_price = 0.2
        output_price = 0

        [models."openai:ft:gpt-4o:house"]
        concurrency = 2
        """,
    )
    settings = load_settings({}, tmp_path)
    assert settings.models == {}
    assert settings.overrides == {
        "openai:gpt-4.1": Override(
            Prices(1.5, 6.0, cache_read=0.0),
            max_tokens=500,
            limits=RequestLimits(concurrency=4, requests_per_minute=60, tokens_per_minute=90_000),
        ),
        "anthropic:claude-opus-5": Override(limits=RequestLimits(requests_per_minute=1)),
        "openai-decisions:gpt-6-luna": Override(Prices(0.2, 0.0)),
        "openai:ft:gpt-4o:house": Override(limits=RequestLimits(concurrency=2)),
    }


def test_a_declared_key_that_is_not_set_is_no_error_until_it_is_needed(tmp_path):
    declare(tmp_path, '[models.house]\nbase_url = "http://h/v1"\nmodel = "m"\nkey_env = "HOUSE_KEY"')
    assert load_settings({}, tmp_path).models["house"].key is None


GPT = '[models."openai:gpt-4.1"]\n'
LOCAL = '[models.local]\nbase_url = "http://h/v1"\nmodel = "m"\n'


@pytest.mark.parametrize(
    ("text", "field", "message"),
    [
        ("[model.x]\n", "model", "unknown setting; known here: models"),
        (LOCAL + "prise = 1\n", "models.local.prise", "unknown setting; known here: base_url, model, api,"),
        ('[models.local]\nmodel = "m"\n', "models.local.base_url", "missing"),
        ('[models.x]\nbase_ulr = "http://h/v1"\nmodel = "m"\n', "models.x.base_ulr", "known here: base_url, model"),
        (LOCAL + 'api = "gemini"\n', "models.local.api", "'openai' or 'anthropic'"),
        (LOCAL + "max_tokens = 0\n", "models.local.max_tokens", "greater than or equal to 1"),
        (LOCAL + 'concurrency = "4"\n', "models.local.concurrency", "valid integer"),
        (LOCAL + "input_price = -1\noutput_price = 1\n", "models.local.input_price", "greater than or equal to 0"),
        (LOCAL + "input_price = nan\noutput_price = 1\n", "models.local.input_price", "finite"),
        (LOCAL + "input_price = 1\n", "models.local", "declare input_price and output_price together"),
        ('[models.x]\nbase_url = "h/v1"\nmodel = "m"\n', "models.x.base_url", "not a base URL"),
        ('[models.x]\nbase_url = "http://me:pw@h/v1"\nmodel = "m"\n', "models.x.base_url", "no user name or password"),
        (LOCAL + "cache_read_price = 1\n", "models.local", "declare input_price and output_price too"),
        (LOCAL + "cache_write_price = 0\n", "models.local", "declare input_price and output_price too"),
        (GPT + "input_price = 1\n", "models.openai:gpt-4.1", "declare input_price and output_price together"),
        (GPT + "cache_write_price = 1\n", "models.openai:gpt-4.1", "declare input_price and output_price too"),
        (GPT + "cache_read_price = -1\n", "models.openai:gpt-4.1.cache_read_price", "greater than or equal to 0"),
        (GPT + "requests_per_minute = 0\n", "models.openai:gpt-4.1.requests_per_minute", "greater than or equal to 1"),
        (GPT + "tokens_per_minute = 1.5\n", "models.openai:gpt-4.1.tokens_per_minute", "valid integer"),
        (GPT + "prise = 1\n", "models.openai:gpt-4.1.prise", "unknown setting; known here: input_price, output_price,"),
        (GPT + 'base_url = "http://h/v1"\n', "models.openai:gpt-4.1.base_url", "remove this, or declare a server"),
        (GPT + 'model = "m"\n', "models.openai:gpt-4.1.model", "remove this, or declare a server"),
        (GPT + 'api = "openai"\n', "models.openai:gpt-4.1.api", "remove this, or declare a server"),
        (GPT + 'key_env = "KEY"\n', "models.openai:gpt-4.1.key_env", "remove this, or declare a server"),
        ("[models]\nlocal = 3\n", "models.local", "valid dictionary"),
        ('[models."gemini:pro"]\ninput_price = 1\n', "models", "openai:NAME, anthropic:NAME, openai-decisions:NAME"),
        ('[models."openai:"]\nconcurrency = 1\n', "models", "model name 'openai:'"),
        ('[models."openai: gpt-4.1"]\nconcurrency = 1\n', "models", "model name 'openai: gpt-4.1'"),
        ('[models."a:b"]\nbase_url = "http://h/v1"\nmodel = "m"\n', "models", "use a name without ':'"),
    ],
)
def test_what_the_file_gets_wrong_is_named_with_file_and_field(tmp_path, text, field, message):
    with pytest.raises(InputError) as caught:
        load_settings({}, declare(tmp_path, text))
    assert caught.value.file == str(tmp_path / "calibrate.toml")
    assert caught.value.field == field
    assert message in caught.value.message
    assert "\n" not in str(caught.value)


def test_broken_toml_names_the_line(tmp_path):
    with pytest.raises(InputError, match=r"not valid TOML: .*line 2"):
        load_settings({}, declare(tmp_path, "[models.x]\nbase_url =\n"))


def test_a_file_that_is_no_utf8_text_is_refused(tmp_path):
    (tmp_path / "calibrate.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        load_settings({}, tmp_path)


def test_a_directory_in_place_of_the_file_is_refused(tmp_path):
    (tmp_path / "calibrate.toml").mkdir()
    with pytest.raises(InputError, match="cannot be read"):
        load_settings({}, tmp_path)


def test_a_huge_file_is_refused(tmp_path):
    with pytest.raises(InputError, match="no configuration file"):
        load_settings({}, declare(tmp_path, "#" * 1_000_001))


def test_a_base_url_in_the_environment_that_is_none_names_the_variable(tmp_path):
    with pytest.raises(InputError, match=r"OPENAI_BASE_URL.*not a base URL"):
        load_settings({"OPENAI_BASE_URL": "localhost:8080"}, tmp_path)


def test_no_rendering_of_settings_shows_a_secret(tmp_path):
    declare(tmp_path, LOCAL + 'key_env = "LOCAL_KEY"')
    environ = {
        "OPENAI_API_KEY": "sk-openai",
        "ANTHROPIC_API_KEY": "sk-anthropic",
        "LOCAL_KEY": "sk-local",
        "CALIBRATE_DB": "postgresql://me:pa%24sword@db/runs",
    }
    settings = load_settings(environ, tmp_path)
    shown = f"{settings} {settings!r} {settings.openai_key} {settings.openai_key!r} {[settings.anthropic_key]}"
    assert not any(value in shown for value in ("sk-openai", "sk-anthropic", "sk-local", "sword"))
    assert "[redacted]" in shown


def test_redaction_takes_every_known_secret_out_of_a_text(tmp_path):
    declare(tmp_path, LOCAL + 'key_env = "LOCAL_KEY"')
    environ = {
        "OPENAI_API_KEY": "sk-1",
        "ANTHROPIC_API_KEY": "sk-1-and-more",
        "LOCAL_KEY": "sk-2",
        "CALIBRATE_DB": "postgresql://me:pa%24s@db/runs",
    }
    settings = load_settings(environ, tmp_path)
    text = "sk-1 sk-1-and-more sk-2 pa%24s pa$s plain"
    assert redact(text, settings) == " ".join(["[redacted]"] * 5) + " plain"


def test_a_secret_cannot_be_pickled():
    import pickle

    with pytest.raises(TypeError, match="not written anywhere"):
        pickle.dumps(Secret("sk-1"))
