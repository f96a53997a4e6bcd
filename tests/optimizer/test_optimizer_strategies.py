"""The strategies that come with the program: what each needs to be used, and which errors it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.domain import Item, Scored
from calibrate.optimizer import STRATEGIES, Misjudged, Strategy
from calibrate.optimizer.strategies import LENGTHY, Situation
from calibrate.optimizer.user_strategies import ERROR_KINDS, MAX_NAME

BY_NAME = {strategy.name: strategy for strategy in STRATEGIES}
ANYTHING = Situation((), "x" * LENGTHY, ("question", "answer"), has_partner=True, has_examples=True)

TOO_LENIENT = ("wrongly accepted", "over-scored")
TOO_STRICT = ("wrongly rejected", "under-scored")
ONLY_FOR = {
    "fix wrongly rejected": TOO_STRICT,
    "fix wrongly accepted": TOO_LENIENT,
    "claim enumeration": TOO_LENIENT,
    "entity attribution": TOO_LENIENT,
}


def errors(*kinds: str) -> list[Misjudged]:
    """Errors of these kinds, with the ids 0, 1, ..."""
    items = [Item(str(number), "quality", {"answer": "text"}, "0") for number in range(len(kinds))]
    return [Misjudged(item, Scored("1"), kind) for item, kind in zip(items, kinds, strict=True)]


def ids(chosen: Sequence[Misjudged]) -> list[str]:
    return [error.item.id for error in chosen]


def used(situation: Situation) -> set[str]:
    return {strategy.name for strategy in STRATEGIES if strategy.applies(situation)}


def test_their_names() -> None:
    assert [strategy.name for strategy in STRATEGIES] == [
        "general improvement",
        "fix wrongly rejected",
        "fix wrongly accepted",
        "explicit rubric",
        "radical simplification",
        "claim enumeration",
        "entity attribution",
        "evidence quoting",
        "few-shot from disagreements",
        "merge",
        "shorten",
    ]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_each_is_described_and_keeps_the_rules_of_a_users_own(strategy: Strategy) -> None:
    assert strategy.description.endswith(".")
    assert "\n" not in strategy.description
    assert len(strategy.name) <= MAX_NAME
    assert strategy.name == " ".join(strategy.name.split())
    assert len(strategy.request) > 50
    assert "</" not in strategy.request


# When they are used


@pytest.mark.parametrize("kind", ERROR_KINDS)
def test_a_strategy_for_some_kinds_of_errors_is_used_while_there_are_such(kind: str) -> None:
    situation = replace(ANYTHING, errors=errors(kind))
    assert used(situation) == {name for name in BY_NAME if kind in ONLY_FOR.get(name, (kind,))}


def test_without_errors_the_others_remain() -> None:
    assert used(ANYTHING) == set(BY_NAME) - set(ONLY_FOR)


@pytest.mark.parametrize(
    ("missing", "unused"),
    [
        ({"has_partner": False}, "merge"),
        ({"has_examples": False}, "few-shot from disagreements"),
        ({"inputs": ("answer",)}, "evidence quoting"),
        ({"prompt": "x" * (LENGTHY - 1)}, "shorten"),
    ],
    ids=["no partner", "no examples", "one input", "a short prompt"],
)
def test_a_strategy_without_what_it_works_on_is_not_used(missing: dict[str, object], unused: str) -> None:
    situation = replace(ANYTHING, errors=errors(*ERROR_KINDS))
    assert used(situation) == set(BY_NAME)
    assert used(replace(situation, **missing)) == set(BY_NAME) - {unused}


def test_what_they_bring_and_keep() -> None:
    assert {strategy.name: strategy.brings for strategy in STRATEGIES if strategy.brings != "nothing"} == {
        "few-shot from disagreements": "examples",
        "merge": "partner",
    }
    assert [strategy.name for strategy in STRATEGIES if not strategy.keeps_examples] == ["radical simplification"]


# What they are shown


def test_errors_are_taken_from_the_patterns_in_turn() -> None:
    a, b, c, d, e, f = errors(*["unscored"] * 6)
    chosen = BY_NAME["general improvement"].choose([[a, b, c], [d], [e, f]], 5)
    assert ids(chosen) == ["0", "3", "4", "1", "5"]


def test_a_strategys_own_kinds_come_first_and_the_others_fill_up() -> None:
    a, b, c, d, e = errors("wrongly accepted", "wrongly rejected", "unscored", "wrongly rejected", "wrongly accepted")
    groups = [[a, b, c], [d, e]]
    shown = {name: ids(BY_NAME[name].choose(groups, 4)) for name in ("explicit rubric", *ONLY_FOR)}
    assert shown == {
        "explicit rubric": ["0", "3", "1", "4"],
        "fix wrongly rejected": ["3", "1", "0", "4"],
        "fix wrongly accepted": ["0", "4", "3", "1"],
        "claim enumeration": ["0", "4", "3", "1"],
        "entity attribution": ["0", "4", "3", "1"],
    }


@given(
    kinds=st.lists(st.lists(st.sampled_from(ERROR_KINDS), max_size=5), max_size=4),
    limit=st.integers(0, 30),
    strategy=st.sampled_from(STRATEGIES),
)
def test_no_error_is_shown_twice_or_left_out_while_there_is_room(
    kinds: list[list[str]], limit: int, strategy: Strategy
) -> None:
    every = errors(*(kind for group in kinds for kind in group))
    rest = iter(every)
    groups = [[next(rest) for _ in group] for group in kinds]
    chosen = strategy.choose(groups, limit)
    assert len(set(ids(chosen))) == len(chosen) == min(limit, len(every))
    own = [error.kind in strategy.evidence for error in chosen]
    assert own == sorted(own, reverse=True), "an error of another kind stands before one of its own"
    assert sum(own) == min(limit, sum(error.kind in strategy.evidence for error in every))
