"""Rows for tests: labels and verdicts out of tables and lists."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibrate.domain import Scale, Scored, Unscored, UnscoredReason, Verdict

BINARY = Scale("binary", ("0", "1"), "1")
ORDINAL = Scale("ordinal", ("1", "2", "3", "4", "5"))
PREFERENCE = Scale("pairwise", ("A", "B", "tie"))


def binary_rows(tp: int, fn: int, fp: int, tn: int) -> tuple[list[str], list[Verdict]]:
    """Gold and verdicts of a binary table; positive is ``1``."""
    return table_rows(np.array([[tn, fp], [fn, tp]]), ("0", "1"))


def table_rows(table: np.ndarray, labels: Sequence[str]) -> tuple[list[str], list[Verdict]]:
    """Gold and verdicts of a table: rows gold, columns judge."""
    pairs = [(labels[i], labels[j]) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    return [gold for gold, _ in pairs], verdicts([judge for _, judge in pairs])


def verdicts(labels: Sequence[str | None], reason: UnscoredReason = "invalid") -> list[Verdict]:
    """Verdicts out of labels; None is unscored for the given reason."""
    return [Unscored(reason) if label is None else Scored(label) for label in labels]


def scores(values: Sequence[float]) -> list[str]:
    """Raw scores as labels of an interval scale."""
    return [repr(float(value)) for value in values]
