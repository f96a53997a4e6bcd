"""Honest winners: p over all candidates, and the winner corrected for having been chosen (STATISTICS section 5)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measured_rows import BINARY, ORDINAL, scores, verdicts
from null_worlds import gold, redrawn_candidates, spoken, words

from calibrate.domain import Scale, Unscored, Verdict
from calibrate.errors import InputError
from calibrate.metrics import alignment_value, compare, corrected_for_choosing, mcnemar_exact, permutation_p
from calibrate.metrics.judge_stack import JudgeStack

RAW = Scale("interval", threshold=0.5, low=0.0, high=1.0)


@dataclass(frozen=True)
class World:
    human: list[str]
    baseline: list[Verdict]
    candidates: list[list[Verdict]]
    scale: Scale

    @property
    def all(self) -> list[list[Verdict]]:
        return [self.baseline, *self.candidates]

    def p(self, seed: int = 0, draws: int = 400, groups: list[str] | None = None) -> float:
        found = permutation_p(
            self.human, self.baseline, self.candidates, self.scale, groups=groups, seed=seed, draws=draws
        ).p.value
        assert found is not None
        return found


def world(accuracy: list[float], n: int, seed: int, scale: Scale = BINARY) -> World:
    """The first judge is the baseline."""
    human = gold(scale, n)
    judges = [spoken(each, scale) for each in redrawn_candidates(human, scale, accuracy, np.random.default_rng(seed))]
    return World(words(human, scale), judges[0], judges[1:], scale)


def true_alignment(accuracy: float, n: int) -> float:
    """Alignment of a binary judge of known accuracy in the limit, at the prevalence of a world of n items."""
    human = gold(BINARY, n)
    many = 40_000
    right = round(accuracy * many)
    labels, said = [], []
    for label in (0, 1):
        share = round(many * float((human == label).mean()))
        good = round(right * share / many)
        labels += [str(label)] * share
        said += [str(label)] * good + [str(1 - label)] * (share - good)
    return alignment_value(labels, verdicts(said), BINARY)


def documents(candidates: int, documents: int, seed: int) -> tuple[World, list[str]]:
    """Every judge is right or wrong on whole documents of five items."""
    generator = np.random.default_rng(seed)
    human = np.arange(documents * 5) % 2
    right = np.repeat(generator.random((candidates + 1, documents)) < 0.75, 5, axis=1)
    judges = [spoken(each, BINARY) for each in np.where(right, human, 1 - human)]
    names = [f"document {at // 5}" for at in range(human.size)]
    return World(words(human, BINARY), judges[0], judges[1:], BINARY), names


def test_p_is_the_share_of_all_permutations_with_at_least_this_gain() -> None:
    human = ["1", "1", "1", "0", "0", "0"]
    columns = [["1", "0", "0", "1", "0", "1"], ["1", "1", "0", "0", "0", "1"], ["1", "1", "1", "1", "0", "0"]]
    judges = [verdicts(each) for each in columns]
    found = permutation_p(human, judges[0], judges[1:], BINARY, draws=40_000)

    orders = np.array(list(permutations(range(3))))
    every = np.array(list(product(range(6), repeat=6)))
    stack = JudgeStack.of(human, judges, BINARY)
    permuted = np.stack([stack.codes[orders[every][..., judge], np.arange(6)] for judge in range(3)], axis=1)
    values = stack.alignments(permuted)
    gains = values[:, 1:].max(1) - values[:, 0]
    own = [alignment_value(human, each, BINARY) for each in judges]
    assert found.statistic.value == pytest.approx(max(own[1:]) - own[0])
    assert found.best == 1
    assert found.p.value == pytest.approx((gains >= max(own[1:]) - own[0] - 1e-9).mean(), abs=0.01)
    assert (found.candidates, found.draws) == (2, 40_000)
    json.dumps(found.to_json(), allow_nan=False)


def test_the_smallest_p_counts_the_observed_data_as_one_draw() -> None:
    found = world([0.05, 0.98], 60, 1)
    assert found.p(draws=99) == 0.01


def test_candidates_worse_than_the_baseline_are_no_gain() -> None:
    found = world([0.95, 0.6, 0.5], 60, 2)
    result = permutation_p(found.human, found.baseline, found.candidates, BINARY)
    assert result.statistic.value is not None
    assert result.statistic.value < 0
    assert result.p.value is not None
    assert result.p.value > 0.9


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([BINARY, ORDINAL]), st.randoms(use_true_random=False))
def test_no_order_of_candidates_or_items_changes_the_p(seed: int, scale: Scale, random: object) -> None:
    found = world([0.6, 0.7, 0.7, 0.8, 0.6], 20, seed, scale)
    shuffled = np.random.default_rng(random.randint(0, 10**6))  # type: ignore[attr-defined]
    items, order = shuffled.permutation(20), shuffled.permutation(4)
    other = World(
        [found.human[at] for at in items],
        [found.baseline[at] for at in items],
        [[found.candidates[each][at] for at in items] for each in order],
        scale,
    )
    assert found.p(seed=3, draws=100) == other.p(seed=3, draws=100)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
def test_the_order_of_candidates_does_not_change_the_corrected_figure(seed: int, random: object) -> None:
    found = world([0.6, 0.7, 0.7, 0.8, 0.6], 20, seed)
    order = np.random.default_rng(random.randint(0, 10**6)).permutation(5)  # type: ignore[attr-defined]
    one = corrected_for_choosing(found.human, found.all, BINARY, draws=100)
    other = corrected_for_choosing(found.human, [found.all[at] for at in order], BINARY, draws=100)
    assert one.corrected.value == pytest.approx(other.corrected.value)
    assert one.apparent.value == pytest.approx(other.apparent.value)
    assert [one.chosen_share[at] for at in order] == pytest.approx(other.chosen_share)


def test_the_order_of_items_changes_the_corrected_figure_by_monte_carlo_error_only() -> None:
    found = world([0.6, 0.7, 0.7, 0.8], 40, 5)
    items = np.random.default_rng(1).permutation(40)
    one = corrected_for_choosing(found.human, found.all, BINARY, draws=4000)
    other = corrected_for_choosing(
        [found.human[at] for at in items], [[each[at] for at in items] for each in found.all], BINARY, draws=4000
    )
    assert one.corrected.value == pytest.approx(other.corrected.value, abs=0.01)


def test_an_excellent_candidate_among_useless_ones_is_found() -> None:
    accuracy = [0.7] * 30
    accuracy[17] = 0.95
    found = world(accuracy, 100, 6)
    result = permutation_p(found.human, found.baseline, found.candidates, BINARY, draws=400)
    assert result.p.value == pytest.approx(1 / 401)
    assert result.best == 16
    corrected = corrected_for_choosing(found.human, found.all, BINARY, draws=400)
    assert corrected.winner == 17
    assert corrected.chosen_share[17] > 0.95
    assert sum(corrected.chosen_share) == pytest.approx(1)
    assert corrected.optimism == pytest.approx(0, abs=0.05)
    assert corrected.corrected.low is not None
    assert corrected.corrected.low > alignment_value(found.human, found.baseline, BINARY)
    json.dumps(corrected.to_json(), allow_nan=False)


def test_with_one_candidate_nothing_was_chosen() -> None:
    found = world([0.8], 60, 7)
    corrected = corrected_for_choosing(found.human, found.all, BINARY, draws=2000)
    assert corrected.chosen_share == (1.0,)
    assert corrected.optimism == pytest.approx(0, abs=0.005)


def test_equal_candidates_share_the_choice() -> None:
    found = world([0.8], 60, 7)
    corrected = corrected_for_choosing(found.human, [found.baseline] * 4, BINARY, draws=200)
    assert corrected.chosen_share == pytest.approx((0.25,) * 4)
    assert corrected.winner == 0


def test_unscored_verdicts_count_as_disagreements() -> None:
    found = world([0.7, 0.95], 60, 8)
    silent: list[Verdict] = [each if at % 2 else Unscored("abstained") for at, each in enumerate(found.candidates[0])]
    result = permutation_p(found.human, found.baseline, [silent], BINARY)
    expected = alignment_value(found.human, silent, BINARY) - alignment_value(found.human, found.baseline, BINARY)
    assert result.statistic.value == pytest.approx(expected)
    assert corrected_for_choosing(found.human, [found.baseline, silent], BINARY).winner == 0


def test_raw_scores_are_permuted_and_resampled_too() -> None:
    generator = np.random.default_rng(9)
    human = generator.random(60)
    spread = [0.5] * 8
    spread[3] = 0.1
    judges = [
        verdicts(scores(np.clip(human + generator.normal(0, each, 60), 0, 1).tolist())) for each in (0.5, *spread)
    ]
    labels = scores(human.tolist())
    result = permutation_p(labels, judges[0], judges[1:], RAW, draws=200)
    assert result.best == 3
    assert result.p.value is not None
    assert result.p.value <= 0.03
    corrected = corrected_for_choosing(labels, judges, RAW, draws=200)
    assert corrected.winner == 4
    assert corrected.corrected.value == pytest.approx(alignment_value(labels, judges[4], RAW), abs=0.05)
    assert corrected.corrected.low is None
    names = [str(at // 3) for at in range(60)]
    by_group = permutation_p(labels, judges[0], judges[1:], RAW, groups=names, draws=200).p.value
    assert by_group is not None
    assert by_group <= 0.03


def test_groups_are_left_out_whole_and_widen_the_interval() -> None:
    found, names = documents(8, 24, 10)
    alone = corrected_for_choosing(found.human, found.all, BINARY, draws=500)
    whole = corrected_for_choosing(found.human, found.all, BINARY, groups=names, draws=500)
    widths = [(each.corrected.high or 0) - (each.corrected.low or 0) for each in (alone, whole)]
    assert widths[1] > widths[0] * 1.2
    # Left-out items of a document that also chose the winner flatter it.
    assert (alone.optimism or 0) < (whole.optimism or 0) - 0.02


def test_a_group_for_every_row_is_none() -> None:
    found = world([0.6, 0.7, 0.8], 30, 11)
    names = [str(at) for at in range(30)]
    assert found.p(groups=names) == found.p()


@pytest.mark.parametrize(
    ("human", "reason"),
    [([], "no_items"), ([None] * 4, "no_items"), (["1"] * 5, "single_class_gold"), (["1", "0"], "too_few")],
)
@pytest.mark.parametrize("scale", [BINARY, RAW])
def test_undefined_cases_have_a_reason(human: list[str | None], reason: str, scale: Scale) -> None:
    judge = verdicts(["1"] * len(human))
    result = permutation_p(human, judge, [judge], scale)
    assert (result.p.value, result.p.reason, result.statistic.reason) == (None, reason, reason)
    assert (result.best, result.draws) == (None, 0)
    corrected = corrected_for_choosing(human, [judge, judge], scale)
    assert (corrected.corrected.reason, corrected.apparent.reason) == (reason, reason)
    assert (corrected.winner, corrected.optimism) == (None, None)
    json.dumps([result.to_json(), corrected.to_json()], allow_nan=False)


def test_one_group_leaves_nothing_out() -> None:
    found = world([0.6, 0.7], 20, 12)
    corrected = corrected_for_choosing(found.human, found.all, BINARY, groups=["a"] * 20)
    assert corrected.corrected.reason == "nothing_left_out"


def test_resamples_of_one_class_are_left_out_and_counted() -> None:
    human = ["1"] * 8 + ["0"] * 2
    judge = verdicts([*human])
    corrected = corrected_for_choosing(human, [judge, judge], BINARY, draws=500)
    assert corrected.undefined == pytest.approx(500 * 0.8**10, abs=30)
    assert corrected.draws + corrected.undefined == 500
    assert corrected.corrected.value == pytest.approx(1.0)


def test_a_class_of_one_item_cannot_both_choose_and_test() -> None:
    human = ["1"] * 9 + ["0"]
    corrected = corrected_for_choosing(human, [verdicts([*human])] * 2, BINARY, draws=500)
    assert corrected.corrected.reason == "nothing_left_out"
    assert (corrected.apparent.value, corrected.optimism) == (1.0, None)


def test_nothing_to_choose_from_is_refused() -> None:
    with pytest.raises(InputError, match="no candidate"):
        permutation_p(["1", "0", "1"], verdicts(["1", "0", "1"]), [], BINARY)
    with pytest.raises(InputError, match="no verdicts"):
        corrected_for_choosing(["1", "0", "1"], [], BINARY)
    with pytest.raises(InputError, match="one verdict a row"):
        permutation_p(["1", "0", "1"], verdicts(["1", "0", "1"]), [verdicts(["1"])], BINARY)


def false_gains(candidates: int, n: int, seeds: int, scale: Scale = BINARY, draws: int = 200) -> tuple[float, float]:
    """Shares of worlds of equal candidates in which all of them together, and the winner alone, show a gain."""
    together = alone = 0
    for seed in range(seeds):
        found = world([0.75] * (candidates + 1), n, seed, scale)
        result = permutation_p(found.human, found.baseline, found.candidates, scale, seed=seed, draws=draws)
        assert result.p.value is not None
        assert result.best is not None
        together += result.p.value < 0.05
        winner = found.candidates[result.best]
        right = [
            [a == b for a, b in zip(found.human, map(_label, each), strict=True)] for each in (found.baseline, winner)
        ]
        losses = sum(a and not b for a, b in zip(*right, strict=True))
        gains = sum(b and not a for a, b in zip(*right, strict=True))
        alone += gains > losses and mcnemar_exact(losses, gains) < 0.05
    return together / seeds, alone / seeds


def _label(verdict: Verdict) -> str:
    return getattr(verdict, "label", "")


def test_useless_candidates_seldom_show_a_gain() -> None:
    together, alone = false_gains(20, 40, 50)
    assert together <= 0.12
    assert alone > together


@pytest.mark.slow
@pytest.mark.parametrize(("candidates", "n", "scale"), [(20, 30, BINARY), (50, 100, BINARY), (20, 100, ORDINAL)])
def test_at_most_6_4_percent_of_worlds_with_useless_candidates_show_a_gain(
    candidates: int, n: int, scale: Scale
) -> None:
    together, alone = false_gains(candidates, n, 1000, scale)
    print(
        f"{scale.kind}, {candidates} candidates, n {n}: permutations {together:.3f}, McNemar of the winner {alone:.3f}"
    )
    assert together <= 0.064
    assert alone > 2 * together


def test_the_interval_of_the_winner_alone_finds_gains_that_are_none() -> None:
    """What a plain comparison would have said in these worlds."""
    called = 0
    for seed in range(40):
        found = world([0.75] * 21, 40, seed)
        best = permutation_p(found.human, found.baseline, found.candidates, BINARY, draws=1).best
        assert best is not None
        called += (
            compare(found.human, found.baseline, found.candidates[best], BINARY, draws=400).conclusion() == "better"
        )
    print(f"the winner's paired interval lies above 0 in {called} of 40 null worlds")
    assert called > 8


@pytest.mark.slow
def test_groups_that_err_together_need_groups() -> None:
    shares = []
    for grouped in (False, True):
        called = 0
        for seed in range(400):
            found, names = documents(20, 20, seed)
            called += found.p(seed=seed, draws=200, groups=names if grouped else None) < 0.05
        shares.append(called / 400)
    print(f"documents that err as a whole: items permuted {shares[0]:.3f}, documents permuted {shares[1]:.3f}")
    assert shares[0] > 0.1
    assert shares[1] <= 0.075


def errors(accuracy: list[float], n: int, seeds: int, draws: int = 200) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Over worlds: corrected and apparent figure less the winner's true alignment, and whether low lies above it."""
    truth = {each: true_alignment(each, n) for each in set(accuracy)}
    rows = []
    for seed in range(seeds):
        found = world(accuracy, n, seed)
        figures = corrected_for_choosing(found.human, found.all, BINARY, seed=seed, draws=draws)
        assert figures.winner is not None
        true = truth[accuracy[figures.winner]]
        corrected, low, apparent = figures.corrected.value, figures.corrected.low, figures.apparent.value
        high = figures.corrected.high
        assert corrected is not None
        assert low is not None
        assert high is not None
        assert apparent is not None
        rows.append((corrected - true, apparent - true, low <= true <= high))
    columns = np.array(rows, dtype=float)
    return columns[:, 0], columns[:, 1], columns[:, 2]


def test_the_corrected_figure_is_unbiased_where_no_candidate_is_better_and_the_winners_own_is_not() -> None:
    corrected, apparent, _ = errors([0.75] * 20, 60, 40)
    assert abs(corrected.mean()) < 4 * corrected.std() / np.sqrt(40)
    assert apparent.mean() > 0.1


@pytest.mark.slow
@pytest.mark.parametrize("n", [30, 100])
def test_unbiased_in_null_worlds(n: int) -> None:
    corrected, apparent, held = errors([0.75] * 20, n, 1000)
    error = float(corrected.std() / np.sqrt(1000))
    print(
        f"n {n}: corrected {corrected.mean():+.4f} (standard error {error:.4f}), winner's own {apparent.mean():+.4f}, "
        f"interval holds {held.mean():.3f}"
    )
    assert abs(corrected.mean()) < 3 * error
    assert apparent.mean() > 0.08
    assert held.mean() >= 0.92


@pytest.mark.slow
@pytest.mark.parametrize("n", [30, 100])
@pytest.mark.parametrize(
    "accuracy",
    [
        [0.65] * 10 + [0.92] + [0.65] * 9,
        [0.7] * 10 + [0.8] + [0.7] * 9,
        [0.6 + at / 50 for at in range(20)],
        [0.8, 0.8],
    ],
    ids=["one excellent", "one better", "all different", "two equal"],
)
def test_the_corrected_figure_does_not_flatter_and_its_interval_holds(accuracy: list[float], n: int) -> None:
    corrected, apparent, held = errors(accuracy, n, 500)
    print(f"corrected {corrected.mean():+.4f}, winner's own {apparent.mean():+.4f}, interval holds {held.mean():.3f}")
    assert corrected.mean() < 3 * corrected.std() / np.sqrt(500)
    assert apparent.mean() > corrected.mean()
    assert held.mean() >= 0.92
