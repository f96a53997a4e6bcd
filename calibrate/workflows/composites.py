"""Juries and cascades of the judges of a comparison, from verdicts that are there already: nothing is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from calibrate.domain import GoldenSet, Json, Scored, Verdict
from calibrate.errors import InputError
from calibrate.metrics import (
    Cascade,
    cascade_cost,
    confidence_cascade,
    disagreement_cascade,
    majority_jury,
    minority_veto,
    weighted_jury,
)
from calibrate.workflows.baseline import measure
from calibrate.workflows.compared import Compared, Kind, by_cost
from calibrate.workflows.results import JudgeAlignment
from calibrate.workflows.verdict_costs import Toll, VerdictCost

__all__ = ["composites"]

_FEWEST_VOTING = 3  # two judges that differ are worth the first one: that is no majority


def composites(judges: Sequence[Compared], golden: GoldenSet, seed: int) -> tuple[Compared, ...]:
    """Return what juries and cascades of these judges would have decided.

    Juries are of the judges that share a prompt, or of all where no two do: the majority of three or more (an odd
    number, unless labels have an order); of two or more the veto of any one (binary scales) and the vote weighted by
    record (labels without an order). Cascades ask a cheaper judge first: one that tells its confidence, or the two
    cheapest, whose disagreement decides; the last judge is the dearest. Which judges take part is chosen by cost and
    never by how well they did on these items, which would flatter.

    Args:
        judges: those that were asked.
        golden: the items, of one dimension.
        seed: of the folds, in which weights and thresholds are learned on one part of the items and used on the other.
    """
    maker = _Maker(golden, seed)
    return (*(one for jury in _juries(judges) for one in maker.juries(*jury)), *maker.cascades(judges))


def _juries(judges: Sequence[Compared]) -> Iterator[tuple[str, list[Compared]]]:
    """Yield the judges that can sit on a jury, and what tells one jury from the others."""
    by_prompt: dict[str, list[Compared]] = {}
    seen: set[tuple[str, Json]] = set()
    for each in judges:
        one = (each.how, each.details.get("model"))
        if one not in seen:  # the same judge with more votes has no further vote
            seen.add(one)
            by_prompt.setdefault(each.how, []).append(each)
    several = {how: members for how, members in by_prompt.items() if len(members) > 1}
    if not several:
        yield "", [each for members in by_prompt.values() for each in members]
    for how, members in several.items():
        yield (f", {how}" if len(by_prompt) > 1 else ""), members


class _Maker:
    def __init__(self, golden: GoldenSet, seed: int) -> None:
        (self._dimension,) = golden.dimensions
        self._golden, self._seed, self._items = golden, seed, golden.labelled
        self._scale = golden.scales[self._dimension]
        self._human = [item.label for item in self._items]
        self._groups = [item.group for item in self._items] if any(item.group for item in self._items) else None

    def juries(self, which: str, members: Sequence[Compared]) -> Iterator[Compared]:
        """Yield the juries of these judges."""
        if len(members) < 2:
            return
        verdicts = [self._verdicts(each) for each in members]
        names, count = _named(members), len(members)
        toll, sitting = _sum(members), {"members": [each.name for each in members]}
        ordered = self._scale.kind in ("ordinal", "interval")
        if count >= _FEWEST_VOTING and (ordered or count % 2):
            rule = "the median of" if ordered else "the commonest label of"
            name = f"majority of {count}{which}"
            yield self._made(name, "jury", f"{rule} {names}", majority_jury(verdicts, self._scale), toll, sitting)
        if self._scale.kind == "binary":
            rule = f"rejects as soon as one of {names} rejects"
            name = f"veto of any of {count}{which}"
            yield self._made(name, "jury", rule, minority_veto(verdicts, self._scale), toll, sitting)
        if not ordered:
            try:
                weighted = weighted_jury(self._human, verdicts, self._scale, groups=self._groups, seed=self._seed)
            except InputError:
                return  # too few groups for folds: nothing can be learned on one part and used on another
            rule = (
                f"the votes of {names}, weighted by what each has been right about; each item by weights learned on "
                f"the other {weighted.folds - 1} of {weighted.folds} folds"
            )
            details: dict[str, Json] = {**sitting, "jury": weighted.to_json()}
            yield self._made(f"weighted vote of {count}{which}", "jury", rule, weighted.verdicts, toll, details)

    def cascades(self, judges: Sequence[Compared]) -> Iterator[Compared]:
        """Yield the cascades of these judges, those by confidence first."""
        priced = [each for each in by_cost(judges) if each.cost is not None]
        last = priced[-1] if priced else None
        for cheap in priced:
            if (
                last is None
                or (cheap.cost or 0.0) >= (last.cost or 0.0)
                or not any(isinstance(each, Scored) and each.confidence is not None for each in self._verdicts(cheap))
            ):
                continue
            try:
                found = confidence_cascade(
                    self._human,
                    self._verdicts(cheap),
                    self._verdicts(last),
                    self._scale,
                    groups=self._groups,
                    seed=self._seed,
                )
            except InputError:
                continue  # too few groups for folds
            yield self._cascade(f"cascade from {cheap.name}", [cheap], last, found, _by_confidence(found))
        if len(priced) >= _FEWEST_VOTING and not (self._scale.kind == "interval" and self._scale.threshold is None):
            first, second, *_, last = priced
            if (second.cost or 0.0) < (last.cost or 0.0):
                found = disagreement_cascade(
                    self._verdicts(first), self._verdicts(second), self._verdicts(last), self._scale
                )
                yield self._cascade("cascade on disagreement", [first, second], last, found, "where they disagree")

    def _cascade(self, name: str, first: Sequence[Compared], last: Compared, found: Cascade, when: str) -> Compared:
        before, share = _sum(first).cost, found.share
        cost = VerdictCost(
            cascade_cost(before.live, last.cost, share), cascade_cost(before.batch, last.toll.cost.batch, share)
        )
        calls = _sum(first).calls
        toll = Toll(
            cost, None if calls is None or last.toll.calls is None else calls + (share or 0.0) * last.toll.calls
        )
        rule = f"{_named(first)} first; {last.name} {when}: {(share or 0.0):.0%} of the items"
        members: list[Json] = [each.name for each in (*first, last)]
        return self._made(name, "cascade", rule, found.verdicts, toll, {"members": members, "cascade": found.to_json()})

    def _made(
        self, name: str, kind: Kind, how: str, verdicts: Sequence[Verdict], toll: Toll, details: Mapping[str, Json]
    ) -> Compared:
        by_id = {item.id: verdict for item, verdict in zip(self._items, verdicts, strict=True)}
        alignment = measure(self._golden, by_id, seed=self._seed)
        result = JudgeAlignment(name, self._dimension, None, alignment)
        return Compared(result, kind, how, by_id, toll, details=details)

    def _verdicts(self, judge: Compared) -> list[Verdict]:
        return [judge.verdicts[item.id] for item in self._items]


def _by_confidence(found: Cascade) -> str:
    if found.threshold is None:
        return "always, as no confidence is shown to be enough"
    return f"below a confidence of {found.threshold:g} (for each item chosen on the other folds)"


def _sum(judges: Sequence[Compared]) -> Toll:
    """Return what it takes to ask all of them."""
    live, batch = ([getattr(each.toll.cost, name) for each in judges] for name in ("live", "batch"))
    calls = [each.toll.calls for each in judges]
    return Toll(VerdictCost(_total(live), _total(batch)), _total(calls))


def _total(values: Sequence[float | None]) -> float | None:
    known = [each for each in values if each is not None]
    return sum(known) if len(known) == len(values) else None


def _named(judges: Sequence[Compared]) -> str:
    *first, last = [each.name for each in judges]
    return f"{', '.join(first)} and {last}" if first else last
