"""Leases: a run that pays anew belongs to one process at a time, and a killed process holds nothing.

A lease names its owner. Whether an owner on this machine still lives is asked of the operating system; an owner
elsewhere counts as alive while its run shows signs of life.
"""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from calibrate.errors import StoreError
from calibrate.store.tables import CandidateRow, ResponseRow, RunRow

__all__ = ["SILENCE", "Holder", "keeps_out", "lease", "refuse_held"]

SILENCE = timedelta(minutes=10)
"""How long a run of another machine must have been silent before it is taken over."""

_DONE_TO_IT = {"optimize": "calibrated", "noise": "measured", "bias": "probed"}
_HOLDERS: WeakValueDictionary[str, Holder] = WeakValueDictionary()


class Holder:
    """Who holds leases within this process: two of them do not share a run, either."""

    def __init__(self) -> None:
        self.token = secrets.token_hex(8)
        _HOLDERS[self.token] = self

    def release(self) -> None:
        """Hold nothing any more."""
        _HOLDERS.pop(self.token, None)


def lease(holder: Holder, now: str) -> dict[str, Any]:
    """Return the lease that ``holder`` takes at ``now``, as JSON."""
    pid = os.getpid()
    return {"host": _host(), "pid": pid, "started": _started(pid), "token": holder.token, "since": now}


def refuse_held(session: Session, run: RunRow, holder: Holder, now: str) -> None:
    """Refuse a run whose lease keeps ``holder`` out.

    Raises:
        StoreError: somebody else, alive, is at work on it.
    """
    if run.owner is not None and keeps_out(run.owner, holder, _last_active(session, run.id), now):
        doing = _DONE_TO_IT.get(run.kind, "worked on")
        raise StoreError(f"run {run.id} is being {doing} by {_in_words(run.owner)}; wait for it")


def _last_active(session: Session, run_id: int) -> str:
    """Return when something of a run was last stored; empty text when nothing was."""
    moments = (
        session.scalar(select(func.max(table.created)).where(table.run_id == run_id))
        for table in (CandidateRow, ResponseRow)
    )
    return max(moment or "" for moment in moments)


def keeps_out(owner: Mapping[str, Any], holder: Holder, active: str, now: str) -> bool:
    """Return whether a lease keeps ``holder`` out; ``active`` is when its owner last showed a sign of life."""
    if owner["token"] == holder.token:
        return False
    if owner["host"] == _host() and os.name == "posix":
        if owner["pid"] == os.getpid():
            return owner["token"] in _HOLDERS
        return _is_alive(owner["pid"], owner["started"])
    last = max(owner["since"], active)
    return datetime.fromisoformat(now) - datetime.fromisoformat(last) <= SILENCE


def _in_words(owner: Mapping[str, Any]) -> str:
    if owner["host"] != _host():
        host = owner["host"].partition("/")[0]
        return f"another process (pid {owner['pid']} on {host})"
    return "this process already" if owner["pid"] == os.getpid() else f"another process (pid {owner['pid']})"


def _host() -> str:
    """Return this machine's name, and with it the namespace in which process numbers mean anything."""
    try:
        return f"{socket.gethostname()}/{Path('/proc/self/ns/pid').readlink()}"
    except OSError:  # no /proc
        return socket.gethostname()


def _started(pid: int) -> str | None:
    """Return what tells a process from a later one of its number: boot and start time; None when it cannot be told."""
    status = _status(pid)
    if status is None:
        return None
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        boot = ""
    return f"{boot}/{status[19]}"


def _is_alive(pid: int, started: str | None) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # somebody else's, but there
        pass
    status = _status(pid)
    if status is not None and status[0] in ("Z", "X"):  # dead, and only not yet collected by its parent
        return False
    now = _started(pid)
    return started is None or now is None or now == started


def _status(pid: int) -> list[str] | None:
    """Return the fields of a process after its name, the state first; None without /proc."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return text.rpartition(")")[2].split()
