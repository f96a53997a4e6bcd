"""Runs: the same specification is the same run, and what earlier runs tried is known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from store_data import JUDGE, Clock, a_run, an_evaluation, golden_set

from calibrate.errors import InputError, StoreError
from calibrate.store import CandidateRecord, RunRecord, RunStatus, Store

SCORED = CandidateRecord(
    number=0, iteration=0, strategy="baseline", parent=None, prompt="Judge it.", status="scored", score=0.4
)


def tried(store: Store, run: RunRecord) -> list[str]:
    return [each.candidate.prompt for each in store.tried_before(run)]


# Starting and finishing


def test_a_new_run(store: Store) -> None:
    golden = store.save_golden(golden_set(), "support.csv")
    run = store.start_run("baseline", {"judge": JUDGE, "seed": 1}, golden, "faithfulness")
    assert run == RunRecord(
        id=run.id,
        kind="baseline",
        number=0,
        spec={"judge": JUDGE, "seed": 1},
        golden_digest=golden,
        dimension="faithfulness",
        status="running",
        result=None,
        version="1.2.3",
        created="2026-01-01T00:00:00.000+00:00",
        finished=None,
    )
    assert store.run(run.id) == run


def test_a_finished_run_keeps_its_result(store: Store, clock: Clock) -> None:
    run = a_run(store)
    clock.pass_seconds(90)
    store.finish_run(run.id, "done", {"stopped": "target"})
    finished = store.run(run.id)
    assert (finished.status, finished.result) == ("done", {"stopped": "target"})
    store.finish_run(run.id, "failed")  # a later attempt that says nothing of a result
    assert store.run(run.id).result == {"stopped": "target"}
    assert finished.finished == "2026-01-01T00:01:30.000+00:00"


def test_the_same_specification_is_the_same_run(store: Store) -> None:
    assert a_run(store, "one").id == a_run(store, "one").id


def test_the_order_of_keys_does_not_matter(store: Store) -> None:
    golden = store.save_golden(golden_set(), "support.csv")
    one = store.start_run("optimize", {"a": 1, "b": 2}, golden, "faithfulness")
    other = store.start_run("optimize", {"b": 2, "a": 1}, golden, "faithfulness")
    assert one.id == other.id


def test_kind_specification_set_and_dimension_each_make_another_run(store: Store) -> None:
    golden = store.save_golden(golden_set(), "support.csv")
    relabelled = store.save_golden(golden_set("relabelled"), "support.csv")
    runs = [
        store.start_run("optimize", {"seed": 1}, golden, "faithfulness"),
        store.start_run("baseline", {"seed": 1}, golden, "faithfulness"),
        store.start_run("optimize", {"seed": 2}, golden, "faithfulness"),
        store.start_run("optimize", {"seed": 1}, relabelled, "faithfulness"),
        store.start_run("optimize", {"seed": 1}, golden, "relevance"),
    ]
    assert len({run.id for run in runs}) == 5
    assert {run.number for run in runs} == {0}


def test_a_finished_run_is_given_back_finished(store: Store) -> None:
    run = a_run(store)
    store.finish_run(run.id, "done", {"stopped": "limit"})
    again = a_run(store)
    assert (again.id, again.status, again.result) == (run.id, "done", {"stopped": "limit"})


@pytest.mark.parametrize("status", ["interrupted", "failed"])
def test_an_unfinished_run_goes_on(store: Store, status: RunStatus) -> None:
    run = a_run(store)
    store.finish_run(run.id, status)
    assert (store.run(run.id).status, store.run(run.id).result) == (status, None)
    again = a_run(store)
    assert (again.id, again.number) == (run.id, 0)
    assert (again.status, again.finished) == ("running", None)
    assert store.run(run.id) == again


def test_a_run_left_by_a_killed_process_goes_on(store: Store) -> None:
    assert a_run(store) == a_run(store)


def test_new_starts_another_run_of_a_finished_specification(store: Store) -> None:
    first = a_run(store)
    store.finish_run(first.id, "done", {"stopped": "limit"})
    second = a_run(store, new=True)
    assert (second.number, second.status) == (1, "running")
    assert second.id != first.id
    assert store.run(first.id).status == "done"


def test_new_goes_on_with_an_unfinished_run(store: Store) -> None:
    first = a_run(store)
    store.finish_run(first.id, "done")
    second = a_run(store, new=True)
    store.finish_run(second.id, "interrupted")
    assert a_run(store, new=True).id == second.id


def test_without_new_the_latest_run_counts(store: Store) -> None:
    first = a_run(store)
    store.finish_run(first.id, "done")
    second = a_run(store, new=True)
    store.finish_run(second.id, "done")
    assert a_run(store).id == second.id
    assert [run.number for run in store.runs()] == [0, 1]


def test_runs_come_the_oldest_first(store: Store) -> None:
    for spec in ("c", "a", "b"):
        a_run(store, spec)
    assert [run.spec["spec"] for run in store.runs()] == ["c", "a", "b"]


def test_two_databases_know_nothing_of_each_other(store: Store, tmp_path: Path) -> None:
    a_run(store, "one")
    with Store(str(tmp_path / "other.db")) as other:
        assert other.runs() == ()
        run = a_run(other, "another")
        assert run.id == 1
        with pytest.raises(InputError):
            other.run(2)
    assert [each.spec["spec"] for each in store.runs()] == ["one"]


@pytest.mark.parametrize("number", [0, 7, -1, 2**31, 10**30])
def test_an_unknown_run_says_what_to_do(store: Store, number: int) -> None:
    with pytest.raises(InputError, match=rf"no run {number} here; `calibrate runs` lists them") as caught:
        store.run(number)
    assert not isinstance(caught.value, StoreError)


# Candidates


def test_candidates_come_back_as_they_were_by_number(store: Store) -> None:
    run, evaluation = a_run(store), an_evaluation(store)
    candidates = (
        replace(SCORED, evaluation=evaluation, metrics={"alignment": {"value": 0.4}}, cost=0.02),
        CandidateRecord(1, 1, "explicit rubric", 0, "Judge it well.", "rejected", "too long"),
        CandidateRecord(2, 1, "radical simplification", 0, "Judge.", "scored", score=-0.1),
    )
    for candidate in reversed(candidates):
        store.save_candidate(run.id, candidate)
    assert store.candidates(run.id) == candidates


def test_a_candidate_logged_again_replaces_the_old_entry(store: Store) -> None:
    run = a_run(store)
    store.save_candidate(run.id, SCORED)
    store.save_candidate(run.id, replace(SCORED, score=0.5, prompt="Judge it again."))
    assert store.candidates(run.id) == (replace(SCORED, score=0.5, prompt="Judge it again."),)


def test_candidates_belong_to_their_run(store: Store) -> None:
    one, other = a_run(store, "one"), a_run(store, "other")
    store.save_candidate(one.id, SCORED)
    assert store.candidates(other.id) == ()


# What earlier runs tried


def test_a_later_run_knows_what_an_earlier_one_scored(store: Store, clock: Clock) -> None:
    earlier = a_run(store, "earlier")
    store.save_candidate(earlier.id, SCORED)
    store.save_candidate(earlier.id, replace(SCORED, number=1, prompt="Judge it well.", score=0.6))
    store.finish_run(earlier.id, "done")
    clock.pass_seconds(1)
    later = a_run(store, "later")
    found = store.tried_before(later)
    assert [each.candidate for each in found] == [SCORED, replace(SCORED, number=1, prompt="Judge it well.", score=0.6)]
    assert {(each.run_id, each.spec["judge"]["model"]) for each in found} == {(earlier.id, JUDGE["model"])}


def test_a_run_does_not_know_itself_nor_what_came_after(store: Store, clock: Clock) -> None:
    first = a_run(store, "first")
    clock.pass_seconds(1)
    second = a_run(store, "second")
    for run in (first, second):
        clock.pass_seconds(1)
        store.save_candidate(run.id, SCORED)
        store.finish_run(run.id, "done")
    assert tried(store, first) == []
    assert tried(store, second) == []


def test_neither_does_one_that_began_in_the_same_moment(store: Store) -> None:
    first, second = a_run(store, "first"), a_run(store, "second")
    store.save_candidate(first.id, SCORED)
    store.save_candidate(second.id, replace(SCORED, prompt="Judge it well."))
    assert tried(store, first) == []
    assert tried(store, second) == ["Judge it."]


def test_what_was_rejected_or_stopped_is_told_too(store: Store, clock: Clock) -> None:
    earlier = a_run(store, "earlier")
    store.save_candidate(earlier.id, replace(SCORED, status="rejected", reason="too long", score=None))
    store.save_candidate(earlier.id, replace(SCORED, number=1, status="stopped", reason="at most 0.4", score=None))
    clock.pass_seconds(1)
    found = [each.candidate for each in store.tried_before(a_run(store, "later"))]
    assert [(each.status, each.reason) for each in found] == [("rejected", "too long"), ("stopped", "at most 0.4")]


def test_only_the_same_golden_set_counts(store: Store, clock: Clock) -> None:
    store.save_candidate(a_run(store, "earlier").id, SCORED)
    clock.pass_seconds(1)
    relabelled = store.save_golden(golden_set("relabelled"), "support.csv")
    assert tried(store, a_run(store, "later", golden=relabelled)) == []


def test_only_the_same_dimension_counts(store: Store, clock: Clock) -> None:
    earlier = a_run(store, "earlier")
    store.save_candidate(earlier.id, SCORED)
    clock.pass_seconds(1)
    later = store.start_run("optimize", {"judge": JUDGE}, earlier.golden_digest, "relevance")
    assert tried(store, later) == []


def test_an_interrupted_run_has_tried_what_it_scored(store: Store, clock: Clock) -> None:
    earlier = a_run(store, "earlier")
    store.save_candidate(earlier.id, SCORED)
    store.finish_run(earlier.id, "interrupted")
    clock.pass_seconds(1)
    assert tried(store, a_run(store, "later")) == ["Judge it."]


def test_an_interrupted_run_sees_what_it_saw_at_first_when_it_goes_on(store: Store, clock: Clock) -> None:
    """Whatever an older run does meanwhile: else the same replies would lead elsewhere."""
    older = a_run(store, "older")
    store.save_candidate(older.id, SCORED)
    store.finish_run(older.id, "interrupted")
    clock.pass_seconds(1)
    run = a_run(store, "run")
    seen = tried(store, run)
    store.finish_run(run.id, "interrupted")

    clock.pass_seconds(1)
    a_run(store, "older")
    store.save_candidate(older.id, SCORED)
    store.save_candidate(older.id, replace(SCORED, number=1, prompt="Judge it well."))
    assert tried(store, a_run(store, "run")) == seen == ["Judge it."]

    clock.pass_seconds(1)
    store.finish_run(older.id, "done")
    assert tried(store, a_run(store, "run")) == seen
    assert tried(store, a_run(store, "later")) == ["Judge it.", "Judge it well."]


# Candidates and iterations


def test_a_candidate_tells_its_second_parent_and_the_items_it_shows(store: Store) -> None:
    run = a_run(store, "merging")
    merged = replace(SCORED, number=3, parent=1, partner=2, shown=("a", "b"))
    store.save_candidate(run.id, merged)
    assert store.candidates(run.id) == (merged,)


def test_an_iteration_logged_again_is_replaced(store: Store) -> None:
    run = a_run(store, "searching")
    store.save_iteration(run.id, 1, {"best": 0, "chosen": []})
    store.save_iteration(run.id, 2, {"best": 1})
    store.save_iteration(run.id, 1, {"best": 0, "chosen": [{"strategy": "merge"}]})
    assert store.iterations(run.id) == {1: {"best": 0, "chosen": [{"strategy": "merge"}]}, 2: {"best": 1}}
