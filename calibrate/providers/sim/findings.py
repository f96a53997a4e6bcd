"""What a check finds wrong with a claim."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["FAILING", "Finding"]

FAILING = 0.5
"""Severity from which a finding makes its claim fail."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of one claim.

    Attributes:
        kind: what is wrong, as named in :mod:`.wordings`.
        check: the directive whose check found it, or ``wording``.
        severity: how bad it is, in [0, 1].
        said: the words of the claim at fault.
        source: what the source has instead, when it has something.
    """

    kind: str
    check: str
    severity: float
    said: str
    source: str = ""
