"""Which score a raw value states."""

from __future__ import annotations

from calibrate.export.standalone.constants import HIGH, LOW
from calibrate.export.standalone.text import _LONGEST_LABEL, _normalise, _number

# --- exported


def _declared(raw: object) -> str | None:
    """Return the score that ``raw`` states, as decimal text, when it lies between LOW and HIGH."""
    readings: list[object] = [raw]
    if isinstance(raw, str):
        readings = [raw, _normalise(raw)] if len(raw) <= _LONGEST_LABEL else []  # "**0.8**." is a number in markup
    for reading in readings:
        value = _number(reading)
        if value is not None and (LOW is None or value >= LOW) and (HIGH is None or value <= HIGH):
            return repr(value)
    return None
