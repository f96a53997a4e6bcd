"""A judge's card: one page that says what a judge is, how it was measured, and what it may be used for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from calibrate.domain import Json
from calibrate.errors import InputError

__all__ = ["CARD_FORMATS", "CardPrompt", "Entry", "JudgeCard", "Section", "write_card"]

_PROMPT_LINES = 12
_PROMPT_WIDTH = 160
_LONGEST = 400
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~$&])")
_LINE_START = re.compile(r"^(?:([-+=])|(\d+)([.)](?:\s|$)))")
_LINK = re.compile(r"(?i)(?::(?=//))|(?<=\bwww)\.")
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")


@dataclass(frozen=True, slots=True)
class Entry:
    """One fact of a card.

    Attributes:
        key: its key in JSON.
        name: what it is, in words; empty for a sentence that stands alone.
        words: the fact, or why it is not known; any text, data of users included.
        value: the fact for programs; None when it is not known.
    """

    key: str
    name: str
    words: str
    value: Json = None

    def to_json(self) -> dict[str, Json]:
        """Return every field but the key."""
        return {"name": self.name, "words": self.words, "value": self.value}


@dataclass(frozen=True, slots=True)
class Section:
    """Facts of one kind.

    Attributes:
        key: its key in JSON.
        title: its heading.
        entries: the facts, in order.
        table: whether they stand in a table (many short facts) and not in a list.
    """

    key: str
    title: str
    entries: tuple[Entry, ...]
    table: bool = False


@dataclass(frozen=True, slots=True)
class CardPrompt:
    """The judge's prompt: its digest always, its text as far as a page has room.

    Attributes:
        digest: content digest of the whole text; None for a judge that is code.
        text: the whole text; empty for a judge that is code.
        source: the command that writes the whole text.
    """

    digest: str | None
    text: str
    source: str

    @property
    def first_lines(self) -> tuple[tuple[str, ...], bool]:
        """The lines that a page has room for, and whether they are all of it."""
        lines = _control_free(self.text).split("\n") if self.text else []
        shown = tuple(_words_of(line) for line in lines[:_PROMPT_LINES])
        return shown, list(shown) == lines

    def to_json(self) -> dict[str, Json]:
        """Return digest, first lines, and whether there is more."""
        lines, whole = self.first_lines
        return {"digest": self.digest, "first_lines": list(lines), "whole": whole, "source": self.source}


@dataclass(frozen=True, slots=True)
class JudgeCard:
    """What is known of a judge.

    Attributes:
        name: golden set and dimension.
        reference: the run and candidate it is.
        sentence: what a manager can quote.
        simulated: whether a simulated model had a part in the figures.
        sections: the facts, in the order in which they are read.
        prompt: the judge's prompt.
        review_by: ISO date by which somebody is to look at it again; None when no date can be told.
    """

    name: str
    reference: str
    sentence: str
    simulated: bool
    sections: tuple[Section, ...]
    prompt: CardPrompt
    review_by: str | None

    def to_json(self) -> dict[str, Json]:
        """Return the card as a JSON document; sections and entries by key."""
        return {
            "schema": 1,
            "kind": "calibrate judge card",
            "name": self.name,
            "reference": self.reference,
            "sentence": self.sentence,
            "simulated": self.simulated,
            "review_by": self.review_by,
            "prompt": self.prompt.to_json(),
            **{each.key: {entry.key: entry.to_json() for entry in each.entries} for each in self.sections},
        }


def write_card(card: JudgeCard, to: str) -> str:
    """Write a card as ``md`` or ``json``: the same text for the same card.

    Raises:
        InputError: there is no such format.
    """
    if to not in CARD_FORMATS:
        raise InputError(f"unknown format '{to}'; choose one of {', '.join(CARD_FORMATS)}", field="--format")
    return CARD_FORMATS[to](card)


def _as_json(card: JudgeCard) -> str:
    return json.dumps(card.to_json(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _as_markdown(card: JudgeCard) -> str:
    blocks = [f"# Judge card: {_text(card.name)}", _text(card.sentence)]
    if card.simulated:
        blocks.append("**Simulated: the figures come from a simulated model and say nothing about a real one.**")
    for section in card.sections:
        blocks += [f"## {section.title}", _table(section.entries) if section.table else _list(section.entries)]
        if section.key == "judge" and card.prompt.text:
            blocks += list(_prompt(card.prompt))
    return "\n\n".join(blocks) + "\n"


def _list(entries: Sequence[Entry]) -> str:
    return "\n".join(
        f"- **{_text(each.name)}:** {_text(each.words)}" if each.name else f"- {_text(each.words)}" for each in entries
    )


def _table(entries: Sequence[Entry]) -> str:
    rows = [f"| {_text(each.name)} | {_text(each.words)} |" for each in entries]
    return "\n".join(["| fact | value |", "|---|---|", *rows])


def _prompt(prompt: CardPrompt) -> Iterator[str]:
    lines, whole = prompt.first_lines
    longest = max((len(ticks) for line in lines for ticks in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)  # longer than any in the text, which therefore cannot close the block
    yield "\n".join([f"{fence}text", *lines, fence])
    if not whole:
        yield f"The first lines; the whole text has the digest above: `{prompt.source}`."


def _words_of(line: str) -> str:
    """Return the words of a line that a page has room for."""
    if len(line) <= _PROMPT_WIDTH:
        return line
    # One character more: a word that ends at the edge is whole. What has no space before it is cut.
    kept = line[: _PROMPT_WIDTH + 1].rpartition(" ")[0].rstrip() or line[:_PROMPT_WIDTH]
    return f"{kept} …"


def _text(data: str) -> str:
    """Return any text as one line of Markdown that shows it and does nothing else."""
    line = " ".join(_UNSEEN.sub(" ", data).split())
    if len(line) > _LONGEST:
        line = f"{line[: _LONGEST - 1].rstrip()}…"
    line = _LINK.sub(r"\\\g<0>", _MARKUP.sub(r"\\\1", line))
    return _LINE_START.sub(lambda start: f"{start[2] or ''}\\{start[1] or start[3]}", line)


def _control_free(text: str) -> str:
    """Return a prompt with what a terminal or a reader would not show taken out; lines and tabs stay."""
    kept = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(each if each in "\n\t" else _UNSEEN.sub("", each) for each in kept)


CARD_FORMATS: Mapping[str, Callable[[JudgeCard], str]] = {"md": _as_markdown, "json": _as_json}
"""The formats of a card by name."""
