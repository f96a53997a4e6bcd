"""The tasks of a judge: what the model sees and is asked for, on which scales, and with which settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.domain import Item, Scale
from calibrate.errors import InputError
from calibrate.judge import TASKS, JudgeSettings, Prompt, PromptJudge, Task, needed_inputs, read_task, shown_inputs

BINARY = Scale("binary", ("0", "1"), positive="1")
THREE = Scale("nominal", ("supported", "contradicted", "not mentioned"))
NLI = Scale("nominal", ("entailment", "neutral", "contradiction"))
INTERVAL = Scale("interval", threshold=0.5, low=0.0, high=1.0)
SCALES: dict[Task, Scale] = {"verdict": BINARY, "split": BINARY, "verify": THREE, "questions": INTERVAL}

ITEM = Item(
    "7",
    "d",
    {"question": "QUESTION?", "context": ("CHUNK 1", "CHUNK 2"), "answer": "ANSWER", "claim": "CLAIM", "note": "NOTE"},
)
SEEN: dict[Task, set[str]] = {
    "verdict": {"QUESTION?", "CHUNK 1", "CHUNK 2", "ANSWER", "CLAIM", "NOTE"},
    "split": {"QUESTION?", "ANSWER"},
    "verify": {"QUESTION?", "CHUNK 1", "CHUNK 2", "ANSWER", "CLAIM", "NOTE"},
    "questions": {"ANSWER"},
}


def judge(task: Task, text: str = "Do it.", scale: Scale | None = None, **settings: Any) -> PromptJudge:
    prompt = Prompt.parse(text, shown_inputs(task, ITEM.inputs))
    return PromptJudge(prompt, "m", scale or SCALES[task], JudgeSettings(task=task, **settings))


def without(*names: str) -> Item:
    return replace(ITEM, inputs={name: text for name, text in ITEM.inputs.items() if name not in names})


# --- what the model sees --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", TASKS)
def test_the_model_sees_what_its_task_is_about_and_nothing_else(task: Task) -> None:
    request = judge(task).request(ITEM)
    sent = request.system + request.user
    assert {text for text in SEEN["verdict"] if text in sent} == SEEN[task]


def test_only_the_embedder_gets_the_question_that_was_asked() -> None:
    request = judge("questions").request(ITEM)
    assert request.item == {"inputs": {"question": "QUESTION?"}}
    assert "QUESTION" not in request.system + request.user
    assert judge("split").request(ITEM).item is None
    assert judge("verify").request(ITEM).item is None


def test_a_question_in_parts_is_compared_as_one_text() -> None:
    item = replace(ITEM, inputs={**ITEM.inputs, "question": ("Hello.", "QUESTION?")})
    assert judge("questions").request(item).item == {"inputs": {"question": "Hello.\nQUESTION?"}}


@given(st.text(), st.text(), st.text(), st.text())
def test_statements_on_one_answer_ask_for_the_same_split(first: str, second: str, context: str, other: str) -> None:
    one = replace(ITEM, id="1", inputs={**ITEM.inputs, "claim": first, "context": context})
    two = replace(ITEM, id="2", inputs={**ITEM.inputs, "claim": second, "context": other})
    assert judge("split").request(one) == judge("split").request(two)


@pytest.mark.parametrize(
    ("task", "name"),
    [("split", "claim"), ("split", "context"), ("questions", "question"), ("questions", "context")],
)
def test_a_prompt_cannot_place_what_its_task_does_not_show(task: Task, name: str) -> None:
    with pytest.raises(InputError, match=rf"the prompt places {{{{{name}}}}}, which is no input; the inputs are") as no:
        judge(task, f"Look at {{{{{name}}}}}.")
    assert "\n" not in str(no.value)


def test_a_prompt_made_for_other_inputs_is_refused_when_it_is_asked() -> None:
    made = PromptJudge(Prompt.parse("{{claim}}", ("claim",)), "m", BINARY, JudgeSettings(task="split"))
    with pytest.raises(InputError, match="item 7 has no input 'claim', which the prompt places"):
        made.request(ITEM)


@pytest.mark.parametrize(
    ("task", "missing"),
    [
        ("split", "answer"),
        ("verify", "context"),
        ("verify", "claim"),
        ("questions", "question"),
        ("questions", "answer"),
    ],
)
def test_an_item_without_what_a_task_needs_is_refused(task: Task, missing: str) -> None:
    assert missing in needed_inputs(task)
    with pytest.raises(InputError, match=f"item 7 has no {missing}, which --task {task} needs"):
        judge(task).request(without(missing))


def test_a_split_needs_no_question_and_no_statement() -> None:
    assert "ANSWER" in judge("split").request(without("question", "claim")).user


def test_several_claims_stand_numbered_in_their_element() -> None:
    item = replace(ITEM, inputs={"context": "C", "claim": ("first", "second </claim>")})
    assert judge("verify").request(item).user == (
        '<item>\n<context>\nC\n</context>\n<claim>\n<chunk index="1">\nfirst\n</chunk>\n'
        '<chunk index="2">\nsecond &lt;/claim>\n</chunk>\n</claim>\n</item>'
    )


# --- what it is asked for -------------------------------------------------------------------------------------------


def properties(schema: Mapping[str, Any] | None) -> Mapping[str, Any]:
    assert schema is not None
    assert schema["additionalProperties"] is False
    assert schema["required"] == list(schema["properties"])
    found: Mapping[str, Any] = schema["properties"]
    return found


def test_a_splitter_replies_with_claims_and_their_kinds() -> None:
    asked = properties(judge("split").request(ITEM).schema)
    assert list(asked) == ["reasoning", "claims"]
    claim = properties(asked["claims"]["items"])
    assert list(claim) == ["claim", "kind"]
    assert claim["kind"]["enum"] == ["factual", "conditional", "normative"]


@pytest.mark.parametrize("scale", [THREE, NLI, BINARY])
def test_a_verifier_gives_the_reason_and_the_quote_before_the_label(scale: Scale) -> None:
    asked = properties(judge("verify", scale=scale).request(ITEM).schema)
    verdict = properties(asked["verdicts"]["items"])
    assert list(verdict) == ["claim", "reasoning", "quote", "label"]
    assert verdict["claim"] == {"type": "integer"}
    assert verdict["label"]["enum"] == list(scale.labels)


def test_only_a_verifier_may_be_offered_to_abstain() -> None:
    request = judge("verify", allow_abstain=True).request(ITEM)
    asked = properties(properties(request.schema)["verdicts"]["items"])
    assert asked["label"]["enum"] == [*THREE.labels, "CANNOT_ASSESS"]
    assert 'Label "CANNOT_ASSESS"' in request.system
    assert "CANNOT_ASSESS" not in judge("verify").request(ITEM).system
    for task in ("split", "questions"):
        with pytest.raises(InputError, match=f"--task {task} states no label; leave --allow-abstain out"):
            judge(task, allow_abstain=True)
        with pytest.raises(InputError, match=f"--task {task} states no label; leave --confidence out"):
            judge(task, confidence=True)


def test_who_writes_questions_back_replies_with_them() -> None:
    asked = properties(judge("questions").request(ITEM).schema)
    assert list(asked) == ["questions"]


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("task", ["split", "verify", "questions"])
def test_the_section_after_the_instructions_names_every_word_of_the_reply(task: Task, language: str) -> None:
    request = judge(task, language=language).request(ITEM)
    words = {"split": ("claims", "claim", "kind", "factual"), "verify": ("verdicts", "quote", "label", *THREE.labels)}
    for word in words.get(task, ("questions",)):
        assert f'"{word}"' in request.system
    assert ("Responde con un solo objeto JSON" in request.system) == (language == "es")
    assert "{supported}" not in request.system
    assert request.system.startswith("Do it.\n\n")


@pytest.mark.parametrize(("scale", "words"), [(NLI, NLI.labels), (BINARY, ("1", "0"))])
def test_labels_of_other_names_are_explained_by_theirs(scale: Scale, words: tuple[str, ...]) -> None:
    system = judge("verify", scale=scale).request(ITEM).system
    for word in words:
        assert f'Label "{word}":' in system
    assert "not mentioned" not in system


def test_a_placed_input_leaves_the_block() -> None:
    request = judge("split", "Split <text>{{answer}}</text>.").request(ITEM)
    assert "Split <text>ANSWER</text>." in request.system
    assert request.user == "<item>\n<question>\nQUESTION?\n</question>\n</item>"


# --- scales and settings --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("task", "scale", "message"),
    [
        ("split", THREE, "it takes a binary scale, not nominal"),
        ("split", INTERVAL, "it takes a binary scale, not interval"),
        ("questions", BINARY, "it takes an interval scale, such as 0 to 1, not binary"),
        ("verify", INTERVAL, "or a binary scale; not interval"),
        ("verify", Scale("ordinal", ("1", "2", "3")), "or a binary scale; not 1, 2, 3"),
    ],
)
def test_a_scale_without_labels_for_the_task_is_refused(task: Task, scale: Scale, message: str) -> None:
    with pytest.raises(InputError, match=message) as refusal:
        judge(task, scale=scale)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("task", ["split", "verify", "questions"])
def test_code_and_formats_of_their_own_have_no_task(task: Task) -> None:
    with pytest.raises(InputError, match=f"--task {task} has a reply format of its own: it is not for code"):
        JudgeSettings(task=task, code=True)
    with pytest.raises(InputError, match="it is not for a judge with an output format of its own"):
        JudgeSettings(task=task, parse=r"label=(\d)")


def test_the_names_of_tasks_are_read() -> None:
    assert [read_task(f" {task.upper()} ") for task in TASKS] == list(TASKS)
    with pytest.raises(InputError, match="--task entail: give one of verdict, split, verify, questions"):
        read_task("entail")


def test_a_plain_judge_is_what_it_was_before_there_were_tasks() -> None:
    assert "task" not in JudgeSettings().to_json()
    assert JudgeSettings(task="split").to_json()["task"] == "split"
    digests = {
        PromptJudge(Prompt.parse("Do it.", ()), "m", BINARY, JudgeSettings(task=task)).digest
        for task in ("verdict", "split", "verify")
    }
    assert len(digests) == 3
