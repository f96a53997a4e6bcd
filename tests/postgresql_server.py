"""A PostgreSQL server of our own for slow tests: made in a temporary folder, on a loopback port, gone afterwards."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

_ACCOUNTS = ("postgres", "nobody")

GUARDED = "guarded"
"""The one role that the server lets in by its password only."""


def why_not() -> str:
    """Why there can be no server here; empty text when there can."""
    if _binaries() is None:
        return "no PostgreSQL server programs (initdb) on this machine"
    if importlib.util.find_spec("psycopg") is None:
        return "psycopg is not installed; install judge-calibrate[postgres]"
    if os.geteuid() == 0 and _account() is None:
        return f"PostgreSQL does not run as root, and there is no account {' or '.join(_ACCOUNTS)} to run it"
    return ""


class PostgreSQL:
    """A running server."""

    def __init__(self, port: int) -> None:
        self._port = port

    def url(self, database: str, user: str = "calibrate") -> str:
        """Return the URL of a database; ``user`` may be ``name:password``, quoted as in URLs."""
        return f"postgresql+psycopg://{user}@127.0.0.1:{self._port}/{database}"

    @contextmanager
    def new_database(self) -> Iterator[str]:
        """Make an empty database, give its URL, and drop it in the end."""
        import psycopg

        name = f"runs_{uuid4().hex}"
        place = f"host=127.0.0.1 port={self._port} user=calibrate dbname=postgres"
        with psycopg.connect(place, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
            yield self.url(name)
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def postgresql_server() -> Iterator[PostgreSQL]:
    programs = _binaries()
    assert programs is not None
    account = _account()
    # Not pytest's folder, which only its owner may enter.
    folder = Path(tempfile.mkdtemp(prefix="calibrate-postgresql-"))
    try:
        if account is not None:
            os.chown(folder, account.pw_uid, account.pw_gid)
        data, port = folder / "data", _free_port()
        _run(account, programs / "initdb", "-D", data, "-U", "calibrate", "-A", "trust", "-E", "UTF8", "--no-sync")
        rules = data / "pg_hba.conf"
        rules.write_text(f"host all {GUARDED} 127.0.0.1/32 scram-sha-256\n{rules.read_text()}")
        settings = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off"
        control: list[str | Path] = [programs / "pg_ctl", "-D", data, "-w"]
        _run(account, *control, "-l", folder / "log", "-o", settings, "start")
        try:
            yield PostgreSQL(port)
        finally:
            _run(account, *control, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


def _binaries() -> Path | None:
    found = shutil.which("initdb")
    candidates = [Path(found).resolve().parent] if found else []
    candidates += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((each for each in candidates if (each / "initdb").exists() and (each / "pg_ctl").exists()), None)


def _account() -> pwd.struct_passwd | None:
    if os.geteuid() != 0:
        return None
    for name in _ACCOUNTS:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    return None


def _run(account: pwd.struct_passwd | None, *command: str | Path) -> None:
    done = subprocess.run(
        command,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        timeout=120,
        user=account.pw_uid if account else None,
        group=account.pw_gid if account else None,
        extra_groups=[] if account else None,
    )
    assert done.returncode == 0, f"{command[0]} failed"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
