"""Whether an answer declines to answer."""

from __future__ import annotations

import re

from calibrate.providers.sim.checks import Attention
from calibrate.providers.sim.judging import Judgement, is_boilerplate
from calibrate.providers.sim.language import fold_word
from calibrate.providers.sim.passages import text_language
from calibrate.providers.sim.polarity import asserts_nothing, speaks_of_silence
from calibrate.providers.sim.statements import single_statements
from calibrate.providers.sim.text import sentences

__all__ = ["declines", "judge_abstention"]

_DECLINES = re.compile(
    r"\b(?:i|we)(?: am| are|'m|'re)? (?:\w+ )?(?:can ?not|can't|unable to|not able to|will not|won't) "
    r"(?:\w+ )?(?:answer|help|assist|respond|say|tell|confirm|find|provide|determine)"
    r"|\b(?:i|we) (?:do not|don't) (?:know|have (?:\w+ ){0,2}(?:answer|information|details|data))"
    r"|\b(?:can ?not|can't|not possible to) be (?:answered|determined|confirmed)"
    r"|\b(?:i am|i'm|we are|we're) not sure\b|\bno idea\b|\bis (?:unknown|not known)\b"
    r"|\bno (?:le |te |os )?(?:puedo|podemos|es posible|soy capaz de|sabria|sabriamos|se puede) "
    r"(?:responder|contestar|ayudar|decir|confirmar|indicar|saber|facilitar|determinar)"
    r"|\bno (?:dispongo de|disponemos de|tengo|tenemos|cuento con|contamos con|hay|encuentro|he encontrado) "
    r"(?:\w+ ){0,3}(?:informacion|datos|detalles|respuesta|constancia)"
    r"|\bno (?:lo se|lo sabemos|se sabe|sabemos)\b|\b(?:desconozco|desconocemos|se desconoce)\b"
)


def declines(folded: str) -> bool:
    """Whether a folded statement says that something is not known, or that its author cannot answer."""
    return speaks_of_silence(folded) or _DECLINES.search(folded) is not None


def judge_abstention(answer: str, attention: Attention) -> Judgement:
    """Judge whether an answer declines to answer; one without text does.

    Args:
        answer: what is judged.
        attention: the checks to make. Told that an answer in part is an answer, the reader looks for statements beside
            the admission that something is not known; else that admission is enough.
    """
    if not answer.strip():
        return Judgement(good=True, score=1.0, overlap=0.0, reason="evasive")
    language = text_language(answer)
    declined = told = 0
    for sentence in sentences(answer):
        for statement in single_statements(sentence.text):
            folded = " ".join(fold_word(word) for word in statement.split())
            if declines(folded):
                declined += 1
            elif not (
                asserts_nothing(folded) or is_boilerplate(statement, language) or statement.rstrip().endswith("?")
            ):
                told += 1
    abstains = declined > 0 and not (told and attention.to("partial answers"))
    score = declined / (declined + told) if abstains else 0.0
    return Judgement(good=abstains, score=score, overlap=0.0, reason="evasive" if abstains else "answers")
