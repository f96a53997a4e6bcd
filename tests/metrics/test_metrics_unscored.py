"""Verdicts without a label: three policies, coverage and bounds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from measured_rows import BINARY, ORDINAL, PREFERENCE, scores, verdicts
from sklearn.metrics import precision_recall_fscore_support

from calibrate.domain import UNSCORED_REASONS, Scale, Scored, Unscored, Verdict
from calibrate.errors import InputError
from calibrate.metrics import align, alignment_value

RAW = Scale("interval", threshold=0.5, low=0.0, high=1.0)


def test_forty_items_four_right_thirty_six_blank() -> None:
    human = ["1"] * 20 + ["0"] * 20
    judge = ["1", "1"] + [None] * 18 + ["0", "0"] + [None] * 18
    found = align(human, verdicts(judge), BINARY)
    assert (found.n, found.scored, found.coverage) == (40, 4, 0.1)
    assert found.metrics["accuracy"].value == 1.0
    assert found.accuracy_bounds is not None
    assert (found.accuracy_bounds.low, found.accuracy_bounds.high) == (0.1, 1.0)
    assert found.wrong is not None
    assert found.wrong.accuracy.value == pytest.approx(0.1)
    assert "unscored" in [each.code for each in found.readings]
    assert not any(each.praise for each in found.readings)


def test_one_verdict_states_no_label() -> None:
    found = align(list("10"), verdicts(["1", None]), BINARY, intervals=False)
    (said,) = [each.text for each in found.readings if each.code == "unscored"]
    assert said.startswith("1 of 2 verdicts states no label ")
    assert said.endswith("describe only the 1 item the judge answered.")


def test_each_reason_is_counted() -> None:
    judge: list[Verdict] = [Unscored(reason) for reason in UNSCORED_REASONS] + [Unscored("error"), Scored("1")]
    found = align(["1", "0"] * 3 + ["1"], judge, BINARY)
    assert dict(found.unscored) == {"abstained": 1, "invalid": 1, "refused": 1, "truncated": 1, "error": 2}
    assert sum(found.unscored.values()) == found.n - found.scored
    assert sum(found.n_per_class.values()) == found.n


def test_exclude_measures_the_scored_items_only() -> None:
    human, judge = list("110010"), ["1", None, "0", "1", "1", None]
    found = align(human, verdicts(judge), BINARY, intervals=False)
    alone = align(list("1001"), verdicts(list("1011")), BINARY, intervals=False)
    assert found.metrics == alone.metrics
    assert found.confusion == alone.confusion


def test_wrong_gives_a_binary_item_the_opposite_label() -> None:
    human, judge = list("1100"), ["1", None, "0", None]
    found = align(human, verdicts(judge), BINARY, invalid="wrong", intervals=False)
    assert found.confusion.matrix == ((1, 1), (1, 1))
    assert found.wrong is None
    assert found.accuracy_bounds is None


def test_wrong_gives_a_nominal_judge_a_class_of_its_own() -> None:
    scale = Scale("nominal", ("a", "b", "c"))
    human, judge = list("aabbcc"), ["a", None, "b", "b", "c", "a"]
    found = align(human, verdicts(judge), scale, invalid="wrong", intervals=False)
    assert found.confusion.labels == ("a", "b", "c", "(unscored)")
    assert found.confusion.matrix[0] == (1, 0, 0, 1)
    assert found.confusion.matrix[3] == (0, 0, 0, 0)
    filled = [each or "(unscored)" for each in judge]
    expected = precision_recall_fscore_support(human, filled, average="macro", zero_division=0)[:3]
    assert [found.metrics[name].value for name in ("precision", "recall", "f1")] == pytest.approx(list(expected))
    assert found.components == 5
    assert "(unscored)" not in found.recall_by_class


@pytest.mark.parametrize(("gold", "end"), [("1", "5"), ("2", "5"), ("3", "1"), ("4", "1"), ("5", "1")])
def test_wrong_puts_an_ordinal_item_at_the_end_farthest_from_gold(gold: str, end: str) -> None:
    found = align([gold, "1", "5"], verdicts([None, "1", "5"]), ORDINAL, invalid="wrong", intervals=False)
    expected = align([gold, "1", "5"], verdicts([end, "1", "5"]), ORDINAL, intervals=False)
    assert found.confusion == expected.confusion


def test_farthest_is_measured_in_declared_values() -> None:
    scale = Scale("ordinal", ("0", "1", "10"))
    found = align(["1", "0", "10"], verdicts([None, "0", "10"]), scale, invalid="wrong", intervals=False)
    assert found.confusion.matrix[1] == (0, 0, 1)


def test_wrong_puts_a_raw_score_at_the_end_farthest_from_gold() -> None:
    human, judge = [0.9, 0.2, 0.7, 0.4], [0.8, None, 0.6, 0.3]
    given = verdicts([None if each is None else repr(each) for each in judge])
    found = align(scores(human), given, RAW, invalid="wrong", intervals=False)
    filled = align(scores(human), verdicts(scores([0.8, 1.0, 0.6, 0.3])), RAW, intervals=False)
    assert found.metrics["pearson"].value == pytest.approx(filled.metrics["pearson"].value)
    undeclared = align(scores(human), given, Scale("interval", threshold=0.5), invalid="wrong", intervals=False)
    observed = align(scores(human), verdicts(scores([0.8, 0.9, 0.6, 0.3])), RAW, intervals=False)
    assert undeclared.metrics["pearson"].value == pytest.approx(observed.metrics["pearson"].value)


def test_an_unscored_raw_score_is_a_disagreement_even_where_the_farthest_end_is_on_its_side() -> None:
    """Gold 0.45 passes a threshold of 0.4, and so would the farthest end, 1.0."""
    scale = Scale("interval", threshold=0.4, low=0.0, high=1.0)
    human, judge = scores([0.45, 0.1, 0.9]), verdicts([None, "0.1", "0.9"])
    found = align(human, judge, scale, invalid="wrong", intervals=False)
    assert found.confusion.matrix == ((1, 0), (1, 1))


def test_category_makes_abstentions_a_class_and_leaves_other_reasons_out() -> None:
    judge: list[Verdict] = [Scored("A"), Unscored("abstained"), Unscored("error"), Scored("B")]
    found = align(list("AABB"), judge, PREFERENCE, invalid="category", intervals=False)
    assert found.confusion.labels == ("A", "B", "tie", "(abstained)")
    assert [sum(row) for row in found.confusion.matrix] == [2, 1, 0, 0]
    assert found.coverage == 0.5
    assert found.wrong is not None


def test_category_measures_a_binary_set_as_nominal_with_or_without_abstentions() -> None:
    for judge in (["1", "0", "1"], ["1", "0", None]):
        given = verdicts(judge, "abstained")
        found = align(["1", "0", "0"], given, BINARY, invalid="category", intervals=False)
        assert found.components == 5


@pytest.mark.parametrize("scale", [ORDINAL, RAW], ids=["ordinal", "interval"])
def test_category_is_refused_where_labels_have_an_order(scale: Scale) -> None:
    with pytest.raises(InputError, match="exclude or wrong"):
        align([], [], scale, invalid="category")


def test_gaps_in_different_rows_do_not_misalign_the_pairs() -> None:
    scale = Scale("nominal", ("a", "b"))
    human = ["a", "b", None, "a", "b"]
    found = align(human, verdicts(["a", None, "b", "b", "b"]), scale, intervals=False)
    assert found.n == 4
    assert found.confusion.matrix == ((1, 1), (0, 1))
    assert found.metrics["accuracy"].value == pytest.approx(2 / 3)


def test_lengths_and_labels_are_checked() -> None:
    with pytest.raises(InputError, match="2 gold labels but 1 verdicts"):
        align(["0", "1"], verdicts(["0"]), BINARY)
    with pytest.raises(InputError, match=r"row 2, field 'gold': 'yes' is none of the declared labels 0, 1"):
        align(["0", "yes"], verdicts(["0", "1"]), BINARY)
    with pytest.raises(InputError, match=r"row 3, field 'judge': 'yes'"):
        align(["0", None, "1"], verdicts(["0", "1", "yes"]), BINARY)
    with pytest.raises(InputError, match=r"'high' is no score"):
        align(["high"], verdicts(["1"]), RAW)
    with pytest.raises(InputError, match="1 groups for 2 rows"):
        align(["0", "1"], verdicts(["0", "1"]), BINARY, groups=["x"])


rows = st.lists(st.tuples(st.sampled_from("01"), st.sampled_from(["0", "1", None])), min_size=4, max_size=40)


@given(rows)
def test_bounds_hold_whatever_the_unscored_items_would_have_been(pairs: list[tuple[str, str | None]]) -> None:
    human, judge = [h for h, _ in pairs], [j for _, j in pairs]
    found = align(human, verdicts(judge), BINARY, intervals=False)
    assert found.accuracy_bounds is not None
    right = sum(h == j for h, j in pairs)
    silent = sum(j is None for j in judge)
    assert found.accuracy_bounds.low == pytest.approx(right / len(pairs))
    assert found.accuracy_bounds.high == pytest.approx((right + silent) / len(pairs))
    if found.coverage and found.metrics["accuracy"].value is not None:
        scored, accuracy = found.coverage, found.metrics["accuracy"].value
        assert found.accuracy_bounds.low == pytest.approx(scored * accuracy)
        assert found.accuracy_bounds.high == pytest.approx(scored * accuracy + 1 - scored)


@given(rows, st.data())
def test_declining_an_item_never_ranks_above_getting_it_right(
    pairs: list[tuple[str, str | None]], data: st.DataObject
) -> None:
    human = [h for h, _ in pairs]
    if len(set(human)) < 2:
        return
    judge = [j for _, j in pairs]
    at = data.draw(st.integers(0, len(human) - 1))
    declined, right = [*judge[:at], None, *judge[at + 1 :]], [*judge[:at], human[at], *judge[at + 1 :]]
    assert alignment_value(human, verdicts(declined), BINARY) <= alignment_value(human, verdicts(right), BINARY) + 1e-12


@given(rows)
def test_declining_ranks_like_being_wrong_on_a_binary_set(pairs: list[tuple[str, str | None]]) -> None:
    human = [h for h, _ in pairs]
    if len(set(human)) < 2:
        return
    filled = [j if j is not None else ("0" if h == "1" else "1") for h, j in pairs]
    declined = alignment_value(human, verdicts([j for _, j in pairs]), BINARY)
    assert declined == pytest.approx(alignment_value(human, verdicts(filled), BINARY))
