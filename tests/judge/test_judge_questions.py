"""Questions written back: the mean similarity of a reply that an embedder completed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.domain import Finish, ModelResponse, Scale, Scored, Unscored, Verdict
from calibrate.judge import JudgeSettings, Prompt, PromptJudge
from calibrate.judge.questions import read_similarities

INTERVAL = Scale("interval", threshold=0.5, low=0.0, high=1.0)
ASKED = ["What does it cost?", "How much is it?", "Is it free?"]


def completed(*similarities: object, questions: object = ASKED) -> str:
    return json.dumps({"questions": questions, "similarities": similarities, "embedder": "lexical"})


def read(text: str, finish: Finish = "stop", scale: Scale = INTERVAL) -> Verdict:
    return read_similarities(text, finish, scale)


def test_the_score_is_the_mean_similarity() -> None:
    verdict = read(completed(0.9, 0.6, 0.3))
    assert isinstance(verdict, Scored)
    assert verdict.label == "0.6"
    assert verdict.reasoning == "0.90 What does it cost?\n0.60 How much is it?\n0.30 Is it free?"
    assert verdict.evidence == {"questions": ASKED, "similarities": [0.9, 0.6, 0.3], "embedder": "lexical"}


def test_the_mean_is_held_to_the_bounds_of_the_scale() -> None:
    low = read(completed(-0.5, -0.25, 0.0))
    assert isinstance(low, Scored)
    assert low.label == "0.0"
    unbounded = read(completed(-0.5, -0.25, 0.0), scale=Scale("interval"))
    assert isinstance(unbounded, Scored)
    assert unbounded.label == "-0.25"


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "What does it cost?",
        '{"questions": ["What does it cost?"]}',
        '{"questions": []}',
        '{"similarities": [1.0]}',
        '{"similarities": [1.0], "questions": []}',
        '{"similarities": [1.0], "questions": [" "]}',
        '{"similarities": [1.0], "questions": "a"}',
        '{"similarities": 1.0, "questions": ["a"]}',
        '{"similarities": [], "questions": []}',
        '{"similarities": [NaN], "questions": ["a"]}',
        '{"similarities": [1e308, 1e308], "questions": ["a", "b"]}',
        '{"similarities": [7], "questions": ["a"]}',
        '{"similarities": [true], "questions": ["a"]}',
        '{"similarities": [null, 1.0], "questions": ["a", "b"]}',
        '{"similarities": [1.0], "questions": ["a", "b"]}',
        "[1, 2]",
        "[" * 100_000,
    ],
)
def test_a_reply_whose_questions_no_embedder_compared_is_invalid(reply: str) -> None:
    verdict = read(reply)
    assert isinstance(verdict, Unscored)
    assert verdict.reason == "invalid"


@pytest.mark.parametrize(("finish", "reason"), [("length", "truncated"), ("refusal", "refused")])
def test_similarities_of_a_reply_that_did_not_end_by_itself_are_none_of_an_embedder(
    finish: Finish, reason: str
) -> None:
    verdict = read(completed(1.0, 1.0, 1.0), finish)
    assert isinstance(verdict, Unscored)
    assert verdict.reason == reason


@given(
    st.lists(st.floats(-1, 1), min_size=1, max_size=5),
)
def test_the_score_lies_between_the_smallest_and_the_largest_similarity(values: list[float]) -> None:
    verdict = read(completed(*values, questions=["q"] * len(values)), scale=Scale("interval", low=-1.0, high=1.0))
    assert isinstance(verdict, Scored)
    assert min(values) - 1e-6 <= float(verdict.label) <= max(values) + 1e-6


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["questions", "similarities", "x"]), inner),
)


@given(st.text() | JSON.map(json.dumps), st.sampled_from(["stop", "length", "refusal"]))
def test_no_reply_makes_reading_fail(reply: str, finish: Finish) -> None:
    assert isinstance(read(reply, finish), Scored | Unscored)


def test_a_judge_reads_it_with_or_without_the_item() -> None:
    judge = PromptJudge(Prompt.parse("Ask.", ("answer",)), "m", INTERVAL, JudgeSettings(task="questions"))
    assert judge.read(ModelResponse(completed(1.0, 0.5, 0.0), "stop", "m")) == read(completed(1.0, 0.5, 0.0))
