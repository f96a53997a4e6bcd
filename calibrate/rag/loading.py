"""Loading a bank with its corpus, and what systems did with its questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibrate.errors import InputError
from calibrate.golden.messages import language_in_words
from calibrate.golden.table import Table
from calibrate.golden.tables import read_table
from calibrate.rag.bank import Bank
from calibrate.rag.corpus import Corpus
from calibrate.rag.locating import BankLocation, locate_bank
from calibrate.rag.outputs import Variant
from calibrate.rag.reading_bank import read_bank
from calibrate.rag.reading_corpus import read_corpus
from calibrate.rag.reading_outputs import read_outputs
from calibrate.rag.table_columns import Columns, refuse_unknown_roles

__all__ = ["LoadedBank", "load_bank", "load_variants"]

_NONE: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class LoadedBank:
    """A bank, what belongs to it, and what there is to say about how it was read.

    Attributes:
        bank: the questions.
        corpus: what they are answered from; None when no corpus was given or found.
        variants: the files of recorded outputs that the bank's folder holds.
        messages: what was mapped, chosen or left out, in sentences.
        provenance: how it was made, from its card.
        location: where it is.
        table: the bank's table as read.
        columns: which column of it is what.
    """

    bank: Bank
    corpus: Corpus | None
    variants: tuple[Path, ...]
    messages: tuple[str, ...]
    provenance: str
    location: BankLocation
    table: Table
    columns: Columns


def load_bank(
    path: str | Path,
    *,
    corpus: Path | None = None,
    language: str | None = None,
    columns: Mapping[str, str] = _NONE,
    encoding: str | None = None,
    delimiter: str | None = None,
) -> LoadedBank:
    """Load a bank of questions, and its corpus if there is one.

    Args:
        path: a table, a folder that holds one (see `locate_bank`), or the name of a bank that comes with the package.
        corpus: the corpus's table, instead of the folder's.
        language: BCP 47 tag; else the card's, else Spanish when columns have Spanish names, else English.
        columns: role to column, for the bank and the corpus (see `calibrate.rag.table_columns`).
        encoding: of text files; UTF-8 when not given.
        delimiter: of CSV files; found when not given.

    Raises:
        InputError: one line that names file, row and field and says what to do.
    """
    refuse_unknown_roles(columns)
    location = locate_bank(path)
    table = read_table(location.table, encoding=encoding, delimiter=delimiter)
    read = read_bank(table, columns)
    tag = language or location.card.language or ("es" if read.columns.spanish else "en")
    bank = Bank(location.name, read.questions, tag, table.source)
    corpus_path = corpus or location.corpus
    chunks = None
    messages = [*location.messages, *_of_file(location.table, table, read.messages)]
    if corpus_path is not None:
        corpus_table = read_table(corpus_path, encoding=encoding, delimiter=delimiter)
        chunks, said = read_corpus(corpus_table, columns)
        messages += _of_file(corpus_path, corpus_table, said)
    return LoadedBank(
        bank=bank,
        corpus=chunks,
        variants=location.variants,
        messages=(*messages, *language_in_words(tag)),
        provenance=location.card.provenance,
        location=location,
        table=table,
        columns=read.columns,
    )


def load_variants(
    specs: Sequence[str],
    bank: Bank,
    *,
    columns: Mapping[str, str] = _NONE,
    context_from_ranked: int | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
) -> tuple[tuple[Variant, ...], tuple[str, ...]]:
    """Load recorded outputs, and say what there is to say about the reading.

    Args:
        specs: ``name=FILE`` or ``FILE``, each with one variant (named after the file where no name is given), or with
            several told apart by a column ``variant``.
        bank: the questions.
        columns: role to column, for the outputs (see `calibrate.rag.table_columns`).
        context_from_ranked: where no column tells the context, it is that many of the first retrieved chunks.
        encoding: of text files; UTF-8 when not given.
        delimiter: of CSV files; found when not given.

    Raises:
        InputError: one line that names file, row and field and says what to do; two variants of one name.
    """
    refuse_unknown_roles(columns)
    variants: dict[str, Variant] = {}
    messages: list[str] = []
    for spec in specs:
        name, path = _name_and_file(spec)
        table = read_table(path, encoding=encoding, delimiter=delimiter)
        found, said = read_outputs(
            table, bank, columns, name=name or path.stem, context_from_ranked=context_from_ranked
        )
        for variant in _renamed(found, name, table.source):
            if variant.name in variants:
                raise InputError(
                    f"two variants are called '{variant.name}' (the other in {variants[variant.name].source}); "
                    "give NAME=FILE",
                    file=table.source,
                )
            variants[variant.name] = variant
        messages += _of_file(path, table, said)
    return tuple(variants.values()), tuple(messages)


def _name_and_file(spec: str) -> tuple[str | None, Path]:
    name, equals, path = spec.partition("=")
    if not equals or Path(spec).exists():
        return None, Path(spec)
    if not name.strip() or not path.strip():
        raise InputError(f"'{spec}' is not of the form NAME=FILE", field="--variant")
    return name.strip(), Path(path.strip())


def _renamed(found: Sequence[Variant], name: str | None, source: str) -> tuple[Variant, ...]:
    if name is None or [each.name for each in found] == [name]:
        return tuple(found)
    if len(found) == 1:
        return (Variant(name, found[0].outputs, source),)
    names = ", ".join(each.name for each in found)
    raise InputError(f"the file holds several variants ({names}) with names of their own; give it as FILE", file=source)


def _of_file(path: Path, table: Table, messages: Sequence[str]) -> list[str]:
    blank = len(table.rows) - sum(1 for _ in table.numbered())
    said = [f"{blank} row{'s' if blank > 1 else ''} without any content, left out"] if blank else []
    return [f"{path.name}: {each}" for each in (*messages, *said)]
