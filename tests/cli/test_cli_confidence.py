"""Confidence in the report: of a decisions judge, of tokens, and of recorded verdicts."""

import csv
import json
import math
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from loopback import Reply
from program import PAGES, PROMPT, judge_label, verdict

DECISIONS = ("--judge", "openai-decisions:gpt-6-luna", "--prompt", "prompt.txt")
SURE, UNSURE = 0.9, 0.6


def decided(prompt, page):
    """What the endpoint is told to answer: sure of the faithful pages, unsure of the others."""
    return json.dumps({"label": judge_label(prompt, page), "confidence": SURE if page[0] == "f" else UNSURE})


@pytest.fixture
def decisions(world):
    world.special = {page: Reply(decided(PROMPT, page)) for page in PAGES}


def write(name, columns, rows):
    with Path(name).open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([columns, *rows])
    return name


@pytest.mark.usefixtures("decisions")
def test_a_decisions_judge_is_measured_with_its_probabilities(program, pages, server):
    document = program("baseline", pages, *DECISIONS, "--json").json
    (entry,) = document["results"]
    assert entry["alignment"]["value"] == pytest.approx(0.4002, abs=0.0001)
    told = entry["confidence"]
    assert (told["n"], told["without_confidence"], told["unscored"]) == (30, 0, 0)
    # 20 of 21 right at 0.9, 0 of 9 right at 0.6.
    assert told["brier"]["value"] == pytest.approx((20 * 0.01 + 0.81 + 9 * 0.36) / 30)
    assert told["ece"]["value"] == pytest.approx((abs(20 - 21 * 0.9) + 9 * 0.6) / 30)
    assert (told["ece"]["bins"], told["ece"]["by_chance"]) == (2, pytest.approx(0.1, abs=0.1))
    assert [(each["n"], each["confidence"]) for each in told["reliability"]] == [
        (9, pytest.approx(UNSURE)),
        (21, pytest.approx(SURE)),
    ]
    assert {call.api for call in server.calls} == {"decisions"}
    with closing(sqlite3.connect("runs.db")) as stored:
        assert stored.execute("select count(*), sum(confidence) from verdicts").fetchone() == (
            30,
            pytest.approx(21 * SURE + 9 * UNSURE),
        )
    card = program("card", 1, "--json").json["card"]["figures"]
    assert (card["brier"]["value"], card["reliability_02"]["value"]) == (told["brier"], told["reliability"][1])
    page = program("report", 1, "--format", "md").out
    assert f"Brier score: {told['brier']['value']:.2f}" in page
    assert "| 0.900 | 21 | 0.900 | 0.952" in page
    shown = program("show", document["runs"][0]["run"], "--json").json
    assert shown["results"][0]["confidence"] == told
    assert shown["verdicts"]["f01"] == {"label": "1", "reasoning": "", "confidence": SURE}


@pytest.mark.usefixtures("decisions")
def test_the_report_says_it_in_a_line_and_a_table(program, pages, server):
    for outcome in (program("baseline", pages, *DECISIONS), program("show", 1)):
        (line,) = [each for each in outcome.out.splitlines() if each.startswith("Confidence:")]
        assert line.startswith("Confidence: Brier score 0.142 [")
        assert "ECE 0.217 (up to 0." in line
        assert line.endswith("by chance alone) in 2 bins of equal mass, n = 30.")
        rows = [each.split() for each in outcome.out.splitlines()]
        assert ["0.600", "9", "0.600", "0.000", "[0.00,", "0.30]"] in rows
        assert ["0.900", "21", "0.900", "0.952", "[0.77,", "0.99]"] in rows


@pytest.mark.slow
def test_a_decisions_judge_is_calibrated_like_any_other(program, pages, server):
    optimize = ("optimize", pages, *DECISIONS, "--optimizer", "openai:gpt-4.1", "--json")
    document = program(*optimize).json
    before, after = document["results"]
    assert after["alignment"]["value"] == pytest.approx(1.0)
    # The server's probability where nothing else is said, of labels that all are right.
    assert after["confidence"]["brier"]["value"] == pytest.approx(0.0625)
    assert before["confidence"]["right"]["value"] == pytest.approx(20 / 30)
    assert {call.api for call in server.calls} == {"decisions", "openai"}


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("baseline", *DECISIONS, "--parse", "label=(.)"), "without --parse"),
        (("baseline", *DECISIONS, "--scale", "interval", "--threshold", "0.5"), "gives no scores"),
        (
            ("optimize", "--judge", "sim:reader", "--optimizer", "openai-decisions:gpt-6-luna"),
            "another model as --optimizer",
        ),
    ],
)
def test_what_decisions_cannot_do_is_refused_before_anything_is_asked(program, pages, server, command, said):
    verb, *arguments = command
    assert said in program(verb, pages, *arguments, code=2).error
    assert server.requests == 0
    assert not Path("runs.db").exists()


def test_a_budget_knows_what_decisions_cost(program, pages, server):
    document = program("baseline", pages, *DECISIONS, "--budget", "1", "--json").json
    assert document["runs"][0]["cost"] > 0


def test_the_tokens_of_a_label_are_a_confidence_when_it_is_asked_for(program, pages, server, world):
    def with_tokens(page):
        text = verdict(judge_label(PROMPT, page))
        # The last three characters are the label's, its quotation mark's and the brace's.
        tokens = [(text[:-3], 0.0), (text[-3:-2], math.log(0.8)), (text[-2:], 0.0)]
        return Reply(text, logprobs=[{"token": token, "bytes": None, "logprob": each} for token, each in tokens])

    world.special = {page: with_tokens(page) for page in PAGES}
    judge = ("baseline", pages, "--judge", "openai:gpt-4.1", "--prompt", "prompt.txt", "--json")
    (without,) = program(*judge).json["results"]
    assert "confidence" not in without
    assert not any("logprobs" in call.body for call in server.calls)
    (entry,) = program(*judge, "--confidence").json["results"]
    assert (entry["confidence"]["n"], entry["confidence"]["mean"]) == (30, pytest.approx(0.8))
    assert all(call.body["logprobs"] for call in server.calls[30:])
    # It is another judge with replies of its own; the first one's are still there.
    assert len(server.calls) == 60
    program(*judge)
    program(*judge, "--confidence")
    assert len(server.calls) == 60


def test_a_judge_that_tells_no_confidence_is_said_to(program, pages, server):
    outcome = program("baseline", pages, "--judge", "openai:gpt-4.1", "--prompt", "prompt.txt", "--confidence")
    assert "openai:gpt-4.1 tells no confidence" in outcome.err
    assert "Confidence:" not in outcome.out


def test_recorded_confidence_is_reported(program):
    rows = [("1", "1", 0.75), ("1", "1", 0.75), ("0", "1", 0.75), ("0", "0", 0.5), ("1", "0", ""), ("0", "", 0.9)]
    file = write("v.csv", ["human", "verdict", "sureness"], rows)
    score = ("score", file, "--confidence-column", "sureness", "--max-unscored", "1")
    (entry,) = program(*score, "--json").json["results"]
    told = entry["confidence"]
    assert (told["n"], told["without_confidence"], told["unscored"]) == (4, 1, 1)
    assert told["brier"]["value"] == pytest.approx((2 * 0.0625 + 0.5625 + 0.25) / 4)
    text = program(*score).out
    assert "n = 4, 1 without one, 1 without a verdict." in text
    (entry,) = program("score", file, "--max-unscored", "1", "--json").json["results"]
    assert "confidence" not in entry


@pytest.mark.parametrize("cell", ["1.5", "-0.1", "85%", "high", "nan"])
def test_a_number_that_is_no_probability_is_refused_by_its_row(program, cell):
    file = write("v.csv", ["human", "judge", "sure"], [("1", "1", "0.5"), ("0", "0", cell)])
    error = program("score", file, "--confidence-column", "sure", code=2).error
    assert "row 2" in error
    assert "sure" in error
    assert "no probability from 0 to 1" in error


def test_each_judge_has_a_confidence_column_of_its_own(program):
    columns = ["human", "judge_a", "judge_a_confidence", "judge_b", "judge_b_confidence"]
    file = write("v.csv", columns, [("1", "1", "0.9", "1", "9"), ("0", "0", "0.8", "0", "8")] * 3)
    outcome = program("score", file, "--json")
    first, second = outcome.json["results"]
    assert (first["judge"], first["confidence"]["n"]) == ("judge_a", 6)
    # Found by its name only, and no probability: said, and left out.
    assert (second["judge"], "confidence" in second) == ("judge_b", False)
    assert "column 'judge_b_confidence' is no confidence, left out: row 1" in outcome.err
    error = program("score", file, "--confidence-column", "judge_a_confidence", code=2).error
    assert "one confidence column for several judges" in error


def test_a_confidence_column_that_is_not_there(program):
    file = write("v.csv", ["human", "judge"], [("1", "1"), ("0", "0")])
    assert "no column 'sure'" in program("score", file, "--confidence-column", "sure", code=2).error
