"""Other processes, killed processes, full disks: nothing recorded is lost, and the message says what is wrong."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import recorder
from sqlalchemy import Engine, event, func, select
from store_data import a_run, an_evaluation, judgement, response

from calibrate.errors import StoreError
from calibrate.store import Store
from calibrate.store.tables import VerdictRow


def finish(*processes: subprocess.Popen[str]) -> list[str]:
    """Let processes begin at once and return what each said after that."""
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("begin\n")
        process.stdin.flush()
    outputs = [process.communicate(timeout=120)[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes)
    return outputs


def recorded(store: Store) -> set[str]:
    return set(store.verdicts(an_evaluation(store)))


# Two at once


@pytest.mark.slow
def test_two_processes_make_a_new_database_and_record_at_once(database: str) -> None:
    outputs = finish(*(recorder.start(database, name, batches=10, size=50) for name in ("one", "other")))
    assert outputs == ["".join(f"{batch}\n" for batch in range(10))] * 2
    with Store(database) as store:
        expected = {i for name in ("one", "other") for batch in range(10) for i in recorder.item_ids(name, batch, 50)}
        assert recorded(store) == expected
        assert [store.spending(run.id).calls for run in store.runs()] == [500, 500]


@pytest.mark.slow
def test_two_processes_with_the_same_baseline_share_its_run(database: str) -> None:
    finish(*(recorder.start(database, "same", batches=4, size=25) for _ in range(2)))
    with Store(database) as store:
        (run,) = store.runs()
        assert len(recorded(store)) == 100
        assert store.spending(run.id).calls == 200  # both have paid


@pytest.mark.slow
def test_many_processes_make_a_new_database_at_once(database: str) -> None:
    names = [f"process {n}" for n in range(8)]
    outputs = finish(*(recorder.start(database, name, batches=5, size=20) for name in names))
    assert outputs == ["0\n1\n2\n3\n4\n"] * 8
    with Store(database) as store:
        assert len(recorded(store)) == 800
        assert len(store.runs()) == 8


def test_a_reader_is_not_held_up_by_a_writer(tmp_path: Path) -> None:
    path = str(tmp_path / "runs.db")
    with Store(path) as store:
        run = a_run(store)
        with closing(sqlite3.connect(path, isolation_level=None)) as writer:
            writer.execute("BEGIN IMMEDIATE")
            writer.execute("UPDATE runs SET status = 'failed'")
            with Store(path, create=False, lock_wait=0.05) as reader:
                assert reader.run(run.id).status == "running"


def test_a_writer_is_not_held_up_by_a_reader_who_sees_one_moment_throughout(database: str) -> None:
    how_many = select(func.count()).select_from(VerdictRow)
    with Store(database, lock_wait=0.05) as store, Store(database, create=False) as other:
        run, evaluation = a_run(store), an_evaluation(store)
        with other.access.reading() as reader:
            assert reader.scalar(how_many) == 0
            store.record(run.id, "m", [judgement(evaluation, "0")])
            assert recorded(store) == {"0"}
            assert reader.scalar(how_many) == 0
        assert recorded(other) == {"0"}


def test_a_locked_database_says_so(tmp_path: Path) -> None:
    path = str(tmp_path / "runs.db")
    with Store(path, lock_wait=0.05) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        run, evaluation = a_run(store), an_evaluation(store)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"runs\.db is locked by another process; wait for it or name another"):
            store.record(run.id, "m", [judgement(evaluation, "0")])
        other.execute("ROLLBACK")
        store.record(run.id, "m", [judgement(evaluation, "0")])
        assert recorded(store) == {"0"}


def test_a_new_file_that_another_process_holds_says_so(tmp_path: Path) -> None:
    path = str(tmp_path / "runs.db")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match=r"runs\.db is locked by another process"):
            Store(path, lock_wait=0.05)
        other.execute("ROLLBACK")
    Store(path).close()


# Killed


def test_what_was_recorded_survives_a_kill(database: str) -> None:
    process = recorder.start(database, "killed", batches=100_000, size=10)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("begin\n")
    process.stdin.flush()
    said = [int(process.stdout.readline()) for _ in range(20)]
    process.kill()
    said += [int(line) for line in process.communicate()[0].splitlines()]
    with Store(database, create=False) as store:
        kept = recorded(store)
        assert kept >= {each for batch in said for each in recorder.item_ids("killed", batch, 10)}
        # Of the batch that was being written, all or nothing.
        assert len(kept) in (10 * len(said), 10 * len(said) + 10)
        assert store.spending(store.runs()[0].id).calls == len(kept)
        assert store.runs()[0].status == "running"
    if "://" not in database:
        with closing(sqlite3.connect(database)) as check:
            assert check.execute("PRAGMA integrity_check").fetchone() == ("ok",)


# A full disk


@contextmanager
def no_larger_than(pages: int) -> Iterator[None]:
    """Every new connection takes the database file for full at so many pages."""

    def limit(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}").fetchall()

    event.listen(Engine, "connect", limit)
    try:
        yield
    finally:
        event.remove(Engine, "connect", limit)


def test_a_full_disk_says_so_and_what_was_recorded_stays(tmp_path: Path) -> None:
    path = str(tmp_path / "runs.db")
    with Store(path) as store:
        run, evaluation = a_run(store), an_evaluation(store)
        store.record(run.id, "m", [judgement(evaluation, "before")])
    with no_larger_than(pages=1), Store(path) as store:
        large = judgement(evaluation, "after", answer=response("x" * 100_000))
        with pytest.raises(StoreError, match=r"runs\.db cannot be written: the disk is full; free some space"):
            store.record(run.id, "m", [large])
        assert recorded(store) == {"before"}
    with Store(path) as store:
        store.record(run.id, "m", [large])
        assert recorded(store) == {"before", "after"}


def test_a_new_database_on_a_full_disk_says_so(tmp_path: Path) -> None:
    path = str(tmp_path / "runs.db")
    with no_larger_than(pages=3), pytest.raises(StoreError, match="the disk is full"):
        Store(path)
    Store(path).close()  # no half of a schema is left behind


def test_a_file_that_may_not_grow_says_so_and_what_was_recorded_stays(tmp_path: Path) -> None:
    """The operating system refuses the write, as with a quota."""
    path = str(tmp_path / "runs.db")
    (output,) = finish(recorder.start(path, "limited", batches=1000, size=10, file_limit=400_000))
    *said, problem = output.splitlines()
    assert len(said) > 3
    assert problem.startswith(f"StoreError: {path} cannot be written: the disk ")
    with Store(path) as store:
        assert recorded(store) == {i for batch in said for i in recorder.item_ids("limited", int(batch), 10)}


# Without permission


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that others may enter, unlike pytest's."""
    made = Path(tempfile.mkdtemp(prefix="calibrate-"))
    made.chmod(0o755)
    yield made
    made.chmod(0o755)
    shutil.rmtree(made)


@contextmanager
def as_somebody_without_rights() -> Iterator[None]:
    """Permissions do not bind root; here root becomes nobody for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_read_only_file_says_so_and_stays_as_it_is(folder: Path) -> None:
    path = folder / "runs.db"
    with Store(str(path)) as store:
        run, evaluation = a_run(store), an_evaluation(store)
        store.record(run.id, "m", [judgement(evaluation, "before")])
    path.chmod(0o444)
    folder.chmod(0o555)
    before = path.read_bytes()
    with (
        as_somebody_without_rights(),
        pytest.raises(StoreError, match=r"runs\.db cannot be opened for writing; check the folder and its permissions"),
        Store(str(path)) as store,
    ):
        store.record(run.id, "m", [judgement(evaluation, "after")])
    assert path.read_bytes() == before


def test_a_read_only_folder_says_so(folder: Path) -> None:
    folder.chmod(0o555)
    with (
        as_somebody_without_rights(),
        pytest.raises(StoreError, match=r"runs\.db cannot be opened for writing; check the folder and its permissions"),
    ):
        Store(str(folder / "runs.db"))
    assert list(folder.iterdir()) == []


def test_an_empty_read_only_file_says_so_at_once(folder: Path) -> None:
    path = folder / "runs.db"
    path.touch()
    path.chmod(0o444)
    folder.chmod(0o555)
    with as_somebody_without_rights(), pytest.raises(StoreError, match=r"runs\.db cannot be opened for writing"):
        Store(str(path))
