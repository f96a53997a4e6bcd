"""What a search maximises: how objectives are written, what they are worth, and what is refused."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from calibrate.domain import Scale, Scored, Unscored, Verdict
from calibrate.errors import InputError
from calibrate.metrics import align, alignment_value
from calibrate.optimizer.objective import Objective

FAITHFUL = Scale("binary", ("unfaithful", "faithful"), positive="faithful")
DIGITS = Scale("binary", ("0", "1"), positive="1")
NOMINAL = Scale("nominal", ("billing", "shipping: late", "a + b", "other"))
PAIRWISE = Scale("pairwise", ("A", "B", "tie"))
ORDINAL = Scale("ordinal", ("1", "2", "3", "4", "5"))
INTERVAL = Scale("interval", threshold=0.5, low=0.0, high=1.0)
WITHOUT_THRESHOLD = Scale("interval", low=0.0, high=1.0)
SCALES = [FAITHFUL, NOMINAL, PAIRWISE, ORDINAL, INTERVAL, WITHOUT_THRESHOLD]
SCORES = ("0.0", "0.25", "0.5", "0.75", "1.0")

GENERIC, CALIBRATED = (20, 1, 9, 0), (19, 2, 3, 6)  # TP, FN, FP, TN of STATISTICS section 1

Rows = tuple[list[str], list[Verdict]]


def rows(table: tuple[int, int, int, int], positive: str = "faithful", negative: str = "unfaithful") -> Rows:
    tp, fn, fp, tn = table
    gold = [positive] * (tp + fn) + [negative] * (fp + tn)
    judge = [positive] * tp + [negative] * fn + [positive] * fp + [negative] * tn
    return gold, [Scored(label) for label in judge]


def value(text: str, judged: Rows, constraint: str = "", scale: Scale = FAITHFUL) -> float:
    return Objective.parse(text, constraint, scale=scale).value(*judged, scale)


def refusal(text: str, constraint: str = "", scale: Scale = FAITHFUL) -> str:
    with pytest.raises(InputError) as found:
        Objective.parse(text, constraint, scale=scale)
    message = str(found.value)
    assert "\n" not in message
    return message


@st.composite
def judged_rows(draw: st.DrawFn, scale: Scale) -> Rows:
    labels = scale.labels or SCORES
    n = draw(st.integers(3, 25))
    gold = draw(st.lists(st.sampled_from(labels), min_size=n, max_size=n))
    judge = draw(st.lists(st.sampled_from([*labels, None]), min_size=n, max_size=n))
    return gold, [Unscored("refused") if label is None else Scored(label) for label in judge]


# What the figures are worth


@pytest.mark.parametrize(
    ("text", "generic", "calibrated"),
    [
        ("alignment", 0.4002, 0.7514),
        ("accuracy", 0.667, 0.833),
        ("precision", 0.690, 0.864),
        ("precision:faithful", 0.690, 0.864),
        ("recall", 0.952, 0.905),
        ("recall:faithful", 0.952, 0.905),
        ("f1", 0.800, 0.884),
        ("cohen_kappa", -0.064, 0.590),
        ("pearson", -0.122, 0.592),
        ("spearman", -0.122, 0.592),
        ("recall:unfaithful", 0 / 9, 6 / 9),
        ("precision:unfaithful", 0 / 1, 6 / 8),
        ("pareto", 0.4002, 0.7514),
    ],
)
def test_figures_of_the_published_calibration(text: str, generic: float, calibrated: float) -> None:
    assert value(text, rows(GENERIC)) == pytest.approx(generic, abs=5e-4)
    assert value(text, rows(CALIBRATED)) == pytest.approx(calibrated, abs=5e-4)


def test_a_weighted_mean_of_published_figures() -> None:
    mix = "0.7*alignment + 0.3*recall:unfaithful"
    assert value(mix, rows(CALIBRATED)) == pytest.approx(0.7 * 0.7514 + 0.3 * 6 / 9, abs=5e-5)
    assert value(mix, rows(GENERIC)) == pytest.approx(0.7 * 0.4002, abs=5e-5)


def test_an_unscored_verdict_counts_as_the_opposite_label() -> None:
    gold, verdicts = rows(CALIBRATED)
    declined = [Unscored("refused") if each == Scored("unfaithful") else each for each in verdicts]
    assert value("recall:unfaithful", (gold, declined)) == 0
    assert value("recall:faithful", (gold, declined)) == pytest.approx(19 / 21)  # the two it had wrong are wrong still
    assert value("precision", (gold, declined)) == pytest.approx(19 / 28)


def test_undefined_figures_are_0() -> None:
    nothing_predicted = rows((0, 4, 0, 5))
    assert value("precision", nothing_predicted) == 0
    assert value("pearson", nothing_predicted) == value("spearman", nothing_predicted) == 0
    one_class = rows((3, 1, 0, 0))
    assert value("cohen_kappa", one_class) == value("pearson", one_class) == value("recall:unfaithful", one_class) == 0
    assert value("recall", one_class) == 0.75
    assert value("pearson", rows((1, 0, 0, 1))) == 0  # fewer than three items
    assert value("accuracy", ([], [])) == value("recall:bad", ([], []), scale=INTERVAL) == 0


@pytest.mark.parametrize("text", ["alignment", "0.5*accuracy + 0.5*alignment", "pareto"])
@pytest.mark.parametrize("table", [(3, 1, 0, 0), (1, 0, 0, 1)], ids=["single_class_gold", "too_few"])
def test_alignment_stays_undefined_where_it_is(text: str, table: tuple[int, int, int, int]) -> None:
    with pytest.raises(InputError, match="alignment is undefined on these items"):
        value(text, rows(table))
    with pytest.raises(InputError, match="alignment is undefined on these items"):
        value("accuracy", rows(table), "alignment>=0.5")


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.kind)
@settings(max_examples=30)
@given(data=st.data())
def test_alignment_is_the_value_that_candidates_are_ranked_by(scale: Scale, data: st.DataObject) -> None:
    gold, verdicts = data.draw(judged_rows(scale))
    assume(len(set(gold)) > 1)
    assume(scale.threshold is None or len({label >= "0.5" for label in gold}) > 1)
    assert value("alignment", (gold, verdicts), scale=scale) == alignment_value(gold, verdicts, scale)


@pytest.mark.slow
@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.kind)
@settings(max_examples=30)
@given(data=st.data())
def test_figures_are_those_of_a_measured_run(scale: Scale, data: st.DataObject) -> None:
    gold, verdicts = data.draw(judged_rows(scale))
    found = align(gold, verdicts, scale, invalid="wrong", intervals=False)
    for name, figure in found.metrics.items():
        if figure.reason != "no_threshold":
            assert value(name, (gold, verdicts), scale=scale) == pytest.approx(figure.value or 0, abs=1e-12)
    for label, figure in found.recall_by_class.items():
        name = {"< 0.5": "bad", ">= 0.5": "good"}.get(label, label)
        assert value(f"recall:{name}", (gold, verdicts), scale=scale) == pytest.approx(figure.value or 0, abs=1e-12)


@given(
    judged=judged_rows(FAITHFUL),
    weights=st.lists(st.integers(1, 50), min_size=3, max_size=3),
)
def test_a_mix_is_the_weighted_mean_of_its_figures(judged: Rows, weights: list[int]) -> None:
    assume(len(set(judged[0])) > 1)
    figures = ("alignment", "recall:unfaithful", "f1")
    mix = " + ".join(f"{weight} * {figure}" for weight, figure in zip(weights, figures, strict=True))
    expected = sum(weight * value(figure, judged) for weight, figure in zip(weights, figures, strict=True))
    assert value(mix, judged) == pytest.approx(expected / sum(weights), abs=1e-12)


@given(judged=judged_rows(NOMINAL))
def test_precision_of_a_label_counts_the_verdicts_that_state_it(judged: Rows) -> None:
    gold, verdicts = judged
    stated = [label for label, each in zip(gold, verdicts, strict=True) if each == Scored("other")]
    expected = stated.count("other") / len(stated) if stated else 0
    assert value("precision:other", judged, scale=NOMINAL) == pytest.approx(expected)


def test_the_sides_of_a_threshold_are_good_and_bad() -> None:
    gold = ["0.9", "0.7", "0.5", "0.4", "0.1"]
    verdicts: list[Verdict] = [Scored("0.6"), Scored("0.4"), Unscored("error"), Scored("0.2"), Scored("0.5")]
    assert value("recall:good", (gold, verdicts), scale=INTERVAL) == pytest.approx(1 / 3)
    assert value("recall:bad", (gold, verdicts), scale=INTERVAL) == pytest.approx(1 / 2)
    assert value("precision:bad", (gold, verdicts), scale=INTERVAL) == pytest.approx(1 / 3)
    assert value("precision", (gold, verdicts), scale=INTERVAL) == pytest.approx(1 / 2)


# Constraints


def test_a_feasible_candidate_has_the_figure_and_an_infeasible_one_the_shortfall() -> None:
    judged = rows(CALIBRATED)  # precision of unfaithful 6/8
    assert value("recall:unfaithful", judged, "precision:unfaithful>=0.75") == pytest.approx(6 / 9)
    assert value("recall:unfaithful", judged, "precision:unfaithful>=0.8") == pytest.approx(-0.05)
    both = "precision:unfaithful >= 0.8 and accuracy >= 0.95"
    assert value("recall:unfaithful", judged, both) == pytest.approx(25 / 30 - 0.95)


def test_a_bound_that_is_met_in_all_but_the_last_digit_is_met() -> None:
    judged = rows((7, 3, 0, 4))
    figure = value("cohen_kappa", judged)
    assert value("accuracy", judged, f"cohen_kappa>={figure + 1e-13!r}") > 0


@given(
    one=judged_rows(FAITHFUL),
    other=judged_rows(FAITHFUL),
    text=st.sampled_from(["recall:unfaithful", "cohen_kappa", "0.5*pearson + 0.5*cohen_kappa"]),
    least=st.sampled_from([0.1, 0.5, 0.9, 1.0]),
    bounded=st.sampled_from(["precision", "recall:unfaithful", "cohen_kappa"]),
)
def test_every_feasible_candidate_ranks_above_every_infeasible_one(
    one: Rows, other: Rows, text: str, least: float, bounded: str
) -> None:
    ranks = []
    for judged in (one, other):
        feasible = value(bounded, judged) >= least - 1e-9
        found = value(text, judged, f"{bounded}>={least}")
        assert found == (max(0.0, value(text, judged)) if feasible else max(-1.0, value(bounded, judged) - least))
        assert 0 <= found <= 1 if feasible else -1 <= found < 0
        ranks.append((found, feasible))
    assert max(ranks)[1] == (ranks[0][1] or ranks[1][1])


# How it is written


@pytest.mark.parametrize(
    ("text", "constraint", "canonical"),
    [
        ("alignment", "", "alignment"),
        ("  Alignment ", "  ", "alignment"),
        ("1*alignment", "", "alignment"),
        ("0.7*alignment+0.3*recall:unfaithful", "", "0.7*alignment + 0.3*recall:unfaithful"),
        ("\t0.7 *  alignment\n+ .3* recall : UNFAITHFUL ", "", "0.7*alignment + 0.3*recall:unfaithful"),
        ("7*alignment + 3*f1", "", "0.7*alignment + 0.3*f1"),
        ("5*F1", "", "f1"),
        ("recall:'Faithful'", "", "recall:faithful"),
        ("recall", "precision>=0.80", "recall subject to precision>=0.8"),
        ("recall", "precision ≥ 1 AND f1>=.5", "recall subject to precision>=1 and f1>=0.5"),
        ("recall subject to precision >= 0.8", "", "recall subject to precision>=0.8"),
        ("recall", "cohen_kappa>=0", "recall subject to cohen_kappa>=0"),
        (" PARETO ", "", "pareto"),
    ],
)
def test_the_canonical_text(text: str, constraint: str, canonical: str) -> None:
    found = Objective.parse(text, constraint, scale=FAITHFUL)
    assert found.text == canonical
    assert Objective.parse(canonical, scale=FAITHFUL) == found


@given(weights=st.lists(st.floats(1e-3, 1e3), min_size=2, max_size=4))
def test_canonical_text_is_read_back_as_the_same_objective(weights: list[float]) -> None:
    figures = ("alignment", "recall:unfaithful", "f1", "cohen_kappa")
    mix = " + ".join(f"{weight!r}*{figure}" for weight, figure in zip(weights, figures, strict=False))
    found = Objective.parse(mix, "precision>=0.3", scale=FAITHFUL)
    assert Objective.parse(found.text, scale=FAITHFUL) == found
    assert sum(term.weight for term in found.terms) == pytest.approx(1)


def test_weights_that_are_normalised_are_said() -> None:
    found = Objective.parse("7*alignment + 3*f1", scale=FAITHFUL)
    assert found.note == "weights 7 and 3 are read as 0.7 and 0.3, so that they sum to 1"
    assert Objective.parse("0.1*alignment + 0.2*f1 + 0.7*recall", scale=FAITHFUL).note == ""


@pytest.mark.parametrize("label", NOMINAL.labels)
def test_labels_may_hold_spaces_colons_and_signs(label: str) -> None:
    gold = ["billing", "shipping: late", "a + b", "other", label]
    judged: Rows = (gold, [Scored(label)] * 5)
    mix = Objective.parse(f"0.5*recall:{label} + 0.5*precision:{label}", f"recall:{label}>=0.2", scale=NOMINAL)
    assert [each.label for each in mix.figures] == [label] * 3
    assert mix.value(*judged, NOMINAL) == pytest.approx(0.5 * 1 + 0.5 * 2 / 5)
    assert Objective.parse(mix.text, scale=NOMINAL) == mix


def test_the_longer_of_two_labels_is_meant() -> None:
    scale = Scale("nominal", ("good", "good and short", "bad"))
    found = Objective.parse("recall:good and short", "precision:good>=0.5 and recall:good and short>=0.2", scale=scale)
    assert [each.label for each in found.figures] == ["good and short", "good", "good and short"]


def test_kinds_of_objective() -> None:
    plain, pareto, bounded = (
        Objective.parse(*text, scale=FAITHFUL) for text in (["alignment"], ["pareto"], ["alignment", "recall>=0.5"])
    )
    assert (plain.is_alignment, plain.front) == (True, False)
    assert (pareto.is_alignment, pareto.front) == (True, True)
    assert (bounded.is_alignment, bounded.front) == (False, False)
    assert plain == Objective()


@pytest.mark.parametrize(
    ("text", "constraint", "scale", "words"),
    [
        ("alignment", "", FAITHFUL, "alignment"),
        ("pareto", "", FAITHFUL, "alignment, with the front of alignment against cost per verdict beside it"),
        (
            "recall:unfaithful",
            "precision:unfaithful>=0.8",
            FAITHFUL,
            "recall of unfaithful, subject to precision of unfaithful >= 0.8; "
            "negative scores tell how far the constraint is missed",
        ),
        (
            "2*alignment + 1*f1",
            "",
            FAITHFUL,
            "the weighted mean of alignment (weight 0.667) and F1 of faithful (weight 0.333)",
        ),
        (
            "cohen_kappa",
            "recall>=0.5 and accuracy>=0.7",
            ORDINAL,
            "Cohen's kappa with quadratic weights, subject to recall averaged over the labels >= 0.5 and "
            "accuracy >= 0.7; negative scores tell how far the constraints are missed",
        ),
        ("recall:bad", "", INTERVAL, "recall of bad (scores below 0.5)"),
        ("precision", "", INTERVAL, "precision of good (scores of at least 0.5)"),
        ("pearson", "", WITHOUT_THRESHOLD, "Pearson's r"),
        ("f1", "", NOMINAL, "F1 averaged over the labels"),
    ],
)
def test_in_words(text: str, constraint: str, scale: Scale, words: str) -> None:
    assert Objective.parse(text, constraint, scale=scale).in_words(scale) == words


# What is refused


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "name a figure: the figures of this scale are alignment, accuracy, precision"),
        ("precison", "there is no figure 'precison' here: the figures of this scale are alignment, accuracy"),
        ("recall:unfaithfull", "there is no label 'unfaithfull': the labels are unfaithful, faithful"),
        ("recall:", "there is no label '': the labels are"),
        ("recall:none + 0.5*f1", "there is no label 'none'"),
        ("f1:faithful", "f1 is of all labels; only precision and recall are of one"),
        ("-0.3*recall", "weights are positive numbers, found -0.3"),
        ("0*recall + 1*f1", "weights are positive numbers, found 0"),
        ("1e999*recall", "weights are positive numbers"),
        ("0.5 recall", "a weight is followed by * and a figure, such as 0.5*alignment"),
        ("0.5*recall + f1", "give every figure a weight, such as 0.5*f1"),
        ("recall + f1", "give every figure a weight"),
        ("0.5*recall - 0.5*f1", "expected + and a further figure, found '- 0.5*f1'"),
        ("0.5*recall + 0.5*recall", "recall is named twice"),
        ("0.5*recall +", "name a figure"),
        ("recall f1", "expected + and a further figure, found 'f1'"),
        ("pareto + recall", "pareto takes no weights, further figures or constraint"),
        ("0.5*pareto + 0.5*recall", "there is no figure 'pareto' here"),
        ("recall subject to", "name a figure"),
    ],
)
def test_objectives_that_cannot_be_read(text: str, message: str) -> None:
    assert message in refusal(text)


@pytest.mark.parametrize(
    ("constraint", "message"),
    [
        ("precision", "a constraint is FIGURE>=NUMBER, such as precision>=0.8"),
        ("precision<=0.8", "a constraint is FIGURE>=NUMBER"),
        ("precision>=", "the bound of precision is a number above 0 and at most 1, found ''"),
        ("precision>=80%", "the bound of precision is a number above 0 and at most 1, found '80'"),
        ("precision>=0", "above 0 and at most 1"),
        ("precision>=1.1", "above 0 and at most 1, found '1.1'"),
        ("cohen_kappa>=-1", "above -1 and at most 1"),
        ("precision>=0.8 recall>=0.5", "expected 'and' and a further constraint, found 'recall>=0.5'"),
        ("precision>=0.8, recall>=0.5", "expected 'and' and a further constraint, found ', recall>=0.5'"),
        ("precision>=0.8 and", "name a figure"),
        ("precision>=0.8 and precision>=0.9", "precision is named twice"),
        ("recall:other>=0.8", "there is no label 'other': the labels are unfaithful, faithful"),
        ("speed>=0.8", "there is no figure 'speed' here"),
    ],
)
def test_constraints_that_cannot_be_read(constraint: str, message: str) -> None:
    found = refusal("recall", constraint)
    assert found.startswith(f"constraint '{constraint}': ")
    assert message in found


def test_a_constraint_is_stated_once_and_not_with_pareto() -> None:
    assert "state the constraint once" in refusal("recall subject to f1>=0.5", "precision>=0.5")
    assert "pareto takes no weights" in refusal("pareto", "precision>=0.5")


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        ("pearson", NOMINAL),
        ("spearman", PAIRWISE),
        ("accuracy", WITHOUT_THRESHOLD),
        ("recall:good", WITHOUT_THRESHOLD),
        ("0.5*alignment + 0.5*f1", WITHOUT_THRESHOLD),
    ],
)
def test_figures_that_a_scale_does_not_have(text: str, scale: Scale) -> None:
    assert "the figures of this scale are alignment" in refusal(text, scale=scale)
    assert text.rpartition("*")[2].partition(":")[0] not in refusal(text, scale=scale).partition("are alignment")[2]


def test_an_interval_scale_knows_good_and_bad_only() -> None:
    assert "there is no label '0.5': the labels are bad, good" in refusal("recall:0.5", scale=INTERVAL)


def test_a_hundred_binary_verdicts_are_valued_in_less_than_a_millisecond() -> None:
    gold, verdicts = rows((40, 10, 20, 30))
    for text in ("alignment", "recall:unfaithful", "0.7*alignment + 0.3*recall:unfaithful"):
        objective = Objective.parse(text, scale=FAITHFUL)
        assert _fastest(objective, gold, verdicts) < 1e-3


def _fastest(objective: Objective, gold: Sequence[str], verdicts: Sequence[Verdict]) -> float:
    times = []
    for _ in range(50):
        start = time.perf_counter()
        objective.value(gold, verdicts, FAITHFUL)
        times.append(time.perf_counter() - start)
    return min(times)
