"""Which declared label a raw value states."""

from __future__ import annotations

from calibrate.export.standalone.constants import LABELS
from calibrate.export.standalone.text import _LONGEST_LABEL, _normalise, _number

# --- exported


def _declared(raw: object) -> str | None:
    """Return the label that ``raw`` states as a whole; nothing is rounded and no part of a word matches.

    Text matches after normalisation, numbers match labels of equal value, booleans match true/false or 1/0.
    """
    if isinstance(raw, bool):
        names = ("true", "1") if raw else ("false", "0")
        return next((label for name in names for label in LABELS if _normalise(label) == name), None)
    if isinstance(raw, str):
        if len(raw) > _LONGEST_LABEL:
            return None
        if raw in LABELS:
            return raw
        raw = _normalise(raw)
        for label in LABELS:
            if raw and _normalise(label) == raw:
                return label
    value = _number(raw)
    return None if value is None else next((label for label in LABELS if _number(label) == value), None)
