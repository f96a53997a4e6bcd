"""What is wrong with a golden set, by counting: sizes, classes, duplicates, gaps."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from calibrate.domain import GoldenSet, Item, canonical_json
from calibrate.domain.similarity import shingles, similar_pairs
from calibrate.golden.load import LoadedSet
from calibrate.golden.messages import listing

__all__ = ["Finding", "check", "check_items"]

SMALL_SET = 30
SMALL_CLASS = 10
GATE_SET = 200
NEAR = 0.9
_PARTNERS = 20

Level = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found.

    Attributes:
        level: ``error`` stands in the way of a calibration, ``warning`` limits what it can show, ``info`` is good to
            know.
        code: what it is, for programs.
        message: what it is, in a sentence.
        ids: the items concerned, if they are some and not all.
        dimension: the dimension concerned.
    """

    level: Level
    code: str
    message: str
    ids: tuple[str, ...] = ()
    dimension: str = ""


def check(loaded: LoadedSet) -> tuple[Finding, ...]:
    """Check each dimension of a loaded set.

    Codes: ``no_labels``, ``single_class_gold``, ``conflicting_duplicates`` (errors); ``small_set``, ``below_gate``,
    ``small_class``, ``exact_duplicates``, ``near_duplicates``, ``empty_inputs``, ``unlabelled``, ``ties`` (warnings).
    """
    findings = []
    for dimension in loaded.golden.dimensions:
        golden = loaded.golden.only(dimension)
        from_raters = loaded.layout.of(dimension).label is None
        ties = [item.id for item in golden.items if from_raters and item.label is None and item.ratings]
        findings += check_items(golden, ties)
    return tuple(findings)


def check_items(golden: GoldenSet, ties: Iterable[str] = ()) -> list[Finding]:
    """Check a set of one dimension; ``ties`` are the ids of items whose raters tie."""
    (dimension,) = golden.dimensions
    tied = set(ties)
    without = [item.id for item in golden.items if item.label is None]
    found = [
        *_sizes(golden, dimension),
        *_classes(golden, dimension),
        *_duplicates(golden.items, dimension),
        *_near_duplicates(golden.items, dimension),
    ]
    empty = [item.id for item in golden.items if any(not "".join(text).strip() for text in item.inputs.values())]
    for code, what, ids in (
        ("empty_inputs", "with an empty input", empty),
        ("unlabelled", "without a gold label, left out", [item_id for item_id in without if item_id not in tied]),
        ("ties", "on which raters tie, left out", [item_id for item_id in without if item_id in tied]),
    ):
        if ids:
            found.append(Finding("warning", code, f"{_items(len(ids))} {what}: {listing(ids)}", tuple(ids), dimension))
    return found


def _sizes(golden: GoldenSet, dimension: str) -> list[Finding]:
    n = len(golden.labelled)
    found = []
    if 0 < n < SMALL_SET:
        message = f"{_items(n)} with a label: below {SMALL_SET}, every figure has a wide interval"
        found.append(Finding("warning", "small_set", message, dimension=dimension))
    if 0 < n < GATE_SET:
        message = f"{_items(n)} with a label: below what a deployment gate needs ({GATE_SET})"
        found.append(Finding("warning", "below_gate", message, dimension=dimension))
    return found


def _classes(golden: GoldenSet, dimension: str) -> list[Finding]:
    scale = golden.scales[dimension]
    if scale.kind == "interval":
        threshold = f"{scale.threshold:g}"
        names = {True: f"at or above {threshold}", False: f"below {threshold}"}
        sides = Counter(names[bool(scale.passes(item.label))] for item in golden.labelled if item.label is not None)
        classes = {name: sides[name] for name in names.values()}
    else:
        labels = Counter(item.label for item in golden.labelled)
        classes = {label: labels[label] for label in scale.labels}
        if scale.kind == "pairwise":  # a set without ties is a forced choice, no gap
            classes = {label: count for label, count in classes.items() if count or label.casefold() != "tie"}
    present = [name for name, count in classes.items() if count]
    if not present:
        return [Finding("error", "no_labels", "no item has a gold label", dimension=dimension)]
    if len(present) == 1:
        message = (
            f"all {len(golden.labelled)} labels are {present[0]}: agreement beyond chance is undefined; "
            "a calibration needs items of another class"
        )
        return [Finding("error", "single_class_gold", message, dimension=dimension)]
    small = [f"{name} ({count})" for name, count in classes.items() if count < SMALL_CLASS]
    if not small:
        return []
    message = f"fewer than {SMALL_CLASS} items of {'class' if len(small) == 1 else 'classes'} {listing(small)}"
    return [Finding("warning", "small_class", message, dimension=dimension)]


def _duplicates(items: Sequence[Item], dimension: str) -> list[Finding]:
    groups: defaultdict[str, list[Item]] = defaultdict(list)
    for item in items:
        groups[canonical_json(item.to_json()["inputs"])].append(item)
    repeated = [group for group in groups.values() if len(group) > 1]
    conflicting = [group for group in repeated if len({item.label for item in group} - {None}) > 1]
    agreeing = [group for group in repeated if group not in conflicting]
    found = []
    if conflicting:
        message = f"the same inputs with different labels: {_groups(conflicting)}"
        found.append(Finding("error", "conflicting_duplicates", message, _ids(conflicting), dimension))
    if agreeing:
        message = f"the same inputs more than once: {_groups(agreeing)}"
        found.append(Finding("warning", "exact_duplicates", message, _ids(agreeing), dimension))
    return found


def _near_duplicates(items: Sequence[Item], dimension: str) -> list[Finding]:
    first: dict[str, Item] = {}
    for item in items:
        first.setdefault(canonical_json(item.to_json()["inputs"]), item)
    distinct = list(first.values())
    sets = [frozenset(map(hash, shingles(_text(item)))) for item in distinct]
    leader = list(range(len(distinct)))
    for one, other in similar_pairs(sets, NEAR, most=_PARTNERS):
        lower, upper = sorted((_root(leader, one), _root(leader, other)))
        leader[upper] = lower
    groups: defaultdict[int, list[Item]] = defaultdict(list)
    for position, item in enumerate(distinct):
        groups[_root(leader, position)].append(item)
    near = [group for group in groups.values() if len(group) > 1]
    if not near:
        return []
    message = f"nearly the same inputs (5-word shingles, similarity {NEAR} or more): {_groups(near)}"
    return [Finding("warning", "near_duplicates", message, _ids(near), dimension)]


def _root(leader: list[int], position: int) -> int:
    while leader[position] != position:
        leader[position] = leader[leader[position]]
        position = leader[position]
    return position


def _text(item: Item) -> str:
    return "\n".join(text if isinstance(text, str) else "\n".join(text) for text in item.inputs.values())


def _items(count: int) -> str:
    return "1 item" if count == 1 else f"{count} items"


def _groups(groups: Sequence[Sequence[Item]]) -> str:
    return listing(
        [" = ".join(item.id for item in group[:5]) + (" = ..." if len(group) > 5 else "") for group in groups]
    )


def _ids(groups: Sequence[Sequence[Item]]) -> tuple[str, ...]:
    return tuple(item.id for group in groups for item in group)
