"""How a stored calibration searched, in words."""

from __future__ import annotations

from calibrate.store import RunRecord
from calibrate.workflows.ranking import objective_of
from calibrate.workflows.sentences import counted

__all__ = ["search_in_words", "search_marks"]


def search_in_words(run: RunRecord) -> str:
    """Say how a calibration searched."""
    spec = run.spec
    limits = spec.get("limits", {})
    names = [str(each["name"]) if isinstance(each, dict) else str(each) for each in spec.get("strategies", ())]
    parts = [
        f"ranked by {objective_of(run)}",
        f"policy {spec.get('policy', 'opro')}",
        f"{spec.get('width', len(names))} rewrites an iteration",
        f"at most {counted(limits.get('iterations', 0), 'iteration')}",
        f"target {limits.get('target')}",
        f"strategies: {', '.join(names)}",
    ]
    flags = [name for name in ("prune", "race") if spec.get(name)]
    parts += ["stopping early: " + ", ".join(flags)] if flags else []
    parts += [] if spec.get("analysis", True) else ["no error analysis"]
    parts += ["started from a prompt with examples"] if spec.get("examples") else []
    return "; ".join(parts)


def search_marks(run: RunRecord) -> str:
    """Return what sets a calibration's search apart from the usual one, in a few words; empty when nothing does."""
    spec = run.spec
    marks = [spec["policy"]] if spec.get("policy", "opro") != "opro" else []
    marks += [name for name in ("prune", "race") if spec.get(name)]
    if objective_of(run) != "alignment":
        marks.append(objective_of(run))
    return f"({', '.join(marks)})" if marks else ""
