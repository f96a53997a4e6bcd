"""``optimize --from``: going on from an earlier prompt, and what a calibration is told of earlier ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from program import ADDITIONS, FIVE, FIVE_STRATEGIES, PAGES, PROMPT, write_pages

JUDGE, OTHER = ("--judge", "openai:gpt-4.1-mini"), ("--judge", "openai:gpt-4.1-nano")
COMMON = ("optimize", "pages.csv", "--optimizer", "openai:gpt-4.1", "--noise-repeats", "0", "--json")
FROM_PROMPT = (*COMMON, "--prompt", "prompt.txt")
EXAMPLES = ("--strategy", "few-shot from disagreements", "--width", 1, "--iterations", 1)


def calibrated(outcome):
    (calibration,) = outcome.json["calibrations"]
    return calibration


def numbers(calibration):
    """The candidates by score, to four digits."""
    return {round(each["score"], 4): each["number"] for each in calibration["candidates"] if each["score"] is not None}


def prompt_of(program, reference):
    return program("export", reference).out.removesuffix("\n")


# Starting from an earlier prompt


def test_it_starts_from_the_winner_of_a_run(program, pages, server, world):
    first = calibrated(program(*FROM_PROMPT, *JUDGE, *FIVE, "--iterations", 1))
    assert first["winner"]["prompt"] == f"{PROMPT} {ADDITIONS['ledger']}"
    second = calibrated(program(*COMMON, *JUDGE, *FIVE, "--from", 1))
    assert second["run"] == 2
    baseline, *rewrites = second["candidates"]
    assert round(baseline["score"], 4) == 0.7514
    assert prompt_of(program, "2:0") == first["winner"]["prompt"]
    assert second["winner"]["prompt"].startswith(first["winner"]["prompt"])
    assert second["stopped"] == "target"
    assert {each["parent"] for each in rewrites if each["iteration"] == 1} == {0}
    # What the first one has judged is not judged again, and not paid for again.
    judged = [body for body in world.answered if '"response_format"' in body]
    assert max(world.answered[body] for body in judged) == 1


@pytest.mark.slow
def test_it_starts_from_any_candidate_of_a_run(program, pages, server):
    first = calibrated(program(*FROM_PROMPT, *JUDGE, *FIVE, "--iterations", 1))
    stern = numbers(first)[0.0496]
    second = calibrated(program(*COMMON, *JUDGE, *FIVE, "--from", f"1:{stern}", "--iterations", 1))
    assert round(second["candidates"][0]["score"], 4) == 0.0496
    assert prompt_of(program, "2:0") == f"{ADDITIONS['stern']} {PROMPT}"


@pytest.mark.slow
def test_the_same_beginning_is_the_same_calibration_however_it_is_named(program, pages, server):
    program(*FROM_PROMPT, *JUDGE, *FIVE, "--iterations", 1)
    number = numbers(program("show", 1, "--json").json)[0.7514]
    second = calibrated(program(*COMMON, *JUDGE, *FIVE, "--from", 1))
    calls = len(server.calls)
    again = calibrated(program(*COMMON, *JUDGE, *FIVE, "--from", f"1:{number}"))
    assert again["run"] == second["run"] == 2
    assert len(server.calls) == calls


@pytest.mark.slow
def test_an_earlier_prompt_that_is_better_is_named(program, pages, server):
    program(*FROM_PROMPT, *JUDGE, *FIVE)
    second = calibrated(program(*FROM_PROMPT, *JUDGE, *FIVE, "--new"))  # finds nothing new
    assert (second["run"], second["winner"]["number"]) == (2, 0)
    best = numbers(program("show", 1, "--json").json)[1.0]
    again = tuple(word for word in (*FROM_PROMPT, *JUDGE, *FIVE) if word != "--json")
    assert f"start from it with --from 1:{best}" in program(*again).out


@pytest.mark.parametrize("reference", [pytest.param("1:1", marks=pytest.mark.slow), "1"])
def test_the_items_that_its_prompt_shows_are_left_out(program, pages, server, world, reference):
    if reference == "1":
        # The examples help: page u01 is right for whoever has seen one.
        world.judge = lambda prompt, page: "1" if page.startswith("f") or "<examples>" not in prompt else "0"
    first = calibrated(program(*FROM_PROMPT, *JUDGE, *EXAMPLES))
    shown = first["candidates"][1]["shown"]
    assert len(shown) == 4
    before = len(server.calls)
    outcome = program(*COMMON, *JUDGE, "--from", reference, "--iterations", 1)
    assert "note: 4 items are left out: 1:1 shows them" in outcome.err
    assert outcome.json["results"][0]["n"] == 30 - 4
    calls = server.calls[before:]
    judged = {page for call in calls if call.schema for page in re.findall(r"page ([fu]\d\d)", call.user)}
    assert not judged & set(shown)
    # Nor does a rewrite learn from them, or show them beside others.
    told = {
        page for call in calls if not call.schema for page in re.findall(r"Answer of page ([fu]\d\d)", told_of(call))
    }
    assert not told & set(shown)


def told_of(call):
    """The errors that a request shows, without the prompts in it."""
    found = re.search(r"<errors>.*</errors>", call.user, re.DOTALL)
    return found[0] if found else ""


def test_a_reference_that_leads_nowhere(program, pages, server):
    program(*FROM_PROMPT, *JUDGE, *FIVE, "--iterations", 1)
    calls = len(server.calls)
    for reference, said in (
        ("9", "no run 9 here"),
        ("1:99", "run 1 has no candidate 99"),
        ("one", "'one' names no run"),
        ("1:", "names no run"),
        ("1:0:0", "names no run"),
        ("-1", "-1"),
        ("", "names no run"),
    ):
        outcome = program(*COMMON, *JUDGE, "--from", reference, code=2)
        assert said in outcome.error, reference
        assert len(outcome.err.splitlines()) == 1
    assert len(server.calls) == calls
    assert len(program("runs", "--json").json["runs"]) == 1


def test_a_rewrite_that_was_rejected_is_no_prompt_to_start_from(program, pages, server, world):
    copied = "the harbour master locks the northern gate at seven every evening"
    text = Path("pages.csv").read_text(encoding="utf-8")
    Path("pages.csv").write_text(text.replace("Text of u01.", copied), encoding="utf-8")
    leaks = f"<prompt>Fail answers unless {copied}.</prompt>"
    world.writer = lambda strategy, _: leaks if strategy == "general improvement" else "I would rather not say."
    first = calibrated(program(*FROM_PROMPT, *JUDGE, *FIVE, "--iterations", 1))
    calls = len(server.calls)
    for said in ("the reply has no <prompt> block", "copies text of item u01"):
        number = next(each["number"] for each in first["candidates"] if each["reason"].startswith(said))
        outcome = program(*COMMON, *JUDGE, "--from", f"1:{number}", code=2)
        assert f"candidate {number} of run 1 was rejected: {said}" in outcome.error
        assert len(outcome.err.splitlines()) == 1
    assert len(server.calls) == calls


def test_without_a_database_there_is_no_earlier_prompt(program, pages, server):
    assert "no run 1" in program(*COMMON, *JUDGE, "--from", 1, code=2).error
    assert not Path("runs.db").exists()
    assert server.requests == 0


def test_a_prompt_and_an_earlier_one_are_too_many(program, pages, server):
    program(*FROM_PROMPT, *JUDGE, *FIVE, "--iterations", 1)
    outcome = program(*FROM_PROMPT, *JUDGE, "--from", 1, code=2)
    assert "--from" in outcome.error
    assert "--prompt" in outcome.error


def test_a_prompt_for_another_dimension_is_refused(program, pages, server):
    program(*FROM_PROMPT, *JUDGE, *FIVE, "--iterations", 1)
    lines = write_pages(Path("pages.csv")).read_text().splitlines()
    Path("pages.csv").write_text("\n".join([f"{lines[0]},kind", *(f"{line},relevance" for line in lines[1:])]))
    calls = len(server.calls)
    outcome = program(*COMMON, *JUDGE, "--column", "dimension=kind", "--from", 1, code=2)
    assert "judges 'faithfulness', not 'relevance'" in outcome.error
    assert len(server.calls) == calls


def test_the_prompt_of_a_baseline_and_of_code(program, pages, server):
    Path("house_from.py").write_text("def judge(item):\n    return 1\n", encoding="utf-8")
    program("baseline", pages, *JUDGE, "--prompt", "prompt.txt")
    program("baseline", pages, "--judge", "py:house_from:judge")
    assert calibrated(program(*COMMON, *JUDGE, *FIVE, "--from", 1, "--iterations", 1))["candidates"][0]["score"] > 0.4
    assert "is code" in program(*COMMON, *JUDGE, "--from", 2, code=2).error


# What earlier calibrations have tried


def rewrites_since(server, calls):
    return [call.user for call in server.calls[calls:] if "<request strategy=" in call.user]


@pytest.mark.slow
def test_what_another_judge_was_told_is_shown_and_tried_again(program, pages, server):
    first = calibrated(program(*FROM_PROMPT, *JUDGE))
    calls = len(server.calls)
    second = calibrated(program(*FROM_PROMPT, *OTHER))
    assert (first["run"], second["run"]) == (1, 2)
    for user in rewrites_since(server, calls):
        others = re.search(r"<other_judges>\n(.*?)\n</other_judges>", user, re.DOTALL)[1]
        tried = re.findall(r'<tried score="([-\d.]+)" strategy="([^"]+)" judge="openai:gpt-4\.1-mini">', others)
        scored = [each for each in first["candidates"][1:] if each["score"] is not None]
        assert {score for score, _ in tried} == {f"{each['score']:.4f}" for each in scored}
        assert [float(score) for score, _ in tried] == sorted(float(score) for score, _ in tried)
        assert ADDITIONS["ledger"] in others
        # They are no part of this judge's history.
        history = re.search(r"<history>\n(.*?)</history>", user, re.DOTALL)[1]
        assert "judge=" not in history
    # The other judge is asked about the same prompts: what one has failed at says nothing of the other.
    assert second["stopped"] == "target"
    assert not any("earlier calibration" in each["reason"] for each in second["candidates"])
    assert all(call.body["model"] != "gpt-4.1-mini" for call in server.calls[calls:])


def test_the_first_calibration_knows_of_no_other_judge(program, pages, server):
    program(*FROM_PROMPT, *JUDGE, "--iterations", 1)
    assert not any("<other_judges>" in user for user in rewrites_since(server, 0))


@pytest.mark.slow
def test_with_new_the_same_judge_is_not_paid_for_the_same_prompts_again(program, pages, server, world):
    first = calibrated(program(*FROM_PROMPT, *JUDGE))
    calls = len(server.calls)
    second = calibrated(program(*FROM_PROMPT, *JUDGE, "--new"))
    assert (first["run"], second["run"]) == (1, 2)
    judged = [body for body in world.answered if '"response_format"' in body]
    assert max(world.answered[body] for body in judged) == 1
    known = [each for each in first["candidates"][1:] if each["score"] is not None]
    assert known
    for user in rewrites_since(server, calls):
        assert "<other_judges>" not in user
        for each in known:
            assert f'<tried score="{each["score"]:.4f}"' in user
    again = [each for each in second["candidates"] if "earlier calibration" in each["reason"]]
    assert again
    assert {each["status"] for each in again} == {"rejected"}


def test_with_new_another_limit_is_another_search_too(program, pages, server):
    """Not the way of the first one once more, a part of which would be found in the store."""
    program(*FROM_PROMPT, *JUDGE, *FIVE, "--iterations", 2)
    calls = len(server.calls)
    second = calibrated(program(*FROM_PROMPT, *JUDGE, *FIVE, "--iterations", 1, "--new"))
    assert second["run"] == 2
    assert len(rewrites_since(server, calls)) >= len(FIVE_STRATEGIES)
    again = len(server.calls)
    assert calibrated(program(*FROM_PROMPT, *JUDGE, *FIVE, "--iterations", 1))["run"] == 2
    assert len(server.calls) == again


def test_a_set_of_other_items_tells_nothing(program, pages, server):
    program(*FROM_PROMPT, *JUDGE, "--iterations", 1)
    text = Path("pages.csv").read_text(encoding="utf-8")
    Path("pages.csv").write_text(text.replace("Text of", "Another text of"), encoding="utf-8")
    calls = len(server.calls)
    program(*FROM_PROMPT, *OTHER, "--iterations", 1)
    assert not any("<other_judges>" in user for user in rewrites_since(server, calls))
    assert len(PAGES) == sum(call.system.startswith(f"{PROMPT}\n") for call in server.calls[calls:] if call.schema)
