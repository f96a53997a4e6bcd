"""Step 0: run today's prompt and measure it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from calibrate.config import Settings
from calibrate.domain import GoldenSet, Json, Model, Unscored, Verdict, digest
from calibrate.domain.version import VERSION
from calibrate.golden import LoadOptions
from calibrate.metrics import Alignment, align
from calibrate.providers import Ledger, caution
from calibrate.store import CandidateRecord, RunRecord, Store
from calibrate.workflows.calibrated import calibrated_by
from calibrate.workflows.evaluated import Evaluated
from calibrate.workflows.people import people_of, read_annotators
from calibrate.workflows.preflight import DryRun, Estimate, estimate, known_replies, refuse_unknown_price
from calibrate.workflows.progress import Progress
from calibrate.workflows.record import money, run_record, spending_in_words, spent
from calibrate.workflows.results import JudgeAlignment, Report, Status, too_many_unscored
from calibrate.workflows.returned import returned_notes
from calibrate.workflows.sentences import counted, judges_sentence
from calibrate.workflows.setup import JudgeOptions, Prepared, judge_record, prepare
from calibrate.workflows.spending import count_earlier_parts, how_it_ended
from calibrate.workflows.splitter import judge_name
from calibrate.workflows.two_step import claim_facts, evaluator_for
from calibrate.workflows.two_step_work import judging_works

__all__ = [
    "BaselineOptions",
    "Judged",
    "baseline",
    "baseline_dry_run",
    "earlier_run",
    "first_candidate",
    "judge_part",
    "measure",
    "ranking",
]


@dataclass(frozen=True, slots=True)
class BaselineOptions:
    """What to run.

    Attributes:
        set_path: the golden set.
        judge: the judge.
        load: how to read the set.
        dimensions: which dimensions; empty for all.
        max_unscored: share of unscored verdicts above which the result is not called usable.
        seed: of the intervals.
        budget: US dollars that the runs may cost, earlier parts of an interrupted run included; None for no limit.
        annotators: what the raters are: ``experts``, ``skilled`` or ``crowd``.
        unlabelled: whether items without a label are judged too: they show which to label next, and count in no figure.
    """

    set_path: str
    judge: JudgeOptions
    load: LoadOptions = field(default_factory=LoadOptions)
    dimensions: tuple[str, ...] = ()
    max_unscored: float = 0.05
    seed: int = 0
    budget: float | None = None
    annotators: str = "experts"
    unlabelled: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """One dimension, judged and measured.

    Attributes:
        result: the alignment.
        facts: what is known of the run, as JSON.
        evaluated: the verdicts, and what they took.
    """

    result: JudgeAlignment
    facts: Mapping[str, Json]
    evaluated: Evaluated


async def baseline(options: BaselineOptions, settings: Settings, db: str, progress: Progress) -> Report:
    """Judge a golden set with one prompt per dimension and measure the alignment with the experts.

    Raises:
        InputError: before anything is written, when the set, prompt or model cannot be used.
        ProviderError: the model failed throughout; what was answered is stored.
        BudgetExceeded: the budget ended; what was answered is stored.
    """
    ledger = Ledger(options.budget)
    read_annotators(options.annotators)
    prepared, model = prepare(options.set_path, options.judge, options.load, options.dimensions, settings, ledger)
    for message in prepared[0].messages:
        progress.note(message)
    done: list[Judged] = []
    try:
        refuse_unknown_price(model, ledger.cap)
        told = _estimate(prepared, model, options, db)
        if told.calls:
            progress.note(told.sentence)
        with Store(db, version=VERSION) as store:
            count_earlier_parts(
                store, ledger, (earlier_run(store, part, model) for part in prepared), fresh=options.judge.fresh
            )
            for part in prepared:
                title = f"Judging {part.dimension}"
                done.append(await judge_part(part, model, options, store, progress, ledger, title=title))
    finally:
        await model.close()
    status: Status = "ok"
    results = [each.result for each in done]
    if any(too_many_unscored(each.alignment, options.max_unscored) for each in results):
        status = "too_many_unscored"
    return Report(
        sentence=judges_sentence(results, options.max_unscored),
        results=tuple(results),
        status=status,
        notes=prepared[0].messages,
        details={"runs": [dict(each.facts) for each in done]},
        simulated=model.simulated,
    )


async def baseline_dry_run(options: BaselineOptions, settings: Settings, db: str) -> DryRun:
    """Return what :func:`baseline` would do; nothing is written or spent.

    Raises:
        InputError: the set, prompt or model cannot be used, or there is a budget and no price.
    """
    ledger = Ledger(options.budget)
    prepared, model = prepare(options.set_path, options.judge, options.load, options.dimensions, settings, ledger)
    try:
        refuse_unknown_price(model, ledger.cap)
        return DryRun(_estimate(prepared, model, options, db))
    finally:
        await model.close()


def _estimate(prepared: Sequence[Prepared], model: Model, options: BaselineOptions, db: str) -> Estimate:
    with known_replies(db) as known:
        works = [
            work
            for part in prepared
            for work in judging_works(known, model, part, options.judge, unlabelled=options.unlabelled)
        ]
        return estimate(works, [model])


def _spec(part: Prepared, model: Model) -> dict[str, Json]:
    return {"judge": judge_record(model, part.settings, part.splitter), "prompt": digest(part.prompt.text)}


def earlier_run(store: Store, part: Prepared, model: Model) -> RunRecord | None:
    """Return the run of this judge on this dimension, None when there is none yet."""
    return store.find_run("baseline", _spec(part, model), part.golden.digest, part.dimension)


async def judge_part(
    part: Prepared,
    model: Model,
    options: BaselineOptions,
    store: Store,
    progress: Progress,
    ledger: Ledger,
    *,
    title: str,
) -> Judged:
    """Judge one dimension with its prompt, as a run of its own, and measure it.

    Args:
        part: the dimension.
        model: the judge's model.
        options: how the judge is asked, and how it is measured.
        store: the run database.
        progress: told of what happens.
        ledger: the command's.
        title: what the work is called while it goes on.

    Raises:
        ProviderError: the model failed throughout; what was answered is stored.
        BudgetExceeded: the budget ended; what was answered is stored.
    """
    golden_digest = store.save_golden(part.golden, part.source)
    run = store.start_run("baseline", _spec(part, model), golden_digest, part.dimension)
    evaluator = evaluator_for(
        store, run.id, part, model, options.judge, progress=progress, ledger=ledger, unlabelled=options.unlabelled
    )
    try:
        (evaluated,) = await evaluator.evaluate([part.prompt], title)
    except BaseException as error:
        store.finish_run(run.id, how_it_ended(error, progress, run.id, fresh=options.judge.fresh))
        raise
    warned = caution(model)
    notes = (*returned_notes(store, model.name, evaluated), *([warned] if warned else []))
    if evaluated.moved is not None:
        times = len(part.golden.labelled) * part.settings.votes
        notes = (*notes, f"{evaluated.moved} of {times} verdicts change when the answers change places")
    for note in notes:
        progress.note(note)
    labelled = [evaluated.verdicts[item.id] for item in part.golden.labelled]
    problems = Counter(each.detail for each in labelled if isinstance(each, Unscored))
    if problems:
        detail, times = problems.most_common(1)[0]
        missing, reason = sum(problems.values()), detail or "no reason given"
        often = "" if times == missing else f"{times} of them: "
        progress.note(f"{counted(missing, 'item')} without a verdict; {often}{reason}")
    alignment = measure(part.golden, evaluated.verdicts, seed=options.seed, max_unscored=options.max_unscored)
    if part.settings.confidence and alignment.confidence is None:
        progress.note(f"{model.name} tells no confidence: the figures are those without it")
    first = first_candidate(part, evaluated, seed=options.seed)
    store.save_candidate(run.id, first)
    people = people_of(part.golden, evaluated.verdicts, options.annotators)
    standing = calibrated_by(store, run, first)
    name = judge_name(judge_record(model, part.settings, part.splitter))
    result = JudgeAlignment(name, part.dimension, None, alignment, people, standing)
    spending = store.spending(run.id)
    facts: dict[str, Json] = {
        "run": run.id,
        "dimension": part.dimension,
        "paid_calls": evaluated.paid_calls,
        "replayed_from": evaluated.replayed_from,
        "cost": evaluated.cost,
        "cost_in_words": money(evaluated.cost),
        "spent": spent(spending),
        "spent_in_words": spending_in_words(spending, simulated=model.simulated),
        "notes": list(notes),
        "record": run_record(store, part, model, evaluated.evaluation, seed=options.seed),
    }
    if part.splitter is not None:
        facts["claims"] = claim_facts(store.verdicts(evaluated.evaluation).values(), part.splitter)
    store.finish_run(run.id, "done", {"results": [result.to_json()], **facts, "simulated": model.simulated})
    return Judged(result, facts, evaluated)


def measure(
    golden: GoldenSet, verdicts: Mapping[str, Verdict], *, seed: int = 0, max_unscored: float = 0.05
) -> Alignment:
    """Return the alignment suite of verdicts on the labelled items of a set with one dimension."""
    (dimension,) = golden.dimensions
    items = golden.labelled
    return align(
        [item.label for item in items],
        [verdicts[item.id] for item in items],
        golden.scales[dimension],
        groups=[item.group for item in items] if any(item.group for item in items) else None,
        seed=seed,
        max_unscored=max_unscored,
    )


def ranking(alignment: Alignment) -> float | None:
    """Return the alignment that candidates are ranked by: unscored verdicts count as wrong."""
    return (alignment.wrong or alignment).alignment.value


def first_candidate(part: Prepared, evaluated: Evaluated, *, seed: int) -> CandidateRecord:
    """Return the log entry of a run's first prompt."""
    alignment = measure(part.golden, evaluated.verdicts, seed=seed)
    return CandidateRecord(
        number=0,
        iteration=0,
        strategy="baseline",
        parent=None,
        prompt=part.prompt.text,
        status="scored",
        evaluation=evaluated.evaluation,
        score=ranking(alignment),
        metrics=alignment.to_json(),
        cost=evaluated.cost,
    )
