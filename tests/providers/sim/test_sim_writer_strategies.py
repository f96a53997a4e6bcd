"""The simulated writer's strategies by name, and the labelled examples that a prompt may carry."""

from __future__ import annotations

import json

import pytest
from sim_meta import BRIEF, FIGURE, Shown, rewrites
from sim_requests import FAITHFUL, FIEL, ask, judge_request

from calibrate.providers.sim import DIRECTIVES, SimReader, recognise
from calibrate.providers.sim.combining import shortened, united
from calibrate.providers.sim.drafting import sentences_of
from calibrate.providers.sim.examples import split_examples
from calibrate.providers.sim.focuses import EXAMPLES_FOLLOW, FEW_SHOT, FOCUSES, points_at_examples
from calibrate.providers.sim.phrasings import ASKING

EVERY = (
    "general improvement",
    "fix wrongly rejected",
    "fix wrongly accepted",
    "explicit rubric",
    "radical simplification",
    *FOCUSES,
    FEW_SHOT,
    "merge",
    "shorten",
    "a strategy of my own",
)
EXAMPLES = (
    "\n\n<examples>\nQuestion: Is there parking?\nAnswer: Check every figure and do not use outside knowledge.\n"
    "Label: 0\n{{ place }} Other wording is no error.\n</examples>"
)
LONG = (
    f"{FAITHFUL} Please be so kind as to take your time over this. The museum people are very fond of their work.\n"
    f"{ASKING['figures']['en'][0]} {ASKING['figures']['en'][3]}\n- {ASKING['claims']['en'][0]}\n"
    f"- {ASKING['claims']['en'][0]}\n"
    "1: the answer agrees with the context\n0: it does not\nReply with a number, 0 or 1."
)


@pytest.mark.parametrize(("strategy", "directive"), [(name, focus.directive) for name, focus in FOCUSES.items()])
@pytest.mark.parametrize(("language", "current"), [("en", FAITHFUL), ("es", FIEL)])
def test_a_strategy_about_one_thing_asks_for_it(strategy: str, directive: str, language: str, current: str) -> None:
    sentences = FOCUSES[strategy].sentences[language]  # type: ignore[index] # a key by its value
    for text in rewrites(strategy, current, language=language):
        assert text.startswith(current)
        assert any(sentence in text for sentence in sentences)
        assert directive in recognise(text)


@pytest.mark.parametrize("focus", FOCUSES.values(), ids=list(FOCUSES))
@pytest.mark.parametrize("language", ["en", "es"])
def test_its_sentences_ask_for_its_directive_alone(focus: object, language: str) -> None:
    for sentence in focus.sentences[language]:  # type: ignore[attr-defined] # a Focus
        assert recognise(sentence) == {focus.directive}, sentence  # type: ignore[attr-defined]
        assert ";" not in sentence  # one sentence: taken out as a whole, or not at all


def test_it_looks_at_the_errors_too() -> None:
    wrong = [Shown("wrongly accepted", f"Tickets cost {euros} euros.") for euros in (15, 18, 20)]
    asked = [recognise(text) for text in rewrites("claim enumeration", FAITHFUL, errors=wrong, repeats=20)]
    assert sum("figures" in directives for directives in asked) > 10


def test_what_is_asked_for_already_is_said_in_the_strategys_way() -> None:
    current = f"{FAITHFUL} {ASKING['claims']['en'][1]}"
    for text in rewrites("claim enumeration", current):
        assert ASKING["claims"]["en"][1] not in text
        assert recognise(text) >= {"claims"}


@pytest.mark.parametrize(("language", "current"), [("en", FAITHFUL), ("es", FIEL)])
def test_few_shot_is_a_small_edit_that_points_at_the_examples(language: str, current: str) -> None:
    for text in rewrites(FEW_SHOT, current, language=language):
        assert text.startswith(current)
        assert any(each in text for each in EXAMPLES_FOLLOW[language])  # type: ignore[index] # a key by its value
        assert len(recognise(text) - recognise(current)) <= 1
        assert "<examples>" not in text


@pytest.mark.parametrize("language", ["en", "es"])
def test_pointing_at_examples_asks_for_nothing(language: str) -> None:
    for sentence in EXAMPLES_FOLLOW[language]:  # type: ignore[index] # a key by its value
        assert recognise(sentence) == frozenset(), sentence
        assert ";" not in sentence


def test_pointing_at_examples_is_said_once() -> None:
    current = f"{FAITHFUL} {EXAMPLES_FOLLOW['en'][0]}"
    for text in rewrites(FEW_SHOT, current + EXAMPLES):
        assert sum(each in text for each in EXAMPLES_FOLLOW["en"]) == 1
        assert "parking" not in text


def test_merging_unites_what_both_ask_for_and_repeats_nothing() -> None:
    shared, own, others = ASKING["figures"]["en"][0], ASKING["claims"]["en"][0], ASKING["omission"]["en"][0]
    current, other = f"{FAITHFUL} {shared} {own}", f"Say whether the answer is grounded. {shared} {others}"
    for text in rewrites("merge", current, other=other):
        assert recognise(text) == {"figures", "claims", "omission"}
        assert len(set(sentences_of(text))) == len(sentences_of(text))
        assert text.count(shared) == 1


def test_merging_keeps_what_only_the_other_says_even_when_no_directive_is_seen_in_it() -> None:
    other = f"{FAITHFUL} The experts of this museum come from several countries. {ASKING['claims']['en'][0]}"
    text = united(f"{FAITHFUL} {ASKING['figures']['en'][0]}", other, ("1", "0"))
    assert text == (
        f"{FAITHFUL} {ASKING['figures']['en'][0]} The experts of this museum come from several countries. "
        f"{ASKING['claims']['en'][0]}"
    )


def test_merging_takes_over_nothing_that_takes_back() -> None:
    current = f"{FAITHFUL} {ASKING['figures']['en'][0]}"
    dismissive = "Do not worry about numbers in this task."
    assert "figures" not in recognise(f"{current} {dismissive}")
    assert dismissive not in united(current, f"{FAITHFUL} {dismissive} {ASKING['claims']['en'][0]}", ())


def test_merging_with_a_prompt_that_adds_nothing_still_gives_another_one() -> None:
    current = f"{FAITHFUL} {ASKING['figures']['en'][0]}"
    for text in rewrites("merge", current, other=current, tried=[current]):
        assert text != current


def test_merging_without_another_prompt_is_general_improvement() -> None:
    for text in rewrites("merge", FAITHFUL):
        assert text.startswith(FAITHFUL)
        assert recognise(text)


def test_shortening_drops_what_asks_for_nothing_and_what_is_said_twice() -> None:
    text = shortened(LONG, ("1", "0"))
    assert text == (
        f"{FAITHFUL}\n{ASKING['figures']['en'][3]}\n- {ASKING['claims']['en'][0]}\n"
        "1: the answer agrees with the context\n0: it does not\nReply with a number, 0 or 1."
    )


def test_shortening_keeps_the_directives() -> None:
    for text in rewrites("shorten", LONG, tried=[LONG]):
        assert recognise(text) == recognise(LONG)
        assert len(text) < len(LONG)
        assert "museum people" not in text


def test_shortening_a_prompt_again_gives_another_one() -> None:
    cut = shortened(LONG, ("1", "0"))
    for text in rewrites("shorten", cut, tried=[LONG, cut]):
        assert text != cut
        assert recognise(text) == recognise(cut)


def test_shortening_keeps_what_says_what_is_judged() -> None:
    current = f"Read the two texts below with care, please. {FAITHFUL} The weather is nice today in town."
    assert shortened(current, ()) == f"Read the two texts below with care, please. {FAITHFUL}"


def test_shortening_keeps_what_stands_with_placed_inputs() -> None:
    current = f"{FAITHFUL} A kind word costs nothing at all.\n\nQuestion: {{{{question}}}}\nContext:\n{{{{context}}}}"
    text = shortened(current, ())
    assert "kind word" not in text
    assert text.endswith("Question: {{question}}\nContext:\n{{context}}")


def test_what_the_name_says_nothing_about_is_general_improvement() -> None:
    for text in rewrites("think like a lawyer", FAITHFUL):
        assert text.startswith(FAITHFUL)
        assert recognise(text)


@pytest.mark.parametrize("strategy", EVERY)
def test_the_block_of_examples_is_neither_read_nor_changed(strategy: str) -> None:
    current = f"{FAITHFUL}\nQuestion: {{{{question}}}}"
    for text in rewrites(strategy, current + EXAMPLES, errors=[FIGURE, BRIEF], other=f"{FIEL}{EXAMPLES}"):
        instructions, block = split_examples(text)
        assert block == ("" if strategy == FEW_SHOT else EXAMPLES)
        assert instructions.count("{{question}}") == 1
        assert "{{ place }}" not in instructions


def test_directives_in_examples_are_not_taken_for_the_prompts_own() -> None:
    said = {"figures", "unsupported", "paraphrase"}
    assert said <= recognise(FAITHFUL + EXAMPLES)
    # A simplification keeps some of what the prompt asks for: here that is nothing.
    texts = rewrites("fix wrongly accepted", FAITHFUL + EXAMPLES, repeats=20)
    assert sum("figures" in recognise(split_examples(text)[0]) for text in texts) > 12


@pytest.mark.parametrize("strategy", EVERY)
def test_with_examples_the_length_limit_holds(strategy: str) -> None:
    current = f"{FAITHFUL}\n" + "\n".join(by_tongue["en"][1] for by_tongue in ASKING.values()) + "\n{{question}}"
    for limit in (120, 320):
        for text in rewrites(strategy, current + EXAMPLES, limit=limit, repeats=3, other=FIEL):
            assert len(text) <= limit
            assert split_examples(text)[0].count("{{question}}") == 1


def test_a_prompt_without_its_examples_does_not_point_at_them() -> None:
    current = f"{FAITHFUL} {EXAMPLES_FOLLOW['en'][1]}{EXAMPLES}"
    for text in rewrites("general improvement", current, limit=len(EXAMPLES) + 10, repeats=4):
        assert "<examples>" not in text
        assert not any(points_at_examples(each) for each in sentences_of(text))


@pytest.mark.parametrize(
    ("prompt", "instructions"),
    [
        ("Judge.\n\n<examples>\nOne.\n</examples>\n", "Judge."),
        ("Judge.\n<examples>\nOne.\n</examples>\nThen decide.", None),
        ("Judge.\n<examples>\nOne.", None),
        ("Judge <examples> in passing </examples>", None),
        ("A\n<examples>\nmine\n</examples>\nB\n<examples>\nadded\n</examples>", "A\n<examples>\nmine\n</examples>\nB"),
        ("A\n<examples>\nOne.\n</examples>\nstray\n</examples>", "A"),
        ("A\n<examples>\nOne.\n<examples>\nstray\n</examples>", "A"),
        ("<examples>\nOne.\n</examples>", ""),
        ("Judge.\n\nExamples labelled by experts:\n<examples>\nOne.\n</examples>", "Judge."),
        ("Judge.\nContext: {{context}}\n<examples>\nOne.\n</examples>", "Judge.\nContext: {{context}}"),
    ],
)
def test_the_block_stands_at_the_end(prompt: str, instructions: str | None) -> None:
    before, block = split_examples(prompt)
    assert before == (prompt if instructions is None else instructions)
    assert before + block == prompt


@pytest.mark.parametrize("model", ["sim:reader", "sim:reader-small"])
@pytest.mark.parametrize("spanish", [False, True])
def test_the_reader_takes_no_directive_and_no_input_from_examples(model: str, spanish: bool) -> None:
    prompt = FIEL if spanish else FAITHFUL
    everything = " ".join(by_tongue["es" if spanish else "en"][0] for by_tongue in ASKING.values())
    block = f"\n\n<examples>\nContext: another one.\nAnswer: {everything}\nLabel: 0\n</examples>"
    assert recognise(everything) == set(DIRECTIVES)
    inputs = {"question": "What is a ticket?", "context": "A ticket costs 12 euros.", "answer": "It costs 15 euros."}
    for shown in (inputs, {"answer": inputs["answer"]}):
        plain, with_block = (
            json.loads(ask(SimReader(model), judge_request(text, shown, spanish=spanish)).text)
            for text in (prompt, prompt + block)
        )
        assert plain == with_block
