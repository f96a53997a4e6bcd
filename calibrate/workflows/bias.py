"""A judge's leanings: what its stored verdicts show, and what asking again with edits that must not matter shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from calibrate.config import Settings
from calibrate.domain import Json, Model, Verdict, canonical_json, digest
from calibrate.domain.version import VERSION
from calibrate.errors import InputError
from calibrate.judge import JudgeSettings, Prompt, load_prompt
from calibrate.metrics import Probe
from calibrate.providers import Ledger
from calibrate.store import RunRecord, Store
from calibrate.workflows.bias_case import answer_inputs, read_case
from calibrate.workflows.bias_probes import ProbeOptions, probes_of_changes, probes_of_verdicts
from calibrate.workflows.evaluation import Evaluator
from calibrate.workflows.harmless_edits import (
    AGAIN,
    AS_GIVEN,
    EDITS,
    LAYOUT,
    SWAPPED,
    Variant,
    edited,
    new_layout,
    swapped,
)
from calibrate.workflows.preflight import DryRun, estimate, judging, known_replies, refuse_unknown_price
from calibrate.workflows.progress import Progress
from calibrate.workflows.record import spending_in_words, spent
from calibrate.workflows.results import document
from calibrate.workflows.returned import returned_notes
from calibrate.workflows.sentences import counted
from calibrate.workflows.setup import LEXICAL, JudgeOptions, Mode, Prepared, input_names, judge_record, open_judge
from calibrate.workflows.spending import count_earlier_parts, how_it_ended
from calibrate.workflows.stored import Chosen, choose, load_run, parse_reference

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["BiasOptions", "BiasReport", "bias", "bias_dry_run"]


@dataclass(frozen=True, slots=True)
class BiasOptions:
    """What to look for.

    Attributes:
        reference: a run, or one of its candidates, as ``show`` takes it.
        probes: what the set cannot tell by itself.
        ask: whether the judge is asked again, with edits that must not matter; else nothing is spent.
        again: with ``ask``: ask the same again too, to tell flips from the judge's own noise.
        paraphrases: with ``ask``: prompt files that say the same as the judge's prompt.
        concurrency: calls in flight at most; None takes what is declared for the model.
        fresh: with ``ask``: ask again instead of replaying stored replies.
        budget: US dollars that asking may cost, earlier parts included; None for no limit.
        mode: call by call, or through the provider's batch endpoint.
        poll_seconds: between two looks at a batch.
    """

    reference: str
    probes: ProbeOptions = field(default_factory=ProbeOptions)
    ask: bool = False
    again: bool = False
    paraphrases: tuple[Path, ...] = ()
    concurrency: int | None = None
    fresh: bool = False
    budget: float | None = None
    mode: Mode = "direct"
    poll_seconds: float = 30.0

    def __post_init__(self) -> None:
        if not self.ask and (self.again or self.paraphrases or self.fresh or self.budget is not None):
            raise InputError("--again, --prompt-paraphrase, --fresh and --budget are for calls to the judge: add --ask")


@dataclass(frozen=True, slots=True)
class BiasReport:
    """What the probes found.

    Attributes:
        sentence: what a manager can quote.
        reference: the judged candidate, ``RUN:CANDIDATE``.
        judge: the judge model's name.
        dimension: the dimension.
        n: labelled items.
        scored: those to which the judge gave a label.
        probes: one entry for each probe.
        notes: what was done, and what should be known.
        run: what asking the judge took; None without calls.
        simulated: whether the judge is a simulated model.
    """

    sentence: str
    reference: str
    judge: str
    dimension: str
    n: int
    scored: int
    probes: tuple[Probe, ...]
    notes: tuple[str, ...]
    run: Mapping[str, Json] | None
    simulated: bool

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document."""
        return document(
            "ok",
            sentence=self.sentence,
            reference=self.reference,
            judge=self.judge,
            dimension=self.dimension,
            n=self.n,
            scored=self.scored,
            results=[each.to_json() for each in self.probes],
            notes=list(self.notes),
            run=self.run,
            simulated=self.simulated,
        )

    def frame(self) -> pd.DataFrame:
        """Return one row for each probe; unknown figures are missing values."""
        import pandas as pd

        return pd.DataFrame([{k: v for k, v in each.to_json().items() if k != "figures"} for each in self.probes])


async def bias(options: BiasOptions, settings: Settings, db: str, progress: Progress) -> BiasReport:
    """Probe a judge for leanings, from its stored verdicts and, where asked, from new ones.

    Raises:
        InputError: there is no such run, an option does not fit its set, or the judge is not what it was.
        ProviderError: the judge failed; what was answered is stored.
        BudgetExceeded: the budget ended; what was answered is stored.
    """
    with Store(db, create=False, version=VERSION) as store:
        chosen = _chosen(store, options.reference)
        _refuse_misfits(chosen, options)
        earlier = store.find_run("bias", _spec(chosen), chosen.stored.run.golden_digest, chosen.stored.run.dimension)
        known = dict((earlier.result or {}).get("variants", {})) if earlier is not None else {}
        run, notes = None, list[str]()
        if options.ask:
            run, known, notes = await _ask(chosen, options, settings, store, progress)
        repeated = _repetition(store, chosen) if known and AGAIN not in known else {}
        verdicts = {name: store.verdicts(int(each)) for name, each in {**known, **repeated}.items()}
        report = _report(chosen, options, verdicts, notes, run)
        if run is not None:
            facts = {"variants": known, "sentence": report.sentence, **run, "probes": report.to_json()["results"]}
            store.finish_run(int(str(run["run"])), "done", facts)
    return report


async def bias_dry_run(options: BiasOptions, settings: Settings, db: str) -> DryRun:
    """Return what asking the judge would take; nothing is written or spent.

    Raises:
        InputError: as :func:`bias`.
    """
    ledger = Ledger(options.budget)
    with Store(db, create=False, version=VERSION) as store:
        chosen = _chosen(store, options.reference)
        _refuse_misfits(chosen, options)
        source = store.golden_origin(chosen.stored.run.golden_digest)[1]
    model, judge = _open(chosen, options, settings, ledger)
    try:
        refuse_unknown_price(model, ledger.cap)
        how = JudgeOptions(model.name, fresh=options.fresh, mode=options.mode, poll_seconds=options.poll_seconds)
        with known_replies(db) as known:
            works = [
                judging(
                    known, model, Prepared(each.golden, each.prompt, _counted(each), source), how, purpose="probing"
                )
                for each in _variants(chosen, options, judge)
            ]
        return DryRun(estimate(works, [model]))
    finally:
        await model.close()


def _chosen(store: Store, reference: str) -> Chosen:
    run_id, number = parse_reference(reference)
    stored = load_run(store, run_id)
    if stored.run.kind == "bias":
        raise InputError(f"run {run_id} holds probes of another run's judge; name that run: {stored.run.spec['of']}")
    return choose(store, stored, number)


def _refuse_misfits(chosen: Chosen, options: BiasOptions) -> None:
    """Refuse options that do not fit the set before anything is spent."""
    golden = chosen.golden
    answer_inputs(golden, options.probes.answer)
    case = read_case(golden, chosen.verdicts, options.probes.accept)
    for column in options.probes.by:
        case.column(column)
    for column in options.probes.model_columns:
        case.column(column, most=None)


def _spec(chosen: Chosen) -> dict[str, Json]:
    """What fixes a run of probes: the judge, and which verdicts it is probed against."""
    return {
        "judge": chosen.stored.run.spec["judge"],
        "prompt": digest(chosen.candidate.prompt),
        "of": chosen.reference,
        "evaluation": chosen.candidate.evaluation,
    }


def _repetition(store: Store, chosen: Chosen) -> dict[str, int]:
    """Return the evaluation of another run of the same judge that ``noise`` has made, if it has made one."""
    run, prompt = chosen.stored.run, digest(chosen.candidate.prompt)
    for each in reversed(store.runs()):
        same = each.golden_digest == run.golden_digest and each.spec.get("prompt") == prompt
        if each.kind == "noise" and each.status == "done" and same and each.spec["judge"] == run.spec["judge"]:
            made = (each.result or {}).get("evaluations") or [one.evaluation for one in store.candidates(each.id)]
            others = [one for one in made if one is not None and one != chosen.candidate.evaluation]
            if others:
                return {AGAIN: others[0]}
    return {}


def _open(chosen: Chosen, options: BiasOptions, settings: Settings, ledger: Ledger) -> tuple[Model, JudgeSettings]:
    """Open the judge as it was.

    Raises:
        InputError: it cannot be opened, or it is another one now.
    """
    recorded = chosen.stored.run.spec["judge"]
    if recorded.get("splitter"):
        raise InputError(f"run {chosen.stored.run.id} judges claim by claim, which --ask does not probe; leave it out")
    judge = JudgeSettings(**recorded["settings"])
    embedder = (recorded["identity"].get("embedder") or {}).get("name", LEXICAL)
    how = JudgeOptions(recorded["model"], task=judge.task, embedder=embedder, concurrency=options.concurrency)
    model = open_judge(how, settings, ledger)
    if canonical_json(judge_record(model, judge)) != canonical_json(recorded):
        raise InputError(
            f"{model.name} is not what it was when run {chosen.stored.run.id} judged (its code, address or this tool "
            "has changed); run that command again and probe the new run"
        )
    return model, judge


def _variants(chosen: Chosen, options: BiasOptions, judge: JudgeSettings) -> list[Variant]:
    """Return everything that the judge is to be asked."""
    golden = chosen.golden
    inputs = input_names(golden)
    # What this judge was given is not read as strictly again: its prompt was accepted then.
    prompt = Prompt.parse(chosen.candidate.prompt, inputs)
    answers = answer_inputs(golden, options.probes.answer)
    found = [Variant(name, edited(golden, name, answers), prompt, judge) for name in EDITS if answers]
    if not judge.code:
        found.append(Variant(LAYOUT, golden, new_layout(prompt, inputs, golden.language), judge))
    for path in options.paraphrases:
        if judge.code:
            raise InputError("this judge is code and reads no prompt; leave --prompt-paraphrase out")
        found.append(Variant(f"paraphrase {path.name}", golden, load_prompt(path, inputs), judge))
    if golden.scales[chosen.stored.run.dimension].kind == "pairwise":
        once = judge.asked_once
        found.append(Variant(SWAPPED, swapped(golden), prompt, once))
        if judge.asks_more_than_once:
            found.append(Variant(AS_GIVEN, golden, prompt, once))
    if options.again:
        found.append(Variant(AGAIN, golden, prompt, judge, repeat=1))
    return found


def _counted(variant: Variant) -> JudgeSettings:
    """Settings under which the estimate counts a variant's calls: a repetition comes after the first replies."""
    votes = variant.settings.votes
    return replace(variant.settings, votes=2 * votes, adaptive=False) if variant.repeat else variant.settings


async def _ask(
    chosen: Chosen,
    options: BiasOptions,
    settings: Settings,
    store: Store,
    progress: Progress,
) -> tuple[dict[str, Json], dict[str, int], list[str]]:
    """Ask the judge about every variant; return what it took, all evaluations so far, and what should be known."""
    ledger = Ledger(options.budget)
    model, judge = _open(chosen, options, settings, ledger)
    original = chosen.stored.run
    try:
        refuse_unknown_price(model, ledger.cap)
        variants = _variants(chosen, options, judge)
        earlier = store.find_run("bias", _spec(chosen), original.golden_digest, original.dimension)
        count_earlier_parts(store, ledger, [earlier], fresh=options.fresh)
        run = store.start_run("bias", _spec(chosen), original.golden_digest, original.dimension)
        asked: dict[str, int] = dict((run.result or {}).get("variants", {}))
        notes: list[str] = []
        paid = 0
        try:
            for each in variants:
                store.save_golden(each.golden, store.golden_origin(original.golden_digest)[1])
                evaluator = Evaluator(
                    store,
                    run.id,
                    each.golden,
                    model,
                    each.settings,
                    concurrency=options.concurrency,
                    progress=progress,
                    ledger=ledger,
                    fresh=options.fresh and each.name != AS_GIVEN,
                    poll_seconds=options.poll_seconds if options.mode == "batch" else None,
                )
                (evaluated,) = await evaluator.evaluate([each.prompt], f"Asking: {each.name}", repeat=each.repeat)
                asked[each.name] = evaluated.evaluation
                paid += evaluated.paid_calls
                notes += [note for note in returned_notes(store, model.name, evaluated) if note not in notes]
        except BaseException as error:
            store.finish_run(run.id, how_it_ended(error, progress, run.id, fresh=options.fresh), _kept(run, asked))
            raise
    finally:
        await model.close()
    spending = store.spending(run.id)
    facts: dict[str, Json] = {
        "run": run.id,
        "paid_calls": paid,
        "spent": spent(spending),
        "spent_in_words": spending_in_words(spending, simulated=model.simulated),
    }
    if judge.code:
        notes.append("the judge is code and reads no prompt: its prompt was not changed")
    return facts, asked, notes


def _kept(run: RunRecord, variants: Mapping[str, int]) -> dict[str, Json]:
    return {**(run.result or {}), "variants": dict(variants)}


def _report(
    chosen: Chosen,
    options: BiasOptions,
    verdicts: Mapping[str, Mapping[str, Verdict]],
    notes: Sequence[str],
    run: Mapping[str, Json] | None,
) -> BiasReport:
    stored = chosen.stored
    golden, judge = chosen.golden, str(stored.run.spec["judge"]["model"])
    case = read_case(golden, chosen.verdicts, options.probes.accept)
    probes = [
        *probes_of_verdicts(case, golden, judge, options.probes),
        *probes_of_changes(case, chosen.verdicts, verdicts, noiseless=judge.startswith("sim:")),
    ]
    said = [*notes]
    if case.left_out:
        said.append(f"{counted(case.left_out, 'item')} without a verdict left out")
    if not verdicts:
        said.append(
            "the judge was not asked: --ask shows whether white space, a polite opener, a restatement, the prompt's "
            "layout" + (" or the order of the answers" if case.is_pairs else "") + " changes its verdicts"
        )
    if len(probes) > 1:
        said.append(
            f"{len(probes)} probes were made: each finds a bias where there is none in one of twenty sets, by chance"
        )
    return BiasReport(
        sentence=_sentence(chosen, probes),
        reference=chosen.reference,
        judge=judge,
        dimension=stored.run.dimension,
        n=len(golden.labelled),
        scored=len(case.items),
        probes=tuple(probes),
        notes=tuple(said),
        run=run,
        simulated=judge.startswith("sim:"),
    )


def _sentence(chosen: Chosen, probes: Sequence[Probe]) -> str:
    who = f"{chosen.reference}, {chosen.stored.run.spec['judge']['model']} on {chosen.stored.run.dimension}"
    found = [f"{_name(each)} ({each.reason})" for each in probes if each.conclusion == "biased"]
    counts = (
        (sum(each.conclusion == "no_sign" for each in probes), "no sign of a bias that matters in {}"),
        (sum(each.conclusion == "cannot_tell" for each in probes), "these items cannot tell in {}"),
        (sum(each.conclusion == "not_identifiable" for each in probes), "not identifiable in {}"),
    )
    rest = [words.format(number) for number, words in counts if number]
    first = f"biased in {len(found)} of {counted(len(probes), 'probe')}: {'; '.join(found)}" if found else ""
    if not found:
        first = f"no bias found in {counted(len(probes), 'probe')}"
    return f"{who}: {'; '.join([first, *rest])}."


def _name(probe: Probe) -> str:
    name = probe.name.replace("_", " ")
    return name if probe.value is None else f"{name} {probe.value}"
