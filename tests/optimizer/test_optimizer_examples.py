"""Labelled examples in a prompt: which items are shown, how they are written, and what becomes of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from searching import (
    BASELINE,
    BINARY,
    FEW_SHOT,
    GENERAL,
    ITEMS,
    MERGE,
    ONE_OF_EACH,
    RUBRIC,
    SIMPLE,
    TASK,
    Script,
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
)

from calibrate.domain import Item, Scored, alike
from calibrate.judge import Prompt, PromptJudge
from calibrate.metrics import alignment_value
from calibrate.optimizer import Candidate, Evaluation, Memory, Misjudged, Trial
from calibrate.optimizer.examples import MOST_EXAMPLES, choose_examples, instructions_of, with_examples
from calibrate.optimizer.search import Search

PLAN = Item(
    "17",
    "faithfulness",
    {"question": "How much?", "context": ("The plan costs 10 EUR.", "It runs a month."), "answer": "12 EUR."},
    label="0",
    note="The price is in chunk 1.",
)
SHORT = tuple(Item(f"s{n}", "f", {"answer": f"text {n}"}, "0") for n in range(9))


def error(item: Item) -> Misjudged:
    return Misjudged(item, Scored("1"), "wrongly accepted")


def ids(items: Sequence[Item]) -> list[str]:
    return [item.id for item in items]


# How they are written


def test_a_prompt_with_an_example() -> None:
    assert with_examples("Judge it.\n", [PLAN], "en") == (
        "Judge it.\n"
        "\n"
        "Examples labelled by experts:\n"
        "<examples>\n"
        "<example>\n"
        "<question>\nHow much?\n</question>\n"
        "<context>\nThe plan costs 10 EUR.\n\nIt runs a month.\n</context>\n"
        "<answer>\n12 EUR.\n</answer>\n"
        "<label>0</label>\n"
        "<why>The price is in chunk 1.</why>\n"
        "</example>\n"
        "</examples>"
    )


def test_an_item_without_a_note_has_no_why() -> None:
    assert "<why>" not in with_examples("Judge it.", SHORT[:2], "en")


@pytest.mark.parametrize(
    ("language", "lead"),
    [
        ("en", "Examples labelled by experts:"),
        ("es", "Ejemplos etiquetados por expertos:"),
        ("es-MX", "Ejemplos etiquetados por expertos:"),
        ("ES", "Ejemplos etiquetados por expertos:"),
        ("fr", "Examples labelled by experts:"),
    ],
)
def test_the_line_before_them_is_in_the_language_of_the_prompt(language: str, lead: str) -> None:
    assert f"\n\n{lead}\n<examples>\n" in with_examples("Judge it.", [PLAN], language)


def test_without_items_the_prompt_is_the_instructions() -> None:
    assert with_examples("Judge it.", [], "en") == "Judge it."


# What they came from


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(
    "instructions",
    [
        "Judge it.",
        "",
        "1. Numbers.\n\n2. Names.",
        "Look at <examples> below.",
        "Examples labelled by experts:",
        "Ejemplos etiquetados por expertos:",
        "Judge.\n\nExamples labelled by experts:\n<examples>\n</examples>\nAnd so on.",
    ],
)
def test_the_instructions_are_what_stands_before_the_examples(instructions: str, language: str) -> None:
    prompt = with_examples(instructions, [PLAN, *SHORT[:2]], language)
    assert instructions_of(prompt, ["17", "s0", "s1"]) == instructions


def test_a_prompt_that_shows_nothing_is_all_instructions_whatever_it_looks_like() -> None:
    assert instructions_of(with_examples("Judge it.", [PLAN], "en"), []).endswith("</examples>")


pieces = st.sampled_from(
    [
        *("{", "}", "{{", "}}", "{{answer}}", "{answer}", "{{ answer }}", "{{other}}", " ", "\n", "\t", "x", "answer"),
        *("<", "</", ">", "/>", "<examples>", "</examples>", "</example>", "<label>", "</label>", "</answer>", "why"),
        *("Examples labelled by experts:", "Ejemplos etiquetados por expertos:", "&lt;", "examples"),
    ]
)
texts = st.lists(pieces, max_size=12).map("".join)


def item_of(text: str, number: int = 0) -> Item:
    return Item(str(number), "f", {"answer": text, "context": (text, "x", text)}, label=text, note=text)


@given(texts.map(str.strip), st.lists(texts, min_size=1, max_size=3), st.sampled_from(["en", "es"]))
def test_whatever_instructions_and_items_say_the_instructions_are_found_again(
    instructions: str, said: list[str], language: str
) -> None:
    items = [item_of(text, number) for number, text in enumerate(said)]
    assert instructions_of(with_examples(instructions, items, language), ids(items)) == instructions


def test_an_input_that_is_called_as_the_block_is() -> None:
    item = Item("1", "f", {"examples": "some text", "answer": "yes"}, "1")
    assert instructions_of(with_examples("Judge it.", [item], "en"), ["1"]) == "Judge it."


# What items say is neither a placeholder nor markup

INSTRUCTIONS = 'Is {{answer}} right, given {{context}}? Reply as {{"label": 1}} or { }.'


@pytest.mark.parametrize(
    "text",
    [
        "{{answer}}",
        "{{ answer }}",
        "{{{answer}}}",
        "{{{{answer}}}}",
        "{answer}",
        "{{unknown}}",
        "{ {answer}}",
        "{{",
        "}}",
    ],
)
@pytest.mark.parametrize("single_braces", [False, True])
def test_a_placeholder_in_an_item_never_becomes_one(text: str, single_braces: bool) -> None:
    names = ("answer", "context")
    plain = Prompt.parse(INSTRUCTIONS, names, single_braces=single_braces)
    shown = Prompt.parse(
        with_examples(INSTRUCTIONS, [item_of(text)], "en"), names, single_braces=single_braces
    )  # an unknown placeholder would be refused
    assert shown.placeholders == plain.placeholders
    filled = shown.fill({"answer": "FILLED", "context": "IN"})
    assert filled.count("FILLED") == 1
    assert filled.startswith(plain.fill({"answer": "FILLED", "context": "IN"}))


@given(texts, st.booleans())
def test_no_text_of_an_item_is_filled_in_or_refused(text: str, single_braces: bool) -> None:
    names = ("answer", "context")
    prompt = Prompt.parse(with_examples("Judge {{answer}}.", [item_of(text)], "en"), names, single_braces=single_braces)
    assert prompt.placeholders == ("answer",)
    assert prompt.fill({"answer": "FILLED"}).count("FILLED") == 1


def test_a_prompt_without_placeholders_has_none_through_its_examples() -> None:
    """Else the judge would no longer be given the items in the data block."""
    prompt = with_examples("Judge it.", [item_of("{{answer}}")], "en")
    request = PromptJudge(Prompt.parse(prompt, ("answer", "context")), "m", BINARY).request(
        item_of("the answer to judge")
    )
    assert "the answer to judge" in request.user


STRUCTURE = re.compile(r"<\s*/?\s*(?:examples|example|label|why|answer|context)\b", re.IGNORECASE)


@given(texts)
@example("</example></examples><answer>")
@example("< / EXAMPLES >")
def test_no_text_of_an_item_opens_or_closes_a_tag(text: str) -> None:
    made, harmless = (with_examples("Judge it.", [item_of(each)], "en") for each in (f"{text}!", "harmless"))
    assert STRUCTURE.findall(made) == STRUCTURE.findall(harmless)


# Which items are shown


def test_errors_are_shown_in_their_order_up_to_the_most() -> None:
    assert ids(choose_examples(map(error, SHORT), [], 10_000, "en")) == ["s0", "s1", "s2", "s3"][:MOST_EXAMPLES]
    assert ids(choose_examples(map(error, SHORT), [], 10_000, "en", most=2)) == ["s0", "s1"]


def test_those_shown_already_stay_and_the_oldest_makes_room() -> None:
    assert ids(choose_examples(map(error, SHORT), SHORT[7:9], 10_000, "en", most=4)) == ["s7", "s8", "s0", "s1"]
    assert ids(choose_examples(map(error, SHORT), SHORT[5:9], 10_000, "en", most=4)) == ["s6", "s7", "s8", "s0"]


def test_an_error_is_not_shown_twice() -> None:
    assert ids(choose_examples(map(error, SHORT[:2]), SHORT[:1], 10_000, "en")) == ["s0", "s1"]


def test_an_error_that_does_not_fit_is_left_out_and_a_shorter_one_taken() -> None:
    long = replace(PLAN, inputs={"answer": "word " * 200})
    assert ids(choose_examples(map(error, [long, *SHORT[:2]]), [], 500, "en")) == ["s0", "s1"]
    assert choose_examples([error(long)], [], 500, "en") == ()


@given(st.lists(st.integers(1, 300), max_size=8), st.integers(0, 900), st.sampled_from(["en", "es"]))
def test_what_is_chosen_fits(lengths: list[int], room: int, language: str) -> None:
    items = [Item(str(n), "f", {"answer": "x" * length}, "0") for n, length in enumerate(lengths)]
    chosen = choose_examples(map(error, items), [], room, language)
    assert len(with_examples("", chosen, language).strip()) <= room
    if len(chosen) < MOST_EXAMPLES:
        for left in (item for item in items if item not in chosen):
            assert len(with_examples("", [*chosen, left], language).strip()) > room


# In a search

TWO = with_strategies(GENERAL, FEW_SHOT)


def test_the_items_shown_are_those_in_the_block() -> None:
    """The baseline is wrong on a and d: both are shown, after what the meta-LLM wrote."""
    outcome = Script().run(limits=once(), procedure=TWO)
    candidate = trial_of(outcome, FEW_SHOT).candidate
    items = [item for item in ITEMS if item.id in candidate.shown]
    assert set(candidate.shown) == {"a", "d"}
    assert re.findall(r"answer (\w)\n</answer>\n<label>(\d)</label>", candidate.prompt) == [
        (item.id, item.label) for item in sorted(items, key=lambda item: candidate.shown.index(item.id))
    ]
    assert words_of(candidate) == prompt_of(FEW_SHOT, 1)
    assert trial_of(outcome, GENERAL).candidate.shown == ()


def test_nothing_is_shown_by_a_rewrite_that_could_not_be_read() -> None:
    outcome = Script(replies={1: {FEW_SHOT: ""}}).run(limits=once(), procedure=TWO)
    candidate = trial_of(outcome, FEW_SHOT).candidate
    assert (candidate.prompt, candidate.shown) == ("", ())


def test_a_candidate_is_not_judged_on_what_it_shows_and_is_no_error_there() -> None:
    """It goes on from the few-shot prompt, whose only error left is c: neither a nor d is shown as an error again."""
    script = Script(labels={prompt_of(FEW_SHOT, 1): {"b": "0", "c": "0"}}, scores={prompt_of(FEW_SHOT, 1): 0.5})
    outcome = script.run(limits=limits(iterations=2), procedure=with_strategies(GENERAL, RUBRIC, FEW_SHOT))
    assert set(trial_of(outcome, FEW_SHOT).evaluation.verdicts) == {"b", "c"}
    for request in script.requests[1]:
        assert re.findall(r"<answer>\nanswer (\w)", section(request, "errors")) == ["c"]


def test_the_verdicts_it_takes_from_its_parent_are_no_errors_of_its_own() -> None:
    search = Search(BASELINE, ITEMS, TASK, Memory(), TWO, lambda _: "", limits(history=5))
    search.add(Trial(Candidate(0, 0, "baseline", None, BASELINE), Evaluation(0.1, {"a": Scored("1")})))
    search.begin()
    evaluation = Evaluation(0.2, {"b": Scored("1")}, assumed={"a": Scored("1")})
    shows = Trial(Candidate(1, 1, FEW_SHOT, 0, "p", shown=("a",)), evaluation)
    assert [error.item.id for error in search.errors_of(shows)] == ["b"]


def test_its_score_takes_the_parents_verdicts_on_what_it_shows() -> None:
    """Worked: gold 0011. The baseline says 1010, wrong on a and d, which are shown; so the candidate says -01-.

    With the baseline's verdicts there it is 1010 again: alignment 0, as the baseline's. A perfect prompt has 1.
    """
    script = Script(labels={prompt_of(GENERAL, 1): {"a": "0", "b": "0", "c": "1", "d": "1"}})
    outcome = script.run(limits=once(target=2.0), procedure=TWO, by_labels=True)
    shown, parent = trial_of(outcome, FEW_SHOT), outcome.trials[0]
    assert {item: verdict.label for item, verdict in shown.evaluation.verdicts.items()} == {"b": "0", "c": "1"}
    assert {item: verdict.label for item, verdict in shown.evaluation.assumed.items()} == {"a": "1", "d": "0"}
    assert shown.score == parent.score == pytest.approx(alignment_value("0011", [Scored(x) for x in "1010"], BINARY))
    assert trial_of(outcome, GENERAL).score == 1


def test_children_keep_the_examples_and_radical_simplification_drops_them() -> None:
    script = Script(labels={prompt_of(FEW_SHOT, 1): {"b": "0", "c": "0"}}, scores={prompt_of(FEW_SHOT, 1): 0.5})
    outcome = script.run(limits=limits(iterations=2), procedure=with_strategies(GENERAL, RUBRIC, SIMPLE, FEW_SHOT))
    parent = trial_of(outcome, FEW_SHOT).candidate
    block = parent.prompt.removeprefix(prompt_of(FEW_SHOT, 1))
    for strategy in (GENERAL, RUBRIC):
        child = trial_of(outcome, strategy, 2).candidate
        assert child.parent == parent.number
        assert child.prompt == prompt_of(strategy, 2) + block
        assert child.shown == parent.shown
    simple = trial_of(outcome, SIMPLE, 2).candidate
    assert (simple.prompt, simple.shown) == (prompt_of(SIMPLE, 2), ())
    more = trial_of(outcome, FEW_SHOT, 2).candidate
    assert more.shown == (*parent.shown, "c")
    assert script.judged[-1] == [trial.candidate for trial in outcome.trials[-4:]]


def test_the_request_shows_the_instructions_and_says_that_examples_follow() -> None:
    script = Script(labels={prompt_of(FEW_SHOT, 1): {"b": "0", "c": "0"}}, scores={prompt_of(FEW_SHOT, 1): 0.5})
    script.run(limits=limits(iterations=2), procedure=with_strategies(GENERAL, SIMPLE, FEW_SHOT))
    for request in script.requests[1]:
        assert section(request, "current") == prompt_of(FEW_SHOT, 1)
        assert (0.5, prompt_of(FEW_SHOT, 1)) in tried(request)
        assert ("2 labelled examples follow" in request.user) == (strategy_of(request) != SIMPLE)
        assert "<example>" not in request.user


def test_without_an_error_that_fits_no_examples_are_asked_for() -> None:
    items = tuple(replace(item, inputs={"answer": f"answer {item.id} " * 100}) for item in ITEMS)
    script = Script()
    script.run(limits=once(), procedure=TWO, items=items, task=replace(TASK, max_characters=900))
    assert {strategy_of(each) for each in script.requests[0]} == {GENERAL}


def test_where_every_error_is_shown_already_no_more_examples_are_asked_for() -> None:
    script = Script(labels={prompt_of(FEW_SHOT, 1): {"b": "0", "c": "1"}}, scores={prompt_of(FEW_SHOT, 1): 0.5})
    script.run(limits=limits(iterations=2), procedure=TWO)
    assert {strategy_of(each) for each in script.requests[1]} == {GENERAL}


# Leaks

TEXT = "the premium plan costs twelve euros a month in all countries"
LEAKY = (replace(ITEMS[0], inputs={"answer": f"Well, {TEXT}, and more."}), *ITEMS[1:])


def test_the_block_is_no_leak_and_the_instructions_before_it_are() -> None:
    good = Script().run(limits=once(), procedure=TWO, items=LEAKY)
    shown = trial_of(good, FEW_SHOT)
    assert TEXT in shown.candidate.prompt
    assert shown.rejected == ""
    bad = Script(replies={1: {FEW_SHOT: f"Remember that {TEXT}."}}).run(limits=once(), procedure=TWO, items=LEAKY)
    leak = "copies text of item a"
    assert trial_of(bad, FEW_SHOT).rejected == f"{leak}; asked once more: {leak}"


def test_what_the_parent_only_shows_may_not_move_into_its_childs_instructions() -> None:
    script = Script(
        replies={2: {GENERAL: f"Know that {TEXT}.", RUBRIC: "Judge it well."}},
        labels={prompt_of(FEW_SHOT, 1): {"b": "0", "c": "0"}},
        scores={prompt_of(FEW_SHOT, 1): 0.5},
    )
    outcome = script.run(limits=limits(iterations=2), procedure=with_strategies(GENERAL, RUBRIC, FEW_SHOT), items=LEAKY)
    assert trial_of(outcome, RUBRIC, 2).rejected == ""
    assert TEXT in trial_of(outcome, RUBRIC, 2).candidate.prompt
    assert trial_of(outcome, GENERAL, 2).rejected.startswith("copies text of item a")


def test_the_limit_of_length_holds_for_the_whole_prompt() -> None:
    task = replace(TASK, max_characters=300)
    outcome = Script(replies={1: {FEW_SHOT: "long " * 45}}).run(limits=once(), procedure=TWO, task=task)
    assert "the limit is 300" in trial_of(outcome, FEW_SHOT).rejected
    assert trial_of(Script().run(limits=once(), procedure=TWO, task=task), FEW_SHOT).rejected == ""


def test_a_follow_up_shows_the_instructions_and_not_the_examples() -> None:
    script = Script(replies={1: {FEW_SHOT: (f"Remember that {TEXT}.", "Judge it well.")}})
    outcome = script.run(limits=once(), procedure=TWO, items=LEAKY)
    ((asked,),) = script.repairs
    assert is_repair(asked)
    assert section(asked, "reply") == f"Remember that {TEXT}."
    mended = trial_of(outcome, FEW_SHOT)
    assert mended.rejected == ""
    assert words_of(mended.candidate) == "Judge it well."
    assert set(mended.candidate.shown) == {"a", "d"}


def test_merging_keeps_the_examples_of_the_prompt_that_is_rewritten() -> None:
    script = Script(
        labels={
            prompt_of(FEW_SHOT, 1): {"b": "0", "c": "0"},
            prompt_of(GENERAL, 1): {**dict.fromkeys("ab", "0"), **dict.fromkeys("cd", "1")},
        },
        scores={prompt_of(FEW_SHOT, 1): 0.5},
    )
    procedure = with_strategies(GENERAL, FEW_SHOT, MERGE)
    outcome = script.run(limits=limits(iterations=2), procedure=procedure)
    merged = trial_of(outcome, MERGE, 2).candidate
    parent, partner = outcome.trials[merged.parent].candidate, outcome.trials[merged.partner].candidate
    assert (parent.strategy, partner.strategy) == (FEW_SHOT, GENERAL)
    assert merged.shown == parent.shown
    assert words_of(merged) == prompt_of(MERGE, 2)


# Items that are alike, and a prompt that shows examples from the start


def test_an_item_that_is_like_a_shown_one_is_not_judged_either() -> None:
    """One text under two ids, or two items of one group: whoever has seen one has seen the other."""
    twin = replace(ITEMS[0], id="a2")
    items = (*ITEMS, twin, replace(ITEMS[1], id="e", inputs={"answer": "another"}, group="doc"))
    items = (*items, replace(ITEMS[2], id="g", inputs={"answer": "a third"}, group="doc"))
    assert alike(items, ["a"]) == {"a", "a2"}
    assert alike(items, ["e"]) == {"e", "g"}
    assert alike(items, []) == frozenset()


def test_a_candidate_is_hidden_the_copies_of_what_it_shows() -> None:
    twins = tuple(replace(item, id=item.id + "2") for item in ITEMS)
    others = tuple(Item(f"o{n}", "faithfulness", {"answer": f"other {n}"}, str(n % 2)) for n in range(40))
    said = {item.id: item.label or "" for item in others}
    said |= ONE_OF_EACH | {f"{name}2": label for name, label in ONE_OF_EACH.items()}
    script = Script(labels=dict.fromkeys([BASELINE, prompt_of(GENERAL, 1), prompt_of(FEW_SHOT, 1)], said))
    outcome = script.run(limits=once(), procedure=TWO, items=(*ITEMS, *twins, *others), by_labels=True)
    shown = trial_of(outcome, FEW_SHOT)
    assert shown.candidate.shown
    hidden = alike((*ITEMS, *twins, *others), shown.candidate.shown)
    assert len(hidden) == 2 * len(shown.candidate.shown)
    assert hidden.isdisjoint(shown.evaluation.verdicts)
    assert set(shown.evaluation.assumed) == hidden


def test_examples_of_the_prompt_to_start_from_stay_and_are_known_by_their_items() -> None:
    start = with_examples(BASELINE, SHORT[:2], "en")
    script = Script()
    outcome = script.run(baseline=start, shown=SHORT[:2], limits=once(), procedure=with_strategies(GENERAL, SIMPLE))
    assert outcome.trials[0].candidate.shown == ("s0", "s1")
    rewrite, plain = trial_of(outcome, GENERAL).candidate, trial_of(outcome, SIMPLE).candidate
    assert (rewrite.shown, instructions_of(rewrite.prompt, rewrite.shown)) == (("s0", "s1"), prompt_of(GENERAL, 1))
    assert "text 0" in rewrite.prompt
    assert (plain.shown, plain.prompt) == ((), prompt_of(SIMPLE, 1))
    assert "text 0" not in section(script.requests[0][0], "current")
