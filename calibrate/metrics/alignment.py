"""Alignment of one judge with people: every figure of STATISTICS sections 1 to 3, from labels and verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from calibrate.domain import UNSCORED_REASONS, Scale, Scored, Verdict
from calibrate.errors import InputError
from calibrate.metrics.agreement import (
    CLASS_METRICS,
    CORRELATIONS,
    Array,
    Suite,
    alignment,
    components,
    confusion_table,
    estimate,
    extras,
    mean_estimate,
    measure,
)
from calibrate.metrics.confidence import measure_confidence
from calibrate.metrics.estimates import Estimate
from calibrate.metrics.intervals import (
    DRAWS,
    Interval,
    affordable_draws,
    bootstrap_groups,
    design_effect,
    draw_tables,
    intervals_of,
    percentiles_of,
    union,
    wilson,
)
from calibrate.metrics.pairing import (
    EXTRA_CLASSES,
    Invalid,
    Pairs,
    collapse,
    group_numbers,
    judged_scores,
    pair,
    policy_suite,
    tables_of_groups,
)
from calibrate.metrics.raw_scores import ScoreRows, draw_scores, resample_score_groups
from calibrate.metrics.readings import Facts, read
from calibrate.metrics.references import reference_judges
from calibrate.metrics.results import Alignment, Confusion, Resampling, WrongFigures

__all__ = ["align", "alignment_value"]

MAX_UNSCORED = 0.05


@dataclass(frozen=True, slots=True)
class _Measured:
    """The figures of one policy, and the table they come from."""

    how: Suite
    table: Array
    alignment: Estimate
    components: int
    metrics: Mapping[str, Estimate]
    extras: Mapping[str, Estimate]
    resampling: Resampling | None


@dataclass(frozen=True, slots=True)
class _Sampling:
    """How to make intervals; ``groups`` numbers each labelled item's group from 0, None means independent rows."""

    draws: int
    generator: Generator
    groups: NDArray[np.int64] | None


def align(
    human: Sequence[str | None],
    verdicts: Sequence[Verdict],
    scale: Scale,
    *,
    invalid: Invalid = "exclude",
    groups: Sequence[str | None] | None = None,
    seed: int = 0,
    draws: int = DRAWS,
    intervals: bool = True,
    max_unscored: float = MAX_UNSCORED,
) -> Alignment:
    """Measure how verdicts agree with gold labels.

    Args:
        human: gold label of each row; None leaves the row out, with its verdict.
        verdicts: the judge's verdict on the same rows.
        scale: the declared scale.
        invalid: what unscored verdicts count as.
        groups: resampling unit of each row (document, conversation); a row without one stands alone. Without groups, or
            when no two rows share one, rows are independent; when all rows share one there is no interval.
        seed: seed of the one generator all intervals are drawn with.
        draws: replicates; fewer are made, but at least 200, when the data are large.
        intervals: whether to make intervals; without them nothing good is read from the figures.
        max_unscored: largest share of unscored verdicts at which a good word is said.

    Raises:
        InputError: the lengths differ, a label is outside the scale, or the policy does not fit the scale.
    """
    pairs = pair(human, verdicts, scale)
    units = None if groups is None else group_numbers(groups, pairs)
    one_group = units is not None and pairs.n > 1 and int(units.max(initial=0)) == 0
    sampling = _Sampling(draws, np.random.default_rng(seed), units) if intervals and not one_group else None
    measured = _measure(pairs, invalid, sampling)
    counts = pairs.table()
    k = len(pairs.labels)
    n, scored = pairs.n, int(counts[:, :k].sum())
    wrong = None
    if scored < n and invalid != "wrong":
        again = _measure(pairs, "wrong", sampling)
        accuracy = again.metrics["accuracy"]
        wrong = WrongFigures(again.alignment, again.components, accuracy)

    how, table = measured.how, measured.table
    recall = _recall_by_class(table, counts, how)
    reference = reference_judges(table, how, raw_correlations=scale.kind == "interval")
    facts = Facts(
        kind=scale.kind,
        n=n,
        scored=scored,
        max_unscored=max_unscored,
        one_group=one_group,
        labels=how.labels,
        positive=how.positive,
        table=table,
        alignment=measured.alignment,
        metrics=measured.metrics,
        recall=recall,
        reference=reference,
    )
    confidence = None
    if any(isinstance(each := verdicts[row], Scored) and each.confidence is not None for row in pairs.rows):
        confidence = measure_confidence(
            human, verdicts, scale, groups=groups, seed=seed, draws=draws, intervals=intervals
        )
    return Alignment(
        scale=scale,
        invalid=invalid,
        n=n,
        scored=scored,
        coverage=scored / n if n else None,
        alignment=measured.alignment,
        components=measured.components,
        metrics=measured.metrics,
        extras=measured.extras,
        reference=reference,
        confusion=Confusion(how.labels, tuple(tuple(int(cell) for cell in row) for row in table)),
        recall_by_class=recall,
        n_per_class={label: int(count) for label, count in zip(how.labels, counts.sum(1), strict=False)},
        positive_rate=_positive_rate(table, how),
        unscored={reason: int(counts[:, k + at].sum()) for at, reason in enumerate(UNSCORED_REASONS)},
        accuracy_wilson=wilson(float(np.trace(table)), float(table.sum())),
        accuracy_bounds=_bounds(table, n) if how.labels and invalid == "exclude" else None,
        wrong=wrong,
        resampling=measured.resampling,
        readings=read(facts),
        confidence=confidence,
    )


def alignment_value(human: Sequence[str | None], verdicts: Sequence[Verdict], scale: Scale) -> float:
    """Return the alignment that candidates are ranked by: unscored verdicts count as disagreements, no intervals.

    A constant judge's r and rho enter as 0.

    Raises:
        InputError: alignment is undefined on these items (``single_class_gold``, ``too_few``, ``no_items``), or as
            :func:`align`.
    """
    found = _measure(pair(human, verdicts, scale), "wrong", None).alignment
    if found.value is None:
        raise InputError(f"alignment is undefined on these items ({found.reason}): add items of the other labels")
    return found.value


def _measure(pairs: Pairs, invalid: Invalid, sampling: _Sampling | None) -> _Measured:
    how = policy_suite(pairs.scale, invalid)
    measured = _measure_scores if pairs.scale.kind == "interval" else _measure_table
    if pairs.n == 0:
        sampling = None
    found = measured(pairs, how, invalid, sampling)
    return _no_items(found) if pairs.n == 0 else found


def _measure_table(pairs: Pairs, how: Suite, invalid: Invalid, sampling: _Sampling | None) -> _Measured:
    def square(tables: Array) -> Array:
        return collapse(tables, pairs.scale, invalid)

    def figures(tables: Array) -> dict[str, Array]:
        parts = components(square(tables), how)
        return parts | {"alignment": alignment(parts)} | {f"+{k}": v for k, v in extras(square(tables), how).items()}

    counts = pairs.table()
    table = square(counts)
    metrics, mean, beside = measure(table, how)
    found = {**metrics, "alignment": mean, **{f"+{name}": each for name, each in beside.items()}}
    resampling = None
    if sampling is not None and table.sum() > 0:
        drawn = draw_tables(counts, sampling.draws, sampling.generator)
        resampling = Resampling("tables", len(drawn.upper))
        if sampling.groups is None:
            ends = intervals_of(figures, drawn)
        else:
            tables = tables_of_groups(pairs, sampling.groups)
            made = affordable_draws(sampling.draws, tables.size)
            replicates = figures(bootstrap_groups(tables, made, sampling.generator))
            by_row = figures(drawn.lower[0])["alignment"]
            effect = design_effect(replicates["alignment"], by_row, len(tables), pairs.n)
            effective = draw_tables(counts / effect, sampling.draws, sampling.generator)
            ends = union(intervals_of(figures, effective), percentiles_of(replicates))
            resampling = Resampling("groups", made, int(np.isnan(replicates["alignment"]).sum()), effect)
        found = {name: _with(each, ends.get(name)) for name, each in found.items()}
    return _Measured(
        how,
        table,
        found["alignment"],
        len(metrics),
        {name: found[name] for name in metrics},
        {name: found[f"+{name}"] for name in beside},
        resampling,
    )


def _measure_scores(pairs: Pairs, how: Suite, invalid: Invalid, sampling: _Sampling | None) -> _Measured:
    used = judged_scores(pairs, invalid)
    rows = ScoreRows(used.human_scores, used.judge_scores, used.human, used.judge)
    table = confusion_table(used.human, used.judge, 2) if how.labels else np.zeros((0, 0))
    names = (*CLASS_METRICS, *CORRELATIONS) if how.labels else CORRELATIONS
    metrics: dict[str, Estimate] = dict.fromkeys(CLASS_METRICS, Estimate(None, reason="no_threshold"))
    metrics |= dict.fromkeys(names, Estimate(None, reason="none_scored"))
    if rows.n == 0:
        return _Measured(how, table, metrics["pearson"], len(names), metrics, {}, None)

    parts = {name: part[0] for name, part in rows.figures(how, np.ones((1, rows.n))).items()}
    constant_gold = float(np.ptp(rows.human)) == 0.0
    one_side = bool(how.labels) and int((table.sum(1) > 0).sum()) <= 1
    if how.labels:
        metrics |= measure(table, how)[0]
    metrics |= {name: estimate(name, float(parts[name]), constant_gold, rows.n) for name in CORRELATIONS}
    mean = mean_estimate({name: parts[name] for name in names}, one_side or constant_gold, rows.n)
    resampling = None
    if sampling is not None:
        drawn = draw_scores(rows, how, sampling.draws, sampling.generator)
        ends = percentiles_of(drawn)
        resampling = Resampling("rows", drawn["alignment"].size)
        if sampling.groups is not None:
            scored = sampling.groups[np.isin(pairs.rows, used.rows, assume_unique=True)]
            present, groups = np.unique(scored, return_inverse=True)
            replicates = resample_score_groups(rows, how, groups, sampling.draws, sampling.generator)
            values = replicates["alignment"]
            effect = design_effect(values, drawn["alignment"], present.size, rows.n) if present.size > 1 else 1.0
            effective = draw_scores(rows, how, sampling.draws, sampling.generator, effect)
            ends = union(percentiles_of(effective), percentiles_of(replicates))
            resampling = Resampling("groups", values.size, int(np.isnan(values).sum()), effect)
        mean = _with(mean, ends.get("alignment"))
        metrics = {name: _with(each, ends.get(name)) for name, each in metrics.items()}
    return _Measured(how, table, mean, len(names), metrics, {}, resampling)


def _no_items(found: _Measured) -> _Measured:
    nothing = Estimate(None, reason="no_items")
    return replace(
        found,
        alignment=nothing,
        metrics=dict.fromkeys(found.metrics, nothing),
        extras=dict.fromkeys(found.extras, nothing),
    )


def _with(figure: Estimate, ends: Interval | None) -> Estimate:
    return figure if ends is None else figure.with_interval(ends.low, ends.high)


def _recall_by_class(table: Array, counts: Array, how: Suite) -> dict[str, Estimate]:
    """Return recall with its Wilson interval; an extra class, which people cannot give, has none.

    Args:
        table: the scored items.
        counts: all labelled items, rows gold.
        how: the classes.
    """
    found = {}
    for at, label in enumerate(how.labels):
        count, right = float(table[at].sum()), float(table[at, at])
        ends = wilson(right, count)
        if label not in EXTRA_CLASSES:
            none = Estimate(None, reason="none_scored" if counts[at].sum() > 0 else "no_gold_of_class")
            found[label] = none if ends is None else Estimate(right / count, ends.low, ends.high)
    return found


def _positive_rate(table: Array, how: Suite) -> dict[str, float] | None:
    total = float(table.sum())
    if how.positive is None or total == 0:
        return None
    return {
        "human": float(table[how.positive].sum()) / total,
        "judge": float(table[:, how.positive].sum()) / total,
    }


def _bounds(table: Array, n: int) -> Interval | None:
    """Accuracy on the full set when none, or all, of the unscored verdicts had been right: [gA, gA + 1 - g]."""
    if n == 0:
        return None
    right, scored = float(np.trace(table)), float(table.sum())
    return Interval(right / n, (right + n - scored) / n)
