"""Prompts as the worlds see them: sentences, the features these state, and labelled examples at their end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Literal

from .concepts import concept_in_item, features_in_sentence, phrasings

__all__ = ["Form", "Parsed", "compose", "parse", "say"]

Form = Literal["text", "list", "rubric"]

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s*")
_CODE = re.compile(r"\bK-\d{6}\b")
_EXAMPLES = re.compile(r"(?im)^[#*<\s]*(?:labelled |worked |few-shot )?examples?\b.*$")
_OPENINGS = (
    "You judge whether an answer is faithful to its context.",
    "Decide whether the context supports the answer.",
    "Your task is to say whether the answer can be relied on, given the context.",
    "Read question, context and answer, and decide whether the answer holds.",
    "Judge the faithfulness of the answer.",
)
_HEADINGS = ("Criteria:", "What to look at:", "Rules:", "Guidelines:")


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a prompt says.

    Attributes:
        sentences: the sentences of its instructions, without bullets and numbers.
        stated: the features of each sentence.
        features: all features stated, in order of their numbers.
        weight: how many sentences state a feature.
        codes: the case numbers of the items that it shows as examples.
        examples: the text of its examples, from their heading on; empty when there are none.
    """

    sentences: tuple[str, ...]
    stated: tuple[frozenset[int], ...]
    features: tuple[int, ...]
    weight: int
    codes: tuple[str, ...]
    examples: str

    @property
    def fillers(self) -> tuple[str, ...]:
        """The sentences without effect, the opening and headings left out."""
        return tuple(
            sentence
            for sentence, stated in zip(self.sentences, self.stated, strict=True)
            if not stated and sentence not in _OPENINGS and sentence not in _HEADINGS
        )


@lru_cache(maxsize=8192)
def parse(prompt: str) -> Parsed:
    """Read a prompt. Text of items never states a feature; it is an example."""
    at = _examples_start(prompt)
    instructions, examples = prompt[:at], prompt[at:]
    cut = (_BULLET.sub("", piece).strip() for piece in _SENTENCE.split(instructions))
    sentences = tuple(piece for piece in cut if any(letter.isalpha() for letter in piece))
    stated = tuple(features_in_sentence(sentence) for sentence in sentences)
    return Parsed(
        sentences,
        stated,
        tuple(sorted(frozenset().union(*stated))) if stated else (),
        sum(map(bool, stated)),
        tuple(sorted(set(_CODE.findall(prompt)))),
        examples,
    )


def say(feature: int, random: Random) -> str:
    """State a feature in one of its phrasings."""
    return random.choice(phrasings(feature))


def compose(
    sentences: Sequence[str], random: Random, *, form: Form | None = None, opening: str = "", tail: str = ""
) -> str:
    """Write a prompt of these sentences: an opening, the sentences as text, list or rubric, and a tail."""
    form = form or random.choice(("text", "text", "list"))
    first = opening or random.choice(_OPENINGS)
    if not sentences:
        body = first
    elif form == "text":
        body = " ".join([first, *sentences])
    else:
        marks = [f"{n}. " for n in range(1, len(sentences) + 1)] if form == "rubric" else ["- "] * len(sentences)
        lines = [mark + sentence for mark, sentence in zip(marks, sentences, strict=True)]
        body = "\n".join([first, "", random.choice(_HEADINGS), *lines])
    return f"{body}\n\n{tail.strip()}" if tail.strip() else body


def _examples_start(prompt: str) -> int:
    """Return where the examples begin: at their heading, or at the paragraph of the first item."""
    if not _CODE.search(prompt):
        return len(prompt)
    if heading := _EXAMPLES.search(prompt):
        return heading.start()
    position = 0
    for paragraph in re.split(r"(\n\s*\n)", prompt):
        if concept_in_item(paragraph) is not None or _CODE.search(paragraph):
            return position
        position += len(paragraph)
    return len(prompt)
