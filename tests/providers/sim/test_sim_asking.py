"""The simulated reader writes questions back from an answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sim_requests import ask, data_block
from sim_steps import SIMILARITY

from calibrate.domain import Item, Json, ModelRequest
from calibrate.judge import JudgeSettings, Prompt, PromptJudge, default_prompt
from calibrate.providers.sim import SimReader
from calibrate.providers.sim.asking import write_questions

DIFFERENT = frozenset({"different"})


@pytest.mark.parametrize(
    ("answer", "questions"),
    [
        ("Shipping costs 4.90 euros [e-1].", {"How much does shipping cost?"}),
        ("You can return the coat within 30 days.", {"How long can you return the coat?"}),
        (
            "The museum opened in 1990 and has 12 rooms.",
            {"When did the museum open?", "How many rooms has the museum?"},
        ),
        ("El envío cuesta 4,90 euros [e-1].", {"¿Cuánto cuesta el envío?"}),
        ("El plazo de devolución es de 30 días.", {"¿Cuál es el plazo de devolución?"}),
        ("La tienda abre a las 9:00.", {"¿A qué hora abre la tienda?"}),
        ("Ada Lovelace was born in London.", {"Was Ada Lovelace born in London?"}),
    ],
)
def test_statements_become_the_questions_they_answer(answer: str, questions: set[str]) -> None:
    assert questions <= set(write_questions(answer, DIFFERENT))


def test_different_questions_turn_to_several_statements() -> None:
    answer = "The pool opens at 10:00. A ticket costs 5 euros."
    assert any("ticket" in question for question in write_questions(answer, DIFFERENT))
    assert not any("ticket" in question for question in write_questions(answer, frozenset()))


@pytest.mark.parametrize("answer", ["No lo sé.", "No dispongo de esa información."])
def test_an_answer_that_declines_is_asked_what_is_not_known(answer: str) -> None:
    assert "¿Qué no se sabe?" in write_questions(answer, DIFFERENT)


@pytest.mark.parametrize(("language", "opening"), [("en", "¿"), ("es", "¿")])
def test_a_judge_gets_three_questions_in_the_language_of_the_answer(language: str, opening: str) -> None:
    prompt = Prompt.parse(default_prompt("answer_relevancy", SIMILARITY, language), ("answer",))
    judge = PromptJudge(prompt, "sim:reader", SIMILARITY, JudgeSettings(language=language, task="questions"))
    item = Item("1", "answer_relevancy", {"question": "?", "answer": "El envío cuesta 4,90 euros y tarda dos días."})
    text = ask(SimReader(), judge.request(item)).text
    assert text.count(opening) == 3
    assert ask(SimReader(), judge.request(item)).text == text


def test_an_item_without_an_answer_is_declined() -> None:
    schema: dict[str, Json] = {"type": "object", "properties": {"questions": {"type": "array"}}}
    for user in (data_block({"question": "Why?"}), ""):
        request = ModelRequest(system="Write questions.", user=user, schema=schema)
        assert "offline simulator" in ask(SimReader(), request).text


@given(st.text(max_size=200), st.booleans())
def test_any_answer_gets_three_questions(answer: str, different: bool) -> None:
    questions = write_questions(answer, DIFFERENT if different else frozenset())
    assert len(questions) == len(set(questions)) == 3
    assert questions == write_questions(answer, DIFFERENT if different else frozenset())
