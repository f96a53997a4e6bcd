"""Access to the database: sessions for reading and for writing, the time, and who holds leases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from sqlalchemy import Engine
from sqlalchemy.orm import Session, sessionmaker

from calibrate.store.database import store_errors
from calibrate.store.leases import Holder

__all__ = ["Access"]


class Access:
    """What a store and the jobs in it share.

    Args:
        url: of the database, for messages.
        engine: the open database.
        clock: the current time.

    Attributes:
        holder: who holds leases here.
    """

    def __init__(self, url: str, engine: Engine, clock: Callable[[], datetime]) -> None:
        self.holder = Holder()
        self._url, self._clock = url, clock
        self._readers = sessionmaker(engine, expire_on_commit=False)
        self._writers = sessionmaker(engine.execution_options(writes=True), expire_on_commit=False)

    def now(self) -> str:
        """Return the time as it is stored."""
        return self._clock().isoformat(timespec="milliseconds")

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Open a session that reads.

        Raises:
            StoreError: the database cannot be read.
        """
        with store_errors(self._url), self._readers.begin() as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Open a session whose writes are durable, all of them or none, once it is closed.

        Raises:
            StoreError: the database cannot be written.
        """
        with store_errors(self._url), self._writers.begin() as session:
            yield session
