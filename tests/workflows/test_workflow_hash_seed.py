"""A simulated calibration is the same in every process, whatever order Python gives its sets."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import calibrate
from calibrate.optimizer import Limits
(found,) = calibrate.optimize(
    "support_faithfulness", "sim:reader", "sim:writer", limits=Limits(iterations=2), db="run.db"
).each
for each in found.stored.candidates:
    print(each.number, each.score, each.prompt)
"""


@pytest.mark.slow
def test_the_trajectory_does_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    shown = set()
    for seed in ("0", "1", "2", "3"):
        folder = tmp_path / seed
        folder.mkdir()
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT], cwd=folder, env=environment, capture_output=True, text=True, check=True
        )
        shown.add(done.stdout)
    assert len(shown) == 1
