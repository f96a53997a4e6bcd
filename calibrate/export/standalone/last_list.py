"""The last list of objects in a reply."""

from __future__ import annotations

import re

from calibrate.export.standalone.objects import _Nested, _Object, _Reply

# --- exported


_FINISHES = {"max_tokens": "length", "model_context_window_exceeded": "length", "content_filter": "refusal"}
_UNSCORED = {"length": "truncated", "refusal": "refused"}
_BETWEEN = re.compile(r"[\s,]*(?:[\"'][^\"']{0,64}[\"']\s*:\s*)?")
_LONGEST_GAP = 100


def _last_objects(reply: str, finish: str, wanted: str) -> list[_Object] | None:
    """Return the objects that have the field ``wanted``, of the last list in a reply; None when there is no list."""
    parts = _Reply(reply)
    if parts.cut_off and finish == "length":  # the judge was about to say more
        return None
    lists = _outermost_lists(parts.objects)
    entries = _entries(reply, parts.objects, lists, wanted)
    if lists and (not entries or entries[-1].start < lists[-1].end):
        return [each for each in entries if lists[-1].start <= each.start]
    if not entries:
        return None
    first = len(entries) - 1  # of the last objects with nothing between them but commas and keys
    while first and _BETWEEN.fullmatch(reply, entries[first - 1].end, entries[first].start):
        first -= 1
    end = entries[-1].end
    closed = reply[end : end + _LONGEST_GAP].lstrip(" \t\r\n,")[:1] in ("]", "}")
    return None if finish == "length" and not closed else entries[first:]


def _outermost_lists(objects: list[_Object]) -> list[_Nested]:
    found = (each.values.get("list") for each in objects)
    arrays = [value for value in found if isinstance(value, _Nested) and not value.is_object]
    outermost: list[_Nested] = []
    for array in sorted(arrays, key=lambda each: each.start):
        if not outermost or array.start >= outermost[-1].end:
            outermost.append(array)
    return outermost


def _entries(reply: str, objects: list[_Object], lists: list[_Nested], wanted: str) -> list[_Object]:
    """Return the objects that have the field, in their order and none inside another; one that holds a list is none."""
    holding = {array.start for array in lists}
    entries: list[_Object] = []
    for each in sorted(objects, key=lambda one: one.start):
        array = each.values.get("list")
        if wanted not in each.values or (isinstance(array, _Nested) and array.start in holding):
            continue
        if entries and each.start < entries[-1].end:
            if not reply[max(0, each.start - _LONGEST_GAP) : each.start].rstrip().endswith("["):
                continue
            entries.pop()
        entries.append(each)
    return entries
