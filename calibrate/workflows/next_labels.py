"""Which unlabelled items to label next: where judges are unsure or disagree, and where labels are rare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.random import Generator

from calibrate.domain import GoldenSet, Item, Json, Scored, Unscored, Verdict
from calibrate.errors import InputError
from calibrate.store import RunRecord, Store
from calibrate.workflows.golden import excerpt
from calibrate.workflows.ranking import rank
from calibrate.workflows.sentences import counted
from calibrate.workflows.splitter import judge_name

__all__ = ["Opinion", "Ranking", "Suggestion", "opinions", "rank_unlabelled"]

_UNSURE = 0.5  # confidence at most midway between chance and certainty
_RARE = 0.5  # at most half as many labelled items as the slice with most


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a judge of an earlier run said of an item.

    Attributes:
        run: the run and candidate, ``RUN:CANDIDATE``.
        judge: what tells one judge from another: its model and prompt.
        verdict: what it said.
    """

    run: str
    judge: tuple[str, str]
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An item to label.

    Attributes:
        item: the item.
        score: the sum of what speaks for it, each in [0, 1]; 0 for an item drawn at random.
        reasons: why, in words.
    """

    item: Item
    score: float
    reasons: tuple[str, ...]

    def to_json(self) -> dict[str, Json]:
        """Return id, score, reasons and an excerpt."""
        return {
            "id": self.item.id,
            "dimension": self.item.dimension,
            "score": self.score,
            "reasons": list(self.reasons),
            "excerpt": excerpt(self.item),
        }


@dataclass(frozen=True, slots=True)
class Ranking:
    """All unlabelled items of a dimension, the ones to label first at the front.

    Attributes:
        suggestions: the items.
        how: how they were ranked or drawn, in a sentence.
        informed: how many of them have a reason beyond chance.
    """

    suggestions: tuple[Suggestion, ...]
    how: str
    informed: int


def opinions(store: Store | None, golden: GoldenSet) -> dict[str, list[Opinion]]:
    """Return what earlier runs said of the unlabelled items of a set with one dimension, by item id.

    A run counts with its first prompt and its best one. An item of another version of the set is the same item when it
    has the same id and inputs.
    """
    (dimension,) = golden.dimensions
    wanted = {item.id: item for item in golden.items if item.label is None}
    found: dict[str, list[Opinion]] = {}
    if store is None or not wanted:
        return found
    same: dict[str, set[str]] = {}
    for run in store.runs():
        if run.dimension != dimension:
            continue
        if run.golden_digest not in same:
            same[run.golden_digest] = _same_items(store.golden(run.golden_digest), wanted)
        if same[run.golden_digest]:
            for item_id, opinion in _said(store, run):
                if item_id in same[run.golden_digest]:
                    found.setdefault(item_id, []).append(opinion)
    return found


def _same_items(stored: GoldenSet, wanted: Mapping[str, Item]) -> set[str]:
    return {item.id for item in stored.items if item.id in wanted and item.inputs == wanted[item.id].inputs}


def _said(store: Store, run: RunRecord) -> Iterator[tuple[str, Opinion]]:
    judged = [each for each in store.candidates(run.id) if each.status == "scored"]
    best = max(judged, key=rank, default=None)
    for candidate in judged:
        if candidate.evaluation is not None and (candidate.number == 0 or candidate is best):
            judge = judge_name(run.spec["judge"]), candidate.prompt
            for item_id, verdict in store.verdicts(candidate.evaluation).items():
                yield item_id, Opinion(f"{run.id}:{candidate.number}", judge, verdict)


def rank_unlabelled(
    golden: GoldenSet, said: Mapping[str, Sequence[Opinion]], *, by: str | None = None, seed: int = 0
) -> Ranking:
    """Rank the unlabelled items of a set with one dimension.

    Each of these adds up to 1 to an item's score: raters tie on it; judges disagree (share of pairs that do); votes of
    one judge differ; a judge is unsure (no label, or a confidence at most midway between chance and certainty); its
    slice is rare among the labelled items (at most half as many as the slice with most). Equal items come in a random
    order, proportionally from each slice or group.

    Args:
        golden: the set.
        said: what judges said of its unlabelled items.
        by: the column with the slices; None draws by group, where one is declared.
        seed: of the random order.

    Raises:
        InputError: no item has such a column.
    """
    _refuse_unknown(golden, by)
    items = [item for item in golden.items if item.label is None]
    scale = golden.scales[golden.dimensions[0]]
    chance = 1 / len(scale.labels) if scale.labels else 0.0
    rarity = _Rarity(golden, by)
    order = _proportional_order(items, by, np.random.default_rng(seed))
    grouped = any(item.group for item in items)
    stratified = f", stratified by {by}" if by else ", stratified by group" if grouped else ""
    found = []
    for item in items:
        parts = [*_people(item), *_judges(said.get(item.id, ()), chance), *rarity.of(item)]
        reasons = tuple(words for _, words in parts) or (f"drawn at random{stratified}",)
        found.append(Suggestion(item, sum(score for score, _ in parts), reasons))
    ranked = tuple(sorted(found, key=lambda each: (-each.score, order[each.item.id])))
    informed = sum(each.score > 0 for each in ranked)
    return Ranking(ranked, _how(len(ranked), informed, len(said), stratified, seed), informed)


def _how(items: int, informed: int, judged: int, stratified: str, seed: int) -> str:
    draw = f"at random{stratified or ' (name a column with --by to stratify)'}, seed {seed}"
    if not items:
        return "Every item has a label."
    known = "no run here has a verdict on an unlabelled item" if not judged else f"runs here have verdicts on {judged}"
    if not informed:
        return f"Nothing tells which of the {items} unlabelled items teach most ({known}): drawn {draw}."
    rest = "" if informed == items else f"; the other {items - informed} drawn {draw}"
    return (
        f"{informed} of {items} unlabelled items stand out ({known}){rest}. Items chosen for being hard are no random "
        "sample: alignment measured on them alone is not that of the judge."
    )


def _refuse_unknown(golden: GoldenSet, by: str | None) -> None:
    columns = sorted({name for item in golden.items for name in item.attributes})
    if by is not None and by not in columns:
        raise InputError(
            f"no column '{by}' to slice by; {golden.name} has {', '.join(columns) or 'none beside its inputs'}",
            field="--by",
        )


def _people(item: Item) -> Iterator[tuple[float, str]]:
    if len(set(item.ratings.values())) > 1:
        yield 1.0, "raters tie: " + ", ".join(f"{rater} {label}" for rater, label in item.ratings.items())


def _judges(said: Sequence[Opinion], chance: float) -> Iterator[tuple[float, str]]:
    scored = [(each, each.verdict) for each in said if isinstance(each.verdict, Scored)]
    pairs = list(combinations(scored, 2))
    for same, words in ((False, "judges disagree"), (True, "votes of one judge differ")):
        compared = [(a[1].label, b[1].label) for a, b in pairs if (a[0].judge == b[0].judge) is same]
        apart = sum(one != other for one, other in compared)
        if apart:
            labels = ", ".join(f"{opinion.run} says {verdict.label}" for opinion, verdict in scored)
            yield apart / len(compared), f"{words}: {labels}"
    unlabelled = [(each.run, each.verdict.reason) for each in said if isinstance(each.verdict, Unscored)]
    unsure = [(1.0, f"{run} gave no label ({reason})") for run, reason in unlabelled]
    for opinion, verdict in scored:
        if verdict.confidence is not None and chance:
            doubt = min(1.0, (1 - verdict.confidence) / (1 - chance))
            if doubt >= _UNSURE:
                unsure.append((doubt, f"{opinion.run} is unsure: confidence {verdict.confidence:.2f}"))
    if unsure:
        yield max(unsure)


class _Rarity:
    """How rare the slices of a column are among the labelled items."""

    def __init__(self, golden: GoldenSet, by: str | None) -> None:
        self._by = by
        self._counts = Counter(item.attributes.get(by or "", "") for item in golden.labelled)
        self._most = max(self._counts.values(), default=0)

    def of(self, item: Item) -> Iterator[tuple[float, str]]:
        """Yield how rare an item's slice is, if it is."""
        if self._by is None or not self._most:
            return
        value = item.attributes.get(self._by, "")
        rarity = 1 - self._counts[value] / self._most
        if rarity >= _RARE:
            amount = counted(self._counts[value], "labelled item")
            yield rarity, f"rare: {self._by}={value or '(empty)'} has {amount}"


def _proportional_order(items: Sequence[Item], by: str | None, generator: Generator) -> dict[str, float]:
    """Return for each item its place in a random order whose every beginning holds all strata in proportion."""
    strata: dict[str, list[str]] = {}
    for item in items:
        key = item.attributes.get(by, "") if by else item.group or ""
        strata.setdefault(key, []).append(item.id)
    order = {}
    for ids in strata.values():
        start = generator.random()
        for place, position in enumerate(generator.permutation(len(ids))):
            order[ids[position]] = (place + start) / len(ids)
    return order
