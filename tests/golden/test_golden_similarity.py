"""Near duplicates: every similar pair is found, without comparing every two sets."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.domain.similarity import jaccard, shingles, similar_pairs

sets = st.lists(st.frozensets(st.integers(-12, 12), max_size=14), max_size=14)


def test_shingles_are_runs_of_words_without_case_and_punctuation() -> None:
    assert shingles("The cat, the DOG; a bird.", k=3) == {"the cat the", "cat the dog", "the dog a", "dog a bird"}
    assert shingles("Two words") == {"two words"}
    assert shingles("?!") == frozenset()


@given(st.lists(st.sampled_from(["a", "b", "c"])), st.integers(1, 6))
def test_a_text_of_n_words_has_at_most_n_minus_k_plus_1_shingles(words: list[str], k: int) -> None:
    found = shingles(" ".join(words), k)
    assert len(found) <= max(1, len(words) - k + 1)
    assert bool(found) == bool(words)
    assert all(len(each.split()) == min(k, len(words)) for each in found)


def test_jaccard() -> None:
    assert jaccard({1, 2, 3}, {2, 3, 4}) == 0.5
    assert jaccard(set(), set()) == 0.0
    assert jaccard({1}, {1}) == 1.0


@given(sets, st.sampled_from([0.1, 1 / 3, 0.5, 0.75, 0.9, 1.0]))
def test_the_pairs_are_those_of_comparing_every_two(groups: list[frozenset[int]], threshold: float) -> None:
    expected = [(a, b) for a, b in combinations(range(len(groups)), 2) if jaccard(groups[a], groups[b]) >= threshold]
    assert sorted(similar_pairs(groups, threshold)) == expected


@given(sets, st.integers(1, 3))
def test_a_bound_on_partners_keeps_one_for_every_set_that_has_any(groups: list[frozenset[int]], most: int) -> None:
    found = list(similar_pairs(groups, 0.5, most=most))
    everything = list(similar_pairs(groups, 0.5))
    assert set(found) <= set(everything)
    assert bool(found) == bool(everything)


def test_thousands_of_alike_sets_are_not_compared_in_pairs() -> None:
    alike = [frozenset([*range(100), -n]) for n in range(1, 3_001)]
    found = list(similar_pairs(alike, 0.9, most=3))
    assert len(found) <= 3 * len(alike)
    assert {position for pair in found for position in pair} == set(range(len(alike)))


@pytest.mark.parametrize("count", [0, 1])
def test_too_few_sets_have_no_pairs(count: int) -> None:
    assert list(similar_pairs([frozenset({1})] * count, 0.5)) == []
