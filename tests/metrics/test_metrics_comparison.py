"""Two judges on the same items: paired difference, McNemar, Holm, non-inferiority, resolution."""

from __future__ import annotations

import json

import numpy as np
import pytest
from coverage_cells import BINARY as TWO
from coverage_cells import binary_replies, joint_population, paired_coverage
from hypothesis import given
from hypothesis import strategies as st
from measured_rows import BINARY, ORDINAL, PREFERENCE, binary_rows, scores, verdicts
from scipy.stats import binomtest

from calibrate.domain import Scale, Verdict
from calibrate.errors import InputError
from calibrate.metrics import Estimate, align, alignment_value, compare, holm, mcnemar_exact, resolvable_difference
from calibrate.metrics.comparison import Comparison, draw_differences, joint_prior

RAW = Scale("interval", threshold=0.5, low=0.0, high=1.0)


def sets(n: int = 120) -> tuple[list[str], list[Verdict], list[Verdict]]:
    """Gold, a lenient judge, and one that is right on four of five items."""
    generator = np.random.default_rng(0)
    human = (generator.random(n) < 0.6).astype(int)
    lenient = np.where(generator.random(n) < 0.85, 1, human)
    better = np.where(generator.random(n) < 0.85, human, 1 - human)
    words = [[str(each) for each in column] for column in (human, lenient, better)]
    return words[0], verdicts(words[1]), verdicts(words[2])


def test_difference_is_candidate_less_baseline() -> None:
    human, lenient, better = sets()
    found = compare(human, lenient, better, BINARY)
    expected = alignment_value(human, better, BINARY) - alignment_value(human, lenient, BINARY)
    assert found.difference.value == pytest.approx(expected)
    assert found.baseline.value == pytest.approx(alignment_value(human, lenient, BINARY))
    assert found.difference.low is not None
    assert found.difference.low > 0
    assert found.conclusion() == "better"
    assert found.components == 7
    json.dumps(found.to_json(), allow_nan=False)


def test_swapping_the_judges_flips_the_sign() -> None:
    human, lenient, better = sets()
    one, other = compare(human, lenient, better, BINARY), compare(human, better, lenient, BINARY)
    assert one.difference.value == pytest.approx(-(other.difference.value or 0))
    assert one.difference.low == pytest.approx(-(other.difference.high or 0), abs=0.02)
    assert (one.only_baseline_right, one.only_candidate_right) == (
        other.only_candidate_right,
        other.only_baseline_right,
    )
    assert one.mcnemar_p == other.mcnemar_p


def test_pairing_makes_the_interval_narrower_than_two_independent_ones() -> None:
    human, _, better = sets()
    same = [*better]
    same[0] = verdicts(["0" if human[0] == "1" else "1"])[0]
    found = compare(human, better, same, BINARY)
    alone = align(human, better, BINARY).alignment
    assert found.half_width is not None
    assert alone.low is not None
    assert alone.high is not None
    assert found.half_width < (alone.high - alone.low) / 4


def test_a_judge_compared_with_itself_does_not_collapse() -> None:
    human, _, better = sets(30)
    found = compare(human, better, better, BINARY)
    assert found.difference.value == 0.0
    assert found.mcnemar_p == 1.0
    assert found.half_width is not None
    assert 0.02 < found.half_width < 0.2


def test_exclude_compares_the_items_both_scored_and_wrong_all_of_them() -> None:
    human, lenient, better = sets()
    lenient, better = verdicts([None]) + lenient[1:], better[:-2] + verdicts([None, None])
    excluded = compare(human, lenient, better, BINARY)
    assert (excluded.n, excluded.left_out) == (117, 3)
    counted = compare(human, lenient, better, BINARY, invalid="wrong")
    assert (counted.n, counted.left_out) == (120, 0)
    assert counted.candidate.value == pytest.approx(alignment_value(human, better, BINARY))


def test_rows_without_gold_are_left_out_together() -> None:
    human, lenient, better = sets()
    gaps: list[str | None] = [*human]
    gaps[3] = gaps[50] = None
    kept = [at for at in range(120) if gaps[at] is not None]
    found = compare(gaps, lenient, better, BINARY)
    expected = compare([human[at] for at in kept], [lenient[at] for at in kept], [better[at] for at in kept], BINARY)
    assert found == expected


@pytest.mark.parametrize("scale", [ORDINAL, PREFERENCE], ids=["ordinal", "pairwise"])
def test_scales_of_more_than_two_labels(scale: Scale) -> None:
    generator = np.random.default_rng(4)
    k = len(scale.labels)
    human = generator.integers(0, k, 90)
    first = np.where(generator.random(90) < 0.4, human, generator.integers(0, k, 90))
    second = np.where(generator.random(90) < 0.9, human, generator.integers(0, k, 90))
    words = [[scale.labels[each] for each in column] for column in (human, first, second)]
    found = compare(words[0], verdicts(words[1]), verdicts(words[2]), scale)
    assert found.conclusion() == "better"
    assert found.components == align(words[0], verdicts(words[1]), scale, intervals=False).components


def test_raw_scores_are_compared_under_the_same_weights() -> None:
    generator = np.random.default_rng(5)
    human = generator.random(80)
    close, loose = (np.clip(human + generator.normal(0, spread, 80), 0, 1) for spread in (0.05, 0.4))
    words = [scores(each.tolist()) for each in (human, loose, close)]
    found = compare(words[0], verdicts(words[1]), verdicts(words[2]), RAW, draws=500)
    assert found.resampling is not None
    assert found.resampling.unit == "rows"
    assert found.conclusion() == "better"
    itself = compare(words[0], verdicts(words[2]), verdicts(words[2]), RAW, draws=500)
    assert itself.difference.value == 0.0


@pytest.mark.parametrize("raw", [False, True], ids=["labels", "raw scores"])
def test_groups_widen_the_paired_interval(raw: bool) -> None:
    generator = np.random.default_rng(6)
    human = np.repeat(np.arange(24) % 2, 6)
    first, second = (np.repeat(generator.random(24) < share, 6) for share in (0.7, 0.85))
    columns = [human, np.where(first, human, 1 - human), np.where(second, human, 1 - human)]
    scale = RAW if raw else BINARY
    words = [scores(each.tolist()) if raw else [str(label) for label in each] for each in columns]
    names = [f"doc{at // 6}" for at in range(144)]
    rows, groups = (
        compare(words[0], verdicts(words[1]), verdicts(words[2]), scale, groups=each, draws=600)
        for each in (None, names)
    )
    assert groups.resampling is not None
    assert groups.resampling.unit == "groups"
    assert groups.resampling.design_effect > 3
    assert (groups.half_width or 0) > 1.5 * (rows.half_width or 0)
    one = compare(words[0], verdicts(words[1]), verdicts(words[2]), scale, groups=["doc"] * 144)
    assert one.difference.low is None
    assert one.conclusion() == "cannot_tell"


def test_undefined_alignments_have_no_difference() -> None:
    found = compare(["1"] * 4, verdicts(list("1101")), verdicts(list("1111")), BINARY)
    assert found.difference == Estimate(None, reason="single_class_gold")
    assert found.half_width is None
    assert found.items_to_resolve(0.1) is None
    nothing = compare(["1", "0"], verdicts([None, "1"]), verdicts(["1", None]), BINARY)
    assert (nothing.n, nothing.left_out) == (0, 2)
    json.dumps(nothing.to_json(), allow_nan=False)


# Description and decision


def test_recorded_mcnemar_values() -> None:
    assert mcnemar_exact(190, 12) == pytest.approx(2.29e-42, rel=5e-3)
    assert mcnemar_exact(45, 33) == pytest.approx(0.2127, abs=5e-5)
    assert mcnemar_exact(0, 0) == 1.0


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_two_sided_binomial_test(b: int, c: int) -> None:
    expected = 1.0 if b + c == 0 else binomtest(min(b, c), b + c, 0.5).pvalue
    assert mcnemar_exact(b, c) == pytest.approx(expected)


def test_holm_steps_down() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_never_lowers_a_p_value_and_keeps_their_order(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(after >= before for before, after in zip(p_values, adjusted, strict=True))
    order = np.argsort(p_values, kind="stable")
    assert (np.diff(np.array(adjusted)[order]) >= 0).all()


@pytest.mark.parametrize(
    ("low", "high", "margin", "said"),
    [
        (0.01, 0.2, 0.05, "better"),
        (-0.04, 0.2, 0.05, "non_inferior"),
        (-0.05, 0.2, 0.05, "cannot_tell"),
        (-0.08, 0.02, 0.1, "non_inferior"),
        (-0.3, -0.06, 0.05, "worse"),
        (-0.3, -0.01, 0.05, "cannot_tell"),
    ],
)
def test_conclusions(low: float, high: float, margin: float, said: str) -> None:
    middle = Estimate((low + high) / 2, low, high)
    found = Comparison(100, 0, Estimate(0.7), Estimate(0.7), 7, middle, 1, 1, 1.0, None)
    assert found.conclusion(margin) == said


def test_joint_prior_of_two_labels_is_even() -> None:
    assert joint_prior(2, 2, 2) == pytest.approx(np.full((2, 2, 2), 0.25))


@given(st.integers(2, 6), st.integers(0, 3), st.integers(0, 3))
def test_joint_prior_has_a_mass_of_2_in_four_equal_parts(k: int, first: int, second: int) -> None:
    prior = joint_prior(k, k + first, k + second)
    right = np.eye(k)
    both = sum(prior[at, at, at] for at in range(k))
    assert prior.sum() == pytest.approx(2.0)
    assert both == pytest.approx(0.5)
    first_right = sum(prior[at, at].sum() for at in range(k))
    assert first_right == pytest.approx(1.0)
    assert right.shape == (k, k)


def test_labels_nobody_used_and_reasons_that_did_not_occur_are_no_cells() -> None:
    joint = np.zeros((5, 10, 10))
    joint[0, 0, 0], joint[1, 1, 0], joint[1, 1, 1], joint[0, 1, 0] = 9, 4, 8, 3
    small = joint[np.ix_([0, 1], [0, 1, 5, 6, 7, 8, 9], [0, 1, 5, 6, 7, 8, 9])]
    five, two = Scale("nominal", tuple("abcde")), Scale("nominal", ("a", "b"))
    drawn = [
        draw_differences(table, scale, "exclude", 300, np.random.default_rng(1))
        for table, scale in ((joint, five), (small, two))
    ]
    assert drawn[0] == pytest.approx(drawn[1])


def test_paired_intervals_cover_in_brief() -> None:
    truth = joint_population((0.3, 0.7), binary_replies(0.9, 0.67), binary_replies(0.97, 0.97), 0.3)
    assert 0.89 <= paired_coverage(TWO, truth, 30, sets=250, draws=400).inside <= 0.99


# What a set can resolve


def test_thirty_items_resolve_little() -> None:
    found = resolvable_difference(30, [9, 21], BINARY, wished=0.1)
    assert 0.15 < found.half_width < 0.45
    assert found.items_for_wished is not None
    assert found.items_for_wished > 100
    again = resolvable_difference(found.items_for_wished, [9, 21], BINARY)
    assert again.half_width == pytest.approx(0.1, abs=0.003)


def test_the_assumed_judge_has_the_assumed_alignment() -> None:
    found = resolvable_difference(1000, [500, 500], BINARY, assumed=0.7)
    right = round(found.accuracy * 500)
    assert alignment_value(*binary_rows(right, 500 - right, 500 - right, right), BINARY) == pytest.approx(0.7, abs=3e-3)
    assert found.discordance == pytest.approx(2 * found.accuracy * (1 - found.accuracy))


def test_judges_that_fail_on_the_same_items_are_told_apart_with_fewer() -> None:
    independent = resolvable_difference(100, [30, 70], BINARY)
    alike = resolvable_difference(100, [30, 70], BINARY, discordance=0.05)
    assert alike.half_width < 0.7 * independent.half_width
    assert resolvable_difference(100, [30, 70], BINARY, discordance=0.99).discordance <= 1


def test_half_width_is_that_of_a_comparison() -> None:
    """A set exactly as assumed: of 100 items of each class both are right on 70, one alone on 12 + 12, none on 6."""
    human = ["1"] * 100 + ["0"] * 100
    kinds = ["both"] * 70 + ["first"] * 12 + ["second"] * 12 + ["none"] * 6

    def judge(name: str) -> list[Verdict]:
        right = [kind in ("both", name) for kind in kinds] * 2
        return verdicts([h if r else str(1 - int(h)) for h, r in zip(human, right, strict=True)])

    measured = compare(human, judge("first"), judge("second"), BINARY)
    value = alignment_value(human, judge("first"), BINARY)
    expected = resolvable_difference(200, [100, 100], BINARY, assumed=value, discordance=0.24)
    assert expected.half_width == pytest.approx(measured.half_width, rel=0.06)
    assert measured.items_to_resolve(expected.half_width / 2) == pytest.approx(800, rel=0.12)


@pytest.mark.parametrize(
    ("scale", "shares"),
    [(PREFERENCE, [40, 40, 20]), (ORDINAL, [0.1, 0.2, 0.4, 0.2, 0.1]), (RAW, [30, 70]), (ORDINAL, [0, 0, 5, 5, 0])],
)
def test_every_scale_has_a_resolution(scale: Scale, shares: list[float]) -> None:
    few, many = (resolvable_difference(n, shares, scale, draws=500).half_width for n in (50, 800))
    assert few / many == pytest.approx(4, rel=0.25)


def test_one_class_resolves_nothing() -> None:
    with pytest.raises(InputError, match="at least two classes"):
        resolvable_difference(30, [0, 30], BINARY)
    with pytest.raises(InputError, match="at least two classes"):
        resolvable_difference(30, [], Scale("interval"))
