"""An answer taken apart: the claims of a reply, and whether the split contains a statement."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.domain import Finish, Item, ModelResponse, Scale, Scored, Unscored, Verdict
from calibrate.judge import Claim, JudgeSettings, Prompt, PromptJudge, contains
from calibrate.judge.claims import read_split

BINARY = Scale("binary", ("0", "1"), positive="1")
ANSWER = "You can return any item within 30 days. Shipping back costs 4.99 euros, and the refund takes five days."
ITEM = Item("1", "claims", {"question": "How do returns work?", "answer": ANSWER})
CLAIMS = [
    {"claim": "Any item can be returned within 30 days.", "kind": "factual"},
    {"claim": "Shipping a return back costs 4.99 euros.", "kind": "factual"},
    {"claim": "The refund takes five days.", "kind": "factual"},
]
RETURNS = json.dumps({"reasoning": "Three things are said.", "claims": CLAIMS})


def split(reply: str, finish: Finish = "stop", claim: str | tuple[str, ...] | None = None) -> Verdict:
    item = ITEM if claim is None else Item("1", "claims", {**ITEM.inputs, "claim": claim})
    return read_split(reply, finish, BINARY, item)


def claims(reply: str, finish: Finish = "stop") -> list[Any]:
    verdict = split(reply, finish)
    assert isinstance(verdict, Scored), verdict
    assert verdict.evidence is not None
    found = verdict.evidence["claims"]
    assert isinstance(found, list)
    return found


def texts(reply: str, finish: Finish = "stop") -> list[str]:
    return [each["claim"] for each in claims(reply, finish)]


def reason(reply: str, finish: Finish = "stop") -> str:
    verdict = split(reply, finish)
    assert isinstance(verdict, Unscored), verdict
    return verdict.reason


# --- STATISTICS section 9 -------------------------------------------------------------------------------------------


def test_a_returns_policy_is_split_into_three_claims() -> None:
    verdict = split(RETURNS)
    assert isinstance(verdict, Scored)
    assert verdict.label == "1"
    assert verdict.evidence == {"claims": CLAIMS}
    assert verdict.reasoning.splitlines() == [
        "1. Any item can be returned within 30 days.",
        "2. Shipping a return back costs 4.99 euros.",
        "3. The refund takes five days.",
    ]


@pytest.mark.parametrize(
    ("statement", "label"),
    [
        ("Any item can be returned within 30 days.", "1"),
        ("Items can be returned within 30 days", "1"),
        ("The refund takes five days.", "1"),
        ("Any item can be returned within 14 days.", "0"),
        ("Any item cannot be returned within 30 days.", "0"),
        ("Any item can be returned within 30 days, and shipping it back costs 4.99 euros.", "0"),
        ("It takes five.", "0"),
        ("Returns are free.", "0"),
    ],
)
def test_a_statement_of_an_expert_is_in_the_split_or_not(statement: str, label: str) -> None:
    verdict = split(RETURNS, claim=statement)
    assert isinstance(verdict, Scored)
    assert verdict.label == label
    assert verdict.evidence == {"claims": CLAIMS}


def test_a_judge_reads_its_reply_with_the_item() -> None:
    judge = PromptJudge(Prompt.parse("Split it.", ("answer",)), "m", BINARY, JudgeSettings(task="split"))
    assert judge.read(ModelResponse(RETURNS, "stop", "m"), ITEM) == split(RETURNS)


# --- kinds ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "read"),
    [
        ("factual", "factual"),
        ("Conditional", "conditional"),
        ("condicional", "conditional"),
        ("normative", "normative"),
        ("opinión", "normative"),
        ("recomendación", "normative"),
        ("something else", "factual"),
        (None, "factual"),
        (3, "factual"),
    ],
)
def test_kinds_are_read_in_both_languages(kind: object, read: str) -> None:
    assert claims(json.dumps({"claims": [{"claim": "a b", "kind": kind}]})) == [{"claim": "a b", "kind": read}]


def test_an_answer_of_advice_alone_makes_no_factual_claim() -> None:
    verdict = split('{"claims": [{"claim": "You should buy it.", "kind": "normative"}]}')
    assert isinstance(verdict, Scored)
    assert (verdict.label, verdict.reasoning) == ("0", "1. You should buy it. (normative)")


def test_a_statement_is_found_whatever_its_kind() -> None:
    reply = '{"claims": [{"claim": "You should buy it.", "kind": "normative"}]}'
    verdict = split(reply, claim="You should buy it")
    assert isinstance(verdict, Scored)
    assert verdict.label == "1"


# --- where the claims stand -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        '```json\n{"reasoning": "r", "claims": [{"claim": "a", "kind": "factual"}, {"claim": "b"}]}\n```',
        'Here they are: {"claims": [{"claim": "a"}, {"claim": "b"}]} I hope this helps.',
        '{"claims": [{"claim": "x"}]}\nOn second thoughts:\n{"claims": [{"claim": "a"}, {"claim": "b"}]}',
        '{"claims": [{"claim": "x"}, {"claim": "y"}], "final": {"claims": [{"claim": "a"}, {"claim": "b"}]}}',
        '[{"claim": "x"}]\n[{"claim": "a"}, {"claim": "b"}]',
        '{"claims": ["x"]}\n{"claims": ["a", "b"]}',
        '{"claims": [{"claim": "x"}]}\n{"claims": ["a", "b"]}',
        '{"claims": [{"claim": "a",}, {"claim": "b",},],}',
        '{"claims": ["a", "b",],}',
        '<think>{"claims": [{"claim": "x"}]}</think>{"claims": [{"claim": "a"}, {"claim": "b"}]}',
        '{"claims": [{"claim": "x"}]}</think>{"claims": [{"claim": "a"}, {"claim": "b"}]}',
        '{"claims": [{"claim": "a"}, {"claim": "b"}]}<think>{"claims": [{"claim": "x"}]}</think>',
        '[{"claim": "a"}, {"claim": "b"}]',
        '{"claim": "a"}\n{"claim": "b"}',
        '{"result": [{"claim": "a"}, {"claim": "b"}]}',
        '{"result": {"claims": [{"claim": "a"}, {"claim": "b"}]}}',
        '{"statements": [{"statement": "a", "type": "factual"}, {"statement": "b"}]}',
        '{"razonamiento": "r", "afirmaciones": [{"afirmación": "a", "tipo": "factual"}, {"afirmacion": "b"}]}',
        '{"text": "a and b", "claims": [{"claim": "a"}, {"claim": "b"}]}',
        '{"claims": [{"claim": "a", "source": {"text": "x"}}, {"claim": "b"}, {"claim": "  "}]}',
        '{"claims": ["a", "b"], "kind": "factual"}',
        '{"claims": [{"claim": "a"}, {"claim": "b"}]',
        '{"claims": [{"claim": "a"}, /* two */ {"claim": "b"}, // "c"\n]}',
        '{"claims": [{"item": {"claim": "a"}}, {"item": {"claim": "b"}}]}',
        '{"claims": [{"claim": "x", "kind": fact}\nAgain: {"claims": [{"claim": "a"}, {"claim": "b"}]}',
        '{"claims": [{"claim": "a"}, {"claim": "b"}]} Each {claim} stands alone.',
    ],
)
def test_the_last_list_of_a_reply_counts(reply: str) -> None:
    assert texts(reply) == ["a", "b"]


@pytest.mark.parametrize(
    "reply",
    [
        '{"reasoning": "It says nothing.", "claims": []}',
        '{"claims": []}',
        '{"afirmaciones": []}',
        '{"claims": [""]}',
        '{"claims": [{"claim": ""}]}',
        '{"claims": [{"claim": "x"}]}\nNone of them stands: {"claims": []}',
    ],
)
def test_an_empty_list_is_the_split_of_an_answer_that_says_nothing(reply: str) -> None:
    verdict = split(reply)
    assert isinstance(verdict, Scored)
    assert (verdict.label, verdict.reasoning, verdict.evidence) == ("0", "", {"claims": []})


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "The answer makes two claims.",
        '{"reasoning": "r"}',
        '{"claims": {}}',
        '{"claims": "a"}',
        '{"claims": 3}',
        '{"claims": [1, 2]}',
        '{"claims": [["a"]]}',
        '{"claims": [{"claim": 30}]}',
        '{"claims": [{"claim": ["a", "b"]}]}',
        '<think>{"claims": [{"claim": "a"}]}</think>',
    ],
)
def test_a_reply_without_a_list_of_claims_is_invalid(reply: str) -> None:
    assert reason(reply) == "invalid"


@pytest.mark.parametrize(
    "reply",
    [
        '{"claims": [{"claim": "a", "kind": "factual"}, {"claim": "b"',
        '{"claims": [{"claim": "a", "kind": "factual"}, {"claim": "b"}',
        '{"claims": [{"claim": "a", "kind": factual}, {"claim": "b", "kind": "factual"}]}',
        '{"claims": [{"text": "a"}, {"statement": "b"}, "c"]}',
        '{"claims": ["c", {"claim": "a"}]}',
        '{"claims": [{"claim": "a"}, {"Claim text": "b"}]}',
        '{"claims": [{"claim": "a"}, null]}',
        '[{"claim": "a"}, {"claim": "b"}',
        '[{"claim": "a"}, "b"]',
        '["a", {"claim": "b"}]',
        '{"claims": [{"claim": "x"}]}\nBetter: {"claims": [{"claim": "a"}, {"claim": "b',
    ],
)
def test_a_list_that_breaks_off_or_holds_something_else_is_not_read_in_part(reply: str) -> None:
    assert split(reply) == Unscored("invalid", "the list of the reply breaks off, or holds something else")


@pytest.mark.parametrize("end", range(1, len(RETURNS) - 1))
def test_a_list_that_ends_too_early_is_invalid_wherever_it_does(end: int) -> None:
    assert reason(RETURNS[:end]) == "invalid"


@pytest.mark.parametrize("end", range(1, len(RETURNS)))
def test_a_list_that_the_token_limit_cut_off_is_truncated_wherever_it_is(end: int) -> None:
    assert reason(RETURNS[:end], "length") == "truncated"


@pytest.mark.parametrize(
    "reply",
    [
        '[{"claim": "a"}, {"claim": "b"},',
        '[{"claim": "a"}',
        '{"resultado": [{"claim": "a"}, ',
        '{"claim": "a"}\n{"claim": "b"}\n',
        '{"claims": [{"claim": "x"}]}\nBetter: {"claims": [{"claim": "a"},',
        '{"claims": ["a", "b',
    ],
)
def test_a_list_of_any_form_that_is_not_closed_at_the_limit_is_truncated(reply: str) -> None:
    assert reason(reply, "length") == "truncated"


@pytest.mark.parametrize(
    "reply", ['{"claims": [{"claim": "a"}]} I would like to add', '[{"claim": "a"}] And so', '{"claims": ["a"]} And']
)
def test_a_closed_list_stands_though_the_limit_cut_off_what_follows(reply: str) -> None:
    assert texts(reply, "length") == ["a"]


def test_a_refusal_is_refused() -> None:
    assert reason("I cannot help with that.", "refusal") == "refused"


@given(
    st.text()
    | st.builds(
        "".join,
        st.lists(
            st.sampled_from(
                [
                    "{",
                    "}",
                    "[",
                    "]",
                    '"claims"',
                    '"claim"',
                    '"text"',
                    ":",
                    ",",
                    '"a"',
                    "1",
                    "null",
                    "<think>",
                    "</think>",
                ]
            )
        ),
    ),
    st.sampled_from(["stop", "length", "refusal"]),
)
def test_no_reply_makes_reading_fail(reply: str, finish: Finish) -> None:
    assert isinstance(split(reply, finish), Scored | Unscored)


@given(st.lists(st.text(min_size=1).filter(lambda text: text == text.strip() and text)))
def test_claims_written_as_json_are_read_as_they_are(said: list[str]) -> None:
    reply = json.dumps({"reasoning": "", "claims": [{"claim": each, "kind": "factual"} for each in said]})
    assert texts(reply) == said


# --- the same statement ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The shop opens at 10:30.", "the shop opens at 10:30"),
        ("Return policies cover all boxes.", "The return policy covers all the boxes"),
        ("Purchases can't be exchanged.", "A purchase cannot be exchanged."),
        ("Purchases can't be exchanged.", "Purchases can not be exchanged"),
        ("It doesn’t cover batteries.", "It does not cover the battery."),
        ("Shipping costs 1,500 euros.", "Shipping costs 1500 euros."),
        ("El envío cuesta 4,99 euros.", "El envio cuesta 4.99 euros"),
        ("Los clientes reciben el reembolso en 2 meses.", "El cliente recibe el reembolso en 2 meses."),
        ("Las devoluciones son gratuitas.", "La devolución es gratuita."),
        ("La garantía no cubre las pilas.", "La garantía no cubre la pila"),
        ("The refund takes five days.", "The refund for returned items takes five days."),
        ("Within 30 days, items can be returned.", "Items can be returned within 30 days."),
        ("El pedido, normalmente, llega en 3 días.", "El pedido llega en 3 días."),
        ("It is.", "it is"),
    ],
)
def test_the_same_in_other_words_of_the_same_stem_is_the_same(one: str, other: str) -> None:
    assert contains([Claim(one)], other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Returns are possible within 30 days.", "Returns are possible within 14 days."),
        ("The parcel weighs 3.5 kilos.", "The parcel weighs 35 kilos."),
        ("The shop opens at 10:30.", "The shop opens at 1030."),
        ("You can return it.", "You can't return it."),
        ("You can return it.", "You cannot return it."),
        ("Shipping is possible with a card.", "Shipping is possible without a card."),
        ("La garantía cubre las pilas.", "La garantía no cubre las pilas."),
        ("El envío tiene coste.", "El envío no tiene ningún coste, sin excepción."),
        ("The refund takes five days.", "The refund takes five days and the shipping is free."),
        ("El reembolso tarda cinco días.", "El reembolso tarda cinco días y el envío es gratuito."),
        ("The page costs nothing.", "The page is red and costs nothing."),
        ("The refund takes five days.", "The refund takes five days, shipping is free."),
        ("Ana founded the company.", "Ana."),
        ("It is.", "It was."),
        ("", ""),
        ("...", "..."),
    ],
)
def test_another_number_a_negation_and_two_in_one_are_not_the_same(one: str, other: str) -> None:
    assert not contains([Claim(one)], other)
    assert not contains([Claim(other)], one)


def test_he_won_is_no_negation() -> None:
    assert contains([Claim("He won the prize in 1990.")], "He won the prize in 1990")
    assert not contains([Claim("He won the prize in 1990.")], "He won't win the prize in 1990")


def test_no_claims_contain_nothing() -> None:
    assert not contains([], "Returns are free.")


STATEMENTS = st.text() | st.lists(
    st.sampled_from("the refund refunds not can't cannot takes 5 five 3.5 35 1,000 1000 días dia no policies y".split())
).map(" ".join)


@given(STATEMENTS)
def test_a_statement_with_a_word_is_the_same_as_itself(statement: str) -> None:
    if any(char.isascii() and char.isalnum() for char in statement):
        assert contains([Claim(statement)], statement)


@given(STATEMENTS, STATEMENTS)
def test_being_the_same_has_no_direction(one: str, other: str) -> None:
    assert contains([Claim(one)], other) == contains([Claim(other)], one)
