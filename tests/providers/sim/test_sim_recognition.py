"""Directives are recognised in a prompt however they are phrased, in English and Spanish."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sim_requests import ALL_EN, ALL_ES

from calibrate.providers.sim import DIRECTIVES, recognise

SENTENCES: dict[str, Any] = {
    language: json.loads((Path(__file__).parent / f"paraphrases_{language}.json").read_text(encoding="utf-8"))
    for language in ("en", "es")
}
RECOGNISED = 0.85
FALSELY_RECOGNISED = 0.1


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("directive", DIRECTIVES)
def test_paraphrases_are_recognised(directive: str, language: str) -> None:
    sentences = SENTENCES[language]["asking"][directive]
    missed = [sentence for sentence in sentences if directive not in recognise(sentence)]
    assert len(missed) <= (1 - RECOGNISED) * len(sentences), missed


@pytest.mark.parametrize("language", ["en", "es"])
def test_neutral_sentences_ask_for_nothing(language: str) -> None:
    sentences = SENTENCES[language]["neutral"]
    found = [sentence for sentence in sentences if recognise(sentence)]
    assert len(found) <= FALSELY_RECOGNISED * len(sentences), found


@pytest.mark.parametrize("prompt", [ALL_EN, ALL_ES])
def test_a_whole_prompt_may_ask_for_everything(prompt: str) -> None:
    assert recognise(prompt) == frozenset(DIRECTIVES)


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "Judge whether the answer is faithful to its context. An answer is faithful when it agrees with the context.",
        "Decide if the answer is supported by the context. Read everything, think about it, and give your verdict.",
        "Juzga si la respuesta es fiel al contexto. Una respuesta es fiel cuando concuerda con el contexto.",
    ],
)
def test_a_careless_prompt_asks_for_nothing(prompt: str) -> None:
    assert recognise(prompt) == frozenset()


@pytest.mark.parametrize(
    ("prompt", "off"),
    [
        ("Compare all numbers with the source. In this task do not worry about numbers.", "figures"),
        ("Compare the dates. There is no need to verify dates or amounts.", "figures"),
        ("Comprueba las cifras. No te preocupes por los números.", "figures"),
        ("Paraphrases are fine. The wording must be literally the same as in the source.", "paraphrase"),
        ("Las paráfrasis valen. La redacción debe ser literal: una paráfrasis es un error.", "paraphrase"),
        ("Leaving details out is fine. Penalise omissions.", "omission"),
        ("La respuesta debe ser completa; penaliza las omisiones.", "omission"),
        ("Do not use outside knowledge. You may use your general knowledge.", "unsupported"),
        ("Puedes usar tus conocimientos generales.", "unsupported"),
        ("One error is not enough to reject the answer.", "all-or-nothing"),
        ("Un solo error no basta para suspender la respuesta.", "all-or-nothing"),
        ("Do not split the answer into claims; judge it as a whole.", "claims"),
        ("No dividas la respuesta en afirmaciones; júzgala en conjunto.", "claims"),
        ("Do not worry about negations.", "negation"),
        ("No te preocupes por las negaciones.", "negation"),
    ],
)
def test_what_is_waved_aside_is_off_and_the_last_word_counts(prompt: str, off: str) -> None:
    assert off not in recognise(prompt)


@pytest.mark.parametrize(
    ("prompt", "asked"),
    [
        ("Style does not matter.", {"paraphrase"}),
        ("El estilo no importa.", {"paraphrase"}),
        ("Ignore wording, order and style, but compare all figures.", {"paraphrase", "figures"}),
        ("Do not overlook a wrong number.", {"figures"}),
    ],
)
def test_a_negated_sentence_can_ask_for_something(prompt: str, asked: set[str]) -> None:
    assert asked <= recognise(prompt)


def test_each_directive_says_what_it_asks_for() -> None:
    assert list(DIRECTIVES) == (
        "figures entities negation claims unsupported silence truncation paraphrase omission all-or-nothing".split()
    )
    assert all(DIRECTIVES.values())
