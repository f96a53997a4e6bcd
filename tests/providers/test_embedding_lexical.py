"""What the offline embedder promises: it compares wording, in any language, and always says the same."""

import asyncio
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.domain import ModelRequest
from calibrate.errors import InputError
from calibrate.providers import expected_cost, largest_cost
from calibrate.providers.embedding_lexical import LexicalEmbedder
from calibrate.providers.embeddings import cosine_similarity, embedding_request, embedding_vectors

EMBEDDER = LexicalEmbedder()


def vectors(*texts):
    return embedding_vectors(asyncio.run(EMBEDDER.complete(embedding_request(texts))))


def similarity(one, other):
    return cosine_similarity(*vectors(one, other))


@given(st.text(), st.text())
def test_similarities_are_symmetric_and_between_0_and_1(one, other):
    first, second = vectors(one, other)
    assert 0.0 <= cosine_similarity(first, second) <= 1.0
    assert cosine_similarity(first, second) == cosine_similarity(second, first)


@given(st.text().filter(lambda text: any(each.isalnum() for each in text)))
def test_identical_texts_have_similarity_1(text):
    assert similarity(text, text) == 1.0


@pytest.mark.parametrize("blank", ["", " \n", "¿?", "…!"])
def test_a_text_without_a_letter_or_a_digit_is_like_nothing(blank):
    assert set(vectors(blank)[0]) == {0.0}
    assert similarity(blank, "What is this?") == 0.0


def test_every_other_vector_has_length_1():
    assert math.hypot(*vectors("How long do I have?")[0]) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("question", "paraphrase", "unrelated"),
    [
        (
            "How long do I have to return a product?",
            "How many days do I have to return a product I bought?",
            "What payment methods are accepted?",
        ),
        ("Who founded the company?", "Which person founded this company?", "When does the museum open on Sundays?"),
        (
            "¿Cuántos días tengo para devolver un producto?",
            "¿Qué plazo hay para devolver los productos comprados?",
            "¿Qué métodos de pago se aceptan?",
        ),
        ("¿Quién fundó la empresa?", "¿Qué persona fundó esta empresa?", "¿A qué hora abre el museo los domingos?"),
    ],
)
def test_a_question_is_more_like_its_paraphrase_than_like_another(question, paraphrase, unrelated):
    assert similarity(question, paraphrase) > 0.3 > similarity(question, unrelated)


@pytest.mark.parametrize(
    ("one", "other"),
    [("¿Cuántos DÍAS?", "cuantos dias"), ("the-end", "The end!"), ("ﬁle", "file"), ("Straße", "STRASSE")],
)
def test_case_accents_and_punctuation_do_not_count(one, other):
    assert similarity(one, other) == 1.0


def test_order_counts_and_so_do_inflected_words():
    assert similarity("the dog bites the man", "the man bites the dog") < 1.0
    assert similarity("devolución", "devoluciones") > 0.3


def test_the_vectors_of_this_version_never_change():
    # A change of these numbers needs another version in the identity: stored replies hold similarities.
    assert similarity("Who founded the company?", "Which person founded this company?") == pytest.approx(
        0.45318, abs=1e-5
    )
    assert EMBEDDER.identity == {"api": "lexical", "version": 1}


def test_a_text_has_the_same_vector_whatever_it_comes_with():
    assert vectors("a question")[0] == vectors("another", "a question", "")[1]
    assert vectors() == []


def test_it_is_free_and_says_what_it_is():
    response = asyncio.run(EMBEDDER.complete(embedding_request(["a"])))
    assert (response.cost, response.model, response.finish) == (0.0, "lexical", "stop")
    assert (EMBEDDER.name, EMBEDDER.simulated) == ("lexical", False)
    assert largest_cost(EMBEDDER, embedding_request(["a"])) == 0.0
    assert expected_cost(EMBEDDER, 100, 0) == 0.0


def test_it_answers_no_prompts():
    with pytest.raises(InputError, match="lexical is an embedder"):
        asyncio.run(EMBEDDER.complete(ModelRequest(system="", user="Judge.")))
