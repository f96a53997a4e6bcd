"""A calibration worked by hand: what each of its eight prompts says about eight items, and who wrote it from what.

Gold is ``1`` for i1 to i4 and ``0`` for i5 to i8. A point is an item without a verdict::

    #  iteration  strategy              from     i1-i4  i5-i8  score  cost
    0  0          baseline                       1111   1111   0.20   0.01
    1  1          fix wrongly accepted  0        1111   0011   0.50   0.02
    2  1          explicit rubric       0        0111   1101   0.30   0.03
    3  1          radical simplification 0       rejected: duplicate of the baseline
    4  2          general improvement   1        0111   ....   stopped: cannot reach 0.50
    5  2          merge                 1 and 2  1111   0001   0.80   0.02
    6  2          fix wrongly accepted  1        1101   0001   0.50   0.04
    7  3          few-shot              5        1110   000.   0.90   0.05

The scores are made up: nothing here computes them from the verdicts. Candidate 7 shows i8 as an example.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from calibrate.domain import GoldenSet, Item, Judgement, Scale, Scored, Unscored, Verdict, digest
from calibrate.store import CandidateRecord, RunKind, Store

__all__ = ["ITEMS", "PATTERNS", "PROMPTS", "TRIED", "save_run"]

ITEMS = tuple(f"i{number}" for number in range(1, 9))
GOLD = "11110000"
PROMPTS = (
    "Judge the answer.",
    "Judge the answer.\nCheck quantities.",
    "1. Names agree.\n2. Else 0.",
    "Judge the answer!",
    "Judge.",
    "Judge the answer.\nCheck quantities.\nCheck names.",
    "Check quantities twice.",
    "Judge the answer.\nCheck quantities.\nCheck names.\nExample: i8 is 0.",
)

TRIED: tuple[tuple[CandidateRecord, str], ...] = (
    (CandidateRecord(0, 0, "baseline", None, PROMPTS[0], "scored", score=0.2, cost=0.01), "11111111"),
    (CandidateRecord(1, 1, "fix wrongly accepted", 0, PROMPTS[1], "scored", score=0.5, cost=0.02), "11110011"),
    (CandidateRecord(2, 1, "explicit rubric", 0, PROMPTS[2], "scored", score=0.3, cost=0.03), "01111101"),
    (CandidateRecord(3, 1, "radical simplification", 0, PROMPTS[3], "rejected", "duplicate of the baseline"), ""),
    (CandidateRecord(4, 2, "general improvement", 1, PROMPTS[4], "stopped", "cannot reach 0.50"), "0111...."),
    (CandidateRecord(5, 2, "merge", 1, PROMPTS[5], "scored", score=0.8, cost=0.02, partner=2), "11110001"),
    (CandidateRecord(6, 2, "fix wrongly accepted", 1, PROMPTS[6], "scored", score=0.5, cost=0.04), "11010001"),
    (
        CandidateRecord(7, 3, "few-shot", 5, PROMPTS[7], "scored", score=0.9, cost=0.05, shown=("i8",)),
        "1110000.",
    ),
)
"""Each candidate with its verdicts in the order of the items: a label, ``?`` for an unscored one, a point for none."""

_QUANTITIES = {"name": "quantities changed", "description": "Numbers are not compared.", "items": ["i5", "i6", "i7"]}
_NAMES = {"name": "names swapped", "description": "Names are not compared.", "items": ["i1", "i8"]}

PATTERNS: Mapping[int, Mapping[str, Any]] = {
    1: {"best": 0, "chosen": [], "patterns": [{**_QUANTITIES, "found": 1}], "analysis": ""},
    2: {"best": 1, "chosen": [], "patterns": [{**_QUANTITIES, "found": 1}, {**_NAMES, "found": 2}], "analysis": ""},
    3: {"best": 5, "chosen": [], "patterns": [{**_QUANTITIES, "found": 1}, {**_NAMES, "found": 2}], "analysis": ""},
}
"""What the iterations of that calibration have on record."""


def save_run(
    db: str,
    tried: Sequence[tuple[CandidateRecord, str]] = TRIED,
    iterations: Mapping[int, Mapping[str, Any]] | None = None,
    *,
    kind: RunKind = "optimize",
    done: bool = True,
    gold: str = GOLD,
    scale: Scale | None = None,
    **spec: Any,
) -> int:
    """Store a calibration as the search does, and return its run."""
    scale = scale or Scale("binary", ("0", "1"), positive="1")
    items = tuple(
        Item(f"i{number}", "faithfulness", {"answer": f"answer {number}"}, label)
        for number, label in enumerate(gold, start=1)
    )
    with Store(db) as store:
        golden = store.save_golden(GoldenSet("worked", items, {"faithfulness": scale}), "worked.csv")
        judge = {"model": "openai:gpt-4.1", "settings": {}}
        written = {"judge": judge, "optimizer": {"model": "openai:gpt-4.1"}, "acceptable": 0.7, **spec}
        run = store.start_run(kind, written, golden, "faithfulness", new=0)
        for candidate, verdicts in tried:
            evaluation = None
            if verdicts:
                evaluation = store.evaluation(
                    key=digest(f"{run.id}:{candidate.number}"),
                    golden_digest=golden,
                    dimension="faithfulness",
                    prompt=candidate.prompt,
                    model="openai:gpt-4.1",
                    judge={},
                )
                judged = [
                    Judgement(evaluation, item.id, _verdict(label), digest(f"{evaluation}:{item.id}"), None)
                    for item, label in zip(items, verdicts, strict=True)
                    if label != "."
                ]
                store.record(run.id, "openai:gpt-4.1", judged)
            store.save_candidate(run.id, replace(candidate, evaluation=evaluation))
        for number, record in (iterations or {}).items():
            store.save_iteration(run.id, number, record)
        if done:
            store.finish_run(run.id, "done", {"stopped": "limit"})
        return run.id


def _verdict(label: str) -> Verdict:
    return Unscored("invalid") if label == "?" else Scored(label, "because")
