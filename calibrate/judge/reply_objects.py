"""The objects of a reply that is a list: claims, or verdicts on claims."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from calibrate.domain import Finish, Unscored
from calibrate.judge.parse import no_verdict
from calibrate.judge.structured import FoundObject, Nested, Span, read_parts

__all__ = ["last_objects"]

_BETWEEN = re.compile(r"[\s,]*(?:[\"'][^\"']{0,64}[\"']\s*:\s*)?")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_NO_ENTRY = re.compile(r"(?:[\s,\[\]{}]|\"[^\"]{0,64}\"\s*:|'[^']{0,64}'\s*:)*")
_CLOSING = re.compile(r"[\s,]*\][\s\]}]*")
_LONGEST_GAP = 100


def last_objects(
    text: str, finish: Finish, fields: Mapping[str, str], wanted: str
) -> tuple[FoundObject, ...] | Unscored:
    """Return the objects that have the field ``wanted``, of the last list in a reply; none when that list is empty.

    Thinking never counts. The list is the value of a field ``list``; in a reply without one, or that goes on after it,
    the objects at its end that follow each other. A list that breaks off, or that holds something else besides, is not
    read in part: the rest of it would be lost. At the token limit a list that is not closed is truncated, whatever came
    before it: the judge was about to say more.

    Args:
        text: the reply.
        finish: why it ended.
        fields: the field that each folded key stands for.
        wanted: the field that makes an object one of the list.
    """
    parts = read_parts(text, fields)
    if parts.cut_off and finish == "length":
        return no_verdict(text, finish)
    lists = _outermost_lists(parts.objects)
    entries = _entries(text, parts.objects, lists, wanted)
    if lists and (not entries or entries[-1].start < lists[-1].end):
        kept = [each for each in entries if lists[-1].start <= each.start]
        if _breaks(text, kept, parts.broken, lists[-1].start) or (kept and not _all_of(text, lists[-1], kept)):
            return _in_part(text, finish)
        return tuple(kept)
    if not entries:
        return no_verdict(text, finish)
    kept = _run(text, entries)
    opened = _opened(text, kept)
    closing = text[kept[-1].end : kept[-1].end + _LONGEST_GAP].lstrip(" \t\r\n,")[:1]
    if finish == "length" and closing not in ("]", "}"):
        return no_verdict(text, finish)
    if opened != (closing == "]") or _breaks(text, kept, parts.broken, lists[-1].end if lists else 0):
        return _in_part(text, finish)
    return tuple(kept)


def _in_part(text: str, finish: Finish) -> Unscored:
    if finish == "stop":
        return Unscored("invalid", "the list of the reply breaks off, or holds something else")
    return no_verdict(text, finish)


def _breaks(text: str, kept: Sequence[FoundObject], broken: Iterable[Span], since: int) -> bool:
    """Whether an object that began as one of a list breaks off there, or after it."""
    for span in broken:
        # "{claim}" in prose is no object, and a list of which only the last brace is missing is whole.
        if span.end > since and ":" in text[span.start : span.end]:
            ending = text[kept[-1].end : span.end] if kept else ""
            if not (kept and span.start < kept[0].start and _opened(text, kept) and _CLOSING.fullmatch(ending)):
                return True
    return False


def _all_of(text: str, array: Nested, kept: Sequence[FoundObject]) -> bool:
    """Whether the list holds these objects and nothing else."""
    starts = [*(each.start for each in kept), array.end]
    ends = [array.start, *(each.end for each in kept)]
    return all(_NO_ENTRY.fullmatch(_COMMENT.sub("", text[end:start])) for end, start in zip(ends, starts, strict=True))


def _opened(text: str, kept: Sequence[FoundObject]) -> bool:
    return text[max(0, kept[0].start - _LONGEST_GAP) : kept[0].start].rstrip().endswith("[")


def _outermost_lists(objects: Iterable[FoundObject]) -> list[Nested]:
    found = (each.values.get("list") for each in objects)
    arrays = [value for value in found if isinstance(value, Nested) and value.kind == "array"]
    outermost: list[Nested] = []
    for array in sorted(arrays, key=lambda each: each.start):
        if not outermost or array.start >= outermost[-1].end:
            outermost.append(array)
    return outermost


def _entries(text: str, objects: Iterable[FoundObject], lists: Sequence[Nested], wanted: str) -> list[FoundObject]:
    """Return the objects that have the field, in their order and none inside another.

    One that holds a list is no part of it: ``{"label": ..., "verdicts": [...]}`` sums it up.
    """
    holding = {array.start for array in lists}
    entries: list[FoundObject] = []
    for each in sorted(objects, key=lambda one: one.start):
        array = each.values.get("list")
        if wanted not in each.values or (isinstance(array, Nested) and array.start in holding):
            continue
        if entries and each.start < entries[-1].end:
            if not text[max(0, each.start - _LONGEST_GAP) : each.start].rstrip().endswith("["):
                continue
            entries.pop()
        entries.append(each)
    return entries


def _run(text: str, entries: Sequence[FoundObject]) -> list[FoundObject]:
    """Return the last objects with nothing between them but commas and keys."""
    first = len(entries) - 1
    while first and _BETWEEN.fullmatch(text, entries[first - 1].end, entries[first].start):
        first -= 1
    return list(entries[first:])
