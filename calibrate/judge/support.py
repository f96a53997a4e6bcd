"""Claims held against a context: the labels, the verbatim quote that ``supported`` needs, and how replies are read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from calibrate.domain import Finish, Item, Json, Scale, Scored, Text, Unscored, Verdict, normalise_label
from calibrate.errors import InputError
from calibrate.judge.parse import no_verdict
from calibrate.judge.quotes import occurs_in, why_no_quote
from calibrate.judge.reply_objects import last_objects
from calibrate.judge.structured import FoundObject, Nested, Value
from calibrate.judge.verdict_format import ABSTENTION

__all__ = [
    "VERIFIED_LABELS",
    "LabelRoles",
    "VerifiedClaim",
    "claims_of",
    "complete_labels",
    "label_roles",
    "read_verification",
]

_SUPPORTED = "supported entailment entailed attributable yes true respaldada respaldado apoyada apoyado si verdadera"
_CONTRADICTED = "contradicted contradiction contradictory refuted no false contradicha contradicho contradiccion falsa"
_NOT_MENTIONED = (
    "not mentioned|unmentioned|neutral|not enough info|not enough information|not supported|unsupported|unverifiable|"
    "no mencionada|no mencionado|no respaldada|neutra|sin informacion"
)
_ROLES = {
    **dict.fromkeys(_SUPPORTED.split(), "supported"),
    **dict.fromkeys(_CONTRADICTED.split(), "contradicted"),
    **dict.fromkeys(_NOT_MENTIONED.split("|"), "not_mentioned"),
}
_USUAL = (
    ("supported", "contradicted", "not mentioned"),
    ("entailment", "contradiction", "neutral"),
    ("respaldada", "contradicha", "no mencionada"),
    ("respaldado", "contradicho", "no mencionado"),
)
_EITHER = frozenset("yes no si true false verdadera falsa".split())
VERIFIED_LABELS = (
    "three nominal labels, supported, contradicted and not mentioned (or entailment, contradiction and neutral), or a "
    "binary scale"
)
"""What a verifier's scale can be, in words."""
_FIELDS = {
    **dict.fromkeys(["claim", "statement", "afirmacion", "number", "numero"], "claim"),
    **dict.fromkeys(["reasoning", "reason", "justification", "razonamiento", "justificacion"], "reasoning"),
    **dict.fromkeys(["quote", "evidence", "cita"], "quote"),
    **dict.fromkeys(["label", "verdict", "etiqueta", "veredicto"], "label"),
    **dict.fromkeys(["verdicts", "veredictos", "claims", "afirmaciones"], "list"),
}
_LONGEST_LABEL = 1000
_NUMBER = re.compile(r"\s*(?:claim|afirmaci[oó]n)?\s*#?(\d{1,4})\s*[.:)]?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LabelRoles:
    """Which label of a scale says what of a claim.

    Attributes:
        supported: the context says it.
        not_mentioned: the context does not say it, or only a part; on a binary scale the negative label.
        contradicted: the context says otherwise; None on a binary scale, where that is the negative label too.
    """

    supported: str
    not_mentioned: str
    contradicted: str | None

    def role(self, label: str) -> str:
        """Return ``supported``, ``contradicted`` or ``not_mentioned``; on a binary scale the last stands for both."""
        if label == self.supported:
            return "supported"
        return "contradicted" if label == self.contradicted else "not_mentioned"

    def worst(self, labels: Sequence[str]) -> str:
        """Return the label of several claims together: contradicted before not mentioned, that before supported."""
        if self.contradicted is not None and self.contradicted in labels:
            return self.contradicted
        return self.not_mentioned if self.not_mentioned in labels else self.supported


@dataclass(frozen=True, slots=True)
class VerifiedClaim:
    """What was found of one claim.

    Attributes:
        claim: its text.
        label: after the check of its quote.
        stated: what the judge said.
        quote: what it quotes of the context; empty when it quotes nothing.
        quote_found: whether that occurs in the context word for word.
        reasoning: its justification.
    """

    claim: str
    label: str
    stated: str
    quote: str
    quote_found: bool
    reasoning: str

    def to_json(self) -> dict[str, Json]:
        """Return it as JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def label_roles(scale: Scale) -> LabelRoles:
    """Return which label says what.

    Raises:
        InputError: the scale is neither binary nor nominal with three labels that say it.
    """
    if scale.kind == "binary":
        return LabelRoles(scale.positive or "", scale.negative, None)
    named = {_ROLES.get(_plain(label), ""): label for label in scale.labels}
    if scale.kind != "nominal" or len(scale.labels) != 3 or len(named) != 3 or "" in named:
        raise InputError(f"--task verify takes {VERIFIED_LABELS}; not {', '.join(scale.labels) or scale.kind}")
    return LabelRoles(named["supported"], named["not_mentioned"], named["contradicted"])


def complete_labels(found: Sequence[str]) -> tuple[str, str, str] | None:
    """Return the labels for supported, contradicted and not mentioned, where those found are such words (or some).

    Those that were not found are in the language of those that were. None for other labels, for two for one thing, and
    for words that are the two labels of a binary scale as well, such as yes and no, without the third.
    """
    named = {_ROLES.get(_plain(label), ""): label for label in found}
    if not found or len(named) != len(found) or "" in named:
        return None
    plain = {_plain(label) for label in found}
    if len(named) < len(_USUAL[0]) and plain & _EITHER:
        return None
    roles = ("supported", "contradicted", "not_mentioned")
    usual = max(_USUAL, key=lambda each: len(plain & {_plain(label) for label in each}))
    supported, contradicted, third = (named.get(role, label) for role, label in zip(roles, usual, strict=True))
    return supported, contradicted, third


def claims_of(item: Item) -> tuple[str, ...]:
    """Return the claims of an item: one, or several where its ``claim`` comes in parts."""
    claim = item.inputs["claim"]
    return (claim,) if isinstance(claim, str) else claim


def read_verification(text: str, finish: Finish, scale: Scale, item: Item) -> Verdict:
    """Read the verdicts on an item's claims, check the quotes, and return the worst label. Never raises for any text.

    A claim called supported whose quote does not occur in the context word for word counts as not mentioned. A reply
    that leaves a claim without a declared label, says two things of one claim or speaks of one that there is not, is
    invalid as a whole: nothing is guessed about the others. Labels are matched without their accents, hyphens and
    underscores too.
    """
    claims, roles = claims_of(item), label_roles(scale)
    found = last_objects(text, finish, _FIELDS, "label")
    if not isinstance(found, Unscored) and not found:
        found = no_verdict(text, finish)
    if isinstance(found, Unscored):
        return found
    entries = [_Entry.of(each, text) for each in found]
    stated = _by_claim(entries, claims, scale)
    if isinstance(stated, str):
        return Unscored("invalid", stated)
    verified = []
    for number, claim in enumerate(claims, 1):
        entry = stated.get(number)
        if entry is None:
            return Unscored("invalid", f"no verdict on claim {number} of {len(claims)}")
        label = _declared(entry.label, scale)
        if label is None:
            if isinstance(entry.label, str) and _letters(entry.label) == _letters(ABSTENTION):
                return Unscored("abstained", entry.reasoning)
            return Unscored("invalid", f'the label "{entry.label_text[:100]}" is not one of {", ".join(scale.labels)}')
        verified.append(_checked(claim, label, entry, item.inputs["context"], roles))
    worst = roles.worst([each.label for each in verified])
    told = [_told(each, several=len(claims) > 1) for each in verified]
    return Scored(worst, "\n".join(told), evidence={"claims": [each.to_json() for each in verified]})


@dataclass(frozen=True, slots=True)
class _Entry:
    """One verdict of a reply, as it is written there."""

    claim: Value
    label: Value
    label_text: str
    quote: str
    reasoning: str

    @classmethod
    def of(cls, found: FoundObject, reply: str) -> _Entry:
        values = found.values
        label, quote, reasoning = (_text(values.get(name), reply) for name in ("label", "quote", "reasoning"))
        return cls(values.get("claim"), values["label"], label, quote, reasoning)

    def says(self, scale: Scale) -> str:
        """Return what two verdicts have in common that say the same."""
        return _declared(self.label, scale) or _letters(self.label_text)


def _checked(claim: str, label: str, entry: _Entry, context: Text, roles: LabelRoles) -> VerifiedClaim:
    there = occurs_in(entry.quote, context)
    held = roles.not_mentioned if label == roles.supported and not there else label
    return VerifiedClaim(claim, held, label, entry.quote, there, entry.reasoning)


def _told(one: VerifiedClaim, *, several: bool) -> str:
    """Return what a person, or the meta-LLM, reads of it."""
    said = [f"{one.claim}: {one.label}."] if several else []
    said += [part for part in (one.reasoning, f'Quote: "{one.quote}"' if one.quote else "") if part]
    if one.label != one.stated:
        said.append(f"Called {one.stated}, but {why_no_quote(one.quote)}: counted as {one.label}.")
    return " ".join(said)


def _by_claim(entries: Sequence[_Entry], claims: Sequence[str], scale: Scale) -> dict[int, _Entry] | str:
    """Return the verdicts by the number of their claim, which they say by number or by repeating it; or why not.

    Those that do not say it are taken in their order, where that is what the others say too. The only verdict on the
    only claim needs no number. Of a verdict that is there twice the last counts.
    """
    count = len(claims)
    numbers = [_number_of(each.claim, claims) for each in entries]
    in_order = all(number in (None, place) for place, number in enumerate(numbers, 1))
    if len(entries) == count and (in_order or count == 1):
        return dict(enumerate(entries, 1))
    found: dict[int, _Entry] = {}
    for said, entry in zip(numbers, entries, strict=True):
        number = 1 if said is None and count == 1 else said
        if number is None:
            several = "one verdict" if len(entries) == 1 else f"{len(entries)} verdicts"
            return f"{several} for {count} claims, and it is not clear which is for which"
        if not 1 <= number <= count:
            return f"a verdict on claim {number} of {count}"
        if number in found and found[number].says(scale) != entry.says(scale):
            return f"verdicts on claim {number} of {count} that differ"
        found[number] = entry
    return found


def _number_of(value: Value, claims: Sequence[str]) -> int | None:
    """Return which claim a verdict says it is on, whether there is one or not; None when it says none."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str):
        repeated = next((place for place, claim in enumerate(claims, 1) if _letters(claim) == _letters(value)), None)
        match = _NUMBER.fullmatch(value)
        return repeated or (int(match[1]) if match else None)
    return None


def _declared(stated: Value, scale: Scale) -> str | None:
    """Return the label of a scale that a verdict states, written as in ``Not_Mentioned`` or ``contradiccion`` too."""
    label = scale.match(stated)
    if label is not None or not isinstance(stated, str):
        return label
    wanted = _plain(stated[:_LONGEST_LABEL])
    return next((each for each in scale.labels if wanted and _plain(each) == wanted), None)


def _text(value: Value, reply: str) -> str:
    if isinstance(value, Nested):
        return reply[value.start : value.end]
    return value if isinstance(value, str) else "" if value is None else str(value)


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def _plain(label: str) -> str:
    letters = unicodedata.normalize("NFKD", normalise_label(label))
    return " ".join("".join(c if c.isalnum() else " " for c in letters if not unicodedata.combining(c)).split())
