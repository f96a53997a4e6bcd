"""What is known about the people behind the gold, and the judge among them (STATISTICS section 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from calibrate.domain import GoldenSet, Json, Scale, Verdict
from calibrate.errors import InputError
from calibrate.metrics import (
    AlternativeAnnotator,
    Expertise,
    Gate,
    HumanCeiling,
    RaterAgreement,
    agreement_gate,
    alternative_annotator_test,
    human_ceiling,
    rater_agreement,
)

__all__ = ["ANNOTATORS", "People", "measure_people", "people_of", "read_annotators"]

ANNOTATORS: Mapping[str, Expertise] = {"experts": "expert", "skilled": "skilled", "crowd": "crowd"}
"""How users name the raters; it decides what the alternative-annotator test allows a judge for its lower cost."""

_LEAST_RATERS = 3


@dataclass(frozen=True, slots=True)
class People:
    """The raters of one dimension, and how the judge compares with each of them.

    Attributes:
        raters: their names, in order of appearance; empty when labels come without a rater's name.
        gold: how gold was made from their labels, in words.
        gate: whether they agree well enough, or that it is not known.
        agreement: their agreement, None below two raters.
        ceiling: each rater, and the judge, against the same majorities of the others; None below two raters, and where
            ``no_ceiling`` says why.
        alternative: the alternative-annotator test, None below two raters.
        annotators: what the raters were taken for: ``experts``, ``skilled`` or ``crowd``.
    """

    raters: tuple[str, ...]
    gold: str
    gate: Gate
    agreement: RaterAgreement | None
    ceiling: HumanCeiling | None
    alternative: AlternativeAnnotator | None
    annotators: str
    no_ceiling: Literal["ties_left_out"] | None = None

    @property
    def known(self) -> bool:
        """Whether the raters' agreement is known."""
        return self.gate.passed is not None

    @property
    def undefined(self) -> tuple[Literal["too_few_raters", "too_few_items"], str] | None:
        """Why the alternative-annotator test says nothing, as a code and in words; None when it does."""
        if self.alternative is not None and self.alternative.passed is not None:
            return None
        if len(self.raters) < _LEAST_RATERS:
            there = "there are two" if len(self.raters) == 2 else "there is one"
            return "too_few_raters", f"it takes three raters or more, and {there}"
        return "too_few_items", "no rater has 30 items or more that others labelled too"

    def to_json(self) -> dict[str, Json]:
        """Return the ``people`` entry of a result."""
        test: dict[str, Json] = {} if self.alternative is None else self.alternative.to_json()
        undefined = self.undefined
        if undefined is not None:
            test = {**test, "passed": None, "reason": undefined[0], "reason_in_words": undefined[1]}
        return {
            "raters": list(self.raters),
            "gold": self.gold,
            "known": self.known,
            "gate": self.gate.to_json(),
            "agreement": None if self.agreement is None else self.agreement.to_json(),
            "ceiling": None if self.ceiling is None else self.ceiling.to_json(),
            **({} if self.no_ceiling is None else {"no_ceiling": self.no_ceiling}),
            "alternative_annotator": {**test, "annotators": self.annotators},
        }


def read_annotators(name: str) -> str:
    """Return the name of a kind of raters.

    Raises:
        InputError: there is no such kind.
    """
    if name not in ANNOTATORS:
        raise InputError(f"'{name}' are no raters; use {', '.join(ANNOTATORS)}", field="--annotators")
    return name


def people_of(golden: GoldenSet, verdicts: Mapping[str, Verdict], annotators: str = "experts") -> People:
    """Return what is known about the raters of a set with one dimension, over its labelled items.

    Items on which the raters tie have no gold and no verdict; the raters' own agreement counts them all the same.
    """
    (dimension,) = golden.dimensions
    scale, items = golden.scales[dimension], golden.items
    judged = [item for item in items if item.id in verdicts]
    return measure_people(
        [item.ratings for item in items],
        [item.ratings for item in judged],
        [verdicts[item.id] for item in judged],
        scale,
        gold=golden.gold,
        annotators=annotators,
    )


def measure_people(
    ratings: Sequence[Mapping[str, str]],
    judged: Sequence[Mapping[str, str]],
    verdicts: Sequence[Verdict],
    scale: Scale,
    *,
    gold: str,
    annotators: str = "experts",
) -> People:
    """Compare raters with each other, and the judge with them.

    Args:
        ratings: labels by rater, for each item that raters saw.
        judged: the same for each item that the judge has a verdict on.
        verdicts: the verdicts on the judged items.
        scale: the declared scale.
        gold: how gold was made, in words.
        annotators: ``experts``, ``skilled`` or ``crowd``.

    Raises:
        InputError: there is no such kind of raters.
    """
    expertise = ANNOTATORS[read_annotators(annotators)]
    raters = tuple(dict.fromkeys(rater for item in ratings for rater in item))
    gate = agreement_gate(ratings if raters else (), scale)
    if len(raters) < 2:
        return People(raters, gold, gate, None, None, None, annotators)
    # Of two raters every item on which they differ is a tie: without those they agree on all that is left.
    ties_left_out = len(raters) == 2 and _disputed(ratings) > _disputed(judged)
    return People(
        raters,
        gold,
        gate,
        rater_agreement(ratings, scale),
        None if ties_left_out else human_ceiling(judged, verdicts, scale),
        alternative_annotator_test(judged, verdicts, scale, expertise=expertise),
        annotators,
        "ties_left_out" if ties_left_out else None,
    )


def _disputed(ratings: Sequence[Mapping[str, str]]) -> int:
    """How many items their raters gave different labels."""
    return sum(len(set(item.values())) > 1 for item in ratings)
