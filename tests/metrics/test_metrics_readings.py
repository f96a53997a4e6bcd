"""Reference judges, and the figures in words."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from measured_rows import BINARY, ORDINAL, PREFERENCE, binary_rows, scores, table_rows, verdicts

from calibrate.domain import Scale
from calibrate.metrics import Alignment, align
from calibrate.metrics.agreement import alignment, components, suite_for
from calibrate.metrics.references import independent_table, reference_judges

GENERIC = (20, 1, 9, 0)
CALIBRATED = (19, 2, 3, 6)


def codes(found: Alignment) -> list[str]:
    return [each.code for each in found.readings]


def text(found: Alignment, code: str) -> str:
    return next(each.text for each in found.readings if each.code == code)


# Reference judges


def test_the_best_constant_judge_stands_above_the_generic_prompt() -> None:
    found = align(*binary_rows(*GENERIC), BINARY)
    assert found.reference.constant == pytest.approx(0.4605, abs=5e-5)
    assert found.reference.constant_label == "1"
    assert found.alignment.value is not None
    assert found.alignment.value < found.reference.constant


def test_the_random_judge_has_the_margins_and_no_association() -> None:
    table = np.array([[0.0, 9.0], [1.0, 20.0]])
    expected = independent_table(table)
    assert expected.sum(0) == pytest.approx(table.sum(0))
    assert expected.sum(1) == pytest.approx(table.sum(1))
    parts = components(expected, suite_for(BINARY))
    assert parts["cohen_kappa"] == pytest.approx(0.0, abs=1e-12)
    assert parts["pearson"] == pytest.approx(0.0, abs=1e-12)
    random = align(*binary_rows(*GENERIC), BINARY).reference.random
    accuracy, precision, recall = (21 * 29 + 9) / 900, 0.7, 29 / 30
    f1 = 2 * precision * recall / (precision + recall)
    assert random == pytest.approx((accuracy + precision + recall + f1) / 7)


def test_the_best_constant_judge_of_an_ordinal_set_may_say_a_label_that_is_not_the_commonest() -> None:
    gold = ["1"] * 4 + ["3"] * 3 + ["5"] * 4
    found = align(gold, verdicts(list(reversed(gold))), ORDINAL)
    by_label = {
        label: align(gold, verdicts([label] * len(gold)), ORDINAL, intervals=False).alignment.value
        for label in ORDINAL.labels
    }
    assert found.reference.constant == pytest.approx(max(each for each in by_label.values() if each is not None))


@given(st.lists(st.lists(st.integers(0, 12), min_size=3, max_size=3), min_size=3, max_size=3))
def test_a_constant_judge_is_at_best_the_constant_reference(table: list[list[int]]) -> None:
    counts = np.array(table, dtype=float) + np.eye(3)
    how = suite_for(PREFERENCE)
    reference = reference_judges(counts, how)
    assert reference.constant is not None
    for at in range(3):
        constant = np.outer(counts.sum(1), np.eye(3)[at])
        assert float(alignment(components(constant, how))) <= reference.constant + 1e-12


def test_reference_judges_of_raw_scores_correlate_0() -> None:
    human, judge = scores([0.1, 0.4, 0.6, 0.9]), verdicts(scores([0.2, 0.6, 0.4, 0.8]))
    found = align(human, judge, Scale("interval", threshold=0.5))
    assert found.reference.constant == pytest.approx((0.5 + 0.5 + 1.0 + 2 / 3) / 7)
    assert found.reference.constant_label == ">= 0.5"


# Readings


def test_the_generic_prompt_is_right_by_chance_blind_and_below_the_constant_judge() -> None:
    found = align(*binary_rows(*GENERIC), BINARY)
    assert {"right_by_chance", "blind", "below_constant", "random_level"} <= set(codes(found))
    assert text(found, "blind") == "Blind to '0': it finds 0 of the 9 items that people call so."
    assert "0.46" in text(found, "below_constant")


def test_a_judge_plainly_worse_than_a_random_one_is_called_so() -> None:
    found = align(*binary_rows(5, 25, 25, 5), BINARY)
    assert found.alignment.high is not None
    assert found.reference.random is not None
    assert found.alignment.high < found.reference.random
    assert "random_level" not in codes(found)
    assert text(found, "worse_than_random").startswith("Worse than a random judge with the same rates: alignment ")
    assert not any(each.praise for each in found.readings)


def test_figures_that_are_compared_have_digits_enough_to_differ() -> None:
    gold = ["a"] * 40 + ["b"] * 38 + ["c"] * 36
    scale = Scale("nominal", ("a", "b", "c"))
    found = align(gold, verdicts(["b"] * 114), scale, intervals=False)
    value, constant = found.alignment.value, found.reference.constant
    assert value is not None
    assert constant is not None
    digits = re.search(r"alignment (0\.\d+), against (0\.\d+) for", text(found, "below_constant"))
    assert digits is not None
    assert f"{value:.2f}" == f"{constant:.2f}", (value, constant)
    assert digits[1] != digits[2]
    assert digits.groups() == (f"{value:.3f}", f"{constant:.3f}")


def test_errors_are_told_in_label_words() -> None:
    found = align(*binary_rows(*CALIBRATED), BINARY)
    assert text(found, "errors") == "Errors: it calls 3 of 9 '0' items '1', and it calls 2 of 21 '1' items '0'."


def test_a_careful_judge_that_misses_much_is_conservative() -> None:
    assert "conservative" in codes(align(*binary_rows(20, 30, 1, 40), BINARY))
    assert "conservative" not in codes(align(*binary_rows(*CALIBRATED), BINARY))


def test_two_missed_items_do_not_make_a_judge_blind() -> None:
    found = align(*binary_rows(30, 0, 2, 0), BINARY)
    assert "blind" not in codes(found)
    assert text(found, "small_class") == "It misses '0', which only 2 items have: too few to tell."


def test_on_two_labels_four_names_are_one_number() -> None:
    assert "(0.592)" in text(align(*binary_rows(*CALIBRATED), BINARY), "one_number")
    ordinal = align(list("12345"), verdicts(list("12344")), ORDINAL)
    assert "one_number" not in codes(ordinal)


def test_a_good_judge_is_praised_only_with_enough_verdicts() -> None:
    human, judge = binary_rows(50, 2, 2, 46)
    assert "beyond_chance" in codes(align(human, judge, BINARY))
    silent = [*judge[:-6], *verdicts([None] * 6)]
    found = align(human, silent, BINARY)
    assert "unscored" in codes(found)
    assert not any(each.praise for each in found.readings)
    assert any(each.praise for each in align(human, silent, BINARY, max_unscored=0.1).readings)


def test_the_allowed_share_itself_is_allowed() -> None:
    human, judge = binary_rows(10, 0, 0, 10)
    found = align(human, [*judge[:-1], *verdicts([None])], BINARY)
    assert found.coverage == 0.95
    assert "unscored" not in codes(found)


def test_no_interval_no_praise() -> None:
    human, judge = binary_rows(50, 2, 2, 46)
    assert not any(each.praise for each in align(human, judge, BINARY, intervals=False).readings)


def test_few_items_are_not_told_apart_from_a_constant_judge() -> None:
    found = align(*binary_rows(4, 1, 1, 2), BINARY)
    assert "not_above_constant" in codes(found)
    assert not any(each.praise for each in found.readings)


def test_one_group_has_no_interval() -> None:
    human, judge = binary_rows(*CALIBRATED)
    found = align(human, judge, BINARY, groups=["doc"] * 30)
    assert found.resampling is None
    assert found.alignment.low is None
    assert "one_group" in codes(found)


@given(st.lists(st.tuples(st.sampled_from("01"), st.sampled_from(["0", "1", None])), max_size=25))
def test_readings_never_use_words_that_flip_with_the_positive_class(pairs: list[tuple[str, str | None]]) -> None:
    found = align([h for h, _ in pairs], verdicts([j for _, j in pairs]), BINARY, draws=50)
    said = " ".join(each.text for each in found.readings).lower()
    assert "false positive" not in said
    assert "false negative" not in said


def test_many_classes_read_like_few() -> None:
    table = np.full((5, 5), 1) + np.eye(5, dtype=int) * 9
    found = align(*table_rows(table, ORDINAL.labels), ORDINAL)
    assert "errors" not in codes(found)
    assert "beyond_chance" in codes(found)
