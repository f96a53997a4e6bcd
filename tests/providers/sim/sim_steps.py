"""Judges of the steps of a RAG evaluation, asked through the simulator, for its tests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from calibrate.domain import Item, Scale, Scored, Text
from calibrate.judge import JudgeSettings, Prompt, PromptJudge, Task, shown_inputs
from calibrate.providers.sim import SimReader

BINARY = Scale("binary", ("0", "1"), positive="1")
SUPPORT = Scale("nominal", ("supported", "contradicted", "not mentioned"))
RESPALDO = Scale("nominal", ("respaldada", "contradicha", "no mencionada"))
SIMILARITY = Scale("interval", threshold=0.5, low=0.0, high=1.0)


def asked(
    task: Task,
    prompt: str,
    inputs: Mapping[str, Text],
    *,
    scale: Scale = BINARY,
    language: str = "en",
    model: str = "sim:reader",
) -> tuple[dict[str, Any], Any]:
    """Return the simulator's reply to a judge as JSON, and the verdict that the judge reads in it."""
    item = Item("1", "x", inputs)
    settings = JudgeSettings(language=language, task=task)
    judge = PromptJudge(Prompt.parse(prompt, shown_inputs(task, tuple(inputs))), model, scale, settings)
    response = asyncio.run(SimReader(model).complete(judge.request(item)))
    return json.loads(response.text), judge.read(response, item)


def split(prompt: str, answer: str, **told: Any) -> list[tuple[str, str]]:
    """Return the claims of an answer and their kinds."""
    reply, verdict = asked("split", prompt, {"question": "", "answer": answer}, **told)
    assert isinstance(verdict, Scored)
    return [(claim["claim"], claim["kind"]) for claim in reply["claims"]]


def verified(prompt: str, context: Text, claims: Text, *, scale: Scale = SUPPORT, **told: Any) -> list[dict[str, Any]]:
    """Return what is found of each claim, after the judge has checked the quotes."""
    _, verdict = asked("verify", prompt, {"context": context, "claim": claims}, scale=scale, **told)
    assert isinstance(verdict, Scored), verdict
    assert verdict.evidence is not None
    found: list[dict[str, Any]] = verdict.evidence["claims"]  # type: ignore[assignment]  # a list of objects
    return found


def labels(prompt: str, context: Text, claims: Text, **told: Any) -> list[str]:
    """Return the label of each claim."""
    return [each["label"] for each in verified(prompt, context, claims, **told)]
