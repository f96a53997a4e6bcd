"""Small tables with right answers that tools in use get wrong (data/figures.json)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from measured_rows import BINARY, binary_rows, verdicts

from calibrate.domain import Scale
from calibrate.errors import InputError
from calibrate.metrics import align, disagreements, human_ceiling, krippendorff_alpha, majority

CASES: dict[str, Any] = {
    case["case"]: case for case in json.loads((Path(__file__).parent / "data" / "figures.json").read_text("utf-8"))
}


def case(start: str) -> Any:
    return next(each for name, each in CASES.items() if name.startswith(start))


def table_of(found: Any) -> tuple[int, int, int, int]:
    return tuple(found["table"][cell] for cell in ("TP", "FN", "FP", "TN"))


def test_perfect_judge() -> None:
    expected = case("perfect judge")["expect"]
    found = align(*binary_rows(*table_of(case("perfect judge"))), BINARY)
    assert found.alignment.value == expected["alignment"]
    assert found.accuracy_wilson is not None
    assert found.accuracy_wilson.low == pytest.approx(expected["accuracy_wilson_low"], abs=5e-4)
    assert found.recall_by_class["1"].low == pytest.approx(expected["recall_positive_wilson_low"], abs=5e-4)
    assert found.recall_by_class["0"].low == pytest.approx(expected["recall_negative_wilson_low"], abs=5e-4)
    for each in (found.alignment, *found.metrics.values()):
        assert each.low is not None
        assert each.high is not None
        assert each.low < each.high == 1.0


def test_constant_judge() -> None:
    expected = case("constant judge")["expect"]
    found = align(*binary_rows(*table_of(case("constant judge"))), BINARY)
    assert found.alignment.value == pytest.approx(expected["alignment"], abs=5e-5)
    assert found.metrics["cohen_kappa"].value == expected["cohen_kappa"]
    assert found.metrics["pearson"].value is expected["pearson"]
    assert found.metrics["pearson"].reason == expected["pearson_reason"]
    recall = found.recall_by_class["0"]
    assert [recall.low, recall.high] == pytest.approx(expected["recall_negative_wilson"], abs=5e-4)


def test_silence() -> None:
    expected = case("silence")["expect"]
    human = ["1"] * 20 + ["0"] * 20
    found = align(human, verdicts(["1", "1"] + [None] * 18 + ["0", "0"] + [None] * 18), BINARY)
    assert found.coverage == expected["coverage"]
    assert found.metrics["accuracy"].value == expected["accuracy_exclude"]
    assert found.to_json()["accuracy_bounds"] == expected["accuracy_bounds"]
    assert found.wrong is not None
    assert found.wrong.accuracy.value == expected["accuracy_wrong"]
    assert not any(reading.praise for reading in found.readings)


def test_ordinal_levels_that_are_never_used() -> None:
    found_case = case("ordinal 1-5")
    human, judge, levels = ([str(each) for each in found_case[key]] for key in ("human", "judge", "levels"))
    found = align(human, verdicts(judge), Scale("ordinal", tuple(levels)))
    assert found.metrics["cohen_kappa"].value == pytest.approx(found_case["expect"]["quadratic_kappa"], abs=5e-4)
    assert found.extras["linear_kappa"].value == pytest.approx(found_case["expect"]["linear_kappa"], abs=5e-4)


@pytest.mark.parametrize("labels", [("good", "bad"), ("0", "1"), ("zz", "aa")])
def test_two_raters_who_disagree_on_every_item_make_no_gold_whatever_the_labels(labels: tuple[str, str]) -> None:
    scale = Scale("nominal", labels)
    ratings = [{"ann": labels[at % 2], "bob": labels[1 - at % 2]} for at in range(6)]
    assert [majority(list(item.values())) for item in ratings] == [None] * 6
    assert [each.disagreement for each in disagreements(ratings, scale)] == [1.0] * 6
    alpha = krippendorff_alpha(ratings, scale).value
    assert alpha is not None
    assert alpha < 0


def test_one_rater_saw_one_class_and_the_mean_over_raters_stays_finite() -> None:
    expected = case("one rater saw")["expect"]
    ratings = [{"ann": label, "bob": label} for label in "110010"] + [{"cat": "1", "ann": "1"}] * 5
    judge = verdicts(["1", "1", "0", "0", "1", "0"] + ["1"] * 5)
    found = human_ceiling(ratings, judge, BINARY)
    rows = {row.rater: row for row in found.rows}
    kappa = rows["cat"].judge.metrics["cohen_kappa"]
    assert kappa.value is expected["kappa"]
    assert kappa.reason == expected["reason"]
    assert found.judge.value == 1.0
    assert (found.defined, len(found.rows)) == (2, 3)


def test_gaps_in_different_rows() -> None:
    found_case = case("gold and verdicts with gaps")
    scale = Scale("nominal", ("a", "b"))
    found = align(found_case["human"], verdicts(found_case["judge"]), scale, intervals=False)
    pairs = [
        [gold, judge]
        for gold, row in zip(scale.labels, found.confusion.matrix, strict=True)
        for judge, count in zip(scale.labels, row, strict=True)
        for _ in range(count)
    ]
    assert pairs == found_case["expect"]["pairs"]
    assert found.metrics["accuracy"].value == pytest.approx(found_case["expect"]["accuracy"], abs=5e-4)


def test_a_continuous_verdict_on_a_binary_set_is_refused_and_never_rounded() -> None:
    assert "mistaken rounding" in CASES
    assert BINARY.match(0.9) is None
    with pytest.raises(InputError, match=r"'0\.9' is none of the declared labels"):
        align(["1"], verdicts(["0.9"]), BINARY)
