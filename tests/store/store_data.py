"""Small golden sets, responses and judgements to put into a store."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from calibrate.domain import GoldenSet, Item, Judgement, ModelResponse, Scale, Scored, Usage, Verdict, digest
from calibrate.store import RunKind, RunRecord, Store

BINARY = Scale("binary", ("0", "1"), positive="1")
SCALES = {
    "faithfulness": BINARY,
    "topic": Scale("nominal", ("billing", "shipping", "other")),
    "preference": Scale("pairwise", ("A", "B", "tie")),
    "quality": Scale("ordinal", ("1", "2", "3", "4", "5")),
    "overlap": Scale("interval", threshold=0.5, low=0.0, high=1.0),
}
JUDGE = {"model": "sim:reader", "settings": {"temperature": 0.0}}


class Clock:
    """A clock that stands still until it is told otherwise."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def pass_seconds(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


def golden_set(name: str = "support", size: int = 3) -> GoldenSet:
    items = tuple(
        Item(str(n), "faithfulness", {"context": f"context of {name} {n}", "answer": f"answer {n}"}, str(n % 2))
        for n in range(size)
    )
    return GoldenSet(name, items, {"faithfulness": BINARY})


def response(text: str = "fine", cost: float | None = 0.001, cached_at: str | None = None) -> ModelResponse:
    return ModelResponse(text, "stop", "reader-1", Usage(input_tokens=100, output_tokens=10), cost, 0.25, cached_at)


def key(name: object) -> str:
    return digest(str(name))


def judgement(
    evaluation: int,
    item_id: str,
    verdict: Verdict | None = None,
    answer: ModelResponse | None = None,
    request: str | None = None,
) -> Judgement:
    return Judgement(
        evaluation, item_id, verdict or Scored("1", "because"), key(request or item_id), answer or response()
    )


def a_run(
    store: Store,
    spec: object = "first",
    *,
    golden: str | None = None,
    new: bool = False,
    kind: RunKind = "optimize",
) -> RunRecord:
    golden_digest = golden or store.save_golden(golden_set(), "support.csv")
    return store.start_run(kind, {"judge": JUDGE, "spec": spec}, golden_digest, "faithfulness", new=0 if new else None)


def an_evaluation(store: Store, name: str = "evaluation", prompt: str = "Judge it.") -> int:
    return store.evaluation(
        key=key(name),
        golden_digest=store.save_golden(golden_set(), "support.csv"),
        dimension="faithfulness",
        prompt=prompt,
        model="sim:reader",
        judge={"temperature": 0.0},
    )


def labels(verdicts: Sequence[Verdict]) -> list[str]:
    return [verdict.label if isinstance(verdict, Scored) else f"({verdict.reason})" for verdict in verdicts]
