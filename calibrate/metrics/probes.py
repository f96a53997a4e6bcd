"""What a probe of a judge's leanings concludes (STATISTICS section 10).

Each probe gives an effect with its 95 % interval, and says one of four things. ``biased``: the interval excludes "no
effect". ``no_sign``: it does not, and an effect larger than the stated bound, the far end of the interval, is ruled
out; the bound is at most 0.10 for differences of shares and 2 for odds ratios. ``cannot_tell``: larger effects are not
ruled out. ``not_identifiable``: items like these could never tell.

The smallest effect that a probe could have seen (at 80 % power) is (1.96 + 0.84) standard errors, with the standard
error read off the interval: half its width / 1.96, on the log scale for odds ratios.

Items of one group (document, conversation) count as fewer: variances are multiplied by the design effect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from calibrate.domain import Json
from calibrate.metrics.differences import Difference

__all__ = [
    "FEWEST",
    "LARGE_DIFFERENCE",
    "LARGE_ODDS_RATIO",
    "POWER",
    "Codes",
    "Conclusion",
    "Flags",
    "Measure",
    "Probe",
    "conclude",
    "difference_probe",
    "rows_as_one",
    "too_few",
]

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Codes = NDArray[np.int64]
Conclusion = Literal["biased", "no_sign", "cannot_tell", "not_identifiable"]
Measure = Literal["odds_ratio", "difference"]

LARGE_DIFFERENCE = 0.10
"""A difference of shares that is not ruled out at this size leaves the question open."""

LARGE_ODDS_RATIO = 2.0
"""The same for odds ratios."""

POWER = (1.959964 + 0.841621) / 1.959964
"""The smallest effect that is seen in four of five sets, in half-widths of the interval."""

FEWEST = 3
"""Fewer items are not probed."""

_ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Probe:
    """What one probe found.

    Attributes:
        name: ``verbosity``, ``leniency``, ``position``, ``self_preference``, a column, or an edit.
        value: the column's value that is set against the others; None for other probes.
        measure: an ``odds_ratio`` (no effect: 1) or a ``difference`` of shares (no effect: 0).
        n: items that it rests on.
        effect: the effect; None when it is not identifiable.
        low: lower end of its 95 % interval.
        high: upper end.
        p: two-sided; corrected by Holm where several values of a column are compared.
        detectable: the smallest effect that it could have seen, at 80 % power; an odds ratio above 1.
        bound: with ``no_sign``, the largest effect that is not ruled out.
        conclusion: see the module.
        reason: why, in words.
        figures: further figures.
    """

    name: str
    measure: Measure
    n: int
    conclusion: Conclusion
    reason: str
    value: str | None = None
    effect: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    detectable: float | None = None
    bound: float | None = None
    figures: Mapping[str, Json] = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Probe:
        """Read what :meth:`to_json` wrote."""
        renamed = {"probe": "name", "smallest_detectable": "detectable"}
        return cls(**{renamed.get(name, name): value for name, value in data.items()})

    def to_json(self) -> dict[str, Json]:
        """Return all fields as JSON."""
        return {
            "probe": self.name,
            "value": self.value,
            "measure": self.measure,
            "n": self.n,
            "effect": self.effect,
            "low": self.low,
            "high": self.high,
            "p": self.p,
            "smallest_detectable": self.detectable,
            "conclusion": self.conclusion,
            "bound": self.bound,
            "reason": self.reason,
            "figures": dict(self.figures),
        }


def difference_probe(
    name: str,
    n: int,
    found: Difference,
    words: Sequence[str],
    *,
    value: str | None = None,
    p: float | None = None,
    figures: Mapping[str, Json],
) -> Probe:
    """Return the probe of a difference.

    Args:
        name: of the probe.
        n: items.
        found: the difference.
        words: what a positive difference means, and what a negative one.
        value: the value of a column.
        p: corrected for several comparisons; None takes the difference's own.
        figures: further figures.
    """
    p = found.p if p is None else p
    bound = max(abs(found.low), abs(found.high))
    excludes = (found.low > 0.0 or found.high < 0.0) and p <= _ALPHA
    conclusion, reason = conclude(excludes, found.low, found.high, "difference")
    return Probe(
        name,
        "difference",
        n,
        conclusion,
        words[0 if found.value > 0 else 1] if conclusion == "biased" else reason,
        value,
        effect=found.value,
        low=found.low,
        high=found.high,
        p=p,
        detectable=min(1.0, POWER * (found.high - found.low) / 2.0),
        bound=bound if conclusion == "no_sign" else None,
        figures=figures,
    )


def conclude(excludes: bool, low: float, high: float, measure: Measure) -> tuple[Conclusion, str]:
    """Return the conclusion and its reason: whether no effect is excluded, else whether one that matters is.

    Args:
        excludes: whether the interval excludes "no effect".
        low: lower end of the interval.
        high: upper end.
        measure: what is measured; it decides which effects matter.
    """
    if excludes:
        return "biased", ""
    if measure == "odds_ratio":
        what, least, most = "odds ratios", 1.0 / LARGE_ODDS_RATIO, LARGE_ODDS_RATIO
    else:
        what, least, most = "differences", -LARGE_DIFFERENCE, LARGE_DIFFERENCE
    left = [f"below {least:g}"] if low < least else []
    left += [f"above {most:g}"] if high > most else []
    if not left:
        return "no_sign", "an effect of a size that matters is ruled out"
    return "cannot_tell", f"{what} {' and '.join(left)} are not ruled out"


def rows_as_one(scores: Array, groups: Codes | None) -> float:
    """Return the design effect: variance of a sum of scores by group over the one of independent rows. Kish (1965)."""
    if groups is None:
        return 1.0
    count = int(groups.max(initial=0)) + 1
    independent = float((scores**2).sum())
    if count < 2 or independent == 0.0:
        return 1.0
    clustered = float((np.bincount(groups, weights=scores, minlength=count) ** 2).sum()) * count / (count - 1)
    return min(max(clustered / independent, 1.0), scores.size / count)


def too_few(n: int) -> str:
    """Say that there are too few items."""
    return "only 1 item has what is compared" if n == 1 else f"only {n} items have what is compared"
