"""What a RAG system searches: its corpus, in chunks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from calibrate.domain import digest

__all__ = ["Chunk", "Corpus"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document, as it is indexed and put into a context.

    Attributes:
        id: unique in its corpus; always text.
        text: what it says.
        document: what it is a piece of, if that is told.
        row: its data row in the file it came from, 0 when it came from elsewhere.
    """

    id: str
    text: str
    document: str | None = None
    row: int = 0


@dataclass(frozen=True)
class Corpus:
    """The chunks that a system can retrieve.

    Attributes:
        chunks: all of them, in file order; their ids differ.
        source: the file they came from.
    """

    chunks: tuple[Chunk, ...]
    source: str = ""

    @cached_property
    def by_id(self) -> Mapping[str, Chunk]:
        """The chunks by their ids."""
        return {chunk.id: chunk for chunk in self.chunks}

    def __contains__(self, chunk_id: object) -> bool:
        return chunk_id in self.by_id

    def texts(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Return the texts of the chunks of these ids, in their order, without ids that the corpus does not have."""
        return tuple(self.by_id[each].text for each in ids if each in self.by_id)

    @property
    def digest(self) -> str:
        """Content digest over ids and texts, whatever their order."""
        return digest({chunk.id: chunk.text for chunk in sorted(self.chunks, key=lambda each: each.id)})
