"""Which model really answered: a floating alias is named as one, and a change behind it is reported."""

from __future__ import annotations

import re

from calibrate.domain import Json
from calibrate.store import Store
from calibrate.workflows.evaluated import Evaluated

__all__ = ["is_floating_alias", "returned_notes", "returned_record"]

_DATED = re.compile(r"\d{4}-?\d{2}-?\d{2}|[-:@]\d{3,4}$")
_VENDORS = ("openai:", "anthropic:", "openai-decisions:")


def is_floating_alias(model: str) -> bool:
    """Whether a provider's model name has no date or version, so that the model behind it may change any day."""
    return model.startswith(_VENDORS) and not _DATED.search(model)


def returned_record(store: Store, model: str, evaluation: int) -> dict[str, Json]:
    """Return what stands in a run's record about the model that answered."""
    returned = store.returned_models(evaluation)
    before = store.returned_before(evaluation)
    return {
        "model_requested": model,
        "model_returned": list(returned),
        "floating_alias": is_floating_alias(model),
        "model_returned_before": list(before),
        "model_changed": len(returned) > 1 or bool(before and returned and set(before) != set(returned)),
    }


def returned_notes(store: Store, model: str, evaluated: Evaluated) -> tuple[str, ...]:
    """Return what a user should know about the model that answered: an alias, a change within or since the last run."""
    returned = tuple(sorted(evaluated.returned))
    before = store.returned_before(evaluated.evaluation)
    notes = []
    if is_floating_alias(model) and returned:
        notes.append(f"{model} is a floating alias: the model behind it may change; {_named(returned)} answered")
    if len(returned) > 1:
        counts = ", ".join(f"{name} ({count})" for name, count in sorted(evaluated.returned.items()))
        notes.append(f"the model changed within the run: {counts}; the verdicts are not of one judge")
    if before and returned and set(before) != set(returned):
        notes.append(
            f"the model behind {model} has changed since the last run of this prompt: {_named(before)} answered then, "
            f"{_named(returned)} now"
        )
    return tuple(notes)


def _named(models: tuple[str, ...]) -> str:
    return " and ".join(models)
