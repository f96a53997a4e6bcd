"""From a table to a corpus."""

from __future__ import annotations

from collections.abc import Mapping

from calibrate.errors import InputError
from calibrate.golden.table import Table
from calibrate.rag.corpus import Chunk, Corpus
from calibrate.rag.table_cells import Cell
from calibrate.rag.table_columns import CORPUS_ROLES, find_columns

__all__ = ["read_corpus"]


def read_corpus(table: Table, given: Mapping[str, str]) -> tuple[Corpus, tuple[str, ...]]:
    """Read the chunks of a table, and what there is to say about the reading.

    Raises:
        InputError: names file, row and field: a chunk without id or text, or an id twice.
    """
    columns = find_columns(table.columns, table.source, CORPUS_ROLES, given)
    id_column = columns.needed("chunk_id", "the ids of the chunks")
    text_column = columns.needed("text", "the texts of the chunks")
    document_column = columns.found.get("document")
    chunks: dict[str, Chunk] = {}
    for row_number, row in table.numbered():
        chunk_id = Cell.of(table, row_number, row, id_column).text("id")
        text = Cell.of(table, row_number, row, text_column).text("text")
        document = Cell.of(table, row_number, row, document_column).optional_text() if document_column else None
        chunk = Chunk(chunk_id, text, document, row_number)
        first = chunks.setdefault(chunk_id, chunk)
        if first is not chunk:
            raise InputError(
                f"id '{chunk_id}' appears twice, in rows {first.row} and {row_number}; ids must be unique",
                file=table.source,
                row=row_number,
                field=id_column,
            )
    return Corpus(tuple(chunks.values()), table.source), (*table.messages, *columns.said)
