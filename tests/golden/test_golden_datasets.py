"""Public human-labelled sets load by declaration alone, and their recorded verdicts give the published accuracy."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from calibrate.domain import Scored
from calibrate.golden import LoadOptions, RecordedOptions, check, load_golden, load_recorded

DATASETS = os.environ.get("CALIBRATE_DATASETS")
pytestmark = pytest.mark.skipif(not DATASETS, reason="CALIBRATE_DATASETS does not name a folder with the public sets")

SIX = ("1", "2", "3", "4", "5", "6")
SETS = {
    "begin_wow": (LoadOptions(scale="nominal"), 300, {"Not fully attributable": 183, "Fully attributable": 116}),
    "evidently_code_review": (LoadOptions(positive="good"), 50, {"bad": 27, "good": 23}),
    "halueval_general": (LoadOptions(positive="no"), 300, {"yes": 54, "no": 246}),
    "jb_recipes": (LoadOptions(scale="ordinal", labels=SIX), 312, {}),
    "llmbar": (LoadOptions(), 419, {"A": 206, "B": 213}),
    "pandalm": (LoadOptions(), 300, {"A": 127, "B": 141, "tie": 32}),
    "ragas_annotated": (LoadOptions(), 44, {"1": 30, "0": 14}),
    "ragchecker": (LoadOptions(scale="interval", threshold=0, low=-2, high=2), 300, {}),
    "refchecker": (LoadOptions(scale="nominal"), 300, {"Entailment": 200, "Neutral": 73, "Contradiction": 27}),
    "summedits": (LoadOptions(positive="faithful"), 300, {"unfaithful": 194, "faithful": 106}),
}


@pytest.mark.parametrize("name", SETS)
def test_sets_load_and_can_be_checked(name: str) -> None:
    options, labelled, counts = SETS[name]
    loaded = load_golden(Path(DATASETS or "") / f"{name}.jsonl", options)
    labels = [item.label for item in loaded.golden.labelled]
    assert len(labels) == labelled
    assert {label: labels.count(label) for label in counts} == counts
    assert all(item.inputs for item in loaded.golden.items)
    assert not any(finding.code == "no_labels" for finding in check(loaded))


@pytest.mark.parametrize(
    ("name", "judge", "n", "accuracy"),
    [
        ("ragas_annotated", "judge_llm", 44, 0.955),
        ("llmbar", "judge_gpt4_vanilla", 419, 0.828),
        ("llmbar", "judge_gpt4_vanilla_swapped", 419, 0.862),
        ("llmbar", "judge_chatgpt_cot", 418, 0.402),
        ("llmbar", "judge_palm2_vanilla", 415, 0.687),
        ("pandalm", "judge_gpt_3_5_turbo", 293, 0.689),
        ("pandalm", "judge_pandalm_7b", 300, 0.650),
    ],
)
def test_recorded_verdicts_give_the_published_accuracy(name: str, judge: str, n: int, accuracy: float) -> None:
    recorded = load_recorded(Path(DATASETS or "") / f"{name}.jsonl", RecordedOptions()).labelled()
    pairs = [
        (human, verdict.label)
        for human, verdict in zip(recorded.human, recorded.verdicts[judge], strict=True)
        if isinstance(verdict, Scored)
    ]
    assert len(pairs) == n
    assert sum(human == label for human, label in pairs) / n == pytest.approx(accuracy, abs=0.001)
