"""The questions that go wrong: each by its own verdicts, the worst first, with what is wrong in words."""

from __future__ import annotations

import json
from typing import Any

from calibrate.rag import Question
from calibrate.rag.failures import FAILURES, failed_questions

ASKED = Question("q", "How long?", ("c1",), "Thirty days.")
SILENT = Question("n", "On Mars?", ())


def trace(**changes: Any) -> dict[str, Any]:
    """A question that goes right."""
    right: dict[str, Any] = {
        "answer": "Thirty days [c1].",
        "abstained": False,
        "relevant": [{"id": "c1", "rank": 1, "in_context": True}],
        "retrieved": 5,
        "citations": [{"id": "c1", "status": "valid"}],
        "claims": [claim("supported")],
        "cited_claims": [claim("supported")],
        "figures": {"mrr": 1.0, "context_recall": 1.0, "abstention": 1.0, "correctness": 1.0, "citations_valid": 1.0},
    }
    return {**right, **changes}


def claim(label: str | None, text: str = "It is thirty days.", kind: str = "factual") -> dict[str, Any]:
    return {"text": text, "kind": kind, "label": label}


def told(question: Question = ASKED, **changes: Any) -> list[tuple[str, str]]:
    """The codes and the words of one question."""
    found = failed_questions([question], {question.id: trace(**changes)})
    if not found:
        return []
    (one,) = found
    assert list(one.codes) == sorted(set(one.codes), key=list(FAILURES).index)
    return [(",".join(one.codes), words) for words in one.told]


def test_what_goes_right_or_has_no_verdict_is_no_failure() -> None:
    assert told() == []
    assert told(claims=[claim(None), claim("contradicted", kind="normative")], cited_claims=[claim(None)]) == []
    assert told(abstained=None, figures={}) == []
    assert told(SILENT, abstained=True, relevant=[], claims=[], cited_claims=[], citations=[]) == []


def test_an_invented_answer_is_quoted_so_that_a_missed_abstention_is_seen() -> None:
    answer = "We have no data\non that planet. " + "x" * 200
    ((code, words),) = told(SILENT, answer=answer, relevant=[])
    assert code == "invented"
    assert words.startswith("nothing in the corpus answers it, and it answered: “We have no data on that planet. xxx")
    assert len(words) < 160


def test_an_abstention_is_declined_and_not_wrong_too() -> None:
    found = told(
        answer="I do not know.",
        abstained=True,
        claims=[],
        cited_claims=[],
        figures={"abstention": 0.0, "correctness": 0.0},
    )
    assert found == [("declined", "the corpus answers it, and it declined: “I do not know.”")]


def test_a_wrong_answer_tells_the_reference() -> None:
    figures = {"correctness": 0.4}
    assert told(figures=figures) == [("wrong", "wrong against the reference, which says: “Thirty days.”")]
    assert told(figures={"correctness": 0.5}) == []


def test_claims_are_told_contradicted_before_unsupported_and_not_all_of_them() -> None:
    found = told(claims=[claim("not_mentioned", "A."), *(claim("contradicted", f"C{at}.") for at in range(5))])
    assert [words for _, words in found] == [
        "the context contradicts: “C0.”",
        "the context contradicts: “C1.”",
        "the context contradicts: “C2.”",
        "the context contradicts: 2 more",
        "not in the context: “A.”",
    ]
    assert {code for code, _ in found} == {"contradicted,unsupported"}


def test_a_relevant_chunk_is_told_with_its_rank_as_far_as_the_output_tells() -> None:
    def of(rank: int | None, *known: str, in_context: bool = False) -> list[tuple[str, str]]:
        relevant = [{"id": "c1", "rank": rank, "in_context": in_context}]
        return told(relevant=relevant, figures=dict.fromkeys(known, 0.0))

    assert of(None, "mrr", "context_recall") == [("not_retrieved", "c1 is not among the 5 retrieved chunks")]
    assert of(7, "mrr", "context_recall") == [("not_in_context", "c1 is at rank 7 and not in the context")]
    assert of(None, "context_recall") == [("not_in_context", "c1 is not in the context")]
    assert of(7, "mrr") == []  # its contexts are not told
    assert of(None, "mrr", "context_recall", in_context=True) == []
    assert of(None) == []  # retrieval was not measured


def test_citations_are_invalid_or_without_support() -> None:
    cited = [{"id": "c9", "status": "unknown"}, {"id": "c2", "status": "not_in_context"}]
    assert told(citations=cited, cited_claims=[claim("not_mentioned")]) == [
        ("citation_invalid,citation_unsupported", "cites [c9], which the corpus does not have"),
        ("citation_invalid,citation_unsupported", "cites [c2], which was not in the context"),
        ("citation_invalid,citation_unsupported", "what it cites does not say: “It is thirty days.”"),
    ]


def test_an_answer_without_citations_fails_only_where_others_cite() -> None:
    other = Question("p", "Why?", ("c1",))
    bare = trace(citations=[], cited_claims=[])
    assert failed_questions([ASKED, other], {"q": bare, "p": bare}) == ()
    (one,) = failed_questions([ASKED, other], {"q": bare, "p": trace()})
    assert (one.question, one.codes, one.told) == ("q", ("citation_missing",), ("cites nothing",))


def test_the_worst_comes_first_then_those_with_more_then_the_order_of_the_bank() -> None:
    names = "abcde"
    questions = [Question(name, "?", ("c1",)) for name in names] + [SILENT]
    lost = [{"id": "c1", "rank": None, "in_context": False}]
    traces = {
        "a": trace(relevant=lost),
        "b": trace(relevant=lost),
        "c": trace(relevant=lost, citations=[{"id": "x", "status": "unknown"}]),
        "d": trace(figures={"correctness": 0.0}),
        "n": trace(relevant=[]),
    }
    found = failed_questions(questions, traces)
    assert [each.question for each in found] == ["n", "d", "c", "a", "b", "e"]
    assert found[-1].to_json() == {"question": "e", "codes": ["no_output"], "told": ["no output for this question"]}
    json.dumps([each.to_json() for each in found])
