"""What a judge may be used for, and its limits: plain rules on the figures, the labels and what was probed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from calibrate.metrics import Alignment, Probe
from calibrate.workflows.baseline import ranking
from calibrate.workflows.calibrated import ACCEPTABLE, calibration_in_words
from calibrate.workflows.conclusions import probe_name
from calibrate.workflows.evidence import Evidence
from calibrate.workflows.results import too_many_unscored
from calibrate.workflows.sentences import figure
from calibrate.workflows.stored import Chosen, misses_constraint

__all__ = ["Limit", "Use", "limits_of", "recommended"]

_BLIND = 0.5
"""A class of which the judge recognises fewer is missed more often than not."""

Use = Literal["no", "with_people", "yes"]


@dataclass(frozen=True, slots=True)
class Limit:
    """One thing that a judge is not to be used for, or that is not known of it.

    Attributes:
        code: which of the rules it is.
        words: the rule for the reader.
        bars: whether the judge must not decide anything because of it; else people check its verdicts.
    """

    code: str
    words: str
    bars: bool = False


def limits_of(
    chosen: Chosen, evidence: Evidence, probes: Sequence[Probe] | None, *, floating: bool
) -> tuple[Limit, ...]:
    """Return every limit that follows from what is known, the gravest first.

    Args:
        chosen: the judge, measured.
        evidence: what was measured about it beside the search.
        probes: what probing it for leanings has found; None when it was not probed.
        floating: whether its model's name may stand for another model tomorrow.
    """
    found = [
        *_of_run(chosen),
        *_of_figures(chosen),
        *_of_classes(chosen.alignment),
        *_of_labels(chosen),
        *_of_evidence(chosen, evidence),
        *_of_leanings(probes),
    ]
    if floating:
        found.append(Limit("floating_alias", "The model name is a floating alias: ask for a dated version."))
    return tuple(sorted(found, key=lambda each: not each.bars))


def recommended(limits: Sequence[Limit]) -> tuple[Use, str]:
    """Return what the limits leave of a judge's use, as a code and in words."""
    if any(each.bars for each in limits):
        return "no", "Not to be used to decide anything: see the limits."
    if limits:
        return "with_people", "As a help to people who check its verdicts, within the limits: not as a gate on its own."
    return "yes", "For verdicts on items like those it was measured on."


def _of_run(chosen: Chosen) -> Iterator[Limit]:
    stored = chosen.stored
    if stored.simulated:
        yield Limit("simulated", "The figures come from a simulated model: they say nothing about a real judge.", True)
    if stored.run.status != "done":
        yield Limit("unfinished", f"Run {stored.run.id} is not finished ({stored.run.status}).", True)
    if misses_constraint(stored):
        yield Limit("constraint", "No prompt of the calibration met the constraint of its objective.", True)
    calibrated = chosen.result.calibrated
    if calibrated is not None and calibrated.run is None:
        words = calibration_in_words(calibrated, stored.run.dimension, judge=chosen.result.judge)
        yield Limit("never_calibrated", f"{words[:1].upper()}{words[1:]}.", True)
    elif calibrated is not None and not calibrated.same_set:
        words = calibration_in_words(calibrated, stored.run.dimension, judge=chosen.result.judge)
        yield Limit("never_calibrated", f"It was never calibrated on this golden set: {words}.", True)


def _of_figures(chosen: Chosen) -> Iterator[Limit]:
    alignment, run = chosen.alignment, chosen.stored.run
    value, acceptable = ranking(alignment), float(run.spec.get("acceptable", ACCEPTABLE))
    if too_many_unscored(alignment, 0.05):
        missing = alignment.n - alignment.scored
        yield Limit("unscored", f"{missing} of {alignment.n} items have no verdict: more than 5 %.", True)
    if value is None:
        reason = alignment.alignment.reason or "unscored verdicts"
        yield Limit("undefined", f"Alignment is undefined on these items ({reason}).", True)
        return
    measured = (alignment.wrong or alignment).alignment
    low = measured.low
    if value < acceptable:
        yield Limit("below_acceptable", f"Alignment {value:.2f} is below the acceptable {acceptable:.2f}.", True)
    elif low is not None and low < acceptable:
        yield Limit("interval", f"The interval of alignment reaches below the acceptable {acceptable:.2f}: {low:.2f}.")
    elif low is None:
        yield Limit("no_interval", "Alignment has no interval: how far it may be off is not known.")
    constant, random = alignment.reference.constant, alignment.reference.random
    if constant is not None and value <= constant:
        label = alignment.reference.constant_label
        yield Limit("below_constant", f"It does no better than always saying {label!r} ({constant:.2f}).", True)
    elif random is not None and value <= random:
        yield Limit("below_random", f"It does no better than saying its labels at random ({random:.2f}).", True)


def _of_classes(alignment: Alignment) -> Iterator[Limit]:
    for label, recall in alignment.recall_by_class.items():
        n = alignment.n_per_class.get(label, 0)
        if recall.value is None:
            yield Limit("class_unmeasured", f"How it treats {label!r} was not measured ({recall.reason}).")
        elif recall.value < _BLIND:
            yield Limit(
                "blind",
                f"It misses {label!r} more often than not (recall {figure(recall)}, {n} items): do not use it as a "
                f"gate for {label!r}.",
                True,
            )
        elif recall.low is not None and recall.low < _BLIND:
            yield Limit(
                "class_uncertain",
                f"Too few of {label!r} ({n} items) to show that it recognises most of them: recall {figure(recall)}.",
            )


def _of_labels(chosen: Chosen) -> Iterator[Limit]:
    people = chosen.result.people
    if people is None or people.gate.passed is None:
        yield Limit("agreement_unknown", "Whether experts agree on this is not known: one rater, or no raters named.")
    elif not people.gate.passed:
        yield Limit("experts_disagree", f"The experts do not agree well enough: {people.gate.reason}.", True)


def _of_evidence(chosen: Chosen, evidence: Evidence) -> Iterator[Limit]:
    test = evidence.verdict_on_unseen
    if test is not None and test.source != "cross_fit":
        if test.conclusion == "worse" or (test.difference.high or 0.0) < 0:
            yield Limit("worse_on_unseen", "On unseen items it is worse than the prompt it started from.", True)
        elif test.conclusion == "cannot_tell":
            yield Limit("unseen_cannot_tell", "Unseen items are too few to show a gain over the prompt it came from.")
    elif chosen.stored.run.kind == "optimize" and chosen.candidate.number:
        yield Limit("searched_items_only", "Measured only on the items it was searched on: expect less on new ones.")


def _of_leanings(probes: Sequence[Probe] | None) -> Iterator[Limit]:
    if probes is None:
        yield Limit("not_probed", "Never probed for leanings (length, order, wording): calibrate bias does it.")
        return
    for each in probes:
        if each.conclusion == "biased":
            yield Limit(
                "biased", f"It leans ({probe_name(each)}): {each.reason}. Do not compare systems that differ in this."
            )
