"""The candidates of calibrations: written, read back, and looked up for a later search."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from calibrate.store.mapping import candidate_record
from calibrate.store.records import CandidateRecord, RunRecord, Tried
from calibrate.store.statements import upsert
from calibrate.store.tables import CandidateRow, IterationRow, PromptRow, RunRow

__all__ = ["candidates_of", "remove_left_over", "tried_before", "write_candidate"]


def write_candidate(session: Session, run_id: int, candidate: CandidateRecord, prompt_digest: str, now: str) -> None:
    """Write a candidate whose prompt is stored; written again, it keeps the time it was first written at."""
    values = {
        "run_id": run_id,
        "number": candidate.number,
        "iteration": candidate.iteration,
        "strategy": candidate.strategy,
        "parent": candidate.parent,
        "prompt_digest": prompt_digest,
        "status": candidate.status,
        "reason": candidate.reason,
        "evaluation_id": candidate.evaluation,
        "score": candidate.score,
        "metrics": None if candidate.metrics is None else dict(candidate.metrics),
        "cost": candidate.cost,
        "partner": candidate.partner,
        "shown": list(candidate.shown) or None,
        "created": now,
    }
    upsert(session, CandidateRow, [values], keep=("created",))


def candidates_of(session: Session, run_id: int) -> tuple[CandidateRecord, ...]:
    """Return a run's candidates by number."""
    query = (
        select(CandidateRow, PromptRow.text)
        .join(PromptRow, PromptRow.digest == CandidateRow.prompt_digest)
        .where(CandidateRow.run_id == run_id)
        .order_by(CandidateRow.number)
    )
    return tuple(candidate_record(row, prompt) for row, prompt in session.execute(query))


def remove_left_over(
    session: Session, run_id: int, candidates: Collection[int] | None, iterations: Collection[int] | None
) -> None:
    """Remove the candidates and iterations of a run that are not among these numbers; None keeps all."""
    for table, numbers in ((CandidateRow, candidates), (IterationRow, iterations)):
        if numbers is not None:
            logged = session.scalars(select(table.number).where(table.run_id == run_id))
            for number in [each for each in logged if each not in numbers]:
                session.execute(delete(table).where(table.run_id == run_id, table.number == number))


def tried_before(session: Session, run: RunRecord) -> tuple[Tried, ...]:
    """Return the candidates logged before a run on its golden set and dimension, in order."""
    query = (
        select(CandidateRow, PromptRow.text, RunRow.id, RunRow.spec)
        .join(PromptRow, PromptRow.digest == CandidateRow.prompt_digest)
        .join(RunRow, RunRow.id == CandidateRow.run_id)
        .where(
            RunRow.golden_digest == run.golden_digest,
            RunRow.dimension == run.dimension,
            RunRow.id < run.id,
            CandidateRow.created <= run.created,
        )
        .order_by(CandidateRow.run_id, CandidateRow.number)
    )
    return tuple(
        Tried(candidate_record(row, prompt), run_id, spec) for row, prompt, run_id, spec in session.execute(query)
    )
