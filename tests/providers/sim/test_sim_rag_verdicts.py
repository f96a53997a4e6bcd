"""The verdicts of a RAG evaluation by the simulated reader: context relevancy, correctness, abstention."""

from __future__ import annotations

import pytest
from sim_steps import BINARY, asked

from calibrate.domain import Scored
from calibrate.judge import default_prompt
from calibrate.providers.sim.dimension import dimension_of

SHIPPING = "How much does standard shipping cost?"
ENVIO = "¿Cuánto cuesta el envío estándar?"
REFERENCE = "Standard shipping costs 4.90 euros. Orders over 50 euros ship free."
REFERENCIA = "El envío estándar cuesta 4,90 euros. Los pedidos de más de 50 euros tienen envío gratis."


def label(prompt: str, language: str = "en", model: str = "sim:reader", **inputs: str) -> str:
    _, verdict = asked("verdict", prompt, inputs, language=language, model=model)
    assert isinstance(verdict, Scored)
    assert verdict.reasoning
    return str(verdict.label)


@pytest.mark.parametrize(
    ("language", "question", "context", "expected"),
    [
        ("en", SHIPPING, "Standard shipping costs 4.90 euros.", "1"),
        ("en", SHIPPING, "The cafeteria serves lunch at noon.", "0"),
        ("en", SHIPPING, "", "0"),
        ("es", ENVIO, "El envío estándar cuesta 4,90 euros.", "1"),
        ("es", ENVIO, "La cafetería sirve la comida a mediodía.", "0"),
    ],
)
def test_a_passage_is_needed_when_it_speaks_of_what_is_asked(
    language: str, question: str, context: str, expected: str
) -> None:
    prompt = default_prompt("context_relevancy", BINARY, language)
    assert label(prompt, language, question=question, context=context) == expected


def test_the_same_subject_is_enough_for_who_was_not_told_otherwise() -> None:
    passage = "Standard shipping is handled by a courier whose cost is included."
    careful = default_prompt("context_relevancy", BINARY, "en")
    assert label(careful, question=SHIPPING, context=passage) == "0"
    assert label("Is the passage relevant to the question?", question=SHIPPING, context=passage) == "1"


@pytest.mark.parametrize(
    ("language", "question", "reference", "answer", "expected"),
    [
        ("en", SHIPPING, REFERENCE, REFERENCE, "1"),
        ("en", SHIPPING, REFERENCE, "It costs 4.90 euros.", "1"),
        ("en", SHIPPING, REFERENCE, f"{REFERENCE} The shop opens at nine.", "1"),
        ("en", SHIPPING, REFERENCE, "Standard shipping costs 6.90 euros.", "0"),
        ("en", SHIPPING, REFERENCE, "I do not know.", "0"),
        ("en", "What may I bring?", "You may bring a dog. You may bring a bike.", "You may bring a dog.", "0"),
        ("en", "Who wrote Emma?", "Jane Austen", "Jane Austen wrote it.", "1"),
        ("en", "Who wrote Emma?", "Jane Austen", "George Eliot wrote it.", "0"),
        ("es", ENVIO, REFERENCIA, REFERENCIA, "1"),
        ("es", ENVIO, REFERENCIA, "Cuesta 4,90 euros.", "1"),
        ("es", ENVIO, REFERENCIA, f"{REFERENCIA} La tienda abre a las nueve.", "1"),
        ("es", ENVIO, REFERENCIA, "El envío estándar cuesta 6,90 euros.", "0"),
        ("es", ENVIO, REFERENCIA, "No lo sé.", "0"),
        ("es", "¿Qué puedo llevar?", "Puedes llevar un perro. Puedes llevar una bici.", "Puedes llevar un perro.", "0"),
    ],
)
def test_an_answer_is_correct_when_it_says_what_the_reference_says(
    language: str, question: str, reference: str, answer: str, expected: str
) -> None:
    prompt = default_prompt("correctness", BINARY, language)
    assert label(prompt, language, question=question, reference=reference, answer=answer) == expected


@pytest.mark.parametrize(
    ("language", "answer", "expected"),
    [
        ("en", "I do not know.", "1"),
        ("en", "Sorry, the documents do not mention it. Please contact support.", "1"),
        ("en", "I cannot answer that question.", "1"),
        ("en", "", "1"),
        ("en", "It costs 4.90 euros.", "0"),
        ("en", "Sale items cannot be returned.", "0"),
        ("en", "The shop cannot provide refunds in cash.", "0"),
        ("en", "I have no information on express shipping, but standard shipping costs 4.90 euros.", "0"),
        ("es", "No lo sé.", "1"),
        ("es", "Lo siento, no dispongo de esa información. Contacta con atención al cliente.", "1"),
        ("es", "No puedo responder a esa pregunta.", "1"),
        ("es", "Cuesta 4,90 euros.", "0"),
        ("es", "Los artículos rebajados no se pueden devolver.", "0"),
        ("es", "En ese caso no hay reembolso.", "0"),
        ("es", "No tengo información sobre el envío urgente, pero el estándar cuesta 4,90 euros.", "0"),
    ],
)
def test_an_answer_abstains_when_it_only_says_that_it_does_not_know(language: str, answer: str, expected: str) -> None:
    prompt = default_prompt("abstention", BINARY, language)
    assert label(prompt, language, question=SHIPPING, answer=answer) == expected


def test_an_admission_is_enough_for_who_was_not_told_of_answers_in_part() -> None:
    answer = "I have no information on express shipping, but standard shipping costs 4.90 euros."
    assert label("Decide whether the answer abstains.", question=SHIPPING, answer=answer) == "1"


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(
    ("role", "dimension"),
    [("context_relevancy", "context relevancy"), ("correctness", "correctness"), ("abstention", "abstention")],
)
def test_the_default_prompts_ask_their_own_question(role: str, dimension: str, language: str) -> None:
    roles = frozenset({"question", "answer", "context", "reference"})
    assert dimension_of(default_prompt(role, BINARY, language), roles) == dimension  # type: ignore[arg-type]  # role names


@pytest.mark.parametrize(
    ("prompt", "dimension"),
    [
        ("Judge relevance. An answer that declines to answer is not relevant.", "relevance"),
        ("Decide whether the answer is faithful to the context. One that abstains is faithful.", "faithfulness"),
        ("Say whether the answer is accurate, judged by the reference.", "accuracy"),
        ("Is the answer grounded in the relevant context passages?", "faithfulness"),
    ],
)
def test_other_prompts_keep_theirs(prompt: str, dimension: str) -> None:
    roles = frozenset({"question", "answer", "context", "reference"})
    assert dimension_of(prompt, roles) == dimension  # type: ignore[arg-type]  # role names
