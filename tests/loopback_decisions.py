"""OpenAI's decisions API on the loopback server: what it refuses by the SDK's types, and the shape of its answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from loopback_apis import Call, OpenAIApi, Refused, Reply

if TYPE_CHECKING:
    from loopback import Loopback

__all__ = ["DecisionsApi"]

_KEYS = {
    "predicate": {"type", "instructions", "name"},
    "choice": {"type", "instructions", "name", "choices"},
    "score": {"type", "instructions", "name", "levels"},
}
_ROLES = ("user", "developer", "system", "assistant")
_PROBABILITY = 0.75


class DecisionsApi(OpenAIApi):
    """Shapes as in the SDK's ``decision_create_params.py`` and ``decision.py``.

    A reply's text is the chosen label, or ``{"label": ..., "confidence": ...}``; without a confidence it is 0.75. What
    is left is spread evenly over the other choices. The answer's own ``confidence`` is no probability.
    """

    api: Literal["decisions"] = "decisions"  # type: ignore[assignment]
    parameters = frozenset(
        {"input", "model", "questions", "prompt_cache_key", "prompt_cache_options", "safety_identifier"}
    )

    def check(self, server: Loopback, body: Any, headers: Mapping[str, str]) -> None:
        self.check_call(server, body, headers)
        self._check_input(body.get("input"))
        questions = body.get("questions")
        if not isinstance(questions, list) or not 1 <= len(questions) <= 400:
            raise Refused(400, "Ask 1-400 questions about the input.", param="questions", code="invalid_value")
        for at, question in enumerate(questions):
            self._check_question(question, f"questions[{at}]")

    def _check_input(self, given: Any) -> None:
        if isinstance(given, str):
            return
        if not isinstance(given, list) or not given or any(m.get("role") not in _ROLES for m in given):
            raise Refused(400, "Invalid type for 'input'.", param="input", code="invalid_type")

    def _check_question(self, question: Any, where: str) -> None:
        if question.get("type") not in _KEYS:
            raise Refused(400, f"Invalid value for '{where}.type'.", param=f"{where}.type", code="invalid_value")
        for name in sorted(question.keys() - _KEYS[question["type"]]):
            raise Refused(400, f"Unknown parameter: '{where}.{name}'.", param=where, code="unknown_parameter")
        if not isinstance(question.get("instructions"), str | list):
            raise Refused(400, f"Missing required parameter: '{where}.instructions'.", param=where)
        if question["type"] == "choice":
            self._check_choices(question.get("choices"), f"{where}.choices")

    def _check_choices(self, choices: Any, where: str) -> None:
        if not isinstance(choices, list) or not 2 <= len(choices) <= 255:
            raise Refused(400, "Provide between 2 and 255 choices.", param=where, code="invalid_value")
        for choice in choices:
            if choice.keys() - {"value", "description"} or not isinstance(choice.get("value"), str | bool):
                raise Refused(400, f"Invalid type for '{where}'.", param=where, code="invalid_type")
        if len({(type(choice["value"]), choice["value"]) for choice in choices}) < len(choices):
            raise Refused(400, "Each choice must be unique.", param=where, code="invalid_value")

    def success(self, server: Loopback, call: Call, reply: Reply) -> dict[str, Any]:
        given = reply.input_tokens
        prompt = given if given is not None else -(-len(call.system + call.user) // 4)
        output = reply.output_tokens or 0
        server.charge(prompt, 0, 0)
        body: dict[str, Any] = {
            "answers": [self._answer(question, reply) for question in call.body["questions"]],
            "model": reply.model or call.body["model"],
        }
        if reply.usage:
            body["usage"] = {
                "input_tokens": prompt,
                "input_tokens_details": {
                    "cache_write_tokens": reply.written_tokens,
                    "cached_tokens": reply.cached_tokens,
                },
                "output_tokens": output,
                "output_tokens_details": {"reasoning_tokens": reply.reasoning_tokens},
                "total_tokens": prompt + output,
            }
        return body

    def _answer(self, question: Mapping[str, Any], reply: Reply) -> dict[str, Any]:
        name = question.get("name")
        if reply.finish == "refusal":
            return {"type": "refusal", "name": name}
        told = json.loads(reply.text) if reply.text.startswith("{") else {"label": reply.text}
        probability = told.get("confidence", _PROBABILITY)
        values = [choice["value"] for choice in question["choices"]]
        rest = (1 - probability) / (len(values) - 1)
        return {
            "type": "choice",
            "name": name,
            "choice": told["label"],
            "confidence": (len(values) * probability - 1) / (len(values) - 1),
            "probabilities": [
                {"value": value, "probability": probability if value == told["label"] else rest} for value in values
            ],
        }
