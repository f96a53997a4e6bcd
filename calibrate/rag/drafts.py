"""Questions that a model drafts from chunks: which chunks, what its replies hold, and which drafts are kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from calibrate.domain import Json, ModelResponse, digest
from calibrate.domain.similarity import jaccard, shingles
from calibrate.judge.structured import read_parts
from calibrate.rag.bank import Question
from calibrate.rag.checking import COPIED, NEAR, NEAR_WORDS, copied_share
from calibrate.rag.corpus import Chunk, Corpus
from calibrate.rag.draft_requests import DraftTask
from calibrate.rag.table_cells import id_list_text

__all__ = ["Draft", "Sifted", "draft_rows", "draw_chunks", "read_draft", "sift"]

_FIELDS = {"question": "question", "pregunta": "question", "answer": "answer", "respuesta": "answer"}
_COLUMNS = ("id", "question", "relevant", "reference", "reviewed", "origin")
_COLUMNS_ES = ("id", "pregunta", "relevantes", "referencia", "revisada", "origen")


@dataclass(frozen=True, slots=True)
class Draft:
    """A question that a model wrote, and that no person has read.

    Attributes:
        task: what it was asked for.
        question: the question.
        answer: the answer that the model gives to it; None where nothing is to answer it.
    """

    task: DraftTask
    question: str
    answer: str | None = None

    @property
    def copied(self) -> bool:
        """Whether it asks in the words of its chunk, so that a search by words alone finds the chunk."""
        return self.task.answerable and copied_share(self.question, [self.task.chunk.text]) >= COPIED

    def as_question(self, name: str) -> Question:
        """Return it as a question of a bank, not reviewed."""
        relevant = (self.task.chunk.id,) if self.task.answerable else ()
        return Question(name, self.question, relevant, self.answer, reviewed=False, origin="drafted")


@dataclass(frozen=True, slots=True)
class Sifted:
    """Drafts, sorted out.

    Attributes:
        kept: the new ones, in their order.
        repeated: those that ask what is asked already, each with the question it repeats.
    """

    kept: tuple[Draft, ...]
    repeated: tuple[tuple[Draft, str], ...]


def draw_chunks(corpus: Corpus, n: int, seed: int = 0, *, last: Collection[str] = ()) -> tuple[Chunk, ...]:
    """Return up to n different chunks, spread over the documents: one of each, then a second one of each, and so on.

    The order depends on ids, documents and seed alone, so that a larger draw holds every smaller one.

    Args:
        corpus: all chunks.
        n: how many are wanted.
        seed: another one draws others.
        last: the ids of chunks that come only when there are no others, such as those that have a question.
    """
    turns: dict[str | None, int] = {}
    places: dict[str, tuple[bool, int, str]] = {}
    for chunk in sorted(corpus.chunks, key=lambda each: (each.id in last, digest([seed, each.id]))):
        turn = turns.get(chunk.document, 0)
        turns[chunk.document] = turn + 1
        places[chunk.id] = (chunk.id in last, turn, digest([seed, "document", chunk.document, chunk.id]))
    return tuple(sorted(corpus.chunks, key=lambda each: places[each.id])[: max(n, 0)])


def read_draft(task: DraftTask, response: ModelResponse) -> Draft | str:
    """Return the draft in a reply, or why there is none: nothing is guessed. Never raises for any text."""
    if response.finish == "refusal":
        return "the model refused"
    parts = read_parts(response.text, _FIELDS)
    found = [each for each in parts.objects if isinstance(each.values.get("question"), str)]
    if response.finish == "length" and (parts.cut_off or not found):
        return "the reply reached the token limit"
    if not found:
        return "no question in the reply"
    values = max(found, key=lambda each: each.end).values
    question, answer = _line(values["question"]), _line(values.get("answer"))
    if not question:
        return "an empty question"
    if task.answerable and not answer:
        return "no answer to its own question"
    return Draft(task, question, answer if task.answerable else None)


def sift(drafts: Iterable[Draft], known: Sequence[str]) -> Sifted:
    """Take out the drafts that ask what another question asks already, in the same words or nearly so.

    Args:
        drafts: in order: of two that are alike the first is kept.
        known: questions that there are.
    """
    kept: list[Draft] = []
    repeated: list[tuple[Draft, str]] = []
    seen = [(text, shingles(text, NEAR_WORDS)) for text in known]
    for draft in drafts:
        words = shingles(draft.question, NEAR_WORDS)
        like = next((text for text, others in seen if words == others or jaccard(words, others) >= NEAR), None)
        if like is not None:
            repeated.append((draft, like))
            continue
        seen.append((draft.question, words))
        kept.append(draft)
    return Sifted(tuple(kept), tuple(repeated))


def draft_rows(questions: Sequence[Question], *, spanish: bool, as_text: bool) -> list[dict[str, Json]]:
    """Return questions as the rows of a bank's table.

    Args:
        questions: in order.
        spanish: whether the columns have Spanish names, which tells the bank's language to whoever reads the file.
        as_text: whether a list of ids is written as the text of a cell.
    """
    names = dict(zip(_COLUMNS, _COLUMNS_ES if spanish else _COLUMNS, strict=True))
    return [
        {
            names["id"]: each.id,
            names["question"]: each.text,
            names["relevant"]: id_list_text(each.relevant) if as_text else list(each.relevant),
            names["reference"]: each.reference,
            names["reviewed"]: each.reviewed,
            names["origin"]: each.origin,
        }
        for each in questions
    ]


def _line(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
