"""``calibrate optimize``: a meta-LLM rewrites the judge's prompt, every rewrite is scored on the full set."""

import json
import re
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback, Reply, error
from program import (
    ADDITIONS,
    FAITHFUL,
    FIVE,
    PAGES,
    PROMPT,
    World,
    judge_label,
    rewrite,
    run_in,
    verdict,
    write_pages,
)

MODELS = ("--judge", "openai:gpt-4.1-mini", "--optimizer", "openai:gpt-4.1")
OPTIMIZE = ("optimize", "pages.csv", *MODELS, "--prompt", "prompt.txt", "--noise-repeats", "0")
PLAIN = (*OPTIMIZE, *FIVE)
WINNER = f"{PROMPT} {ADDITIONS['ledger']} {ADDITIONS['roster']} {ADDITIONS['mercy']}"
NO_PROMPT = "the reply has no <prompt> block"


def calibrated(document):
    (calibration,) = document["calibrations"]
    return calibration


def iteration(document, number):
    """What became of each strategy in an iteration: its score, or why it was rejected, at the first reply."""
    tried = [each for each in calibrated(document)["candidates"] if each["iteration"] == number]
    found = {}
    for each in tried:
        first, *again = each["reason"].split("; asked once more: ")
        assert again in ([], [first])  # the follow-up brought the same
        found.setdefault(each["strategy"], first if each["score"] is None else round(each["score"], 4))
    assert {each["status"] for each in tried} <= {"scored", "rejected"}
    return found


def scored(document, score):
    """The number of the candidate with a score."""
    (found,) = [
        each["number"] for each in calibrated(document)["candidates"] if each["score"] == pytest.approx(score, abs=1e-4)
    ]
    return found


@dataclass
class Finished:
    """A calibration that ran to its end, once for the tests that look at it."""

    text: str
    notes: str
    document: Any
    calls: list


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("finished")
    write_pages(folder / "pages.csv")
    (folder / "prompt.txt").write_text(PROMPT)
    with Loopback(World()) as running:
        shown, document = run_in(folder, running, *PLAIN), run_in(folder, running, *PLAIN, "--json")
    return Finished(shown.out, shown.err, document.json, running.calls)


def test_it_finds_a_better_prompt(finished):
    document = finished.document
    assert document["status"] == "ok"
    before, after = document["results"]
    assert (before["role"], round(before["alignment"]["value"], 4)) == ("baseline", 0.4002)
    assert (after["role"], after["alignment"]["value"]) == ("winner", pytest.approx(1.0))
    assert after["confusion"]["matrix"] == [[9, 0], [0, 21]]
    calibration = calibrated(document)
    assert calibration["winner"] == {"number": scored(document, 1.0), "prompt": WINNER}
    assert calibration["comparison"]["difference"]["value"] == pytest.approx(1 - 0.4002, abs=0.0001)
    assert calibration["comparison"]["difference"]["low"] > 0
    # Six prompts on thirty items, five meta-prompts an iteration, and a follow-up for each of the ten that came to
    # nothing.
    assert calibration["spent"]["calls"] == len(finished.calls) == 6 * 30 + 3 * 5 + 10
    assert sum("<repair>" in call.user for call in finished.calls) == 10


def test_every_candidate_is_logged_with_what_became_of_it(finished):
    document = finished.document
    candidates = calibrated(document)["candidates"]
    assert [each["number"] for each in candidates] == list(range(16))
    assert [each["iteration"] for each in candidates] == [0] + [1] * 5 + [2] * 5 + [3] * 5
    assert iteration(document, 0) == {"baseline": 0.4002}
    parents = [0, scored(document, 0.7514), scored(document, 0.9085)]
    assert [each["parent"] for each in candidates] == [None, *(parent for parent in parents for _ in range(5))]
    assert iteration(document, 1) == {
        "general improvement": 0.0496,
        "fix wrongly rejected": "duplicate of the baseline",
        "fix wrongly accepted": 0.7514,
        "explicit rubric": NO_PROMPT,
        "radical simplification": NO_PROMPT,
    }
    assert iteration(document, 2) == {
        "general improvement": 0.3538,
        "fix wrongly rejected": f"duplicate of candidate {parents[1]}",
        "fix wrongly accepted": 0.9085,
        "explicit rubric": NO_PROMPT,
        "radical simplification": NO_PROMPT,
    }
    # Nothing is wrongly accepted any more: four strategies apply, and one of them has a second try.
    assert iteration(document, 3) == {
        "general improvement": NO_PROMPT,
        "fix wrongly rejected": 1.0,
        "explicit rubric": NO_PROMPT,
        "radical simplification": NO_PROMPT,
    }


def test_the_text_tells_the_same(finished):
    first, *lines = finished.text.splitlines()
    assert re.match(
        r"Better on these 30 items, not tested on unseen ones: alignment 0\.40 before, 1\.00 after; difference \+0\.60 "
        r"\(95 % interval \+0\.\d\d to \+0\.\d\d\), best of 5 rewrites, p < 0\.001 over all of them\.$",
        first,
    )
    text = "\n".join(lines)
    better, winner = scored(finished.document, 0.7514), scored(finished.document, 1.0)
    assert re.search(r"^\d +1 +general improvement +0 +0\.0496", text, re.MULTILINE)
    assert re.search(r"^\d +1 +fix wrongly rejected +0 +– +rejected: duplicate of the baseline", text, re.MULTILINE)
    assert re.search(rf"^{better} +1 +fix wrongly accepted +0 +0\.7514 .* best so far", text, re.MULTILINE)
    assert re.search(rf"^{winner} +3 +fix wrongly rejected +\d +1\.0000 .* winner", text, re.MULTILINE)
    assert "Stopped: the target was reached." in text
    assert "Acceptable (0.70): yes." in text
    assert "calibrate show 1 · explain 1 · diff 1:0 1 · export 1 --to text" in text
    news = re.sub(r"^#\d+", "#", finished.notes, flags=re.MULTILINE).splitlines()
    assert "# iteration 1, fix wrongly accepted: alignment 0.7514" in news
    rejected = f"# iteration 1, explicit rubric: rejected: {NO_PROMPT}; asked once more: {NO_PROMPT}"
    assert rejected in news


@pytest.mark.slow
def test_what_it_paid_is_what_was_charged(program, pages, world, monkeypatch):
    with Loopback(world, prices=(2.0, 0.5, 8.0)) as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.openai_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-any")
        one = ("--judge", "openai:gpt-4.1", "--optimizer", "openai:gpt-4.1")
        calibration = calibrated(program("optimize", pages, *one, "--prompt", "prompt.txt", "--json").json)
    assert calibration["spent"]["cost"] == pytest.approx(running.charged)
    judged = sum(each["cost"] for each in calibration["candidates"] if each["cost"] is not None)
    assert 0 < judged < calibration["spent"]["cost"]


def test_the_meta_llm_sees_the_trajectory_the_errors_and_the_request(finished):
    metas = [call for call in finished.calls if "<request strategy=" in call.user]
    assert len([call for call in metas if "<repair>" not in call.user]) == 15
    wanted = '<request strategy="fix wrongly accepted">'
    second = next(call.user for call in metas if '<current score="0.7514">' in call.user and wanted in call.user)
    assert second.index('<tried score="0.0496"') < second.index('<tried score="0.4002"') < second.index("0.7514")
    assert "- strategy fix wrongly rejected: duplicate of the baseline" in second
    assert second.count('<error kind="wrongly accepted">') == 3
    assert second.count('<error kind="wrongly rejected">') == 2
    assert "Answer of page u01." in second
    assert not any('<request analysis="patterns">' in call.user for call in finished.calls)
    assert all(call.body["model"] == "gpt-4.1" and call.body["temperature"] == 1.0 for call in metas)
    judged = [call for call in finished.calls if call not in metas]
    assert all(call.body["model"] == "gpt-4.1-mini" for call in judged)
    assert not any("expert" in call.user or "label>1<" in call.user for call in judged)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "writer", "arguments", "stopped", "iterations"),
    [
        ("", rewrite, (), "target", 3),
        ("", rewrite, ("--target", "0.9"), "target", 2),
        ("", rewrite, ("--iterations", "1"), "limit", 1),
        ("", lambda *_: "I cannot.", (), "stalled", 3),
        ("ledger roster", lambda *_: "I cannot.", (), "plateau", 3),
        ("ledger roster mercy", lambda *_: "I cannot.", (), "target", 0),
    ],
)
def test_it_says_why_it_stopped(program, pages, server, world, words, writer, arguments, stopped, iterations):
    Path("prompt.txt").write_text(f"{PROMPT} {words}".strip())
    world.writer = writer
    calibration = calibrated(program(*PLAIN, *arguments, "--json").json)
    assert (calibration["stopped"], calibration["iterations"]) == (stopped, iterations)
    in_words = {
        "target": "the target was reached",
        "limit": "the limit of iterations was reached",
        "stalled": "no further gain (stalled)",
        "plateau": "no further gain (plateau)",
    }
    assert f"Stopped: {in_words[stopped]}." in program("show", 1).out


def test_when_nothing_is_better_that_is_said(program, pages, server, world):
    world.writer = lambda *_: f"<prompt>{ADDITIONS['stern']}</prompt>"
    document = program(*PLAIN, "--json").json
    assert document["sentence"].startswith(
        "The one rewrite that was judged did no better than the baseline, 0.40 (95 % interval"
    )
    assert calibrated(document)["winner"]["number"] == 0
    assert calibrated(document)["comparison"] is None
    assert [each["alignment"] for each in document["results"]] == [document["results"][0]["alignment"]] * 2


def test_a_gain_that_the_data_cannot_tell_is_no_gain(program, pages, server, world):
    # From 0.9085 to 1.0: two items of thirty.
    Path("prompt.txt").write_text(f"{PROMPT} {ADDITIONS['ledger']} {ADDITIONS['roster']}")
    document = program(*OPTIMIZE, "--json").json
    difference = calibrated(document)["comparison"]["difference"]
    assert difference["value"] == pytest.approx(1 - 0.9085, abs=0.0001)
    assert difference["low"] < 0
    assert document["sentence"].startswith("Not distinguishable from the baseline on these 30 items")


def test_a_finished_calibration_is_shown_again_without_a_call(program, pages, server):
    first = program(*OPTIMIZE, "--json").json
    calls = len(server.calls)
    again = program(*OPTIMIZE, "--json")
    assert len(server.calls) == calls
    assert again.json == first
    assert "calibration 1 was done before; this is its stored result (--new starts another)" in again.err


@pytest.mark.slow
def test_other_limits_go_the_same_way_and_further(program, pages, server, world):
    one = calibrated(program(*OPTIMIZE, "--iterations", 1, "--json").json)
    calls = len(server.calls)
    # When to stop and what is acceptable change no prompt.
    for more in (("--acceptable", "0.9"), ("--target", "0.6")):
        again = calibrated(program(*OPTIMIZE, "--iterations", 1, *more, "--json").json)
        assert [each["score"] for each in again["candidates"]] == [each["score"] for each in one["candidates"]]
        assert again["spent"]["calls"] == 0
    assert len(server.calls) == calls
    longer = calibrated(program(*OPTIMIZE, "--json").json)
    assert longer["candidates"][:6] == one["candidates"]
    assert (longer["stopped"], longer["iterations"] > 1) == ("target", True)
    assert longer["spent"]["calls"] == len(server.calls) - calls
    assert max(world.answered.values()) == 1


@pytest.mark.slow
def test_another_seed_draws_otherwise(program, pages, server):
    def drawn(*options):
        candidates = calibrated(program(*OPTIMIZE, "--iterations", 1, *options, "--json").json)["candidates"]
        return [each["strategy"] for each in candidates]

    orders = {tuple(drawn("--seed", seed)) for seed in range(4)}
    assert len(orders) > 1
    assert tuple(drawn("--seed", 0)) == tuple(drawn())


@pytest.mark.slow
def test_new_starts_another_that_knows_the_first(program, pages, server):
    first = program(*PLAIN, "--json").json
    calls = len(server.calls)
    second = program(*PLAIN, "--new", "--json").json
    calibration = calibrated(second)
    assert (calibrated(first)["run"], calibration["run"]) == (1, 2)
    # The same rewrites are proposed again, and not judged again.
    reasons = [each["reason"] for each in calibration["candidates"] if each["strategy"] == "fix wrongly accepted"]
    known = "duplicate of a prompt of an earlier calibration (0.751)"
    assert reasons == [f"{known}; asked once more: {known}"] * 3
    new = server.calls[calls:]
    assert all("<request strategy=" in call.user for call in new)
    assert '<tried score="1.0000"' in new[0].user
    assert calibration["stopped"] == "stalled"
    # The first one's result is what it was.
    assert program("show", 1, "--json").json["results"] == first["results"]


@pytest.mark.slow
def test_an_interrupted_second_calibration_goes_on_before_there_is_a_third(program, pages, server, world):
    one = (*OPTIMIZE, "--iterations", "1", "--json")
    program(*one)
    server._replies = lambda call: error(401) if "<request" in call.user else world(call)
    program(*one, "--new", code=3)
    assert [each["status"] for each in program("runs", "--json").json["runs"]] == ["done", "failed"]
    server._replies = world
    assert calibrated(program(*one, "--new", "--json").json)["run"] == 2
    assert calibrated(program(*one, "--json").json)["run"] == 2  # without --new the latest one is shown
    assert calibrated(program(*one, "--new", "--json").json)["run"] == 3


def test_another_beginning_knows_what_was_tried(program, pages, server):
    program(*PLAIN, "--iterations", 1)
    Path("prompt.txt").write_text("Is everything that the answer says in the context?")
    calls = len(server.calls)
    calibration = calibrated(program(*PLAIN, "--iterations", 1, "--json").json)
    assert calibration["run"] == 2
    meta = next(call for call in server.calls[calls:] if "<request strategy=" in call.user)
    assert '<tried score="0.7514"' in meta.user
    assert ADDITIONS["ledger"] in meta.user


def test_no_prompt_is_judged_twice(program, pages, server, world):
    world.writer = lambda strategy, current: f"<prompt>{PROMPT} {ADDITIONS['ledger']}</prompt>"
    calibration = calibrated(program(*PLAIN, "--json").json)
    assert [each["number"] for each in calibration["candidates"] if each["status"] == "scored"] == [0, 1]
    assert max(Counter(json.dumps(call.body) for call in server.calls if call.schema).values()) == 1


def test_a_rewrite_that_copies_an_item_is_not_judged(program, server, world):
    write_pages(Path("pages.csv"))
    text = Path("pages.csv").read_text()
    copied = "the harbour master locks the northern gate at seven every evening"
    Path("pages.csv").write_text(text.replace("Text of u01.", copied))
    Path("prompt.txt").write_text(PROMPT)
    world.writer = lambda *_: f"<prompt>Fail answers unless {copied}.</prompt>"
    calibration = calibrated(program(*PLAIN, "--iterations", 1, "--json").json)
    copies = "copies text of item u01"
    assert {each["reason"] for each in calibration["candidates"][1:]} == {f"{copies}; asked once more: {copies}"}
    follow_ups = [call.user for call in server.calls if "<repair>" in call.user]
    assert len(follow_ups) == 5
    assert all(f"<problem>{copies}</problem>" in user for user in follow_ups)


def test_a_placeholder_must_stay(program, pages, server, world):
    Path("prompt.txt").write_text("Is the following supported by its context? {{answer}}")
    world.writer = lambda *_: "<prompt>Is it supported? Mind the ledger.</prompt>"
    calibration = calibrated(program(*OPTIMIZE, "--iterations", 1, "--json").json)
    lost = "placeholder lost: answer"
    assert calibration["candidates"][1]["reason"] == f"{lost}; asked once more: {lost}"
    world.writer = lambda *_: "<prompt>Is it supported? {{answer}} and {{verdict}}</prompt>"
    calibration = calibrated(program(*OPTIMIZE, "--iterations", 1, "--new", "--json").json)
    assert "verdict" in calibration["candidates"][1]["reason"]


def test_a_longest_prompt(program, pages, server, world):
    world.writer = lambda *_: f"<prompt>{'ledger ' * 200}</prompt>"
    calibration = calibrated(program(*OPTIMIZE, "--iterations", 1, "--max-prompt", 500, "--json").json)
    assert calibration["candidates"][1]["reason"].startswith("too long: 1399 characters, the limit is 500")


def test_what_is_acceptable_is_recorded_and_can_be_required(program, pages, server):
    short = (*PLAIN, "--iterations", "1", "--json")
    calibration = calibrated(program(*short, "--acceptable", "0.8").json)
    assert (calibration["acceptable"], calibration["acceptable_met"]) == (0.8, False)
    missed = program(*short, "--acceptable", "0.8", "--require", code=1).json
    assert missed["status"] == "below_acceptable"
    assert calibrated(missed)["run"] == calibration["run"]
    met = program(*short, "--acceptable", "0.75", "--require").json
    assert calibrated(met)["acceptable_met"] is True


@pytest.mark.slow
def test_a_winner_that_does_not_answer_is_no_winner(program, pages, server, world):
    world.special = {page: Reply("?") for page in FAITHFUL[:6]}
    document = program(*OPTIMIZE, "--json", code=1).json
    assert document["status"] == "too_many_unscored"
    assert "leaves 6 of these 30 items without a verdict; it is not usable" in document["sentence"]
    assert program(*OPTIMIZE, "--max-unscored", "0.2", "--json").json["status"] == "ok"


def test_no_candidate_wins_by_declining(program, pages, server, world):
    """Right on what it answers, silent on the rest: ranked with silence as wrong, it loses to the baseline."""

    def answer(call):
        if call.schema and "decline" in call.system:
            page = re.search(r"page ([fu]\d\d)", call.user)[1]
            right = "1" if page.startswith("f") else "0"
            return Reply(verdict(right if page in ("f01", "f02", "u01", "u02") else "CANNOT_ASSESS"))
        return world(call)

    server._replies = answer
    world.writer = lambda *_: "<prompt>Answer only when you are sure, else decline without shame.</prompt>"
    calibration = calibrated(program(*OPTIMIZE, "--iterations", 1, "--json").json)
    assert calibration["winner"]["number"] == 0
    assert calibration["candidates"][1]["score"] < calibration["candidates"][0]["score"]


def test_gold_of_a_single_class_is_refused_before_anything_is_spent(program, pages, server):
    write_pages(Path("pages.csv"), FAITHFUL)
    outcome = program(*OPTIMIZE, code=2)
    assert "single_class_gold" in outcome.error
    assert "pages.csv" in outcome.error
    assert server.requests == 0
    assert not Path("runs.db").exists()


def test_too_few_items_are_refused(program, pages, server):
    write_pages(Path("pages.csv"), ["f01", "u01"])
    assert "too few" in program(*OPTIMIZE, code=2).error
    assert not Path("runs.db").exists()


def test_a_judge_that_is_code_has_no_prompt_to_rewrite(program, pages):
    Path("house.py").write_text("def judge(item):\n    return 1\n", encoding="utf-8")
    said = program("optimize", pages, "--judge", "py:house:judge", "--optimizer", "sim:writer", code=2).error
    assert "calibrate baseline" in said
    assert not Path("runs.db").exists()


def test_a_key_for_the_meta_llm_is_missed_before_anything_is_spent(program, pages, server):
    said = program("optimize", pages, "--judge", "openai:m", "--optimizer", "anthropic:m", code=2).error
    assert "ANTHROPIC_API_KEY" in said
    assert server.requests == 0
    assert not Path("runs.db").exists()


def two_raters(differ):
    lines = ["id,question,context,answer,rater_ana,rater_ben,label"]
    for page in PAGES:
        label = "1" if page.startswith("f") else "0"
        other = ("0" if label == "1" else "1") if page in differ else label
        lines.append(f"{page},What is on page {page}?,Text of {page}.,Answer of page {page}.,{label},{other},{label}")
    Path("raters.csv").write_text("\n".join(lines))
    Path("prompt.txt").write_text(PROMPT)
    return ("optimize", "raters.csv", *MODELS, "--prompt", "prompt.txt", "--iterations", 1)


def test_raters_who_agree_too_little_are_refused_unless_forced(program, server):
    asked = two_raters(PAGES[12:24])
    outcome = program(*asked, code=2)
    assert "--force" in outcome.error
    assert "60%" in outcome.error
    assert server.requests == 0
    assert not Path("runs.db").exists()
    forced = program(*asked, "--force", "--json")
    assert "(--force)" in forced.err
    assert program("show", 1, "--json").json["spec"]["force"] is True


def test_raters_who_agree_are_enough(program, server):
    program(*two_raters(("f01", "u01")))
    assert program("show", 1, "--json").json["spec"]["force"] is False


@pytest.mark.slow
def test_each_dimension_is_calibrated_by_itself(program, server):
    lines = ["id,dimension,question,context,answer,label"]
    for page in PAGES:
        for dimension in ("faithfulness", "relevance"):
            label = "1" if page.startswith("f") else "0"
            lines.append(f"{page},{dimension},What is on page {page}?,Text of {page}.,Answer of page {page}.,{label}")
    Path("two.csv").write_text("\n".join(lines))
    Path("prompt.txt").write_text(PROMPT)
    two = ("optimize", "two.csv", *MODELS, "--prompt", "prompt.txt", "--iterations", "1")
    document = program(*two, "--json").json
    assert [(each["run"], each["dimension"]) for each in document["calibrations"]] == [
        (1, "faithfulness"),
        (2, "relevance"),
    ]
    assert [(each["dimension"], each["role"]) for each in document["results"]] == [
        ("faithfulness", "baseline"),
        ("faithfulness", "winner"),
        ("relevance", "baseline"),
        ("relevance", "winner"),
    ]
    assert program(*two).out.count("Stopped:") == 2
    one = program(*two, "--dimension", "relevance", "--json").json
    assert [each["run"] for each in one["calibrations"]] == [2]


@pytest.mark.slow
def test_a_meta_llm_that_fails_loses_no_reply_that_was_paid_for(program, pages, server, world):
    def answer(call):
        if 'strategy="explicit rubric"' in call.user.split("<request")[-1] and world.held_from is not None:
            return error(400, "not today")
        reply = world(call)
        return Reply(reply.text, latency=0.2) if "<request" in call.user else reply

    server._replies = answer
    world.held_from = 10_000  # a switch: while it is set, one strategy's meta-prompt is refused
    outcome = program(*PLAIN, "--iterations", "1", code=3)
    assert "not today" in outcome.error
    with closing(sqlite3.connect("runs.db")) as connection:
        assert connection.execute("select count(*) from responses").fetchone() == (30 + 4,)
        assert connection.execute("select status from runs").fetchone() == ("failed",)
    world.held_from = None
    document = program(*PLAIN, "--iterations", "1", "--json").json
    assert calibrated(document)["run"] == 1
    assert max(world.answered.values()) == 1


def test_a_meta_llm_with_a_wrong_key(program, pages, server, monkeypatch):
    Path("calibrate.toml").write_text(
        f'[models.writer]\nbase_url = "{server.openai_url}"\nmodel = "w"\nkey_env = "WRITER_KEY"\n'
    )
    monkeypatch.setenv("WRITER_KEY", "sk-wrong")
    server.keys = {"sk-any"}
    outcome = program(
        "optimize", pages, "--judge", "openai:gpt-4.1", "--optimizer", "writer", "--prompt", "prompt.txt", code=3
    )
    assert "WRITER_KEY" in outcome.error
    # The baseline is there, and shown.
    shown = program("show", 1)
    assert "Stopped: failed; the same command goes on." in shown.out
    assert "0.400" in shown.out


def test_the_judges_calls_are_stored_while_a_candidate_fails(program, pages, server, world):
    world.special = {"u05": error(400, "never this one")}
    document = program(*OPTIMIZE, "--iterations", "1", "--json").json
    assert document["results"][0]["unscored"]["error"] == 1
    assert document["results"][0]["wrong"] is not None


def test_quiet_and_json_go_together(program, pages, server):
    outcome = program(*OPTIMIZE, "--iterations", 1, "--quiet", "--json")
    assert outcome.err == ""
    assert outcome.json["schema"] == 1


def test_the_judge_label_is_worked_by_hand():
    """What the tests rest on: the table in the world's description."""

    def table(prompt):
        said = [judge_label(prompt, page) for page in PAGES]
        return said[:21].count("1"), said[:21].count("0"), said[21:].count("1"), said[21:].count("0")

    assert table("") == (20, 1, 9, 0)
    assert table("ledger") == (19, 2, 3, 6)
    assert table("ledger roster") == (19, 2, 0, 9)
    assert table("ledger roster mercy") == (21, 0, 0, 9)
    assert table("stern") == (10, 11, 9, 0)
    assert table("stern ledger") == (9, 12, 3, 6)
