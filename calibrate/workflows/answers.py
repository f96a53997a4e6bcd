"""What prompts get right and wrong, item by item, as the search counts errors (an unscored verdict is wrong).

Items without a verdict on one side are compared nowhere: a prompt is not judged on the examples that it shows, and
judging may have been stopped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from calibrate.domain import Item, Json, Scale, Verdict
from calibrate.optimizer import misjudged

__all__ = ["NO_ANSWERS", "Answers", "Change", "answers_of"]


@dataclass(frozen=True, slots=True)
class Answers:
    """Which items a candidate judges as the experts do; disjoint sets of ids, without the items it has no verdict on.

    Attributes:
        right: the verdict agrees with gold.
        wrong: it does not, or there is a verdict without a label.
    """

    right: frozenset[str]
    wrong: frozenset[str]

    @property
    def judged(self) -> frozenset[str]:
        """The items with a verdict."""
        return self.right | self.wrong


@dataclass(frozen=True, slots=True)
class Change:
    """What happened to the items from one prompt to another; ids in the order of the set.

    Attributes:
        fixed: wrong before, right after.
        broken: right before, wrong after.
        left_out: without a verdict on one side.
    """

    fixed: tuple[str, ...]
    broken: tuple[str, ...]
    left_out: tuple[str, ...]

    @classmethod
    def between(cls, items: Sequence[Item], before: Answers, after: Answers) -> Change:
        """Compare the answers of two prompts on a set."""
        both = before.judged & after.judged
        return cls(
            _in_order(items, before.wrong & after.right),
            _in_order(items, before.right & after.wrong),
            tuple(item.id for item in items if item.id not in both),
        )

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON."""
        return {"fixed": list(self.fixed), "broken": list(self.broken), "left_out": list(self.left_out)}


NO_ANSWERS = Answers(frozenset(), frozenset())
"""Of a candidate that was not judged."""


def answers_of(items: Sequence[Item], verdicts: Mapping[str, Verdict], scale: Scale) -> Answers:
    """Sort the labelled items that have a verdict into right and wrong."""
    judged = tuple(item for item in items if item.label is not None and item.id in verdicts)
    wrong = frozenset(error.item.id for error in misjudged(judged, verdicts, scale))
    return Answers(frozenset(item.id for item in judged) - wrong, wrong)


def _in_order(items: Sequence[Item], ids: frozenset[str]) -> tuple[str, ...]:
    return tuple(item.id for item in items if item.id in ids)
