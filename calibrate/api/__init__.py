"""The Python interface: the workflows of the command line as functions.

Synchronous functions work where an event loop is already running (a notebook): the work then runs in a thread with a
loop of its own. Runs go to ``runs.db`` in the working directory (or ``$CALIBRATE_DB``) unless ``db`` says otherwise.
"""

from __future__ import annotations

from calibrate.api.comparing import acompare, compare
from calibrate.api.judging import abaseline, abias, anoise, aoptimize, baseline, bias, dry_run, noise, optimize
from calibrate.api.rag import arag_run, rag_check, rag_run
from calibrate.api.reading import (
    card,
    diff,
    disagreements,
    explain,
    export_prompt,
    runs,
    show,
    strategies,
    write_report,
)
from calibrate.api.sets import check, load_golden, merge, models, plan, sample, score

__all__ = [
    "abaseline",
    "abias",
    "acompare",
    "anoise",
    "aoptimize",
    "arag_run",
    "baseline",
    "bias",
    "card",
    "check",
    "compare",
    "diff",
    "disagreements",
    "dry_run",
    "explain",
    "export_prompt",
    "load_golden",
    "merge",
    "models",
    "noise",
    "optimize",
    "plan",
    "rag_check",
    "rag_run",
    "runs",
    "sample",
    "score",
    "show",
    "strategies",
    "write_report",
]
