"""Scoring candidates: on all items but those they show, in one go, or in stages that stop hopeless ones."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from calibrate.domain import Item, Scale, Verdict, alike
from calibrate.errors import InputError
from calibrate.optimizer.objective import Objective
from calibrate.optimizer.pruning import pruned, refuse_pruning, stages, telling_order
from calibrate.optimizer.racing import ERROR, raced, random_order, refuse_racing
from calibrate.optimizer.trials import Candidate, Evaluation, Trial, is_right

__all__ = ["Job", "Judge", "Scorer", "Stopping"]

_PARTS = 5


@dataclass(frozen=True, slots=True)
class Stopping:
    """When judging a candidate ends before all items are judged.

    Attributes:
        prune: when it could not win even with perfect agreement on the rest; this never changes which of the same
            candidates wins.
        race: when it is unlikely to agree with the experts as often as the best; this errs at the rate ``error``.
        error: the share of candidates which agree at least as often as the best that racing may stop.
    """

    prune: bool = False
    race: bool = False
    error: float = ERROR

    @property
    def is_off(self) -> bool:
        """Whether every candidate is judged on all items."""
        return not (self.prune or self.race)

    def refuse(self, scale: Scale, objective: Objective) -> None:
        """Refuse what is not sound for a scale and an objective.

        Raises:
            InputError: it is not.
        """
        for asked, refuse, option in (
            (self.prune, refuse_pruning, "--prune"),
            (self.race, refuse_racing, "--race"),
        ):
            if asked:
                try:
                    refuse(scale, objective)
                except InputError as error:
                    raise InputError(f"{error}; leave {option} out") from None


@dataclass(frozen=True, slots=True)
class Job:
    """A candidate to judge.

    Attributes:
        candidate: the candidate.
        items: the items to judge now.
        scope: all items that it is judged on if it is not stopped.
    """

    candidate: Candidate
    items: Sequence[Item]
    scope: Sequence[Item]


Judge = Callable[[Sequence[Job]], Awaitable[Sequence[Mapping[str, Verdict]]]]
"""Judges all jobs in one pool of calls; returns each one's verdicts by item id."""


class Scorer:
    """Judges candidates and gives each its score; to be handed to the loop as ``evaluate``.

    Args:
        items: the labelled items.
        scale: their scale.
        judge: judges.
        objective: what candidates are ranked by.
        stopping: when a candidate is not worth judging to the end.
        seed: of the order in which racing judges items.
    """

    def __init__(
        self,
        items: Sequence[Item],
        scale: Scale,
        judge: Judge,
        *,
        objective: Objective | None = None,
        stopping: Stopping | None = None,
        seed: int = 0,
    ) -> None:
        self._items, self._scale, self._judge, self._seed = tuple(items), scale, judge, seed
        self._labels = [item.label or "" for item in self._items]  # labelled items only
        self._objective = objective or Objective.parse("alignment", scale=scale)
        self._stopping = stopping or Stopping()

    async def evaluate(self, candidates: Sequence[Candidate], trials: Sequence[Trial]) -> list[Evaluation]:
        """Judge candidates; what they show as examples counts with their parents' verdicts.

        Args:
            candidates: whom to judge.
            trials: what was tried so far; empty for the baseline.
        """
        scored = [trial for trial in trials if trial.score is not None]
        best = max(scored, key=lambda trial: trial.rank, default=None)
        works = [_Work(each, self._assumed(each, scored), self._parts(each, best, trials)) for each in candidates]
        while alive := [work for work in works if work.parts and not work.stopped]:
            jobs = [self._job(work.candidate, work.parts.pop(0)) for work in alive]
            for work, verdicts in zip(alive, await self._judge(jobs), strict=True):
                work.verdicts.update(verdicts)
                if best is not None and work.parts:
                    work.stopped = self._stop(work, best)
        return [
            Evaluation(None if work.stopped else self._score(work.counted), work.verdicts, work.assumed, work.stopped)
            for work in works
        ]

    def _parts(self, candidate: Candidate, best: Trial | None, trials: Sequence[Trial]) -> list[list[int]]:
        """Return the stages in which a candidate is judged: positions of items, in each some that it does not show."""
        hidden = self._hidden(candidate)
        parts = self._stages(candidate, best, trials)
        return [part for part in parts if any(self._items[at].id not in hidden for at in part)] or [[]]

    def _stages(self, candidate: Candidate, best: Trial | None, trials: Sequence[Trial]) -> list[list[int]]:
        everything = list(range(len(self._items)))
        if self._stopping.is_off or best is None:
            return [everything]
        if self._stopping.race:
            order = random_order(len(everything), [self._seed, candidate.number])
            size = -(-len(order) // _PARTS)
            return [order[start : start + size] for start in range(0, len(order), size)]
        others = [self._verdicts(trial) for trial in trials if trial.evaluation is not None]
        order = telling_order(self._labels, self._whole(best), others, self._scale)
        return stages(order, self._wrong(best), _PARTS)

    def _stop(self, work: _Work, best: Trial) -> str:
        """Return why a candidate need not be judged on the rest; empty text when it must."""
        counted, mine, theirs = work.counted, work.candidate, best.candidate
        verdicts = [counted.get(item.id) for item in self._items]
        reason = ""
        if self._stopping.prune:
            assert best.score is not None  # it was scored
            wins_ties = theirs.number != 0 and len(mine.prompt) < len(theirs.prompt)
            reason = pruned(self._labels, verdicts, self._scale, self._objective, best.score, ties_lose=not wins_ties)
        if not reason and self._stopping.race:
            # What it shows was chosen because its parent is wrong there: those verdicts are no random part of all.
            rows = [
                row
                for item, *row in zip(self._items, self._labels, self._whole(best), verdicts, strict=True)
                if item.id not in work.assumed
            ]
            labels, incumbent, own = zip(*rows, strict=True)
            reason = raced(labels, incumbent, own, looks=_PARTS - 1, error=self._stopping.error)
        return reason

    def _score(self, verdicts: Mapping[str, Verdict]) -> float:
        return self._objective.value(self._labels, [verdicts[item.id] for item in self._items], self._scale)

    def _job(self, candidate: Candidate, part: Sequence[int]) -> Job:
        hidden = self._hidden(candidate)
        scope = [item for item in self._items if item.id not in hidden]
        if len(part) == len(self._items):
            return Job(candidate, scope, scope)
        return Job(candidate, [self._items[at] for at in part if self._items[at].id not in hidden], scope)

    def _assumed(self, candidate: Candidate, scored: Sequence[Trial]) -> dict[str, Verdict]:
        """Return the parent's verdicts on what a candidate shows."""
        parent = next((trial for trial in scored if trial.candidate.number == candidate.parent), None)
        if parent is None or parent.evaluation is None:
            return {}
        verdicts = parent.evaluation.complete
        return {item: verdicts[item] for item in self._hidden(candidate) if item in verdicts}

    def _hidden(self, candidate: Candidate) -> frozenset[str]:
        """Return the items that a candidate is not judged on; what the baseline shows is not among the items."""
        return alike(self._items, candidate.shown) if candidate.parent is not None else frozenset()

    def _verdicts(self, trial: Trial) -> list[Verdict | None]:
        assert trial.evaluation is not None  # asked of judged trials only
        return [trial.evaluation.complete.get(item.id) for item in self._items]

    def _whole(self, trial: Trial) -> list[Verdict]:
        return [verdict for verdict in self._verdicts(trial) if verdict is not None]  # a scored trial has them all

    def _wrong(self, trial: Trial) -> int:
        return sum(
            not is_right(item, verdict, self._scale)
            for item, verdict in zip(self._items, self._whole(trial), strict=True)
        )


@dataclass(slots=True)
class _Work:
    """A candidate being judged."""

    candidate: Candidate
    assumed: dict[str, Verdict]
    parts: list[list[int]]
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    stopped: str = ""

    @property
    def counted(self) -> dict[str, Verdict]:
        """The verdicts that count in its score, as far as they are known."""
        return {**self.assumed, **self.verdicts}
