"""Statements that both dialects need in the same shape: ON CONFLICT writes, and lists of keys in chunks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from calibrate.store.tables import Base

__all__ = ["chunks", "insert_missing", "upsert"]

_CHUNK = 500  # bound parameters per statement stay below every database's limit


def insert_missing(
    session: Session, table: type[Base], rows: Sequence[Mapping[str, Any]], unique: Sequence[str] = ()
) -> None:
    """Insert the rows whose key (``unique``, else the primary key) is not there yet."""
    if rows:
        statement = _insert(session, table).on_conflict_do_nothing(index_elements=list(unique) or _keys(table))
        session.execute(statement, list(rows))


def upsert(session: Session, table: type[Base], rows: Sequence[Mapping[str, Any]], keep: Sequence[str] = ()) -> None:
    """Insert rows; a row whose primary key is there already replaces it, but for the columns in ``keep``."""
    if rows:
        statement, keys = _insert(session, table), _keys(table)
        changes = {name: statement.excluded[name] for name in rows[0] if name not in (*keys, *keep)}
        session.execute(statement.on_conflict_do_update(index_elements=keys, set_=changes), list(rows))


def chunks(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    """Cut a list of keys into parts that fit one statement."""
    for start in range(0, len(keys), _CHUNK):
        yield keys[start : start + _CHUNK]


def _insert(session: Session, table: type[Base]) -> sqlite.Insert | postgresql.Insert:
    """Both dialects spell ON CONFLICT the same way; SQLAlchemy has one class for each."""
    if session.get_bind().dialect.name == "sqlite":
        return sqlite.insert(table)
    return postgresql.insert(table)


def _keys(table: type[Base]) -> list[str]:
    return [column.name for column in table.__table__.primary_key]
