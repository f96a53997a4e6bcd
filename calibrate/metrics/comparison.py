"""Two judges on the same items: the paired difference of alignment (STATISTICS section 3).

The interval comes from the joint table (gold x baseline x candidate), drawn from a Dirichlet around its counts. The
prior mass of 2 lies in four equal parts on both right, only one right, only the other right, and both wrong; with two
labels that is the same mass in every cell. Both p-values are shares of the draws that make the interval.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from calibrate.domain import Json, Scale, Verdict
from calibrate.metrics.agreement import Array, Suite, alignment, components
from calibrate.metrics.alignment import align
from calibrate.metrics.estimates import Estimate
from calibrate.metrics.intervals import (
    DRAWS,
    PRIOR_MASS,
    Interval,
    affordable_draws,
    bootstrap_groups,
    design_effect,
    dirichlet_tables,
    embed,
    percentiles,
    union,
)
from calibrate.metrics.pairing import (
    Invalid,
    Pairs,
    collapse,
    group_numbers,
    judged_scores,
    pair,
    policy_suite,
    tables_of_groups,
)
from calibrate.metrics.raw_scores import ScoreRows, draw_score_pairs, resample_score_pairs
from calibrate.metrics.results import Resampling

__all__ = ["MARGIN", "Comparison", "compare", "draw_differences", "holm", "joint_prior", "mcnemar_exact"]

MARGIN = 0.05

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A candidate judge against a baseline judge on the same items.

    Attributes:
        n: items compared; under ``exclude`` those to which both gave a label.
        left_out: labelled items that one of them did not score (``exclude``).
        baseline: alignment of the baseline on these items, without an interval.
        candidate: alignment of the candidate on these items, without an interval.
        components: how many metrics both average.
        difference: candidate less baseline, with its paired interval.
        only_baseline_right: items where only the baseline agrees with gold.
        only_candidate_right: items where only the candidate does.
        mcnemar_p: exact McNemar test of those two counts, a description; several of them are corrected by :func:`holm`.
        resampling: how the interval was made, None without one.
        p: two-sided p of "no difference in alignment": twice the share of draws at or beyond 0, seen from the
            difference, with 1 added to their number, so that it is never 0; at most 1. Below .05 the interval excludes
            0. Over groups the larger of the two kinds of replicates. None without an interval. A single comparison's:
            several are corrected by :func:`holm`.
        p_inferior: one-sided p of "the candidate is worse by ``margin`` or more": the share of draws at or below
            ``-margin``, made alike. Below .025 the interval lies above ``-margin``.
        margin: what ``p_inferior`` and, unless another is named, the conclusion are about.
    """

    n: int
    left_out: int
    baseline: Estimate
    candidate: Estimate
    components: int
    difference: Estimate
    only_baseline_right: int
    only_candidate_right: int
    mcnemar_p: float
    resampling: Resampling | None
    p: float | None = None
    p_inferior: float | None = None
    margin: float = MARGIN

    @property
    def half_width(self) -> float | None:
        """The smallest difference these items resolve: half the width of the paired interval."""
        low, high = self.difference.low, self.difference.high
        return None if low is None or high is None else (high - low) / 2

    def items_to_resolve(self, wished: float) -> int | None:
        """Return about how many items like these resolve a difference of ``wished``; None without an interval."""
        half = self.half_width
        return None if half is None else math.ceil(self.n * (half / wished) ** 2)

    def conclusion(self, margin: float | None = None) -> Literal["better", "non_inferior", "worse", "cannot_tell"]:
        """Return what the interval of the difference says about ``margin``, without one about the comparison's own.

        ``better``: it lies above 0. ``non_inferior``: above ``-margin``. ``worse``: below ``-margin``. Else
        ``cannot_tell``: these data cannot tell.
        """
        low, high = self.difference.low, self.difference.high
        if low is None or high is None:
            return "cannot_tell"
        margin = self.margin if margin is None else margin
        if low > 0:
            return "better"
        if low > -margin:
            return "non_inferior"
        return "worse" if high < -margin else "cannot_tell"

    def to_json(self) -> dict[str, Json]:
        """Return every figure as JSON."""
        return {
            "n": self.n,
            "left_out": self.left_out,
            "baseline": self.baseline.to_json(),
            "candidate": self.candidate.to_json(),
            "components": self.components,
            "difference": self.difference.to_json(),
            "only_baseline_right": self.only_baseline_right,
            "only_candidate_right": self.only_candidate_right,
            "mcnemar_p": self.mcnemar_p,
            "half_width": self.half_width,
            "p": self.p,
            "margin": self.margin,
            "p_inferior": self.p_inferior,
            "conclusion": self.conclusion(),
            "resampling": None if self.resampling is None else self.resampling.to_json(),
        }


def compare(
    human: Sequence[str | None],
    baseline: Sequence[Verdict],
    candidate: Sequence[Verdict],
    scale: Scale,
    *,
    invalid: Invalid = "exclude",
    groups: Sequence[str | None] | None = None,
    seed: int = 0,
    draws: int = DRAWS,
    margin: float = MARGIN,
) -> Comparison:
    """Compare two judges on the items both saw.

    Args:
        human: gold label of each row; None leaves the row out.
        baseline: verdicts of the one judge.
        candidate: verdicts of the other, on the same rows.
        scale: the declared scale.
        invalid: ``exclude`` compares the items both scored; the other policies all labelled items.
        groups: resampling unit of each row.
        seed: seed of the generator.
        draws: replicates.
        margin: how much worse in alignment the candidate may be and still count as as good.

    Raises:
        InputError: as :func:`~calibrate.metrics.alignment.align`.
    """
    first, second = pair(human, baseline, scale), pair(human, candidate, scale)
    n = first.n
    if invalid == "exclude":
        both = first.scored & second.scored
        first, second = first.keep(both), second.keep(both)
    how = policy_suite(scale, invalid)
    kept = [int(row) for row in first.rows]
    gold = [human[row] for row in kept]
    alone = [
        align(gold, [verdicts[row] for row in kept], scale, invalid=invalid, intervals=False)
        for verdicts in (baseline, candidate)
    ]
    right = [each.scored & (each.human == each.judge) for each in (first, second)]
    only_first, only_second = int((right[0] & ~right[1]).sum()), int((right[1] & ~right[0]).sum())
    left, right_value = alone[0].alignment.value, alone[1].alignment.value
    resampling, p, p_inferior = None, None, None
    if left is None or right_value is None:
        difference = Estimate(None, reason=alone[0].alignment.reason)
    else:
        units = None if groups is None else group_numbers(groups, first)
        made = _difference(first, second, how, invalid, units, draws, np.random.default_rng(seed))
        difference = Estimate(gain := right_value - left)
        ends = union(*(_named(percentiles(each)) for each in (made.kinds[0], made.kinds[-1]))).get("difference")
        resampling = made.resampling
        if ends is not None:
            difference = difference.with_interval(ends.low, ends.high)
            p = max(_two_sided(each, gain) for each in made.kinds)
            p_inferior = max(_at_or_below(each, gain, -margin) for each in made.kinds)
    return Comparison(
        n=first.n,
        left_out=n - first.n,
        baseline=alone[0].alignment,
        candidate=alone[1].alignment,
        components=alone[0].components,
        difference=difference,
        only_baseline_right=only_first,
        only_candidate_right=only_second,
        mcnemar_p=mcnemar_exact(only_first, only_second),
        resampling=resampling,
        p=p,
        p_inferior=p_inferior,
        margin=margin,
    )


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """Return the two-sided exact p of McNemar's test: doubled lower tail of Binomial(discordant, 1/2), at most 1."""
    from scipy.special import bdtr

    discordant = only_first + only_second
    if discordant == 0:
        return 1.0
    return min(1.0, 2.0 * float(bdtr(min(only_first, only_second), discordant, 0.5)))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's step-down adjusted p-values, in the order given. Holm (1979)."""
    order = np.argsort(p_values, kind="stable")
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, at in enumerate(order):
        highest = max(highest, min(1.0, p_values[at] * (len(p_values) - rank)))
        adjusted[at] = highest
    return adjusted


def draw_differences(joint: Array, scale: Scale, invalid: Invalid, draws: int, generator: Generator) -> Array:
    """Draw the second judge's alignment less the first's around a joint table, ``[draws]``.

    Args:
        joint: ``[k, k + 5, k + 5]``, counts of gold, first and second verdict (labels, then unscored reasons). Labels
            that nobody used, and reasons that did not occur, get no prior mass.
        scale: the declared scale.
        invalid: what unscored verdicts count as.
        draws: how many, fewer for large tables.
        generator: the source of randomness.
    """
    k = joint.shape[0]
    used = [joint.sum((0, 2)) > 0, joint.sum((0, 1)) > 0]
    occurs = (joint.sum((1, 2)) > 0) | used[0][:k] | used[1][:k]
    rows = np.flatnonzero(occurs)
    columns = [np.flatnonzero(np.concatenate([occurs, each[k:]])) for each in used]
    seen = joint[np.ix_(rows, *columns)]
    drawn = dirichlet_tables(seen, joint_prior(*seen.shape), affordable_draws(draws, seen.size), generator)
    margins = (
        embed(drawn.sum(3), rows, columns[0], joint.shape[:2]),
        embed(drawn.sum(2), rows, columns[1], joint.shape[:2]),
    )
    return _gain(*margins, scale, policy_suite(scale, invalid), invalid)


def joint_prior(k: int, first_width: int, second_width: int) -> Array:
    """Return the prior of a joint table ``[k, first_width, second_width]``.

    A mass of 2 in four equal parts on both right, only one right, only the other, both wrong; evenly within each.
    Columns beyond the k labels are unscored verdicts, which are wrong.
    """
    gold = np.arange(k)[:, None, None]
    first = np.arange(first_width)[None, :, None] == gold
    second = np.arange(second_width)[None, None, :] == gold
    kind = 2 * first.astype(np.int64) + second
    prior: Array = PRIOR_MASS / 4 / np.bincount(kind.ravel(), minlength=4)[kind]
    return prior


@dataclass(frozen=True, slots=True)
class _Draws:
    """Draws of the difference: of one kind, or over groups of effective rows and of resampled groups; none without."""

    kinds: tuple[Array, ...]
    resampling: Resampling | None


def _difference(
    first: Pairs, second: Pairs, how: Suite, invalid: Invalid, units: Codes | None, draws: int, generator: Generator
) -> _Draws:
    if units is not None and int(units.max(initial=0)) == 0:
        return _Draws((np.empty(0),), None)
    unit: Literal["tables", "rows"] = "tables"
    if first.scale.kind == "interval":
        unit = "rows"
        sides = [judged_scores(each, invalid) for each in (first, second)]
        left, right = (ScoreRows(each.human_scores, each.judge_scores, each.human, each.judge) for each in sides)

        def independent(effect: float) -> Array:
            return draw_score_pairs((left, right), how, draws, generator, effect)

        def by_group(units: Codes) -> Array:
            return resample_score_pairs((left, right), how, units, draws, generator)
    else:
        joint = _joint_table(first, second)

        def independent(effect: float) -> Array:
            return draw_differences(joint / effect, first.scale, invalid, draws, generator)

        def by_group(units: Codes) -> Array:
            tables = np.stack([tables_of_groups(each, units) for each in (first, second)], axis=1)
            stacks = bootstrap_groups(tables, affordable_draws(draws, tables.size), generator)
            return _gain(stacks[:, 0], stacks[:, 1], first.scale, how, invalid)

    values = independent(1.0)
    if units is None:
        return _Draws((values,), Resampling(unit, values.size))
    replicates = by_group(units)
    effect = design_effect(replicates, values, int(units.max()) + 1, first.n)
    undefined = int(np.isnan(replicates).sum())
    return _Draws((independent(effect), replicates), Resampling("groups", replicates.size, undefined, effect))


def _two_sided(drawn: Array, observed: float) -> float:
    beyond = min(_at_or_below(drawn, observed, 0.0), _at_or_below(-drawn, -observed, 0.0))
    return min(1.0, 2 * beyond)


def _at_or_below(drawn: Array, observed: float, bound: float) -> float:
    """Return the share of the defined draws at or below a bound; 1 when the observed value is itself."""
    defined = drawn[np.isfinite(drawn)]
    return 1.0 if observed <= bound else (1 + int((defined <= bound).sum())) / (1 + defined.size)


def _named(interval: Interval | None) -> Mapping[str, Interval]:
    return {} if interval is None else {"difference": interval}


def _joint_table(first: Pairs, second: Pairs) -> Array:
    """Count the triples of gold and two verdicts: ``[k, k + 5, k + 5]``."""
    k, width = first.table().shape
    cells = (first.human * width + first.judge) * width + second.judge
    return np.bincount(cells, minlength=k * width * width).reshape(k, width, width).astype(np.float64)


def _gain(first: Array, second: Array, scale: Scale, how: Suite, invalid: Invalid) -> Array:
    values = [alignment(components(collapse(each, scale, invalid), how)) for each in (first, second)]
    return values[1] - values[0]
