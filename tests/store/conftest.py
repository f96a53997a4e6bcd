"""Every test that asks for ``database`` or ``store`` runs on each backend: SQLite, and PostgreSQL where it can."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from postgresql_server import PostgreSQL, postgresql_server, why_not
from store_data import Clock

from calibrate.store import Store

BACKENDS = ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)]


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    if reason := why_not():
        pytest.skip(reason)
    with postgresql_server() as server:
        yield server


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """What a user would pass to ``--db``: a database that has nothing in it yet."""
    if request.param == "sqlite":
        yield str(tmp_path / "runs.db")
        return
    server: PostgreSQL = request.getfixturevalue("postgresql")
    with server.new_database() as url:
        yield url


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(database: str, clock: Clock) -> Iterator[Store]:
    with Store(database, version="1.2.3", clock=clock) as opened:
        yield opened
