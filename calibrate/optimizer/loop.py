"""The loop: choose parents and strategies, propose, check, judge, keep the best, log everything.

It receives callables and knows no database. Given the same replies it takes the same path: every draw is seeded by the
search's seed and the number of the iteration, so an interrupted calibration that is run again over a cache of those
replies goes on where it was.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from calibrate.domain import Item, Json, ModelRequest, ModelResponse
from calibrate.optimizer.meta_prompt import MetaTask
from calibrate.optimizer.patterns import Pattern
from calibrate.optimizer.procedure import Limits, Procedure
from calibrate.optimizer.search import Search
from calibrate.optimizer.trials import Candidate, Evaluation, Memory, StopReason, Trial

__all__ = ["Outcome", "optimize"]

Propose = Callable[[Sequence[ModelRequest]], Awaitable[Sequence[ModelResponse]]]
Evaluate = Callable[[Sequence[Candidate], Sequence[Trial]], Awaitable[Sequence[Evaluation]]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a calibration ended.

    Attributes:
        trials: every candidate in order of number, the baseline first.
        best: the trial ranked first (see :attr:`Trial.rank`).
        stopped: why it ended.
        iterations: iterations done.
        patterns: the failure patterns found.
    """

    trials: tuple[Trial, ...]
    best: Trial
    stopped: StopReason
    iterations: int
    patterns: tuple[Pattern, ...] = ()


async def optimize(
    baseline: str,
    items: Sequence[Item],
    task: MetaTask,
    *,
    propose: Propose,
    evaluate: Evaluate,
    validate: Callable[[str], str] = lambda _: "",
    log: Callable[[Trial], None] = lambda _: None,
    log_iteration: Callable[[int, Mapping[str, Json]], None] = lambda _, __: None,
    memory: Memory | None = None,
    shown: Sequence[Item] = (),
    limits: Limits | None = None,
    procedure: Procedure | None = None,
) -> Outcome:
    """Search for a judge prompt that agrees with the experts.

    Args:
        baseline: the prompt to start from.
        items: the labelled items that candidates are scored on.
        task: what the meta-LLM is told in every request.
        propose: answers meta-prompts, in order.
        evaluate: judges candidates, in order; it is given the trials so far, so that it can compare with the best.
        validate: says why a rewrite cannot be run at all; empty text when it can.
        log: told of each trial as soon as it is known.
        log_iteration: told what an iteration has decided, before its candidates are judged.
        memory: what earlier calibrations have tried. Prompts of the same judge are shown in the history and not tried
            again; those of other judges are shown as such.
        shown: items that the prompt to start from shows as examples, written by the program; none of ``items``.
        limits: when to stop.
        procedure: how to search.
    """
    limits, procedure = limits or Limits(), procedure or Procedure()
    search = Search(baseline, tuple(items), task, memory or Memory(), procedure, validate, limits, shown)
    progress = _Progress(limits)

    def add(trial: Trial) -> None:
        search.add(trial)
        log(trial)

    start = Candidate(0, 0, "baseline", None, baseline, shown=tuple(item.id for item in shown))
    (first,) = await evaluate([start], ())
    add(Trial(start, first))
    progress.note(search.best)
    while (stopped := progress.stop_reason()) is None:
        iteration = search.begin()
        if (asked := search.analysis_request()) is not None:
            (reply,) = await propose([asked])
            search.learn(reply)
        places = search.places()
        log_iteration(iteration, search.record())
        if not places:
            stopped = "exhausted"
            break
        requests = [search.request(place) for place in places]
        drafts = search.read(places, await propose(requests))
        if again := search.follow_ups(drafts, requests):
            drafts = search.mend(drafts, dict(zip(again, await propose(list(again.values())), strict=True)))
        candidates = []
        for draft in drafts:
            if draft.problem:
                add(Trial(draft.candidate, None, draft.problem))
            else:
                candidates.append(draft.candidate)
        for candidate, evaluation in zip(
            candidates, await evaluate(candidates, search.trials) if candidates else (), strict=True
        ):
            add(Trial(candidate, evaluation))
        progress.note(search.best)
    trials = tuple(sorted(search.trials, key=lambda trial: trial.candidate.number))
    return Outcome(trials, search.best, stopped, progress.iterations, search.patterns)


class _Progress:
    """The best score after each iteration, the baseline's first, and whether to go on."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._best_after: list[float] = []

    @property
    def iterations(self) -> int:
        """Iterations done."""
        return len(self._best_after) - 1

    def note(self, best: Trial) -> None:
        """Note the best score at the end of an iteration."""
        assert best.score is not None  # the best trial was scored
        self._best_after.append(best.score)

    def stop_reason(self) -> StopReason | None:
        """Why to stop now, or None to go on."""
        limits, best = self._limits, self._best_after[-1]
        if best >= limits.target:
            return "target"
        if self.iterations >= limits.patience:
            before = self._best_after[-1 - limits.patience]
            if best - before < limits.min_gain:
                return "plateau" if best >= limits.plateau else "stalled"
        return "limit" if self.iterations >= limits.iterations else None
