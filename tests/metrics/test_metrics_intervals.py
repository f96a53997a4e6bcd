"""Intervals: Wilson, drawn tables, weighted rows, groups."""

from __future__ import annotations

import numpy as np
import pytest
from coverage_cells import NOMINAL, coverage, ordinal_replies, population
from hypothesis import given
from hypothesis import strategies as st
from measured_rows import BINARY, ORDINAL, PREFERENCE, binary_rows, scores, table_rows, verdicts
from scipy.stats import beta, binomtest

from calibrate.domain import Scale
from calibrate.metrics import align, wilson
from calibrate.metrics.agreement import Suite, alignment, components, suite_for
from calibrate.metrics.intervals import (
    Interval,
    affordable_draws,
    bootstrap_groups,
    draw_tables,
    intervals_of,
    percentiles,
    union,
)
from calibrate.metrics.raw_scores import ScoreRows, draw_scores

RAW = Scale("interval", threshold=0.5, low=0.0, high=1.0)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_equals_scipy_and_is_exact_at_the_boundary(counts: tuple[int, int]) -> None:
    successes, n = counts
    found = wilson(successes, n)
    expected = binomtest(successes, n).proportion_ci(method="wilson")
    assert found is not None
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert found.low == 0.0 or successes > 0
    assert found.high == 1.0 or successes < n


def test_wilson_of_nothing_is_none() -> None:
    assert wilson(0, 0) is None


def test_an_interval_over_two_cells_is_the_beta_interval() -> None:
    """Accuracy of a 2 x 2 table: its Dirichlet aggregates to Beta(right + 1, wrong + 1)."""
    counts = np.array([[6.0, 3.0], [2.0, 19.0]])
    drawn = draw_tables(counts, 200_000, np.random.default_rng(3))
    ends = intervals_of(lambda t: {"accuracy": np.trace(t, axis1=1, axis2=2) / t.sum((1, 2))}, drawn)["accuracy"]
    assert (ends.low, ends.high) == pytest.approx(tuple(beta(26, 6).ppf([0.025, 0.975])), abs=2e-3)


def test_seeds_decide_the_draws() -> None:
    rows = binary_rows(19, 2, 3, 6)
    assert align(*rows, BINARY, seed=4) == align(*rows, BINARY, seed=4)
    assert align(*rows, BINARY, seed=4).alignment != align(*rows, BINARY, seed=5).alignment


def test_row_order_does_not_change_an_interval() -> None:
    human, judge = binary_rows(19, 2, 3, 6)
    assert align(human, judge, BINARY) == align(human[::-1], judge[::-1], BINARY)


@pytest.mark.parametrize("table", [(21, 0, 0, 9), (21, 0, 9, 0), (0, 21, 0, 9), (0, 21, 9, 0), (2, 0, 0, 1)])
def test_nothing_collapses_at_the_boundary(table: tuple[int, int, int, int]) -> None:
    found = align(*binary_rows(*table), BINARY)
    for each in (found.alignment, *found.metrics.values()):
        if each.value is not None:
            assert each.low is not None
            assert each.high is not None
            assert each.high - each.low > 0.03
            assert each.low <= each.value <= each.high


@pytest.mark.parametrize("scale", [ORDINAL, PREFERENCE, NOMINAL], ids=lambda each: each.kind)
def test_a_perfect_judge_of_many_classes_has_an_interval_up_to_1(scale: Scale) -> None:
    k = len(scale.labels)
    found = align(*table_rows(np.eye(k, dtype=int) * 6, scale.labels), scale)
    assert found.alignment.high == 1.0
    assert found.alignment.low is not None
    assert 0.5 < found.alignment.low < 0.95


def test_intervals_narrow_with_the_square_root_of_n() -> None:
    widths = []
    for times in (1, 4, 16):
        found = align(*binary_rows(19 * times, 2 * times, 3 * times, 6 * times), BINARY)
        assert found.alignment.low is not None
        assert found.alignment.high is not None
        widths.append(found.alignment.high - found.alignment.low)
    assert widths[0] / widths[1] == pytest.approx(2, rel=0.15)
    assert widths[1] / widths[2] == pytest.approx(2, rel=0.1)


def test_labels_nobody_used_change_nothing_for_a_nominal_set() -> None:
    table = np.array([[5, 2, 0], [1, 6, 1], [0, 1, 4]])
    few = align(*table_rows(table, ("a", "b", "c")), Scale("nominal", ("a", "b", "c")))
    many = align(*table_rows(table, ("a", "b", "c")), Scale("nominal", ("a", "b", "c", "d", "e", "f")))
    assert few.alignment == many.alignment
    assert few.metrics == many.metrics


def test_unscored_reasons_are_cells() -> None:
    """Under ``wrong`` they carry prior mass of their own: the accuracy interval is that of Beta(right + 2/3, ...)."""
    human = ["1"] * 20 + ["0"] * 20
    judge = ["1"] * 15 + [None] * 5 + ["0"] * 18 + ["1"] * 2
    found = align(human, verdicts(judge), BINARY, invalid="wrong", draws=200_000)
    right, wrong = 33 + 2 * 2 / 6, 7 + 4 * 2 / 6
    accuracy = found.metrics["accuracy"]
    assert (accuracy.low, accuracy.high) == pytest.approx(tuple(beta(right, wrong).ppf([0.025, 0.975])), abs=2e-3)


def test_large_tables_get_fewer_draws() -> None:
    assert affordable_draws(2000, 100) == 2000
    assert affordable_draws(2000, 10_000) == 1000
    assert affordable_draws(2000, 10**8) == 200
    assert affordable_draws(50, 10**8) == 50


def test_percentiles_leave_undefined_draws_out() -> None:
    assert percentiles(np.array([np.nan, np.nan])) is None
    values = np.append(np.linspace(0, 1, 1001), np.nan)
    found = percentiles(values)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.025, 0.975))


def test_a_union_holds_both_intervals() -> None:
    left, right = {"a": Interval(0.1, 0.3), "b": Interval(0.0, 1.0)}, {"a": Interval(0.2, 0.5), "c": Interval(0.4, 0.6)}
    assert union(left, right) == {"a": Interval(0.1, 0.5), "b": Interval(0.0, 1.0), "c": Interval(0.4, 0.6)}


# Raw scores


def test_scores_of_two_values_have_the_interval_of_their_table() -> None:
    human, judge = binary_rows(19, 2, 3, 6)
    table = align(human, judge, BINARY, draws=40_000)
    raw = align(scores([float(each) for each in human]), verdicts(scores(_numbers(judge))), RAW, draws=40_000)
    assert raw.alignment.value == pytest.approx(table.alignment.value)
    assert raw.resampling is not None
    assert raw.resampling.unit == "rows"
    for name, each in table.metrics.items():
        assert (raw.metrics[name].low, raw.metrics[name].high) == pytest.approx((each.low, each.high), abs=0.01)


def test_a_perfect_judge_of_raw_scores_has_an_interval() -> None:
    human = scores(np.linspace(0, 1, 30).tolist())
    for scale in (RAW, Scale("interval")):
        found = align(human, verdicts(human), scale)
        assert found.alignment.value == pytest.approx(1.0)
        assert found.alignment.low is not None
        assert found.alignment.low < 0.97


def test_weights_of_one_give_the_plain_figures() -> None:
    generator = np.random.default_rng(0)
    human, judge = generator.random(50), generator.random(50)
    none = np.zeros(50, dtype=np.int64)
    rows = ScoreRows(human, judge, none, none)
    twice = rows.figures(Suite(()), np.full((1, 50), 2.0))
    once = rows.figures(Suite(()), np.ones((1, 50)))
    assert {name: float(each[0]) for name, each in twice.items()} == pytest.approx(
        {name: float(each[0]) for name, each in once.items()}
    )


def test_an_integer_weight_is_a_repeated_row() -> None:
    generator = np.random.default_rng(1)
    human, judge = generator.integers(0, 5, 20) / 4, generator.integers(0, 5, 20) / 4
    weights = generator.integers(0, 4, 20)
    none = np.zeros(20, dtype=np.int64)
    weighted = ScoreRows(human, judge, none, none).figures(Suite(()), weights[None, :].astype(float))
    repeated = np.repeat(human, weights), np.repeat(judge, weights)
    zeros = np.zeros(weights.sum(), dtype=np.int64)
    plain = ScoreRows(*repeated, zeros, zeros).figures(Suite(()), np.ones((1, int(weights.sum()))))
    assert weighted["pearson"] == pytest.approx(plain["pearson"])
    assert weighted["spearman"] == pytest.approx(plain["spearman"])


def test_drawn_scores_are_never_undefined() -> None:
    human = np.array([0.1, 0.9, 0.9, 0.9])
    judge = np.array([0.7, 0.7, 0.7, 0.7])
    sides = (human >= 0.5).astype(np.int64), (judge >= 0.5).astype(np.int64)
    rows = ScoreRows(human, judge, *sides)
    drawn = draw_scores(rows, Suite(("< 0.5", ">= 0.5"), positive=1), 500, np.random.default_rng(0))
    assert np.isnan(drawn["pearson"]).all()
    assert np.isfinite(drawn["alignment"]).all()


# Groups


def grouped(groups: int, size: int, seed: int) -> tuple[list[str], list[str], list[str]]:
    """Documents whose items are all judged rightly or all wrongly."""
    generator = np.random.default_rng(seed)
    human, judge, names = [], [], []
    for at in range(groups):
        label, right = str(at % 2), generator.random() < 0.8
        human += [label] * size
        judge += [label if right else str(1 - int(label))] * size
        names += [f"doc{at}"] * size
    return human, judge, names


def test_items_of_one_document_count_as_one() -> None:
    human, judge, names = grouped(30, 8, 1)
    rows, groups = (align(human, verdicts(judge), BINARY, groups=each) for each in (None, names))
    assert groups.alignment.value == rows.alignment.value
    assert groups.resampling is not None
    assert groups.resampling.unit == "groups"
    assert None not in (rows.alignment.low, rows.alignment.high, groups.alignment.low, groups.alignment.high)
    wide = (groups.alignment.high or 0) - (groups.alignment.low or 0)
    assert wide > 1.8 * ((rows.alignment.high or 0) - (rows.alignment.low or 0))
    assert 4 < groups.resampling.design_effect <= 8


def test_groups_of_one_are_rows() -> None:
    human, judge = binary_rows(19, 2, 3, 6)
    alone = align(human, judge, BINARY, groups=[str(at) for at in range(30)])
    assert alone == align(human, judge, BINARY, groups=[None] * 30) == align(human, judge, BINARY)


def test_a_perfect_judge_in_groups_does_not_collapse() -> None:
    human, _, names = grouped(10, 4, 0)
    found = align(human, verdicts(human), BINARY, groups=names)
    assert found.alignment.low is not None
    assert found.alignment.low < 0.95


def test_undefined_replicates_are_counted() -> None:
    """One document in six holds all negative items: about a third of the resamples lack it."""
    human = ["0"] * 3 + ["1"] * 15
    judge = ["0", "0", "1"] + ["1"] * 13 + ["0"] * 2
    names = [f"doc{at // 3}" for at in range(18)]
    found = align(human, verdicts(judge), BINARY, groups=names)
    assert found.resampling is not None
    assert found.resampling.undefined / found.resampling.draws == pytest.approx((5 / 6) ** 6, abs=0.05)


def test_grouped_raw_scores_are_resampled_by_group() -> None:
    generator = np.random.default_rng(2)
    level = np.repeat(generator.random(20), 6)
    human = np.clip(level + generator.normal(0, 0.02, 120), 0, 1)
    judge = np.clip(level + np.repeat(generator.normal(0, 0.2, 20), 6), 0, 1)
    names = [f"doc{at // 6}" for at in range(120)]
    given = scores(human.tolist()), verdicts(scores(judge.tolist()))
    rows, groups = (align(*given, RAW, groups=each, draws=500) for each in (None, names))
    assert groups.resampling is not None
    assert groups.resampling.unit == "groups"
    assert rows.alignment.low is not None
    assert groups.alignment.low is not None
    assert groups.alignment.low < rows.alignment.low


def test_resampled_groups_keep_their_rows_together() -> None:
    tables = np.zeros((4, 2, 2))
    tables[:, 0, 0] = [1, 10, 100, 1000]
    drawn = bootstrap_groups(tables, 300, np.random.default_rng(0))[:, 0, 0]
    digits = np.array([[int(digit) for digit in f"{int(total):05d}"] for total in drawn])
    assert (digits.sum(1) == 4).all()
    assert drawn.mean() == pytest.approx(1111, rel=0.15)


# Coverage in brief; the whole grid is in test_metrics_coverage.py


@pytest.mark.parametrize(("scale", "shares"), [(NOMINAL, (0.2,) * 5), (NOMINAL, (0.4, 0.3, 0.15, 0.1, 0.05))])
def test_five_classes_are_covered_at_30_items(scale: Scale, shares: tuple[float, ...]) -> None:
    found = coverage(scale, population(shares, ordinal_replies(0.8)), 30, sets=250, draws=400)
    assert 0.90 <= found.inside <= 0.99


def test_an_even_prior_alone_would_end_too_low() -> None:
    """Why the two ends are read from two priors: see calibrate.metrics.intervals."""
    how = suite_for(ORDINAL)
    truth = population((0.4, 0.3, 0.15, 0.1, 0.05), ordinal_replies(0.95))
    target = float(alignment(components(truth, how)))
    generator = np.random.default_rng(5)
    misses = {"even": 0, "ours": 0}
    for _ in range(200):
        counts = generator.multinomial(30, truth.ravel()).reshape(5, 5).astype(float)
        drawn = draw_tables(counts, 300, generator)
        for name, stack in (("even", drawn.lower[0]), ("ours", drawn.upper)):
            top = max(np.quantile(alignment(components(each, how)), 0.975) for each in (stack, counts[None]))
            misses[name] += int(top < target - 1e-9)
    assert misses["ours"] / 200 < 0.1
    assert misses["even"] > 2 * misses["ours"]


def _numbers(judge: list[object]) -> list[float]:
    return [float(each.label) for each in judge if hasattr(each, "label")]
