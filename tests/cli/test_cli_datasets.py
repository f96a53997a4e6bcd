"""``calibrate score`` on public, human-labelled sets reproduces figures that scikit-learn and SciPy give.

The sets are found through ``CALIBRATE_DATASETS`` and are not part of the project.
"""

import os
from pathlib import Path

import pytest

FOLDER = os.environ.get("CALIBRATE_DATASETS", "")
pytestmark = pytest.mark.skipif(not FOLDER, reason="CALIBRATE_DATASETS names no folder with the public sets")

NAMES = ("accuracy", "precision", "recall", "f1", "cohen_kappa", "pearson", "spearman")
FIGURES = {
    ("ragas_annotated", "judge_llm"): (44, 0.955, 0.967, 0.967, 0.967, 0.895, 0.895, 0.895),
    ("llmbar", "judge_gpt4_vanilla"): (419, 0.828, 0.829, 0.829, 0.828, 0.656, 0.657, 0.657),
    ("llmbar", "judge_gpt4_vanilla_swapped"): (419, 0.862, 0.862, 0.862, 0.862, 0.723, 0.723, 0.723),
    ("llmbar", "judge_chatgpt_cot"): (418, 0.402, 0.390, 0.405, 0.384, -0.190, -0.205, -0.205),
    ("llmbar", "judge_palm2_vanilla"): (415, 0.687, 0.688, 0.687, 0.687, 0.374, 0.375, 0.375),
    ("pandalm", "judge_gpt_3_5_turbo"): (293, 0.689, 0.557, 0.547, 0.547, 0.455, 0.538, 0.539),
    ("pandalm", "judge_pandalm_7b"): (300, 0.650, 0.563, 0.572, 0.566, 0.415, 0.488, 0.489),
}


@pytest.mark.parametrize(("name", "judge"), FIGURES)
def test_the_reference_figures(program, name, judge):
    document = program("score", Path(FOLDER) / f"{name}.jsonl", "--judge", judge, "--json").json
    whole = [each for each in document["results"] if each["slice"] is None]
    entry = whole[-1]
    assert entry["dimension"] == ("all dimensions" if len(whole) > 1 else whole[0]["dimension"])
    found = {**entry["metrics"], **entry["extras"]}
    n, *figures = FIGURES[name, judge]
    assert entry["scored"] == n
    assert [found[each]["value"] for each in NAMES] == pytest.approx(figures, abs=0.001)
