"""Which prompts are rewritten: the best one, the few best in turn, or the front of those best on some item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.domain import Item, Scale, Scored, Unscored
from calibrate.optimizer import POLICIES, Candidate, Evaluation, Trial
from calibrate.optimizer.policies import Standing, right_on

BINARY = Scale("binary", ("0", "1"), positive="1")
ITEMS = tuple(Item(name, "f", {"answer": name}, "1") for name in "abcdef")


def trial(number: int, right: Iterable[str], score: float | None = None, prompt: str = "") -> Trial:
    """A trial that is right on these items; its score is how many they are, unless said otherwise."""
    right = set(right)
    verdicts = {item.id: Scored("1" if item.id in right else "0") for item in ITEMS}
    candidate = Candidate(number, number, "s", None if number == 0 else 0, prompt or f"prompt {number}")
    return Trial(candidate, Evaluation(len(right) / len(ITEMS) if score is None else score, verdicts))


def standing(*trials: Trial) -> Standing:
    return Standing(trials, ITEMS, BINARY)


def parents(policy: str, made: Standing, count: int, seed: int = 0) -> list[int]:
    return [each.candidate.number for each in POLICIES[policy].parents(made, count, Random(seed))]


# Standing


def test_trials_are_ranked_by_score_then_baseline_then_length_then_number() -> None:
    made = standing(
        trial(0, "a", 0.5),
        trial(1, "a", 0.7, "longer"),
        trial(2, "a", 0.7, "short"),
        trial(3, "a", 0.5, "x"),
        trial(4, "a", 0.7, "brief"),
    )
    assert [each.candidate.number for each in made.ranked] == [2, 4, 1, 0, 3]
    assert made.best.candidate.number == 2
    assert [each.candidate.number for each in made.trials] == [0, 1, 2, 3, 4]


def test_what_a_trial_is_right_on() -> None:
    """An unscored verdict is wrong, and so is none."""
    verdicts = {"a": Scored("1"), "b": Scored("0"), "c": Unscored("invalid")}
    assert right_on(Trial(Candidate(0, 0, "s", None, "p"), Evaluation(0.1, verdicts)), ITEMS, BINARY) == {"a"}


def test_what_a_prompt_shows_counts_with_the_verdicts_taken_from_its_parent() -> None:
    evaluation = Evaluation(0.1, {"a": Scored("1")}, assumed={"b": Scored("1"), "c": Scored("0")})
    assert right_on(Trial(Candidate(1, 1, "s", 0, "p", shown=("b", "c")), evaluation), ITEMS, BINARY) == {"a", "b"}


# Policies


def test_their_names() -> None:
    assert {name: policy.name for name, policy in POLICIES.items()} == {
        "opro": "opro",
        "beam": "beam",
        "pareto": "pareto",
    }


@pytest.mark.parametrize("policy", POLICIES)
def test_each_place_gets_a_parent_and_the_first_is_the_best(policy: str) -> None:
    made = standing(trial(0, "ab"), trial(1, "bcd"), trial(2, "ef"), trial(3, "a"))
    for count in (0, 1, 5, 12):
        chosen = parents(policy, made, count)
        assert len(chosen) == count
        assert chosen[:1] == [1][:count]


def test_opro_rewrites_the_best() -> None:
    assert parents("opro", standing(trial(0, "ab"), trial(1, "bcd"), trial(2, "ef")), 4) == [1] * 4


def test_a_beam_takes_the_three_best_in_turn() -> None:
    made = standing(trial(0, "ab"), trial(1, "bcd"), trial(2, "e"), trial(3, "abcde"), trial(4, ""))
    assert parents("beam", made, 7) == [3, 1, 0, 3, 1, 0, 3]
    assert parents("beam", standing(trial(0, "ab"), trial(1, "bcd")), 3) == [1, 0, 1]


# Pareto


def drawn(made: Standing, count: int = 20_000) -> Mapping[int, float]:
    """The share of each trial among the places after the first."""
    _, *others = parents("pareto", made, count + 1, seed=7)
    return {number: times / count for number, times in Counter(others).items()}


def test_those_that_are_best_on_some_item_are_drawn_by_how_many_they_are_best_on() -> None:
    """Both are right on a, which counts half for each: 1/2 + 2 against 1/2 + 1."""
    shares = drawn(standing(trial(0, "abc"), trial(1, "ad")))
    assert shares == {0: pytest.approx(2.5 / 4, abs=0.015), 1: pytest.approx(1.5 / 4, abs=0.015)}


def test_an_item_that_all_are_right_on_is_shared_out() -> None:
    """Of a, b and c, c goes to 1, and d, e to 2; 2 gets 2/3 + 2 of 5 items, 0 is covered."""
    shares = drawn(standing(trial(0, "ab"), trial(1, "abc"), trial(2, "abde")))
    assert shares == {1: pytest.approx((1 + 1) / 5, abs=0.015), 2: pytest.approx((1 + 2) / 5, abs=0.015)}


def test_a_worse_one_that_alone_is_right_somewhere_is_drawn() -> None:
    made = standing(trial(0, "abcde"), trial(1, "f"))
    assert drawn(made)[1] == pytest.approx(1 / 6, abs=0.015)


def test_of_those_right_on_the_same_items_the_better_one_is_drawn() -> None:
    made = standing(trial(0, "ab", 0.4), trial(1, "ab", 0.5), trial(2, "ab", 0.3), trial(3, "c", 0.1))
    assert set(drawn(made)) == {1, 3}


def test_where_nothing_is_right_anywhere_the_best_is_rewritten() -> None:
    assert parents("pareto", standing(trial(0, "", 0.1), trial(1, "", 0.2)), 3) == [1, 1, 1]


def test_the_best_is_rewritten_first_though_another_one_covers_it() -> None:
    """The score need not be the number of agreements."""
    made = standing(trial(0, "abc", 0.2), trial(1, "ab", 0.4))
    assert parents("pareto", made, 4) == [1, 0, 0, 0]


rights = st.lists(st.sets(st.sampled_from("abcdef")), min_size=1, max_size=8)


@given(rights, st.lists(st.integers(0, 3), min_size=8, max_size=8), st.integers(0, 10**6))
def test_a_dominated_trial_is_never_drawn(right: list[set[str]], scores: list[int], seed: int) -> None:
    trials = [trial(n, each, scores[n] / 10) for n, each in enumerate(right)]
    _, *others = parents("pareto", standing(*trials), 40, seed)
    for number in others:
        if any(right):
            assert not any(right[number] < other for other in right)
            equals = [each for each in trials if right[each.candidate.number] == right[number]]
            assert max(equals, key=lambda each: each.rank).candidate.number == number
    if any(right):
        front = {frozenset(each) for each in right if not any(each < other for other in right)}
        assert {frozenset(right[number]) for number in others} <= front


def test_draws_are_seeded() -> None:
    made = standing(*(trial(n, name) for n, name in enumerate("abcdef")))
    assert parents("pareto", made, 20, seed=1) == parents("pareto", made, 20, seed=1)
    assert parents("pareto", made, 20, seed=1) != parents("pareto", made, 20, seed=2)
