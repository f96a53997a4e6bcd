"""Cutting a text into sentences and clauses, knowing which are headings, list items, table rows, or broken off."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from calibrate.providers.sim.language import fold_word
from calibrate.providers.sim.numerals import NUMBER_WORDS

__all__ = ["Sentence", "clauses", "sentences"]

_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|dr|mr|mrs|ms|st|no|inc|ltd|approx|min|max|art|num|núm|pág|sr|sra|srta|dra|ud|uds|"
    r"ej|tel|aprox|prof|fig)"
    r"|\b[a-z]\.[a-z]|(?<![°\w])[A-Z])\.$",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)\]*_]*\s+(?=[\"'“‘(¿¡*_]*[A-ZÁÉÍÓÚÑ0-9])|(?<=[!?])\s+")
_BULLET = re.compile(r"^\s*(?:[-*•·–]\s+|\d{1,2}[.)]\s+|[a-z]\)\s+)")
_TERMINAL = re.compile(r"[.!?:;][\"'”’»)\]*_]*$")
_ELLIPSIS = re.compile(r"(?:\.{3}|…|\[\.\.\.\]|[-–—])[\"'”’)\]]*$")
_LOWER_START = re.compile(r"^[a-záéíóúñü(]")
_TABLE_RULE = re.compile(r"^[\s|:+-]+$")
_WORD = re.compile(r"[^\W\d_]+")
# A sentence that ends in one of these goes on somewhere else.
_DANGLING = frozenset(
    "the a an of to and or but with for in on at by from is are was were will can must may if that which within "
    "after before"
    " your our their this these between than as not only per el la los las un una de del a y o pero con para en "
    "por es son"
    " puede debe que cual si tras desde hasta su sus nuestro nuestra entre como no solo cada más muy al ser"
    " está están".split()
)
_MIN_TRUNCATED_WORDS = 5
_LONGEST_SENTENCE = 800

_CLAUSE_END = re.compile(
    r"\s*;\s+|\s+[–—]\s+"
    r"|,?\s+(?:but|while|whereas|although|though|however|pero|mientras que|aunque|sino|en cambio)\s+"
    r"|,\s+(?:and|or|so|which|nor|y|e|o|así que|lo que|ni)\s+",
    re.IGNORECASE,
)
_RANGE_END = re.compile(r"\b(?:between|entre)\s(?:\S+\s){0,2}\S*\d\S*$", re.IGNORECASE)
_AND = re.compile(r"(\s+(?:and|y|e)\s+)", re.IGNORECASE)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|cannot|must|will|may|should|does|do|did|costs?|includes?|requires?|"
    r"takes?|offers?|gets?|"
    r"receives?|needs?|opens?|closes?|starts?|ends?|lasts?|applies|apply|works?|allows?|covers?|ships?|refunds?|"
    r"provides?|won|made|"
    r"wrote|became|born|died|es|son|está|están|tiene|tienen|puede|pueden|debe|deben|cuesta|cuestan|incluye|"
    r"incluyen|hay|ofrece|"
    r"ofrecen|ofrecemos|requiere|tarda|tardan|abre|abren|cierra|cierran|empieza|dura|permite|cubre|se|fue|era|"
    r"será|recibe|recibirá)\b|\w+(?:ed|aron|ieron)\b",
    re.IGNORECASE,
)
_NUMERAL = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_NUMERAL_START = re.compile(rf"(?:{_NUMERAL})\b", re.IGNORECASE)
_NUMERAL_END = re.compile(rf"\b(?:{_NUMERAL})$", re.IGNORECASE)
_COMMA = re.compile(r",\s+")
_FIGURE = re.compile(
    rf"(?<![^\W_])\d|\b(?:{'|'.join(sorted(NUMBER_WORDS - {'once', 'uno', 'medio', 'media', 'half'}))})\b",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"(?<![^\W_])\d")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, heading, list item or table row.

    Attributes:
        text: as written, without list marks.
        heading: whether it names what follows and states nothing itself.
        truncated: whether it breaks off before its end.
        subject: the first cell of a table row; empty elsewhere.
    """

    text: str
    heading: bool
    truncated: bool
    subject: str = ""


def sentences(text: str) -> list[Sentence]:
    """Cut a text into sentences. Linear in its length."""
    lines = _join_wrapped(text.split("\n"))
    found: list[Sentence] = []
    loose: list[bool] = []
    ends: set[int] = set()
    goes_on: set[int] = set()
    header: list[str] = []
    following = _next_lines(lines)
    for number, line in enumerate(lines):
        if not line.strip():
            ends.add(len(found) - 1)
            header = []
            continue
        if line.count("|") >= 2:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if _TABLE_RULE.match(line):
                continue
            if not header and _TABLE_RULE.match(following[number]):
                header = cells
                continue
            found.append(Sentence(_row(cells, header), False, False, cells[0]))
            loose.append(True)
            continue
        bullet = _BULLET.match(line)
        body = line[bullet.end() if bullet else 0 :].strip()
        if _is_heading(line, body, following[number], bullet is not None):
            found.append(Sentence(body.strip("#* :"), True, False))
            loose.append(True)
            continue
        parts = _cut(body)
        goes_on |= {len(found) + len(parts) - 1} if len(parts) > 1 else set()
        for part in parts:
            found.append(Sentence(part, False, False))
            loose.append(bullet is not None)
    ends.add(len(found) - 1)
    punctuated = any(not sentence.heading and _TERMINAL.search(sentence.text) for sentence in found)
    return [
        replace(
            sentence,
            truncated=not sentence.heading
            and _breaks_off(sentence.text, loose[index] or index not in ends, punctuated, index in goes_on),
        )
        for index, sentence in enumerate(found)
    ]


def _next_lines(lines: list[str]) -> list[str]:
    """Return for each line the next one that is not blank."""
    following = [""] * len(lines)
    upcoming = ""
    for number in range(len(lines) - 1, -1, -1):
        following[number] = upcoming
        upcoming = lines[number] if lines[number].strip() else upcoming
    return following


def _row(cells: list[str], header: list[str]) -> str:
    named = [f"{name} {cell}" for name, cell in zip(header[1:], cells[1:], strict=False)] if header else cells[1:]
    return f"{cells[0]}: {', '.join(named)}." if named else cells[0]


def clauses(sentence: str) -> list[str]:
    """Cut a sentence into clauses that each say something by themselves."""
    parts: list[str] = []
    pieces = [part for piece in _CLAUSE_END.split(sentence) for part in _at_figures(piece)]
    for piece in pieces:
        halves = _AND.split(piece)
        joined = halves[0]
        for connector, half in zip(halves[1::2], halves[2::2], strict=True):
            both_figures = _FIGURE.search(joined) and _FIGURE.search(half)
            if (_NUMERAL_END.search(joined) and _NUMERAL_START.match(half)) or (
                _RANGE_END.search(joined) and _DIGIT.match(half)
            ):
                joined = f"{joined}{connector}{half}"
            elif (both_figures or (_VERB.search(joined) and _VERB.search(half))) and len(half.split()) > 2:
                parts.append(joined)
                joined = half
            else:
                joined = f"{joined}{connector}{half}"
        parts.append(joined)
    merged: list[str] = []
    for part in parts:
        if merged and len(_WORD.findall(part)) < 2 and not _DIGIT.search(part):
            merged[-1] = f"{merged[-1]}, {part}"
        elif part.strip():
            merged.append(part.strip())
    return merged


def _at_figures(piece: str) -> list[str]:
    # "Leather is guaranteed for three years, fabric for one": two statements when each side has its own figure.
    parts: list[str] = []
    for part in _COMMA.split(piece):
        if (
            parts
            and len(part.split()) > 2
            and _FIGURE.search(part)
            and _FIGURE.search(parts[-1])
            and _VERB.search(parts[-1])
        ):
            parts.append(part)
        elif parts:
            parts[-1] = f"{parts[-1]}, {part}"
        else:
            parts.append(part)
    return parts


def _join_wrapped(lines: list[str]) -> list[str]:
    # A line that ends without punctuation and goes on in lower case was wrapped.
    joined: list[str] = []
    for line in lines:
        if (
            joined
            and joined[-1].strip()
            and len(joined[-1]) < _LONGEST_SENTENCE
            and not _TERMINAL.search(joined[-1].rstrip())
            and not _BULLET.match(line)
            and "|" not in line
            and _LOWER_START.match(line.strip())
        ):
            joined[-1] = f"{joined[-1].rstrip()} {line.strip()}"
        else:
            joined.append(line)
    return joined


def _cut(body: str) -> list[str]:
    parts: list[str] = []
    start = 0
    for match in _SENTENCE_END.finditer(body):
        if _ABBREVIATION.search(body[max(0, match.start() - 8) : match.start()]):
            continue
        parts.append(body[start : match.start()].strip())
        start = match.end()
    parts.append(body[start:].strip())
    return [piece for part in parts if part for piece in _pieces(part)]


def _pieces(part: str) -> list[str]:
    """Cut what is too long for a sentence, at a space where there is one, so that all later work stays linear."""
    pieces: list[str] = []
    while len(part) > _LONGEST_SENTENCE:
        space = part.rfind(" ", _LONGEST_SENTENCE // 2, _LONGEST_SENTENCE)
        end = space if space > 0 else _LONGEST_SENTENCE
        pieces.append(part[:end].strip())
        part = part[end:].strip()
    return [piece for piece in (*pieces, part) if piece]


def _is_heading(line: str, body: str, follows: str, loose: bool) -> bool:
    if line.lstrip().startswith("#"):
        return True
    words = len(body.split())
    if loose or not follows or words > 8:
        return False
    if body.rstrip("*_ ").endswith(":"):
        return True
    return words <= 6 and not re.search(r"[.!?;,…-]$", body) and not _VERB.search(body) and not _LOWER_START.match(body)


def _breaks_off(part: str, loose: bool, punctuated: bool, behind_others: bool) -> bool:
    if _ELLIPSIS.search(part):
        return True
    if _TERMINAL.search(part):
        return False
    words = _WORD.findall(part)
    if words and not part[-1].isdigit() and fold_word(words[-1]) in _DANGLING and len(words) > 2:
        return True
    if part.endswith(","):
        return True
    # Behind other sentences of its line it is no heading and no signature, however short.
    return not loose and punctuated and len(words) >= (1 if behind_others else _MIN_TRUNCATED_WORDS)
