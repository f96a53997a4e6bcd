"""The exception tree and its exit codes.

::

    CalibrateError              base of every expected error; one line for the user
    ├── InputError              2   a file, an option or a value that cannot be used
    │   └── StoreError          2   the run database is locked, foreign, from the future, or cannot be written
    ├── ThresholdMissed         1   a gate or a required threshold was not met; results are kept
    ├── ProviderError           3   a model provider failed after all retries; partial results are saved
    │   └── BudgetExceeded      3   the budget ended; partial results are saved
    └── Interrupted           130   the user stopped the command; it can be resumed

Anything else that reaches the top is a bug and keeps its traceback.
"""

from __future__ import annotations

from typing import ClassVar

__all__ = [
    "BudgetExceeded",
    "CalibrateError",
    "InputError",
    "Interrupted",
    "ProviderError",
    "StoreError",
    "ThresholdMissed",
]


class CalibrateError(Exception):
    """Base of all expected errors: one line that says what is wrong, where, and what to do.

    Attributes:
        exit_code: what the command line returns.
        status: the value of ``status`` in the JSON document.
    """

    exit_code: ClassVar[int] = 2
    status: ClassVar[str] = "error"


class InputError(CalibrateError):
    """A file, option or value that cannot be used.

    Args:
        message: what is wrong and what to do.
        file: the file at fault, if any.
        row: its data row (the first is 1; JSON Lines are counted in lines).
        field: the column or field.
    """

    status = "bad_input"

    def __init__(
        self, message: str, *, file: str | None = None, row: int | None = None, field: str | None = None
    ) -> None:
        self.message, self.file, self.row, self.field = message, file, row, field
        place = [
            part
            for part in (file, f"row {row}" if row is not None else None, f"field '{field}'" if field else None)
            if part
        ]
        text = f"{', '.join(place)}: {message}" if place else message
        super().__init__(" ".join(text.split()))  # one line, whatever the data in it hold


class StoreError(InputError):
    """The run database cannot be opened, read or written."""

    status = "store_error"


class ThresholdMissed(CalibrateError):  # noqa: N818 — the outcome of a gate, not a malfunction
    """A gate, ``--require`` or ``--max-unscored`` was not met; the results are kept."""

    exit_code = 1
    status = "threshold_missed"


class ProviderError(CalibrateError):
    """A model provider failed after all retries, or cannot be reached at all.

    Attributes:
        systemic: whether every other request to this model will fail the same way (key, quota, unreachable host).
    """

    systemic: bool = False
    exit_code = 3
    status = "provider_failed"


class BudgetExceeded(ProviderError):  # noqa: N818 — the outcome of a cap, not a malfunction
    """The budget ended before the work did."""

    status = "budget_exceeded"


class Interrupted(CalibrateError):  # noqa: N818 — the user's decision, not a malfunction
    """The user stopped the command; the same command goes on from here."""

    exit_code = 130
    status = "interrupted"
