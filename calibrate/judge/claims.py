"""An answer taken apart into claims: how the reply is read, and whether the split contains a statement.

A splitter is calibrated against statements that experts marked as claims of a right split, or as none: two facts in
one, a fragment that cannot be understood alone, something that the answer does not say. Its verdict on a statement is
whether its split has it, found by code. Statements are compared by their content words (Dice coefficient of at least
0.8; plurals are folded), with equal numbers and equal negation, since wording is what a splitter is asked to keep. A
statement that says more words after a further "and", or two words more after a further comma, is two in one, and not
the same.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from calibrate.domain import Finish, Item, Json, Scale, Scored, Unscored, Verdict
from calibrate.judge.function_words import FUNCTION_WORDS, NEGATIONS, without_accents
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
_LAST_COMMA = re.compile(r",\s*\]\Z")

_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+")
_CONTRACTED = {"can't": "can not", "cannot": "can not", "won't": "will not", "n't": " not"}
_CONTRACTION = re.compile(r"\b(?:can't|cannot|won't)\b|n't\b")
_CONJUNCTION = re.compile(r"\b(?:and|but|while|y|e|pero|mientras)\b")
_COMMA = re.compile(r"[,;](?!\d)")
_THOUSANDS = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
_NOT_CONTENT = FUNCTION_WORDS | NEGATIONS


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of an answer.

    Attributes:
        text: what it says.
        kind: ``factual``, which a context can support or contradict, a rule that is reported included; ``conditional``,
            what holds only under a condition that is left open, or ``normative``, the answer's own advice or opinion,
            which it cannot.
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
    all: Counter[str]
    content: Counter[str]
    numbers: Counter[str]
    negated: bool
    conjunctions: int
    commas: int

    @classmethod
    def of(cls, text: str) -> _Words:
        plain = without_accents(text.replace("’", "'"))
        words = _WORD.findall(_CONTRACTION.sub(lambda found: _CONTRACTED[found[0]], plain))
        numbers = Counter(_figure(word) for word in words if word[0].isdigit())
        said = Counter(_singular(word) for word in words if not word[0].isdigit())
        content = Counter({word: times for word, times in said.items() if word not in _NOT_CONTENT})
        negated = any(word in NEGATIONS for word in said)
        return cls(said, content, numbers, negated, len(_CONJUNCTION.findall(plain)), len(_COMMA.findall(plain)))

    def same_as(self, other: _Words) -> bool:
        if self.numbers != other.numbers or self.negated != other.negated:
            return False
        more = abs(self.content.total() - other.content.total())
        if (more and self.conjunctions != other.conjunctions) or (more > 1 and self.commas != other.commas):
            return False
        size = self.content.total() + other.content.total() + 2 * self.numbers.total()
        if not size:
            return bool(self.all) and self.all == other.all
        shared = (self.content & other.content).total() + self.numbers.total()
        return 2 * shared / size >= SAME_STATEMENT


def _figure(number: str) -> str:
    """Write a number in one way: 1.000 and 1,000 as 1000, 2,5 as 2.5."""
    return re.sub(r"[.,]", "", number) if _THOUSANDS.fullmatch(number) else number.replace(",", ".")


def _singular(word: str) -> str:
    """Fold number, roughly, in both languages: policies and policy, boxes and box, clientes and cliente."""
    if word in _NOT_CONTENT:
        return word
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 2 and word.endswith("y") else word


def _claims(text: str, finish: Finish) -> tuple[Claim, ...] | Unscored:
    found = last_objects(text, finish, {**_FIELDS, **_LIST}, "claim")
    if isinstance(found, Unscored):
        return found
    if not found:
        return _plain_claims(text)
    claims = []
    for place, values in enumerate((each.values for each in found), 1):
        said = values["claim"]
        if not isinstance(said, str):
            return Unscored("invalid", f"claim {place} of the reply is no text")
        if said.strip():
            claims.append(Claim(said.strip(), _kind(values.get("kind"))))
    return tuple(claims)


def _plain_claims(text: str) -> tuple[Claim, ...] | Unscored:
    """Read the last list of a reply, which has no objects: texts without a kind, or nothing."""
    arrays = [each.values.get("list") for each in read_parts(text, _LIST).objects]
    listing = (each for each in arrays if isinstance(each, Nested) and each.kind == "array")
    last = max(listing, key=lambda each: each.start)
    written = _LAST_COMMA.sub("]", text[last.start : last.end])
    try:
        listed = json.loads(written, strict=False)
    except (ValueError, RecursionError):
        listed = [None]
    if not all(isinstance(said, str) for said in listed):
        return Unscored("invalid", "the claims of the reply are no texts")
    return tuple(Claim(said.strip()) for said in listed if said.strip())


def _kind(value: object) -> ClaimKind:
    folded = unicodedata.normalize("NFKD", value.casefold()) if isinstance(value, str) else ""
    return _KINDS.get("".join(char for char in folded if char.isalpha()), "factual")


def _marked(claim: Claim) -> str:
    return "" if claim.kind == "factual" else f" ({claim.kind})"
