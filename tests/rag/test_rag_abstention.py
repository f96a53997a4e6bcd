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
        "Great question! I don't know.",
        "I'm afraid the sources don't say.",
        "I do not have that information",
        "I don't have that information.",
        "I dont know",
        "That isn't covered in the documents.",
        "That is not covered by our policies",
        "There's no mention of that in the provided documents.",
        "There is no information about parking in the documents [d-1].",
        "None of the documents mention a fee.",
        "Based on the provided documents, I cannot find the fee.",
        "Information not found.",
        "N/A",
        "No se indica en los documentos",
        "En los documentos no se indica el plazo.",
        "No aparece en ningún documento",
        "Ningún documento menciona ese recargo.",
        "El contexto proporcionado no contiene esa información [d-1].",
        "Desconozco ese dato",
        "Lamentablemente, esa información no está disponible.",
        "No dispongo de ese dato en los documentos.",
        "No tengo acceso a esa información.",
        "No hay información sobre eso.",
        "Lo siento, pero no consta.",
        "No sé.",
        "I cannot provide an answer based on the available context.",
        "There isn't enough information in the context to answer.",
        "The retrieved documents contain no information about salaries.",
        "No answer could be found in the documents.",
        "No me consta.",
        "The materials I was given say nothing about that.",
        "My sources do not include that information.",
        "I do not have enough context to answer this question.",
        "No hemos podido encontrar esa información.",
        "Los documentos facilitados no permiten responder.",
        "No se dispone de esa información.",
        "No hay nada en los documentos sobre eso.",
        "No consta el plazo. Fuentes: [d-1]; [d-2].",
        "No consta el plazo. Fuente [d-1].",
        "Según las condiciones [d-1], no consta el plazo.",
        "No consta en las condiciones, en la guía ni en la política [d-2].",
        "No consta que el montaje esté incluido [d-2].",
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
        "You can't find it in the old town: shop 3 is in the harbour since 2019 [d1].",
        "You can't find it in stores [s-1].",
        "There is no fee for returns [d-3].",
        "We cannot find a courier for islands on Sundays [e-4].",
        "No encontramos defecto de fábrica en el 99 % de los casos [g-1].",
        "No hay gastos de devolución [d-3].",
        "No existe plazo mínimo de permanencia [c-2].",
        "No tenemos tienda en Lisboa.",
        "We do not have shops in Portugal [t-1].",
        "No disponemos de servicio de montaje [m-2].",
        "Según la garantía son dos años.",
        "Según la garantía son dos años. No consta más.",
        "No information is shared with third parties [p-1].",
        "No information is shared with third parties, and the price is 5 euros [p-1].",
        "The warranty document does not cover water damage [g-2].",
        "The policy does not cover water damage [g-2].",
        "Our policy does not offer refunds on sale items [g-2].",
        "The information is not provided to third parties [g-2].",
        "La política no ofrece reembolso en rebajas [g-2].",
        "We do not have access to your card number [g-2].",
        "Nothing in the policy prevents you from returning it [g-2].",
        "The documents do not include shipping insurance; it costs 5 euros [s-1].",
        "If you can't find your receipt, a bank statement will do [d-1].",
        "If I cannot find the label I print another [d-1].",
        "If the shipping date is not mentioned, delivery takes 5 days [e-1].",
        "Not enough information on the label voids the return [d-1].",
        "I don't know the fee, the deadline is 30 days [d-1].",
        "The return period is 30 days [d-1]. I don't know about fees.",
        "No puedo contestar al plazo exacto; los gastos son 5 euros [d-1].",
        "No lo sé con certeza: 30 días [d-1].",
        "No hay datos de contacto que debas enviar: basta el DNI [d-1].",
        "Si no encuentro el recibo, puedo usar el extracto bancario [d-1].",
        "Cuando no encuentro talla, pido la siguiente [t-1].",
        "El texto no incluye el IVA: el precio es 12 euros [p-1].",
        "El pago en efectivo no se menciona; aceptamos tarjeta [p-1].",
        "El producto no está disponible en tienda [p-1].",
        "El plazo no se menciona y son 5 euros [d-1].",
    ],
)
def test_answers_that_do_not(answer: str) -> None:
    assert not RULE.abstains(answer)


@pytest.mark.parametrize(
    "phrase", ["Lo siento, pero eso se me escapa.", "«Se me escapa»", "Respuesta: se me escapa", "¡Se me escapa!"]
)
def test_a_phrase_may_hold_punctuation_and_a_but(phrase: str) -> None:
    rule = AbstentionRule.of([phrase])
    assert rule.abstains(phrase)
    assert rule.abstains(f"Hola. {phrase} Llámenos.")
    assert not rule.abstains(f"{phrase}. Son 5 euros [d-1].")
    assert not RULE.abstains(phrase)


def test_ids_with_white_space_are_citations_where_they_are_known() -> None:
    answer = "No consta el plazo, pero los gastos son 5 euros [a b]."
    assert not RULE.abstains(answer, {"a b"})
    assert abstentions(variant(output("q", ["a b"], answer=answer)), RULE) == {"q": False}


def test_signs_of_a_phrase() -> None:
    either, whole = AbstentionRule(("^(no|nunca) visto$",)), AbstentionRule(("dunno :(",))
    assert either.abstains("No visto.")
    assert either.abstains("¡Nunca visto!")
    assert not either.abstains("Lo nunca visto.")
    assert not either.abstains("No visto hasta hoy.")
    assert whole.abstains("Dunno :( sorry")


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
