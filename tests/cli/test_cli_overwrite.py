"""``disagreements -o`` and ``export -o``: what is there stays, unless it is asked for and nobody needs it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

COMMANDS = [("disagreements", 1), ("export", 1)]


@pytest.fixture
def judged(program, pages, server):
    """A run of a baseline, in runs.db."""
    program("baseline", pages, "--judge", "openai:gpt-4.1", "--prompt", "prompt.txt")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_is_there_is_replaced_with_overwrite_only(program, judged, command):
    Path("review.csv").write_text("two hours of an expert's work")
    outcome = program(*command, "-o", "review.csv", code=2)
    assert (outcome.out, outcome.error.strip()) == (
        "",
        "review.csv: exists already; give another name, or replace it with --overwrite",
    )
    assert Path("review.csv").read_text() == "two hours of an expert's work"
    program(*command, "-o", "review.csv", "--overwrite")
    assert "expert's work" not in Path("review.csv").read_text()


def test_the_golden_set_and_the_database_are_never_replaced(program, pages, server):
    """Whatever the database is called."""
    judge = ("--judge", "openai:gpt-4.1", "--prompt", "prompt.txt", "--db", "database.csv")
    program("baseline", pages, *judge)
    before = Path("pages.csv").read_bytes()
    for command, output in (
        *((command, output) for command in COMMANDS for output in ("pages.csv", "database.csv")),
        (("export", 1), "database.csv-wal"),
    ):
        for options in ((), ("--overwrite",)):
            outcome = program(*command, "-o", output, *options, "--db", "database.csv", code=2)
            assert "in use here and never overwritten; give another name" in outcome.error, (command, output, options)
            assert Path("pages.csv").read_bytes() == before
            assert "1" in program("runs", "--db", "database.csv").out


@pytest.mark.slow
def test_a_copy_with_the_same_content_is_the_golden_set_too(program, pages, server):
    """A calibration of a copy of a set that the database knows: neither of the two files is replaced."""
    judge = ("--judge", "openai:gpt-4.1", "--prompt", "prompt.txt", "--optimizer", "openai:gpt-5")
    Path("copies").mkdir()
    Path("copies/pages.csv").write_bytes(Path("pages.csv").read_bytes())
    program("baseline", "pages.csv", *judge[:4])
    program("optimize", "copies/pages.csv", *judge)
    for name in ("pages.csv", "copies/pages.csv"):
        assert "never overwritten" in program("export", 2, "-o", name, "--overwrite", code=2).error


def test_from_another_folder_the_golden_set_and_its_card_are_still_in_use(program, pages, server, monkeypatch):
    Path("set").mkdir()
    Path("set/pages.csv").write_bytes(Path("pages.csv").read_bytes())
    Path("set/card.toml").write_text('name = "pages"\n')
    program("baseline", "set", "--judge", "openai:gpt-4.1", "--prompt", "prompt.txt")
    Path("elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    for output in ("../set/pages.csv", "../set/card.toml"):
        for command in (("export", 1), ("card", 1), ("report", 1)):
            outcome = program(*command, "-o", output, "--overwrite", "--db", "../runs.db", code=2)
            assert "in use here and never overwritten" in outcome.error, (command, output)
    assert Path("../set/card.toml").read_text() == 'name = "pages"\n'


def test_an_expert_label_is_no_input_of_the_judge(program, pages, server):
    outcome = program(
        *("baseline", pages, "--judge", "openai:gpt-4.1", "--prompt", "prompt.txt", "--inputs", "answer,label"), code=2
    )
    assert "column 'label' holds the gold labels, which a judge must not see" in outcome.error
    assert not server.calls


def test_new_labels_taken_in_twice_make_one_version(program, judged):
    program("disagreements", 1, "-o", "review.csv")
    with Path("review.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    rows[0]["label_new"] = rows[0]["judge_label"]
    Path("review.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert program("golden", "merge", "pages.csv", "review.jsonl", "--json").json["path"] == "pages.v2.csv"
    again = program("golden", "merge", "pages.csv", "review.jsonl", "--json").json
    assert (again["path"], again["labels"]) == ("pages.v2.csv", [])
    assert again["messages"] == ["pages.v2.csv holds these labels and notes already, so no new version was written"]
    assert not Path("pages.v3.csv").exists()
