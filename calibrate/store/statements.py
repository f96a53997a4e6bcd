"""Statements that both dialects need in the same shape: ON CONFLICT writes, and lists of keys in chunks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, cast

from sqlalchemy import Insert, Table, insert
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from calibrate.store.tables import Base

__all__ = ["chunks", "insert_all", "insert_missing", "upsert"]

_CHUNK = 500  # bound parameters per statement stay below every database's limit


def insert_all(session: Session, table: type[Base], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows that are not there yet."""
    if rows:
        session.execute(_plain(table), list(rows))


def insert_missing(
    session: Session, table: type[Base], rows: Sequence[Mapping[str, Any]], unique: Sequence[str] = ()
) -> None:
    """Insert the rows whose key (``unique``, else the primary key) is not there yet."""
    if rows:
        session.execute(_unless_there(_dialect(session), table, tuple(unique) or _keys(table)), list(rows))


def upsert(session: Session, table: type[Base], rows: Sequence[Mapping[str, Any]], keep: Sequence[str] = ()) -> None:
    """Insert rows; a row whose primary key is there already replaces it, but for the columns in ``keep``."""
    if rows:
        changed = tuple(name for name in rows[0] if name not in (*_keys(table), *keep))
        session.execute(_replacing(_dialect(session), table, changed), list(rows))


def chunks(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    """Cut a list of keys into parts that fit one statement."""
    for start in range(0, len(keys), _CHUNK):
        yield keys[start : start + _CHUNK]


# Building a statement takes longer than executing it: each is built once. They are of the table and not of its class,
# since rows are written and not objects.


@cache
def _plain(table: type[Base]) -> Insert:
    return insert(_of(table))


@cache
def _unless_there(dialect: str, table: type[Base], unique: tuple[str, ...]) -> Insert:
    return _insert(dialect, table).on_conflict_do_nothing(index_elements=list(unique))


@cache
def _replacing(dialect: str, table: type[Base], changed: tuple[str, ...]) -> Insert:
    statement = _insert(dialect, table)
    changes = {name: statement.excluded[name] for name in changed}
    return statement.on_conflict_do_update(index_elements=list(_keys(table)), set_=changes)


def _insert(dialect: str, table: type[Base]) -> sqlite.Insert | postgresql.Insert:
    """Both dialects spell ON CONFLICT the same way; SQLAlchemy has one class for each."""
    return sqlite.insert(_of(table)) if dialect == "sqlite" else postgresql.insert(_of(table))


def _of(table: type[Base]) -> Table:
    return cast("Table", table.__table__)


def _dialect(session: Session) -> str:
    return session.get_bind().dialect.name


def _keys(table: type[Base]) -> tuple[str, ...]:
    return tuple(column.name for column in table.__table__.primary_key)
