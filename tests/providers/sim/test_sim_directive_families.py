"""Judges are instructed by people of many trades: what they ask for is recognised, and little else is read into it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from calibrate.providers.sim import DIRECTIVES, recognise

HERE = Path(__file__).parent
RECOGNISED = 0.9
READ_INTO_OTHERS = 0.1
READ_INTO_NEUTRAL = 0.05


def _read(name: str) -> dict[str, list[str]]:
    loaded: dict[str, list[str]] = json.loads((HERE / name).read_text(encoding="utf-8"))
    return loaded


SENTENCES = {language: _read(f"directive_sentences_{language}.json") for language in ("en", "es")}
NEUTRAL: dict[str, list[str]] = {
    language: json.loads((HERE / f"neutral_sentences_{language}.json").read_text(encoding="utf-8"))
    for language in ("en", "es")
}


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("directive", DIRECTIVES)
def test_what_is_asked_for_is_recognised(directive: str, language: str) -> None:
    sentences = SENTENCES[language][directive]
    missed = [sentence for sentence in sentences if directive not in recognise(sentence)]
    assert len(missed) <= (1 - RECOGNISED) * len(sentences), missed


@pytest.mark.parametrize("language", ["en", "es"])
def test_few_sentences_seem_to_ask_for_something_else_too(language: str) -> None:
    pairs = [(directive, sentence) for directive, group in SENTENCES[language].items() for sentence in group]
    mistaken = [sentence for directive, sentence in pairs if recognise(sentence) - {directive}]
    assert len(mistaken) <= READ_INTO_OTHERS * len(pairs), mistaken


@pytest.mark.parametrize("language", ["en", "es"])
def test_sentences_about_the_reply_ask_for_nothing(language: str) -> None:
    found = [sentence for sentence in NEUTRAL[language] if recognise(sentence)]
    assert len(found) <= READ_INTO_NEUTRAL * len(NEUTRAL[language]), found


@pytest.mark.parametrize("language", ["en", "es"])
def test_one_sentence_for_each_directive_makes_a_prompt_that_asks_for_all(language: str) -> None:
    lines = [SENTENCES[language][directive][2] for directive in DIRECTIVES]
    assert len(recognise("\n".join(lines))) >= len(DIRECTIVES) - 1


@pytest.mark.parametrize(
    ("sentence", "off"),
    [
        ("You need not check the amounts.", "figures"),
        ("Numbers and dates are irrelevant here.", "figures"),
        ("Do not bother with negations or exceptions.", "negation"),
        ("There is no need to break the answer into claims.", "claims"),
        ("You may use general knowledge to fill in what the source leaves out.", "unsupported"),
        ("Outside knowledge is welcome.", "unsupported"),
        ("Penalise every omission.", "omission"),
        ("A complete answer is required: missing details are errors.", "omission"),
        ("One wrong claim does not fail the answer.", "all-or-nothing"),
        ("A paraphrase is an error.", "paraphrase"),
        ("No hace falta comprobar los importes.", "figures"),
        ("Las fechas no importan.", "figures"),
        ("No te fijes en las negaciones.", "negation"),
        ("No hace falta dividir la respuesta en afirmaciones.", "claims"),
        ("Puedes usar tu cultura general.", "unsupported"),
        ("Penaliza toda omisión.", "omission"),
        ("Una afirmación falsa no basta para suspender la respuesta.", "all-or-nothing"),
        ("Una paráfrasis es un error.", "paraphrase"),
    ],
)
def test_what_is_waved_aside_or_reversed_is_not_asked_for(sentence: str, off: str) -> None:
    assert off not in recognise(sentence)
