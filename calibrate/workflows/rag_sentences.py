"""A RAG evaluation in a few sentences: where the fault lies, whether a variant is better, and how far to trust that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from calibrate.rag.figures import AMOUNTS
from calibrate.rag.names import figure_name
from calibrate.rag.needed import questions_needed
from calibrate.workflows.calibrated import ACCEPTABLE
from calibrate.workflows.sentences import counted

__all__ = ["report_sentence"]

_MOST = 5
_LIKELY = 3


def report_sentence(facts: Mapping[str, Any], missing: Sequence[str] = ()) -> str:
    """Return what a manager can quote.

    Args:
        facts: what was found.
        missing: the roles of judges that left too many verdicts open.
    """
    return " ".join(
        [
            _size(facts),
            *(f"{variant['name']}: {_fault(variant).rstrip('.')}." for variant in facts["variants"]),
            *(sentence for pair in facts["between"] for sentence in _between(facts, pair)),
            *_trust(facts["judges"], missing),
        ]
    )


def _size(facts: Mapping[str, Any]) -> str:
    bank = facts["bank"]
    said = counted(bank["questions"], "question")
    if bank["unanswerable"]:
        said += f", {bank['unanswerable']} of which nothing in the corpus answers"
    if bank["unreviewed"]:
        said += f", {bank['unreviewed']} drafted and not reviewed"
    unanswered = [
        f"{each['name']} has no output for {each['missing']}" for each in facts["variants"] if each["missing"]
    ]
    return f"{'; '.join([said, counted(len(facts['variants']), 'variant'), *unanswered])}."


def _fault(variant: Mapping[str, Any]) -> str:
    """Say what to look at first, and the first that is certain where that is another; or why nothing can be said."""
    faults = variant["faults"]
    if faults:
        certain = [each for each in faults if each["certain"]][:1]
        told = {each["code"]: str(each["sentence"]).rstrip(".") for each in (faults[0], *certain)}
        return ". Also: ".join(told.values())
    unsettled = [str(each["sentence"]) for each in variant["silent"] if not each["missing"]]
    if unsettled:
        return f"no fault found for sure; {unsettled[0]}"
    silent = len(variant["silent"])
    return f"no fault found; {silent} of the rules need figures that were not measured" if silent else "no fault found"


def _between(facts: Mapping[str, Any], pair: Mapping[str, Any]) -> Iterator[str]:
    first, second = pair["first"], pair["second"]
    tests = [each for each in facts["comparisons"] if (each["first"], each["second"]) == (first, second)]
    outcomes = [each for each in tests if each["name"] not in AMOUNTS]
    better, worse = (
        [each for each in outcomes if each["conclusion"] == conclusion] for conclusion in ("better", "worse")
    )
    said = [f"{word} in {_listed(found)}" for word, found in (("better", better), ("worse", worse)) if found]
    if said:
        yield f"{second} is {' and '.join(said)} than {first}."
    elif outcomes:
        yield f"Whether {second} is better than {first} cannot be told from these questions{_likely(outcomes)}."
    takes = [each for each in tests if each["name"] in AMOUNTS and each["conclusion"] in ("better", "worse")]
    if takes:
        amounts = [f"{figure_name(each['name'])} {_from_to(each)}" for each in takes]
        yield f"It takes {', '.join(amounts)}."
    for each in pair["warnings"]:
        yield f"Beware: {each['sentence'].rstrip('.')}."


def _listed(tests: Sequence[Mapping[str, Any]]) -> str:
    """List figures, those that moved most first."""
    ordered = sorted(tests, key=lambda each: -abs(each["difference"]))
    shown = [f"{figure_name(each['name'])} ({_from_to(each)})" for each in ordered[:_MOST]]
    return ", ".join(shown) + (f" and {len(ordered) - _MOST} more" if len(ordered) > _MOST else "")


def _likely(tests: Sequence[Mapping[str, Any]]) -> str:
    """Name the differences that chance explains worst, and how many questions would settle the largest of them."""
    moved = [each for each in tests if each["difference"] and each["conclusion"] != "noise"]
    nearest = sorted(moved, key=lambda each: (each["p"], -abs(each["difference"])))[:_LIKELY]
    if not nearest:
        return ""
    shown = ", ".join(f"{figure_name(each['name'])} {_from_to(each)}, p {each['p']:.3f}" for each in nearest)
    largest = max(nearest, key=lambda each: abs(each["difference"]))
    needed = questions_needed(largest["difference"])
    settles = (
        "" if needed is None else f"; about {needed} would settle a difference of {abs(largest['difference']):.2f}"
    )
    return f"; nearest to a difference: {shown} (before correction for their number){settles}"


def _from_to(test: Mapping[str, Any]) -> str:
    return f"{_figure(test['first_value'])} to {_figure(test['second_value'])}"


def _figure(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2f}"


def _trust(judges: Sequence[Mapping[str, Any]], missing: Sequence[str]) -> Iterator[str]:
    unknown = [each["role"] for each in judges if not each["measured"]]
    if unknown:
        yield f"Never calibrated on such data, so that their figures are unproven: {', '.join(unknown)}."
    weak = [
        f"{each['role']} {'undefined' if each['alignment'] is None else format(each['alignment'], '.2f')}"
        for each in judges
        if each["measured"] and (each["alignment"] is None or each["alignment"] < ACCEPTABLE)
    ]
    if weak:
        yield f"Judges whose own alignment is below {ACCEPTABLE:.2f}: {', '.join(weak)}."
    if missing:
        yield f"Too many verdicts are missing of {', '.join(missing)}: no good word is said about their figures."
