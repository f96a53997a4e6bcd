"""Standard streams that read badly: the reader may go away (``| head``), or know few characters (Latin-1).

What is left to say to nobody is dropped, and the work goes on.
"""

from __future__ import annotations

import io
import os
from typing import IO, TextIO

__all__ = ["fits", "silence", "spell_out", "write"]


def spell_out(stream: IO[str]) -> None:
    """Let a stream escape characters that its encoding does not have, instead of failing."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


def fits(text: str, stream: TextIO) -> bool:
    """Whether the encoding of a stream has all characters of a text."""
    try:
        text.encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def write(text: str, stream: IO[str]) -> None:
    """Write on a standard stream, at once; nothing happens when nobody reads it any more."""
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        silence(stream)


def silence(stream: IO[str]) -> None:
    """Send what is still to be written on a standard stream nowhere; else Python complains when it exits."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
