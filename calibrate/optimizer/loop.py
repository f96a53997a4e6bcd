"""The loop: propose by every strategy, check, judge on the full set, keep the best, log everything.

It receives callables and knows no database. Given the same replies it takes the same path, so an interrupted
calibration that is run again over a cache of those replies goes on where it was.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from calibrate.domain import Item, ModelRequest, ModelResponse
from calibrate.optimizer.checks import CandidateChecks
from calibrate.optimizer.meta_prompt import MetaTask, meta_request, read_rewrite
from calibrate.optimizer.strategies import STRATEGIES, Strategy
from calibrate.optimizer.trials import Candidate, Evaluation, Misjudged, Remembered, StopReason, Trial, misjudged

__all__ = ["Limits", "Outcome", "optimize"]

_ITERATIONS_APART = 1_000_000

Propose = Callable[[Sequence[ModelRequest]], Awaitable[Sequence[ModelResponse]]]
Evaluate = Callable[[Sequence[Candidate]], Awaitable[Sequence[Evaluation]]]

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Limits:
    """When the loop stops, and how much it shows.

    Attributes:
        iterations: at most so many.
        target: stop when the best score reaches this.
        min_gain: a gain below this over ``patience`` iterations is none.
        patience: iterations without a gain before it stops.
        plateau: the score from which a stop without gain is called ``plateau`` instead of ``stalled``.
        history: prompts shown to the meta-LLM.
        errors: misjudged items shown to the meta-LLM.
    """

    iterations: int = 9
    target: float = 0.95
    min_gain: float = 0.02
    patience: int = 3
    plateau: float = 0.80
    history: int = 20
    errors: int = 8


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a calibration ended.

    Attributes:
        trials: every candidate in order of number, the baseline first.
        best: the trial with the highest score; the earlier one wins a tie.
        stopped: why it ended.
        iterations: iterations done.
    """

    trials: tuple[Trial, ...]
    best: Trial
    stopped: StopReason
    iterations: int


async def optimize(
    baseline: str,
    items: Sequence[Item],
    task: MetaTask,
    *,
    propose: Propose,
    evaluate: Evaluate,
    validate: Callable[[str], str] = lambda _: "",
    log: Callable[[Trial], None] = lambda _: None,
    memory: Sequence[Remembered] = (),
    limits: Limits | None = None,
    strategies: Sequence[Strategy] = STRATEGIES,
) -> Outcome:
    """Search for a judge prompt that agrees with the experts.

    Args:
        baseline: the prompt to start from.
        items: the labelled items that candidates are scored on.
        task: what the meta-LLM is told in every request.
        propose: answers meta-prompts, in order.
        evaluate: judges candidates on all items, in order.
        validate: says why a rewrite cannot be run at all; empty text when it can.
        log: told of each trial as soon as it is known.
        memory: prompts that earlier calibrations scored; not tried again, and shown in the history.
        limits: when to stop.
        strategies: one candidate per iteration for each that applies.
    """
    limits = limits or Limits()
    search = _Search(baseline, tuple(items), task, memory, limits, strategies, validate, log)
    start = Candidate(0, 0, "baseline", None, baseline)
    (first,) = await evaluate([start])
    search.add(Trial(start, first))
    while (stopped := search.stop_reason()) is None:
        requests = search.next_requests()
        replies = await propose([request for _, request in requests])
        candidates = search.read([strategy for strategy, _ in requests], replies)
        for candidate, evaluation in zip(candidates, await evaluate(candidates) if candidates else (), strict=True):
            search.add(Trial(candidate, evaluation))
        search.end_iteration()
    return Outcome(tuple(sorted(search.trials, key=_number)), search.best, stopped, search.iteration)


class _Search:
    """The state of one calibration."""

    def __init__(
        self,
        baseline: str,
        items: tuple[Item, ...],
        task: MetaTask,
        memory: Sequence[Remembered],
        limits: Limits,
        strategies: Sequence[Strategy],
        validate: Callable[[str], str],
        log: Callable[[Trial], None],
    ) -> None:
        self._items, self._task = items, task
        self._memory = tuple({each.prompt: each for each in memory}.values())  # one prompt, one line of history
        self._limits, self._strategies, self._validate, self._log = limits, strategies, validate, log
        self._checks = CandidateChecks(
            items, placeholders=task.placeholders, max_characters=max(task.max_characters, len(baseline))
        )
        for earlier in self._memory:
            self._checks.remember(f"a prompt of an earlier calibration ({earlier.score:.3f})", earlier.prompt)
        self.trials: list[Trial] = []
        self.iteration = 0
        self._best_after: list[float] = []  # the best score after each iteration, the baseline's first

    @property
    def best(self) -> Trial:
        """The trial with the highest score; the earliest of equals."""
        return max((t for t in self.trials if t.evaluation), key=lambda t: (_score(t), -t.candidate.number))

    def add(self, trial: Trial) -> None:
        """Log a trial and remember its prompt."""
        if trial.evaluation is not None and trial.candidate.number == 0:
            self._checks.remember("the baseline", trial.candidate.prompt)
            self._best_after.append(trial.evaluation.score)
        self.trials.append(trial)
        self._log(trial)

    def end_iteration(self) -> None:
        """Note the best score so far."""
        self._best_after.append(_score(self.best))

    def stop_reason(self) -> StopReason | None:
        """Why to stop now, or None to go on."""
        limits, best = self._limits, _score(self.best)
        if best >= limits.target:
            return "target"
        if self.iteration >= limits.patience:
            before = self._best_after[-1 - limits.patience]
            if best - before < limits.min_gain:
                return "plateau" if best >= limits.plateau else "stalled"
        return "limit" if self.iteration >= limits.iterations else None

    def next_requests(self) -> list[tuple[Strategy, ModelRequest]]:
        """Begin an iteration: one meta-prompt for each strategy that applies to the best prompt's errors."""
        self.iteration += 1
        best = self.best
        assert best.evaluation is not None  # rejected trials are never the best
        errors = self._hardest_first(misjudged(self._items, best.evaluation.verdicts, self._task.scale))
        # An iteration that changed nothing asks the same again; it must draw anew, not be answered from the cache.
        task = replace(self._task, repeat=self._task.repeat * _ITERATIONS_APART + self.iteration)
        return [
            (
                strategy,
                meta_request(
                    task,
                    strategy,
                    _remembered(best),
                    self._history(),
                    self._rejected(),
                    strategy.choose(errors, self._limits.errors),
                ),
            )
            for strategy in self._strategies
            if strategy.applies(errors)
        ]

    def read(self, strategies: Sequence[Strategy], replies: Sequence[ModelResponse]) -> list[Candidate]:
        """Turn replies into candidates; those that must not be judged are logged with the reason."""
        parent = self.best.candidate
        accepted: list[Candidate] = []
        first = len(self.trials)
        for offset, (strategy, reply) in enumerate(zip(strategies, replies, strict=True)):
            prompt, problem = read_rewrite(reply)
            candidate = Candidate(first + offset, self.iteration, strategy.name, parent.number, prompt)
            problem = problem or self._checks.problem(prompt, parent.prompt) or self._validate(prompt)
            if problem:
                self.add(Trial(candidate, None, problem))
            else:
                self._checks.remember(f"candidate {candidate.number}", prompt)
                accepted.append(candidate)
        return accepted

    def _history(self) -> list[Remembered]:
        known = [*self._memory, *(_remembered(trial) for trial in self.trials if trial.evaluation)]
        return _last(sorted(known, key=lambda each: each.score), self._limits.history)

    def _rejected(self) -> list[str]:
        lines = [f"strategy {trial.candidate.strategy}: {trial.rejected}" for trial in self.trials if trial.rejected]
        return _last(lines, self._limits.history)

    def _hardest_first(self, errors: Sequence[Misjudged]) -> list[Misjudged]:
        """Order errors by distance, then by how many of the prompts tried got the item wrong."""
        evaluated = [trial.evaluation for trial in self.trials if trial.evaluation]
        wrong: dict[str, int] = {}
        for evaluation in evaluated:
            for error in misjudged(self._items, evaluation.verdicts, self._task.scale):
                wrong[error.item.id] = wrong.get(error.item.id, 0) + 1
        return sorted(errors, key=lambda error: (-error.distance, -wrong[error.item.id]))


def _last(values: list[_T], count: int) -> list[_T]:
    return values[max(0, len(values) - count) :]


def _number(trial: Trial) -> int:
    return trial.candidate.number


def _score(trial: Trial) -> float:
    assert trial.evaluation is not None
    return trial.evaluation.score


def _remembered(trial: Trial) -> Remembered:
    return Remembered(trial.candidate.prompt, _score(trial), trial.candidate.strategy)
