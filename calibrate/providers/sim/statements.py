"""The parts of a statement: its subject and its verb, and where one sentence makes two statements."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from calibrate.providers.sim.grammar import DETERMINERS, VERBS
from calibrate.providers.sim.language import fold_word
from calibrate.providers.sim.lexicon import lexicon

__all__ = ["Parts", "is_conditional", "is_normative", "parse", "single_statements"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
_PAST = re.compile(r"\w{2,}(?:ed|aron|ieron)$")
_INFINITIVE = re.compile(r"[^\W\d_]{2,}[aei]r(?:se|l[aeo]s?)?$")
_BE = frozenset("is are was were be been being es son fue fueron era eran esta estan sido ser".split())
_MODALS = frozenset(
    "can cannot could may might must will would shall should puede pueden puedes debe deben debes podra podran debera "
    "deberan".split()
)
_BETWEEN = frozenset("not no also always never only normally usually generally also tambien siempre nunca solo".split())
_AFTER_PREPOSITION = frozenset("of de del to for with without in on at by para con sin en por al from".split())
_SUBORDINATE = frozenset(
    "which that who whose when where because if unless until as than since although though while que quien cuando "
    "donde porque si aunque mientras como hasta cuyo cuya cual cuales to para por".split()
)
_BOUNDARY = re.compile(
    r"\s*;\s+|\s+[–—]\s+|,?\s+(?:but|whereas|pero|mientras que|en cambio)\s+|,?\s+(?:and|so|y|e)\s+|,\s+", re.IGNORECASE
)
_CONDITION = re.compile(
    r"\b(?:if|unless|provided (?:that )?|as long as|in case|on condition|only when|except when|assuming|"
    r"si|a menos que|siempre que|siempre y cuando|salvo (?:que|si)|excepto (?:que|si|cuando)|en caso de|"
    r"a condicion de|con tal de|solo cuando)\b"
)
_AFFIRMED = re.compile(r"\bsí\b", re.IGNORECASE)
# Advice and opinions of whoever answers. "Must", "have to", "debe" and "hay que" report a rule, and "the manual
# recommends" reports too.
_ADVISED = re.compile(
    r"\b(?:should(?! (?:you|the|it|there)\b)|ought|(?:is|are) (?:advisable|advised|recommended|best)|recommend\b|"
    r"advise\b|suggest\b|had better|would rather|in (?:my|our) (?:opinion|view)|(?:i|we) (?:think|believe)|"
    r"deberia(?:s|n|mos)?|(?:tendria|habria)n? que|tendrias que|conviene|convendria|vale la pena|merece la pena|"
    r"(?:es|seria) (?:recomendable|aconsejable|conveniente|preferible|mejor)|en (?:mi|nuestra) opinion|"
    r"(?:creo|creemos|opino|opinamos) que|recomiendo|recomendamos|recomendaria(?:mos)?|se recomienda|aconsejo|"
    r"aconsejamos|aconsejaria(?:mos)?|se aconseja|sugiero|sugerimos|sugeriria(?:mos)?)\b"
)
_LONGEST_SUBJECT = 12


@dataclass(frozen=True, slots=True)
class Parts:
    """A statement in its parts; together they are its text.

    Attributes:
        lead: what stands in front of the subject, up to a comma.
        subject: the words in front of the verb; empty when it opens with the verb.
        verb: the verb, auxiliary verbs included.
        rest: what follows.
    """

    lead: str
    subject: str
    verb: tuple[str, ...]
    rest: str


def parse(statement: str) -> Parts | None:
    """Return the parts of a statement, or None when no verb is seen."""
    words = list(_WORD.finditer(statement))
    forms = [fold_word(word.group()) for word in words]
    at = next((place for place in range(len(words)) if _is_verb(forms, place)), None)
    if at is None:
        return None
    end = at + 1
    while (
        end < len(words)
        and (forms[end - 1] in _BE | _MODALS | _BETWEEN | {"has", "have", "se", "ha", "han"})
        and (
            forms[end] in _BE | _MODALS | _BETWEEN
            or _PAST.match(forms[end])
            or forms[end] in VERBS
            or forms[end - 1] == "se"
        )
    ):
        end += 1
    before = statement[: words[at].start()]
    lead, comma, subject = before.rpartition(",")
    return Parts(
        lead=f"{lead}{comma}",
        subject=subject.strip(),
        verb=tuple(word.group() for word in words[at:end]),
        rest=statement[words[end - 1].end() :].strip(),
    )


def single_statements(sentence: str) -> list[str]:
    """Cut a sentence where it makes another statement, each complete with the subject and the verb it shares.

    "Jackets must be unworn and returned in the box" makes two: "Jackets must be unworn", "Jackets must be returned in
    the box". What follows a condition stays with it.
    """
    pieces: list[str] = []
    start = 0
    boundaries = list(_BOUNDARY.finditer(sentence))
    for place, boundary in enumerate(boundaries):
        piece = sentence[start : boundary.start()]
        end = boundaries[place + 1].start() if place + 1 < len(boundaries) else len(sentence)
        following = sentence[boundary.end() : end]
        if _opens_subordinate(piece) or is_conditional(piece) or parse(piece) is None:
            continue
        completed = _completed(following, piece, listed=boundary.group().strip() == ",")
        if completed is not None:
            pieces.append(piece)
            start = boundary.end()
    pieces.append(sentence[start:])
    complete: list[str] = []
    for piece in pieces:
        whole = _completed(piece, complete[-1], listed=False) if complete else piece
        complete.append((whole or piece).strip())
    return complete


def is_conditional(statement: str) -> bool:
    """Whether a statement holds only under a condition that it names."""
    # "sí" with its accent affirms: it is taken out before accents are folded.
    return _CONDITION.search(_folded(_AFFIRMED.sub(" ", statement))) is not None


def is_normative(statement: str) -> bool:
    """Whether a statement is advice or an opinion; a rule that it reports, what must or has to be done, is none."""
    return _ADVISED.search(_folded(statement)) is not None


def _completed(piece: str, before: str, *, listed: bool) -> str | None:
    """Return a piece with what it shares with the statement before it, or None when it makes no statement itself."""
    words = [fold_word(word) for word in _WORD.findall(piece)]
    if len(words) < 2 or words[0] in _SUBORDINATE:
        return None
    shared, own = parse(before), parse(piece)
    group = [fold_word(word) for word in shared.verb] if shared else []
    opening = f"{shared.subject} " if shared and shared.subject else ""
    if shared and _INFINITIVE.match(words[0]) and group and group[0] in _MODALS and not listed:
        return f"{opening}{shared.verb[0]} {piece}"
    if own is None:
        return None
    if own.subject or own.lead:
        return piece if len(own.subject.split()) <= _LONGEST_SUBJECT else None
    if listed and (_PAST.match(words[0]) or words[0] in _PAST_FORMS):
        return None  # "books, borrowed from the library": it describes, and states nothing
    if words[0] == "hay" or (words[0] == "se" and len(words) > 2 and words[2] in _ES_OBJECT):
        return piece  # "se necesita el tique": its subject follows
    if _PAST.match(words[0]):
        there = max((place for place, word in enumerate(group) if word in _BE - {"was", "were"}), default=None)
        if shared is None or there is None:
            # "was born and died": what is told of the past goes on in the past.
            return f"{opening}{piece}" if group and (_PAST.match(group[0]) or group[0] in ("was", "were")) else None
        return f"{opening}{' '.join(shared.verb[: there + 1])} {piece}"
    if shared and group and group[0] in _MODALS and words[0] not in _MODALS | _BE and not words[0].endswith("s"):
        return f"{opening}{shared.verb[0]} {piece}"
    return f"{opening}{piece}"


_ES_VERB = re.compile(r"[^\W\d_]{3,}(?:a|e|an|en)$")
_EN_VERB = re.compile(r"[^\W\d_]{3,}[^s\W\d_]s$")
_ES_OBJECT = frozenset("el la los las un una que".split())
_EN_OBJECT = frozenset("the an your".split())
_CLITICS = frozenset("se no lo la le los las les te me nos not".split())
_ENDING_LIKE_VERBS = frozenset(
    "contra entre sobre desde durante mediante hacia ante bajo para hasta salvo excepto donde cerca dentro fuera "
    "encima delante gratis siempre across towards besides perhaps always sometimes ademas incluso quiza".split()
)
_COUNTING = frozenset("cada todo toda every each all most some".split())
_PAST_FORMS = frozenset("given taken made sold paid".split())


def _is_verb(forms: list[str], place: int) -> bool:
    form = forms[place]
    before = forms[place - 1] if place else ""
    following = forms[place + 1] if place + 1 < len(forms) else ""
    if form not in VERBS and form not in _MODALS and not _PAST.match(form):
        # A verb that no list has: "exige el tique", "excludes the battery".
        ending = (_ES_VERB.match(form) and following in _ES_OBJECT) or (
            _EN_VERB.match(form) and following in _EN_OBJECT
        )
        if not ending or form in _prepositions() or before in _COUNTING or before[:1].isdigit():
            return False
    # "the cost", "la entrega": nouns that are spelled like verbs.
    if before in DETERMINERS or (before in _AFTER_PREPOSITION and form not in _MODALS):
        return False
    # A relative clause belongs to the subject: "items that are on sale".
    earlier = forms[max(0, place - 1 - (before in _CLITICS)) : place][:1]
    return not (earlier and earlier[0] in ("that", "which", "who", "que") and place > 1)


@cache
def _prepositions() -> frozenset[str]:
    """Return the words that end like verbs in front of a noun and are none: "para los", "desde el", "across the"."""
    return lexicon("es").function | lexicon("en").function | _AFTER_PREPOSITION | _SUBORDINATE | _ENDING_LIKE_VERBS


def _opens_subordinate(piece: str) -> bool:
    opening = _WORD.search(piece)
    return opening is not None and fold_word(opening.group()) in _SUBORDINATE - {
        "to",
        "para",
        "por",
        "as",
        "como",
        "that",
    }


def _folded(text: str) -> str:
    return " ".join(fold_word(word) for word in text.split())
