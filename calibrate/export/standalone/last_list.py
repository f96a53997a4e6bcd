"""The last list of objects in a reply."""

from __future__ import annotations

import re

from calibrate.export.standalone.objects import _Nested, _Object, _Reply

# --- exported


_FINISHES = {"max_tokens": "length", "model_context_window_exceeded": "length", "content_filter": "refusal"}
_UNSCORED = {"length": "truncated", "refusal": "refused"}
_BETWEEN = re.compile(r"[\s,]*(?:[\"'][^\"']{0,64}[\"']\s*:\s*)?")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_NO_ENTRY = re.compile(r"(?:[\s,\[\]{}]|\"[^\"]{0,64}\"\s*:|'[^']{0,64}'\s*:)*")
_CLOSING_LIST = re.compile(r"[\s,]*\][\s\]}]*")
_LONGEST_GAP = 100


def _last_objects(reply: str, finish: str, wanted: str) -> list[_Object] | None:
    """Return the objects that have the field ``wanted``, of the last list in a reply; None when there is no list.

    A list that breaks off, or that holds something else besides, is none: the rest of it would be lost.
    """
    parts = _Reply(reply)
    if parts.cut_off and finish == "length":  # the judge was about to say more
        return None
    lists = _outermost_lists(parts.objects)
    entries = _entries(reply, parts.objects, lists, wanted)
    if lists and (not entries or entries[-1].start < lists[-1].end):
        kept = [each for each in entries if lists[-1].start <= each.start]
        part = _breaks(reply, kept, parts.broken, lists[-1].start) or (kept and not _all_of(reply, lists[-1], kept))
        return None if part else kept
    if not entries:
        return None
    first = len(entries) - 1  # of the last objects with nothing between them but commas and keys
    while first and _BETWEEN.fullmatch(reply, entries[first - 1].end, entries[first].start):
        first -= 1
    kept, end = entries[first:], entries[-1].end
    closing = reply[end : end + _LONGEST_GAP].lstrip(" \t\r\n,")[:1]
    if finish == "length" and closing not in ("]", "}"):
        return None
    part = _opened(reply, kept) != (closing == "]")
    return None if part or _breaks(reply, kept, parts.broken, lists[-1].end if lists else 0) else kept


def _breaks(reply: str, kept: list[_Object], broken: list[tuple[int, int]], since: int) -> bool:
    """Whether an object that began as one of a list breaks off there, or after it."""
    for start, end in broken:
        # "{claim}" in prose is no object, and a list of which only the last brace is missing is whole.
        if end > since and ":" in reply[start:end]:
            ending = reply[kept[-1].end : end] if kept else ""
            if not (kept and start < kept[0].start and _opened(reply, kept) and _CLOSING_LIST.fullmatch(ending)):
                return True
    return False


def _all_of(reply: str, array: _Nested, kept: list[_Object]) -> bool:
    """Whether the list holds these objects and nothing else."""
    starts = [*(each.start for each in kept), array.end]
    ends = [array.start, *(each.end for each in kept)]
    return all(_NO_ENTRY.fullmatch(_COMMENT.sub("", reply[end : starts[n]])) for n, end in enumerate(ends))


def _opened(reply: str, kept: list[_Object]) -> bool:
    return reply[max(0, kept[0].start - _LONGEST_GAP) : kept[0].start].rstrip().endswith("[")


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
