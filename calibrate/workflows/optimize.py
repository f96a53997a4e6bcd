"""Calibrate a judge: baseline, then the loop, then what may be said about the winner."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from calibrate import optimizer
from calibrate.config import Settings
from calibrate.domain import Json, ModelRequest, ModelResponse, Verdict, request_key
from calibrate.domain.version import VERSION
from calibrate.errors import InputError
from calibrate.golden import folds, side_key
from calibrate.judge import Prompt
from calibrate.metrics import alignment_value
from calibrate.optimizer import Candidate, MetaTask, Remembered, Trial
from calibrate.providers import Ledger, caution
from calibrate.store import CandidateRecord, RunRecord, RunStatus, Store
from calibrate.workflows.baseline import measure
from calibrate.workflows.calibration import Calibrations, calibration
from calibrate.workflows.evaluation import Evaluated, Evaluator
from calibrate.workflows.evidence import Evidence, Source, Unseen
from calibrate.workflows.preflight import DryRun
from calibrate.workflows.progress import Progress
from calibrate.workflows.proving import Prover, compare_on, item_digests
from calibrate.workflows.record import run_record
from calibrate.workflows.returned import returned_notes
from calibrate.workflows.search import OptimizeOptions, PlannedSearch, open_search, search_key, search_spec
from calibrate.workflows.setup import Prepared, input_names, judge_record
from calibrate.workflows.spending import count_earlier_parts, how_it_ended
from calibrate.workflows.stored import StoredRun, folds_of, load_run

__all__ = ["OptimizeOptions", "optimize", "optimize_dry_run"]


async def optimize(options: OptimizeOptions, settings: Settings, db: str, progress: Progress) -> Calibrations:
    """Calibrate the judge on each dimension and return the calibrations.

    A finished calibration of the same specification is returned as stored; an interrupted one goes on and pays only for
    what is missing.

    Raises:
        InputError: before anything is written: bad input, gold of a single class, or raters who agree too little.
        ProviderError: a model failed; what was answered is stored.
        BudgetExceeded: the budget ended; what was answered is stored.
        asyncio.CancelledError: it was stopped; the same call goes on.
    """
    ledger = Ledger(options.budget)
    search = open_search(options, settings, ledger, db)
    search.say_agreement(progress)
    for message in (*search.prepared[0].messages, *search.notes):
        progress.note(message)
    found = []
    try:
        told = search.estimate(db)
        if told.calls:
            progress.note(told.sentence)
        with Store(db, version=VERSION) as store:
            works = [_Calibration(part, search, store, progress, ledger) for part in search.prepared]
            earlier = [run for work in works for run in work.earlier()]
            count_earlier_parts(store, ledger, earlier, fresh=options.judge.fresh)
            for work in works:
                run_id = await work.run()
                found.append(
                    calibration(
                        store,
                        run_id,
                        max_unscored=options.max_unscored,
                        require=options.require,
                        annotators=options.annotators,
                    )
                )
    finally:
        await search.close()
    return Calibrations(tuple(found))


async def optimize_dry_run(options: OptimizeOptions, settings: Settings, db: str) -> DryRun:
    """Return what :func:`optimize` would do at most; nothing is written or spent.

    Raises:
        InputError: as for :func:`optimize`.
    """
    search = open_search(options, settings, Ledger(options.budget), db)
    try:
        return DryRun(search.estimate(db))
    finally:
        await search.close()


class _Calibration:
    """One run: wires the loop to the models and the store.

    Args:
        part: the dimension, with the items that the search may see and those it may not.
        search: the models and the options.
        store: the run database.
        progress: told of what happens.
        ledger: the command's.
        fold: of a cross-fit: which run it belongs to, and which fold is left out.
    """

    def __init__(
        self,
        part: Prepared,
        search: PlannedSearch,
        store: Store,
        progress: Progress,
        ledger: Ledger,
        fold: Mapping[str, Json] | None = None,
    ) -> None:
        self._planned, self._fold = search, fold
        self._part, self._judge, self._meta = part, search.judge, search.meta
        self._options, self._store, self._progress, self._ledger = search.options, store, progress, ledger
        self._judge_record = judge_record(search.judge, part.settings)
        self._names = input_names(part.golden)
        self._evaluated: dict[int, Evaluated] = {}
        self._evaluator: Evaluator | None = None

    def earlier(self) -> list[RunRecord]:
        """Return the runs that this goes on with or adds to, with those of its folds; none when it starts anew."""
        run = self._store.find_run("optimize", self._spec(), self._part.golden.digest, self._part.dimension)
        if run is None or (run.status == "done" and self._options.new):
            return []
        return [run, *folds_of(self._store, run.id)]

    async def run(self) -> int:
        """Calibrate, or find the finished calibration; return the run's id."""
        part, options, store = self._part, self._options, self._store
        golden_digest = store.save_golden(part.golden, part.source)
        run = store.start_run("optimize", self._spec(), golden_digest, part.dimension, new=options.new)
        self._run_id = run.id
        store.save_sides(part.sides)
        store.mark_seen(side_key(item, part.dimension) for item in part.golden.labelled)
        try:
            if run.status == "done":
                await self._add_to_finished(run)
            else:
                await self._calibrate(run)
        except asyncio.CancelledError:
            self._keep_unfinished(run, "interrupted")
            self._progress.note(f"stopped; `calibrate show {run.id}` shows what there is, the same command goes on")
            raise
        except BaseException as error:
            self._keep_unfinished(run, how_it_ended(error, self._progress, run.id, fresh=options.judge.fresh))
            raise
        finally:
            self._store_charges()
        return run.id

    def _keep_unfinished(self, run: RunRecord, status: RunStatus) -> None:
        """Record how it ended; a finished run that only one more test was to be added to stays finished."""
        if run.status != "done":
            self._store.finish_run(run.id, status)

    async def _calibrate(self, run: RunRecord) -> None:
        outcome = await self._search(run)
        evidence = await self._prove(outcome)
        self._say_who_answered()
        self._store.finish_run(
            run.id,
            "done",
            {
                "stopped": outcome.stopped,
                "iterations": outcome.iterations,
                "winner": outcome.best.candidate.number,
                "record": self._record(outcome.best.candidate),
                "evidence": evidence.to_json(),
            },
        )

    async def _prove(self, outcome: optimizer.Outcome) -> Evidence:
        """Test the winner against chance, against noise, and on items that the search did not see."""
        prover = self._prover()
        first, best = self._part.prompt, self._prompt(outcome.best.candidate)
        improved = outcome.best.candidate.number != 0
        judged = [self._evaluated[number].verdicts for number in sorted(self._evaluated)]
        chance = await asyncio.to_thread(prover.chance, judged)
        noise = await prover.noise(first, judged[0], best if improved else None, self._options.noise_repeats)
        evidence = Evidence(chance, noise)
        tests = [await prover.holdout(first, best), await prover.confirm(first, best)] if improved else []
        for test in (*tests, await self._cross_fit()):
            evidence = evidence if test is None else evidence.with_unseen(test)
        return evidence

    async def _add_to_finished(self, run: RunRecord) -> None:
        """Make the tests on unseen items that are asked for and that a finished calibration has not got yet."""
        self._progress.note(f"calibration {run.id} was done before; this is its stored result (--new starts another)")
        made = Evidence.from_json((run.result or {}).get("evidence")).unseen
        tests = []
        if self._part.fresh is not None and not self._is_made(made, "confirm", item_digests(self._part.fresh)):
            winner = _winner(load_run(self._store, run.id))
            if winner.number == 0:
                self._progress.note("the winner is the baseline: there is nothing to confirm")
            else:
                tests.append(await self._prover().confirm(self._part.prompt, self._prompt_of(winner.prompt)))
        if not self._is_made(made, "cross_fit", item_digests(self._part.golden)):
            tests.append(await self._cross_fit())
        for test in tests:
            if test is not None:
                self._store.amend_result(run.id, partial(_with_test, test=test))

    def _is_made(self, made: Sequence[Unseen], source: Source, items: tuple[str, ...]) -> bool:
        folds_now = f"{self._options.cross_fit} folds"
        return any(
            each.source == source and each.items == items and (source != "cross_fit" or each.where == folds_now)
            for each in made
        )

    async def _cross_fit(self) -> Unseen | None:
        """Calibrate without each fold in turn, judge it with what came of that, and compare over all folds.

        It tests the procedure on items it has not seen; each fold has a winner of its own.
        """
        count, part = self._options.cross_fit, self._part
        if not count:
            return None
        plain = replace(self._options, noise_repeats=0, confirm=None, cross_fit=0, new=False)
        before: dict[str, Verdict] = {}
        after: dict[str, Verdict] = {}
        for number, (training, left_out) in enumerate(folds(part.golden, count), start=1):
            self._progress.note(f"cross-fit: calibration without fold {number} of {count}")
            fold = _Calibration(
                replace(part, golden=training, held_out=None, sides={}, fresh=None),
                replace(self._planned, options=plain),
                self._store,
                self._progress,
                self._ledger,
                {"of": self._run_id, "number": number, "count": count},
            )
            winner = self._prompt_of(_winner(load_run(self._store, await fold.run())).prompt)
            first, second = await self._prover().judge(left_out, [part.prompt, winner], f"Fold {number} of {count}")
            before |= first
            after |= second
        labelled = part.golden.with_items(part.golden.labelled)
        comparison = compare_on(labelled, before, after, seed=self._options.seed)
        return Unseen.of("cross_fit", comparison, uses=1, items=item_digests(labelled), where=f"{count} folds")

    def _prover(self) -> Prover:
        return Prover(self._store, self._run_id, self._part, self._planned, self._progress, self._ledger)

    def _prompt_of(self, text: str) -> Prompt:
        """Return a stored prompt; the one that the search started from is itself."""
        return self._part.prompt if text == self._part.prompt.text else Prompt.parse(text, self._names)

    async def _search(self, run: RunRecord) -> optimizer.Outcome:
        part, options = self._part, self._options
        self._evaluator = Evaluator.for_part(
            self._store, run.id, part, self._judge, options.judge, progress=self._progress, ledger=self._ledger
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
        search = search_key(run)
        return next(each for each in self._store.runs() if search_key(each) == search)

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
        return self._part.prompt if candidate.number == 0 else Prompt.parse(candidate.prompt, self._names)

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

    def _say_who_answered(self) -> None:
        """Say which model answered over all candidates, if that is not as plain as its name."""
        first = self._evaluated[0]
        over_all = replace(first, returned=sum((each.returned for each in self._evaluated.values()), Counter()))
        for note in returned_notes(self._store, self._judge.name, over_all):
            self._progress.note(note)
        for model in (self._judge, self._meta):
            if (warned := caution(model)) is not None:
                self._progress.note(warned)

    def _store_charges(self) -> None:
        """Record the meta-LLM's charges of unknown amount; the judge's are recorded with its verdicts."""
        charges = self._ledger.take_uncertain()
        if charges:
            self._store.record(self._run_id, self._meta.name, (), charges)

    def _record(self, winner: Candidate) -> dict[str, Json]:
        part = replace(self._part, prompt=self._prompt(winner))
        evaluation = self._evaluated[winner.number].evaluation
        return run_record(self._store, part, self._judge, evaluation, seed=self._options.seed)

    def _spec(self) -> dict[str, Json]:
        return search_spec(self._part, self._judge, self._meta, self._options, self._fold)


def _winner(stored: StoredRun) -> CandidateRecord:
    """Return the best candidate of a run as it was logged; measuring it again would take long."""
    return stored.candidate(stored.winner or 0)


def _with_test(result: dict[str, Any], test: Unseen) -> dict[str, Any]:
    """Return a run's result with one more test on unseen items in it."""
    return {**result, "evidence": Evidence.from_json(result.get("evidence")).with_unseen(test).to_json()}
