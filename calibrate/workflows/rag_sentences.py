"""A RAG evaluation in a sentence or two: where the fault lies, and what differs between variants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from calibrate.rag.names import figure_name
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
    for variant in variants:
        first = next(iter(variant["faults"]), None)
        told = first["sentence"] if first else "no fault stands out"
        said.append(f"{variant['name']}: {told.rstrip('.')}.")
    said += [sentence for pair in facts["between"] for sentence in _between(facts, pair)]
    unknown = [judge["role"] for judge in facts["judges"] if not judge["measured"]]
    if unknown:
        said.append(f"Never calibrated on such data: the judge of {', '.join(unknown)}; its figures are unproven.")
    if missing:
        said.append(f"Too many verdicts are missing of {', '.join(missing)}: no good word is said about its figures.")
    return " ".join(said)


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
            f"{figure_name(each['name'])} {each['first_value']:.2f} to {each['second_value']:.2f}"
            for each in found[:_MOST]
        ]
        more = f" and {len(found) - _MOST} more" if len(found) > _MOST else ""
        if shown:
            parts.append(f"{conclusion} in {', '.join(shown)}{more}")
    noise = [figure_name(each["name"]) for each in tests if each["conclusion"] == "noise"]
    if noise:
        parts.append(f"no more than noise in {', '.join(noise[:_MOST])}")
    return "; ".join(parts) or "these questions cannot tell a difference"
