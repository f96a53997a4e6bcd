"""Undefined figures are null with a reason, never NaN and never a guess."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from measured_rows import BINARY, ORDINAL, PREFERENCE, binary_rows, scores, verdicts

from calibrate.domain import Scale, Verdict
from calibrate.errors import InputError
from calibrate.metrics import Estimate, Invalid, align, alignment_value

RAW = Scale("interval", threshold=0.5, low=0.0, high=1.0)


def test_constant_judge_has_kappa_0_and_no_correlation_and_its_correlations_count_as_0() -> None:
    found = align(*binary_rows(21, 0, 9, 0), BINARY)
    assert found.metrics["cohen_kappa"].value == 0.0
    for name in ("pearson", "spearman"):
        assert found.metrics[name].value is None
        assert found.metrics[name].reason == "constant_judge"
        assert found.metrics[name].low is None
    parts = [0.7, 0.7, 1.0, 14 / 17, 0.0, 0.0, 0.0]
    assert found.alignment.value == pytest.approx(sum(parts) / 7)
    assert found.components == 7


def test_precision_of_a_judge_that_calls_nothing_positive_is_0_and_says_why() -> None:
    found = align(*binary_rows(0, 21, 0, 9), BINARY)
    assert found.metrics["precision"] == Estimate(
        0.0, found.metrics["precision"].low, found.metrics["precision"].high, "no_positive_predictions"
    )
    assert found.metrics["recall"].value == 0.0


@pytest.mark.parametrize("label", ["0", "1"])
def test_gold_of_one_class_leaves_kappa_correlations_and_alignment_undefined(label: str) -> None:
    found = align([label] * 5, verdicts(list("10110")), BINARY)
    for name in ("cohen_kappa", "pearson", "spearman"):
        assert found.metrics[name] == Estimate(None, reason="single_class_gold")
    assert found.alignment == Estimate(None, reason="single_class_gold")
    assert found.reference.constant is None
    assert found.reference.random is None
    assert found.metrics["accuracy"].value == (3 / 5 if label == "1" else 2 / 5)


def test_recall_is_undefined_without_a_positive_item() -> None:
    found = align(["0"] * 4, verdicts(list("0001")), BINARY)
    assert found.metrics["recall"] == Estimate(None, reason="single_class_gold")
    assert found.recall_by_class["1"] == Estimate(None, reason="no_gold_of_class")
    assert found.recall_by_class["0"].value == 0.75


def test_recall_of_a_class_that_people_used_is_not_said_to_lack_gold() -> None:
    silent = align(list("1100"), verdicts([None] * 4), BINARY, intervals=False)
    assert {each.reason for each in silent.recall_by_class.values()} == {"none_scored"}
    half = align(list("1100"), verdicts(["1", "1", None, None]), BINARY, intervals=False)
    assert half.recall_by_class["0"] == Estimate(None, reason="none_scored")
    assert half.recall_by_class["1"].value == 1.0


def test_one_rater_saw_one_class_only_and_the_judge_agrees_on_all() -> None:
    found = align(["1"] * 5, verdicts(["1"] * 5), BINARY)
    assert found.metrics["cohen_kappa"].value is None
    assert found.metrics["cohen_kappa"].reason == "single_class_gold"


def test_two_items_are_too_few_for_correlations() -> None:
    found = align(["0", "1"], verdicts(["0", "1"]), BINARY)
    assert found.metrics["pearson"] == Estimate(None, reason="too_few")
    assert found.alignment == Estimate(None, reason="too_few")
    assert found.metrics["cohen_kappa"].value == 1.0


def test_two_items_have_an_alignment_where_no_correlation_enters_it() -> None:
    found = align(["A", "B"], verdicts(["A", "B"]), PREFERENCE)
    assert found.alignment.value == 1.0
    assert found.extras["pearson"] == Estimate(None, reason="too_few")


def test_a_judge_constant_in_raw_scores_has_no_correlation() -> None:
    found = align(scores([0.1, 0.9, 0.6]), verdicts(scores([0.7, 0.7, 0.7])), RAW)
    assert found.metrics["pearson"] == Estimate(None, reason="constant_judge")
    assert found.alignment.value is not None


def test_gold_on_one_side_of_the_threshold_is_one_class() -> None:
    found = align(scores([0.6, 0.9, 0.7]), verdicts(scores([0.7, 0.8, 0.2])), RAW)
    assert found.metrics["cohen_kappa"] == Estimate(None, reason="single_class_gold")
    assert found.alignment == Estimate(None, reason="single_class_gold")
    assert found.metrics["pearson"].value is not None


def test_raw_scores_without_a_threshold_have_correlations_only() -> None:
    found = align(scores([0.6, 0.9, 0.7]), verdicts(scores([0.7, 0.8, 0.2])), Scale("interval"))
    assert found.metrics["accuracy"] == Estimate(None, reason="no_threshold")
    assert found.components == 2
    assert found.confusion.labels == ()
    assert "no_threshold" in [each.code for each in found.readings]


@pytest.mark.parametrize("scale", [BINARY, ORDINAL, PREFERENCE, RAW, Scale("interval")], ids=lambda each: each.kind)
def test_nothing_scored_and_nothing_labelled_are_said(scale: Scale) -> None:
    gold = scores([0.2, 0.8, 0.9]) if scale.kind == "interval" else [*scale.labels[:2], scale.labels[1]]
    silent = align(gold, verdicts([None, None, None]), scale)
    assert silent.alignment == Estimate(None, reason="none_scored")
    assert silent.coverage == 0.0
    empty = align([], [], scale)
    assert empty.alignment == Estimate(None, reason="no_items")
    assert empty.coverage is None
    for found in (silent, empty):
        json.dumps(found.to_json(), allow_nan=False)
        assert not any(each.praise for each in found.readings)


def test_ranking_refuses_items_on_which_alignment_is_undefined() -> None:
    with pytest.raises(InputError, match="single_class_gold"):
        alignment_value(["1", "1", "1"], verdicts(["1", "0", "1"]), BINARY)
    with pytest.raises(InputError, match="too_few"):
        alignment_value(["1", "0"], verdicts(["1", "0"]), BINARY)
    with pytest.raises(InputError, match="no_items"):
        alignment_value([], [], BINARY)


def test_an_estimate_is_finite_or_has_a_reason() -> None:
    with pytest.raises(ValueError, match="finite"):
        Estimate(float("nan"))
    with pytest.raises(ValueError, match="reason"):
        Estimate(None)


SCALES: dict[str, tuple[Scale, list[str]]] = {
    "binary": (BINARY, ["0", "1"]),
    "nominal": (Scale("nominal", ("a", "b", "c")), ["a", "b", "c"]),
    "pairwise": (PREFERENCE, ["A", "B", "tie"]),
    "ordinal": (ORDINAL, ["1", "2", "5"]),
    "interval": (RAW, ["0.0", "0.5", "0.7", "1.0"]),
    "no threshold": (Scale("interval"), ["0.0", "0.5", "3.0"]),
}


@given(data=st.data(), kind=st.sampled_from(list(SCALES)), invalid=st.sampled_from(["exclude", "wrong", "category"]))
def test_json_holds_no_nan_whatever_the_data(data: st.DataObject, kind: str, invalid: Invalid) -> None:
    scale, words = SCALES[kind]
    if invalid == "category" and scale.kind in ("ordinal", "interval"):
        invalid = "wrong"
    label = st.sampled_from(words)
    rows = data.draw(st.lists(st.tuples(st.none() | label, st.none() | label, st.sampled_from("xyz")), max_size=12))
    groups = [group for _, _, group in rows] if data.draw(st.booleans()) else None
    judged: list[Verdict] = verdicts(
        [judge for _, judge, _ in rows], data.draw(st.sampled_from(["abstained", "error"]))
    )
    found = align([human for human, _, _ in rows], judged, scale, invalid=invalid, groups=groups, draws=50)
    json.dumps(found.to_json(), allow_nan=False)
    for each in (found.alignment, *found.metrics.values(), *found.extras.values()):
        if each.value is None:
            assert each.reason is not None
        elif each.low is not None and each.high is not None:
            assert each.low <= each.value <= each.high
            assert math.isfinite(each.high - each.low)
