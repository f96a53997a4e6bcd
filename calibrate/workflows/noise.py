"""A judge's own variation, measured by fresh runs on the same items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from calibrate.config import Settings
from calibrate.domain import Json, Model, digest
from calibrate.domain.version import VERSION
from calibrate.errors import InputError
from calibrate.golden import LoadOptions
from calibrate.providers import Ledger
from calibrate.store import Store
from calibrate.workflows.baseline import first_candidate
from calibrate.workflows.evaluation import Evaluator
from calibrate.workflows.noise_report import JudgeNoise, NoiseReport, measure_noise
from calibrate.workflows.preflight import (
    DryRun,
    Estimate,
    estimate,
    judging_candidates,
    known_replies,
    refuse_unknown_price,
)
from calibrate.workflows.progress import Progress
from calibrate.workflows.record import spending_in_words, spent
from calibrate.workflows.setup import JudgeOptions, Prepared, judge_record, prepare
from calibrate.workflows.spending import how_it_ended

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
        budget: US dollars that they may cost; None for no limit.
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

    Stored replies are never replayed: they would hide the variation, and a change of the model behind a name.

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
            results = [await _run(part, model, options, store, progress, ledger) for part in prepared]
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
    prepared, model = prepare(options.set_path, options.judge, options.load, options.dimensions, settings, ledger)
    refuse_unknown_price(model, ledger.cap)
    return prepared, model


def _estimate(prepared: Sequence[Prepared], model: Model, options: NoiseOptions, db: str) -> Estimate:
    with known_replies(db) as known:
        works = [judging_candidates(known, model, part, options.judge, options.repeats) for part in prepared]
    return estimate(works, [model])


async def _run(
    part: Prepared, model: Model, options: NoiseOptions, store: Store, progress: Progress, ledger: Ledger
) -> JudgeNoise:
    spec: dict[str, Json] = {
        "judge": judge_record(model, part.settings),
        "prompt": digest(part.prompt.text),
        "repeats": options.repeats,
    }
    golden_digest = store.save_golden(part.golden, part.source)
    run = store.start_run("noise", spec, golden_digest, part.dimension, new=True)
    evaluator = Evaluator(
        store,
        run.id,
        part.golden,
        model,
        part.settings,
        concurrency=options.judge.concurrency,
        progress=progress,
        ledger=ledger,
        fresh=True,
        poll_seconds=options.judge.polls_every,
    )
    try:
        repeats = [(part.prompt, number) for number in range(options.repeats)]
        runs = await evaluator.repeat(repeats, f"{part.dimension}, {options.repeats} runs")
    except BaseException as error:
        store.finish_run(run.id, how_it_ended(error, progress, run.id, fresh=True))
        raise
    items, scale = part.golden.labelled, part.golden.scales[part.dimension]
    measured = measure_noise(
        model.name,
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
    store.finish_run(run.id, "done", {"noise": result.to_json(), "simulated": model.simulated})
    return result
