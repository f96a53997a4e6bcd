"""Figures as results: a value with its interval, or none with the reason why."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

from calibrate.domain import Json

__all__ = ["Estimate", "Reason"]

Reason = Literal[
    "no_items",
    "none_scored",
    "single_class_gold",
    "constant_judge",
    "too_few",
    "no_positive_predictions",
    "no_gold_of_class",
    "no_threshold",
    "no_common_items",
    "no_variation",
    "no_confidence",
    "nothing_left_out",
    "too_few_repeats",
]
"""Why a figure is undefined (or, for ``no_positive_predictions``, is 0 by convention).

``no_items``: nothing is labelled. ``none_scored``: no verdict has a label. ``single_class_gold``: people gave all items
the same label. ``constant_judge``: the judge gave all items the same label. ``too_few``: fewer than 3 items.
``no_positive_predictions``: the judge called nothing positive. ``no_gold_of_class``: people never used the label.
``no_threshold``: an interval scale without a threshold has no classes. ``no_common_items``: two raters share no item.
``no_variation``: all raters used one and the same label. ``no_confidence``: no verdict states a confidence.
``nothing_left_out``: no resample leaves out items of two classes (one group, or a class of one item).
``too_few_repeats``: it takes more repeats.
"""


@dataclass(frozen=True, slots=True)
class Estimate:
    """One figure.

    Attributes:
        value: the figure, or None when it is undefined.
        low: lower end of its 95 % interval, None when there is none.
        high: upper end.
        reason: why the value is undefined or is 0 by convention, else None.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: Reason | None = None

    def __post_init__(self) -> None:
        numbers = (self.value, self.low, self.high)
        if any(each is not None and not math.isfinite(each) for each in numbers):
            raise ValueError(f"an estimate is finite or None, not {numbers}")
        if self.value is None and self.reason is None:
            raise ValueError("an undefined estimate needs its reason")

    def with_interval(self, low: float, high: float) -> Estimate:
        """Return the estimate with an interval that reaches at least to its value; an undefined one stays as it is.

        Draws of a table without an error all have some, so that 1.0 lies just outside their percentiles; an interval
        that excludes its own estimate would deny the one value the data favour most.
        """
        if self.value is None:
            return self
        return replace(self, low=min(low, self.value), high=max(high, self.value))

    def to_json(self) -> dict[str, Json]:
        """Return the value, with its interval and its reason where there are any."""
        found: dict[str, Json] = {"value": self.value}
        if self.low is not None and self.high is not None:
            found |= {"low": self.low, "high": self.high}
        if self.reason is not None:
            found["reason"] = self.reason
        return found
