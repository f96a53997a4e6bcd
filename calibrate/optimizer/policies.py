"""Which prompts are rewritten next: a search policy names a parent for each place of an iteration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Protocol

from calibrate.domain import Item, Scale
from calibrate.optimizer.trials import Trial, is_right

__all__ = ["POLICIES", "Beam", "Opro", "Pareto", "Policy", "Standing", "right_on"]


class Standing:
    """The scored trials so far, and which items each is right on.

    Args:
        trials: the scored trials, in order of number.
        items: the labelled items.
        scale: their scale.
    """

    def __init__(self, trials: Sequence[Trial], items: Sequence[Item], scale: Scale) -> None:
        self.trials = tuple(trials)
        self.ranked = tuple(sorted(trials, key=lambda trial: trial.rank, reverse=True))
        self.right: Mapping[int, frozenset[str]] = {
            trial.candidate.number: right_on(trial, items, scale) for trial in trials
        }

    @property
    def best(self) -> Trial:
        """The trial ranked first."""
        return self.ranked[0]


class Policy(Protocol):
    """Chooses parents."""

    @property
    def name(self) -> str:
        """How it is named on the command line and in the record."""

    def parents(self, standing: Standing, count: int, random: Random) -> list[Trial]:
        """Return the trials to rewrite, one for each of ``count`` places."""


class Opro:
    """The best prompt is rewritten, in view of the trajectory (Yang et al., 2023, arXiv:2309.03409)."""

    name = "opro"

    def parents(self, standing: Standing, count: int, random: Random) -> list[Trial]:  # noqa: ARG002 — the protocol's
        """Return the best trial for each place."""
        return [standing.best] * count


class Beam:
    """The few best prompts are rewritten in turn, the better ones first."""

    name = "beam"
    width = 3

    def parents(self, standing: Standing, count: int, random: Random) -> list[Trial]:  # noqa: ARG002 — the protocol's
        """Return the best trials in turn."""
        beam = standing.ranked[: self.width]
        return [beam[place % len(beam)] for place in range(count)]


class Pareto:
    """Prompts that are best on some item are rewritten, drawn by how many items they are best on.

    As in GEPA (Agrawal et al., 2025, arXiv:2507.19457): a trial that is right only where another one is right too, and
    that one elsewhere besides, is left out. The first place is the best trial's, so that what is best is always worked
    on.
    """

    name = "pareto"

    def parents(self, standing: Standing, count: int, random: Random) -> list[Trial]:
        """Return the best trial, then trials drawn from the front."""
        front = _front(standing)
        reach: dict[str, int] = {}
        for trial in front:
            for item in standing.right[trial.candidate.number]:
                reach[item] = reach.get(item, 0) + 1
        # An item that all are right on says nothing: each item is shared out among those that are right on it.
        weights = [sum(1 / reach[item] for item in standing.right[trial.candidate.number]) for trial in front]
        if not any(weights):
            return [standing.best] * count
        return [standing.best, *random.choices(front, weights, k=max(0, count - 1))][:count]


POLICIES: Mapping[str, Policy] = {policy.name: policy for policy in (Opro(), Pareto(), Beam())}
"""The search policies, by name."""


def right_on(trial: Trial, items: Sequence[Item], scale: Scale) -> frozenset[str]:
    """Return the ids of the items on which a scored trial agrees with the experts; without a verdict it does not."""
    assert trial.evaluation is not None  # scored trials have one
    verdicts = trial.evaluation.complete
    return frozenset(item.id for item in items if item.id in verdicts and is_right(item, verdicts[item.id], scale))


def _front(standing: Standing) -> list[Trial]:
    """Return the trials that no other one covers, the best first; of equals the better one."""
    front: list[Trial] = []
    for trial in sorted(standing.ranked, key=lambda each: -len(standing.right[each.candidate.number])):
        mine = standing.right[trial.candidate.number]
        if not any(mine <= standing.right[other.candidate.number] for other in front):
            front.append(trial)
    return front
