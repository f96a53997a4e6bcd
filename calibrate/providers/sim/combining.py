"""Two prompts made one, and one prompt made shorter: both without a directive lost or said twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from calibrate.domain.similarity import jaccard
from calibrate.providers.sim.concepts import concepts_in, fold
from calibrate.providers.sim.dimension import Dimension, dimension_of
from calibrate.providers.sim.directives import recognise
from calibrate.providers.sim.drafting import add, definitions, first_sentence, leave_out, sentences_of
from calibrate.providers.sim.focuses import points_at_examples
from calibrate.providers.sim.requests import Role

__all__ = ["shortened", "united"]

_WORD = re.compile(r"\w+")
_SAME = 0.6
_SAYS_SOMETHING = 5
_ROLES: frozenset[Role] = frozenset({"question", "context", "answer", "reference"})


def united(base: str, other: str, labels: Sequence[str]) -> str:
    """Return a prompt with what another one asks for besides, in the other's sentences.

    Sentences are left where they ask for nothing new, repeat one of the prompt in nearly the same words, introduce the
    other prompt, define its labels, or would take back what the prompt asks for.

    Args:
        base: the prompt to add to.
        other: the prompt to take sentences from.
        labels: the labels, whose definitions are not taken over.
    """
    asked = recognise(base)
    meanings = definitions(other, labels)
    introduction = first_sentence(other)
    taken: list[str] = []
    for sentence, _ in _statements(other):
        names = recognise(sentence)
        if names <= asked if names else _introduces(sentence, introduction) or not _adds(sentence, base):
            continue
        if any(sentence in line for line in meanings):
            continue
        wanted = recognise(add(base, taken)) | names
        if recognise(add(base, [*taken, sentence])) >= wanted:
            taken.append(sentence)
            asked |= names
    return add(base, taken)


def shortened(text: str, labels: Sequence[str]) -> str:
    """Return a prompt without the sentences that it can do without: those that ask for nothing or for what others ask.

    What it asks for and the dimension it names stay; so do its first sentence, definitions of labels, what is said of
    the form of the reply, and what stands with a placed input.
    """
    asked, dimension = recognise(text), _dimension(text)
    meanings = definitions(text, labels)
    introduction = first_sentence(text)
    out: set[int] = set()
    # Those without a directive first, then the longest of those that say a thing twice.
    spoken = sorted(_statements(text), key=lambda each: (bool(recognise(each[0])), -len(each[0]), each[1]))
    for sentence, places in spoken:
        if _introduces(sentence, introduction) or _is_form(sentence) or any(sentence in line for line in meanings):
            continue
        left = leave_out(text, out | places)
        if recognise(left) == asked and _dimension(left) == dimension:
            out |= places
    return leave_out(text, out) if out else text


def _statements(text: str) -> Iterator[tuple[str, frozenset[int]]]:
    """Yield sentences with the places of their parts; what a semicolon joins within a line is one statement."""
    first = 0
    for line in text.split("\n"):
        parts = sentences_of(line)
        start = 0
        for end, part in enumerate(parts, start=1):
            if not part.endswith(";") or end == len(parts):
                yield " ".join(parts[start:end]), frozenset(range(first + start, first + end))
                start = end
        first += len(parts)


def _introduces(sentence: str, introduction: str) -> bool:
    return bool(introduction) and sentence.strip("#* ").startswith(introduction)


def _adds(sentence: str, base: str) -> bool:
    """Whether a sentence without a directive says something that the prompt does not say in nearly the same words."""
    own = _words(sentence)
    if len(own) < _SAYS_SOMETHING or _is_form(sentence) or points_at_examples(sentence):
        return False
    return all(jaccard(own, _words(each)) < _SAME for each in sentences_of(base))


def _is_form(sentence: str) -> bool:
    """Whether a sentence is a heading or a tag, or speaks of the form of the reply."""
    bare = sentence.strip()
    return bare.endswith(":") or bare.startswith(("<", "#")) or "{" in bare or "output" in concepts_in(fold(bare))


def _words(sentence: str) -> frozenset[str]:
    return frozenset(_WORD.findall(fold(sentence)))


def _dimension(text: str) -> Dimension:
    return dimension_of(text, _ROLES)
