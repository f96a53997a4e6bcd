"""Probes of leanings: worked values with their sources, and simulations of biases that are there, or are not."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.optimize import minimize, minimize_scalar

from calibrate.metrics import Changes, Probe, by_group, changed_verdicts, leniency, verbosity
from calibrate.metrics.differences import paired_difference, stratified_difference
from calibrate.metrics.penalised_logistic import firth_coefficient
from calibrate.metrics.probes import conclude

Flags = NDArray[np.bool_]
Codes = NDArray[np.int64]


def flags(*parts: tuple[int, int]) -> Flags:
    """So many False, then so many True, for each part."""
    return np.concatenate([np.repeat([False, True], part) for part in parts])


def two_groups(first: tuple[int, int], second: tuple[int, int]) -> NDArray[np.float64]:
    """One stratum of counts from (positives, n) of two groups."""
    return np.array([[[n - x, x] for x, n in (first, second)]], dtype=float)


# Conclusions


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ((0.27, 1.06), "odds ratios below 0.5 are not ruled out"),
        ((0.8, 2.4), "odds ratios above 2 are not ruled out"),
        ((0.4, 2.4), "odds ratios below 0.5 and above 2 are not ruled out"),
    ],
)
def test_what_is_not_ruled_out_is_on_the_side_to_which_the_interval_reaches(
    ends: tuple[float, float], said: str
) -> None:
    assert conclude(False, *ends, "odds_ratio") == ("cannot_tell", said)


def test_a_difference_names_its_side_too() -> None:
    assert conclude(False, -0.2, 0.05, "difference")[1] == "differences below -0.1 are not ruled out"
    assert conclude(False, -0.1, 0.1, "difference")[0] == "no_sign"


# Differences


def test_tangos_interval_of_the_airway_table() -> None:
    # Bentur et al. (2009), 21 children: 1 positive both times, 1 the first time only, 7 the second only, 12 never.
    # Interval as in Fagerland, Lydersen and Laake, Statistical Analysis of Contingency Tables (2017), chapter 8.
    found = paired_difference(7, 1, 21)
    assert found.value == pytest.approx(6 / 21)
    assert (found.low, found.high) == pytest.approx((0.026, 0.517), abs=5e-4)
    assert found.p == pytest.approx(math.erfc(6 / math.sqrt(8) / math.sqrt(2)))  # McNemar


@pytest.mark.parametrize(("more", "less", "n"), [(7, 1, 21), (0, 3, 30), (5, 5, 40), (9, 2, 12)])
def test_tangos_ends_are_where_the_score_test_rejects(more: int, less: int, n: int) -> None:
    # The restricted likelihood is maximised by a general optimiser here, in closed form there.
    found = paired_difference(more, less, n)
    for end in (found.low, found.high):

        def against(share: float, end: float = end) -> float:
            cells = (share + end, share, 1.0 - 2.0 * share - end)
            counts = (more, less, n - more - less)
            return -sum(k * math.log(max(p, 1e-300)) for k, p in zip(counts, cells, strict=True) if k)

        bounds = (max(0.0, -end), (1.0 - end) / 2.0)
        share = minimize_scalar(against, bounds=bounds, method="bounded", options={"xatol": 1e-12}).x
        z = (more - less - n * end) / math.sqrt(n * (2.0 * share + end * (1.0 - end)))
        assert abs(z) == pytest.approx(1.959964, abs=2e-3)


@pytest.mark.parametrize(
    ("second", "first", "low", "high"),
    [
        ((56, 70), (48, 80), 0.0528, 0.3382),
        ((9, 10), (3, 10), 0.1700, 0.8406),
        ((6, 7), (2, 7), 0.0342, 0.8534),
        ((0, 10), (0, 20), -0.1658, 0.2844),
    ],
)
def test_miettinen_nurminen_as_newcombe_tabulates_it(
    second: tuple[int, int], first: tuple[int, int], low: float, high: float
) -> None:
    # Newcombe, Statistics in Medicine 17 (1998) 873-890, table II, method 6.
    found = stratified_difference(two_groups(first, second))
    assert found is not None
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_strata_are_weighted_by_mantel_and_haenszel() -> None:
    counts = np.array([[[6.0, 4.0], [3.0, 17.0]], [[20.0, 5.0], [4.0, 6.0]]])
    found = stratified_difference(counts)
    weights = (10 * 20 / 30, 25 * 10 / 35)
    by_hand = (weights[0] * (17 / 20 - 4 / 10) + weights[1] * (6 / 10 - 5 / 25)) / sum(weights)
    assert found is not None
    assert found.value == pytest.approx(by_hand)
    # A stratum without items of one group says nothing.
    alone = stratified_difference(np.concatenate([counts, [[[9.0, 1.0], [0.0, 0.0]]]]))
    assert alone == found


# Firth


@pytest.mark.parametrize("table", [(0, 22, 7, 356), (5, 5, 9, 1), (8, 0, 0, 8), (3, 9, 4, 4)])
def test_a_two_by_two_table_gets_half_a_count_in_each_cell(table: tuple[int, int, int, int]) -> None:
    # Firth (1993): in a saturated model the penalty adds 1/2 to every cell, a separated table included.
    a, b, c, d = table
    outcome = np.repeat([1.0, 0.0, 1.0, 0.0], table)
    exposed = np.repeat([1.0, 1.0, 0.0, 0.0], table)
    found = firth_coefficient(np.column_stack([np.ones(outcome.size), exposed]), outcome, 1)
    assert found.value == pytest.approx(math.log((a + 0.5) * (d + 0.5) / ((b + 0.5) * (c + 0.5))), abs=1e-5)
    assert found.low < found.value < found.high


def test_the_profile_is_that_of_a_general_optimiser() -> None:
    generator = np.random.default_rng(5)
    columns = np.column_stack([np.ones(40), generator.integers(0, 2, 40), generator.normal(size=40)])
    outcome = (generator.random(40) < 0.3 + 0.5 * columns[:, 1]).astype(float)

    def loss(beta: NDArray[np.float64]) -> float:
        linear = columns @ beta
        share = 1.0 / (1.0 + np.exp(-linear))
        information = (columns * (share * (1 - share))[:, None]).T @ columns
        return -float((outcome * linear - np.logaddexp(0.0, linear)).sum() + 0.5 * np.linalg.slogdet(information)[1])

    best = minimize(loss, np.zeros(3), method="BFGS", tol=1e-10)
    found = firth_coefficient(columns, outcome, 2)
    assert found.value == pytest.approx(best.x[2], abs=1e-4)
    for end in (found.low, found.high):
        fixed = minimize(lambda b, end=end: loss(np.array([*b, end])), best.x[:2], method="BFGS", tol=1e-10)
        assert 2 * (fixed.fun - best.fun) == pytest.approx(3.8415, abs=1e-3)


def test_an_odds_ratio_at_a_constant_label_is_near_the_one_of_mantel_and_haenszel() -> None:
    # 2 x 2 x 2 by hand: sum(ad / N) / sum(bc / N) over the human labels; long answers are e times as long.
    tables = {0: (30, 20, 15, 35), 1: (45, 5, 38, 12)}  # long accepted, long rejected, short accepted, short rejected
    human = np.concatenate([np.full(sum(t), label) for label, t in tables.items()])
    accepts = np.concatenate([np.repeat([True, False, True, False], t) for t in tables.values()])
    long = np.concatenate([np.repeat([True, True, False, False], t) for t in tables.values()])
    by_hand = sum(t[0] * t[3] / 100 for t in tables.values()) / sum(t[1] * t[2] / 100 for t in tables.values())
    found = verbosity(accepts, human, np.where(long, 100.0 * math.e, 100.0))
    assert found.effect is not None
    per_step = found.effect ** (1 / float(long.std()))
    assert per_step == pytest.approx(by_hand, rel=0.05)
    assert found.conclusion == "biased"
    assert found.figures["one_standard_deviation_is_times"] == pytest.approx(math.exp(float(long.std())))
    assert found.figures["per_doubling"] == pytest.approx(per_step ** math.log(2))


# Verbosity


def test_short_good_and_long_bad_answers_tell_nothing_of_length() -> None:
    human = np.repeat([1, 0], [21, 9])
    lengths = np.concatenate([np.linspace(80, 120, 21), np.linspace(300, 400, 9)])
    accepts = human.astype(bool).copy()
    accepts[[3, 25, 28]] ^= True
    found = verbosity(accepts, human, lengths)
    assert (found.conclusion, found.effect) == ("not_identifiable", None)
    assert "cannot be told apart" in found.reason


def test_what_else_length_cannot_be_told_from() -> None:
    human, lengths = np.repeat([1, 0], 15), np.tile([50.0, 100.0, 200.0], 10)
    assert "the same of every item" in verbosity(np.ones(30, dtype=bool), human, lengths).reason
    assert "one length" in verbosity(human.astype(bool), human, np.full(30, 70.0)).reason
    assert verbosity(human[:2].astype(bool), human[:2], lengths[:2]).conclusion == "not_identifiable"


def test_a_right_judge_is_cleared_by_how_rarely_it_errs() -> None:
    human, lengths = np.tile([1, 0], 100), np.repeat(np.linspace(50, 500, 100), 2)
    accepts = human.astype(bool)
    cleared = verbosity(accepts, human, lengths, errs=np.zeros(200, dtype=bool))
    assert cleared.conclusion == "no_sign"
    assert "0 of 200" in cleared.reason
    assert verbosity(accepts, human, lengths).conclusion == "cannot_tell"
    few = verbosity(accepts[:20], human[:20], lengths[:20], errs=np.zeros(20, dtype=bool))
    assert few.conclusion == "cannot_tell"


def test_of_pairs_the_longer_one_is_preferred() -> None:
    generator = np.random.default_rng(2)
    human = generator.integers(0, 2, 200)
    ratio = np.exp(generator.normal(0, 0.5, 200))
    follows = generator.random(200) < 0.5
    accepts = np.where(follows, human == 1, ratio > 1)
    found = verbosity(accepts, human, ratio, pairs=True)
    assert found.conclusion == "biased"
    assert "the longer answer of a pair more often" in found.reason
    exchanged = verbosity(~accepts, 1 - human, 1 / ratio, pairs=True)
    assert exchanged.effect == pytest.approx(found.effect, rel=1e-3)  # whichever of the two is called A


# Leniency


def test_leniency_is_the_difference_of_positive_rates() -> None:
    # The published generic judge: 20 of 21 good answers accepted, and all 9 bad ones.
    found = leniency(flags((1, 20), (0, 9)), flags((0, 21), (9, 0)))
    assert found.effect == pytest.approx(29 / 30 - 21 / 30)
    tango = paired_difference(9, 1, 30)
    assert (found.low, found.high) == (tango.low, tango.high)
    assert (found.conclusion, found.figures["wrongly_accepted"]) == ("biased", 9)
    assert "accepts more often" in found.reason
    assert leniency(flags((1, 20)), flags((0, 21))).conclusion == "cannot_tell"
    even = leniency(np.tile([True, False], 300), np.tile([True, False], 300))
    assert even.conclusion == "no_sign"
    assert even.bound == pytest.approx(even.high)


def test_the_smallest_effect_is_seen_in_four_of_five_sets() -> None:
    generator = np.random.default_rng(8)
    typical = leniency(generator.random(400) < 0.5, generator.random(400) < 0.5)
    assert typical.detectable is not None
    shift = typical.detectable
    seen = sum(
        leniency(generator.random(400) < 0.5 + shift / 2, generator.random(400) < 0.5 - shift / 2).conclusion
        == "biased"
        for _ in range(300)
    )
    assert 0.72 < seen / 300 < 0.88


def test_items_of_one_group_count_as_fewer() -> None:
    generator = np.random.default_rng(1)
    groups = np.repeat(np.arange(20), 10)
    tilted = np.repeat(generator.choice([0.1, 0.9], 20), 10)
    accepts, human = generator.random(200) < tilted, generator.random(200) < 0.5
    alone, grouped = leniency(accepts, human), leniency(accepts, human, groups=groups)
    assert alone.high is not None
    assert alone.low is not None
    assert grouped.high is not None
    assert grouped.low is not None
    assert grouped.high - grouped.low > 1.3 * (alone.high - alone.low)
    assert float(str(grouped.figures["design_effect"])) > 1.7


# Columns


def test_a_column_whose_values_have_other_labels_tells_nothing() -> None:
    human = np.repeat([1, 0], 20)
    (found,) = by_group("language", human.astype(bool), human, ["en"] * 20 + ["es"] * 20)
    assert (found.conclusion, found.effect) == ("not_identifiable", None)
    assert "that of quality" in found.reason
    (same,) = by_group("language", human.astype(bool), human, ["en"] * 40)
    assert same.conclusion == "not_identifiable"


def test_several_values_are_corrected_by_holm() -> None:
    human = np.tile([1, 0], 100)
    values = [each for each in "abcd" for _ in range(50)]
    accepts = human.astype(bool).copy()
    accepts[:20] = True  # of a, the bad ones pass
    found = {probe.value: probe for probe in by_group("product", accepts, human, values)}
    assert list(found) == ["a", "b", "c", "d"]
    assert found["a"].conclusion == "biased"
    assert "accepts a more often than the others" in found["a"].reason
    counts = np.zeros((2, 2, 2))
    np.add.at(counts, (human, np.array([v == "a" for v in values], dtype=int), accepts.astype(int)), 1)
    alone = stratified_difference(counts)
    assert alone is not None
    assert found["a"].p == pytest.approx(4 * alone.p)
    few = by_group("product", accepts, human, ["rare"] * 3 + ["usual"] * 100 + ["other"] * 97)
    assert [each.value for each in few] == ["other", "usual", None]
    assert few[-1].reason == "values of fewer than 5 items say nothing: rare 3"


# Changes


def test_flips_to_both_sides_may_be_noise() -> None:
    lean = np.zeros(60, dtype=np.int64)
    lean[:8], lean[8:16] = 1, -1
    changed = lean != 0
    sides = ("to accepting", "to rejecting")
    unknown = changed_verdicts("white space", Changes(changed, lean), sides)
    assert unknown.conclusion == "cannot_tell"
    assert "the judge's own noise is not known" in unknown.reason
    assert unknown.figures["flips"] == 16
    as_noisy = changed_verdicts("white space", Changes(changed, lean, again=np.roll(changed, 30)), sides)
    assert as_noisy.conclusion == "cannot_tell"
    steady = changed_verdicts("white space", Changes(changed, lean, again=np.zeros(60, dtype=bool)), sides)
    assert steady.conclusion == "biased"
    assert "more than the judge's own noise" in steady.reason
    assert changed_verdicts("white space", Changes(changed, lean, noiseless=True), sides).conclusion == "biased"


def test_flips_to_one_side_are_a_bias_whatever_the_noise() -> None:
    lean = np.zeros(60, dtype=np.int64)
    lean[:9] = 1
    found = changed_verdicts("opener", Changes(lean != 0, lean), ("to accepting", "to rejecting"))
    assert (found.conclusion, found.reason) == ("biased", "verdicts move to accepting")
    assert found.effect == pytest.approx(9 / 60)


def test_no_flips_among_many_items_rule_a_large_effect_out() -> None:
    still = Changes(np.zeros(200, dtype=bool), np.zeros(200, dtype=np.int64))
    found = changed_verdicts("layout", still, ("up", "down"))
    assert found.conclusion == "no_sign"
    assert found.bound is not None
    assert found.bound < 0.03
    few = Changes(np.zeros(20, dtype=bool), np.zeros(20, dtype=np.int64))
    assert changed_verdicts("layout", few, ("up", "down")).conclusion == "cannot_tell"


# Over seeds: what is not there is rarely found, and intervals hold the truth


def world(
    generator: Generator, n: int, prevalence: float, rates: tuple[float, float], beta: float = 0.0
) -> tuple[Flags, NDArray[np.float64], Flags]:
    """Human label, length, verdict: good answers are longer, and the judge leans on length by ``beta``."""
    human = generator.random(n) < prevalence
    lengths = np.exp(generator.normal(5 + 0.4 * human, 0.6))
    odds = [math.log(rate / (1 - rate)) for rate in rates]
    linear = np.where(human, odds[1], odds[0]) + beta * (np.log(lengths) - 5) / 0.6
    return human, lengths, generator.random(n) < 1 / (1 + np.exp(-linear))


CELLS = [(30, 0.7, (0.4, 0.9)), (100, 0.5, (0.1, 0.95)), (100, 0.9, (0.5, 0.9)), (300, 0.7, (0.3, 0.95))]


def null_verbosity(generator: Generator, n: int, prevalence: float, rates: tuple[float, float]) -> list[Probe]:
    human, lengths, accepts = world(generator, n, prevalence, rates)
    return [verbosity(accepts, human.astype(np.int64), lengths, errs=accepts != human)]


def null_leniency(generator: Generator, n: int, prevalence: float, rates: tuple[float, float]) -> list[Probe]:
    truth = generator.random(n) < prevalence
    errs, first = generator.random(n) < 1 - rates[1], generator.random(n) < 0.5
    return [leniency(np.where(errs, ~first, truth), np.where(errs, first, truth))]


def null_columns(generator: Generator, n: int, prevalence: float, rates: tuple[float, float]) -> list[Probe]:
    human, _, accepts = world(generator, n, prevalence, rates)
    return list(by_group("language", accepts, human.astype(np.int64), generator.choice(list("abcd"), n).tolist()))


def null_own(generator: Generator, n: int, prevalence: float, rates: tuple[float, float]) -> list[Probe]:
    human, _, accepts = world(generator, n, prevalence, rates)
    values = np.where(generator.random(n) < 0.3, "own", "other").tolist()
    return list(by_group("self_preference", accepts, human.astype(np.int64), values, of=["own"]))


def null_changes(generator: Generator, n: int, prevalence: float, rates: tuple[float, float]) -> list[Probe]:
    flips = 1 - rates[1]
    changed = generator.random(n) < flips
    lean = changed * generator.choice([-1, 1], n)
    return [changed_verdicts("white space", Changes(changed, lean), ("up", "down"))]


def null_changes_of_a_known_noise(
    generator: Generator, n: int, prevalence: float, rates: tuple[float, float]
) -> list[Probe]:
    flips = 1 - rates[1]
    changed = generator.random(n) < flips
    lean = changed * generator.choice([-1, 1], n)
    again = generator.random(n) < flips
    return [changed_verdicts("white space", Changes(changed, lean, again=again), ("up", "down"))]


Null = Callable[[Generator, int, float, tuple[float, float]], list[Probe]]
NULLS: list[Null] = [
    null_verbosity,
    null_leniency,
    null_columns,
    null_own,
    null_changes,
    null_changes_of_a_known_noise,
]


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("cell", CELLS, ids=str)
@pytest.mark.parametrize("null", NULLS)
def test_what_is_not_there_is_rarely_found(null: Null, cell: tuple[int, float, tuple[float, float]]) -> None:
    generator = np.random.default_rng(2026)
    alarms = sum(any(each.conclusion == "biased" for each in null(generator, *cell)) for _ in range(1000))
    assert alarms / 1000 <= 0.064


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("beta", [0.0, 0.6])
@pytest.mark.parametrize(("n", "prevalence", "rates"), CELLS)
def test_coverage_of_the_odds_ratio(n: int, prevalence: float, rates: tuple[float, float], beta: float) -> None:
    generator = np.random.default_rng(7)
    inside, sets = 0, 0
    for _ in range(1000):
        human, lengths, accepts = world(generator, n, prevalence, rates, beta)
        found = verbosity(accepts, human.astype(np.int64), lengths)
        if found.low is None or found.high is None:
            continue
        sets += 1
        inside += math.log(found.low) <= beta / 0.6 * float(np.log(lengths).std()) <= math.log(found.high)
    assert sets > 900
    assert 0.92 <= inside / sets <= 0.98


@pytest.mark.slow
@pytest.mark.parametrize(("n", "prevalence", "rates"), CELLS)
def test_coverage_of_the_differences(n: int, prevalence: float, rates: tuple[float, float]) -> None:
    generator = np.random.default_rng(9)
    truth = prevalence * rates[1] + (1 - prevalence) * rates[0] - prevalence
    lenient = own = 0
    for _ in range(2000):
        human, _, accepts = world(generator, n, prevalence, rates)
        found = leniency(accepts, human)
        assert found.low is not None
        assert found.high is not None
        lenient += found.low <= truth <= found.high
        # Own answers are accepted more often by 0.05 at either label.
        mine = generator.random(n) < 0.4
        base = np.where(human, rates[1], rates[0]) - 0.05
        accepts = generator.random(n) < base + 0.05 * mine
        counts = np.zeros((2, 2, 2))
        np.add.at(counts, (human.astype(int), mine.astype(int), accepts.astype(int)), 1)
        between = stratified_difference(counts)
        assert between is not None
        own += between.low <= 0.05 <= between.high
    assert 0.92 <= lenient / 2000 <= 0.98
    assert 0.92 <= own / 2000 <= 0.98
