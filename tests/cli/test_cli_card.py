"""``calibrate card``: a page about a judge that says what its figures allow, and shows data without running it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from calibrate.errors import InputError
from calibrate.export.card import CardPrompt, Entry, JudgeCard, Section, write_card

JUDGE = ("--judge", "openai:gpt-4.1", "--prompt", "prompt.txt")
HOSTILE = "# <img src=x> | [a](http://evil.example) *b* `c`\n\n```\n$x$ www.evil.example"


def a_card(words: str = "words", prompt: str = "Judge.") -> JudgeCard:
    sections = (
        Section("judge", "The judge", (Entry("one", "Name", words), Entry("two", "", words))),
        Section("checklist", "Checklist", (Entry("three", "fact", words),), table=True),
    )
    shown = CardPrompt("d1", prompt, "calibrate export 1:0")
    return JudgeCard("set, dimension", "1:0", words, False, sections, shown, None)


def test_the_card_of_a_blind_judge_says_that_it_is_no_gate(program, pages, server):
    program("baseline", pages, *JUDGE)
    page = program("card", 1).out
    card = json.loads(program("card", "1:0", "--format", "json").out)
    codes = {each["value"] for each in card["use"].values() if isinstance(each["value"], str)}
    assert {"no", "blind", "never_calibrated", "below_acceptable", "below_constant"} <= codes
    assert {"agreement_unknown", "not_probed", "floating_alias"} <= codes
    assert "do not use it as a gate for '0'" in page
    assert card["figures"]["recall_of_0"]["value"]["value"] == 0.0
    assert card["figures"]["alignment"]["value"]["low"] is not None
    assert set(program("show", 1, "--json").json["checklist"]) == set(card["checklist"])
    assert card["prompt"]["first_lines"] == [Path("prompt.txt").read_text()]
    assert "not probed" in page
    assert "imulated" not in page


def test_the_first_lines_of_a_prompt_end_with_a_word():
    long = "supported " * 40
    ((line,), whole) = CardPrompt("d1", long.strip(), "calibrate export 1:0").first_lines
    assert not whole
    assert set(line.split()) == {"supported", "…"}
    assert len(line) <= 162


def test_files_dates_and_formats(program, pages, server):
    program("baseline", pages, *JUDGE)
    outcome = program("card", 1, "-o", "card.md", "--review-by", "2031-01-31", "--json").json
    assert outcome["text"] == Path("card.md").read_text()
    assert outcome["card"]["review_by"] == "2031-01-31"
    assert "exists already" in program("card", 1, "-o", "card.md", code=2).error
    program("card", 1, "-o", "card.md", "--overwrite")
    assert "never overwritten" in program("card", 1, "-o", pages, "--overwrite", code=2).error
    assert "year-month-day" in program("card", 1, "--review-by", "31.1.2031", code=2).error
    early = program("card", 1, "--review-by", "2001-01-31", code=2).error
    assert "field '--review-by': 2001-01-31 is before run 1 ended" in early
    assert len(early.strip().splitlines()) == 1
    assert "md, json" in program("card", 1, "--format", "html", code=2).error
    assert "no run 9" in program("card", 9, code=2).error


@pytest.mark.slow
def test_the_card_of_a_calibration_tells_failures_leanings_and_what_was_searched_on(program, pages, server):
    program("optimize", pages, *JUDGE, "--optimizer", "openai:gpt-5", "--iterations", 2)
    card = json.loads(program("card", 1, "--format", "json").out)
    assert "not_probed" in card["biases"]
    codes = {each["value"] for each in card["use"].values() if isinstance(each["value"], str)}
    assert "searched_items_only" in codes
    program("bias", 1, "--ask")
    probed = json.loads(program("card", 1, "--format", "json").out)
    assert probed["biases"]["run"]["value"] == 2
    assert any(key.startswith("probe_") for key in probed["biases"])
    assert not any(key.endswith("not_probed") for key in probed["use"])
    assert "calibrate card 1:" in program("card", 2, code=2).error
    other = json.loads(program("card", "1:0", "--format", "json").out)
    assert "not_probed" in other["biases"], "another prompt is another judge"
    assert any(key.startswith("pattern_") for key in other["failures"])


@pytest.mark.slow
def test_the_card_of_a_noise_run_and_of_a_simulated_judge(program, pages):
    program("noise", pages, "--judge", "sim:reader", "--prompt", "prompt.txt", "--runs", 2)
    page = program("card", 1).out
    assert "**Simulated:" in page
    assert "made-up prices" in page
    assert page == program("card", 1).out


def test_data_is_shown_and_does_nothing_else():
    page = write_card(a_card(HOSTILE), "md")
    lines = page.splitlines()
    headings = [line for line in lines if line.startswith("#")]
    assert headings == ["# Judge card: set, dimension", "## The judge", "## Checklist"]
    assert lines[2].startswith("\\# \\<img")
    assert "\\[a\\](http\\://evil" in page
    assert "www\\.evil" in page
    table = [line for line in lines if line.startswith("|")]
    assert [line.replace("\\|", "").count("|") for line in table] == [3, 3, 3]


@pytest.mark.parametrize("start", ["- a", "1. a", "+ a", "===", "12) a"])
def test_a_sentence_that_begins_like_a_block_is_a_sentence(start):
    line = write_card(a_card(start), "md").splitlines()[2]
    assert line.replace("\\", "", 1) == start
    assert line != start


def test_a_prompt_cannot_close_its_block_and_a_long_one_is_cut():
    lines = write_card(a_card(prompt="Judge.\n````\n# Approved\n" + "more\n" * 50), "md").splitlines()
    opened, closed = (at for at, line in enumerate(lines) if line.startswith("`````"))
    inside = lines[opened + 1 : closed]
    assert "# Approved" in inside
    assert len(inside) == 12
    assert "`calibrate export 1:0`" in lines[closed + 2]


def test_an_unknown_format_is_refused():
    with pytest.raises(InputError, match="md, json"):
        write_card(a_card(), "yaml")
