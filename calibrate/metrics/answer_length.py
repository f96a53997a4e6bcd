"""Does a judge favour longer answers? The odds ratio of accepting, human label held constant (STATISTICS 10)."""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray

from calibrate.domain import Json
from calibrate.metrics.intervals import wilson
from calibrate.metrics.penalised_logistic import firth_coefficient
from calibrate.metrics.probes import (
    FEWEST,
    LARGE_DIFFERENCE,
    LARGE_ODDS_RATIO,
    POWER,
    Codes,
    Flags,
    Probe,
    conclude,
    rows_as_one,
    too_few,
)

__all__ = ["verbosity"]

Array = NDArray[np.float64]

_LARGEST_SHARED_VARIANCE = 0.9
_FARTHEST_LOG = 30.0


def verbosity(
    accepts: Flags,
    human: Codes,
    lengths: Array,
    *,
    errs: Flags | None = None,
    pairs: bool = False,
    groups: Codes | None = None,
) -> Probe:
    """Return the odds ratio of "the judge accepts" for an answer that is one standard deviation longer.

    A logistic model of the verdict on the standardised log length, with each human label as a factor, by Firth's
    penalised likelihood: separation leaves it finite. For pairs: "the judge prefers A" on the standardised logarithm of
    length of A / length of B; equal lengths are 0.

    Args:
        accepts: ``[n]``, whether the judge accepts (prefers A).
        human: ``[n]``, codes of the human labels.
        lengths: ``[n]``, characters of the answers; for pairs, length of A / length of B.
        errs: ``[n]``, whether the verdict is another than the experts'. When nearly none is, the odds ratio is
            unknown, but so few verdicts cannot hide a bias that matters.
        pairs: whether pairs of answers are judged.
        groups: ``[n]``, codes of the resampling units.
    """
    name, n = "verbosity", int(accepts.size)
    logs = np.log(np.maximum(lengths, 1.0 if not pairs else 1e-9))
    spread = float(logs.std()) if n else 0.0
    held = _factors(human)
    why = _why_lengths_tell_nothing(accepts, human, logs, held, spread)
    if why is not None:
        return Probe(name, "odds_ratio", n, "not_identifiable", why)
    standard = (logs if pairs else logs - logs.mean()) / spread
    columns = np.column_stack([np.ones(n), held, standard])
    which = columns.shape[1] - 1
    effect = 1.0
    if groups is not None:
        effect = rows_as_one(_scores_of(columns, accepts), groups)
    found = firth_coefficient(columns, accepts.astype(float), which, rows_as_one=effect)
    times = math.exp(spread)
    low, high = (max(-_FARTHEST_LOG, min(_FARTHEST_LOG, each)) for each in (found.low, found.high))
    ends = (math.exp(low), math.exp(high))
    bound = math.exp(max(abs(low), abs(high)))
    longer = "the longer answer of a pair" if pairs else "longer answers"
    conclusion, reason = conclude(ends[0] > 1.0 or ends[1] < 1.0, *ends, "odds_ratio")
    if conclusion == "biased":
        more = "prefers" if pairs else "accepts"
        less = ("more" if found.value > 0 else "less") + " often than its quality explains"
        reason = f"the judge {more} {longer} {less}"
    elif conclusion == "cannot_tell":
        few = _too_few_errors_to_matter(errs)
        if few is not None:
            conclusion, reason = "no_sign", few
    return Probe(
        name,
        "odds_ratio",
        n,
        conclusion,
        reason,
        effect=math.exp(found.value),
        low=ends[0],
        high=ends[1],
        p=found.p,
        detectable=math.exp(min(POWER * (high - low) / 2.0, _FARTHEST_LOG)),
        bound=bound if bound <= LARGE_ODDS_RATIO and conclusion == "no_sign" else None,
        figures={
            "one_standard_deviation_is_times": times,
            "per_doubling": math.exp(found.value * math.log(2.0) / spread) if abs(found.value / spread) < 40 else None,
            "method": "Firth logistic regression, profile of the penalised likelihood",
            "design_effect": effect,
            **({"longer_of_two": _longer_of_two(accepts, held, logs, effect)} if pairs else {}),
        },
    )


def _longer_of_two(accepts: Flags, held: Array, logs: Array, effect: float) -> Json:
    """The odds ratio of preferring whichever answer is the longer one, however much, over pairs of unequal lengths."""
    unequal = np.abs(logs) > 1e-12
    columns = np.column_stack([np.ones(int(unequal.sum())), held[unequal], (logs[unequal] > 0).astype(float)])
    if unequal.sum() < FEWEST or len(np.unique(columns[:, -1])) < 2:
        return None
    found = firth_coefficient(columns, accepts[unequal].astype(float), columns.shape[1] - 1, rows_as_one=effect)
    value, low, high = (
        math.exp(max(-_FARTHEST_LOG, min(_FARTHEST_LOG, each))) for each in (found.value, found.low, found.high)
    )
    return {"n": int(unequal.sum()), "value": value, "low": low, "high": high}


def _why_lengths_tell_nothing(accepts: Flags, human: Codes, logs: Array, held: Array, spread: float) -> str | None:
    if accepts.size < FEWEST:
        return too_few(int(accepts.size))
    if accepts.all() or not accepts.any():
        return "the judge says the same of every item: there is nothing that length could explain"
    if spread < 1e-9:
        return "all answers are of one length"
    ranges = sorted((float(logs[human == each].min()), float(logs[human == each].max())) for each in np.unique(human))
    apart = len(ranges) > 1 and all(left[1] < right[0] for left, right in itertools.pairwise(ranges))
    columns = np.column_stack([np.ones(logs.size), held])
    fitted = columns @ np.linalg.lstsq(columns, logs, rcond=None)[0]
    shared = 1.0 - float(((logs - fitted) ** 2).sum()) / (float(logs.var()) * logs.size)
    if apart or shared > _LARGEST_SHARED_VARIANCE:
        return (
            "the experts' labels go with length (good and bad answers are of different lengths): length and quality "
            "cannot be told apart"
        )
    return None


def _too_few_errors_to_matter(errs: Flags | None) -> str | None:
    if errs is None:
        return None
    share = wilson(float(errs.sum()), errs.size)
    if share is None or share.high > LARGE_DIFFERENCE:
        return None
    return (
        f"the judge differs from the experts on {int(errs.sum())} of {errs.size} items: length can have decided at "
        f"most {100 * share.high:.1f} % of the verdicts"
    )


def _scores_of(columns: Array, accepts: Flags) -> Array:
    """Each row's part in the score of the last coefficient, free of what the other columns explain."""
    others, last = columns[:, :-1], columns[:, -1]
    outcome = accepts.astype(float)
    free = last - others @ np.linalg.lstsq(others, last, rcond=None)[0]
    rest = outcome - columns @ np.linalg.lstsq(columns, outcome, rcond=None)[0]
    scores: Array = free * rest
    return scores


def _factors(codes: Codes) -> Array:
    """Return one column for each label that occurs but the first."""
    labels = np.unique(codes)[1:]
    columns: Array = (codes[:, None] == labels[None, :]).astype(np.float64)
    return columns
