"""Whether a quote occurs in a text word for word."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from calibrate.judge.function_words import has_content
from calibrate.judge.quotes import occurs_in

CONTEXT = "Items can be returned\nwithin  30 days. «Envío gratuito» desde 50 €, señor O’Neil. Start at the café."


@pytest.mark.parametrize(
    "quote",
    [
        CONTEXT,
        "Items can be returned within 30 days.",
        "  items CAN be\treturned\n\nwithin 30 days ",
        '"can be returned"',
        "“can be returned”",
        "«can be returned»",
        "'can be returned'",
        "‘can be returned’",
        "`can be returned`",
        "„can be returned“",
        "Envío gratuito",
        "«Envío gratuito» desde 50 €",
        "desde 50 €",
        unicodedata.normalize("NFD", "Envío gratuito» desde 50 €, señor"),
        "can\u200b be re\u00adturned",
        "ENVÍO GRATUITO",
        "the café",
        "30",
        "returned",
    ],
)
def test_white_space_case_and_surrounding_marks_are_folded(quote: str) -> None:
    assert occurs_in(quote, CONTEXT)
    assert occurs_in(quote, unicodedata.normalize("NFD", CONTEXT))


@pytest.mark.parametrize(
    "quote",
    [
        "",
        "   ",
        '""',
        "...",
        "—",
        "Items can be returned ... 30 days",
        "Items […] within 30 days",
        "Items can be returned within 30 days…",
        "Items can be returned in 30 days.",
        "Items can not be returned",
        "tems can be returned",
        "Items can be return",
        "art",
        "3",
        "0 days",
        "Envio gratuito",
        "caf",
        "days, Envío",
        "be",
        "the",
        "at the",
        "EL",
    ],
)
def test_what_is_not_word_for_word_is_no_quote(quote: str) -> None:
    assert not occurs_in(quote, CONTEXT)


def test_a_part_of_a_word_does_not_hide_the_word_further_on() -> None:
    assert occurs_in("art", "Start with art.")


def test_a_quote_stands_within_one_chunk() -> None:
    chunks = ("Items can be returned", "within 30 days.")
    assert occurs_in("within 30 days", chunks)
    assert not occurs_in("returned within", chunks)
    assert not occurs_in("Items can be returned within 30 days.", chunks)
    assert not occurs_in("anything", ())


WORDS = st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=8), min_size=1, max_size=12)


@given(WORDS, st.data())
def test_any_stretch_of_whole_words_is_found(words: list[str], data: st.DataObject) -> None:
    gaps = data.draw(st.lists(st.sampled_from([" ", "\n", "\t ", ", "]), min_size=len(words), max_size=len(words)))
    context = "".join(word + gap for word, gap in zip(words, gaps, strict=True))
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    assume(any(has_content(word) for word in words[start:end]))
    quote = "".join(words[place] + (gaps[place] if place < end - 1 else "") for place in range(start, end))
    assert occurs_in(quote, context)
    assert occurs_in(f'"{quote}"', context)


@given(st.text(), st.text())
def test_no_text_makes_the_search_fail(quote: str, context: str) -> None:
    assert occurs_in(quote, context) in (True, False)
