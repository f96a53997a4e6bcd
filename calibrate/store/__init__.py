"""The run database: every prompt, verdict and response, durable before it is counted."""

from calibrate.store.batches import BatchJobs
from calibrate.store.records import CandidateRecord, RunKind, RunRecord, RunStatus, Spending, Typical
from calibrate.store.repository import Store

__all__ = ["BatchJobs", "CandidateRecord", "RunKind", "RunRecord", "RunStatus", "Spending", "Store", "Typical"]
