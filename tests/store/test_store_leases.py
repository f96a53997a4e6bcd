"""Leases: one process at a time pays for a run; a dead one holds nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, select, update
from sqlalchemy.orm import Session
from store_data import Clock, a_run, an_evaluation, judgement, response

from calibrate.errors import StoreError
from calibrate.store import CandidateRecord, RunKind, RunStatus, Store
from calibrate.store.leases import SILENCE
from calibrate.store.tables import RunRow

TRIED = CandidateRecord(number=0, iteration=0, strategy="baseline", parent=None, prompt="Judge it.", status="scored")

OTHER_PROCESS = """
import sys
from store_data import a_run
from calibrate.store import Store
store = Store(sys.argv[1])
a_run(store)
print("started", flush=True)
sys.stdin.readline()
"""

linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="start times of processes are read from /proc")


def another_process(database: str) -> subprocess.Popen[str]:
    """Start a process that has started the run and is at work on it."""
    process = subprocess.Popen(
        [sys.executable, "-c", OTHER_PROCESS, database],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "started\n"
    return process


def owner(database: str) -> Mapping[str, Any] | None:
    engine = create_engine(database if "://" in database else f"sqlite:///{database}")
    with Session(engine) as session:
        found = session.scalars(select(RunRow.owner)).one()
    engine.dispose()
    return found


def change_owner(database: str, **changes: object) -> None:
    held = owner(database)
    assert held is not None
    engine = create_engine(database if "://" in database else f"sqlite:///{database}")
    with Session(engine) as session, session.begin():
        session.execute(update(RunRow).values(owner={**held, **changes}))
    engine.dispose()


# On one machine


def test_a_run_that_another_process_calibrates_is_refused_until_it_is_killed(database: str) -> None:
    process = another_process(database)
    with process, Store(database) as store:
        for new in (False, True):
            with pytest.raises(
                StoreError,
                match=rf"^run 1 is being calibrated by another process \(pid {process.pid}\); wait for it$",
            ):
                a_run(store, new=new)
        assert a_run(store, "another specification").id == 2
        process.kill()
        process.wait()
        assert a_run(store).id == 1


@linux
def test_a_killed_process_that_its_parent_has_not_collected_holds_nothing(database: str) -> None:
    process = another_process(database)
    with process, Store(database) as store:
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # dead, and still listed
        assert a_run(store).id == 1


@linux
def test_a_later_process_of_the_same_number_holds_nothing(database: str) -> None:
    with another_process(database) as process, Store(database) as store:
        change_owner(database, started="before the restart")
        assert a_run(store).id == 1
        process.kill()


def test_two_stores_of_one_process_do_not_share_a_calibration(database: str) -> None:
    with Store(database) as other:
        with Store(database) as one:
            run = a_run(one)
            assert a_run(one) == run  # its own
            with pytest.raises(StoreError, match="run 1 is being calibrated by this process already; wait for it"):
                a_run(other)
        assert a_run(other).id == run.id  # closed without an end


@pytest.mark.parametrize("status", ["done", "interrupted", "failed"])
def test_a_run_that_ended_belongs_to_nobody(database: str, status: RunStatus) -> None:
    with Store(database) as one, Store(database) as other:
        run = a_run(one)
        one.finish_run(run.id, status)
        assert owner(database) is None
        assert a_run(other).id == run.id


@pytest.mark.parametrize(("kind", "doing"), [("noise", "measured"), ("bias", "probed")])
def test_two_processes_do_not_share_other_runs_that_pay(database: str, kind: RunKind, doing: str) -> None:
    with Store(database) as one, Store(database) as other:
        run = a_run(one, kind=kind)
        with pytest.raises(StoreError, match=f"run 1 is being {doing} by this process already; wait for it"):
            a_run(other, kind=kind)
        one.finish_run(run.id, "done")
        assert a_run(other, kind=kind).id == run.id


def test_a_finished_run_of_probes_is_asked_more_by_one_process_at_a_time(database: str) -> None:
    with Store(database) as one, Store(database) as other:
        run = a_run(one, kind="bias")
        one.finish_run(run.id, "done", {"sentence": "no bias"})
        assert a_run(one, kind="bias").result == {"sentence": "no bias"}
        with pytest.raises(StoreError, match="run 1 is being probed by this process already"):
            a_run(other, kind="bias")


def test_two_processes_may_share_a_baseline(database: str) -> None:
    with Store(database) as one, Store(database) as other:
        assert a_run(one, kind="baseline") == a_run(other, kind="baseline")


# On another machine


def test_a_run_of_another_machine_is_taken_over_when_it_has_been_silent(database: str, clock: Clock) -> None:
    with Store(database, clock=clock) as one, Store(database, clock=clock) as other:
        run, evaluation = a_run(one), an_evaluation(one)
        change_owner(database, host="elsewhere/pid:[1]", pid=12)
        signs_of_life = (
            lambda: None,
            lambda: one.save_candidate(run.id, replace(TRIED, evaluation=evaluation)),
            lambda: one.save_response(run.id, "k", "m", response()),
            lambda: one.record(run.id, "m", [judgement(evaluation, "0")]),
        )
        for sign in signs_of_life:
            sign()
            clock.pass_seconds(SILENCE.total_seconds())
            with pytest.raises(StoreError, match=r"by another process \(pid 12 on elsewhere\); wait for it"):
                a_run(other)
        clock.now += timedelta(seconds=1)
        assert a_run(other).id == run.id
        with closing(Store(database, clock=clock)) as third, pytest.raises(StoreError, match="this process already"):
            a_run(third)
