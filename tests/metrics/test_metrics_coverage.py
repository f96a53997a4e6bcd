"""Coverage of the intervals: 0.92 to 0.98 over 2,000 seeded sets in each cell (see coverage_cells).

The strictly perfect and the strictly constant judge stand apart. Sets from a perfect judge never show an error: their
intervals all hold 1.0 or all miss it; coverage is 1 or 0, and must be 1. Sets from a constant judge vary in prevalence
only, while the interval allows for what such sets cannot show: it covers more often than promised.
"""

from __future__ import annotations

import numpy as np
import pytest
from coverage_cells import (
    BINARY,
    EQUAL,
    NOMINAL,
    ORDINAL,
    SKEWED,
    binary_replies,
    coverage,
    joint_population,
    ordinal_replies,
    paired_coverage,
    population,
)
from measured_rows import scores, verdicts

from calibrate.domain import Scale
from calibrate.metrics import align

pytestmark = pytest.mark.slow

JUDGES = {
    "lenient": binary_replies(0.95, 0.10),
    "calibrated": binary_replies(0.90, 0.67),
    "almost perfect": binary_replies(0.97, 0.97),
    "almost constant": binary_replies(0.95, 0.05),
}


@pytest.mark.parametrize("n", [30, 100])
@pytest.mark.parametrize("prevalence", [0.5, 0.7, 0.9])
@pytest.mark.parametrize("judge", JUDGES)
def test_binary(n: int, prevalence: float, judge: str) -> None:
    found = coverage(BINARY, population((1 - prevalence, prevalence), JUDGES[judge]), n, draws=800)
    assert 0.92 <= found.inside <= 0.98, found


@pytest.mark.parametrize("n", [30, 100])
@pytest.mark.parametrize("prevalence", [0.5, 0.9])
@pytest.mark.parametrize("finds_negative", [1.0, 0.0], ids=["perfect", "constant"])
def test_strictly_perfect_and_strictly_constant(n: int, prevalence: float, finds_negative: float) -> None:
    truth = population((1 - prevalence, prevalence), binary_replies(1.0, finds_negative))
    found = coverage(BINARY, truth, n, sets=1000)
    assert found.inside >= 0.92, found
    assert found.width > 0.03


@pytest.mark.parametrize(
    ("scale", "n", "shares", "accuracy"),
    [
        *(
            (scale, 30, shares, a)
            for scale in (ORDINAL, NOMINAL)
            for shares in (EQUAL, SKEWED)
            for a in (0.5, 0.8, 0.95)
        ),
        (ORDINAL, 100, SKEWED, 0.95),
        (NOMINAL, 100, EQUAL, 0.5),
    ],
)
def test_five_by_five(scale: Scale, n: int, shares: tuple[float, ...], accuracy: float) -> None:
    found = coverage(scale, population(shares, ordinal_replies(accuracy)), n, draws=600)
    assert 0.92 <= found.inside <= 0.98, found


@pytest.mark.parametrize("common", [0.0, 0.6])
@pytest.mark.parametrize("better", [binary_replies(0.90, 0.67), binary_replies(0.97, 0.97)], ids=["equal", "better"])
def test_paired_difference_of_two_labels(common: float, better: np.ndarray) -> None:
    truth = joint_population((0.3, 0.7), binary_replies(0.90, 0.67), better, common)
    found = paired_coverage(BINARY, truth, 30, draws=800)
    assert 0.92 <= found.inside <= 0.98, found


@pytest.mark.parametrize(("n", "lowest"), [(30, 0.87), (100, 0.88)])
def test_paired_difference_of_five_labels_with_a_rare_one_is_too_narrow(n: int, lowest: float) -> None:
    """The known limit: with 1 to 5 items of the rarest class no prior tried reaches 0.92 for independent judges."""
    truth = joint_population((0.6, 0.2, 0.1, 0.05, 0.05), ordinal_replies(0.5), ordinal_replies(0.8), 0.0)
    found = paired_coverage(NOMINAL, truth, n, sets=1000, draws=600)
    assert lowest <= found.inside <= 0.98, found


@pytest.mark.parametrize("n", [30, 100])
@pytest.mark.parametrize("noise", [0.1, 0.25, 1.0])
def test_raw_scores(n: int, noise: float) -> None:
    generator = np.random.default_rng(9)
    scale = Scale("interval", threshold=0.5)

    def population_of(size: int) -> tuple[np.ndarray, np.ndarray]:
        human = generator.beta(2, 1, size)
        return human, np.clip(human + noise * generator.standard_normal(size), 0, 1)

    truth = _raw_alignment(*population_of(200_000), scale)
    held = []
    for seed in range(300):
        human, judge = population_of(n)
        found = align(scores(human.tolist()), verdicts(scores(judge.tolist())), scale, draws=400, seed=seed).alignment
        if found.low is not None and found.high is not None:
            held.append(found.low <= truth <= found.high)
    assert 0.90 <= np.mean(held) <= 0.99


@pytest.mark.parametrize("groups", [15, 40])
def test_groups(groups: int) -> None:
    """Documents of five items whose prevalence and difficulty vary; taking rows as independent covers .85."""
    generator = np.random.default_rng(11)
    truth = 0.7484  # of a judge that finds 90 % of positives and 67 % of negatives at a prevalence of 0.7
    held = []
    for seed in range(300):
        human, judge, names = [], [], []
        for document in range(groups):
            share, finds, spares = (generator.beta(m * 7 / 3, (1 - m) * 7 / 3) for m in (0.7, 0.9, 0.67))
            for _ in range(5):
                positive = generator.random() < share
                said = generator.random() < (finds if positive else 1 - spares)
                human.append(str(int(positive)))
                judge.append(str(int(said)))
                names.append(str(document))
        found = align(human, verdicts(judge), BINARY, groups=names, draws=600, seed=seed).alignment
        if found.low is not None and found.high is not None:
            held.append(found.low <= truth <= found.high)
    assert 0.89 <= np.mean(held) <= 0.98


def _raw_alignment(human: np.ndarray, judge: np.ndarray, scale: Scale) -> float:
    value = align(scores(human.tolist()), verdicts(scores(judge.tolist())), scale, intervals=False).alignment.value
    assert value is not None
    return value
