"""Racing: the test is exact, a candidate that is no worse is stopped at most as often as stated, and what is saved."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, hypergeom

from calibrate.domain import Scale, Scored, Unscored, Verdict
from calibrate.errors import InputError
from calibrate.optimizer.objective import Objective
from calibrate.optimizer.racing import ERROR, beaten, raced, random_order, refuse_racing

BINARY = Scale("binary", ("0", "1"), positive="1")
NOMINAL = Scale("nominal", ("billing", "shipping", "other"))
PAIRWISE = Scale("pairwise", ("A", "B", "tie"))
ORDINAL = Scale("ordinal", ("1", "2", "3"))
INTERVAL = Scale("interval", threshold=0.5)
LOOKS = 4


def by_definition(wins: int, losses: int, remaining: int) -> float:
    """The largest tail over all numbers of discordant items there can be."""
    seen = wins + losses
    totals = range(seen, seen + remaining + 1)
    if seen == 0:
        return 1.0  # nothing won of nothing
    return max(float(hypergeom.cdf(wins, total, -(-total // 2), seen)) for total in totals)


# The test


@pytest.mark.parametrize(
    ("wins", "losses", "remaining", "p"),
    [
        (0, 1, 0, 0.0),  # all seen, and lost
        (1, 1, 0, 1.0),
        (0, 0, 10, 1.0),
        (0, 2, 2, 1 / 6),  # 2 and 2 among 4: one in six pairs are both losses
        (0, 2, 3, 1 / 6),  # of 5 the candidate would have won 3
        (0, 3, 2, 0.0),  # the rest cannot make up for it
        (2, 14, 10_000, 0.00209),  # binomial(16, 1/2): (1 + 16 + 120) / 65536
    ],
)
def test_worked_values(wins: int, losses: int, remaining: int, p: float) -> None:
    assert beaten(wins, losses, remaining) == pytest.approx(p, abs=2e-5)


@given(st.integers(0, 14), st.integers(0, 14), st.integers(0, 40))
def test_p_is_the_largest_over_the_discordant_items_there_can_be(wins: int, losses: int, remaining: int) -> None:
    assert beaten(wins, losses, remaining) == pytest.approx(by_definition(wins, losses, remaining), abs=1e-9)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 200))
def test_p_grows_with_what_remains_up_to_the_binomial(wins: int, losses: int, remaining: int) -> None:
    p = beaten(wins, losses, remaining)
    assert p <= beaten(wins, losses, remaining + 1) + 1e-12
    if wins < losses:
        assert p <= float(binom.cdf(wins, wins + losses, 0.5)) + 1e-12
        assert (p == 0) == (losses > wins + remaining)


def test_thousands_of_items() -> None:
    assert beaten(400, 600, 4000) == pytest.approx(float(hypergeom.cdf(400, 5000, 2500, 1000)), rel=1e-9)


# What is said


def verdicts(right: Sequence[bool | None]) -> list[Verdict | None]:
    return [None if each is None else Scored("1") if each else Scored("0") for each in right]


def test_the_reason_names_what_was_won_and_lost() -> None:
    labels = ["1"] * 100
    incumbent: list[Verdict] = [Unscored("refused")] * 2 + [Scored("1")] * 98
    seen = [True] * 2 + [False] * 14 + [True] * 24
    found = raced(labels, incumbent, verdicts([*seen, *[None] * 60]), looks=LOOKS)
    assert found == "stopped after 40 of 100 items: 2 won and 14 lost against the best (p = 0.001; error rate 0.05)"
    assert raced(labels, incumbent, verdicts([*seen, *[None] * 60]), looks=100) == ""
    assert raced(labels, incumbent, verdicts([*seen, *[False] * 60]), looks=LOOKS) == ""  # all is known


def test_an_unscored_verdict_is_lost_where_the_incumbent_agrees() -> None:
    labels = ["1"] * 50
    incumbent: list[Verdict] = [Scored("1")] * 50
    unscored: list[Verdict | None] = [Unscored("abstained")] * 20 + [None] * 30
    found = raced(labels, incumbent, unscored, looks=LOOKS)
    assert found == "stopped after 20 of 50 items: 0 won and 20 lost against the best (p < 0.001; error rate 0.05)"
    assert raced(labels, [Unscored("error")] * 50, unscored, looks=LOOKS) == ""


def test_orders_are_permutations_and_differ_by_candidate() -> None:
    assert sorted(random_order(50, 3)) == list(range(50))
    assert random_order(50, 3) == random_order(50, 3)
    assert random_order(50, (3, 1)) != random_order(50, (3, 2))


# What is refused


@pytest.mark.parametrize("scale", [BINARY, NOMINAL, PAIRWISE], ids=lambda scale: scale.kind)
@pytest.mark.parametrize("text", ["alignment", "accuracy", "0.5*alignment + 0.5*cohen_kappa", "f1"])
def test_agreement_is_raced_for(scale: Scale, text: str) -> None:
    refuse_racing(scale, Objective.parse(text, scale=scale))


@pytest.mark.parametrize(
    ("scale", "text", "constraint", "why"),
    [
        (ORDINAL, "alignment", "", "on a scale of kind ordinal it matters also by how much it is off"),
        (INTERVAL, "alignment", "", "on a scale of kind interval"),
        (BINARY, "pareto", "", "pareto needs every candidate's alignment"),
        (BINARY, "accuracy", "f1>=0.5", "can agree less often and alone meet the constraint"),
        (BINARY, "0.5*alignment + 0.5*recall:0", "", "can agree less often and have the higher recall:0"),
        (NOMINAL, "precision", "", "have the higher precision"),
    ],
)
def test_what_agreement_does_not_settle(scale: Scale, text: str, constraint: str, why: str) -> None:
    with pytest.raises(InputError, match="racing tests how often a candidate agrees with the experts") as found:
        refuse_racing(scale, Objective.parse(text, constraint, scale=scale))
    assert why in str(found.value)


# The error rate


@cache
def p_of(wins: int, losses: int, remaining: int) -> float:
    return beaten(wins, losses, remaining)


def race(n: int, won: int, lost: int, looks: int, seeds: int, first: int = 0) -> tuple[float, float]:
    """The share of seeds in which the candidate is stopped, and the mean share of items that are not judged."""
    outcome = np.array([1] * won + [-1] * lost + [0] * (n - won - lost))
    ends = [n * (look + 1) // (looks + 1) for look in range(looks)]
    stopped, saved = 0, 0
    for seed in range(first, first + seeds):
        drawn = outcome[random_order(n, seed)]
        wins, losses = np.cumsum(drawn == 1), np.cumsum(drawn == -1)
        for end in ends:
            if p_of(int(wins[end - 1]), int(losses[end - 1]), n - end) <= ERROR / looks:
                stopped, saved = stopped + 1, saved + n - end
                break
    return stopped / seeds, saved / (seeds * n)


def test_the_looks_of_the_simulation_are_those_of_the_module() -> None:
    """The same seeds, judged item by item through ``raced``."""
    n, won, lost = 60, 6, 24
    labels, right = ["1"] * n, [True] * won + [False] * lost + [True] * (n - won - lost)
    incumbent = [Scored("0")] * won + [Scored("1")] * (n - won)
    ends = [n * (look + 1) // (LOOKS + 1) for look in range(LOOKS)]
    stopped = 0
    for seed in range(100):
        order = random_order(n, seed)
        known = [
            raced(
                labels,
                incumbent,
                verdicts([each if at in order[:end] else None for at, each in enumerate(right)]),
                looks=LOOKS,
            )
            for end in ends
        ]
        stopped += any(known)
    assert stopped / 100 == race(n, won, lost, LOOKS, 100)[0] > 0.5


@pytest.mark.slow
def test_a_candidate_that_agrees_as_often_is_stopped_at_most_at_the_error_rate() -> None:
    seeds, found = 4000, {}
    for n, half in [(30, 15), (50, 25), (100, 50), (100, 20), (100, 5), (200, 100), (200, 30), (500, 250)]:
        for looks in (1, 4, 9):
            found[n, half, looks], _ = race(n, half, half, looks, seeds)
    for n, won, lost in [(50, 20, 19), (100, 30, 28), (200, 60, 50)]:
        found[n, won, LOOKS], _ = race(n, won, lost, LOOKS, seeds)
    print()
    for (n, half, looks), share in found.items():
        print(f"{n} items, {half} won, {looks} looks: stopped {share:.4f}")
    tolerance = 4 * (ERROR * (1 - ERROR) / seeds) ** 0.5
    assert max(found.values()) <= ERROR + tolerance
    assert max(found.values()) > ERROR / 4  # the test has power: it is no test that never stops


@pytest.mark.slow
def test_a_candidate_that_is_much_worse_is_stopped_early() -> None:
    found = {(n, won, lost): race(n, won, lost, LOOKS, 1000) for n in (50, 100, 200, 400) for won, lost in _worse(n)}
    print()
    for (n, won, lost), (stopped, saved) in found.items():
        print(f"{n} items, {won} won and {lost} lost: stopped {stopped:.3f}, calls saved {saved:.3f}")
    for (n, won, lost), (_, saved) in found.items():
        assert n < 100 or lost - won < 0.3 * n or saved > 0.3
    for one, other in pairwise(found[n, n // 20, n // 20 + n * 3 // 10][1] for n in (50, 100, 200, 400)):
        assert one < other


def _worse(n: int) -> list[tuple[int, int]]:
    return [(n // 20, n // 20 + n * worse // 10) for worse in (1, 2, 3, 5)]
