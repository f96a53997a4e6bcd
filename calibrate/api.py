"""The Python interface: the workflows of the command line as functions.

Synchronous functions work where an event loop is already running (a notebook): the work then runs in a thread with a
loop of its own. Runs go to ``runs.db`` in the working directory (or ``$CALIBRATE_DB``) unless ``db`` says otherwise.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from calibrate.config import Settings, load_settings
from calibrate.golden import LoadedSet, LoadOptions, RecordedOptions
from calibrate.golden import load_golden as _load_golden
from calibrate.optimizer import Limits
from calibrate.workflows import baseline as _baseline
from calibrate.workflows import bias as _bias
from calibrate.workflows import noise as _noise
from calibrate.workflows import optimize as _optimize
from calibrate.workflows import score as _score
from calibrate.workflows.bias_probes import ProbeOptions
from calibrate.workflows.calibration import Calibrations
from calibrate.workflows.disagreements import Written, write_disagreements
from calibrate.workflows.export import ExportedPrompt
from calibrate.workflows.export import export_prompt as _export_prompt
from calibrate.workflows.golden import GoldenCheck, Merged, check_golden, merge_golden
from calibrate.workflows.models import ModelList, ModelsOptions, RunSize, list_models
from calibrate.workflows.noise_report import NoiseReport
from calibrate.workflows.plan import PlanOptions, Sample, check_and_plan, write_sample
from calibrate.workflows.preflight import DryRun
from calibrate.workflows.progress import Progress, Quiet
from calibrate.workflows.results import Report
from calibrate.workflows.runs import Difference, RunDescription, RunList, compare_runs, describe, list_runs
from calibrate.workflows.setup import JudgeOptions

__all__ = [
    "abaseline",
    "abias",
    "anoise",
    "aoptimize",
    "baseline",
    "bias",
    "check",
    "diff",
    "disagreements",
    "dry_run",
    "export_prompt",
    "load_golden",
    "merge",
    "models",
    "noise",
    "optimize",
    "plan",
    "runs",
    "sample",
    "score",
    "show",
]

Result = TypeVar("Result")


def load_golden(path: str | Path, **options: Any) -> LoadedSet:
    """Load a golden set; ``options`` are those of :class:`calibrate.golden.LoadOptions`.

    Raises:
        InputError: it cannot be used.
    """
    return _load_golden(str(path), LoadOptions(**options))


def check(path: str | Path, *, dimensions: str | Sequence[str] = (), **options: Any) -> GoldenCheck:
    """Check a golden set: size, balance, raters, duplicates, resolution."""
    return check_golden(str(path), LoadOptions(**options), _names(dimensions))


def plan(
    path: str | Path,
    *,
    run: str | int | None = None,
    difference: float = 0.05,
    by: str | None = None,
    dimensions: str | Sequence[str] = (),
    db: str | None = None,
    seed: int = 0,
    **options: Any,
) -> GoldenCheck:
    """Check a golden set and plan its next labels: what more of them would buy, and which items to label first.

    Args:
        path: the golden set.
        run: the run whose measured alignment is assumed; None assumes 0.7.
        difference: of the alignments of two judges, to be told apart.
        by: the column with the slices in which labels may be rare.
        dimensions: which dimensions; empty for all.
        db: the run database.
        seed: of the random draw.
        options: those of :class:`calibrate.golden.LoadOptions`.
    """
    asked = PlanOptions(None if run is None else str(run), difference, by, seed)
    return check_and_plan(str(path), LoadOptions(**options), _names(dimensions), asked, _db(db))


def sample(
    path: str | Path,
    output: str | Path,
    *,
    number: int = 50,
    by: str | None = None,
    dimensions: str | Sequence[str] = (),
    overwrite: bool = False,
    db: str | None = None,
    seed: int = 0,
    **options: Any,
) -> Sample:
    """Write the unlabelled items to label next, for :func:`merge` to take in; arguments are those of :func:`plan`."""
    load, names, asked = LoadOptions(**options), _names(dimensions), PlanOptions(by=by, seed=seed)
    return write_sample(str(path), Path(output), load, names, asked, _db(db), number=number, overwrite=overwrite)


def merge(path: str | Path, labels: str | Path, **options: Any) -> Merged:
    """Make a new version of a golden set with new labels; the old one stays."""
    return merge_golden(str(path), str(labels), LoadOptions(**options))


def models(
    name: str = "",
    *,
    items: int = 1000,
    input_tokens: int = 1400,
    output_tokens: int = 50,
    provider: str | None = None,
    sort: str = "cost",
    everything: bool = False,
) -> ModelList:
    """List the models that can be called, their prices, and what a run would cost on each; no call is made.

    Args:
        name: a part of the model's name; empty for all.
        items: verdicts of the run.
        input_tokens: of each verdict.
        output_tokens: of each verdict, reasoning included.
        provider: ``openai``, ``anthropic``, ``openai-decisions``, ``sim`` or ``calibrate.toml``; None for all.
        sort: ``cost`` or ``name``.
        everything: deprecated models, fine-tunes, and models for other things than text too.

    Raises:
        InputError: the size, the provider or the order is none.
    """
    size = RunSize(items, input_tokens, output_tokens)
    return list_models(ModelsOptions(name, size, provider, sort, everything), _settings())


def score(
    file: str | Path,
    *,
    judges: str | Sequence[str] = (),
    invalid: str = "exclude",
    max_unscored: float = 0.05,
    require: float | None = None,
    seed: int = 0,
    annotators: str = "experts",
    **options: Any,
) -> Report:
    """Measure recorded verdicts; ``options`` are those of :class:`calibrate.golden.RecordedOptions`.

    Raises:
        InputError: the table or an option cannot be used.
    """
    recorded = RecordedOptions(judges=_names(judges), **options)
    asked = _score.ScoreOptions(str(file), recorded, invalid, max_unscored, require, seed, annotators)
    return _score.score(asked, Quiet())


async def abaseline(
    path: str | Path,
    judge: str,
    *,
    prompt: str | Path | None = None,
    dimensions: str | Sequence[str] = (),
    load: LoadOptions | None = None,
    db: str | None = None,
    max_unscored: float = 0.05,
    budget: float | None = None,
    seed: int = 0,
    annotators: str = "experts",
    progress: Progress | None = None,
    **options: Any,
) -> Report:
    """Run and measure a judge.

    Args:
        path: the golden set.
        judge: ``provider:name``.
        prompt: the prompt's text, or a :class:`~pathlib.Path` of a file; None for the generic prompt.
        dimensions: which dimensions; empty for all.
        load: how the set is read.
        db: the run database.
        max_unscored: share of unscored verdicts above which the result is not called usable.
        budget: US dollars that the runs may cost; None for no limit.
        seed: of the intervals.
        annotators: what the raters are: ``experts``, ``skilled`` or ``crowd``.
        progress: told of what happens; None for silence.
        options: further fields of :class:`calibrate.workflows.setup.JudgeOptions`.

    Raises:
        InputError: bad input; nothing was written.
        ProviderError: the model failed; what was answered is stored.
        BudgetExceeded: the budget ended; what was answered is stored.
    """
    asked = _baseline.BaselineOptions(
        str(path),
        _judge(judge, prompt, options),
        load or LoadOptions(),
        _names(dimensions),
        max_unscored,
        seed,
        budget,
        annotators,
    )
    settings = _settings()
    return await _baseline.baseline(asked, settings, db or settings.database_url, progress or Quiet())


def baseline(path: str | Path, judge: str, **options: Any) -> Report:
    """Run and measure a judge; see :func:`abaseline`."""
    return _run(abaseline(path, judge, **options))


async def aoptimize(
    path: str | Path,
    judge: str,
    optimizer: str,
    *,
    prompt: str | Path | None = None,
    dimensions: str | Sequence[str] = (),
    load: LoadOptions | None = None,
    limits: Limits | None = None,
    acceptable: float = 0.7,
    new: bool = False,
    force: bool = False,
    require: bool = False,
    max_prompt: int = 6000,
    max_unscored: float = 0.05,
    budget: float | None = None,
    db: str | None = None,
    seed: int = 0,
    annotators: str = "experts",
    holdout: float | None = None,
    confirm: str | Path | None = None,
    cross_fit: int = 0,
    noise_repeats: int = 3,
    progress: Progress | None = None,
    **options: Any,
) -> Calibrations:
    """Calibrate a judge; a finished calibration is returned as stored, an interrupted one goes on.

    Args:
        path: the golden set.
        judge: ``provider:name`` of the judge.
        optimizer: ``provider:name`` of the meta-LLM.
        prompt: the prompt to start from, as for :func:`abaseline`.
        dimensions: which dimensions; empty for all.
        load: how the set is read.
        limits: when the search stops.
        acceptable: alignment below which the result is not acceptable; recorded.
        new: start another calibration of the same specification.
        force: calibrate although the raters agree too little.
        require: whether a result that is not acceptable has the status ``below_acceptable``.
        max_prompt: the longest prompt in characters.
        max_unscored: share of unscored verdicts above which the result is not called usable.
        budget: US dollars that judge and meta-LLM may cost together; None for no limit.
        holdout: share of the items that the search does not see; None for 30 % from 100 items on.
        confirm: fresh labels on which the winner is tested.
        cross_fit: further calibrations, each tested on the fold it did not see.
        noise_repeats: fresh runs of baseline and winner that measure the judge's own variation.
        db: the run database.
        seed: of the intervals.
        annotators: what the raters are: ``experts``, ``skilled`` or ``crowd``.
        progress: told of what happens; None for silence.
        options: further fields of :class:`calibrate.workflows.setup.JudgeOptions`.

    Raises:
        InputError: bad input; nothing was written.
        ProviderError: a model failed; what was answered is stored.
        BudgetExceeded: the budget ended; what was answered is stored.
    """
    asked = _optimize.OptimizeOptions(
        str(path),
        _judge(judge, prompt, options),
        optimizer,
        load or LoadOptions(),
        _names(dimensions),
        limits or Limits(),
        acceptable,
        require=require,
        new=new,
        force=force,
        max_prompt=max_prompt,
        max_unscored=max_unscored,
        seed=seed,
        budget=budget,
        annotators=annotators,
        holdout=holdout,
        confirm=None if confirm is None else str(confirm),
        cross_fit=cross_fit,
        noise_repeats=noise_repeats,
    )
    settings = _settings()
    return await _optimize.optimize(asked, settings, db or settings.database_url, progress or Quiet())


def optimize(path: str | Path, judge: str, optimizer: str, **options: Any) -> Calibrations:
    """Calibrate a judge; see :func:`aoptimize`."""
    return _run(aoptimize(path, judge, optimizer, **options))


async def anoise(
    path: str | Path,
    judge: str,
    *,
    runs: int = 5,
    prompt: str | Path | None = None,
    dimensions: str | Sequence[str] = (),
    load: LoadOptions | None = None,
    budget: float | None = None,
    seed: int = 0,
    db: str | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> NoiseReport:
    """Measure a judge's own variation with fresh runs on the same items.

    Args:
        path: the golden set.
        judge: ``provider:name``.
        runs: fresh runs, 2 or more.
        prompt: the prompt, as for :func:`abaseline`.
        dimensions: which dimensions; empty for all.
        load: how the set is read.
        budget: US dollars that they may cost; None for no limit.
        seed: of the redraws.
        db: the run database.
        progress: told of what happens; None for silence.
        options: further fields of :class:`calibrate.workflows.setup.JudgeOptions`.

    Raises:
        InputError: bad input; nothing was written.
        ProviderError: the model failed; what was answered is stored.
    """
    how = _judge(judge, prompt, options)
    asked = _noise.NoiseOptions(str(path), how, load or LoadOptions(), _names(dimensions), runs, seed, budget)
    settings = _settings()
    return await _noise.noise(asked, settings, db or settings.database_url, progress or Quiet())


def noise(path: str | Path, judge: str, **options: Any) -> NoiseReport:
    """Measure a judge's own variation; see :func:`anoise`."""
    return _run(anoise(path, judge, **options))


def dry_run(
    path: str | Path,
    judge: str,
    optimizer: str | None = None,
    *,
    prompt: str | Path | None = None,
    dimensions: str | Sequence[str] = (),
    load: LoadOptions | None = None,
    limits: Limits | None = None,
    force: bool = False,
    budget: float | None = None,
    db: str | None = None,
    **options: Any,
) -> DryRun:
    """Return what :func:`baseline` (or, with an optimizer, :func:`optimize`) would do and cost; nothing is spent.

    Args:
        path: the golden set.
        judge: ``provider:name`` of the judge.
        optimizer: ``provider:name`` of the meta-LLM; None estimates a baseline.
        prompt: the prompt, as for :func:`abaseline`.
        dimensions: which dimensions; empty for all.
        load: how the set is read.
        limits: when the search stops.
        force: estimate a calibration although the raters agree too little.
        budget: a cap that would be given; refused when the price is unknown.
        db: the run database, in which stored replies are looked up.
        options: further fields of :class:`calibrate.workflows.setup.JudgeOptions`.

    Raises:
        InputError: bad input.
    """
    settings, how, which = _settings(), _judge(judge, prompt, options), _names(dimensions)
    where, loading = db or settings.database_url, load or LoadOptions()
    if optimizer is None:
        asked = _baseline.BaselineOptions(str(path), how, loading, which, budget=budget)
        return _run(_baseline.baseline_dry_run(asked, settings, where))
    search = _optimize.OptimizeOptions(
        str(path), how, optimizer, loading, which, limits or Limits(), force=force, budget=budget
    )
    return _run(_optimize.optimize_dry_run(search, settings, where))


def runs(db: str | None = None) -> RunList:
    """List all runs."""
    return list_runs(_db(db))


def show(reference: str | int, *, annotators: str = "experts", db: str | None = None) -> RunDescription:
    """Return a run, or one of its candidates (``"2:5"``), in full; ``annotators`` are experts, skilled or crowd."""
    return describe(_db(db), str(reference), annotators=annotators)


async def abias(
    reference: str | int,
    *,
    by: str | Sequence[str] = (),
    model_columns: str | Sequence[str] = (),
    own: str | Sequence[str] = (),
    answer: str | Sequence[str] = (),
    accept: str | Sequence[str] = (),
    db: str | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> _bias.BiasReport:
    """Probe a judge for leanings, from its stored verdicts; with ``ask=True`` from new ones too.

    Args:
        reference: a run, or one of its candidates (``"2:5"``).
        by: columns whose values are compared.
        model_columns: the column that tells which model answered (for pairs two); found by its usual names.
        own: its values that are the judge's own.
        answer: the inputs that are answers; found by their usual names.
        accept: the labels that accept, on ordinal and nominal scales.
        db: the run database.
        progress: told of what happens; None for silence.
        options: further fields of :class:`calibrate.workflows.bias.BiasOptions`.

    Raises:
        InputError: there is no such run, an option does not fit its set, or the judge is not what it was.
        ProviderError: the judge failed; what was answered is stored.
        BudgetExceeded: the budget ended; what was answered is stored.
    """
    probes = ProbeOptions(_names(by), _names(model_columns), _names(own), _names(answer), _names(accept))
    asked = _bias.BiasOptions(str(reference), probes, **options)
    settings = _settings()
    return await _bias.bias(asked, settings, db or settings.database_url, progress or Quiet())


def bias(reference: str | int, **options: Any) -> _bias.BiasReport:
    """Probe a judge for leanings; see :func:`abias`."""
    return _run(abias(reference, **options))


def diff(first: str | int, second: str | int, *, db: str | None = None) -> Difference:
    """Compare two prompts."""
    return compare_runs(_db(db), str(first), str(second))


def disagreements(
    reference: str | int, output: str | Path, *, overwrite: bool = False, db: str | None = None
) -> Written:
    """Write what judge and experts see differently, for the experts to fill in."""
    return write_disagreements(_db(db), str(reference), Path(output), overwrite=overwrite)


def export_prompt(
    reference: str | int,
    to: str = "text",
    *,
    output: str | Path | None = None,
    overwrite: bool = False,
    db: str | None = None,
) -> ExportedPrompt:
    """Return (and write) a calibrated prompt as text, JSON or Python."""
    return _export_prompt(_db(db), str(reference), to, None if output is None else Path(output), overwrite=overwrite)


def _names(given: str | Sequence[str]) -> tuple[str, ...]:
    """One name, or several."""
    return (given,) if isinstance(given, str) else tuple(given)


def _judge(model: str, prompt: str | Path | None, options: Mapping[str, Any]) -> JudgeOptions:
    if isinstance(prompt, Path):
        return JudgeOptions(model, prompt=prompt, **options)
    return JudgeOptions(model, prompt_text=prompt, **options)


def _settings() -> Settings:
    return load_settings(os.environ, Path.cwd())


def _db(db: str | None) -> str:
    return db or _settings().database_url


def _run(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine to its end, in a thread of its own where a loop is already running here."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    outcome: list[Result] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(asyncio.run(work))
        except BaseException as error:  # noqa: BLE001 — handed to the caller's thread, nothing is swallowed
            failure.append(error)

    thread = threading.Thread(target=run, name="calibrate")
    thread.start()
    thread.join()
    if failure:
        raise failure[0]
    return outcome[0]
