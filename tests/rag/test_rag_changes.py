from __future__ import annotations

from rag.factories import figure

from calibrate.rag.changes import changed_questions


def test_questions_are_ordered_by_their_largest_move_then_by_all_moves() -> None:
    first = [figure("recall@5", {"p": 1, "q": 1, "r": 0.5, "s": 1}), figure("mrr", {"p": 1, "q": 1, "r": 1, "s": 1})]
    second = [figure("recall@5", {"p": 0, "q": 0, "r": 1, "s": 1}), figure("mrr", {"p": 1, "q": 0.5, "r": 1, "s": 1})]
    found = changed_questions(first, second)
    assert [each.question for each in found] == ["q", "p", "r"]
    assert [(move.figure, move.first, move.second) for move in found[0].moves] == [("recall@5", 1, 0), ("mrr", 1, 0.5)]
    assert [each.direction for each in found] == ["worse", "worse", "better"]
    assert [each.size for each in found] == [1, 1, 0.5]


def test_the_direction_is_the_figures_own() -> None:
    first = [figure("contradiction_rate", {"q": 0.5}, higher_is_better=False), figure("recall@5", {"q": 1.0})]
    second = [figure("contradiction_rate", {"q": 0.0}, higher_is_better=False), figure("recall@5", {"q": 0.9})]
    (found,) = changed_questions(first, second)
    assert [move.direction for move in found.moves] == ["better", "worse"]
    assert found.direction == "mixed"


def test_a_value_that_went_is_a_change_with_its_reason() -> None:
    first = [figure("faithfulness", {"q": 0.5})]
    second = [figure("faithfulness", {}, left_out={"q": "abstained"})]
    (found,) = changed_questions(first, second)
    (move,) = found.moves
    assert (move.first, move.second, move.second_reason, move.direction) == (0.5, None, "abstained", "changed")
    assert (found.size, found.direction) == (0, "changed")


def test_amounts_are_no_outcome_unless_they_are_asked_for() -> None:
    first, second = [figure("latency", {"q": 1.0})], [figure("latency", {"q": 2.0})]
    assert changed_questions(first, second) == ()
    assert [each.question for each in changed_questions(first, second, names=["latency"])] == ["q"]


def test_nothing_changed() -> None:
    assert changed_questions([figure("mrr", {"q": 1 / 3})], [figure("mrr", {"q": 1 - 2 / 3})]) == ()


def test_a_similarity_that_hardly_moves_is_no_change() -> None:
    first = [figure("answer_relevancy", {"p": 0.08, "q": 0.08}), figure("correctness", {"p": 0.0, "q": 1.0})]
    second = [figure("answer_relevancy", {"p": 0.0799, "q": 0.12}), figure("correctness", {"p": 1.0, "q": 1.0})]
    (found,) = changed_questions(first, second)
    assert (found.question, found.direction) == ("p", "better")
    assert [move.figure for move in found.moves] == ["correctness"]
    (found,) = changed_questions([figure("answer_relevancy", {"q": 0.08})], [figure("answer_relevancy", {"q": 0.14})])
    assert found.direction == "better"


def test_outcomes_come_before_ranks_and_similarities() -> None:
    first = [figure("mrr", {"p": 1, "q": 1}), figure("faithfulness", {"p": 1, "q": 0.5})]
    second = [figure("mrr", {"p": 0, "q": 0}), figure("faithfulness", {"p": 1, "q": 1})]
    found = changed_questions(first, second)
    assert [each.question for each in found] == ["q", "p"]
    assert [move.figure for move in found[0].moves] == ["faithfulness", "mrr"]
    assert (found[0].outcome_size, found[1].outcome_size) == (0.5, 0)
