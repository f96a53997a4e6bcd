"""The claims of a reply that takes an answer apart."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any, NamedTuple

from calibrate.export.standalone.last_list import _FINISHES, _UNSCORED, _last_objects
from calibrate.export.standalone.objects import _Nested, _Reply

# --- exported


class Claim(NamedTuple):
    """One statement of an answer.

    Attributes:
        text: what it says.
        kind: ``factual``, which a context can support or contradict, a rule that is reported included; ``conditional``,
            what holds only under a condition that is left open, or ``normative``, the answer's own advice or opinion,
            which it cannot.
    """

    text: str
    kind: str = "factual"


class Split(NamedTuple):
    """What a reply says.

    Attributes:
        claims: the claims of the answer, none where it states nothing; or None.
        unscored: without claims, why: ``invalid``, ``refused`` or ``truncated``.
    """

    claims: tuple[Claim, ...] | None
    unscored: str | None = None


def parse(reply: str, finish: str = "stop") -> Split:
    """Return the claims of a reply: the last list of claims outside thinking blocks. Never raises for any text.

    Args:
        reply: the model's text.
        finish: why it ended: ``stop``, ``length`` (the token limit) or ``refusal``; the names that the APIs of OpenAI
            and Anthropic have for these are known too.
    """
    finish = _FINISHES.get(finish, finish)
    found = _last_objects(reply, finish, "claim")
    if found is None:
        return Split(None, _UNSCORED.get(finish, "invalid"))
    said = [(each.values["claim"], each.values.get("kind")) for each in found] or _plain_claims(reply)
    if not all(isinstance(text, str) for text, _ in said):
        return Split(None, "invalid")
    return Split(tuple(Claim(text.strip(), _kind(kind)) for text, kind in said if text.strip()))


def _plain_claims(reply: str) -> list[tuple[Any, Any]]:
    """Return the entries of the last list of a reply, which has no objects: texts without a kind, or nothing."""
    found = (each.values.get("list") for each in _Reply(reply).objects)
    last = max(
        (each for each in found if isinstance(each, _Nested) and not each.is_object), key=lambda each: each.start
    )
    written = re.sub(r",\s*\]\Z", "]", reply[last.start : last.end])
    try:
        return [(each, None) for each in json.loads(written, strict=False)]
    except (ValueError, RecursionError):
        return [(None, None)]


_KINDS = {
    **dict.fromkeys(("conditional", "condicional", "condition", "condicion"), "conditional"),
    **dict.fromkeys(("normative", "normativa", "normativo", "opinion", "recommendation", "recomendacion"), "normative"),
}


def _kind(value: Any) -> str:
    folded = unicodedata.normalize("NFKD", value.casefold()) if isinstance(value, str) else ""
    return _KINDS.get("".join(char for char in folded if char.isalpha()), "factual")
