"""Scales: declared, deduced where labels leave no doubt, asked for otherwise; never guessed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from calibrate.domain import Json, Scale
from calibrate.errors import InputError
from calibrate.golden.declaration import Declaration, LabelReader, find_labels, label_identity, resolve_scale


def resolve(cells: Sequence[Json], **declared: object) -> Scale:
    declaration = Declaration(**declared)  # type: ignore[arg-type]  # each test names the fields it needs
    return resolve_scale(declaration, find_labels(cells, declaration.aliases), source="t.csv")


def refusal(cells: Sequence[Json], **declared: object) -> str:
    with pytest.raises(InputError) as caught:
        resolve(cells, **declared)
    return str(caught.value)


ZERO_ONE = Scale("binary", ("0", "1"), "1")
PAIRWISE = Scale("pairwise", ("A", "B", "tie"))


@pytest.mark.parametrize(
    ("cells", "scale"),
    [
        (["0", "1"], ZERO_ONE),
        ([1, 0, None], ZERO_ONE),
        ([1.0, 0.0], ZERO_ONE),
        ([True, False], ZERO_ONE),
        (["True", "False"], ZERO_ONE),
        ([True, 0, "1"], ZERO_ONE),
        (["1", "1"], ZERO_ONE),
        (["A", "B", "tie"], PAIRWISE),
        (["b", " a "], PAIRWISE),
    ],
)
def test_labels_that_leave_no_doubt(cells: list[Json], scale: Scale) -> None:
    assert resolve(cells) == scale


@pytest.mark.parametrize(
    "cells", [["yes", "no"], ["1", "2"], [0, 1, 2], [0.5, 1.0], ["good", "bad"], ["a", "b", "c"], [None], []]
)
def test_all_others_are_asked_for(cells: list[Json]) -> None:
    assert "--scale" in refusal(cells)


def test_labels_found_are_listed_once_each_with_their_count() -> None:
    assert "labels found: Yes (3), No. (1), 1 (2);" in refusal(["Yes", "yes ", "YES", "No.", 1, "1.0"])
    assert "and 4 more" in refusal([f"label {n}" for n in range(12)])


class TestBinary:
    def test_the_labels_found_in_their_first_spelling(self) -> None:
        scale = resolve(["Yes ", "no", "YES", "No."], scale="binary", positive="yes")
        assert scale == Scale("binary", ("no", "Yes"), "Yes")

    def test_a_positive_label_says_that_the_scale_is_binary(self) -> None:
        assert resolve(["good", "bad"], positive="good").kind == "binary"

    def test_a_binary_scale_needs_a_positive_label(self) -> None:
        assert "--positive bad or --positive good" in refusal(["good", "bad"], scale="binary")

    def test_not_exactly_two_labels(self) -> None:
        assert "found 3: a (1), b (1), c (1)" in refusal(["a", "b", "c"], scale="binary", positive="a")
        assert "found 1: a (2)" in refusal(["a", "a"], scale="binary", positive="a")

    def test_a_positive_label_that_is_none(self) -> None:
        assert "'maybe' is not one of the labels Yes, No" in refusal([], labels=("Yes", "No"), positive="maybe")

    def test_the_declared_order_does_not_depend_on_the_rows(self) -> None:
        assert resolve(["b", "a"], positive="a") == resolve(["a", "b"], positive="a")


class TestOthers:
    def test_nominal_labels_found(self) -> None:
        assert resolve(["x", "y", "X"], scale="nominal").labels == ("x", "y")

    def test_declared_pairwise_without_ties(self) -> None:
        assert resolve(["A", "B"], scale="pairwise", labels=("A", "B")).labels == ("A", "B")
        assert resolve(["A"], scale="pairwise") == PAIRWISE

    def test_ordinal_labels_are_asked_for_and_put_in_ascending_order(self) -> None:
        assert "--labels 1,2,3,4,5" in refusal([1, 2, 5], scale="ordinal")
        assert resolve([], scale="ordinal", labels=("10", "9", "2.5")).labels == ("2.5", "9", "10")
        assert resolve([], scale="ordinal", labels=("poor", "fair", "good")).labels == ("poor", "fair", "good")

    def test_an_interval_scale_needs_a_threshold_within_its_ends(self) -> None:
        assert "--threshold" in refusal([0.5], scale="interval")
        assert "outside the scale" in refusal([0.5], scale="interval", threshold=2, high=1)
        assert "not below" in refusal([0.5], scale="interval", threshold=1, low=1, high=1)
        assert resolve([], scale="interval", threshold=1, low=0) == Scale("interval", threshold=1.0, low=0.0)

    @pytest.mark.parametrize(
        ("declared", "what"),
        [
            ({"scale": "nominal", "positive": "a"}, "only a binary scale has a positive label"),
            ({"scale": "nominal", "threshold": 1.0}, "belong to an interval scale"),
            ({"scale": "nominal", "labels": ("a", "A")}, "two of them read the same"),
            ({"scale": "interval", "threshold": 1.0, "labels": ("a", "b")}, "has no labels"),
        ],
    )
    def test_declarations_that_contradict_themselves(self, declared: dict[str, object], what: str) -> None:
        message = refusal(["a", "b"], **declared)
        assert what in message
        assert message.startswith("t.csv")


class TestReading:
    def test_aliases_come_before_the_match(self) -> None:
        reader = LabelReader(ZERO_ONE, {"good": "1", "bad": "0", "1": "0"})
        assert [reader.read(cell) for cell in ("Good.", "BAD", 1, "1.0", "0", "x")] == ["1", "0", "0", "0", "0", None]

    def test_an_alias_of_no_label_is_refused(self) -> None:
        with pytest.raises(InputError, match="alias 'good' stands for 'yes', which is not a label"):
            LabelReader(ZERO_ONE, {"good": "yes"})

    def test_aliases_decide_what_labels_are_found(self) -> None:
        assert resolve(["good", "Bad"], aliases={"good": "1", "bad": "0"}) == ZERO_ONE

    def test_booleans_and_numbers_of_equal_value_are_not_confused(self) -> None:
        reader = LabelReader(Scale("nominal", ("true", "false", "1", "0")), {})
        assert [reader.read(cell) for cell in (True, 1, 1.0, False, 0)] == ["true", "1", "1", "false", "0"]

    def test_nothing_is_rounded_and_lists_are_no_labels(self) -> None:
        reader = LabelReader(ZERO_ONE, {})
        cells: list[Json] = [0.9, "0.9", ["1"], {"label": 1}, None, "1 of 2"]
        assert [reader.read(cell) for cell in cells] == [None] * 6

    def test_scores_outside_the_ends_are_no_scores(self) -> None:
        reader = LabelReader(Scale("interval", threshold=0.5, low=0, high=1), {})
        assert [reader.read(cell) for cell in (0, "0.25", 1.5)] == ["0.0", "0.25", None]
        assert reader.expected == "a number from 0 to 1"


def test_one_declaration_over_another() -> None:
    base = Declaration(scale="binary", labels=("0", "1"), positive="1", aliases={"a": "1"})
    assert Declaration(positive="0").over(base) == Declaration("binary", ("0", "1"), "0", aliases={"a": "1"})
    assert Declaration(scale="interval", threshold=1, aliases={"b": "2"}).over(base) == Declaration(
        "interval", threshold=1, aliases={"b": "2"}
    )


@pytest.mark.parametrize(("one", "other"), [("Yes.", "yes "), (1, "1.0"), ("**1**", 1.0), (True, "TRUE"), ("!!", "!!")])
def test_what_has_one_identity(one: Json, other: Json) -> None:
    assert label_identity(one) == label_identity(other)


def test_more_than_two_words_can_be_read_without_an_order_and_numbers_are_not_said_to_be():
    for labels, told in ((["good", "fair", "bad"], True), (["1", "2", "3"], False), (["good", "bad"], False)):
        with pytest.raises(InputError) as error:
            resolve_scale(Declaration(), find_labels(labels, {}), source="s.csv")
        assert str(error.value).endswith("; for labels without an order: --scale nominal") == told
