"""What a calibration starts from: its options, its models, what is refused, and what it will take at most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial

from calibrate.config import Settings
from calibrate.domain import Json, Model, ModelRequest, digest, unlike
from calibrate.errors import InputError
from calibrate.golden import HOLDOUT_FROM, HOLDOUT_SHARE, LoadOptions, choose_sides, folds, side_key, split
from calibrate.metrics import Gate
from calibrate.optimizer import META_PROMPT_VERSION, Limits
from calibrate.providers import Ledger, check_request, open_model
from calibrate.store import RunRecord, Store
from calibrate.workflows.evidence import Evidence
from calibrate.workflows.golden import raters_gate
from calibrate.workflows.people import read_annotators
from calibrate.workflows.preflight import (
    Estimate,
    Work,
    estimate,
    known_replies,
    refuse_unknown_price,
)
from calibrate.workflows.procedure import Plan, SearchOptions
from calibrate.workflows.progress import Progress
from calibrate.workflows.search_work import Rewrites, judging_candidates, rewriting
from calibrate.workflows.setup import JudgeOptions, Prepared, judge_record, prepare
from calibrate.workflows.starting import start_from, without_shown
from calibrate.workflows.task_sets import load_for_task
from calibrate.workflows.two_step_work import judging_works, second_step, splitting_again

__all__ = ["OptimizeOptions", "PlannedSearch", "next_number", "open_search", "search_key", "search_spec"]

_FEWEST_ITEMS = 3
_DECIDES = (
    "judge",
    "prompt",
    "optimizer",
    "strategies",
    "policy",
    "width",
    "analysis",
    "objective",
    "prune",
    "race",
    "max_prompt",
    "seed",
)
"""The parts of a specification that decide which prompts are tried."""


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
        search: how the loop searches.
        start: the earlier prompt to start from, ``RUN`` or ``RUN:CANDIDATE``; None for the judge's own.
        acceptable: the alignment below which the result is not acceptable; recorded with the run.
        require: whether missing it makes the command fail.
        new: start another calibration of the same specification instead of showing the finished one.
        force: calibrate although the raters agree too little; recorded.
        max_prompt: the longest prompt in characters.
        max_unscored: share of unscored verdicts above which the result is not called usable.
        seed: of the intervals, and of the search's draws.
        budget: US dollars that judge and meta-LLM may cost together, earlier parts of an interrupted run included; None
            for no limit.
        annotators: what the raters are: ``experts``, ``skilled`` or ``crowd``.
        holdout: share of the items that the search does not see; None holds out 30 % where there are 100 or more.
        confirm: a file of fresh labels on which winner and baseline are compared.
        cross_fit: further calibrations, each tested on the fold that it did not see; 0 for none.
        noise_repeats: fresh runs of baseline and winner that measure the judge's own variation; below 2 for none.
    """

    set_path: str
    judge: JudgeOptions
    optimizer: str
    load: LoadOptions = field(default_factory=LoadOptions)
    dimensions: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    search: SearchOptions = field(default_factory=SearchOptions)
    start: str | None = None
    acceptable: float = 0.7
    require: bool = False
    new: bool = False
    force: bool = False
    max_prompt: int = 6000
    max_unscored: float = 0.05
    seed: int = 0
    budget: float | None = None
    annotators: str = "experts"
    holdout: float | None = None
    confirm: str | None = None
    cross_fit: int = 0
    noise_repeats: int = 3


@dataclass(frozen=True, slots=True)
class PlannedSearch:
    """A calibration about to start.

    Attributes:
        prepared: the dimensions, each with the items that the search sees and those it does not.
        judge: the judge's model.
        meta: the meta-LLM.
        options: what was asked for.
        plan: how the loop searches.
        gates: whether the raters of each dimension agree enough, over all its items.
        notes: what the user should know of the items.
    """

    prepared: tuple[Prepared, ...]
    judge: Model
    meta: Model
    options: OptimizeOptions
    plan: Plan
    gates: tuple[Gate, ...] = ()
    notes: tuple[str, ...] = ()

    async def close(self) -> None:
        """Close both models."""
        await self.judge.close()
        await self.meta.close()

    def say_agreement(self, progress: Progress) -> None:
        """Say where the raters agree too little, or where that is not known."""
        for gate in self.gates:
            if gate.passed is not True:
                progress.note(gate.reason + ("; calibrated all the same (--force)" if gate.passed is False else ""))

    def estimate(self, db: str) -> Estimate:
        """Return what the calibrations take if none stops early; finished ones take nothing.

        The calls are all that there can be. Tokens and cost are those to be expected (:class:`Rewrites` says of what),
        without asking once more for rewrites that cannot be used.
        """
        from calibrate.workflows.proving import item_digests  # which needs this module

        options, judge, meta = self.options, self.judge, self.meta
        limits, search, folds = options.limits, options.search, options.cross_fit
        rewrites = Rewrites(
            limits.iterations,
            search.width,
            search.analysis,
            limits.history,
            limits.errors,
            limits.characters,
            options.max_prompt,
        )
        repeats = options.noise_repeats if options.noise_repeats > 1 else 0
        works: list[Work] = []
        with known_replies(db) as known:
            for part in self.prepared:
                run = None if known is None else self._finished(known, part)
                judged, asked = partial(judging_candidates, known, judge), options.judge
                written = rewrites.length(part.prompt.text)
                both = (written + len(part.prompt.text)) / 2  # on average: about as many verdicts by each
                again, seen = max(0, 2 * repeats - 1), second_step(known, part)
                if run is None:
                    works += [
                        *judging_works(known, judge, part, asked),
                        judged(seen, asked, rewrites.count, length=written, purpose="judging rewrites"),
                        rewriting(known, meta, part, asked, rewrites),
                        *splitting_again(known, part, asked, again, "noise"),
                        judged(seen, asked, again, length=both, purpose="noise"),
                    ]
                    if part.held_out is not None:
                        held = replace(part, golden=part.held_out)
                        works += splitting_again(known, held, asked, 1, "holdout")
                        works.append(judged(second_step(known, held), asked, 2, length=both, purpose="holdout"))
                made = Evidence.from_json((run.result or {}).get("evidence") if run else None).unseen
                if part.fresh is not None:
                    items = item_digests(part.fresh)
                    if not any(each.source == "confirm" and each.items == items for each in made):
                        fresh = replace(part, golden=part.fresh)
                        works += splitting_again(known, fresh, asked, 1, "fresh labels")
                        works.append(judged(second_step(known, fresh), asked, 2, length=both, purpose="fresh labels"))
                if folds and not any(each.source == "cross_fit" and each.where == f"{folds} folds" for each in made):
                    # Each item is searched on in all folds but its own, and judged by the winner of its own; what the
                    # first prompt says of it is known, unless it is asked afresh.
                    times, purpose = (folds - 1) * rewrites.count + 1, "cross-fit"
                    works += [
                        judged(seen, asked, times, length=written, purpose=purpose, unlikely=folds),
                        rewriting(known, meta, part, asked, rewrites, searches=folds, purpose=purpose),
                    ]
        return estimate(works, [judge, meta], upper=True)

    def _finished(self, store: Store, part: Prepared) -> RunRecord | None:
        """Return the finished run that would be shown, None when the search starts or goes on."""
        spec = search_spec(part, self)
        run = store.find_run("optimize", spec, part.golden.digest, part.dimension)
        return run if run is not None and run.status == "done" and not self.options.new else None


def open_search(options: OptimizeOptions, settings: Settings, ledger: Ledger, db: str) -> PlannedSearch:
    """Load the set and open the models; whatever cannot be used is refused here, before anything is written.

    Raises:
        InputError: bad input, gold of a single class, raters who agree too little, or a budget without a price.
    """
    read_annotators(options.annotators)
    plan = Plan.of(options.search, seed=options.seed)
    if not plan.stopping.is_off and options.judge.mode == "batch":
        raise InputError(
            "--prune and --race judge in stages, and each would wait for a batch of its own; leave one out"
        )
    start = None if options.start is None else start_from(options.start, options.judge, db)
    asked = options.judge if start is None else start.judge
    prepared, judge = prepare(
        options.set_path, asked, options.load, options.dimensions, settings, ledger, look_for_quotes=start is None
    )
    if options.judge.is_code:
        raise InputError(f"{options.judge.model} is code: there is no prompt to rewrite; use `calibrate baseline`")
    if options.optimizer.startswith("sim:reader"):
        raise InputError(f"{options.optimizer} judges and cannot rewrite a prompt; use sim:writer", field="--optimizer")
    meta = open_model(options.optimizer, settings, ledger=ledger)
    check_request(meta, ModelRequest(system="", user=""))
    for model in (judge, meta):
        refuse_unknown_price(model, ledger.cap)
    gates = tuple(_gate(part, options) for part in prepared)
    notes: list[str] = []
    if start is not None:
        prepared = tuple(without_shown(part, start, notes) for part in prepared)
    prepared = tuple(_with_fresh(_hold_out(part, options, db, notes), options, notes) for part in prepared)
    for part in prepared:
        _refuse_unusable(part)
        plan.objective(part.golden.scales[part.dimension])  # refuses what the scale does not have
        if options.cross_fit:
            folds(part.golden, options.cross_fit)  # refuses what cannot be cut into so many
    return PlannedSearch(prepared, judge, meta, options, plan, gates, tuple(notes))


def _gate(part: Prepared, options: OptimizeOptions) -> Gate:
    gate = raters_gate(part.golden)
    if gate.passed is False and not options.force:
        raise InputError(f"{gate.reason}; mend the rubric, or calibrate all the same with --force", file=part.source)
    return gate


def _hold_out(part: Prepared, options: OptimizeOptions, db: str, notes: list[str]) -> Prepared:
    """Return the dimension with its holdout taken out; what an earlier search saw is never held out."""
    many = len(part.golden.labelled) >= HOLDOUT_FROM
    share = options.holdout if options.holdout is not None else HOLDOUT_SHARE if many else 0.0
    if share == 0.0:
        return part
    keys = [side_key(item, part.dimension) for item in part.golden.labelled]
    with known_replies(db) as store:
        sides = choose_sides(part.golden, share, {} if store is None else store.sides(keys))
    development, held = split(part.golden, sides)
    if not held.labelled and options.holdout is None:
        notes.append(f"nothing of '{part.dimension}' is held out: earlier searches have seen all its items")
        return part
    if not held.labelled or not development.labelled:
        raise InputError(
            f"a holdout of {share:g} leaves one side of '{part.dimension}' empty (what an earlier search has seen is "
            "never held out); label more items, or --holdout 0",
            file=part.source,
        )
    return replace(part, golden=development, held_out=held, sides=sides)


def _with_fresh(part: Prepared, options: OptimizeOptions, notes: list[str]) -> Prepared:
    """Return the dimension with the fresh labels on which its winner is to be tested.

    Raises:
        InputError: the file cannot be used, has another scale, or holds nothing new.
    """
    file = options.confirm
    if file is None:
        return part
    dimension, task = part.dimension, part.settings.task
    golden = load_for_task(task, str(file), options.load, (dimension,), []).golden
    if dimension not in golden.scales:
        raise InputError(f"no dimension '{dimension}' in it; it has {', '.join(golden.dimensions)}", file=file)
    fresh = golden.only(dimension)
    if fresh.scales[dimension] != part.golden.scales[dimension]:
        raise InputError(f"its '{dimension}' has another scale than the set that is calibrated on", file=file)
    own = [item for each in (part.golden, part.held_out) if each is not None for item in each.items]
    new = unlike(fresh.labelled, [*own, *part.shown])
    left_out = len(fresh.labelled) - len(new)
    if not new:
        raise InputError("all its labelled items, or their groups, are in the set that is calibrated on", file=file)
    if left_out:
        notes.append(f"{left_out} items of {file}, or their groups, are in the calibration's own set and are left out")
    return replace(part, fresh=fresh.with_items(new))


def search_spec(part: Prepared, search: PlannedSearch, fold: Mapping[str, Json] | None = None) -> dict[str, Json]:
    """Return everything that fixes a calibration's result; what it may cost is no part of it.

    Args:
        part: the dimension.
        search: the models and the options.
        fold: of a cross-fit: which run it belongs to, and which of its folds is left out.
    """
    meta, options = search.meta, search.options
    return {
        "judge": judge_record(search.judge, part.settings, part.splitter),
        "prompt": digest(part.prompt.text),
        "optimizer": {"model": meta.name, "identity": dict(meta.identity), "version": META_PROMPT_VERSION},
        **search.plan.record(search.plan.objective(part.golden.scales[part.dimension])),
        "limits": asdict(options.limits),
        "acceptable": options.acceptable,
        "max_prompt": options.max_prompt,
        "force": options.force,
        "seed": options.seed,
        **({"examples": [item.to_json() for item in part.shown]} if part.shown else {}),
        **({} if part.held_out is None else {"holdout": part.held_out.digest}),
        **({} if fold is None else {"fold": dict(fold)}),
    }


def search_key(run: RunRecord) -> str:
    """Return the digest of what decides which prompts are tried, in which order: everything but when to stop."""
    limits = run.spec.get("limits", {})
    search: dict[str, Json] = {
        **{name: run.spec.get(name) for name in _DECIDES},
        **{name: limits.get(name) for name in ("history", "errors", "characters")},
        "golden": run.golden_digest,
        "dimension": run.dimension,
        "kind": run.kind,
        "number": run.number,
    }
    return digest(search)


def next_number(store: Store, spec: Mapping[str, Json], golden_digest: str, dimension: str) -> int:
    """Return the number of another search: one more than those of all that search as ``spec`` says, limits aside."""
    wanted = RunRecord(0, "optimize", 0, spec, golden_digest, dimension, "running", None, "", "", None)
    alike = search_key(wanted)
    return 1 + max((run.number for run in store.runs() if search_key(replace(run, number=0)) == alike), default=-1)


def _refuse_unusable(part: Prepared) -> None:
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
