"""The sentences that results begin with: what a manager can quote, and no more than the data carry."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from calibrate.metrics import Alignment, Comparison, Estimate, Family, JudgePair
from calibrate.workflows.evidence import Evidence, Unseen
from calibrate.workflows.results import JudgeAlignment, too_many_unscored

__all__ = [
    "Search",
    "calibration_sentence",
    "counted",
    "figure",
    "judge_sentence",
    "judges_sentence",
    "p_value",
    "signed",
]

SIGNIFICANT = 0.05
"""The permutation p below which choosing does not explain a gain."""

_FEW_CLASSES = 3
_SAID_ONE_BY_ONE = 3


def judge_sentence(result: JudgeAlignment, max_unscored: float) -> str:
    """Say how far a judge agrees with the experts, and what it does to each class."""
    alignment = result.alignment
    where = f" ({result.slice})" if result.slice else ""
    who = f"{result.judge} on {result.dimension}{where}"
    if too_many_unscored(alignment, max_unscored):
        return (
            f"{who}: {counted_of(alignment.n - alignment.scored, alignment.n, 'item')} no usable verdict; "
            "this judge cannot be relied on until it answers."
        )
    if alignment.alignment.value is None:
        return f"{who}: alignment is undefined ({alignment.alignment.reason}) on {counted(alignment.n, 'item')}."
    measured = sum(map(sum, alignment.confusion.matrix)) or alignment.scored
    wrong = f" ({figure(alignment.wrong.alignment)} with the unscored as wrong)" if alignment.wrong else ""
    return (
        f"{who} agrees with the experts at alignment {figure(alignment.alignment)} on {counted(measured, 'item')}"
        f"{wrong}{_classes(alignment)}."
    )


def judges_sentence(
    results: Sequence[JudgeAlignment], max_unscored: float, families: Mapping[str, Family] | None = None
) -> str:
    """Say it for each judge, or for the best and the worst of each dimension when there are many.

    Args:
        results: the judges, on each whole dimension.
        max_unscored: share of unscored verdicts above which no good word is said.
        families: their differences, by dimension (or ``dimension (run 1)``): whether these items tell them apart.
    """
    told = _told_apart(results, max_unscored, families or {})
    if len({each.judge for each in results}) <= _SAID_ONE_BY_ONE:
        return " ".join([*(judge_sentence(each, max_unscored) for each in results), *told.values()])
    sentences = []
    for dimension in dict.fromkeys(each.dimension for each in results):
        here = [each for each in results if each.dimension == dimension]
        silent = [each for each in here if too_many_unscored(each.alignment, max_unscored)]
        ranked = sorted(
            (each for each in here if each not in silent and each.alignment.alignment.value is not None),
            key=lambda each: -(each.alignment.alignment.value or 0.0),
        )
        if ranked:
            best, worst = ranked[0], ranked[-1]
            if dimension in told:
                sentences.append(
                    f"{told[dimension]} Their alignment lies between {figure(worst.alignment.alignment)} and "
                    f"{figure(best.alignment.alignment)}."
                )
            else:
                sentences.append(
                    f"Of {len(ranked)} judges on {dimension}, {best.judge} agrees with the experts most, at alignment "
                    f"{figure(best.alignment.alignment)}, {worst.judge} least, at {figure(worst.alignment.alignment)}."
                )
        sentences += [judge_sentence(each, max_unscored) for each in silent]
    return " ".join(sentences) or "No alignment is defined on these items."


def _told_apart(
    results: Sequence[JudgeAlignment], max_unscored: float, families: Mapping[str, Family]
) -> dict[str, str]:
    """Say of each dimension that its judges are not told apart, or how two of them differ; nothing of the others."""
    found = {}
    for dimension in dict.fromkeys(each.dimension for each in results):
        here = [each for each in results if each.dimension == dimension]
        own = [each for name, each in families.items() if name == dimension or name.startswith(f"{dimension} (run ")]
        pairs = [pair for each in own for pair in each.pairs]
        usable = [each for each in here if not too_many_unscored(each.alignment, max_unscored)]
        if len(usable) < 2 or not pairs or all(pair.p is None for pair in pairs):
            continue
        if len(pairs) == 1:
            found[dimension] = _pair_sentence(pairs[0], "" if len(own) == len(families) else f" on {dimension}")
        elif not any(pair.real for pair in pairs):
            found[dimension] = f"These items do not tell the {len(usable)} judges on {dimension} apart."
    return found


def _pair_sentence(pair: JudgePair, where: str) -> str:
    """Say how two judges differ, seen from the better one."""
    seen = pair.comparison.difference
    value, low, high = seen.value, seen.low, seen.high
    if value is None or low is None or high is None or pair.p is None:
        return ""
    better, other = (pair.candidate, pair.baseline) if value > 0 else (pair.baseline, pair.candidate)
    if value <= 0:
        value, low, high = abs(value), -high, -low
    if pair.real:
        return f"{better} is better{where} by {value:.2f} (95 % interval {low:.2f} to {high:.2f}), {p_value(pair.p)}."
    between = f"difference {value:.2f} (95 % interval {low:+.2f} to {high:+.2f}), {p_value(pair.p)}"
    return f"These items do not tell {better} and {other} apart{where}: {between}."


@dataclass(frozen=True, slots=True)
class Search:
    """What a calibration has tried.

    Attributes:
        judged: rewrites that were judged.
        rejected: why each of the others was rejected.
        ended: whether it came to its end.
        version: which other version of the search made it, in words; empty when this one did, which can go on with it.
    """

    judged: int
    rejected: tuple[str, ...]
    ended: bool
    version: str = ""


def calibration_sentence(
    baseline: Alignment,
    winner: Alignment,
    comparison: Comparison | None,
    search: Search,
    evidence: Evidence,
    *,
    max_unscored: float,
) -> str:
    """Say what a calibration came to: better on unseen answers, better on these items only, not told apart, or worse.

    A gain on the items that were searched on counts when choosing the best of so many does not explain it (permutation
    p below 0.05) and the judge's own variation does not either; without those tests, when its interval lies above 0.

    Args:
        baseline: alignment of the prompt it started from.
        winner: alignment of the best prompt.
        comparison: winner against baseline, paired; None when the winner is the baseline.
        search: what was tried.
        evidence: what was measured beside the search.
        max_unscored: share of unscored verdicts above which no good word is said.
    """
    start = "" if search.ended else f"Unfinished, by {search.version}: " if search.version else "Unfinished: "
    items = f"these {winner.n} items"
    if comparison is None:
        return f"{start}{_no_better(baseline, search, items)}"
    if too_many_unscored(winner, max_unscored):
        return (
            f"{start}The best prompt leaves {winner.n - winner.scored} of {items} without a verdict; it is not usable."
        )
    before, after = baseline.alignment.value, winner.alignment.value
    change = f"alignment {_short(before)} before, {_short(after)} after"
    if not search.ended:
        then = "starts another calibration" if search.version else "goes on"
        return f"{start}so far, on {items}, {change}; the same command {then}."
    difference = comparison.difference
    unseen = evidence.verdict_on_unseen
    if unseen is not None:
        return f"{_on_unseen(unseen, comparison, evidence)} On {items}: {change}."
    if difference.low is None:
        return f"On {items}, not tested on unseen ones: {change}; these data cannot tell whether the gain is real."
    said = f"{change}; difference {signed(difference)}{_chance(search, evidence)}"
    if (difference.high or 0.0) < 0:
        return f"Worse in alignment on {items}, not tested on unseen ones: {said}."
    if _is_real_here(comparison, evidence):
        return f"Better on {items}, not tested on unseen ones: {said}."
    return f"Not distinguishable from the baseline on {items}: {said}{_why_not(comparison, evidence)}."


def _on_unseen(unseen: Unseen, comparison: Comparison, evidence: Evidence) -> str:
    """Say what a test on unseen items found, and whether another one found the winner worse."""
    where = {
        "holdout": f"{unseen.n} held-out items{_used(unseen)}",
        "confirm": f"{unseen.n} fresh labels{_used(unseen)}",
        "cross_fit": f"{unseen.n} items, each judged by a prompt that was found without it",
    }[unseen.source]
    worse = [each for each in evidence.unseen if each is not unseen and (each.difference.high or 0.0) < 0]
    others = "".join(f"; worse on {each.n} items of another test ({each.source.replace('_', '-')})" for each in worse)
    figures = f"difference {signed(unseen.difference)} on {where}"
    within = evidence.is_within_noise(unseen.difference.value or 0.0)
    if unseen.conclusion == "better" and not within and not worse:
        return f"Better on unseen answers: {figures}."
    if unseen.conclusion == "better":
        reason = others or ", within the judge's own noise"
        return f"Not distinguishable from the baseline on unseen answers: {figures}{reason}."
    if (unseen.difference.high or 0.0) < 0:
        return f"Worse on unseen answers: {figures}{others}."
    needed = _needed(unseen.n, unseen.half_width, comparison.difference.value)
    return f"Not distinguishable from the baseline on unseen answers: {figures}{needed}{others}."


def _used(unseen: Unseen) -> str:
    return "" if unseen.uses == 1 else f" (test {unseen.uses} on some of them)"


def _is_real_here(comparison: Comparison, evidence: Evidence) -> bool:
    """Whether the gain on the items that were searched on is more than choosing and the judge's noise explain."""
    if comparison.difference.low is None or comparison.difference.low <= 0:
        return False
    return not _is_noise(comparison, evidence) and not _is_chance(evidence)


def _is_noise(comparison: Comparison, evidence: Evidence) -> bool:
    return bool(evidence.is_within_noise(comparison.difference.value or 0.0))


def _is_chance(evidence: Evidence) -> bool:
    chance = evidence.chance
    return chance is not None and chance.p.value is not None and chance.p.value >= SIGNIFICANT


def _why_not(comparison: Comparison, evidence: Evidence) -> str:
    """Say why a gain is not told from none, and how many items would show it where more items would help."""
    if _is_chance(evidence):
        return "; choosing the best of so many explains it"
    if _is_noise(comparison, evidence):
        return "; the judge's own noise explains it"
    return _needed(comparison.n, comparison.half_width, comparison.difference.value)


def _chance(search: Search, evidence: Evidence) -> str:
    """How many rewrites the best was chosen of, and the permutation p over all of them."""
    chance = evidence.chance
    chosen = f", best of {counted(search.judged, 'rewrite')}"
    if chance is None or chance.p.value is None:
        return f"{chosen}, which the interval does not allow for"
    return f"{chosen}, {p_value(chance.p.value)} over all of them"


def p_value(p: float) -> str:
    """Write a p value."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _needed(n: int, half_width: float | None, gain: float | None) -> str:
    """How many items would resolve the gain that was seen, if it is real and more items would do it."""
    if half_width is None or gain is None or gain <= 0:
        return ""
    needed = math.ceil(n * (half_width / gain) ** 2)
    if needed <= n:
        return ""
    return f"; about {needed:,} items would be needed for an even chance to show a gain of {gain:.2f}"


def _short(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.2f}"


def _no_better(baseline: Alignment, search: Search, items: str) -> str:
    value = figure(baseline.alignment)
    if search.judged == 1:
        return f"The one rewrite that was judged did no better than the baseline, {value}, on {items}."
    if search.judged:
        tried = counted(search.judged, "rewrite")
        return f"None of {tried} did better than the baseline, {value}, on {items}."
    if search.rejected:
        reason, times = Counter(search.rejected).most_common(1)[0]
        return (
            f"No rewrite could be tried: all {len(search.rejected)} were rejected ({reason}: {times}); "
            f"the baseline stands at {value} on {items}."
        )
    return f"Nothing was tried; the baseline stands at {value} on {items}."


def counted(number: int, noun: str) -> str:
    """Write a number with its noun, in the plural where there is not one of them."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def counted_of(part: int, whole: int, noun: str) -> str:
    """Write a part of a number of things with the verb it takes: ``1 of 6 items has``, ``2 of 6 items have``."""
    return f"{part} of {counted(whole, noun)} {'has' if part == 1 else 'have'}"


def signed(difference: Estimate) -> str:
    """Write a difference with its interval, or why there is none."""
    if difference.value is None:
        return f"undefined ({difference.reason})"
    if difference.low is None or difference.high is None:
        return f"{difference.value:+.2f}"
    return f"{difference.value:+.2f} (95 % interval {difference.low:+.2f} to {difference.high:+.2f})"


def figure(estimate: Estimate) -> str:
    """Write a figure with its interval, or why there is none."""
    if estimate.value is None:
        return f"undefined ({estimate.reason})"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.2f}"
    return f"{estimate.value:.2f} (95 % interval {estimate.low:.2f} to {estimate.high:.2f})"


def _classes(alignment: Alignment) -> str:
    """How many of each class the judge recognises, for scales of few classes."""
    table = zip(alignment.confusion.labels, alignment.confusion.matrix, strict=True)
    rows = [(position, label, row) for position, (label, row) in enumerate(table) if sum(row)]
    if not 0 < len(rows) <= _FEW_CLASSES:
        return ""
    return "; it recognises " + " and ".join(f"{row[i]} of {sum(row)} labelled {label!r}" for i, label, row in rows)
