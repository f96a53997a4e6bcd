"""A RAG evaluation in a sentence or two: where the fault lies, and what differs between variants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from calibrate.rag.names import figure_name
from calibrate.workflows.calibrated import ACCEPTABLE
from calibrate.workflows.sentences import counted

__all__ = ["report_sentence"]

_MOST = 4


def report_sentence(facts: Mapping[str, Any], missing: Sequence[str] = ()) -> str:
    """Return what a manager can quote.

    Args:
        facts: what was found.
        missing: the roles of judges that left too many verdicts open.
    """
    bank, variants = facts["bank"], facts["variants"]
    said = [f"{counted(bank['questions'], 'question')}, {counted(len(variants), 'variant')}."]
    said += [f"{variant['name']}: {_fault(variant).rstrip('.')}." for variant in variants]
    said += [sentence for pair in facts["between"] for sentence in _between(facts, pair)]
    unknown = [judge["role"] for judge in facts["judges"] if not judge["measured"]]
    if unknown:
        said.append(f"Never calibrated on such data, so that their figures are unproven: {', '.join(unknown)}.")
    weak = [
        f"{judge['role']} {'undefined' if judge['alignment'] is None else format(judge['alignment'], '.2f')}"
        for judge in facts["judges"]
        if judge["measured"] and (judge["alignment"] is None or judge["alignment"] < ACCEPTABLE)
    ]
    if weak:
        said.append(f"Judges whose own alignment is below {ACCEPTABLE:.2f}: {', '.join(weak)}.")
    if missing:
        said.append(f"Too many verdicts are missing of {', '.join(missing)}: no good word is said about their figures.")
    return " ".join(said)


def _fault(variant: Mapping[str, Any]) -> str:
    """Say what to look at first, or why nothing can be said."""
    if variant["faults"]:
        return str(variant["faults"][0]["sentence"])
    silent = len(variant["silent"])
    return f"no fault found, but {counted(silent, 'reading rule')} had no figures" if silent else "no fault stands out"


def _between(facts: Mapping[str, Any], pair: Mapping[str, Any]) -> list[str]:
    first, second = pair["first"], pair["second"]
    tests = [each for each in facts["comparisons"] if (each["first"], each["second"]) == (first, second)]
    said = [f"{second} beside {first}: {_differences(tests)}."]
    return [*said, *(f"{each['sentence'].rstrip('.')}." for each in pair["warnings"])]


def _differences(tests: Sequence[Mapping[str, Any]]) -> str:
    parts = []
    for conclusion in ("better", "worse"):
        found = [each for each in tests if each["conclusion"] == conclusion]
        shown = [
            f"{figure_name(each['name'])} {_figure(each['first_value'])} to {_figure(each['second_value'])}"
            for each in found[:_MOST]
        ]
        more = f" and {len(found) - _MOST} more" if len(found) > _MOST else ""
        if shown:
            parts.append(f"{conclusion} in {', '.join(shown)}{more}")
    noise = [figure_name(each["name"]) for each in tests if each["conclusion"] == "noise"]
    if noise:
        parts.append(f"no more than noise in {', '.join(noise[:_MOST])}")
    return "; ".join(parts) or "these questions cannot tell a difference"


def _figure(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2f}"
