"""From a table to a bank of questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.golden.cells import cell_text
from calibrate.golden.table import Table
from calibrate.rag.bank import Question
from calibrate.rag.table_cells import WHITE_SPACE_NOTE, Cell
from calibrate.rag.table_columns import BANK_ROLES, Columns, find_columns

__all__ = ["ORIGINS", "ReadBank", "read_bank"]

ORIGINS: Mapping[str, str] = {
    **dict.fromkeys(("", "written", "escrita"), "written"),
    **dict.fromkeys(("drafted", "draft", "borrador", "redactada"), "drafted"),
    **dict.fromkeys(("failure", "fallo", "fallo conocido"), "failure"),
}
"""What the column of origins may say, case folded, and what it means."""


@dataclass(frozen=True, slots=True)
class ReadBank:
    """The questions of a table.

    Attributes:
        questions: all of them, in file order.
        columns: which column is what.
        messages: what there is to say about the reading.
    """

    questions: tuple[Question, ...]
    columns: Columns
    messages: tuple[str, ...]


def read_bank(table: Table, given: Mapping[str, str]) -> ReadBank:
    """Read the questions of a table; ``given`` says which column is what, where that is not plain.

    Without a column that says so, a question counts as reviewed, unless a model drafted it.

    Raises:
        InputError: names file, row and field: a question without id or text, an id twice, no list of relevant chunks.
    """
    columns = find_columns(table.columns, table.source, BANK_ROLES, given)
    for role, what in (
        ("id", "the ids of the questions"),
        ("question", "the questions"),
        ("relevant", "the ids of the relevant chunks, without which no retrieval can be measured"),
    ):
        columns.needed(role, what)
    questions: dict[str, Question] = {}
    repeated = spaced = 0
    for row_number, row in table.numbered():
        question = _question(table, row_number, row, columns)
        first = questions.setdefault(question.id, question)
        if first is not question:
            raise InputError(
                f"id '{question.id}' appears twice, in rows {first.row} and {row_number}; ids must be unique",
                file=table.source,
                row=row_number,
                field=columns.found["id"],
            )
        relevant = _relevant(table, row_number, row, columns)
        repeated += len(relevant.ids(_NO_ANSWER)) > len(question.relevant)
        spaced += relevant.split_at_white_space
    said = (
        *((f"a chunk twice among the relevant ones of {_questions(repeated)}: counted once",) if repeated else ()),
        *((f"the relevant chunks of {_questions(spaced)} are {WHITE_SPACE_NOTE}",) if spaced else ()),
    )
    return ReadBank(tuple(questions.values()), columns, (*table.messages, *columns.said, *said))


def _question(table: Table, row_number: int, row: Mapping[str, Json], columns: Columns) -> Question:
    cells = {role: Cell.of(table, row_number, row, column) for role, column in columns.found.items()}
    origin = _origin(cells["origin"]) if "origin" in cells else "written"
    reviewed = cells["reviewed"].yes() if "reviewed" in cells and cells["reviewed"].present else origin != "drafted"
    return Question(
        id=cells["id"].text("id"),
        text=cells["question"].text("question"),
        relevant=tuple(dict.fromkeys(_relevant(table, row_number, row, columns).ids(_NO_ANSWER))),
        reference=cells["reference"].optional_text() if "reference" in cells else None,
        reviewed=reviewed,
        origin=origin,
        attributes={column: cell_text(row[column]) for column in columns.others if row.get(column) is not None},
        row=row_number,
    )


_NO_ANSWER = "nothing in the corpus answers it"


def _relevant(table: Table, row_number: int, row: Mapping[str, Json], columns: Columns) -> Cell:
    return Cell.of(table, row_number, row, columns.found["relevant"])


def _origin(cell: Cell) -> str:
    said = cell_text(cell.value).strip().casefold()
    if said not in ORIGINS:
        raise cell.refused(
            f"'{cell_text(cell.value)}' is no origin; known are written, drafted and failure; rename the column if it "
            "says something else"
        )
    return ORIGINS[said]


def _questions(count: int) -> str:
    return "1 question" if count == 1 else f"{count} questions"
