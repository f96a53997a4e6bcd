"""How long work tells what it is doing; the console draws it, the API keeps quiet."""

from __future__ import annotations

from typing import Protocol

from calibrate.domain import Judgement
from calibrate.optimizer import Trial
from calibrate.runner import BatchCounts

__all__ = ["Progress", "Quiet"]


class Progress(Protocol):
    """Told of what happens, as it happens."""

    def note(self, text: str) -> None:
        """Something a user should know: a mapping that was found, items that were left out."""

    def begin(self, title: str, total: int) -> None:
        """``total`` judge calls are about to start."""

    def judged(self, judgement: Judgement) -> None:
        """One of them is done and recorded."""

    def polled(self, counts: BatchCounts) -> None:
        """So far have the batches come that they wait for at the provider."""

    def end(self) -> None:
        """All of them are done, or the work stopped."""

    def tried(self, trial: Trial, score: str = "alignment") -> None:
        """The optimizer has scored, stopped or rejected a candidate; ``score`` is what it is ranked by."""


class Quiet:
    """Says nothing."""

    def note(self, text: str) -> None:
        """Nothing."""

    def begin(self, title: str, total: int) -> None:
        """Nothing."""

    def judged(self, judgement: Judgement) -> None:
        """Nothing."""

    def polled(self, counts: BatchCounts) -> None:
        """Nothing."""

    def end(self) -> None:
        """Nothing."""

    def tried(self, trial: Trial, score: str = "alignment") -> None:
        """Nothing."""
