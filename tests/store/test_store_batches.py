"""Batch jobs: a request is in one open job at most, and a job belongs to one living process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import create_engine, select
from sqlalchemy.orm import Session
from store_data import Clock, a_run, an_evaluation, judgement, key, response

from calibrate.store import BatchJobs, Store
from calibrate.store.tables import BatchRow

KEYS = [key(n) for n in range(5)]

OTHER_PROCESS = """
import sys
from store_data import a_run, key
from calibrate.store import BatchJobs, Store
store = Store(sys.argv[1])
job = BatchJobs(store, a_run(store, kind="baseline").id, "m").intend([key(n) for n in range(5)])
print(job.id, flush=True)
sys.stdin.readline()
"""


def jobs_of(store: Store, model: str = "m") -> BatchJobs:
    return BatchJobs(store, a_run(store, kind="baseline").id, model)


def another_process(database: str) -> tuple[subprocess.Popen[str], int]:
    """Start a process that has written a job; return it and the job."""
    process = subprocess.Popen(
        [sys.executable, "-c", OTHER_PROCESS, database],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert process.stdout is not None
    return process, int(process.stdout.readline())


def statuses(database: str) -> list[str]:
    engine = create_engine(database if "://" in database else f"sqlite:///{database}")
    with Session(engine) as session:
        found = list(session.scalars(select(BatchRow.status).order_by(BatchRow.id)))
    engine.dispose()
    return found


def test_a_job_is_there_before_it_is_submitted_and_after_the_process_is_gone(database: str) -> None:
    with Store(database) as store:
        intended = jobs_of(store).intend(KEYS)
    assert intended is not None
    assert len(intended.token) == 32
    with Store(database) as store:
        (found,) = jobs_of(store).open(KEYS[:1])
    assert found == intended
    assert found.keys == frozenset(KEYS)
    assert found.provider_id is None
    assert abs((found.created - datetime.now(UTC)).total_seconds()) < 3600


def test_a_key_is_in_one_open_job_at_most(store: Store) -> None:
    jobs = jobs_of(store)
    first = jobs.intend(KEYS[:3])
    second = jobs.intend([*KEYS, KEYS[4]])
    assert first is not None
    assert second is not None
    assert second.keys == frozenset(KEYS[3:])
    assert jobs.intend(KEYS) is None
    assert [job.id for job in jobs.open(KEYS)] == [first.id, second.id]
    assert [job.id for job in jobs.open(KEYS[3:])] == [second.id]
    assert jobs.open([]) == ()


@pytest.mark.slow
def test_the_keys_of_a_closed_job_are_free(store: Store, database: str) -> None:
    jobs = jobs_of(store)
    first = jobs.intend(KEYS)
    assert first is not None
    jobs.close(first.id, "collected")
    assert jobs.open(KEYS) == ()
    assert not jobs.take(first.id)
    assert jobs.intend(KEYS) is not None
    assert statuses(database) == ["collected", "open"]


def test_what_was_answered_since_the_run_began_is_not_asked_again(store: Store, clock: Clock) -> None:
    run, evaluation = a_run(store, kind="baseline"), an_evaluation(store)
    store.record(run.id, "m", [judgement(evaluation, "old", request="0")])
    clock.pass_seconds(1)
    jobs = BatchJobs(store, run.id, "m")
    assert jobs.answered([key("0")]) == {}
    clock.pass_seconds(1)
    store.record(run.id, "m", [judgement(evaluation, "new", request="1")])
    assert jobs.answered(map(key, "01")).keys() == {key("1")}
    assert jobs.answered([key("1")])[key("1")].cached_at is not None
    made = jobs.intend([key("0"), key("1")])
    assert made is not None
    assert made.keys == {key("0")}


def test_a_reply_says_which_job_it_came_in(store: Store) -> None:
    run, evaluation = a_run(store, kind="baseline"), an_evaluation(store)
    jobs = BatchJobs(store, run.id, "m")
    job = jobs.intend(KEYS[:3])
    assert job is not None
    store.record(run.id, "m", [judgement(evaluation, "called", request="0")])
    store.record(run.id, "m", [judgement(evaluation, "batched", answer=replace(response(), batch=job.id), request="1")])
    jobs.keep([(KEYS[2], replace(response(), batch=job.id)), (KEYS[3], replace(response(), batch=job.id + 1))])
    assert jobs.booked(job.id, KEYS).keys() == set(KEYS[1:3])
    assert {name: each.batch for name, each in store.responses(KEYS).items()} == {
        KEYS[0]: None,
        KEYS[1]: job.id,
        KEYS[2]: job.id,
        KEYS[3]: job.id + 1,
    }


def test_a_job_is_overtaken_when_all_its_requests_were_answered_since(store: Store, clock: Clock) -> None:
    run, evaluation = a_run(store, kind="baseline"), an_evaluation(store)
    store.record(run.id, "m", [judgement(evaluation, "before", request="0")])
    clock.pass_seconds(1)
    jobs = BatchJobs(store, run.id, "m")
    job = jobs.intend(KEYS[:2])
    assert job is not None
    clock.pass_seconds(1)
    store.record(run.id, "m", [judgement(evaluation, "after", request="1")])
    assert jobs.overtaken() == ()
    store.record(run.id, "m", [judgement(evaluation, "before", request="0")])
    assert jobs.overtaken() == (job,)
    assert jobs_of(store, "other").overtaken() == ()
    jobs.close(job.id, "collected")
    assert jobs.overtaken() == ()


def test_jobs_tell_what_they_can_cost_to_the_run_that_pays_while_they_are_open(store: Store) -> None:
    jobs = jobs_of(store)
    first, second = jobs.intend(KEYS[:2], 0.5), jobs.intend(KEYS[2:])
    assert first is not None
    assert second is not None
    assert jobs.most() == {first.id: 0.5, second.id: None}
    assert BatchJobs(store, a_run(store, kind="noise").id, "m").most() == {}
    jobs.close(first.id, "collected")
    assert jobs.most() == {second.id: None}


def test_requests_in_open_jobs_are_counted(store: Store) -> None:
    jobs = jobs_of(store)
    assert jobs.pending() == 0
    first, second = jobs.intend(KEYS[:2]), jobs.intend(KEYS[2:])
    assert first is not None
    assert second is not None
    assert jobs.pending() == 5
    jobs.close(first.id, "collected")
    assert jobs.pending() == 3
    assert jobs_of(store, "other").pending() == 0


def test_models_do_not_share_jobs(store: Store) -> None:
    assert jobs_of(store, "one").intend(KEYS) is not None
    assert jobs_of(store, "other").open(KEYS) == ()


def test_the_id_at_the_provider_is_kept_and_can_be_taken_back(store: Store) -> None:
    jobs = jobs_of(store)
    job = jobs.intend(KEYS)
    assert job is not None
    jobs.submitted(job.id, "batch-1")
    assert jobs.open(KEYS)[0].provider_id == "batch-1"
    jobs.submitted(job.id, None)
    assert jobs.open(KEYS)[0].provider_id is None


def test_answers_that_nobody_asked_for_are_kept_and_paid(store: Store) -> None:
    run = a_run(store, kind="baseline")
    BatchJobs(store, run.id, "m").keep([(KEYS[0], response()), (KEYS[1], response())])
    assert store.responses(KEYS).keys() == set(KEYS[:2])
    assert store.spending(run.id).calls == 2


def test_answers_that_nobody_asked_for_do_not_change_what_is_replayed(store: Store) -> None:
    run, evaluation = a_run(store, kind="baseline"), an_evaluation(store)
    store.record(run.id, "m", [judgement(evaluation, "0", answer=response("first"))])
    jobs = BatchJobs(store, run.id, "m")
    jobs.keep([(KEYS[0], response("kept")), (KEYS[0], response("kept too"))])
    assert store.responses(KEYS)[KEYS[0]].text == "first"
    assert store.renewals(KEYS) == 0
    assert store.spending(run.id).calls == 3
    store.record(run.id, "m", [judgement(evaluation, "0", answer=response("asked afresh"))])
    assert store.responses(KEYS)[KEYS[0]].text == "asked afresh"
    assert store.renewals(KEYS) == 1


def test_replies_in_batches_do_not_tell_how_long_a_call_takes(store: Store) -> None:
    run = a_run(store, kind="baseline")
    jobs = BatchJobs(store, run.id, "m")
    jobs.keep([(KEYS[0], replace(response(), latency=0.0))])
    assert store.typical("m").latency is None
    jobs.keep([(KEYS[1], replace(response(), latency=3.0))])
    assert store.typical("m").latency == 3.0
    assert store.typical("m").replies == 2


def test_more_keys_than_a_statement_takes(store: Store) -> None:
    jobs, keys = jobs_of(store), [key(f"many {n}") for n in range(1700)]
    job = jobs.intend(keys)
    assert job is not None
    assert jobs.open(keys) == (job,)
    assert jobs.intend(keys) is None


# Two at once


def test_a_job_of_a_living_process_is_left_to_it_and_a_killed_one_holds_nothing(database: str) -> None:
    process, job = another_process(database)
    with Store(database) as store:
        jobs = jobs_of(store)
        assert [each.id for each in jobs.open(KEYS)] == [job]
        assert not jobs.take(job)
        assert jobs.intend(KEYS) is None
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        assert jobs.take(job)


def test_a_job_is_owned_by_one_store_in_a_process(database: str) -> None:
    with Store(database) as first:
        job = jobs_of(first).intend(KEYS)
        assert job is not None
        assert jobs_of(first).take(job.id)
        with Store(database) as second:
            assert not jobs_of(second).take(job.id)
            first.close()
            assert jobs_of(second).take(job.id)


def test_of_two_that_intend_the_same_at_once_one_gets_it(database: str) -> None:
    with Store(database) as one, Store(database) as other:
        jobs = [jobs_of(one), jobs_of(other)]
        with ThreadPoolExecutor(2) as threads:
            made = list(threads.map(lambda each: each.intend(KEYS), jobs))
    assert sorted(job is None for job in made) == [False, True]


@pytest.mark.parametrize("round_", range(3))
def test_of_two_that_intend_overlapping_keys_each_key_goes_to_one(database: str, round_: int) -> None:
    with Store(database) as one, Store(database) as other, ThreadPoolExecutor(2) as threads:
        jobs = [jobs_of(one), jobs_of(other)]
        pending = [threads.submit(jobs[0].intend, KEYS[:4]), threads.submit(jobs[1].intend, KEYS[1:])]
        made = [each.result() for each in pending]
        keys = [each for job in made if job is not None for each in job.keys]
    assert sorted(keys) == sorted(KEYS)
