"""The objects of a reply that is a list: claims, or verdicts on claims."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from calibrate.domain import Finish, Unscored
from calibrate.judge.parse import no_verdict
from calibrate.judge.structured import FoundObject, Nested, read_parts

__all__ = ["last_objects"]

_BETWEEN = re.compile(r"[\s,]*(?:[\"'][^\"']{0,64}[\"']\s*:\s*)?")
_LONGEST_GAP = 100


def last_objects(
    text: str, finish: Finish, fields: Mapping[str, str], wanted: str
) -> tuple[FoundObject, ...] | Unscored:
    """Return the objects that have the field ``wanted``, of the last list in a reply; none when that list is empty.

    Thinking never counts. The list is the value of a field ``list``; in a reply without one, or that goes on after it,
    the objects at its end that follow each other. At the token limit a list that is not closed is truncated, whatever
    came before it: the judge was about to say more.

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
        return tuple(each for each in entries if lists[-1].start <= each.start)
    if not entries:
        return no_verdict(text, finish)
    kept = _run(text, entries)
    closed = text[kept[-1].end : kept[-1].end + _LONGEST_GAP].lstrip(" \t\r\n,")[:1] in ("]", "}")
    return no_verdict(text, finish) if finish == "length" and not closed else tuple(kept)


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
