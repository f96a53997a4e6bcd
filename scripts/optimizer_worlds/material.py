"""The items of a world: texts that tell what they are about, a gold label, and now and then an expert's note."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibrate.domain import Item, Scale

from .concepts import Direction
from .subjects import CONCEPTS

__all__ = ["PLAIN", "SCALE", "Material", "write_item"]

SCALE = Scale("binary", ("0", "1"), positive="1")
PLAIN = -1
"""The mode of an item about nothing special."""

_WHO = "Adams Baker Costa Diaz Evans Fischer Garcia Haas Ivanov Jansen Kaya Lopez Meyer Novak Okafor Patel".split()
_CITIES = "Aarhus Bilbao Cork Dresden Essen Faro Ghent Hull Izmir Jena Kiel Leeds Metz Nantes Oslo Porto".split()


@dataclass(frozen=True, slots=True)
class Material:
    """What the items of a world are.

    Attributes:
        items: the development items, then the unseen ones.
        mode: the mode of each item, its place in ``concepts``; ``PLAIN`` for none.
        gold: whether each item is good.
        concepts: the concept of each mode.
        directions: what the feature asks for that mends the mode.
        codes: the case number in the answer of each item.
    """

    items: tuple[Item, ...]
    mode: np.ndarray
    gold: np.ndarray
    concepts: tuple[int, ...]
    directions: tuple[Direction, ...]
    codes: tuple[str, ...]

    @property
    def fault(self) -> np.ndarray:
        """Whether each item shows the failure of its mode: bad where a check is missing, good where one is overdone."""
        strict = np.array([direction == "strict" for direction in self.directions] + [False])
        return (self.mode != PLAIN) & (self.gold != strict[self.mode])


def write_item(name: str, code: str, concept: int | None, good: bool, noted: bool, draws: Sequence[int]) -> Item:
    """Write one item. ``draws``: four whole numbers that fill in its text."""
    n, m = draws[0] % 13 + 11, draws[1] % 90 + 30
    slots = {"n": n, "m": m, "who": _WHO[draws[2] % len(_WHO)], "city": _CITIES[draws[3] % len(_CITIES)]}
    if concept is None:
        question = "When does the library in {city} open?"
        context = "The library opens at {n} h; ask {who}."
        answer = "It opens at {n} h." if good else "It never opens, says the mayor."
        note = "Nothing special here."
    else:
        kind = CONCEPTS[concept]
        question, context, answer = kind.question, kind.context, kind.good if good else kind.bad
        note = f"What decides here: {kind.harmless if good else kind.fault}."
    return Item(
        name,
        "faithfulness",
        {
            "question": question.format(**slots),
            "context": context.format(**slots),
            "answer": f"{answer.format(**slots)} (case {code})",
        },
        label="1" if good else "0",
        note=note if noted else "",
    )
