"""The verdicts of a reply that holds claims against a context."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, NamedTuple

from calibrate.export.standalone.constants import CONTRADICTED, LABELS, NOT_MENTIONED, SUPPORTED
from calibrate.export.standalone.last_list import _FINISHES, _UNSCORED, _last_objects
from calibrate.export.standalone.match_labels import _declared
from calibrate.export.standalone.objects import _Nested
from calibrate.export.standalone.text import _LONGEST_LABEL, _ZERO_WIDTH, _normalise

# --- exported


class VerifiedClaim(NamedTuple):
    """What a reply says of one claim.

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


class Verdict(NamedTuple):
    """What a reply says.

    Attributes:
        label: the worst label of the claims: CONTRADICTED before NOT_MENTIONED before SUPPORTED; or None.
        unscored: without a label, why: ``abstained``, ``invalid``, ``refused`` or ``truncated``.
        claims: what was found of each claim; empty when there is no verdict.
        reasoning: why it abstained; else empty, and each claim has its own.
    """

    label: str | None
    unscored: str | None = None
    claims: tuple[VerifiedClaim, ...] = ()
    reasoning: str = ""


def parse(reply: str, inputs: Mapping[str, Any], finish: str = "stop") -> Verdict:
    """Return the verdict of a reply on the claims of an item. Never raises for any text of a reply.

    The last list of verdicts outside thinking blocks counts. A claim that is called SUPPORTED and whose quote does not
    occur in the context word for word, or has nothing but function words, is NOT_MENTIONED. A reply that leaves a claim
    without a declared label, says two things of one claim or speaks of one that there is not, is invalid as a whole.

    Args:
        reply: the model's text.
        inputs: what :func:`render` made the request of: the quotes are looked for in ``context``, and ``claim`` is one
            text or a list of texts.
        finish: why it ended: ``stop``, ``length`` (the token limit) or ``refusal``; the names that the APIs of OpenAI
            and Anthropic have for these are known too.
    """
    finish = _FINISHES.get(finish, finish)
    claims = [inputs["claim"]] if isinstance(inputs["claim"], str) else list(inputs["claim"])
    found = _last_objects(reply, finish, "label")
    if not found:
        return Verdict(None, _UNSCORED.get(finish, "invalid"))
    by_claim = _by_claim([each.values for each in found], claims, reply)
    verified = []
    for number, claim in enumerate(claims, 1):
        if number not in by_claim:
            return Verdict(None, "invalid")
        values = by_claim[number]
        reasoning = _text_of(values.get("reasoning"), reply)
        stated = _label_of(values["label"])
        if stated is None:
            if isinstance(values["label"], str) and _letters_of(values["label"]) == "cannotassess":
                return Verdict(None, "abstained", (), reasoning)
            return Verdict(None, "invalid")
        quote = _text_of(values.get("quote"), reply)
        there = _occurs_in(quote, inputs["context"])
        label = NOT_MENTIONED if stated == SUPPORTED and not there else stated
        verified.append(VerifiedClaim(claim, label, stated, quote, there, reasoning))
    if not verified:
        return Verdict(None, "invalid")
    labels = [each.label for each in verified]
    worst = next((label for label in (CONTRADICTED, NOT_MENTIONED) if label in labels), SUPPORTED)
    return Verdict(worst, None, tuple(verified))


_CLAIM_NUMBER = re.compile(r"\s*(?:claim|afirmaci[oó]n)?\s*#?(\d{1,4})\s*[.:)]?\s*", re.IGNORECASE)


def _by_claim(found: list[Any], claims: list[str], reply: str) -> dict[int, Any]:
    """Return the verdicts by the number of their claim: as they say it, by number or by repeating the claim.

    Those that do not say it are taken in their order, where that is what the others say too. None where two verdicts on
    one claim differ, or one is on no claim that there is.
    """
    count = len(claims)
    numbers = [_number_of(values.get("claim"), claims) for values in found]
    in_order = all(number in (None, place) for place, number in enumerate(numbers, 1))
    if len(found) == count and (in_order or count == 1):
        return dict(enumerate(found, 1))
    by_claim: dict[int, Any] = {}
    for place, values in enumerate(found):
        number = 1 if numbers[place] is None and count == 1 else numbers[place]
        if number is None or not 1 <= number <= count:
            return {}
        if number in by_claim and _said_by(by_claim[number], reply) != _said_by(values, reply):
            return {}
        by_claim[number] = values
    return by_claim


def _said_by(values: Any, reply: str) -> str:
    return _label_of(values["label"]) or _letters_of(_text_of(values["label"], reply))


def _number_of(value: Any, claims: list[str]) -> int | None:
    """Return which claim a verdict says it is on, whether there is one or not; None when it says none."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str):
        match = _CLAIM_NUMBER.fullmatch(value)
        letters = _letters_of(value)
        repeated = next((place for place, claim in enumerate(claims, 1) if _letters_of(claim) == letters), None)
        return repeated or (int(match[1]) if match else None)
    return None


def _label_of(stated: Any) -> str | None:
    """Return the label that a verdict states, written as in ``Not_Mentioned`` or ``contradiccion`` too."""
    label = _declared(stated)
    if label is not None or not isinstance(stated, str):
        return label
    wanted = _plain(stated[:_LONGEST_LABEL])
    return next((each for each in LABELS if wanted and _plain(each) == wanted), None)


def _plain(label: str) -> str:
    return " ".join("".join(char if char.isalnum() else " " for char in _without_accents(_normalise(label))).split())


_QUOTATION_MARKS = "\"'“”‘’«»„‹›`"


def _occurs_in(quote: str, context: Any) -> bool:
    """Whether a quote occurs word for word: white space and case folded, quotation marks around it left out."""
    if not _has_content(quote):
        return False
    wanted = _folded(quote).strip(_QUOTATION_MARKS + " ")
    chunks = [context] if isinstance(context, str) else context
    return any(_stands_in(wanted, _folded(chunk)) for chunk in chunks)


_WITHOUT_CONTENT = frozenset(
    "no not never none neither nor without nunca jamas sin ningun ninguna ninguno nadie nada tampoco ni "
    "a an the of to in on at for from by with and or is are was were be been it its this that as t s "
    "el la los las un una unos unas de del al a en por para con y e o u es son fue fueron ser esta estan este se "
    "su sus que lo le les como".split()
)


def _has_content(text: str) -> bool:
    """Whether a text has a number, or a word that is neither a function word nor a negation."""
    words = re.findall(r"\d+|[^\W\d_]+", _without_accents(text.casefold()))
    return any(word not in _WITHOUT_CONTENT for word in words)


def _stands_in(wanted: str, text: str) -> bool:
    place = text.find(wanted)
    while place >= 0:
        if not (_inside_word(text, place) or _inside_word(text, place + len(wanted))):
            return True
        place = text.find(wanted, place + 1)
    return False


def _inside_word(text: str, place: int) -> bool:
    return 0 < place < len(text) and bool(re.match(r"\w\w", text[place - 1 : place + 1]))


def _folded(text: str) -> str:
    composed = unicodedata.normalize("NFC", text.translate(_ZERO_WIDTH))
    return " ".join(unicodedata.normalize("NFC", composed.casefold()).split())


def _text_of(value: Any, reply: str) -> str:
    if isinstance(value, _Nested):
        return reply[value.start : value.end]
    return "" if value is None else str(value)


def _without_accents(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


def _letters_of(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
