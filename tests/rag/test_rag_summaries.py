from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rag.factories import figure

from calibrate.metrics import wilson
from calibrate.rag.summaries import mean_interval, summarise

Draw = Callable[[np.random.Generator, int], np.ndarray]


def test_shares_of_0_and_1_have_wilsons_interval() -> None:
    found = summarise(figure("hit_rate@5", [1, 1, 0, 1], left_out={"x": "no_output", "y": "no_output"}, judge=None))
    ends = wilson(3, 4)
    assert ends is not None
    assert (found.value, found.low, found.high, found.n) == (0.75, ends.low, ends.high, 4)
    assert found.left_out == {"no_output": 2}


def test_nothing_has_no_value_and_no_interval() -> None:
    found = summarise(figure("faithfulness", [], left_out={"q": "no_claims"}, judge="claim_support"))
    assert (found.value, found.low, found.high, found.n) == (None, None, None, 0)
    assert found.judge == "claim_support"
    assert found.to_json()["left_out"] == {"no_claims": 1}


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_the_interval_of_a_share_holds_the_mean_and_stays_within_0_and_1(values: list[float]) -> None:
    found = summarise(figure("faithfulness", values), draws=200)
    assert found.low is not None
    assert found.high is not None
    assert found.value == pytest.approx(sum(values) / len(values))
    assert -1e-9 <= found.low <= found.value + 1e-9
    assert found.value - 1e-9 <= found.high <= 1 + 1e-9


def test_thirty_equal_shares_do_not_prove_the_thirty_first() -> None:
    found = summarise(figure("faithfulness", [0.5] * 30))
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.49 < 0.51 < found.high


def test_amounts_are_not_bounded_by_1() -> None:
    values = [0.2, 0.3, 0.5, 0.4, 3.0, 0.3, 0.2, 0.6]
    found = summarise(figure("latency", values, higher_is_better=False))
    assert found.high is not None
    assert found.high > 1
    cheap = summarise(figure("cost", [value / 1000 for value in values], higher_is_better=False))
    assert cheap.high == pytest.approx(found.high / 1000)


def test_amounts_that_hardly_differ_have_no_interval() -> None:
    found = summarise(figure("context_chunks", [5.0] * 28 + [4.0] * 2))
    assert (found.low, found.high) == (None, None)


def test_the_order_of_the_questions_does_not_matter() -> None:
    values = {"b": 0.1, "a": 0.7, "c": 1.0}
    assert summarise(figure("mrr", values)) == summarise(figure("mrr", dict(sorted(values.items()))))


def discrete(values: list[float], shares: list[float]) -> tuple[Draw, float]:
    return lambda generator, n: generator.choice(values, size=n, p=shares), float(np.dot(values, shares))


SHARES: dict[str, tuple[Draw, float]] = {
    "most are 1": discrete([1, 0.5, 0], [0.85, 0.1, 0.05]),
    "one in twenty is half": discrete([1, 0.5], [0.95, 0.05]),
    "claims": discrete([1, 0.8, 0.5, 0], [0.7, 0.15, 0.1, 0.05]),
    "all over": discrete([1, 0.5, 0], [0.4, 0.3, 0.3]),
    "reciprocal ranks": discrete([1, 0.5, 1 / 3, 0.1, 0.02], [0.5, 0.2, 0.1, 0.1, 0.1]),
    "skewed to 1": (lambda generator, n: generator.beta(8, 1, size=n), 8 / 9),
    "skewed to 0": (lambda generator, n: generator.beta(0.5, 5, size=n), 0.5 / 5.5),
}
AMOUNTS: dict[str, tuple[Draw, float]] = {
    "skewed": (lambda generator, n: generator.lognormal(0, 0.8, size=n), float(np.exp(0.32))),
    "even": (lambda generator, n: generator.normal(100, 20, size=n), 100.0),
}


def coverage(draw: Draw, mean: float, n: int, *, share: bool) -> float:
    generator = np.random.default_rng(n)
    held = 0
    for _ in range(1000):
        ends = mean_interval(draw(generator, n).astype(float), generator, share=share, draws=600)
        held += ends is not None and ends.low <= mean <= ends.high
    return held / 1000


@pytest.mark.slow
@pytest.mark.parametrize("n", [10, 30, 100])
@pytest.mark.parametrize("world", SHARES)
def test_intervals_of_shares_hold_the_truth_as_often_as_they_say(world: str, n: int) -> None:
    draw, mean = SHARES[world]
    assert coverage(draw, mean, n, share=True) >= 0.93


@pytest.mark.slow
@pytest.mark.parametrize("n", [30, 100])
@pytest.mark.parametrize("world", AMOUNTS)
def test_intervals_of_amounts_hold_the_truth_as_often_as_they_say(world: str, n: int) -> None:
    draw, mean = AMOUNTS[world]
    assert 0.91 <= coverage(draw, mean, n, share=False) <= 0.98
