"""The items on which judge and experts differ, as far as a page can hold them."""

from __future__ import annotations

from html import escape

from calibrate.domain import Scored
from calibrate.optimizer import Misjudged, misjudged
from calibrate.report import MOST_IN_MARKDOWN, Disagreement, Disagreements
from calibrate.workflows.stored import Chosen

__all__ = ["disagreements_of"]

_MOST_BYTES = 700_000  # of all disagreements as HTML: beside Plotly the page stays below 6 MB
_LONGEST_TEXT = 20_000  # characters of one text


def disagreements_of(chosen: Chosen | None, most: int, *, markdown: bool = False) -> tuple[Disagreements | None, int]:
    """Return the disagreements of a candidate, the farthest off first, and how many are left out.

    Args:
        chosen: the candidate; None for a run without one.
        most: the largest number to show.
        markdown: whether it is for a page in Markdown, which has room for few.
    """
    if chosen is None:
        return None, 0
    scale = chosen.golden.scales[chosen.stored.run.dimension]
    found = misjudged(chosen.golden.labelled, chosen.verdicts, scale)
    shown: list[Disagreement] = []
    room = _MOST_BYTES
    room_for = min(most, MOST_IN_MARKDOWN) if markdown else most
    for each in found[:room_for]:
        one = _disagreement(each)
        room -= _size(one)
        if room < 0:
            break
        shown.append(one)
    left_out = len(found) - len(shown)
    everything = f"calibrate disagreements {chosen.reference} -o review.csv writes all"
    if len(shown) < room_for:
        why = f"the page would grow too large; {everything}"
    elif room_for < most:
        why = f"Markdown lists {room_for}; the HTML page has their texts in full, and {everything}"
    else:
        why = f"--max-items {most}; {everything}"
    return Disagreements(tuple(shown), left_out, why if left_out else "", len(chosen.golden.labelled)), left_out


def _disagreement(error: Misjudged) -> Disagreement:
    item, verdict = error.item, error.verdict
    return Disagreement(
        item=item.id,
        error=error.kind,
        label=item.label or "",
        verdict=verdict.label if isinstance(verdict, Scored) else f"({verdict.reason})",
        note=_cut(item.note),
        reasoning=_cut(verdict.reasoning if isinstance(verdict, Scored) else verdict.detail),
        inputs=tuple((name, _cut(_joined(text))) for name, text in item.inputs.items()),
    )


def _joined(text: str | tuple[str, ...]) -> str:
    return text if isinstance(text, str) else "\n\n".join(text)


def _cut(text: str) -> str:
    if len(text) <= _LONGEST_TEXT:
        return text
    return f"{text[:_LONGEST_TEXT]}… (and {len(text) - _LONGEST_TEXT:,} more characters)"


def _size(one: Disagreement) -> int:
    texts = (one.item, one.label, one.verdict, one.note, one.reasoning, *(text for pair in one.inputs for text in pair))
    return 500 + sum(len(escape(text).encode()) + 60 for text in texts)
