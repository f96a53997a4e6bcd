from __future__ import annotations

import pytest
from rag.factories import bank, named, output, variant

from calibrate.rag.abstention import AbstentionRule, abstention_figures, abstentions

RULE = AbstentionRule()


@pytest.mark.parametrize(
    "answer",
    [
        "I don't know.",
        "I don’t know.",
        "I do not  know the answer to that.",
        "The provided documents do not mention the fee.",
        "The context doesn't specify this. Please call us.",
        "I'm sorry, but I could not find that in the sources.",
        "Lo siento. No dispongo de información sobre ese plazo.",
        "NO CONSTA en la documentación.",
        "No  consta en las condiciones [d-2].",
        "No consta en las condiciones. [d-2]",
        "Los documentos no especifican el plazo, pero puede llamar al servicio de atención.",
        "La documentacion no indica nada. Tampoco consta un teléfono.",
        "No lo sé",
        "",
        "  ",
        "Lo siento.",
    ],
)
def test_answers_that_abstain(answer: str) -> None:
    assert RULE.abstains(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "Thirty days [a].",
        "El plazo es de 30 días [a]. No consta ninguna excepción.",
        "No se puede devolver la ropa interior [a].",
        "No sé aplica recargo.",
        "No consta el plazo, pero los gastos son 5 euros [d-3].",
        "No consta el plazo. Los gastos de envío son 5 euros [d-3].",
        "The documents do not mention a fee; however, returns take 30 days [a].",
        "Unknowns are not allowed [a].",
        "The product does not contain gluten [a].",
        "I'm not sure, but it is thirty days.",
    ],
)
def test_answers_that_do_not(answer: str) -> None:
    assert not RULE.abstains(answer)


def test_declared_phrases_stand_beside_the_default_ones_or_in_their_stead() -> None:
    more, only = AbstentionRule.of(["pasapalabra"]), AbstentionRule.of(["Pasa palabra"], replace=True)
    assert more.abstains("Pasapalabra.")
    assert more.abstains("I don't know.")
    assert only.abstains("PASA PALABRA")
    assert not only.abstains("I don't know.")
    assert not AbstentionRule(()).abstains("I don't know.")


def test_both_directions() -> None:
    answerable = {name: ["a"] for name in ("answered", "declined", "unclear")}
    questions = bank(answerable | {"silent": [], "invents": [], "missing": []})
    system = variant(*(output(each) for each in ("answered", "declined", "silent", "invents", "unclear")))
    decided = {"answered": False, "declined": True, "silent": True, "invents": False, "unclear": None}
    found = named(abstention_figures(questions, system, decided, judge="abstention"))
    assert found["abstention_recall"].values == {"silent": 1.0, "invents": 0.0}
    assert found["answer_rate"].values == {"answered": 1.0, "declined": 0.0}
    assert found["abstention"].mean == 0.5
    assert found["abstention_recall"].left_out == {
        "answered": "answerable", "declined": "answerable", "unclear": "answerable", "missing": "no_output",
    }  # fmt: skip
    assert found["answer_rate"].left_out["unclear"] == "unscored"
    assert found["answer_rate"].left_out["silent"] == "no_relevant_chunk"
    assert {each.judge for each in found.values()} == {"abstention"}


def test_a_rule_decides_for_every_output() -> None:
    system = variant(output("q", answer="I don't know."), output("r", answer="Thirty days [a]."))
    assert abstentions(system, RULE) == {"q": True, "r": False}
