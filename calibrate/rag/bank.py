"""The questions that a RAG system is evaluated on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from calibrate.domain import digest

__all__ = ["Bank", "Question"]


@dataclass(frozen=True, slots=True)
class Question:
    """One question, and where its answer is.

    Attributes:
        id: unique in its bank; always text.
        text: the question.
        relevant: the ids of the chunks that answer it; empty when nothing in the corpus does, and
            the system must abstain.
        reference: an answer that a person holds to be right, if there is one.
        reviewed: whether a person has accepted it; a question that a model drafted is not, until one does.
        origin: where it comes from: ``written``, ``drafted`` by a model, or a ``failure`` seen in use.
        attributes: every other column, as text; used for slices.
        row: its data row in the file it came from, 0 when it came from elsewhere.
    """

    id: str
    text: str
    relevant: tuple[str, ...]
    reference: str | None = None
    reviewed: bool = True
    origin: str = "written"
    attributes: Mapping[str, str] = field(default_factory=dict)
    row: int = 0

    @property
    def answerable(self) -> bool:
        """Whether the corpus answers it."""
        return bool(self.relevant)


@dataclass(frozen=True)
class Bank:
    """A bank of questions.

    Attributes:
        name: from its file or folder.
        questions: all of them, in file order; their ids differ.
        language: BCP 47 tag, such as ``es``; decides the default prompts of the judges.
        source: the file they came from.
    """

    name: str
    questions: tuple[Question, ...]
    language: str = "en"
    source: str = ""

    @cached_property
    def by_id(self) -> Mapping[str, Question]:
        """The questions by their ids."""
        return {question.id: question for question in self.questions}

    def only(self, ids: Iterable[str]) -> Bank:
        """Return the bank with the questions of these ids, in file order."""
        kept = frozenset(ids)
        return replace(self, questions=tuple(each for each in self.questions if each.id in kept))

    @property
    def digest(self) -> str:
        """Content digest over ids, questions, relevant chunks and references, whatever their order."""
        return digest(
            {
                each.id: [each.text, sorted(each.relevant), each.reference]
                for each in sorted(self.questions, key=lambda each: each.id)
            }
        )
