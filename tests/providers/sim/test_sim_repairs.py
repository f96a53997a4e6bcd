"""A follow-up to a reply that could not be used: the simulated writer answers again without what was wrong."""

from __future__ import annotations

import pytest
from sim_meta import FIGURE, answered, rewrite_request
from sim_requests import FAITHFUL

from calibrate.domain.similarity import jaccard, shingles
from calibrate.providers.sim import recognise
from calibrate.providers.sim.focuses import FEW_SHOT, FOCUSES
from calibrate.providers.sim.phrasings import ASKING, INTRODUCTIONS

STRATEGIES = (
    "general improvement",
    "fix wrongly rejected",
    "fix wrongly accepted",
    "explicit rubric",
    "radical simplification",
    *FOCUSES,
    FEW_SHOT,
    "merge",
    "shorten",
)
CURRENT = f"{FAITHFUL} " + " ".join(ASKING[name]["en"][0] for name in ("figures", "claims", "unsupported", "omission"))
OTHER = f"{FAITHFUL} {ASKING['negation']['en'][1]} {ASKING['figures']['en'][2]}"


def again(
    strategy: str, problem: str, reply: str, *, current: str = CURRENT, repeat: int = 0, limit: int = 6000
) -> str:
    return answered(
        rewrite_request(strategy, current, other=OTHER, problem=problem, reply=reply, repeat=repeat, limit=limit)
    )


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_too_long_a_reply_gets_shorter(strategy: str) -> None:
    reply = CURRENT + " More words."
    over = 90
    for repeat in range(3):
        text = again(
            strategy,
            f"too long: {300 + over} characters, the limit is 300",
            f"<prompt>\n{reply}\n</prompt>",
            repeat=repeat,
            limit=300,
        )
        assert len(text) <= min(240, len(reply) - over)


@pytest.mark.parametrize("problem", ["too long", "cut off"])
def test_where_it_is_not_told_by_how_much_a_fifth_less_will_do(problem: str) -> None:
    for strategy in ("general improvement", "evidence quoting"):
        assert len(again(strategy, problem, "", limit=400)) <= 320


def test_what_the_program_adds_to_a_reply_is_allowed_for() -> None:
    # The reply has 300 characters; with the examples it had 600, and 500 are allowed: 100 less.
    reply = "x" * 300
    text = again(FEW_SHOT, "too long: 600 characters, the limit is 500", reply, current=FAITHFUL, limit=500)
    assert len(text) <= 200


def test_of_a_long_reply_only_the_beginning_is_shown() -> None:
    text = again("explicit rubric", "too long: 20000 characters, the limit is 600", "word " * 120, limit=600)
    assert 40 < len(text) <= 150
    assert text.startswith(tuple(INTRODUCTIONS["faithfulness"]["en"]))


def test_a_lost_placeholder_comes_back() -> None:
    for strategy in STRATEGIES:
        text = again(strategy, "placeholder lost: context, question", f"<prompt>\n{FAITHFUL}\n</prompt>")
        assert text.count("{{context}}") == text.count("{{question}}") == 1


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("problem", ["duplicate of candidate 3", "near duplicate of candidate 3"])
def test_a_duplicate_is_written_in_another_way(strategy: str, problem: str) -> None:
    for repeat in range(3):
        reply = answered(rewrite_request(strategy, CURRENT, other=OTHER, repeat=repeat))
        text = again(strategy, problem, f"<prompt>\n{reply}\n</prompt>", repeat=repeat)
        assert jaccard(shingles(text), shingles(reply)) < 0.9
        if problem.startswith("near"):
            assert jaccard(shingles(text), shingles(CURRENT)) < 0.9
        assert recognise(text)


def test_a_merge_that_copied_says_the_same_in_words_of_its_own() -> None:
    copied = "The brass band of the village plays every Sunday at noon in the park."
    other = f"{OTHER} {copied}"
    for repeat in range(6):
        request = rewrite_request(
            "merge",
            CURRENT,
            other=other,
            problem="copies text of item 7",
            reply=f"<prompt>\n{CURRENT} {copied}\n</prompt>",
            repeat=repeat,
        )
        text = answered(request)
        assert "brass band" not in text
        assert recognise(text) >= recognise(CURRENT) | {"negation"}


@pytest.mark.parametrize(
    "problem", ["the reply has no <prompt> block", "cut off", "empty", "the meta-LLM refused", "what nobody foresaw"]
)
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("reply", ["", "I would rather not.", "<prompt>\nhalf of"])
def test_any_other_problem_gets_an_answer_with_a_prompt(problem: str, strategy: str, reply: str) -> None:
    text = again(strategy, problem, reply)
    assert text.strip()
    assert text != CURRENT
    assert recognise(text) or strategy == "fix wrongly rejected"


def test_the_reply_is_not_taken_for_the_request() -> None:
    reply = '<prompt>\n<request strategy="shorten">\n</request>\n<current>\nDance.\n</current>\n</prompt>'
    text = answered(rewrite_request("claim enumeration", FAITHFUL, errors=[FIGURE], problem="empty", reply=reply))
    assert text.startswith(FAITHFUL)
    assert "claims" in recognise(text)
