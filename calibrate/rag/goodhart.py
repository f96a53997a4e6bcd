"""A measure that becomes a target: faithfulness that is bought with silence.

Who says less has less to support, and who declines makes no claims. A rise of faithfulness is a gain only when answers
keep their length, stay right, and are given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibrate.domain import Json
from calibrate.rag.comparing import Paired
from calibrate.rag.diagnoses import Evidence
from calibrate.rag.fault_changes import evidence_of, moved

__all__ = ["SHORTER_ENOUGH", "GoodhartWarning", "goodhart_warning"]

SHORTER_ENOUGH = 0.1
"""Share of its words that an answer must lose: rewording alone moves its length by a few per cent."""


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


def goodhart_warning(paired: Sequence[Paired]) -> GoodhartWarning | None:
    """Warn when faithfulness rises from the first variant to the second while something else falls.

    That is: answers lose a tenth of their words or more, correctness falls, or more answerable questions are declined.
    Each of these moves, and the rise, is one that its own paired test shows and that does not rest on one or two
    questions. Tests are not corrected for their number here: a warning asks to look, it claims nothing.

    Args:
        paired: the comparisons of two variants, one of each figure.

    Returns:
        None when faithfulness did not rise, or nothing fell.
    """
    by_name = {each.name: each for each in paired}
    rise = by_name.get("faithfulness")
    if rise is None or moved(rise) != "up":
        return None
    fallen = [
        by_name[name]
        for name in _SENTENCES
        if name in by_name and moved(by_name[name]) == "down" and _much(by_name[name])
    ]
    if not fallen:
        return None
    faithfulness = evidence_of(rise)
    paid_with = tuple(evidence_of(each) for each in fallen)
    told = "; ".join(f"{_SENTENCES[each.name]} ({each.in_words})" for each in paid_with)
    return GoodhartWarning(f"{faithfulness.in_words}, but {told}", faithfulness, paid_with)


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
