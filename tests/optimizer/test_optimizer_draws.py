"""Every iteration draws anew from the meta-LLM, also when nothing has changed since the last one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from calibrate.domain import Item, ModelRequest, ModelResponse, Scale, Scored
from calibrate.optimizer import Candidate, Evaluation, Limits, MetaTask, optimize

ITEMS = [Item(str(n), "faithfulness", {"answer": f"answer {n}"}, str(n % 2)) for n in range(4)]
TASK = MetaTask("faithfulness", "en", ("answer",), Scale("binary", ("0", "1"), "1"))


def test_no_request_is_asked_twice_in_one_calibration_or_in_the_next() -> None:
    asked: list[ModelRequest] = []

    async def propose(requests: Sequence[ModelRequest]) -> list[ModelResponse]:
        asked.extend(requests)
        return [ModelResponse("no idea", "stop", "meta") for _ in requests]

    async def evaluate(candidates: Sequence[Candidate]) -> list[Evaluation]:
        return [Evaluation(0.5, {item.id: Scored("1") for item in ITEMS}) for _ in candidates]

    limits = Limits(iterations=6, patience=6, history=2)
    for repeat in (0, 1):
        task = MetaTask(**{name: getattr(TASK, name) for name in MetaTask.__slots__ if name != "repeat"}, repeat=repeat)
        asyncio.run(optimize("Judge it.", ITEMS, task, propose=propose, evaluate=evaluate, limits=limits))

    assert len(asked) == len({str(request.to_json()) for request in asked})


def test_a_judge_with_its_own_format_keeps_it() -> None:
    from dataclasses import replace

    from calibrate.optimizer import STRATEGIES, Remembered
    from calibrate.optimizer.meta_prompt import meta_request

    current = Remembered("Judge it. End with 'Verdict: yes' or 'Verdict: no'.", 0.5, "baseline")
    usual, own = (
        meta_request(replace(TASK, own_format=own), STRATEGIES[0], current, [], [], []).system for own in (False, True)
    )
    assert "Do not describe the output format" in usual
    assert "Do not describe the output format" not in own
    assert "Keep word for word" in own
