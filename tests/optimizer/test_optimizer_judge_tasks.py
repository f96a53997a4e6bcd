"""Rewrites of judges with a task: what the meta-LLM is told of them, and which strategies are of use."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from calibrate.domain import Item, ModelRequest, Scale, Scored
from calibrate.judge import TASKS, Task
from calibrate.optimizer import STRATEGIES, MetaTask, Misjudged, Remembered, Strategy
from calibrate.optimizer.meta_prompt import Lesson, error_lines, meta_request, tags_of, task_lines
from calibrate.optimizer.patterns import analysis_request
from calibrate.optimizer.policies import Standing
from calibrate.optimizer.proposals import Scene, assign
from calibrate.optimizer.strategies import Situation
from calibrate.optimizer.task_requests import REQUESTS
from calibrate.optimizer.trials import Candidate, ErrorKind, Evaluation, Trial

OF_TASKS: tuple[Task, ...] = ("split", "verify", "questions")
SCALES = {
    "verdict": Scale("binary", ("0", "1"), positive="1"),
    "split": Scale("binary", ("0", "1"), positive="1"),
    "verify": Scale("nominal", ("supported", "contradicted", "not mentioned")),
    "questions": Scale("interval", threshold=0.5, low=0.0, high=1.0),
}
ITEM = Item("1", "claims", {"question": "Q?", "answer": "A.", "claim": "C."}, label="0")
CURRENT = Remembered("Do it.", 0.4, "baseline")
GENERAL = STRATEGIES[0]


def task(judge_task: Task, **changed: object) -> MetaTask:
    made = MetaTask("claims", "en", ("question", "answer"), SCALES[judge_task], judge_task=judge_task)
    return replace(made, **changed)  # type: ignore[arg-type]  # any field of the task


def request(judge_task: Task, strategy: Strategy = GENERAL, **changed: object) -> ModelRequest:
    return meta_request(task(judge_task, **changed), strategy, Lesson(CURRENT))


def error(kind: ErrorKind) -> Misjudged:
    return Misjudged(ITEM, Scored("1", "1. C."), kind)


def situation(judge_task: Task) -> Situation:
    kinds: tuple[ErrorKind, ...] = ("wrongly accepted", "wrongly rejected")
    errors = [error(kind) for kind in kinds]
    return Situation(
        errors, "x" * 400, ("context", "claim"), has_partner=True, has_examples=True, judge_task=judge_task
    )


def useful(judge_task: Task) -> set[str]:
    return {strategy.name for strategy in STRATEGIES if strategy.applies(situation(judge_task))}


# --- what the judge is ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("judge_task", "said"),
    [
        (
            "verdict",
            "a model that labels answers. Experts have labelled the same items; the aim is that the judge agrees",
        ),
        ("split", "a model that takes answers apart into claims. Experts have labelled statements"),
        (
            "verify",
            "a model that says of claims whether a context supports them. Experts have labelled the same items",
        ),
        ("questions", "a model that writes questions back which an answer answers. Experts have scored"),
    ],
)
def test_the_meta_llm_is_told_what_the_judge_does(judge_task: Task, said: str) -> None:
    assert f"You improve the instructions of an LLM judge, {said}" in request(judge_task).system


@pytest.mark.parametrize(
    ("judge_task", "form"),
    [
        ("split", "a list of claims, each with its kind (factual, conditional, normative), and no label"),
        ("verify", "for each claim its number, the reasoning, the quote and then the label"),
        ("questions", "three questions, and no label"),
    ],
)
def test_a_rewrite_is_not_to_demand_another_form_of_reply(judge_task: Task, form: str) -> None:
    system = request(judge_task).system
    assert f"Do not describe the output format; it is added to your text: {form}. Ask for no other." in system
    assert "the labels' spelling" not in system


@pytest.mark.parametrize(
    ("judge_task", "said"),
    [
        ("split", "The judge states no label: its label is good where its split has the statement under claim"),
        ("verify", "A claim counts as supported only with a quote that stands in the context word for word"),
        ("questions", "The judge states no score: it is how like its questions are to the item's question"),
    ],
)
def test_the_task_says_how_labels_follow_from_what_the_judge_says(judge_task: Task, said: str) -> None:
    assert said in "\n".join(task_lines(task(judge_task)))
    assert task_lines(task("verdict")) == [line for line in task_lines(task("split")) if "states no label" not in line]


def test_what_is_said_of_a_judge_of_several_steps_goes_first() -> None:
    lines = task_lines(task("verify", step="In two steps."))
    assert "In two steps." in lines
    assert not any("word for word" in line for line in lines)


@pytest.mark.parametrize("judge_task", TASKS)
def test_an_error_analysis_knows_what_it_analyses(judge_task: Task) -> None:
    made = task(judge_task)
    asked = analysis_request(
        task_lines(made),
        tags_of(made),
        CURRENT.prompt,
        CURRENT.score,
        [],
        [error("wrongly accepted")],
        error_lines,
        temperature=1.0,
        max_tokens=100,
        repeat=0,
        judge_task=judge_task,
    )
    does = request(judge_task).system.partition(". Experts")[0].removeprefix("You improve the instructions of an ")
    assert asked.system.startswith(f"You analyse the errors of an {does}. Experts have ")
    assert "; an error is an item on which the judge and the experts differ.\n" in asked.system


# --- strategies -----------------------------------------------------------------------------------------------------


def test_every_strategy_is_of_use_for_a_plain_judge() -> None:
    assert useful("verdict") == {strategy.name for strategy in STRATEGIES}


def test_no_labelled_examples_for_judges_that_state_no_label() -> None:
    examples = "few-shot from disagreements"
    assert examples not in useful("split") | useful("questions")
    assert examples in useful("verify")


def test_what_asks_for_another_kind_of_judge_is_left_out() -> None:
    assert {"claim enumeration", "evidence quoting", "entity attribution"}.isdisjoint(useful("split"))
    assert "claim enumeration" not in useful("verify")
    assert {"evidence quoting", "entity attribution"} <= useful("verify")
    for judge_task in OF_TASKS:
        assert len(useful(judge_task)) >= 5


def test_requests_in_place_of_others_belong_to_strategies_that_there_are() -> None:
    assert set(REQUESTS) <= {strategy.name for strategy in STRATEGIES}
    for strategy in STRATEGIES:
        assert strategy.of_tasks == REQUESTS.get(strategy.name, {})
        assert strategy.request_for("verdict") == strategy.request


@pytest.mark.parametrize("judge_task", ["split", "questions"])
@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_no_request_asks_a_judge_without_labels_for_one(strategy: Strategy, judge_task: Task) -> None:
    asked = strategy.request_for(judge_task)
    if asked is None:
        return
    assert f"\n{asked}\n</request>" in request(judge_task, strategy).user
    for word in ("gives the label", "leads from the criteria to the label", "decides the label", "JSON"):
        assert word not in asked


def test_a_strategy_of_the_user_asks_the_same_of_every_judge() -> None:
    own = Strategy("mine", "", "Write it as a poem.")
    for judge_task in TASKS:
        assert own.request_for(judge_task) == "Write it as a poem."
        assert own.applies(situation(judge_task))
        assert "Write it as a poem." in request(judge_task, own).user
    assert len({own, Strategy("mine", "", "Write it as a poem.")}) == 1


@pytest.mark.parametrize(("step", "shown"), [("", True), ("The label follows from those of the claims.", False)])
def test_labels_that_follow_from_several_steps_are_no_examples(step: str, shown: bool) -> None:
    item = Item("1", "f", {"context": "The shop opens at nine.", "claim": "It opens at ten."}, label="contradicted")
    wrong = Scored("supported")
    trial = Trial(Candidate(0, 0, "baseline", None, "Do it."), Evaluation(0.4, {"1": wrong}))
    standing = Standing([trial], [item], SCALES["verify"])
    scene = Scene(task("verify", step=step), {"1": item}, standing, lambda _: [Misjudged(item, wrong, "confused")])
    examples = [strategy for strategy in STRATEGIES if strategy.brings == "examples"]
    places = assign(scene, [trial], examples, [trial], Random(0))
    assert [place.examples for place in places] == ([(item,)] if shown else [])
