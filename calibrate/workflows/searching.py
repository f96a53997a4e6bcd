"""The search of one run: the loop, wired to the models and the store."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from calibrate import optimizer
from calibrate.domain import Json, ModelRequest, ModelResponse, Verdict, request_key
from calibrate.errors import InputError
from calibrate.judge import Prompt
from calibrate.metrics import alignment_value
from calibrate.optimizer import Candidate, Job, MetaTask, Scorer, Trial
from calibrate.providers import Ledger
from calibrate.store import CandidateRecord, CandidateStatus, RunRecord, Store
from calibrate.workflows.baseline import measure
from calibrate.workflows.evaluated import Evaluated
from calibrate.workflows.evaluation import Part
from calibrate.workflows.memory import memory_of
from calibrate.workflows.progress import Progress
from calibrate.workflows.search import PlannedSearch, search_key
from calibrate.workflows.setup import Prepared, input_names, judge_record, prompt_inputs
from calibrate.workflows.two_step import evaluator_for

__all__ = ["Searching"]

_STEP = (
    "The judge labels each claim of an answer ({labels}) and quotes the context; the answer's label follows from those "
    "of its claims, and the reasoning below lists them."
)


class Searching:
    """Searches in the name of one run.

    Args:
        store: the run database.
        run: the run, which pays.
        part: the dimension, with the items that the search may see.
        planned: the models and the options.
        progress: told of what happens.
        ledger: the command's.

    Attributes:
        evaluated: the judged candidates by number, those that were stopped too.
        candidates: the numbers of all candidates that it came to.
        iterations: the numbers of the iterations that it came to.
        better_before: an earlier prompt that scored higher with the same judge than the search's winner,
            ``RUN:CANDIDATE``; empty when there is none.
    """

    def __init__(
        self,
        store: Store,
        run: RunRecord,
        part: Prepared,
        planned: PlannedSearch,
        progress: Progress,
        ledger: Ledger,
    ) -> None:
        self._store, self._run, self._part, self._planned, self._progress = store, run, part, planned, progress
        self._names = prompt_inputs(part)
        self._scale = part.golden.scales[part.dimension]
        self._objective = planned.plan.objective(self._scale)
        self._evaluator = evaluator_for(
            store, run.id, part, planned.judge, planned.options.judge, progress=progress, ledger=ledger
        )
        self.evaluated: dict[int, Evaluated] = {}
        self.candidates: set[int] = set()
        self.iterations: set[int] = set()
        self.better_before = ""

    @property
    def by_alignment(self) -> bool:
        """Whether candidates are ranked by plain alignment."""
        return self._objective.is_alignment

    async def search(self) -> optimizer.Outcome:
        """Search, or go on where an interrupted search was."""
        part, planned, options = self._part, self._planned, self._planned.options
        items = part.golden.labelled
        task = MetaTask(
            dimension=part.dimension,
            language=part.golden.language,
            inputs=self._names,
            scale=self._scale,
            placeholders=tuple(part.prompt.placeholders),
            max_characters=options.max_prompt,
            repeat=self._run.number,
            own_format=part.settings.parse is not None,
            judge_task=part.settings.task if part.splitter is None else "verify",
            score=self._objective.in_words(self._scale),
            others=tuple(name for name in input_names(part.golden) if name not in self._names),
            step="" if part.splitter is None else _STEP.format(labels=", ".join(part.splitter.labels.labels)),
        )
        if not self._objective.is_alignment:
            weights = f" ({self._objective.note})" if self._objective.note else ""
            self._progress.note(f"rewrites are ranked by {self._objective.in_words(self._scale)}{weights}")
        before = memory_of(
            self._store,
            self._first_of_its_search(),
            judge_record(planned.judge, part.settings, part.splitter),
            self._objective,
            items,
            self._scale,
            without=part.prompt.text,
        )
        scorer = Scorer(
            items,
            self._scale,
            self._judge,
            objective=self._objective,
            stopping=planned.plan.stopping,
            seed=options.seed,
        )
        outcome = await optimizer.optimize(
            part.prompt.text,
            items,
            task,
            propose=self._propose,
            evaluate=scorer.evaluate,
            validate=self._validate,
            log=self._log,
            log_iteration=self._log_iteration,
            memory=before.memory,
            shown=part.shown,
            limits=options.limits,
            procedure=planned.plan.procedure,
        )
        if outcome.best.score is not None and before.score > round(outcome.best.score, 9):
            self.better_before = before.best
        return outcome

    def prompt_of(self, candidate: Candidate) -> Prompt:
        """Return a candidate's prompt; number 0 is the one that the search started from."""
        return self._part.prompt if candidate.number == 0 else Prompt.parse(candidate.prompt, self._names)

    def _first_of_its_search(self) -> RunRecord:
        """Return the first run that searched as this one does, limits aside: this one goes the same way, and further.

        It must know what that one knew and no more: prompts of its own way would count as tried already.
        """
        search = search_key(self._run)
        return next(each for each in self._store.runs() if search_key(each) == search)

    async def _propose(self, requests: Sequence[ModelRequest]) -> list[ModelResponse]:
        """Answer meta-prompts from the store, or pay for them and store the answers."""
        meta = self._planned.meta
        keys = [request_key(meta, request) for request in requests]
        known = self._store.responses(keys)

        async def answer(key: str, request: ModelRequest) -> ModelResponse:
            if key in known:
                return known[key]
            response = await meta.complete(request)
            await asyncio.to_thread(self._store.save_response, self._run.id, key, meta.name, response)
            return response

        # One failure must not take the others with it: what is in flight is paid for.
        answers = await asyncio.gather(
            *(answer(k, r) for k, r in zip(keys, requests, strict=True)), return_exceptions=True
        )
        responses = []
        for each in answers:
            if isinstance(each, BaseException):
                raise each
            responses.append(each)
        return responses

    async def _judge(self, jobs: Sequence[Job]) -> list[Mapping[str, Verdict]]:
        """Judge candidates on the items of their jobs, in one pool."""
        parts = [Part(self.prompt_of(job.candidate), job.items, job.scope) for job in jobs]
        iteration = jobs[0].candidate.iteration
        title = f"Iteration {iteration}: {len(jobs)} candidates" if iteration else "Baseline"
        found: list[Mapping[str, Verdict]] = []
        for job, evaluated in zip(jobs, await self._evaluator.judge(parts, title), strict=True):
            number = job.candidate.number
            if number in self.evaluated:
                self.evaluated[number].verdicts.update(evaluated.verdicts)
                self.evaluated[number].add_bill(evaluated)
            else:
                self.evaluated[number] = evaluated
            found.append(evaluated.verdicts)
        return found

    def _validate(self, prompt: str) -> str:
        """Return why the judge could not run a rewrite; empty text when it can."""
        try:
            Prompt.parse(prompt, self._names)
        except InputError as error:
            return str(error)
        return ""

    def _log(self, trial: Trial) -> None:
        candidate, evaluated = trial.candidate, self.evaluated.get(trial.candidate.number)
        stopped = trial.evaluation.stopped if trial.evaluation is not None else ""
        status: CandidateStatus = "rejected" if evaluated is None else "stopped" if stopped else "scored"
        metrics = None
        if evaluated is not None and status == "scored":
            golden = self._part.golden.without(candidate.shown)
            metrics = measure(golden, evaluated.verdicts, seed=self._planned.options.seed).to_json()
            if trial.evaluation is not None and trial.evaluation.assumed:
                metrics["counted"] = self._alignment(trial.evaluation.complete)
        self.candidates.add(candidate.number)
        self._store.save_candidate(
            self._run.id,
            CandidateRecord(
                number=candidate.number,
                iteration=candidate.iteration,
                strategy=candidate.strategy,
                parent=candidate.parent,
                prompt=candidate.prompt,
                status=status,
                reason=trial.rejected or stopped,
                evaluation=None if evaluated is None else evaluated.evaluation,
                score=trial.score,
                metrics=metrics,
                cost=None if evaluated is None else evaluated.cost,
                partner=candidate.partner,
                shown=candidate.shown,
            ),
        )
        self._progress.tried(trial, "alignment" if self._objective.is_alignment else "score")

    def _alignment(self, verdicts: Mapping[str, Verdict]) -> float:
        items = self._part.golden.labelled
        return alignment_value([item.label for item in items], [verdicts[item.id] for item in items], self._scale)

    def _log_iteration(self, number: int, record: Mapping[str, Json]) -> None:
        self.iterations.add(number)
        self._store.save_iteration(self._run.id, number, record)
