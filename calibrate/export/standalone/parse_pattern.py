"""The verdict of a reply in the judge's own format."""

from __future__ import annotations

import re

from calibrate.export.standalone.constants import PATTERN
from calibrate.export.standalone.objects import _Reply
from calibrate.export.standalone.outcome import _FINISHES, Verdict, _may_go_on, _no_verdict, _verdict, _without

# --- exported


def parse(reply: str, finish: str = "stop") -> Verdict:
    """Return the verdict of a reply: the last match of PATTERN outside thinking blocks.

    Its label is the group named ``label``, else the first group, else the whole match.

    Args:
        reply: the model's text.
        finish: why it ended: ``stop``, ``length`` (the token limit) or ``refusal``; the names that the APIs of OpenAI
            and Anthropic have for these are known too.
    """
    finish = _FINISHES.get(finish, finish)
    visible = _without(reply, _Reply(reply).thinking)
    last = None
    for match in _COMPILED.finditer(visible):
        if match[_GROUP] is not None:
            last = match
    if last is None or _may_go_on(last[_GROUP], last.end(_GROUP) == len(visible), finish):
        return _no_verdict(finish)
    return _verdict(last[_GROUP], visible[: last.start()].strip())


_COMPILED = re.compile(PATTERN, re.MULTILINE)
_GROUP: str | int = "label" if "label" in _COMPILED.groupindex else min(_COMPILED.groups, 1)
