"""Tell whether an LLM judge is right, make it right, and know what that costs.

The same workflows as the command line, for scripts and notebooks::

    import calibrate

    calibrate.score("verdicts.csv", judges=["gpt"]).frame()
    result = calibrate.optimize("support_faithfulness", judge="sim:reader", optimizer="sim:writer")
    print(result.sentence, result.prompt)

Each function has an asynchronous twin with an ``a`` before its name. Importing this package loads nothing heavy.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from calibrate.api import (
        abaseline,
        abias,
        acompare,
        anoise,
        aoptimize,
        arag_run,
        baseline,
        bias,
        card,
        check,
        compare,
        diff,
        disagreements,
        dry_run,
        explain,
        export_prompt,
        load_golden,
        merge,
        models,
        noise,
        optimize,
        plan,
        rag_check,
        rag_run,
        runs,
        sample,
        score,
        show,
        strategies,
        write_report,
    )

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


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(importlib.import_module("calibrate.api"), name)
    raise AttributeError(f"module 'calibrate' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
