"""Golden sets, recorded verdicts and prices: what needs no judge."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from calibrate.api.common import database, names_of, settings_here
from calibrate.golden import LoadedSet, LoadOptions, RecordedOptions
from calibrate.golden import load_golden as _load_golden
from calibrate.workflows import score as _score
from calibrate.workflows.golden import GoldenCheck, Merged, check_golden, merge_golden
from calibrate.workflows.models import ModelList, ModelsOptions, RunSize, list_models
from calibrate.workflows.plan import PlanOptions, Sample, check_and_plan, write_sample
from calibrate.workflows.progress import Quiet
from calibrate.workflows.results import Report

__all__ = ["check", "load_golden", "merge", "models", "plan", "sample", "score"]


def load_golden(path: str | Path, **options: Any) -> LoadedSet:
    """Load a golden set; ``options`` are those of :class:`calibrate.golden.LoadOptions`.

    Raises:
        InputError: it cannot be used.
    """
    return _load_golden(str(path), LoadOptions(**options))


def check(path: str | Path, *, dimensions: str | Sequence[str] = (), **options: Any) -> GoldenCheck:
    """Check a golden set: size, balance, raters, duplicates, resolution."""
    return check_golden(str(path), LoadOptions(**options), names_of(dimensions))


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
    return check_and_plan(str(path), LoadOptions(**options), names_of(dimensions), asked, database(db))


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
    load, names, asked = LoadOptions(**options), names_of(dimensions), PlanOptions(by=by, seed=seed)
    return write_sample(str(path), Path(output), load, names, asked, database(db), number=number, overwrite=overwrite)


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
    return list_models(ModelsOptions(name, size, provider, sort, everything), settings_here())


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
    recorded = RecordedOptions(judges=names_of(judges), **options)
    asked = _score.ScoreOptions(str(file), recorded, invalid, max_unscored, require, seed, annotators)
    return _score.score(asked, Quiet())
