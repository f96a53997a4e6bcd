"""What a bank can resolve: how wide the interval of a share is at so many questions (STATISTICS section 3)."""

from __future__ import annotations

from dataclasses import dataclass

from calibrate.domain import Json
from calibrate.metrics import wilson
from calibrate.rag.bank import Bank

__all__ = ["ShareResolution", "bank_resolution"]


@dataclass(frozen=True, slots=True)
class ShareResolution:
    """How precisely a share is known.

    Attributes:
        of: ``answerable``, the questions that retrieval and answers are measured on, or ``unanswerable``, those that
            abstention is measured on.
        n: how many there are.
        half_width: half the width of the 95 % Wilson interval of a share of one half, where it is widest; None for no
            questions.
    """

    of: str
    n: int
    half_width: float | None

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON."""
        return {"of": self.of, "n": self.n, "half_width": self.half_width}


def bank_resolution(bank: Bank) -> tuple[ShareResolution, ...]:
    """Return what the questions with an answer in the corpus, and those without, can resolve."""
    answerable = sum(question.answerable for question in bank.questions)
    return (
        _resolution("answerable", answerable),
        _resolution("unanswerable", len(bank.questions) - answerable),
    )


def _resolution(of: str, n: int) -> ShareResolution:
    interval = wilson(n / 2, n)
    return ShareResolution(of, n, None if interval is None else (interval.high - interval.low) / 2)
