"""Recorded judges and raters of public human-labelled sets give the figures of scikit-learn, SciPy and krippendorff."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from measured_rows import BINARY, PREFERENCE

from calibrate.domain import Scale, Scored, Unscored, Verdict
from calibrate.metrics import Changes, agreement_gate, align, changed_verdicts, compare, krippendorff_alpha, verbosity

DATASETS = os.environ.get("CALIBRATE_DATASETS")
pytestmark = pytest.mark.skipif(not DATASETS, reason="CALIBRATE_DATASETS does not name a folder with the public sets")

DIFFERENCES = Scale("ordinal", ("-2", "-1", "0", "1", "2"))
LEVELS = Scale("ordinal", ("1", "2", "3", "4", "5", "6"))


def rows(name: str) -> list[dict[str, Any]]:
    text = (Path(DATASETS or "") / f"{name}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def gold(name: str, scale: Scale) -> list[str | None]:
    return [None if row["label"] is None else scale.match(row["label"]) for row in rows(name)]


def recorded(name: str, judge: str, scale: Scale) -> list[Verdict]:
    found = [scale.match(row[f"judge_{judge}"]) for row in rows(name)]
    return [Unscored("invalid") if label is None else Scored(label) for label in found]


def ratings(name: str, dimension: str | None = None) -> list[dict[str, str]]:
    return [
        {key: str(value) for key, value in row.items() if key.startswith("annotator_") and value is not None}
        for row in rows(name)
        if dimension in (None, row["dimension"])
    ]


@pytest.mark.parametrize(
    ("name", "judge", "scale", "n", "expected"),
    [
        ("ragas_annotated", "llm", BINARY, 44, (0.955, 0.967, 0.967, 0.967, 0.895, 0.895, 0.895)),
        ("llmbar", "gpt4_vanilla", PREFERENCE, 419, (0.828, 0.829, 0.829, 0.828, 0.656, 0.657, 0.657)),
        ("llmbar", "gpt4_vanilla_swapped", PREFERENCE, 419, (0.862, 0.862, 0.862, 0.862, 0.723, 0.723, 0.723)),
        ("llmbar", "chatgpt_cot", PREFERENCE, 418, (0.402, 0.390, 0.405, 0.384, -0.190, -0.205, -0.205)),
        ("llmbar", "palm2_vanilla", PREFERENCE, 415, (0.687, 0.688, 0.687, 0.687, 0.374, 0.375, 0.375)),
        ("pandalm", "gpt_3_5_turbo", PREFERENCE, 293, (0.689, 0.557, 0.547, 0.547, 0.455, 0.538, 0.539)),
        ("pandalm", "pandalm_7b", PREFERENCE, 300, (0.650, 0.563, 0.572, 0.566, 0.415, 0.488, 0.489)),
    ],
)
def test_recorded_judges(name: str, judge: str, scale: Scale, n: int, expected: tuple[float, ...]) -> None:
    found = align(gold(name, scale), recorded(name, judge, scale), scale)
    figures = {**found.metrics, **found.extras}
    order = ("accuracy", "precision", "recall", "f1", "cohen_kappa", "pearson", "spearman")
    assert found.scored == n
    assert [figures[each].value for each in order] == pytest.approx(list(expected), abs=1e-3)


@pytest.mark.parametrize(
    ("name", "baseline", "candidate", "n", "only", "p"),
    [
        ("llmbar", "gpt4_vanilla", "chatgpt_cot", 418, (190, 12), 2.29e-42),
        ("pandalm", "gpt_3_5_turbo", "pandalm_7b", 293, (45, 33), 0.2127),
    ],
)
def test_recorded_pairs(name: str, baseline: str, candidate: str, n: int, only: tuple[int, int], p: float) -> None:
    verdicts = (recorded(name, each, PREFERENCE) for each in (baseline, candidate))
    found = compare(gold(name, PREFERENCE), *verdicts, PREFERENCE)
    assert found.n == n
    assert (found.only_baseline_right, found.only_candidate_right) == only
    assert found.mcnemar_p == pytest.approx(p, rel=1e-3)


@pytest.mark.parametrize(
    ("name", "dimension", "scale", "level", "alpha"),
    [
        ("pandalm", None, PREFERENCE, "nominal", 0.864),
        ("ragchecker", "completeness", DIFFERENCES, "nominal", 0.501),
        ("ragchecker", "correctness", DIFFERENCES, "nominal", 0.250),
        ("ragchecker", "overall", DIFFERENCES, "nominal", 0.389),
        ("ragchecker", "completeness", DIFFERENCES, "interval", 0.774),
        ("ragchecker", "correctness", DIFFERENCES, "interval", 0.653),
        ("ragchecker", "overall", DIFFERENCES, "interval", 0.764),
        ("jb_recipes", "overall", LEVELS, "nominal", 0.116),
        ("jb_recipes", "overall", LEVELS, "ordinal", 0.435),
    ],
)
def test_recorded_raters(name: str, dimension: str | None, scale: Scale, level: Any, alpha: float) -> None:
    assert krippendorff_alpha(ratings(name, dimension), scale, level).value == pytest.approx(alpha, abs=1e-3)


def test_recorded_gates() -> None:
    assert agreement_gate(ratings("pandalm"), PREFERENCE).passed is True
    assert agreement_gate(ratings("jb_recipes", "overall"), LEVELS).passed is False


def pairs_of(judge: str) -> list[dict[str, Any]]:
    usable = [row for row in rows("llmbar") if row["label"] in ("A", "B") and row[f"judge_{judge}"] in ("A", "B")]
    assert usable
    return usable


@pytest.mark.parametrize(
    ("judge", "value", "low", "high"),
    [("gpt4_vanilla", 1.93, 1.01, 3.69), ("palm2_vanilla", 1.07, 0.67, 1.72), ("llama2_vanilla", 7.42, 4.47, 12.32)],
)
def test_a_taste_for_the_longer_answer_is_what_a_plain_logistic_model_finds(
    judge: str, value: float, low: float, high: float
) -> None:
    """The reference is maximum likelihood with Wald's interval; Firth's penalty moves each end by a few per cent."""
    usable = pairs_of(judge)
    probe = verbosity(
        np.array([row[f"judge_{judge}"] == "A" for row in usable]),
        np.array([int(row["label"] == "A") for row in usable]),
        np.array([max(len(row["answer_a"]), 1) / max(len(row["answer_b"]), 1) for row in usable]),
        pairs=True,
    )
    found = probe.figures["longer_of_two"]
    assert isinstance(found, dict)
    assert (found["value"], found["low"], found["high"]) == pytest.approx((value, low, high), rel=0.03)


@pytest.mark.parametrize(
    ("judge", "flips", "n"), [("gpt4_vanilla", 30, 419), ("chatgpt_cot", 170, 414), ("falcon_vanilla", 245, 419)]
)
def test_verdicts_that_change_when_the_answers_change_places(judge: str, flips: int, n: int) -> None:
    both = [row for row in rows("llmbar") if row[f"judge_{judge}"] and row[f"judge_{judge}_swapped"]]
    first = np.array([row[f"judge_{judge}"] == "A" for row in both])
    other = np.array([row[f"judge_{judge}_swapped"] == "A" for row in both])
    probe = changed_verdicts(
        "position", Changes(first != other, first.astype(int) - other.astype(int)), ("to A", "to B")
    )
    assert (probe.n, probe.figures["flips"]) == (n, flips)
