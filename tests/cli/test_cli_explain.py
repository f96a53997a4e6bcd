"""``calibrate explain``: how a winner came about, on a calibration of the simulator and on one worked by hand."""

import io
import re
import shutil
import sys

import pytest
from explained import PATTERNS, TRIED, save_run
from loopback import Loopback
from program import World, run_in

SIMULATED = "Simulated: this shows how the tool works and says nothing about any LLM."
_STYLE = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture(scope="module")
def searched(tmp_path_factory):
    """A folder in which run 1 is a baseline and run 2 a small calibration, of the simulator."""
    folder = tmp_path_factory.mktemp("searched")
    with Loopback(World()) as server:
        run_in(folder, server, "baseline", "support_faithfulness", "--judge", "sim:reader")
        run_in(
            *(folder, server, "optimize", "support_faithfulness", "--judge", "sim:reader", "--optimizer", "sim:writer"),
            *("--iterations", 2, "--noise-repeats", 0),
        )
    return folder


@pytest.fixture
def simulated(searched, tmp_path):
    shutil.copytree(searched, tmp_path, dirs_exist_ok=True)


@pytest.mark.slow
def test_a_calibration_of_the_simulator(program, simulated):
    shown = program("show", 2, "--json").json
    document = program("explain", 2, "--json").json
    assert (document["schema"], document["status"], document["run"]) == (1, "ok", 2)
    assert document["candidate"] == document["winner"] == shown["winner"]["number"]
    assert document["simulated"] is True
    assert document["lineage"], "the simulator finds a better prompt"
    assert document["sentence"].startswith(f"Run 2's winner (candidate {document['winner']}, alignment 0.")
    # The line leads from the baseline to the winner without a gap.
    line = document["lineage"]
    assert [each["parent"] for each in line] == [0, *(each["candidate"] for each in line[:-1])]
    assert line[-1]["candidate"] == document["winner"]
    tried = [each for each in shown["candidates"] if each["number"]]
    assert sum(each["tries"] for each in document["strategies"]) == len(tried)
    on_the_way = len(line) + len(document["side_lineage"])
    assert sum(each["rewrites"] for each in document["in_vain"]) == len(tried) - on_the_way


def test_what_an_edit_did_is_what_diff_finds(program, simulated):
    for edit in program("explain", 2, "--json").json["lineage"]:
        if edit["left_out"]:
            continue
        difference = program("diff", f"2:{edit['parent']}", f"2:{edit['candidate']}", "--json").json
        for effect in ("fixed", "broken"):
            assert edit[effect] == [each["id"] for each in difference["changed"] if each["effect"] == effect]
        assert edit["prompt_diff"] == difference["prompt_diff"]


def test_what_is_simulated_says_so(program, simulated):
    lines = program("explain", 2).out.splitlines()
    assert lines[0] == program("explain", 2, "--json").json["sentence"]
    assert lines[1] == SIMULATED
    assert any("cost of judging (made up)" in line for line in lines)


def test_what_is_no_calibration_is_one_line(program, simulated):
    outcome = program("explain", 1, code=2)
    assert outcome.out == ""
    assert outcome.err == (
        "error: run 1 is a baseline, no calibration: no winner to explain; `calibrate show 1` shows it\n"
    )
    assert program("explain", 1, "--json", code=2).json["status"] == "bad_input"


@pytest.fixture
def worked():
    """Run 1: the calibration that ``explained`` works by hand."""
    save_run("runs.db", iterations=PATTERNS)


def test_the_text(program, worked):
    shown = program("explain", 1).out
    assert shown.startswith("Run 1's winner (candidate 7, alignment 0.90) came from the baseline (0.20) in 4 edits")
    assert SIMULATED not in shown
    expected = """
Edits
  1: fix wrongly accepted of 0 (0.200), iteration 1: → 0.500; 17 → 35 characters
     fixed 2 items: i5, i6
     broke none
     quantities changed: 3 → 1
     names swapped: 1 → 1
  5: merge of 1 (0.500) and 2 (0.300), iteration 2: → 0.800; 35 → 48 characters
     fixed 1 item: i7
     broke none
     of 2 it fixed 3 items: i1, i5, i6; broke none
     quantities changed: 1 → 0
     names swapped: 1 → 1
  7: few-shot of 5 (0.800), iteration 3: → 0.900; 48 → 66 characters
     fixed none
     broke 1 item: i4
     not compared, without a verdict on one side: 1 item (1 shown as examples)
  In all: fixed 3 items: i5, i6, i7; broke 1 item: i4

What was merged in came from
  2: explicit rubric of 0 (0.200), iteration 1: → 0.300; 17 → 26 characters
     fixed 1 item: i7
     broke 1 item: i1
     quantities changed: 3 → 2
     names swapped: 1 → 2

Failure patterns: errors at candidates 0 → 1 → 5 → 7
  quantities changed: 3 → 1 → 0 → 0
     Numbers are not compared.
  names swapped: 1 → 1 → 1 → 0 (1 not judged)
     Names are not compared.

Tried in vain: 3 rewrites
"""
    assert expected in shown
    assert re.search(r"^fix wrongly accepted +1 +0\.500 +0 +0$", shown, re.M)
    assert re.search(r"^general improvement +1 +– +0 +1$", shown, re.M)
    assert "  rejected once: duplicate of the baseline\n" in shown
    assert "\nNo prompt got right: 1 item: i8\n" in shown
    assert re.search(r"^few-shot +1 +0 +0 +1 +0\.100 +\$0\.050$", shown, re.M)
    assert shown.index("fix wrongly accepted    ", shown.index("Strategies")) < shown.index("merge   ")  # equal gains
    assert re.search(r"^general improvement +1 +0 +1 +0 +0\.000 +unknown$", shown, re.M)
    assert "• scored   ◆ winner   ─ best so far   × rejected   ◌ stopped early\n" in shown


def test_the_texts_of_the_edits(program, worked):
    assert "+Check names." not in program("explain", 1).out
    shown = program("explain", 1, "--diff").out
    assert "     --- 1:1\n     +++ 1:5\n     @@ -1,2 +1,3 @@\n" in shown
    assert "     +Check names.\n" in shown


def test_one_candidate(program, worked):
    shown = program("explain", "1:6").out
    assert shown.startswith("Candidate 6 of run 1 (alignment 0.50) came from the baseline (0.20) in 2 edits")
    assert "; the winner is candidate 7 (0.90).\n" in shown.splitlines(keepends=True)[0]


def test_many_items_are_counted_and_ten_named(program):
    gold = "1" * 12 + "0"
    save_run("runs.db", [(TRIED[0][0], "0" * 13), (TRIED[1][0], "1" * 12 + "0")], gold=gold)
    shown = program("explain", 1).out
    assert "fixed 12 items: i1, i2, i3, i4, i5, i6, i7, i8, i9, i10 and 2 more (--json names them)\n" in shown
    assert len(program("explain", 1, "--json").json["change"]["fixed"]) == 12


def test_a_run_that_is_not_finished(program):
    save_run("runs.db", TRIED[:3], done=False)
    shown = program("explain", 1).out
    assert shown.startswith("Unfinished: run 1's best prompt so far (candidate 1, alignment 0.50) came from")
    assert "pattern" not in shown


def test_a_run_without_patterns_says_why(program):
    save_run("runs.db", TRIED[:3], {1: {"best": 0, "chosen": [], "patterns": [], "analysis": "the reply was empty"}})
    assert "\nNo failure patterns: the reply was empty\n" in program("explain", 1).out


def test_a_reference_that_leads_nowhere(program, worked):
    for arguments, said in (
        (("2",), "no run 2 here"),
        (("1:8",), "run 1 has no candidate 8"),
        (("1:3",), "candidate 3 of run 1 was not judged: duplicate of the baseline"),
        (("one",), "'one' names no run; use its number"),
        (("1:",), "names no run"),
        (("1", "--db", "nowhere.db"), "nowhere.db"),
    ):
        outcome = program("explain", *arguments, code=2)
        assert outcome.out == ""
        assert said in outcome.error, arguments
        assert outcome.err.count("\n") == 1


def test_without_a_run_it_is_wrong_usage(program):
    assert "see `calibrate explain --help`" in program("explain", code=2).error


@pytest.mark.parametrize("width", [40, 80])
def test_a_narrow_terminal(program, worked, monkeypatch, width):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", str(width))
    lines = [_STYLE.sub("", line).rstrip() for line in program("explain", 1).out.splitlines()]
    tables = [line for line in lines if re.search(r"\S  +\S", line)]
    drawn = [line for line in lines if re.search("[┤│└◆×◌]", line)]
    assert len(drawn) >= 12
    assert max(map(len, [*tables, *drawn])) <= width
    assert {word for line in tables for word in line.split()} >= {"strategy", "rewrites", "wins", "gain", "accepted"}


def test_a_console_of_few_characters(program, worked, monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    program("explain", 1)
    stream.flush()
    shown = stream.buffer.getvalue().decode("ascii")
    assert "quantities changed: 3 -> 1 -> 0 -> 0" in shown
    assert "o scored   # winner   - best so far   x rejected   / stopped early" in shown
    assert "\\u2" not in shown.replace("\\u2013", "")  # the dash of a figure that there is none of
