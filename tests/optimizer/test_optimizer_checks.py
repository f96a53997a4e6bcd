"""What a rewrite must not be before anything is paid for judging it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.domain import Item, Scale
from calibrate.golden import builtin_sets, load_golden
from calibrate.judge import default_prompt
from calibrate.optimizer.checks import NEAR_DUPLICATE, CandidateChecks, word_runs
from calibrate.optimizer.leaks import quoted_items
from calibrate.providers.sim.phrasings import ASKING, CLOSINGS, CRITERIA, INTRODUCTIONS

PARENT = "Decide whether the context supports every claim of the answer."
ANSWER = "The premium plan costs twelve euros a month and can be cancelled at any time."
ITEMS = [
    Item(
        "17", "faithfulness", {"question": "How much is it?", "context": ("short", ANSWER), "answer": "Twelve euros."}
    ),
    Item("18", "faithfulness", {"answer": "Der Vertrag läuft zwölf Monate und verlängert sich danach jedes Jahr."}),
]
LONG = " ".join(f"criterion{n}" for n in range(200))


def problem(prompt: str, *, tried: str = "", parent: str = PARENT, **options: object) -> str:
    checks = CandidateChecks(ITEMS, **options)  # type: ignore[arg-type]  # keywords of the class
    checks.remember("the baseline", PARENT)
    if tried:
        checks.remember("candidate 4", tried)
    return checks.problem(prompt, parent)


def test_a_prompt_without_a_problem() -> None:
    assert problem("Check each number in the answer against the context.") == ""


@pytest.mark.parametrize("prompt", ["", " ", "\n\t "])
def test_empty(prompt: str) -> None:
    assert problem(prompt) == "empty"


def test_too_long_says_by_how_much() -> None:
    assert problem("a" * 51, max_characters=50) == "too long: 51 characters, the limit is 50"
    assert problem("a" * 50, max_characters=50) == ""


def test_half_a_surrogate_pair_can_be_sent_nowhere() -> None:
    assert problem("Check each number \ud800.") == "contains characters that cannot be encoded"
    assert problem("Check each number \U0001f600.") == ""


# Placeholders


@pytest.mark.parametrize("prompt", ["Look at {{context}}.", "Look at {{ context }}.", "{{context}} {{context}}"])
def test_a_kept_placeholder(prompt: str) -> None:
    assert problem(prompt, placeholders=["context"]) == ""


@pytest.mark.parametrize(
    "prompt",
    [
        "Look at the context.",
        "Look at {context}.",
        "Look at {{answer}}.",
        "Look at {{contexts}}.",
        "Look at {{con text}}.",
        "Look at {{Context}}.",
    ],
)
def test_a_lost_placeholder_is_named(prompt: str) -> None:
    assert problem(prompt, placeholders=["context"]) == "placeholder lost: context"


def test_all_lost_placeholders_are_named() -> None:
    wanted = ["question", "context", "answer"]
    assert problem("Look at {{context}}.", placeholders=wanted) == "placeholder lost: question, answer"


def test_a_placeholders_name_is_not_a_pattern() -> None:
    assert problem("Look at {{answerXa}}.", placeholders=["answer.a"]) == "placeholder lost: answer.a"


# Duplicates


@pytest.mark.parametrize(
    "prompt", [PARENT, PARENT.upper(), f"\n{PARENT.replace(' ', '   ')}\n", PARENT.replace(" ", "\n")]
)
def test_a_duplicate_up_to_case_and_white_space(prompt: str) -> None:
    assert problem(prompt) == "duplicate of the baseline"


def test_a_duplicate_of_any_earlier_prompt_is_named() -> None:
    assert problem("Judge it well.", tried="judge it WELL.") == "duplicate of candidate 4"


def test_a_near_duplicate() -> None:
    assert problem(f"{LONG} one more", tried=LONG) == "near duplicate of candidate 4"


def test_punctuation_alone_makes_no_other_prompt() -> None:
    assert problem("Check numbers, dates; and names!", tried="Check numbers dates and names") == (
        "near duplicate of candidate 4"
    )


@pytest.mark.parametrize(("added", "expected"), [(10, "near duplicate of candidate 4"), (11, "")])
def test_near_means_a_similarity_of_at_least_95_percent(added: int, expected: str) -> None:
    """196 shingles of five words; each word added at the end adds one: 196 / 206 is above .95, 196 / 207 below."""
    assert NEAR_DUPLICATE == 0.95
    assert problem(" ".join([LONG, *(f"new{n}" for n in range(added))]), tried=LONG) == expected


def test_other_short_prompts_are_no_duplicates() -> None:
    assert problem("Judge it badly.", tried="Judge it well.") == ""


@given(st.text(st.characters(categories=["L", "N", "Zs", "P"]), min_size=1).filter(str.strip))
def test_no_prompt_is_tried_twice(prompt: str) -> None:
    checks = CandidateChecks([])
    assert checks.problem(prompt, "") == ""
    checks.remember("candidate 1", prompt)
    assert checks.problem(f" {prompt}\n", "") == "duplicate of candidate 1"


# Leaks

EIGHT = "premium plan costs twelve euros a month and"
SEVEN = "premium plan costs twelve euros a month"


def test_eight_consecutive_words_of_an_item_are_a_leak() -> None:
    assert problem(f"For example, the {EIGHT} so on.") == "copies text of item 17"


def test_seven_are_not() -> None:
    assert problem(f"For example, your {SEVEN} or less.") == ""


@pytest.mark.parametrize(
    "copied",
    [EIGHT.upper(), EIGHT.replace(" ", "\n- "), EIGHT.replace(" ", ", "), f"“{EIGHT}”"],
    ids=["case", "lines", "punctuation", "quotes"],
)
def test_case_and_punctuation_do_not_hide_a_leak(copied: str) -> None:
    assert problem(f"Rule: {copied}.") == "copies text of item 17"


def test_neither_does_the_unicode_form() -> None:
    german = unicodedata.normalize("NFD", "Vertrag läuft zwölf Monate und verlängert sich danach")
    assert problem(f"Beispiel: {german}.") == "copies text of item 18"


def test_eight_words_with_one_changed_are_no_leak() -> None:
    assert problem("Your premium plan costs twelve dollars a month and so on.") == ""


def test_words_of_two_chunks_do_not_make_a_run() -> None:
    item = Item("1", "f", {"context": ("one two three four", "five six seven eight")})
    checks = CandidateChecks([item])
    assert checks.problem("one two three four five six seven eight", "") == ""


def test_what_the_parent_says_already_is_exempt() -> None:
    parent = f"Judge it. Example: {EIGHT} so on."
    assert problem(f"Judge it strictly, claim by claim. Example: {EIGHT} so on.", parent=parent) == ""
    assert problem(f"Judge it strictly. Example: the {EIGHT} so on.", parent=parent) == "copies text of item 17"


def test_only_the_runs_of_the_parent_are_exempt() -> None:
    longer = "plan costs twelve euros a month and can"
    assert problem(f"Example: {longer}", parent=f"Example: {EIGHT}") == "copies text of item 17"


def test_the_experts_note_may_be_taken_up() -> None:
    note = "A rule that belongs to another plan does not count at all."
    checks = CandidateChecks([Item("1", "f", {"answer": "short"}, note=note)])
    assert checks.problem(f"Remember: {note}", "") == ""


def test_runs_of_words() -> None:
    assert word_runs("One two, THREE four", 3) == {("one", "two", "three"), ("two", "three", "four")}
    assert word_runs("one two", 3) == frozenset()


def test_a_run_of_words_in_which_characters_are_half_a_word() -> None:
    assert word_runs("保修一年 OK", 2) == {tuple("保修一年"), (*"修一年", "ok"), (*"一年", "ok")}
    assert word_runs("保修一", 2) == frozenset()


WORDS = st.lists(st.sampled_from(["a", "b", "保", "修"]), min_size=16, max_size=48).map(" ".join)


@given(text=WORDS, prompt=WORDS, parent=WORDS)
def test_a_leak_is_a_run_that_item_and_prompt_have_and_the_parent_has_not(text: str, prompt: str, parent: str) -> None:
    checks = CandidateChecks([Item("1", "f", {"answer": text})])
    leak = bool(word_runs(text) & (word_runs(prompt) - word_runs(parent)))
    # Long inputs only: a short one that stands in the prompt whole is another rule.
    if word_runs(text):
        assert bool(checks.problem(prompt, parent)) == leak
        assert quoted_items(prompt, [Item("1", "f", {"answer": text})]) == (
            ("1",) if word_runs(text) & word_runs(prompt) else ()
        )


@given(at=st.integers(0, 39), script=st.sampled_from(["spaced", "unspaced"]))
def test_a_run_is_found_wherever_it_stands(at: int, script: str) -> None:
    words = [f"word{n}" if script == "spaced" else chr(0x4E00 + n) for n in range(56)]
    length = 8 if script == "spaced" else 16
    space = " " if script == "spaced" else ""
    checks = CandidateChecks([Item("1", "f", {"answer": space.join(words)})])
    assert checks.problem(f"Such as: {space.join(words[at : at + length])}!", "") == "copies text of item 1"
    assert checks.problem(f"Such as: {space.join(words[at : at + length - 1])}!", "") == ""


def test_the_first_of_the_items_that_have_the_text_is_named() -> None:
    for start in ("", "{}: "):  # the same text, and another one
        items = [Item(name, "f", {"context": f"{start.format(name)}{ANSWER}"}) for name in ("b", "a")]
        assert CandidateChecks(items).problem(f"Example: {ANSWER}", "") == "copies text of item b"


# Short inputs (the items of the README, and more of their kind)

SHORT = [
    Item(
        "q1",
        "faithfulness",
        {"question": "How long is the trial?", "context": "The trial lasts 14 days.", "answer": "Two weeks."},
        "1",
    ),
    Item(
        "q2",
        "faithfulness",
        {"question": "Is support included?", "context": "It is not.", "answer": "Yes, on every plan."},
        "0",
    ),
    Item("q3", "faithfulness", {"question": "Any discount?", "context": "None.", "answer": "No."}, "1"),
]


def short(prompt: str, parent: str = PARENT, items: list[Item] = SHORT) -> str:
    return CandidateChecks(items).problem(prompt, parent)


def test_an_item_of_short_inputs_copied_whole() -> None:
    item = SHORT[0].inputs
    assert short(f"Q: {item['question']} C: {item['context']} A: {item['answer']}") == "copies text of item q1"


def test_a_whole_input_of_five_to_seven_words_is_a_leak() -> None:
    assert short('Accept an answer to "how long is the trial" in weeks.') == "copies text of item q1"
    seven = [Item("7", "f", {"answer": "Two weeks from the day of order."})]
    assert short("Say two weeks from the day of order, or fail it.", items=seven) == "copies text of item 7"


def test_a_part_of_it_is_not() -> None:
    assert short("Ask how long is the delay. The trial lasts 14 hours.") == ""


def test_two_whole_inputs_of_one_item_are_a_leak() -> None:
    assert short('If asked "is support included?", fail "yes, on every plan".') == "copies text of item q2"


def test_one_is_none_and_neither_are_inputs_of_different_items() -> None:
    assert short("Fail answers such as: yes, on every plan.") == ""
    assert short("Fail answers such as: yes, on every plan; two weeks; any discount.") == ""


def test_an_input_of_one_word_never_counts() -> None:
    assert short('To "any discount", none and no are fine.') == ""


def test_an_input_within_the_other_is_no_second_one() -> None:
    items = [Item("1", "f", {"question": "Which plan?", "answer": "Which plan? Pro."})]
    assert short("Answers like “Which plan? Pro.” repeat the question.", items=items) == ""
    items = [Item("1", "f", {"question": "Which plan?", "answer": "Pro plan"})]
    assert short("Answers like “Pro plan” to “which plan”.", items=items) == "copies text of item 1"


def test_chunks_of_one_input_are_no_two_inputs() -> None:
    items = [Item("1", "f", {"context": ("Pro plan", "Team plan"), "answer": "Both plans."})]
    assert short("Do not mix up the Pro plan and the Team plan.", items=items) == ""
    assert short("If the Pro plan is meant, then both plans fail.", items=items) == "copies text of item 1"


def test_a_short_input_that_the_parent_has_is_exempt() -> None:
    parent = "Ask yourself: How long is the trial? Is support included?"
    assert short("Think first: how long is the trial?", parent=parent) == ""
    assert short('Fail "yes, on every plan" for: is support included?', parent=parent) == ""


def test_what_many_items_have_in_common_tells_none_apart() -> None:
    """A question that is the same for all is the task. The limit is a quarter of the items, and never below two."""

    def items(same: int, of: int) -> list[Item]:
        return [
            Item(str(n), "f", {"question": "Write a code review comment." if n < same else f"{n}?"}) for n in range(of)
        ]

    prompt = "The model was told to write a code review comment."
    assert short(prompt, items=items(3, 3)) == ""
    assert short(prompt, items=items(2, 3)) == "copies text of item 0"
    assert short(prompt, items=items(5, 20)) == "copies text of item 0"
    assert short(prompt, items=items(6, 20)) == ""


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (Item("1", "f", {"verdict": "Not supported by the context"}, "supported"), "copies text of item 1"),
        (Item("1", "f", {"verdict": "Not supported by the context"}, "not supported by the context"), ""),
        (
            Item("1", "f", {"verdict": "Not supported by the context"}, ratings={"a": "not_supported_by_the_context"}),
            "",
        ),
        (Item("1", "f", {"criterion": "claim support", "part": "final answer"}), "copies text of item 1"),
        (Item("1", "claim_support", {"criterion": "claim support", "part": "final answer"}), ""),
        (Item("1", "f", {"criterion": "claim support", "final_answer": "final answer"}), ""),
    ],
    ids=["no label", "label", "rating", "no names", "dimension", "input"],
)
def test_labels_and_names_are_words_of_the_task(item: Item, expected: str) -> None:
    prompt = "Judge claim support: say “not supported by the context” where the final answer goes beyond it."
    assert short(prompt, items=[item]) == expected


# Scripts without spaces

CHINESE = "所有产品自购买之日起享有两年保修服务，但电池除外。"
JAPANESE = "すべての製品は購入日から二年間の保証が付きますが、電池は除きます。"
KOREAN = "모든 제품은 구매일로부터 이 년 동안 보증되지만 배터리는 제외됩니다."


@pytest.mark.parametrize("text", [CHINESE, JAPANESE, KOREAN])
def test_sixteen_characters_make_a_run(text: str) -> None:
    checks = CandidateChecks([Item("1", "f", {"answer": f"您好！{text}谢谢您的来信。"})])
    letters = [char for char in text if char.isalpha()]
    assert checks.problem(f"例: 「{''.join(letters[3:19])}」", "") == "copies text of item 1"
    assert checks.problem(f"例: 「{''.join(letters[3:18])}」", "") == ""
    assert checks.problem(f"例: {text}", f"例: {text}") == ""


def test_words_of_both_kinds_add_up() -> None:
    checks = CandidateChecks([Item("1", "f", {"answer": "请使用 Kitewing Cloud 3 打开文件，然后选择导出"})])
    assert (
        checks.problem("Kitewing Cloud 3 打开文件，然后选择导出", "") == "copies text of item 1"
    )  # 3 words, 10 halves
    assert checks.problem("Kitewing Cloud 3 打开文件，然后选择导", "") == ""


def test_words_quoted_from_or_into_such_a_script() -> None:
    english, mixed = Item("en", "f", {"answer": ANSWER}), Item("zh", "f", {"answer": f"客服回复：{ANSWER}请放心。"})
    for item in (english, mixed):
        checks = CandidateChecks([item])
        assert checks.problem(f"例如：{EIGHT}。", "") == f"copies text of item {item.id}"
        assert checks.problem(f"For example: {EIGHT}.", "") == f"copies text of item {item.id}"
        assert checks.problem(f"例如：{SEVEN}。", "") == ""


def test_short_inputs_in_such_a_script() -> None:
    items = [
        Item("1", "f", {"question": "可以退款吗？", "answer": "三十天内可以。", "context": "购买后三十天内可以退款"})
    ]
    assert (
        short("例如“购买后三十天内可以退款”。", items=items) == "copies text of item 1"
    )  # eleven: five words and a half
    assert short("“可以退款吗”，“三十天内可以”。", items=items) == "copies text of item 1"
    assert short("“可以退款吗”", items=items) == ""


# What cannot be seen

INVISIBLE = {
    "soft hyphen": "\u00ad",
    "zero-width space": "\u200b",
    "zero-width joiner": "\u200d",
    "byte order mark": "\ufeff",
    "word joiner": "\u2060",
    "tag": "\U000e0041",
    "variation selector": "\ufe0f",
    "grapheme joiner": "\u034f",
    "Hangul filler": "\u3164",
}


@pytest.mark.parametrize("char", INVISIBLE.values(), ids=INVISIBLE)
def test_invisible_characters_do_not_hide_a_leak(char: str) -> None:
    hidden = EIGHT.replace("e", f"{char}e{char}")
    assert problem(f"Rule: {hidden}.") == "copies text of item 17"
    assert (
        CandidateChecks([Item("1", "f", {"answer": hidden})]).problem(f"Rule: {EIGHT}.", "") == "copies text of item 1"
    )


def test_width_and_compatibility_forms_do_not_hide_one() -> None:
    wide = "".join(chr(ord(char) + 0xFEE0) if char != " " else char for char in EIGHT)
    assert problem(f"Rule: {wide}") == "copies text of item 17"
    korean = CandidateChecks([Item("1", "f", {"answer": unicodedata.normalize("NFD", KOREAN)})])
    assert korean.problem(KOREAN, "") == "copies text of item 1"


@pytest.mark.parametrize("mark", ["_", "__", "***", "`"])
def test_emphasis_does_not_hide_one(mark: str) -> None:
    assert problem(f"Rule: {mark}{EIGHT}{mark}.") == "copies text of item 17"
    assert short(f"Rule: {mark}How long is the trial?{mark}") == "copies text of item q1"


def test_a_name_with_underscores_is_one_word() -> None:
    assert word_runs("the __long_name_of_it__ there", 3) == {("the", "long_name_of_it", "there")}


# False alarms

SETS = [load_golden(name).golden for name in builtin_sets()]
PARTS = [golden.only(dimension) for golden in SETS for dimension in golden.dimensions]


@pytest.mark.parametrize("golden", PARTS, ids=[f"{part.name} {part.dimensions[0]}" for part in PARTS])
def test_no_prompt_of_the_program_is_taken_for_a_copy_of_the_shipped_sets(golden) -> None:  # type: ignore[no-untyped-def]
    (own,) = golden.scales.values()
    dimensions = {"faithfulness", "relevance", "accuracy", "helpfulness", "tone", *golden.dimensions}
    scales = [own, Scale("pairwise", ("A", "B")), Scale("nominal", ("supported", "not supported", "cannot tell"))]
    prompts = [
        default_prompt(each, scale, tongue) for each in dimensions for scale in scales for tongue in ("en", "es")
    ]
    for tongue in ("en", "es"):
        said = [text for told in (*INTRODUCTIONS.values(), *ASKING.values()) for text in told[tongue]]
        prompts.append("\n".join([*said, *CRITERIA[tongue], *CLOSINGS[tongue]]))
    assert [quoted_items(prompt, golden.items) for prompt in prompts] == [()] * len(prompts)


@pytest.mark.slow
def test_quoting_is_noticed_in_the_shipped_sets() -> None:
    """The other side of the test above: each of their inputs is a leak by itself."""
    for golden in PARTS:
        for item in golden.items:
            for text in item.inputs.values():
                assert item.id in quoted_items(f"Judge it. Example:\n{text}", golden.items)


# Which items a prompt quotes


def test_all_items_that_a_prompt_quotes_in_their_order() -> None:
    items = [*ITEMS, *SHORT, Item("19", "faithfulness", {"answer": f"Yes. {ANSWER}"})]
    assert quoted_items(f"Example: two weeks. {EIGHT} {SHORT[0].inputs['question']}", items) == ("17", "q1", "19")
    assert quoted_items(PARENT, items) == ()
    assert quoted_items("", items) == ()
    assert quoted_items(f"Example: {ANSWER}", []) == ()


def test_an_item_of_two_dimensions_is_named_once() -> None:
    items = [Item("1", dimension, {"answer": ANSWER}) for dimension in ("faithfulness", "relevance")]
    assert quoted_items(ANSWER, items) == ("1",)


# Which comes first


def test_the_cheapest_reason_is_given_first() -> None:
    assert problem(f"{EIGHT} " * 9, max_characters=50, placeholders=["context"]).startswith("too long")
    assert problem(f"Example: {EIGHT}.", placeholders=["context"]) == "placeholder lost: context"


def test_only_prompts_that_show_the_same_examples_are_duplicates() -> None:
    """The examples are the longest part of such a prompt; what the meta-LLM wrote is what is compared."""
    block = "\n\nExamples labelled by experts:\n<examples>\n" + LONG + "\n</examples>"
    checks = CandidateChecks(ITEMS)
    checks.remember("candidate 1", "Accept whatever the context supports.", ["17", "18"])
    lenient, strict = "Accept whatever the context supports.", "Reject it unless two facts are checked."
    assert checks.problem(strict + block, PARENT, strict, ["17", "18"]) == ""
    assert checks.problem(lenient + block, PARENT, lenient, ["18", "17"]) == "duplicate of candidate 1"
    assert checks.problem(lenient + block, PARENT, lenient, ["17"]) == ""
    assert checks.problem(lenient, PARENT, lenient) == ""
