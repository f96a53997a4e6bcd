"""A tour without a key: calibrate a simulated judge on a golden set that comes with the package."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from calibrate.config import Settings
from calibrate.domain import Json
from calibrate.workflows.calibration import Calibration
from calibrate.workflows.optimize import OptimizeOptions, optimize
from calibrate.workflows.progress import Progress
from calibrate.workflows.setup import JudgeOptions

__all__ = ["DEMO_JUDGE", "DEMO_OPTIMIZER", "DEMO_SET", "Demo", "demo"]

DEMO_SET, DEMO_JUDGE, DEMO_OPTIMIZER = "support_faithfulness", "sim:reader", "sim:writer"


@dataclass(frozen=True, slots=True)
class Demo:
    """What the tour came to."""

    calibration: Calibration

    def to_json(self) -> Mapping[str, Json]:
        """Return the JSON document of the calibration."""
        return self.calibration.to_json()


async def demo(settings: Settings, db: str, progress: Progress) -> Demo:
    """Run the tour; it prints whatever comes out. Run again on the same database, it shows the stored result."""
    options = OptimizeOptions(DEMO_SET, JudgeOptions(DEMO_JUDGE), DEMO_OPTIMIZER)
    (calibration,) = (await optimize(options, settings, db, progress)).each
    return Demo(calibration)
