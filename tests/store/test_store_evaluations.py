"""Evaluations that a finished run refers to, and what is left of a run's candidates when it ends."""

from __future__ import annotations

import pytest
from store_data import a_run, an_evaluation, judgement

from calibrate.domain import Scored, Unscored
from calibrate.store import CandidateRecord, RunKind, RunStatus, Store


def judged(store: Store, run_id: int, evaluation: int | None, number: int = 0) -> None:
    """Log a candidate of a run that was judged in this evaluation, with one verdict."""
    if evaluation is not None:
        store.record(run_id, "m", [judgement(evaluation, "a")])
    store.save_candidate(
        run_id, CandidateRecord(number, 0, "baseline", None, "Judge it.", "scored", evaluation=evaluation, score=0.4)
    )


def test_an_evaluation_is_frozen_for_all_runs_but_the_finished_one_that_refers_to_it(store: Store) -> None:
    run, other, evaluation = a_run(store, "one"), a_run(store, "other"), an_evaluation(store)
    judged(store, run.id, evaluation)
    assert not store.is_frozen(evaluation, other.id)
    store.finish_run(run.id, "done", {"winner": 0})
    assert store.is_frozen(evaluation, other.id)
    assert not store.is_frozen(evaluation, run.id)
    assert not store.is_frozen(an_evaluation(store, "another"), other.id)


@pytest.mark.parametrize("status", ["interrupted", "failed", "running"])
def test_a_finished_run_that_fails_when_it_is_run_again_still_shows_what_it_found(
    store: Store, status: RunStatus
) -> None:
    run, other, evaluation = a_run(store, "one", kind="baseline"), a_run(store, "other"), an_evaluation(store)
    judged(store, run.id, evaluation)
    store.finish_run(run.id, status)
    assert not store.is_frozen(evaluation, other.id)
    store.finish_run(run.id, "done", {"results": []})
    store.finish_run(run.id, status)
    assert store.is_frozen(evaluation, other.id)


def test_two_finished_runs_freeze_it_for_each_other(store: Store) -> None:
    one, two, evaluation = a_run(store, "one"), a_run(store, "two"), an_evaluation(store)
    for run in (one, two):
        judged(store, run.id, evaluation)
        store.finish_run(run.id, "done", {"winner": 0})
    assert store.is_frozen(evaluation, one.id)
    assert store.is_frozen(evaluation, two.id)


@pytest.mark.parametrize("kind", ["noise", "bias"])
def test_repetitions_and_probes_are_frozen_too(store: Store, kind: RunKind) -> None:
    run, other, evaluation = a_run(store, "one", kind=kind), a_run(store, "other"), an_evaluation(store)
    store.record(run.id, "m", [judgement(evaluation, "a")])
    found = {"evaluations": [evaluation]} if kind == "noise" else {"variants": {"white space": evaluation}}
    store.finish_run(run.id, "done", found)
    assert store.is_frozen(evaluation, other.id)
    assert not store.is_frozen(evaluation, run.id)


def test_an_evaluation_without_verdicts_is_not_frozen(store: Store) -> None:
    run, evaluation = a_run(store, "one"), an_evaluation(store)
    store.save_candidate(run.id, CandidateRecord(0, 0, "baseline", None, "Judge it.", "stopped", evaluation=evaluation))
    store.finish_run(run.id, "done", {"winner": 0})
    assert not store.is_frozen(evaluation, a_run(store, "other").id)


def test_failed_calls_are_no_answers_but_every_other_verdict_is_one(store: Store) -> None:
    run, evaluation = a_run(store), an_evaluation(store)
    assert store.answered(evaluation) == frozenset()
    verdicts = {"a": Scored("1"), "b": Unscored("error", "no"), "c": Unscored("refused"), "d": Unscored("abstained")}
    store.record(run.id, "m", [judgement(evaluation, item, verdict) for item, verdict in verdicts.items()])
    assert store.answered(evaluation) == {"a", "c", "d"}


def test_when_a_run_ends_what_it_did_not_come_to_is_removed(store: Store) -> None:
    run, other = a_run(store, "one"), a_run(store, "other")
    for each in (run, other):
        for number in range(4):
            judged(store, each.id, None, number)
            store.save_iteration(each.id, number, {"best": 0})
    store.finish_run(run.id, "interrupted")
    assert len(store.candidates(run.id)) == 4
    store.finish_run(run.id, "done", {"winner": 0}, candidates={0, 2}, iterations=())
    assert [each.number for each in store.candidates(run.id)] == [0, 2]
    assert store.iterations(run.id) == {}
    assert [each.number for each in store.candidates(other.id)] == [0, 1, 2, 3]
    assert list(store.iterations(other.id)) == [0, 1, 2, 3]
