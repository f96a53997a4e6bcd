"""The tables and sentences that the optimizer bench prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from optimizer_figures import SHARES, Against, Fared, Mean, against, fared
from optimizer_worlds import FAMILIES

__all__ = ["REFERENCE", "summary", "tables"]

REFERENCE = "plain OPRO"
"""The method that all are compared with."""

_EXPLAINED = (
    f"higher, equal, lower: at equal calls, all of them. share of its calls: those with which the mean curve reaches "
    f"{REFERENCE}'s mean at the\nend, with an interval from resampled worlds. median share: the same in each world "
    f"alone; never: worlds that do not get there. {REFERENCE}'s\nown row says when it first had what it ends with."
)
_ORIGIN = (
    "These are simulated worlds, not LLMs: models of judges and of prompt writers, drawn at random, whose assumptions "
    "are stated in\nscripts/optimizer_worlds. The figures compare search methods under those assumptions; they do not "
    "say what a given LLM gains."
)


def summary(worlds: Sequence[Fared], methods: Sequence[str], budget: int) -> dict[str, Any]:
    """Return the figures of every group of worlds, for a file."""
    return {
        group: {
            "worlds": len(members),
            "methods": {name: _plain(fared(members, name, budget)) for name in methods},
            "against": {name: against(members, name, REFERENCE, budget).to_json() for name in methods},
        }
        for group, members in _groups(worlds).items()
    }


def tables(worlds: Sequence[Fared], methods: Sequence[str], budget: int) -> str:
    """Return all tables and the sentences at their end."""
    groups = _groups(worlds)
    lines = ["Means over worlds with 95 % intervals (Student's t), at shares of the judge calls."]
    for group, members in groups.items():
        lines += ["", *_means(group, members, methods, budget)]
    gaining = {group: members for group, members in groups.items() if group != "null"}
    for group, members in gaining.items():
        lines += ["", *_paired(group, members, methods, budget)]
    if gaining:
        lines.append(_EXPLAINED)
    lines += ["", *_sentences(groups, methods, budget), _ORIGIN]
    return "\n".join(lines)


def _groups(worlds: Sequence[Fared]) -> dict[str, list[Fared]]:
    """Return the worlds by family, and all of them in which something can be gained."""
    groups = {family: [each for each in worlds if each.family == family] for family in FAMILIES}
    found = {family: members for family, members in groups.items() if members}
    gaining = [each for each in worlds if each.family != "null"]
    null = {"null": found.pop("null")} if "null" in found else {}
    return {**found, **({"all but null": gaining} if len(found) > 1 else {}), **null}


def _means(group: str, worlds: Sequence[Fared], methods: Sequence[str], budget: int) -> list[str]:
    """Return the means of one group; where nothing can be gained, what scores pretend at each share."""
    null = group == "null"
    first, best = np.mean([each.baseline for each in worlds]), np.mean([each.attainable for each in worlds])
    about = f"{group}, {len(worlds)} worlds: the baseline has {first:.3f}, {best:.3f} is attainable"
    if null:
        about = f"null, {len(worlds)} worlds: every prompt has {first:.3f}; shown is by how much the score is above it"
    columns = "".join(f"{f'{share:.0%}':^24}" for share in SHARES)
    lines = [about, f"  {'method':<22}{columns}{'meta-LLM calls':>15}{'score':>8}{'optimism':>24}"]
    for name in methods:
        found = fared(worlds, name, budget)
        shown = found["optimism" if null else "expected"]
        cells = "".join(f"{_mean(each, signed=null):^24}" for each in shown)
        optimism = _mean(found["optimism"][-1], signed=True)
        lines.append(f"  {name:<22}{cells}{found['meta_calls']:>15.1f}{found['score'].value:>8.3f}{optimism:>24}")
    return lines


def _paired(group: str, worlds: Sequence[Fared], methods: Sequence[str], budget: int) -> list[str]:
    lines = [
        f"{group}, {len(worlds)} worlds: against {REFERENCE}, world by world",
        f"  {'method':<22}{'higher/equal/lower':>20}{'difference':>25}{'share of its calls':>28}"
        f"{'median share':>14}{'never':>7}",
    ]
    for name in methods:
        each = against(worlds, name, REFERENCE, budget)
        shares = " ".join(f"{count / each.worlds:.0%}" for count in (each.higher, each.equal, each.lower))
        interval = f"{_share(each.share)} [{_share(each.share_low)}, {_share(each.share_high)}]"
        lines.append(
            f"  {name:<22}{shares:>20}{_mean(each.difference, signed=True):>25}{interval:>28}"
            f"{_share(each.median_share):>14}{each.never:>7}"
        )
    return lines


def _sentences(groups: dict[str, list[Fared]], methods: Sequence[str], budget: int) -> list[str]:
    group = next((group for group in ("all but null", *groups) if group in groups and group != "null"), None)
    others = [name for name in methods if name != REFERENCE]
    if group is None:
        return []
    return [
        _sentence(name, against(groups[group], name, REFERENCE, budget))
        for name in (["default"] if "default" in others else others)
    ]


def _sentence(name: str, each: Against) -> str:
    reaches = (
        f"{name} reaches {REFERENCE}'s alignment with {each.share:.0%} of its judge calls"
        if np.isfinite(each.share)
        else f"{name} does not reach {REFERENCE}'s alignment with as many judge calls"
    )
    ends = "higher" if each.difference.value >= 0 else "lower"
    low, high = sorted((abs(each.difference.low), abs(each.difference.high)))
    if each.difference.low < 0 < each.difference.high:
        size = f"{_mean(each.difference, signed=True)} (no difference that the worlds can tell)"
    else:
        size = f"{abs(each.difference.value):.3f} [{low:.3f}, {high:.3f}]"
    return (
        f"{reaches}; at equal calls it ends {ends} by {size}; "
        f"lower in {each.lower} of {each.worlds} worlds (null worlds aside)."
    )


def _mean(value: Mean, *, signed: bool = False) -> str:
    form = "+.3f" if signed else ".3f"
    if not np.isfinite(value.low):
        return f"{value.value:{form}}"
    return f"{value.value:{form}} [{value.low:{form}}, {value.high:{form}}]"


def _share(value: float) -> str:
    return f"{value:.0%}" if np.isfinite(value) else "never"


def _plain(found: dict[str, Any]) -> dict[str, Any]:
    """Turn means into what JSON has."""
    return {
        key: [each.to_json() for each in value]
        if isinstance(value, list)
        else value.to_json()
        if isinstance(value, Mean)
        else value
        for key, value in found.items()
    }
