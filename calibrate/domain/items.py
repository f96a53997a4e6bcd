"""Golden sets and their items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from calibrate.domain.digests import Json, canonical_json, digest_of_pieces
from calibrate.domain.scales import Scale

__all__ = ["GoldenSet", "Item", "Text", "alike", "unlike"]

Text: TypeAlias = str | tuple[str, ...]
"""An input: one text, or chunks kept apart (a retrieved context)."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to judge on one dimension.

    Attributes:
        id: unique within its dimension; always text (``"007"`` stays ``"007"``).
        dimension: what is judged, such as ``faithfulness``.
        inputs: what the judge may see, by name (question, context, answer, reference, answer_a, answer_b, ...).
        label: the gold label, or None when there is none (unlabelled, or a tie between raters).
        ratings: each rater's label; raters who did not see the item are absent.
        note: the expert's note; shown to the meta-LLM, never to the judge.
        group: the resampling unit (document, conversation), if declared.
        attributes: every other column, as text; used for slices, never shown to the judge.
        row: its data row in the file it came from, 0 when it came from elsewhere.
    """

    id: str
    dimension: str
    inputs: Mapping[str, Text]
    label: str | None = None
    ratings: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    group: str | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)
    row: int = 0

    def to_json(self) -> dict[str, Json]:
        """Return everything but the row as JSON."""
        return {
            "id": self.id,
            "dimension": self.dimension,
            "inputs": {k: v if isinstance(v, str) else list(v) for k, v in self.inputs.items()},
            "label": self.label,
            "ratings": dict(self.ratings),
            "note": self.note,
            "group": self.group,
            "attributes": dict(self.attributes),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Item:
        """Read back what ``to_json`` wrote."""
        inputs = {k: v if isinstance(v, str) else tuple(v) for k, v in data["inputs"].items()}
        return cls(**{**data, "inputs": inputs})


@dataclass(frozen=True, slots=True)
class GoldenSet:
    """Expert labels for one or more dimensions.

    Attributes:
        name: the set's name, from its card or file name.
        items: all items, in file order.
        scales: the scale of each dimension; its keys are the dimensions in order of appearance.
        provenance: how the set was made, from the card; empty when it does not say.
        language: BCP 47 tag such as ``en`` or ``es``; decides the default prompt.
        gold: how gold was made, in words ("one rater", "majority of 2 raters, adjudicated").
    """

    name: str
    items: tuple[Item, ...]
    scales: Mapping[str, Scale]
    provenance: str = ""
    language: str = "en"
    gold: str = "as given"

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The dimensions in order of appearance."""
        return tuple(self.scales)

    @property
    def labelled(self) -> tuple[Item, ...]:
        """The items with a gold label."""
        return tuple(item for item in self.items if item.label is not None)

    @property
    def raters(self) -> tuple[str, ...]:
        """The raters who labelled at least one item, in order of appearance."""
        return tuple(dict.fromkeys(rater for item in self.items for rater in item.ratings))

    def only(self, dimension: str) -> GoldenSet:
        """Return the set restricted to one dimension."""
        return replace(
            self,
            items=tuple(item for item in self.items if item.dimension == dimension),
            scales={dimension: self.scales[dimension]},
        )

    def with_items(self, items: Iterable[Item]) -> GoldenSet:
        """Return the set with other items."""
        return replace(self, items=tuple(items))

    def without(self, ids: Iterable[str]) -> GoldenSet:
        """Return the set without the items of these ids, and without those that are :func:`alike`."""
        left_out = alike(self.items, ids)
        return self.with_items(item for item in self.items if item.id not in left_out) if left_out else self

    @property
    def digest(self) -> str:
        """Content digest over what can change a result: items (whatever their order), labels, notes and scales."""
        # Piece by piece: the canonical JSON of a large set takes several times its memory.
        items = sorted(self.items, key=lambda item: (item.dimension, item.id))
        scales = canonical_json({name: scale.to_json() for name, scale in self.scales.items()})
        return digest_of_pieces(_canonical_pieces(items, scales))


def _canonical_pieces(items: Iterable[Item], scales: str) -> Iterator[str]:
    """Yield the canonical JSON of ``{"items": [...], "scales": {...}}``."""
    yield '{"items":['
    for number, item in enumerate(items):
        yield ("," if number else "") + canonical_json(item.to_json())
    yield f'],"scales":{scales}}}'


def alike(items: Iterable[Item], ids: Iterable[str]) -> frozenset[str]:
    """Return the ids of the items named, and of those that share their inputs or their group.

    Whoever has seen one of them has seen, or half seen, the others.
    """
    named = frozenset(ids)
    if not named:
        return named
    every = tuple(items)
    others = {item.id for item in unlike(every, [item for item in every if item.id in named])}
    return frozenset(item.id for item in every if item.id not in others or item.id in named)


def unlike(items: Iterable[Item], others: Iterable[Item]) -> tuple[Item, ...]:
    """Return the items that share neither their inputs nor their group with any of the others, whatever their ids."""
    seen = tuple(others)
    inputs = {_inputs(item) for item in seen}
    groups = {item.group for item in seen if item.group}
    return tuple(item for item in items if item.group not in groups and _inputs(item) not in inputs)


def _inputs(item: Item) -> frozenset[tuple[str, Text]]:
    return frozenset(item.inputs.items())
