"""Editing the text of a judge prompt: taking sentences out, adding some, keeping its placeholders, fitting a limit."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Sequence
from functools import partial
from itertools import count
from typing import Literal

from calibrate.providers.sim.directives import recognise
from calibrate.providers.sim.phrasings import PLACED

__all__ = [
    "add",
    "definitions",
    "drop",
    "first_sentence",
    "fit",
    "keep_placeholders",
    "leave_out",
    "placeholders",
    "sentences_of",
]

_LINE = re.compile(r"^([ \t]*(?:(?:[-*•]|\d+[.)])[ \t]+)?)(.*)$")
_SENTENCE = re.compile(r"(?<=[.!?;])[\"')\]]*\s+(?=\S)")
_SHORT_LINE = 3
_PLACEHOLDER = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}")


def placeholders(text: str) -> tuple[str, ...]:
    """Return the names that the prompt places itself, in order, each once."""
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(text)))


def add(text: str, sentences: Sequence[str]) -> str:
    """Append sentences to a prompt; before its first placeholder when it has any."""
    added = " ".join(sentences)
    if not added:
        return text
    place = _PLACEHOLDER.search(text)
    if place is None:
        return f"{text.rstrip()}\n{added}" if "\n" in text.strip() else f"{text.rstrip()} {added}"
    start = text.rfind("\n", 0, place.start()) + 1
    return f"{text[:start]}{added}\n{text[start:]}" if start else f"{added}\n{text}"


def drop(text: str, directive: str) -> str:
    """Take out the sentences that ask for a directive and for nothing else."""
    return _filtered(text, lambda sentence: recognise(sentence) != frozenset({directive}))


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a prompt in order, those that place an input aside."""
    return [part for line in text.split("\n") for part in _sentences(line)[1] if not _PLACEHOLDER.search(part)]


def leave_out(text: str, places: Collection[int]) -> str:
    """Take out sentences by their places in :func:`sentences_of`."""
    counted = count()
    return _filtered(text, lambda _: next(counted) not in places)


def first_sentence(text: str) -> str:
    """Return the first sentence of a prompt: what it says it judges."""
    for line in text.split("\n"):
        for sentence in _sentences(line)[1]:
            if len(sentence.split()) > _SHORT_LINE and not _PLACEHOLDER.search(sentence):
                return sentence.strip("#* ")
    return ""


def _sentences(line: str) -> tuple[str, list[str]]:
    """Return a line's list mark and its sentences."""
    match = _LINE.match(line)
    mark, body = (match[1], match[2]) if match else ("", line)
    return mark, [part for part in _SENTENCE.split(body) if part.strip()]


def _filtered(text: str, keep: Callable[[str], bool]) -> str:
    """Return the text without the sentences that are not to be kept; placeholders always are."""
    lines: list[str] = []
    for line in text.split("\n"):
        mark, parts = _sentences(line)
        kept = [part for part in parts if _PLACEHOLDER.search(part) or keep(part)]
        if kept == parts:
            lines.append(line)
        elif kept:
            lines.append(mark + " ".join(kept))
    return "\n".join(lines).strip()


def definitions(text: str, labels: Sequence[str]) -> list[str]:
    """Return the lines that say what a label means, so that a rewrite can keep them."""
    names = "|".join(re.escape(label) for label in labels if label)
    if not names:
        return []
    pattern = re.compile(rf"^[ \t]*(?:[-*•]|\d+[.)])?[ \t]*[\"'`*]*(?:{names})[\"'`*]*[ \t]*[:=—–-].+$", re.MULTILINE)
    return [match.group().strip() for match in pattern.finditer(text)]


def keep_placeholders(text: str, names: Sequence[str], language: Literal["en", "es"]) -> str:
    """Append the placeholders that a rewrite from scratch has not taken over."""
    missing = [name for name in names if name not in placeholders(text)]
    lines = [f"{PLACED.get(name, {}).get(language, name)}: {{{{{name}}}}}" for name in missing]
    return "\n".join([text.rstrip(), *lines])


def fit(text: str, limit: int) -> str:
    """Shorten a prompt to a number of characters by leaving out its last sentences; placeholders stay."""
    while len(text) > limit:
        sentences = sentences_of(text)
        if len(sentences) < 2:
            break
        text = _filtered(text, partial(operator.ne, sentences[-1]))
    if len(text) <= limit:
        return text
    marks = "\n".join(f"{{{{{name}}}}}" for name in placeholders(text))
    plain = _PLACEHOLDER.sub("", text)
    return f"{plain[: max(0, limit - len(marks) - 1)].strip()}\n{marks}".strip()
