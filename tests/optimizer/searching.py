"""Searches for tests: a meta-LLM and a judge that follow a script, and all that they were asked, in order."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from calibrate.domain import Item, Json, ModelRequest, ModelResponse, Scale, Scored, Verdict
from calibrate.optimizer import (
    STRATEGIES,
    Candidate,
    Evaluation,
    Job,
    Limits,
    Memory,
    MetaTask,
    Outcome,
    Procedure,
    Scorer,
    Trial,
    optimize,
)
from calibrate.optimizer.examples import instructions_of

BASELINE = "Judge the answer."
BINARY = Scale("binary", ("0", "1"), positive="1")
TASK = MetaTask("faithfulness", "en", ("answer",), BINARY)
ITEMS = tuple(
    Item(name, "faithfulness", {"answer": f"answer {name}"}, gold) for name, gold in zip("abcd", "0011", strict=True)
)
ONE_OF_EACH = {"a": "1", "b": "0", "c": "1", "d": "0"}  # a is wrongly accepted, d wrongly rejected

NAMES = [strategy.name for strategy in STRATEGIES[:5]]
GENERAL, STRICT, LENIENT, RUBRIC, SIMPLE = NAMES
BY_NAME = {strategy.name: strategy for strategy in STRATEGIES}
FEW_SHOT, MERGE = "few-shot from disagreements", "merge"

LIMITS = Limits(iterations=9, target=0.95, min_gain=0.02, patience=3, plateau=0.80, history=20, errors=8)
FIVE = Procedure(strategies=STRATEGIES[:5], width=5, analysis=False)

Reply: TypeAlias = str | ModelResponse
Replies: TypeAlias = Mapping[str, Reply | tuple[Reply, ...]]


def limits(**changes: float) -> Limits:
    return replace(LIMITS, **changes)  # type: ignore[arg-type]  # fields of the class


def once(**changes: float) -> Limits:
    return limits(**{"iterations": 1, **changes})


def with_strategies(*names: str, **changes: object) -> Procedure:
    """A search by these strategies, each of which is used once in an iteration if it applies."""
    chosen = tuple(BY_NAME[name] for name in names)
    return replace(Procedure(strategies=chosen, width=len(chosen), analysis=False), **changes)  # type: ignore[arg-type]


def prompt_of(strategy: str, iteration: int, time: int = 1) -> str:
    return f"{strategy} {iteration}" if time == 1 else f"{strategy} {iteration}, time {time}"


def written(prompt: str) -> ModelResponse:
    return ModelResponse(f"<prompt>{prompt}</prompt>", "stop", "fake:writer")


def grouped(**patterns: str) -> str:
    """An error analysis that puts the errors of these numbers in the patterns of these names."""
    said = [f'<pattern name="{name}" errors="{errors}">Why {name}.</pattern>' for name, errors in patterns.items()]
    return "\n".join(["<patterns>", *said, "</patterns>"])


@dataclass
class Script:
    """What the meta-LLM replies and how the judge fares.

    Attributes:
        replies: by iteration, then strategy: what is said each time, or in a tuple what is said the first time, the
            second, ..., where a follow-up is a time. The default is :func:`prompt_of`.
        analyses: error analyses, by iteration; the default cannot be read.
        scores: by instructions; ``otherwise`` for the others.
        labels: what the judge says of each item, by instructions; one wrong of each kind for the others.
    """

    replies: Mapping[int, Replies] = field(default_factory=dict)
    analyses: Mapping[int, Reply] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)
    otherwise: float = 0.3
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    events: list[tuple[str, object]] = field(default_factory=list)
    requests: list[list[ModelRequest]] = field(default_factory=list)  # of each iteration, in order of place
    repairs: list[list[ModelRequest]] = field(default_factory=list)
    analysed: dict[int, ModelRequest] = field(default_factory=dict)
    judged: list[list[Candidate]] = field(default_factory=list)
    logged: list[Trial] = field(default_factory=list)
    records: list[Mapping[str, Json]] = field(default_factory=list)
    _times: dict[tuple[int, str], int] = field(default_factory=dict)

    async def propose(self, requests: Sequence[ModelRequest]) -> list[ModelResponse]:
        if any(is_analysis(each) for each in requests):
            (asked,) = requests
            iteration = len(self.requests) + 1
            self.analysed[iteration] = asked
            self.events.append(("analysis", iteration))
            reply = self.analyses.get(iteration, "I see nothing in common.")
            return [ModelResponse(reply, "stop", "fake:writer") if isinstance(reply, str) else reply]
        again = any(is_repair(each) for each in requests)
        (self.repairs if again else self.requests).append(list(requests))
        self.events.append(("follow-ups" if again else "rewrites", [strategy_of(each) for each in requests]))
        return [self._rewrite(len(self.requests), strategy_of(each)) for each in requests]

    def _rewrite(self, iteration: int, strategy: str) -> ModelResponse:
        time = self._times[iteration, strategy] = self._times.get((iteration, strategy), 0) + 1
        said = self.replies.get(iteration, {}).get(strategy, prompt_of(strategy, iteration, time))
        reply = said[min(time, len(said)) - 1] if isinstance(said, tuple) else said
        return written(reply) if isinstance(reply, str) else reply

    async def evaluate(self, candidates: Sequence[Candidate], trials: Sequence[Trial]) -> list[Evaluation]:
        self._note(candidates)
        return [Evaluation(self.scores.get(words_of(each), self.otherwise), self.verdicts(each)) for each in candidates]

    async def judge(self, jobs: Sequence[Job]) -> list[Mapping[str, Verdict]]:
        """Judge for a :class:`Scorer`."""
        self._note([job.candidate for job in jobs])
        return [{item.id: self.verdicts(job.candidate)[item.id] for item in job.items} for job in jobs]

    def _note(self, candidates: Sequence[Candidate]) -> None:
        assert candidates, "nothing to judge"
        self.judged.append(list(candidates))
        self.events.append(("judge", [each.number for each in candidates]))

    def verdicts(self, candidate: Candidate) -> dict[str, Verdict]:
        labels = self.labels.get(words_of(candidate), ONE_OF_EACH)
        return {item: Scored(label) for item, label in labels.items() if item not in candidate.shown}

    def run(
        self,
        *,
        limits: Limits = LIMITS,
        procedure: Procedure = FIVE,
        task: MetaTask = TASK,
        items: Sequence[Item] = ITEMS,
        memory: Memory | None = None,
        validate: Callable[[str], str] = lambda _: "",
        by_labels: bool = False,
        baseline: str = BASELINE,
        shown: Sequence[Item] = (),
    ) -> Outcome:
        """Search.

        Args:
            by_labels: whether a candidate's score is its alignment, given ``labels``, instead of what ``scores`` says.
        """
        self._times.clear()

        def log(trial: Trial) -> None:
            self.logged.append(trial)
            self.events.append(("trial", trial.candidate.number))

        def log_iteration(number: int, record: Mapping[str, Json]) -> None:
            self.records.append(record)
            self.events.append(("iteration", number))

        return asyncio.run(
            optimize(
                baseline,
                items,
                task,
                propose=self.propose,
                evaluate=Scorer(items, task.scale, self.judge).evaluate if by_labels else self.evaluate,
                validate=validate,
                log=log,
                log_iteration=log_iteration,
                memory=memory,
                shown=shown,
                limits=limits,
                procedure=procedure,
            )
        )

    @property
    def judged_prompts(self) -> list[str]:
        return [each.prompt for batch in self.judged for each in batch]

    def request(self, iteration: int, strategy: str) -> ModelRequest:
        (found,) = (each for each in self.requests[iteration - 1] if strategy_of(each) == strategy)
        return found


def words_of(candidate: Candidate) -> str:
    return instructions_of(candidate.prompt, candidate.shown)


def trial_of(outcome: Outcome, strategy: str, iteration: int = 1) -> Trial:
    """The only trial of a strategy in an iteration."""
    (found,) = (
        trial
        for trial in outcome.trials
        if (trial.candidate.strategy, trial.candidate.iteration) == (strategy, iteration)
    )
    return found


# What a request shows


def is_analysis(request: ModelRequest) -> bool:
    return '<request analysis="patterns">' in request.user


def is_repair(request: ModelRequest) -> bool:
    return "\n<repair>\n" in request.user


def strategy_of(request: ModelRequest) -> str:
    (found,) = re.findall(r'<request strategy="(.+)">', request.user)
    return str(found)


def section(request: ModelRequest, tag: str) -> str:
    found = re.search(rf"^<{tag}[^>]*>\n(.*?)\n?</{tag}>", request.user, re.DOTALL | re.MULTILINE)
    assert found is not None, f"no <{tag}>"
    return found[1]


def tried(request: ModelRequest, tag: str = "history") -> list[tuple[float, str]]:
    found = re.findall(r'<tried score="([-.\d]+)"[^>]*>\n(.*?)\n</tried>', section(request, tag), re.DOTALL)
    return [(float(score), prompt) for score, prompt in found]


def rejections(request: ModelRequest) -> list[str]:
    lines = section(request, "rejected").replace("&lt;", "<").splitlines()
    return [line.removeprefix("- ") for line in lines]


def errors_shown(request: ModelRequest) -> list[str]:
    """The ids of the items shown, whose answers are ``answer ID``."""
    return re.findall(r"<answer>\nanswer (\w+)\n</answer>", section(request, "errors"))


def patterns_shown(request: ModelRequest) -> dict[str, str]:
    """The pattern that each error is shown with, empty for none, by the item's id."""
    found = re.findall(
        r'<error[^>]*? kind="[^"]+"(?: pattern="([^"]*)")?>\n<answer>\nanswer (\w+)\n', section(request, "errors")
    )
    return {item: pattern for pattern, item in found}
