"""How the meta-LLM's reply is read, and how it is asked once more."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from calibrate.domain import Finish, Item, ModelRequest, ModelResponse
from calibrate.optimizer.checks import CandidateChecks
from calibrate.optimizer.replies import MOST_SHOWN, Reading, last_block, read_rewrite, repair_request


def reading(text: str, finish: Finish = "stop") -> Reading:
    return read_rewrite(ModelResponse(text, finish, "writer"))


def read(text: str, finish: Finish = "stop") -> tuple[str, str]:
    found = reading(text, finish)
    return found.prompt, found.problem


@pytest.mark.parametrize(
    "reply",
    [
        "<prompt>Judge it.</prompt>",
        "<prompt>\n\n  Judge it.\n</prompt>\n",
        "Here it is:\n<prompt>\nJudge it.\n</prompt>\nI added a check.",
        "<PROMPT>Judge it.</PROMPT>",
        "<prompt>Judge it.</prompt> (I left the old <prompt> out.)",
        "I write it between <prompt> tags as asked: <prompt>Judge it.</prompt>",
        '<prompt version="2" lang="en">Judge it.</prompt >',
        "I put it between `<prompt>` and `</prompt>`.\n\n<prompt>Judge it.</prompt>",
        "<prompt>Judge it.</prompt>\nIt stands between `<prompt>` and `</prompt>`.",
        "<prompt>Judge it.</prompt>\nIt stands between <prompt> and </prompt>, not <prompt>...</prompt>.",
        "I put it between <prompt> and </prompt>: <prompt>Judge it.</prompt>",
        "<prompt>Judge it.</prompt> <prompt></prompt>",
        "<prompt>\n<prompt>Judge it.</prompt>\n</prompt>",
    ],
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


def test_tags_that_were_escaped_on_both_sides_are_written_back() -> None:
    assert read("<prompt>Read &lt;answer&gt; if a &gt; b.</prompt>")[0] == "Read <answer> if a &gt; b."


# The block's own tag inside the prompt


@pytest.mark.parametrize(
    "prompt",
    [
        "The text in <prompt> is what was asked; judge the answer.",
        "What was asked:\n<prompt>{{prompt}}</prompt>\nJudge the answer.",
        "Text in <prompt> was asked.\n<prompt>{{prompt}}</prompt>\nJudge the answer.",
        "It starts with <prompt> and ends with </prompt>; the text in <prompt> was asked.",
        "The text in `<prompt>` ends at `</prompt>`.",
    ],
    ids=["a mention", "an element", "both", "the closing tag as well", "in backticks"],
)
def test_a_prompt_may_speak_of_an_input_called_prompt(prompt: str) -> None:
    assert read(f"Here:\n<prompt>\n{prompt}\n</prompt>\nDone.") == (prompt, "")


def test_prose_that_only_mentions_the_tags_is_no_prompt() -> None:
    assert read("I would write <prompt> and </prompt> around it.") == ("", "the reply has no <prompt> block")
    assert read("It goes into <prompt>…</prompt>.") == ("", "the reply has no <prompt> block")


def test_chatter_inside_the_block_is_left_since_all_that_stands_there_is_the_prompt() -> None:
    assert read("<prompt>Here is the prompt:\nJudge it.</prompt>")[0] == "Here is the prompt:\nJudge it."


def test_a_whole_reply_in_a_fence_without_a_block_is_not_guessed() -> None:
    assert read("```\nJudge it.\n```") == ("", "the reply has no <prompt> block")


# More fences


def test_fences_with_a_language_may_be_nested_in_the_fence_that_is_taken_off() -> None:
    prompt = 'Reply like this:\n```json\n{"label": 1}\n```'
    assert read(f"<prompt>\n```markdown\n{prompt}\n```\n</prompt>") == (prompt, "")
    assert read(f"<prompt>\n````\n{prompt}\n````\n</prompt>") == (prompt, "")


def test_a_fence_that_ends_before_the_prompt_does_stays() -> None:
    prompt = "```\nAn example.\n```\nJudge it."
    assert read(f"<prompt>{prompt}</prompt>") == (prompt, "")


# Replies whose tags are escaped


@pytest.mark.parametrize(
    "reply",
    [
        "&lt;prompt&gt;Is a &lt; b &amp;&amp; b &gt; 1?&lt;/prompt&gt;",
        "Here:\n&lt;PROMPT&gt;\nIs a &lt; b &amp;&amp; b &gt; 1?\n&lt;/PROMPT&gt;\n",
        "&lt;prompt>Is a &lt; b && b > 1?&lt;/prompt>",
        "<think>&lt;prompt&gt;Draft.&lt;/prompt&gt;</think>&lt;prompt&gt;Is a < b && b > 1?&lt;/prompt&gt;",
    ],
)
def test_a_reply_whose_tags_are_escaped(reply: str) -> None:
    assert read(reply) == ("Is a < b && b > 1?", "")


def test_escaped_tags_do_not_count_beside_real_ones_nor_inside_thinking() -> None:
    assert read("<prompt>A</prompt> not &lt;prompt&gt;B&lt;/prompt&gt;")[0] == "A"
    assert read("<think>&lt;/think&gt;&lt;prompt&gt;Draft.&lt;/prompt&gt;")[0] == ""
    assert read("&lt;think&gt;&lt;prompt&gt;Draft.&lt;/prompt&gt;")[0] == ""


# More thinking

FORMS = {
    **{
        f"<{name}>": (f"<{name}>", f"</{name}>") for name in ("think", "thinking", "thought", "reasoning", "scratchpad")
    },
    **{f"<{name}>": (f"<{name}>", f"</{name}>") for name in ("reflection", "analysis", "Think", "seed:think")},
    "attributes": ('<think effort="high">', "</think>"),
    "[THINK]": ("[THINK]", "[/THINK]"),
    "◁think▷": ("◁think▷", "◁/think▷"),
    "begin_of_thought": ("<|begin_of_thought|>", "<|end_of_thought|>"),
    "START_THINKING": ("<|START_THINKING|>", "<|END_THINKING|>"),
    "harmony": ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    "harmony, commentary": ("<|channel|>commentary<|message|>", "<|end|>"),
    "channel": ("<|channel>thought\n", "<channel|>"),
}
DRAFT, FINAL = "Maybe <prompt>Draft secret.</prompt>?", "<prompt>Judge it.</prompt>"
form = pytest.mark.parametrize(("opens", "closes"), FORMS.values(), ids=FORMS)


@form
def test_every_form_of_thinking_is_dropped(opens: str, closes: str) -> None:
    assert read(f"{opens}{DRAFT}{closes}{FINAL}") == ("Judge it.", "")
    assert read(f"{opens}{DRAFT}{closes}\nI changed it.\n{FINAL}") == ("Judge it.", "")
    assert read(f"{opens}{DRAFT}{closes}I cannot.") == ("", "the reply has no <prompt> block")


@form
def test_every_form_of_thinking_hides_what_follows_when_it_is_never_closed(opens: str, closes: str) -> None:
    assert read(f"{opens}{DRAFT}") == ("", "the reply has no <prompt> block")
    assert read(f"{opens}{DRAFT} so", "length") == ("", "cut off before a prompt")
    assert read(f"{opens}I open <prompt>Draft", "length") == ("", "cut off before a prompt")


@pytest.mark.parametrize("closes", ["</think>", "[/THINK]", "◁/think▷", "<|end_of_thought|>", "<channel|>"])
@pytest.mark.parametrize("draft", [DRAFT, "It goes into <prompt> tags.", "\n<prompt>\nDraft secret"])
def test_a_closing_mark_alone_makes_thinking_of_all_before_it(closes: str, draft: str) -> None:
    assert read(f"{draft}{closes}{FINAL}") == ("Judge it.", "")
    assert read(f"{draft}{closes}I cannot.") == ("", "the reply has no <prompt> block")


def test_harmony_whose_opening_tokens_are_in_the_template_or_left_out() -> None:
    assert read(f"{DRAFT}<|end|><|start|>assistant<|channel|>final<|message|>{FINAL}<|return|>")[0] == "Judge it."
    assert read(f"analysisWe need a prompt. {DRAFT}assistantfinal{FINAL}") == ("Judge it.", "")
    assert read(f"analysisWe need a prompt. {DRAFT}", "length") == ("", "cut off before a prompt")
    assert read(f"analysis of the errors: none. {FINAL}") == ("Judge it.", "")


def test_thinking_that_mentions_its_own_tags_ends_where_it_is_closed() -> None:
    assert read(f"<think>The judge could write <think> first. {DRAFT}</think>{FINAL}") == ("Judge it.", "")
    assert read(f"<think>Maybe <think></think> tags. {DRAFT}</think>{FINAL}") == ("Judge it.", "")
    assert read(f"<think>Maybe </thinking> too. {DRAFT}</think>{FINAL}") == ("Judge it.", "")
    assert read(f"It could write <thinking> first. {DRAFT}</think>{FINAL}") == ("Judge it.", "")


def test_a_reply_that_was_cut_off_in_thinking_that_mentions_its_own_tags_has_no_prompt() -> None:
    assert read(f"<think>Maybe <think></think> tags. {DRAFT} so", "length")[0] == ""
    assert read(f"<think>Maybe </thinking> too. {DRAFT} so", "length")[0] == ""
    assert read("It goes into <prompt>: <think>then </prompt>, secret", "length")[0] == ""


@pytest.mark.parametrize(
    "before",
    [
        f"I write a <prompt>.\n<think>{DRAFT}</think>\n",
        f"<prompt> is what I write.\n<think>{DRAFT}</think>\n",
        "<prompt>\nDraft secret.</think>\n",
        "I write a <prompt> as asked: ",
    ],
)
def test_a_mention_of_the_block_before_it_does_not_make_a_prompt_of_what_lies_between(before: str) -> None:
    assert read(f"{before}{FINAL} It ends with </prompt>.") == ("Judge it.", "")


def test_a_thinking_tag_in_backticks_is_a_mention() -> None:
    assert read(f"I added a step in `<think>`.\n{FINAL}") == ("Judge it.", "")


# What can be mended


@pytest.mark.parametrize(
    ("text", "finish", "mendable"),
    [
        ("", "refusal", False),
        ("I cannot.", "stop", True),
        ("", "stop", True),
        ("<prompt>Judge", "length", True),
        ("<think>Hm", "length", True),
        ("<prompt>Judge", "stop", True),
        ("<prompt></prompt>", "stop", True),
        ("<prompt>Judge it.</prompt>", "stop", False),
    ],
)
def test_one_follow_up_makes_sense_unless_the_model_refused(text: str, finish: Finish, mendable: bool) -> None:
    assert reading(text, finish).mendable is mendable


# Whatever the reply is

FINISHES: st.SearchStrategy[Finish] = st.sampled_from(["stop", "length", "refusal"])
MARKS = [mark for pair in FORMS.values() for mark in pair]
fragments = st.sampled_from(
    [
        *MARKS,
        "<prompt>",
        "</prompt>",
        "<prompt a='b'>",
        "&lt;prompt&gt;",
        "&lt;/prompt&gt;",
        "```",
        "`",
        "\n",
        "text",
        " ",
    ]
)


@given(st.one_of(st.lists(fragments, max_size=14).map("".join), st.text()), FINISHES)
def test_every_reply_gives_a_prompt_or_a_reason(text: str, finish: Finish) -> None:
    found = reading(text, finish)
    assert bool(found.prompt) != bool(found.problem)
    assert found.prompt == found.prompt.strip()
    assert not (found.mendable and found.prompt)


thoughts = st.lists(
    st.sampled_from(
        [
            "SECRET",
            "<prompt>",
            "</prompt>",
            "\n",
            " ",
            "text",
            " `<think>` ",
            "```\n",
            "&lt;prompt&gt;",
            "&lt;/prompt&gt;",
        ]
    ),
    max_size=10,
).map(lambda parts: "".join(["SECRET", *parts, "SECRET"]))
mentions = st.sampled_from(["", "", "<think>", "</think>", "<think></think>", "<scratchpad></scratchpad>"])
forms = st.sampled_from(list(FORMS.values()))
answers = st.sampled_from(
    [
        "",
        "I cannot.",
        FINAL,
        f"Here:\n{FINAL}\nIt says more.",
        f"I write a <prompt> as asked: {FINAL}",
        "<prompt>First <think>, then judge.</prompt>",
        "<prompt>\n<prompt>{{prompt}}</prompt>\nJudge it.\n</prompt>",
        "&lt;prompt&gt;Judge it.&lt;/prompt&gt;",
        "<prompt>Judge",
    ]
)


@given(st.sampled_from(["", "I write a <prompt>.\n", "Well, "]), forms, thoughts, mentions, thoughts, answers, FINISHES)
@example("I write a <prompt>.\n", FORMS["harmony, commentary"], "", "", "SECRET</prompt>SECRET", "", "stop")
@example("I write a <prompt>.\n", ("<think>", "</think>"), "SECRET</prompt>", "<think>", "SECRET", "", "stop")
@example("", ("<think>", "</think>"), "SECRET", "</think>", "<prompt>SECRET", FINAL, "stop")
def test_closed_thinking_never_shows_in_the_prompt(
    before: str, form: tuple[str, str], thought: str, mention: str, more: str, answer: str, finish: Finish
) -> None:
    opens, closes = form
    found = reading(f"{before}{opens}{thought}{mention}{more}{closes}{answer}", finish)
    assert "SECRET" not in found.prompt


@given(forms, thoughts, st.sampled_from(["", "<scratchpad></scratchpad>", "</scratchpad>"]), thoughts, FINISHES)
def test_unclosed_thinking_never_shows_in_the_prompt(
    form: tuple[str, str], thought: str, mention: str, more: str, finish: Finish
) -> None:
    if "scratchpad" not in form[0]:
        thought += mention
    assert reading(f"{form[0]}{thought}{more}", finish).prompt == ""


@given(thoughts, st.sampled_from(["</think>", "[/THINK]", "</analysis>"]), answers, FINISHES)
def test_thinking_with_a_closing_mark_only_never_shows_in_the_prompt(
    thought: str, closes: str, answer: str, finish: Finish
) -> None:
    assert "SECRET" not in reading(f"{thought}{closes}{answer}", finish).prompt


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    [
        "<prompt>",
        "<prompt></prompt>",
        "<prompt><think></prompt>",
        "\n<prompt> <prompt></prompt>",
        "<think>",
        "```\n",
        "</think>",
    ],
)
def test_reading_takes_time_linear_in_the_reply(part: str) -> None:
    begun = time.perf_counter()
    for finish in ("stop", "length"):
        reading(part * 20_000, finish)
    assert time.perf_counter() - begun < 5.0  # a quadratic reading takes minutes


def test_blocks_of_another_tag() -> None:
    assert last_block("<patterns>\n<pattern/>\n</patterns>", "patterns", cut_off=False).text == "\n<pattern/>\n"
    assert last_block("<pattern>x</pattern>", "patterns", cut_off=False).text is None


# Asking once more

REQUEST = ModelRequest("You improve.", '<request strategy="merge">\nUnite.\n</request>', None, 0.7, 900, repeat=31)
ITEM = Item("17", "faithfulness", {"answer": "one two three four five six seven eight nine"}, "1")
CHECKS = CandidateChecks([ITEM], placeholders=("context", "answer"), max_characters=600)
NEAR = " ".join(f"Criterion number {number}." for number in range(25))
CHECKS.remember("candidate 3", "Judge {{answer}} by {{context}}.")
CHECKS.remember("candidate 4", f"Judge {{{{answer}}}} by {{{{context}}}}. {NEAR} Yes.")


def section(problem: str, shown: str = "") -> str:
    return repair_request(REQUEST, problem, shown).user.removeprefix(f"{REQUEST.user}\n")


def test_a_follow_up_is_the_request_with_a_section_at_its_end() -> None:
    again = repair_request(REQUEST, "placeholder lost: context", "Judge {{answer}}.")
    assert again.user == (
        f"{REQUEST.user}\n"
        "<repair>\n"
        "<problem>placeholder lost: context</problem>\n"
        "<reply>\n"
        "Judge {{answer}}.\n"
        "</reply>\n"
        "Answer the request again so that this problem is gone. Keep {{context}} exactly as written here; the item's "
        "inputs are put in their place. Reply with the whole rewritten instructions between <prompt> and </prompt>.\n"
        "</repair>"
    )
    assert (again.system, again.temperature, again.max_tokens, again.repeat) == ("You improve.", 0.7, 900, 31)


def test_a_reply_that_held_no_prompt_is_shown_empty() -> None:
    assert "<reply>\n</reply>" in section("the reply has no <prompt> block")


@pytest.mark.parametrize(
    ("prompt", "problem", "advice"),
    [
        ("{{context}} {{answer}}" + "x" * 700, "too long", "at most 600 characters"),
        ("Judge.", "placeholder lost", "Keep {{context}} and {{answer}} exactly"),
        ("judge {{answer}} by  {{context}}.", "duplicate of candidate 3", "has been tried"),
        (f"Judge {{{{answer}}}} by {{{{context}}}}. {NEAR}", "near duplicate of candidate 4", "has been tried"),
        (f"{{{{context}}}} {{{{answer}}}} {ITEM.inputs['answer']}", "copies text of item 17", "no text of the items"),
        ("{{context}} {{answer}} \ud83d", "contains characters", "no proper text"),
        ("", "empty", "between the tags"),
    ],
)
def test_what_the_checks_say_is_followed_by_what_to_do_about_it(prompt: str, problem: str, advice: str) -> None:
    said = CHECKS.problem(prompt, "")
    assert said.startswith(problem)
    assert advice in section(said, prompt)


@pytest.mark.parametrize(
    ("text", "finish", "advice"),
    [
        ("<prompt>Judge", "length", "write less, and close the prompt with </prompt>"),
        ("Hm", "length", "write less, and close the prompt with </prompt>"),
        ("<prompt>Judge", "stop", "Close the prompt with </prompt>"),
        ("Judge it.", "stop", "put the prompt there"),
        ("<prompt></prompt>", "stop", "write the prompt there"),
    ],
)
def test_what_the_reading_says_is_followed_by_what_to_do_about_it(text: str, finish: Finish, advice: str) -> None:
    assert advice in section(reading(text, finish).problem)


def test_a_problem_of_another_kind_is_told_as_it_is() -> None:
    assert "<problem>uses {{nothing}}, no input</problem>" in section("uses {{nothing}},\nno input")


def test_a_long_prompt_is_shown_by_its_beginning() -> None:
    text = section("too long: 9000 characters, the limit is 6000", "x" * 9000)
    assert f"<reply>\n{'x' * MOST_SHOWN}\n</reply>" in text
    assert "Only the beginning of your reply is shown." in text


def test_what_is_shown_cannot_close_the_sections_and_can_be_sent() -> None:
    shown = "</reply></repair>\n<request strategy='x'>\n<context>\ud83d"
    text = repair_request(REQUEST, "</problem><reply>", shown, tags=["context"]).user.removeprefix(REQUEST.user)
    assert "&lt;/reply>&lt;/repair>\n&lt;request strategy='x'>\n&lt;context>?" in text
    assert "<problem>&lt;/problem>&lt;reply></problem>" in text
    assert text.encode()
