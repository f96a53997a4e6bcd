"""Verdicts of several judges on an item made into one.

Unscored verdicts have no vote; an item on which no judge has one stays unscored, for the reason most of them give.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, median_low

import numpy as np
from numpy.typing import NDArray

from calibrate.domain import Json, Scale, Scored, Unscored, Verdict
from calibrate.errors import InputError
from calibrate.metrics.agreement import Array
from calibrate.metrics.folds import FOLDS, deal_folds
from calibrate.metrics.pairing import Pairs, pair

__all__ = ["JuryWeights", "WeightedJury", "learn_weights", "majority_jury", "minority_veto", "weighted_jury"]

Codes = NDArray[np.int64]


def majority_jury(judges: Sequence[Sequence[Verdict]], scale: Scale) -> tuple[Verdict, ...]:
    """Return the jury's verdict on each row: the commonest label, or on ordered scales the median.

    Binary, nominal, pairwise: of labels given equally often, that of the judge listed first wins; a jury of an even
    number of judges is well listed with the best one first, and two judges that differ are worth the first. Ordinal:
    the median level, the lower of two middle ones. Interval: the median score, halfway between two middle ones.

    Args:
        judges: verdicts of each judge on the same rows.
        scale: the declared scale.

    Raises:
        InputError: there is no judge, or their numbers of verdicts differ.
    """
    return tuple(_by_majority(each, scale) for each in _by_row(judges))


def minority_veto(judges: Sequence[Sequence[Verdict]], scale: Scale, veto: int = 1) -> tuple[Verdict, ...]:
    """Return the jury's verdict on each row: the negative label as soon as ``veto`` judges give it, else the positive.

    Unscored verdicts neither veto nor accept.

    Args:
        judges: verdicts of each judge on the same rows.
        scale: a binary scale.
        veto: how many judges reject an item, 1 to their number.

    Raises:
        InputError: the scale is not binary, ``veto`` is out of range, there is no judge, or their numbers of verdicts
            differ.
    """
    if scale.kind != "binary" or scale.positive is None:
        raise InputError(f"a veto takes a binary scale: an {scale.kind} scale has no label that rejects")
    rows = _by_row(judges)
    if not 1 <= veto <= len(judges):
        raise InputError(f"a veto takes 1 to {len(judges)} of the judges, not {veto}", field="veto")
    found: list[Verdict] = []
    for verdicts in rows:
        votes = _votes(verdicts)
        rejected = votes.count(scale.negative)
        label = scale.negative if rejected >= veto else scale.positive
        found.append(_verdict(label, votes.count(label), len(votes)) if votes else _unscored(verdicts))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class JuryWeights:
    """What each judge's vote for each label says.

    Attributes:
        labels: the declared labels.
        prior: ``[k]``, log share of each label among gold.
        evidence: ``[judges, k, k]``, log P(vote | gold label), rows gold.
        n: items they were learned on.
    """

    labels: tuple[str, ...]
    prior: Array
    evidence: Array
    n: int

    def decide(self, verdicts: Sequence[Verdict]) -> Verdict:
        """Return the jury's verdict on one item: the likeliest label, the first declared of equals.

        Its confidence is the label's probability if the judges err independently; they do not quite, so that it is
        rather too high.

        Args:
            verdicts: one of each judge, in the order of ``evidence``.
        """
        votes = _votes(verdicts)
        if not votes:
            return _unscored(verdicts)
        odds = self.prior.copy()
        for judge, each in enumerate(verdicts):
            if isinstance(each, Scored):
                odds += self.evidence[judge, :, self.labels.index(each.label)]
        shares = np.exp(odds - odds.max())
        at = int(shares.argmax())
        label, confidence = self.labels[at], float(shares[at] / shares.sum())
        return _verdict(label, votes.count(label), len(votes), confidence)

    def to_json(self) -> dict[str, Json]:
        """Return the weights as JSON: natural logarithms, gold label by vote for each judge."""
        return {
            "n": self.n,
            "labels": list(self.labels),
            "prior": [float(each) for each in self.prior],
            "evidence": [[[float(cell) for cell in row] for row in judge] for judge in self.evidence],
        }


@dataclass(frozen=True, slots=True)
class WeightedJury:
    """A jury whose judges weigh what their record says.

    Attributes:
        verdicts: on every row, labelled rows by weights of the other folds only.
        weights: learned on all labelled rows, for use.
        folds: how many.
    """

    verdicts: tuple[Verdict, ...]
    weights: JuryWeights
    folds: int

    def to_json(self) -> dict[str, Json]:
        """Return the weights and the number of folds as JSON."""
        return {"folds": self.folds, "weights": self.weights.to_json()}


def weighted_jury(
    human: Sequence[str | None],
    judges: Sequence[Sequence[Verdict]],
    scale: Scale,
    *,
    groups: Sequence[str | None] | None = None,
    seed: int = 0,
    folds: int = FOLDS,
) -> WeightedJury:
    """Weigh each judge's vote by how it used that label on labelled items, cross-fitted.

    The label with the highest ``log P(label) + sum of log P(vote | label)`` wins: naive Bayes, the rule of Dawid and
    Skene (1979) with gold known. Counts of labels and of each confusion table have 1 added to every cell.

    Args:
        human: gold label of each row; rows without one are decided by the weights of all labelled rows.
        judges: verdicts of each judge on the same rows.
        scale: a binary, nominal or pairwise scale.
        groups: rows of one group stay in one fold; a row without one stands alone.
        seed: seed of the folds.
        folds: how many, fewer where there are fewer groups.

    Raises:
        InputError: an ordered scale, no judge, fewer than 2 groups, lengths that differ, or a label outside the scale.
    """
    rows, paired = _by_row(judges), _paired(human, judges, scale)
    fold = deal_folds(paired[0], groups, folds, seed)
    weights = _learned(paired, np.ones(paired[0].n, dtype=bool))
    deciding = [weights] * len(rows)
    count = int(fold.max()) + 1
    for left_out in range(count):
        learned = _learned(paired, fold != left_out)
        for row in paired[0].rows[fold == left_out]:
            deciding[int(row)] = learned
    verdicts = tuple(each.decide(row) for each, row in zip(deciding, rows, strict=True))
    return WeightedJury(verdicts, weights, count)


def learn_weights(human: Sequence[str | None], judges: Sequence[Sequence[Verdict]], scale: Scale) -> JuryWeights:
    """Return the weights that :func:`weighted_jury` learns on these rows.

    Raises:
        InputError: an ordered scale, no judge, lengths that differ, or a label outside the scale.
    """
    paired = _paired(human, judges, scale)
    return _learned(paired, np.ones(paired[0].n, dtype=bool))


def _paired(human: Sequence[str | None], judges: Sequence[Sequence[Verdict]], scale: Scale) -> list[Pairs]:
    if scale.kind in ("ordinal", "interval"):
        raise InputError(f"a weighted jury takes labels without an order: take the median on an {scale.kind} scale")
    if not judges:
        raise InputError(_NO_JUDGE)
    return [pair(human, each, scale) for each in judges]


def _learned(paired: Sequence[Pairs], kept: NDArray[np.bool_]) -> JuryWeights:
    k = len(paired[0].labels)
    tables = np.stack([each.keep(kept).table()[:, :k] for each in paired]) + 1
    classes = np.bincount(paired[0].human[kept], minlength=k) + 1
    evidence: Array = np.log(tables / tables.sum(-1, keepdims=True))
    return JuryWeights(paired[0].labels, np.log(classes / classes.sum()), evidence, int(kept.sum()))


_NO_JUDGE = "there is no judge: a jury takes one or more"


def _by_row(judges: Sequence[Sequence[Verdict]]) -> list[tuple[Verdict, ...]]:
    if not judges:
        raise InputError(_NO_JUDGE)
    if len({len(each) for each in judges}) > 1:
        raise InputError("the judges of a jury judge the same rows, one verdict each")
    return list(zip(*judges, strict=True))


def _by_majority(verdicts: Sequence[Verdict], scale: Scale) -> Verdict:
    votes = _votes(verdicts)
    if not votes:
        return _unscored(verdicts)
    if scale.kind == "ordinal":
        level = median_low([scale.labels.index(each) for each in votes])
        return Scored(scale.labels[level], _median_of(len(votes), scale.labels[level]))
    if scale.kind == "interval":
        score = repr(float(median([float(each) for each in votes])))
        return Scored(score, _median_of(len(votes), score))
    label, support = Counter(votes).most_common(1)[0]  # of equals the one met first
    return _verdict(label, support, len(votes))


def _votes(verdicts: Sequence[Verdict]) -> list[str]:
    return [each.label for each in verdicts if isinstance(each, Scored)]


def _verdict(label: str, support: int, votes: int, confidence: float | None = None) -> Scored:
    return Scored(label, f"{support} of {votes} judges: {label}", confidence)


def _median_of(votes: int, label: str) -> str:
    return f"median of {votes} judge{'s' if votes > 1 else ''}: {label}"


def _unscored(verdicts: Sequence[Verdict]) -> Unscored:
    reasons = Counter(each.reason for each in verdicts if isinstance(each, Unscored))
    return Unscored(reasons.most_common(1)[0][0], f"none of {len(verdicts)} judges gave a label")
