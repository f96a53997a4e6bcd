"""The reading rules, on systems with a planted fault."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import pytest
from rag.factories import bank, figure, output, variant

from calibrate.rag import Bank, Figure, Output
from calibrate.rag.answers import Claim, claim_figures, correctness_figure
from calibrate.rag.diagnoses import Diagnosis, Fault
from calibrate.rag.faults import ERROR, variant_faults, variant_rules
from calibrate.rag.retrieval import retrieval_figures

QUESTIONS = 30
BANK = bank({f"q{at}": [f"right{at}"] for at in range(QUESTIONS)})


def ranking(place: int | None, at: int) -> list[str]:
    """Fifty chunks, the relevant one at a place from 1, or nowhere."""
    others = [f"other{at}-{each}" for each in range(50)]
    return others if place is None else [*others[: place - 1], f"right{at}", *others[place - 1 : -1]]


def a_system(places: Sequence[int | None], supported: Sequence[int], questions: Bank = BANK) -> list[Figure]:
    """A system that ranks each relevant chunk somewhere, shows five, and states five claims, some of them supported."""
    outputs: list[Output] = []
    claims: dict[str, list[Claim]] = {}
    for at, (each, place, right) in enumerate(zip(questions.questions, places, supported, strict=True)):
        ranked = ranking(place, at)
        outputs.append(output(each.id, ranked, ranked[:5], "An answer."))
        claims[each.id] = [
            *(Claim(f"{number}", label="supported") for number in range(right)),
            *(Claim(f"{number}", label="contradicted") for number in range(right, 5)),
        ]
    return [
        *retrieval_figures(questions, variant(*outputs)),
        *claim_figures(claims, {}),
        correctness_figure(
            {name: float(all(one.label == "supported" for one in each)) for name, each in claims.items()}, {}
        ),
    ]


def codes(diagnosis: Diagnosis) -> list[str]:
    return [each.code for each in diagnosis.faults]


def the_fault(diagnosis: Diagnosis) -> Fault:
    (fault,) = diagnosis.faults
    return fault


def test_a_relevant_chunk_ranked_20th_is_the_rerankers_fault() -> None:
    """Whatever the answers are: invented from other chunks here."""
    fault = the_fault(variant_faults(a_system([20] * QUESTIONS, [1] * QUESTIONS)))
    assert (fault.code, fault.certain, fault.rests_on) == ("reranker", True, QUESTIONS)
    assert [each.name for each in fault.figures] == ["recall@50", "context_recall"]
    assert [each.value for each in fault.figures] == [1.0, 0.0]
    assert fault.sentence == (
        "recall@50 1.00 (95 % 0.89 to 1.00), context recall 0.00 (95 % 0.00 to 0.11), over 30 questions: what answers "
        "the questions is found and does not reach the context: the reranker, or a context too small"
    )


def test_a_relevant_chunk_that_is_not_found_is_the_fault_of_index_chunking_or_query() -> None:
    fault = the_fault(variant_faults(a_system([None] * QUESTIONS, [1] * QUESTIONS)))
    assert (fault.code, fault.certain) == ("retrieval", True)
    assert "index, chunking or query" in fault.sentence


def test_an_answer_against_its_context_is_the_fault_of_generation() -> None:
    fault = the_fault(variant_faults(a_system([1] * QUESTIONS, [2] * QUESTIONS)))
    assert (fault.code, fault.certain, fault.rests_on) == ("generation", True, QUESTIONS)
    assert [each.name for each in fault.figures] == ["faithfulness", "correctness"]


@pytest.mark.parametrize("retrieval", [20, None])
def test_a_fault_in_half_of_the_questions_is_named_and_the_other_is_not(retrieval: int | None) -> None:
    """Where retrieval fails the answers are invented; from a full context they are right."""
    half = QUESTIONS // 2
    found = variant_faults(a_system([retrieval] * half + [1] * half, [1] * half + [5] * half))
    assert codes(found) == ["reranker" if retrieval else "retrieval"]
    found = variant_faults(a_system([1] * QUESTIONS, [1] * half + [5] * half))
    assert codes(found) == ["generation"]


def test_a_good_system_has_no_fault() -> None:
    found = variant_faults(a_system([1] * QUESTIONS, [5] * QUESTIONS))
    assert found.faults == ()
    assert {each.code for each in found.silent} == {"invents", "declines"}


def test_what_the_interval_does_not_settle_is_only_pointed_to() -> None:
    few = bank({f"q{at}": [f"right{at}"] for at in range(6)})
    fault = the_fault(variant_faults(a_system([None, None, 1, 1, 1, 1], [5] * 6, few)))
    assert (fault.code, fault.certain) == ("retrieval", False)
    assert "likely, not certain on so few questions: what answers" in fault.sentence


def test_inventing_comes_first() -> None:
    invents = figure("abstention_recall", [0.0] * 20 + [1.0] * 5, judge="abstention")
    found = variant_faults([*a_system([None] * QUESTIONS, [5] * QUESTIONS), invents])
    assert codes(found) == ["invents", "retrieval"]
    assert found.faults[0].certain
    assert "it invents, fix this first" in found.faults[0].sentence


@pytest.mark.parametrize("name", ["abstention_recall", "answer_rate"])
def test_what_declared_phrases_decide_is_likely_at_most(name: str) -> None:
    full = figure("context_recall", [1.0] * 30)
    fault = the_fault(variant_faults([full, figure(name, [0.0] * 30)]))
    assert not fault.certain
    assert "over 30 questions: likely, decided by declared phrases and no judge: it" in fault.sentence
    assert the_fault(variant_faults([full, figure(name, [0.0] * 30, judge="abstention")])).certain


def chance_of_a_certain_fault(n: int, share: float, name: str) -> float:
    """Over every number of ones among n questions, each of which is a one with this chance."""
    certain = [
        any(each.certain for each in variant_faults([figure(name, [1.0] * k + [0.0] * (n - k), judge="j")]).faults)
        for k in range(n + 1)
    ]
    return sum(comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(n + 1) if certain[k])


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8, 13, 20, 30])
@pytest.mark.parametrize(("name", "threshold"), [("abstention_recall", 0.9), ("recall@50", 0.8)])
def test_a_system_at_the_threshold_is_certainly_at_fault_in_at_most_one_of_forty_worlds(
    n: int, name: str, threshold: float
) -> None:
    assert chance_of_a_certain_fault(n, threshold, name) <= ERROR


def test_a_bad_system_is_certainly_at_fault() -> None:
    assert chance_of_a_certain_fault(20, 0.3, "recall@50") > 0.95


def test_one_question_settles_nothing() -> None:
    for places in ([20], [None]):
        fault = the_fault(variant_faults(a_system(places, [5], bank({"q0": ["right0"]}))))
        assert not fault.certain


def test_recall_just_above_the_threshold_is_not_settled_where_several_questions_lack_a_chunk() -> None:
    found = variant_faults([figure("recall@50", [1.0] * 10 + [0.5, 0.0, 0.0])])
    silent = next(each for each in found.silent if each.code == "retrieval")
    assert found.faults == ()
    assert silent.sentence.startswith("recall@50 0.81 (95 % ")
    assert "3 of 13 questions lack a chunk, and these do not settle whether it is below 0.80" in silent.sentence
    for values in ([1.0] * 12 + [0.0], [1.0] * 200 + [0.0] * 4):
        found = variant_faults([figure("recall@50", values)])
        assert "retrieval" not in [each.code for each in found.silent] + codes(found)


def test_declining_what_the_context_answers_is_a_fault_of_generation() -> None:
    figures = [*a_system([1] * QUESTIONS, [5] * QUESTIONS), figure("answer_rate", [0.0] * 15 + [1.0] * 15)]
    assert codes(variant_faults(figures)) == ["declines"]


def test_wrong_answers_that_are_declined_are_not_the_fault_of_generation() -> None:
    """Correctness holds what was declined as wrong."""
    declined = {"answer_rate": [0.0] * 20 + [1.0] * 10, "correctness": [0.0] * 20 + [1.0] * 10}
    figures = [figure("context_recall", [1.0] * 30), *(figure(name, values) for name, values in declined.items())]
    assert codes(variant_faults(figures)) == ["declines"]
    figures[2] = figure("correctness", [0.0] * 27 + [1.0] * 3)
    found = variant_faults(figures)
    assert codes(found) == ["generation", "declines"]
    assert found.faults[0].rests_on == 10
    figures[1] = figure("answer_rate", [0.0] * 30)
    found = variant_faults(figures)
    assert codes(found) == ["declines"]
    assert "of 30 questions with a full context it answers 0 only" in {each.sentence for each in found.silent}


def test_declining_without_the_answer_is_none() -> None:
    half = QUESTIONS // 2
    figures = [
        *a_system([None] * half + [1] * half, [5] * QUESTIONS),
        figure("answer_rate", [0.0] * half + [1.0] * half),
    ]
    assert codes(variant_faults(figures)) == ["retrieval"]


def test_rankings_no_deeper_than_the_context_cannot_tell_index_from_reranker() -> None:
    outputs = [output(each.id, [f"other{at}" for at in range(5)]) for each in BANK.questions]
    found = variant_faults(retrieval_figures(BANK, variant(*outputs)))
    assert "or the reranker" in the_fault(found).sentence
    assert "record more retrieved chunks" in next(each.sentence for each in found.silent if each.code == "reranker")


def test_rules_without_figures_are_silent_and_say_what_is_missing() -> None:
    found = variant_faults([figure("recall@50", []), figure("faithfulness", [0.1] * 9)])
    assert found.faults == ()
    assert {each.code: each.missing for each in found.silent} == {
        "invents": ("abstention_recall",),
        "retrieval": ("recall@50",),
        "reranker": ("recall@50", "context_recall"),
        "generation": ("context_recall",),
        "declines": ("context_recall",),
    }
    assert found.silent[0].sentence == "no value of abstention where it must"


def test_too_few_full_contexts_say_nothing_about_generation() -> None:
    found = variant_faults(a_system([1, 1, *[None] * (QUESTIONS - 2)], [0] * QUESTIONS))
    assert codes(found) == ["retrieval"]
    assert "the whole answer stood in the context of 2 questions only" in found.silent[1].sentence


def test_the_rules_tell_their_thresholds() -> None:
    rules = {each.code: each for each in variant_rules((20, 5))}
    assert list(rules) == ["invents", "retrieval", "reranker", "generation", "declines"]
    assert rules["retrieval"].thresholds == {"recall@20": 0.8}
    for rule in rules.values():
        assert rule.thresholds.keys() <= set(rule.figures)
        assert all(f"{threshold:.2f}" in rule.sentence for threshold in rule.thresholds.values())


@pytest.mark.parametrize("name", ["abstention_recall", "recall@50"])
def test_a_rule_fires_below_its_threshold_and_not_at_it(name: str) -> None:
    (rule,) = (each for each in variant_rules() if each.figures == (name,))
    at = rule.thresholds[name]
    assert codes(variant_faults([figure(name, [at] * 9)])) == []
    assert codes(variant_faults([figure(name, [at - 0.01] * 9)])) == [rule.code]
