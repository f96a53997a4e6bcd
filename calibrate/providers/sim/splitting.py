"""An answer taken apart into claims, as far as the prompt asks for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from calibrate.providers.sim.abstaining import declines
from calibrate.providers.sim.grammar import DETERMINERS, VERBS
from calibrate.providers.sim.judging import is_boilerplate
from calibrate.providers.sim.language import fold_word
from calibrate.providers.sim.passages import text_language
from calibrate.providers.sim.statements import is_conditional, is_normative, parse, single_statements
from calibrate.providers.sim.text import sentences

__all__ = ["SplitClaim", "split_answer"]

_CITATION = re.compile(r"\s*\[[^\[\]\n]{1,80}\]")
_WORD = re.compile(r"[^\W_]+")
_PRONOUNS = {
    **dict.fromkeys("it this that he she él ella esto eso este esta ello".split(), "one"),
    **dict.fromkeys("they these those both ellos ellas estos estas ambos ambas".split(), "many"),
}
# A bare yes or no says nothing without the question.
_YES_OR_NO = re.compile(
    r"^(?:yes|no|sí|claro(?: que sí)?|of course|por supuesto|correcto|correct)(?:[.,:;!]\s*|$)", re.IGNORECASE
)
_ADDING = re.compile(r"^(?:también|además|also|besides|moreover|in addition),?\s+", re.IGNORECASE)
_PERSONS = frozenset("you we i one usted ustedes tu nosotros there se hay".split())
_IMPERSONAL = frozenset("hay se no va vale sirve".split())
_NOUN_PHRASE = re.compile(
    r"\b(the|a|an|your|our|el|la|los|las|un|una|tu|su)\s+([^\W\d_]+(?:\s+(?:de|del|of)\s+[^\W\d_]+)?)", re.IGNORECASE
)
_DEFINITE = {"a": "the", "an": "the", "un": "el", "una": "la"}


@dataclass(frozen=True, slots=True)
class SplitClaim:
    """One claim of an answer.

    Attributes:
        text: what it says.
        kind: what sort of statement it is.
    """

    text: str
    kind: Literal["factual", "conditional", "normative"] = "factual"


def split_answer(answer: str, asked: frozenset[str]) -> list[SplitClaim]:
    """Return the claims of an answer, in its order and its words.

    Args:
        answer: what is taken apart; questions, headings and the admission that one does not know claim nothing.
        asked: the step directives of the prompt. Without ``atomic`` each sentence is a claim.
    """
    text = _CITATION.sub("", answer) if "no citations" in asked else answer
    language = text_language(text)
    claims: list[SplitClaim] = []
    subjects: list[str] = []
    for sentence in sentences(text):
        body = _YES_OR_NO.sub("", sentence.text) if "self-contained" in asked else sentence.text
        folded = " ".join(fold_word(word) for word in sentence.text.split())
        if sentence.heading or sentence.text.rstrip().endswith("?") or declines(folded):
            continue
        if not _WORD.search(body) or ("no greetings" in asked and is_boilerplate(sentence.text, language)):
            continue
        for statement in single_statements(body) if "atomic" in asked else [body]:
            said = _with_its_subject(statement, subjects) if "self-contained" in asked else statement
            subjects.extend(_spoken_of(said, known=bool(subjects)))
            claims.append(SplitClaim(_as_sentence(said), _kind(said, asked)))
    return claims


def _kind(statement: str, asked: frozenset[str]) -> Literal["factual", "conditional", "normative"]:
    if "conditional" in asked and is_conditional(statement):
        return "conditional"
    return "normative" if "normative" in asked and is_normative(statement) else "factual"


def _with_its_subject(statement: str, subjects: list[str]) -> str:
    """Return a statement with the noun that its pronoun, or its bare verb, stands for."""
    statement = _ADDING.sub("", statement)
    opening = _WORD.search(statement)
    parts = parse(statement)
    if opening is None or parts is None or parts.lead or not subjects:
        return statement
    form = opening.group().casefold()
    if fold_word(parts.subject) == fold_word(form) and form in _PRONOUNS:
        noun = _last(subjects, many=_PRONOUNS[form] == "many")
        return f"{noun}{statement[opening.end() :]}"
    # Bare verbs of the first and second person say by themselves whom they are about.
    bare = not parts.subject and fold_word(form) in VERBS and fold_word(form) not in _IMPERSONAL
    if bare and not form.endswith(("s", "mos")):
        noun = _last(subjects, many=form.endswith("n"))
        return f"{noun} {statement[0].lower()}{statement[1:]}"
    return statement


def _last(subjects: list[str], *, many: bool) -> str:
    """Return what was last spoken of in the same number, or else what was last spoken of."""
    return next((each for each in reversed(subjects) if _is_plural(each) == many), subjects[-1])


def _is_plural(noun: str) -> bool:
    words = noun.split()
    first = words[0].casefold()
    if first in ("los", "las", "these", "those"):
        return True
    if first in ("el", "la", "a", "an"):
        return False
    head = words[1] if first in DETERMINERS and len(words) > 1 else words[0]
    return head.endswith("s") and not head.endswith("ss")


def _spoken_of(statement: str, *, known: bool) -> list[str]:
    """Return the noun that a later pronoun may stand for; ``known`` when one was spoken of before."""
    parts = parse(statement)
    if parts is None:
        opening = _NOUN_PHRASE.match(statement)
        return [opening.group()] if opening else []
    named = [
        f"{_DEFINITE.get(found[1].casefold(), found[1])} {found[2]}".capitalize()
        for found in _NOUN_PHRASE.finditer(parts.rest)
    ]
    if not parts.subject or parts.subject.casefold() in _PERSONS | _PRONOUNS.keys():
        # "se necesita el tique" says something by the way, of something else.
        by_the_way = known and fold_word(parts.verb[0]) in _IMPERSONAL
        return [] if by_the_way else named[:1]
    return [_capitalised(parts.subject)]


def _as_sentence(statement: str) -> str:
    text = _capitalised(statement.strip().rstrip(",;:"))
    return text if text.endswith((".", "!", "…", '"', "»", "”")) else f"{text}."


def _capitalised(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
