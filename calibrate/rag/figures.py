"""What is measured: one value a question, or none with the reason why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

__all__ = ["AMOUNTS", "Figure", "share_figure"]

AMOUNTS = frozenset(
    """
    latency answer_words tokens cost retrieved_chunks context_chunks factual_claims conditional_claims normative_claims
    """.split()
)
"""The figures that are amounts; every other one is a share or a score in [0, 1]."""


@dataclass(frozen=True)
class Figure:
    """One figure of one variant, question by question.

    Attributes:
        name: what is measured, such as ``recall@5`` or ``faithfulness``.
        values: by question; shares and scores in [0, 1], but for the ``AMOUNTS``: ``latency`` (seconds),
            ``answer_words``, ``tokens``, ``cost`` (US dollars), and counts of chunks and claims.
        left_out: the questions without a value, and why: a code such as ``no_relevant_chunk``, ``no_output``,
            ``abstained``, ``no_claims``, ``no_reference``, ``not_told``, ``not_sampled``, or ``unscored``
            where a judge gave no verdict.
        judge: the role of the judge that it comes from (``claim_support``, ...); None when no judge had a part in it.
        higher_is_better: whether more is better; None where neither is.
    """

    name: str
    values: Mapping[str, float]
    left_out: Mapping[str, str] = field(default_factory=dict)
    judge: str | None = None
    higher_is_better: bool | None = True

    @property
    def is_share(self) -> bool:
        """Whether its values lie in [0, 1]."""
        return self.name not in AMOUNTS

    @property
    def mean(self) -> float | None:
        """The mean over the questions that have a value; None when none has."""
        return sum(self.values.values()) / len(self.values) if self.values else None


def share_figure(
    name: str,
    verdicts: Mapping[str, Sequence[bool | None]],
    left_out: Mapping[str, str],
    *,
    nothing: str,
    judge: str | None = None,
) -> Figure:
    """Return the share of yes among several verdicts on each question.

    Args:
        name: of the figure.
        verdicts: by question; one that is None leaves the question ``unscored``: a share of the rest would be a guess.
        left_out: the other questions, and why they have no value.
        nothing: why a question has no value where there was nothing to judge.
        judge: the role of the judge.
    """
    values, missing = {}, {}
    for question, each in verdicts.items():
        told = [verdict for verdict in each if verdict is not None]
        if len(told) < len(each):
            missing[question] = "unscored"
        elif told:
            values[question] = sum(told) / len(told)
        else:
            missing[question] = nothing
    return Figure(name, values, {**left_out, **missing}, judge)
