"""The share of items a judge may decide alone: those it is surest of, with a guaranteed error.

Thresholds of confidence are tested from the strictest on, each by the exact binomial test (Clopper and Pearson, 1934)
of "more than ``max_error`` of the decisions are wrong". A walk from one start ends at the first failure, so that a
single error among the surest ends it (a judge that errs on 2 % of 800 items: 14 % automated on average). So there are
up to five starts, evenly spaced in items and fixed before any label is looked at. Each has its part of the error
probability; it is handed on to the next lower threshold as long as tests pass, and where one fails the next start has
its own part left (the fallback procedure: Wiens, 2003; on the same idea for risk control: Angelopoulos et al., "Learn
then test", 2021). The same judge then has 99 % automated, and a wrong guarantee stays as rare as promised.

Rows count as independent: with several rows of one document the guarantee is weaker than it says.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calibrate.domain import Json, Scale, Scored, Verdict
from calibrate.errors import InputError
from calibrate.metrics.agreement import Array
from calibrate.metrics.estimates import Estimate, Reason
from calibrate.metrics.intervals import wilson
from calibrate.metrics.pairing import Codes, pair

__all__ = ["JUDGED", "Automation", "Slice", "safe_automation"]

JUDGED = "label the judge states"
"""The name of the slices by the judge's own label."""

_MOST_STARTS = 5
_ITEMS_A_START = 5 / 3  # times the fewest decisions that can pass; with fewer a second start costs more than it saves


@dataclass(frozen=True, slots=True)
class Slice:
    """The automated items of one value.

    Attributes:
        column: what the value is of; ``JUDGED`` for the label that the judge states.
        value: the value.
        decisions: how many items.
        errors: how many of them are wrong.
        error: the share that is wrong, with its Wilson interval.
    """

    column: str
    value: str
    decisions: int
    errors: int
    error: Estimate

    def to_json(self) -> dict[str, Json]:
        """Return the fields as JSON."""
        return {
            "column": self.column,
            "value": self.value,
            "decisions": self.decisions,
            "errors": self.errors,
            "error": self.error.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Automation:
    """What a judge may decide alone.

    Attributes:
        n: labelled items.
        has: those whose verdict states a label and a confidence: decisions that the judge could make alone.
        needs: the fewest decisions, all of them right, that show an error below ``max_error``.
        max_error: the largest share of wrong decisions among those it makes alone.
        confidence_level: chance that a guarantee given holds, at least.
        threshold: it decides at this confidence or above; None where none is shown to be safe.
        decisions: how many of these items that are; 0 without a threshold.
        errors: how many of them are wrong.
        upper: upper bound of the share of wrong decisions, at the level of its test: at most ``max_error``.
        worst: of the automated items' slices the one that is surest to err most (the highest lower end of the error's
            interval, so that 8 of 20 come before 1 of 1; then the highest upper end). None without a threshold.
        reason: why nothing can be tested; None where something was.
    """

    n: int
    has: int
    needs: int
    max_error: float
    confidence_level: float
    threshold: float | None = None
    decisions: int = 0
    errors: int = 0
    upper: float | None = None
    worst: Slice | None = None
    reason: Reason | None = None

    @property
    def share(self) -> float | None:
        """Share of all labelled items that it may decide alone, unscored ones counted; None where untested."""
        return None if self.reason is not None or self.has < self.needs else self.decisions / self.n

    @property
    def sentence(self) -> str:
        """What may be said, in words."""
        limit = f"{100 * self.max_error:g} %"
        if self.reason == "no_confidence":
            return "The judge states no confidence: nothing tells which items it may decide alone."
        if self.reason is not None:
            return f"What the judge may decide alone is undefined ({self.reason})."
        if self.has < self.needs:
            return f"Too few items: an error of at most {limit} needs {self.needs} decisions, has {self.has}."
        if self.threshold is None:
            return f"At no confidence is the judge shown to err on at most {limit} of its decisions."
        return (
            f"The judge may decide {100 * self.decisions / self.n:.0f} % of the items alone, those of confidence "
            f"{self.threshold:g} or more: {self.errors} of {self.decisions} are wrong, at most {limit} with "
            f"confidence {100 * self.confidence_level:g} %."
        )

    def to_json(self) -> dict[str, Json]:
        """Return every figure as JSON."""
        return {
            "n": self.n,
            "has": self.has,
            "needs": self.needs,
            "max_error": self.max_error,
            "confidence_level": self.confidence_level,
            "threshold": self.threshold,
            "share": self.share,
            "decisions": self.decisions,
            "errors": self.errors,
            "upper": self.upper,
            "worst_slice": None if self.worst is None else self.worst.to_json(),
            "reason": self.reason,
            "sentence": self.sentence,
        }


def safe_automation(
    human: Sequence[str | None],
    verdicts: Sequence[Verdict],
    scale: Scale,
    *,
    max_error: float = 0.05,
    confidence_level: float = 0.95,
    slices: Mapping[str, Sequence[str | None]] | None = None,
) -> Automation:
    """Return the largest share of items, the surest first, that the judge may decide alone.

    A decision is wrong when it is not the gold label; on an interval scale when it is on the other side of the
    threshold. Items of equal confidence stay together. Unscored verdicts, and those without a confidence, are never
    automated.

    Args:
        human: gold label of each row; None leaves the row out.
        verdicts: the judge's verdict on the same rows.
        scale: the declared scale.
        max_error: the largest share of wrong decisions, in (0, 1).
        confidence_level: chance that the guarantee holds, in (0, 1).
        slices: columns by name, whose values the worst slice is looked for in; None in a column is no value.

    Raises:
        InputError: a rate is out of range, lengths that differ, or a label outside the scale.
    """
    for name, rate in (("max_error", max_error), ("confidence_level", confidence_level)):
        if not 0 < rate < 1:
            raise InputError(f"it lies between 0 and 1, not at {rate:g}", field=name)
    slices = slices or {}
    for name, column in slices.items():
        if len(column) != len(human):
            raise InputError(f"{len(column)} values for {len(human)} rows: there must be one a row", field=name)
    pairs = pair(human, verdicts, scale)
    alpha = 1 - confidence_level
    needs = _fewest(alpha, max_error)
    sure = np.array([_confidence(verdicts[row]) for row in pairs.rows], dtype=float)
    told = np.isfinite(sure)
    has = int(told.sum())
    reason: Reason | None = None
    if pairs.n == 0:
        reason = "no_items"
    elif has == 0:
        reason = "no_confidence"
    elif len(pairs.labels) < 2:
        reason = "no_threshold"
    untested = Automation(pairs.n, has, needs, max_error, confidence_level, reason=reason)
    if reason is not None or has < needs:
        return untested

    order = np.flatnonzero(told)[np.argsort(-sure[told], kind="stable")]
    wrong = np.cumsum(pairs.human[order] != pairs.judge[order])
    ends = np.append(np.flatnonzero(np.diff(sure[order])), has - 1) + 1  # decisions at each distinct confidence
    found = _largest(ends, wrong[ends - 1], alpha, max_error, needs)
    if found is None:
        return untested
    decisions, level = found
    automated = order[:decisions]
    errors = int(wrong[decisions - 1])
    is_wrong = [bool(each) for each in pairs.human[automated] != pairs.judge[automated]]
    rows = [int(each) for each in pairs.rows[automated]]
    columns = {name: [column[row] for row in rows] for name, column in slices.items()}
    columns[JUDGED] = [pairs.labels[int(each)] for each in pairs.judge[automated]]
    return Automation(
        pairs.n,
        has,
        needs,
        max_error,
        confidence_level,
        threshold=float(sure[automated[-1]]),
        decisions=decisions,
        errors=errors,
        upper=_upper(errors, decisions, level),
        worst=_worst(columns, is_wrong),
    )


def _confidence(verdict: Verdict) -> float:
    return verdict.confidence if isinstance(verdict, Scored) and verdict.confidence is not None else math.nan


def _fewest(alpha: float, max_error: float) -> int:
    """Return how many decisions without an error pass a test at ``alpha``."""
    return math.ceil(math.log(alpha) / math.log1p(-max_error) - 1e-9)


def _starts(count: int, alpha: float, max_error: float, needs: int) -> Array:
    """Return at how many decisions walks start, from the fewest that can pass up to all."""
    many = max(1, min(_MOST_STARTS, int(count / (_ITEMS_A_START * needs))))
    return np.linspace(min(count, _fewest(alpha / many, max_error)), count, many)


def _largest(ends: Codes, errors: Codes, alpha: float, max_error: float, needs: int) -> tuple[int, float] | None:
    """Return the most decisions that pass, and the error probability of their test; None where none do."""
    from scipy.special import bdtr

    starts = _starts(int(ends[-1]), alpha, max_error, needs)
    own = np.bincount(np.searchsorted(ends, starts - 1e-9), minlength=ends.size) * (alpha / starts.size)
    p_values = bdtr(errors.astype(float), ends, max_error)
    found, carried = None, 0.0
    for at, p in enumerate(p_values):
        level = carried + float(own[at])
        carried = level if level > 0 and p <= level else 0.0
        if carried:
            found = int(ends[at]), level
    return found


def _upper(errors: int, decisions: int, alpha: float) -> float:
    """Return the one-sided upper Clopper-Pearson bound of a share."""
    from scipy.special import betaincinv

    return 1.0 if errors >= decisions else float(betaincinv(errors + 1, decisions - errors, 1 - alpha))


def _worst(columns: Mapping[str, Sequence[str | None]], wrong: Sequence[bool]) -> Slice | None:
    found: list[tuple[float, float, Slice]] = []
    for name, column in columns.items():
        counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
        for value, is_wrong in zip(column, wrong, strict=True):
            if value is not None:
                counts[value][0] += 1
                counts[value][1] += is_wrong
        for value, (decisions, errors) in counts.items():
            ends = wilson(errors, decisions)
            if ends is not None:
                error = Estimate(errors / decisions, ends.low, ends.high)
                found.append((ends.low, ends.high, Slice(name, value, decisions, errors, error)))
    return max(found, key=lambda each: each[:2])[2] if found else None
