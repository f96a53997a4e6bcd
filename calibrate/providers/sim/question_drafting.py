"""Questions drafted from a passage: a statement of it turned into a question, or one beside it that it leaves open."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from random import Random

from calibrate.domain import ModelRequest
from calibrate.providers.sim.asking import write_questions
from calibrate.providers.sim.language import fold_word
from calibrate.providers.sim.lexicon import look_up
from calibrate.providers.sim.passages import text_language
from calibrate.providers.sim.requests import inputs_of
from calibrate.providers.sim.text import sentences

__all__ = ["draft_question"]

_WORD = re.compile(r"[^\W\d_]+")
_KEY_WORDS = 3
_LEFT_OPEN = {
    "en": (
        "Who decided on this about {key}, and in which year?",
        "Is there a special offer on {key} for people who call by phone?",
        "Can I see a video that explains {key}?",
    ),
    "es": (
        "¿Quién decidió esto sobre {key} y en qué año?",
        "¿Hay alguna oferta especial de {key} para quien llama por teléfono?",
        "¿Puedo ver un vídeo que explique lo de {key}?",
    ),
}


def draft_question(request: ModelRequest, random: Random) -> str | None:
    """Return the reply to a request for a question; None when the request is none, or there is nothing to ask.

    Its reply schema tells: a question with an answer, or a question alone, which is then one left open. The rules turn
    statements around and use their words, as an LLM should not; and whether a corpus leaves a question open they do not
    know.
    """
    properties = request.schema.get("properties") if request.schema else None
    wanted = set(properties) if isinstance(properties, Mapping) else set()
    inputs = inputs_of(request)
    passage = " ".join(inputs.get("passage", inputs.get("passages", ()))[:1])
    if wanted not in ({"question"}, {"question", "answer"}) or not passage.strip():
        return None
    asked = frozenset(inputs.get("asked", ()))
    found = _answered(passage, asked, random) if "answer" in wanted else _left_open(passage, random)
    return None if found is None else json.dumps(found, ensure_ascii=False)


def _answered(passage: str, asked: frozenset[str], random: Random) -> dict[str, str] | None:
    language = text_language(passage)
    statements = [each.text for each in sentences(passage) if not each.heading and text_language(each.text) == language]
    for statement in random.sample(statements, len(statements)):
        for question in write_questions(statement, frozenset()):
            if question not in asked:
                return {"question": question, "answer": statement}
    return None


def _left_open(passage: str, random: Random) -> dict[str, str]:
    language = "es" if text_language(passage) == "es" else "en"
    words = [word for word in _WORD.findall(passage) if look_up(fold_word(word), language).weight >= 1.0]
    key = " ".join(dict.fromkeys(word.lower() for word in words[:_KEY_WORDS]))
    return {"question": random.choice(_LEFT_OPEN[language]).format(key=key)}
