"""Which strategies are used: drawn by how they have fared, so that all keep a chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from searching import BY_NAME, TASK, strategy_of

from calibrate.domain import Item, Scored
from calibrate.optimizer import STRATEGIES, Candidate, Evaluation, Misjudged, Strategy, Trial, misjudged
from calibrate.optimizer.allocation import Tally, allocate, tallies
from calibrate.optimizer.policies import Standing
from calibrate.optimizer.proposals import Place, Scene, assign, request_of
from calibrate.optimizer.strategies import Situation

ITEMS = tuple(Item(str(n), "f", {"answer": f"answer {n}"}, "1") for n in range(6))


def trial(
    number: int,
    strategy: str,
    score: float | None,
    *,
    parent: int | None = 0,
    partner: int | None = None,
    right: Sequence[int] = (),
    rejected: bool = False,
) -> Trial:
    candidate = Candidate(number, min(number, 1), strategy, parent, f"prompt {number}", partner)
    if rejected:
        return Trial(candidate, None, "empty")
    verdicts = {item.id: Scored("1" if int(item.id) in right else "0") for item in ITEMS}
    return Trial(candidate, Evaluation(score, verdicts, stopped="" if score is not None else "stopped"))


BASELINE = trial(0, "baseline", 0.5, parent=None)


# How strategies have fared


def test_a_try_that_beats_its_parent_is_a_win() -> None:
    trials = [BASELINE, trial(1, "a", 0.6), trial(2, "a", 0.5), trial(3, "a", 0.4), trial(4, "b", 0.51)]
    assert {name: (each.tries, each.wins) for name, each in tallies(trials).items()} == {"a": (3, 1), "b": (1, 1)}


def test_a_merged_prompt_has_to_beat_both() -> None:
    trials = [
        BASELINE,
        trial(1, "a", 0.7),
        trial(2, "merge", 0.6, partner=1),
        trial(3, "merge", 0.6, parent=1, partner=0),
    ]
    assert tallies(trials)["merge"].wins == 0
    assert tallies([*trials, trial(4, "merge", 0.71, partner=1)])["merge"].wins == 1


def test_what_was_rejected_or_stopped_is_a_try_without_success() -> None:
    made = tallies([BASELINE, trial(1, "a", None, rejected=True), trial(2, "a", None)])
    assert made == {"a": Tally(tries=2, wins=0, success=0.0)}


def test_the_baseline_is_no_strategys_try() -> None:
    assert tallies([BASELINE]) == {}


def test_the_parent_counts_and_not_the_best() -> None:
    trials = [BASELINE, trial(1, "a", 0.1), trial(2, "b", 0.2, parent=1)]
    assert tallies(trials)["b"].wins == 1


@given(st.lists(st.one_of(st.none(), st.floats(-1, 1)), min_size=1, max_size=8))
def test_success_lies_between_none_and_the_tries_and_grows_with_the_score(scores: list[float | None]) -> None:
    trials = [BASELINE, *(trial(n, "a", score) for n, score in enumerate(scores, start=1))]
    made = tallies(trials)["a"]
    assert 0 <= made.success <= made.tries == len(scores)
    single = {score: tallies([BASELINE, trial(1, "a", score)])["a"].success for score in scores if score is not None}
    in_order = [single[score] for score in sorted(single)]
    assert in_order == sorted(in_order)
    assert made.success == pytest.approx(sum(single.get(score, 0.0) for score in scores))


# Drawing


def test_every_strategy_is_drawn_once_the_highest_draw_first() -> None:
    tally = {"b": Tally(3, 1, 1.5)}
    draws = allocate(["a", "b", "c"], tally, Random(1))
    assert sorted(draw.strategy for draw in draws) == ["a", "b", "c"]
    values = [draw.value for draw in draws]
    assert values == sorted(values, reverse=True)
    assert all(0 <= value <= 1 for value in values)
    assert {draw.strategy: (draw.tries, draw.wins) for draw in draws} == {"a": (0, 0), "b": (3, 1), "c": (0, 0)}


def test_no_strategy_no_draw() -> None:
    assert allocate([], {}, Random(1)) == []


def test_draws_are_seeded() -> None:
    names = list("abcdefgh")
    assert allocate(names, {}, Random(1)) == allocate(names, {}, Random(1))
    assert allocate(names, {}, Random(1)) != allocate(names, {}, Random(2))


def test_without_experience_all_are_equally_likely_to_come_first() -> None:
    """6000 draws of 6: a share is off by 0.024 (five standard errors) once in some hundred thousand runs."""
    random = Random(5)
    first = Counter(allocate(list("abcdef"), {}, random)[0].strategy for _ in range(6000))
    assert all(abs(first[name] / 6000 - 1 / 6) < 0.024 for name in "abcdef")


def simulated(chances: dict[str, float], used: int, iterations: int, seed: int) -> Counter[str]:
    """How often each strategy is used in the second half, when it gains with its chance and else ruins the prompt."""
    random, trials, counted = Random(seed), [BASELINE], Counter[str]()
    for iteration in range(iterations):
        for draw in allocate(list(chances), tallies(trials), random)[:used]:
            score = 0.7 if random.random() < chances[draw.strategy] else 0.3
            trials.append(trial(len(trials), draw.strategy, score))
            counted[draw.strategy] += iteration >= iterations // 2
    return counted


def test_strategies_that_win_are_used_more_often_in_the_long_run() -> None:
    """Two of six are used in each of 40 iterations; by chance alone each would get a third of them."""
    chances = {"good": 0.7, "fair": 0.4, "c": 0.1, "d": 0.1, "e": 0.1, "f": 0.1}
    total = sum((simulated(chances, 2, 40, seed) for seed in range(30)), Counter[str]())
    share = {name: total[name] / (30 * 20) for name in chances}
    assert share["good"] > 0.6
    assert share["good"] > share["fair"] > max(share[name] for name in "cdef")
    assert min(share[name] for name in "cdef") > 0.01, "the others keep a chance"


def test_a_strategy_whose_rewrites_are_always_rejected_falls_back() -> None:
    trials = [BASELINE, *(trial(n, "a", None, rejected=True) for n in range(1, 11))]
    random = Random(3)
    first = Counter(allocate(["a", "b"], tallies(trials), random)[0].strategy for _ in range(1000))
    assert first["a"] < 250


# Assigning them to places


def scene_of(trials: Sequence[Trial]) -> Scene:
    items = {item.id: item for item in ITEMS}

    def errors(of: Trial) -> list[Misjudged]:
        assert of.evaluation is not None
        return list(misjudged(ITEMS, of.evaluation.verdicts, TASK.scale))

    return Scene(TASK, items, Standing(trials, ITEMS, TASK.scale), errors)


def always(name: str, only: Callable[[Situation], bool] = lambda _: True) -> Strategy:
    return Strategy(name, "It rewrites.", "Rewrite it.", only_where=only)


def of_prompt(*prompts: str) -> Callable[[Situation], bool]:
    return lambda situation: situation.prompt in prompts


def names(places: Sequence[Place]) -> list[str]:
    return [place.strategy.name for place in places]


def test_each_applicable_strategy_is_used_once_before_any_is_used_again() -> None:
    strategies = [always(name) for name in "abcd"]
    for seed in range(20):
        used = names(assign(scene_of([BASELINE]), [BASELINE] * 10, strategies, [BASELINE], Random(seed)))
        assert sorted(used[:4]) == sorted(used[4:8]) == list("abcd")
        assert used[:4] == used[4:8], "in the order drawn"
        assert len(set(used[8:])) == 2


def test_the_strategies_that_are_drawn_highest_are_used() -> None:
    strategies = [always(name) for name in "abcdef"]
    trials = [BASELINE, *(trial(n, "a", 0.9) for n in range(1, 40)), *(trial(n, "b", 0.1) for n in range(40, 80))]
    used = Counter(
        name
        for seed in range(60)
        for name in names(assign(scene_of(trials), [BASELINE] * 2, strategies, trials, Random(seed)))
    )
    assert used["a"] > 50
    assert used["b"] < 6


def test_a_strategy_that_does_not_apply_is_never_used() -> None:
    strategies = [*(always(name) for name in "ab"), always("never", lambda _: False)]
    for seed in range(20):
        assert set(names(assign(scene_of([BASELINE]), [BASELINE] * 5, strategies, [BASELINE], Random(seed)))) == {
            "a",
            "b",
        }


def test_where_none_applies_the_place_stays_empty() -> None:
    other = trial(1, "a", 0.4)
    scene = scene_of([BASELINE, other])
    strategies = [always("a", of_prompt("prompt 1"))]
    places = assign(scene, [BASELINE, other, BASELINE], strategies, [BASELINE, other], Random(1))
    assert [(place.number, place.parent.candidate.number) for place in places] == [(1, 1)]
    assert assign(scene, [BASELINE] * 3, strategies, [BASELINE], Random(1)) == []


def test_a_place_says_how_its_strategy_was_drawn() -> None:
    trials = [BASELINE, trial(1, "a", 0.6), trial(2, "a", 0.4)]
    (place,) = assign(scene_of(trials), [BASELINE], [always("a")], trials, Random(1))
    assert (place.draw.strategy, place.draw.tries, place.draw.wins) == ("a", 2, 1)


@settings(deadline=None)
@given(
    fits=st.lists(st.sets(st.integers(0, 2), min_size=1), min_size=1, max_size=5),
    turn=st.lists(st.integers(0, 2), min_size=1, max_size=9),
    seed=st.integers(0, 1000),
)
def test_whatever_applies_to_which_parent_the_least_used_is_used(
    fits: list[set[int]], turn: list[int], seed: int
) -> None:
    """Strategies that apply to some parents only, and parents in any order."""
    trials = [BASELINE, trial(1, "x", 0.4, right=[1]), trial(2, "x", 0.3, right=[2])]
    strategies = [always(f"s{n}", of_prompt(*(f"prompt {p}" for p in each))) for n, each in enumerate(fits)]
    places = assign(scene_of(trials), [trials[number] for number in turn], strategies, trials, Random(seed))
    assert [place.number for place in places] == [
        at for at, number in enumerate(turn) if any(number in each for each in fits)
    ]
    used: Counter[str] = Counter()
    for place in places:
        number = place.parent.candidate.number
        fitting = [f"s{n}" for n, each in enumerate(fits) if number in each]
        assert place.strategy.name in fitting
        assert used[place.strategy.name] == min(used[name] for name in fitting)
        used[place.strategy.name] += 1


# A place of each strategy


def test_the_requests_of_an_iteration_name_the_strategies_drawn() -> None:
    scene = scene_of([BASELINE])
    places = assign(scene, [BASELINE] * 8, STRATEGIES, [BASELINE], Random(2))
    assert [strategy_of(request_of(scene, place, [], [], [])) for place in places] == names(places)


def test_the_built_in_strategies_that_apply_to_a_short_prompt_that_is_too_strict() -> None:
    """Nothing was wrongly accepted, there is one input, no second prompt, and nothing to shorten."""
    places = assign(scene_of([BASELINE]), [BASELINE] * 20, STRATEGIES, [BASELINE], Random(2))
    assert set(names(places)) == {
        "general improvement",
        "fix wrongly rejected",
        "explicit rubric",
        "radical simplification",
        "few-shot from disagreements",
    }


def test_only_a_second_prompt_that_is_right_where_the_parent_is_wrong_is_a_partner() -> None:
    better, apart, within = (
        trial(1, "a", 0.6, right=[0, 1, 2]),
        trial(2, "a", 0.4, right=[3]),
        trial(3, "a", 0.2, right=[1]),
    )
    scene = scene_of([BASELINE, better, apart, within])
    assert scene.partner(better) is apart
    assert scene.partner(apart) is better
    assert scene_of([BASELINE, better, within]).partner(better) is None
    (place,) = assign(scene, [better], [BY_NAME["merge"]], [BASELINE], Random(1))
    assert place.partner is apart
    assert assign(scene_of([better, within]), [better], [BY_NAME["merge"]], [BASELINE], Random(1)) == []


def test_of_partners_that_are_right_on_as_many_the_better_one_is_taken() -> None:
    one, other = trial(1, "a", 0.3, right=[1]), trial(2, "a", 0.4, right=[2])
    assert scene_of([BASELINE, one, other]).partner(BASELINE) is other
