"""What a calibration starts from: its options, its models, what is refused, and what it will take at most."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from calibrate.config import Settings
from calibrate.domain import Json, Model, ModelRequest, digest
from calibrate.errors import InputError
from calibrate.golden import LoadOptions
from calibrate.optimizer import META_PROMPT_VERSION, STRATEGIES, Limits
from calibrate.providers import Ledger, check_request, open_model
from calibrate.store import RunRecord, Store
from calibrate.workflows.golden import raters_gate
from calibrate.workflows.people import read_annotators
from calibrate.workflows.preflight import (
    Estimate,
    estimate,
    judging,
    judging_candidates,
    known_replies,
    refuse_unknown_price,
    rewriting,
)
from calibrate.workflows.progress import Progress
from calibrate.workflows.setup import JudgeOptions, Prepared, judge_record, prepare

__all__ = ["OptimizeOptions", "PlannedSearch", "open_search", "search_key", "search_spec"]

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
        budget: US dollars that judge and meta-LLM may cost together, earlier parts of an interrupted run included; None
            for no limit.
        annotators: what the raters are: ``experts``, ``skilled`` or ``crowd``.
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
    budget: float | None = None
    annotators: str = "experts"


@dataclass(frozen=True, slots=True)
class PlannedSearch:
    """A calibration about to start: the dimensions, the judge and the meta-LLM."""

    prepared: tuple[Prepared, ...]
    judge: Model
    meta: Model
    options: OptimizeOptions

    async def close(self) -> None:
        """Close both models."""
        await self.judge.close()
        await self.meta.close()

    def say_agreement(self, progress: Progress) -> None:
        """Say where the raters agree too little, or where that is not known."""
        for part in self.prepared:
            gate = raters_gate(part.golden)
            if gate.passed is not True:
                progress.note(gate.reason + ("; calibrated all the same (--force)" if gate.passed is False else ""))

    def estimate(self, db: str) -> Estimate:
        """Return what the calibrations take if none stops early; finished ones take nothing."""
        options, judge, meta = self.options, self.judge, self.meta
        count = options.limits.iterations * len(STRATEGIES)
        works = []
        with known_replies(db) as known:
            for part in self.prepared:
                if known is not None and self._is_done(known, part):
                    continue
                works += [
                    judging(known, judge, part, options.judge),
                    judging_candidates(known, judge, part, options.judge, count),
                    rewriting(known, meta, part, options.judge, count, options.limits.errors),
                ]
        return estimate(works, [judge, meta], upper=True)

    def _is_done(self, store: Store, part: Prepared) -> bool:
        spec = search_spec(part, self.judge, self.meta, self.options)
        run = store.find_run("optimize", spec, part.golden.digest, part.dimension)
        return run is not None and run.status == "done" and not self.options.new


def open_search(options: OptimizeOptions, settings: Settings, ledger: Ledger) -> PlannedSearch:
    """Load the set and open the models; whatever cannot be used is refused here, before anything is written.

    Raises:
        InputError: bad input, gold of a single class, raters who agree too little, or a budget without a price.
    """
    read_annotators(options.annotators)
    prepared, judge = prepare(options.set_path, options.judge, options.load, options.dimensions, settings, ledger)
    if options.judge.is_code:
        raise InputError(f"{options.judge.model} is code: there is no prompt to rewrite; use `calibrate baseline`")
    meta = open_model(options.optimizer, settings, ledger=ledger)
    check_request(meta, ModelRequest(system="", user=""))
    for model in (judge, meta):
        refuse_unknown_price(model, ledger.cap)
    for part in prepared:
        _refuse_unusable(part, options)
    return PlannedSearch(prepared, judge, meta, options)


def search_spec(part: Prepared, judge: Model, meta: Model, options: OptimizeOptions) -> dict[str, Json]:
    """Return everything that fixes a calibration's result; what it may cost is no part of it."""
    return {
        "judge": judge_record(judge, part.settings),
        "prompt": digest(part.prompt.text),
        "optimizer": {"model": meta.name, "identity": dict(meta.identity), "version": META_PROMPT_VERSION},
        "strategies": [strategy.name for strategy in STRATEGIES],
        "limits": asdict(options.limits),
        "acceptable": options.acceptable,
        "max_prompt": options.max_prompt,
        "force": options.force,
        "seed": options.seed,
    }


def search_key(run: RunRecord) -> str:
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


def _refuse_unusable(part: Prepared, options: OptimizeOptions) -> None:
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
