"""What a finished run found stays as it was measured, whatever later commands ask the same judge.

The other way round, a finished run holds nothing of an attempt that was interrupted and then went another way.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from contextlib import closing

import pytest
from loopback import Reply, error
from program import FAITHFUL, UNFAITHFUL, verdict

MODELS = ("--judge", "openai:gpt-4.1-mini", "--prompt", "prompt.txt", "--max-unscored", "1")
OPTIMIZE = ("optimize", "pages.csv", *MODELS, "--optimizer", "openai:gpt-4.1", "--no-analysis", "--noise-repeats", "0")
BASELINE = ("baseline", "pages.csv", *MODELS)
STEPS = ("--strategy", "fix wrongly accepted", "--iterations", 9, "--width", 1)

pytestmark = pytest.mark.usefixtures("no_waiting")


def rows(query):
    with closing(sqlite3.connect("file:runs.db?mode=ro", uri=True)) as connection:
        return connection.execute(query).fetchall()


def numbers(table):
    return [number for (number,) in rows(f"select number from {table} where run_id = 1 order by number")]


def told_of_run_1(program, candidates=None):
    """Everything that the program says of the first run and its candidates (all, or these), character by character."""
    named = [1, *(f"1:{number}" for number in (numbers("candidates") if candidates is None else candidates))]
    shown = {
        (command, one, *form): program(command, one, *form, code=None).out
        for command in ("show", "explain")
        for one in named
        for form in ((), ("--json",))
    }
    return shown, program("runs", "--json").json["runs"][0]


def failed(verdicts):
    return sorted(item for item, each in verdicts.items() if each.get("unscored") == "error")


def evaluations_of_the_first_prompt():
    ((count,),) = rows(
        "select count(*) from evaluations where repeat = 0 and prompt_digest = "
        "(select prompt_digest from candidates where run_id = 1 and number = 0)"
    )
    return count


def failing(world, pages, unless=""):
    """The world whose judge's calls on these pages fail, but for prompts with a word."""

    def reply(call):
        page = re.search(r"page ([fu]\d\d)", call.user)
        if "<request" not in call.user and page[1] in pages and not (unless and unless in call.system):
            return error(400, "content filter")
        return world(call)

    return reply


# What an interrupted attempt leaves over


def a_writer_that_fails_at(word, world):
    """A world whose meta-LLM cannot rewrite what has a word in it already; it says so with an error."""

    def reply(call):
        current = re.search(r"<current.*?</current>", call.user, re.DOTALL)
        if current is not None and word in current[0]:
            return error(400, "boom")
        return world(call)

    return reply


RULES = tuple(
    f"Rule {word}: {rest}."
    for word, rest in (
        ("alpha", "hold the quantities against those in the context"),
        ("bravo", "look up each name where it was first told"),
        ("charlie", "mind dates and calendars before anything else"),
        ("delta", "take the remaining statements slowly, one after another"),
    )
)


@pytest.mark.parametrize("fresh", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_calibration_that_goes_another_way_holds_nothing_of_the_first_one(program, pages, server, world, fresh):
    """A failed verdict that is answered the second time, or fresh replies, lead elsewhere."""
    words = (*OPTIMIZE, *STEPS, *(("--fresh",) if fresh else ()))

    def rules_in(prompt):
        return sum(rule in prompt for rule in RULES)

    # One more rule in each rewrite, and with each the judge sees through one more page.
    world.writer = lambda strategy, current: f"<prompt>{current} {RULES[rules_in(current)]}</prompt>"
    world.judge = lambda prompt, page: "0" if page in UNFAITHFUL[: rules_in(prompt)] else "1"
    interrupted = a_writer_that_fails_at("delta", world)
    server._replies = interrupted if fresh else failing(interrupted, FAITHFUL[:1], unless="alpha")
    program(*words, code=3)
    assert numbers("candidates") == [0, 1, 2, 3, 4]  # while it is unfinished they stay
    assert numbers("iterations") == [1, 2, 3, 4, 5]
    assert program("explain", 1, "--json").json["winner"] == 4

    world.writer = lambda strategy, current: "I would rather not say."
    world.judge = lambda prompt, page: "0" if page == "f02" else "1"  # only what is asked afresh is told it
    server._replies = world
    (calibration,) = program(*words, "--json").json["calibrations"]
    assert (calibration["stopped"], calibration["iterations"], calibration["winner"]["number"]) == ("stalled", 3, 0)
    assert [(each["number"], each["status"]) for each in calibration["candidates"]] == [
        (0, "scored"),
        *((number, "rejected") for number in (1, 2, 3)),
    ]
    assert numbers("candidates") == [0, 1, 2, 3]
    assert numbers("iterations") == [1, 2, 3]
    assert calibration["sentence"].startswith("No rewrite could be tried: all 3 were rejected")
    assert program("explain", 1, "--json").json["winner"] == 0
    program("show", "1:4", code=2)


@pytest.mark.parametrize(("recorded", "told"), [("scored", 1), pytest.param("rejected", 2, marks=pytest.mark.slow)])
def test_the_winner_of_a_finished_run_is_the_recorded_one(program, pages, server, recorded, told):
    """Runs that were made before hold leftovers; what they recorded holds, as long as it is a scored candidate."""
    program(*OPTIMIZE, *STEPS[:2], "--iterations", 1, "--width", 1)
    with closing(sqlite3.connect("runs.db")) as connection, connection:
        connection.execute("create temp table copied as select * from candidates where number = 1")
        connection.execute("update copied set number = 2, iteration = 2, score = 0.99")
        connection.execute("insert into candidates select * from copied")
        connection.execute("update candidates set status = ? where number = 1", (recorded,))
    assert program("show", 1, "--json").json["winner"]["number"] == told
    assert program("explain", 1, "--json").json["winner"] == told


# Verdicts that are asked for later


@pytest.mark.slow
def test_a_failed_verdict_that_is_asked_again_changes_no_finished_calibration(program, pages, server, world):
    server._replies = failing(world, FAITHFUL[:6], unless="ledger")
    words = (*OPTIMIZE, *STEPS[:2], "--iterations", 1, "--width", 1)
    program(*words)
    before = told_of_run_1(program)
    assert failed(program("show", "1:0", "--json").json["verdicts"]) == sorted(FAITHFUL[:6])

    server._replies = world
    again = program(*BASELINE, "--json").json
    assert (again["runs"][0]["paid_calls"], again["results"][0]["scored"]) == (6, 30)
    assert told_of_run_1(program) == before
    assert set(world.answered.values()) == {1}
    # Its own figures are those of all items, now and later, and another search starts from them.
    assert program(*BASELINE, "--json").json["results"] == again["results"]
    program(*words, "--new")
    assert evaluations_of_the_first_prompt() == 2
    assert told_of_run_1(program) == before


@pytest.mark.slow
def test_what_fails_again_and_again_makes_no_evaluation_for_each_time(program, pages, server, world):
    server._replies = failing(world, FAITHFUL[:6], unless="ledger")
    program(*OPTIMIZE, *STEPS[:2], "--iterations", 1, "--width", 1)
    before = told_of_run_1(program)
    for _ in range(3):
        assert program(*BASELINE, "--json").json["results"][0]["scored"] == 24
    assert evaluations_of_the_first_prompt() == 2
    assert told_of_run_1(program) == before


VOTES = [(), *(pytest.param(each, marks=pytest.mark.slow) for each in (("--votes", 3), ("--votes", 3, "--adaptive")))]


@pytest.mark.slow
@pytest.mark.parametrize("votes", VOTES)
def test_a_baseline_mends_its_own_figures_and_no_others(program, pages, server, world, votes):
    """A run that is shared by nobody is mended where it is; what another run shares stays that one's."""
    server._replies = failing(world, FAITHFUL[:6], unless="ledger")
    assert program(*BASELINE, *votes, "--json").json["results"][0]["scored"] == 24
    before = told_of_run_1(program)
    search = (*OPTIMIZE, *votes, *STEPS[:2], "--iterations", 1, "--width", 1)
    program(*search)
    assert told_of_run_1(program) == before  # it shares the verdicts: nothing was answered that had failed
    of_the_search = program("show", 2, "--json").out, program("explain", 2, "--json").out

    server._replies = world
    mended = program(*BASELINE, *votes, "--json").json
    assert (mended["runs"][0]["run"], mended["results"][0]["scored"]) == (1, 30)
    assert program("show", 1, "--json").json["results"] == mended["results"]
    assert (program("show", 2, "--json").out, program("explain", 2, "--json").out) == of_the_search
    asked = len(server.calls)
    assert program(*BASELINE, *votes, "--json").json["results"] == mended["results"]
    assert len(server.calls) == asked


def votes_that_differ(world, page, labels):
    """The world whose judge answers these on a page, in turn; None fails."""
    left = list(labels)

    def reply(call):
        if f"page {page}." in call.user and "<request" not in call.user and left:
            label = left.pop(0)
            return error(400, "bad luck") if label is None else Reply(verdict(label))
        return world(call)

    return reply


@pytest.mark.slow
def test_a_missing_vote_that_is_cast_later_changes_a_verdict_of_later_runs_only(program, pages, server, world):
    """One vote of three says 0 and two failed: the verdict is 0, and with the two it is 1."""
    votes = ("--votes", 3, "--concurrency", 1)
    server._replies = votes_that_differ(world, "f05", ["0", None, None])
    program(*BASELINE, *votes)
    assert program("show", 1, "--json").json["verdicts"]["f05"]["label"] == "0"
    before = told_of_run_1(program)
    server._replies = world
    program(*OPTIMIZE, *votes, *STEPS[:2], "--iterations", 1, "--width", 1)
    assert program("show", "2:0", "--json").json["verdicts"]["f05"]["label"] == "1"
    assert told_of_run_1(program) == before
    assert max(world.answered.values()) == 3
    asked = len(server.calls)
    program(*BASELINE, *votes)  # its own figures
    assert program("show", 1, "--json").json["verdicts"]["f05"]["label"] == "1"
    assert len(server.calls) == asked


# What was stopped before it was judged on all items


def mixed_judge(prompt, page):
    """A judge that is right about three items in four, whatever the prompt."""
    share = int(hashlib.md5((prompt + page).encode()).hexdigest(), 16) % 100
    return ("1" if page in FAITHFUL else "0") if share < 75 else ("0" if page in FAITHFUL else "1")


def nine_words(strategy, current):
    word = hashlib.md5((strategy + current).encode()).hexdigest()
    return f"<prompt>{' '.join(word[at : at + 4] for at in range(0, 32, 2))} judge it</prompt>"


@pytest.mark.slow
@pytest.mark.parametrize("votes", VOTES)
def test_what_a_search_stopped_a_later_one_judges_to_its_end_elsewhere(program, pages, server, world, votes):
    world.judge, world.writer = mixed_judge, nine_words
    search = (*OPTIMIZE, *votes, "--iterations", 1, "--width", 11, "--json")
    (first,) = program(*search, "--prune").json["calibrations"]
    stopped = {each["number"] for each in first["candidates"] if each["status"] == "stopped"}
    assert stopped
    looked_at = None if votes else [0, min(stopped)]
    before = told_of_run_1(program, looked_at)
    for run, again in enumerate((("--prune",), ()), start=2):
        (later,) = program(*search, "--objective", "accuracy", *again).json["calibrations"]
        assert later["run"] == run
        judged = {each["number"] for each in later["candidates"] if each["status"] in ("scored", "stopped")}
        assert judged & stopped  # the same prompts, in the same order: they had no score
        assert told_of_run_1(program, looked_at) == before
        assert rows("select count(*) from responses where generation > 0 and requested like '%mini'") == [(0,)]
    held = (
        "select count(*) from candidates c join verdicts v on v.evaluation_id = c.evaluation_id "
        "where c.status = 'scored' and c.shown is null group by c.run_id, c.number"
    )
    assert set(rows(held)) == {(30,)}
    assert {each["number"] for each in later["candidates"] if each["status"] == "scored"} & stopped


# Probes


@pytest.mark.slow
def test_probes_of_a_finished_run_stay_when_those_of_another_one_are_asked_again(program, pages, server, world):
    program(*BASELINE)
    program(*OPTIMIZE, *STEPS[:2], "--iterations", 1, "--width", 1)
    layout = failing(world, FAITHFUL[:4])
    server._replies = layout
    program("bias", "1:0", "--ask")
    before = program("bias", "1:0", "--json").out
    assert "error" in {reason for (reason,) in rows("select unscored from verdicts where unscored is not null")}
    server._replies = world
    again = program("bias", "2:0", "--ask", "--json").json
    assert again["run"]["paid_calls"] == 4 * 4
    assert program("bias", "1:0", "--json").out == before
    assert set(world.answered.values()) == {1}
