"""Judging prompts on a golden set: render, look up, call, record, measure."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from calibrate import runner
from calibrate.domain import GoldenSet, Json, Judgement, Model, Verdict, digest, request_key
from calibrate.judge import JudgeSettings, Prompt, PromptJudge
from calibrate.providers import CachedModel
from calibrate.store import Store
from calibrate.workflows.progress import Progress

__all__ = ["Evaluated", "Evaluator"]


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A prompt judged on every labelled item of one dimension.

    Attributes:
        evaluation: its id in the store.
        verdicts: by item id.
        cost: US dollars that judging it takes without any cache; None when a part is unknown.
        paid_calls: calls made now; the rest was replayed.
        replayed_from: the time of the oldest replayed response, None when nothing was replayed.
    """

    evaluation: int
    verdicts: Mapping[str, Verdict]
    cost: float | None
    paid_calls: int
    replayed_from: str | None


class Evaluator:
    """Judges prompts with one model and one set of settings on one dimension of a golden set.

    Args:
        store: where everything is recorded.
        run_id: the run that pays.
        golden: the set, restricted to one dimension and already stored.
        model: the judge model, without a cache.
        settings: the judge's settings.
        concurrency: calls in flight at most.
        progress: told of every judgement.
        fresh: whether to ask again instead of replaying stored responses.
    """

    def __init__(
        self,
        store: Store,
        run_id: int,
        golden: GoldenSet,
        model: Model,
        settings: JudgeSettings,
        *,
        concurrency: int,
        progress: Progress,
        fresh: bool = False,
    ) -> None:
        (self._dimension,) = golden.dimensions
        self._store, self._run_id, self._golden, self._model = store, run_id, golden, model
        self._settings, self._concurrency, self._progress, self._fresh = settings, concurrency, progress, fresh
        self._scale = golden.scales[self._dimension]
        self._golden_digest = golden.digest

    async def evaluate(self, prompts: Sequence[Prompt], title: str) -> list[Evaluated]:
        """Judge all prompts in one flat pool of calls; results come in the order of the prompts."""
        tasks: list[runner.Task] = []
        evaluations = []
        for prompt in prompts:
            judge = PromptJudge(prompt, self._model.name, self._scale, self._settings)
            requests = [(item, judge.request(item)) for item in self._golden.labelled]
            keys = [request_key(self._model, request) for _, request in requests]
            evaluation = self._evaluation(judge, keys)
            evaluations.append(evaluation)
            tasks += (
                runner.Task(evaluation, item, request, key, judge.read)
                for (item, request), key in zip(requests, keys, strict=True)
            )
        known = {} if self._fresh else self._store.responses(task.key for task in tasks)
        model = CachedModel(self._model, known.get)
        self._progress.begin(title, len(tasks))
        try:
            judgements = await runner.run(
                tasks, model, self._record, concurrency=self._concurrency, on_done=self._progress.judged
            )
        finally:
            self._progress.end()
        by_evaluation: dict[int, list[Judgement]] = {evaluation: [] for evaluation in evaluations}
        for judgement in judgements:
            by_evaluation[judgement.evaluation].append(judgement)
        return [_evaluated(evaluation, by_evaluation[evaluation]) for evaluation in evaluations]

    async def _record(self, judgements: Sequence[Judgement]) -> None:
        await asyncio.to_thread(self._store.record, self._run_id, self._model.name, judgements)

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
        settings: dict[str, Json] = {"digest": judge.digest, "settings": self._settings.to_json()}
        return self._store.evaluation(
            key=key,
            golden_digest=self._golden_digest,
            dimension=self._dimension,
            prompt=judge.prompt.text,
            model=self._model.name,
            judge=settings,
        )


def _evaluated(evaluation: int, judgements: Sequence[Judgement]) -> Evaluated:
    # A failed call may have been billed all the same: its cost is unknown.
    costs = [each.response.cost if each.response is not None else None for each in judgements]
    known = [cost for cost in costs if cost is not None]
    ages = [each.response.cached_at for each in judgements if each.response and each.response.cached_at]
    return Evaluated(
        evaluation=evaluation,
        verdicts={each.item_id: each.verdict for each in judgements},
        cost=sum(known) if len(known) == len(costs) else None,
        paid_calls=sum(each.paid for each in judgements),
        replayed_from=min(ages, default=None),
    )
