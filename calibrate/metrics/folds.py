"""Folds for cross-fitting: what is learned decides only items that it was not learned on.

Folds are dealt by label, so that each has about the same share of every label. Which fold an item is in therefore
depends a little on labels, its own included; given the folds, nothing that decides an item has seen its label.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibrate.errors import InputError
from calibrate.metrics.pairing import Pairs, group_numbers

__all__ = ["FOLDS", "deal_folds"]

FOLDS = 5

Codes = NDArray[np.int64]


def deal_folds(pairs: Pairs, groups: Sequence[str | None] | None, count: int, seed: int) -> Codes:
    """Return the fold of each labelled item, ``[n]``, numbered from 0.

    Groups stay together, and count as their commonest label (of an interval scale: side of the threshold). They are
    dealt out one by one in random order, label by label.

    Args:
        pairs: the labelled items.
        groups: group of each row of the sequences they came from; a row without one stands alone.
        count: folds, fewer where there are fewer groups.
        seed: seed of the order.

    Raises:
        InputError: fewer than 2 folds are asked for, or all labelled items share one group.
    """
    if count < 2:
        raise InputError(f"cross-fitting takes 2 folds or more, not {count}", field="folds")
    units = None if groups is None else group_numbers(groups, pairs)
    units = np.arange(pairs.n) if units is None else units
    many = int(units.max(initial=-1)) + 1
    if many < 2:
        raise InputError("cross-fitting takes labelled items of 2 groups or more: one is decided by what others teach")
    labels = np.zeros((many, len(pairs.labels)), dtype=np.int64)
    np.add.at(labels, (units, pairs.human), 1)
    order = np.lexsort((np.random.default_rng(seed).permutation(many), labels.argmax(1)))
    fold = np.empty(many, dtype=np.int64)
    fold[order] = np.arange(many) % min(count, many)
    return fold[units]
