"""The verdicts of evaluations: read back, and kept as they are once a finished run refers to them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from sqlalchemy import func, null, or_, select
from sqlalchemy.orm import Session

from calibrate.store.tables import CandidateRow, ResponseRow, RunRow, VerdictRow

__all__ = ["answered_items", "answering_models", "is_frozen", "verdict_counts"]

_FAILED = "error"  # the reason of a verdict that another call may replace


def answered_items(session: Session, evaluation: int) -> frozenset[str]:
    """Return the items that have a verdict in an evaluation, other than that the call failed."""
    query = select(VerdictRow.item_id).where(
        VerdictRow.evaluation_id == evaluation,
        or_(VerdictRow.unscored.is_(None), VerdictRow.unscored != _FAILED),
    )
    return frozenset(session.scalars(query))


def verdict_counts(session: Session, evaluations: Collection[int]) -> dict[int, int]:
    """Return how many verdicts each of these evaluations holds; one without any is left out."""
    query = (
        select(VerdictRow.evaluation_id, func.count())
        .where(VerdictRow.evaluation_id.in_(evaluations))
        .group_by(VerdictRow.evaluation_id)
    )
    return {row[0]: int(row[1]) for row in session.execute(query)}


def answering_models(session: Session, evaluation: int) -> tuple[str, ...]:
    """Return the models that answered in an evaluation, as the provider named them."""
    query = (
        select(ResponseRow.key, ResponseRow.returned)
        .join(VerdictRow, VerdictRow.response_key == ResponseRow.key)
        .where(VerdictRow.evaluation_id == evaluation)
        .order_by(ResponseRow.generation)
    )
    latest = {row.key: row.returned for row in session.execute(query)}
    return tuple(sorted(set(latest.values())))


def is_frozen(session: Session, evaluation: int, run_id: int) -> bool:
    """Return whether a finished run other than ``run_id`` refers to an evaluation that holds verdicts.

    A run refers to those of its candidates, to those of its repetitions (noise), of its probes (bias)
    and of its judges (rag).
    """
    held = select(VerdictRow.item_id).where(VerdictRow.evaluation_id == evaluation).limit(1)
    if session.scalar(held) is None:
        return False
    # Not by its status: a finished baseline that fails when it is asked afresh still shows what it found.
    finished = RunRow.id != run_id, RunRow.result.is_not(null())
    candidates = (
        select(CandidateRow.run_id)
        .join(RunRow, RunRow.id == CandidateRow.run_id)
        .where(CandidateRow.evaluation_id == evaluation, *finished)
        .limit(1)
    )
    if session.scalar(candidates) is not None:
        return True
    results = select(RunRow.result).where(RunRow.kind.in_(("noise", "bias", "rag")), *finished)
    return any(evaluation in _named_in(result or {}) for result in session.scalars(results))


def _named_in(result: Mapping[str, Any]) -> Iterator[int]:
    yield from result.get("evaluations", ())
    yield from result.get("variants", {}).values()
