"""The tables of the run database, as SQLAlchemy 2 typed models.

A change here comes with a numbered migration in ``migrations/versions``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sqlalchemy import JSON, Dialect, ForeignKey, Index, String, TypeDecorator, UniqueConstraint
from sqlalchemy import Text as AnyText
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

__all__ = [
    "Base",
    "BatchRequestRow",
    "BatchRow",
    "CandidateRow",
    "EvaluationRow",
    "GoldenSetRow",
    "ItemRow",
    "IterationRow",
    "PromptRow",
    "ResponseRow",
    "RunRow",
    "SideRow",
    "UncertainChargeRow",
    "VerdictRow",
    "storable",
]

Digest = String(32)
Moment = String(32)  # ISO 8601, UTC
OptionalJSON = JSON(none_as_null=True)

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def storable(value: Any) -> Any:
    """Return JSON as a database can hold it, its texts as :class:`Text` stores them."""
    if isinstance(value, str):
        return _UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {storable(name): storable(each) for name, each in value.items()}
    return [storable(each) for each in value] if isinstance(value, list | tuple) else value


class Text(TypeDecorator[str]):
    """Text as UTF-8 columns can hold it: half an emoji (a lone surrogate) or a NUL in a reply becomes U+FFFD."""

    impl = AnyText
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 — the base's signature
        return None if value is None else _UNSTORABLE.sub("\ufffd", value)


class Base(DeclarativeBase):
    """Common base."""


class GoldenSetRow(Base):
    """A golden set as it was when it was used: later edits of the file do not change earlier results."""

    __tablename__ = "golden_sets"

    digest: Mapped[str] = mapped_column(Digest, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    source: Mapped[str] = mapped_column(Text)
    about: Mapped[dict[str, Any]] = mapped_column(JSON)
    created: Mapped[str] = mapped_column(Moment)


class ItemRow(Base):
    """One item of a golden set."""

    __tablename__ = "items"

    golden_digest: Mapped[str] = mapped_column(ForeignKey("golden_sets.digest"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    item: Mapped[dict[str, Any]] = mapped_column(JSON)


class PromptRow(Base):
    """A judge prompt, by content."""

    __tablename__ = "prompts"

    digest: Mapped[str] = mapped_column(Digest, primary_key=True)
    text: Mapped[str] = mapped_column(Text)


class RunRow(Base):
    """One command's work: a baseline or a calibration. The same specification is the same run."""

    __tablename__ = "runs"
    __table_args__ = (UniqueConstraint("spec_digest", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    spec_digest: Mapped[str] = mapped_column(Digest)
    number: Mapped[int]
    spec: Mapped[dict[str, Any]] = mapped_column(JSON)
    golden_digest: Mapped[str] = mapped_column(ForeignKey("golden_sets.digest"))
    dimension: Mapped[str] = mapped_column(Text)
    status: Mapped[str] = mapped_column(String(16))
    result: Mapped[dict[str, Any] | None] = mapped_column(OptionalJSON)
    version: Mapped[str] = mapped_column(String(32))
    created: Mapped[str] = mapped_column(Moment)
    finished: Mapped[str | None] = mapped_column(Moment)
    owner: Mapped[dict[str, Any] | None] = mapped_column(OptionalJSON)


class EvaluationRow(Base):
    """One judge (prompt, model, settings) over one golden set and dimension, once."""

    __tablename__ = "evaluations"
    __table_args__ = (Index("ix_evaluations_scope", "golden_digest", "dimension"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(Digest, unique=True)
    golden_digest: Mapped[str] = mapped_column(ForeignKey("golden_sets.digest"))
    dimension: Mapped[str] = mapped_column(Text)
    prompt_digest: Mapped[str] = mapped_column(ForeignKey("prompts.digest"))
    model: Mapped[str] = mapped_column(Text)
    judge: Mapped[dict[str, Any]] = mapped_column(JSON)
    repeat: Mapped[int]
    created: Mapped[str] = mapped_column(Moment)


class CandidateRow(Base):
    """A prompt that a run tried. Number 0 is the prompt the run started from."""

    __tablename__ = "candidates"

    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    iteration: Mapped[int]
    strategy: Mapped[str] = mapped_column(Text)
    parent: Mapped[int | None]
    prompt_digest: Mapped[str] = mapped_column(ForeignKey("prompts.digest"))
    status: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str] = mapped_column(Text)
    evaluation_id: Mapped[int | None] = mapped_column(ForeignKey("evaluations.id"))
    score: Mapped[float | None]
    metrics: Mapped[dict[str, Any] | None] = mapped_column(OptionalJSON)
    cost: Mapped[float | None]
    created: Mapped[str] = mapped_column(Moment)
    partner: Mapped[int | None]
    shown: Mapped[list[str] | None] = mapped_column(OptionalJSON)


class IterationRow(Base):
    """What one iteration of a calibration decided: strategies and parents drawn, failure patterns found."""

    __tablename__ = "iterations"

    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    record: Mapped[dict[str, Any]] = mapped_column(JSON)
    created: Mapped[str] = mapped_column(Moment)


class ResponseRow(Base):
    """A model's response, by the content address of its request; asking afresh adds a generation."""

    __tablename__ = "responses"

    key: Mapped[str] = mapped_column(Digest, primary_key=True)
    generation: Mapped[int] = mapped_column(primary_key=True)
    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id"), index=True)
    requested: Mapped[str] = mapped_column(Text)
    returned: Mapped[str] = mapped_column(Text)
    text: Mapped[str] = mapped_column(Text)
    finish: Mapped[str] = mapped_column(String(16))
    input_tokens: Mapped[int | None]
    cache_read_tokens: Mapped[int | None]
    cache_write_tokens: Mapped[int | None]
    output_tokens: Mapped[int | None]
    reasoning_tokens: Mapped[int | None]
    cost: Mapped[float | None]
    latency: Mapped[float]
    created: Mapped[str] = mapped_column(Moment)
    confidence: Mapped[float | None]
    enlarged: Mapped[int] = mapped_column(server_default="0")
    batch_id: Mapped[int | None]


class UncertainChargeRow(Base):
    """A charge of unknown amount: an attempt that may have been billed without an answer, or a reply without usage."""

    __tablename__ = "uncertain_charges"

    id: Mapped[int] = mapped_column(primary_key=True)
    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id"), index=True)
    model: Mapped[str] = mapped_column(Text)
    reason: Mapped[str] = mapped_column(Text)
    at_most: Mapped[float | None]
    created: Mapped[str] = mapped_column(Moment)


class BatchRow(Base):
    """A job at a provider's batch endpoint. It is written before it is submitted, so that none is ever forgotten.

    The owner is the process that submits it and collects its results.
    """

    __tablename__ = "batches"

    id: Mapped[int] = mapped_column(primary_key=True)
    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id"))
    token: Mapped[str] = mapped_column(Digest, unique=True)
    model: Mapped[str] = mapped_column(Text)
    provider_id: Mapped[str | None] = mapped_column(Text)
    status: Mapped[str] = mapped_column(String(16))
    created: Mapped[str] = mapped_column(Moment)
    owner: Mapped[dict[str, Any] | None] = mapped_column(OptionalJSON)
    at_most: Mapped[float | None]


class BatchRequestRow(Base):
    """One request of a batch, by its content address, which is also its custom id at the provider."""

    __tablename__ = "batch_requests"

    batch_id: Mapped[int] = mapped_column(ForeignKey("batches.id"), primary_key=True)
    key: Mapped[str] = mapped_column(Digest, primary_key=True, index=True)


class SideRow(Base):
    """Whether an item (or its group) is held out; once chosen, it stays there in every later calibration."""

    __tablename__ = "sides"

    key: Mapped[str] = mapped_column(Digest, primary_key=True)
    held_out: Mapped[bool]
    created: Mapped[str] = mapped_column(Moment)


class VerdictRow(Base):
    """What an evaluation says of an item: a label, or the reason why there is none."""

    __tablename__ = "verdicts"

    evaluation_id: Mapped[int] = mapped_column(ForeignKey("evaluations.id"), primary_key=True)
    item_id: Mapped[str] = mapped_column(Text, primary_key=True)
    label: Mapped[str | None] = mapped_column(Text)
    unscored: Mapped[str | None] = mapped_column(String(16))
    detail: Mapped[str] = mapped_column(Text)
    reasoning: Mapped[str] = mapped_column(Text)
    confidence: Mapped[float | None]
    response_key: Mapped[str] = mapped_column(Digest)
    evidence: Mapped[dict[str, Any] | None] = mapped_column(OptionalJSON)
