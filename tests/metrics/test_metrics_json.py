"""The JSON of an alignment, and what importing the package costs."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from measured_rows import BINARY, binary_rows, verdicts

import calibrate.metrics
from calibrate.metrics import align


def test_the_documented_shape() -> None:
    found = align(*binary_rows(20, 1, 9, 0), BINARY).to_json()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["n"] == found["scored"] == 30
    assert found["coverage"] == 1.0
    assert (found["scale"], found["positive"], found["invalid"]) == ("binary", "1", "exclude")
    alignment = found["alignment"]
    assert isinstance(alignment, dict)
    assert list(alignment) == ["value", "low", "high", "components"]
    assert alignment["value"] == pytest.approx(0.4002, abs=5e-5)
    assert alignment["low"] == pytest.approx(0.28, abs=0.01)
    assert alignment["high"] == pytest.approx(0.59, abs=0.01)
    assert found["confusion"] == {"labels": ["0", "1"], "matrix": [[0, 9], [1, 20]]}
    assert found["recall_by_class"] == pytest.approx({"0": 0.0, "1": 0.952}, abs=5e-4)
    assert found["positive_rate"] == pytest.approx({"human": 0.7, "judge": 0.967}, abs=5e-4)
    assert found["unscored"] == {"abstained": 0, "invalid": 0, "refused": 0, "truncated": 0, "error": 0}
    reference = found["reference"]
    assert isinstance(reference, dict)
    assert reference["constant"] == pytest.approx(0.4605, abs=5e-5)
    assert isinstance(reference["random"], float)


def test_an_undefined_metric_is_null_with_its_reason() -> None:
    metrics = align(*binary_rows(21, 0, 9, 0), BINARY).to_json()["metrics"]
    assert isinstance(metrics, dict)
    assert metrics["pearson"] == {"value": None, "reason": "constant_judge"}


def test_the_wrong_figure_stands_beside_when_verdicts_are_missing() -> None:
    human, judge = binary_rows(20, 1, 3, 6)
    assert align(human, judge, BINARY).to_json()["wrong"] is None
    wrong = align(human, [*judge[:-1], *verdicts([None])], BINARY).to_json()["wrong"]
    assert isinstance(wrong, dict)
    assert set(wrong) == {"alignment", "accuracy"}


def test_importing_the_package_loads_no_numpy_and_every_name_is_there() -> None:
    code = "import sys, calibrate.metrics; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    for name in calibrate.metrics.__all__:
        assert getattr(calibrate.metrics, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = calibrate.metrics.nothing  # type: ignore[attr-defined]  # must not exist


def test_measuring_labels_loads_neither_scipy_nor_scikit_learn() -> None:
    code = (
        "import sys\n"
        "from calibrate.domain import Scale, Scored\n"
        "from calibrate.metrics import align\n"
        "align(['0', '1'] * 9, [Scored('1')] * 18, Scale('binary', ('0', '1'), '1'))\n"
        "sys.exit(any(name in sys.modules for name in ('scipy', 'sklearn', 'pandas')))\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
