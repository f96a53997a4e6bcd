"""Cheap judges first: thresholds chosen on other items, disagreement, and what it costs."""

from __future__ import annotations

import json
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from measured_rows import BINARY, ORDINAL, scores, verdicts

from calibrate.domain import Scale, Scored, Unscored, Verdict
from calibrate.errors import InputError
from calibrate.metrics import alignment_value, cascade_cost, confidence_cascade, disagreement_cascade
from calibrate.metrics.folds import deal_folds
from calibrate.metrics.pairing import pair

RAW = Scale("interval", threshold=0.5, low=0.0, high=1.0)


def world(n: int, seed: int = 0) -> tuple[list[str], list[Verdict], list[Verdict]]:
    """A cheap judge that errs where it is unsure, and an expensive one that errs on 3 %."""
    generator = np.random.default_rng(seed)
    human = generator.random(n) < 0.5
    sure = generator.random(n)
    cheap = np.where(generator.random(n) < np.where(sure < 0.4, 0.45, 0.02), ~human, human)
    dear = np.where(generator.random(n) < 0.03, ~human, human)
    told = [Scored(str(int(each)), confidence=float(c)) for each, c in zip(cheap, sure, strict=True)]
    return [str(int(each)) for each in human], told, verdicts([str(int(each)) for each in dear])


def test_it_escalates_where_the_cheap_judge_is_unsure_and_keeps_the_alignment() -> None:
    human, cheap, dear = world(400)
    found = confidence_cascade(human, cheap, dear, BINARY)
    assert found.share is not None
    assert 0.3 < found.share < 0.75
    assert found.threshold is not None
    assert 0.3 < found.threshold < 0.75
    reached, alone = (alignment_value(human, each, BINARY) for each in (found.verdicts, dear))
    assert reached > alone - 0.03
    assert reached > alignment_value(human, cheap, BINARY) + 0.15
    for row, escalated in enumerate(found.escalated):
        assert found.verdicts[row] is (dear[row] if escalated else cheap[row])
    assert len(found.fold_thresholds) == 5
    json.dumps(found.to_json(), allow_nan=False)


def test_threshold_is_the_lowest_that_keeps_what_the_expensive_judge_reaches() -> None:
    """By hand: the cheap judge errs at confidence .2 and .4 only, and the expensive one never."""
    human = ["1", "0"] * 5
    wrong = {0: "0", 3: "1"}
    confidence = [0.2, 0.3, 0.5, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0]
    cheap = [Scored(wrong.get(at, human[at]), confidence=confidence[at]) for at in range(10)]
    found = confidence_cascade(human, cheap, verdicts(human), BINARY, give_up=0)
    assert found.threshold == 0.5
    one_error = alignment_value(human, [*verdicts(human[:3]), cheap[3], *verdicts(human[4:])], BINARY)
    lenient = confidence_cascade(human, cheap, verdicts(human), BINARY, give_up=1 - one_error)
    assert lenient.threshold == 0.3


def test_thresholds_of_a_fold_are_chosen_without_it() -> None:
    human, cheap, dear = world(100, seed=2)
    found = confidence_cascade(human, cheap, dear, BINARY, seed=3)
    fold = deal_folds(pair(human, cheap, BINARY), None, 5, 3)
    for left_out in range(5):
        for row in np.flatnonzero(fold == left_out):
            threshold = found.fold_thresholds[left_out]
            cheap_verdict = cheap[row]
            assert isinstance(cheap_verdict, Scored)
            assert found.escalated[row] == (threshold is None or (cheap_verdict.confidence or 0) < threshold)
        rest = [row for row in range(100) if fold[row] != left_out]
        alone = confidence_cascade(*([each[row] for row in rest] for each in (human, cheap, dear)), BINARY)
        assert alone.threshold == found.fold_thresholds[left_out]


def test_a_cheap_judge_that_is_never_good_enough_has_everything_escalated() -> None:
    human, _, dear = world(60)
    wrong = [Scored("1" if each == "0" else "0", confidence=0.9) for each in human]
    found = confidence_cascade(human, wrong, dear, BINARY)
    assert (found.threshold, found.share) == (None, 1.0)
    silent = confidence_cascade(human, verdicts(human), dear, BINARY)
    assert (silent.threshold, silent.share) == (None, 1.0)
    one_class = confidence_cascade(["1"] * 10, wrong[:10], dear[:10], BINARY)
    assert (one_class.threshold, one_class.share) == (None, 1.0)


def test_unscored_cheap_verdicts_escalate_and_the_last_judge_decides() -> None:
    human, cheap, dear = world(80)
    cheap[5], dear[5] = Unscored("refused"), Unscored("error")
    cheap[6] = Scored(human[6])
    found = confidence_cascade(human, cheap, dear, BINARY)
    assert found.escalated[5:7] == (True, True)
    assert found.verdicts[5] == Unscored("error")
    assert found.verdicts[6] is dear[6]


def test_rows_without_gold_use_the_threshold_for_use() -> None:
    human, cheap, dear = world(100)
    found = confidence_cascade(
        [*human, None, None], [*cheap, Scored("1", "", 0.01), Scored("1", "", 1.0)], dear + dear[:2], BINARY
    )
    assert found.escalated[100:] == (True, False)


@pytest.mark.parametrize("scale", [ORDINAL, RAW], ids=["ordinal", "raw scores"])
def test_other_scales(scale: Scale) -> None:
    generator = np.random.default_rng(1)
    human, guess, sure = generator.random((3, 60))
    given = np.where(sure < 0.5, guess, human)

    def said(values: np.ndarray) -> list[str]:
        return scores(values.tolist()) if scale is RAW else [str(1 + int(each * 5)) for each in values]

    cheap = [Scored(each, confidence=float(c)) for each, c in zip(said(given), sure, strict=True)]
    found = confidence_cascade(said(human), cheap, verdicts(said(human)), scale)
    assert found.share is not None
    assert 0.35 < found.share < 0.6


def test_two_judges_that_disagree_ask_a_third() -> None:
    first, second, third = verdicts(["1", "0", None, "1"]), verdicts(["1", "1", "1", None]), verdicts(["0"] * 4)
    found = disagreement_cascade(first, second, third, BINARY)
    assert found.escalated == (False, True, True, True)
    assert [each.label for each in found.verdicts if isinstance(each, Scored)] == ["1", "0", "0", "0"]
    assert found.share == 0.75
    raw = disagreement_cascade(verdicts(["0.6", "0.4"]), verdicts(["0.9", "0.6"]), verdicts(["0.1", "0.1"]), RAW)
    assert raw.escalated == (False, True)
    json.dumps(found.to_json(), allow_nan=False)


def test_what_cascades_refuse() -> None:
    one, two = verdicts(["1"]), verdicts(["1", "0"])
    with pytest.raises(InputError, match="same rows"):
        disagreement_cascade(one, two, two, BINARY)
    with pytest.raises(InputError, match="threshold"):
        disagreement_cascade(two, two, two, Scale("interval"))
    with pytest.raises(InputError, match="same rows"):
        confidence_cascade(["1", "0"], two, one, BINARY)
    with pytest.raises(InputError, match="0 or more"):
        confidence_cascade(["1", "0"], two, two, BINARY, give_up=-1)


@given(st.floats(0, 10), st.floats(0, 10), st.floats(0, 1))
def test_cost_lies_between_one_judge_and_both(cheap: float, dear: float, share: float) -> None:
    cost = cascade_cost(cheap, dear, share)
    assert cost is not None
    assert cheap <= cost <= cheap + dear
    assert (
        cascade_cost(None, dear, share) is cascade_cost(cheap, None, share) is cascade_cost(cheap, dear, None) is None
    )


@pytest.mark.slow
def test_large_sets_take_seconds() -> None:
    human, cheap, dear = world(10_000)
    started = time.perf_counter()
    confidence_cascade(human, cheap, dear, BINARY)
    assert time.perf_counter() - started < 20


@pytest.mark.slow
def test_cross_fitted_alignment_is_not_flattered() -> None:
    """On average the cascade's alignment on held-out items is that of its threshold on fresh ones."""
    told, fresh = [], []
    for seed in range(150):
        human, cheap, dear = world(80, seed)
        found = confidence_cascade(human, cheap, dear, BINARY)
        told.append(alignment_value(human, found.verdicts, BINARY))
        again, later, last = world(2000, 10_000 + seed)
        cut = 2.0 if found.threshold is None else found.threshold
        decided = [
            d if isinstance(c, Scored) and (c.confidence or 0) < cut else c for c, d in zip(later, last, strict=True)
        ]
        fresh.append(alignment_value(again, decided, BINARY))
    assert np.mean(told) == pytest.approx(np.mean(fresh), abs=0.03)
