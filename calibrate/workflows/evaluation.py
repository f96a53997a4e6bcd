"""Judging prompts on a golden set: render, look up, call, record."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from calibrate import runner
from calibrate.domain import (
    GoldenSet,
    Item,
    Json,
    Judgement,
    Model,
    ModelResponse,
    Scored,
    Verdict,
    request_key,
)
from calibrate.judge import ONCE, Ask, JudgeSettings, Prompt, PromptJudge, majority, merge_orders, undo_swap
from calibrate.providers import CONCURRENCY, CachedModel, Ledger
from calibrate.store import Store
from calibrate.workflows.addresses import Evaluations
from calibrate.workflows.batches import judge_in_batches, note_open_batches
from calibrate.workflows.evaluated import Evaluated
from calibrate.workflows.progress import Progress
from calibrate.workflows.setup import JudgeOptions, Prepared

__all__ = ["REPEATS_OF_A_RUN", "Evaluator", "Part", "own_repeats"]

REPEATS_OF_A_RUN = 10_000
"""How often a run can ask about one item under repeat numbers that are its own."""

_CHUNK = 500  # items whose stored responses are looked up together


@dataclass(frozen=True, slots=True)
class Part:
    """A prompt to judge, and on what.

    Attributes:
        prompt: the prompt.
        items: the items to judge now.
        scope: all items that its evaluation is to hold; those that are not judged now may follow or not.
        repeat: the number of the repetition, 0 for the first run.
    """

    prompt: Prompt
    items: Sequence[Item]
    scope: Sequence[Item]
    repeat: int = 0


@dataclass(frozen=True, slots=True)
class _Job:
    """One prompt, one way of asking, and the items to ask about: all those of the evaluation, or some of them."""

    prompt: Prompt
    ask: Ask
    items: Sequence[Item]
    scope: Sequence[Item]


@dataclass(frozen=True, slots=True)
class _Plan:
    """A job about to be done: its evaluation, its judge, and the content address of each item's request."""

    evaluation: int
    judge: PromptJudge
    job: _Job
    keys: Sequence[str]

    def task(self, item: Item, key: str) -> runner.Task:
        """Return the call for one item."""
        read = partial(self.judge.read, item=item)
        return runner.Task(self.evaluation, item, self.judge.request(item, self.job.ask), key, read)


@dataclass(slots=True)
class _Poll:
    """One prompt judged by several votes: the votes so far, by item, and those that are to be taken next."""

    part: Part
    first_vote: int
    votes: dict[str, list[Verdict]]
    waiting: list[tuple[int, Sequence[Item]]] = field(default_factory=list)
    parts: list[int] = field(default_factory=list)
    result: Evaluated = field(default_factory=lambda: Evaluated(0))


class Evaluator:
    """Judges prompts with one model and one set of settings on one dimension of a golden set.

    Args:
        store: where everything is recorded.
        run_id: the run that pays.
        golden: the set, restricted to one dimension and already stored.
        model: the judge model, without a cache.
        settings: the judge's settings.
        concurrency: calls in flight at most; None leaves that to the model.
        progress: told of every judgement.
        ledger: the model's ledger; charges of unknown amount are recorded from it.
        fresh: whether to ask again instead of replaying stored responses.
        poll_seconds: between two looks at batches; None judges call by call.
        unlabelled: whether the items without a label are judged too.
    """

    def __init__(
        self,
        store: Store,
        run_id: int,
        golden: GoldenSet,
        model: Model,
        settings: JudgeSettings,
        *,
        concurrency: int | None,
        progress: Progress,
        ledger: Ledger | None = None,
        fresh: bool = False,
        poll_seconds: float | None = None,
        unlabelled: bool = False,
    ) -> None:
        (self._dimension,) = golden.dimensions
        self._store, self._run_id, self._model, self._settings = store, run_id, model, settings
        self._concurrency, self._progress, self._fresh = concurrency or CONCURRENCY, progress, fresh
        self._ledger, self._poll_seconds = ledger or Ledger(), poll_seconds
        self._items = golden.items if unlabelled else golden.labelled
        self._labels = {item.id: item.label for item in self._items}
        self._scale = golden.scales[self._dimension]
        self._evaluations = Evaluations(store, run_id, golden, model)
        self._marks: dict[tuple[str, Ask], str] = {}

    @classmethod
    def for_part(
        cls,
        store: Store,
        run_id: int,
        part: Prepared,
        model: Model,
        judge: JudgeOptions,
        *,
        progress: Progress,
        ledger: Ledger,
        golden: GoldenSet | None = None,
        unlabelled: bool = False,
    ) -> Evaluator:
        """Return the evaluator that a command's options ask for, on a dimension's items or on ``golden``."""
        return cls(
            store,
            run_id,
            part.golden if golden is None else golden,
            model,
            part.settings,
            concurrency=judge.concurrency,
            progress=progress,
            ledger=ledger,
            fresh=judge.fresh,
            poll_seconds=judge.polls_every,
            unlabelled=unlabelled,
        )

    async def evaluate(self, prompts: Sequence[Prompt], title: str, *, repeat: int = 0) -> list[Evaluated]:
        """Judge all prompts on all items, in one flat pool of calls or in batches; results come in their order."""
        return await self.repeat([(prompt, repeat) for prompt in prompts], title)

    async def repeat(self, runs: Sequence[tuple[Prompt, int]], title: str) -> list[Evaluated]:
        """Judge prompts on all items, each as the repetition of that number (0 for the first run), as :meth:`evaluate`.

        Repetitions are independent: each has replies of its own.
        """
        return await self.judge([Part(prompt, self._items, self._items, number) for prompt, number in runs], title)

    async def judge(self, parts: Sequence[Part], title: str) -> list[Evaluated]:
        """Judge prompts, each on its own items, in one flat pool; the parts of an evaluation go to the same one."""
        if not self._settings.asks_more_than_once:
            return await self._judge([_Job(p.prompt, Ask(p.repeat), p.items, p.scope) for p in parts], title)
        return await self._judge_by_votes(parts, title)

    def keys(self, part: Part) -> list[str]:
        """Return the content address of the first request about each item of a part; later votes have others."""
        judge = PromptJudge(part.prompt, self._model.name, self._scale, self._settings.asked_once)
        ask = Ask(part.repeat * self._settings.votes)
        return [request_key(self._model, judge.request(item, ask)) for item in part.items]

    async def _judge_by_votes(self, parts: Sequence[Part], title: str) -> list[Evaluated]:
        """Ask several times, in both orders, or both, and record what comes of it as an evaluation of its own."""
        settings = self._settings
        at_once = 2 if settings.adaptive else settings.votes
        polls = [_Poll(part, part.repeat * settings.votes, {item.id: [] for item in part.items}) for part in parts]
        for poll in polls:
            poll.waiting = [(vote, poll.part.items) for vote in range(poll.first_vote, poll.first_vote + at_once)]
        await self._vote(polls, title)
        if settings.adaptive:
            for poll in polls:
                poll.waiting = [
                    (poll.first_vote + at_once, [item for item in poll.part.items if _differ(poll.votes[item.id])])
                ]
            await self._vote(polls, f"{title}: a third vote")
        for poll in polls:
            verdicts = {item_id: majority(votes) for item_id, votes in poll.votes.items()}
            poll.result.evaluation = self._voted_evaluation(poll, verdicts)
            poll.result.verdicts = verdicts
            # They point to the first vote's reply: it tells which model answered.
            await self._record(
                [
                    Judgement(poll.result.evaluation, item.id, verdicts[item.id], key, None)
                    for item, key in zip(poll.part.items, self.keys(poll.part), strict=True)
                ]
            )
        return [poll.result for poll in polls]

    async def _vote(self, polls: Sequence[_Poll], title: str) -> None:
        """Take the votes that wait, in one pool: for each, one call an item, or one in each order."""
        orders = (False, True) if self._settings.both_orders else (False,)
        jobs = [
            _Job(poll.part.prompt, Ask(number, swapped), items, poll.part.scope)
            for poll in polls
            for number, items in poll.waiting
            for swapped in orders
        ]
        parts = iter(await self._judge(jobs, title))
        for poll in polls:
            for _, items in poll.waiting:
                sides = [next(parts) for _ in orders]
                for part in sides:
                    poll.parts.append(part.evaluation)
                    poll.result.add_bill(part)
                for item in items:
                    vote = sides[0].verdicts[item.id]
                    if len(sides) == 2:
                        other = undo_swap(sides[1].verdicts[item.id], self._scale)
                        poll.result.moved = (poll.result.moved or 0) + _differ([vote, other])
                        vote = merge_orders(vote, other, self._scale)
                    poll.votes[item.id].append(vote)

    async def _judge(self, jobs: Sequence[_Job], title: str) -> list[Evaluated]:
        plans = [self._plan(job) for job in jobs]
        # Two prompts may be one: they share an evaluation, and its judgements.
        results = {plan.evaluation: Evaluated(plan.evaluation) for plan in plans}
        split = set[tuple[int, str]]()

        def count(judgement: Judgement) -> None:
            reply = judgement.evaluation, judgement.key
            results[judgement.evaluation].add(judgement, self._labels[judgement.item_id], shared=reply in split)
            if self._settings.task == "split" and judgement.response is not None:
                split.add(reply)
            self._progress.judged(judgement)

        distinct = list({plan.evaluation: plan for plan in plans}.values())
        self._progress.begin(title, sum(len(plan.keys) for plan in distinct))
        try:
            await (self._judge_by_call if self._poll_seconds is None else self._judge_in_batches)(distinct, count)
        finally:
            self._progress.end()
            await self._record(())
        return [results[plan.evaluation] for plan in plans]

    async def _judge_by_call(self, plans: Sequence[_Plan], count: Callable[[Judgement], None]) -> None:
        earlier = None if self._fresh else self._ledger
        note_open_batches(self._store, self._run_id, self._model, self._progress, earlier)
        known: dict[str, ModelResponse] = {}
        model = CachedModel(self._model, known.get, keep=_asked_again(plans))
        tasks = self._tasks(plans, known)
        await runner.run(tasks, model, self._record, concurrency=self._concurrency, on_done=count)

    async def _judge_in_batches(self, plans: Sequence[_Plan], count: Callable[[Judgement], None]) -> None:
        known: dict[str, ModelResponse] = {}
        await judge_in_batches(
            self._tasks(plans, known),
            self._model,
            self._store,
            self._run_id,
            self._record,
            lookup=known.get,
            on_done=count,
            progress=self._progress,
            ledger=self._ledger,
            poll_seconds=self._poll_seconds or 0.0,
        )

    def _plan(self, job: _Job) -> _Plan:
        judge = PromptJudge(job.prompt, self._model.name, self._scale, self._settings.asked_once)
        keys = {item.id: request_key(self._model, judge.request(item, job.ask)) for item in job.scope}
        evaluation = self._evaluation(judge, keys, job.ask, whole=len(job.items) == len(job.scope))
        return _Plan(evaluation, judge, job, [keys[item.id] for item in job.items])

    def _tasks(self, plans: Sequence[_Plan], known: dict[str, ModelResponse]) -> Iterator[runner.Task]:
        """Yield the tasks, rendered when they are taken; ``known`` holds the stored responses of the current ones."""
        for plan in plans:
            for start in range(0, len(plan.keys), _CHUNK):
                items, keys = plan.job.items[start : start + _CHUNK], plan.keys[start : start + _CHUNK]
                known.clear()
                if not self._fresh:
                    known.update(self._store.responses(keys))
                for item, key in zip(items, keys, strict=True):
                    yield plan.task(item, key)

    async def _record(self, judgements: Sequence[Judgement]) -> None:
        charges = self._ledger.take_uncertain()
        if judgements or charges:
            await asyncio.to_thread(self._store.record, self._run_id, self._model.name, judgements, charges)

    def _evaluation(self, judge: PromptJudge, keys: Mapping[str, str], ask: Ask, *, whole: bool) -> int:
        """Return the evaluation that this judge's verdicts go to.

        Replies that are asked for afresh make another one, now and when they are replayed later: earlier runs keep
        the verdicts that they were measured on.
        """
        replies = self._fresh_mark(judge, ask, whole=whole) if self._fresh else self._store.renewals(keys.values())
        asked: dict[str, Json] = {"replies": replies}
        if ask != ONCE:
            asked |= {"repeat": ask.repeat, "swapped": ask.swapped}
        return self._evaluations.open(
            judge, asked, ask.repeat, lambda each: self._store.answered(each).issuperset(keys)
        )

    def _fresh_mark(self, judge: PromptJudge, ask: Ask, *, whole: bool) -> str:
        """Return what tells an evaluation of fresh replies from others; one judged part by part keeps its mark."""
        new = secrets.token_hex(8)
        return new if whole else self._marks.setdefault((judge.digest, ask), new)

    def _voted_evaluation(self, poll: _Poll, verdicts: Mapping[str, Verdict]) -> int:
        judge = PromptJudge(poll.part.prompt, self._model.name, self._scale, self._settings)

        def has_the_same(evaluation: int) -> bool:
            # A later stage may bring votes that change a verdict: only all items together tell.
            whole = len(verdicts) == len(poll.part.scope)
            return whole and verdicts.items() <= self._store.verdicts(evaluation).items()

        return self._evaluations.open(judge, {"votes_of": poll.parts}, poll.part.repeat, has_the_same)


def own_repeats(run_id: int, count: int, *, votes: int = 1) -> range:
    """Return the numbers of a run's own repetitions: no other run has asked under them.

    Repetition r asks for the replies from r times the votes on: those of all repetitions lie among the run's own.
    """
    first = -(-run_id * REPEATS_OF_A_RUN // votes)
    return range(first, first + count)


def _asked_again(plans: Sequence[_Plan]) -> set[str]:
    """Return the keys that are asked for more than once."""
    seen: set[str] = set()
    again: set[str] = set()
    for plan in plans:
        for key in plan.keys:
            (again if key in seen else seen).add(key)
    return again


def _differ(votes: Sequence[Verdict]) -> bool:
    """Whether votes say different things; reasoning and confidence aside."""
    return len({vote.label if isinstance(vote, Scored) else f"({vote.reason})" for vote in votes}) > 1
