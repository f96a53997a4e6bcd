"""Pure functions on labels, verdicts, counts and arrays: what every number means is in STATISTICS.

Names are loaded on first use, so that importing the package loads no NumPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from calibrate.metrics.alignment import align, alignment_value
    from calibrate.metrics.annotators import (
        AlternativeAnnotator,
        CeilingRow,
        Expertise,
        HumanCeiling,
        alternative_annotator_test,
        human_ceiling,
        majority,
    )
    from calibrate.metrics.answer_length import verbosity
    from calibrate.metrics.automation import Automation, Slice, safe_automation
    from calibrate.metrics.bias import Changes, by_group, changed_verdicts, leniency
    from calibrate.metrics.cascades import Cascade, cascade_cost, confidence_cascade, disagreement_cascade
    from calibrate.metrics.comparison import MARGIN, Comparison, compare, holm, mcnemar_exact
    from calibrate.metrics.confidence import Confidence, ReliabilityBin, measure_confidence
    from calibrate.metrics.estimates import Estimate, Reason
    from calibrate.metrics.families import Beside, Family, JudgePair, beside_reference, family
    from calibrate.metrics.fronts import pareto_front
    from calibrate.metrics.intervals import Interval, wilson
    from calibrate.metrics.juries import (
        JuryWeights,
        WeightedJury,
        learn_weights,
        majority_jury,
        minority_veto,
        weighted_jury,
    )
    from calibrate.metrics.noise import Flip, NoiseFloor, noise_floor
    from calibrate.metrics.pairing import Invalid
    from calibrate.metrics.probes import (
        LARGE_DIFFERENCE,
        LARGE_ODDS_RATIO,
        Conclusion,
        Measure,
        Probe,
    )
    from calibrate.metrics.raters import (
        Gate,
        ItemDisagreement,
        RaterAgreement,
        RaterPair,
        agreement_gate,
        disagreements,
        krippendorff_alpha,
        rater_agreement,
    )
    from calibrate.metrics.readings import Reading, ReadingCode
    from calibrate.metrics.references import Reference
    from calibrate.metrics.resolution import Resolution, interval_half_width, resolvable_difference
    from calibrate.metrics.results import Alignment, Confusion, Resampling, WrongFigures
    from calibrate.metrics.selection import Corrected, Permutation, corrected_for_choosing, permutation_p
    from calibrate.metrics.votes import VoteGain, majority_vote, vote_gain

__all__ = [
    "LARGE_DIFFERENCE",
    "LARGE_ODDS_RATIO",
    "MARGIN",
    "Alignment",
    "AlternativeAnnotator",
    "Automation",
    "Beside",
    "Cascade",
    "CeilingRow",
    "Changes",
    "Comparison",
    "Conclusion",
    "Confidence",
    "Confusion",
    "Corrected",
    "Estimate",
    "Expertise",
    "Family",
    "Flip",
    "Gate",
    "HumanCeiling",
    "Interval",
    "Invalid",
    "ItemDisagreement",
    "JudgePair",
    "JuryWeights",
    "Measure",
    "NoiseFloor",
    "Permutation",
    "Probe",
    "RaterAgreement",
    "RaterPair",
    "Reading",
    "ReadingCode",
    "Reason",
    "Reference",
    "ReliabilityBin",
    "Resampling",
    "Resolution",
    "Slice",
    "VoteGain",
    "WeightedJury",
    "WrongFigures",
    "agreement_gate",
    "align",
    "alignment_value",
    "alternative_annotator_test",
    "beside_reference",
    "by_group",
    "cascade_cost",
    "changed_verdicts",
    "compare",
    "confidence_cascade",
    "corrected_for_choosing",
    "disagreement_cascade",
    "disagreements",
    "family",
    "holm",
    "human_ceiling",
    "interval_half_width",
    "krippendorff_alpha",
    "learn_weights",
    "leniency",
    "majority",
    "majority_jury",
    "majority_vote",
    "mcnemar_exact",
    "measure_confidence",
    "minority_veto",
    "noise_floor",
    "pareto_front",
    "permutation_p",
    "rater_agreement",
    "resolvable_difference",
    "safe_automation",
    "verbosity",
    "vote_gain",
    "weighted_jury",
    "wilson",
]

_MODULES = {
    "alignment": ("align", "alignment_value"),
    "annotators": (
        "AlternativeAnnotator",
        "CeilingRow",
        "Expertise",
        "HumanCeiling",
        "alternative_annotator_test",
        "human_ceiling",
        "majority",
    ),
    "bias": ("Changes", "by_group", "changed_verdicts", "leniency"),
    "comparison": ("MARGIN", "Comparison", "compare", "holm", "mcnemar_exact"),
    "confidence": ("Confidence", "ReliabilityBin", "measure_confidence"),
    "estimates": ("Estimate", "Reason"),
    "intervals": ("Interval", "wilson"),
    "noise": ("Flip", "NoiseFloor", "noise_floor"),
    "pairing": ("Invalid",),
    "probes": ("LARGE_DIFFERENCE", "LARGE_ODDS_RATIO", "Conclusion", "Measure", "Probe"),
    "raters": (
        "Gate",
        "ItemDisagreement",
        "RaterAgreement",
        "RaterPair",
        "agreement_gate",
        "disagreements",
        "krippendorff_alpha",
        "rater_agreement",
    ),
    "readings": ("Reading", "ReadingCode"),
    "references": ("Reference",),
    "resolution": ("Resolution", "interval_half_width", "resolvable_difference"),
    "results": ("Alignment", "Confusion", "Resampling", "WrongFigures"),
    "selection": ("Corrected", "Permutation", "corrected_for_choosing", "permutation_p"),
    "automation": ("Automation", "Slice", "safe_automation"),
    "cascades": ("Cascade", "cascade_cost", "confidence_cascade", "disagreement_cascade"),
    "families": ("Beside", "Family", "JudgePair", "beside_reference", "family"),
    "fronts": ("pareto_front",),
    "juries": ("JuryWeights", "WeightedJury", "learn_weights", "majority_jury", "minority_veto", "weighted_jury"),
    "votes": ("VoteGain", "majority_vote", "vote_gain"),
    "answer_length": ("verbosity",),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
