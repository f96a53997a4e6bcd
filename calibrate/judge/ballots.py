"""Judges that ask more than once: several votes on an item, and both orders of a pair of answers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from calibrate.domain import Item, Scale, Scored, Text, Unscored, Verdict, normalise_label
from calibrate.errors import InputError

__all__ = ["ONCE", "Ask", "majority", "merge_orders", "swap_answers", "undo_swap"]

_SIDE = re.compile(r"(?P<stem>.*?)(?P<side>[ab12])", re.IGNORECASE)
_OTHER = {"a": "b", "b": "a", "A": "B", "B": "A", "1": "2", "2": "1"}


@dataclass(frozen=True, slots=True)
class Ask:
    """One of the ways in which an item is asked about.

    Attributes:
        repeat: 0 for the first reply, 1 for an independent second one, ...
        swapped: whether the two answers of a pair change places.
    """

    repeat: int = 0
    swapped: bool = False


ONCE = Ask()
"""The first reply, in the order given."""


def swap_answers(item: Item) -> Item:
    """Return the item with the two sides of every pair of inputs exchanged (``answer_a`` and ``answer_b``).

    Raises:
        InputError: it has no inputs that come in pairs.
    """
    inputs: dict[str, Text] = dict(item.inputs)
    swapped = False
    for name in item.inputs:
        other = _other_side(name, item.inputs)
        if other is not None:
            inputs[name] = item.inputs[other]
            swapped = True
    if not swapped:
        raise InputError(
            f"item {item.id} has no two answers to exchange: name the inputs by their side, as answer_a and answer_b",
            row=item.row or None,
        )
    return replace(item, inputs=inputs)


def undo_swap(verdict: Verdict, scale: Scale) -> Verdict:
    """Return what a verdict on exchanged answers says of the answers in their own places."""
    if not isinstance(verdict, Scored):
        return verdict
    wanted = -scale.value(verdict.label)
    return replace(verdict, label=next((each for each in scale.labels if scale.value(each) == wanted), verdict.label))


def merge_orders(first: Verdict, second: Verdict, scale: Scale) -> Verdict:
    """Return the verdict of both orders, the second undone already.

    Where they name different sides, the judge follows the position: that is a tie where the scale has one, else no
    verdict. An order without a verdict leaves the item without one, for its reason.
    """
    for verdict in (first, second):
        if isinstance(verdict, Unscored):
            return verdict
    assert isinstance(first, Scored)
    assert isinstance(second, Scored)
    if first.label == second.label:
        sure = [each.confidence for each in (first, second) if each.confidence is not None]
        return replace(first, confidence=sum(sure) / 2 if len(sure) == 2 else None)
    what = f"{first.label} in the order given, {second.label} with the answers exchanged"
    tie = next((label for label in scale.labels if normalise_label(label) not in ("a", "b")), None)
    if tie is None:
        return Unscored("abstained", f"the verdict follows the position: {what}")
    return Scored(tie, f"the verdict follows the position: {what}")


def majority(votes: Sequence[Verdict]) -> Verdict:
    """Return the verdict of several votes, as :func:`calibrate.metrics.majority_vote` chooses it.

    The confidence of several votes is the share of those with a label that give this one; a single vote keeps its own.
    """
    if len(votes) == 1:
        return votes[0]
    from calibrate.metrics import majority_vote  # late: an exported judge takes no numbers' library along

    chosen = majority_vote(votes)
    if not isinstance(chosen, Scored):
        return chosen
    labels = [vote.label for vote in votes if isinstance(vote, Scored)]
    return replace(chosen, confidence=labels.count(chosen.label) / len(labels))


def _other_side(name: str, inputs: Mapping[str, Text]) -> str | None:
    match = _SIDE.fullmatch(name)
    if match is None:
        return None
    other = match["stem"] + _OTHER[match["side"]]
    return other if other in inputs else None
