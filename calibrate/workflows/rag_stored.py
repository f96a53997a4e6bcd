"""RAG evaluations among the runs of a database: what they are, what they found, and what they cannot be used for."""

from __future__ import annotations

from calibrate.errors import InputError
from calibrate.store import RunRecord, Spending
from calibrate.workflows.rag_report import RagReport
from calibrate.workflows.record import spending_in_words, spent

__all__ = ["rag_report_of", "rag_run_in_words", "refuse_rag_run"]


def rag_report_of(run: RunRecord, spending: Spending) -> RagReport | None:
    """Return what a RAG evaluation found; None where it has no figures: it never ended, or it drafted questions.

    Args:
        run: a run of kind ``rag``.
        spending: what it has paid for.
    """
    result = run.result or {}
    if not result.get("facts"):
        return None
    if not result["facts"]["judges"]:  # nobody was asked, so that there is nothing to be paid
        return RagReport.of_run(run.id, result, None, "")
    words = spending_in_words(spending, simulated=bool(result["simulated"]))
    return RagReport.of_run(run.id, result, spent(spending), words)


def rag_run_in_words(run: RunRecord) -> str:
    """Say what a run without figures is, and how far it has come."""
    said = str((run.result or {}).get("sentence", ""))
    if run.spec.get("draft"):
        return f"Run {run.id} ({run.status}) drafts questions of a bank. {said}".strip()
    what = f"Run {run.id} ({run.status}) evaluates a RAG system"
    return said or f"{what} and has no result yet; run the same command again to go on."


def refuse_rag_run(run: RunRecord, *, field: str | None = None) -> None:
    """Refuse a run of kind ``rag`` where a judge is wanted: it has no prompt of its own and no verdicts to compare.

    Raises:
        InputError: it is one.
    """
    if run.kind != "rag":
        return
    if run.spec.get("draft"):
        raise InputError(
            f"run {run.id} drafted questions and judged nothing; `calibrate show {run.id}` shows it", field=field
        )
    raise InputError(
        f"run {run.id} evaluates a RAG system and is no judge: it has no prompt and no labels of experts; "
        f"`calibrate report {run.id} -o rag.html` shows what it found",
        field=field,
    )
