"""What holds for all tests: no deadlines in property tests, no network outside loopback, no work done twice."""

from __future__ import annotations

import functools
import gc
import ipaddress
import socket
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpcore2
import pytest
import typer.main
from alembic.util import pyfiles
from hypothesis import HealthCheck, settings

settings.register_profile("project", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("project")


def pytest_collection_finish() -> None:
    """What is there before the first test stays to the end: the collector need not look through it time and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def _made_once() -> Iterator[None]:
    """A process makes these once, and the process of the tests, which runs hundreds of commands, once for them all.

    They are the certificates that a client trusts, which no test on loopback needs, the tree of commands, and the
    modules of the migrations.
    """
    load, once = pyfiles.load_module_py, functools.cache(pyfiles.load_module_py)

    def load_module(name: str, path: str) -> ModuleType:
        return load(name, path) if Path(path).name == "env.py" else once(name, path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpcore2, "default_ssl_context", functools.cache(httpcore2.default_ssl_context))
        patch.setattr(typer.main, "get_command", functools.cache(typer.main.get_command))
        patch.setattr(pyfiles, "load_module_py", load_module)
        yield


@pytest.fixture(autouse=True)
def _loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX:
            host = str(address[0])
            if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
                raise AssertionError(f"a test tried to reach {host}; tests talk to loopback only")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
