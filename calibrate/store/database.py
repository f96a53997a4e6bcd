"""Opening the run database: engine, pragmas, schema version and the errors a user can mend."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from calibrate.errors import StoreError
from calibrate.store.tables import Base

__all__ = ["HEAD", "open_engine", "store_errors"]

HEAD = "0001"
"""The newest migration; a test compares it with the folder."""

_MIGRATION_WAIT_SECONDS = 10


def open_engine(url: str, *, create: bool = True, lock_wait: float = 30.0) -> Engine:
    """Open the database at ``url``, create or migrate its schema, and return the engine.

    Args:
        url: an SQLAlchemy URL, or a path of an SQLite file.
        create: whether a missing SQLite file is made; readers pass False.
        lock_wait: seconds to wait for another process's lock.

    Raises:
        StoreError: it cannot be opened, is not a run database, is locked, or was written by a newer version.
    """
    url = url if "://" in url else f"sqlite:///{url}"
    with store_errors(url):
        try:
            parsed = make_url(url)
        except ArgumentError as error:
            raise StoreError(f"'{url}' is not a database URL; use a file name or postgresql+psycopg://...") from error
        sqlite = parsed.get_backend_name() == "sqlite"
        if sqlite and parsed.database and not create and not Path(parsed.database).exists():
            raise StoreError(
                f"{parsed.database}: no runs here yet; run `calibrate baseline` first, or name one with --db"
            )
        try:
            options: dict[str, Any] = {"connect_args": {"timeout": lock_wait}} if sqlite else {}
            engine = create_engine(parsed, **options)
        except (NoSuchModuleError, ModuleNotFoundError) as error:
            raise StoreError(
                f"no driver for {parsed.drivername}: {error}; install judge-calibrate[postgres]"
            ) from error
        if sqlite:
            event.listen(engine, "connect", _configure_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
        try:
            _bring_up_to_date(engine, url)
        except BaseException:
            engine.dispose()
            raise
    return engine


def _configure_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver begins no transactions of its own; _begin_sqlite does
    cursor = connection.cursor()
    try:
        # FULL: a verdict that was counted survives a power cut, not only a killed process.
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
    finally:
        cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes its lock at once: a transaction that reads first and then writes would fail, without waiting,
    # when another process wrote in between.
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _bring_up_to_date(engine: Engine, url: str) -> None:
    version = _version(engine, url)
    if version == HEAD:
        return
    if version is not None and version > HEAD:
        raise StoreError(f"{_shown(url)} was written by a newer calibrate (schema {version}); upgrade judge-calibrate")
    try:
        _migrate(engine)
    except DBAPIError:
        # Another process may be making the same tables; then its version shows in a moment.
        deadline = time.monotonic() + _MIGRATION_WAIT_SECONDS
        while _version(engine, url) != HEAD:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def _version(engine: Engine, url: str) -> str | None:
    with engine.connect() as connection:
        tables = set(inspect(connection).get_table_names())
        if "alembic_version" in tables:
            version = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
            return None if version is None else str(version)
    if tables and not tables <= set(Base.metadata.tables):
        named = ", ".join(sorted(tables)[:3])
        raise StoreError(f"{_shown(url)} is not a calibrate database (it has {named}); name another with --db")
    return None


def _migrate(engine: Engine) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with engine.execution_options(writes=True).begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, HEAD)


@contextmanager
def store_errors(url: str) -> Iterator[None]:
    """Turn the database's own errors into one line that says what to do."""
    try:
        yield
    except StoreError:
        raise
    except DBAPIError as error:
        raise StoreError(_explain(str(error.orig), url)) from error
    except SQLAlchemyError as error:
        raise StoreError(_explain(str(error), url)) from error


def _explain(problem: str, url: str) -> str:
    where, lower = _shown(url), problem.lower()
    if "locked" in lower or "busy" in lower:
        return f"{where} is locked by another process; wait for it or name another with --db"
    if "not a database" in lower or "malformed" in lower:
        return f"{where} is not a calibrate database; move it away or name another with --db"
    if "disk is full" in lower or "disk i/o" in lower or "no space" in lower:
        return f"{where} cannot be written: the disk is full; free some space and run the same command again"
    if "unable to open" in lower or "readonly" in lower or "read-only" in lower:
        return f"{where} cannot be opened for writing; check the folder and its permissions, or name another with --db"
    return f"{where}: {problem.splitlines()[0]}"


def _shown(url: str) -> str:
    try:
        parsed = make_url(url)
    except ArgumentError:
        return url
    if parsed.get_backend_name() == "sqlite" and parsed.database:
        return parsed.database
    return parsed.render_as_string(hide_password=True)
