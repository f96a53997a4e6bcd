"""PostgreSQL: what differs from a file. Everything else runs in the tests that take ``database``."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from postgresql_server import PostgreSQL
from sqlalchemy import create_engine, text
from store_data import a_run, an_evaluation, judgement

from calibrate.errors import StoreError
from calibrate.store import Store
from calibrate.store.database import open_engine

pytestmark = pytest.mark.slow


@pytest.fixture
def url(postgresql: PostgreSQL) -> Iterator[str]:
    with postgresql.new_database() as made:
        yield made


@pytest.mark.parametrize("scheme", ["postgresql+psycopg", "postgresql", "postgres"])
def test_every_usual_spelling_of_the_url_finds_the_driver(url: str, scheme: str) -> None:
    with Store(url.replace("postgresql+psycopg", scheme)) as store:
        assert store.runs() == ()


def test_one_writer_at_a_time_and_the_others_say_what_they_wait_for(url: str) -> None:
    with Store(url, lock_wait=0.1) as store:
        run, evaluation = a_run(store), an_evaluation(store)
        engine = open_engine(url)
        with engine.execution_options(writes=True).connect() as writer:
            writer.execute(text("UPDATE runs SET status = 'failed'"))
            assert store.run(run.id).status == "running"  # readers do not wait
            with pytest.raises(StoreError, match="is locked by another process; wait for it"):
                store.record(run.id, "m", [judgement(evaluation, "0")])
        engine.dispose()
        store.record(run.id, "m", [judgement(evaluation, "0")])
        assert set(store.verdicts(evaluation)) == {"0"}


def test_an_unknown_database_says_so_without_the_password(postgresql: PostgreSQL) -> None:
    url = postgresql.url("nowhere").replace("calibrate@", "calibrate:secret@")
    with pytest.raises(StoreError, match='database "nowhere" does not exist') as caught:
        Store(url)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_server_that_is_not_there_says_so() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"postgresql://calibrate:secret@127.0.0.1:{unused.getsockname()[1]}/runs"
        with pytest.raises(StoreError, match=r"127\.0\.0\.1.*connection failed") as caught:
            Store(url)
    assert "secret" not in str(caught.value)


def test_a_connection_that_the_server_has_closed_is_opened_again(url: str) -> None:
    with Store(url) as store:
        run, evaluation = a_run(store), an_evaluation(store)
        engine = create_engine(url)
        with engine.connect() as other:
            other.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
                    " AND pid <> pg_backend_pid()"
                )
            )
        engine.dispose()
        store.record(run.id, "m", [judgement(evaluation, "0")])
        assert set(store.verdicts(evaluation)) == {"0"}
