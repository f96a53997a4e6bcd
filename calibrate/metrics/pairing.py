"""Gold and verdicts, paired row by row, and what becomes of a verdict without a label (STATISTICS section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibrate.domain import UNSCORED_REASONS, Scale, Scored, Verdict
from calibrate.errors import InputError
from calibrate.metrics.agreement import Array, Suite, scale_labels, suite_for

__all__ = [
    "EXTRA_CLASSES",
    "Invalid",
    "Pairs",
    "collapse",
    "group_numbers",
    "judged_scores",
    "pair",
    "policy_suite",
    "tables_of_groups",
]

Invalid = Literal["exclude", "wrong", "category"]
"""What an unscored verdict counts as: nothing, a disagreement, or (abstentions only) a class of its own."""

EXTRA_CLASSES = ("(unscored)", "(abstained)")
"""What a judge's class without a label is called."""

REASONS = len(UNSCORED_REASONS)
Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Pairs:
    """The labelled items of one set with one judge's verdicts on them, in row order.

    Attributes:
        scale: the declared scale.
        labels: the ``k`` classes (see :func:`~calibrate.metrics.agreement.scale_labels`); one nameless class on an
            interval scale without a threshold.
        rows: ``[n]``, each item's position in the sequences it came from.
        human: ``[n]``, index of the gold label.
        judge: ``[n]``, index of the judge's label, or ``k`` plus the position of the reason in ``UNSCORED_REASONS``.
        human_scores: ``[n]``, raw gold scores of an interval scale, else empty.
        judge_scores: ``[n]``, raw verdicts of an interval scale (0 where unscored), else empty.
    """

    scale: Scale
    labels: tuple[str, ...]
    rows: Codes
    human: Codes
    judge: Codes
    human_scores: Array
    judge_scores: Array

    @property
    def n(self) -> int:
        """Number of labelled items."""
        return int(self.human.size)

    @property
    def scored(self) -> NDArray[np.bool_]:
        """``[n]``: whether the verdict states a label."""
        return self.judge < len(self.labels)

    def table(self) -> Array:
        """Count the pairs: ``[k, k + 5]``, rows gold, columns the labels and then the unscored reasons."""
        k = len(self.labels)
        cells = np.bincount(self.human * (k + REASONS) + self.judge, minlength=k * (k + REASONS))
        return cells.reshape(k, k + REASONS).astype(np.float64)

    def keep(self, rows: NDArray[np.bool_]) -> Pairs:
        """Return the pairs at the given positions only."""
        scores = (self.human_scores, self.judge_scores)
        human_scores, judge_scores = (each[rows] if each.size else each for each in scores)
        return Pairs(
            self.scale, self.labels, self.rows[rows], self.human[rows], self.judge[rows], human_scores, judge_scores
        )


def pair(human: Sequence[str | None], verdicts: Sequence[Verdict], scale: Scale) -> Pairs:
    """Pair gold labels with the verdicts on the same rows; a row without gold is left out together with its verdict.

    Raises:
        InputError: the lengths differ, or a label is outside the scale.
    """
    if len(human) != len(verdicts):
        raise InputError(f"{len(human)} gold labels but {len(verdicts)} verdicts: there must be one verdict a row")
    rows = np.array([row for row, label in enumerate(human) if label is not None], dtype=np.int64)
    gold = [label for label in human if label is not None]
    kept = verdicts if len(gold) == len(verdicts) else [verdicts[row] for row in rows]
    empty = np.empty(0)
    if scale.kind == "interval":
        labels = scale_labels(scale) or ("",)
        human_scores = np.array(
            [_score(label, row, "gold") for label, row in zip(gold, rows, strict=True)], dtype=float
        )
        stated = [each.label if isinstance(each, Scored) else "0" for each in kept]
        judge_scores = np.array(
            [_score(label, row, "judge") for label, row in zip(stated, rows, strict=True)], dtype=float
        )
        cut = -np.inf if scale.threshold is None else scale.threshold
        side = (human_scores >= cut, judge_scores >= cut)
        human_codes, judge_codes = ((each & (len(labels) > 1)).astype(np.int64) for each in side)
    else:
        labels, human_scores, judge_scores = scale.labels, empty, empty
        index = {label: position for position, label in enumerate(labels)}
        human_codes = _codes(gold, index, rows, "gold")
        stated = [each.label if isinstance(each, Scored) else labels[0] for each in kept]
        judge_codes = _codes(stated, index, rows, "judge")
    reason = {name: len(labels) + position for position, name in enumerate(UNSCORED_REASONS)}
    unscored = [(at, reason[each.reason]) for at, each in enumerate(kept) if not isinstance(each, Scored)]
    for at, code in unscored:
        judge_codes[at] = code
    return Pairs(scale, labels, rows, human_codes, judge_codes, human_scores, judge_scores)


def policy_suite(scale: Scale, invalid: Invalid) -> Suite:
    """Return how the collapsed tables of a policy are measured.

    Raises:
        InputError: ``category`` on an ordinal or interval scale, where an abstention has no place in the order.
    """
    ordered = scale.kind in ("ordinal", "interval")
    if invalid == "category":
        if ordered:
            raise InputError(
                f"an {scale.kind} scale has no place for an extra class: use exclude or wrong", field="invalid"
            )
        return suite_for(scale, extra_class=EXTRA_CLASSES[1])
    if invalid == "wrong" and scale.kind in ("nominal", "pairwise"):
        return suite_for(scale, extra_class=EXTRA_CLASSES[0])
    return suite_for(scale)


def collapse(tables: Array, scale: Scale, invalid: Invalid) -> Array:
    """Turn tables with a column for every unscored reason into the square tables a policy measures.

    Args:
        tables: ``[..., k, k + 5]``, as :meth:`Pairs.table` counts them.
        scale: the declared scale.
        invalid: ``exclude`` drops the unscored. ``wrong`` makes them the opposite label (two classes), a judge's class
            of their own (nominal, pairwise), or the declared end farthest from gold (ordinal; the low end at the exact
            middle). ``category`` makes abstentions a judge's class of their own and drops the others.

    Returns:
        ``[..., m, m]`` with the labels of :func:`policy_suite`; the row of an extra class is empty.
    """
    k = tables.shape[-2]
    stated = tables[..., :k]
    if invalid == "exclude":
        return stated
    if invalid == "wrong" and scale.kind not in ("nominal", "pairwise"):
        target = np.eye(k)[_farthest(scale)] if scale.kind == "ordinal" else 1.0 - np.eye(k)
        moved: Array = stated + tables[..., k:].sum(-1)[..., None] * target
        return moved
    extra = tables[..., k:].sum(-1) if invalid == "wrong" else tables[..., k + UNSCORED_REASONS.index("abstained")]
    square = np.zeros((*tables.shape[:-2], k + 1, k + 1))
    square[..., :k, :k] = stated
    square[..., :k, k] = extra
    return square


def judged_scores(pairs: Pairs, invalid: Invalid) -> Pairs:
    """Return the pairs of an interval scale as a policy measures them.

    ``wrong`` puts an unscored verdict at the end of the scale farthest from gold (the observed range of gold and judge
    where no ends are declared), and on the other side of the threshold, so that it always is a disagreement.
    """
    if invalid == "exclude" or bool(pairs.scored.all()):
        return pairs.keep(pairs.scored)
    observed = np.concatenate([pairs.human_scores, pairs.judge_scores[pairs.scored]])
    low = pairs.scale.low if pairs.scale.low is not None else float(observed.min())
    high = pairs.scale.high if pairs.scale.high is not None else float(observed.max())
    end = np.where(pairs.human_scores - low >= high - pairs.human_scores, low, high)
    opposite = (1 - pairs.human) if len(pairs.labels) > 1 else pairs.human
    judge = np.where(pairs.scored, pairs.judge, opposite)
    scores = np.where(pairs.scored, pairs.judge_scores, end)
    return Pairs(pairs.scale, pairs.labels, pairs.rows, pairs.human, judge, pairs.human_scores, scores)


def group_numbers(groups: Sequence[str | None], pairs: Pairs) -> Codes | None:
    """Number the groups of the labelled rows from 0; None when no two rows share one."""
    if pairs.n and len(groups) <= int(pairs.rows[-1]):
        raise InputError(f"{len(groups)} groups for {int(pairs.rows[-1]) + 1} rows or more: there must be one a row")
    names = [(groups[row], row if groups[row] is None else -1) for row in pairs.rows]
    numbers: dict[tuple[str | None, int], int] = {}
    coded = np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)
    return coded if len(numbers) < pairs.n else None


def tables_of_groups(pairs: Pairs, groups: Codes) -> Array:
    """Count the pairs of each group: ``[groups, k, k + 5]``."""
    k, width = len(pairs.labels), len(pairs.labels) + REASONS
    count = int(groups.max()) + 1
    cells = (groups * k + pairs.human) * width + pairs.judge
    return np.bincount(cells, minlength=count * k * width).reshape(count, k, width).astype(np.float64)


def _farthest(scale: Scale) -> Codes:
    """For each level of an ordinal scale, the index of the end farthest from it."""
    values = np.array([scale.value(label) for label in scale.labels])
    to_low, to_high = np.abs(values - values[0]), np.abs(values - values[-1])
    return np.where(to_low >= to_high, 0, len(values) - 1).astype(np.int64)


def _codes(labels: Sequence[str], index: dict[str, int], rows: Codes, side: str) -> Codes:
    try:
        return np.array([index[label] for label in labels], dtype=np.int64)
    except KeyError:
        at = next(at for at, label in enumerate(labels) if label not in index)
        raise InputError(
            f"'{labels[at]}' is none of the declared labels {', '.join(index)}", row=int(rows[at]) + 1, field=side
        ) from None


def _score(label: str, row: int, side: str) -> float:
    try:
        score = float(label)
    except ValueError:
        score = float("nan")
    if not np.isfinite(score):
        raise InputError(f"'{label}' is no score", row=int(row) + 1, field=side)
    return score
