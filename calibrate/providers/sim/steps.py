"""The reader's replies to the steps of judging claim by claim."""

from __future__ import annotations

from typing import Literal

from calibrate.domain import Json
from calibrate.providers.sim.asking import write_questions
from calibrate.providers.sim.directives import recognise
from calibrate.providers.sim.splitting import split_answer
from calibrate.providers.sim.step_directives import recognise_step
from calibrate.providers.sim.step_requests import StepRequest
from calibrate.providers.sim.verifying import attention_to_claims, verify_claims

__all__ = ["answer_step"]

_MARKS = ("conditional", "normative")
_SPLIT: dict[Literal["en", "es"], str] = {
    "en": "The answer makes {count} statements, cut {how}.",
    "es": "La respuesta hace {count} afirmaciones, separadas {how}.",
}
_HOW = {
    "en": {True: "by fact", False: "by sentence"},
    "es": {True: "por datos", False: "por frases"},
}


def answer_step(request: StepRequest, *, small: bool) -> dict[str, Json] | None:
    """Return the reply to a request for one step as JSON, or None when it offers no labels to choose from.

    Args:
        request: what is asked, with everything that the step needs.
        small: whether the smaller reader answers; it marks no kinds and verifies with fewer checks.
    """
    asked = recognise_step(request.instructions)
    if request.step == "verify":
        if not request.labels:
            return None
        attention = attention_to_claims(recognise(request.instructions), asked, small=small)
        verdicts = verify_claims(
            request.claims,
            request.context or (),
            request.labels,
            attention,
            request.language,
            abstain=request.abstain,
        )
        return {"verdicts": verdicts}
    answer = request.answer or ""
    if request.step == "questions":
        return {"questions": list(write_questions(answer, asked))}
    claims = split_answer(answer, asked - set(_MARKS) if small else asked)
    how = _HOW[request.language]["atomic" in asked]
    return {
        "reasoning": _SPLIT[request.language].format(count=len(claims), how=how),
        "claims": [{"claim": claim.text, "kind": claim.kind} for claim in claims],
    }
