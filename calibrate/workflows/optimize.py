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
from calibrate.domain import Json, Verdict
from calibrate.domain.version import VERSION
from calibrate.golden import folds, side_key
from calibrate.judge import Prompt
from calibrate.optimizer import Candidate
from calibrate.providers import Ledger, caution
from calibrate.store import CandidateRecord, RunRecord, RunStatus, Store
from calibrate.workflows.calibration import Calibrations, calibration
from calibrate.workflows.evaluated import Evaluated
from calibrate.workflows.evidence import Evidence, Source, Unseen
from calibrate.workflows.preflight import DryRun
from calibrate.workflows.progress import Progress
from calibrate.workflows.proving import Prover, compare_on, item_digests
from calibrate.workflows.record import run_record, spending_in_words
from calibrate.workflows.returned import returned_notes
from calibrate.workflows.search import OptimizeOptions, PlannedSearch, next_number, open_search, search_spec
from calibrate.workflows.searching import Searching
from calibrate.workflows.sentences import counted
from calibrate.workflows.setup import Prepared, prompt_inputs
from calibrate.workflows.spending import count_earlier_parts, how_it_ended
from calibrate.workflows.stored import StoredRun, folds_of, load_run
from calibrate.workflows.versions import say_other_version

__all__ = ["OptimizeOptions", "optimize", "optimize_dry_run"]


async def optimize(
    options: OptimizeOptions, settings: Settings, db: str, progress: Progress, ledger: Ledger | None = None
) -> Calibrations:
    """Calibrate the judge on each dimension and return the calibrations.

    A finished calibration of the same specification is returned as stored; an interrupted one goes on and pays only for
    what is missing. ``ledger`` is that of a larger command, whose budget then holds for all of it.

    Raises:
        InputError: before anything is written: bad input, gold of a single class, or raters who agree too little.
        ProviderError: a model failed; what was answered is stored.
        BudgetExceeded: the budget ended; what was answered is stored.
        asyncio.CancelledError: it was stopped; the same call goes on.
    """
    ledger = Ledger(options.budget) if ledger is None else ledger
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
        self._names = prompt_inputs(part)

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
        spec = self._spec()
        new = next_number(store, spec, golden_digest, part.dimension) if options.new else None
        run = store.start_run("optimize", spec, golden_digest, part.dimension, new=new)
        say_other_version(store, run, self._progress)
        self._run_id = run.id
        self._say_going_on(run)
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

    def _say_going_on(self, run: RunRecord) -> None:
        known = [] if run.status == "done" else self._store.candidates(run.id)
        if known:
            paid = spending_in_words(self._store.spending(run.id), simulated=self._judge.simulated)
            self._progress.note(
                f"calibration {run.id} goes on: {counted(len(known), 'prompt')} so far, paid {paid}; what is stored is "
                "replayed, and costs nothing"
            )

    def _keep_unfinished(self, run: RunRecord, status: RunStatus) -> None:
        """Record how it ended; a finished run that only one more test was to be added to stays finished."""
        if run.status != "done":
            self._store.finish_run(run.id, status)

    async def _calibrate(self, run: RunRecord) -> None:
        searching = Searching(self._store, run, self._part, self._planned, self._progress, self._ledger)
        outcome = await searching.search()
        evidence = await self._prove(outcome, searching)
        self._say_who_answered(searching.evaluated)
        self._store.finish_run(
            run.id,
            "done",
            {
                "stopped": outcome.stopped,
                "iterations": outcome.iterations,
                "winner": outcome.best.candidate.number,
                "record": self._record(outcome.best.candidate, searching),
                "evidence": evidence.to_json(),
                "better_before": searching.better_before,
            },
            candidates=searching.candidates,
            iterations=searching.iterations,
        )

    async def _prove(self, outcome: optimizer.Outcome, searching: Searching) -> Evidence:
        """Test the winner against chance, against noise, and on items that the search did not see."""
        prover = self._prover()
        winner = outcome.best.candidate
        first, best, improved = self._part.prompt, searching.prompt_of(winner), winner.number != 0
        judged = [each.evaluation.complete for each in outcome.trials if each.evaluation is not None]
        # Both figures are of the prompt that is best by alignment; another objective may have chosen another one.
        chance = await asyncio.to_thread(prover.chance, judged) if searching.by_alignment else None
        noise = await prover.noise(
            first, judged[0], best if improved else None, self._options.noise_repeats, without=winner.shown
        )
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

    def _say_who_answered(self, evaluated: Mapping[int, Evaluated]) -> None:
        """Say which model answered over all candidates, if that is not as plain as its name."""
        over_all = replace(evaluated[0], returned=sum((each.returned for each in evaluated.values()), Counter()))
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

    def _record(self, winner: Candidate, searching: Searching) -> dict[str, Json]:
        part = replace(self._part, prompt=searching.prompt_of(winner))
        evaluation = searching.evaluated[winner.number].evaluation
        return run_record(self._store, part, self._judge, evaluation, seed=self._options.seed)

    def _spec(self) -> dict[str, Json]:
        return search_spec(self._part, self._planned, self._fold)


def _winner(stored: StoredRun) -> CandidateRecord:
    """Return the best candidate of a run as it was logged; measuring it again would take long."""
    return stored.candidate(stored.winner or 0)


def _with_test(result: dict[str, Any], test: Unseen) -> dict[str, Any]:
    """Return a run's result with one more test on unseen items in it."""
    return {**result, "evidence": Evidence.from_json(result.get("evidence")).with_unseen(test).to_json()}
