from __future__ import annotations

import pytest
from rag.factories import bank, corpus, named, output, variant

from calibrate.rag.citations import (
    bracketed_ids,
    citation_figures,
    citation_support_figure,
    citations,
    cited_claims,
    sentences_with_citations,
    without_citations,
)

CORPUS = corpus("a", "b", "c-1", "returns", "terms of use")
CONTEXT = ("a", "c-1", "terms of use")


def statuses(answer: str) -> list[tuple[str, str]]:
    return [(each.id, each.status) for each in citations(answer, CORPUS, CONTEXT)]


def claims(answer: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(each.sentence, each.ids) for each in cited_claims(answer, CORPUS, CORPUS.by_id)]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Thirty days [a].", [("a", "valid")]),
        ("Thirty days [b].", [("b", "not_in_context")]),
        ("Thirty days [z-9].", [("z-9", "unknown")]),
        ("Thirty days [a, c-1].", [("a", "valid"), ("c-1", "valid")]),
        ("Thirty days [a; z].", [("a", "valid"), ("z", "unknown")]),
        ("Treinta días [a y c-1].", [("a", "valid"), ("c-1", "valid")]),
        ("Thirty days [a][b].", [("a", "valid"), ("b", "not_in_context")]),
        ("Thirty days [terms of use].", [("terms of use", "valid")]),
        ("Treinta días [fuente: a].", [("a", "valid")]),
        ("Thirty days [1].", [("1", "unknown")]),
        ("See [the terms](https://example.org).", []),
        ("See [a](https://example.org).", []),
        ("![a](picture.png) and\n[a]: https://example.org", []),
        ("Thirty [sic] days [...] [x] [ ] [see below for more].", []),
        ("[T]he shop says so.", []),
        ("const months = ['January', 'May'];", []),
        ("No brackets at all.", []),
    ],
)
def test_what_is_a_citation_and_whether_it_is_valid(answer: str, expected: list[tuple[str, str]]) -> None:
    assert statuses(answer) == expected


def test_a_citation_knows_its_place() -> None:
    answer = "Thirty days [a, b]. Then [c-1]."
    found = citations(answer, CORPUS, CONTEXT)
    assert [answer[each.start : each.end] for each in found] == ["[a, b]", "[a, b]", "[c-1]"]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Returns take 30 days [a]. Refunds take 5 [b].",
         [("Returns take 30 days.", ("a",)), ("Refunds take 5.", ("b",))]),
        ("Returns take 30 days. [a] Refunds take 5. [b]",
         [("Returns take 30 days.", ("a",)), ("Refunds take 5.", ("b",))]),
        ("Returns take 30 days [a], and refunds take 5 days [b][c-1].",
         [("Returns take 30 days", ("a",)), ("and refunds take 5 days.", ("b", "c-1"))]),
        ("Nobody cites this. Según el art. 5.2, son 14 días, p. ej. en la web [a].",
         [("Según el art. 5.2, son 14 días, p. ej. en la web.", ("a",))]),
        ("According to [a], returns take 30 days.", [("According to, returns take 30 days.", ("a",))]),
        ("[a] says that returns take 30 days.", [("says that returns take 30 days.", ("a",))]),
        ("Según la política [a], son 14 días (art. 5.2) [b]; el envío, p. ej., no se devuelve [c-1].\n\n*Fuente:* [a]",
         [("Según la política, son 14 días (art. 5.2)", ("a",)), ("son 14 días (art. 5.2)", ("b",)),
          ("el envío, p. ej., no se devuelve.", ("c-1",))]),
        ("- Returns: 30 days [a]\n- Refunds: 5 days [b]",
         [("Returns: 30 days", ("a",)), ("Refunds: 5 days", ("b",))]),
        ("It costs 3.50 euros [a] abroad.", [("It costs 3.50 euros abroad.", ("a",))]),
        ("Returns take 30 days.\n\nSources: [a] [b]", []),
        ("Returns take 30 days [z-9].", []),
        ("[a]", []),
    ],
)  # fmt: skip
def test_the_claim_that_a_citation_follows(answer: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    assert claims(answer) == expected


def test_an_answer_is_valid_when_it_cites_and_all_of_it_is_valid() -> None:
    questions = bank({name: ["a"] for name in ("good", "half", "missing", "declined", "unknown", "not_run")})
    answers = {
        "good": "Thirty days [a] [c-1].",
        "half": "Thirty days [a]. Five euros [z-9].",
        "missing": "Thirty days.",
        "declined": "The documents do not say.",
        "unknown": "Hm [a].",
    }
    system = variant(*(output(name, ["a", "c-1"], answer=answer) for name, answer in answers.items()))
    decided = {"good": False, "half": False, "missing": False, "declined": True, "unknown": None}
    found = named(citation_figures(questions, system, CORPUS, decided))
    assert found["citations_valid"].values == {"good": 1.0, "half": 0.0, "missing": 0.0}
    assert found["citations_valid"].left_out == {
        "declined": "abstained", "unknown": "unscored", "not_run": "no_output",
    }  # fmt: skip
    assert found["citation_precision"].values == {"good": 1.0, "half": 0.5}
    assert found["citation_precision"].left_out["missing"] == "no_citations"


def test_support_of_cited_claims() -> None:
    found = citation_support_figure({"q": [True, False], "r": [True, None], "s": []}, {"t": "abstained"})
    assert found.values == {"q": 0.5}
    assert found.left_out == {"r": "unscored", "s": "no_citations", "t": "abstained"}
    assert found.judge == "claim_support"


def test_an_answer_without_its_citations() -> None:
    assert without_citations("Returns take 30 days [a], or 14 [b][c-1].") == "Returns take 30 days, or 14."
    assert bracketed_ids("One [a], two [b; c].") == ("a", "b", "c")
    assert sentences_with_citations("One. [a] Two [b]. Three") == ("One. [a]", "Two [b].", "Three")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Thirty days [c[1]].", ("c[1]",)),
        ("Thirty days [c[1], c[2]].", ("c[1]", "c[2]")),
        ("Thirty days [c[9]].", ()),
        ("As c[1] says, thirty days.", ()),
        ("Thirty days[7].", ("7",)),
        ("Thirty days [see [d-1]].", ("d-1",)),
        ("Thirty days [[d-1]].", ("d-1",)),
        ("Thirty days [0].", ("[0]",)),
    ],
)
def test_ids_may_hold_brackets(answer: str, expected: tuple[str, ...]) -> None:
    assert bracketed_ids(answer, {"c[1]", "c[2]", "d-1", "[0]"}) == expected


def test_what_cannot_be_read_is_not_called_invented() -> None:
    chunks = corpus("c[1]", "c[2]")
    found = [(each.id, each.status) for each in citations("One [c[1]]. Two [c[2]]. Three [c[3]].", chunks, ["c[1]"])]
    assert found == [("c[1]", "valid"), ("c[2]", "not_in_context")]
