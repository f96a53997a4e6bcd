"""Standard output belongs to the program's own document: what a user's code prints goes to standard error."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from typing import TextIO

__all__ = ["printing_to_stderr"]


class _Redirection:
    """Holds for as long as anyone is inside; ``contextlib.redirect_stdout`` ends with whoever leaves out of order."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._before: TextIO = sys.stdout
        self._target: TextIO = sys.stderr

    def enter(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                self._before, self._target = sys.stdout, sys.stderr
                sys.stdout = self._target

    def leave(self) -> None:
        with self._lock:
            self._inside -= 1
            # Someone else (a progress bar) may have put a stream of its own there meanwhile: that one stays.
            if not self._inside and sys.stdout is self._target:
                sys.stdout = self._before


_REDIRECTION = _Redirection()


@contextlib.contextmanager
def printing_to_stderr() -> Iterator[None]:
    """Send what is printed meanwhile to standard error; safe in several threads and coroutines at once."""
    _REDIRECTION.enter()
    try:
        yield
    finally:
        _REDIRECTION.leave()
