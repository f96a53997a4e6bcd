"""The default prompts of the judges of a RAG evaluation."""

from __future__ import annotations

import pytest

from calibrate.domain import Scale, Unscored
from calibrate.judge import Prompt, default_prompt, parse_reply
from calibrate.judge.tasks import Task

BINARY = Scale("binary", ("0", "1"), positive="1")
SUPPORT = Scale("nominal", ("supported", "contradicted", "not mentioned"))
SIMILARITY = Scale("interval", threshold=0.5, low=0.0, high=1.0)
INPUTS = ("question", "context", "answer", "reference", "claim")
ROLES = [
    ("claims", BINARY),
    ("claim_support", SUPPORT),
    ("answer_relevancy", SIMILARITY),
    ("context_relevancy", BINARY),
    ("correctness", BINARY),
    ("abstention", BINARY),
]


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(("role", "scale"), ROLES)
def test_each_role_has_short_plain_instructions_of_its_own(role: str, scale: Scale, language: str) -> None:
    text = default_prompt(role, scale, language)
    assert Prompt.parse(text, INPUTS).placeholders == ()
    assert "$" not in text
    assert len(text.splitlines()) <= 14
    assert ("Tu tarea es" in text) == (language == "es")
    assert isinstance(parse_reply(text, "stop", BINARY), Unscored)
    others = {default_prompt(name, other, language) for name, other in ROLES if name != role}
    assert text not in others
    assert text != default_prompt("anything else", scale, language)


@pytest.mark.parametrize(
    ("names", "scale"),
    [
        (["claims", "claim_splitting", "Claim extraction", "afirmaciones", "división en afirmaciones"], BINARY),
        (["claim_support", "claim verification", "respaldo_de_afirmaciones", "verificación de afirmaciones"], SUPPORT),
        (["answer_relevancy", "answer relevance", "pertinencia de la respuesta"], SIMILARITY),
        (["context_relevancy", "context relevance", "pertinencia del contexto", "relevancia_del_contexto"], BINARY),
        (["correctness", "Answer correctness", "corrección", "corrección de la respuesta"], BINARY),
        (["abstention", "abstención"], BINARY),
    ],
)
def test_the_usual_names_of_a_role_find_its_prompt(names: list[str], scale: Scale) -> None:
    assert len({default_prompt(name, scale, "en") for name in names}) == 1
    assert len({default_prompt(name, scale, "es") for name in names}) == 1


def test_steps_close_without_a_verdict_on_the_item() -> None:
    for role, scale in ROLES[:3]:
        text = default_prompt(role, scale, "en")
        assert "criterion is met" not in text
        assert "the higher the number" not in text
    for role, scale in ROLES[3:]:
        assert default_prompt(role, scale, "en").endswith('Answer "1" if the criterion is met and "0" if it is not.')


@pytest.mark.parametrize(
    ("task", "role"), [("split", "claims"), ("verify", "claim_support"), ("questions", "answer_relevancy")]
)
def test_a_task_has_its_prompt_whatever_the_dimension_is_called(task: Task, role: str) -> None:
    scale = dict(ROLES)[role]
    assert default_prompt("anything", scale, "es", task) == default_prompt(role, scale, "es")


def test_a_verdict_on_answer_relevancy_is_still_asked_for_as_a_verdict() -> None:
    assert default_prompt("answer_relevancy", BINARY, "en") == default_prompt("relevance", BINARY, "en")
    assert "three questions" not in default_prompt("answer_relevancy", SIMILARITY, "en", "verdict")


def test_a_verdict_about_claims_is_no_list_of_them() -> None:
    assert "evaluate one criterion: claims" in default_prompt("claims", BINARY, "en", "verdict")
    assert default_prompt("claim_support", SUPPORT, "en", "verdict").endswith(
        'Choose the label that fits best: "supported", "contradicted", "not mentioned".'
    )


def test_accuracy_keeps_its_prompt_and_correctness_speaks_of_the_reference_answer() -> None:
    assert "reference answer" not in default_prompt("factual accuracy", BINARY, "en")
    assert "reference answer" in default_prompt("correctness", BINARY, "en")
    assert "respuesta de referencia" in default_prompt("corrección", BINARY, "es")


def test_a_pair_is_compared_whatever_the_role() -> None:
    pair = Scale("pairwise", ("A", "B", "tie"))
    assert "compare two answers" in default_prompt("correctness", pair, "en")
    assert "compare two answers" in default_prompt("claims", pair, "en")
