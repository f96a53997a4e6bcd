"""``calibrate rag run --system``: a live system is asked, and what it did is kept."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SYSTEM = """
calls = []

def answer(question):
    calls.append(question["id"])
    if question["id"] == "q2" and len(calls) < 4:
        raise TimeoutError("the index is not ready")
    return {"ranked": ["c1", "c2"], "context": ["c1"], "answer": "Thirty days [c1]."}
"""


@pytest.fixture
def shop() -> Iterator[str]:
    Path("shop").mkdir()
    questions = [{"id": f"q{n}", "question": f"What about {n}?", "relevant": [f"c{n}"]} for n in (1, 2, 3)]
    chunks = [{"id": f"c{n}", "text": f"Number {n} takes thirty days."} for n in (1, 2, 3)]
    for name, rows in (("bank", questions), ("corpus", chunks)):
        Path(f"shop/{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    Path("live_shop.py").write_text(SYSTEM, encoding="utf-8")
    yield "shop"
    sys.modules.pop("live_shop", None)


def test_outputs_are_kept_and_what_failed_is_asked_again(program, shop):
    first = program("rag", "run", shop, "--system", "new=live_shop:answer", "--json", code=1)
    assert first.json["status"] == "too_many_missing"
    assert "new: live_shop:answer raised on 1 of 3 questions, which has no output; 'q2': TimeoutError" in first.err
    kept = Path("new.outputs.jsonl").read_text(encoding="utf-8").splitlines()
    assert sorted(json.loads(line)["id"] for line in kept) == ["q1", "q3"]
    asked = len(sys.modules["live_shop"].calls)
    again = program("rag", "run", shop, "--system", "new=live_shop:answer", "--json")
    assert "new.outputs.jsonl holds 2 outputs already; --fresh asks for them again" in again.err
    assert sys.modules["live_shop"].calls[asked:] == ["q2"]
    # What was kept is a recorded variant like any other.
    recorded = program("rag", "run", shop, "--variant", "new=new.outputs.jsonl", "--json")
    assert recorded.json["run"] == again.json["run"]
    program("rag", "run", shop, "--system", "new=live_shop:answer", "--fresh", "--json")
    assert sys.modules["live_shop"].calls[asked + 1 :] != []
    assert Path("new.outputs.1.jsonl").exists()


def test_a_system_that_cannot_be_loaded(program, shop):
    told = program("rag", "run", shop, "--system", "live_shop:nothing", code=2)
    assert told.error == "live_shop:nothing: module 'live_shop' has no function 'nothing'"
