"""The judges of one dimension, measured beside each other: figures, juries, differences, front, and which to take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from calibrate.domain import GoldenSet, Verdict
from calibrate.metrics import (
    Automation,
    Estimate,
    Family,
    beside_reference,
    family,
    pareto_front,
    safe_automation,
)
from calibrate.workflows.baseline import Judged
from calibrate.workflows.choice import choose_judge
from calibrate.workflows.compared import Compared, Gain, Standings, by_cost
from calibrate.workflows.composites import composites
from calibrate.workflows.contenders import Opened
from calibrate.workflows.recalibrate import Recalibrated
from calibrate.workflows.results import too_many_unscored
from calibrate.workflows.sentences import signed
from calibrate.workflows.verdict_costs import toll_of

__all__ = ["Rules", "standings_of"]


@dataclass(frozen=True, slots=True)
class Rules:
    """How judges are compared.

    Attributes:
        juries: whether juries and cascades are measured beside them.
        margin: how much lower in alignment a judge may be and still count as as good as the best.
        max_error: the conditional error that a judge with confidence may have where it decides alone.
        volume: verdicts a day that costs are told for; None for none.
        max_unscored: share of unscored verdicts above which no good word is said about a judge.
        seed: of intervals and folds.
    """

    juries: bool
    margin: float
    max_error: float
    volume: int | None
    max_unscored: float
    seed: int


def standings_of(
    golden: GoldenSet,
    judges: Sequence[tuple[Opened, Judged]],
    rules: Rules,
    again: Sequence[Recalibrated],
    *,
    searched: int,
) -> Standings:
    """Compare judges that have judged the same items.

    Args:
        golden: the items, of one dimension.
        judges: each with its verdicts.
        rules: how they are compared.
        again: what calibrating models again came to.
        searched: how many of the labelled items a search has seen.
    """
    (dimension,) = golden.dimensions
    items = golden.labelled
    asked = [_compared(each, judged) for each, judged in judges]
    usable = [each for each in asked if not too_many_unscored(each.alignment, rules.max_unscored)]
    made = composites(usable, golden, rules.seed) if rules.juries else ()
    compared = tuple(replace(each, automation=_automation(each, golden, rules.max_error)) for each in (*asked, *made))
    table = _Table(golden, rules)
    found = family(table.human, {each.name: table.verdicts(each) for each in by_cost(usable or asked)}, **table.how)
    best = next((each for each in compared if each.name == found.best), None) if usable else None
    beside = dict(found.beside) if best is not None else {}
    if best is not None and made:
        reference, others = (best.name, table.verdicts(best)), {each.name: table.verdicts(each) for each in made}
        # No part of the judges' family: every jury in it would make it harder to tell the judges apart.
        beside |= beside_reference(table.human, reference, others, **table.how)
    choice = choose_judge(
        compared,
        best,
        beside,
        found,
        margin=rules.margin,
        max_unscored=rules.max_unscored,
        volume=rules.volume,
    )
    on_front = pareto_front([(each.score, each.cost) for each in compared])
    gains = tuple(_gains(again, judges))
    return Standings(
        dimension=dimension,
        n=len(items),
        sentence=choice.sentence + _flattered(compared, choice.name, searched, len(items)),
        compared=compared,
        family=found,
        best=None if best is None else best.name,
        beside=beside,
        front=tuple(each.name for each, front in zip(compared, on_front, strict=True) if front),
        choice=choice.name,
        gains=gains,
        notes=(
            *_on_searched(judges, searched, len(items)),
            *_bought(gains, found),
            *_without_cost(compared),
        ),
    )


class _Table:
    """Gold and verdicts in the order of the items, as comparisons take them."""

    def __init__(self, golden: GoldenSet, rules: Rules) -> None:
        (dimension,) = golden.dimensions
        self._items = golden.labelled
        self.human = [item.label for item in self._items]
        groups = [item.group for item in self._items] if any(item.group for item in self._items) else None
        scale = golden.scales[dimension]
        self.how: dict[str, Any] = {"scale": scale, "groups": groups, "seed": rules.seed, "margin": rules.margin}

    def verdicts(self, one: Compared) -> list[Verdict]:
        """Return the verdicts of one of them."""
        return [one.verdicts[item.id] for item in self._items]


def _compared(opened: Opened, judged: Judged) -> Compared:
    contender, facts = opened.contender, judged.facts
    result = replace(judged.result, judge=contender.name)
    run = facts["run"]
    assert isinstance(run, int)
    return Compared(
        result=result,
        kind="judge",
        how=contender.prompt,
        verdicts=judged.evaluated.verdicts,
        toll=toll_of(judged.evaluated, opened.model),
        run=run,
        origin=contender.origin,
        returned=tuple(sorted(judged.evaluated.returned)),
        details={
            "model": contender.model,
            "votes": contender.judge.votes,
            "searched": contender.searched,
            **({"splitter": contender.judge.splitter} if contender.judge.splitter else {}),
        },
    )


def _automation(one: Compared, golden: GoldenSet, max_error: float) -> Automation | None:
    """Return what a judge that tells its confidence may decide alone; None for one that tells none."""
    if one.alignment.confidence is None:
        return None
    items = golden.labelled
    columns = dict.fromkeys(name for item in items for name in item.attributes)
    return safe_automation(
        [item.label for item in items],
        [one.verdicts[item.id] for item in items],
        golden.scales[one.result.dimension],
        max_error=max_error,
        slices={name: [item.attributes.get(name) for item in items] for name in columns},
    )


def _gains(again: Sequence[Recalibrated], judges: Sequence[tuple[Opened, Judged]]) -> Iterator[Gain]:
    contenders = [opened.contender for opened, _ in judges]
    for each in again:
        mine = [one for one in contenders if one.model == each.model]
        given = next((one for one in mine if one.origin is not None and one.origin != each.prompt), None)
        own = next((one for one in mine if each.prompt is not None and one.origin == each.prompt), None)
        if given is not None and (own is not None or each.prompt is None):
            yield Gain(each.model, given.name, None if own is None else own.name, each.run)


def _bought(gains: Sequence[Gain], found: Family) -> Iterator[str]:
    """Say what calibrating each model again bought over the prompt that it was given."""
    for gain in gains:
        if gain.recalibrated is None:
            yield f"calibrating {gain.model} again (run {gain.run}) found nothing better than the prompt it was given"
            continue
        pair = found.pair(gain.transferred, gain.recalibrated)
        difference = pair.comparison.difference
        if pair.candidate == gain.transferred:
            difference = _turned(difference)
        worth = "real" if pair.real else "no more than chance may explain"
        yield (
            f"calibrating {gain.model} again (run {gain.run}) changes alignment by {signed(difference)} over the "
            f"prompt it was given: {worth}; on the items that it was searched on this flatters"
        )


def _turned(difference: Estimate) -> Estimate:
    """Return the difference the other way round."""
    value, low, high = (None if each is None else -each for each in (difference.value, difference.high, difference.low))
    return replace(difference, value=value, low=low, high=high)


def _flattered(compared: Sequence[Compared], choice: str | None, searched: int, n: int) -> str:
    """Say that the prompt of the judge to take was shaped by the items that it is measured on."""
    chosen = next((each for each in compared if each.name == choice), None)
    if chosen is None or not chosen.details.get("searched") or not searched:
        return ""
    how_many = f"all {n}" if searched == n else f"{searched} of these"
    return f" A search has seen {how_many} items, and its prompt may look better on them than on new ones."


def _on_searched(judges: Sequence[tuple[Opened, Judged]], searched: int, n: int) -> Iterator[str]:
    """Say that prompts are measured on items that shaped them, or that nobody can know it."""
    found = [opened.contender for opened, _ in judges if opened.contender.searched]
    elsewhere = [each.name for each in found if each.elsewhere]
    if elsewhere:
        yield (
            f"a search that this database does not hold has written the prompt of {', '.join(elsewhere)}: whether it "
            "saw these items is not known"
        )
    here = [each.name for each in found if not each.elsewhere]
    if not here or not searched:
        return
    which = f"what a search has written ({', '.join(here)})"
    seen = f"all {n}" if searched == n else f"{searched} of these {n}"
    how = "--unseen compares on the others" if searched < n else "label further items to compare on unseen ones"
    yield f"{seen} items were seen by a search: on them {which} may look better than on new ones; {how}"


def _without_cost(compared: Sequence[Compared]) -> Iterator[str]:
    names = [each.name for each in compared if each.cost is None and each.kind == "judge"]
    if names:
        yield f"the cost of {', '.join(names)} is unknown: not on the front, and never the cheapest"
