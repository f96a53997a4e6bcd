"""What runs a judge: baseline, calibration, noise, bias, and what they would cost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from calibrate.api.common import judge_of, names_of, run_to_end, settings_here
from calibrate.golden import LoadOptions
from calibrate.optimizer import Limits
from calibrate.workflows import baseline as _baseline
from calibrate.workflows import bias as _bias
from calibrate.workflows import noise as _noise
from calibrate.workflows import optimize as _optimize
from calibrate.workflows.bias_probes import ProbeOptions
from calibrate.workflows.calibration import Calibrations
from calibrate.workflows.noise_report import NoiseReport
from calibrate.workflows.preflight import DryRun
from calibrate.workflows.procedure import SearchOptions
from calibrate.workflows.progress import Progress, Quiet
from calibrate.workflows.results import Report

__all__ = ["abaseline", "abias", "anoise", "aoptimize", "baseline", "bias", "dry_run", "noise", "optimize"]


async def abaseline(
    path: str | Path,
    judge: str | Path,
    *,
    prompt: str | Path | None = None,
    dimensions: str | Sequence[str] = (),
    load: LoadOptions | None = None,
    db: str | None = None,
    max_unscored: float = 0.05,
    budget: float | None = None,
    unlabelled: bool = False,
    seed: int = 0,
    annotators: str = "experts",
    progress: Progress | None = None,
    **options: Any,
) -> Report:
    """Run and measure a judge.

    Args:
        path: the golden set.
        judge: ``provider:name``, or a bundle.
        prompt: the prompt's text, a :class:`~pathlib.Path` of a file, or a bundle; None for the generic prompt.
        dimensions: which dimensions; empty for all.
        load: how the set is read.
        db: the run database.
        max_unscored: share of unscored verdicts above which the result is not called usable.
        budget: US dollars that the runs may cost; None for no limit.
        unlabelled: whether items without a label are judged too; they count in no figure.
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
        judge_of(judge, prompt, options),
        load or LoadOptions(),
        names_of(dimensions),
        max_unscored,
        seed,
        budget,
        annotators,
        unlabelled,
    )
    settings = settings_here()
    return await _baseline.baseline(asked, settings, db or settings.database_url, progress or Quiet())


def baseline(path: str | Path, judge: str | Path, **options: Any) -> Report:
    """Run and measure a judge; see :func:`abaseline`."""
    return run_to_end(abaseline(path, judge, **options))


async def aoptimize(
    path: str | Path,
    judge: str | Path,
    optimizer: str,
    *,
    prompt: str | Path | None = None,
    dimensions: str | Sequence[str] = (),
    load: LoadOptions | None = None,
    limits: Limits | None = None,
    search: SearchOptions | None = None,
    start: str | int | None = None,
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
        judge: ``provider:name`` of the judge, or a bundle.
        optimizer: ``provider:name`` of the meta-LLM.
        prompt: the prompt to start from, as for :func:`abaseline`.
        dimensions: which dimensions; empty for all.
        load: how the set is read.
        limits: when the search stops.
        search: how it searches: policy, strategies, objective, early stopping.
        start: the earlier prompt to start from, ``RUN`` or ``"RUN:CANDIDATE"``.
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
        judge_of(judge, prompt, options),
        optimizer,
        load or LoadOptions(),
        names_of(dimensions),
        limits or Limits(),
        search or SearchOptions(),
        None if start is None else str(start),
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
    settings = settings_here()
    return await _optimize.optimize(asked, settings, db or settings.database_url, progress or Quiet())


def optimize(path: str | Path, judge: str | Path, optimizer: str, **options: Any) -> Calibrations:
    """Calibrate a judge; see :func:`aoptimize`."""
    return run_to_end(aoptimize(path, judge, optimizer, **options))


async def anoise(
    path: str | Path,
    judge: str | Path,
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
        judge: ``provider:name``, or a bundle.
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
    how = judge_of(judge, prompt, options)
    asked = _noise.NoiseOptions(str(path), how, load or LoadOptions(), names_of(dimensions), runs, seed, budget)
    settings = settings_here()
    return await _noise.noise(asked, settings, db or settings.database_url, progress or Quiet())


def noise(path: str | Path, judge: str | Path, **options: Any) -> NoiseReport:
    """Measure a judge's own variation; see :func:`anoise`."""
    return run_to_end(anoise(path, judge, **options))


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
    probes = ProbeOptions(names_of(by), names_of(model_columns), names_of(own), names_of(answer), names_of(accept))
    asked = _bias.BiasOptions(str(reference), probes, **options)
    settings = settings_here()
    return await _bias.bias(asked, settings, db or settings.database_url, progress or Quiet())


def bias(reference: str | int, **options: Any) -> _bias.BiasReport:
    """Probe a judge for leanings; see :func:`abias`."""
    return run_to_end(abias(reference, **options))


def dry_run(
    path: str | Path,
    judge: str | Path,
    optimizer: str | None = None,
    *,
    prompt: str | Path | None = None,
    dimensions: str | Sequence[str] = (),
    load: LoadOptions | None = None,
    limits: Limits | None = None,
    search: SearchOptions | None = None,
    start: str | int | None = None,
    force: bool = False,
    budget: float | None = None,
    db: str | None = None,
    **options: Any,
) -> DryRun:
    """Return what :func:`baseline` (or, with an optimizer, :func:`optimize`) would do and cost; nothing is spent.

    Args:
        path: the golden set.
        judge: ``provider:name`` of the judge, or a bundle.
        optimizer: ``provider:name`` of the meta-LLM; None estimates a baseline.
        prompt: the prompt, as for :func:`abaseline`.
        dimensions: which dimensions; empty for all.
        load: how the set is read.
        limits: when the search stops.
        search: how it searches.
        start: the earlier prompt to start from.
        force: estimate a calibration although the raters agree too little.
        budget: a cap that would be given; refused when the price is unknown.
        db: the run database, in which stored replies are looked up.
        options: further fields of :class:`calibrate.workflows.setup.JudgeOptions`.

    Raises:
        InputError: bad input.
    """
    settings, how, which = settings_here(), judge_of(judge, prompt, options), names_of(dimensions)
    where, loading = db or settings.database_url, load or LoadOptions()
    if optimizer is None:
        asked = _baseline.BaselineOptions(str(path), how, loading, which, budget=budget)
        return run_to_end(_baseline.baseline_dry_run(asked, settings, where))
    planned = _optimize.OptimizeOptions(
        str(path),
        how,
        optimizer,
        loading,
        which,
        limits or Limits(),
        search or SearchOptions(),
        None if start is None else str(start),
        force=force,
        budget=budget,
    )
    return run_to_end(_optimize.optimize_dry_run(planned, settings, where))
