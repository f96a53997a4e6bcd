"""The questions that changed between two variants, those whose outcomes changed most first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from calibrate.domain import Json
from calibrate.rag.figures import Figure

__all__ = ["SAME_SIMILARITY", "Change", "Direction", "Move", "changed_questions"]

Direction = Literal["better", "worse", "changed"]
"""``changed``: neither is better, or one of the two has no value."""

SAME_SIMILARITY = 0.05
"""A similarity that moves by no more than this says nothing: other wording of the same answer moves it by as much."""

_SIMILARITIES = frozenset({"answer_relevancy"})
_OUTCOMES = frozenset(
    """
    correctness faithfulness contradiction_rate context_recall abstention abstention_recall answer_rate
    """.split()
)  # what whoever asks gets; ranks, similarities and citations come after it
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Move:
    """One figure of one question in two variants.

    Attributes:
        figure: its name.
        first: its value in the one; None where it has none.
        second: its value in the other; None where it has none.
        first_reason: why the one has none; None where it has one.
        second_reason: why the other has none.
        direction: what the second is beside the first.
    """

    figure: str
    first: float | None
    second: float | None
    first_reason: str | None
    second_reason: str | None
    direction: Direction

    @property
    def size(self) -> float:
        """How far the value moved; 0 where one of them is missing."""
        return 0.0 if self.first is None or self.second is None else abs(self.second - self.first)

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON."""
        return {
            "figure": self.figure,
            "first": self.first,
            "second": self.second,
            "first_reason": self.first_reason,
            "second_reason": self.second_reason,
            "direction": self.direction,
        }


@dataclass(frozen=True, slots=True)
class Change:
    """A question whose outcome changed.

    Attributes:
        question: its id.
        moves: the figures that changed: outcomes (correctness, faithfulness, claims contradicted, context recall,
            abstention) before ranks, similarities and citations, and of each those that moved most first.
    """

    question: str
    moves: tuple[Move, ...]

    @property
    def size(self) -> float:
        """The largest move."""
        return max(each.size for each in self.moves)

    @property
    def outcome_size(self) -> float:
        """The largest move of an outcome; 0 without one."""
        return max((each.size for each in self.moves if each.figure in _OUTCOMES), default=0.0)

    @property
    def direction(self) -> Literal["better", "worse", "mixed", "changed"]:
        """What all moves together say."""
        told = {each.direction for each in self.moves} - {"changed"}
        if len(told) > 1:
            return "mixed"
        return next(iter(told), "changed")

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON."""
        return {
            "question": self.question,
            "size": self.size,
            "direction": self.direction,
            "moves": [each.to_json() for each in self.moves],
        }


def changed_questions(
    first: Sequence[Figure], second: Sequence[Figure], *, names: Iterable[str] | None = None
) -> tuple[Change, ...]:
    """Return the questions that changed: those whose outcomes moved most first, then those whose other figures did.

    Amounts (latency, words, tokens, ...) are passed over: they differ on every question. So is a similarity that moves
    by no more than ``SAME_SIMILARITY``. A value that came or went, as when one variant abstains and the other does not,
    is a move of unknown size.

    Args:
        first: the figures of the one variant.
        second: the figures of the other; figures that only one has are passed over.
        names: the figures to look at; by default all shares and scores.
    """
    wanted = None if names is None else frozenset(names)
    others = {each.name: each for each in second}
    moves: dict[str, list[Move]] = {}
    for ours in first:
        if ours.name in others and (ours.is_share if wanted is None else ours.name in wanted):
            for question, move in _moves(ours, others[ours.name]):
                moves.setdefault(question, []).append(move)
    changes = [Change(name, tuple(sorted(each, key=_place))) for name, each in moves.items()]
    return tuple(sorted(changes, key=_rank))


def _place(move: Move) -> tuple[bool, float]:
    return move.figure not in _OUTCOMES, -move.size


def _rank(change: Change) -> tuple[float, float, float, str]:
    return -change.outcome_size, -change.size, -sum(move.size for move in change.moves), change.question


def _moves(ours: Figure, theirs: Figure) -> Iterable[tuple[str, Move]]:
    least = SAME_SIMILARITY if ours.name in _SIMILARITIES else _EQUAL
    for question in ours.values.keys() | theirs.values.keys():
        before, after = ours.values.get(question), theirs.values.get(question)
        if before is not None and after is not None and abs(after - before) <= least:
            continue
        direction: Direction = "changed"
        if before is not None and after is not None and ours.higher_is_better is not None:
            direction = "better" if (after > before) is ours.higher_is_better else "worse"
        reasons = [
            None if value is not None else figure.left_out.get(question, "not_told")
            for value, figure in ((before, ours), (after, theirs))
        ]
        yield question, Move(ours.name, before, after, reasons[0], reasons[1], direction)
