"""A measure that becomes a target: faithfulness that is bought with silence.

Who says less has less to support, and who declines makes no claims. A rise of faithfulness is a gain only when answers
keep their length, stay right, and are given. The mean of each variant is over its own questions: it rises as well when
the questions that were answered worst are declined, and no answer became better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from calibrate.domain import Json
from calibrate.rag.comparing import Paired
from calibrate.rag.diagnoses import Evidence
from calibrate.rag.fault_changes import evidence_of, moved
from calibrate.rag.figures import Figure

__all__ = ["FEWEST_GONE", "RISE_ENOUGH", "SHORTER_ENOUGH", "GoodhartWarning", "goodhart_warning"]

SHORTER_ENOUGH = 0.1
"""Share of its words that an answer must lose: rewording alone moves its length by a few per cent."""


RISE_ENOUGH = 0.05
"""Rise of mean faithfulness, beyond that of the questions which both answered, that is worth a warning."""

FEWEST_GONE = 3
"""Questions that must have left faithfulness; one or two are an accident."""


@dataclass(frozen=True, slots=True)
class GoodhartWarning:
    """What a rise of faithfulness was paid with.

    Attributes:
        sentence: in words, with the figures.
        faithfulness: the rise.
        paid_with: what fell: ``answer_words``, ``correctness``, ``answer_rate``.
    """

    sentence: str
    faithfulness: Evidence
    paid_with: tuple[Evidence, ...]

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON."""
        return {
            "sentence": self.sentence,
            "faithfulness": self.faithfulness.to_json(),
            "paid_with": [each.to_json() for each in self.paid_with],
        }


def goodhart_warning(
    paired: Sequence[Paired], figures: tuple[Sequence[Figure], Sequence[Figure]] | None = None
) -> GoodhartWarning | None:
    """Warn when faithfulness rises from the first variant to the second while something else falls.

    That is: answers lose a tenth of their words or more, correctness falls, or more answerable questions are declined.
    Each of these moves, and the rise, is one that its own paired test shows and that does not rest on one or two
    questions. Tests are not corrected for their number here: a warning asks to look, it claims nothing.

    With the figures of both variants it warns as well when the rise is there only because questions left: three
    answerable ones or more, net, that the first made claims on and the second declines or makes none on, and the mean
    over each variant's own questions rises by 0.05 more than over those that both answered.

    Args:
        paired: the comparisons of two variants, one of each figure.
        figures: of the first variant and of the second.

    Returns:
        None when faithfulness did not rise, or nothing fell.
    """
    by_name = {each.name: each for each in paired}
    rise = by_name.get("faithfulness")
    fallen = [
        by_name[name]
        for name in _SENTENCES
        if name in by_name and moved(by_name[name]) == "down" and _much(by_name[name])
    ]
    paid_with = tuple(evidence_of(each) for each in fallen)
    told = "; ".join(f"{_SENTENCES[each.name]} ({each.in_words})" for each in paid_with)
    if rise is not None and moved(rise) == "up" and fallen:
        faithfulness = evidence_of(rise)
        return GoodhartWarning(f"{faithfulness.in_words}, but {told}", faithfulness, paid_with)
    gone = None if figures is None else _Gone.of(*figures)
    if gone is None:
        return None
    return GoodhartWarning("; ".join(each for each in (gone.sentence, told) if each), gone.evidence, paid_with)


@dataclass(frozen=True, slots=True)
class _Gone:
    """A rise of mean faithfulness that is there because questions left it.

    Attributes:
        evidence: the means over each variant's own questions; without an interval, as they are not the same questions.
        gone: questions that left it and that the second variant declines or makes no claims on.
        both: the two means over the questions that both answered; None when there are none.
        shared: how many these are.
    """

    evidence: Evidence
    gone: int
    both: tuple[float, float] | None
    shared: int

    @classmethod
    def of(cls, first: Sequence[Figure], second: Sequence[Figure]) -> _Gone | None:
        """Return it, or None where mean faithfulness does not rise that way."""
        before, after = _faithfulness(first), _faithfulness(second)
        if before is None or after is None:
            return None
        gone, come = _left(before, after), _left(after, before)
        old, new = before.mean, after.mean
        if old is None or new is None or gone - come < FEWEST_GONE:
            return None
        shared = sorted(before.values.keys() & after.values.keys())
        both = (_mean(before, shared), _mean(after, shared)) if shared else None
        if new - old - (both[1] - both[0] if both else 0.0) < RISE_ENOUGH or new - old < RISE_ENOUGH:
            return None
        n = min(len(before.values), len(after.values))
        return cls(Evidence("faithfulness", new - old, None, None, n, old, new), gone, both, len(shared))

    @property
    def sentence(self) -> str:
        same = "" if self.both is None else f": on the {self.shared} that both answered it is {self._both}"
        return (
            f"{self.evidence.in_words}, each over its own questions, but {self.gone} questions left it, which are now "
            f"declined or answered without a claim{same}"
        )

    @property
    def _both(self) -> str:
        assert self.both is not None
        return f"{self.both[0]:.2f} and {self.both[1]:.2f}"


def _faithfulness(figures: Sequence[Figure]) -> Figure | None:
    """Return faithfulness over the answerable questions, as far as these are known: others are rightly declined."""
    by_name = {each.name: each for each in figures}
    found, answered = by_name.get("faithfulness"), by_name.get("answer_rate")
    if found is None:
        return None
    others = {} if answered is None else answered.left_out
    kept = {name: each for name, each in found.values.items() if others.get(name) != "no_relevant_chunk"}
    return Figure(found.name, kept, found.left_out, found.judge)


def _left(before: Figure, after: Figure) -> int:
    """Count the questions of the one figure that the other has no claims on."""
    return sum(after.left_out.get(name) in ("abstained", "no_claims") for name in before.values)


def _mean(figure: Figure, questions: Sequence[str]) -> float:
    return fsum(figure.values[each] for each in questions) / len(questions)


_SENTENCES = {
    "answer_words": "answers are shorter, and what is not said needs no support",
    "correctness": "fewer answers are right",
    "answer_rate": "more questions are declined that the corpus answers",
}


def _much(paired: Paired) -> bool:
    """Tell whether a fall is more than rewording."""
    if paired.name != "answer_words" or not paired.first_value or paired.difference is None:
        return True
    return -paired.difference / paired.first_value >= SHORTER_ENOUGH
