"""The verdict of a reply in the format that the judge was asked for."""

from __future__ import annotations

import re
from typing import Any

from calibrate.export.standalone.match_labels import _declared
from calibrate.export.standalone.objects import _Nested, _Object, _Reply
from calibrate.export.standalone.outcome import _FINISHES, Verdict, _may_go_on, _no_verdict, _verdict, _without
from calibrate.export.standalone.text import _LONGEST_LABEL, _normalise, _number

# --- exported


def parse(reply: str, finish: str = "stop") -> Verdict:
    """Return the verdict of a reply. Never raises for any text.

    Thinking blocks never count. Of the objects that state a label, the last one that also has a reasoning decides, else
    the last one; without any, the last line of the form ``Label: x``. What decides is the verdict even when its label
    is not declared: then it is invalid.

    Args:
        reply: the model's text.
        finish: why it ended: ``stop``, ``length`` (the token limit) or ``refusal``; the names that the APIs of OpenAI
            and Anthropic have for these are known too.
    """
    finish = _FINISHES.get(finish, finish)
    parts = _Reply(reply)
    if parts.cut_off and finish == "length":  # the judge was about to say something else
        return _no_verdict(finish)
    stated = _stated_by_object(parts.objects)
    if stated is None:
        return _labelled_line(_without(reply, [*parts.thinking, *parts.structured]), finish)
    found, name = stated
    confidence = _number(found.values.get("confidence"))
    if confidence is not None and not 0.0 <= confidence <= 1.0:
        confidence = None
    return _verdict(found.values[name], _text_of(found.values.get("reasoning"), reply), confidence)


def _stated_by_object(objects: list[_Object]) -> tuple[_Object, str] | None:
    """Return the object that holds the verdict, and the field that states it."""
    for name in ("label", "verdict"):
        stating: list[_Object] = []
        for found in objects:
            value = found.values.get(name)
            if name not in found.values or (isinstance(value, _Nested) and value.is_object):
                continue
            if _declared(value) is not None:  # it outweighs those inside it: verdicts on single claims
                while stating and stating[-1].start > found.start:
                    stating.pop()
            stating.append(found)
        if stating:
            return next((each for each in reversed(stating) if "reasoning" in each.values), stating[-1]), name
    return None


# The line's markup is read once: a look-ahead never goes back over what it has read.
_LINE = re.compile(
    r"(?=(?P<markup>[\s*_#`\-•]*))(?P=markup)(?:\d{1,2}[.)]\s*)?[*_`]*(?:final\s+)?"
    r"(?:(?P<label>label|etiqueta)|verdict|veredicto)(?:\s+final)?[\s*_`]*[:\uff1a](?P<value>.*)",
    re.IGNORECASE | re.DOTALL,
)


def _labelled_line(visible: str, finish: str) -> Verdict:
    last: dict[str, tuple[int, int, str]] = {}
    start = 0
    for line in visible.splitlines(keepends=True):
        match = _LINE.match(line)
        if match:
            name = "label" if match["label"] else "verdict"
            last[name] = (start, start + len(line.rstrip("\r\n")), match["value"].strip())
        start += len(line)
    if not last:
        return _no_verdict(finish)
    start, end, value = last.get("label") or last["verdict"]
    if not _normalise(value[:_LONGEST_LABEL]) or _may_go_on(value, end == len(visible), finish):
        return _no_verdict(finish)
    return _verdict(value, visible[:start].strip())


def _text_of(value: Any, reply: str) -> str:
    if isinstance(value, _Nested):
        return reply[value.start : value.end]
    return "" if value is None else str(value)
