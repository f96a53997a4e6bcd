"""Many judges on the same items, measured at once: what noise, selection and votes are computed with.

Unscored verdicts count as disagreements throughout (STATISTICS section 2, ``wrong``), as wherever judges are ranked.
Verdicts are indices, so that a judge that never was - another verdict on every item - is a row of indices too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibrate.domain import Scale, Verdict
from calibrate.errors import InputError
from calibrate.metrics.agreement import Array, Suite, alignment, components
from calibrate.metrics.alignment import align
from calibrate.metrics.estimates import Reason
from calibrate.metrics.pairing import REASONS, Pairs, collapse, judged_scores, pair, policy_suite
from calibrate.metrics.raw_scores import ScoreRows

__all__ = ["JudgeStack"]

Codes = NDArray[np.int64]

_NUMBERS_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True)
class JudgeStack:
    """Verdicts of several judges on the same labelled items.

    Attributes:
        pairs: the judges one by one, as their verdicts are.
        how: the suite of the square tables.
        human: ``[n]``, index of the gold label.
        codes: ``[judges, n]``, index of what each verdict counts as: a class of ``how``, or on an interval scale a
            position in ``scores``.
        scores: interval scale: the distinct scores that gold and verdicts count as, ascending, else empty.
        sides: interval scale: the side of the threshold of each of ``scores``.
        undefined: why alignment is undefined on these items, None where it is defined.
    """

    pairs: tuple[Pairs, ...]
    how: Suite
    human: Codes
    codes: Codes
    scores: Array
    sides: Codes
    undefined: Reason | None

    @classmethod
    def of(cls, human: Sequence[str | None], judges: Sequence[Sequence[Verdict]], scale: Scale) -> JudgeStack:
        """Pair every judge's verdicts with gold; rows without gold are left out.

        Raises:
            InputError: there is no judge, the lengths differ, or a label is outside the scale.
        """
        if not judges:
            raise InputError("there are no verdicts to measure: give those of one judge at least")
        pairs = tuple(pair(human, each, scale) for each in judges)
        how = policy_suite(scale, "wrong")
        undefined = align(human, judges[0], scale, invalid="wrong", intervals=False).alignment.reason
        gold = pairs[0].human
        if scale.kind != "interval":
            meaning = _meaning(scale, len(pairs[0].labels))
            codes = np.stack([meaning[gold, each.judge] for each in pairs])
            return cls(pairs, how, gold, codes, *_no_scores(), undefined)
        if undefined is not None:
            return cls(pairs, how, gold, np.zeros((len(pairs), gold.size), np.int64), *_no_scores(), undefined)
        judged = [judged_scores(each, "wrong") for each in pairs]
        scores = np.concatenate([pairs[0].human_scores, *(each.judge_scores for each in judged)])
        sides = np.concatenate([gold, *(each.judge for each in judged)])
        distinct, where = np.unique(np.column_stack([scores, sides]), axis=0, return_inverse=True)
        codes = where.reshape(-1, gold.size)[1:]
        return cls(pairs, how, gold, codes, distinct[:, 0].astype(float), distinct[:, 1].astype(np.int64), undefined)

    @property
    def n(self) -> int:
        """Number of labelled items."""
        return int(self.human.size)

    @property
    def judges(self) -> int:
        """Number of judges."""
        return len(self.pairs)

    def alignments(self, codes: Codes) -> Array:
        """Return the alignment of each judge of ``codes``, ``[..., n]`` to ``[...]``."""
        flat = codes.reshape(-1, self.n)
        measured = self._of_scores if self.scores.size else self._of_labels
        at_once = max(1, _NUMBERS_AT_ONCE // max(self.n, 1))
        chunks = [measured(flat[at : at + at_once]) for at in range(0, len(flat), at_once)]
        found: Array = np.concatenate(chunks).reshape(codes.shape[:-1])
        return found

    def reweighted(self, weights: Array) -> Array:
        """Return every judge's alignment under weights of the items, ``[draws, n]`` to ``[judges, draws]``."""
        if self.scores.size:
            rows = (self._score_rows(np.arange(self.n), each) for each in self.codes)
            return np.stack([each.figures(self.how, weights)["alignment"] for each in rows])
        k = len(self.how.labels)
        cells = np.eye(k * k)
        tables = np.stack([weights @ cells[self.human * k + each] for each in self.codes])
        return alignment(components(tables.reshape(*tables.shape[:2], k, k), self.how))

    def pooled(self, weights: Array) -> float:
        """Return the alignment of all judges' verdicts taken together, each weighing ``[judges, n]``."""
        if not self.scores.size:
            return float(alignment(components(self.square(self.pooled_tables(weights)), self.how)))
        judge, item = np.nonzero(weights)
        rows = self._score_rows(item, self.codes[judge, item])
        return float(rows.figures(self.how, weights[judge, item][None])["alignment"][0])

    def pooled_tables(self, weights: Array, groups: Codes | None = None) -> Array:
        """Add up all judges' pairs, each weighing ``[judges, n]``: ``[k, k + 5]``, or that for every group."""
        k = len(self.pairs[0].labels)
        width = k + REASONS
        raw = np.stack([each.judge for each in self.pairs])
        cells = self.human * width + raw
        shape: tuple[int, ...] = (k, width)
        if groups is not None:
            shape = (int(groups.max()) + 1, k, width)
            cells = cells + groups * k * width
        counts: Array = np.bincount(cells.ravel(), weights.ravel(), minlength=int(np.prod(shape))).astype(np.float64)
        return counts.reshape(shape)

    def square(self, tables: Array) -> Array:
        """Return the tables with unscored verdicts as disagreements."""
        return collapse(tables, self.pairs[0].scale, "wrong")

    def _of_labels(self, codes: Codes) -> Array:
        k = len(self.how.labels)
        cells = codes + (self.human * k + (np.arange(len(codes)) * k * k)[:, None])
        tables = np.bincount(cells.ravel(), minlength=len(codes) * k * k).reshape(-1, k, k).astype(np.float64)
        return alignment(components(tables, self.how))

    def _of_scores(self, codes: Codes) -> Array:
        from scipy.stats import rankdata

        parts: dict[str, Array] = {}
        if self.how.labels:
            cells = self.sides[codes] + (self.human * 2 + (np.arange(len(codes)) * 4)[:, None])
            tables = np.bincount(cells.ravel(), minlength=len(codes) * 4).reshape(-1, 2, 2).astype(np.float64)
            parts = components(tables, self.how)
        gold, judged = self.pairs[0].human_scores, self.scores[codes]
        parts["pearson"] = _correlation(gold, judged)
        parts["spearman"] = _correlation(rankdata(gold), rankdata(judged, axis=-1))
        return alignment(parts)

    def _score_rows(self, items: Codes, codes: Codes) -> ScoreRows:
        gold = self.pairs[0].human_scores[items]
        return ScoreRows(gold, self.scores[codes], self.human[items], self.sides[codes])


def _no_scores() -> tuple[Array, Codes]:
    return np.empty(0), np.empty(0, np.int64)


def _meaning(scale: Scale, k: int) -> Codes:
    """Return what a verdict counts as, given gold: ``[k, k + 5]``, read off tables of one pair each."""
    single = np.eye(k * (k + REASONS)).reshape(k, k + REASONS, k, k + REASONS)
    squares = collapse(single, scale, "wrong")
    found: Codes = np.argmax(squares.sum(-2), axis=-1)
    return found


def _correlation(gold: Array, judged: Array) -> Array:
    """Pearson's r of gold ``[n]`` with each row of ``[judges, n]``; NaN for a constant one."""
    x = gold - gold.mean()
    y = judged - judged.mean(-1, keepdims=True)
    spread = np.sqrt((x @ x) * np.einsum("jn,jn->j", y, y))
    spread[np.ptp(judged, axis=-1) == 0] = 0.0
    r = np.full(len(judged), np.nan)
    np.divide(y @ x, spread, out=r, where=spread > 0)
    found: Array = np.clip(r, -1.0, 1.0)
    return found
