"""The judge's own variation, measured by fresh runs; votes and both orders of a pair."""

import json
import time
from pathlib import Path

import pytest
from program import start

import calibrate
from calibrate.errors import InputError
from calibrate.store import Store

NOISY = """
import itertools
import os
counts = itertools.count()

def steady(item):
    return item["inputs"]["answer"][-1]

def flips_one(item):
    # Says the wrong thing about item q3 in every other call about it.
    right = item["inputs"]["answer"][-1]
    if item["id"] != "q3":
        return right
    return right if next(counts) % 2 else str(1 - int(right))

def turns(item):
    # Right until there is a file of that name, then wrong.
    right = item["inputs"]["answer"][-1]
    return str(1 - int(right)) if os.path.exists("turned") else right

def first(item):
    return "A"

def longer(item):
    return "A" if len(item["inputs"]["answer_a"]) > len(item["inputs"]["answer_b"]) else "B"
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("noisy.py").write_text(NOISY)
    rows = [{"id": f"q{n}", "answer": f"text {n} {n % 2}", "label": str(n % 2)} for n in range(12)]
    Path("items.jsonl").write_text("\n".join(map(json.dumps, rows)))
    pairs = [
        {"id": f"p{n}", "answer_a": "x" * (n + 1), "answer_b": "y" * (12 - n), "label": "A" if n > 5 else "B"}
        for n in range(12)
    ]
    Path("pairs.jsonl").write_text("\n".join(map(json.dumps, pairs)))
    return tmp_path


def test_items_that_flip_are_named_and_everything_is_asked_anew(program, here):
    first = program("noise", "items.jsonl", "--judge", "py:noisy:flips_one", "--runs", 4, "--json").json
    (noise,) = first["noise"]
    assert [(flip["id"], flip["labels"]) for flip in noise["flips"]] == [("q3", {"0": 2, "1": 2})]
    assert noise["spent"]["calls"] == 48
    again = program("noise", "items.jsonl", "--judge", "py:noisy:flips_one", "--runs", 4, "--json").json
    assert again["noise"][0]["run"] == noise["run"] + 1
    assert again["noise"][0]["spent"]["calls"] == 48
    text = program("noise", "items.jsonl", "--judge", "py:noisy:flips_one", "--runs", 4).out
    assert "1 of 12 items changes its verdict" in text.splitlines()[0]
    assert "q3" in text


def test_a_steady_judge_has_the_noise_of_one_flip_at_least(program, here):
    (noise,) = program("noise", "items.jsonl", "--judge", "py:noisy:steady", "--runs", 2, "--json").json["noise"]
    assert noise["flips"] == []
    assert noise["flip_rate"]["value"] == 0.0
    assert noise["resolution"]["value"] >= noise["one_flip"]["value"] > 0
    assert noise["sentence"] == (
        "py:noisy:steady on quality: no verdict changed in 2 runs on 12 items; so few runs cannot rule out differences "
        f"in alignment up to {noise['resolution']['value']:.2f}."
    )


def test_a_noise_run_changes_no_other_run(program, here):
    baseline = ("baseline", "items.jsonl", "--judge", "py:noisy:turns", "--json")
    before = program(*baseline).json
    Path("turned").touch()
    (noise,) = program("noise", "items.jsonl", "--judge", "py:noisy:turns", "--runs", 2, "--json").json["noise"]
    assert before["results"][0]["alignment"]["value"] == 1.0
    assert all(each["value"] < 0 for each in noise["alignment"])
    after = program(*baseline).json
    assert after["results"] == before["results"]
    assert after["runs"][0]["paid_calls"] == 0


@pytest.mark.slow
def test_no_noise_run_replays_another_one_whatever_the_votes(program, here):
    asked = ("noise", "items.jsonl", "--judge", "py:noisy:steady", "--runs", 2, "--json")
    spent = [
        program(*asked, *votes).json["noise"][0]["spent"]["calls"]
        for votes in (("--votes", 3), (), (), ("--votes", 2), ("--votes", 3), ())
    ]
    assert spent == [72, 24, 24, 48, 72, 24]


def test_noise_is_always_fresh_and_takes_no_option_for_it(program, here):
    assert "--fresh" in program("noise", "items.jsonl", "--judge", "py:noisy:steady", "--fresh", code=2).err
    with pytest.raises(InputError, match="leave --fresh out"):
        calibrate.noise("items.jsonl", "py:noisy:steady", fresh=True)
    with pytest.raises(InputError, match="10,000 times about an item"):
        calibrate.noise("items.jsonl", "py:noisy:steady", runs=5_000, votes=2)


def test_a_budget_holds_over_all_parts_of_a_noise_run_and_a_larger_one_goes_on(program, pages, server):
    judge = ("--judge", "openai:gpt-4.1", "--prompt", "prompt.txt", "--max-tokens", 100, "--concurrency", 4)
    asked = ("noise", pages, *judge, "--runs", 3)
    ended = program(*asked, "--budget", 0.02, code=3)
    assert "note: run 1: the same command with a larger --budget goes on; it keeps what was judged" in ended.err
    assert 0.012 < server.charged <= 0.02
    program(*asked, "--budget", 0.02, code=3)
    assert server.charged <= 0.02
    told = program(*asked, "--dry-run", "--json").json["estimate"]
    stored = sum(work["stored"] for work in told["work"])
    assert (stored, told["calls"]) == (len(server.calls), 90 - len(server.calls))
    ended = program(*asked, "--budget", 5, "--json")
    assert "note: run 1 goes on; the replies that it has are replayed" in ended.err
    (noise,) = ended.json["noise"]
    assert (noise["run"], noise["spent"]["calls"], len(server.calls)) == (1, 90, 90)
    (noise,) = program(*asked, "--json").json["noise"]
    assert (noise["run"], noise["spent"]["calls"], len(server.calls)) == (2, 90, 180)


def test_dimensions_that_an_interrupted_command_had_finished_are_not_paid_for_again(program, here):
    rows = [
        {"id": f"q{n}", "dimension": name, "answer": f"text {n} {n % 2}", "label": str(n % 2)}
        for name in ("clear", "right")
        for n in range(12)
    ]
    Path("both.jsonl").write_text("\n".join(map(json.dumps, rows)))
    asked = ("noise", "both.jsonl", "--judge", "py:noisy:steady", "--runs", 2, "--json")
    first = program(*asked).json
    assert [each["run"] for each in first["noise"]] == [1, 2]
    with Store("runs.db") as store:
        store.finish_run(2, "interrupted")
    assert program(*asked, "--dry-run").json["estimate"]["calls"] == 0
    again = program(*asked).json
    assert again["noise"] == first["noise"]
    assert [each["run"] for each in program(*asked).json["noise"]] == [3, 4]
    with Store("runs.db") as store:
        store.finish_run(3, "interrupted")  # and the later one is of another command
    assert [each["run"] for each in program(*asked).json["noise"]] == [3, 5]
    program(*asked, "--dimension", "clear")
    with Store("runs.db") as store:
        store.finish_run(6, "interrupted")  # and the later one is older
    assert [each["run"] for each in program(*asked).json["noise"]] == [6, 7]


@pytest.mark.slow
def test_two_noise_commands_at_once_do_not_pay_twice(program, pages, server, tmp_path):
    asked = ("noise", pages, "--judge", "openai:gpt-4.1", "--prompt", "prompt.txt", "--runs", 2, "--concurrency", 8)
    server._latency = 0.4  # long enough for the second to come while the first is at work
    address = {"OPENAI_BASE_URL": server.openai_url, "OPENAI_API_KEY": "sk-any"}
    with start((*asked, "--json"), tmp_path, address) as process:
        deadline = time.monotonic() + 60
        while not server.calls:
            assert time.monotonic() < deadline, "it asked nothing"
            time.sleep(0.01)
        refused = program(*asked, code=2)
        assert refused.error == f"run 1 is being measured by another process (pid {process.pid}); wait for it"
        out, _ = process.communicate(timeout=60)
        assert json.loads(out)["noise"][0]["spent"]["calls"] == len(server.calls) == 60


def test_a_noise_run_can_be_listed_and_shown(program, here):
    program("noise", "items.jsonl", "--judge", "py:noisy:steady", "--runs", 2)
    (run,) = program("runs", "--json").json["runs"]
    assert (run["kind"], run["status"], run["candidates"]) == ("noise", "done", 1)
    assert program("show", 1, "--json").json["results"][0]["alignment"]["value"] == 1.0


@pytest.mark.parametrize("judge", ["flips_one", "steady"])
def test_what_a_noise_run_found_is_shown_as_the_command_told_it(program, here, judge):
    asked = ("noise", "items.jsonl", "--judge", f"py:noisy:{judge}", "--runs", 4, "--seed", 7)
    told = program(*asked, "--json").json["noise"]
    shown = program("show", 1, "--json").json
    assert shown["noise"] == told
    assert shown["sentence"].startswith(f"{told[0]['sentence']} In the first run py:noisy:{judge} on quality agrees")
    assert "noise" not in program("show", "1:0", "--json").json
    said, again = program(*asked).out.splitlines(), program("show", 2).out.splitlines()
    assert set(said[1:]) <= set(again)
    assert len(said) > 4


def test_the_checklist_of_a_noise_run_has_its_seed_and_its_prices(program, pages, server):
    program("noise", pages, "--judge", "openai:gpt-4.1", "--prompt", "prompt.txt", "--runs", 2, "--seed", 7)
    checklist = program("show", 1, "--json").json["checklist"]
    assert checklist["seed"]["value"] == 7
    assert checklist["prices"]["value"]["input"] is not None
    assert checklist["unseen_items"]["value"] is False


def test_a_dry_run_of_noise_asks_nothing(program, here):
    told = program("noise", "items.jsonl", "--judge", "py:noisy:steady", "--runs", 3, "--dry-run", "--json").json
    assert told["estimate"]["calls"] == 36
    assert not Path("runs.db").exists()


def test_one_run_shows_no_variation(program, here):
    assert "--runs" in program("noise", "items.jsonl", "--judge", "py:noisy:steady", "--runs", 1, code=2).error


def test_votes_mend_a_judge_that_flips_and_a_third_one_is_taken_only_where_two_differ(program, here):
    judge = ("baseline", "items.jsonl", "--judge", "py:noisy:flips_one")
    document = program(*judge, "--votes", 3, "--adaptive", "--json").json
    assert document["runs"][0]["paid_calls"] == 12 + 12 + 1
    assert document["results"][0]["scored"] == 12
    replayed = program(*judge, "--votes", 3, "--adaptive", "--json").json
    assert replayed["runs"][0]["paid_calls"] == 0
    assert replayed["results"] == document["results"]
    assert "--votes 3" in program(*judge, "--adaptive", code=2).error


def test_a_judge_that_follows_the_position_decides_nothing_in_both_orders(program, here):
    judge = ("baseline", "pairs.jsonl", "--scale", "pairwise", "--labels", "A,B", "--both-orders")
    document = program(*judge, "--judge", "py:noisy:first", "--json", code=1).json
    assert document["results"][0]["unscored"]["abstained"] == 12
    assert document["runs"][0]["paid_calls"] == 24
    document = program(*judge, "--judge", "py:noisy:longer", "--json").json
    assert document["results"][0]["metrics"]["accuracy"]["value"] == 1.0


def test_both_orders_need_a_pair(program, here):
    asked = program("baseline", "items.jsonl", "--judge", "py:noisy:steady", "--both-orders", code=2)
    assert "--both-orders is for pairs" in asked.error
