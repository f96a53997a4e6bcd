"""Between rows and the frozen types that leave the store."""

from __future__ import annotations

from typing import Any, get_args

from calibrate.domain import (
    UNSCORED_REASONS,
    GoldenSet,
    Item,
    Judgement,
    ModelResponse,
    Scale,
    Scored,
    Unscored,
    Usage,
    Verdict,
)
from calibrate.store.records import CandidateRecord, CandidateStatus, RunKind, RunRecord, RunStatus
from calibrate.store.tables import CandidateRow, GoldenSetRow, ResponseRow, RunRow, VerdictRow, storable

__all__ = [
    "candidate_record",
    "golden_set",
    "golden_values",
    "model_response",
    "response_values",
    "run_record",
    "verdict",
    "verdict_values",
]


def run_record(row: RunRow) -> RunRecord:
    """Return a run row as a record."""
    return RunRecord(
        id=row.id,
        kind=_KINDS[row.kind],
        number=row.number,
        spec=row.spec,
        golden_digest=row.golden_digest,
        dimension=row.dimension,
        status=_STATUS[row.status],
        result=row.result,
        version=row.version,
        created=row.created,
        finished=row.finished,
    )


_KINDS: dict[str, RunKind] = {kind: kind for kind in get_args(RunKind)}
_STATUS: dict[str, RunStatus] = {status: status for status in get_args(RunStatus)}
_CANDIDATE_STATUS: dict[str, CandidateStatus] = {status: status for status in get_args(CandidateStatus)}


def golden_values(golden: GoldenSet, key: str, source: str, created: str) -> dict[str, Any]:
    """Return a golden set without its items as the values of a row."""
    about = {
        "scales": {name: scale.to_json() for name, scale in golden.scales.items()},
        "provenance": golden.provenance,
        "language": golden.language,
        "gold": golden.gold,
    }
    return {"digest": key, "name": golden.name, "source": source, "about": about, "created": created}


def golden_set(row: GoldenSetRow, items: tuple[Item, ...]) -> GoldenSet:
    """Return a golden set's row, with its items, as it was used."""
    about = row.about
    return GoldenSet(
        name=row.name,
        items=items,
        scales={name: Scale.from_json(scale) for name, scale in about["scales"].items()},
        provenance=about["provenance"],
        language=about["language"],
        gold=about["gold"],
    )


def candidate_record(row: CandidateRow, prompt: str) -> CandidateRecord:
    """Return a candidate row, with its prompt's text, as a record."""
    return CandidateRecord(
        number=row.number,
        iteration=row.iteration,
        strategy=row.strategy,
        parent=row.parent,
        prompt=prompt,
        status=_CANDIDATE_STATUS[row.status],
        reason=row.reason,
        evaluation=row.evaluation_id,
        score=row.score,
        metrics=row.metrics,
        cost=row.cost,
        partner=row.partner,
        shown=tuple(row.shown or ()),
    )


def model_response(row: ResponseRow) -> ModelResponse:
    """Return a stored response as a replayed one."""
    return ModelResponse(
        text=row.text,
        finish="length" if row.finish == "length" else "refusal" if row.finish == "refusal" else "stop",
        model=row.returned,
        usage=Usage(
            input_tokens=row.input_tokens,
            cache_read_tokens=row.cache_read_tokens,
            cache_write_tokens=row.cache_write_tokens,
            output_tokens=row.output_tokens,
            reasoning_tokens=row.reasoning_tokens,
        ),
        cost=row.cost,
        latency=row.latency,
        cached_at=row.created,
        confidence=row.confidence,
        enlarged=row.enlarged,
        batch=row.batch_id,
    )


def verdict_values(judgement: Judgement) -> dict[str, Any]:
    """Return a judgement's verdict as the values of a row."""
    given = judgement.verdict
    scored = given if isinstance(given, Scored) else None
    unscored = given if isinstance(given, Unscored) else None
    return {
        "evaluation_id": judgement.evaluation,
        "item_id": judgement.item_id,
        "label": scored and scored.label,
        "unscored": unscored and unscored.reason,
        "detail": unscored.detail if unscored else "",
        "reasoning": scored.reasoning if scored else "",
        "confidence": scored and scored.confidence,
        "response_key": judgement.key,
        "evidence": storable(scored.evidence) if scored and scored.evidence else None,
    }


def verdict(row: VerdictRow) -> Verdict:
    """Return a verdict row as a verdict."""
    if row.label is not None:
        return Scored(row.label, row.reasoning, row.confidence, row.evidence)
    reason = next(each for each in UNSCORED_REASONS if each == row.unscored)
    return Unscored(reason, row.detail)


def response_values(run_id: int, key: str, requested: str, response: ModelResponse, created: str) -> dict[str, Any]:
    """Return a response as the values of a row."""
    usage = response.usage
    return {
        "key": key,
        "run_id": run_id,
        "requested": requested,
        "returned": response.model,
        "text": response.text,
        "finish": response.finish,
        "input_tokens": usage.input_tokens,
        "cache_read_tokens": usage.cache_read_tokens,
        "cache_write_tokens": usage.cache_write_tokens,
        "output_tokens": usage.output_tokens,
        "reasoning_tokens": usage.reasoning_tokens,
        "cost": response.cost,
        "latency": response.latency,
        "created": created,
        "confidence": response.confidence,
        "enlarged": response.enlarged,
        "batch_id": response.batch,
    }
