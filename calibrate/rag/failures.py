"""The questions that go wrong in one variant, the worst first, and what is wrong with each, in words.

Read from the traces of the questions, without any threshold on a mean: a question goes wrong when one of its own
verdicts says so. What has no verdict is no failure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from calibrate.domain import Json
from calibrate.rag.bank import Question

__all__ = ["FAILURES", "Failure", "FailureCode", "failed_questions"]

FailureCode = Literal[
    "invented",
    "contradicted",
    "wrong",
    "declined",
    "unsupported",
    "not_retrieved",
    "not_in_context",
    "citation_invalid",
    "citation_unsupported",
    "citation_missing",
    "no_output",
]

FAILURES: Mapping[FailureCode, str] = {
    "invented": "invented answer",
    "contradicted": "contradicted by the context",
    "wrong": "wrong",
    "declined": "declined",
    "unsupported": "not in the context",
    "not_retrieved": "not retrieved",
    "not_in_context": "lost before the context",
    "citation_invalid": "invalid citation",
    "citation_unsupported": "citation without support",
    "citation_missing": "no citation",
    "no_output": "no output",
}
"""What each code means, in a few words; the worst first: what misleads whoever asks, then what is declined, then what
is lost on the way, then citations; last what was never answered, where there is nothing to look at."""

_RIGHT_ENOUGH = 0.5
"""An answer with less correctness than this is wrong; of verdicts of right and wrong it is every one that is wrong."""

_MOST_CLAIMS = 3  # of one kind
_LONGEST_ANSWER, _LONGEST_CLAIM = 100, 160
_ORDER: Mapping[FailureCode, int] = {code: place for place, code in enumerate(FAILURES)}


@dataclass(frozen=True, slots=True)
class Failure:
    """A question that goes wrong.

    Attributes:
        question: its id.
        codes: what is wrong, the worst first, each once.
        told: the same in words, with the answer, the claim, the chunk or the citation that it is about.
    """

    question: str
    codes: tuple[FailureCode, ...]
    told: tuple[str, ...]

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON."""
        return {"question": self.question, "codes": list(self.codes), "told": list(self.told)}


def failed_questions(questions: Sequence[Question], traces: Mapping[str, Mapping[str, Json]]) -> tuple[Failure, ...]:
    """Return the questions that go wrong: by their worst failure, then by how many they have, then as in the bank.

    - ``invented``: nothing in the corpus answers it, and the system answered.
    - ``contradicted``, ``unsupported``: a factual claim that the context contradicts, or does not hold.
    - ``wrong``: an answer with a correctness below one half; an abstention is ``declined`` instead.
    - ``declined``: the corpus answers it, and the system abstained.
    - ``not_retrieved``, ``not_in_context``: a relevant chunk that is not in the ranking, or is and did not reach the
      context; told only where the outputs tell rankings and contexts.
    - ``citation_invalid``: it cites what does not exist or was not in the context. ``citation_unsupported``: what it
      cites does not hold the claim. ``citation_missing``: an answer without citations, where other answers of the
      variant have some; a system that never cites fails in no single question.
    - ``no_output``: the variant has none.

    Args:
        questions: those of the bank.
        traces: of one variant, by question, as a run keeps them; without one a question has no output.
    """
    cites = any(trace["citations"] for trace in traces.values())
    found = []
    for each in questions:
        told = [*_told(each, traces.get(each.id), cites)]
        if told:
            told.sort(key=lambda one: _ORDER[one[0]])
            codes = tuple(dict.fromkeys(code for code, _ in told))
            found.append(Failure(each.id, codes, tuple(words for _, words in told)))
    return tuple(sorted(found, key=lambda each: (_ORDER[each.codes[0]], -len(each.codes))))


def _told(question: Question, trace: Mapping[str, Any] | None, cites: bool) -> Iterator[tuple[FailureCode, str]]:
    if trace is None:
        yield "no_output", "no output for this question"
        return
    figures: Mapping[str, float] = trace["figures"]
    answered = trace["abstained"] is False
    if answered and not question.answerable and "abstention" in figures:
        answer = _cut(trace["answer"], _LONGEST_ANSWER)
        yield "invented", f"nothing in the corpus answers it, and it answered: “{answer}”"
    if trace["abstained"] and question.answerable and "abstention" in figures:
        yield "declined", f"the corpus answers it, and it declined: “{_cut(trace['answer'], _LONGEST_ANSWER)}”"
    elif not trace["abstained"] and figures.get("correctness", 1.0) < _RIGHT_ENOUGH:
        reference = f", which says: “{_cut(question.reference, _LONGEST_CLAIM)}”" if question.reference else ""
        yield "wrong", f"wrong against the reference{reference}"
    yield from _claims(trace["claims"], "contradicted", "contradicted", "the context contradicts")
    yield from _claims(trace["claims"], "not_mentioned", "unsupported", "not in the context")
    yield from _retrieval(trace, figures)
    for each in trace["citations"]:
        if answered and each["status"] == "unknown":
            yield "citation_invalid", f"cites [{each['id']}], which the corpus does not have"
        elif answered and each["status"] == "not_in_context":
            yield "citation_invalid", f"cites [{each['id']}], which was not in the context"
    for label in ("contradicted", "not_mentioned"):
        yield from _claims(trace["cited_claims"], label, "citation_unsupported", "what it cites does not say")
    if answered and cites and not trace["citations"] and "citations_valid" in figures:
        yield "citation_missing", "cites nothing"


def _claims(
    claims: Sequence[Mapping[str, Any]], label: str, code: FailureCode, said: str
) -> Iterator[tuple[FailureCode, str]]:
    texts = [each["text"] for each in claims if each["kind"] == "factual" and each["label"] == label]
    for each in texts[:_MOST_CLAIMS]:
        yield code, f"{said}: “{_cut(each, _LONGEST_CLAIM)}”"
    if len(texts) > _MOST_CLAIMS:
        yield code, f"{said}: {len(texts) - _MOST_CLAIMS} more"


def _retrieval(trace: Mapping[str, Any], figures: Mapping[str, float]) -> Iterator[tuple[FailureCode, str]]:
    """Tell the relevant chunks that did not arrive; a figure that has a value says that the output tells of it."""
    ranked, context = "mrr" in figures, "context_recall" in figures
    for each in trace["relevant"]:
        if (context and each["in_context"]) or not (ranked or context):
            continue
        if not ranked:
            yield "not_in_context", f"{each['id']} is not in the context"
        elif each["rank"] is None:
            yield "not_retrieved", f"{each['id']} is not among the {trace['retrieved']} retrieved chunks"
        elif context:
            yield "not_in_context", f"{each['id']} is at rank {each['rank']} and not in the context"


def _cut(text: str, longest: int) -> str:
    short = " ".join(text.split())
    return short if len(short) <= longest else f"{short[: longest - 1].rstrip()}…"
