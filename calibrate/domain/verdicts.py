"""Verdicts: scored, or unscored with the reason. There is no NaN and no 0.0 for "unknown"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from calibrate.domain.digests import Json

__all__ = ["UNSCORED_REASONS", "Scored", "Unscored", "UnscoredReason", "Verdict"]

UnscoredReason = Literal["abstained", "invalid", "refused", "truncated", "error"]
UNSCORED_REASONS: tuple[UnscoredReason, ...] = get_args(UnscoredReason)


@dataclass(frozen=True, slots=True)
class Scored:
    """A verdict that states a declared label.

    Attributes:
        label: one of the scale's labels (canonical decimal text on an interval scale).
        reasoning: the judge's justification, empty when it gave none.
        confidence: the judge's probability that the label is right, in [0, 1], if it gave one.
        evidence: what the label rests on where a judge does more than give one: the claims of an answer, their quotes,
            the questions written back. It is no part of what makes verdicts equal.
    """

    label: str
    reasoning: str = ""
    confidence: float | None = None
    evidence: Mapping[str, Json] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Unscored:
    """No label, and why (STATISTICS section 2).

    Attributes:
        reason: ``abstained``, ``invalid``, ``refused``, ``truncated`` or ``error``.
        detail: what happened, for a person.
    """

    reason: UnscoredReason
    detail: str = ""


Verdict: TypeAlias = Scored | Unscored
