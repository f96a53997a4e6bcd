"""The run database: every prompt, verdict and response, durable before it is counted."""

from calibrate.store.batches import BatchJobs
from calibrate.store.records import (
    CandidateRecord,
    CandidateStatus,
    RunKind,
    RunRecord,
    RunStatus,
    Spending,
    Tried,
    Typical,
)
from calibrate.store.repository import Store

__all__ = [
    "BatchJobs",
    "CandidateRecord",
    "CandidateStatus",
    "RunKind",
    "RunRecord",
    "RunStatus",
    "Spending",
    "Store",
    "Tried",
    "Typical",
]
