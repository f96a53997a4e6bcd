from __future__ import annotations

import pytest
from rag.factories import bank, figure, named, output, variant

from calibrate.rag.answers import (
    Claim,
    answer_relevancy_figure,
    claim_figures,
    context_relevancy_figure,
    correctness_figure,
    percentile,
    system_figures,
    total,
)


def claims(supported: int = 0, contradicted: int = 0, not_mentioned: int = 0) -> list[Claim]:
    return [
        *(Claim(f"s{at}", label="supported") for at in range(supported)),
        *(Claim(f"c{at}", label="contradicted") for at in range(contradicted)),
        *(Claim(f"n{at}", label="not_mentioned") for at in range(not_mentioned)),
    ]


def test_five_of_six_claims_supported_is_083() -> None:
    found = named(claim_figures({"q": claims(5, 0, 1)}, {}))
    assert found["faithfulness"].values["q"] == pytest.approx(0.83, abs=0.005)
    assert found["faithfulness"].judge == "claim_support"


def test_contradicted_claims_have_a_rate_of_their_own() -> None:
    found = named(claim_figures({"q": claims(2, 1, 1)}, {}))
    assert found["faithfulness"].values == {"q": 0.5}
    assert found["contradiction_rate"].values == {"q": 0.25}
    assert found["contradiction_rate"].higher_is_better is False


def test_conditional_and_normative_statements_are_counted_apart() -> None:
    stated = [*claims(1), Claim("If it rains, it is late.", "conditional"), Claim("You should call.", "normative")]
    found = named(claim_figures({"q": stated}, {}))
    assert found["faithfulness"].values == {"q": 1.0}
    counts = ("factual_claims", "conditional_claims", "normative_claims")
    assert [found[name].values["q"] for name in counts] == [1.0, 1.0, 1.0]


def test_no_claims_is_undefined_and_no_1() -> None:
    found = named(claim_figures({"q": [], "r": [Claim("You should call.", "normative")]}, {}))
    assert found["faithfulness"].left_out == {"q": "no_claims", "r": "no_claims"}
    assert found["faithfulness"].mean is None


def test_a_claim_without_a_verdict_leaves_the_question_unscored() -> None:
    found = named(claim_figures({"q": [*claims(5), Claim("unclear")]}, {"r": "abstained"}))
    assert found["faithfulness"].left_out == {"q": "unscored", "r": "abstained"}
    assert found["contradiction_rate"].left_out == {"q": "unscored", "r": "abstained"}


def test_answer_relevancy_is_the_mean_similarity() -> None:
    found = answer_relevancy_figure({"q": [0.9, 0.6, 0.3], "r": []}, {"s": "abstained"})
    assert found.values["q"] == pytest.approx(0.6)
    assert found.left_out == {"r": "unscored", "s": "abstained"}


def test_context_relevancy_is_the_share_that_was_needed() -> None:
    found = context_relevancy_figure({"q": [True, False, False, True], "r": [True, None], "s": []}, {})
    assert found.values == {"q": 0.5}
    assert found.left_out == {"r": "unscored", "s": "no_context"}
    assert context_relevancy_figure({}, {}, name="context_relevancy_sentences").name == "context_relevancy_sentences"


def test_correctness_takes_verdicts_and_scores() -> None:
    found = correctness_figure({"q": 1, "r": 0.5, "s": None}, {"t": "no_reference"})
    assert found.values == {"q": 1.0, "r": 0.5}
    assert found.left_out == {"s": "unscored", "t": "no_reference"}


def test_what_the_system_spent() -> None:
    system = variant(
        output("q", answer="Thirty days [a].", latency=1.5, input_tokens=10, output_tokens=2, cost=0.25),
        output("r", answer="No.", latency=0.5, input_tokens=10),
    )
    found = named(system_figures(bank({"q": ["a"], "r": [], "s": []}), system))
    assert found["answer_words"].values == {"q": 2.0, "r": 1.0}
    assert found["tokens"].values == {"q": 12.0}
    assert found["tokens"].left_out == {"r": "not_told", "s": "no_output"}
    assert found["latency"].higher_is_better is False
    assert found["answer_words"].higher_is_better is None
    assert total(found["latency"]) == 2.0
    assert total(found["cost"]) is None


def test_percentiles_and_totals_of_nothing_are_undefined() -> None:
    latency = figure("latency", [1.0, 2.0, 3.0, 10.0])
    assert percentile(latency, 0.5) == 2.5
    assert percentile(latency, 0.95) == pytest.approx(8.95)
    assert percentile(latency, 1.0) == 10.0
    assert percentile(figure("latency", []), 0.5) is None
    assert total(figure("cost", [])) is None


def test_a_verifier_without_a_label_for_contradictions_tells_no_rate_of_them() -> None:
    found = named(claim_figures({"q": claims(2, 0, 1), "r": []}, {"s": "abstained"}, contradictions_told=False))
    assert found["faithfulness"].values == {"q": pytest.approx(2 / 3)}
    assert found["contradiction_rate"].values == {}
    assert found["contradiction_rate"].left_out == {"q": "no_such_label", "r": "no_claims", "s": "abstained"}
