"""Opening the run database: engine, pragmas, schema version and the errors a user can mend."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from calibrate.errors import StoreError
from calibrate.store.tables import Base

__all__ = ["HEAD", "open_engine", "store_errors"]

HEAD = "0009"
"""The newest migration; a test compares it with the folder."""

_VERSION = re.compile(r"\d{4}")
_ALMOST_A_URL = re.compile(r"postgres(ql)?(\+\w+)?:(?!//)")
_NO_RUNS = "no runs here yet; run `calibrate baseline` first, or name one with --db"
_DENIED = re.compile("permission denied|must be owner|read-only transaction")
_WRITER_LOCK = 0x63616C69  # "cali": one key for all writers of a PostgreSQL database


def open_engine(url: str, *, create: bool = True, lock_wait: float = 30.0) -> Engine:
    """Open the database at ``url``, create or migrate its schema, and return the engine.

    Args:
        url: an SQLAlchemy URL of SQLite or PostgreSQL, or a path of an SQLite file.
        create: whether a database that is not there, or has nothing in it, is made; readers pass False.
        lock_wait: seconds to wait for another process's lock.

    Raises:
        StoreError: it cannot be opened, is not a run database, is locked, or was written by a newer version.
    """
    parsed = _parse(url)
    sqlite = parsed.get_backend_name() == "sqlite"
    if sqlite and parsed.database and not create and not Path(parsed.database).exists():
        raise StoreError(f"{parsed.database}: {_NO_RUNS}")
    with store_errors(url):
        try:
            options: dict[str, Any] = {"connect_args": {"timeout": lock_wait}} if sqlite else {}
            # A server closes connections that are idle for long, as during the calls of a slow judge.
            engine = create_engine(parsed, pool_pre_ping=not sqlite, **options)
        except (NoSuchModuleError, ImportError) as error:
            raise StoreError(
                f"no driver for {parsed.drivername}: {next(iter(str(error).splitlines()), '')}; install "
                "judge-calibrate[postgres] and write postgresql+psycopg://..."
            ) from error
        if sqlite:
            event.listen(engine, "connect", _configure_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
        else:
            event.listen(engine, "begin", lambda connection: _begin_postgresql(connection, lock_wait))
        try:
            _bring_up_to_date(engine, url, lock_wait, create=create)
        except BaseException:
            engine.dispose()
            raise
    return engine


def _parse(url: str) -> URL:
    if _ALMOST_A_URL.match(url) or ("://" in url and url.count("@") > 1):
        raise StoreError(
            "the database URL cannot be read; write postgresql+psycopg://USER:PASSWORD@HOST/DATABASE, with @ in a "
            "password as %40, / as %2F, : as %3A and % as %25"
        )
    if "://" not in url:
        # Not through make_url: a file may have "?" or "%" in its name.
        parsed = URL.create("sqlite", database=url)
    else:
        try:
            parsed = make_url(url)
        except (ArgumentError, ValueError) as error:
            raise StoreError(
                f"'{_shown(url)}' is not a database URL; use a file name or postgresql+psycopg://..."
            ) from error
    if parsed.drivername in ("postgres", "postgresql"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    backend = parsed.drivername.split("+")[0]
    if backend not in ("sqlite", "postgresql"):
        raise StoreError(
            f"runs are kept in SQLite or PostgreSQL, not in {backend}; use a file name or postgresql://..."
        )
    if backend == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise StoreError("runs are kept in a file; name one with --db")
    return parsed


def _configure_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver begins no transactions of its own; _begin_sqlite does
    cursor = connection.cursor()
    try:
        # FULL: a verdict that was counted survives a power cut, not only a killed process.
        for pragma in ("synchronous=FULL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
    finally:
        cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes its lock at once: a transaction that reads first and then writes would fail, without waiting,
    # when another process wrote in between.
    options = connection.get_execution_options()
    if options.get("transactions", True):
        connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes", False) else "BEGIN")


def _begin_postgresql(connection: Connection, lock_wait: float) -> None:
    # One writer at a time, as on SQLite: generations and run numbers are read before they are written.
    if connection.get_execution_options().get("writes", False):
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = {max(1, round(lock_wait * 1000))}")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_WRITER_LOCK})")
    else:
        # What a reader asks one after the other is of one moment, as on SQLite.
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")


def _bring_up_to_date(engine: Engine, url: str, lock_wait: float, *, create: bool) -> None:
    version = _version(engine, url)
    if version is not None and version > HEAD:
        raise StoreError(f"{_shown(url)} was written by a newer calibrate (schema {version}); upgrade judge-calibrate")
    if version is None and not create:
        raise StoreError(f"{_shown(url)}: {_NO_RUNS}")
    if version != HEAD:
        if engine.dialect.name == "sqlite":
            _use_write_ahead_log(engine, lock_wait)
        try:
            _migrate(engine)
        except DBAPIError as error:
            if not _DENIED.search(str(error.orig)):
                raise
            raise StoreError(
                f"{_shown(url)}: its tables are {'not there' if version is None else f'of schema {version}'}, and this "
                f"role may not {'make' if version is None else 'change'} them ({_first_line(str(error.orig))}); run "
                "this command once as the role that owns the database"
            ) from error


def _version(engine: Engine, url: str) -> str | None:
    """Return the schema version of a run database, None for an empty one; anything else is somebody else's."""
    version: str | None = None
    with engine.connect() as connection:
        tables = set(inspect(connection).get_table_names())
        if "alembic_version" in tables:
            version = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    ours = version is not None and _VERSION.fullmatch(version) and not tables.isdisjoint(Base.metadata.tables)
    if tables and not ours:
        named = ", ".join(sorted(tables)[:3])
        raise StoreError(f"{_shown(url)} is not a calibrate database (it has {named}); name another with --db")
    return version


def _use_write_ahead_log(engine: Engine, lock_wait: float) -> None:
    """Let readers and the writer work at once; the file remembers it."""
    deadline = time.monotonic() + lock_wait
    while True:
        try:
            with engine.execution_options(transactions=False).connect() as connection:
                connection.exec_driver_sql("PRAGMA journal_mode=WAL")
                return
        except DBAPIError as error:
            # Here, and only here, SQLite does not wait by itself for another process that is just doing the same.
            code = getattr(error.orig, "sqlite_errorcode", 0)
            if code & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() >= deadline:
                raise
            time.sleep(0.01)


def _migrate(engine: Engine) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    # The version is read again behind the writer's lock: of two processes that come here at once, one finds it done.
    with engine.execution_options(writes=True).begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, HEAD)


@contextmanager
def store_errors(url: str) -> Iterator[None]:
    """Turn the database's own errors into one line that says what to do."""
    try:
        yield
    except DBAPIError as error:
        raise StoreError(_explain(str(error.orig), url)) from error
    except SQLAlchemyError as error:
        raise StoreError(_explain(str(error), url)) from error


def _explain(problem: str, url: str) -> str:
    where, lower = _shown(url), problem.lower()
    if "locked" in lower or "busy" in lower or "lock timeout" in lower:
        return f"{where} is locked by another process; wait for it or name another with --db"
    if "://" in url and not url.startswith("sqlite"):
        return _explain_server(problem, where)
    if "not a database" in lower:
        return f"{where} is not a calibrate database; move it away or name another with --db"
    if "malformed" in lower:
        return f"{where} is damaged; go back to a copy of it or name another with --db"
    if "disk is full" in lower or "no space" in lower:
        return f"{where} cannot be written: the disk is full; free some space and run the same command again"
    if "disk i/o" in lower:
        return f"{where} cannot be written: the disk fails or is full; check it and run the same command again"
    if "unable to open" in lower or "readonly" in lower or "read-only" in lower:
        return f"{where} cannot be opened for writing; check the folder and its permissions, or name another with --db"
    return f"{where}: {_first_line(problem)}"


def _explain_server(problem: str, where: str) -> str:
    said = f"{where}: {_first_line(problem)}"
    if "does not exist" in problem and "database" in problem:
        return f"{said}; make it with `createdb`, or name another with --db"
    if _DENIED.search(problem):
        return f"{said}; use a role that may write here, or name another with --db"
    if "connection failed" in problem or "connection attempts failed" in problem or "failed to resolve" in problem:
        return f"{said}; check that the server runs, its address, the user and the password"
    return said


def _first_line(problem: str) -> str:
    """Return what a database says in one line; the first of several causes where it lists them."""
    lines = [line.strip("- \t") for line in problem.splitlines() if line.strip()]
    return " ".join(lines[: 2 if lines and lines[0].endswith(":") else 1]) or "unknown database error"


def _shown(url: str) -> str:
    """Return the database as it may be shown: a path, or a URL without its password and options, which may hold one."""
    if "://" not in url:
        return url
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        return url.partition("://")[0] + "://..."
    if parsed.get_backend_name() == "sqlite" and parsed.database:
        return parsed.database
    return parsed.set(query={}).render_as_string(hide_password=True)
