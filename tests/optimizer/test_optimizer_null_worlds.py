"""Worlds in which nothing is better: what may then be claimed about unseen answers, and how often it is.

The meta-LLM of these worlds proposes useless rewrites, and rewrites that know the items it was shown by heart. All the
search has is in use: every strategy, examples in prompts, merging, a failure pattern, and the Pareto policy beside the
usual one.
"""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from searching import is_analysis

from calibrate import optimizer
from calibrate.domain import Item, ModelResponse, Scale, Scored
from calibrate.metrics import compare
from calibrate.optimizer.examples import instructions_of

SCALE = Scale("binary", ("0", "1"), positive="1")
ACCURACY = 0.75
DEVELOPMENT, HELD_OUT = 70, 30
ALLOWED = 0.064


class World:
    """A judge that is right three times in four, whatever its prompt says, but on items that a prompt knows by heart.

    Args:
        seed: of everything.
        memorises: whether every second rewrite knows the development items that its meta-prompt showed.
    """

    def __init__(self, seed: int, *, memorises: bool) -> None:
        self.seed = seed
        self.draw = np.random.default_rng(seed)
        self.memorises = memorises
        labels = np.where(self.draw.random(DEVELOPMENT + HELD_OUT) < 0.7, "1", "0")
        self.items = [
            Item(str(n), "f", {"answer": f"item-{n:03} says something"}, label=str(label))
            for n, label in enumerate(labels)
        ]
        self.development, self.held_out = tuple(self.items[:DEVELOPMENT]), tuple(self.items[DEVELOPMENT:])
        self.known: dict[str, set[str]] = {}
        self.proposed = 0

    def judge(self, candidate, items):
        """Return the verdicts of a candidate; what it shows, it knows."""
        known = self.known.get(instructions_of(candidate.prompt, candidate.shown), set()) | set(candidate.shown)
        right = self.draw.random(len(items)) < ACCURACY
        return {
            item.id: Scored(item.label if ok or item.id in known else str(1 - int(item.label)))
            for item, ok in zip(items, right, strict=True)
        }

    async def propose(self, requests):
        replies = []
        for request in requests:
            if is_analysis(request):
                said = '<patterns><pattern name="names" errors="1-20">Wrong names.</pattern></patterns>'
                replies.append(ModelResponse(said, "stop", "world"))
                continue
            self.proposed += 1
            words = " ".join(f"w{self.draw.integers(10**6)}" for _ in range(30))
            prompt = f"Rewrite {self.proposed}: {words}"
            if self.memorises and self.proposed % 2:
                self.known[prompt] = {item.id for item in self.items if f"item-{int(item.id):03}" in request.user}
            replies.append(ModelResponse(f"<prompt>\n{prompt}\n</prompt>", "stop", "world"))
        return replies

    async def judge_all(self, jobs):
        return [self.judge(job.candidate, job.items) for job in jobs]

    def search(self):
        task = optimizer.MetaTask(
            dimension="f", language="en", inputs=("answer",), scale=SCALE, placeholders=(), max_characters=6000
        )
        return asyncio.run(
            optimizer.optimize(
                "Judge the answer.",
                self.development,
                task,
                propose=self.propose,
                evaluate=optimizer.Scorer(self.development, SCALE, self.judge_all).evaluate,
                limits=optimizer.Limits(iterations=4, patience=4),
                procedure=optimizer.Procedure(
                    policy=optimizer.POLICIES[("opro", "pareto")[self.seed % 2]], seed=self.seed
                ),
            )
        )


def claims(seeds, *, memorises):
    """Return the shares of worlds that claim a gain on the items searched on, and on unseen ones."""
    here = unseen = 0
    for seed in seeds:
        world = World(seed, memorises=memorises)
        outcome = world.search()
        if outcome.best.candidate.number == 0:
            continue
        first, best = outcome.trials[0], outcome.best
        here += comparison(world.development, first.evaluation.complete, best.evaluation.complete) == "better"
        before, after = (world.judge(trial.candidate, world.held_out) for trial in (first, best))
        unseen += comparison(world.held_out, before, after) == "better"
    return here / len(seeds), unseen / len(seeds)


def comparison(items, before, after):
    labels = [item.label for item in items]
    return compare(
        labels, [before[item.id] for item in items], [after[item.id] for item in items], SCALE, draws=1000
    ).conclusion()


def test_the_searches_of_these_worlds_use_all_they_have():
    outcomes = [World(seed, memorises=True).search() for seed in range(12)]
    tried = [trial.candidate for outcome in outcomes for trial in outcome.trials]
    assert {each.strategy for each in tried} >= {"merge", "few-shot from disagreements", "radical simplification"}
    assert all(outcome.patterns for outcome in outcomes)
    assert any(trial.evaluation.assumed for outcome in outcomes for trial in outcome.trials if trial.evaluation)


@pytest.mark.slow
@pytest.mark.parametrize("memorises", [False, True])
def test_unseen_items_give_few_false_claims(memorises):
    here, unseen = claims(range(40), memorises=memorises)
    assert unseen <= 0.15  # forty worlds tell little; the slow test has a thousand
    assert here >= 0.1


@pytest.mark.slow
@pytest.mark.parametrize("memorises", [False, True])
def test_in_a_thousand_null_worlds_unseen_items_give_few_false_claims(memorises, capsys):
    here, unseen = claims(range(1000), memorises=memorises)
    with capsys.disabled():
        print(f"\nmemorises={memorises}: claimed on the items searched on {here:.3f}, on unseen ones {unseen:.3f}")
    assert unseen <= ALLOWED
    assert here > ALLOWED  # the items searched on would claim far more: that is why unseen ones are needed
