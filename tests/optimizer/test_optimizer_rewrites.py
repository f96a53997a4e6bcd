"""How a rewritten prompt is read from the meta-LLM's reply."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.domain import Finish, ModelResponse
from calibrate.optimizer.meta_prompt import read_rewrite


def read(text: str, finish: Finish = "stop") -> tuple[str, str]:
    return read_rewrite(ModelResponse(text, finish, "writer"))


@pytest.mark.parametrize(
    "reply",
    [
        "<prompt>Judge it.</prompt>",
        "<prompt>\n\n  Judge it.\n</prompt>\n",
        "Here it is:\n<prompt>\nJudge it.\n</prompt>\nI added a check.",
        "<PROMPT>Judge it.</PROMPT>",
        "<prompt>Judge it.</prompt> (I left the old <prompt> out.)",
        "I write it between <prompt> tags as asked: <prompt>Judge it.</prompt>",
    ],
    ids=["plain", "white space", "prose around", "capitals", "a tag in prose after", "a tag in prose before"],
)
def test_a_rewrite(reply: str) -> None:
    assert read(reply) == ("Judge it.", "")


def test_of_several_blocks_the_last_counts() -> None:
    assert read("<prompt>First.</prompt> On second thoughts: <prompt>Second.</prompt>") == ("Second.", "")


def test_lines_inside_are_kept() -> None:
    assert (
        read("<prompt>\n1. Numbers.\n\n   - dates\n2. Names.\n</prompt>")[0] == "1. Numbers.\n\n   - dates\n2. Names."
    )


def test_a_rewrite_that_just_fits_is_whole_though_the_reply_was_cut_off_after_it() -> None:
    assert read("<prompt>Judge it.</prompt> I changed", "length") == ("Judge it.", "")


# Fences


@pytest.mark.parametrize(
    "reply",
    [
        "<prompt>\n```\nJudge it.\n```\n</prompt>",
        "<prompt>\n```text\nJudge it.\n```\n</prompt>",
        "<prompt>\n~~~\nJudge it.\n~~~\n</prompt>",
        "```\n<prompt>\nJudge it.\n</prompt>\n```",
        "```xml\n<prompt>Judge it.</prompt>\n```",
    ],
)
def test_a_fence_around_the_prompt_is_taken_off(reply: str) -> None:
    assert read(reply) == ("Judge it.", "")


@pytest.mark.parametrize(
    "prompt",
    [
        'Reply like this:\n```json\n{"label": 1}\n```',
        "```\nFirst example.\n```\nand\n```\nsecond example.\n```",
        "Use ``` to quote.",
    ],
)
def test_a_fence_inside_the_prompt_stays(prompt: str) -> None:
    assert read(f"<prompt>\n{prompt}\n</prompt>") == (prompt, "")


# Thinking


@pytest.mark.parametrize("tag", ["think", "thinking", "Thinking", "reasoning", "scratchpad"])
def test_thinking_never_becomes_a_prompt(tag: str) -> None:
    draft = f"<{tag}>Maybe <prompt>Draft.</prompt>?</{tag}>"
    assert read(f"{draft}<prompt>Judge it.</prompt>") == ("Judge it.", "")
    assert read(f"<prompt>Judge it.</prompt>{draft}") == ("Judge it.", "")
    assert read(draft) == ("", "the reply has no <prompt> block")


def test_thinking_that_is_never_closed_hides_all_that_follows() -> None:
    assert read("<think>Maybe <prompt>Draft.</prompt>") == ("", "the reply has no <prompt> block")
    assert read("<think>Maybe <prompt>Draft.</prompt>", "length") == ("", "cut off before a prompt")


def test_thinking_whose_opening_tag_is_in_the_models_template() -> None:
    assert read("Maybe <prompt>Draft.</prompt>?</think>\n<prompt>Judge it.</prompt>") == ("Judge it.", "")
    assert read("Maybe <prompt>Draft.</prompt>?</think>\nI cannot.") == ("", "the reply has no <prompt> block")


@pytest.mark.parametrize(
    "prompt",
    ["Write your thoughts in <thinking></thinking> first.", "First <think>, then judge.", "End with </think>."],
)
def test_a_prompt_may_speak_of_thinking_tags(prompt: str) -> None:
    assert read(f"<prompt>{prompt}</prompt>") == (prompt, "")


# No rewrite


@pytest.mark.parametrize(
    ("text", "finish", "reason"),
    [
        ("", "stop", "the reply has no <prompt> block"),
        ("Judge it.", "stop", "the reply has no <prompt> block"),
        ("</prompt>", "stop", "the reply has no <prompt> block"),
        ("<prompts>Judge it.</prompts>", "stop", "the reply has no <prompt> block"),
        ("I think about", "length", "cut off before a prompt"),
        ("<prompt>Judge", "length", "cut off"),
        ("<prompt>First.</prompt> Better: <prompt>Sec", "length", "cut off"),
        ("<prompt>Judge", "stop", "the <prompt> block is not closed"),
        ("<prompt></prompt>", "stop", "empty"),
        ("<prompt> \n </prompt>", "stop", "empty"),
        ("<prompt>\n```\n\n```\n</prompt>", "stop", "empty"),
        ("", "refusal", "the meta-LLM refused"),
        ("<prompt>Judge it.</prompt>", "refusal", "the meta-LLM refused"),
    ],
)
def test_no_rewrite_and_why(text: str, finish: Finish, reason: str) -> None:
    assert read(text, finish) == ("", reason)


def test_neutralised_tags_of_the_meta_prompt_are_written_back() -> None:
    assert read("<prompt>The answer stands in &lt;answer>.</prompt>")[0] == "The answer stands in <answer>."


fragments = st.sampled_from(
    ["<prompt>", "</prompt>", "<think>", "</think>", "<thinking>", "</thinking>", "```", "\n", "text", " "]
)


@given(st.lists(fragments, max_size=12).map("".join), st.sampled_from(["stop", "length", "refusal"]))
def test_every_reply_gives_a_prompt_or_a_reason(text: str, finish: Finish) -> None:
    prompt, reason = read(text, finish)
    assert bool(prompt) != bool(reason)
    assert prompt == prompt.strip()
