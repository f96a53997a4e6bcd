"""Evaluating RAG systems: retrieval first and without any model, then the answers, with judges that are known."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from calibrate.config import Settings
from calibrate.domain import GoldenSet, Item, Json, Scale
from calibrate.domain.version import VERSION
from calibrate.errors import InputError
from calibrate.providers import Ledger
from calibrate.rag import Bank
from calibrate.rag.judged_items import Role
from calibrate.store import Store
from calibrate.workflows.preflight import Estimate, estimate, known_replies, refuse_unknown_price
from calibrate.workflows.progress import Progress
from calibrate.workflows.rag_asking import Answered, Subject, ask_all, works
from calibrate.workflows.rag_floors import floor_notes
from calibrate.workflows.rag_found import facts_of
from calibrate.workflows.rag_judges import Asking, RoleJudge, close_judges, open_role_judges
from calibrate.workflows.rag_measure import measure_variant
from calibrate.workflows.rag_options import RagOptions
from calibrate.workflows.rag_plan import RagPlan, plan_of
from calibrate.workflows.rag_preparing import Loaded, load
from calibrate.workflows.rag_report import RagReport
from calibrate.workflows.rag_sentences import report_sentence
from calibrate.workflows.record import spending_in_words, spent
from calibrate.workflows.returned import returned_notes
from calibrate.workflows.spending import count_earlier_parts, how_it_ended

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

__all__ = ["rag_dry_run", "rag_run"]

DIMENSION = "rag"


async def rag_run(options: RagOptions, settings: Settings, db: str, progress: Progress) -> RagReport:
    """Evaluate the variants of a RAG system on a bank, and compare them.

    Every verdict is stored before it counts; an interrupted command run again pays only for what is missing.

    Raises:
        InputError: before anything is written, when bank, outputs or judges cannot be used.
        ProviderError: a judge failed throughout; what was answered is stored.
        BudgetExceeded: the budget ended; what was answered is stored.
    """
    read = await load(options, settings, progress)
    for message in read.messages:
        progress.note(message)
    ledger = Ledger(options.budget)
    async with _judges(read, settings, db, ledger) as judges:
        _refuse_unknown_prices(judges, ledger)
        told = _estimate(read.subject, judges, db)
        if told.calls:
            progress.note(told.sentence)
        with Store(db, version=VERSION) as store:
            return await _run(read, judges, store, progress, ledger)


async def rag_dry_run(options: RagOptions, settings: Settings, db: str, progress: Progress) -> RagPlan:
    """Return what :func:`rag_run` would ask of the judges and what that would cost; nothing is written or spent.

    Live systems are not asked: without recorded outputs there is nothing to plan.

    Raises:
        InputError: as for :func:`rag_run`.
    """
    if options.systems:
        raise InputError("--dry-run does not ask live systems; plan with recorded outputs (--variant NAME=FILE)")
    read = await load(options, settings, progress)
    ledger = Ledger(options.budget)
    async with _judges(read, settings, db, ledger) as judges:
        _refuse_unknown_prices(judges, ledger)
        return plan_of(_estimate(read.subject, judges, db), read.subject.bank, read.subject.variants)


@asynccontextmanager
async def _judges(read: Loaded, settings: Settings, db: str, ledger: Ledger) -> AsyncIterator[dict[Role, RoleJudge]]:
    options = read.subject.options
    asking = Asking(read.subject.bank.language, options.embedder, options.concurrency, per_claim=options.per_claim)
    with known_replies(db) as store:
        judges = open_role_judges(read.roles, options.judges, asking, settings, store, ledger)
    try:
        yield judges
    finally:
        await close_judges(judges)


def _refuse_unknown_prices(judges: Mapping[Role, RoleJudge], ledger: Ledger) -> None:
    for judge in judges.values():
        refuse_unknown_price(judge.model, ledger.cap)


def _estimate(subject: Subject, judges: Mapping[Role, RoleJudge], db: str) -> Estimate:
    with known_replies(db) as store:
        return estimate(works(subject, judges, store), [judge.model for judge in judges.values()])


async def _run(
    read: Loaded, judges: Mapping[Role, RoleJudge], store: Store, progress: Progress, ledger: Ledger
) -> RagReport:
    subject, options = read.subject, read.subject.options
    golden = _as_set(subject.bank)
    golden_digest = store.save_golden(golden, subject.bank.source)
    spec = _spec(subject, judges)
    earlier = store.find_run("rag", spec, golden_digest, DIMENSION)
    count_earlier_parts(store, ledger, [earlier], fresh=options.fresh)
    run = store.start_run("rag", spec, golden_digest, DIMENSION)
    try:
        answered = await ask_all(subject, judges, store, run.id, progress, ledger)
    except BaseException as error:
        store.finish_run(run.id, how_it_ended(error, progress, run.id, fresh=options.fresh))
        raise
    measured = [measure_variant(subject, each, answered, judges) for each in subject.variants]
    facts = await asyncio.to_thread(facts_of, subject, measured, answered, judges)
    missing = too_many_missing(answered, options.max_unscored)
    silent, unfounded = _silent(facts, options.max_unscored), _without_claims(facts)
    notes = [*read.messages, *_notes(store, answered, judges), *floor_notes(judges), *silent, *unfounded]
    for note in notes[len(read.messages) :]:
        progress.note(note)
    simulated = any(judge.model.simulated for judge in judges.values())
    spending = store.spending(run.id)
    report = RagReport(
        " ".join([report_sentence(facts, missing), *(f"{each[0].upper()}{each[1:]}." for each in unfounded)]),
        "too_many_unscored" if missing else "too_many_missing" if silent else "no_claims" if unfounded else "ok",
        run.id,
        facts,
        tuple(notes),
        spent(spending) if judges else None,
        spending_in_words(spending, simulated=simulated) if judges else "",
        simulated,
    )
    store.finish_run(run.id, "done", report.stored())
    return report


def too_many_missing(answered: Answered, allowed: float) -> tuple[str, ...]:
    """Return the roles of which a larger share of verdicts than ``allowed`` is missing."""
    return tuple(
        role
        for role, verdicts in answered.verdicts.items()
        if verdicts.items and len(verdicts.unscored) / len(verdicts.items) > allowed
    )


def _silent(facts: Mapping[str, Any], allowed: float) -> tuple[str, ...]:
    """Name the variants of which a larger share of outputs than ``allowed`` is missing."""
    of = facts["bank"]["questions"]
    return tuple(
        f"{each['name']}: {each['missing']} of {of} outputs are missing, more than --max-unscored {allowed:g} allows"
        for each in facts["variants"]
        if each["missing"] / of > allowed
    )


def _without_claims(facts: Mapping[str, Any]) -> tuple[str, ...]:
    """Name the variants in whose answers the splitter found nothing, which says more of it than of them."""
    names = [each["name"] for each in facts["variants"] if each["without_claims"]]
    return (f"no claim was found in any answer of {', '.join(names)}: look at the judge for claims",) if names else ()


def _notes(store: Store, answered: Answered, judges: Mapping[Role, RoleJudge]) -> Iterator[str]:
    for role, verdicts in answered.verdicts.items():
        if not verdicts.items:
            continue
        yield from returned_notes(store, judges[role].model.name, verdicts.evaluated)
        reasons = Counter(each.detail or each.reason for each in verdicts.unscored)
        if reasons:
            detail, times = reasons.most_common(1)[0]
            count = len(verdicts.unscored)
            often = "" if times == count else f"{times} of them: "
            yield f"{role}: {count} of {len(verdicts.items)} without a verdict; {often}{detail}"


def _spec(subject: Subject, judges: Mapping[Role, RoleJudge]) -> dict[str, Json]:
    options = subject.options
    models = dict.fromkeys(judge.model.name for judge in judges.values())
    return {
        "judge": {"model": ", ".join(models) or "none", "identity": None, "settings": {}},
        "judges": {role: judge.to_json() for role, judge in judges.items()},
        "corpus": None if subject.corpus is None else subject.corpus.digest,
        "variants": {each.name: each.digest for each in subject.variants},
        "metrics": list(subject.metrics),
        "cuts": list(options.cuts),
        "per_claim": options.per_claim,
        "context_unit": options.context_unit,
        "phrases": list(options.phrases),
        "only_phrases": options.only_phrases,
        "seed": options.seed,
    }


def _as_set(bank: Bank) -> GoldenSet:
    """Return a bank as the set that its run is kept with; nobody judges it as such."""
    items = tuple(
        Item(
            each.id,
            DIMENSION,
            {"question": each.text, **({"reference": each.reference} if each.reference else {})},
            attributes={**each.attributes, "relevant": " ".join(each.relevant)},
            row=each.row,
        )
        for each in bank.questions
    )
    scale = Scale("binary", labels=("0", "1"), positive="1")
    return GoldenSet(bank.name, items, {DIMENSION: scale}, "a bank of questions", bank.language, "none")
