"""Before any judge ran: the smallest difference of alignment that a golden set can resolve (STATISTICS section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibrate.domain import Json, Scale
from calibrate.errors import InputError
from calibrate.metrics.agreement import Array, Suite, alignment, components, scale_labels, suite_for
from calibrate.metrics.comparison import joint_prior
from calibrate.metrics.intervals import (
    DRAWS,
    affordable_draws,
    dirichlet_tables,
    draw_tables,
    intervals_of,
    percentiles,
)

__all__ = ["ASSUMED_ALIGNMENT", "Resolution", "interval_half_width", "resolvable_difference"]

ASSUMED_ALIGNMENT = 0.7
_MOST_ITEMS = 10_000_000


@dataclass(frozen=True, slots=True)
class Resolution:
    """What n items can tell about two judges of the assumed alignment.

    Attributes:
        n: the items.
        half_width: half the width of the paired 95 % interval: a smaller true difference is not resolved.
        alignment: the alignment assumed of both judges.
        accuracy: the accuracy on each class that gives this alignment.
        discordance: share of items on which exactly one of the two is right.
        wished: the difference to resolve, if asked for.
        items_for_wished: the items it takes, None when not asked for or above ten million.
    """

    n: int
    half_width: float
    alignment: float
    accuracy: float
    discordance: float
    wished: float | None = None
    items_for_wished: int | None = None

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON."""
        return {
            "n": self.n,
            "half_width": self.half_width,
            "alignment": self.alignment,
            "accuracy": self.accuracy,
            "discordance": self.discordance,
            "wished": self.wished,
            "items_for_wished": self.items_for_wished,
        }


def resolvable_difference(
    n: int,
    class_shares: Sequence[float],
    scale: Scale,
    *,
    assumed: float = ASSUMED_ALIGNMENT,
    discordance: float | None = None,
    wished: float | None = None,
    seed: int = 0,
    draws: int = DRAWS,
) -> Resolution:
    """Return the smallest difference of alignment that n items resolve.

    Both judges are assumed equally right on every class, wrong labels evenly spread, at the accuracy that gives the
    assumed alignment; raw scores are taken as the two sides of their threshold.

    Args:
        n: items, at least 1.
        class_shares: share or count of each class, in the order of the scale's labels (interval: below, at or above the
            threshold).
        scale: the declared scale.
        assumed: alignment of both judges.
        discordance: share of items on which exactly one is right, as observed; by default that of independent errors,
            ``2 a (1 - a)``, which is cautious: judges tend to fail on the same items.
        wished: a difference whose number of items is asked for, above 0.
        seed: seed of the generator.
        draws: replicates.

    Raises:
        InputError: fewer than two classes have items, or an interval scale has no threshold.
    """
    how, shares = _classes(class_shares, scale)
    accuracy = _accuracy_for(assumed, shares, how)
    most = 2 * min(accuracy, 1 - accuracy)
    either = min(most, 2 * accuracy * (1 - accuracy) if discordance is None else discordance)
    joint = _joint(shares, accuracy, either)

    def half_width(items: int) -> float:
        generator = np.random.default_rng(seed)
        made = affordable_draws(draws, joint.size)
        drawn = dirichlet_tables(joint * items, joint_prior(*joint.shape), made, generator)
        values = [alignment(components(each, how)) for each in (drawn.sum(3), drawn.sum(2))]
        ends = percentiles(values[1] - values[0])
        return 0.0 if ends is None else (ends.high - ends.low) / 2

    items = None
    if wished is not None:
        fewest, enough = 1, 1
        while enough <= _MOST_ITEMS and half_width(enough) > wished:
            fewest, enough = enough, enough * 2
        while enough - fewest > 1:
            middle = (fewest + enough) // 2
            fewest, enough = (middle, enough) if half_width(middle) > wished else (fewest, middle)
        items = enough if enough <= _MOST_ITEMS else None
    return Resolution(n, half_width(n), assumed, accuracy, either, wished, items)


def interval_half_width(
    n: int,
    class_shares: Sequence[float],
    scale: Scale,
    *,
    assumed: float = ASSUMED_ALIGNMENT,
    seed: int = 0,
    draws: int = DRAWS,
) -> float:
    """Return half the width of the 95 % interval of alignment that n items give a judge of the assumed alignment.

    Args:
        n: items, at least 1.
        class_shares: share or count of each class, as for :func:`resolvable_difference`.
        scale: the declared scale.
        assumed: the judge's alignment; it is equally right on every class, its wrong labels evenly spread.
        seed: seed of the generator.
        draws: replicates.

    Raises:
        InputError: fewer than two classes have items, or an interval scale has no threshold.
    """
    how, shares = _classes(class_shares, scale)
    table = n * shares[:, None] * _replies(shares.size, _accuracy_for(assumed, shares, how))
    drawn = draw_tables(table, draws, np.random.default_rng(seed))
    ends = intervals_of(lambda tables: {"alignment": alignment(components(tables, how))}, drawn)["alignment"]
    return (ends.high - ends.low) / 2


def _classes(class_shares: Sequence[float], scale: Scale) -> tuple[Suite, Array]:
    """Return how a table of the classes that have items is measured, and their shares."""
    labels = scale_labels(scale)
    if len(class_shares) != len(labels) or sum(share > 0 for share in class_shares) < 2:
        raise InputError("a difference of alignment needs items of at least two classes")
    how = _suite_of_classes(scale, [at for at, share in enumerate(class_shares) if share > 0])
    return how, np.array([share for share in class_shares if share > 0]) / sum(class_shares)


def _suite_of_classes(scale: Scale, used: Sequence[int]) -> Suite:
    """Return how a table of only the classes with items is measured; two sides of a threshold count as 0 and 1."""
    how = suite_for(scale)
    values = (0.0, 1.0) if scale.kind == "interval" else how.values
    labels = tuple(how.labels[at] for at in used)
    numbers = None if values is None else tuple(values[at] for at in used)
    return Suite(labels, positive=how.positive, weights=how.weights, values=numbers)


def _accuracy_for(assumed: float, shares: Array, how: Suite) -> float:
    """Find by bisection the accuracy on every class at which alignment is as assumed."""
    low, high = 1 / shares.size, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        table = shares[:, None] * _replies(shares.size, middle)
        low, high = (middle, high) if float(alignment(components(table, how))) < assumed else (low, middle)
    return (low + high) / 2


def _replies(k: int, accuracy: float) -> Array:
    """Return the judge's label given gold, ``[k, k]``: right at the accuracy, else any other label evenly."""
    return np.where(np.eye(k) > 0, accuracy, (1 - accuracy) / (k - 1))


def _joint(shares: Array, accuracy: float, either: float) -> Array:
    """Return the joint shares ``[k, k, k]`` of gold and two judges of one accuracy and the given discordance."""
    k = shares.size
    right = np.eye(k)
    wrong = (1 - right) / (k - 1)
    both_right = right[:, :, None] * right[:, None, :]
    one_right = right[:, :, None] * wrong[:, None, :] + wrong[:, :, None] * right[:, None, :]
    both_wrong = wrong[:, :, None] * wrong[:, None, :]
    given = (accuracy - either / 2) * both_right + either / 2 * one_right + (1 - accuracy - either / 2) * both_wrong
    joint: Array = shares[:, None, None] * np.maximum(given, 0.0)
    return joint
