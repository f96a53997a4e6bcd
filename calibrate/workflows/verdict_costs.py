"""What a verdict costs and how long it takes, and what a day and a year of them cost (STATISTICS section 8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from calibrate.domain import Json, Model, Unscored
from calibrate.errors import InputError
from calibrate.providers.batches import open_batches
from calibrate.workflows.evaluated import Bill, Evaluated
from calibrate.workflows.splitter import TwoStepModel

__all__ = ["DAYS_A_YEAR", "Toll", "VerdictCost", "cost_of", "toll_of"]

DAYS_A_YEAR = 365


@dataclass(frozen=True, slots=True)
class VerdictCost:
    """What one verdict costs, in US dollars, whatever a local cache saves.

    Attributes:
        live: call by call; None when the price or the usage is unknown.
        batch: through the provider's batch endpoint; None when it has none, or the live cost is unknown.
    """

    live: float | None
    batch: float | None = None

    def times(self, verdicts: int) -> VerdictCost:
        """Return what so many verdicts cost."""
        return VerdictCost(cost_of(verdicts, self.live), cost_of(verdicts, self.batch))

    def to_json(self, volume: int | None) -> dict[str, Json]:
        """Return the cost of one verdict, of 1,000, and of a day and a year at ``volume`` verdicts a day."""
        found: dict[str, Json] = {
            "per_verdict": self.live,
            "per_1000": self.times(1000).live,
            "batch_per_verdict": self.batch,
            "batch_per_1000": self.times(1000).batch,
        }
        if volume is not None:
            day, year = self.times(volume), self.times(volume * DAYS_A_YEAR)
            found |= {"per_day": day.live, "per_year": year.live, "batch_per_day": day.batch}
            found["batch_per_year"] = year.batch
        return found


@dataclass(frozen=True, slots=True)
class Toll:
    """What the verdicts of a judge took.

    Attributes:
        cost: of a verdict.
        calls: replies a verdict took, on average; None when there was none.
        input_tokens: a verdict, on average; None when a reply did not tell.
        output_tokens: a verdict, reasoning included; None when a reply did not tell.
        median_seconds: from request to reply of a call that somebody waited for; None when there was none.
        p95_seconds: the time that 95 % of these calls stay below; None when there was none.
    """

    cost: VerdictCost
    calls: float | None = None
    input_tokens: float | None = None
    output_tokens: float | None = None
    median_seconds: float | None = None
    p95_seconds: float | None = None

    def to_json(self, volume: int | None) -> dict[str, Json]:
        """Return all of it as JSON."""
        return {
            "cost": self.cost.to_json(volume),
            "calls_per_verdict": self.calls,
            "tokens_per_verdict": {"input": self.input_tokens, "output": self.output_tokens},
            "latency": {"median": self.median_seconds, "p95": self.p95_seconds},
        }


def toll_of(evaluated: Evaluated, model: Model) -> Toll:
    """Return what a judge's verdicts took, over the items whose calls did not fail."""
    bill = evaluated.bill
    failed = sum(isinstance(each, Unscored) and each.reason == "error" for each in evaluated.verdicts.values())
    verdicts = len(evaluated.verdicts) - failed
    if not verdicts or not bill.replies:
        return Toll(VerdictCost(None))
    sent, received = _mean(bill.input_tokens, verdicts), _mean(bill.output_tokens, verdicts)
    discount = _discount(model)
    live = _live(bill, discount, verdicts)
    return Toll(
        cost=VerdictCost(live, None if live is None or discount is None else live * discount),
        calls=bill.replies / verdicts,
        input_tokens=sent,
        output_tokens=received,
        median_seconds=_percentile(bill.seconds, 50),
        p95_seconds=_percentile(bill.seconds, 95),
    )


def _live(bill: Bill, discount: float | None, verdicts: int) -> float | None:
    """Return what a verdict costs call by call: of what came in batches, what that would have cost."""
    if bill.cost is None or bill.batch_cost is None or (bill.batched and discount is None):
        return None
    return (bill.cost - bill.batch_cost + bill.batch_cost / (discount or 1.0)) / verdicts


def _discount(model: Model) -> float | None:
    """Return what a call in a batch costs of one by itself; None when the model has no batch endpoint.

    A judge of two steps has one where both of its models have it, at the same discount.
    """
    try:
        discount = open_batches(model).discount
        if isinstance(model, TwoStepModel) and open_batches(model.splitter).discount != discount:
            return None
    except InputError:
        return None
    return discount


def _mean(total: int | None, verdicts: int) -> float | None:
    return None if total is None else total / verdicts


def cost_of(count: int, cost: float | None) -> float | None:
    """Return what ``count`` verdicts cost at the cost of one; None when that is unknown."""
    # Of the decimal figure without its noise: the float one times a million shows its rounding.
    return None if cost is None else float(count * Decimal(f"{cost:.12g}"))


def _percentile(seconds: Sequence[float], percent: int) -> float | None:
    """Return the smallest of the times that so many percent of them do not exceed."""
    if not seconds:
        return None
    ranked = sorted(seconds)
    return ranked[max(0, -(-len(ranked) * percent // 100) - 1)]
