"""Reading a golden set for a judge of one step: how its labels read and what its dimension is, if nothing says it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from calibrate.errors import InputError
from calibrate.golden import LoadedSet, LoadOptions, load_golden
from calibrate.golden.messages import scale_in_words
from calibrate.judge import Task
from calibrate.judge.support import VERIFIED_LABELS, complete_labels
from calibrate.workflows.bundles import Bundle, load_for, says_scale

__all__ = ["load_for_task"]

_DIMENSIONS: dict[Task, tuple[str, str]] = {
    "verify": ("claim_support", "the judge verifies claims"),
    "split": ("claims", "the judge splits answers into claims"),
}


def load_for_task(
    task: Task,
    set_path: str,
    load: LoadOptions,
    wanted: Collection[str],
    notes: list[str],
    bundle: Bundle | None = None,
) -> LoadedSet:
    """Load a set for a judge of a task.

    Where nobody names its dimension, that is the task's own; where nobody says how the labels of claims read, and they
    are known words for supported, contradicted and not mentioned, they are nominal.

    Args:
        task: what the judge does; a verdict takes a set as it is.
        set_path: the set.
        load: how to read it.
        wanted: the dimensions that the user names; empty for all.
        notes: gets what was found.
        bundle: whose labels count where nobody says how the set's read; None for a judge that is no bundle.

    Raises:
        InputError: the set cannot be used.
    """
    loaded = _load(task, set_path, load, bundle, notes)
    name, why = _DIMENSIONS.get(task, ("", ""))
    usual = f"dimension: {loaded.golden.dimensions[0]} (none is named"
    named = not any(each.startswith(usual) for each in loaded.messages)
    if not name or named or (wanted and tuple(wanted) != (name,)):
        return loaded
    notes.append(f"dimension: {name} (none is named, and {why})")
    return _load(task, set_path, replace(load, dimension=name), bundle, [])


def _load(task: Task, set_path: str, load: LoadOptions, bundle: Bundle | None, notes: list[str]) -> LoadedSet:
    if bundle is not None:
        return load_for(bundle, set_path, load, notes)
    try:
        return load_golden(set_path, load)
    except InputError as error:
        if task != "verify" or says_scale(set_path, load):
            raise
        unexplained = error
    try:
        scales = load_golden(set_path, replace(load, scale="nominal")).golden.scales
    except InputError:
        raise unexplained from None  # it was not about the labels
    found = list(dict.fromkeys(label for scale in scales.values() for label in scale.labels))
    labels = complete_labels(found)
    if labels is None:
        message = (
            f"labels found: {', '.join(found)}; --task verify takes {VERIFIED_LABELS}; say with --map which of them "
            "these stand for, or read two labels with --scale binary, --labels and --positive"
        )
        raise InputError(message, file=unexplained.file)
    loaded = load_golden(set_path, replace(load, scale="nominal", labels=labels))
    notes.append(f"labels read as {scale_in_words(loaded.golden.scales[loaded.golden.dimensions[0]])}")
    return loaded
