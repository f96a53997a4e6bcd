"""Taking cases into a bank of questions: a failure that was seen in use, and drafts that a person accepts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.golden import read_table
from calibrate.rag import Question
from calibrate.rag.bank_versions import accept_drafts, add_questions, next_ids
from calibrate.rag.loading import LoadedBank
from calibrate.rag.table_cells import Cell
from calibrate.rag.table_columns import BANK_ROLES, OUTPUT_ROLES, find_columns
from calibrate.workflows.rag_loading import RagReading, open_bank
from calibrate.workflows.results import document
from calibrate.workflows.sentences import counted

__all__ = ["NewBank", "NewCase", "accept_questions", "add_case"]


@dataclass(frozen=True, slots=True)
class NewCase:
    """A failure that becomes a case.

    Attributes:
        question: the question; None when it is taken from ``output``.
        output: ``FILE:ID``, a row of recorded outputs that holds the question.
        relevant: the ids of the chunks that answer it.
        unanswerable: whether nothing in the corpus answers it.
        reference: an answer that a person holds to be right.
        id: its id; the bank's next one when not given.
    """

    question: str | None = None
    output: str | None = None
    relevant: tuple[str, ...] = ()
    unanswerable: bool = False
    reference: str | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class NewBank:
    """A new version of a bank.

    Attributes:
        sentence: what was written where.
        path: the new file, or the bank itself when nothing changed.
        ids: the questions that were added or accepted.
        dropped: those that were left out.
        messages: what else there is to say.
    """

    sentence: str
    path: str
    ids: tuple[str, ...]
    messages: tuple[str, ...]
    dropped: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document."""
        return document(
            "ok",
            sentence=self.sentence,
            path=self.path,
            ids=list(self.ids),
            dropped=list(self.dropped),
            messages=list(self.messages),
        )


def add_case(path: str, case: NewCase, reading: RagReading) -> NewBank:
    """Add a known failure to a bank, as a question that a person has reviewed; the old version stays as it is.

    Raises:
        InputError: the case is not complete, contradicts itself, is in the bank already, or points to chunks that the
            corpus does not have; nothing is written then.
    """
    if case.unanswerable == bool(case.relevant):
        raise InputError(
            "give the chunks that answer it with --relevant ID, or --unanswerable when nothing in the corpus does, and "
            "not both"
        )
    if (case.question is None) == (case.output is None):
        raise InputError("give the question with --question TEXT, or take it with --from-output FILE:ID")
    loaded = open_bank(path, reading)
    question = Question(
        id=(case.id or "").strip() or next_ids(loaded, 1)[0],
        text=case.question if case.question is not None else _question_of(case.output or "", reading),
        relevant=tuple(dict.fromkeys(each.strip() for each in case.relevant)),
        reference=case.reference if (case.reference or "").strip() else None,
        origin="failure",
    )
    written = add_questions(loaded, [question])
    size = counted(len(loaded.bank.questions) + 1, "question")
    sentence = f"{written}: '{question.id}' added as a known failure, {size} now; {_old(loaded)} stays as it was."
    unchecked = ("no corpus: the ids of the relevant chunks were not checked; give --corpus FILE",)
    messages = unchecked if loaded.corpus is None and question.relevant else ()
    return NewBank(sentence, str(written), (question.id,), (*messages, *_encoding(loaded)))


def accept_questions(
    path: str, ids: Sequence[str], reading: RagReading, *, everything: bool = False, drop_others: bool = False
) -> NewBank:
    """Mark drafted questions as reviewed, and leave the others out if wanted; the old version stays as it is.

    Args:
        path: the bank.
        ids: the questions to accept.
        reading: how the bank is read.
        everything: accept every question that nobody has reviewed; no ids then.
        drop_others: leave out the questions that nobody has reviewed and that are not accepted; without ids, all.

    Raises:
        InputError: neither or both were given, the bank has no such question, or none would be left; nothing is
            written then.
    """
    if everything and drop_others:
        raise InputError("--all accepts every question, and leaves no others to drop; give the ids of the good ones")
    if everything == bool(ids) and not (drop_others and not ids):
        raise InputError(
            "give the ids of the questions to accept, --all for every question not reviewed yet, or --drop-others to "
            "leave them all out"
        )
    loaded = open_bank(path, reading)
    waiting = [each.id for each in loaded.bank.questions if not each.reviewed]
    wanted = waiting if everything else list(dict.fromkeys(ids))
    before = [each for each in wanted if each in loaded.bank.by_id and each not in waiting]
    messages = (f"reviewed before: {', '.join(before)}",) if before else ()
    dropped = [each for each in waiting if each not in wanted] if drop_others else []
    if len(before) == len(wanted) and not dropped:
        sentence = f"Nothing to accept; {_old(loaded)} stays as it is and no new version was written."
        return NewBank(sentence, str(loaded.location.table), (), messages)
    written = accept_drafts(loaded, wanted, dropped)
    accepted = [each for each in wanted if each not in before]
    left = len(waiting) - len(accepted) - len(dropped)
    out = f", {len(dropped)} left out" if dropped else ""
    sentence = (
        f"{written}: {counted(len(accepted), 'question')} accepted{out}, {left} still to review; "
        f"{_old(loaded)} stays as it was."
    )
    if dropped:
        messages = (*messages, "`calibrate rag draft` may write what was left out again; give it another --seed")
    return NewBank(sentence, str(written), tuple(accepted), (*messages, *_encoding(loaded)), tuple(dropped))


def _question_of(output: str, reading: RagReading) -> str:
    """Return the question that a row of recorded outputs holds."""
    file, colon, wanted = output.rpartition(":")
    if not colon or not file or not wanted:
        raise InputError(f"'{output}' is not of the form FILE:ID", field="--from-output")
    table = read_table(Path(file), encoding=reading.encoding, delimiter=reading.delimiter)
    roles = {"question_id": OUTPUT_ROLES["question_id"], "question": BANK_ROLES["question"]}
    columns = find_columns(table.columns, table.source, roles, reading.columns)
    id_column = columns.needed("question_id", "the ids of the questions")
    text_column = columns.needed("question", "the questions themselves")
    texts = dict.fromkeys(
        Cell.of(table, row_number, row, text_column).text("question")
        for row_number, row in table.numbered()
        if Cell.of(table, row_number, row, id_column).text("id") == wanted
    )
    if len(texts) != 1:
        found = "rows of that id hold different questions" if texts else "no row of that id"
        raise InputError(f"{found}: '{wanted}'", file=table.source, field="--from-output")
    return next(iter(texts))


def _old(loaded: LoadedBank) -> str:
    return str(loaded.location.table)


def _encoding(loaded: LoadedBank) -> tuple[str, ...]:
    if loaded.table.encoding.startswith("utf-8"):
        return ()
    return (f"the new version is UTF-8, the old one {loaded.table.encoding}: leave --encoding away",)
