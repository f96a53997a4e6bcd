"""A judge's stored verdicts as the arrays that probes of its leanings take."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibrate.domain import GoldenSet, Item, Scale, Scored, Text, Verdict
from calibrate.errors import InputError
from calibrate.metrics import Changes

__all__ = ["Case", "answer_inputs", "is_own", "read_case"]

_SINGLE = ("answer", "output", "response", "claim")
_PAIRS = (("answer_a", "answer_b"), ("output_a", "output_b"), ("response_a", "response_b"), ("answer_1", "answer_2"))
_MODEL_NAMES = (
    *("answer_model", "answering_model", "model", "generator", "generated_by", "answered_by", "source_model"),
    *("llm", "system", "modelo"),
)
_MOST_VALUES = 20
_DATED = re.compile(r"[-@](\d{4}-?\d{2}-?\d{2}|\d{4}|latest)$")


@dataclass(frozen=True, slots=True)
class Case:
    """The items to which a judge gave a label, with what probes need to know of them.

    Attributes:
        items: the items, in order.
        scale: their scale.
        labels: the judge's label of each.
        sides: by label: 1 on the accepting side (A), -1 on the other (B), 0 on neither (a tie).
        units: the resampling unit of every labelled item by id, those without a verdict included.
    """

    items: tuple[Item, ...]
    scale: Scale
    labels: tuple[str, ...]
    sides: Callable[[str], int]
    units: Mapping[str, str | None]

    @property
    def left_out(self) -> int:
        """Labelled items without a verdict."""
        return len(self.units) - len(self.items)

    @property
    def is_pairs(self) -> bool:
        """Whether pairs of answers are judged."""
        return self.scale.kind == "pairwise"

    @property
    def has_sides(self) -> bool:
        """Whether the scale has an accepting side."""
        if self.scale.kind == "interval":
            return self.scale.threshold is not None
        return any(self.sides(each) for each in self.scale.labels)

    @property
    def judge_sides(self) -> NDArray[np.int64]:
        """``[n]``: the side of the judge's label."""
        return np.array([self.sides(each) for each in self.labels], dtype=np.int64)

    @property
    def human_sides(self) -> NDArray[np.int64]:
        """``[n]``: the side of the human label."""
        return np.array([self.sides(item.label or "") for item in self.items], dtype=np.int64)

    @property
    def human_codes(self) -> NDArray[np.int64]:
        """``[n]``: the human label as a number; of interval scales the side."""
        if self.scale.kind == "interval":
            return (self.human_sides > 0).astype(np.int64)
        return np.array([self.scale.labels.index(item.label or "") for item in self.items], dtype=np.int64)

    @property
    def groups(self) -> NDArray[np.int64] | None:
        """``[n]``: codes of the resampling units; an item without one is its own. None without any."""
        return self.groups_of([item.id for item in self.items])

    def only(self, kept: NDArray[np.bool_]) -> Case:
        """Return the case restricted to some of its items."""
        pairs = [(i, label) for i, label, keep in zip(self.items, self.labels, kept, strict=True) if keep]
        items, labels = tuple(i for i, _ in pairs), tuple(label for _, label in pairs)
        return Case(items, self.scale, labels, self.sides, self.units)

    def decided(self) -> Case:
        """Return the case without the items on whose verdict the judge sits on neither side."""
        return self.only(self.judge_sides != 0)

    def column(self, name: str, *, most: int | None = _MOST_VALUES) -> tuple[Case, list[str]]:
        """Return the items that have a value in a column, and the values, of which there are at most so many.

        Raises:
            InputError: there is no such column, or it has too many values.
        """
        kept = np.array([bool(item.attributes.get(name, "").strip()) for item in self.items], dtype=bool)
        if not kept.any():
            known = ", ".join(dict.fromkeys(key for item in self.items for key in item.attributes)) or "none"
            raise InputError(f"the set has no column '{name}' with values; further columns it has: {known}")
        part = self.only(kept)
        values = [item.attributes[name].strip() for item in part.items]
        if most is not None and len(set(values)) > most:
            raise InputError(
                f"column '{name}' has {len(set(values))} values; name one that sorts the items into at most {most}"
            )
        return part, values

    def model_columns(self) -> list[str]:
        """Return the columns that by their name tell which model answered; for pairs, first those of A."""
        names = dict.fromkeys(key for item in self.items for key in item.attributes)
        if not self.is_pairs:
            return [name for name in names if _fold(name) in _MODEL_NAMES]
        found = [[n for n in names if _fold(n) in {f"{stem}_{side}" for stem in _MODEL_NAMES}] for side in "ab"]
        return [name for side in found for name in side]

    def lengths(self, inputs: Sequence[str]) -> NDArray[np.float64]:
        """Return the characters of the answers; for pairs, the first's length divided by the second's."""
        rows = [[max(1, _length(item.inputs.get(name, ""))) for name in inputs] for item in self.items]
        each = np.array(rows, dtype=np.float64).reshape(len(rows), len(inputs))
        found: NDArray[np.float64] = each[:, 0] / each[:, 1] if self.is_pairs else each.sum(axis=1)
        return found

    def changes(self, before: Mapping[str, Verdict], after: Mapping[str, Verdict]) -> tuple[Changes, list[str], int]:
        """Return what changed from one set of verdicts to another: the changes, the ids, how many have no verdict."""
        old = {key: v.label for key in self.units if isinstance(v := before.get(key), Scored)}
        new = {key: v.label for key in old if isinstance(v := after.get(key), Scored)}
        ids = list(new)
        lean = [np.sign(self._place(new[key]) - self._place(old[key])) for key in ids]
        changed = np.array([new[key] != old[key] for key in ids], dtype=bool)
        return Changes(changed, np.array(lean, dtype=np.int64)), ids, len(old) - len(new)

    def groups_of(self, ids: Sequence[str]) -> NDArray[np.int64] | None:
        """Return the codes of the resampling units of some items; None without any."""
        if not any(self.units[each] for each in ids):
            return None
        codes: dict[object, int] = {}
        units = [self.units[each] or (each,) for each in ids]
        return np.array([codes.setdefault(unit, len(codes)) for unit in units], dtype=np.int64)

    def _place(self, label: str) -> float:
        """Where a label stands: by side, on ordinal scales without sides by level."""
        if self.scale.kind == "ordinal" and not self.has_sides:
            return self.scale.value(label)
        return float(self.sides(label))


def read_case(golden: GoldenSet, verdicts: Mapping[str, Verdict], accept: Sequence[str]) -> Case:
    """Put stored verdicts together.

    Args:
        golden: the set, one dimension.
        verdicts: by item id.
        accept: the labels that count as accepting, for ordinal and nominal scales.

    Raises:
        InputError: ``accept`` does not fit the scale.
    """
    (dimension,) = golden.dimensions
    scale = golden.scales[dimension]
    pairs = [(item, v.label) for item in golden.labelled if isinstance(v := verdicts.get(item.id), Scored)]
    items, labels = tuple(item for item, _ in pairs), tuple(label for _, label in pairs)
    units = {item.id: item.group for item in golden.labelled}
    return Case(items, scale, labels, _sides(scale, accept), units)


def answer_inputs(golden: GoldenSet, named: Sequence[str]) -> tuple[str, ...]:
    """Return the inputs that are answers: those named, else those with a usual name; empty when none has one.

    Raises:
        InputError: a named one is no input, or a set of pairs needs two.
    """
    (dimension,) = golden.dimensions
    names = dict.fromkeys(name for item in golden.items for name in item.inputs)
    pairs = golden.scales[dimension].kind == "pairwise"
    for each in named:
        if each not in names:
            raise InputError(f"'{each}' is no input; the inputs are {', '.join(names)}", field="--answer")
    if named:
        if pairs and len(named) != 2:
            raise InputError("pairs have two answers: --answer FIRST,SECOND", field="--answer")
        return tuple(named)
    if pairs:
        return next((pair for pair in _PAIRS if all(each in names for each in pair)), ())
    return next(((each,) for each in _SINGLE if each in names), ())


def is_own(value: str, judge: str) -> bool:
    """Whether a model's name, as a table has it, is the judge's; provider and date aside."""
    return _model(value) == _model(judge)


def _model(name: str) -> str:
    return _DATED.sub("", re.split(r"[:/]", name.strip().casefold())[-1])


def _sides(scale: Scale, accept: Sequence[str]) -> Callable[[str], int]:
    if scale.kind in ("ordinal", "nominal"):
        wanted = {scale.match(each) for each in accept}
        if None in wanted or len(wanted) == len(scale.labels):
            raise InputError(
                f"name some of the labels {', '.join(scale.labels)}, separated by commas", field="--accept"
            )
        return lambda label: (1 if label in wanted else -1) if wanted else 0
    if accept:
        raise InputError(f"the scale is {scale.kind}, which says itself what accepting is", field="--accept")
    if scale.kind == "pairwise":
        return lambda label: int(scale.value(label))
    return lambda label: 0 if (passes := scale.passes(label)) is None else 1 if passes else -1


def _length(text: Text) -> int:
    return len(text) if isinstance(text, str) else sum(map(len, text))


def _fold(name: str) -> str:
    return re.sub(r"[\s\-]+", "_", name.strip().casefold())
