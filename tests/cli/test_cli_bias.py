"""``calibrate bias``: stored verdicts cost nothing; what is asked is told first, capped, kept, and replayed."""

from pathlib import Path

import pytest
from leaning import write_set
from loopback import error

BASELINE = ("baseline", "pages.csv", "--judge", "openai:gpt-4.1-2025-04-14", "--prompt", "prompt.txt")
EDITS = ["white space", "polite opener", "restatement", "prompt layout"]


@pytest.fixture
def run(program, pages, server):
    """A baseline of the judge of the pages: lenient, without an eye for the rare class."""
    program(*BASELINE)
    server.calls.clear()


def test_stored_verdicts_are_probed_without_a_call(program, run, server):
    outcome = program("bias", 1)
    assert not server.calls
    first, *_ = outcome.out.splitlines()
    assert first.startswith("1:0, openai:gpt-4.1-2025-04-14 on faithfulness: biased in 1 of 2 probes: leniency (")
    (row,) = [line.split() for line in outcome.out.splitlines() if line.startswith("leniency   ")]
    assert row == ["leniency", "30", "+0.27", "+0.07", "to", "+0.46", "+0.27", "biased"]
    assert "verbosity: not identifiable: all answers are of one length." in outcome.out
    assert "could have seen: the smallest effect found in four of five such sets" in outcome.out
    assert "the judge was not asked: --ask shows" in outcome.out


def test_the_document(program, run):
    document = program("bias", "1:0", "--json").json
    assert (document["schema"], document["status"], document["reference"]) == (1, "ok", "1:0")
    assert (document["n"], document["scored"], document["run"], document["simulated"]) == (30, 30, None, False)
    verbosity, leniency = document["results"]
    assert (verbosity["probe"], verbosity["conclusion"], verbosity["effect"]) == ("verbosity", "not_identifiable", None)
    assert leniency["effect"] == pytest.approx(8 / 30)
    assert leniency["low"] < leniency["effect"] < leniency["high"]
    assert leniency["smallest_detectable"] == pytest.approx(
        (leniency["high"] - leniency["low"]) / 2 * 2.8016 / 1.96, 1e-3
    )
    assert (leniency["conclusion"], leniency["bound"]) == ("biased", None)
    assert leniency["figures"]["wrongly_accepted"] == 9


def test_asking_is_told_first_and_then_done_with_the_same_judge(program, run, server):
    dry = program("bias", 1, "--dry-run", "--again", "--json").json
    assert (dry["dry_run"], dry["estimate"]["calls"]) == (True, 5 * 30)
    assert not server.calls
    document = program("bias", 1, "--ask", "--again", "--json").json
    assert len(server.calls) == document["run"]["paid_calls"] == 5 * 30
    assert [each["probe"] for each in document["results"]] == ["verbosity", "leniency", *EDITS]
    for each in document["results"][2:]:
        assert each["figures"]["flip_rate"]["value"] == 0
        assert each["figures"]["flip_rate_of_the_same_again"] == 0
    assert {call.body["model"] for call in server.calls} == {"gpt-4.1-2025-04-14"}
    assert {call.body["temperature"] for call in server.calls} == {0.0}
    assert sum("Thank you for your question. Answer of page" in call.user for call in server.calls) == 30
    assert sum("Answer of page f01. Answer of page f01." in call.user for call in server.calls) == 1
    assert sum("\n\nAnswer of page" in call.user for call in server.calls) == 30
    assert sum(call.system.startswith("## Task") for call in server.calls) == 30


@pytest.mark.slow
def test_what_was_asked_is_replayed(program, run, server):
    asked = program("bias", 1, "--ask", "--json").json
    server.calls.clear()
    again = program("bias", 1, "--ask", "--json").json
    stored = program("bias", 1, "--json").json
    assert not server.calls
    assert again["results"] == stored["results"] == asked["results"]
    assert (again["run"]["paid_calls"], again["run"]["run"]) == (0, asked["run"]["run"])
    assert "all 120 replies are stored" in program("bias", 1, "--dry-run").out
    probes = program("export", asked["run"]["run"], code=2).error
    assert probes == "run 2 probed the judge of 1:0 for bias and has no prompt of its own; name 1:0"
    assert program("bias", 1, "--ask", "--fresh", "--json").json["run"]["paid_calls"] == 120


def test_a_judge_that_is_thrown_by_politeness(program, run, server, world):
    answer = world.__call__
    thrown = type(world)(judge=lambda prompt, page: "1")
    server._replies = lambda call: thrown(call) if "Thank you" in call.user else answer(call)
    document = program("bias", 1, "--ask", "--json").json
    opener = next(each for each in document["results"] if each["probe"] == "polite opener")
    assert opener["figures"]["moves"] == {"to accepting": 1, "to rejecting": 0}
    assert opener["conclusion"] == "cannot_tell"
    assert "the judge's own noise is not known" in opener["reason"]


def test_a_paraphrase_of_the_prompt(program, run, server):
    Path("stern.txt").write_text("Be stern. Decide whether the answer is supported by its context.")
    document = program("bias", 1, "--ask", "--prompt-paraphrase", "stern.txt", "--json").json
    found = document["results"][-1]
    assert (found["probe"], found["conclusion"]) == ("paraphrase stern.txt", "biased")
    assert (found["reason"], found["figures"]["flips"]) == ("verdicts move to rejecting", 10)
    assert "no such prompt file" in program("bias", 1, "--ask", "--prompt-paraphrase", "no.txt", code=2).error


def test_the_budget_holds_and_the_rest_is_paid_for_later(program, run, server):
    stopped = program("bias", 1, "--ask", "--budget", "0.02", code=3)
    assert "--budget" in stopped.error
    paid = len(server.calls)
    assert 0 < paid < 120
    assert "(interrupted) probed a judge for leanings: nothing is known yet" in program("show", 2).out
    program("bias", 1, "--ask")
    assert len(server.calls) == 120


def test_a_provider_that_fails_leaves_what_was_answered(program, run, server, world):
    answer = world.__call__
    server._replies = lambda call: error(401) if "Thank you" in call.user else answer(call)
    program("bias", 1, "--ask", code=3)
    answered = len([each for each in server.calls if "Thank you" not in each.user])
    server._replies = answer
    server.calls.clear()
    assert program("bias", 1, "--ask", "--json").json["run"]["paid_calls"] == len(server.calls) == 120 - answered


def test_runs_and_show_know_the_run(program, run):
    program("bias", 1, "--ask")
    listed = program("runs", "--json").json["runs"]
    assert [each["kind"] for each in listed] == ["baseline", "bias"]
    assert "probed a judge for leanings: 1:0, openai:gpt-4.1-2025-04-14" in program("show", 2).out
    assert "name that run: 1:0" in program("bias", 2, code=2).error


def test_columns_and_their_refusals(program):
    write_set("set.csv")
    program("baseline", "set.csv", "--judge", "py:leaning:likes_its_own")
    outcome = program("bias", 1, "--by", "language", "--own", "house")
    assert "language=es" in outcome.out
    assert "self preference: biased: at the same human label" in outcome.out
    assert "further columns it has: language, model" in program("bias", 1, "--by", "tongue", code=2).error
    assert "add --ask" in program("bias", 1, "--again", code=2).error
    assert "'response' is no input" in program("bias", 1, "--answer", "response", code=2).error
    assert "no run 7 here" in program("bias", 7, code=2).error


def test_code_judges_read_no_prompt(program):
    write_set("set.csv", 40)
    program("baseline", "set.csv", "--judge", "py:leaning:honest")
    document = program("bias", 1, "--ask", "--json").json
    assert "prompt layout" not in [each["probe"] for each in document["results"]]
    assert "the judge is code and reads no prompt: its prompt was not changed" in document["notes"]
    Path("p.txt").write_text("Judge.")
    assert "reads no prompt" in program("bias", 1, "--ask", "--prompt-paraphrase", "p.txt", code=2).error


def test_a_run_of_probes_is_shown_with_its_table(program, run):
    asked = program("bias", 1, "--ask").out.splitlines()
    shown = program("show", 2).out.splitlines()
    table = [line for line in asked if line.startswith(("probe  ", "leniency", "restatement", "could have seen"))]
    assert len(table) == 6
    assert set(table) <= set(shown)
    assert program("show", 2, "--json").json["results"] == program("bias", 1, "--json").json["results"]


def test_probes_asked_afresh_whose_budget_ends_say_how_to_go_on(program, run, server):
    ended = program("bias", 1, "--ask", "--fresh", "--concurrency", 1, "--budget", 0.03, code=3)
    assert "note: run 2: the same command without --fresh goes on, and replays what was judged" in ended.err
    first = len(server.calls)
    assert 0 < first < 4 * 30
    program("bias", 1, "--ask")
    assert len(server.calls) == 4 * 30
