"""A short calibration of each model from the prompt that it is given: what a prompt of its own buys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from calibrate.config import Settings
from calibrate.errors import InputError
from calibrate.golden import LoadOptions
from calibrate.optimizer import Limits
from calibrate.providers import Ledger
from calibrate.workflows.bundles import is_bundle
from calibrate.workflows.calibration import Calibration
from calibrate.workflows.contenders import Judges, dimension_of
from calibrate.workflows.optimize import OptimizeOptions, optimize, optimize_dry_run
from calibrate.workflows.preflight import Estimate
from calibrate.workflows.procedure import SearchOptions
from calibrate.workflows.progress import Progress

__all__ = ["Recalibrated", "Recalibration", "recalibrate", "recalibration_work"]


@dataclass(frozen=True, slots=True)
class Recalibration:
    """How each model is calibrated.

    Attributes:
        optimizer: the meta-LLM, ``provider:name``.
        limits: when each search stops.
        search: how it searches.
    """

    optimizer: str
    limits: Limits = field(default_factory=lambda: Limits(iterations=3))
    search: SearchOptions = field(default_factory=SearchOptions)


@dataclass(frozen=True, slots=True)
class Recalibrated:
    """One model's calibration.

    Attributes:
        model: the model.
        run: the calibration.
        prompt: its winner, ``RUN:CANDIDATE``; None when nothing did better than the prompt it started from.
    """

    model: str
    run: int
    prompt: str | None


async def recalibrate(
    asked: Judges,
    how: Recalibration,
    set_path: str,
    load: LoadOptions,
    settings: Settings,
    db: str,
    progress: Progress,
    ledger: Ledger,
    *,
    seed: int,
) -> tuple[Recalibrated, ...]:
    """Calibrate every model from the one prompt that all are given.

    A calibration is a run of its own, as ``optimize --from`` makes it; a finished one is taken as it is. What they have
    spent counts towards the ledger's cap.

    Raises:
        InputError: there is not just one prompt to start from, or a model cannot be calibrated.
        ProviderError: a model failed; what was answered is stored.
        BudgetExceeded: the budget ended; what was answered is stored.
    """
    found = []
    for options in _searches(asked, how, set_path, load, ledger.cap, db, seed):
        progress.note(f"calibrating {options.judge.model} from {options.start}")
        (one,) = (await optimize(options, settings, db, progress, ledger)).each
        found.append(Recalibrated(options.judge.model, one.run_id, _winner(one)))
    return tuple(found)


async def recalibration_work(
    asked: Judges,
    how: Recalibration,
    set_path: str,
    load: LoadOptions,
    settings: Settings,
    db: str,
    budget: float | None,
    *,
    seed: int,
) -> tuple[Estimate, ...]:
    """Return what :func:`recalibrate` takes at most, model by model; nothing is written or spent.

    Raises:
        InputError: as for :func:`recalibrate`.
    """
    searches = _searches(asked, how, set_path, load, budget, db, seed)
    return tuple([(await optimize_dry_run(options, settings, db)).estimate for options in searches])


def _searches(
    asked: Judges,
    how: Recalibration,
    set_path: str,
    load: LoadOptions,
    budget: float | None,
    db: str,
    seed: int,
) -> Sequence[OptimizeOptions]:
    if len(asked.prompts_from) != 1:
        raise InputError(
            "--recalibrate starts from one prompt of a run: give --prompt-from once", field="--recalibrate"
        )
    if len(asked.votes) > 1:
        raise InputError("--recalibrate calibrates each model once: give --votes once", field="--recalibrate")
    (start,) = asked.prompts_from
    models = [each for each in asked.models if not is_bundle(each) and not each.startswith(("py:", "exec:"))]
    if not models:
        raise InputError("no judge here has a prompt to calibrate", field="--recalibrate")
    return [
        OptimizeOptions(
            set_path,
            replace(asked.how, model=model, votes=asked.votes[0], fresh=False),
            how.optimizer,
            load,
            dimensions=(dimension_of(start, db),),
            limits=how.limits,
            search=how.search,
            start=start,
            seed=seed,
            budget=budget,
            noise_repeats=0,
        )
        for model in models
    ]


def _winner(one: Calibration) -> str | None:
    return one.winner.reference if one.winner.candidate.number else None
