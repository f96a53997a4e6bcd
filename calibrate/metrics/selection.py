"""Picking the best of many judges on the items that shaped the choice (STATISTICS section 5).

Two corrections, both with unscored verdicts as disagreements, as candidates are ranked:

- :func:`permutation_p`: could the largest gain over the baseline be chance, given that many candidates were tried?
- :func:`corrected_for_choosing`: how well does the winner do on items that did not choose it?

Neither corrects that candidates were rewritten with the same items in view: only unseen items tell that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from calibrate.domain import Json, Scale, Verdict
from calibrate.errors import InputError
from calibrate.metrics.agreement import Array, alignment, components
from calibrate.metrics.estimates import Estimate
from calibrate.metrics.intervals import (
    DRAWS,
    Interval,
    affordable_draws,
    bootstrap_groups,
    design_effect,
    draw_tables,
    intervals_of,
    percentiles,
    union,
)
from calibrate.metrics.judge_stack import JudgeStack
from calibrate.metrics.pairing import group_numbers

__all__ = ["Corrected", "Permutation", "corrected_for_choosing", "permutation_p"]

Codes = NDArray[np.int64]

TIE = 1e-9
"""Alignments closer than this are equal: sums in another order differ in the last digits."""

_NUMBERS_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True)
class Permutation:
    """Whether the largest gain can be chance.

    Attributes:
        p: ``(1 + count) / (1 + draws)``, where ``count`` permutations gave at least the observed gain.
        statistic: the largest gain of alignment of any candidate over the baseline; below 0 when all are worse.
        best: position of the candidate with that gain, the first of equals; None when it is undefined.
        candidates: how many were compared with the baseline.
        draws: permutations made.
    """

    p: Estimate
    statistic: Estimate
    best: int | None
    candidates: int
    draws: int

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON."""
        return {
            "p": self.p.to_json(),
            "statistic": self.statistic.to_json(),
            "best": self.best,
            "candidates": self.candidates,
            "draws": self.draws,
        }


@dataclass(frozen=True, slots=True)
class Corrected:
    """The alignment of the winner, corrected for having been chosen.

    Attributes:
        corrected: alignment of the winners of resamples on the items these left out. The interval reaches from the low
            end of one judge with these pooled shares on as many items to the high end of the winner's own: choosing
            may have added all of the difference or, where one candidate is much the best, nothing. It is cautious,
            and an interval scale has none.
        apparent: the winner's own alignment on all items, too high by what choosing adds.
        winner: position of the candidate with that alignment, the first of equals; None when it is undefined.
        chosen_share: for each candidate, the share of resamples it won; equals share one.
        draws: resamples that the figure rests on.
        undefined: resamples left out, since alignment is undefined on them (one class only).
    """

    corrected: Estimate
    apparent: Estimate
    winner: int | None
    chosen_share: tuple[float, ...]
    draws: int
    undefined: int

    @property
    def optimism(self) -> float | None:
        """What choosing added: apparent less corrected; None where one is undefined."""
        if self.apparent.value is None or self.corrected.value is None:
            return None
        return self.apparent.value - self.corrected.value

    def to_json(self) -> dict[str, Json]:
        """Return every figure as JSON."""
        return {
            "corrected": self.corrected.to_json(),
            "apparent": self.apparent.to_json(),
            "optimism": self.optimism,
            "winner": self.winner,
            "chosen_share": list(self.chosen_share),
            "draws": self.draws,
            "undefined": self.undefined,
        }


def permutation_p(
    human: Sequence[str | None],
    baseline: Sequence[Verdict],
    candidates: Sequence[Sequence[Verdict]],
    scale: Scale,
    *,
    groups: Sequence[str | None] | None = None,
    seed: int = 0,
    draws: int = DRAWS,
) -> Permutation:
    """Test the largest gain over the baseline against permutations of the verdicts over baseline and candidates.

    If all judges answered alike, any of an item's verdicts could have been any judge's: permuting them item by item
    shows which largest gains come from choosing among so many alone. Westfall and Young (1993).

    Args:
        human: gold label of each row; None leaves the row out.
        baseline: verdicts of the baseline.
        candidates: verdicts of every candidate scored on all rows, winners or not.
        scale: the declared scale.
        groups: group of each row (document, conversation): the verdicts on a group's items move together.
        seed: seed of the generator.
        draws: permutations, fewer for large data.

    Raises:
        InputError: there is no candidate, the lengths differ, or a label is outside the scale.
    """
    if not candidates:
        raise InputError("there is no candidate to compare with the baseline")
    stack = JudgeStack.of(human, [baseline, *candidates], scale)
    if stack.undefined is not None:
        nothing = Estimate(None, reason=stack.undefined)
        return Permutation(nothing, nothing, None, len(candidates), 0)
    units = None if groups is None else group_numbers(groups, stack.pairs[0])
    permute = _permute_items(stack) if units is None else _permute_groups(stack, units)
    generator = np.random.default_rng(seed)
    gains = _gains(stack.alignments(stack.codes))
    largest = float(gains.max())
    made = affordable_draws(draws, stack.codes.size // 10)
    at_once = max(1, _NUMBERS_AT_ONCE // stack.codes.size)
    count = 0
    for start in range(0, made, at_once):
        codes = permute(min(at_once, made - start), generator)
        count += int((_gains(stack.alignments(codes)).max(-1) >= largest - TIE).sum())
    best = int(np.flatnonzero(gains >= largest - TIE)[0])
    return Permutation(Estimate((1 + count) / (1 + made)), Estimate(largest), best, len(candidates), made)


def corrected_for_choosing(
    human: Sequence[str | None],
    candidates: Sequence[Sequence[Verdict]],
    scale: Scale,
    *,
    groups: Sequence[str | None] | None = None,
    seed: int = 0,
    draws: int = DRAWS,
) -> Corrected:
    """Measure winners on items that did not choose them.

    Items are resampled with replacement; the best judge of a resample is scored on the items it left out (about 37 %),
    and the counts of all resamples are pooled. A resample holds about 63 % of the items, so it finds a better candidate
    less surely than all items do: where candidates differ, the figure is on the low side. Efron (1983); Tsamardinos,
    Greasidou and Borboudakis (2018).

    Args:
        human: gold label of each row; None leaves the row out.
        candidates: verdicts of everything that could have been chosen, the baseline included.
        scale: the declared scale.
        groups: group of each row (document, conversation): groups are resampled, and left out, whole.
        seed: seed of the generator.
        draws: resamples, fewer for large data.

    Raises:
        InputError: there is no candidate, the lengths differ, or a label is outside the scale.
    """
    stack = JudgeStack.of(human, candidates, scale)
    units = None if groups is None else group_numbers(groups, stack.pairs[0])
    one_group = units is not None and int(units.max(initial=0)) == 0
    if stack.undefined is not None or one_group:
        nothing = Estimate(None, reason=stack.undefined or "nothing_left_out")
        return Corrected(nothing, nothing, None, tuple(0.0 for _ in candidates), 0, 0)
    generator = np.random.default_rng(seed)
    own = stack.alignments(stack.codes)
    winner = int(np.flatnonzero(own >= own.max() - TIE)[0])

    resampled = _resamples(stack.n, units, affordable_draws(draws, stack.n), generator)
    scores = stack.reweighted(resampled)
    defined = ~np.isnan(scores).any(0)
    scores, left_out = scores[:, defined], resampled[defined] == 0
    chosen = (scores >= scores.max(0) - TIE).astype(np.float64)
    chosen /= chosen.sum(0)
    pooled = chosen @ left_out
    value = stack.pooled(pooled) if pooled.any() else np.nan
    if not np.isfinite(value):
        nothing = Estimate(None, reason="nothing_left_out")
        return Corrected(nothing, Estimate(float(own[winner])), winner, tuple(0.0 for _ in candidates), 0, defined.size)
    corrected = Estimate(float(value))
    if scale.kind != "interval":
        alone = np.zeros_like(pooled)
        alone[winner] = 1.0
        ends = [_interval(stack, each, units, draws, generator) for each in (pooled, alone)]
        if ends[0] is not None and ends[1] is not None:
            corrected = corrected.with_interval(ends[0].low, max(ends[0].high, ends[1].high))
    return Corrected(
        corrected=corrected,
        apparent=Estimate(float(own[winner])),
        winner=winner,
        chosen_share=tuple(float(share) for share in chosen.mean(1)),
        draws=int(defined.sum()),
        undefined=int((~defined).sum()),
    )


def _gains(alignments: Array) -> Array:
    """Return the gains over the first judge, ``[..., judges]`` to ``[..., judges - 1]``."""
    return alignments[..., 1:] - alignments[..., :1]


def _permute_items(stack: JudgeStack) -> Callable[[int, Generator], Codes]:
    """Return a source of permutations of every item's verdicts over the judges, ``[draws, judges, n]``.

    They are drawn for sorted verdicts of sorted items: the p of one seed then depends on no order.
    """
    verdicts = np.sort(stack.codes, axis=0)
    gold = stack.pairs[0].human_scores if stack.scores.size else stack.human
    order = np.lexsort([*verdicts, gold])
    place = np.argsort(order)
    items = verdicts.T[order].astype(np.int32)

    def permute(draws: int, generator: Generator) -> Codes:
        drawn = generator.permuted(np.broadcast_to(items, (draws, *items.shape)), axis=-1)
        return np.moveaxis(drawn, -1, 1)[..., place].astype(np.int64)

    return permute


def _permute_groups(stack: JudgeStack, groups: Codes) -> Callable[[int, Generator], Codes]:
    """Return a source of permutations of the judges, one for all items of a group, ``[draws, judges, n]``."""
    items = np.arange(stack.n)

    def permute(draws: int, generator: Generator) -> Codes:
        judges = np.broadcast_to(np.arange(stack.judges), (draws, int(groups.max()) + 1, stack.judges))
        drawn = np.moveaxis(generator.permuted(judges, axis=-1), -1, 1)
        permuted: Codes = stack.codes[drawn[..., groups], items]
        return permuted

    return permute


def _resamples(n: int, groups: Codes | None, draws: int, generator: Generator) -> Array:
    """Return how often each item is in each resample of items or groups, ``[draws, n]``."""
    units = n if groups is None else int(groups.max()) + 1
    weights = generator.multinomial(units, np.full(units, 1 / units), size=draws).astype(np.float64)
    return weights if groups is None else weights[:, groups]


def _interval(
    stack: JudgeStack, weights: Array, groups: Codes | None, draws: int, generator: Generator
) -> Interval | None:
    """Return the interval of one judge with the shares of pairs that weights give, on as many items as there are."""

    def figures(tables: Array) -> dict[str, Array]:
        return {"alignment": alignment(components(stack.square(tables), stack.how))}

    weights = weights * (stack.n / weights.sum())
    counts = stack.pooled_tables(weights)
    drawn = draw_tables(counts, draws, generator)
    ends = intervals_of(figures, drawn)
    if groups is not None:
        tables = stack.pooled_tables(weights, groups)
        made = affordable_draws(draws, tables.size)
        replicates = figures(bootstrap_groups(tables, made, generator))["alignment"]
        effect = design_effect(replicates, figures(drawn.lower[0])["alignment"], len(tables), stack.n)
        by_group = percentiles(replicates)
        ends = intervals_of(figures, draw_tables(counts / effect, draws, generator))
        if by_group is not None:
            ends = union(ends, {"alignment": by_group})
    return ends.get("alignment")
