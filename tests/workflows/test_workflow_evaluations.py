"""Judging and keeping: a verdict is durable before it is counted, and what was measured stays as it was measured."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from program import FAITHFUL, PAGES, PROMPT

import calibrate
from calibrate.optimizer import Limits
from calibrate.workflows.progress import Quiet

JUDGE = "openai:gpt-4.1"


def in_database(query):
    with closing(sqlite3.connect("file:runs.db?mode=ro", uri=True)) as connection:
        return connection.execute(query).fetchall()


def test_a_verdict_is_durable_before_it_is_counted(pages, server):
    counted = []

    class Watching(Quiet):
        def judged(self, judgement):
            counted.append(judgement.item_id)
            assert {(each,) for each in counted} <= set(in_database("select item_id from verdicts"))
            assert len(in_database("select key from responses")) >= len(counted)

    calibrate.baseline(pages, JUDGE, prompt=PROMPT, progress=Watching(), concurrency=4)
    assert sorted(counted) == sorted(PAGES)


def test_a_candidate_is_logged_as_soon_as_it_is_known(pages, server):
    seen = []

    class Watching(Quiet):
        def tried(self, trial, *named):
            seen.append(trial.candidate.number)
            assert {(each,) for each in seen} <= set(in_database("select number from candidates"))

    calibrate.optimize(pages, JUDGE, JUDGE, prompt=PROMPT, limits=Limits(iterations=1), progress=Watching())
    assert sorted(seen) == [0, 1, 2, 3, 4, 5]


@pytest.mark.slow
@pytest.mark.parametrize("then", [{}, {"fresh": True}])
def test_a_later_run_does_not_change_what_an_earlier_one_found(pages, server, world, then):
    calibrate.optimize(pages, JUDGE, JUDGE, prompt=PROMPT, limits=Limits(iterations=1))
    before = calibrate.show(1).to_json()
    # The provider changes the model behind the name.
    world.judge = lambda prompt, page: "0"
    calibrate.baseline(pages, JUDGE, prompt=PROMPT, fresh=True)
    calibrate.baseline(pages, JUDGE, prompt=PROMPT, **then)
    assert calibrate.show(1).to_json() == before


def test_two_baselines_of_one_prompt_are_one_run_with_the_newest_figures(pages, server, world):
    calibrate.baseline(pages, JUDGE, prompt=PROMPT)
    world.judge = lambda prompt, page: "1"
    fresh = calibrate.baseline(pages, JUDGE, prompt=PROMPT, fresh=True)
    assert calibrate.show(1).chosen.result.to_json() == fresh.results[0].to_json()
    assert len(calibrate.runs().runs) == 1
    assert calibrate.runs().rows()[0]["spent"]["calls"] == 60


def test_the_same_item_in_two_sets_is_paid_for_once(pages, server):
    calibrate.baseline(pages, JUDGE, prompt=PROMPT)
    lines = Path(pages).read_text().splitlines(keepends=True)
    Path("fewer.csv").write_text("".join(lines[:1] + lines[10:]))
    report = calibrate.baseline("fewer.csv", JUDGE, prompt=PROMPT)
    assert report.details["runs"][0]["paid_calls"] == 0
    assert report.results[0].alignment.n == 21
    assert len(server.calls) == 30


def test_identical_items_are_asked_about_once(server):
    header = "id,question,context,answer,label\n"
    same = "What is on page f01?,Text of f01.,Answer of page f01."
    Path("same.csv").write_text(header + "".join(f"{number},{same},{number % 2}\n" for number in range(6)))
    report = calibrate.baseline("same.csv", JUDGE, prompt=PROMPT)
    assert len(server.calls) == 1
    assert report.results[0].alignment.scored == 6


def test_a_judge_that_may_abstain(pages, server, world):
    from program import verdict

    world.judge = lambda prompt, page: "CANNOT_ASSESS" if page in FAITHFUL[:2] else "1"
    report = calibrate.baseline(pages, JUDGE, prompt=PROMPT, allow_abstain=True, max_unscored=0.1)
    assert server.calls[0].schema["properties"]["label"]["enum"] == ["0", "1", "CANNOT_ASSESS"]
    assert "CANNOT_ASSESS" in server.calls[0].system
    assert report.results[0].alignment.unscored["abstained"] == 2
    assert verdict("CANNOT_ASSESS")
