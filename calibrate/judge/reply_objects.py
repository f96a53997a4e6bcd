"""The objects of a reply that is a list: claims, or verdicts on claims."""

from __future__ import annotations

from collections.abc import Mapping

from calibrate.domain import Finish, Unscored
from calibrate.judge.parse import no_verdict
from calibrate.judge.structured import FoundObject, read_parts

__all__ = ["last_objects"]


def last_objects(
    text: str, finish: Finish, fields: Mapping[str, str], wanted: str
) -> tuple[FoundObject, ...] | Unscored:
    """Return the objects that have the field ``wanted``, of the last list in a reply that has any.

    Thinking never counts. A list that the token limit cut off is truncated, whatever came before it: the judge was
    about to say more.

    Args:
        text: the reply.
        finish: why it ended.
        fields: the field that each folded key stands for.
        wanted: the field that makes an object one of the list.
    """
    parts = read_parts(text, fields)
    if parts.cut_off and finish == "length":
        return no_verdict(text, finish)
    having = [each for each in parts.objects if wanted in each.values]
    if not having:
        return no_verdict(text, finish)
    end = having[-1]
    last = next((span for span in reversed(parts.structured) if span.start <= end.start < span.end), end)
    # A bare list of objects is read as one object after the other: the last run of them, with nothing between.
    kept = [each for each in having if last.start <= each.start < last.end]
    for each in reversed([one for one in having if one.end <= last.start]):
        if text[each.end : kept[0].start].strip(" \t\r\n,"):
            break
        kept.insert(0, each)
    return tuple(kept)
