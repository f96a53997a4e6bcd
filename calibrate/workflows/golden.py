"""Looking after golden sets: what a set can show, and taking new labels in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from calibrate import golden
from calibrate.domain import GoldenSet, Json, Scale
from calibrate.golden import Finding, LoadOptions, load_golden
from calibrate.workflows.people import Agreement, agreement, rater_problem
from calibrate.workflows.results import document
from calibrate.workflows.setup import select_dimensions

__all__ = ["DimensionCheck", "GoldenCheck", "Merged", "check_golden", "merge_golden"]
