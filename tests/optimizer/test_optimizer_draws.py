"""Every iteration draws anew from the meta-LLM, also when nothing has changed since the last one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from searching import is_analysis, is_repair

from calibrate.domain import Item, ModelRequest, ModelResponse, Scale, Scored
from calibrate.optimizer import Candidate, Evaluation, Limits, MetaTask, Procedure, Trial, optimize

ITEMS = [Item(str(n), "faithfulness", {"answer": f"answer {n}"}, str(n % 2)) for n in range(4)]
TASK = MetaTask("faithfulness", "en", ("answer",), Scale("binary", ("0", "1"), "1"))


def test_no_request_is_asked_twice_in_one_calibration_or_in_the_next() -> None:
    """Rewrites, analyses and follow-ups: the replies are all the same, so only the draw tells the requests apart."""
    asked: list[ModelRequest] = []

    async def propose(requests: Sequence[ModelRequest]) -> list[ModelResponse]:
        asked.extend(requests)
        return [ModelResponse("no idea", "stop", "meta") for _ in requests]

    async def evaluate(candidates: Sequence[Candidate], trials: Sequence[Trial]) -> list[Evaluation]:
        return [Evaluation(0.5, {item.id: Scored("1") for item in ITEMS}) for _ in candidates]

    limits = Limits(iterations=6, patience=6, history=2)
    for repeat in (0, 1):
        # More places than strategies that apply: one strategy is asked several times in an iteration.
        asyncio.run(
            optimize(
                "Judge it.",
                ITEMS,
                replace(TASK, repeat=repeat),
                propose=propose,
                evaluate=evaluate,
                limits=limits,
                procedure=Procedure(width=14),
            )
        )

    assert sum(is_analysis(each) for each in asked) == 2 * 6
    assert sum(is_repair(each) for each in asked) == 2 * 6 * 14
    assert len(asked) == 2 * 6 * (1 + 2 * 14)
    assert len(asked) == len({str(request.to_json()) for request in asked})
