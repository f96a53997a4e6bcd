"""Items that no meta-prompt sees: a holdout that keeps its sides, and folds (STATISTICS section 5)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from calibrate.domain import GoldenSet, Item, Json, digest
from calibrate.errors import InputError

__all__ = ["HOLDOUT_FROM", "HOLDOUT_SHARE", "choose_sides", "folds", "side_key", "split"]

HOLDOUT_SHARE = 0.30
HOLDOUT_FROM = 100
"""Labelled items from which a calibration holds some of them out unless told otherwise."""

_FULL = 16**32
_MOST_OF_THE_NEW = 0.9


def side_key(item: Item, dimension: str) -> str:
    """Return what decides the side of an item: its group, else its content; never its label.

    By content and not by id: the same text under two ids must not stand on both sides.
    """
    if item.group:
        return digest({"dimension": dimension, "group": item.group})
    inputs: dict[str, Json] = {
        name: text if isinstance(text, str) else list(text) for name, text in item.inputs.items()
    }
    return digest({"dimension": dimension, "inputs": inputs})


def choose_sides(golden: GoldenSet, share: float, known: Mapping[str, bool], *, seed: int = 0) -> dict[str, bool]:
    """Return for each side key of the labelled items whether it is held out.

    Keys that are known keep their side: what a search has seen is never held out. A new one is held out when the hash
    of seed and key, as a share of all hashes, lies below ``share``, or below a larger share where that is needed to
    hold out ``share`` of all. A class that would be missing on one side gets its nearest new key moved there.

    Args:
        golden: a set with one dimension.
        share: of the items to hold out, in (0, 1).
        known: the sides chosen earlier.
        seed: of the hashes.

    Raises:
        InputError: ``share`` is none.
    """
    if not 0.0 < share < 1.0:
        raise InputError(
            f"a holdout of {share} is no share of the items; give a number between 0 and 1", field="--holdout"
        )
    (dimension,) = golden.dimensions
    keys_of: dict[str, dict[str, None]] = defaultdict(dict)
    for item in golden.labelled:
        keys_of[_class(golden, item)][side_key(item, dimension)] = None
    sides: dict[str, bool] = {}
    everything = {key for keys in keys_of.values() for key in keys}
    new = everything - known.keys()
    held = sum(known[key] for key in everything & known.keys())
    threshold = min(_MOST_OF_THE_NEW, max(share, (share * len(everything) - held) / len(new))) if new else share
    for keys in keys_of.values():
        for key in keys:
            sides[key] = known[key] if key in known else _rank(key, seed) < threshold
    for keys in keys_of.values():
        for side in (True, False):
            if len(keys) > 1 and all(sides[key] is not side for key in keys):
                movable = [key for key in keys if key not in known]
                if movable:
                    sides[min(movable, key=lambda key: (abs(_rank(key, seed) - share), key))] = side
    return sides


def split(golden: GoldenSet, sides: Mapping[str, bool]) -> tuple[GoldenSet, GoldenSet]:
    """Return the development part and the part that is held out.

    Items on which raters tie have no label and no side of their own: they are spread by their hash, so that the raters
    agree as much on either part as on the whole. Items that nobody labelled stay with the development part.
    """
    (dimension,) = golden.dimensions
    share = sum(sides.values()) / len(sides) if sides else 0.0

    def is_held(item: Item) -> bool:
        key = side_key(item, dimension)
        if item.label is not None:
            return sides[key]
        return bool(item.ratings) and sides.get(key, _rank(key, 0) < share)

    held = {item.id for item in golden.items if is_held(item)}
    return (
        golden.with_items(item for item in golden.items if item.id not in held),
        golden.with_items(item for item in golden.items if item.id in held),
    )


def folds(golden: GoldenSet, count: int, *, seed: int = 0) -> tuple[tuple[GoldenSet, GoldenSet], ...]:
    """Return ``count`` pairs of a training part and the part left out; each labelled item is left out once.

    Groups stay whole; within a class, groups (or items) are dealt out in the order of their hashes.

    Raises:
        InputError: a class has fewer groups (or items) than there are folds.
    """
    (dimension,) = golden.dimensions
    if count < 2:
        raise InputError(f"a cross-fit takes 2 folds or more, not {count}", field="--cross-fit")
    names = {_class(golden, item) for item in golden.labelled}
    fold_of: dict[str, int] = {}
    dealt: dict[str, int] = defaultdict(int)
    for item in sorted(golden.labelled, key=lambda each: (_rank(side_key(each, dimension), seed), each.id)):
        key, name = side_key(item, dimension), _class(golden, item)
        if key not in fold_of:
            fold_of[key] = dealt[name] % count
            dealt[name] += 1
    fewest = min(len({side_key(i, dimension) for i in golden.labelled if _class(golden, i) == name}) for name in names)
    if fewest < count:
        raise InputError(
            f"{count} folds are too many: a class has only {fewest} item{'s' if fewest > 1 else ''} "
            "(or groups of its own)",
            field="--cross-fit",
        )
    return tuple(_fold(golden, dimension, fold_of, number) for number in range(count))


def _fold(golden: GoldenSet, dimension: str, fold_of: Mapping[str, int], number: int) -> tuple[GoldenSet, GoldenSet]:
    left_out = {item.id for item in golden.labelled if fold_of[side_key(item, dimension)] == number}
    return (
        golden.with_items(item for item in golden.items if item.id not in left_out),
        golden.with_items(item for item in golden.labelled if item.id in left_out),
    )


def _class(golden: GoldenSet, item: Item) -> str:
    """The stratum of an item: its label, or on an interval scale the side of the threshold."""
    scale = golden.scales[item.dimension]
    label = item.label or ""
    return str(scale.passes(label)) if scale.kind == "interval" else label


def _rank(key: str, seed: int) -> float:
    """A number in [0, 1) that is the same for this key and seed on every machine."""
    return int(digest({"seed": seed, "key": key}), 16) / _FULL
