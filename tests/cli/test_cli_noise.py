"""The judge's own variation, measured by fresh runs; votes and both orders of a pair."""

import json
from pathlib import Path

import pytest

NOISY = """
import itertools
counts = itertools.count()

def steady(item):
    return item["inputs"]["answer"][-1]

def flips_one(item):
    # Says the wrong thing about item q3 in every other call about it.
    right = item["inputs"]["answer"][-1]
    if item["id"] != "q3":
        return right
    return right if next(counts) % 2 else str(1 - int(right))

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
    assert "1 of 12 items change their verdict" in text.splitlines()[0]
    assert "q3" in text


def test_a_steady_judge_has_the_noise_of_one_flip_at_least(program, here):
    (noise,) = program("noise", "items.jsonl", "--judge", "py:noisy:steady", "--runs", 2, "--json").json["noise"]
    assert noise["flips"] == []
    assert noise["flip_rate"]["value"] == 0.0
    assert noise["resolution"]["value"] >= noise["one_flip"]["value"] > 0


def test_a_noise_run_can_be_listed_and_shown(program, here):
    program("noise", "items.jsonl", "--judge", "py:noisy:steady", "--runs", 2)
    (run,) = program("runs", "--json").json["runs"]
    assert (run["kind"], run["status"], run["candidates"]) == ("noise", "done", 1)
    assert program("show", 1, "--json").json["results"][0]["alignment"]["value"] == 1.0


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
