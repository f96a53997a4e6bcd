"""What questions are drafted from: a bank with its corpus, or a corpus alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from calibrate.errors import InputError
from calibrate.golden import Table, read_table
from calibrate.golden.messages import language_in_words
from calibrate.judge import language_of
from calibrate.rag import Corpus, Question
from calibrate.rag.loading import LoadedBank
from calibrate.rag.reading_corpus import read_corpus
from calibrate.rag.table_columns import BANK_ROLES, CORPUS_ROLES, find_columns, refuse_unknown_roles
from calibrate.workflows.rag_loading import RagReading, open_bank

__all__ = ["DraftSource", "open_source"]

_SPANISH_TEXT = ("texto", "contenido", "fragmento")


@dataclass(frozen=True, slots=True)
class DraftSource:
    """What questions are drafted from.

    Attributes:
        name: of the bank, or of the corpus.
        corpus: the chunks.
        language: BCP 47 tag; decides the instructions.
        bank: the bank that the drafts go into; None for a corpus alone.
        messages: what there is to say about the reading.
    """

    name: str
    corpus: Corpus
    language: str
    bank: LoadedBank | None
    messages: tuple[str, ...]

    @property
    def known(self) -> tuple[Question, ...]:
        """The questions that there are."""
        return () if self.bank is None else self.bank.bank.questions

    @property
    def settled(self) -> tuple[Question, ...]:
        """The questions that are no waiting drafts: the same before and after drafting, so that it can be repeated."""
        return tuple(each for each in self.known if each.reviewed or each.origin != "drafted")

    @property
    def covered(self) -> frozenset[str]:
        """The ids of the chunks that a settled question is about."""
        return frozenset(each for question in self.settled for each in question.relevant)

    @property
    def spanish(self) -> bool:
        """Whether a new table gets Spanish names of columns."""
        return language_of(self.language) == "es"

    @property
    def files(self) -> tuple[str, ...]:
        """The files that were read."""
        return (self.corpus.source, *(() if self.bank is None else (self.bank.table.source,)))


def open_source(path: str, reading: RagReading) -> DraftSource:
    """Open a bank with its corpus, or the table of a corpus alone, which its columns tell.

    Raises:
        InputError: one line that names file, row and field and says what to do; a bank without a corpus.
    """
    table = _corpus_alone(path, reading)
    if table is not None:
        corpus, said = read_corpus(table, reading.columns)
        text = find_columns(table.columns, table.source, CORPUS_ROLES, reading.columns).found["text"]
        language = reading.language or ("es" if text.strip().casefold() in _SPANISH_TEXT else "en")
        name = Path(path).resolve()
        return DraftSource(
            name.parent.name if name.stem == "corpus" else name.stem,
            corpus,
            language,
            None,
            (*said, *language_in_words(language)),
        )
    loaded = open_bank(path, reading)
    if loaded.corpus is None:
        raise InputError("no corpus to draft questions from; name it with --corpus FILE", file=loaded.table.source)
    return DraftSource(loaded.bank.name, loaded.corpus, loaded.bank.language, loaded, loaded.messages)


def _corpus_alone(path: str, reading: RagReading) -> Table | None:
    """Return the table of a corpus; None for everything else."""
    if reading.corpus is not None or not Path(path).is_file():
        return None
    refuse_unknown_roles(reading.columns)
    table = read_table(path, encoding=reading.encoding, delimiter=reading.delimiter)
    questions = find_columns(table.columns, table.source, {"question": BANK_ROLES["question"]}, reading.columns)
    texts = find_columns(table.columns, table.source, {"text": CORPUS_ROLES["text"]}, reading.columns)
    return table if "text" in texts.found and "question" not in questions.found else None
