"""Opening what a RAG evaluation is about: the bank, its corpus and the recorded variants, as a user names them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from calibrate.rag import Variant
from calibrate.rag.loading import LoadedBank, load_bank, load_variants

__all__ = ["RagReading", "open_bank", "open_variants"]


@dataclass(frozen=True, slots=True)
class RagReading:
    """What a user says about the tables of a RAG evaluation.

    Attributes:
        corpus: the corpus's table, instead of the one in the bank's folder.
        language: BCP 47 tag, instead of what the card or the names of the columns say.
        columns: role to column, where the names do not tell.
        context_from_ranked: without a column of contexts, the context is so many of the first retrieved chunks.
        encoding: of text files; UTF-8 when not given.
        delimiter: of CSV files; found when not given.
    """

    corpus: Path | None = None
    language: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    context_from_ranked: int | None = None
    encoding: str | None = None
    delimiter: str | None = None


def open_bank(path: str, reading: RagReading) -> LoadedBank:
    """Load a bank and its corpus.

    Raises:
        InputError: one line that names file, row and field and says what to do.
    """
    return load_bank(
        path,
        corpus=reading.corpus,
        language=reading.language,
        columns=reading.columns,
        encoding=reading.encoding,
        delimiter=reading.delimiter,
    )


def open_variants(
    specs: Sequence[str], loaded: LoadedBank, reading: RagReading
) -> tuple[tuple[Variant, ...], tuple[str, ...]]:
    """Load the variants that are named, else those in the bank's folder, and say what there is to say about them.

    Raises:
        InputError: one line that names file, row and field and says what to do.
    """
    return load_variants(
        specs or [str(each) for each in loaded.variants],
        loaded.bank,
        columns=reading.columns,
        context_from_ranked=reading.context_from_ranked,
        encoding=reading.encoding,
        delimiter=reading.delimiter,
    )
