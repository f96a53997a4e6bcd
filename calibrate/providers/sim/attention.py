"""What a reader watches, and what a claim may take for granted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from calibrate.providers.sim.figures import Figure
from calibrate.providers.sim.language import Language
from calibrate.providers.sim.lexicon import Word

__all__ = ["Attention", "Given"]


@dataclass(frozen=True, slots=True)
class Attention:
    """What the reader watches.

    Attributes:
        directives: what the prompt asks for.
        small: the smaller reader: no attribution, no silence, no truncation, no synonyms.
    """

    directives: frozenset[str]
    small: bool = False

    def to(self, directive: str) -> bool:
        """Whether a check is made."""
        if self.small and directive in ("entities", "silence", "truncation"):
            return False
        return directive in self.directives

    @property
    def wording(self) -> str:
        """How alike words must be to count as the same: ``forms``, ``stems`` or ``concepts``."""
        if not self.to("paraphrase"):
            return "forms"
        return "stems" if self.small else "concepts"


@dataclass(frozen=True, slots=True)
class Given:
    """What a claim may take for granted.

    Attributes:
        question: concepts of the question.
        forms: its words.
        figures: its figures.
        told: concepts of the question and of the whole answer.
        names: names of the question.
        labels: stems of the question, by which labelled parts of the source are named.
        stated: figures of the answer.
        content: how much the answer says altogether.
        quoted: how much of that is in the source's own words.
        words: the words of the question.
        language: its language.
        affirmed: whether the answer opens with a yes.
        beside: the words of each sentence of the answer, by its number.
    """

    question: frozenset[str]
    forms: frozenset[str]
    figures: tuple[Figure, ...]
    told: frozenset[str]
    names: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    stated: tuple[Figure, ...] = ()
    content: float = 0.0
    quoted: float = 0.0
    words: tuple[Word, ...] = ()
    affirmed: bool = False
    language: Language = "other"
    beside: Mapping[int, tuple[Word, ...]] = field(default_factory=dict)
