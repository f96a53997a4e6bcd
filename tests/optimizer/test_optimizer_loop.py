"""The loop: what it judges together, what it keeps, logs and repeats, and when it stops.

The meta-LLM and the judge are scripted: a reply for each strategy and iteration, a score for each prompt.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from searching import (
    BASELINE,
    BINARY,
    FIVE,
    GENERAL,
    ITEMS,
    LENIENT,
    NAMES,
    ONE_OF_EACH,
    RUBRIC,
    SIMPLE,
    STRICT,
    TASK,
    Script,
    is_analysis,
    is_repair,
    limits,
    once,
    prompt_of,
    section,
    strategy_of,
    trial_of,
    tried,
    with_strategies,
    words_of,
    written,
)

from calibrate.domain import Item, Json, ModelRequest, ModelResponse, Scored, Verdict
from calibrate.optimizer import (
    POLICIES,
    Candidate,
    Evaluation,
    Job,
    Limits,
    Memory,
    Outcome,
    Procedure,
    Scorer,
    Stopping,
    Trial,
    optimize,
)
from calibrate.optimizer.search import Search

# One iteration


def test_an_iteration_tries_one_candidate_of_each_strategy() -> None:
    outcome = Script().run(limits=once())
    first, *others = (trial.candidate for trial in outcome.trials)
    assert first == Candidate(0, 0, "baseline", None, BASELINE)
    assert [each.number for each in others] == [1, 2, 3, 4, 5]
    assert sorted(each.strategy for each in others) == sorted(NAMES)
    assert all(each == Candidate(each.number, 1, each.strategy, 0, prompt_of(each.strategy, 1)) for each in others)
    assert all(trial.score == 0.3 for trial in outcome.trials)


def test_the_baseline_is_judged_alone_and_the_candidates_of_an_iteration_together() -> None:
    script = Script()
    script.run(limits=limits(iterations=2))
    assert [[each.number for each in batch] for batch in script.judged] == [[0], [1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]


def test_evaluate_is_given_what_was_tried_before() -> None:
    script, given_ = Script(replies={1: {RUBRIC: ""}}), []

    async def evaluate(candidates: Sequence[Candidate], trials: Sequence[Trial]) -> list[object]:
        given_.append([trial.candidate.strategy for trial in trials])
        return await script.evaluate(candidates, trials)

    arguments = {"propose": script.propose, "evaluate": evaluate, "limits": once(), "procedure": FIVE}
    asyncio.run(optimize(BASELINE, ITEMS, TASK, **arguments))
    assert given_ == [[], ["baseline", RUBRIC]]


def test_numbers_are_in_order_of_place() -> None:
    script = Script(replies={2: {GENERAL: ""}})
    outcome = script.run(limits=limits(iterations=2))
    asked = [strategy_of(request) for batch in script.requests for request in batch]
    assert [trial.candidate.strategy for trial in outcome.trials] == ["baseline", *asked]
    assert [trial.candidate.number for trial in outcome.trials] == list(range(11))


def test_the_first_request_shows_the_baseline_its_score_and_its_errors() -> None:
    script = Script(scores={BASELINE: 0.4})
    script.run(limits=once())
    request = script.requests[0][0]
    assert '<current score="0.4000">\nJudge the answer.\n</current>' in request.user
    assert tried(request) == [(0.4, BASELINE)]
    assert sorted(re.findall('<error kind="(.+)">', request.user)) == ["wrongly accepted", "wrongly rejected"]


def test_the_next_iteration_starts_from_the_best_so_far() -> None:
    script = Script(scores={BASELINE: 0.4, prompt_of(RUBRIC, 1): 0.6, prompt_of(SIMPLE, 1): 0.5})
    outcome = script.run(limits=limits(iterations=2))
    best = trial_of(outcome, RUBRIC).candidate.number
    assert {trial.candidate.parent for trial in outcome.trials if trial.candidate.iteration == 2} == {best}
    assert {section(request, "current") for request in script.requests[1]} == {prompt_of(RUBRIC, 1)}


def test_a_regression_stays_in_the_trajectory_and_is_no_parent() -> None:
    script = Script(scores={BASELINE: 0.4, prompt_of(GENERAL, 1): -0.2})
    outcome = script.run(limits=limits(iterations=2))
    assert trial_of(outcome, GENERAL).score == -0.2
    assert tried(script.requests[1][0])[0] == (-0.2, prompt_of(GENERAL, 1))
    assert {trial.candidate.parent for trial in outcome.trials[1:]} == {0}
    assert outcome.best.candidate.number == 0


# Ties


def test_the_baseline_wins_a_tie_however_long_it_is() -> None:
    script = Script(replies={1: {STRICT: "Hm."}}, scores={BASELINE: 0.5, "Hm.": 0.5})
    assert script.run(limits=once()).best.candidate.number == 0


def test_of_equal_rewrites_the_shortest_wins_also_when_it_comes_later() -> None:
    replies = {1: {STRICT: "a longer prompt", SIMPLE: "short"}, 2: {RUBRIC: "brief"}, 3: {GENERAL: "tiny"}}
    scores = {BASELINE: 0.4, "a longer prompt": 0.5, "short": 0.5, "brief": 0.5, "tiny": 0.5}
    script = Script(replies=replies, scores=scores)
    assert script.run(limits=once()).best.candidate.prompt == "short"
    assert Script(replies=replies, scores=scores).run(limits=limits(iterations=3)).best.candidate.prompt == "tiny"


@pytest.mark.parametrize("seed", range(4))
def test_of_equally_long_ones_the_earliest_wins(seed: int) -> None:
    replies = {1: {STRICT: "five a", SIMPLE: "five b"}, 2: {GENERAL: "five c"}}
    script = Script(replies=replies, scores={BASELINE: 0.4, "five a": 0.5, "five b": 0.5, "five c": 0.5})
    outcome = script.run(limits=limits(iterations=2), procedure=replace(FIVE, seed=seed))
    equal = [trial.candidate.number for trial in outcome.trials if trial.score == 0.5]
    assert outcome.best.candidate.number == min(equal)


def test_scores_that_differ_by_rounding_only_are_equal() -> None:
    script = Script(replies={1: {STRICT: "Hm."}}, scores={BASELINE: 0.5, "Hm.": 0.5 + 1e-12})
    assert script.run(limits=once()).best.candidate.number == 0


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
    outcome = Script(scores={BASELINE: 0.4, prompt_of(SIMPLE, 2): 0.95}).run()
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
    outcome = Script().run(limits=limits(iterations=0))
    assert (outcome.stopped, len(outcome.trials)) == ("limit", 1)


def test_patience_and_gain_can_be_set() -> None:
    assert Script().run(limits=limits(patience=5)).iterations == 5
    assert Script(scores=rising(0.05)).run(limits=limits(min_gain=0.2)).iterations == 3


def test_an_iteration_without_a_single_usable_rewrite_counts_and_judges_nothing() -> None:
    script = Script(replies={n: dict.fromkeys(NAMES, "") for n in range(1, 10)}, scores={BASELINE: 0.4})
    outcome = script.run()
    assert (outcome.stopped, outcome.iterations) == ("stalled", 3)
    assert script.judged_prompts == [BASELINE]
    assert len(outcome.trials) == 16


def test_a_search_whose_strategies_do_not_apply_ends() -> None:
    only = replace(FIVE, strategies=tuple(each for each in FIVE.strategies if each.name == LENIENT))
    script = Script(labels={BASELINE: {"a": "0", "b": "0", "c": "1", "d": "0"}}, scores={BASELINE: 0.4})
    outcome = script.run(procedure=only)
    assert (outcome.stopped, outcome.iterations, len(outcome.trials)) == ("exhausted", 0, 1)
    assert script.requests == []


# The log


def test_the_order_of_events() -> None:
    """An iteration is logged before anything is paid for it, rejected candidates before the others are judged."""
    script = Script(replies={1: {RUBRIC: ""}, 2: {GENERAL: ("", "Better.")}})
    outcome = script.run(limits=limits(iterations=2))
    first, second = ([strategy_of(request) for request in batch] for batch in script.requests)
    bad = trial_of(outcome, RUBRIC).candidate.number
    good = [number for number in range(1, 6) if number != bad]
    assert script.events == [
        ("judge", [0]),
        ("trial", 0),
        ("iteration", 1),
        ("rewrites", first),
        ("follow-ups", [RUBRIC]),
        ("trial", bad),
        ("judge", good),
        *(("trial", number) for number in good),
        ("iteration", 2),
        ("rewrites", second),
        ("follow-ups", [GENERAL]),
        ("judge", [6, 7, 8, 9, 10]),
        *(("trial", number) for number in range(6, 11)),
    ]


def test_every_trial_is_logged_once() -> None:
    script = Script(replies={1: {RUBRIC: ""}})
    outcome = script.run(limits=limits(iterations=2))
    assert sorted(script.logged, key=lambda trial: trial.candidate.number) == list(outcome.trials)


def test_an_error_analysis_comes_before_the_record_that_holds_what_it_found() -> None:
    script = Script(analyses={1: '<patterns><pattern name="names" errors="1, 2">Wrong names.</pattern></patterns>'})
    script.run(limits=once(), procedure=replace(FIVE, analysis=True))
    assert [name for name, _ in script.events[:4]] == ["judge", "trial", "analysis", "iteration"]
    (record,) = script.records
    assert record["patterns"] == [{"name": "names", "description": "Wrong names.", "items": ["a", "d"], "found": 1}]
    assert record["analysis"] == ""


@pytest.mark.parametrize("policy", POLICIES)
def test_the_records_say_what_became_the_candidates(policy: str) -> None:
    script = Script(
        replies={1: {RUBRIC: "", GENERAL: ModelResponse("", "refusal", "w")}, 2: {SIMPLE: BASELINE}, 3: {STRICT: ""}},
        scores={prompt_of(SIMPLE, 1): 0.4, prompt_of(RUBRIC, 2): 0.5},
    )
    outcome = script.run(
        limits=limits(iterations=4, patience=4), procedure=replace(FIVE, policy=POLICIES[policy], width=7)
    )
    best = 0
    for iteration, record in enumerate(script.records, start=1):
        candidates = [trial.candidate for trial in outcome.trials if trial.candidate.iteration == iteration]
        chosen = record["chosen"]
        assert [(each["candidate"], each["strategy"], each["parent"]) for each in chosen] == [
            (each.number, each.strategy, each.parent) for each in candidates
        ]
        assert [each["slot"] for each in chosen] == list(range(7))
        assert record["best"] == best
        best = max(
            (trial for trial in outcome.trials if trial.candidate.iteration <= iteration and trial.score is not None),
            key=lambda trial: trial.rank,
        ).candidate.number
    assert len(script.records) == 4


def test_the_numbers_in_the_record_are_right_where_a_place_stays_empty() -> None:
    """The best prompt wrongly rejects only; of the beam the baseline alone is too lenient, at the second place."""
    best = prompt_of(LENIENT, 1)
    script = Script(scores={BASELINE: 0.4, best: 0.6}, labels={best: {"a": "0", "b": "0", "c": "1", "d": "0"}})
    only = replace(with_strategies(LENIENT), policy=POLICIES["beam"])
    outcome = script.run(limits=limits(iterations=2), procedure=replace(only, width=2))
    (chosen,) = script.records[1]["chosen"]
    (last,) = (trial.candidate for trial in outcome.trials if trial.candidate.iteration == 2)
    assert outcome.best.candidate.prompt == best
    assert (chosen["slot"], chosen["parent"], chosen["candidate"]) == (1, 0, last.number)


def test_the_records_say_how_the_strategies_were_drawn() -> None:
    script = Script(scores={BASELINE: 0.3, prompt_of(RUBRIC, 1): 0.4}, otherwise=0.2)
    script.run(limits=limits(iterations=2))
    first, second = script.records
    assert {(each["tries"], each["wins"]) for each in first["chosen"]} == {(0, 0)}
    assert {each["strategy"]: (each["tries"], each["wins"]) for each in second["chosen"]} == {
        name: (1, int(name == RUBRIC)) for name in NAMES
    }
    for record in script.records:
        draws = [each["draw"] for each in record["chosen"]]
        assert draws == sorted(draws, reverse=True)
        assert all(0 <= draw <= 1 for draw in draws)


# Replay


def test_the_same_replies_lead_the_same_way() -> None:
    made = [Script(scores=rising(0.05), replies={2: {SIMPLE: ""}}) for _ in range(2)]
    one, other = (script.run() for script in made)
    assert one == other
    assert made[0].events == made[1].events
    assert made[0].requests == made[1].requests
    assert made[0].records == made[1].records


def test_another_seed_draws_otherwise() -> None:
    def order(seed: int) -> list[list[str]]:
        script = Script()
        script.run(procedure=replace(FIVE, seed=seed))
        return [[strategy_of(request) for request in batch] for batch in script.requests]

    orders = [order(seed) for seed in range(5)]
    assert all(one != other for n, one in enumerate(orders) for other in orders[:n])
    assert len({tuple(batch) for batch in orders[0]}) > 1, "iterations draw anew"


def test_an_iteration_draws_anew_also_when_nothing_was_learnt_since_the_last() -> None:
    search = Search(BASELINE, ITEMS, TASK, Memory(), FIVE, lambda _: "", Limits(history=0))
    search.add(Trial(Candidate(0, 0, "baseline", None, BASELINE), Evaluation(0.5, {"a": Scored("1")})))
    drawn = []
    for _ in range(2):
        search.begin()
        drawn.append([place.draw.value for place in search.places()])
    assert drawn[0] != drawn[1]


def test_another_calibration_of_the_same_specification_draws_otherwise() -> None:
    scripts = [Script(), Script()]
    for repeat, script in enumerate(scripts):
        script.run(task=replace(TASK, repeat=repeat))
    one, other = ([[strategy_of(each) for each in batch] for batch in script.requests] for script in scripts)
    assert one != other


class Interrupted(Exception):  # noqa: N818 — what a test raises in place of Ctrl-C
    pass


@dataclass
class Stored:
    """A world whose replies and verdicts are drawn from what is asked, and stored as soon as they are paid for.

    Attributes:
        repeat: the number of the world.
        until: this many calls are answered; the next one is interrupted after the first of its answers is stored.
    """

    repeat: int = 0
    until: int = 10**9
    replies: dict[str, ModelResponse] = field(default_factory=dict)
    verdicts: dict[tuple[str, str], Verdict] = field(default_factory=dict)
    paid: list[object] = field(default_factory=list)
    records: list[Mapping[str, Json]] = field(default_factory=list)
    calls: int = 0

    items = tuple(
        Item(f"i{n}", "faithfulness", {"answer": f"answer i{n}"}, "01"[n % 2], note="why" if n % 3 else "")
        for n in range(14)
    )

    async def propose(self, requests: Sequence[ModelRequest]) -> list[ModelResponse]:
        self.calls += 1
        for request in requests:
            key = str(request.to_json())
            if key not in self.replies:
                self.paid.append(key)
                self.replies[key] = reply_to(request)
            self._interrupt()
        return [self.replies[str(request.to_json())] for request in requests]

    async def judge(self, jobs: Sequence[Job]) -> list[Mapping[str, Verdict]]:
        self.calls += 1
        for job in jobs:
            for item in job.items:
                key = (job.candidate.prompt, item.id)
                if key not in self.verdicts:
                    self.paid.append(key)
                    random = Random(f"{words_of(job.candidate)}:{item.id}")
                    right = random.random() < Random(words_of(job.candidate)).uniform(0.4, 0.8)
                    self.verdicts[key] = Scored(item.label if right else "10"[int(item.label)])
                self._interrupt()
        return [{item.id: self.verdicts[job.candidate.prompt, item.id] for item in job.items} for job in jobs]

    def _interrupt(self) -> None:
        if self.calls > self.until:
            raise Interrupted

    def run(self, policy: str, until: int = 10**9) -> Outcome:
        self.calls, self.until = 0, until
        self.records.clear()
        scorer = Scorer(self.items, BINARY, self.judge, stopping=Stopping(prune=True))
        return asyncio.run(
            optimize(
                BASELINE,
                self.items,
                replace(TASK, repeat=self.repeat),
                propose=self.propose,
                evaluate=scorer.evaluate,
                log_iteration=lambda _, record: self.records.append(record),
                limits=Limits(iterations=2, patience=4, target=2.0),
                procedure=Procedure(policy=POLICIES[policy], width=12, seed=3),  # every strategy is used
            )
        )


def reply_to(request: ModelRequest) -> ModelResponse:
    """A reply drawn from the request: mostly a prompt, sometimes none, a duplicate, or a refusal."""
    random = Random(str(request.to_json()))
    if is_analysis(request):
        numbers = re.findall(r'<error number="(\d+)"', request.user)
        odd, even = ", ".join(numbers[::2]), ", ".join(numbers[1::2])
        said = f'<pattern name="odd" errors="{odd}">Odd.</pattern><pattern name="even" errors="{even}">Even.</pattern>'
        return ModelResponse(f"<patterns>{said}</patterns>" if random.random() < 0.7 else "Hm.", "stop", "w")
    words = ("mended " if is_repair(request) else "rewrite ") + " ".join(
        f"w{random.randrange(10**6)}" for _ in range(random.randrange(5, 60))
    )
    chance = random.random()
    if chance < 0.1:
        return ModelResponse("", "refusal", "w")
    if chance < 0.2:
        return ModelResponse(f"<think><prompt>{words}</prompt>", "length", "w")
    return written(BASELINE if chance < 0.35 else words)


@pytest.mark.parametrize(
    "policy", [pytest.param(each, marks=() if each == "opro" else pytest.mark.slow) for each in POLICIES]
)
def test_interrupted_anywhere_it_goes_on_where_it_was(policy: str) -> None:
    """Over a store of what was paid for: nothing is paid for twice, and the outcome is that of a search in one go."""
    seen: set[str] = set()
    for repeat in range(4):
        whole = Stored(repeat)
        outcome = whole.run(policy)
        seen |= features_of(outcome)
        assert whole.calls > 8
        for until in range(whole.calls):
            world = Stored(repeat)
            with pytest.raises(Interrupted):
                world.run(policy, until)
            assert world.run(policy) == outcome
            assert world.records == whole.records
            assert len(world.paid) == len(set(world.paid)) == len(whole.paid)
    assert seen >= {"merge", "few-shot from disagreements", "rejected", "mended", "stopped early", "patterns"}


def features_of(outcome: Outcome) -> set[str]:
    """What such a search had to get right; a follow-up was needed and of use where a prompt says so."""
    found = {trial.candidate.strategy for trial in outcome.trials} | ({"patterns"} if outcome.patterns else set())
    for trial in outcome.trials:
        if trial.rejected:
            found.add("rejected")
        elif trial.evaluation is not None and trial.evaluation.stopped:
            found.add("stopped early")
        if not trial.rejected and words_of(trial.candidate).startswith("mended"):
            found.add("mended")
    return found


def test_interrupted_again_and_again_it_still_arrives() -> None:
    whole = Stored()
    outcome = whole.run("pareto")
    world = Stored()
    for until in range(whole.calls):
        with pytest.raises(Interrupted):
            world.run("pareto", until)
    assert world.run("pareto") == outcome
    assert sorted(map(str, world.paid)) == sorted(map(str, whole.paid))


# Whatever the scores


@settings(max_examples=60, deadline=None)
@given(
    scores=st.lists(st.integers(-10, 10).map(lambda n: n / 10), min_size=46, max_size=46),
    rejected=st.sets(st.integers(1, 45), max_size=20),
    target=st.integers(5, 11).map(lambda n: n / 10),
    seed=st.integers(0, 99),
)
def test_invariants(scores: list[float], rejected: set[int], target: float, seed: int) -> None:
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
    stop = limits(target=target)
    outcome = script.run(limits=stop, procedure=replace(FIVE, seed=seed))
    trials = outcome.trials

    def best_of(iterations: int) -> Trial:
        known = [each for each in trials if each.score is not None and each.candidate.iteration <= iterations]
        top = [each for each in known if each.score == max(other.score for other in known)]
        baseline = [each for each in top if each.candidate.number == 0]
        return min(baseline or top, key=lambda each: (len(each.candidate.prompt), each.candidate.number))

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
        assert best[-1] - best[-4] < stop.min_gain
        assert (outcome.stopped == "plateau") == (best[-1] >= stop.plateau)
    if outcome.stopped == "limit":
        assert outcome.iterations == stop.iterations


def test_the_script_has_one_error_of_each_kind() -> None:
    assert [ONE_OF_EACH[item.id] == item.label for item in ITEMS] == [False, True, True, False]
