"""``runs``, ``show``, ``diff``, ``export`` and ``disagreements``: reading back what was done, and putting it to use."""

import csv
import importlib.util
import json
import re
import shutil
from pathlib import Path

import pytest
from loopback import Loopback, Reply, error
from program import (
    ADDITIONS,
    FAITHFUL,
    FIVE,
    PROMPT,
    UNFAITHFUL,
    World,
    judge_label,
    run_in,
    verdict,
    write_pages,
)

BASELINE = ("baseline", "pages.csv", "--judge", "openai:gpt-4.1", "--prompt", "prompt.txt")
OPTIMIZE = (
    *("optimize", "pages.csv", "--judge", "openai:gpt-4.1", "--optimizer", "openai:gpt-4.1"),
    *("--prompt", "prompt.txt", "--noise-repeats", "0", *FIVE),
)
WINNER = f"{PROMPT} {ADDITIONS['ledger']} {ADDITIONS['roster']} {ADDITIONS['mercy']}"


def number_of(program, score):
    """The number of the candidate of run 2 with a score."""
    (found,) = [
        each["number"]
        for each in program("show", 2, "--json").json["candidates"]
        if each["score"] == pytest.approx(score, abs=1e-4)
    ]
    return found


def better(program):
    """The candidate of run 2 that holds figures against the context, as a reference."""
    return f"2:{number_of(program, 0.7514)}"


@pytest.fixture(scope="module")
def done_once(tmp_path_factory):
    """A folder in which run 1 is a baseline and run 2 a calibration, and the server that answered."""
    folder = tmp_path_factory.mktemp("two_runs")
    write_pages(folder / "pages.csv")
    (folder / "prompt.txt").write_text(PROMPT)
    with Loopback(World()) as server:
        for command in (BASELINE, OPTIMIZE):
            run_in(folder, server, *command)
        yield folder, server


@pytest.fixture
def two_runs(done_once, tmp_path, monkeypatch):
    """A copy of that folder; the server goes on answering."""
    folder, server = done_once
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("OPENAI_BASE_URL", server.openai_url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-any")
    server.calls.clear()
    return server


def test_the_list_of_runs(program, two_runs):
    first, second = program("runs", "--json").json["runs"]
    assert (first["run"], first["kind"], first["status"], first["candidates"]) == (1, "baseline", "done", 1)
    assert (second["run"], second["kind"], second["status"], second["candidates"]) == (2, "optimize", "done", 16)
    assert (second["golden_set"], second["dimension"], second["n"]) == ("pages", "faithfulness", 30)
    assert (second["stopped"], second["judge"]) == ("target", "openai:gpt-4.1")
    assert [round(second[name], 4) for name in ("baseline", "best")] == [0.4002, 1.0]
    # The calibration replays the baseline's replies.
    assert (first["spent"]["calls"], second["spent"]["calls"]) == (30, 205 - 30)
    lines = program("runs").out.splitlines()
    assert lines[0] == "2 runs."
    assert re.match(
        r"2 +optimize +pages, faithfulness +30 +openai:gpt-4\.1 +done +16 +0\.400 +1\.000 +\$0\.1", lines[3]
    )


def test_an_empty_database_has_no_runs(program, two_runs):
    from calibrate.store import Store

    Store("empty.db").close()
    assert program("runs", "--db", "empty.db").out == "No runs yet.\n"
    assert program("runs", "--db", "empty.db", "--json").json["runs"] == []


def test_a_run_in_full(program, two_runs):
    document = program("show", 2, "--json").json
    assert (document["run"], document["kind"], document["run_status"]) == (2, "optimize", "done")
    assert [each["role"] for each in document["results"]] == ["baseline", "winner"]
    assert (document["candidate"], document["prompt"]) == (number_of(program, 1.0), WINNER)
    assert len(document["candidates"]) == 16
    assert len(document["verdicts"]) == 30
    assert document["verdicts"]["u01"] == {"label": "0", "reasoning": "as the prompt says", "confidence": None}
    record = document["record"]
    assert (record["model_requested"], record["model_returned"]) == ("openai:gpt-4.1", ["gpt-4.1"])
    assert record["prices"]["output"] == 8.0
    assert record["golden_digest"] == document["golden_digest"]
    text = program("show", 2).out
    for part in (WINNER, "Better on these 30 items", "fix wrongly accepted", "Record:", document["golden_digest"]):
        assert part in text
    assert "Judge and experts differ on 0 of 30 items" in text
    assert not two_runs.calls


def test_one_candidate(program, two_runs):
    reference = better(program)
    document = program("show", reference, "--json").json
    (entry,) = document["results"]
    assert round(entry["alignment"]["value"], 4) == 0.7514
    number = int(reference.removeprefix("2:"))
    assert (document["candidate"], document["prompt"]) == (number, f"{PROMPT} {ADDITIONS['ledger']}")
    text = program("show", reference).out
    assert "Judge and experts differ on 5 of 30 items:" in text
    assert "  u01: experts 0, judge 1: as the prompt says" in text


def test_the_baseline_of_a_calibration_is_its_candidate_0(program, two_runs):
    one, other = program("show", 1, "--json").json, program("show", "2:0", "--json").json
    assert one["results"] == other["results"]
    assert one["verdicts"] == other["verdicts"]


def test_a_reference_that_leads_nowhere(program, two_runs):
    rejected = next(
        each["number"]
        for each in program("show", 2, "--json").json["candidates"]
        if each["reason"].startswith("duplicate of the baseline")
    )
    for reference, said in (
        ("3", "no run 3 here"),
        ("99999999999999999999", "no run 99999999999999999999 here"),
        ("2:16", "run 2 has no candidate 16"),
        (f"2:{rejected}", f"candidate {rejected} of run 2 was not judged: duplicate of the baseline"),
        ("two", "'two' names no run; use its number"),
        ("2:", "names no run"),
        ("-1", "-1"),
        ("2:3:4", "names no run"),
    ):
        for command in (("show",), ("export",), ("disagreements", "-o", "review.csv"), ("diff", "1")):
            outcome = program(*command, reference, code=2)
            assert outcome.out == ""
            assert said in outcome.error
            assert outcome.err.count("\n") == 1


def test_the_difference_of_two_prompts(program, two_runs):
    reference = better(program)
    document = program("diff", "2:0", reference, "--json").json
    assert document["comparison"]["difference"]["value"] == pytest.approx(0.7514 - 0.4002, abs=0.0001)
    assert document["changed"] == [
        {
            "id": page,
            "label": label,
            "first": {"label": first, "reasoning": "as the prompt says", "confidence": None},
            "second": {"label": second, "reasoning": "as the prompt says", "confidence": None},
            "effect": effect,
        }
        for page, label, first, second, effect in [
            ("f20", "1", "1", "0", "broken"),
            *((page, "0", "1", "0", "fixed") for page in UNFAITHFUL[3:]),
        ]
    ]
    assert document["prompt_diff"][:2] == ["--- 2:0", f"+++ {reference}"]
    assert f"+{PROMPT} {ADDITIONS['ledger']}" in document["prompt_diff"]
    text = program("diff", "2:0", reference).out
    assert text.startswith(f"From 2:0 to {reference} alignment changes by +0.35 (95 % interval ")
    assert "7 verdicts differ." in text
    assert "broken: f20 (experts 1): 1 -> 0" in text


def test_the_difference_of_two_runs_on_one_set(program, two_runs):
    document = program("diff", 1, 2, "--json").json
    assert document["results"][0]["alignment"]["value"] == pytest.approx(0.4002, abs=0.0001)
    assert document["results"][1]["alignment"]["value"] == pytest.approx(1.0)
    assert len(document["changed"]) == 10
    same = program("diff", "1", "2:0")
    assert "(the prompts are the same)" in same.out
    assert "0 verdicts differ." in same.out


def test_different_sets_are_not_compared_item_by_item(program, two_runs):
    write_pages(Path("fewer.csv"), [*FAITHFUL[:10], *UNFAITHFUL])
    program("baseline", "fewer.csv", "--judge", "openai:gpt-4.1", "--prompt", "prompt.txt")
    document = program("diff", 1, 3, "--json").json
    assert (document["comparison"], document["changed"]) == (None, None)
    assert program("diff", 1, 3).out.startswith("Different sets, not comparable item by item: 1:0 0.40")


def test_different_dimensions_are_not_compared(program, two_runs):
    other = ("--dimension", "relevance", "--column", "dimension=kind")
    text = Path("pages.csv").read_text().splitlines()
    Path("kind.csv").write_text("\n".join([text[0] + ",kind", *(line + ",relevance" for line in text[1:])]))
    program("baseline", "kind.csv", "--judge", "openai:gpt-4.1", "--prompt", "prompt.txt", *other)
    assert "only prompts for one dimension can be compared" in program("diff", 1, 3, code=2).error


def load(path):
    spec = importlib.util.spec_from_file_location("exported_by_the_program", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_exported_module_makes_the_request_that_was_sent(program, pages, server):
    program(*OPTIMIZE)
    outcome = program("export", 1, "--to", "python", "-o", "judge.py", "--json")
    assert outcome.json["path"] == "judge.py"
    module = load("judge.py")
    sent = {call.user: call for call in server.calls if call.system.startswith(WINNER)}
    assert len(sent) == 30
    with Path("pages.csv").open(newline="") as stream:
        for row in csv.DictReader(stream):
            message = module.render({name: row[name] for name in ("question", "context", "answer")})
            call = sent[message["user"]]
            assert message["system"] == call.system
            assert call.schema == module.SCHEMA
            assert (call.body["temperature"], call.body["max_tokens"]) == (module.TEMPERATURE, module.MAX_TOKENS)
            assert module.parse(verdict(judge_label(call.system, row["id"]))).label == row["label"]
    assert module.MODEL == "openai:gpt-4.1"


def test_an_exported_text_is_the_prompt(program, two_runs):
    assert program("export", 2).out == f"{WINNER}\n"
    assert program("export", "2:0").out == f"{PROMPT}\n"
    outcome = program("export", 2, "-o", "winner.txt")
    assert f"Prompt 2:{number_of(program, 1.0)} as text, written to winner.txt." in outcome.out
    assert Path("winner.txt").read_text() in (WINNER, f"{WINNER}\n")
    # It is a prompt file like any other: nothing has to be paid for again.
    again = program("baseline", "pages.csv", "--judge", "openai:gpt-4.1", "--prompt", "winner.txt", "--json").json
    assert again["results"][0]["alignment"]["value"] == pytest.approx(1.0)
    assert not two_runs.calls


def test_an_exported_bundle(program, two_runs):
    from calibrate.export import read_bundle

    bundle = json.loads(program("export", 2, "--to", "json").out)
    assert bundle["prompt"]["text"] == WINNER
    assert bundle["metrics"]["alignment"]["value"] == pytest.approx(1.0)
    assert bundle["provenance"]["run"] == f"2:{number_of(program, 1.0)}"
    assert bundle["provenance"]["sentence"].startswith("Better on these 30 items, not tested on unseen ones")
    program("export", 2, "--to", "json", "-o", "judge.json")
    assert read_bundle(Path("judge.json").read_text()).prompt.text == WINNER


def test_an_export_that_cannot_be(program, two_runs):
    assert "text, json" in program("export", 2, "--to", "yaml", code=2).error
    assert "nowhere/judge.py" in program("export", 2, "--to", "python", "-o", "nowhere/judge.py", code=2).error
    Path("house_runs.py").write_text("def judge(item):\n    return 1\n")
    program("baseline", "pages.csv", "--judge", "py:house_runs:judge")
    assert "no prompt to export" in program("export", 3, code=2).error


def test_a_run_shows_twenty_differences_and_says_how_to_see_the_others(program, server, world, pages):
    world.judge = lambda prompt, page: "0" if page.startswith("f") else "1"
    program(*BASELINE)
    text = program("show", 1).out
    assert "Judge and experts differ on 30 of 30 items:" in text
    assert len(re.findall(r"^  [fu]\d\d: experts", text, re.MULTILINE)) == 20
    assert "\n  and 10 more; all of them: calibrate disagreements 1:0 -o review.csv, or --json\n" in text
    program("disagreements", "1:0", "-o", "review.csv")
    assert len(Path("review.csv").read_text().splitlines()) == 31


def test_the_list_marks_runs_with_charges_of_unknown_amount(program, server, world, pages, no_waiting):
    program(*BASELINE)
    assert "charges of unknown amount" not in program("runs").out
    world.special = {page: Reply(drop=True) for page in UNFAITHFUL}
    Path("other.txt").write_text("Decide.")
    program("baseline", "pages.csv", "--judge", "openai:gpt-4.1", "--prompt", "other.txt", code=None)
    first, second, said = program("runs").out.splitlines()[2:]
    assert re.search(r"\$0\.\d+$", first.rstrip())
    assert second.rstrip().endswith(" +")
    assert said.startswith("+: and charges of unknown amount")


def test_disagreements_are_a_table_to_fill_in(program, two_runs):
    reference = better(program)
    outcome = program("disagreements", reference, "-o", "review.csv")
    assert "Judge and experts differ on 5 of 30 items" in outcome.out
    assert "changed their mind, then: calibrate golden merge pages.csv review.csv\nNote: " in outcome.out
    assert program("disagreements", reference, "-o", "notes.jsonl", "--json").json["notes"] == [
        "this judge (prompt and model) was never calibrated on faithfulness."
    ]
    with Path("review.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["id"] for row in rows] == ["f20", "f21", "u01", "u02", "u03"]
    assert rows[2] == {
        "id": "u01",
        "dimension": "faithfulness",
        "question": "What is on page u01?",
        "context": "Text of u01.",
        "answer": "Answer of page u01.",
        "label": "0",
        "judge_label": "1",
        "judge_reasoning": "as the prompt says",
        "expert_note": "",
        "label_new": "",
        "note": "",
    }
    document = program("disagreements", reference, "-o", "review.jsonl", "--json").json
    assert (document["path"], document["rows"]) == ("review.jsonl", 5)
    assert [json.loads(line)["id"] for line in Path("review.jsonl").read_text().splitlines()] == [
        row["id"] for row in rows
    ]
    assert "review.txt" in program("disagreements", 2, "-o", "review.txt", code=2).error


def test_disagreements_hold_no_formula(program, pages, server):
    text = Path("pages.csv").read_text().replace("Answer of page u01.", "=HYPERLINK(1) page u01.")
    Path("pages.csv").write_text(text)
    program(*BASELINE)
    program("disagreements", 1, "-o", "review.csv")
    assert ",'=HYPERLINK(1) page u01." in Path("review.csv").read_text()


def test_a_run_that_is_going_on_is_shown_as_far_as_it_is(program, pages, server, world):
    server._replies = lambda call: error(401) if "<request" in call.user else world(call)
    program(*OPTIMIZE, code=3)
    document = program("show", 1, "--json").json
    assert (document["run_status"], document["stopped"]) == ("failed", "failed")
    assert [each["role"] for each in document["results"]] == ["baseline", "winner"]
    server._replies = lambda call: Reply("no") if "<request" in call.user else world(call)
    program(*OPTIMIZE)
    assert program("show", 1, "--json").json["stopped"] == "stalled"


@pytest.mark.slow
def test_a_run_by_slices(program, server, tmp_path):
    rows = (write_pages(tmp_path / "pages.csv").read_text()).splitlines()
    sliced = [f"{row},{'product' if not at else 'east' if at % 3 else 'west'}" for at, row in enumerate(rows)]
    (tmp_path / "pages.csv").write_text("\n".join(sliced))
    (tmp_path / "prompt.txt").write_text(PROMPT)
    program(*OPTIMIZE)
    document = program("show", 1, "--by", "product", "--json").json
    baseline, winner, *slices = document["results"]
    assert (baseline["slice"], winner["slice"]) == (None, None)
    assert {each["slice"]: each["n"] for each in slices} == {"product=east": 20, "product=west": 10}
    assert all(each["alignment"]["value"] == pytest.approx(1.0) for each in slices)
    generic = program("show", "1:0", "--by", "product", "--json").json["results"]
    assert sum(each["confusion"]["matrix"][0][1] for each in generic[1:]) == generic[0]["confusion"]["matrix"][0][1]
    text = program("show", 1, "--by", "product").out
    assert "product=west" in text
    assert "10 (few)" in text
    assert "it has product" in program("show", 1, "--by", "region", code=2).error
