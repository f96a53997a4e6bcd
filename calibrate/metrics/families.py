"""Several judges on the same items: every pair compared, and who is as good as the best (STATISTICS section 3).

The best judge is chosen on the items on which the others are compared with it, which flatters it: "as good as the best"
is therefore said too rarely rather than too often.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from calibrate.domain import Json, Scale, Verdict
from calibrate.errors import InputError
from calibrate.metrics.comparison import MARGIN, Comparison, compare, holm
from calibrate.metrics.estimates import Estimate
from calibrate.metrics.intervals import DRAWS
from calibrate.metrics.judge_stack import JudgeStack
from calibrate.metrics.pairing import Invalid

__all__ = ["LEVEL", "Beside", "Family", "JudgePair", "beside_reference", "family"]

LEVEL = 0.05
"""Chance of finding any difference where there is none; half of it for non-inferiority, which is one-sided."""

_DRAWS_A_PAIR = 50
"""Draws for each pair: the smallest p they can give has to survive its multiplication by the number of pairs."""


@dataclass(frozen=True, slots=True)
class JudgePair:
    """Two of the judges.

    Attributes:
        baseline: the one that ranks higher, or stands first among equals.
        candidate: the other.
        comparison: candidate less baseline.
        p: ``comparison.p`` corrected for all pairs (Holm); None without an interval.
        mcnemar_p: the exact McNemar p corrected for all pairs (Holm), a description.
    """

    baseline: str
    candidate: str
    comparison: Comparison
    p: float | None
    mcnemar_p: float

    @property
    def real(self) -> bool:
        """Whether the two differ in alignment, at 5 % over all pairs together."""
        return self.p is not None and self.p < LEVEL

    def to_json(self) -> dict[str, Json]:
        """Return every figure as JSON; the corrected p-values end in ``_holm``."""
        return {
            "baseline": self.baseline,
            "candidate": self.candidate,
            "real": self.real,
            "p_holm": self.p,
            "mcnemar_p_holm": self.mcnemar_p,
            "comparison": self.comparison.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Beside:
    """A judge beside the best one.

    Attributes:
        judge: its name.
        difference: its alignment less that of the best, with the paired interval.
        p_inferior: one-sided p of "worse by the margin or more", corrected for all judges beside the best (Holm); None
            without an interval.
        conclusion: ``better``: it differs from the best and its alignment is higher (only what is made of several
            judges can be). ``non_inferior``: that p is below .025. ``worse``: the two differ over all pairs, and the
            whole interval lies below ``-margin``. Else ``cannot_tell``.
        items_to_resolve: about how many items like these resolve a difference of the margin; None without an interval.
    """

    judge: str
    difference: Estimate
    p_inferior: float | None
    conclusion: Literal["better", "non_inferior", "worse", "cannot_tell"]
    items_to_resolve: int | None

    @property
    def in_words(self) -> str:
        """The conclusion in words."""
        words = {"better": "better", "non_inferior": "as good", "worse": "worse", "cannot_tell": "cannot tell"}
        return words[self.conclusion]

    @property
    def non_inferior(self) -> bool:
        """Whether it is shown to be as good as the best within the margin."""
        return self.conclusion == "non_inferior"

    def to_json(self) -> dict[str, Json]:
        """Return the fields as JSON."""
        return {
            "judge": self.judge,
            "difference": self.difference.to_json(),
            "p_inferior_holm": self.p_inferior,
            "conclusion": self.conclusion,
            "non_inferior": self.non_inferior,
            "items_to_resolve": self.items_to_resolve,
        }


@dataclass(frozen=True, slots=True)
class Family:
    """Several judges compared on the same items.

    Attributes:
        n: labelled items.
        margin: how much worse in alignment still counts as as good.
        alignments: of each judge, unscored verdicts as wrong, what judges are ranked by; without intervals.
        best: the judge with the highest of these, the first given of equals; None where alignment is undefined.
        pairs: every two judges, those that rank higher first.
        beside: each judge but the best, beside the best, in the order given.
    """

    n: int
    margin: float
    alignments: Mapping[str, Estimate]
    best: str | None
    pairs: tuple[JudgePair, ...]
    beside: Mapping[str, Beside]

    def pair(self, one: str, other: str) -> JudgePair:
        """Return the pair of two judges, in whichever order they are named.

        Raises:
            KeyError: there is no such pair.
        """
        for each in self.pairs:
            if {each.baseline, each.candidate} == {one, other}:
                return each
        raise KeyError(f"{one}, {other}")

    def to_json(self) -> dict[str, Json]:
        """Return every figure as JSON, undefined ones as null with their reason."""
        return {
            "n": self.n,
            "margin": self.margin,
            "alignments": {name: each.to_json() for name, each in self.alignments.items()},
            "best": self.best,
            "pairs": [each.to_json() for each in self.pairs],
            "beside_best": [each.to_json() for each in self.beside.values()],
        }


def family(
    human: Sequence[str | None],
    judges: Mapping[str, Sequence[Verdict]],
    scale: Scale,
    *,
    groups: Sequence[str | None] | None = None,
    seed: int = 0,
    margin: float = MARGIN,
    invalid: Invalid = "wrong",
) -> Family:
    """Compare every two of several judges, and each with the best.

    Args:
        human: gold label of each row; None leaves the row out.
        judges: verdicts of each judge on the same rows, by name.
        scale: the declared scale.
        groups: resampling unit of each row.
        seed: seed of every comparison.
        margin: how much worse in alignment than the best still counts as as good.
        invalid: what unscored verdicts count as in the comparisons; ranked is always by ``wrong``.

    Raises:
        InputError: there is no judge, or as :func:`~calibrate.metrics.comparison.compare`.
    """
    if not margin > 0:
        raise InputError(f"a margin is above 0, not {margin:g}", field="margin")
    stack = JudgeStack.of(human, list(judges.values()), scale)
    if stack.undefined is None:
        values = [float(each) for each in stack.alignments(stack.codes)]
        alignments = {name: Estimate(each) for name, each in zip(judges, values, strict=True)}
    else:
        alignments = dict.fromkeys(judges, Estimate(None, reason=stack.undefined))
    ranked = sorted(judges, key=lambda name: -(alignments[name].value or 0.0))
    best = ranked[0] if stack.undefined is None else None
    named = list(combinations(ranked, 2))
    draws = max(DRAWS, _DRAWS_A_PAIR * len(named))
    made = [
        compare(
            human,
            judges[one],
            judges[other],
            scale,
            invalid=invalid,
            groups=groups,
            seed=seed,
            draws=draws,
            margin=margin,
        )
        for one, other in named
    ]
    pairs = tuple(
        JudgePair(*names, comparison, p, mcnemar_p)
        for names, comparison, p, mcnemar_p in zip(
            named, made, _holm([each.p for each in made]), holm([each.mcnemar_p for each in made]), strict=True
        )
    )
    against = [each for each in pairs if each.baseline == best]
    corrected = _holm([each.comparison.p_inferior for each in against])
    found = {pair.candidate: _beside(pair, p, margin) for pair, p in zip(against, corrected, strict=True)}
    return Family(stack.n, margin, alignments, best, pairs, {name: found[name] for name in judges if name in found})


def beside_reference(
    human: Sequence[str | None],
    reference: tuple[str, Sequence[Verdict]],
    judges: Mapping[str, Sequence[Verdict]],
    scale: Scale,
    *,
    groups: Sequence[str | None] | None = None,
    seed: int = 0,
    margin: float = MARGIN,
    invalid: Invalid = "wrong",
) -> dict[str, Beside]:
    """Compare several judges with one that is given, corrected for their number (Holm); not with each other.

    Args:
        human: gold label of each row; None leaves the row out.
        reference: name and verdicts of the judge that the others are compared with.
        judges: verdicts of each of the others on the same rows, by name.
        scale: the declared scale.
        groups: resampling unit of each row.
        seed: seed of every comparison.
        margin: how much worse in alignment still counts as as good.
        invalid: what unscored verdicts count as.

    Raises:
        InputError: as :func:`~calibrate.metrics.comparison.compare`.
    """
    name, verdicts = reference
    made = [
        compare(human, verdicts, each, scale, invalid=invalid, groups=groups, seed=seed, margin=margin)
        for each in judges.values()
    ]
    differ, inferior = _holm([each.p for each in made]), _holm([each.p_inferior for each in made])
    return {
        judge: _beside(JudgePair(name, judge, one, p, one.mcnemar_p), p_inferior, margin)
        for judge, one, p, p_inferior in zip(judges, made, differ, inferior, strict=True)
    }


def _beside(pair: JudgePair, p_inferior: float | None, margin: float) -> Beside:
    difference = pair.comparison.difference
    conclusion: Literal["better", "non_inferior", "worse", "cannot_tell"] = "cannot_tell"
    if pair.real and (difference.value or 0.0) > 0:
        conclusion = "better"
    elif p_inferior is not None and p_inferior < LEVEL / 2:
        conclusion = "non_inferior"
    elif pair.real and difference.high is not None and difference.high < -margin:
        conclusion = "worse"
    return Beside(pair.candidate, difference, p_inferior, conclusion, pair.comparison.items_to_resolve(margin))


def _holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Correct the tests that could be made for their number."""
    corrected = iter(holm([each for each in p_values if each is not None]))
    return [None if each is None else next(corrected) for each in p_values]
