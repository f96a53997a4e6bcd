from __future__ import annotations

import sys

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import RR, P, R, Success, nDCG
from rag.factories import bank, named, output, variant

from calibrate.errors import InputError
from calibrate.rag.retrieval import depth_notes, retrieval_figures

CHUNKS = [f"c{at}" for at in range(12)]
RANKINGS = st.lists(st.sampled_from(CHUNKS), unique=True, max_size=12)
RELEVANT = st.lists(st.sampled_from(CHUNKS), unique=True, min_size=1, max_size=5)


CUTS = st.sampled_from([(5, 2), (50, 5), (1,), (12, 3)])


@given(st.lists(st.tuples(RELEVANT, RANKINGS), min_size=1, max_size=6), CUTS)
def test_figures_are_those_of_ir_measures(rows: list[tuple[list[str], list[str]]], cuts: tuple[int, ...]) -> None:
    questions = bank({f"q{at}": relevant for at, (relevant, _) in enumerate(rows)})
    system = variant(*(output(f"q{at}", ranked) for at, (_, ranked) in enumerate(rows)))
    found = named(retrieval_figures(questions, system, cuts))

    qrels = {f"q{at}": dict.fromkeys(relevant, 1) for at, (relevant, _) in enumerate(rows)}
    run = {
        f"q{at}": {chunk: 1.0 / (1 + place) for place, chunk in enumerate(ranked)}
        for at, (_, ranked) in enumerate(rows)
        if ranked
    }
    measures = {"mrr": RR}
    for cut in cuts:
        measures |= {f"recall@{cut}": R @ cut, f"precision@{cut}": P @ cut}
        measures |= {f"hit_rate@{cut}": Success @ cut, f"ndcg@{cut}": nDCG @ cut}
    direct = ir_measures.calc_aggregate(list(measures.values()), qrels, run) if run else {}
    for name, measure in measures.items():
        assert found[name].mean == pytest.approx(direct.get(measure, 0.0)), name


@given(RELEVANT, st.permutations(CHUNKS))
def test_figures_are_what_statistics_defines(relevant: list[str], ranked: list[str]) -> None:
    found = named(retrieval_figures(bank({"q": relevant}), variant(output("q", ranked, ranked[:3])), (5,)))
    hits = [chunk in relevant for chunk in ranked]
    assert found["recall@5"].values["q"] == pytest.approx(sum(hits[:5]) / len(relevant))
    assert found["precision@5"].values["q"] == pytest.approx(sum(hits[:5]) / 5)
    assert found["hit_rate@5"].values["q"] == float(any(hits[:5]))
    assert found["mrr"].values["q"] == pytest.approx(1 / (1 + hits.index(True)))
    assert found["context_recall"].values["q"] == pytest.approx(sum(hits[:3]) / len(relevant))
    assert found["context_precision"].values["q"] == pytest.approx(sum(hits[:3]) / 3)


def test_the_order_given_is_the_order_ranked_whatever_the_ids_sort_to() -> None:
    for ranked in (["z", "a"], ["a", "z"]):
        found = named(retrieval_figures(bank({"q": ["a"]}), variant(output("q", ranked)), (1,)))
        assert found["mrr"].values["q"] == (1.0 if ranked[0] == "a" else 0.5)


def test_a_long_ranking_keeps_its_order() -> None:
    ranked = [f"c{at}" for at in range(3000)]
    found = named(retrieval_figures(bank({"q": ["c2998"]}), variant(output("q", ranked)), (5,)))
    assert found["mrr"].values["q"] == pytest.approx(1 / 2999)


def test_questions_without_relevant_chunk_and_without_output_are_left_out_and_counted() -> None:
    questions = bank({"found": ["a"], "nothing_answers": [], "not_run": ["a"]})
    found = named(retrieval_figures(questions, variant(output("found", ["a"]), output("nothing_answers", ["a"]))))
    for name in ("recall@50", "mrr", "context_recall", "context_precision"):
        assert found[name].values == {"found": 1.0}
        assert found[name].left_out == {"nothing_answers": "no_relevant_chunk", "not_run": "no_output"}


def test_nothing_retrieved_counts_0() -> None:
    found = named(retrieval_figures(bank({"q": ["a"], "r": ["a"]}), variant(output("q"), output("r", ["a"]))))
    for name in ("recall@50", "precision@5", "hit_rate@5", "ndcg@5", "mrr", "context_recall", "context_precision"):
        assert found[name].values["q"] == 0.0


def test_mrr_is_0_when_none_of_the_relevant_was_retrieved() -> None:
    assert named(retrieval_figures(bank({"q": ["a"]}), variant(output("q", ["b", "c"]))))["mrr"].values == {"q": 0.0}


@pytest.mark.parametrize("odd", ["q\x00a", "q a", "\n", "", "ñ\u2028", "\ud800"])
def test_ids_may_hold_anything(odd: str) -> None:
    system = variant(output(odd, [odd, "c1"]), output("q", ["c1", odd]))
    found = named(retrieval_figures(bank({odd: [odd], "q": [odd]}), system))
    assert found["recall@50"].values == {odd: 1.0, "q": 1.0}
    assert found["mrr"].values == {odd: 1.0, "q": 0.5}


def test_what_the_output_does_not_tell_is_no_0() -> None:
    only_contexts = variant(output("q", [], ["a"]))
    found = named(retrieval_figures(bank({"q": ["a"]}), only_contexts))
    assert found["recall@5"].left_out == {"q": "not_told"}
    assert found["retrieved_chunks"].left_out == {"q": "not_told"}
    assert found["context_recall"].values == {"q": 1.0}
    only_rankings = variant(output("q", ["a"], []))
    found = named(retrieval_figures(bank({"q": ["a"]}), only_rankings))
    assert found["context_recall"].left_out == {"q": "not_told"}
    assert found["context_chunks"].left_out == {"q": "not_told"}
    assert found["recall@5"].values == {"q": 1.0}


def test_a_ranking_shorter_than_the_cut_is_said() -> None:
    system = variant(output("q", CHUNKS[:10]), output("r", CHUNKS[:3]))
    notes = depth_notes(bank({"q": ["c1"], "r": ["c1"]}), system)
    assert notes == {50: "recall@50, precision@50, hit rate@50 and nDCG@50 are over at most 10 retrieved chunks"}
    assert not depth_notes(bank({"q": ["c1"]}), system, (10, 5))


def test_a_cut_is_above_0() -> None:
    with pytest.raises(InputError, match="a number of chunks from 1 on, not 0"):
        retrieval_figures(bank({"q": ["a"]}), variant(output("q", ["a"])), (5, 0))


def test_a_missing_library_is_said_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(InputError, match=r"pip install '\.\[rag\]'"):
        retrieval_figures(bank({"q": ["a"]}), variant(output("q", ["a"])))
