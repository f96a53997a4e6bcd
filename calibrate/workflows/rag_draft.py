"""Drafting questions: a model writes them from chunks, and they wait in the bank until a person accepts them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from calibrate.config import Settings
from calibrate.domain import GoldenSet, Item, Json, Model, ModelRequest, ModelResponse, Scale, digest, request_key
from calibrate.domain.version import VERSION
from calibrate.errors import BudgetExceeded, InputError, ProviderError
from calibrate.golden import refuse_overwriting, write_csv, write_json_lines
from calibrate.providers import Ledger, check_request, largest_cost, open_model
from calibrate.rag import Question
from calibrate.rag.bank_versions import add_questions, next_ids, refuse_place
from calibrate.rag.draft_requests import DraftTask, draft_request, draft_tasks
from calibrate.rag.drafts import Draft, Sifted, draft_rows, draw_chunks, read_draft, sift
from calibrate.store import RunRecord, Store
from calibrate.workflows.preflight import (
    CHARACTERS_PER_TOKEN,
    DryRun,
    Estimate,
    estimate,
    known_replies,
    refuse_unknown_price,
    request_characters,
    work_of,
)
from calibrate.workflows.progress import Progress
from calibrate.workflows.rag_draft_source import DraftSource, open_source
from calibrate.workflows.rag_loading import RagReading
from calibrate.workflows.record import spending_in_words, spent
from calibrate.workflows.results import document
from calibrate.workflows.sentences import counted
from calibrate.workflows.setup import JudgeOptions
from calibrate.workflows.spending import count_earlier_parts, how_it_ended

__all__ = ["DIMENSION", "DraftOptions", "Drafted", "draft", "draft_dry_run"]

DIMENSION = "rag draft"
"""What the runs that drafting pays for are filed under, as runs of the kind ``rag``."""

_TABLES = (".jsonl", ".ndjson", ".csv")


@dataclass(frozen=True, slots=True)
class DraftOptions:
    """What to draft.

    Attributes:
        path: a bank, whose next version gets the drafts, or a corpus alone.
        model: who writes.
        n: questions with an answer in the corpus, one a chunk.
        unanswerable: questions that nothing in the corpus answers.
        output: a file for the drafts alone; None for the next version of the bank.
        overwrite: whether that file may be replaced.
        seed: of the draw of chunks.
        budget: US dollars that it may cost, earlier parts of an interrupted run included; None for no limit.
        fresh: whether to ask again instead of replaying stored replies.
        reading: how bank and corpus are read.
    """

    path: str
    model: str
    n: int = 20
    unanswerable: int = 0
    output: Path | None = None
    overwrite: bool = False
    seed: int = 0
    budget: float | None = None
    fresh: bool = False
    reading: RagReading = field(default_factory=RagReading)


@dataclass(frozen=True, slots=True)
class Drafted:
    """The drafts, and where they are.

    Attributes:
        sentence: what was written where.
        path: the file that holds them; None when there is nothing new.
        questions: the drafts that were kept.
        copied: the ids of those that ask in the words of their chunk.
        repeated: how many were left out because they ask what is asked already.
        unusable: replies without a question, by their reason.
        notes: what else there is to say.
        run: the number of the run that paid for them.
        spent: what it has paid for, as JSON.
        spent_in_words: the same in a sentence.
        simulated: whether the model is simulated.
    """

    sentence: str
    path: str | None
    questions: tuple[Question, ...]
    copied: tuple[str, ...]
    repeated: int
    unusable: Mapping[str, int]
    notes: tuple[str, ...]
    run: int
    spent: Mapping[str, Json]
    spent_in_words: str
    simulated: bool

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document."""
        return document(
            "ok",
            sentence=self.sentence,
            path=self.path,
            results=[
                {
                    "id": each.id,
                    "question": each.text,
                    "relevant": list(each.relevant),
                    "reference": each.reference,
                    "reviewed": False,
                    "origin": "drafted",
                    "copied": each.id in self.copied,
                }
                for each in self.questions
            ],
            repeated=self.repeated,
            unusable=dict(self.unusable),
            notes=list(self.notes),
            run=self.run,
            spent=dict(self.spent),
            simulated=self.simulated,
        )


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is asked, before anything is."""

    source: DraftSource
    tasks: tuple[DraftTask, ...]
    requests: tuple[ModelRequest, ...]
    model: Model

    @property
    def keys(self) -> list[str]:
        """The content address of each request."""
        return [request_key(self.model, request) for request in self.requests]


async def draft(options: DraftOptions, settings: Settings, db: str, progress: Progress) -> Drafted:
    """Let a model write questions from chunks, and put them into the next version of the bank, or a file of their own.

    Every reply is stored before it counts: the same command again replays it, an interrupted one goes on. Drafts that
    wait in the bank change nothing about what is asked, so that after a whole run there is nothing left to pay for.
    Drafts that ask what is asked already are left out; a reply that cannot be read is counted with its reason.

    Raises:
        InputError: before anything is spent, when corpus, bank, model or output cannot be used.
        ProviderError: no reply holds a question, or the model failed throughout.
        BudgetExceeded: the budget ended; replies so far are stored, and nothing is written.
    """
    ledger = Ledger(options.budget)
    plan = _plan(options, settings, db, ledger)
    try:
        for message in plan.source.messages:
            progress.note(message)
        told = _estimate(plan, options, db)
        progress.note(told.sentence)
        with Store(db, version=VERSION) as store:
            return await _run(plan, options, store, progress, ledger)
    finally:
        await plan.model.close()


async def draft_dry_run(options: DraftOptions, settings: Settings, db: str) -> DryRun:
    """Return what :func:`draft` would ask and what that would cost; nothing is written or spent.

    Raises:
        InputError: as for :func:`draft`.
    """
    plan = _plan(options, settings, db, Ledger(options.budget))
    try:
        return DryRun(_estimate(plan, options, db))
    finally:
        await plan.model.close()


def _plan(options: DraftOptions, settings: Settings, db: str, ledger: Ledger) -> _Plan:
    if options.n < 0 or options.unanswerable < 0 or not options.n + options.unanswerable:
        raise InputError("nothing to draft; give a number of questions with -n or --unanswerable")
    if JudgeOptions(options.model).is_code:
        raise InputError(f"{options.model} judges items and writes no questions; name a language model")
    source = open_source(options.path, options.reading)
    _refuse_target(options, source, db)
    # The two draws are different ones, so that questions without an answer are not all about chunks that have one.
    answerable = draw_chunks(source.corpus, options.n, options.seed, last=source.covered)
    unanswerable = draw_chunks(source.corpus, options.unanswerable, -1 - options.seed)
    tasks = tuple(draft_tasks(source.corpus, answerable, unanswerable, source.settled))
    requests = tuple(draft_request(task, source.language) for task in tasks)
    model = open_model(options.model, settings, ledger=ledger)
    check_request(model, requests[0])
    refuse_unknown_price(model, ledger.cap)
    chunks = len(source.corpus.chunks)
    if max(options.n, options.unanswerable) > chunks:
        few = f"a chunk gets one question of a kind at a time, and there are {counted(chunks, 'chunk')}"
        source = replace(source, messages=(*source.messages, few))
    return _Plan(source, tasks, requests, model)


def _refuse_target(options: DraftOptions, source: DraftSource, db: str) -> None:
    """Refuse, before anything is spent, what the drafts cannot be written to."""
    if options.output is None:
        if source.bank is None:
            raise InputError("a corpus has no bank to add to; name a file for the drafts with -o FILE")
        refuse_place(source.bank)
        return
    if options.output.suffix.lower() not in _TABLES:
        raise InputError(f"drafts are written as {', '.join(_TABLES)}", file=str(options.output))
    if not options.output.parent.is_dir():
        raise InputError("no such folder; make it first", file=str(options.output.parent))
    never = [*source.files, *([] if "://" in db else [db])]
    refuse_overwriting(options.output, overwrite=options.overwrite, never=never)


def _estimate(plan: _Plan, options: DraftOptions, db: str) -> Estimate:
    with known_replies(db) as store:
        known = set() if store is None or options.fresh else store.known(plan.keys)
        asked = [request for key, request in zip(plan.keys, plan.requests, strict=True) if key not in known]
        mosts = [largest_cost(plan.model, request) for request in asked]
        most = sum(each for each in mosts if each is not None) if None not in mosts else None
        tokens = sum(map(request_characters, asked)) // CHARACTERS_PER_TOKEN
        stored = len(plan.requests) - len(asked)
        judge = JudgeOptions(plan.model.name)
        work = work_of(store, plan.model, judge, len(asked), tokens, "judge", stored, most, "drafting questions")
    return estimate([work], [plan.model])


async def _run(plan: _Plan, options: DraftOptions, store: Store, progress: Progress, ledger: Ledger) -> Drafted:
    spec = _spec(plan)
    golden_digest = store.save_golden(_as_set(plan), plan.source.corpus.source)
    earlier = store.find_run("rag", spec, golden_digest, DIMENSION)
    count_earlier_parts(store, ledger, [earlier], fresh=options.fresh)
    run = store.start_run("rag", spec, golden_digest, DIMENSION)
    try:
        read = await _ask(plan, options, store, run, ledger)
        drafts = [each for each in read if isinstance(each, Draft)]
        unusable = Counter(each for each in read if isinstance(each, str))
        if not drafts:
            (reason, count), *_ = unusable.most_common()
            often = f", {count} of them" if count < len(read) else ""
            raise ProviderError(f"{plan.model.name}: {counted(len(read), 'call')} and no question{often}: {reason}")
        sifted = sift(drafts, [each.text for each in plan.source.known])
        result = _written(plan, options, sifted, unusable, run.id, store)
    except BaseException as error:
        store.finish_run(run.id, how_it_ended(error, progress, run.id, fresh=options.fresh))
        raise
    store.finish_run(run.id, "done", {"sentence": result.sentence, "draft": result.to_json()})
    return result


async def _ask(plan: _Plan, options: DraftOptions, store: Store, run: RunRecord, ledger: Ledger) -> list[Draft | str]:
    """Return a draft for each task, or why there is none; replies come from the store, or are paid for and stored."""
    keys = plan.keys
    known = {} if options.fresh else store.responses(keys)

    async def answer(key: str, request: ModelRequest) -> ModelResponse:
        if key in known:
            return known[key]
        response = await plan.model.complete(request)
        store.save_response(run.id, key, plan.model.name, response)
        return response

    try:
        # One failure must not take the others with it: what is in flight is paid for.
        answers = await asyncio.gather(
            *(answer(k, r) for k, r in zip(keys, plan.requests, strict=True)), return_exceptions=True
        )
    finally:
        store.record(run.id, plan.model.name, (), ledger.take_uncertain())
    failures = [each for each in answers if isinstance(each, BaseException)]
    for failure in failures:
        if isinstance(failure, BudgetExceeded) or not isinstance(failure, ProviderError):
            raise failure
    if len(failures) == len(answers):
        raise failures[0]
    return [
        f"the call failed: {each}" if isinstance(each, BaseException) else read_draft(task, each)
        for task, each in zip(plan.tasks, answers, strict=True)
    ]


def _written(
    plan: _Plan, options: DraftOptions, sifted: Sifted, unusable: Mapping[str, int], run: int, store: Store
) -> Drafted:
    source, kept = plan.source, sifted.kept
    names = _ids(source, len(kept))
    questions = tuple(each.as_question(name) for each, name in zip(kept, names, strict=True))
    copied = tuple(name for each, name in zip(kept, names, strict=True) if each.copied)
    path = _write(options, source, questions) if questions else None
    spending = store.spending(run)
    return Drafted(
        _sentence(plan, questions, path),
        None if path is None else str(path),
        questions,
        copied,
        len(sifted.repeated),
        unusable,
        tuple(_notes(questions, copied, sifted, unusable)),
        run,
        spent(spending),
        spending_in_words(spending, simulated=plan.model.simulated),
        plan.model.simulated,
    )


def _ids(source: DraftSource, count: int) -> tuple[str, ...]:
    if source.bank is not None:
        return next_ids(source.bank, count)
    return tuple(f"draft-{number:02}" for number in range(1, count + 1))


def _write(options: DraftOptions, source: DraftSource, questions: Sequence[Question]) -> Path:
    if options.output is None:
        assert source.bank is not None
        return add_questions(source.bank, questions)
    as_text = options.output.suffix.lower() == ".csv"
    rows = draft_rows(questions, spanish=source.spanish, as_text=as_text)
    if as_text:
        write_csv(options.output, list(rows[0]), rows)
    else:
        write_json_lines(options.output, rows)
    return options.output


def _sentence(plan: _Plan, questions: Sequence[Question], path: Path | None) -> str:
    if path is None:
        return f"{plan.model.name} drafted nothing new; a larger -n or another --seed draws other chunks."
    without = sum(not each.answerable for each in questions)
    left_open = f", {without} of them without an answer in the corpus" if without else ""
    who = f"{plan.model.name} (simulated)" if plan.model.simulated else plan.model.name
    return (
        f"{path}: {counted(len(questions), 'question')} drafted by {who}{left_open}; nobody has reviewed them: read "
        f"them, then `calibrate rag accept {path} ID... --drop-others` with the ids of the good ones."
    )


def _notes(
    questions: Sequence[Question], copied: Sequence[str], sifted: Sifted, unusable: Mapping[str, int]
) -> list[str]:
    said = []
    if copied:
        said.append(
            f"{counted(len(copied), 'question')} in the words of the chunk, too easy for retrieval: {', '.join(copied)}"
        )
    left_open = [each.id for each in questions if not each.answerable]
    if left_open:
        said.append(
            f"nothing was searched for an answer to {', '.join(left_open)}: make sure that the corpus has none before "
            "they are accepted"
        )
    if sifted.repeated:
        first, like = sifted.repeated[0]
        said.append(
            f"{counted(len(sifted.repeated), 'draft')} left out, asked already or nearly so: '{first.question}' is "
            f"like '{like}'"
        )
    said += [f"{counted(count, 'call')} without a question: {reason}" for reason, count in unusable.items()]
    return said


def _spec(plan: _Plan) -> dict[str, Json]:
    return {
        "judge": {"model": plan.model.name, "identity": dict(plan.model.identity), "settings": {}},
        "draft": {
            "requests": digest([request.to_json() for request in plan.requests]),
            "corpus": plan.source.corpus.digest,
            "questions": len(plan.requests),
        },
    }


def _as_set(plan: _Plan) -> GoldenSet:
    """Return the chunks as the set that the run is kept with; nobody judges it."""
    chunks = {task.chunk.id: task.chunk for task in plan.tasks}
    items = tuple(Item(each.id, DIMENSION, {"passage": each.text}, row=each.row) for each in chunks.values())
    scale = Scale("binary", labels=("0", "1"), positive="1")
    provenance = "chunks that questions are drafted from"
    return GoldenSet(plan.source.name, items, {DIMENSION: scale}, provenance, plan.source.language, "none")
