"""Brier score, ECE and reliability table of a judge's confidence (STATISTICS section 10)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measured_rows import BINARY, ORDINAL, verdicts
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

from calibrate.domain import Scale, Scored, Unscored
from calibrate.errors import InputError
from calibrate.metrics import align, measure_confidence


def told(rows, scale=BINARY, **options):
    """The confidence of ``(gold, verdict, confidence)`` rows."""
    stated = [Scored(label, "", confidence) for _, label, confidence in rows]
    return measure_confidence([gold for gold, _, _ in rows], stated, scale, **options)


def simulated(n, seed=0, calibrated=True):
    """A judge that is right as often as it says, or only every second time."""
    generator = np.random.default_rng(seed)
    rows = []
    for confidence in generator.uniform(0.5, 1.0, n):
        right = generator.random() < (confidence if calibrated else 0.5)
        gold = str(generator.integers(2))
        rows.append((gold, gold if right else str(1 - int(gold)), float(confidence)))
    return rows


def test_worked_values():
    # Two confidences, so two bins: 4 at 0.75 of which 2 are right, 2 at 0.5 of which 1 is right.
    rows = [("1", "1", 0.75), ("1", "1", 0.75), ("1", "0", 0.75), ("0", "1", 0.75), ("0", "0", 0.5), ("0", "1", 0.5)]
    found = told(rows)
    assert (found.n, found.without_confidence, found.unscored) == (6, 0, 0)
    assert found.brier.value == pytest.approx((2 * 0.0625 + 2 * 0.5625 + 2 * 0.25) / 6)
    assert found.ece.value == pytest.approx((4 * 0.25 + 2 * 0.0) / 6)
    assert found.mean == pytest.approx((4 * 0.75 + 2 * 0.5) / 6)
    assert found.right.value == 0.5
    low, high = found.bins
    assert (low.low, low.high, low.n, low.confidence, low.right.value) == (0.5, 0.5, 2, 0.5, 0.5)
    assert (high.low, high.high, high.n, high.confidence, high.right.value) == (0.75, 0.75, 4, 0.75, 0.5)
    # Wilson interval of 2 of 4.
    assert (high.right.low, high.right.high) == pytest.approx((0.150, 0.850), abs=0.001)


def test_of_two_classes_the_brier_score_is_that_of_the_positive_label():
    rows = simulated(300, seed=3)
    positive = [confidence if label == "1" else 1 - confidence for _, label, confidence in rows]
    expected = brier_score_loss([gold == "1" for gold, _, _ in rows], positive)
    assert told(rows).brier.value == pytest.approx(expected)


def test_without_ties_the_bins_are_those_of_scikit_learn():
    rows = simulated(150, seed=5)
    found = told(rows)
    right = [gold == label for gold, label, _ in rows]
    shares, means = calibration_curve(right, [c for *_, c in rows], n_bins=15, strategy="quantile")
    assert [each.n for each in found.bins] == [10] * 15
    assert [each.right.value for each in found.bins] == pytest.approx(shares)
    assert [each.confidence for each in found.bins] == pytest.approx(means)
    assert found.ece.value == pytest.approx(np.mean(np.abs(shares - means)))


def test_equal_confidences_are_never_in_two_bins():
    # 40 of 60 say 0.9: by rank they would fill ten of 15 bins.
    rows = [("1", "1", 0.9)] * 40 + [("1", "1", 0.01 * each) for each in range(20)]
    found = told(rows)
    assert [each.n for each in found.bins] == [4, 4, 4, 4, 4, 40]
    assert found.to_json()["ece"]["bins"] == 6


@pytest.mark.parametrize(("n", "bins"), [(1, 1), (4, 4), (14, 14), (15, 15), (16, 15), (1000, 15)])
def test_there_are_at_most_fifteen_bins_and_never_more_than_items(n, bins):
    assert len(told([("1", "1", (each + 1) / (n + 1)) for each in range(n)]).bins) == bins


def test_unscored_and_missing_confidences_are_counted_and_never_filled_in():
    human = ["1", "1", "0", "0", None, "1"]
    stated = [
        Scored("1", "", 0.8),
        Scored("0"),
        Unscored("abstained"),
        Unscored("error"),
        Scored("1", "", 0.1),
        Scored("0", "", 0.6),
    ]
    found = measure_confidence(human, stated, BINARY)
    assert (found.n, found.without_confidence, found.unscored) == (2, 1, 2)
    assert found.brier.value == pytest.approx((0.04 + 0.36) / 2)
    assert found.mean == pytest.approx(0.7)


def test_without_any_confidence_everything_is_undefined_with_its_reason():
    found = measure_confidence(["1", "0"], verdicts(["1", None]), BINARY).to_json()
    assert (found["n"], found["without_confidence"], found["unscored"]) == (0, 1, 1)
    assert found["brier"] == {"value": None, "reason": "no_confidence"}
    assert found["ece"]["value"] is None
    assert found["right"]["value"] is None
    assert (found["mean"], found["reliability"]) == (None, [])


def test_on_an_interval_scale_right_is_the_side_of_the_threshold():
    rows = [("0.9", "0.6", 0.75), ("0.9", "0.4", 0.75)]
    assert told(rows, Scale("interval", threshold=0.5)).right.value == 0.5
    found = told(rows, Scale("interval"))
    assert found.brier.reason == "no_threshold"
    assert (found.n, found.mean) == (2, 0.75)


def test_of_more_classes_only_the_stated_label_counts():
    found = told([("5", "5", 1.0), ("5", "4", 1.0)], ORDINAL)
    assert found.brier.value == 0.5
    assert found.right.value == 0.5


def test_a_row_too_many_is_refused():
    with pytest.raises(InputError):
        measure_confidence(["1"], [Scored("1"), Scored("1")], BINARY)


def test_a_judge_that_was_surely_right_every_time_has_an_interval_of_some_width():
    found = told([("1", "1", 1.0)] * 30)
    assert found.brier.value == 0.0
    assert found.brier.low == 0.0
    # A rate of which 0 of 30 were seen may be as high as 3 / 30.
    assert 0.05 < found.brier.high < 0.15


def test_the_ece_of_a_calibrated_judge_goes_to_zero_and_that_of_another_does_not():
    eces = [told(simulated(n, seed=n), intervals=False).ece.value for n in (100, 1000, 10_000, 100_000)]
    assert eces == sorted(eces, reverse=True)
    assert eces[-1] < 0.01
    other = told(simulated(1000, calibrated=False))
    assert other.ece.value == pytest.approx(0.25, abs=0.05)
    assert other.ece.value > other.ece_by_chance


def test_the_ece_by_chance_is_passed_by_one_calibrated_set_in_twenty():
    passed = [
        found.ece.value > found.ece_by_chance for found in (told(simulated(60, seed), draws=500) for seed in range(300))
    ]
    assert 0.02 < np.mean(passed) < 0.09


@pytest.mark.parametrize("n", [30, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("calibrated", [True, False])
def test_the_interval_of_the_brier_score_covers_the_truth(n, calibrated):
    # E[(c - r)^2] for c uniform on [0.5, 1]: E[c - c^2] = 3/4 - 7/12; right at random: E[c^2 - c + 1/2].
    truth = 3 / 4 - 7 / 12 if calibrated else 7 / 12 - 3 / 4 + 1 / 2
    intervals = [told(simulated(n, seed, calibrated), draws=500).brier for seed in range(300)]
    assert 0.92 <= np.mean([each.low <= truth <= each.high for each in intervals]) <= 0.985


def test_the_interval_hardly_depends_on_how_many_confidences_differ():
    fine = simulated(3000, seed=8)
    coarse = [(gold, label, round(confidence, 2)) for gold, label, confidence in fine]
    exact, rounded = told(fine).brier, told(coarse).brier
    assert (exact.low, exact.high) == pytest.approx((rounded.low, rounded.high), abs=0.003)


def test_groups_widen_the_interval_of_the_brier_score():
    # Ten documents of ten items that are all right or all wrong.
    rows = [("1", "1" if document % 2 else "0", 0.8) for document in range(10) for _ in range(10)]
    alone = told(rows).brier
    grouped = told(rows, groups=[str(at // 10) for at in range(100)]).brier
    assert grouped.value == alone.value
    assert grouped.high - grouped.low > 2 * (alone.high - alone.low)


def test_one_group_has_no_interval():
    found = told(simulated(20), groups=["d"] * 20)
    assert found.brier.value is not None
    assert found.brier.low is None


def test_without_intervals_nothing_is_drawn():
    found = told(simulated(20), intervals=False)
    assert (found.brier.low, found.ece_by_chance) == (None, None)


ROWS = st.lists(
    st.tuples(st.sampled_from("01"), st.sampled_from("01"), st.floats(0, 1) | st.sampled_from([0.5, 0.9, 1.0])),
    min_size=1,
    max_size=60,
)


@settings(deadline=None, max_examples=60)
@given(ROWS, st.randoms())
def test_figures_are_in_range_and_the_order_of_the_rows_does_not_matter(rows, random):
    found = told(rows, draws=200)
    for figure in (found.brier, found.ece, found.right):
        assert 0 <= figure.value <= 1
    assert 0 <= found.brier.low <= found.brier.value <= found.brier.high <= 1
    assert found.ece.value >= abs(found.mean - found.right.value) - 1e-9
    assert 0 <= found.ece_by_chance <= 1
    assert sum(each.n for each in found.bins) == found.n == len(rows)
    assert all(below.high < above.low for below, above in zip(found.bins, found.bins[1:], strict=False))
    assert len(found.bins) <= min(15, len({confidence for *_, confidence in rows}))
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert told(shuffled, draws=200) == found


def test_alignment_has_a_confidence_only_where_a_labelled_verdict_has_one():
    human = ["1", "0", None]
    without = align(human, [Scored("1"), Scored("0"), Scored("1", "", 0.9)], BINARY)
    assert without.confidence is None
    assert "confidence" not in without.to_json()
    told_once = align(human, [Scored("1", "", 0.9), Scored("0"), Unscored("error")], BINARY)
    assert told_once.to_json()["confidence"]["n"] == 1
    assert told_once.confidence == measure_confidence(
        human, [Scored("1", "", 0.9), Scored("0"), Unscored("error")], BINARY
    )
