"""The loop: what it proposes, judges, keeps, remembers and logs, and when it stops.

The meta-LLM and the judge are scripted: a reply for each strategy and iteration, a score for each prompt.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibrate.domain import Item, ModelRequest, ModelResponse, Scale, Scored, Verdict
from calibrate.optimizer import (
    STRATEGIES,
    Candidate,
    Evaluation,
    Limits,
    MetaTask,
    Outcome,
    Remembered,
    Trial,
    optimize,
)

BASELINE = "Judge the answer."
BINARY = Scale("binary", ("0", "1"), positive="1")
TASK = MetaTask("faithfulness", "en", ("answer",), BINARY)
ITEMS = tuple(
    Item(name, "faithfulness", {"answer": f"answer {name}"}, gold) for name, gold in zip("abcd", "0011", strict=True)
)
ONE_OF_EACH = {"a": "1", "b": "0", "c": "1", "d": "0"}  # a is wrongly accepted, d wrongly rejected
NAMES = [strategy.name for strategy in STRATEGIES]
GENERAL, STRICT, LENIENT, RUBRIC, SIMPLE = NAMES

Replies = Mapping[str, str | ModelResponse]


def prompt_of(strategy: str, iteration: int) -> str:
    return f"{strategy} {iteration}"


def written(prompt: str) -> ModelResponse:
    return ModelResponse(f"<prompt>{prompt}</prompt>", "stop", "fake:writer")


@dataclass
class Script:
    """What the meta-LLM replies and how the judge fares.

    Attributes:
        replies: by iteration, then strategy; the default is a prompt of the strategy's and iteration's name.
        scores: by prompt; ``otherwise`` for the others.
        labels: what the judge says of each item, by prompt; one wrong of each kind for the others.
    """

    replies: Mapping[int, Replies] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)
    otherwise: float = 0.3
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    requests: list[list[ModelRequest]] = field(default_factory=list)
    judged: list[list[Candidate]] = field(default_factory=list)
    logged: list[Trial] = field(default_factory=list)

    async def propose(self, requests: Sequence[ModelRequest]) -> list[ModelResponse]:
        self.requests.append(list(requests))
        iteration = len(self.requests)
        given = self.replies.get(iteration, {})
        replies = [given.get(strategy_of(each), prompt_of(strategy_of(each), iteration)) for each in requests]
        return [written(reply) if isinstance(reply, str) else reply for reply in replies]

    async def evaluate(self, candidates: Sequence[Candidate]) -> list[Evaluation]:
        assert candidates, "nothing to judge"
        self.judged.append(list(candidates))
        return [Evaluation(self.scores.get(each.prompt, self.otherwise), self.verdicts(each)) for each in candidates]

    def verdicts(self, candidate: Candidate) -> dict[str, Verdict]:
        return {item: Scored(label) for item, label in self.labels.get(candidate.prompt, ONE_OF_EACH).items()}

    def run(
        self,
        *,
        limits: Limits | None = None,
        task: MetaTask = TASK,
        items: Sequence[Item] = ITEMS,
        memory: Sequence[Remembered] = (),
        validate: Callable[[str], str] = lambda _: "",
    ) -> Outcome:
        return asyncio.run(
            optimize(
                BASELINE,
                items,
                task,
                propose=self.propose,
                evaluate=self.evaluate,
                validate=validate,
                log=self.logged.append,
                memory=memory,
                limits=limits,
            )
        )

    @property
    def judged_prompts(self) -> list[str]:
        return [each.prompt for batch in self.judged for each in batch]


def strategy_of(request: ModelRequest) -> str:
    (found,) = re.findall(r'<request strategy="(.+)">', request.user)
    return str(found)


def section(request: ModelRequest, tag: str) -> str:
    found = re.search(rf"<{tag}[^>]*>\n(.*?)\n?</{tag}>", request.user, re.DOTALL)
    assert found is not None
    return found[1]


def tried(request: ModelRequest) -> list[tuple[float, str]]:
    found = re.findall(r'<tried score="([-.\d]+)" strategy="[^"]+">\n(.*?)\n</tried>', request.user, re.DOTALL)
    return [(float(score), prompt) for score, prompt in found]


def once(**limits: float) -> Limits:
    return Limits(**{"iterations": 1, **limits})  # type: ignore[arg-type]  # keywords of the class


# One iteration


def test_an_iteration_tries_one_candidate_of_each_strategy() -> None:
    script = Script()
    outcome = script.run(limits=once())
    assert [trial.candidate for trial in outcome.trials] == [
        Candidate(0, 0, "baseline", None, BASELINE),
        *(Candidate(n, 1, name, 0, prompt_of(name, 1)) for n, name in enumerate(NAMES, start=1)),
    ]
    assert all(trial.score == 0.3 for trial in outcome.trials)


def test_the_baseline_is_judged_alone_and_the_candidates_together() -> None:
    script = Script()
    script.run(limits=once())
    assert [[each.number for each in batch] for batch in script.judged] == [[0], [1, 2, 3, 4, 5]]


def test_the_first_request_shows_the_baseline_its_score_and_its_errors() -> None:
    script = Script(scores={BASELINE: 0.4})
    script.run(limits=once())
    request = script.requests[0][0]
    assert '<current score="0.4000">\nJudge the answer.\n</current>' in request.user
    assert tried(request) == [(0.4, BASELINE)]
    assert re.findall('<error kind="(.+)">', request.user) == ["wrongly accepted", "wrongly rejected"]


def test_the_next_iteration_starts_from_the_best_so_far() -> None:
    script = Script(scores={BASELINE: 0.4, prompt_of(RUBRIC, 1): 0.6, prompt_of(SIMPLE, 1): 0.5})
    outcome = script.run(limits=Limits(iterations=2))
    assert {trial.candidate.parent for trial in outcome.trials if trial.candidate.iteration == 2} == {4}
    assert section(script.requests[1][0], "current") == prompt_of(RUBRIC, 1)


def test_a_regression_stays_in_the_trajectory_and_is_no_parent() -> None:
    script = Script(scores={BASELINE: 0.4, prompt_of(GENERAL, 1): -0.2})
    outcome = script.run(limits=Limits(iterations=2))
    assert outcome.trials[1].score == -0.2
    assert tried(script.requests[1][0])[0] == (-0.2, prompt_of(GENERAL, 1))
    assert {trial.candidate.parent for trial in outcome.trials[1:]} == {0}
    assert outcome.best.candidate.number == 0


@pytest.mark.parametrize(
    ("scores", "best"),
    [
        ({BASELINE: 0.5, prompt_of(STRICT, 1): 0.5}, 0),
        ({BASELINE: 0.4, prompt_of(STRICT, 1): 0.5, prompt_of(SIMPLE, 1): 0.5}, 2),
        ({BASELINE: 0.4, prompt_of(SIMPLE, 1): 0.5, prompt_of(GENERAL, 2): 0.5}, 5),
    ],
)
def test_the_first_of_equals_wins(scores: Mapping[str, float], best: int) -> None:
    assert Script(scores=scores).run(limits=Limits(iterations=2)).best.candidate.number == best


# When it stops


def rising(by: float, start: float = 0.31) -> dict[str, float]:
    """Scores that gain ``by`` in each iteration, above those of all other prompts."""
    return {BASELINE: start, **{prompt_of(GENERAL, n): start + by * n for n in range(1, 30)}}


def test_a_baseline_that_reaches_the_target_is_not_rewritten() -> None:
    script = Script(scores={BASELINE: 0.95})
    outcome = script.run()
    assert (outcome.stopped, outcome.iterations, len(outcome.trials)) == ("target", 0, 1)
    assert script.requests == []


def test_target() -> None:
    outcome = Script(scores={BASELINE: 0.4, prompt_of(SIMPLE, 2): 0.95}, otherwise=0.3).run()
    assert (outcome.stopped, outcome.iterations, outcome.best.score) == ("target", 2, 0.95)


def test_just_below_the_target_goes_on() -> None:
    assert Script(scores={BASELINE: 0.9499}).run().stopped == "plateau"


@pytest.mark.parametrize(
    ("score", "stopped"), [(0.85, "plateau"), (0.80, "plateau"), (0.79, "stalled"), (0.1, "stalled")]
)
def test_three_iterations_without_a_gain(score: float, stopped: str) -> None:
    outcome = Script(scores={BASELINE: score}, otherwise=0.0).run()
    assert (outcome.stopped, outcome.iterations) == (stopped, 3)


def test_the_gain_is_measured_over_the_last_three_iterations() -> None:
    """It rises for two iterations; three without a gain follow."""
    scores = {BASELINE: 0.3, prompt_of(GENERAL, 1): 0.4, prompt_of(GENERAL, 2): 0.5}
    assert Script(scores=scores).run().iterations == 5


def test_small_gains_count_together() -> None:
    assert Script(scores=rising(0.01)).run().stopped == "limit"
    outcome = Script(scores=rising(0.006)).run()
    assert (outcome.stopped, outcome.iterations) == ("stalled", 3)


def test_limit() -> None:
    outcome = Script(scores=rising(0.05)).run()
    assert (outcome.stopped, outcome.iterations, len(outcome.trials)) == ("limit", 9, 46)


def test_no_iterations_measure_the_baseline_only() -> None:
    outcome = Script().run(limits=Limits(iterations=0))
    assert (outcome.stopped, len(outcome.trials)) == ("limit", 1)


def test_patience_and_gain_can_be_set() -> None:
    assert Script().run(limits=Limits(patience=5)).iterations == 5
    assert Script(scores=rising(0.05)).run(limits=Limits(min_gain=0.2)).iterations == 3


# Rejected candidates

REJECTIONS: Mapping[str, tuple[str | ModelResponse, str]] = {
    "empty": ("", "empty"),
    "no block": (ModelResponse("I cannot.", "stop", "w"), "the reply has no <prompt> block"),
    "refusal": (ModelResponse("", "refusal", "w"), "the meta-LLM refused"),
    "cut off": (ModelResponse("<prompt>Judge", "length", "w"), "cut off"),
    "duplicate": (BASELINE.upper(), "duplicate of the baseline"),
    "too long": ("a" * 6001, "too long: 6001 characters, the limit is 6000"),
}


@pytest.mark.parametrize("case", REJECTIONS)
def test_a_rejected_candidate_is_logged_with_the_reason_and_never_judged(case: str) -> None:
    reply, reason = REJECTIONS[case]
    script = Script(replies={1: {STRICT: reply}})
    outcome = script.run(limits=Limits(iterations=2))
    trial = outcome.trials[2]
    assert (trial.candidate.strategy, trial.rejected) == (STRICT, reason)
    assert trial.evaluation is None
    assert trial.score is None
    assert trial in script.logged
    assert 2 not in [each.number for batch in script.judged for each in batch]
    assert section(script.requests[1][0], "rejected").replace("&lt;", "<") == f"- strategy {STRICT}: {reason}"


def test_numbers_follow_the_strategies_whatever_is_rejected() -> None:
    outcome = Script(replies={1: {GENERAL: "", RUBRIC: ""}, 2: {SIMPLE: ""}}).run(limits=Limits(iterations=2))
    assert [trial.candidate.number for trial in outcome.trials] == list(range(11))
    assert [trial.candidate.strategy for trial in outcome.trials] == ["baseline", *NAMES, *NAMES]
    assert [trial.candidate.number for trial in outcome.trials if trial.rejected] == [1, 4, 10]


def test_an_iteration_without_a_single_usable_rewrite_counts_and_judges_nothing() -> None:
    script = Script(replies={n: dict.fromkeys(NAMES, "") for n in range(1, 10)}, scores={BASELINE: 0.4})
    outcome = script.run()
    assert (outcome.stopped, outcome.iterations) == ("stalled", 3)
    assert script.judged_prompts == [BASELINE]
    assert len(outcome.trials) == 16


def test_two_strategies_with_the_same_rewrite_pay_for_it_once() -> None:
    outcome = Script(replies={1: {GENERAL: "Judge it well.", RUBRIC: "judge it  well."}}).run(limits=once())
    assert outcome.trials[1].evaluation is not None
    assert outcome.trials[4].rejected == "duplicate of candidate 1"


def test_a_rewrite_of_an_earlier_iteration_is_not_tried_again() -> None:
    script = Script(replies={n: {SIMPLE: "Judge it well."} for n in (1, 2, 3)})
    outcome = script.run()
    assert [trial.rejected for trial in outcome.trials if trial.candidate.strategy == SIMPLE] == [
        "",
        "duplicate of candidate 5",
        "duplicate of candidate 5",
    ]
    assert script.judged_prompts.count("Judge it well.") == 1


def test_a_lost_placeholder_and_copied_text_are_rejected() -> None:
    text = "the premium plan costs twelve euros a month"
    items = (replace(ITEMS[0], inputs={"answer": f"Well, {text}, and more."}), *ITEMS[1:])
    replies = {
        1: {GENERAL: "No place.", RUBRIC: f"See {{{{answer}}}}. For example {text}.", SIMPLE: "Is {{ answer }} ok?"}
    }
    outcome = Script(replies=replies).run(limits=once(), items=items, task=replace(TASK, placeholders=("answer",)))
    rejected = {trial.candidate.strategy: trial.rejected for trial in outcome.trials[1:]}
    assert rejected[GENERAL] == "placeholder lost: answer"
    assert rejected[RUBRIC] == "copies text of item a"
    assert rejected[SIMPLE] == ""


def test_what_the_judge_could_not_run_is_rejected_with_its_reason() -> None:
    asked: list[str] = []

    def validate(prompt: str) -> str:
        asked.append(prompt)
        return "it places {{x}}, which is no input" if prompt == prompt_of(RUBRIC, 1) else ""

    script = Script(replies={1: {GENERAL: ""}})
    outcome = script.run(limits=once(), validate=validate)
    assert outcome.trials[4].rejected == "it places {{x}}, which is no input"
    assert prompt_of(RUBRIC, 1) not in script.judged_prompts
    assert "" not in asked  # the cheaper checks come first


def test_a_rewrite_may_be_as_long_as_the_prompt_it_started_from() -> None:
    script = Script(replies={1: {GENERAL: "a" * len(BASELINE), STRICT: "b" * (len(BASELINE) + 1)}})
    outcome = script.run(limits=once(), task=replace(TASK, max_characters=5))
    assert outcome.trials[1].rejected == ""
    assert outcome.trials[2].rejected == "too long: 18 characters, the limit is 17"


# Strategies that apply


@pytest.mark.parametrize(
    ("labels", "skipped"),
    [
        ({"a": "1", "b": "1", "c": "1", "d": "1"}, [STRICT]),
        ({"a": "0", "b": "0", "c": "0", "d": "0"}, [LENIENT]),
        ({"a": "0", "b": "0", "c": "1", "d": "1"}, [STRICT, LENIENT]),
        (ONE_OF_EACH, []),
    ],
)
def test_a_strategy_without_errors_of_its_kind_is_skipped(labels: Mapping[str, str], skipped: list[str]) -> None:
    script = Script(labels={BASELINE: labels})
    outcome = script.run(limits=once())
    left = [name for name in NAMES if name not in skipped]
    assert [strategy_of(request) for request in script.requests[0]] == left
    assert [(trial.candidate.number, trial.candidate.strategy) for trial in outcome.trials[1:]] == list(
        enumerate(left, start=1)
    )


def test_the_errors_of_the_best_prompt_decide() -> None:
    best = prompt_of(RUBRIC, 1)
    script = Script(scores={best: 0.6}, labels={best: {"a": "1", "b": "0", "c": "1", "d": "1"}})
    script.run(limits=Limits(iterations=2))
    assert len(script.requests[0]) == 5
    assert [strategy_of(request) for request in script.requests[1]] == [GENERAL, LENIENT, RUBRIC, SIMPLE]


# Errors shown


def shown(request: ModelRequest) -> list[str]:
    return re.findall(r"<answer>\nanswer (\w+)\n</answer>", section(request, "errors"))


def test_the_items_that_most_prompts_got_wrong_come_first() -> None:
    first = {"a": "1", "b": "1", "c": "1", "d": "1"}  # wrong: a, b
    then = {"a": "0", "b": "1", "c": "0", "d": "1"}  # wrong: b, c
    labels = {BASELINE: first, **{prompt_of(name, 1): then for name in NAMES}}
    script = Script(labels=labels, scores={BASELINE: 0.9})
    script.run(limits=Limits(iterations=2))
    assert shown(script.requests[0][0]) == ["a", "b"]
    assert shown(script.requests[1][0]) == ["b", "a"]


def test_the_farthest_off_come_before_that() -> None:
    scale = Scale("ordinal", ("1", "2", "3", "4", "5"))
    items = tuple(Item(n, "quality", {"answer": f"answer {n}"}, gold) for n, gold in zip("abcd", "1335", strict=True))
    labels = {BASELINE: {"a": "2", "b": "5", "c": "3", "d": "1"}}
    script = Script(labels=labels, otherwise=0.1)
    script.run(limits=once(), items=items, task=replace(TASK, scale=scale))
    by_strategy = {strategy_of(request): shown(request) for request in script.requests[0]}
    assert by_strategy == {
        GENERAL: ["d", "b", "a"],
        STRICT: ["d", "b", "a"],  # d is under-scored
        LENIENT: ["b", "a", "d"],  # b and a are over-scored
        RUBRIC: ["d", "b", "a"],
        SIMPLE: ["d", "b", "a"],
    }


def test_one_far_off_comes_before_one_that_many_got_a_little_wrong() -> None:
    scale = Scale("ordinal", ("1", "2", "3", "4", "5"))
    items = tuple(Item(n, "quality", {"answer": f"answer {n}"}, "1") for n in "abc")
    near, far = {"a": "1", "b": "2", "c": "1"}, {"a": "1", "b": "2", "c": "5"}
    labels = {BASELINE: far, **{prompt_of(name, 1): near for name in NAMES}}
    script = Script(labels=labels, scores={BASELINE: 0.5})
    script.run(limits=Limits(iterations=2), items=items, task=replace(TASK, scale=scale))
    assert shown(script.requests[1][0]) == ["c", "b"]


def test_no_more_errors_are_shown_than_the_limit() -> None:
    items = tuple(Item(f"i{n}", "f", {"answer": f"answer i{n}"}, "0") for n in range(30))
    labels = {BASELINE: {item.id: "1" for item in items}}
    script = Script(labels=labels)
    verdicts = dict.fromkeys((item.id for item in items), "1")
    script.labels = {BASELINE: verdicts, **{prompt_of(name, 1): verdicts for name in NAMES}}
    script.run(limits=once(), items=items)
    assert [len(shown(request)) for request in script.requests[0]] == [8, 8, 8, 8]
    script.requests.clear()
    script.run(limits=once(errors=3), items=items)
    assert [len(shown(request)) for request in script.requests[0]] == [3, 3, 3, 3]


# History


def test_the_history_ascends_and_holds_the_best_20() -> None:
    scores = {prompt_of(name, n): ((n * 5 + k) * 7 % 45) / 50 for n in range(1, 10) for k, name in enumerate(NAMES)}
    script = Script(scores={BASELINE: 0.01, **scores})
    script.run(limits=Limits(patience=99))
    last = tried(script.requests[-1][0])
    before = sorted(score for prompt, score in scores.items() if not prompt.endswith(" 9"))
    assert [score for score, _ in last] == before[-20:]
    assert [len(tried(requests[0])) for requests in script.requests] == [1, 6, 11, 16, 20, 20, 20, 20, 20]


def test_a_history_of_none() -> None:
    script = Script(replies={1: {GENERAL: ""}})
    script.run(limits=Limits(iterations=2, history=0))
    assert tried(script.requests[1][0]) == []
    assert section(script.requests[1][0], "rejected") == ""


# Memory

EARLIER = [
    Remembered("An earlier prompt.", 0.31, "explicit rubric"),
    Remembered("A better one of then.", 0.62, "general improvement"),
]


def test_prompts_of_earlier_calibrations_are_not_tried_again() -> None:
    script = Script(replies={1: {GENERAL: "an EARLIER prompt."}})
    outcome = script.run(limits=once(), memory=EARLIER)
    assert outcome.trials[1].rejected == "duplicate of a prompt of an earlier calibration (0.310)"
    assert script.judged_prompts == [BASELINE, *(prompt_of(name, 1) for name in NAMES[1:])]


def test_they_are_shown_in_the_history_and_are_no_parents() -> None:
    script = Script(scores={BASELINE: 0.4})
    outcome = script.run(limits=once(), memory=EARLIER)
    assert tried(script.requests[0][0]) == [
        (0.31, "An earlier prompt."),
        (0.4, BASELINE),
        (0.62, "A better one of then."),
    ]
    assert section(script.requests[0][0], "current") == BASELINE
    assert outcome.best.candidate.number == 0
    assert len(outcome.trials) == 6


def test_a_prompt_that_several_calibrations_tried_is_shown_once() -> None:
    script = Script()
    script.run(limits=once(), memory=[*EARLIER, *EARLIER])
    assert len(tried(script.requests[0][0])) == 3


# The log


def test_every_trial_is_logged_once_as_soon_as_it_is_known() -> None:
    script = Script(replies={1: {RUBRIC: ""}})
    outcome = script.run(limits=once())
    assert [trial.candidate.number for trial in script.logged] == [0, 4, 1, 2, 3, 5]
    assert sorted(script.logged, key=lambda trial: trial.candidate.number) == list(outcome.trials)


# Replay


class Interrupted(Exception):  # noqa: N818 — what a test raises in place of Ctrl-C
    pass


def test_the_same_replies_lead_the_same_way() -> None:
    made = [Script(scores=rising(0.05), replies={2: {SIMPLE: ""}}) for _ in range(2)]
    one, other = (script.run() for script in made)
    assert one == other
    assert made[0].requests == made[1].requests


@pytest.mark.parametrize("interrupted_after", [1, 2, 3])
def test_an_interrupted_calibration_goes_on_where_it_was(interrupted_after: int) -> None:
    """Over a cache of the replies, as the store is one: only what is missing is asked for."""
    script = Script(scores=rising(0.05), replies={1: {SIMPLE: ""}, 3: {RUBRIC: ""}})
    whole = Script(scores=script.scores, replies=script.replies).run()
    cache: dict[str, ModelResponse] = {}
    paid: list[str] = []

    def calibrate(until: int) -> Outcome:
        rounds = 0

        async def propose(requests: Sequence[ModelRequest]) -> list[ModelResponse]:
            nonlocal rounds
            rounds += 1
            if rounds > until:
                raise Interrupted
            for request in requests:
                if request.user not in cache:
                    paid.append(request.user)
                    strategy = strategy_of(request)
                    reply = script.replies.get(rounds, {}).get(strategy, prompt_of(strategy, rounds))
                    assert isinstance(reply, str)
                    cache[request.user] = written(reply)
            return [cache[request.user] for request in requests]

        return asyncio.run(optimize(BASELINE, ITEMS, TASK, propose=propose, evaluate=script.evaluate))

    with pytest.raises(Interrupted):
        calibrate(until=interrupted_after)
    assert calibrate(until=99) == whole
    assert len(paid) == len(set(paid)) == 45


# Whatever the scores


@settings(max_examples=60)
@given(
    scores=st.lists(st.integers(-10, 10).map(lambda n: n / 10), min_size=46, max_size=46),
    rejected=st.sets(st.integers(1, 45), max_size=20),
    target=st.integers(5, 11).map(lambda n: n / 10),
)
def test_invariants(scores: list[float], rejected: set[int], target: float) -> None:
    places = [(n, name) for n in range(1, 10) for name in NAMES]
    script = Script(
        scores={
            BASELINE: scores[0],
            **{prompt_of(name, n): s for (n, name), s in zip(places, scores[1:], strict=True)},
        },
        replies={
            n: {name: "" for k, name in enumerate(NAMES) if (n - 1) * 5 + k + 1 in rejected} for n in range(1, 10)
        },
    )
    limits = Limits(target=target)
    outcome = script.run(limits=limits)
    trials = outcome.trials

    def best_of(iterations: int) -> Trial:
        known = [each for each in trials if each.score is not None and each.candidate.iteration <= iterations]
        return max(known, key=lambda each: (each.score, -each.candidate.number))

    assert [trial.candidate.number for trial in trials] == list(range(len(trials)))
    assert len(trials) == 1 + 5 * outcome.iterations
    assert len(set(script.judged_prompts)) == len(script.judged_prompts)
    for trial in trials:
        assert (trial.score is None) == bool(trial.rejected)
        if trial.candidate.number:
            assert trial.candidate.parent == best_of(trial.candidate.iteration - 1).candidate.number
    assert outcome.best == best_of(outcome.iterations)
    best = [best_of(n).score or 0.0 for n in range(outcome.iterations + 1)]
    assert all(score < target for score in best[:-1])  # it stops as soon as it may
    assert (outcome.stopped == "target") == (best[-1] >= target)
    if outcome.stopped in ("plateau", "stalled"):
        assert best[-1] - best[-4] < limits.min_gain
        assert (outcome.stopped == "plateau") == (best[-1] >= limits.plateau)
    if outcome.stopped == "limit":
        assert outcome.iterations == limits.iterations
