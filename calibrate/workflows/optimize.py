"""Calibrate a judge: baseline, then the loop, then what may be said about the winner."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace

from calibrate import optimizer
from calibrate.config import Settings
from calibrate.domain import Json, Model, ModelRequest, ModelResponse, digest, request_key
from calibrate.domain.version import VERSION
from calibrate.errors import InputError
from calibrate.golden import LoadOptions
from calibrate.judge import Prompt
from calibrate.metrics import alignment_value
from calibrate.optimizer import META_PROMPT_VERSION, STRATEGIES, Candidate, Limits, MetaTask, Remembered, Trial
from calibrate.providers import open_model
from calibrate.store import CandidateRecord, RunRecord, Store
from calibrate.workflows.baseline import measure
from calibrate.workflows.calibration import Calibrations, calibration
from calibrate.workflows.evaluation import Evaluated, Evaluator
from calibrate.workflows.golden import raters_gate
from calibrate.workflows.progress import Progress
from calibrate.workflows.record import run_record
from calibrate.workflows.setup import JudgeOptions, Prepared, input_names, judge_record, prepare

__all__ = ["OptimizeOptions", "optimize"]

_FEWEST_ITEMS = 3


@dataclass(frozen=True, slots=True)
class OptimizeOptions:
    """What to calibrate, and when to stop.

    Attributes:
        set_path: the golden set.
        judge: the judge, with the prompt to start from.
        optimizer: the meta-LLM, ``provider:name``.
        load: how to read the set.
        dimensions: which dimensions; empty for all, each calibrated by itself.
        limits: when the loop stops.
        acceptable: the alignment below which the result is not acceptable; recorded with the run.
        require: whether missing it makes the command fail.
        new: start another calibration of the same specification instead of showing the finished one.
        force: calibrate although the raters agree too little; recorded.
        max_prompt: the longest prompt in characters.
        max_unscored: share of unscored verdicts above which the result is not called usable.
        seed: of the intervals.
    """

    set_path: str
    judge: JudgeOptions
    optimizer: str
    load: LoadOptions = field(default_factory=LoadOptions)
    dimensions: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    acceptable: float = 0.7
    require: bool = False
    new: bool = False
    force: bool = False
    max_prompt: int = 6000
    max_unscored: float = 0.05
    seed: int = 0


async def optimize(options: OptimizeOptions, settings: Settings, db: str, progress: Progress) -> Calibrations:
    """Calibrate the judge on each dimension and return the calibrations.

    A finished calibration of the same specification is returned as stored; an interrupted one goes on and pays only for
    what is missing.

    Raises:
        InputError: before anything is written: bad input, gold of a single class, or raters who agree too little.
        ProviderError: a model failed; what was answered is stored.
        asyncio.CancelledError: it was stopped; the same call goes on.
    """
    prepared, judge = prepare(options.set_path, options.judge, options.load, options.dimensions, settings)
    if options.judge.is_code:
        raise InputError(f"{options.judge.model} is code: there is no prompt to rewrite; use `calibrate baseline`")
    meta = open_model(options.optimizer, settings)
    for part in prepared:
        _refuse_unusable(part, options, progress)
    for message in prepared[0].messages:
        progress.note(message)
    found = []
    try:
        with Store(db, version=VERSION) as store:
            for part in prepared:
                run_id = await _Calibration(part, judge, meta, options, store, progress).run()
                found.append(calibration(store, run_id, max_unscored=options.max_unscored, require=options.require))
    finally:
        await judge.close()
        await meta.close()
    return Calibrations(tuple(found))


def _refuse_unusable(part: Prepared, options: OptimizeOptions, progress: Progress) -> None:
    scale = part.golden.scales[part.dimension]
    labels = [item.label for item in part.golden.labelled if item.label is not None]
    if len(labels) < _FEWEST_ITEMS:
        raise InputError(f"{len(labels)} labelled items of '{part.dimension}' are too few to measure", file=part.source)
    classes = {scale.passes(label) for label in labels} if scale.kind == "interval" else set(labels)
    if len(classes) < 2:
        raise InputError(
            f"all {len(labels)} items of '{part.dimension}' have one label (single_class_gold): agreement with it says "
            "nothing; add items of the other class",
            file=part.source,
        )
    gate = raters_gate(part.golden)
    if gate.passed is False and not options.force:
        raise InputError(f"{gate.reason}; mend the rubric, or calibrate all the same with --force", file=part.source)
    if gate.passed is not True:
        progress.note(gate.reason + ("; calibrated all the same (--force)" if gate.passed is False else ""))


class _Calibration:
    """One run: wires the loop to the models and the store."""

    def __init__(
        self,
        part: Prepared,
        judge: Model,
        meta: Model,
        options: OptimizeOptions,
        store: Store,
        progress: Progress,
    ) -> None:
        self._part, self._judge, self._meta = part, judge, meta
        self._options, self._store, self._progress = options, store, progress
        self._judge_record = judge_record(judge, part.settings)
        self._names = input_names(part.golden)
        self._evaluated: dict[int, Evaluated] = {}
        self._evaluator: Evaluator | None = None

    async def run(self) -> int:
        """Calibrate, or find the finished calibration; return the run's id."""
        part, options, store = self._part, self._options, self._store
        golden_digest = store.save_golden(part.golden, part.source)
        run = store.start_run("optimize", self._spec(), golden_digest, part.dimension, new=options.new)
        if run.status == "done":
            self._progress.note(
                f"calibration {run.id} was done before; this is its stored result (--new starts another)"
            )
            return run.id
        self._run_id = run.id
        try:
            outcome = await self._search(run)
        except asyncio.CancelledError:
            store.finish_run(run.id, "interrupted")
            self._progress.note(f"stopped; `calibrate show {run.id}` shows what there is, the same command goes on")
            raise
        except BaseException:
            store.finish_run(run.id, "failed")
            raise
        store.finish_run(
            run.id,
            "done",
            {
                "stopped": outcome.stopped,
                "iterations": outcome.iterations,
                "winner": outcome.best.candidate.number,
                "record": self._record(outcome.best.candidate),
            },
        )
        return run.id

    async def _search(self, run: RunRecord) -> optimizer.Outcome:
        part, options = self._part, self._options
        self._evaluator = Evaluator(
            self._store,
            run.id,
            part.golden,
            self._judge,
            part.settings,
            concurrency=options.judge.concurrency,
            progress=self._progress,
            fresh=options.judge.fresh,
        )
        task = MetaTask(
            dimension=part.dimension,
            language=part.golden.language,
            inputs=self._names,
            scale=part.golden.scales[part.dimension],
            placeholders=tuple(part.prompt.placeholders),
            max_characters=options.max_prompt,
            repeat=run.number,
            own_format=part.settings.parse is not None,
        )
        memory = [
            Remembered(each.prompt, each.score, each.strategy)
            for each in self._store.tried_before(self._first_of_its_search(run), self._judge_record)
            if each.score is not None and each.prompt != part.prompt.text
        ]
        return await optimizer.optimize(
            part.prompt.text,
            part.golden.labelled,
            task,
            propose=self._propose,
            evaluate=self._evaluate,
            validate=self._validate,
            log=self._log,
            memory=memory,
            limits=options.limits,
        )

    def _first_of_its_search(self, run: RunRecord) -> RunRecord:
        """Return the first run that searched as this one does, limits aside: this one goes the same way, and further.

        It must know what that one knew and no more: prompts of its own way would count as tried already.
        """
        search = _search_key(run)
        return next(each for each in self._store.runs() if _search_key(each) == search)

    async def _propose(self, requests: Sequence[ModelRequest]) -> list[ModelResponse]:
        """Answer meta-prompts from the store, or pay for them and store the answers."""
        keys = [request_key(self._meta, request) for request in requests]
        known = self._store.responses(keys)

        async def answer(key: str, request: ModelRequest) -> ModelResponse:
            if key in known:
                return known[key]
            response = await self._meta.complete(request)
            await asyncio.to_thread(self._store.save_response, self._run_id, key, self._meta.name, response)
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

    async def _evaluate(self, candidates: Sequence[Candidate]) -> list[optimizer.Evaluation]:
        assert self._evaluator is not None
        prompts = [self._prompt(candidate) for candidate in candidates]
        iteration = candidates[0].iteration
        title = f"Iteration {iteration}: {len(candidates)} candidates" if iteration else "Baseline"
        found = []
        for candidate, evaluated in zip(candidates, await self._evaluator.evaluate(prompts, title), strict=True):
            self._evaluated[candidate.number] = evaluated
            found.append(optimizer.Evaluation(self._score(evaluated), evaluated.verdicts))
        return found

    def _score(self, evaluated: Evaluated) -> float:
        golden = self._part.golden
        items = golden.labelled
        return alignment_value(
            [item.label for item in items],
            [evaluated.verdicts[item.id] for item in items],
            golden.scales[self._part.dimension],
        )

    def _prompt(self, candidate: Candidate) -> Prompt:
        if candidate.number == 0:
            return self._part.prompt
        return Prompt.parse(candidate.prompt, self._names)

    def _validate(self, prompt: str) -> str:
        """Return why the judge could not run a rewrite; empty text when it can."""
        try:
            Prompt.parse(prompt, self._names)
        except InputError as error:
            return str(error)
        return ""

    def _log(self, trial: Trial) -> None:
        candidate, evaluated = trial.candidate, self._evaluated.get(trial.candidate.number)
        metrics = None
        if evaluated is not None:
            metrics = measure(self._part.golden, evaluated.verdicts, seed=self._options.seed).to_json()
        self._store.save_candidate(
            self._run_id,
            CandidateRecord(
                number=candidate.number,
                iteration=candidate.iteration,
                strategy=candidate.strategy,
                parent=candidate.parent,
                prompt=candidate.prompt,
                status="rejected" if evaluated is None else "scored",
                reason=trial.rejected,
                evaluation=None if evaluated is None else evaluated.evaluation,
                score=trial.score,
                metrics=metrics,
                cost=None if evaluated is None else evaluated.cost,
            ),
        )
        self._progress.tried(trial)

    def _record(self, winner: Candidate) -> dict[str, Json]:
        part = replace(self._part, prompt=self._prompt(winner))
        evaluation = self._evaluated[winner.number].evaluation
        return run_record(self._store, part, self._judge, evaluation, seed=self._options.seed)

    def _spec(self) -> dict[str, Json]:
        options, meta = self._options, self._meta
        return {
            "judge": self._judge_record,
            "prompt": digest(self._part.prompt.text),
            "optimizer": {"model": meta.name, "identity": dict(meta.identity), "version": META_PROMPT_VERSION},
            "strategies": [strategy.name for strategy in STRATEGIES],
            "limits": asdict(options.limits),
            "acceptable": options.acceptable,
            "max_prompt": options.max_prompt,
            "force": options.force,
            "seed": options.seed,
        }


def _search_key(run: RunRecord) -> str:
    """Return the digest of what decides which prompts are tried, in which order: everything but when to stop."""
    limits = run.spec.get("limits", {})
    search: dict[str, Json] = {
        **{name: run.spec.get(name) for name in ("judge", "prompt", "optimizer", "strategies", "max_prompt")},
        **{name: limits.get(name) for name in ("history", "errors")},
        "golden": run.golden_digest,
        "dimension": run.dimension,
        "kind": run.kind,
        "number": run.number,
    }
    return digest(search)
