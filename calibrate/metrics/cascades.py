"""Cheap judges first, a dearer one where they are unsure.

A cascade escalates an item when the cheap judge's confidence is below a threshold, or when two cheap judges disagree;
an item that a cheap judge left unscored always is. The last judge asked decides, also when it gives no label.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibrate.domain import Json, Scale, Scored, Verdict
from calibrate.errors import InputError
from calibrate.metrics.agreement import Array
from calibrate.metrics.folds import FOLDS, deal_folds
from calibrate.metrics.judge_stack import JudgeStack
from calibrate.metrics.pairing import pair

__all__ = ["GIVE_UP", "Cascade", "cascade_cost", "confidence_cascade", "disagreement_cascade"]

GIVE_UP = 0.01
"""How much alignment a cascade may cost against the expensive judge alone, on the items its threshold is chosen on."""

MOST_THRESHOLDS = 500
"""Of more distinct confidences so many are tried, evenly spaced in rank."""

_NUMBERS_AT_ONCE = 4_000_000
_NONE_SURE = np.inf
_DIFFERENT_ROWS = "the judges of a cascade judge the same rows, one verdict each"


@dataclass(frozen=True, slots=True)
class Cascade:
    """What a cascade decides, and how often it asks the last judge.

    Attributes:
        signal: what escalates.
        verdicts: on every row.
        escalated: whether the last judge decided it.
        threshold: confidence below which an item is escalated, chosen on all labelled rows, for use; None where all
            are, and for ``disagreement``.
        fold_thresholds: the threshold of each fold, chosen on the others; None where all are escalated.
        give_up: alignment that the threshold may cost.
    """

    signal: Literal["confidence", "disagreement"]
    verdicts: tuple[Verdict, ...]
    escalated: tuple[bool, ...]
    threshold: float | None = None
    fold_thresholds: tuple[float | None, ...] = ()
    give_up: float | None = None

    @property
    def share(self) -> float | None:
        """Share of the rows that are escalated; None without rows."""
        return sum(self.escalated) / len(self.escalated) if self.escalated else None

    def to_json(self) -> dict[str, Json]:
        """Return everything but the verdicts as JSON."""
        return {
            "signal": self.signal,
            "n": len(self.escalated),
            "escalated": sum(self.escalated),
            "share": self.share,
            "threshold": self.threshold,
            "fold_thresholds": list(self.fold_thresholds),
            "give_up": self.give_up,
        }


def confidence_cascade(
    human: Sequence[str | None],
    cheap: Sequence[Verdict],
    expensive: Sequence[Verdict],
    scale: Scale,
    *,
    give_up: float = GIVE_UP,
    groups: Sequence[str | None] | None = None,
    seed: int = 0,
    folds: int = FOLDS,
) -> Cascade:
    """Escalate where the cheap judge's confidence is below a threshold; a verdict without one is not sure.

    The threshold is the one that escalates fewest items among those at which alignment (unscored as wrong) is at most
    ``give_up`` below that of the expensive judge alone; where none is, all items are escalated. Each fold is decided by
    the threshold chosen on the others, so that figures of ``verdicts`` are not flattered by the choice.

    Args:
        human: gold label of each row; rows without one are decided by the threshold of all labelled rows.
        cheap: verdicts of the judge asked first.
        expensive: verdicts of the other on the same rows.
        scale: the declared scale.
        give_up: alignment that the cascade may cost, 0 or more.
        groups: rows of one group stay in one fold; a row without one stands alone.
        seed: seed of the folds.
        folds: how many, fewer where there are fewer groups.

    Raises:
        InputError: fewer than 2 groups, lengths that differ, or a label outside the scale.
    """
    if not give_up >= 0:
        raise InputError(f"what a cascade may cost is 0 or more, not {give_up:g}", field="give_up")
    if len(cheap) != len(expensive):
        raise InputError(_DIFFERENT_ROWS)
    pairs = pair(human, cheap, scale)
    fold = deal_folds(pairs, groups, folds, seed)
    sure = np.array([_sure(each) for each in cheap])

    def chosen(kept: NDArray[np.bool_]) -> float:
        rows = pairs.rows[kept]
        judges = [[each[row] for row in rows] for each in (cheap, expensive)]
        return _threshold(JudgeStack.of([human[row] for row in rows], judges, scale), sure[rows], give_up)

    threshold = chosen(np.ones(pairs.n, dtype=bool))
    by_fold = [chosen(fold != left_out) for left_out in range(int(fold.max()) + 1)]
    cut = np.full(len(cheap), threshold)
    cut[pairs.rows] = np.array(by_fold)[fold]
    return Cascade(
        "confidence",
        *_decided(cheap, expensive, sure < cut),
        threshold=_told(threshold),
        fold_thresholds=tuple(_told(each) for each in by_fold),
        give_up=give_up,
    )


def disagreement_cascade(
    first: Sequence[Verdict], second: Sequence[Verdict], third: Sequence[Verdict], scale: Scale
) -> Cascade:
    """Ask a third judge where two disagree; where they agree the first one's verdict counts. Nothing is chosen.

    On an interval scale two scores agree when they are on the same side of the threshold.

    Raises:
        InputError: the lengths differ, or an interval scale has no threshold.
    """
    if scale.kind == "interval" and scale.threshold is None:
        raise InputError("scores agree when they are on the same side of a threshold, and the scale has none")
    if not len(first) == len(second) == len(third):
        raise InputError(_DIFFERENT_ROWS)
    differ = [not _agree(one, other, scale) for one, other in zip(first, second, strict=True)]
    return Cascade("disagreement", *_decided(first, third, np.array(differ, dtype=bool)))


def cascade_cost(cheap: float | None, expensive: float | None, share: float | None) -> float | None:
    """Return what a verdict costs: the cheap judge's always, the expensive one's for the share escalated.

    Args:
        cheap: cost of what every item takes; with two cheap judges that of both.
        expensive: cost of a verdict of the last judge.
        share: share of items escalated, in [0, 1].

    Returns:
        None when one of them is unknown, even where nothing is escalated.
    """
    return None if cheap is None or expensive is None or share is None else cheap + share * expensive


def _sure(verdict: Verdict) -> float:
    """Return how sure a verdict is; one without a label or a confidence is below any threshold."""
    return verdict.confidence if isinstance(verdict, Scored) and verdict.confidence is not None else -_NONE_SURE


def _told(threshold: float) -> float | None:
    return None if threshold == _NONE_SURE else threshold


def _threshold(stack: JudgeStack, sure: Array, give_up: float) -> float:
    """Return the lowest confidence from which the cheap judge may decide; infinite for none."""
    if stack.undefined is not None:
        return _NONE_SURE
    distinct = np.unique(sure[np.isfinite(sure)])
    if distinct.size > MOST_THRESHOLDS:
        distinct = distinct[np.linspace(0, distinct.size - 1, MOST_THRESHOLDS).round().astype(int)]
    tried = np.append(distinct, _NONE_SURE)
    cheap, expensive = stack.codes
    parts = np.array_split(tried, 1 + stack.n * MOST_THRESHOLDS // _NUMBERS_AT_ONCE)
    reached = np.concatenate(
        [stack.alignments(np.where(sure < cut[:, None], expensive, cheap)) for cut in parts if cut.size]
    )
    wanted = reached[-1] - give_up
    return float(tried[np.flatnonzero(reached >= wanted - 1e-12)[0]]) if np.isfinite(wanted) else _NONE_SURE


def _agree(one: Verdict, other: Verdict, scale: Scale) -> bool:
    if not isinstance(one, Scored) or not isinstance(other, Scored):
        return False
    if scale.kind == "interval":
        return scale.passes(one.label) == scale.passes(other.label)
    return one.label == other.label


def _decided(
    cheap: Sequence[Verdict], expensive: Sequence[Verdict], escalated: NDArray[np.bool_]
) -> tuple[tuple[Verdict, ...], tuple[bool, ...]]:
    asked = tuple(bool(each) for each in escalated)
    return tuple(e if up else c for c, e, up in zip(cheap, expensive, asked, strict=True)), asked
