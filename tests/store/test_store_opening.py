"""Opening: a new database is made, an old one is brought up to date, and anything else is refused and left alone."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from importlib import resources
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, text
from store_data import a_run, an_evaluation, judgement

from calibrate.errors import StoreError
from calibrate.store import Store
from calibrate.store.database import HEAD
from calibrate.store.tables import Base

MIGRATIONS = resources.files("calibrate.store") / "migrations"


def engine_url(database: str) -> str:
    return database if "://" in database else f"sqlite:///{database}"


def upgrade_to(version: str, connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, version)


def schema_version(database: str) -> str:
    engine = create_engine(engine_url(database))
    with engine.connect() as connection:
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    engine.dispose()
    (version,) = found
    return str(version)


# Migrations


def test_head_is_the_newest_migration() -> None:
    scripts = ScriptDirectory(str(MIGRATIONS))
    assert scripts.get_heads() == [HEAD]


def test_migrations_are_numbered_without_gaps_and_files_say_their_number() -> None:
    scripts = list(ScriptDirectory(str(MIGRATIONS)).walk_revisions())[::-1]
    assert [script.revision for script in scripts] == [f"{n:04}" for n in range(1, len(scripts) + 1)]
    for script in scripts:
        assert Path(script.path).name.startswith(f"v{script.revision}_")


def test_the_migrated_schema_is_the_one_the_code_declares(store: Store, database: str) -> None:
    engine = create_engine(engine_url(database))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
    engine.dispose()


def test_a_database_of_the_first_version_is_upgraded_and_keeps_its_rows(database: str) -> None:
    engine = create_engine(engine_url(database))
    with engine.begin() as connection:
        upgrade_to("0001", connection)
        for statement in (
            "INSERT INTO golden_sets VALUES ('g', 'support', 's.csv', '{}', '2026-01-01')",
            "INSERT INTO prompts VALUES ('p', 'Judge it.')",
            "INSERT INTO runs VALUES (1, 'optimize', 'a', 0, '{}', 'g', 'f', 'done', '{\"x\": 1}', '', '1', '3')",
            "INSERT INTO runs VALUES (2, 'optimize', 'b', 0, '{}', 'g', 'f', 'running', NULL, '', '2', NULL)",
            "INSERT INTO candidates VALUES (1, 0, 0, 'baseline', NULL, 'p', 'scored', '', NULL, 0.5, NULL, NULL)",
            "INSERT INTO candidates VALUES (2, 0, 0, 'baseline', NULL, 'p', 'scored', '', NULL, 0.25, NULL, 0.1)",
        ):
            connection.exec_driver_sql(statement)
    with Store(database) as store:
        assert [run.result for run in store.runs()] == [{"x": 1}, None]
        assert [store.candidates(run)[0].score for run in (1, 2)] == [0.5, 0.25]
        assert store.candidates(1)[0].prompt == "Judge it."
    with engine.connect() as connection:
        created = connection.execute(text("SELECT created FROM candidates ORDER BY run_id")).scalars().all()
        assert created == ["3", "2"]  # when the run ended, else when it began
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    engine.dispose()
    assert schema_version(database) == HEAD


def test_replies_that_a_killed_process_had_recorded_of_an_open_batch_are_known_to_be_of_it(database: str) -> None:
    engine = create_engine(engine_url(database))
    with engine.begin() as connection:
        upgrade_to("0006", connection)
        columns = "key, generation, run_id, requested, returned, text, finish, latency, created"
        replies = f"INSERT INTO responses ({columns}) VALUES"
        jobs = "INSERT INTO batches (id, run_id, token, model, status, created)"
        for statement in (
            "INSERT INTO golden_sets VALUES ('g', 'support', 's.csv', '{}', '1')",
            "INSERT INTO runs (id, kind, spec_digest, number, spec, golden_digest, dimension, status, version, created)"
            " VALUES (1, 'baseline', 'a', 0, '{}', 'g', 'f', 'running', '', '1')",
            f"{jobs} VALUES (1, 1, 'x', 'm', 'collected', '1'), (2, 1, 'y', 'm', 'open', '3')",
            "INSERT INTO batch_requests VALUES (1, 'k'), (2, 'k'), (2, 'l')",
            f"{replies} ('k', 0, 1, 'm', 'm', '', 'stop', 0.0, '2'), ('k', 1, 1, 'm', 'm', '', 'stop', 0.0, '4')",
            f"{replies} ('l', 0, 1, 'm', 'm', '', 'stop', 0.5, '4'), ('n', 0, 1, 'm', 'm', '', 'stop', 0.0, '4')",
        ):
            connection.exec_driver_sql(statement)
    with Store(database):
        pass
    with engine.connect() as connection:
        found = connection.execute(text("SELECT key, generation, batch_id FROM responses ORDER BY key, generation"))
        assert found.all() == [("k", 0, None), ("k", 1, 2), ("l", 0, None), ("n", 0, None)]
    engine.dispose()


# Opening


def test_a_new_database_is_made_and_empty(store: Store, database: str) -> None:
    assert store.runs() == ()
    assert schema_version(database) == HEAD


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    path.touch()
    with Store(str(path)) as store:
        assert store.runs() == ()
    assert schema_version(str(path)) == HEAD


def test_opening_it_again_changes_nothing(database: str) -> None:
    with Store(database) as first:
        run, evaluation = a_run(first), an_evaluation(first)
        first.record(run.id, "m", [judgement(evaluation, "0")])
    for _ in range(2):
        with Store(database) as again:
            assert again.runs() == (run,)
            assert set(again.verdicts(evaluation)) == {"0"}


def test_two_stores_of_one_database_see_each_other(database: str) -> None:
    with Store(database) as one, Store(database) as other:
        run, evaluation = a_run(one), an_evaluation(other)
        other.record(run.id, "m", [judgement(evaluation, "0")])
        assert set(one.verdicts(evaluation)) == {"0"}


@pytest.mark.parametrize("name", ["what? 100% #1.db", "résumé final.db", "a=b&c.db"])
def test_a_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    with Store(str(tmp_path / name)) as store:
        run = a_run(store)
    assert (tmp_path / name).exists()
    with Store(str(tmp_path / name), create=False) as store:
        assert store.runs() == (run,)


def test_a_sqlite_url_is_the_same_file(tmp_path: Path) -> None:
    with Store(f"sqlite:///{tmp_path / 'runs.db'}") as store:
        run = a_run(store)
    with Store(str(tmp_path / "runs.db"), create=False) as store:
        assert store.runs() == (run,)


def test_a_reader_does_not_make_a_missing_file(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    with pytest.raises(StoreError, match=r"runs\.db: no runs here yet; run `calibrate baseline` first"):
        Store(str(path), create=False)
    assert not path.exists()


def test_nothing_is_left_open_after_closing(tmp_path: Path) -> None:
    with Store(str(tmp_path / "runs.db")) as store:
        a_run(store)
    assert [path.name for path in tmp_path.iterdir()] == ["runs.db"]  # no write-ahead log is left to others


# What is refused


def test_a_database_of_a_newer_version_says_so_and_stays(database: str) -> None:
    Store(database).close()
    engine = create_engine(engine_url(database))
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(StoreError, match=r"written by a newer calibrate \(schema 9999\); upgrade judge-calibrate"):
        Store(database)
    assert schema_version(database) == "9999"


FOREIGN = {
    "a shop": ["CREATE TABLE customers (id INTEGER)", "INSERT INTO customers VALUES (1)"],
    "names that we use too": ["CREATE TABLE runs (id INTEGER)", "CREATE TABLE items (id INTEGER)"],
    "another program with Alembic": [
        "CREATE TABLE runs (id INTEGER)",
        "CREATE TABLE alembic_version (version_num VARCHAR(32))",
        "INSERT INTO alembic_version VALUES ('0a8213491aaa')",
    ],
    "another program with numbered migrations": [
        "CREATE TABLE customers (id INTEGER)",
        "CREATE TABLE alembic_version (version_num VARCHAR(32))",
        "INSERT INTO alembic_version VALUES ('0001')",
    ],
    "another program with Alembic, before its first migration": [
        "CREATE TABLE customers (id INTEGER)",
        "CREATE TABLE alembic_version (version_num VARCHAR(32))",
    ],
}


@pytest.mark.parametrize("statements", FOREIGN.values(), ids=FOREIGN)
def test_a_database_of_another_program_is_refused(database: str, statements: list[str]) -> None:
    engine = create_engine(engine_url(database))
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()
    with pytest.raises(StoreError, match=r"is not a calibrate database \(it has \w+.*\); name another with --db"):
        Store(database)


def test_a_file_of_another_program_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE customers (id INTEGER)")
        connection.commit()
    before = path.read_bytes()
    with pytest.raises(StoreError):
        Store(str(path))
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["shop.db"]


@pytest.mark.parametrize(
    "content", [b"id,answer,label\n", b"id,answer,label\n" + b"1,fine,1\n" * 1000, bytes(range(256)) * 64]
)
def test_a_file_that_is_no_database_is_refused_and_not_touched(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "golden.csv"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"golden\.csv is not a calibrate database; move it away or name another"):
        Store(str(path))
    assert path.read_bytes() == content


def test_a_damaged_database_says_so(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    Store(str(path)).close()
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    with pytest.raises(StoreError, match=r"runs\.db is damaged; go back to a copy of it or name another with --db"):
        Store(str(path))


def test_a_folder_that_does_not_exist_says_so(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"runs\.db cannot be opened for writing; check the folder"):
        Store(str(tmp_path / "no such folder" / "runs.db"))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened for writing; check the folder"):
        Store(str(tmp_path))


@pytest.mark.parametrize("url", ["sqlite://", ":memory:", "sqlite:///:memory:", ""])
def test_runs_are_not_kept_in_memory(url: str) -> None:
    with pytest.raises(StoreError, match="runs are kept in a file; name one with --db"):
        Store(url)


@pytest.mark.parametrize("url", ["mysql://root@localhost/runs", "oracle+oracledb://localhost", "nonsense://x"])
def test_another_kind_of_database_is_refused(url: str) -> None:
    with pytest.raises(StoreError, match=r"runs are kept in SQLite or PostgreSQL, not in \w+; use a file name"):
        Store(url)


@pytest.mark.parametrize("url", ["://", "postgresql://user:secret@host:port/runs", "post gres://user:secret@x"])
def test_a_url_that_cannot_be_read_is_refused_and_its_password_not_shown(url: str) -> None:
    with pytest.raises(StoreError, match="is not a database URL; use a file name or postgresql") as caught:
        Store(url)
    assert "secret" not in str(caught.value)


def test_every_store_error_is_one_line_with_exit_code_2(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database")
    for path in (tmp_path / "text", tmp_path, tmp_path / "missing" / "runs.db"):
        with pytest.raises(StoreError) as caught:
            Store(str(path))
        assert caught.value.exit_code == 2
        assert caught.value.status == "store_error"
        assert not re.search(r"[\n\r]|sqlalche\.me|Background", str(caught.value))
