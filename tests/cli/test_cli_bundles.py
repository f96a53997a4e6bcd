"""``--judge bundle.json``: a judge that travels as a file, and stays the judge it was measured as."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from loopback import Reply
from program import FIVE, PAGES, PROMPT, write_pages

import calibrate
from calibrate.domain import Item, Scale, digest
from calibrate.errors import InputError
from calibrate.export import Exported, as_json
from calibrate.judge import JudgeSettings, Prompt
from calibrate.optimizer.examples import with_examples

JUDGE = ("--judge", "openai:gpt-4.1")
SETTINGS = ("--prompt", "prompt.txt", "--votes", 3, "--temperature", 0.5, "--max-tokens", 300, "--allow-abstain")
NO_NOISE = ("--optimizer", "openai:gpt-4.1", "--noise-repeats", 0)


@pytest.fixture
def bundle(program, pages, server):
    """The bundle of run 1, a baseline with three votes on three pages."""
    write_pages(Path("few.csv"), ("f01", "f02", "u01"))
    program("baseline", "few.csv", *JUDGE, *SETTINGS)
    program("export", 1, "--to", "json", "-o", "judge.json")
    return "judge.json"


def bodies(server, start=0):
    return Counter(json.dumps(call.body, sort_keys=True) for call in server.calls[start:])


def run_of(outcome):
    (run,) = outcome.json["runs"]
    return run


def test_the_bundle_of_a_run_is_its_judge(program, server, bundle):
    assert len(server.calls) == 9
    again = run_of(program("baseline", "few.csv", "--judge", f"./{bundle}", "--concurrency", 2, "--json"))
    assert (again["run"], again["paid_calls"], len(server.calls)) == (1, 0, 9)
    document = json.loads(Path(bundle).read_text())
    content = document["digests"]["content"]
    assert document["model"]["answering"] == {"api": "openai", "model": "gpt-4.1", "max_tokens": None}
    assert server.openai_url not in Path(bundle).read_text()
    assert again["record"]["bundle"] == {"file": f"./{bundle}", "content": content, "examples": [], "shown": []}
    assert f"./{bundle}, content digest {content}" in program("show", 1, "--checklist").out
    # Where no run is known, it asks just what was asked there.
    elsewhere = program("baseline", "few.csv", "--judge", Path(bundle).absolute(), "--db", "other.db", "--json")
    assert run_of(elsewhere)["paid_calls"] == 9
    assert bodies(server, 9) == bodies(server) - bodies(server, 9)


def test_noise_and_calibration_ask_as_it_asks(program, server, bundle):
    program("noise", "few.csv", "--judge", bundle, "--runs", 2)
    assert len(server.calls) == 9 + 2 * 9
    dry = program("optimize", "few.csv", "--judge", bundle, *NO_NOISE, "--iterations", 1, "--dry-run", "--json").json
    assert dry["estimate"]["work"][0]["stored"] == 9
    refused = program("optimize", "few.csv", "--judge", bundle, *NO_NOISE, "--from", 1, code=2)
    assert refused.error == "judge.json is a whole judge, with its prompt; leave --from out, or name its model"


@pytest.mark.slow
def test_a_calibration_starts_from_the_bundle_and_keeps_its_settings(program, pages, server, bundle):
    found = program("optimize", "pages.csv", "--judge", bundle, *NO_NOISE, *FIVE, "--iterations", 1, "--json").json
    (calibration,) = found["calibrations"]
    assert program("export", f"{calibration['run']}:0").out == f"{PROMPT}\n"
    program("export", calibration["run"], "--to", "json", "-o", "better.json")
    before, after = (json.loads(Path(name).read_text()) for name in (bundle, "better.json"))
    assert after["settings"] == before["settings"]
    assert after["prompt"] != before["prompt"]


@pytest.mark.parametrize(
    "option",
    [
        ("--temperature", 0),
        ("--votes", 1),
        ("--max-tokens", 1024),
        ("--prompt", "prompt.txt"),
        ("--parse", "label=x"),
        ("--single-braces",),
        ("--allow-abstain",),
        ("--confidence",),
        ("--adaptive",),
        ("--both-orders",),
        ("--language", "es"),
    ],
    ids=lambda option: option[0],
)
def test_an_option_that_would_make_it_another_judge_is_refused_by_name(program, ready, option):
    refused = program("baseline", "pages.csv", "--judge", ready, *option, code=2)
    assert refused.error.endswith(f"leave {option[0]} out")
    assert not Path("runs.db").exists()


@pytest.fixture
def ready(pages):
    """A bundle that no run has been needed for."""
    inputs = ("question", "context", "answer")
    settings = JudgeSettings(parse=r"label=Score: (\d)", temperature=None)
    judge = Exported(
        name="pages-faithfulness",
        dimension="faithfulness",
        prompt=Prompt.parse(PROMPT, inputs),
        model="openai:gpt-4.1",
        models_returned=(),
        scale=Scale("binary", ("0", "1"), positive="1"),
        settings=settings,
        inputs=inputs,
        metrics={},
        provenance={},
    )
    Path("ready.json").write_text(as_json(judge))
    return "ready.json"


def test_its_prompt_for_another_model_brings_what_its_replies_are_read_with(program, ready, server, world):
    write_pages(Path("few.csv"), ("f01", "u01"))
    world.special = {"f01": Reply("Fine. Score: 1"), "u01": Reply("Bad. Score: 0")}
    command = ("baseline", "few.csv", "--judge", "openai:gpt-4.1-mini", "--prompt", ready, "--temperature", 0.2)
    assert program(*command, "--json").json["results"][0]["scored"] == 2
    assert {(call.body["model"], call.body["temperature"]) for call in server.calls} == {("gpt-4.1-mini", 0.2)}
    assert all("response_format" not in call.body for call in server.calls)


def test_a_changed_bundle_is_refused_before_anything_is_done(program, ready, server):
    Path(ready).write_text(Path(ready).read_text().replace("openai:gpt-4.1", "openai:gpt-4.1-mini"))
    for place in (("--judge", ready), (*JUDGE, "--prompt", ready)):
        refused = program("baseline", "pages.csv", *place, code=2)
        assert refused.error.startswith("ready.json: the bundle was changed after it was written")
    assert program("export", ready, code=2).error.startswith("ready.json: the bundle was changed")
    assert not server.calls


def test_a_bundle_is_exported_without_the_run(program, ready):
    assert program("export", ready).out == f"{PROMPT}\n"
    program("export", ready, "--to", "json", "-o", "again.json")
    assert Path("again.json").read_text() == Path(ready).read_text()
    assert 'MODEL = "openai:gpt-4.1"' in program("export", ready, "--to", "python").out
    assert "never overwritten" in program("export", ready, "-o", ready, "--overwrite", code=2).error
    assert not Path("runs.db").exists()


def test_the_python_interface_takes_its_path(ready, server, world):
    write_pages(Path("few.csv"), ("f01", "u01"))
    world.special = {page: Reply("Score: 1") for page in PAGES}
    for judge in (Path(ready), ready):
        assert calibrate.baseline("few.csv", judge=judge).results[0].alignment.n == 2
    for prompt in (Path(ready), ready):
        calibrate.baseline("few.csv", "openai:gpt-4.1-mini", prompt=prompt)
    assert len(server.calls) == 4
    with pytest.raises(InputError, match="leave --temperature out"):
        calibrate.baseline("few.csv", ready, temperature=0.0)
    with pytest.raises(InputError, match=r"a bundle, which ends in \.json"):
        calibrate.baseline("few.csv", Path("prompt.txt"))


def test_what_the_prompt_shows_stays_known_from_bundle_to_bundle(program, ready, server, world):
    item = Item(
        "f01",
        "faithfulness",
        {"question": "What is on page f01?", "context": "Text of f01.", "answer": "Answer of page f01."},
        "1",
    )
    Path("shows.txt").write_text(with_examples(PROMPT, [item], "en"))
    write_pages(Path("few.csv"), ("f01", "f02", "u01", "u02"))
    program("baseline", "few.csv", *JUDGE, "--prompt", "shows.txt")
    program("export", 1, "--to", "json", "-o", "first.json")
    document = json.loads(Path("first.json").read_text())
    document["provenance"]["examples"] = ["f01"]
    digests = {name: value for name, value in document["digests"].items() if name != "content"}
    document["digests"]["content"] = digest({**document, "digests": digests})
    Path("first.json").write_text(json.dumps(document))
    second = program("baseline", "few.csv", "--judge", "first.json", "--json").json
    assert second["results"][0]["n"] == 3
    assert not any("quotes" in note for note in second["notes"])
    program("export", 2, "--to", "json", "-o", "second.json")
    assert json.loads(Path("second.json").read_text())["provenance"]["examples"] == ["f01"]
    dry = ("--iterations", 1, "--dry-run", "--json")
    work = program("optimize", "few.csv", *JUDGE, *NO_NOISE, "--from", 2, *dry).json["estimate"]["work"]
    assert work[0]["stored"] == 3


# --- what an export says of itself ----------------------------------------------------------------------------------


def test_a_file_has_the_ending_of_its_format(program, ready):
    for to, name, ending in (
        ("promptfoo", "judge.yaml", ".py"),
        ("python", "judge", ".py"),
        ("langfuse-evaluator", "judge.py", ".json"),
        ("json", "judge.md", ".json"),
    ):
        assert program("export", ready, "--to", to, "-o", name, code=2).error.endswith(f"ends in {ending}")
        assert not Path(name).exists()
    program("export", ready, "--to", "markdown", "-o", "judge.markdown")
    assert "unknown format" in program("export", ready, "--to", "yaml", "-o", "judge.yaml", code=2).error


def test_what_the_file_needs_is_said(program, pages):
    write_pages(Path("few.csv"), ("f01", "u01"))
    program("baseline", "few.csv", "--judge", "sim:reader", "--votes", 3)
    page = program("export", 1, "--to", "markdown", "--json").json
    assert page["simulated"]
    assert page["notes"][0].startswith("sim:reader exists only in calibrate")
    assert page["notes"][0] in page["sentence"]
    assert "sim:reader exists only in calibrate" in page["text"]
    text = program("export", 1, "-o", "judge.txt")
    assert "A verdict is the majority of 3 replies. The text alone says nothing of that" in text.out
    assert program("export", 1, "--to", "json", "--json").json["notes"] == []
