"""Holdouts keep their sides, groups stay whole, and every class is on both sides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.domain import GoldenSet, Item, Scale
from calibrate.errors import InputError
from calibrate.golden.holdout import choose_sides, folds, side_key, split

SCALE = {"f": Scale("binary", ("0", "1"), positive="1")}


def a_set(labels, groups=None):
    items = tuple(
        Item(str(n), "f", {"answer": f"text {n}"}, label=label, group=None if groups is None else groups[n])
        for n, label in enumerate(labels)
    )
    return GoldenSet("s", items, SCALE)


def held_ids(golden, known=None, share=0.3, seed=0):
    return {item.id for item in split(golden, choose_sides(golden, share, known or {}, seed=seed))[1].items}


def test_about_the_share_is_held_out_and_everything_is_on_one_side():
    golden = a_set(["1", "0"] * 500)
    development, held = split(golden, choose_sides(golden, 0.3, {}))
    assert len(held.items) == pytest.approx(300, abs=45)
    assert {item.id for item in development.items} | {item.id for item in held.items} == {str(n) for n in range(1000)}
    assert not {item.id for item in development.items} & {item.id for item in held.items}


def test_more_items_and_new_labels_change_no_sides():
    before = a_set(["1", "0"] * 100)
    after = a_set(["0", "1"] * 100 + ["1"] * 50)
    assert held_ids(before) == held_ids(after) & {str(n) for n in range(200)}


def test_sides_that_were_chosen_are_kept_whatever_the_share_and_the_seed():
    golden = a_set(["1", "0"] * 100)
    known = choose_sides(golden, 0.3, {})
    assert choose_sides(golden, 0.7, known, seed=9) == known


def test_a_group_is_on_one_side():
    golden = a_set(["1", "0"] * 100, groups=[f"g{n // 5}" for n in range(200)])
    held = held_ids(golden)
    assert 0 < len(held) < 200
    assert all((str(5 * n) in held) == (str(5 * n + k) in held) for n in range(40) for k in range(5))


@given(st.integers(0, 10_000), st.integers(2, 6))
def test_a_rare_class_is_on_both_sides(seed, rare):
    golden = a_set(["1"] * 100 + ["0"] * rare)
    held = held_ids(golden, seed=seed) & {str(n) for n in range(100, 100 + rare)}
    assert 0 < len(held) < rare


def test_unlabelled_items_stay_with_the_development_part():
    golden = a_set(["1", "0", None] * 50)
    development, held = split(golden, choose_sides(golden, 0.5, {}))
    assert all(item.label is not None for item in held.items)
    assert len(development.items) + len(held.items) == 150


@pytest.mark.parametrize("share", [0.0, 1.0, -0.1, 2.0])
def test_a_share_that_is_none_is_refused(share):
    with pytest.raises(InputError, match="--holdout"):
        choose_sides(a_set(["1", "0"]), share, {})


@given(st.integers(2, 6), st.integers(0, 1000))
def test_each_item_is_left_out_once_and_classes_are_spread(count, seed):
    golden = a_set(["1"] * 40 + ["0"] * 12)
    parts = folds(golden, count, seed=seed)
    left_out = [item.id for _, part in parts for item in part.items]
    assert sorted(left_out) == sorted(str(n) for n in range(52))
    for training, part in parts:
        assert len(training.items) + len(part.items) == 52
        assert {item.label for item in part.items} == {"0", "1"}


def test_groups_are_left_out_whole():
    golden = a_set(["1", "0"] * 30, groups=[f"g{n // 2}" for n in range(60)])
    for training, part in folds(golden, 5):
        assert not {item.group for item in training.items} & {item.group for item in part.items}


def test_more_folds_than_items_of_a_class_are_refused():
    with pytest.raises(InputError, match="--cross-fit"):
        folds(a_set(["1"] * 10 + ["0"] * 2), 3)


def test_one_fold_is_refused_in_plain_words():
    with pytest.raises(InputError, match="a cross-fit takes 2 folds or more, not 1"):
        folds(a_set(["1", "0"] * 5), 1)
    with pytest.raises(InputError, match="a class has only 1 item "):
        folds(a_set(["1"] * 10 + ["0"]), 2)


def test_the_side_does_not_depend_on_the_label():
    assert side_key(Item("1", "f", {}, label="0"), "f") == side_key(Item("1", "f", {}, label="1"), "f")
