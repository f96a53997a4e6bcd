"""The alignment suite: published values, identities, and agreement with scikit-learn and SciPy."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from measured_rows import BINARY, ORDINAL, PREFERENCE, binary_rows, scores, table_rows, verdicts
from scipy.stats import pearsonr, spearmanr
from sklearn.metrics import accuracy_score, cohen_kappa_score, matthews_corrcoef, precision_recall_fscore_support

from calibrate.domain import Scale
from calibrate.metrics import Alignment, align, alignment_value
from calibrate.metrics.agreement import (
    alignment,
    class_scores,
    cohen_kappa,
    components,
    linear_kappa,
    pearson,
    spearman,
    suite_for,
)

NOMINAL = Scale("nominal", ("red", "green", "blue", "grey"))


def measured(human: list[str], judge: list[str], scale: Scale) -> Alignment:
    return align(human, verdicts(judge), scale, intervals=False)


def values(found: Alignment) -> dict[str, float | None]:
    return {name: each.value for name, each in found.metrics.items()}


@pytest.mark.parametrize(
    ("table", "expected", "mean"),
    [
        ((20, 1, 9, 0), (0.667, 0.690, 0.952, 0.800, -0.064, -0.122, -0.122), 0.4002),
        ((19, 2, 3, 6), (0.833, 0.864, 0.905, 0.884, 0.590, 0.592, 0.592), 0.7514),
        ((18, 3, 3, 6), (0.800, 0.857, 0.857, 0.857, 0.524, 0.524, 0.524), 0.7061),
    ],
    ids=["generic prompt", "calibrated prompt", "calibrated, small model"],
)
def test_published_calibration_of_30_examples(
    table: tuple[int, int, int, int], expected: tuple[float, ...], mean: float
) -> None:
    found = align(*binary_rows(*table), BINARY, intervals=False)
    assert list(found.metrics) == ["accuracy", "precision", "recall", "f1", "cohen_kappa", "pearson", "spearman"]
    assert [round(value or 0, 3) for value in values(found).values()] == list(expected)
    assert found.alignment.value == pytest.approx(mean, abs=5e-5)
    assert found.components == 7


def test_positive_class_decides_precision_and_recall() -> None:
    human, judge = binary_rows(20, 1, 9, 0)
    flipped = align(human, judge, Scale("binary", ("0", "1"), "0"), intervals=False)
    assert flipped.metrics["recall"].value == 0.0
    assert flipped.metrics["accuracy"].value == pytest.approx(2 / 3)
    assert flipped.metrics["cohen_kappa"].value == pytest.approx(-0.0638, abs=1e-4)


def test_ordinal_kappa_weighs_declared_levels_even_when_they_are_not_used() -> None:
    human, judge = list("1112225555"), list("1122255552")
    found = measured(human, judge, ORDINAL)
    assert found.metrics["cohen_kappa"].value == pytest.approx(0.678, abs=5e-4)
    assert found.extras["linear_kappa"].value == pytest.approx(0.615, abs=5e-4)
    used = measured(human, judge, Scale("ordinal", ("1", "2", "5")))
    assert used.metrics["cohen_kappa"].value == pytest.approx(0.762, abs=5e-4)
    assert used.extras["linear_kappa"].value == pytest.approx(0.651, abs=5e-4)


def test_ordinal_extras_count_adjacent_levels() -> None:
    found = measured(list("12345"), list("22315"), ORDINAL)
    assert found.extras["adjacent_accuracy"].value == pytest.approx(4 / 5)
    assert found.metrics["accuracy"].value == pytest.approx(3 / 5)


def test_nominal_has_five_components_and_no_correlation() -> None:
    found = measured(["red", "green", "blue", "red"], ["red", "green", "red", "red"], NOMINAL)
    assert found.components == len(found.metrics) == 5
    assert not found.extras


def test_pairwise_correlations_stand_beside_the_mean() -> None:
    human, judge = ["A", "A", "B", "B", "tie"], ["A", "B", "B", "B", "tie"]
    found = measured(human, judge, PREFERENCE)
    assert found.components == 5
    numbers = {"A": 1, "tie": 0, "B": -1}
    expected = pearsonr([numbers[each] for each in human], [numbers[each] for each in judge]).statistic
    assert found.extras["pearson"].value == pytest.approx(expected)
    mean = np.mean([each.value for each in found.metrics.values()])
    assert found.alignment.value == pytest.approx(float(mean))


def test_interval_classes_come_after_the_threshold_and_correlations_from_raw_scores() -> None:
    human, judge = [0.1, 0.4, 0.6, 0.9, 0.7], [0.2, 0.6, 0.5, 0.8, 0.95]
    found = align(scores(human), verdicts(scores(judge)), Scale("interval", threshold=0.5), intervals=False)
    assert found.components == 7
    assert found.confusion.labels == ("< 0.5", ">= 0.5")
    assert found.confusion.matrix == ((1, 1), (0, 3))
    assert found.metrics["precision"].value == pytest.approx(3 / 4)
    assert found.metrics["pearson"].value == pytest.approx(pearsonr(human, judge).statistic)
    assert found.metrics["spearman"].value == pytest.approx(spearmanr(human, judge).statistic)


def test_cheap_value_is_the_alignment() -> None:
    human, judge = binary_rows(19, 2, 3, 6)
    assert alignment_value(human, judge, BINARY) == align(human, judge, BINARY).alignment.value


# Identities

counts = st.integers(0, 40)
binary_tables = arrays(np.float64, (2, 2), elements=counts.map(float))
square_tables = st.integers(2, 6).flatmap(lambda k: arrays(np.float64, (k, k), elements=st.integers(0, 9).map(float)))


def both_vary(table: np.ndarray) -> bool:
    return bool((table.sum(0) > 0).sum() > 1 and (table.sum(1) > 0).sum() > 1)


@given(binary_tables)
def test_on_binary_tables_r_rho_phi_and_mcc_are_one_number_and_kappa_is_q_times_it(table: np.ndarray) -> None:
    assume(both_vary(table))
    (tn, fp), (fn, tp) = table
    a, b = (tp + fn) * (fn + tn), (tp + fp) * (fp + tn)
    phi = (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    assert pearson(table, (0.0, 1.0)) == pytest.approx(phi, abs=1e-9)
    assert spearman(table, (0.0, 1.0)) == pytest.approx(phi, abs=1e-9)
    assert cohen_kappa(table) == pytest.approx(2 * np.sqrt(a * b) / (a + b) * phi, abs=1e-9)
    human = np.repeat([0, 0, 1, 1], table.ravel().astype(int))
    judge = np.repeat([0, 1, 0, 1], table.ravel().astype(int))
    assert matthews_corrcoef(human, judge) == pytest.approx(phi, abs=1e-9)


@given(square_tables)
def test_accuracy_kappa_and_correlations_do_not_care_who_is_gold(table: np.ndarray) -> None:
    assume(both_vary(table))
    numbers = tuple(float(each) for each in range(len(table)))
    for weights in ("unweighted", "linear", "quadratic"):
        assert cohen_kappa(table, weights) == pytest.approx(cohen_kappa(table.T, weights), abs=1e-9)
    assert pearson(table, numbers) == pytest.approx(pearson(table.T, numbers), abs=1e-9)
    assert spearman(table, numbers) == pytest.approx(spearman(table.T, numbers), abs=1e-9)
    precision, recall, _ = class_scores(table)
    assert np.array_equal(precision, class_scores(table.T)[1], equal_nan=True)
    assert np.array_equal(recall, class_scores(table.T)[0], equal_nan=True)


@given(square_tables, st.randoms(use_true_random=False))
def test_nominal_figures_do_not_care_about_the_order_of_labels(table: np.ndarray, random: object) -> None:
    assume(both_vary(table))
    order = list(range(len(table)))
    random.shuffle(order)  # type: ignore[attr-defined]  # Hypothesis gives a random.Random
    how = suite_for(Scale("nominal", tuple("abcdef"[: len(table)])))
    before, after = components(table, how), components(table[np.ix_(order, order)], how)
    assert {name: float(each) for name, each in before.items()} == pytest.approx(
        {name: float(each) for name, each in after.items()}
    )


@given(st.lists(st.tuples(st.sampled_from("01"), st.sampled_from("01")), min_size=3, max_size=30), st.randoms())
def test_figures_do_not_care_about_row_order_or_label_words(pairs: list[tuple[str, str]], random: object) -> None:
    shuffled = list(pairs)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # Hypothesis gives a random.Random
    words = {"0": "unfaithful", "1": "faithful"}
    renamed = Scale("binary", ("faithful", "unfaithful"), "faithful")
    plain = measured([h for h, _ in pairs], [j for _, j in pairs], BINARY)
    other = measured([words[h] for h, _ in shuffled], [words[j] for _, j in shuffled], renamed)
    assert values(plain) == pytest.approx(values(other), nan_ok=False)
    assert plain.alignment.value == pytest.approx(other.alignment.value)
    assert plain.reference.constant == pytest.approx(other.reference.constant)


@given(square_tables)
def test_macro_recall_is_the_mean_of_class_recalls_when_all_classes_are_gold(table: np.ndarray) -> None:
    table = table + np.eye(len(table))
    how = suite_for(Scale("nominal", tuple("abcdef"[: len(table)])))
    found = components(table, how)
    assert found["recall"] == pytest.approx((np.diag(table) / table.sum(1)).mean())
    weighted = (np.diag(table) / table.sum(1) * table.sum(1)).sum() / table.sum()
    assert found["accuracy"] == pytest.approx(weighted)


@given(square_tables)
def test_figures_are_free_of_scale_and_stacks_agree_with_single_tables(table: np.ndarray) -> None:
    assume(both_vary(table))
    how = suite_for(Scale("ordinal", tuple("123456"[: len(table)])))
    stack = components(np.stack([table, table * 7, table / 3]), how)
    assert alignment(stack) == pytest.approx([float(alignment(components(table, how)))] * 3)


# The same numbers as scikit-learn and SciPy

labels = tuple("abcde")
pairs_of_five = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=3, max_size=60)


@given(pairs_of_five)
def test_nominal_suite_equals_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    human, judge = [labels[h] for h, _ in pairs], [labels[j] for _, j in pairs]
    assume(len(set(human)) > 1)
    found = values(measured(human, judge, Scale("nominal", labels)))
    precision, recall, f1, _ = precision_recall_fscore_support(human, judge, average="macro", zero_division=0)
    assert found["accuracy"] == pytest.approx(accuracy_score(human, judge))
    assert (found["precision"], found["recall"], found["f1"]) == pytest.approx((precision, recall, f1))
    assert found["cohen_kappa"] == pytest.approx(cohen_kappa_score(human, judge), abs=1e-9)


@given(pairs_of_five)
def test_ordinal_suite_equals_scikit_learn_and_scipy(pairs: list[tuple[int, int]]) -> None:
    human, judge = [str(h + 1) for h, _ in pairs], [str(j + 1) for _, j in pairs]
    assume(len(set(human)) > 1 and len(set(judge)) > 1)
    found = measured(human, judge, ORDINAL)
    expected = cohen_kappa_score(human, judge, labels=ORDINAL.labels, weights="quadratic")
    assert found.metrics["cohen_kappa"].value == pytest.approx(expected, abs=1e-9)
    linear = cohen_kappa_score(human, judge, labels=ORDINAL.labels, weights="linear")
    assert found.extras["linear_kappa"].value == pytest.approx(linear, abs=1e-9)
    x, y = [float(each) for each in human], [float(each) for each in judge]
    assert found.metrics["pearson"].value == pytest.approx(pearsonr(x, y).statistic, abs=1e-9)
    assert found.metrics["spearman"].value == pytest.approx(spearmanr(x, y).statistic, abs=1e-9)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=40))
def test_raw_correlations_equal_scipy_with_ties(pairs: list[tuple[int, int]]) -> None:
    x, y = [h / 10 for h, _ in pairs], [j / 10 for _, j in pairs]
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    found = align(scores(x), verdicts(scores(y)), Scale("interval"), intervals=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = pearsonr(x, y).statistic, spearmanr(x, y).statistic
    assert found.metrics["pearson"].value == pytest.approx(expected[0], abs=1e-9)
    assert found.metrics["spearman"].value == pytest.approx(expected[1], abs=1e-9)


def test_labels_that_share_a_number_are_one_value_for_correlations() -> None:
    """Both ``tie`` and ``both bad`` stand at 0 on a preference scale."""
    table = np.array([[5, 1, 2, 0], [0, 6, 0, 1], [1, 0, 2, 3], [0, 1, 0, 2]])
    numbers = (1.0, -1.0, 0.0, 0.0)
    human = np.repeat(np.repeat(numbers, 4), table.ravel())
    judge = np.repeat(np.tile(numbers, 4), table.ravel())
    assert pearson(table.astype(float), numbers) == pytest.approx(pearsonr(human, judge).statistic)
    assert spearman(table.astype(float), numbers) == pytest.approx(spearmanr(human, judge).statistic)


def test_linear_kappa_of_two_levels_is_unweighted() -> None:
    table = np.array([[5.0, 2.0], [1.0, 4.0]])
    assert linear_kappa(table) == pytest.approx(float(cohen_kappa(table)))


def test_a_hundred_thousand_rows_go_through_one_table() -> None:
    human, judge = table_rows(np.array([[30_000, 5_000], [7_000, 58_000]]), ("0", "1"))
    found = align(human, judge, BINARY)
    assert found.n == 100_000
    assert found.confusion.matrix == ((30_000, 5_000), (7_000, 58_000))
