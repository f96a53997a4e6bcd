"""A RAG system to be shown on pages: three questions, two variants, and texts that are no markup and no script."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from html_pages import NASTY

from calibrate.config import load_settings
from calibrate.workflows.progress import Quiet
from calibrate.workflows.rag import rag_run
from calibrate.workflows.rag_options import RagOptions
from calibrate.workflows.rag_report import RagReport

__all__ = ["evaluate", "write_shop"]

_CHUNKS = (
    {"id": "c1", "text": "Returns are free within thirty days."},
    {"id": "c2", "text": f"Shipping takes two days. {NASTY}"},
    {"id": "c3", "text": "The warranty lasts three years."},
)
_QUESTIONS = (
    {
        "id": "q1",
        "question": f"How long may I return? {NASTY}",
        "relevant": ["c1"],
        "reference": f"Thirty days. {NASTY}",
    },
    {"id": "q2", "question": "How long is the warranty?", "relevant": ["c3"], "reference": "Three years."},
    {"id": "n1", "question": "Do you open on Sundays?", "relevant": []},
)
_OUTPUTS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "old": (
        {"id": "q1", "ranked": ["c2", "c1"], "context": ["c2"], "answer": f"Two days [c2]. {NASTY}"},
        {"id": "q2", "ranked": ["c1", "c2"], "context": ["c1"], "answer": "Five years [c3]. See [c99]."},
        {"id": "n1", "ranked": ["c1"], "context": ["c1"], "answer": "Yes, we open on Sundays [c1]."},
    ),
    "new": (
        {"id": "q1", "ranked": ["c1", "c2"], "context": ["c1"], "answer": "Returns are free within thirty days [c1]."},
        {"id": "q2", "ranked": ["c3", "c2"], "context": ["c3"], "answer": "The warranty lasts three years [c3]."},
        {"id": "n1", "ranked": ["c1"], "context": ["c1"], "answer": "I do not know."},
    ),
}


def write_shop(folder: Path) -> Path:
    """Write bank, corpus and both variants; the new one tells how long it took, and nothing else does."""
    shop = folder / "shop"
    (shop / "variants").mkdir(parents=True)
    _write(shop / "bank.jsonl", _QUESTIONS)
    _write(shop / "corpus.jsonl", _CHUNKS)
    for name, rows in _OUTPUTS.items():
        took = {"latency": 0.5} if name == "new" else {}
        _write(shop / "variants" / f"{name}.jsonl", [{**row, **took} for row in rows])
    return shop


def evaluate(bank: Path | str, db: Path, **options: Any) -> RagReport:
    """Evaluate the variants in a bank's folder."""
    asked = RagOptions(str(bank), **options)
    return asyncio.run(rag_run(asked, load_settings({}, db.parent), str(db), Quiet()))


def _write(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
