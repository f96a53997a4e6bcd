"""The next version of a bank: a case more, or drafts accepted; the version it comes from is never changed."""

from __future__ import annotations

import contextlib
import re
import secrets
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.golden.cells import cell_text
from calibrate.golden.messages import listing
from calibrate.golden.tables import read_table
from calibrate.golden.versions import next_version, write_rows
from calibrate.rag.bank import Question
from calibrate.rag.loading import LoadedBank
from calibrate.rag.locating import newest_beside, versions_beside
from calibrate.rag.reading_bank import read_bank
from calibrate.rag.table_cells import id_list_text

__all__ = ["accept_drafts", "add_questions", "next_ids", "refuse_place"]

_NEW_COLUMNS = {"reference": "referencia", "origin": "origen", "reviewed": "revisada"}
_NUMBERED = re.compile(r"(?P<start>.*?)(?P<number>[0-9]+)")


def add_questions(loaded: LoadedBank, questions: Sequence[Question]) -> Path:
    """Write the next version of a bank, with more questions at its end.

    Args:
        loaded: the bank.
        questions: the new questions; their attributes and rows do not count. Drafts are not reviewed, others are.

    Returns:
        The new file.

    Raises:
        InputError: the bank has a question, or its id, already; the corpus lacks a relevant chunk; or there can be no
            new version there.
    """
    ids = set(loaded.bank.by_id)
    texts = {_folded(each.text): each.id for each in loaded.bank.questions}
    for question in questions:
        _refuse_known(question, ids, texts, loaded.table.source)
        _refuse_unknown_chunks(loaded, question)
        ids.add(question.id)
        texts[_folded(question.text)] = question.id
    rows = [*loaded.table.rows, *(_row(loaded, question) for question in questions)]
    return _write(loaded, rows, [*loaded.bank.questions, *(replace(each, attributes={}) for each in questions)])


def accept_drafts(loaded: LoadedBank, ids: Collection[str], dropped: Collection[str] = ()) -> Path:
    """Write the next version of a bank, in which the questions of these ids are reviewed.

    Args:
        loaded: the bank.
        ids: the questions that a person has accepted.
        dropped: those that are left out of the new version.

    Returns:
        The new file.

    Raises:
        InputError: the bank has no such question, none would be left, or there can be no new version there.
    """
    unknown = [each for each in ids if each not in loaded.bank.by_id]
    if unknown:
        raise InputError(f"no question of the id {listing(unknown)}", file=loaded.table.source)
    column = _column(loaded, "reviewed")
    kept = [each for each in loaded.bank.questions if each.id not in dropped]
    if not kept:
        raise InputError("no question would be left in the bank", file=loaded.table.source)
    wanted = [replace(each, reviewed=each.reviewed or each.id in ids) for each in kept]
    by_row = {each.row: each for each in wanted}
    out = {each.row for each in loaded.bank.questions if each.id in dropped}
    rows = []
    for row_number, old in zip(loaded.table.row_numbers, loaded.table.rows, strict=True):
        if row_number in out:
            continue
        row, question = dict(old), by_row.get(row_number)
        new = "reviewed" not in loaded.columns.found  # an empty cell of a new column would say no
        if question is not None and (new or question.id in ids):
            row[column] = question.reviewed
        rows.append(row)
    return _write(loaded, rows, wanted)


def next_ids(loaded: LoadedBank, count: int) -> tuple[str, ...]:
    """Return ids that go on from the bank's last one: ``q-07`` after ``q-06``; ``added-1`` when it has no number.

    Ids of earlier versions are not given again: outputs to a question that was dropped may still be around.
    """
    last = _NUMBERED.fullmatch(loaded.bank.questions[-1].id)
    start, width = (last["start"], len(last["number"])) if last else ("added-", 1)
    numbers = [
        int(found["number"])
        for each in (*loaded.bank.by_id, *_ids_before(loaded))
        if (found := _NUMBERED.fullmatch(each)) is not None and found["start"] == start
    ]
    first = max(numbers, default=0) + 1
    return tuple(f"{start}{number:0{width}}" for number in range(first, first + count))


def _ids_before(loaded: LoadedBank) -> Iterator[str]:
    """Yield the ids in the other versions of a bank; one that cannot be read has none."""
    column, table = _column(loaded, "id"), loaded.location.table
    for path in versions_beside(table).values():
        if path.name == table.name:
            continue
        with contextlib.suppress(InputError):
            yield from (cell_text(row.get(column)) for _, row in read_table(path).numbered())


def refuse_place(loaded: LoadedBank) -> None:
    """Refuse a bank of which no next version can be written: a shipped one, a Parquet file, or not the newest version.

    Raises:
        InputError: says what to do.
    """
    location = loaded.location
    if location.shipped:
        raise InputError(
            f"'{loaded.bank.name}' comes with the package and stays as it is; copy the folder {location.table.parent} "
            "here and use the copy"
        )
    if not loaded.table.encoding:
        raise InputError("a Parquet bank; save it as JSON Lines and use that", file=loaded.table.source)
    newest = newest_beside(location.table)
    if newest != location.table:
        raise InputError(f"{newest.name} is a newer version of it; use that one", file=loaded.table.source)


def _refuse_known(question: Question, ids: Collection[str], texts: Mapping[str, str], source: str) -> None:
    if not question.text.strip():
        raise InputError("an empty question", file=source, field="question")
    if question.id in ids:
        raise InputError(f"the bank has a question of the id '{question.id}' already; give another", file=source)
    same = texts.get(_folded(question.text))
    if same is not None:
        raise InputError(f"the bank asks this already, as '{same}'", file=source, field="question")


def _refuse_unknown_chunks(loaded: LoadedBank, question: Question) -> None:
    if loaded.corpus is None:
        return
    unknown = [each for each in question.relevant if each not in loaded.corpus]
    if unknown:
        raise InputError(f"no chunk of the id {listing(unknown)}", file=loaded.corpus.source, field="--relevant")


def _row(loaded: LoadedBank, question: Question) -> dict[str, Json]:
    as_text = loaded.table.delimiter is not None
    row: dict[str, Json] = {
        _column(loaded, "id"): question.id,
        _column(loaded, "question"): question.text,
        _column(loaded, "relevant"): id_list_text(question.relevant) if as_text else list(question.relevant),
        _column(loaded, "origin"): question.origin,
    }
    if question.reference is not None:
        row[_column(loaded, "reference")] = question.reference
    if "reviewed" in loaded.columns.found:
        row[_column(loaded, "reviewed")] = question.reviewed
    return row


def _column(loaded: LoadedBank, role: str) -> str:
    return loaded.columns.found.get(role, _NEW_COLUMNS.get(role, role) if loaded.columns.spanish else role)


def _write(loaded: LoadedBank, rows: Sequence[Mapping[str, Json]], wanted: Sequence[Question]) -> Path:
    """Write the rows beside the old version, read them back, and only then give the file its name."""
    table = loaded.location.table
    refuse_place(loaded)
    target = next_version(table)
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        temporary.mkdir()
        written = temporary / target.name
        write_rows(written, loaded.table, rows, [_column(loaded, role) for role in _NEW_COLUMNS])
        stored = read_table(written, delimiter=loaded.table.delimiter)
        # A column that only rows had which are left out is gone with them.
        columns = {role: name for role, name in loaded.columns.found.items() if name in stored.columns}
        again = read_bank(stored, columns)
        if _content(again.questions) != _content(wanted):
            raise InputError(
                "the questions would not be read back as they are; save the bank as JSON Lines and try again",
                file=str(table),
            )
        written.rename(target)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=str(target)) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return target


def _content(questions: Sequence[Question]) -> list[Question]:
    return [replace(each, row=0) for each in questions]


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
