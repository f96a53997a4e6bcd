"""Raters, and whether a judge was ever calibrated, in every report."""

from pathlib import Path

import pytest
from program import ADDITIONS, PAGES

PERFECT = " ".join(["Decide.", ADDITIONS["ledger"], ADDITIONS["roster"], ADDITIONS["mercy"]])
NEVER = "This judge (prompt and model) was never calibrated on faithfulness."
UNKNOWN = "not known whether they were ever calibrated"


def label(page, *wrong):
    return str(int(page.startswith("f")) ^ (page in wrong))


@pytest.fixture
def rated():
    """Three raters of whom two err once each; gold is their majority, which is what the pages' names say."""
    lines = ["id,context,answer,rater_ana,rater_ben,rater_cy"]
    lines += [
        f"{page},Text of {page}.,Answer of page {page}.,{label(page)},{label(page, 'f01')},{label(page, 'u01')}"
        for page in PAGES
    ]
    Path("rated.csv").write_text("\n".join(lines))
    return "rated.csv"


def people(outcome):
    return outcome.json["results"][0]["people"]


def test_a_baseline_stands_beside_its_raters(program, rated, server):
    asked = ("baseline", rated, "--judge", "openai:gpt-4.1")
    found = people(program(*asked, "--json"))
    assert found["raters"] == ["rater_ana", "rater_ben", "rater_cy"]
    assert [row["n"] for row in found["ceiling"]["rows"]] == [28, 29, 29]
    assert found["ceiling"]["judge"]["value"] < 0.5 < found["ceiling"]["human"]["value"]
    assert found["alternative_annotator"]["passed"] is False
    for command in (asked, ("show", 1)):
        text = program(*command).out
        assert "Raters agree: agreement 96%" in text
        assert "Human ceiling, against the same majorities of the other raters: raters 0." in text
        assert "raters taken as experts: the judge may not stand in for a rater (omega 0.00" in text
    # The run's own record and what is read back later say the same.
    assert people(program("show", 1, "--json")) == found


def test_a_good_judge_may_stand_in_for_a_rater(program, rated, server):
    Path("perfect.txt").write_text(PERFECT)
    asked = ("baseline", rated, "--judge", "openai:gpt-4.1", "--prompt", "perfect.txt", "--annotators", "crowd")
    found = people(program(*asked, "--json"))["alternative_annotator"]
    assert (found["passed"], found["omega"], found["epsilon"], found["annotators"]) == (True, 1.0, 0.1, "crowd")
    assert (
        "raters taken as crowd: the judge may stand in for a rater (omega 1.00, won against 3 of 3"
        in program(*asked).out
    )


@pytest.mark.slow
def test_baseline_and_winner_of_a_calibration(program, rated, server):
    asked = ("optimize", rated, "--judge", "openai:gpt-4.1", "--optimizer", "openai:gpt-4.1-mini")
    document = program(*asked, "--json").json
    before, after = (each["people"]["ceiling"]["judge"]["value"] for each in document["results"])
    assert before < after
    assert document["results"][1]["calibrated"]["run"] == 1
    text = program(*asked).out
    assert "Human ceiling" in text
    assert "This judge (prompt and model) was calibrated on faithfulness by run 1, alignment 1.00" in text
    assert NEVER not in text


def test_recorded_verdicts_beside_their_raters(program, rated):
    lines = ["id,human,judge_a,rater_ana,rater_ben,rater_cy"]
    lines += [f"{p},{label(p)},1,{label(p)},{label(p, 'f01')},{label(p, 'u01')}" for p in PAGES]
    Path("verdicts.csv").write_text("\n".join(lines))
    outcome = program("score", "verdicts.csv", "--json")
    assert [row["n"] for row in people(outcome)["ceiling"]["rows"]] == [28, 29, 29]
    assert outcome.json["results"][0]["calibrated"] is None
    text = program("score", "verdicts.csv", "--annotators", "skilled").out
    assert "raters taken as skilled" in text
    assert text.count(UNKNOWN) == 1


@pytest.mark.slow
def test_of_one_rater_every_report_says_that_agreement_is_unknown(program, pages, server):
    program("baseline", pages, "--judge", "openai:gpt-4.1")
    optimize = ("optimize", pages, "--judge", "openai:gpt-4.1", "--optimizer", "openai:gpt-4.1-mini")
    candidates = program(*optimize, "--json").json["calibrations"][0]["candidates"]
    judged = next(each["number"] for each in candidates[1:] if each["status"] == "scored")
    commands = (
        ("baseline", pages, "--judge", "openai:gpt-4.1"),
        optimize,
        ("show", 1),
        ("show", 2),
        ("show", f"2:{judged}"),
    )
    for command in commands:
        assert "Agreement unknown: one rater" in program(*command).out, command
        assert people(program(*command, "--json"))["known"] is False
    Path("verdicts.csv").write_text("id,human,judge\n" + "".join(f"{p},{label(p)},1\n" for p in PAGES))
    assert "Agreement unknown: one rater" in program("score", "verdicts.csv").out


def test_a_judge_that_was_never_calibrated_says_so_wherever_it_is_reported(program, pages, server):
    assert NEVER in program("baseline", pages, "--judge", "openai:gpt-4.1").out
    assert NEVER in program("show", 1).out
    never = f"{NEVER[0].lower()}{NEVER[1:]}"
    assert never in program("disagreements", 1, "-o", "review.csv").out
    program("baseline", pages, "--judge", "openai:gpt-4.1-mini")
    assert f"1:0: {never}" in program("diff", 1, 2).out


def test_a_judge_in_code_has_no_prompt(program, pages):
    Path("house.py").write_text("def judge(item):\n    return 1\n")
    assert "This judge (code) was never calibrated" in program("baseline", pages, "--judge", "py:house:judge").out


def test_no_such_raters(program, pages, server):
    for command in (
        ("baseline", pages, "--judge", "openai:gpt-4.1"),
        ("optimize", pages, "--judge", "openai:gpt-4.1", "--optimizer", "openai:gpt-4.1-mini"),
        ("score", pages),
    ):
        assert "'interns' are no raters" in program(*command, "--annotators", "interns", code=2).error
    assert not server.calls


def test_the_checklist(program, rated, server):
    program("baseline", rated, "--judge", "openai:gpt-4.1")
    text = program("show", 1, "--checklist").out
    facts = program("show", 1, "--json").json["checklist"]
    assert len(facts) > 20
    for fact in facts.values():
        assert f"{fact['name']}: {fact['words'] or fact['reason']}\n" in text


def test_disputed_items_are_shown_the_most_disputed_first(program, rated):
    document = program("golden", "check", rated, "--json").json
    disputed = document["dimensions"][0]["disputed"]
    assert [each["id"] for each in disputed] == ["f01", "u01"]
    assert disputed[0] == {
        "id": "f01",
        "ratings": {"rater_ana": "1", "rater_ben": "0", "rater_cy": "1"},
        "disagreement": pytest.approx(2 / 3),
        "excerpt": "Answer of page f01.",
    }
    text = program("golden", "check", rated).out
    assert "raters disagree on 2 items:" in text
    row = next(line for line in text.splitlines() if line.startswith("f01"))
    assert row.split() == ["f01", "1", "0", "1", "Answer", "of", "page", "f01."]
