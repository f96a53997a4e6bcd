"""What a judge may decide alone: the share of items whose error is guaranteed."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from measured_rows import BINARY, ORDINAL, verdicts
from scipy.stats import beta

from calibrate.domain import Scale, Scored, Unscored, Verdict
from calibrate.errors import InputError
from calibrate.metrics import Automation, safe_automation
from calibrate.metrics.automation import JUDGED

RAW = Scale("interval", threshold=0.5, low=0.0, high=1.0)


def judge(confidence: np.ndarray, wrong: np.ndarray) -> tuple[list[str], list[Verdict]]:
    """Gold of label 1, and verdicts that are right or wrong."""
    said = [Scored("0" if bad else "1", confidence=float(c)) for c, bad in zip(confidence, wrong, strict=True)]
    return ["1"] * len(said), [*said]


def automated(confidence: np.ndarray, wrong: np.ndarray, max_error: float = 0.05) -> Automation:
    return safe_automation(*judge(confidence, wrong), BINARY, max_error=max_error)


def falling(n: int) -> np.ndarray:
    return np.linspace(0.99, 0.5, n)


def test_59_right_decisions_are_just_enough() -> None:
    enough = automated(falling(59), np.zeros(59, dtype=bool))
    assert (enough.threshold, enough.decisions, enough.errors, enough.share) == (pytest.approx(0.5), 59, 0, 1.0)
    assert enough.upper == pytest.approx(1 - 0.05 ** (1 / 59))
    assert enough.upper is not None
    assert enough.upper <= 0.05
    few = automated(falling(58), np.zeros(58, dtype=bool))
    assert (few.needs, few.has, few.threshold, few.share) == (59, 58, None, None)
    assert "needs 59 decisions, has 58" in few.sentence
    assert automated(falling(299), np.zeros(299, dtype=bool), 0.01).needs == 299


def test_one_walk_ends_at_the_first_failure() -> None:
    """With fewer than 197 items there is one start, at 59: errors from the 71st on let it walk to 70 and no further."""
    wrong = np.zeros(100, dtype=bool)
    wrong[70:] = True
    found = automated(falling(100), wrong)
    assert (found.decisions, found.errors, found.share) == (70, 0, 0.7)
    assert found.threshold == pytest.approx(falling(100)[69])
    wrong[0] = True
    stopped = automated(falling(100), wrong)
    assert (stopped.decisions, stopped.share, stopped.threshold, stopped.upper) == (0, 0.0, None, None)
    assert "At no confidence" in stopped.sentence


def test_an_error_among_the_surest_does_not_end_it() -> None:
    """600 items, errors on the surest one and on the last 150: a later start still reaches most of the rest."""
    wrong = np.zeros(600, dtype=bool)
    wrong[[0, 3]] = True
    wrong[450:] = np.arange(150) % 2 == 0
    found = automated(falling(600), wrong)
    assert found.share is not None
    assert 0.7 < found.share < 0.8
    assert found.upper is not None
    expected = float(beta.ppf(0.99, found.errors + 1, found.decisions - found.errors))
    assert float(beta.ppf(0.95, found.errors + 1, found.decisions - found.errors)) <= found.upper <= expected + 1e-9


def test_equal_confidences_stay_together() -> None:
    confidence = np.repeat([1.0, 0.9, 0.8], [80, 40, 60])
    wrong = np.zeros(180, dtype=bool)
    wrong[81:120:2] = True
    found = automated(confidence, wrong)
    assert (found.threshold, found.decisions) == (1.0, 80)
    assert automated(np.full(100, 0.9), np.arange(100) < 50).threshold is None


def test_unscored_verdicts_and_those_without_confidence_are_never_automated() -> None:
    human, said = judge(falling(60), np.zeros(60, dtype=bool))
    found = safe_automation([*human, "1", "1", None], [*said, Unscored("refused"), Scored("1"), said[0]], BINARY)
    assert (found.n, found.has, found.decisions, found.share) == (62, 60, 60, 60 / 62)


def test_why_nothing_can_be_tested() -> None:
    assert safe_automation(["1"] * 80, verdicts(["1"] * 80), BINARY).reason == "no_confidence"
    assert safe_automation([None], [Scored("1", confidence=1.0)], BINARY).reason == "no_items"
    no_threshold = safe_automation(["0.5"] * 80, [Scored("0.5", confidence=0.9)] * 80, Scale("interval"))
    assert (no_threshold.reason, no_threshold.share) == ("no_threshold", None)
    for each in (no_threshold, automated(falling(80), np.zeros(80, dtype=bool))):
        json.dumps(each.to_json(), allow_nan=False)
    with pytest.raises(InputError, match="between 0 and 1"):
        safe_automation(["1"], verdicts(["1"]), BINARY, max_error=0.0)
    with pytest.raises(InputError, match="one a row"):
        safe_automation(["1"], verdicts(["1"]), BINARY, slices={"topic": []})


def test_scores_are_right_on_their_side_and_levels_when_exact() -> None:
    scored = safe_automation(["0.9"] * 60, [Scored("0.6", confidence=0.9)] * 60, RAW)
    assert (scored.decisions, scored.errors) == (60, 0)
    near = safe_automation(["4"] * 60, [Scored("5", confidence=0.9)] * 60, ORDINAL)
    assert near.threshold is None


def test_worst_slice_is_the_one_surest_to_err_most() -> None:
    wrong = np.zeros(400, dtype=bool)
    wrong[20:24] = wrong[300] = True
    topics = ["law" if 10 <= at < 30 else "lone" if at == 300 else "other" for at in range(400)]
    human, said = judge(falling(400), wrong)
    found = safe_automation(human, said, BINARY, slices={"topic": topics, "empty": [None] * 400}).worst
    assert found is not None
    # Everything judged 0 is wrong: five of five are surer to err than one of one or four of twenty.
    assert (found.column, found.value, found.decisions, found.errors) == (JUDGED, "0", 5, 5)
    assert found.error.high == 1.0
    flipped = [Scored("1" if at < 200 else "0", confidence=float(c)) for at, c in enumerate(falling(400))]
    gold = [("0" if bad else "1") if at < 200 else ("1" if bad else "0") for at, bad in enumerate(wrong)]
    found = safe_automation(gold, flipped, BINARY, slices={"topic": topics}).worst
    assert found is not None
    assert (found.column, found.value, found.decisions, found.errors) == ("topic", "lone", 1, 1)


@given(st.integers(59, 400), st.integers(0, 2**32 - 1), st.sampled_from([0.01, 0.03, 0.1]))
def test_what_is_automated_is_what_its_threshold_says(n: int, seed: int, error: float) -> None:
    generator = np.random.default_rng(seed)
    confidence, wrong = generator.integers(0, 50, n) / 50, generator.random(n) < error
    found = automated(confidence, wrong)
    if found.threshold is None:
        assert found.decisions == 0
        return
    inside = confidence >= found.threshold
    assert (found.decisions, found.errors) == (inside.sum(), wrong[inside].sum())
    assert found.upper is not None
    assert found.errors / found.decisions < found.upper <= 0.05 + 1e-12


def flat(confidence: np.ndarray) -> np.ndarray:
    return np.full(confidence.shape, 0.0500001)


def limit_among_the_surest(confidence: np.ndarray) -> np.ndarray:
    return np.where(confidence > 0.5, 0.0500001, 0.3)


def crossing(confidence: np.ndarray) -> np.ndarray:
    return 0.2 * (1 - confidence)


@pytest.mark.slow
@pytest.mark.parametrize("levels", [0, 5], ids=["any confidence", "five confidences"])
@pytest.mark.parametrize("n", [60, 100, 250, 600])
@pytest.mark.parametrize("error", [flat, limit_among_the_surest, crossing])
def test_a_guarantee_is_rarely_wrong(error: Callable[[np.ndarray], np.ndarray], n: int, levels: int) -> None:
    """In 3,000 worlds the true error above the threshold exceeds the limit in at most 5 %, plus three errors."""
    generator = np.random.default_rng(11)
    large = generator.random(200_000)
    large = np.ceil(large * levels) / levels if levels else large
    broken = 0
    for _ in range(3000):
        confidence = generator.random(n)
        confidence = np.ceil(confidence * levels) / levels if levels else confidence
        found = automated(confidence, generator.random(n) < error(confidence))
        if found.threshold is not None:
            above = large[large >= found.threshold]
            broken += error(above).mean() > 0.05
    assert broken / 3000 <= 0.062


@pytest.mark.slow
def test_a_good_judge_has_most_automated() -> None:
    """An error of 2 % throughout: with 800 items nearly all, where a single walk automates 14 % on average."""
    generator = np.random.default_rng(1)
    shares = [automated(falling(800), generator.random(800) < 0.02).share or 0.0 for _ in range(300)]
    assert np.mean(shares) > 0.95
