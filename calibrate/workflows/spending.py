"""The money of a command: its cap, and what earlier parts of its runs have spent already."""

from __future__ import annotations

from collections.abc import Iterable

from calibrate.errors import BudgetExceeded
from calibrate.providers import Ledger
from calibrate.store import RunRecord, RunStatus, Store
from calibrate.workflows.progress import Progress

__all__ = ["count_earlier_parts", "how_it_ended"]


def count_earlier_parts(store: Store, ledger: Ledger, runs: Iterable[RunRecord | None], *, fresh: bool) -> None:
    """Count what earlier parts of the runs have spent towards the cap. Asked afresh, runs are paid for anew."""
    if ledger.cap is None or fresh:
        return
    for run in runs:
        if run is not None:
            spending = store.spending(run.id)
            ledger.spent += spending.cost + spending.uncertain_known


def how_it_ended(error: BaseException, progress: Progress, run_id: int, *, fresh: bool = False) -> RunStatus:
    """Return the status of a run that an error ended, and say how to go on where that is possible."""
    if isinstance(error, BudgetExceeded):
        how = "without --fresh goes on, and replays what" if fresh else "with a larger --budget goes on; it keeps what"
        progress.note(f"run {run_id}: the same command {how} was judged")
        return "interrupted"
    return "failed" if isinstance(error, Exception) else "interrupted"
