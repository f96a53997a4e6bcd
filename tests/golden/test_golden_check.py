"""What a check says about a set: sizes, classes, duplicates and gaps, by counting."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from calibrate.domain import GoldenSet, Item, Scale
from calibrate.golden import Finding, LoadOptions, check, load_golden
from calibrate.golden.check import check_items

BINARY = Scale("binary", ("0", "1"), "1")


def golden(labels: Sequence[str | None], scale: Scale = BINARY, answers: Sequence[str] | None = None) -> GoldenSet:
    texts = answers or [f"answer number {n}" for n in range(len(labels))]
    items = tuple(
        Item(str(n), "d", {"answer": text}, label=label)
        for n, (label, text) in enumerate(zip(labels, texts, strict=True))
    )
    return GoldenSet("set", items, {"d": scale})


def findings(golden_set: GoldenSet) -> dict[str, Finding]:
    return {finding.code: finding for finding in check_items(golden_set)}


@pytest.mark.parametrize(
    ("ones", "zeros", "codes"),
    [
        (14, 15, {"small_set", "below_gate"}),
        (15, 15, {"below_gate"}),
        (190, 10, set()),
        (191, 9, {"small_class"}),
        (100, 99, {"below_gate"}),
        (3, 0, {"small_set", "below_gate", "single_class_gold"}),
        (0, 0, {"no_labels", "unlabelled"}),
    ],
)
def test_sizes_and_classes(ones: int, zeros: int, codes: set[str]) -> None:
    labels: list[str | None] = ["1"] * ones + ["0"] * zeros
    found = findings(golden(labels or [None]))
    assert found.keys() == codes


def test_a_single_class_is_an_error_that_says_what_to_do() -> None:
    finding = findings(golden(["1"] * 40))["single_class_gold"]
    assert finding.level == "error"
    assert "all 40 labels are 1" in finding.message


def test_a_declared_label_that_never_occurs_is_a_small_class_but_no_tie_is_no_gap() -> None:
    ordinal = Scale("ordinal", ("1", "2", "3"))
    assert "3 (0)" in findings(golden(["1"] * 20 + ["2"] * 20, ordinal))["small_class"].message
    pairwise = Scale("pairwise", ("A", "B", "tie"))
    assert "small_class" not in findings(golden(["A"] * 20 + ["B"] * 20, pairwise))
    assert "tie (2)" in findings(golden(["A"] * 20 + ["B"] * 20 + ["tie"] * 2, pairwise))["small_class"].message


def test_classes_of_scores_are_the_sides_of_the_threshold() -> None:
    interval = Scale("interval", threshold=0.5)
    assert "below 0.5 (1)" in findings(golden(["0.4", *["0.5"] * 12], interval))["small_class"].message
    assert findings(golden(["0.6", "0.9"], interval))["single_class_gold"].level == "error"


def test_exact_duplicates_and_conflicting_ones() -> None:
    found = findings(golden(["1", "1", "0", "1", "0"], answers=["same", "same", "odd", "twice", "twice"]))
    assert (found["exact_duplicates"].level, found["exact_duplicates"].ids) == ("warning", ("0", "1"))
    assert (found["conflicting_duplicates"].level, found["conflicting_duplicates"].ids) == ("error", ("3", "4"))


def test_chunks_and_their_text_are_different_inputs() -> None:
    items = (Item("a", "d", {"context": ("x", "y")}, label="1"), Item("b", "d", {"context": "x\ny"}, label="0"))
    assert "conflicting_duplicates" not in findings(GoldenSet("set", items, {"d": BINARY}))


def test_near_duplicates_are_grouped_and_exact_ones_are_not_among_them() -> None:
    long = " ".join(f"word{n}" for n in range(200))
    answers = [long, f"{long} more", f"and {long}", "quite another answer with some words", long]
    found = findings(golden(["1", "0", "1", "0", "1"], answers=answers))
    assert found["near_duplicates"].ids == ("0", "1", "2")
    assert "0 = 1 = 2" in found["near_duplicates"].message
    assert found["exact_duplicates"].ids == ("0", "4")


def test_nine_of_ten_shingles_is_near_and_fewer_is_not() -> None:
    # 19 shingles; two more words: 19/21 = 0.905; the last word other: 18/20 = 0.9; the last two: 17/21 = 0.81.
    words = [f"w{n}" for n in range(23)]
    near, border, far = [*words, "x", "y"], [*words[:22], "z"], [*words[:21], "u", "v"]
    for other, expected in ((near, True), (border, True), (far, False)):
        found = findings(golden(["1", "0"], answers=[" ".join(words), " ".join(other)]))
        assert ("near_duplicates" in found) is expected


def test_gaps_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    path.write_text("id,context,answer,rater_1,rater_2\n1,,x,1,0\n2,c,y,,\n3,c,z,1,1\n4,c,w,0,0\n")
    found = {finding.code: finding for finding in check(load_golden(path))}
    assert found["ties"].ids == ("1",)
    assert found["unlabelled"].ids == ("2",)
    assert found["empty_inputs"].ids == ("1",)
    assert {found[code].level for code in ("ties", "unlabelled", "empty_inputs")} == {"warning"}


def test_each_dimension_is_checked_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    path.write_text("id,dimension,answer,label\n1,a,x,1\n2,a,y,1\n1,b,x,1\n2,b,y,0\n")
    errors = [finding for finding in check(load_golden(path, LoadOptions())) if finding.level == "error"]
    assert [(finding.code, finding.dimension) for finding in errors] == [("single_class_gold", "a")]


def test_a_tie_in_one_dimension_is_no_tie_in_another(tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    path.write_text("id,dimension,answer,rater_1,rater_2\n1,a,x,1,0\n1,b,x,,\n2,a,y,1,1\n2,b,y,0,0\n")
    found = {(finding.code, finding.dimension): finding.ids for finding in check(load_golden(path))}
    assert found["ties", "a"] == found["unlabelled", "b"] == ("1",)
    assert ("ties", "b") not in found
