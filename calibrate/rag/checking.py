"""What is wrong with a bank of questions, by counting: what it points to, what it can show, what makes it too easy."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from calibrate.domain import Json
from calibrate.domain.similarity import shingles, similar_pairs
from calibrate.golden.check import Finding
from calibrate.golden.messages import listing
from calibrate.rag.bank import Bank, Question
from calibrate.rag.corpus import Chunk, Corpus

__all__ = [
    "COPIED",
    "NEAR",
    "SMALL_BANK",
    "Coverage",
    "bank_errors",
    "check_bank",
    "copied_share",
    "coverage",
    "ids_in_words",
]

COPIED = 0.5
"""From this share of copied wording on, a question is one that search by words alone finds.

In the question and passage pairs of two of the package's golden sets (support_faithfulness and atencion_es, 50
questions that people ask of a passage) no share is above 0.2, while a statement of a passage turned into a question
keeps most of its runs of words and loses those at the question word.
"""
COPIED_WORDS = 3
"""The words of a run. Single words must recur: a question about returns says "returns"."""

NEAR = 0.85
"""The similarity of near duplicates: shared pairs of consecutive words over all of them.

Questions are short and may differ in one word that matters. In a question of ten words another last word brings it down
to 0.8, another one inside to 0.64, and one word more at the end to 0.9.
"""
NEAR_WORDS = 2

SMALL_BANK = 30
_PARTNERS = 20
_SHOWN_OF_AN_ID = 40


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a corpus the questions of a bank are about.

    Attributes:
        chunks: the chunks of the corpus.
        covered_chunks: those that are relevant to a question.
        documents: the documents of the corpus; 0 when it does not tell them.
        covered_documents: those with a chunk that is relevant to a question.
        uncovered: the ids of the chunks that are relevant to none.
    """

    chunks: int
    covered_chunks: int
    documents: int
    covered_documents: int
    uncovered: tuple[str, ...]

    def to_json(self) -> dict[str, Json]:
        """Return the counts as JSON."""
        return {
            "chunks": self.chunks,
            "covered_chunks": self.covered_chunks,
            "documents": self.documents,
            "covered_documents": self.covered_documents,
        }


def check_bank(bank: Bank, corpus: Corpus | None) -> tuple[Finding, ...]:
    """Check the questions of a bank, against their corpus if there is one.

    Codes: ``unknown_chunks``, ``conflicting_duplicates`` (errors); ``no_corpus``, ``copied_questions``,
    ``no_unanswerable``, ``mostly_unanswerable``, ``unreviewed``, ``exact_duplicates``, ``near_duplicates``,
    ``identical_chunks``, ``small_bank`` (warnings); ``unanswerable``, ``uncovered`` (good to know).
    """
    found = [*_sizes(bank), *_unanswerable(bank), *_unreviewed(bank), *_duplicates(bank), *_near_duplicates(bank)]
    if corpus is None:
        message = "no corpus: relevant chunks, copied wording and coverage are not checked; give --corpus FILE"
        return (*found, Finding("warning", "no_corpus", message))
    return (
        *_unknown_chunks(bank, corpus),
        *found,
        *_copied(bank, corpus),
        *_identical_chunks(bank, corpus),
        *_uncovered(coverage(bank, corpus)),
    )


def bank_errors(bank: Bank, corpus: Corpus | None) -> tuple[Finding, ...]:
    """Return what makes figures on a bank wrong, the errors of :func:`check_bank`, without looking for the rest."""
    found = (*(() if corpus is None else _unknown_chunks(bank, corpus)), *_duplicates(bank))
    return tuple(each for each in found if each.level == "error")


def ids_in_words(ids: Iterable[str]) -> str:
    """List the first ids, each cut to 40 characters: where texts stand in place of ids they are long."""
    return listing([f"{each[: _SHOWN_OF_AN_ID - 1]}…" if len(each) > _SHOWN_OF_AN_ID else each for each in ids])


def copied_share(question: str, chunks: Iterable[str]) -> float:
    """Return the share of a question's runs of three words that occur in one of the chunks, the largest; in [0, 1].

    Case and punctuation do not count. A question of fewer words is one run; one without words has a share of 0.
    """
    runs = shingles(question, COPIED_WORDS)
    return (
        max((len(runs & shingles(chunk, COPIED_WORDS)) / len(runs) for chunk in chunks), default=0.0) if runs else 0.0
    )


def coverage(bank: Bank, corpus: Corpus) -> Coverage:
    """Return how much of a corpus the questions of a bank are about."""
    relevant = {each for question in bank.questions for each in question.relevant}
    covered = [chunk for chunk in corpus.chunks if chunk.id in relevant]
    return Coverage(
        chunks=len(corpus.chunks),
        covered_chunks=len(covered),
        documents=len(_documents(corpus.chunks)),
        covered_documents=len(_documents(covered)),
        uncovered=tuple(chunk.id for chunk in corpus.chunks if chunk.id not in relevant),
    )


def _unknown_chunks(bank: Bank, corpus: Corpus) -> Iterator[Finding]:
    concerned = [question for question in bank.questions if any(each not in corpus for each in question.relevant)]
    unknown = dict.fromkeys(each for question in concerned for each in question.relevant if each not in corpus)
    if concerned:
        message = (
            f"{_count(len(concerned), 'question')} with relevant chunks that the corpus does not have: "
            f"{ids_in_words(unknown)}"
        )
        if any(len(chunk.id.split()) > 1 or set(chunk.id) & set(",;|") for chunk in corpus.chunks):
            message += '; ids with spaces, commas, ; or | are written as a JSON list, ["a b", "c"]'
        yield Finding("error", "unknown_chunks", message, _ids(concerned))


def _sizes(bank: Bank) -> Iterator[Finding]:
    n = len(bank.questions)
    if n < SMALL_BANK:
        message = f"{_count(n, 'question')}: below {SMALL_BANK}, every figure has a wide interval"
        yield Finding("warning", "small_bank", message)


def _unanswerable(bank: Bank) -> Iterator[Finding]:
    without = [question for question in bank.questions if not question.answerable]
    n = len(bank.questions)
    if not without:
        message = (
            "every question has an answer in the corpus: whether a system abstains when it must cannot be measured"
        )
        yield Finding("warning", "no_unanswerable", message)
        return
    message = f"{_count(len(without), 'question')} of {n} without an answer in the corpus ({len(without) / n:.0%})"
    yield Finding("info", "unanswerable", f"{message}: a system must abstain on them", _ids(without))
    if 2 * len(without) > n:
        message = (
            f"more than half of the questions have no answer in the corpus ({len(without)} of {n}): retrieval is "
            f"measured on the other {n - len(without)}; an empty list of relevant chunks says that there is no answer, "
            "not that nobody has looked"
        )
        yield Finding("warning", "mostly_unanswerable", message)


def _unreviewed(bank: Bank) -> Iterator[Finding]:
    waiting = [question for question in bank.questions if not question.reviewed]
    if waiting:
        message = (
            f"{_count(len(waiting), 'question')} that nobody has reviewed: {listing(_ids(waiting))}; read them, then "
            "accept them with `calibrate rag accept`"
        )
        yield Finding("warning", "unreviewed", message, _ids(waiting))


def _duplicates(bank: Bank) -> Iterator[Finding]:
    groups: defaultdict[str, list[Question]] = defaultdict(list)
    for question in bank.questions:
        groups[_folded(question.text)].append(question)
    repeated = [group for group in groups.values() if len(group) > 1]
    conflicting = [group for group in repeated if len({frozenset(each.relevant) for each in group}) > 1]
    agreeing = [group for group in repeated if group not in conflicting]
    if conflicting:
        message = f"the same question with different relevant chunks: {_groups(conflicting)}"
        yield Finding("error", "conflicting_duplicates", message, _ids_of(conflicting))
    if agreeing:
        yield Finding(
            "warning", "exact_duplicates", f"the same question more than once: {_groups(agreeing)}", _ids_of(agreeing)
        )


def _near_duplicates(bank: Bank) -> Iterator[Finding]:
    first: dict[str, Question] = {}
    for question in bank.questions:
        first.setdefault(_folded(question.text), question)
    distinct = list(first.values())
    pairs = sorted(similar_pairs([shingles(question.text, NEAR_WORDS) for question in distinct], NEAR, most=_PARTNERS))
    if pairs:
        near = [[distinct[one], distinct[other]] for one, other in pairs]
        message = f"nearly the same question ({NEAR_WORDS}-word shingles, similarity {NEAR} or more): {_groups(near)}"
        yield Finding("warning", "near_duplicates", message, tuple(dict.fromkeys(_ids_of(near))))


def _copied(bank: Bank, corpus: Corpus) -> Iterator[Finding]:
    copied = [
        question
        for question in bank.questions
        if copied_share(question.text, corpus.texts(question.relevant)) >= COPIED
    ]
    if copied:
        message = (
            f"{_count(len(copied), 'question')} copying the wording of a relevant chunk ({COPIED:.0%} or more of the "
            f"runs of {COPIED_WORDS} words), too easy for retrieval: {listing(_ids(copied))}; ask as users do"
        )
        yield Finding("warning", "copied_questions", message, _ids(copied))


def _identical_chunks(bank: Bank, corpus: Corpus) -> Iterator[Finding]:
    groups: defaultdict[str, list[Chunk]] = defaultdict(list)
    for chunk in corpus.chunks:
        groups[_folded(chunk.text)].append(chunk)
    alike = [group for group in groups.values() if len(group) > 1]
    if not alike:
        return
    message = f"chunks of the same text: {_groups(alike)}"
    twins = {chunk.id: {each.id for each in group} for group in alike for chunk in group}
    unfair = [
        question
        for question in bank.questions
        if any(not twins.get(each, set()) <= set(question.relevant) for each in question.relevant)
    ]
    if unfair:
        message += (
            f"; {_count(len(unfair), 'question')} with only one of them as relevant, where retrieving the other counts "
            f"as a miss: {listing(_ids(unfair))}"
        )
    yield Finding("warning", "identical_chunks", message, tuple(chunk.id for group in alike for chunk in group))


def _uncovered(found: Coverage) -> Iterator[Finding]:
    if not found.uncovered:
        return
    message = (
        f"no question is about {_count(len(found.uncovered), 'chunk')} of {found.chunks} "
        f"({len(found.uncovered) / found.chunks:.0%})"
    )
    if found.documents:
        share = found.covered_documents / found.documents
        message += f"; {found.covered_documents} of {_count(found.documents, 'document')} covered ({share:.0%})"
    yield Finding("info", "uncovered", message, found.uncovered)


def _documents(chunks: Iterable[Chunk]) -> Counter[str]:
    return Counter(chunk.document for chunk in chunks if chunk.document is not None)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _ids(questions: Sequence[Question]) -> tuple[str, ...]:
    return tuple(question.id for question in questions)


def _groups(groups: Sequence[Sequence[Question | Chunk]]) -> str:
    return listing(
        [" = ".join(each.id for each in group[:5]) + (" = ..." if len(group) > 5 else "") for group in groups]
    )


def _ids_of(groups: Sequence[Sequence[Question]]) -> tuple[str, ...]:
    return tuple(question.id for group in groups for question in group)
