"""The judge among the raters: the human ceiling, and whether it may stand in for a rater (STATISTICS section 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from calibrate.domain import Json, Scale, Scored, Unscored, Verdict
from calibrate.errors import InputError
from calibrate.metrics.alignment import align
from calibrate.metrics.estimates import Estimate
from calibrate.metrics.raters import Ratings
from calibrate.metrics.results import Alignment

__all__ = [
    "AlternativeAnnotator",
    "CeilingRow",
    "Expertise",
    "HumanCeiling",
    "alternative_annotator_test",
    "human_ceiling",
    "majority",
]

Expertise = Literal["expert", "skilled", "crowd"]

EPSILON: Mapping[Expertise, float] = {"expert": 0.2, "skilled": 0.15, "crowd": 0.1}
LEAST_RATERS = 3
LEAST_ITEMS = 30
FALSE_DISCOVERY = 0.05
PASSING_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class CeilingRow:
    """One rater, and the judge, against the majorities of the other raters on the items this rater labelled.

    Attributes:
        rater: the rater left out.
        n: items with a majority of the others.
        human: the rater's alignment with the others.
        judge: the judge's alignment with the same majorities, unscored verdicts counted as disagreements.
    """

    rater: str
    n: int
    human: Alignment
    judge: Alignment


@dataclass(frozen=True, slots=True)
class HumanCeiling:
    """How well people, and the judge, agree with the same people.

    Attributes:
        rows: one for each rater.
        human: mean alignment of the raters.
        judge: mean alignment of the judge, over the same rows.
        defined: rows in which both are defined, the only ones the means rest on.
    """

    rows: tuple[CeilingRow, ...]
    human: Estimate
    judge: Estimate
    defined: int

    def to_json(self) -> dict[str, Json]:
        """Return the means, and each rater's alignment beside the judge's, as JSON."""
        return {
            "human": self.human.to_json(),
            "judge": self.judge.to_json(),
            "raters": [self.defined, len(self.rows)],
            "rows": [
                {
                    "rater": row.rater,
                    "n": row.n,
                    "human": row.human.alignment.to_json(),
                    "judge": row.judge.alignment.to_json(),
                }
                for row in self.rows
            ],
        }


@dataclass(frozen=True, slots=True)
class AlternativeAnnotator:
    """Outcome of the alternative-annotator test.

    Attributes:
        passed: whether omega >= 0.5; None when no rater qualifies.
        omega: share of raters the judge wins against.
        rho: mean probability that the judge does at least as well as a rater on an item.
        epsilon: the allowance for the judge's lower cost.
        p_values: by rater, one-sided.
        won: raters the judge wins against after the correction.
        skipped: raters with fewer than 30 items shared with others.
    """

    passed: bool | None
    omega: float | None
    rho: float | None
    epsilon: float
    p_values: Mapping[str, float]
    won: tuple[str, ...]
    skipped: tuple[str, ...]

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON."""
        return {
            "passed": self.passed,
            "omega": self.omega,
            "rho": self.rho,
            "epsilon": self.epsilon,
            "p_values": dict(self.p_values),
            "won": list(self.won),
            "skipped": list(self.skipped),
        }


def majority(labels: Sequence[str]) -> str | None:
    """Return the label given most often, or None for a tie or no label."""
    ranked = Counter(labels).most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def human_ceiling(ratings: Ratings, verdicts: Sequence[Verdict], scale: Scale) -> HumanCeiling:
    """Measure each rater, and the judge, against the same majorities of the other raters.

    Items without a majority of the others are left out for both; scores of an interval scale are averaged instead.

    Args:
        ratings: labels by rater, for each item.
        verdicts: the judge's verdict on the same items.
        scale: the declared scale.

    Raises:
        InputError: the lengths differ, or a label is outside the scale.
    """
    _same_length(ratings, verdicts)
    rows = []
    for rater in dict.fromkeys(rater for item in ratings for rater in item):
        gold: list[str] = []
        own: list[Verdict] = []
        judge: list[Verdict] = []
        for item, verdict in zip(ratings, verdicts, strict=True):
            others = _consensus([label for name, label in item.items() if name != rater], scale)
            if rater in item and others is not None:
                gold.append(others)
                own.append(Scored(item[rater]))
                judge.append(verdict)
        human = align(gold, own, scale, invalid="wrong", intervals=False)
        rows.append(CeilingRow(rater, len(gold), human, align(gold, judge, scale, invalid="wrong", intervals=False)))
    both = [(row.human.alignment.value, row.judge.alignment.value) for row in rows]
    defined = [(human, judge) for human, judge in both if human is not None and judge is not None]
    if not defined:
        reason = next((row.human.alignment.reason for row in rows if row.human.alignment.reason), None)
        nothing = Estimate(None, reason=reason or "no_items")
        return HumanCeiling(tuple(rows), nothing, nothing, 0)
    means = [float(np.mean(column)) for column in zip(*defined, strict=True)]
    return HumanCeiling(tuple(rows), Estimate(means[0]), Estimate(means[1]), len(defined))


def alternative_annotator_test(
    ratings: Ratings, verdicts: Sequence[Verdict], scale: Scale, *, expertise: Expertise = "expert"
) -> AlternativeAnnotator:
    """Test whether the judge agrees with the raters at least as well as a rater does, allowing epsilon for its cost.

    Leave one rater out; on each item this rater shares with others, the judge wins when it scores at least as well
    against the others (share of equal labels; negative root mean squared distance on ordered scales), the rater wins
    when it does, ties count for both, an unscored verdict loses. One-sided t-test of W_rater - W_judge < epsilon for
    each rater, Benjamini-Yekutieli at 0.05 over raters. Calderon, Reichart and Dror (ACL 2025).

    Args:
        ratings: labels by rater, for each item.
        verdicts: the judge's verdict on the same items.
        scale: the declared scale.
        expertise: the raters: epsilon is 0.2 for experts, 0.15 for skilled people, 0.1 for a crowd.

    Raises:
        InputError: the lengths differ.
    """
    _same_length(ratings, verdicts)
    epsilon = EPSILON[expertise]
    raters = list(dict.fromkeys(rater for item in ratings for rater in item))
    wins = {rater: _wins(rater, ratings, verdicts, scale) for rater in raters}
    enough = [rater for rater in raters if len(wins[rater]) >= LEAST_ITEMS]
    skipped = tuple(rater for rater in raters if rater not in enough)
    if len(raters) < LEAST_RATERS or not enough:
        return AlternativeAnnotator(None, None, None, epsilon, {}, (), tuple(raters) if not enough else skipped)
    p_values = {rater: _p_value(wins[rater], epsilon) for rater in enough}
    won = _benjamini_yekutieli(p_values)
    omega = len(won) / len(enough)
    rho = float(np.mean([np.mean([judge for judge, _ in wins[rater]]) for rater in enough]))
    return AlternativeAnnotator(omega >= PASSING_SHARE, omega, rho, epsilon, p_values, won, skipped)


def _same_length(ratings: Ratings, verdicts: Sequence[Verdict]) -> None:
    if len(ratings) != len(verdicts):
        raise InputError(f"{len(ratings)} rated items but {len(verdicts)} verdicts: there must be one verdict an item")


def _consensus(labels: Sequence[str], scale: Scale) -> str | None:
    if scale.kind != "interval":
        return majority(labels)
    return repr(float(np.mean([float(label) for label in labels]))) if labels else None


def _wins(rater: str, ratings: Ratings, verdicts: Sequence[Verdict], scale: Scale) -> list[tuple[bool, bool]]:
    """Return, for each item the rater shares with others, whether the judge and whether the rater wins."""
    found = []
    for item, verdict in zip(ratings, verdicts, strict=True):
        others = [label for name, label in item.items() if name != rater]
        if rater not in item or not others:
            continue
        if isinstance(verdict, Unscored):
            found.append((False, True))
            continue
        judge, human = _closeness(verdict.label, others, scale), _closeness(item[rater], others, scale)
        found.append((judge >= human, human >= judge))
    return found


def _closeness(label: str, others: Sequence[str], scale: Scale) -> float:
    if scale.kind in ("ordinal", "interval"):
        return -float(np.sqrt(np.mean([(scale.value(label) - scale.value(other)) ** 2 for other in others])))
    return float(np.mean([label == other for other in others]))


def _p_value(wins: Sequence[tuple[bool, bool]], epsilon: float) -> float:
    from scipy.special import stdtr

    behind = np.array([float(human) - float(judge) for judge, human in wins])
    spread = float(behind.std(ddof=1))
    if spread == 0.0:
        return 0.0 if float(behind[0]) < epsilon else 1.0
    t = (float(behind.mean()) - epsilon) / (spread / np.sqrt(behind.size))
    return float(stdtr(behind.size - 1, t))


def _benjamini_yekutieli(p_values: Mapping[str, float]) -> tuple[str, ...]:
    """Return the raters whose hypothesis is rejected with the false discovery rate held under any dependence (2001)."""
    ranked = sorted(p_values, key=lambda rater: p_values[rater])
    m = len(ranked)
    harmonic = sum(1 / rank for rank in range(1, m + 1))
    last = max(
        (rank for rank in range(1, m + 1) if p_values[ranked[rank - 1]] <= rank * FALSE_DISCOVERY / m / harmonic),
        default=0,
    )
    rejected = set(ranked[:last])
    return tuple(rater for rater in p_values if rater in rejected)
