"""The offline writer drafts questions by rules: a statement turned around, or a question that a passage leaves open."""

from __future__ import annotations

import asyncio
import json

import pytest

from calibrate.domain import ModelRequest
from calibrate.providers.sim import SimWriter
from calibrate.rag import Chunk
from calibrate.rag.draft_requests import DraftTask, draft_request

ENGLISH = Chunk("c", "The warranty covers three years. Repairs take ten working days. Parts are free.", "warranty")
SPANISH = Chunk("c", "La garantía cubre tres años. Las reparaciones tardan diez días laborables.", "garantía")


def answer(request: ModelRequest) -> str:
    return asyncio.run(SimWriter().complete(request)).text


@pytest.mark.parametrize(("chunk", "language"), [(ENGLISH, "en"), (SPANISH, "es")])
def test_a_question_is_answered_by_a_statement_of_the_passage(chunk, language):
    reply = json.loads(answer(draft_request(DraftTask(chunk), language)))
    assert set(reply) == {"question", "answer"}
    assert reply["answer"] in chunk.text
    assert reply["question"].endswith("?")
    assert reply["question"].startswith("¿") is (language == "es")


@pytest.mark.parametrize(("chunk", "language"), [(ENGLISH, "en"), (SPANISH, "es")])
def test_a_question_that_is_left_open_has_no_answer(chunk, language):
    reply = json.loads(answer(draft_request(DraftTask(chunk, answerable=False), language)))
    assert set(reply) == {"question"}
    assert reply["question"].startswith("¿") is (language == "es")


def test_what_is_asked_already_is_not_asked_again():
    asked: list[str] = []
    for _ in range(6):
        question = json.loads(answer(draft_request(DraftTask(ENGLISH, asked=tuple(asked)), "en")))["question"]
        assert question not in asked
        asked.append(question)


def test_the_same_request_has_the_same_reply():
    request = draft_request(DraftTask(ENGLISH), "en")
    assert answer(request) == answer(request)


@pytest.mark.parametrize(
    "request_",
    [
        draft_request(DraftTask(Chunk("c", " \n ")), "en"),
        ModelRequest("Write.", "<item>\n<passage>\nA.\n</passage>\n</item>"),
        ModelRequest("Write.", "Nothing.", {"type": "object", "properties": {"question": {"type": "string"}}}),
    ],
)
def test_without_a_passage_or_a_format_it_says_that_it_cannot(request_):
    assert answer(request_).startswith("This is the offline simulator sim:writer.")
