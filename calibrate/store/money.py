"""What runs have paid for: sums over replies, and the charges of unknown amount."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from calibrate.domain import UncertainCharge, Usage
from calibrate.store.records import Spending
from calibrate.store.tables import ResponseRow, UncertainChargeRow

__all__ = ["add_charges", "spending_of"]

_DIGITS = 12


def add_charges(session: Session, run_id: int, charges: Sequence[UncertainCharge], created: str) -> None:
    """Enter charges of unknown amount."""
    rows = [
        {"run_id": run_id, "model": each.model, "reason": each.reason, "at_most": each.at_most, "created": created}
        for each in charges
    ]
    if rows:
        session.execute(insert(UncertainChargeRow), rows)


def spending_of(session: Session, run_id: int) -> Spending:
    """Return what a run has paid for so far, over all its interrupted parts."""
    kinds = ("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens", "reasoning_tokens")
    calls, cost, known, enlarged, *tokens = session.execute(
        select(
            func.count(),
            func.sum(ResponseRow.cost),
            func.count(ResponseRow.cost),
            func.sum(ResponseRow.enlarged),
            *(func.sum(getattr(ResponseRow, kind)) for kind in kinds),
        ).where(ResponseRow.run_id == run_id)
    ).one()
    charges, most, bounded = session.execute(
        select(func.count(), func.sum(UncertainChargeRow.at_most), func.count(UncertainChargeRow.at_most)).where(
            UncertainChargeRow.run_id == run_id
        )
    ).one()
    return Spending(
        calls=calls,
        cost=_dollars(cost),
        unknown=calls - known,
        usage=Usage(**{kind: None if sum_ is None else int(sum_) for kind, sum_ in zip(kinds, tokens, strict=True)}),
        enlarged=int(enlarged or 0),
        uncertain=charges,
        uncertain_most=_dollars(most) if bounded == charges else None,
        uncertain_known=_dollars(most),
    )


def _dollars(total: float | None) -> float:
    # Databases add in orders of their own: without the last digits, which are no money, all come to the same.
    return round(float(total or 0.0), _DIGITS)
