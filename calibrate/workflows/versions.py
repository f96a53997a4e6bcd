"""Calibrations by other versions of the search: shown as they are, neither gone on with nor taken for this one's."""

from __future__ import annotations

from calibrate.domain import digest
from calibrate.optimizer import META_PROMPT_VERSION
from calibrate.store import RunRecord, Store
from calibrate.workflows.progress import Progress

__all__ = ["other_version", "say_other_version"]


def other_version(run: RunRecord) -> str:
    """Return which other version of the search made a calibration, in words; empty when this one did."""
    version = (run.spec.get("optimizer") or {}).get("version", 0)
    if run.kind != "optimize" or version == META_PROMPT_VERSION:
        return ""
    return f"{'an earlier' if version < META_PROMPT_VERSION else 'a later'} version of the search"


def say_other_version(store: Store, run: RunRecord, progress: Progress) -> None:
    """Say, where a calibration begins, that another version of the search made one of the same set and models.

    The same are golden set, dimension, judge, prompt and meta-LLM; of several calibrations the last finished one is
    named, or the last one where none is finished.
    """
    if run.status == "done" or "fold" in run.spec or store.candidates(run.id):
        return
    start = _start(run)
    found = [each for each in store.runs() if other_version(each) and "fold" not in each.spec and _start(each) == start]
    if found:
        told = max(found, key=lambda each: (each.status == "done", each.id))
        unfinished = "" if told.status == "done" else ", which is not finished,"
        progress.note(
            f"calibration {told.id}{unfinished} was made by {other_version(told)}; `calibrate show {told.id}` shows "
            "it; this one searches anew"
        )


def _start(run: RunRecord) -> str:
    """Return the digest of what a calibration starts from, whichever version of the search made it."""
    meta = {name: value for name, value in (run.spec.get("optimizer") or {}).items() if name != "version"}
    return digest([run.golden_digest, run.dimension, run.spec.get("judge"), run.spec.get("prompt"), meta])
