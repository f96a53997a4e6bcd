"""Compare judges on the same items: run or replay each, then cost against alignment."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace

from calibrate.config import Settings
from calibrate.domain.version import VERSION
from calibrate.errors import BudgetExceeded, InputError, ProviderError
from calibrate.golden import HOLDOUT_FROM, LoadOptions
from calibrate.metrics import MARGIN
from calibrate.providers import Ledger
from calibrate.store import Spending, Store
from calibrate.workflows.baseline import BaselineOptions, Judged, earlier_run, judge_part
from calibrate.workflows.compared import ComparedSet, Standings
from calibrate.workflows.contenders import Judges, Opened, contenders_of, open_contenders, searched_items
from calibrate.workflows.people import read_annotators
from calibrate.workflows.preflight import DryRun, Estimate, estimate, known_replies, refuse_unknown_price
from calibrate.workflows.progress import Progress
from calibrate.workflows.recalibrate import Recalibrated, Recalibration, recalibrate, recalibration_work
from calibrate.workflows.record import spending_in_words, spent
from calibrate.workflows.results import Status, too_many_unscored
from calibrate.workflows.spending import count_earlier_parts
from calibrate.workflows.standings import Rules, standings_of
from calibrate.workflows.two_step_work import judging_works

__all__ = ["CompareOptions", "compare", "compare_dry_run"]


@dataclass(frozen=True, slots=True)
class CompareOptions:
    """What to compare.

    Attributes:
        set_path: the golden set.
        judges: which judges.
        load: how to read the set.
        dimensions: which dimensions; empty for all.
        unseen: whether items that any search in the database has seen are left out.
        juries: whether juries and cascades of the judges are measured beside them.
        margin: how much lower in alignment a judge may be and still count as good as the best.
        max_error: the conditional error that a judge with confidence may have where it decides alone.
        volume: verdicts a day that costs are told for; None for none.
        recalibration: how each model is calibrated from the prompt that it is given; None for not at all.
        max_unscored: share of unscored verdicts above which no good word is said about a judge.
        seed: of intervals and folds.
        budget: US dollars that all of it may cost, earlier parts of an interrupted run included; None for no limit.
        annotators: what the raters are: ``experts``, ``skilled`` or ``crowd``.
    """

    set_path: str
    judges: Judges
    load: LoadOptions = field(default_factory=LoadOptions)
    dimensions: tuple[str, ...] = ()
    unseen: bool = False
    juries: bool = True
    margin: float = MARGIN
    max_error: float = 0.05
    volume: int | None = None
    recalibration: Recalibration | None = None
    max_unscored: float = 0.05
    seed: int = 0
    budget: float | None = None
    annotators: str = "experts"

    def __post_init__(self) -> None:
        if not 0 < self.margin < 1:
            raise InputError(f"a margin lies between 0 and 1, not at {self.margin:g}", field="--margin")
        if self.volume is not None and self.volume < 1:
            raise InputError(f"{self.volume} verdicts a day are none; give 1 or more", field="--volume")
        if not self.judges.votes or min(self.judges.votes) < 1:
            raise InputError("give 1 vote or more", field="--votes")
        if not 0 < self.max_error < 1:
            raise InputError(f"an error rate lies between 0 and 1, not at {self.max_error:g}", field="--max-error")


async def compare(options: CompareOptions, settings: Settings, db: str, progress: Progress) -> ComparedSet:
    """Judge a golden set with several judges and compare them on cost and alignment.

    Every judge is a run of its own, as :func:`~calibrate.workflows.baseline.baseline` makes it: what is stored is
    replayed. A judge that fails is left out and named, the others are compared.

    Raises:
        InputError: before anything is written, when the set, a prompt or a model cannot be used.
        ProviderError: every judge failed; what was answered is stored.
        BudgetExceeded: the budget ended; what was answered is stored.
    """
    read_annotators(options.annotators)
    ledger = Ledger(options.budget)
    if options.recalibration is not None:
        await _check_before(options, settings, db)
    again = await _recalibrate(options, settings, db, progress, ledger)
    own = tuple((each.model, each.prompt) for each in again if each.prompt is not None)
    asked = replace(options.judges, own_prompts=own)
    async with _opened(options, asked, settings, ledger, db) as (opened, notes):
        for note in notes:
            progress.note(note)
        for each in opened:
            refuse_unknown_price(each.model, ledger.cap)
        told = _estimate(opened, db)
        if told.calls:
            progress.note(told.sentence)
        with Store(db, version=VERSION) as store:
            earlier = (earlier_run(store, part, each.model) for each in opened for part in each.parts.values())
            count_earlier_parts(store, ledger, earlier, fresh=asked.how.fresh)
            done, failed = await _judge_all(opened, options, store, progress, ledger)
            runs = {one.facts["run"] for judges in done.values() for _, one in judges} | {each.run for each in again}
            paid = sum((store.spending(each) for each in runs if isinstance(each, int)), Spending(0, 0.0, 0))
        found = tuple(_standings(name, judges, options, again, db) for name, judges in done.items())
        simulated = any(each.model.simulated for each in opened)
    return ComparedSet(
        found,
        failed,
        options.volume,
        _status(found, failed, options.max_unscored),
        notes,
        simulated,
        spent(paid),
        spending_in_words(paid, simulated=simulated),
    )


async def compare_dry_run(options: CompareOptions, settings: Settings, db: str) -> DryRun:
    """Return what :func:`compare` would do; nothing is written or spent.

    Raises:
        InputError: as for :func:`compare`.
    """
    async with _opened(options, options.judges, settings, Ledger(options.budget), db) as (opened, _):
        for each in opened:
            refuse_unknown_price(each.model, options.budget)
        told = _estimate(opened, db)
    if options.recalibration is None:
        return DryRun(told)
    more = await recalibration_work(
        options.judges,
        options.recalibration,
        options.set_path,
        options.load,
        settings,
        db,
        options.budget,
        seed=options.seed,
    )
    return DryRun(replace(told, works=(*told.works, *(work for each in more for work in each.works)), upper=True))


async def _check_before(options: CompareOptions, settings: Settings, db: str) -> None:
    """Refuse what cannot be compared before calibrations are paid for."""
    async with _opened(options, options.judges, settings, Ledger(options.budget), db) as (opened, _):
        for each in opened:
            refuse_unknown_price(each.model, options.budget)
            few = min(len(part.golden.labelled) for part in each.parts.values())
            if options.unseen and few < HOLDOUT_FROM:
                raise InputError(
                    f"--recalibrate searches on all {few} items, which leaves none unseen; leave --unseen out, or give "
                    f"{HOLDOUT_FROM} items or more"
                )


async def _recalibrate(
    options: CompareOptions, settings: Settings, db: str, progress: Progress, ledger: Ledger
) -> tuple[Recalibrated, ...]:
    if options.recalibration is None:
        return ()
    return await recalibrate(
        options.judges,
        options.recalibration,
        options.set_path,
        options.load,
        settings,
        db,
        progress,
        ledger,
        seed=options.seed,
    )


def _opened(
    options: CompareOptions, asked: Judges, settings: Settings, ledger: Ledger, db: str
) -> AbstractAsyncContextManager[tuple[tuple[Opened, ...], tuple[str, ...]]]:
    contenders = contenders_of(asked, db)
    return open_contenders(
        contenders, options.set_path, options.load, options.dimensions, settings, ledger, db, unseen=options.unseen
    )


def _estimate(opened: Sequence[Opened], db: str) -> Estimate:
    with known_replies(db) as known:
        works = [
            work
            for each in opened
            for part in each.parts.values()
            for work in judging_works(known, each.model, part, each.contender.judge, purpose=each.contender.name)
        ]
    # Judges of one model may share calls: a vote, or a prompt that is the same. Those of two steps share the first one.
    splitting = [each for each in opened if each.contender.judge.splitter is not None]
    shared = len({each.contender.model for each in opened}) < len(opened) or len(splitting) > 1
    return estimate(works, [each.model for each in opened], upper=shared)


async def _judge_all(
    opened: Sequence[Opened], options: CompareOptions, store: Store, progress: Progress, ledger: Ledger
) -> tuple[dict[str, list[tuple[Opened, Judged]]], dict[str, str]]:
    """Return the judged judges by dimension, and why others failed."""
    done: dict[str, list[tuple[Opened, Judged]]] = {}
    failed: dict[str, str] = {}
    for each in opened:
        name = each.contender.name
        as_baseline = BaselineOptions(
            options.set_path,
            each.contender.judge,
            max_unscored=options.max_unscored,
            seed=options.seed,
            annotators=options.annotators,
        )
        try:
            judged = [
                await judge_part(
                    part, each.model, as_baseline, store, progress, ledger, title=f"Judging {dimension} with {name}"
                )
                for dimension, part in each.parts.items()
            ]
        except BudgetExceeded:
            raise
        except ProviderError as error:
            failed[name] = str(error)
            if len(failed) == len(opened):
                raise
            progress.note(f"{name} failed and is left out; the same command asks it again: {error}")
            continue
        for one in judged:
            done.setdefault(one.result.dimension, []).append((each, one))
    return done, failed


def _standings(
    dimension: str,
    judges: Sequence[tuple[Opened, Judged]],
    options: CompareOptions,
    again: Sequence[Recalibrated],
    db: str,
) -> Standings:
    part = judges[0][0].parts[dimension]
    rules = Rules(
        juries=options.juries,
        margin=options.margin,
        max_error=options.max_error,
        volume=options.volume,
        max_unscored=options.max_unscored,
        seed=options.seed,
    )
    searched = len(searched_items(part, part.golden.labelled, db))
    return standings_of(part.golden, judges, rules, again, searched=searched)


def _status(found: Sequence[Standings], failed: dict[str, str], max_unscored: float) -> Status:
    if failed:
        return "judge_failed"
    judges = (each for standings in found for each in standings.compared if each.kind == "judge")
    return "too_many_unscored" if any(too_many_unscored(each.alignment, max_unscored) for each in judges) else "ok"
