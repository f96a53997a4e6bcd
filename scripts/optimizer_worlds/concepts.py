"""What a prompt can say: features, the sentences that state them, and the words by which they are recognised."""

from __future__ import annotations

import re
from typing import Literal

from .subjects import CONCEPTS

__all__ = [
    "BROAD",
    "FEATURES",
    "FILLERS",
    "HARMFUL",
    "SCAFFOLDS",
    "Direction",
    "concept_in_item",
    "feature_number",
    "features_in_sentence",
    "phrasings",
]

Direction = Literal["strict", "lenient"]
"""What a feature asks for: to reject a fault (it answers wrongly accepted items), or to accept what does no harm."""


SCAFFOLDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "claims": (
        r"single claims|every claim|claim by claim",
        (
            "Split the answer into single claims and judge each one.",
            "List every claim of the answer before you decide.",
            "Go claim by claim.",
        ),
    ),
    "evidence": (
        r"evidence|passage",
        (
            "Point to the evidence for each statement.",
            "Find the passage that supports what is said.",
            "Write down the evidence before you decide.",
        ),
    ),
    "thought": (
        r"think it through|justification",
        (
            "Think it through before you state the label.",
            "Write a short justification first.",
            "First think it through in writing.",
        ),
    ),
}
"""Ways of working: by name, the words that tell them and sentences that ask for them."""

BROAD: dict[str, tuple[str, tuple[str, ...]]] = {
    "severity": (
        r"severe|as critical as",
        ("When in doubt, be severe.", "Be as critical as you can.", "Be severe with every answer."),
    ),
    "generosity": (
        r"generous|benefit of the doubt",
        ("When in doubt, be generous.", "Give the benefit of the doubt.", "Be generous with every answer."),
    ),
    "length": (
        r"longer answers|detailed answers",
        ("Prefer detailed answers.", "Longer answers are better.", "Give credit to longer answers."),
    ),
    "world knowledge": (
        r"own knowledge|what you know",
        (
            "Use your own knowledge of the world.",
            "Judge by what you know yourself.",
            "Trust your own knowledge more than the text.",
        ),
    ),
}
"""Advice that touches all items and mostly harms; by name, the words that tell it and sentences that give it."""

FILLERS: tuple[str, ...] = (
    "Be careful and fair.",
    "You are an experienced evaluator.",
    "Work with great attention.",
    "Your judgement matters to the team.",
    "Take the task seriously.",
    "Be objective.",
    "Read everything twice.",
    "Keep the purpose of the task in mind.",
    "Stay calm and neutral.",
    "Quality is what we care about.",
    "Use good judgement.",
    "Apply these instructions with consistent effort and care.",
)
"""Sentences without effect."""

FEATURES: tuple[str, ...] = (
    *(f"{concept.name}:{direction}" for concept in CONCEPTS for direction in ("strict", "lenient")),
    *SCAFFOLDS,
    *BROAD,
)
"""Everything a prompt can say that may matter; a feature's number is its place here."""

HARMFUL: tuple[int, ...] = tuple(FEATURES.index(name) for name in BROAD)

_STRICT = (
    "Check {looks_at} against the context.",
    "Reject the answer when {fault}.",
    "The label is bad if {fault}.",
    "Mark the answer down where {fault}.",
    "Go through {looks_at} and reject at the first fault.",
)
_LENIENT = (
    "Accept {harmless}.",
    "Do not mark an answer down for {harmless}.",
    "There is nothing wrong with {harmless}.",
    "Tolerate {harmless} as long as the rest holds.",
    "Do not hold {harmless} against an answer.",
)
_DIRECTIVE = re.compile(
    r"(?P<lenient>\b(?:accept|tolerate|do not (?:mark|hold)|nothing wrong)\b)"
    r"|\b(?:check|reject|mark|go through|label is bad)\b",
    re.IGNORECASE,
)
_KEYWORDS = re.compile(
    "|".join(f"(?P<c{n}>\\b(?:{concept.keywords})\\b)" for n, concept in enumerate(CONCEPTS)),
    re.IGNORECASE,
)
_WAYS = re.compile(
    "|".join(f"(?P<w{n}>{pattern})" for n, (pattern, _) in enumerate([*SCAFFOLDS.values(), *BROAD.values()])),
    re.IGNORECASE,
)
_TOPICS = re.compile(rf"\b({'|'.join(concept.topic for concept in CONCEPTS)})\b", re.IGNORECASE)
_BY_TOPIC = {concept.topic: n for n, concept in enumerate(CONCEPTS)}


def feature_number(concept: int, direction: Direction) -> int:
    """Return the number of the feature about a concept, by the concept's number."""
    return 2 * concept + (direction == "lenient")


def phrasings(feature: int) -> tuple[str, ...]:
    """Return the sentences that state a feature."""
    if feature >= 2 * len(CONCEPTS):
        return (SCAFFOLDS | BROAD)[FEATURES[feature]][1]
    concept = CONCEPTS[feature // 2]
    return tuple(
        form.format(looks_at=concept.looks_at, fault=concept.fault, harmless=concept.harmless)
        for form in (_LENIENT if feature % 2 else _STRICT)
    )


def features_in_sentence(sentence: str) -> frozenset[int]:
    """Return the features that a sentence states, by their words: a directive and what it is about."""
    found = {2 * len(CONCEPTS) + int(match.lastgroup[1:]) for match in _WAYS.finditer(sentence) if match.lastgroup}
    if directive := _DIRECTIVE.search(sentence):
        direction: Direction = "lenient" if directive["lenient"] else "strict"
        found |= {
            feature_number(int(match.lastgroup[1:]), direction)
            for match in _KEYWORDS.finditer(sentence)
            if match.lastgroup
        }
    return frozenset(found)


def concept_in_item(text: str) -> int | None:
    """Return the concept that the text of an item is about, by its topic; None for an item about nothing special."""
    found = _TOPICS.search(text)
    return _BY_TOPIC[found[1].lower()] if found else None
