"""What a rewrite must not be before anything is paid for judging it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.domain import Item
from calibrate.optimizer.checks import NEAR_DUPLICATE, CandidateChecks, word_runs

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
