"""How the candidates of a stored run are ordered, and what their alignment is whatever they were ranked by."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from calibrate.store import CandidateRecord, RunRecord

__all__ = ["alignment_of", "objective_of", "rank"]


def rank(candidate: CandidateRecord) -> tuple[bool, float, bool, int, int]:
    """Order scored candidates as a search does (``optimizer.Trial.rank``); an undefined score comes last."""
    number = candidate.number
    return candidate.score is not None, round(candidate.score or 0.0, 9), number == 0, -len(candidate.prompt), -number


def objective_of(run: RunRecord) -> str:
    """Return what a run's candidates are ranked by."""
    return str(run.spec.get("objective", "alignment"))


def alignment_of(run: RunRecord, candidate: CandidateRecord) -> float | None:
    """Return a candidate's alignment, unscored verdicts as disagreements; its score where it is ranked by that.

    What it shows as examples counts as its parent judged it.
    """
    if objective_of(run) in ("alignment", "pareto") or candidate.metrics is None:
        return candidate.score
    if "counted" in candidate.metrics:
        return float(candidate.metrics["counted"])
    figures = candidate.metrics.get("wrong") or candidate.metrics
    value = figures["alignment"]["value"]
    return None if value is None else float(value)
