"""The facts that stand beside every figure of a run (STATISTICS section 11), and money in words."""

from __future__ import annotations

import math
from collections.abc import Sequence

from calibrate.domain import Json, Model, Usage, digest
from calibrate.domain.version import VERSION
from calibrate.providers import caution, dropped_parameters, price_snapshot
from calibrate.store import Spending, Store
from calibrate.workflows.returned import returned_record
from calibrate.workflows.setup import Prepared

__all__ = ["money", "money_column", "run_record", "spending_in_words", "spent"]

_LEAST_WITH_DIGITS = 1e-5
"""US dollars; smaller amounts are written with an exponent."""


def run_record(store: Store, part: Prepared, model: Model, evaluation: int, *, seed: int) -> dict[str, Json]:
    """Return what must be known to read, and to repeat, the figures of an evaluation."""
    golden = part.golden
    scale = golden.scales[part.dimension]
    counts: dict[str, int] = {}
    prices = price_snapshot(model)
    for item in golden.labelled:
        if item.label is not None and scale.kind != "interval":
            counts[item.label] = counts.get(item.label, 0) + 1
    return {
        "golden_set": golden.name,
        "source": part.source,
        "golden_digest": golden.digest,
        "provenance": golden.provenance,
        "dimension": part.dimension,
        "scale": scale.to_json(),
        "n": len(golden.labelled),
        "n_per_class": dict(counts),
        "unlabelled": len(golden.items) - len(golden.labelled),
        "raters": list(golden.raters),
        "gold": golden.gold,
        "unseen_items": False,
        **returned_record(store, model.name, evaluation),
        "prompt_digest": digest(part.prompt.text),
        "settings": part.settings.to_json(),
        "not_taken": list(dropped_parameters(model)),
        "caution": caution(model),
        "seed": seed,
        "prices": None if prices is None else prices.to_json(),
        "version": VERSION,
        **({} if part.bundle is None else {"bundle": dict(part.bundle)}),
        **_first_step(part),
    }


def _first_step(part: Prepared) -> dict[str, Json]:
    """Return the facts of the splitter of a judge of two steps; nothing for a judge of one."""
    if part.splitter is None:
        return {}
    prices = price_snapshot(part.splitter.model)
    return {"splitter": {**part.splitter.record, "prices": None if prices is None else prices.to_json()}}


def money(dollars: float | None) -> str:
    """Write an amount of US dollars for a person: enough digits to be told from zero, or ``unknown``."""
    if dollars is None:
        return "unknown"
    if dollars == 0:
        return "$0"
    return f"${dollars:,.2f}" if dollars >= 0.1 else f"${dollars:.2g}" if dollars >= 0.0001 else f"${dollars:.1e}"


def money_column(amounts: Sequence[float | None]) -> tuple[str, ...]:
    """Write amounts that stand below each other, all with the number of digits that the smallest needs."""
    positive = [amount for amount in amounts if amount]
    if not positive or min(positive) < _LEAST_WITH_DIGITS:
        return tuple(map(money, amounts))
    digits = max(2, 1 - math.floor(math.log10(min(positive))))
    return tuple(f"${amount:,.{digits}f}" if amount else money(amount) for amount in amounts)


def spent(spending: Spending) -> dict[str, Json]:
    """Return what a run has paid for, as JSON; the cost is None when a part of it is unknown."""
    return {
        "calls": spending.calls,
        "cost": None if spending.unknown else spending.cost,
        "calls_of_unknown_cost": spending.unknown,
        "known_cost": spending.cost,
        "uncertain_charges": {"count": spending.uncertain, "at_most": spending.uncertain_most},
        "used_up_by_reasoning": spending.enlarged,
        "tokens": _tokens(spending.usage),
    }


def spending_in_words(spending: Spending, *, simulated: bool = False) -> str:
    """Say what a run has paid for: cost, calls, tokens by kind, and what nobody knows."""
    known = money(spending.cost) + (" (made-up prices)" if simulated and spending.cost else "")
    unknown = f", and {spending.unknown:,} of unknown cost" if spending.unknown else ""
    if spending.unknown == spending.calls and spending.calls:
        text = f"{_counted(spending.calls, 'call')} of unknown cost"
    else:
        text = f"{known} for {_counted(spending.calls - spending.unknown, 'call')}{unknown}"
    told = {name: count for name, count in _tokens(spending.usage).items() if isinstance(count, int) and count}
    if told:
        text += " (tokens: " + ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in told.items()) + ")"
    if spending.enlarged:
        replies = "1 reply was" if spending.enlarged == 1 else f"{spending.enlarged:,} replies were"
        text += f"; {replies} used up by reasoning and asked for again with more room"
    if spending.uncertain:
        most = "" if spending.uncertain_most is None else f" of at most {money(spending.uncertain_most)} together"
        charges = _counted(spending.uncertain, "charge")
        text += f"; beside them {charges} of unknown amount{most} (attempts without a usable reply)"
    return text


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _tokens(usage: Usage) -> dict[str, Json]:
    """Return billed tokens by kind: the first three make up the input; reasoning is a part of the output."""
    read, write = usage.cache_read_tokens or 0, usage.cache_write_tokens or 0
    return {
        "uncached_input": None if usage.input_tokens is None else usage.input_tokens - read - write,
        "cache_read": usage.cache_read_tokens,
        "cache_write": usage.cache_write_tokens,
        "output": usage.output_tokens,
        "reasoning": usage.reasoning_tokens,
    }
