"""Judging prompts on a golden set: render, look up, call, record, measure."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

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
    digest,
    request_key,
)
from calibrate.judge import JudgeSettings, Prompt, PromptJudge
from calibrate.providers import CONCURRENCY, CachedModel, Ledger
from calibrate.store import Store
from calibrate.workflows.batches import judge_in_batches, note_open_batches
from calibrate.workflows.progress import Progress

__all__ = ["Evaluated", "Evaluator"]

_CHUNK = 500  # items whose stored responses are looked up together


@dataclass(slots=True)
class Evaluated:
    """A prompt judged on every labelled item of one dimension.

    Attributes:
        evaluation: its id in the store.
        verdicts: by item id. A verdict that agrees with the label comes without its reasoning, which is in the store.
        cost: US dollars that judging it takes without any cache; None when a part is unknown.
        paid_calls: calls made now; the rest was replayed.
        replayed_from: the time of the oldest replayed response, None when nothing was replayed.
        returned: the models that answered, as the provider names them, with the number of their answers.
    """

    evaluation: int
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    cost: float | None = 0.0
    paid_calls: int = 0
    replayed_from: str | None = None
    returned: Counter[str] = field(default_factory=Counter)

    def add(self, judgement: Judgement, label: str | None) -> None:
        """Count one recorded judgement; ``label`` is the experts'."""
        verdict, response = judgement.verdict, judgement.response
        if isinstance(verdict, Scored) and verdict.label == label:
            verdict = replace(verdict, reasoning="")
        self.verdicts[judgement.item_id] = verdict
        self.paid_calls += judgement.paid
        if response is None or response.cost is None or self.cost is None:
            self.cost = None  # a failed call may have been billed all the same
        else:
            self.cost += response.cost
        if response is not None:
            self.returned[response.model] += 1
            if response.cached_at and (self.replayed_from is None or response.cached_at < self.replayed_from):
                self.replayed_from = response.cached_at


@dataclass(frozen=True, slots=True)
class _Plan:
    """One prompt about to be judged: its judge, and the content address of each item's request."""

    evaluation: int
    judge: PromptJudge
    keys: Sequence[str]


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
    ) -> None:
        (self._dimension,) = golden.dimensions
        self._store, self._run_id, self._model, self._settings = store, run_id, model, settings
        self._concurrency, self._progress, self._fresh = concurrency or CONCURRENCY, progress, fresh
        self._ledger, self._poll_seconds = ledger or Ledger(), poll_seconds
        self._items = golden.labelled
        self._scale = golden.scales[self._dimension]
        self._golden_digest = golden.digest

    async def evaluate(self, prompts: Sequence[Prompt], title: str) -> list[Evaluated]:
        """Judge all prompts in one flat pool of calls, or in batches; results come in the order of the prompts."""
        plans = [self._plan(prompt) for prompt in prompts]
        # Two prompts may be one: they share an evaluation, and its judgements.
        results = {plan.evaluation: Evaluated(plan.evaluation) for plan in plans}
        labels = {item.id: item.label for item in self._items}

        def count(judgement: Judgement) -> None:
            results[judgement.evaluation].add(judgement, labels[judgement.item_id])
            self._progress.judged(judgement)

        distinct = list({plan.evaluation: plan for plan in plans}.values())
        self._progress.begin(title, len(distinct) * len(self._items))
        try:
            await (self._judge if self._poll_seconds is None else self._judge_in_batches)(distinct, count)
        finally:
            self._progress.end()
            await self._record(())
        return [results[plan.evaluation] for plan in plans]

    async def _judge(self, plans: Sequence[_Plan], count: Callable[[Judgement], None]) -> None:
        note_open_batches(self._store, self._run_id, self._model, self._progress)
        known: dict[str, ModelResponse] = {}
        occurrences = Counter(key for plan in plans for key in plan.keys)
        model = CachedModel(self._model, known.get, keep={key for key, times in occurrences.items() if times > 1})
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

    def _plan(self, prompt: Prompt) -> _Plan:
        judge = PromptJudge(prompt, self._model.name, self._scale, self._settings)
        keys = [request_key(self._model, judge.request(item)) for item in self._items]
        return _Plan(self._evaluation(judge, keys), judge, keys)

    def _tasks(self, plans: Sequence[_Plan], known: dict[str, ModelResponse]) -> Iterator[runner.Task]:
        """Yield the tasks, rendered when they are taken; ``known`` holds the stored responses of the current ones."""
        for plan in plans:
            for start in range(0, len(self._items), _CHUNK):
                items, keys = self._items[start : start + _CHUNK], plan.keys[start : start + _CHUNK]
                known.clear()
                if not self._fresh:
                    known.update(self._store.responses(keys))
                for item, key in zip(items, keys, strict=True):
                    yield self._task(plan, item, key)

    def _task(self, plan: _Plan, item: Item, key: str) -> runner.Task:
        return runner.Task(plan.evaluation, item, plan.judge.request(item), key, plan.judge.read)

    async def _record(self, judgements: Sequence[Judgement]) -> None:
        charges = self._ledger.take_uncertain()
        if judgements or charges:
            await asyncio.to_thread(self._store.record, self._run_id, self._model.name, judgements, charges)

    def _evaluation(self, judge: PromptJudge, keys: Sequence[str]) -> int:
        """Return the evaluation that this judge's verdicts go to.

        Replies that are asked for afresh make another one, now and when they are replayed later: earlier runs keep
        the verdicts that they were measured on.
        """
        key = digest(
            {
                "judge": judge.digest,
                "identity": self._model.identity,
                "golden": self._golden_digest,
                "dimension": self._dimension,
                "replies": secrets.token_hex(8) if self._fresh else self._store.renewals(keys),
            }
        )
        settings: Mapping[str, Json] = {"digest": judge.digest, "settings": self._settings.to_json()}
        return self._store.evaluation(
            key=key,
            golden_digest=self._golden_digest,
            dimension=self._dimension,
            prompt=judge.prompt.text,
            model=self._model.name,
            judge=settings,
        )
