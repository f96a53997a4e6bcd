"""Comparing judges on cost and alignment."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from calibrate.api.common import judge_of, names_of, run_to_end, settings_here
from calibrate.golden import LoadOptions
from calibrate.workflows import compare as _compare
from calibrate.workflows import contenders
from calibrate.workflows.compared import ComparedSet
from calibrate.workflows.progress import Progress, Quiet
from calibrate.workflows.recalibrate import Recalibration

__all__ = ["acompare", "compare"]


async def acompare(
    path: str | Path,
    judges: str | Path | Sequence[str | Path],
    *,
    prompts: str | Path | Sequence[str | Path] = (),
    prompts_from: str | int | Sequence[str | int] = (),
    generic: bool = False,
    one_verdict: bool = False,
    votes: int | Sequence[int] = 1,
    dimensions: str | Sequence[str] = (),
    load: LoadOptions | None = None,
    unseen: bool = False,
    juries: bool = True,
    margin: float = 0.05,
    max_error: float = 0.05,
    volume: int | None = None,
    recalibration: Recalibration | None = None,
    max_unscored: float = 0.05,
    budget: float | None = None,
    seed: int = 0,
    annotators: str = "experts",
    db: str | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> ComparedSet:
    """Compare judges on the same items; what is stored is replayed.

    Args:
        path: the golden set.
        judges: models (``provider:name``) and bundles.
        prompts: prompts, each its text or a :class:`~pathlib.Path` of a file; every model judges with every prompt.
        prompts_from: runs, or candidates of runs (``"3:5"``), whose prompts are taken.
        generic: whether the generic prompt is compared too; it always is where there is no other.
        one_verdict: with a ``splitter``: whether each model with one verdict an answer is compared too.
        votes: how often each item is asked about; several numbers make several judges.
        dimensions: which dimensions; empty for all.
        load: how the set is read.
        unseen: whether items that any search in the database has seen are left out.
        juries: whether juries and cascades of the judges are measured beside them.
        margin: how much lower in alignment a judge may be and still count as good as the best.
        max_error: the conditional error that a judge with confidence may have where it decides alone.
        volume: verdicts a day that costs are told for.
        recalibration: how each model is calibrated from the one prompt of a run; None for not at all.
        max_unscored: share of unscored verdicts above which no good word is said about a judge.
        budget: US dollars that all of it may cost; None for no limit.
        seed: of intervals and folds.
        annotators: what the raters are: ``experts``, ``skilled`` or ``crowd``.
        db: the run database.
        progress: told of what happens; None for silence.
        options: further fields of :class:`calibrate.workflows.setup.JudgeOptions`, the same for all judges.

    Raises:
        InputError: bad input; nothing was written.
        ProviderError: every judge failed; what was answered is stored.
        BudgetExceeded: the budget ended; what was answered is stored.
    """
    models = tuple(str(each) for each in ((judges,) if isinstance(judges, str | Path) else judges))
    which = contenders.Judges(
        models,
        judge_of("", None, options),
        (prompts,) if isinstance(prompts, str | Path) else tuple(prompts),
        (str(prompts_from),) if isinstance(prompts_from, str | int) else tuple(map(str, prompts_from)),
        generic,
        (votes,) if isinstance(votes, int) else tuple(votes),
        one_verdict=one_verdict,
    )
    asked = _compare.CompareOptions(
        str(path),
        which,
        load or LoadOptions(),
        names_of(dimensions),
        unseen,
        juries,
        margin,
        max_error,
        volume,
        recalibration,
        max_unscored,
        seed,
        budget,
        annotators,
    )
    settings = settings_here()
    return await _compare.compare(asked, settings, db or settings.database_url, progress or Quiet())


def compare(path: str | Path, judges: str | Path | Sequence[str | Path], **options: Any) -> ComparedSet:
    """Compare judges on the same items; see :func:`acompare`."""
    return run_to_end(acompare(path, judges, **options))
