"""What was found in a reply, as a verdict."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from calibrate.export.standalone.constants import LABELS
from calibrate.export.standalone.match_labels import _declared
from calibrate.export.standalone.text import _LONGEST_LABEL, _normalise

# --- exported


class Verdict(NamedTuple):
    """What a reply says.

    Attributes:
        label: the declared label that it states, or None.
        unscored: without a label, why: ``abstained``, ``invalid``, ``refused`` or ``truncated``.
        reasoning: the judge's justification; empty when it gave none, or when there is no verdict.
        confidence: the judge's probability that the label is right, in [0, 1], if it gave one.
    """

    label: str | None
    unscored: str | None = None
    reasoning: str = ""
    confidence: float | None = None


_ABSTENTION = "CANNOT_ASSESS"
_FINISHES = {"max_tokens": "length", "model_context_window_exceeded": "length", "content_filter": "refusal"}


def _verdict(raw: Any, reasoning: str, confidence: float | None = None) -> Verdict:
    """Return the verdict that states ``raw``. A label that is not declared is invalid; nothing else is asked."""
    label = _declared(raw)
    if label is not None:
        return Verdict(label, None, reasoning, confidence)
    if isinstance(raw, str) and _letters(raw) == _letters(_ABSTENTION):
        return Verdict(None, "abstained", reasoning)
    return Verdict(None, "invalid")


def _no_verdict(finish: str) -> Verdict:
    return Verdict(None, {"length": "truncated", "refusal": "refused"}.get(finish, "invalid"))


def _may_go_on(value: str, at_the_end: bool, finish: str) -> bool:
    """Whether the token limit may have cut this label short: "1" of "10", any number."""
    if finish != "length" or not at_the_end:
        return False
    begun = _normalise(value[:_LONGEST_LABEL])
    declared = [_normalise(label) for label in (*LABELS, _ABSTENTION)]
    return not LABELS or any(label.startswith(begun) and label != begun for label in declared)


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return the text without these stretches, which do not overlap; a line break stands for each."""
    kept, position = [], 0
    for start, end in sorted(spans):
        kept.append(text[position:start])
        position = end
    return "\n".join([*kept, text[position:]])


def _letters(text: str) -> str:
    return "".join(char for char in text[:_LONGEST_LABEL].casefold() if char.isalnum())
