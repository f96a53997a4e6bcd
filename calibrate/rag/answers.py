"""Figures of answers: from claims and their verdicts, from similarities, and from what the system told of itself.

No judge is called here: what the judges said comes in, question by question. Wherever one of them gave no verdict the
question is ``unscored``; a share over the verdicts that are left would be a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from calibrate.domain import Json
from calibrate.rag.bank import Bank
from calibrate.rag.citations import without_citations
from calibrate.rag.figures import Figure, share_figure
from calibrate.rag.outputs import Output, Variant

__all__ = [
    "Claim",
    "ClaimKind",
    "ClaimLabel",
    "answer_relevancy_figure",
    "claim_figures",
    "context_relevancy_figure",
    "correctness_figure",
    "percentile",
    "system_figures",
    "total",
]

ClaimKind = Literal["factual", "conditional", "normative"]
ClaimLabel = Literal["supported", "contradicted", "not_mentioned"]


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of an answer, and what a verifier said of it.

    Attributes:
        text: the statement.
        kind: ``factual``; ``conditional`` and ``normative`` ones are not verifiable and never get a label that counts.
        label: the verdict; None where there is none.
        quote: the words of the context that the verifier rests it on.
        quote_found: whether they stand in the context.
        reasoning: the verifier's.
    """

    text: str
    kind: ClaimKind = "factual"
    label: ClaimLabel | None = None
    quote: str = ""
    quote_found: bool = False
    reasoning: str = ""

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON."""
        return {
            "text": self.text,
            "kind": self.kind,
            "label": self.label,
            "quote": self.quote,
            "quote_found": self.quote_found,
            "reasoning": self.reasoning,
        }


def claim_figures(
    claims: Mapping[str, Sequence[Claim]], left_out: Mapping[str, str], *, contradictions_told: bool = True
) -> tuple[Figure, ...]:
    """Measure answers claim by claim (STATISTICS 9).

    ``faithfulness``: supported / factual claims; 5 of 6 is 0.83. ``contradiction_rate``: contradicted / factual claims.
    An answer without factual claims has neither (``no_claims``), and one of whose factual claims has no verdict is
    ``unscored``. Beside them stand the counts ``factual_claims``, ``conditional_claims`` and ``normative_claims``.

    Args:
        claims: by question, the statements of the answer.
        left_out: the other questions, and why they have no claims: ``abstained``, ``no_output``, ``unscored``, ...
        contradictions_told: whether the verifier's labels tell what is contradicted from what is not mentioned. A
            binary one's do not: its ``contradiction_rate`` is undefined (``no_such_label``).
    """
    supported, contradicted = {}, {}
    undefined = dict(left_out)
    for question, stated in claims.items():
        labels = [each.label for each in stated if each.kind == "factual"]
        if not labels:
            undefined[question] = "no_claims"
        elif None in labels:
            undefined[question] = "unscored"
        else:
            supported[question] = labels.count("supported") / len(labels)
            contradicted[question] = labels.count("contradicted") / len(labels)
    kinds: tuple[ClaimKind, ...] = ("factual", "conditional", "normative")
    counts = (
        Figure(
            f"{kind}_claims",
            {question: float(sum(each.kind == kind for each in stated)) for question, stated in claims.items()},
            left_out,
            "claims",
            higher_is_better=None,
        )
        for kind in kinds
    )
    untold = {**undefined, **dict.fromkeys(contradicted, "no_such_label")}
    rate = (contradicted, undefined) if contradictions_told else ({}, untold)
    return (
        Figure("faithfulness", supported, undefined, "claim_support"),
        Figure("contradiction_rate", *rate, "claim_support", higher_is_better=False),
        *counts,
    )


def answer_relevancy_figure(similarities: Mapping[str, Sequence[float]], left_out: Mapping[str, str]) -> Figure:
    """Return ``answer_relevancy``, the mean cosine similarity of a question with those generated back from its answer.

    Args:
        similarities: by question, one for each generated question; none leaves it ``unscored``.
        left_out: the other questions, and why: ``abstained`` (an abstention answers no question), ``no_output``, ...
    """
    values = {question: sum(each) / len(each) for question, each in similarities.items() if each}
    missing = {question: "unscored" for question, each in similarities.items() if not each}
    return Figure("answer_relevancy", values, {**left_out, **missing}, "answer_relevancy")


def context_relevancy_figure(
    needed: Mapping[str, Sequence[bool | None]], left_out: Mapping[str, str], *, name: str = "context_relevancy"
) -> Figure:
    """Return the share of a context that was needed.

    Args:
        needed: by question, whether each chunk (or sentence) of the context was needed; None where there is no verdict,
            which leaves the question ``unscored``. An empty context is left out as ``no_context``.
        left_out: the other questions, and why.
        name: of the figure; another one where sentences were judged.
    """
    return share_figure(name, needed, left_out, nothing="no_context", judge="context_relevancy")


def correctness_figure(scores: Mapping[str, float | None], left_out: Mapping[str, str]) -> Figure:
    """Return ``correctness`` against the reference answers.

    Args:
        scores: by question, 1 for right and 0 for wrong, or a score between; None leaves it ``unscored``.
        left_out: the other questions, and why: ``no_reference``, ``no_output``, ...
    """
    values = {question: float(each) for question, each in scores.items() if each is not None}
    missing = {question: "unscored" for question, each in scores.items() if each is None}
    return Figure("correctness", values, {**left_out, **missing}, "correctness")


def system_figures(bank: Bank, variant: Variant) -> tuple[Figure, ...]:
    """Return what a system spent on each answer, over all questions with an output.

    ``answer_words`` (without citations), ``latency`` (seconds), ``tokens`` (input and output) and ``cost`` (US
    dollars). What an output does not tell is left out as ``not_told``, never 0.
    """
    return (
        _told(bank, variant, "answer_words", lambda output: float(len(without_citations(output.answer).split())), None),
        _told(bank, variant, "latency", lambda output: output.latency, False),
        _told(bank, variant, "tokens", _tokens, False),
        _told(bank, variant, "cost", lambda output: output.cost, False),
    )


def percentile(figure: Figure, share: float) -> float | None:
    """Return the value that a share of the questions stays at or below: .5 for the median; None without values.

    Between two questions it is interpolated linearly.
    """
    ordered = sorted(figure.values.values())
    if not ordered:
        return None
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def total(figure: Figure) -> float | None:
    """Return the sum over the questions; None when any output does not tell, or there is none."""
    if not figure.values or "not_told" in figure.left_out.values():
        return None
    return sum(figure.values.values())


def _tokens(output: Output) -> float | None:
    if output.input_tokens is None or output.output_tokens is None:
        return None
    return float(output.input_tokens + output.output_tokens)


def _told(
    bank: Bank, variant: Variant, name: str, value: Callable[[Output], float | None], higher_is_better: bool | None
) -> Figure:
    values, left_out = {}, {}
    for each in bank.questions:
        output = variant.outputs.get(each.id)
        found = None if output is None else value(output)
        if found is not None:
            values[each.id] = found
        else:
            left_out[each.id] = "no_output" if output is None else "not_told"
    return Figure(name, values, left_out, higher_is_better=higher_is_better)
