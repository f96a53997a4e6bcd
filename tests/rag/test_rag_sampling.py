from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rag.factories import question

from calibrate.errors import InputError
from calibrate.rag import Bank
from calibrate.rag.sampling import stratified_sample


def a_bank(answerable: int, unanswerable: int, topics: int = 3) -> Bank:
    return Bank(
        "bank",
        tuple(
            question(f"q{at}", ["c"] if at < answerable else [], attributes={"topic": f"t{at % topics}"})
            for at in range(answerable + unanswerable)
        ),
    )


def ids(bank: Bank) -> set[str]:
    return {each.id for each in bank.questions}


@given(st.integers(0, 40), st.integers(0, 12), st.integers(1, 30), st.integers(1, 30), st.integers(0, 5))
def test_a_larger_sample_holds_the_smaller(answerable: int, unanswerable: int, one: int, other: int, seed: int) -> None:
    bank = a_bank(answerable, unanswerable)
    if not bank.questions:
        return
    small, large = (stratified_sample(bank, n, seed, slice_by="topic") for n in sorted((one, other)))
    assert ids(small) <= ids(large)
    assert len(small.questions) == min(one, other, len(bank.questions))


@given(st.integers(0, 60), st.integers(0, 60), st.integers(4, 30))
def test_both_kinds_are_in_it_where_the_bank_has_them(answerable: int, unanswerable: int, n: int) -> None:
    bank = a_bank(answerable, unanswerable)
    kinds = Counter(each.answerable for each in stratified_sample(bank, n).questions)
    assert kinds[True] >= min(2, answerable)
    assert kinds[False] >= min(2, unanswerable)


def test_strata_keep_their_shares() -> None:
    bank = a_bank(80, 20, topics=2)
    kept = stratified_sample(bank, 30, slice_by="topic").questions
    assert Counter(each.answerable for each in kept) == {True: 24, False: 6}
    assert Counter(each.attributes["topic"] for each in kept) == {"t0": 15, "t1": 15}


def test_who_is_taken_depends_on_ids_and_seed_alone() -> None:
    bank = a_bank(40, 10)
    turned = replace(bank, questions=bank.questions[::-1])
    assert ids(stratified_sample(bank, 12)) == ids(stratified_sample(turned, 12))
    assert ids(stratified_sample(bank, 12)) != ids(stratified_sample(bank, 12, seed=1))


def test_questions_stay_in_file_order_and_a_small_bank_stays_whole() -> None:
    bank = a_bank(10, 5)
    kept = [each.id for each in stratified_sample(bank, 8).questions]
    assert kept == [each.id for each in bank.questions if each.id in kept]
    assert stratified_sample(bank, 15) is bank


def test_what_cannot_be_sampled_is_said() -> None:
    with pytest.raises(InputError, match="at least 1 question, not 0"):
        stratified_sample(a_bank(3, 1), 0)
    with pytest.raises(InputError, match="no question of the bank has the column 'topc'"):
        stratified_sample(a_bank(3, 1), 2, slice_by="topc")
