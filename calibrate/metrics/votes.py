"""Several verdicts of one judge on an item made into one, and what that buys (STATISTICS section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibrate.domain import Json, Scale, Scored, Verdict
from calibrate.errors import InputError
from calibrate.metrics.estimates import Estimate
from calibrate.metrics.intervals import DRAWS, affordable_draws
from calibrate.metrics.judge_stack import JudgeStack

__all__ = ["VoteGain", "majority_vote", "vote_gain"]

Codes = NDArray[np.int64]

ADAPTIVE_VOTES = 3


@dataclass(frozen=True, slots=True)
class VoteGain:
    """Expected alignment of a judge that votes, estimated from recorded repeats.

    Attributes:
        k: repeats.
        n: items with a gold label.
        by_votes: expected alignment of the majority of 1, 2, ... k votes. Two votes are worth one: where they differ
            the first one counts.
        adaptive: expected alignment with a third vote only where the first two differ; it takes 3 repeats.
        adaptive_calls: mean calls an item that this takes, between 2 and 3.
        draws: orders of the repeats the figures rest on.
    """

    k: int
    n: int
    by_votes: Mapping[int, Estimate]
    adaptive: Estimate
    adaptive_calls: Estimate
    draws: int

    def to_json(self) -> dict[str, Json]:
        """Return every figure as JSON, undefined ones as null with their reason."""
        return {
            "k": self.k,
            "n": self.n,
            "by_votes": {str(votes): each.to_json() for votes, each in self.by_votes.items()},
            "adaptive": self.adaptive.to_json(),
            "adaptive_calls": self.adaptive_calls.to_json(),
            "draws": self.draws,
        }


def majority_vote(votes: Sequence[Verdict]) -> Verdict:
    """Return the first of an item's votes that gives the commonest label.

    Of labels given equally often, the one given first wins; two votes that differ are therefore worth the first. Votes
    without a label do not count; where none has one, the commonest reason wins by the same rule. Scores of an interval
    scale only count as the same when they are equal.

    Raises:
        InputError: there is no vote.
    """
    if not votes:
        raise InputError("there is no vote: a majority takes one or more")
    voting = [each for each in votes if isinstance(each, Scored)] or votes
    answers = [each.label if isinstance(each, Scored) else each.reason for each in voting]
    return voting[max(range(len(answers)), key=lambda at: answers.count(answers[at]))]


def vote_gain(
    human: Sequence[str | None],
    repeats: Sequence[Sequence[Verdict]],
    scale: Scale,
    *,
    seed: int = 0,
    draws: int = DRAWS,
) -> VoteGain:
    """Estimate what majority voting buys.

    The repeats of each item are put in random order, independently for every item, many times; the first votes are then
    those a judge would have given. Unscored verdicts do not vote; an item without any label counts as a disagreement.

    Args:
        human: gold label of each row; None leaves the row out.
        repeats: verdicts of one judge on the same rows, from fresh runs.
        scale: the declared scale, not an interval scale: scores have no majority.
        seed: seed of the generator.
        draws: orders, fewer for large data.

    Raises:
        InputError: no repeat, an interval scale, the lengths differ, or a label is outside the scale.
    """
    if scale.kind == "interval":
        raise InputError("scores of an interval scale have no majority: votes need a scale with labels")
    stack = JudgeStack.of(human, repeats, scale)
    k = stack.judges
    made = affordable_draws(draws, stack.n * k * k) if stack.undefined is None else 0
    too_few = Estimate(None, reason="too_few_repeats")
    if stack.undefined is not None:
        nothing = Estimate(None, reason=stack.undefined)
        return VoteGain(k, stack.n, dict.fromkeys(range(1, k + 1), nothing), nothing, nothing, made)

    generator = np.random.default_rng(seed)
    given = np.stack([each.judge for each in stack.pairs])
    order = generator.permuted(np.broadcast_to(np.arange(k)[:, None], (made, k, stack.n)), axis=1)
    items = np.arange(stack.n)
    votes, counted = given[order, items], stack.codes[order, items]
    labels = len(stack.pairs[0].labels)

    def expected(winners: Codes) -> Estimate:
        codes = np.take_along_axis(counted, winners[:, None], axis=1)[:, 0]
        return Estimate(float(stack.alignments(codes).mean()))

    by_votes = {many: expected(_winners(votes[:, :many], labels)) for many in range(1, k + 1)}
    adaptive, calls = too_few, too_few
    if k >= ADAPTIVE_VOTES:
        differ = votes[:, 0] != votes[:, 1]
        winners = np.where(differ, _winners(votes[:, :ADAPTIVE_VOTES], labels), 0)
        adaptive, calls = expected(winners), Estimate(2 + float(differ.mean()))
    return VoteGain(k, stack.n, by_votes, adaptive, calls, made)


def _winners(votes: Codes, labels: int) -> Codes:
    """Return which vote wins, ``[draws, votes, n]`` to ``[draws, n]``; codes from ``labels`` on do not vote."""
    many = votes.shape[1]
    support = np.stack([(votes == votes[:, at : at + 1]).sum(1) for at in range(many)], axis=1)
    winners: Codes = np.argmax(np.where(votes < labels, support + many, support), axis=1)
    return winners
