"""The search methods that the optimizer bench compares, each driven against one seeded world.

A method spends judge calls until a budget ends. What counts is its *standing* after every candidate: the prompt that
it would hand over, the best by the items it was scored on, measured on unseen items without noise. The candidates of a
batch count as judged one after the other, in their order, so that methods whose batches differ in size can be compared
at any number of calls.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random

from optimizer_worlds import World
from optimizer_worlds.reading import Evidence, Reading

from calibrate import optimizer
from calibrate.optimizer import POLICIES, STRATEGIES, Limits, MetaTask, Procedure, Scorer, Stopping

__all__ = ["METHODS", "Standing", "Trace", "procedures", "run"]

_WAYS = 11
_STEP = 8  # candidates of a step of OPRO, as in the paper
_EXEMPLARS = 3  # labelled items that its meta-prompt shows, as in the paper


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a method stands.

    Attributes:
        calls: judge calls made.
        score: alignment of its best prompt on the items it searches on.
        expected: alignment of that prompt on the unseen items, noise-free.
        meta_calls: calls made to the meta-LLM.
    """

    calls: int
    score: float
    expected: float
    meta_calls: int = 0


@dataclass(slots=True)
class Trace:
    """How a method fared in one world.

    Attributes:
        standings: after every candidate, in order of calls.
        meta_calls: calls to the meta-LLM.
    """

    standings: list[Standing] = field(default_factory=list)
    meta_calls: int = 0

    def at(self, calls: int) -> Standing:
        """Return the last standing within so many calls."""
        return [each for each in self.standings if each.calls <= calls][-1]

    def calls_to(self, expected: float) -> float:
        """Return the calls after which the standing reaches an alignment; infinity when it never does."""
        return next((each.calls for each in self.standings if each.expected >= expected), float("inf"))


class _BudgetEndedError(Exception):
    """The budget is spent."""


class _Judge:
    """Counts the calls to a world's judge, and keeps the standing.

    Args:
        world: the world.
        budget: judge calls.
    """

    def __init__(self, world: World, budget: int) -> None:
        self.world, self.budget, self.calls, self.trace = world, budget, 0, Trace()

    def ask(self, prompt: str, items: Sequence) -> dict:
        """Judge items."""
        self.calls += len(items)
        return self.world.judge(prompt, items)

    def note(self, prompt: str, score: float, calls: int) -> None:
        """Note the best prompt after so many calls."""
        self.trace.standings.append(Standing(calls, score, self.world.expected(prompt), self.trace.meta_calls))

    def stand(self, prompt: str, score: float) -> None:
        """Note the best prompt now; the end of the budget ends the search."""
        self.note(prompt, score, self.calls)
        self.end()

    def end(self) -> None:
        """End the search when the budget is spent."""
        if self.calls >= self.budget:
            raise _BudgetEndedError


def run(name: str, world: World, budget: int) -> Trace:
    """Run a method of :data:`METHODS` in a world."""
    judge = _Judge(world, budget)
    with suppress(_BudgetEndedError):
        METHODS[name](judge)
    return judge.trace


def _loop(procedure: Procedure, stopping: Stopping | None = None) -> Callable[[_Judge], None]:
    def search(judge: _Judge) -> None:
        world = judge.world

        async def propose(requests: Sequence) -> list:
            judge.trace.meta_calls += len(requests)
            return [world.writer(request) for request in requests]

        spent: Counter[int] = Counter()  # judge calls, by the candidate's number

        async def ask(jobs: Sequence) -> list:
            spent.update({job.candidate.number: len(job.items) for job in jobs})
            return [judge.ask(job.candidate.prompt, job.items) for job in jobs]

        scorer = Scorer(world.items, world.scale, ask, stopping=stopping)

        async def evaluate(candidates: Sequence, trials: Sequence) -> list:
            calls, scored = judge.calls, [each for each in trials if each.score is not None]
            found = await scorer.evaluate(candidates, trials)
            for candidate, evaluation in zip(candidates, found, strict=True):
                calls += spent[candidate.number]
                if evaluation.score is not None:
                    scored.append(optimizer.Trial(candidate, evaluation))
                best = max(scored, key=lambda each: each.rank)
                judge.note(best.candidate.prompt, best.score, calls)
            judge.end()
            return found

        task = MetaTask("faithfulness", "en", ("question", "context", "answer"), world.scale)
        limits = Limits(iterations=10_000, patience=10_000, target=2.0)
        asyncio.run(
            optimizer.optimize(
                world.baseline,
                world.items,
                task,
                propose=propose,
                evaluate=evaluate,
                limits=limits,
                procedure=replace(procedure, seed=world.seed),
            )
        )

    return search


def _batches(width: int, exemplars: int, *, climbs: bool) -> Callable[[_Judge], None]:
    """Return a method that rewrites one prompt over and over: the best so far, or always the baseline.

    It knows no strategies. Each of its rewrites is done in one of several ways drawn at random, so that it is neither
    lucky nor lost for a whole world in what the writer is apt at.
    """

    def search(judge: _Judge) -> None:
        world, random = judge.world, Random(f"batches:{judge.world.seed}")
        best, score = world.baseline, world.alignment(world.baseline, world.items)
        judge.ask(best, world.items)
        judge.stand(best, score)
        while True:
            shown = random.sample(world.items, exemplars)
            evidence = tuple(Evidence("\n".join(map(str, i.inputs.values())), label=i.label) for i in shown)
            current = best if climbs else world.baseline
            for _ in range(width):
                reading = Reading("rewrite", current, evidence=evidence, strategy=f"way {random.randrange(_WAYS)}")
                judge.trace.meta_calls += 1
                text = world.writer.reply(reading, random).text
                prompt = text.removeprefix("<prompt>\n").removesuffix("\n</prompt>")
                if not text.startswith("<prompt>") or not prompt.strip():
                    continue
                judge.ask(prompt, world.items)
                found = world.alignment(prompt, world.items)
                if found > score:
                    best, score = prompt, found
                judge.stand(best, score)

    return search


def procedures() -> dict[str, Procedure]:
    """Return the variants of this program's own loop."""
    default = Procedure()
    return {
        "default": default,
        "all five, every time": replace(default, strategies=STRATEGIES[:5], analysis=False),
        **{f"policy {name}": replace(default, policy=policy) for name, policy in POLICIES.items()},
    }


METHODS: dict[str, Callable[[_Judge], None]] = {
    "plain OPRO": _batches(_STEP, _EXEMPLARS, climbs=True),
    "random search": _batches(_STEP, 0, climbs=False),
    **{name: _loop(procedure) for name, procedure in procedures().items()},
    "default, pruned": _loop(Procedure(), Stopping(prune=True)),
    "default, raced": _loop(Procedure(), Stopping(prune=True, race=True)),
}
"""The methods, by name."""
