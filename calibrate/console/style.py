"""The one console that results are written to, and how figures are spelled."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from calibrate.console.pipes import silence
from calibrate.console.tables import PlainTable
from calibrate.metrics import Estimate

__all__ = ["SIMULATED", "PlainConsole", "arrow_of", "cell", "console", "minus_of", "plain_table", "value"]

SIMULATED = "Simulated: this shows how the tool works and says nothing about any LLM."
"""Said wherever a figure of a simulated model shows."""

_PIPE_WIDTH = 10_000
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class PlainConsole(Console):
    """A console that prints data as it is, ``py:house:judge`` without an emoji, and whose reader may go away."""

    def __init__(self, *, stderr: bool = False, width: int | None = None) -> None:
        super().__init__(stderr=stderr, width=width, highlight=False, emoji=False)

    def render_str(self, text: str, **options: Any) -> Text:
        """Show control characters of data as what they are: they must not steer the terminal."""
        return super().render_str(_CONTROL.sub("\N{REPLACEMENT CHARACTER}", text), **options)

    def on_broken_pipe(self) -> None:
        """Go on without a reader. (Rich's own answer is to end the program, with work in its hands.)"""
        self.quiet = True
        silence(self.file)


def console() -> Console:
    """Return a console on stdout: colours on a terminal, plain text elsewhere, and no line broken in a pipe."""
    found = PlainConsole()
    return found if found.is_terminal else PlainConsole(width=_PIPE_WIDTH)


def plain_table(columns: Sequence[str], *, right: int = 1, widest: int | None = None) -> PlainTable:
    """Return an empty table whose columns from number ``right`` on are figures, aligned to the right.

    ``widest`` is the most characters of a line where no terminal says how many.
    """
    return PlainTable(columns, right=right, widest=widest)


def arrow_of(out: Console) -> str:
    """Return an arrow that the console's encoding has."""
    return _or_plain("→", "->", out)


def minus_of(out: Console) -> str:
    """Return a minus sign that the console's encoding has."""
    return _or_plain("−", "-", out)


def _or_plain(sign: str, plain: str, out: Console) -> str:
    try:
        sign.encode(out.encoding)
    except (UnicodeEncodeError, LookupError):
        return plain
    return sign


def value(figure: float | None, digits: int = 3) -> str:
    """Write a figure, or a dash where there is none."""
    return "–" if figure is None else f"{figure:.{digits}f}"


def cell(estimate: Estimate, digits: int = 3) -> str:
    """Write an estimate with its interval, or why there is none."""
    if estimate.value is None:
        return f"– ({estimate.reason})"
    if estimate.low is None or estimate.high is None:
        return value(estimate.value, digits)
    return f"{estimate.value:.{digits}f} [{estimate.low:.2f}, {estimate.high:.2f}]"
