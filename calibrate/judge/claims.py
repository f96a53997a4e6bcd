"""An answer taken apart into claims: how the reply is read, and whether the split contains a statement.

A splitter is calibrated against statements that experts marked as claims of a right split, or as none: two facts in
one, a fragment that cannot be understood alone, something that the answer does not say. Its verdict on a statement is
whether its split has it, found by code. Statements are compared by their content words (Dice coefficient of at least
0.8), with equal numbers and equal negation, since wording is what a splitter is asked to keep.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from calibrate.domain import Finish, Item, Json, Scale, Scored, Unscored, Verdict
from calibrate.judge.reply_objects import last_objects
from calibrate.judge.structured import Nested, read_parts

__all__ = ["CLAIM_KINDS", "SAME_STATEMENT", "Claim", "ClaimKind", "contains", "read_split"]

ClaimKind: TypeAlias = Literal["factual", "conditional", "normative"]
CLAIM_KINDS: tuple[ClaimKind, ...] = get_args(ClaimKind)

SAME_STATEMENT = 0.8
"""Overlap of content words from which two statements are the same."""

_KINDS: dict[str, ClaimKind] = {
    **dict.fromkeys(["conditional", "condicional", "condition", "condicion"], "conditional"),
    **dict.fromkeys(["normative", "normativa", "normativo", "opinion", "recommendation", "recomendacion"], "normative"),
}
_FIELDS = {
    **dict.fromkeys(["claim", "statement", "text", "afirmacion", "texto"], "claim"),
    **dict.fromkeys(["kind", "type", "tipo", "clase"], "kind"),
}
_LIST = dict.fromkeys(["claims", "statements", "afirmaciones"], "list")

_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+")
_NEGATIONS = frozenset(
    "no not never none neither nor without cannot isn aren wasn weren don doesn didn won wouldn can couldn hasn haven "
    "nunca jamas sin ningun ninguna ninguno tampoco ni".split()
) - {"can"}
_FUNCTION_WORDS = frozenset(
    "a an the of to in on at for from by with and or is are was were be been it its this that as t s "
    "el la los las un una unos unas de del al a en por para con y e o u es son fue fueron ser esta estan este se "
    "su sus que lo le les como".split()
)


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of an answer.

    Attributes:
        text: what it says.
        kind: ``factual``, which a context can support or contradict; ``conditional`` or ``normative``, which it cannot.
    """

    text: str
    kind: ClaimKind = "factual"

    def to_json(self) -> dict[str, Json]:
        """Return it as JSON."""
        return {"claim": self.text, "kind": self.kind}


def read_split(text: str, finish: Finish, scale: Scale, item: Item) -> Verdict:
    """Read the claims of a reply. Never raises for any text.

    With an input ``claim`` the label is the positive one when the split contains that statement, whatever its kind;
    without, when the answer makes any factual claim. An empty list is a split of an answer that says nothing.
    """
    claims = _claims(text, finish)
    if isinstance(claims, Unscored):
        return claims
    wanted = item.inputs.get("claim")
    if wanted is None:
        there = any(claim.kind == "factual" for claim in claims)
    else:
        there = contains(claims, wanted if isinstance(wanted, str) else " ".join(wanted))
    told = [f"{number}. {claim.text}{_marked(claim)}" for number, claim in enumerate(claims, 1)]
    label = scale.positive if there else scale.negative
    return Scored(label or "", "\n".join(told), evidence={"claims": [claim.to_json() for claim in claims]})


def contains(claims: Iterable[Claim], statement: str) -> bool:
    """Whether one of the claims is this statement, by the rule of this module."""
    wanted = _Words.of(statement)
    return any(wanted.same_as(_Words.of(claim.text)) for claim in claims)


@dataclass(frozen=True, slots=True)
class _Words:
    content: Counter[str]
    numbers: Counter[str]
    negated: bool

    @classmethod
    def of(cls, text: str) -> _Words:
        folded = unicodedata.normalize("NFKD", text.replace("’", "'").casefold())
        words = _WORD.findall("".join(char for char in folded if not unicodedata.combining(char)))
        numbers = Counter(re.sub(r"[.,:]", "", word) for word in words if word[0].isdigit())
        said = [word for word in words if not word[0].isdigit()]
        content = Counter(_singular(word) for word in said if word not in _FUNCTION_WORDS and word not in _NEGATIONS)
        return cls(content, numbers, any(word in _NEGATIONS for word in said))

    def same_as(self, other: _Words) -> bool:
        if self.numbers != other.numbers or self.negated != other.negated:
            return False
        size = self.content.total() + other.content.total() + 2 * self.numbers.total()
        shared = (self.content & other.content).total() + self.numbers.total()
        return size > 0 and 2 * shared / size >= SAME_STATEMENT


def _singular(word: str) -> str:
    """Fold number, roughly: the plural of either language ends in s."""
    return (
        word[:-2] if len(word) > 5 and word.endswith("es") else word[:-1] if len(word) > 3 and word[-1] == "s" else word
    )


def _claims(text: str, finish: Finish) -> tuple[Claim, ...] | Unscored:
    found = last_objects(text, finish, {**_FIELDS, **_LIST}, "claim")
    if not isinstance(found, Unscored):
        pairs = [(each.values["claim"], each.values.get("kind")) for each in found]
        return tuple(Claim(said.strip(), _kind(kind)) for said, kind in pairs if isinstance(said, str) and said.strip())
    plain = _plain_list(text) if found.reason == "invalid" else None
    return found if plain is None else tuple(Claim(said.strip()) for said in plain if said.strip())


def _plain_list(text: str) -> Sequence[str] | None:
    """Return the texts of a list without kinds, and of one without anything."""
    for each in reversed(read_parts(text, _LIST).objects):
        spot = each.values["list"]
        if not isinstance(spot, Nested) or spot.kind != "array":
            continue
        try:
            listed = json.loads(text[spot.start : spot.end], strict=False)
        except (ValueError, RecursionError):
            return None
        return listed if all(isinstance(said, str) for said in listed) else None
    return None


def _kind(value: object) -> ClaimKind:
    folded = unicodedata.normalize("NFKD", value.casefold()) if isinstance(value, str) else ""
    return _KINDS.get("".join(char for char in folded if char.isalpha()), "factual")


def _marked(claim: Claim) -> str:
    return "" if claim.kind == "factual" else f" ({claim.kind})"
