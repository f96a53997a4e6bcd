"""People: pairwise agreement, Krippendorff's alpha, gates, disputed items, ceiling, the judge in a rater's place."""

from __future__ import annotations

import json
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from measured_rows import BINARY, ORDINAL, PREFERENCE, scores, verdicts
from scipy.stats import ttest_1samp
from sklearn.metrics import cohen_kappa_score

from calibrate.domain import Scale
from calibrate.errors import InputError
from calibrate.metrics import (
    Estimate,
    agreement_gate,
    alternative_annotator_test,
    disagreements,
    human_ceiling,
    krippendorff_alpha,
    majority,
    rater_agreement,
)
from calibrate.metrics.annotators import _benjamini_yekutieli

RAW = Scale("interval", threshold=0.5)
NOMINAL = Scale("nominal", ("1", "2", "3", "4", "5"))

# A published reliability table: three coders, fifteen units, gaps.
CODERS = {
    "A": ".....34121133.3",
    "B": "1.213343.......",
    "C": "..21344.21133.4",
}


def published() -> list[dict[str, str]]:
    return [{name: row[at] for name, row in CODERS.items() if row[at] != "."} for at in range(15)]


@pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.691), ("interval", 0.811)])
def test_krippendorff_alpha_of_a_published_table(level: Literal["nominal", "interval"], alpha: float) -> None:
    """The worked example of the encyclopedia article on Krippendorff's alpha."""
    assert krippendorff_alpha(published(), NOMINAL, level).value == pytest.approx(alpha, abs=5e-4)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_krippendorff_alpha_from_its_definition(level: Literal["nominal", "ordinal", "interval"]) -> None:
    assert krippendorff_alpha(published(), NOMINAL, level).value == pytest.approx(_alpha(published(), level))


def _alpha(ratings: list[dict[str, str]], level: str) -> float:
    """Alpha from its definition: 1 - observed / expected disagreement over pairable values."""
    units = [[int(label) for label in item.values()] for item in ratings if len(item) > 1]
    flat = [value for unit in units for value in unit]
    counts = {value: flat.count(value) for value in set(flat)}

    def apart(a: int, b: int) -> float:
        if level == "nominal":
            return float(a != b)
        if level == "interval":
            return float((a - b) ** 2)
        low, high = min(a, b), max(a, b)
        between = sum(counts.get(value, 0) for value in range(low, high + 1))
        return float((between - (counts[low] + counts[high]) / 2) ** 2)

    observed = sum(
        sum(apart(a, b) for i, a in enumerate(unit) for j, b in enumerate(unit) if i != j) / (len(unit) - 1)
        for unit in units
    ) / len(flat)
    expected = sum(apart(a, b) for i, a in enumerate(flat) for j, b in enumerate(flat) if i != j)
    return 1 - observed / (expected / len(flat) / (len(flat) - 1))


def test_alpha_follows_the_scale() -> None:
    ratings = published()
    ordinal = Scale("ordinal", NOMINAL.labels)
    assert krippendorff_alpha(ratings, ordinal) == krippendorff_alpha(ratings, NOMINAL, "ordinal")
    raw = krippendorff_alpha(ratings, Scale("interval"))
    assert raw.value == pytest.approx(krippendorff_alpha(ratings, NOMINAL, "interval").value)


def test_alpha_without_overlap_or_without_variation_is_undefined() -> None:
    assert krippendorff_alpha([{"a": "1"}, {"b": "0"}], BINARY) == Estimate(None, reason="no_common_items")
    assert krippendorff_alpha([{"a": "1", "b": "1"}] * 5, BINARY) == Estimate(None, reason="no_variation")
    assert krippendorff_alpha([], BINARY) == Estimate(None, reason="no_common_items")


def test_pairs_are_measured_on_the_items_both_saw() -> None:
    ratings = [{"a": "1", "b": "1"}, {"a": "0", "b": "1"}, {"a": "0"}, {"b": "0", "c": "0"}, {"a": "0", "b": "0"}]
    found = rater_agreement(ratings, BINARY)
    by_name = {pair.raters: pair for pair in found.pairs}
    assert found.raters == ("a", "b", "c")
    assert by_name[("a", "b")].n == 3
    assert by_name[("a", "b")].agreement.value == pytest.approx(2 / 3)
    assert by_name[("a", "c")].agreement == Estimate(None, reason="no_common_items")
    assert found.agreement.value == pytest.approx(3 / 4)
    assert found.kappa_pairs == 1
    json.dumps(found.to_json(), allow_nan=False)


@given(st.lists(st.tuples(st.sampled_from("12345"), st.sampled_from("12345")), min_size=4, max_size=40))
def test_pair_kappa_equals_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    if len(set(first)) < 2 or len(set(second)) < 2:
        return
    ratings = [{"a": a, "b": b} for a, b in pairs]
    quadratic = rater_agreement(ratings, ORDINAL).pairs[0].kappa.value
    plain = rater_agreement(ratings, NOMINAL).pairs[0].kappa.value
    assert quadratic == pytest.approx(
        cohen_kappa_score(first, second, labels=ORDINAL.labels, weights="quadratic"), abs=1e-9
    )
    assert plain == pytest.approx(cohen_kappa_score(first, second), abs=1e-9)


@given(st.lists(st.tuples(st.sampled_from("01"), st.sampled_from("01")), min_size=1, max_size=20))
def test_neither_rater_is_the_gold_of_the_other(pairs: list[tuple[str, str]]) -> None:
    one = rater_agreement([{"a": a, "b": b} for a, b in pairs], BINARY)
    other = rater_agreement([{"a": b, "b": a} for a, b in pairs], BINARY)
    assert one.kappa.value == pytest.approx(other.kappa.value)
    assert one.kappa.reason == other.kappa.reason


def test_one_label_from_one_rater_is_chance_and_from_both_is_undefined() -> None:
    chance = rater_agreement([{"a": "1", "b": "1"}, {"a": "1", "b": "0"}], BINARY)
    assert chance.kappa.value == 0.0
    opposite = rater_agreement([{"a": "1", "b": "0"}] * 3, BINARY)
    assert opposite.kappa.value == 0.0
    same = rater_agreement([{"a": "1", "b": "1"}] * 3, BINARY)
    assert same.kappa == Estimate(None, reason="no_variation")


def test_raw_scores_agree_after_the_threshold() -> None:
    ratings = [{"a": "0.2", "b": "0.3"}, {"a": "0.7", "b": "0.9"}, {"a": "0.6", "b": "0.4"}, {"a": "0.1", "b": "0.1"}]
    found = rater_agreement(ratings, RAW)
    assert found.agreement.value == 0.25
    assert found.kappa.value == pytest.approx(cohen_kappa_score([0, 1, 1, 0], [0, 1, 0, 0]))
    assert rater_agreement(ratings, Scale("interval")).kappa == Estimate(None, reason="no_threshold")


def test_labels_outside_the_scale_are_refused_with_item_and_rater() -> None:
    with pytest.raises(InputError, match=r"row 2, field 'bob': 'maybe' is no label"):
        rater_agreement([{"ann": "1"}, {"bob": "maybe"}], BINARY)


# Gates


def agreeing(share: float, n: int = 100) -> list[dict[str, str]]:
    """Two raters who agree on a share of the items, evenly over two labels."""
    same = round(share * n)
    return [{"a": str(at % 2), "b": str(at % 2 if at < same else 1 - at % 2)} for at in range(n)]


@pytest.mark.parametrize(("share", "passed"), [(0.80, True), (0.79, False), (1.0, True), (0.5, False)])
def test_two_labels_need_agreement_and_kappa(share: float, passed: bool) -> None:
    gate = agreement_gate(agreeing(share), BINARY)
    assert gate.passed is passed
    assert gate.code == ("agreed" if passed else "ambiguous")


def test_high_agreement_on_one_label_is_not_enough() -> None:
    ratings = [{"a": "1", "b": "1"}] * 90 + [{"a": "1", "b": "0"}] * 5 + [{"a": "0", "b": "1"}] * 5
    gate = agreement_gate(ratings, BINARY)
    assert gate.figures["agreement"].value == 0.9
    assert gate.passed is False
    assert "ambiguous" in gate.reason
    json.dumps(gate.to_json(), allow_nan=False)


def test_ordinal_levels_need_weighted_agreement_only() -> None:
    near = [{"a": str(1 + at % 5), "b": str(1 + max(0, at % 5 - 1))} for at in range(50)]
    gate = agreement_gate(near, ORDINAL)
    assert (gate.figures["agreement"].value or 0) < 0.5
    assert gate.passed is True


def test_one_rater_or_no_overlap_is_unknown() -> None:
    gate = agreement_gate([{"ann": "1"}, {"ann": "0"}], BINARY)
    assert gate.passed is None
    assert gate.reason == "agreement unknown: one rater"
    apart = agreement_gate([{"ann": "1"}, {"bob": "0"}], BINARY)
    assert apart.passed is None
    assert "no item was labelled by two raters" in apart.reason
    alike = agreement_gate([{"ann": "1", "bob": "1"}] * 9, BINARY)
    assert (alike.passed, alike.code) == (None, "unknown")


# Disputed items


def test_disputed_items_come_first() -> None:
    ratings = [{"a": "1", "b": "1"}, {"a": "1", "b": "0"}, {"a": "1"}, {"a": "1", "b": "1", "c": "0"}]
    found = disagreements(ratings, BINARY)
    assert [(each.item, each.ratings) for each in found] == [(1, 2), (3, 3), (0, 2)]
    assert [each.disagreement for each in found] == pytest.approx([1.0, 2 / 3, 0.0])


def test_distance_counts_on_ordered_scales() -> None:
    ratings = [{"a": "1", "b": "2"}, {"a": "1", "b": "5"}, {"a": "3", "b": "3"}]
    assert [each.disagreement for each in disagreements(ratings, ORDINAL)] == pytest.approx([1.0, 0.25, 0.0])
    assert disagreements([{"a": "0.5", "b": "0.5"}], RAW)[0].disagreement == 0.0


# Majorities and the ceiling


def test_majorities() -> None:
    assert majority(["a", "b", "a"]) == "a"
    assert majority(["a", "b"]) is None
    assert majority(["a", "b", "a", "b", "c"]) is None
    assert majority([]) is None


def panel(n: int = 60, seed: int = 0) -> tuple[list[dict[str, str]], list[str]]:
    """Four raters right on 90 % of items, and the truth."""
    generator = np.random.default_rng(seed)
    truth = [str(each) for each in generator.integers(0, 2, n)]
    ratings = [{name: label if generator.random() < 0.9 else str(1 - int(label)) for name in "abcd"} for label in truth]
    return ratings, truth


def test_judge_and_raters_meet_the_same_majorities() -> None:
    ratings, truth = panel()
    found = human_ceiling(ratings, verdicts(truth), BINARY)
    assert [row.rater for row in found.rows] == ["a", "b", "c", "d"]
    for row in found.rows:
        others = [majority([label for name, label in item.items() if name != row.rater]) for item in ratings]
        assert row.n == sum(each is not None for each in others)
        assert row.human.n == row.judge.n == row.n
        assert row.human.n_per_class == row.judge.n_per_class
    assert found.human.value is not None
    assert found.judge.value is not None
    assert found.judge.value > found.human.value
    json.dumps(found.to_json(), allow_nan=False)


def test_a_rater_in_the_judges_place_scores_as_that_rater() -> None:
    ratings, _ = panel()
    found = human_ceiling(ratings, verdicts([item["b"] for item in ratings]), BINARY)
    row = next(row for row in found.rows if row.rater == "b")
    assert row.judge.alignment.value == row.human.alignment.value


def test_raw_scores_are_averaged_over_the_others() -> None:
    ratings = [dict(zip("abc", scores([x, x + 0.1, x - 0.1]), strict=True)) for x in (0.2, 0.4, 0.7, 0.9)]
    found = human_ceiling(ratings, verdicts(scores([0.2, 0.4, 0.7, 0.9])), RAW)
    assert found.judge.value == pytest.approx(1.0)


def test_one_rater_has_no_ceiling() -> None:
    found = human_ceiling([{"a": "1"}, {"a": "0"}], verdicts(["1", "0"]), BINARY)
    assert found.human.value is None
    assert found.defined == 0
    with pytest.raises(InputError, match="2 rated items but 1 verdicts"):
        human_ceiling([{"a": "1"}, {"a": "0"}], verdicts(["1"]), BINARY)


# The alternative-annotator test


def test_a_judge_better_than_the_raters_may_replace_them() -> None:
    ratings, truth = panel(150)
    found = alternative_annotator_test(ratings, verdicts(truth), BINARY)
    assert found.passed is True
    assert found.omega == 1.0
    assert found.rho is not None
    assert found.rho > 0.9
    json.dumps(found.to_json(), allow_nan=False)


def test_a_random_or_a_silent_judge_may_not() -> None:
    ratings, _ = panel(150)
    generator = np.random.default_rng(1)
    coin = [str(each) for each in generator.integers(0, 2, 150)]
    found = alternative_annotator_test(ratings, verdicts(coin), BINARY)
    assert (found.passed, found.omega) == (False, 0.0)
    silent = alternative_annotator_test(ratings, verdicts([None] * 150), BINARY)
    assert (silent.passed, silent.omega, silent.rho) == (False, 0.0, 0.0)


def test_p_values_are_one_sided_t_tests_against_epsilon() -> None:
    ratings, truth = panel(80, seed=3)
    found = alternative_annotator_test(ratings, verdicts(truth), BINARY, expertise="crowd")
    assert found.epsilon == 0.1
    behind = []
    for item, judge in zip(ratings, truth, strict=True):
        others = [item[name] for name in "bcd"]
        mine, theirs = (np.mean([label == other for other in others]) for label in (item["a"], judge))
        behind.append(float(mine >= theirs) - float(theirs >= mine))
    expected = ttest_1samp(behind, 0.1, alternative="less").pvalue
    assert found.p_values["a"] == pytest.approx(expected)


def test_ordered_scales_count_distance_and_ties_count_for_both() -> None:
    ratings = [{"a": "4", "b": "5", "c": "5"}] * 40
    found = alternative_annotator_test(ratings, verdicts(["1"] * 40), ORDINAL)
    assert found.rho == pytest.approx(0.0)
    tied = alternative_annotator_test([{"a": "5", "b": "5", "c": "5"}] * 40, verdicts(["5"] * 40), ORDINAL)
    assert (tied.omega, tied.rho) == (1.0, 1.0)


def test_raters_with_few_items_are_skipped_and_listed() -> None:
    ratings, truth = panel(60)
    for item in ratings[29:]:
        item.pop("d")
    found = alternative_annotator_test(ratings, verdicts(truth), BINARY)
    assert found.skipped == ("d",)
    assert set(found.p_values) == {"a", "b", "c"}
    few = alternative_annotator_test(ratings[:20], verdicts(truth[:20]), BINARY)
    assert few.passed is None
    assert few.omega is None
    assert few.skipped == ("a", "b", "c", "d")
    two = [{name: item[name] for name in "ab"} for item in ratings]
    assert alternative_annotator_test(two, verdicts(truth), BINARY).passed is None


def test_benjamini_yekutieli_allows_for_any_dependence() -> None:
    """For three hypotheses the bounds are 0.05 x rank / 3 / (1 + 1/2 + 1/3)."""
    bound = 0.05 / 3 / (11 / 6)
    assert _benjamini_yekutieli({"a": bound * 0.99, "b": 0.5, "c": 0.9}) == ("a",)
    assert _benjamini_yekutieli({"a": bound * 1.01, "b": 0.5, "c": 0.9}) == ()
    assert _benjamini_yekutieli({"a": bound * 2.9, "b": bound * 2.9, "c": bound * 2.9}) == ("a", "b", "c")


def test_preferences_are_compared_as_labels() -> None:
    ratings = [{"a": "A", "b": "tie", "c": "A"}] * 35
    found = alternative_annotator_test(ratings, verdicts(["A"] * 35), PREFERENCE)
    assert found.omega == 1.0
