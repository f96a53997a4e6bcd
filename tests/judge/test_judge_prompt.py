"""Prompts: which braces place an input, which are text, and which are refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calibrate.errors import InputError
from calibrate.judge import MAX_PROMPT_BYTES, Prompt, load_prompt

untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine fails no test
INPUTS = ("question", "context", "answer")


def test_plain_instructions_place_nothing() -> None:
    prompt = Prompt.parse("Is the answer supported by the context?\n", INPUTS)
    assert prompt.placeholders == ()
    assert prompt.text == "Is the answer supported by the context?"
    assert prompt.fill({}) == prompt.text


@pytest.mark.parametrize("text", ["", "   ", "\n\t\n"])
def test_an_empty_prompt_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="the prompt is empty"):
        Prompt.parse(text, INPUTS)


def test_double_braces_place_an_input_in_order_of_first_appearance() -> None:
    prompt = Prompt.parse("A: {{answer}}. Q: {{ question }}. Again: {{answer}}", INPUTS)
    assert prompt.placeholders == ("answer", "question")
    assert prompt.fill({"answer": "42", "question": "why"}) == "A: 42. Q: why. Again: 42"


def test_a_placeholder_that_is_no_input_is_refused_with_the_inputs_there_are() -> None:
    with pytest.raises(
        InputError, match=r"\{\{anwser\}\}, which is no input; the inputs are: question, context, answer"
    ):
        Prompt.parse("Judge {{anwser}}", INPUTS)


@pytest.mark.parametrize(
    "text",
    [
        'Reply with {"label": 1}',
        'Reply with {{"label": 1}}',
        "Dear {{ user.name }}",
        "{{#if x}} and {{> partial}} and {{}} and {{ }}",
        "f(x) = {x | x > 0}",
        "{question!r} {answer:>10} { context }",
        "{unknown}",
        "}} {{ answer",
    ],
)
def test_other_braces_are_text(text: str) -> None:
    prompt = Prompt.parse(text, INPUTS)
    assert prompt.placeholders == ()
    assert prompt.fill(dict.fromkeys(INPUTS, "DATA")) == text


def test_a_single_brace_around_an_input_is_refused_with_the_two_ways_out() -> None:
    with pytest.raises(InputError) as refusal:
        Prompt.parse("Judge {answer}.", INPUTS, source="judge.txt")
    assert str(refusal.value) == (
        "judge.txt: {answer} could be meant as the input or as text: write {{answer}} to place the input, "
        "or pass --single-braces"
    )


def test_a_placeholder_inside_a_json_example_keeps_its_braces() -> None:
    prompt = Prompt.parse('{"text": {{answer}}}', INPUTS)
    assert prompt.fill({"answer": "A"}) == '{"text": A}'


def test_single_braces_place_known_inputs_and_leave_the_rest_as_text() -> None:
    prompt = Prompt.parse('{answer} {{question}} {other} {{other}} {"a": 1}', INPUTS, single_braces=True)
    assert prompt.placeholders == ("answer", "question")
    assert prompt.fill({"answer": "A", "question": "Q"}) == 'A Q {other} {{other}} {"a": 1}'


def test_an_input_whose_name_is_no_identifier_can_be_placed() -> None:
    assert Prompt.parse("{{answer-a}} {{respuesta larga}}", ["answer-a", "respuesta larga"]).placeholders == (
        "answer-a",
        "respuesta larga",
    )


@untimed
@given(question=st.text(), answer=st.text())
def test_values_are_inserted_in_one_pass_whatever_they_hold(question: str, answer: str) -> None:
    prompt = Prompt.parse("[{{question}}|{{answer}}]", INPUTS)
    values = {"question": question + "{{answer}}", "answer": answer + "{{question}}"}
    assert prompt.fill(values) == f"[{values['question']}|{values['answer']}]"


@untimed
@given(st.text())
def test_no_text_makes_parsing_fail_in_another_way_than_by_a_message(text: str) -> None:
    message = ""
    try:
        Prompt.parse(text, INPUTS)
    except InputError as error:
        message = str(error)
    assert "\n" not in message


def test_the_digest_is_of_the_content() -> None:
    prompt = Prompt.parse("Judge it.", INPUTS)
    assert prompt.digest == Prompt.parse("\nJudge it. \n", INPUTS).digest
    assert prompt.digest != Prompt.parse("Judge it!", INPUTS).digest
    assert Prompt.parse("{x}", [], single_braces=True).digest != Prompt.parse("{x}", ["x"], single_braces=True).digest


def test_a_prompt_file_reads_the_same_on_every_system(tmp_path: Path) -> None:
    (tmp_path / "unix.txt").write_bytes("Juzga: ¿sí?\nBien.\n".encode())
    (tmp_path / "windows.txt").write_bytes("\ufeffJuzga: ¿sí?\r\nBien.\r\n".encode())
    unix, windows = (load_prompt(tmp_path / name, INPUTS) for name in ("unix.txt", "windows.txt"))
    assert unix.text == "Juzga: ¿sí?\nBien."
    assert unix.digest == windows.digest


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("Juzga: ¿sí?".encode("latin-1"), "not UTF-8"),
        (b"\x00\x01", "not a text file"),
        (b" \n", "is empty"),
        (b"x" * (MAX_PROMPT_BYTES + 1), "larger than 256 KiB"),
        (b"{{nothing}}", "is no input"),
    ],
)
def test_a_prompt_file_that_cannot_be_used_says_why_in_one_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "prompt.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as refusal:
        load_prompt(path, INPUTS)
    assert refusal.value.file == str(path)
    assert "\n" not in str(refusal.value)


def test_a_missing_prompt_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such prompt file"):
        load_prompt(tmp_path / "none.txt", INPUTS)
    with pytest.raises(InputError, match="cannot read the prompt"):
        load_prompt(tmp_path, INPUTS)
