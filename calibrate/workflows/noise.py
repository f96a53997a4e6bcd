"""A judge's own variation, measured by fresh runs on the same items.

Every run of this command asks under repeat numbers that are its own. No earlier reply has them, so that all is asked
anew, and no other run is told anything else than it was told before; the run itself, interrupted, goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from calibrate.config import Settings
from calibrate.domain import Json, Model, digest
from calibrate.domain.version import VERSION
from calibrate.errors import InputError
from calibrate.golden import LoadOptions
from calibrate.providers import Ledger
from calibrate.store import RunRecord, Store
from calibrate.workflows.baseline import first_candidate
from calibrate.workflows.evaluation import REPEATS_OF_A_RUN, own_repeats
from calibrate.workflows.noise_report import JudgeNoise, NoiseReport, measure_noise
from calibrate.workflows.preflight import (
    DryRun,
    Estimate,
    estimate,
    known_replies,
    refuse_unknown_price,
)
from calibrate.workflows.progress import Progress
from calibrate.workflows.record import run_record, spending_in_words, spent
from calibrate.workflows.setup import JudgeOptions, Prepared, judge_record, prepare
from calibrate.workflows.spending import count_earlier_parts, how_it_ended
from calibrate.workflows.splitter import judge_name
from calibrate.workflows.two_step import evaluator_for
from calibrate.workflows.two_step_work import judging_works

__all__ = ["NoiseOptions", "noise", "noise_dry_run"]


@dataclass(frozen=True, slots=True)
class NoiseOptions:
    """What to repeat.

    Attributes:
        set_path: the golden set.
        judge: the judge.
        load: how to read the set.
        dimensions: which dimensions; empty for all.
        repeats: fresh runs, at least 2.
        seed: of the redraws.
        budget: US dollars that they may cost, earlier parts of an interrupted run included; None for no limit.
    """

    set_path: str
    judge: JudgeOptions
    load: LoadOptions = field(default_factory=LoadOptions)
    dimensions: tuple[str, ...] = ()
    repeats: int = 5
    seed: int = 0
    budget: float | None = None


async def noise(options: NoiseOptions, settings: Settings, db: str, progress: Progress) -> NoiseReport:
    """Run a judge afresh several times on the same items and measure how far its verdicts vary.

    Replies to other runs are never replayed: they would hide the variation, and a change of the model behind a name.
    An unfinished run of the same kind goes on where it was.

    Raises:
        InputError: before anything is written, when the set, prompt or model cannot be used.
        ProviderError: the model failed; what was answered is stored.
        BudgetExceeded: the budget ended; what was answered is stored.
    """
    ledger = Ledger(options.budget)
    prepared, model = _open(options, settings, ledger)
    try:
        progress.note(_estimate(prepared, model, options, db).sentence)
        with Store(db, version=VERSION) as store:
            earlier = _going_on(store, prepared, model, options)
            count_earlier_parts(store, ledger, earlier, fresh=False)
            results = [
                await _run(part, model, options, store, progress, ledger, run)
                for part, run in zip(prepared, earlier, strict=True)
            ]
    finally:
        await model.close()
    return NoiseReport(tuple(results), model.simulated)


async def noise_dry_run(options: NoiseOptions, settings: Settings, db: str) -> DryRun:
    """Return what :func:`noise` would do; nothing is written or spent.

    Raises:
        InputError: as for :func:`noise`.
    """
    prepared, model = _open(options, settings, Ledger(options.budget))
    try:
        return DryRun(_estimate(prepared, model, options, db))
    finally:
        await model.close()


def _open(options: NoiseOptions, settings: Settings, ledger: Ledger) -> tuple[tuple[Prepared, ...], Model]:
    if options.repeats < 2:
        raise InputError(f"{options.repeats} runs show no variation; give 2 or more", field="--runs")
    if options.judge.fresh:
        raise InputError("noise is always measured on fresh replies; leave --fresh out", field="--fresh")
    prepared, model = prepare(options.set_path, options.judge, options.load, options.dimensions, settings, ledger)
    if any((options.repeats + 1) * part.settings.votes > REPEATS_OF_A_RUN for part in prepared):
        raise InputError(
            f"all runs together may ask {REPEATS_OF_A_RUN:,} times about an item at most; give fewer", field="--runs"
        )
    refuse_unknown_price(model, ledger.cap)
    return prepared, model


def _estimate(prepared: Sequence[Prepared], model: Model, options: NoiseOptions, db: str) -> Estimate:
    with known_replies(db) as known:
        earlier = [None] * len(prepared) if known is None else _going_on(known, prepared, model, options)
        works = [
            work
            for part, run in zip(prepared, earlier, strict=True)
            for work in judging_works(
                known,
                model,
                part,
                replace(options.judge, fresh=run is None),
                repeats=_numbers(0 if run is None else run.id, part, options),
                purpose="noise",
            )
        ]
    return estimate(works, [model])


def _spec(part: Prepared, model: Model, options: NoiseOptions) -> dict[str, Json]:
    return {
        "judge": judge_record(model, part.settings, part.splitter),
        "prompt": digest(part.prompt.text),
        "repeats": options.repeats,
    }


def _going_on(
    store: Store, prepared: Sequence[Prepared], model: Model, options: NoiseOptions
) -> list[RunRecord | None]:
    """Return each dimension's run that this command goes on with, None where it starts one.

    Those are the unfinished ones, and those that the same command had finished before it came to an unfinished one.
    """
    latest = [
        store.find_run("noise", _spec(part, model, options), part.golden.digest, part.dimension) for part in prepared
    ]
    unfinished = [run.id if run is not None and run.status != "done" else 0 for run in latest]
    return [
        run if run is not None and run.id <= max(unfinished[position:]) else None for position, run in enumerate(latest)
    ]


def _numbers(run_id: int, part: Prepared, options: NoiseOptions) -> range:
    return own_repeats(run_id, options.repeats, votes=part.settings.votes)


async def _run(
    part: Prepared,
    model: Model,
    options: NoiseOptions,
    store: Store,
    progress: Progress,
    ledger: Ledger,
    earlier: RunRecord | None,
) -> JudgeNoise:
    golden_digest = store.save_golden(part.golden, part.source)
    new = 0 if earlier is None else None
    run = store.start_run("noise", _spec(part, model, options), golden_digest, part.dimension, new=new)
    if earlier is not None:
        progress.note(f"run {run.id} goes on; the replies that it has are replayed")
    evaluator = evaluator_for(store, run.id, part, model, options.judge, progress=progress, ledger=ledger)
    try:
        repeats = [(part.prompt, number) for number in _numbers(run.id, part, options)]
        runs = await evaluator.repeat(repeats, f"{part.dimension}, {options.repeats} runs")
    except BaseException as error:
        store.finish_run(run.id, how_it_ended(error, progress, run.id))
        raise
    items, scale = part.golden.labelled, part.golden.scales[part.dimension]
    measured = measure_noise(
        judge_name(judge_record(model, part.settings, part.splitter)),
        part.dimension,
        [item.id for item in items],
        [item.label for item in items],
        [[each.verdicts[item.id] for item in items] for each in runs],
        scale,
        seed=options.seed,
    )
    store.save_candidate(run.id, first_candidate(part, runs[0], seed=options.seed))
    spending = store.spending(run.id)
    result = replace(
        measured,
        run=run.id,
        spent=spent(spending),
        spent_in_words=spending_in_words(spending, simulated=model.simulated),
    )
    facts: dict[str, Json] = {
        "noise": result.to_json(),
        "evaluations": [each.evaluation for each in runs],
        "record": run_record(store, part, model, runs[0].evaluation, seed=options.seed),
        "simulated": model.simulated,
    }
    store.finish_run(run.id, "done", facts)
    return result
