"""Probes of a judge's leanings that compare shares: leniency, columns, and changes that must not matter.

See :mod:`calibrate.metrics.probes` for what they conclude; the length of answers is in
:mod:`calibrate.metrics.answer_length`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibrate.domain import Json
from calibrate.metrics.comparison import holm
from calibrate.metrics.differences import Difference, paired_difference, stratified_difference
from calibrate.metrics.intervals import wilson
from calibrate.metrics.probes import (
    FEWEST,
    LARGE_DIFFERENCE,
    Codes,
    Flags,
    Probe,
    difference_probe,
    rows_as_one,
    too_few,
)

__all__ = ["Changes", "by_group", "changed_verdicts", "leniency"]

_FEWEST_OF_A_VALUE = 5
_ALPHA_OF_EXCESS = 0.02  # the second test of a change: both together stay near 0.05


@dataclass(frozen=True, slots=True)
class Changes:
    """What became of the verdicts when something changed that must not matter.

    Attributes:
        changed: ``[n]``, whether the label is another one.
        lean: ``[n]``, 1 where it moved to the one side, -1 to the other, 0 where it stayed or moved to neither.
        again: ``[n]``, whether the label is another one when the same is asked again; None when that is not known.
        noiseless: whether the judge is known to answer the same to the same.
    """

    changed: Flags
    lean: Codes
    again: Flags | None = None
    noiseless: bool = False


def leniency(
    accepts: Flags, human: Flags, *, groups: Codes | None = None, side: tuple[str, str] = ("accepts", "rejects")
) -> Probe:
    """Return the judge's positive rate less the experts', on the same items, with Tango's score interval.

    Args:
        accepts: ``[n]``, whether the judge accepts.
        human: ``[n]``, whether the experts do.
        groups: ``[n]``, codes of the resampling units.
        side: what the judge does more often when the difference is positive, and when it is negative.
    """
    n = int(accepts.size)
    if n < FEWEST:
        return Probe("leniency", "difference", n, "not_identifiable", too_few(n))
    lean = accepts.astype(np.int64) - human.astype(np.int64)
    effect = rows_as_one(lean - lean.mean(), groups)
    more, less = int((lean > 0).sum()), int((lean < 0).sum())
    found = paired_difference(more / effect, less / effect, n / effect)
    words = tuple(f"the judge {each} more often than the experts" for each in side)
    return difference_probe(
        "leniency",
        n,
        found,
        words,
        figures={
            "judge_positive_rate": float(accepts.mean()),
            "human_positive_rate": float(human.mean()),
            "wrongly_accepted": more,
            "wrongly_rejected": less,
            "method": "paired difference, Tango's score interval",
            "design_effect": effect,
        },
    )


def by_group(
    name: str,
    accepts: Flags,
    human: Codes,
    values: Sequence[str],
    *,
    of: Sequence[str] | None = None,
    groups: Codes | None = None,
    verb: str = "accepts",
) -> tuple[Probe, ...]:
    """Return how much more often the judge accepts items of a value than all others, human label held constant.

    At the same human label, accepting more is erring more towards accepting. Strata are the human labels, with
    Mantel-Haenszel weights and the Miettinen-Nurminen score interval. The p-values of several values are corrected by
    Holm, and a value is ``biased`` when its corrected p is at most 0.05; the intervals hold one by one.

    Args:
        name: of the probe.
        accepts: ``[n]``, whether the judge accepts.
        human: ``[n]``, codes of the human labels.
        values: ``[n]``, the column's value of each item.
        of: the values to set against the others; None for all. Of two values, the second is set against the first.
        groups: ``[n]``, codes of the resampling units.
        verb: what accepting is called.
    """
    n = int(accepts.size)
    counts = {each: values.count(each) for each in dict.fromkeys(sorted(values))}
    if len(counts) < 2:
        only = next(iter(counts), "nothing")
        return (Probe(name, "difference", n, "not_identifiable", f"all items have one value: {only}"),)
    wanted = list(of) if of is not None else list(counts)[1:] if len(counts) == 2 else list(counts)
    array = np.array(values, dtype=object)
    found: dict[str, tuple[Difference | None, dict[str, Json]]] = {}
    for value in wanted:
        found[value] = _against_others(accepts, human, array == value, groups)
    tested = [each for each in wanted if found[each][0] is not None and counts[each] >= _FEWEST_OF_A_VALUE]
    corrected = dict(zip(tested, holm([_p(found[each][0]) for each in tested]), strict=True)) if tested else {}
    probes = []
    rare = [each for each in wanted if counts[each] < _FEWEST_OF_A_VALUE]
    for value in wanted:
        if value in rare:
            continue
        difference, figures = found[value]
        others = next(each for each in counts if each != value) if len(counts) == 2 else "the others"
        if difference is None or value not in corrected:
            why = f"no item of {value} has the human label of an item of {others}: its effect is that of quality"
            probes.append(Probe(name, "difference", n, "not_identifiable", why, value, figures=figures))
            continue
        words = tuple(
            f"at the same human label the judge {verb} {value} {more} often than {others}" for more in ("more", "less")
        )
        probes.append(difference_probe(name, n, difference, words, value=value, p=corrected[value], figures=figures))
    if rare:
        listed = ", ".join(f"{each} {counts[each]}" for each in rare)
        why = f"values of fewer than {_FEWEST_OF_A_VALUE} items say nothing: {listed}"
        probes.append(Probe(name, "difference", sum(counts[each] for each in rare), "not_identifiable", why))
    return tuple(probes)


def changed_verdicts(
    name: str, changes: Changes, sides: tuple[str, str], *, groups: Codes | None = None, unscored: int = 0
) -> Probe:
    """Return what a change that must not matter does to verdicts: the net move, and the share that flips.

    The effect is the share of items that moved to the first side less the share that moved to the second, with Tango's
    interval: noise moves as many to either. Flips to both sides alike are the judge's own noise, unless it is known how
    often it flips when it is asked the same again: then the flips are compared item by item.

    Args:
        name: of the probe.
        changes: what changed.
        sides: what a move to the first side and one to the second are called, such as "to accepting".
        groups: ``[n]``, codes of the resampling units.
        unscored: further items, which have no verdict with the change though they had one without it.
    """
    n = int(changes.changed.size)
    if n < FEWEST:
        return Probe(name, "difference", n, "not_identifiable", too_few(n))
    lean, changed = changes.lean, changes.changed
    effect = rows_as_one(lean - lean.mean(), groups)
    first, second, flips = int((lean > 0).sum()), int((lean < 0).sum()), int(changed.sum())
    found = paired_difference(first / effect, second / effect, n / effect)
    flip_effect = rows_as_one(changed - changed.mean(), groups)
    rate = wilson(flips / flip_effect, n / flip_effect)
    assert rate is not None  # n is above 0
    words = tuple(f"verdicts move {each}" for each in sides)
    figures: dict[str, Json] = {
        "flip_rate": {"value": flips / n, "low": rate.low, "high": rate.high},
        "flips": flips,
        "moves": {sides[0]: first, sides[1]: second},
        "unscored_by_the_change": unscored,
        "method": "paired difference, Tango's score interval; flip rate, Wilson",
        "design_effect": effect,
    }
    if changes.again is not None:
        figures["flip_rate_of_the_same_again"] = float(changes.again.mean())
    probe = difference_probe(name, n, found, words, figures=figures)
    if probe.conclusion == "biased":
        return probe
    if flips == 0:
        return replace(probe, reason=f"no verdict flips; {probe.reason}")
    return _noise_or_not(probe, changes, flips, rate.high, groups)


def _noise_or_not(probe: Probe, changes: Changes, flips: int, most: float, groups: Codes | None) -> Probe:
    """Decide what flips that lean to neither side are."""
    share = f"{flips} of {probe.n} verdicts flip, to no side clearly"
    sensitive = changes.noiseless
    if changes.again is not None and not sensitive:
        more, less = changes.changed & ~changes.again, ~changes.changed & changes.again
        excess = more.astype(np.int64) - less.astype(np.int64)
        effect = rows_as_one(excess - excess.mean(), groups)
        compared = paired_difference(more.sum() / effect, less.sum() / effect, probe.n / effect)
        sensitive = compared.value > 0.0 and compared.p <= _ALPHA_OF_EXCESS
        share += f" ({int(changes.again.sum())} flip when the same is asked again)"
    bound = max(most, probe.bound or 0.0)
    if probe.conclusion == "no_sign" and most <= LARGE_DIFFERENCE:
        return replace(probe, bound=bound, reason=f"{share}, and too few to matter")
    if sensitive:
        own = "this judge has no noise of its own" if changes.noiseless else "more than the judge's own noise"
        return replace(probe, conclusion="biased", bound=None, reason=f"{share}: {own}")
    own = "" if changes.again is not None else "; the judge's own noise is not known, and the flips may be nothing else"
    return replace(probe, conclusion="cannot_tell", bound=None, reason=f"{share}{own}")


def _against_others(
    accepts: Flags, human: Codes, own: Flags, groups: Codes | None
) -> tuple[Difference | None, dict[str, Json]]:
    """Compare items of one value with the others, by human label."""
    counts = np.zeros((int(human.max(initial=0)) + 1, 2, 2))
    np.add.at(counts, (human, own.astype(np.int64), accepts.astype(np.int64)), 1.0)
    figures: dict[str, Json] = {
        "items": int(own.sum()),
        "acceptance": _share(accepts[own]),
        "acceptance_of_the_others": _share(accepts[~own]),
        "method": "difference at the same human label, Mantel-Haenszel weights, Miettinen-Nurminen score interval",
    }
    sizes = counts.sum(axis=2)
    if not (sizes > 0).all(axis=1).any():
        return None, figures
    effect = 1.0
    if groups is not None:
        with np.errstate(invalid="ignore"):
            shares = np.nan_to_num(counts[:, :, 1] / sizes)
        weights = np.where((sizes > 0).all(axis=1), sizes.prod(axis=1) / np.maximum(sizes.sum(axis=1), 1.0), 0.0)
        side = own.astype(np.int64)
        influence = (accepts - shares[human, side]) * weights[human] / sizes[human, side] * (2 * side - 1)
        effect = rows_as_one(influence, groups)
    figures["design_effect"] = effect
    return stratified_difference(counts, rows_as_one=effect), figures


def _share(flags: Flags) -> float | None:
    return float(flags.mean()) if flags.size else None


def _p(difference: Difference | None) -> float:
    return 1.0 if difference is None else difference.p
