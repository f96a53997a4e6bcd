"""Several votes on an item, and both orders of a pair."""

import pytest

from calibrate.domain import Item, Scale, Scored, Unscored
from calibrate.errors import InputError
from calibrate.judge import JudgeSettings, majority, merge_orders, swap_answers, undo_swap
from calibrate.judge.ballots import Ask

PAIR = Scale("pairwise", ("A", "B", "tie"))
FORCED = Scale("pairwise", ("A", "B"))


def votes(*labels):
    return [Scored(label, f"because {label}") for label in labels]


def test_the_label_with_the_most_votes_wins_and_its_share_is_the_confidence():
    assert majority(votes("1", "0", "1")) == Scored("1", "because 1", 2 / 3)


def test_votes_without_a_verdict_do_not_count():
    cast = [Unscored("invalid"), *votes("0"), Unscored("error")]
    assert majority(cast) == Scored("0", "because 0", 1.0)


def test_without_any_verdict_the_commonest_reason_stands():
    cast = [Unscored("invalid", "a"), Unscored("refused", "b"), Unscored("refused", "c")]
    assert majority(cast) == Unscored("refused", "b")


def test_of_tied_labels_the_first_given_wins():
    assert majority(votes("1", "0")) == Scored("1", "because 1", 0.5)


def test_exchanging_answers_exchanges_every_pair_of_inputs_and_nothing_else():
    item = Item("1", "p", {"question": "q", "answer_a": "x", "answer_b": "y", "model_1": "m", "model_2": "n", "c": "z"})
    assert swap_answers(item).inputs == {
        "question": "q",
        "answer_a": "y",
        "answer_b": "x",
        "model_1": "n",
        "model_2": "m",
        "c": "z",
    }
    assert swap_answers(swap_answers(item)) == item


def test_an_item_without_a_pair_cannot_be_exchanged():
    with pytest.raises(InputError, match="answer_a and answer_b"):
        swap_answers(Item("1", "p", {"answer": "x", "data": "y"}))


@pytest.mark.parametrize(("given", "undone"), [("A", "B"), ("B", "A"), ("tie", "tie")])
def test_a_verdict_on_exchanged_answers_is_undone(given, undone):
    assert undo_swap(Scored(given, "r"), PAIR) == Scored(undone, "r")
    assert undo_swap(Unscored("error"), PAIR) == Unscored("error")


def test_both_orders_agree():
    assert merge_orders(Scored("A", "r", 0.8), Scored("A", "s", 0.6), PAIR) == Scored("A", "r", pytest.approx(0.7))


def test_a_judge_that_follows_the_position_calls_a_tie_or_nothing():
    assert merge_orders(Scored("A"), Scored("B"), PAIR).label == "tie"
    verdict = merge_orders(Scored("A"), Scored("B"), FORCED)
    assert isinstance(verdict, Unscored)
    assert "follows the position" in verdict.detail


def test_an_order_without_a_verdict_leaves_the_item_without_one():
    assert merge_orders(Scored("A"), Unscored("refused", "no"), PAIR) == Unscored("refused", "no")


def test_what_a_verdict_takes():
    assert JudgeSettings().asks == (Ask(),)
    assert JudgeSettings(votes=2, both_orders=True).asks == (Ask(0), Ask(0, True), Ask(1), Ask(1, True))
    assert JudgeSettings(votes=3).asked_once == JudgeSettings()
    with pytest.raises(InputError, match="--votes 3"):
        JudgeSettings(adaptive=True)


def test_judges_of_before_there_were_votes_keep_their_digests():
    assert "votes" not in JudgeSettings().to_json()
    assert JudgeSettings(temperature=None).to_json()["temperature"] is None
    assert JudgeSettings(votes=3, adaptive=True).to_json()["adaptive"] is True


def test_a_single_vote_is_left_as_it_is():
    assert majority([Scored("A", "r")]) == Scored("A", "r")
    assert majority([Scored("A", "r", 0.8)]).confidence == 0.8
