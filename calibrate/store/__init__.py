"""The run database: every prompt, verdict and response, durable before it is counted."""

from calibrate.store.records import CandidateRecord, RunKind, RunRecord, RunStatus, Spending
from calibrate.store.repository import Store

__all__ = ["CandidateRecord", "RunKind", "RunRecord", "RunStatus", "Spending", "Store"]
