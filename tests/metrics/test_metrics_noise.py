"""The judge's own variation, and what several votes buy (STATISTICS section 4)."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from measured_rows import BINARY, ORDINAL, PREFERENCE, scores, verdicts
from null_worlds import gold, redrawn_candidates, runs_of_one_judge, spoken, words

import calibrate.metrics.noise
from calibrate.domain import UNSCORED_REASONS, Scale, Scored, Unscored, Verdict
from calibrate.errors import InputError
from calibrate.metrics import NoiseFloor, alignment_value, majority_vote, noise_floor, vote_gain
from calibrate.metrics.judge_stack import JudgeStack

NOMINAL = Scale("nominal", ("a", "b", "c"))
RAW = Scale("interval", threshold=0.5, low=0.0, high=1.0)
RAW_WITHOUT_THRESHOLD = Scale("interval")


def judged(scale: Scale, n: int, judges: int, seed: int = 0) -> tuple[list[str], list[list[Verdict]]]:
    """Random gold and verdicts of any scale, some of them unscored."""
    generator = np.random.default_rng(seed)
    if scale.kind == "interval":
        gold_scores = np.round(generator.random(n), 1)
        said = np.round(np.clip(gold_scores + generator.normal(0, 0.2, (judges, n)), 0, 1), 1)
        human, labels = scores(gold_scores.tolist()), [scores(each.tolist()) for each in said]
    else:
        k = len(scale.labels)
        truth = np.concatenate([np.arange(k), generator.integers(0, k, n - k)])
        said = np.where(generator.random((judges, n)) < 0.6, truth, generator.integers(0, k, (judges, n)))
        human, labels = words(truth, scale), [words(each, scale) for each in said]
    missing = generator.random((judges, n)) < 0.1
    return human, [
        [Unscored(UNSCORED_REASONS[at % 5]) if gone else Scored(label) for at, (label, gone) in enumerate(row)]
        for row in (zip(labels[judge], missing[judge], strict=True) for judge in range(judges))
    ]


@pytest.mark.parametrize("scale", [BINARY, ORDINAL, NOMINAL, PREFERENCE, RAW, RAW_WITHOUT_THRESHOLD])
def test_many_judges_at_once_align_as_one_by_one(scale: Scale) -> None:
    human, judges = judged(scale, 40, 6)
    stack = JudgeStack.of(human, judges, scale)
    alone = [alignment_value(human, each, scale) for each in judges]
    assert stack.alignments(stack.codes) == pytest.approx(alone)
    assert stack.reweighted(np.ones((1, 40)))[:, 0] == pytest.approx(alone)
    for judge, value in enumerate(alone):
        one = np.zeros((6, 40))
        one[judge] = 1
        assert stack.pooled(one) == pytest.approx(value)
    twice = np.ones((1, 40))
    twice[0, :7] = 2
    longer = [alignment_value(human + human[:7], each + each[:7], scale) for each in judges]
    assert stack.reweighted(twice)[:, 0] == pytest.approx(longer, abs=1e-6 if scale.kind != "interval" else 0.03)


def test_two_runs_that_differ_on_two_of_ten_items() -> None:
    human = ["1"] * 6 + ["0"] * 4
    first = verdicts([*human])
    second = [Scored("0"), *first[1:9], Unscored("refused")]
    found = noise_floor(human, [first, second], BINARY)
    assert (found.k, found.n) == (2, 10)
    assert found.flip_rate.value == pytest.approx(0.2)
    assert [each.to_json() for each in found.flips] == [
        {"row": 0, "labels": {"1": 1, "0": 1}, "unscored": {}},
        {"row": 9, "labels": {"0": 1}, "unscored": {"refused": 1}},
    ]
    expected = [1.0, alignment_value(human, second, BINARY)]
    assert [each.value for each in found.alignment] == pytest.approx(expected)
    assert found.sd.value == pytest.approx(np.std(expected, ddof=1))
    assert json.loads(json.dumps(found.to_json(), allow_nan=False)) == found.to_json()


def test_the_flip_rate_counts_pairs_of_repeats() -> None:
    """Three votes of one item: two against one differ in two of three pairs."""
    human = ["1", "0", "1", "0"]
    runs = [verdicts(each) for each in (["1", "0", "1", "0"], ["1", "0", "1", "0"], ["0", "0", "1", "0"])]
    assert noise_floor(human, runs, BINARY).flip_rate.value == pytest.approx(2 / 3 / 4)


def test_other_reasoning_is_no_flip_and_another_reason_is_one() -> None:
    human = ["1", "0", "1", "0"]
    first: list[Verdict] = [Scored("1", "good"), Scored("0"), Scored("1"), Unscored("error")]
    second: list[Verdict] = [Scored("1", "fine"), Scored("0"), Scored("1"), Unscored("invalid")]
    found = noise_floor(human, [first, second], BINARY)
    assert [each.row for each in found.flips] == [3]
    assert found.sd.value == 0.0


@pytest.mark.parametrize("scale", [BINARY, ORDINAL, NOMINAL, RAW])
def test_one_flip_is_the_most_that_one_changed_verdict_moves(scale: Scale) -> None:
    human, (found,) = judged(scale, 20, 1)
    human, judge = _scored_only(human, found)
    whole = alignment_value(human, judge, scale)
    said = [each.label for each in judge if isinstance(each, Scored)]
    occurring = sorted(map(float, {*human, *said})) if scale is RAW else []
    largest = 0.0
    for at, verdict in enumerate(judge):
        assert isinstance(verdict, Scored)
        others = [label for label in scale.labels if label != verdict.label]
        if scale is ORDINAL:
            others = [each for each in others if abs(int(each) - int(verdict.label)) == 1]
        if scale is RAW:
            score = float(verdict.label)
            across = [each for each in occurring if (each >= 0.5) != (score >= 0.5)]
            others = scores([min(across, key=lambda each: abs(each - score))])
        for other in others:
            changed = alignment_value(human, [*judge[:at], Scored(other), *judge[at + 1 :]], scale)
            largest = max(largest, abs(changed - whole))
    assert noise_floor(human, [judge, judge], scale).one_flip.value == pytest.approx(largest)


def _scored_only(human: list[str], judge: list[Verdict]) -> tuple[list[str], list[Verdict]]:
    kept = [at for at, each in enumerate(judge) if isinstance(each, Scored)]
    return [human[at] for at in kept], [judge[at] for at in kept]


def test_a_judge_that_never_varies_still_has_a_floor() -> None:
    human, (judge,) = judged(BINARY, 30, 1)
    found = noise_floor(human, [judge, judge, judge], BINARY)
    assert (found.flip_rate.value, found.sd.value, found.flips) == (0.0, 0.0, ())
    assert found.one_flip.value is not None
    assert found.resolution.value is not None
    assert found.resolution.value >= found.one_flip.value > 0
    assert found.resolution.value < 0.5


def test_the_resolution_is_1_96_sd_of_the_difference_of_two_runs() -> None:
    """Of many repeats of a judge that flips a lot: the plain definition, and that of runs never seen."""
    human = gold(BINARY, 100)
    runs = runs_of_one_judge(human, BINARY, 400, 0.3, np.random.default_rng(1))
    stack = JudgeStack.of(words(human, BINARY), [spoken(each, BINARY) for each in runs], BINARY)
    values = stack.alignments(stack.codes)
    found = noise_floor(words(human, BINARY), [spoken(each, BINARY) for each in runs[:60]], BINARY, draws=4000)
    assert found.resolution.value == pytest.approx(1.96 * np.sqrt(2) * values.std(), rel=0.1)
    assert found.sd.value == pytest.approx(values.std(), rel=0.3)


def test_more_flips_resolve_less_and_one_seed_gives_one_answer() -> None:
    human = gold(BINARY, 60)
    found = []
    for rate in (0.02, 0.15, 0.4):
        runs = runs_of_one_judge(human, BINARY, 4, rate, np.random.default_rng(2))
        repeats = [spoken(each, BINARY) for each in runs]
        found.append(noise_floor(words(human, BINARY), repeats, BINARY, seed=5))
        assert found[-1] == noise_floor(words(human, BINARY), repeats, BINARY, seed=5)
    values = [each.resolution.value or 0.0 for each in found]
    assert values == sorted(values)
    assert values[0] < values[2] / 2


def test_raw_scores_vary_too() -> None:
    generator = np.random.default_rng(3)
    human = generator.random(50)
    runs = np.clip(human + generator.normal(0, 0.1, (3, 50)), 0, 1)
    repeats = [verdicts(scores(each.tolist())) for each in runs]
    found = noise_floor(scores(human.tolist()), repeats, RAW)
    assert found.flip_rate.value is not None
    assert found.flip_rate.value > 0.9
    assert found.resolution.value is not None
    assert 0 < found.resolution.value < 0.3


def test_rows_without_gold_are_left_out_and_flips_keep_their_row() -> None:
    human: list[str | None] = [None, "1", "0", None, "1", "0"]
    first, second = verdicts(["1", "1", "0", "0", "1", "0"]), verdicts(["0", "1", "0", "1", "0", "0"])
    found = noise_floor(human, [first, second], BINARY)
    assert found.n == 4
    assert [each.row for each in found.flips] == [4]


@pytest.mark.parametrize(
    ("human", "reason"),
    [([], "no_items"), ([None] * 4, "no_items"), (["1"] * 5, "single_class_gold"), (["1", "0"], "too_few")],
)
@pytest.mark.parametrize("scale", [BINARY, RAW])
def test_undefined_floors_have_a_reason(human: list[str | None], reason: str, scale: Scale) -> None:
    repeats = [verdicts(["1"] * len(human)), verdicts(["0"] * len(human))]
    found = noise_floor(human, repeats, scale)
    assert {each.reason for each in (*found.alignment, found.sd, found.resolution, found.one_flip)} == {reason}
    assert found.flip_rate.value == (None if reason == "no_items" else 1.0)
    json.dumps(found.to_json(), allow_nan=False)
    if scale is BINARY:
        votes = vote_gain(human, repeats, scale)
        assert {each.reason for each in (*votes.by_votes.values(), votes.adaptive)} == {reason}


def test_one_repeat_shows_no_noise() -> None:
    with pytest.raises(InputError, match="2 or more"):
        noise_floor(["1", "0", "1"], [verdicts(["1", "0", "1"])], BINARY)
    with pytest.raises(InputError, match="one verdict a row"):
        noise_floor(["1", "0", "1"], [verdicts(["1", "0", "1"]), verdicts(["1"])], BINARY)


def is_beyond(gain: float, floor: NoiseFloor) -> bool:
    return floor.resolution.value is not None and abs(gain) > floor.resolution.value + 1e-9


def false_differences(
    scale: Scale, n: int, prevalence: float, flip_rate: float, k: int, seeds: int, draws: int = 200
) -> float:
    """Share of worlds in which two further runs of the same judge are called different."""
    human = gold(scale, n, prevalence)
    labels, called = words(human, scale), 0
    for seed in range(seeds):
        runs = runs_of_one_judge(human, scale, k + 2, flip_rate, np.random.default_rng(seed))
        repeats = [spoken(each, scale) for each in runs]
        gain = alignment_value(labels, repeats[-1], scale) - alignment_value(labels, repeats[-2], scale)
        if gain != 0:
            called += is_beyond(gain, noise_floor(labels, repeats[:k], scale, seed=seed, draws=draws))
    return called / seeds


def test_two_runs_of_one_judge_are_seldom_called_different() -> None:
    assert false_differences(BINARY, 30, 0.7, 0.07, 2, 100) <= 0.10


def test_the_floor_of_observed_flips_alone_calls_too_many_different(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibrate.metrics.noise, "UNSEEN_FLIPS", 0.0)
    assert false_differences(ORDINAL, 100, 0.7, 0.03, 2, 100) > 0.064


@pytest.mark.slow
@pytest.mark.parametrize("n", [30, 100])
@pytest.mark.parametrize("flip_rate", [0.03, 0.07, 0.2])
@pytest.mark.parametrize(
    ("scale", "prevalence", "k"),
    [(BINARY, 0.7, 2), (BINARY, 0.7, 3), (BINARY, 0.7, 5), (BINARY, 0.9, 2), (ORDINAL, 0, 2)],
)
def test_at_most_6_4_percent_of_worlds_without_a_difference_show_one(
    scale: Scale, prevalence: float, k: int, flip_rate: float, n: int
) -> None:
    share = false_differences(scale, n, prevalence, flip_rate, k, 1000)
    print(f"{scale.kind} n {n} prevalence {prevalence} flip rate {flip_rate} k {k}: {share:.3f}")
    assert share <= 0.064


def false_differences_of_raw_scores(scale: Scale, n: int, spread: float, seeds: int) -> float:
    called = 0
    for seed in range(seeds):
        generator = np.random.default_rng(seed)
        human = generator.random(n)
        usual = human + generator.normal(0, 0.15, n)
        runs = np.clip(usual + generator.normal(0, spread, (4, n)), 0, 1)
        labels, repeats = scores(human.tolist()), [verdicts(scores(each.tolist())) for each in runs]
        gain = alignment_value(labels, repeats[2], scale) - alignment_value(labels, repeats[3], scale)
        called += is_beyond(gain, noise_floor(labels, repeats[:2], scale, seed=seed, draws=200))
    return called / seeds


@pytest.mark.slow
@pytest.mark.parametrize("n", [30, 100])
@pytest.mark.parametrize("spread", [0.02, 0.1])
def test_raw_scores_with_a_threshold_are_seldom_called_different(n: int, spread: float) -> None:
    assert false_differences_of_raw_scores(RAW, n, spread, 500) <= 0.064


@pytest.mark.slow
def test_raw_scores_without_a_threshold_are_called_different_a_little_too_often() -> None:
    """The known limit of two repeats of 30 raw scores: few items carry most of the variation of r and rho."""
    share = false_differences_of_raw_scores(RAW_WITHOUT_THRESHOLD, 30, 0.1, 500)
    print(f"raw scores without a threshold: {share:.3f}")
    assert share <= 0.11


def test_votes_without_a_label_do_not_vote() -> None:
    no, yes, refused, error = Scored("0", "first"), Scored("1"), Unscored("refused"), Unscored("error", "late")
    assert majority_vote([refused, error, yes]) is yes
    assert majority_vote([no, yes, Scored("0", "second")]) is no
    assert majority_vote([yes, no]) is yes
    assert majority_vote([no, yes]) is no
    assert majority_vote([error, yes, no, refused]) is yes
    assert majority_vote([error, refused, Unscored("refused")]) is refused
    assert majority_vote([error, refused]) is error
    assert majority_vote([error]) is error
    with pytest.raises(InputError, match="no vote"):
        majority_vote([])


@given(st.lists(st.sampled_from(["a", "b", "c", "abstained", "error"]), min_size=1, max_size=6))
def test_many_votes_at_once_win_as_one_by_one(answers: list[str]) -> None:
    from calibrate.metrics.votes import _winners

    votes: list[Verdict] = [Scored(each) if len(each) == 1 else Unscored(each) for each in answers]  # type: ignore[arg-type]
    codes = np.array([["a", "b", "c", "abstained", "error"].index(each) for each in answers])
    assert votes[int(_winners(codes[None, :, None], 3)[0, 0])] is majority_vote(votes)


def test_the_gain_of_votes_is_the_mean_over_all_orders() -> None:
    human = ["1", "0", "1", "0"]
    runs = [verdicts(each) for each in (["1", "0", "1", "1"], ["1", "1", "1", "0"], ["0", "0", "1", "0"])]
    found = vote_gain(human, runs, BINARY, draws=20_000)
    one = [
        alignment_value(human, [runs[run][at] for at, run in enumerate(chosen)], BINARY)
        for chosen in product(range(3), repeat=4)
    ]
    assert found.by_votes[1].value == pytest.approx(np.mean(one), abs=0.01)
    assert found.by_votes[2].value == pytest.approx(np.mean(one), abs=0.01)
    assert found.by_votes[3].value == 1.0
    assert found.adaptive.value == 1.0
    assert found.adaptive_calls.value == pytest.approx(2 + 3 * (2 / 3) / 4, abs=0.01)
    json.dumps(found.to_json(), allow_nan=False)


def test_three_votes_of_a_judge_that_errs_at_random_are_better_and_adaptive_votes_are_as_good_for_less() -> None:
    human = gold(BINARY, 400)
    generator = np.random.default_rng(4)
    runs = redrawn_candidates(human, BINARY, [0.8] * 3, generator)
    found = vote_gain(words(human, BINARY), [spoken(each, BINARY) for each in runs], BINARY, draws=500)
    floor = noise_floor(words(human, BINARY), [spoken(each, BINARY) for each in runs], BINARY)
    assert found.by_votes[3].value is not None
    assert found.by_votes[1].value is not None
    assert found.by_votes[3].value > found.by_votes[1].value + 0.05
    assert found.adaptive.value == pytest.approx(found.by_votes[3].value)
    assert floor.flip_rate.value is not None
    assert found.adaptive_calls.value == pytest.approx(2 + floor.flip_rate.value, abs=0.01)


def test_two_repeats_tell_nothing_about_a_third_vote_and_scores_do_not_vote() -> None:
    human, judges = judged(BINARY, 20, 2)
    found = vote_gain(human, judges, BINARY)
    assert list(found.by_votes) == [1, 2]
    assert found.adaptive.reason == found.adaptive_calls.reason == "too_few_repeats"
    human, judges = judged(RAW, 20, 3)
    with pytest.raises(InputError, match="no majority"):
        vote_gain(human, judges, RAW)
