"""Questions written back from an answer: what somebody may have asked to be answered like this."""

from __future__ import annotations

import re
from collections.abc import Sequence

from calibrate.providers.sim.figures import Figure, find_figures
from calibrate.providers.sim.language import Language, fold_word
from calibrate.providers.sim.lexicon import look_up
from calibrate.providers.sim.passages import text_language
from calibrate.providers.sim.splitting import split_answer
from calibrate.providers.sim.statements import Parts, parse

__all__ = ["write_questions"]

_COUNT = 3
_KEY_WORDS = 5
_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
_AUXILIARY = frozenset("is are was were can could may might must will would shall should has have had".split())
_COPULA = frozenset("is are was were es son fue era eran fueron".split())
_IRREGULAR = {"has": "have", "does": "do", "goes": "go", "won": "win", "went": "go", "became": "become", "made": "make"}
_FIGURE_LEAD = re.compile(
    r"(?:\s|^)(?:(?:within|in|of|for|at|on|by|up to|at least|at most|about|after|until|from|de|en|hasta|durante|"
    r"dentro de|a partir de|unos|unas|al menos|como m[aá]ximo|como m[ií]nimo|a|a las|por|desde|el|the)\s*)+$",
    re.IGNORECASE,
)
_INTERROGATIVE: dict[str, tuple[str, str]] = {
    "money": ("How much", "Cuánto"),
    "percent": ("What percentage", "Qué porcentaje"),
    "date": ("When", "Cuándo"),
    "clock": ("At what time", "A qué hora"),
    "minutes": ("How long", "Cuánto tiempo"),
    "workdays": ("How long", "Cuánto tiempo"),
}
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_AMOUNT = ("How much", "Cuánto")
_NOTHING_SAID: dict[Language, tuple[str, ...]] = {
    "en": ("What is not known?", "What information is missing?", "What can the answer not tell?"),
    "es": ("¿Qué no se sabe?", "¿Qué información falta?", "¿Qué no puede decir la respuesta?"),
}
_ASKED = frozenset({"atomic", "self-contained", "no citations", "no greetings"})


def write_questions(answer: str, asked: frozenset[str]) -> list[str]:
    """Return three questions, in the answer's language, to which it would be the answer.

    Args:
        answer: what is answered; one that claims nothing is asked what is not known.
        asked: the step directives of the prompt. With ``different`` the questions turn to several statements, without
            it all to the first.
    """
    statements = [claim.text.rstrip(".!") for claim in split_answer(answer, _ASKED)]
    language: Language = "es" if text_language(answer) == "es" else "en"
    if not statements:
        return list(_NOTHING_SAID[language])
    names = _names(answer)
    about = statements if "different" in asked else statements[:1]
    ways = (_for_the_figure, _whether, _about, _what_about, _what_else)
    questions: list[str] = []
    for way in ways:
        for statement in about:
            question = way(statement, language, names)
            if question and question not in questions:
                questions.append(question)
    return questions[:_COUNT]


def _for_the_figure(statement: str, language: Language, names: frozenset[str]) -> str:
    """Return the question for the number, the amount or the time that a statement gives; empty when it gives none."""
    folded = _folded(statement)
    figure = next(iter(find_figures(folded)), None)
    parts = parse(statement)
    if figure is None or parts is None or not parts.verb:
        return ""
    place = folded.find(figure.text)
    start = len(statement) - len(parts.rest)
    if place < start:
        return ""
    before = _FIGURE_LEAD.sub("", f" {statement[start:place]}").strip()
    after = statement[place + len(figure.text) :].strip(" ,.")
    if figure.counts and after.casefold().startswith(figure.counts):
        after = after[len(figure.counts) :].strip()
    rest = " ".join(part for part in (before, after) if part)
    word = _interrogative(figure, language)
    if language == "es":
        if fold_word(parts.verb[0]) in _COPULA and not rest:
            return f"¿Cuál {' '.join(parts.verb)} {_lower(parts.subject, names)}?"
        return f"¿{' '.join(part for part in (word, *parts.verb, _lower(parts.subject, names), rest) if part)}?"
    return f"{word} {_inverted(parts, rest, names)}?"


def _whether(statement: str, language: Language, names: frozenset[str]) -> str:
    """Return the question whether a statement is so."""
    if language == "es":
        return f"¿{_capitalised(statement)}?"
    parts = parse(statement)
    return f"{_capitalised(_inverted(parts, parts.rest, names))}?" if parts and parts.subject else ""


def _about(statement: str, language: Language, names: frozenset[str]) -> str:
    """Return the question what there is to know about a statement's subject and its first words."""
    words = [word.group() for word in _WORD.finditer(statement)]
    telling = [word for word in words if look_up(fold_word(word), language).weight >= 1.0 and not word[0].isdigit()]
    key = " ".join(_lower(word, names) for word in (telling or words)[:_KEY_WORDS])
    return f"¿Qué hay que saber sobre {key}?" if language == "es" else f"What is there to know about {key}?"


def _what_about(statement: str, language: Language, names: frozenset[str]) -> str:
    """Return the shortest question there is about a statement's subject, or its object where it has none."""
    parts = parse(statement)
    subject = _lower((parts.subject or parts.rest) if parts else statement, names)
    return f"¿Qué hay de {subject}?" if language == "es" else f"What about {subject}?"


def _what_else(statement: str, language: Language, names: frozenset[str]) -> str:
    """Return an open question about all that a statement says."""
    said = _lower(statement, names)
    return f"¿Es cierto que {said}?" if language == "es" else f"Is it true that {said}?"


def _interrogative(figure: Figure, language: Language) -> str:
    which = 1 if language == "es" else 0
    if figure.kind == "number" and not figure.counts and _YEAR.fullmatch(figure.text):
        return _INTERROGATIVE["date"][which]
    if figure.kind == "number" and figure.counts:
        return f"How many {figure.counts}" if which == 0 else f"Cuántos {figure.counts}"
    return _INTERROGATIVE.get(figure.kind, _AMOUNT)[which]


def _inverted(parts: Parts, rest: str, names: frozenset[str]) -> str:
    """Return an English statement with its verb in front of its subject: "is the shop", "does the shop open"."""
    subject, first = _lower(parts.subject, names), fold_word(parts.verb[0])
    if first in _AUXILIARY or first == "cannot":
        return _joined((parts.verb[0], subject, *parts.verb[1:], rest))
    plural = subject.casefold().split()[-1:] and subject.casefold().split()[-1].endswith("s")
    if first.endswith("ed") or first in ("won", "went", "became", "made"):
        return _joined(("did", subject, _base(first), *parts.verb[1:], rest))
    helping = "do" if plural or subject.casefold() in ("you", "we", "they", "i") else "does"
    return _joined((helping, subject, _base(first), *parts.verb[1:], rest))


def _base(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb in ("died", "lied", "tied"):
        return verb[:-1]
    if verb.endswith(("ies", "ied")):
        return f"{verb[:-3]}y"
    if verb.endswith(("shes", "ches", "sses", "xes")):
        return verb[:-2]
    if verb.endswith("ed"):
        return verb[:-2] if not verb.endswith(("ded", "ced", "sed", "ved", "ged")) else verb[:-1]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def _names(answer: str) -> frozenset[str]:
    """Return the words that are written with a capital where no sentence begins."""
    return frozenset(re.findall(r"(?<=[\w,;] )[A-ZÁÉÍÓÚÑ][^\W_]*", answer))


def _lower(words: str, names: frozenset[str]) -> str:
    """Return words without the capital that only the beginning of a sentence gave them."""
    first, *others = words.split() or [""]
    named = first in names or first[1:] != first[1:].lower() or (bool(others) and others[0] in names)
    if named:
        return words
    return f"{words[:1].lower()}{words[1:]}"


def _capitalised(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _joined(parts: Sequence[str]) -> str:
    return " ".join(part for part in parts if part)


def _folded(text: str) -> str:
    """Return a text in lower case and without accents, of the same length."""
    return "".join(fold_word(character)[:1] or character for character in text)
