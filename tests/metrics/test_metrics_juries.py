"""Several judges' verdicts made into one: majority, median, veto, and weights learned on other items."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from measured_rows import BINARY, ORDINAL, PREFERENCE, verdicts
from null_worlds import gold, redrawn_candidates, spoken, words

from calibrate.domain import Scale, Scored, Unscored, Verdict
from calibrate.errors import InputError
from calibrate.metrics import alignment_value, learn_weights, majority_jury, minority_veto, weighted_jury
from calibrate.metrics.folds import deal_folds
from calibrate.metrics.pairing import pair

RAW = Scale("interval", threshold=0.5, low=0.0, high=1.0)
VOTES = st.lists(st.sampled_from(["A", "B", "tie", None]), min_size=1, max_size=6)


def decided(votes: list[str | None], scale: Scale) -> Verdict:
    return majority_jury([verdicts([vote]) for vote in votes], scale)[0]


def label(verdict: Verdict) -> str | None:
    return verdict.label if isinstance(verdict, Scored) else None


# Majority


def test_commonest_label_wins_and_says_by_how_much() -> None:
    assert decided(["1", "0", "1"], BINARY) == Scored("1", "2 of 3 judges: 1")
    assert decided(["1", None, "0", "0"], BINARY) == Scored("0", "2 of 3 judges: 0")


def test_of_labels_given_equally_often_that_of_the_judge_listed_first_wins() -> None:
    assert label(decided(["0", "1"], BINARY)) == "0"
    assert label(decided(["tie", "B", "A", "B", "A"], PREFERENCE)) == "B"
    assert label(decided([None, "A", "B"], PREFERENCE)) == "A"


def test_ordered_scales_take_the_median() -> None:
    assert decided(["1", "5", "4"], ORDINAL) == Scored("4", "median of 3 judges: 4")
    assert label(decided(["2", "5", None], ORDINAL)) == "2"
    assert label(decided(["0.25", "0.75"], RAW)) == "0.5"
    assert decided(["0.9"], RAW) == Scored("0.9", "median of 1 judge: 0.9")


def test_without_a_vote_an_item_stays_unscored() -> None:
    silent = [[Unscored("refused")], [Unscored("invalid")], [Unscored("invalid")]]
    for found in (majority_jury(silent, BINARY), minority_veto(silent, BINARY)):
        assert found == (Unscored("invalid", "none of 3 judges gave a label"),)


@given(VOTES, st.randoms())
def test_order_only_breaks_ties(votes: list[str | None], random: object) -> None:
    winner = label(decided(votes, PREFERENCE))
    given_votes = [each for each in votes if each is not None]
    tied = {each for each in given_votes if given_votes.count(each) == max(map(given_votes.count, given_votes))}
    shuffled = [*votes]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    again = label(decided(shuffled, PREFERENCE))
    assert winner in (tied or {None})
    assert again in (tied or {None})
    assert len(tied) > 1 or again == winner


# Veto


def test_one_judge_is_enough_to_reject() -> None:
    judges = [verdicts(["1", "0", None, None]), verdicts(["1", "1", "1", None]), verdicts(["1", "0", "1", "0"])]
    assert [label(each) for each in minority_veto(judges, BINARY)] == ["1", "0", "1", "0"]
    assert [label(each) for each in minority_veto(judges, BINARY, veto=2)] == ["1", "0", "1", "1"]
    assert minority_veto(judges, BINARY)[1] == Scored("0", "2 of 3 judges: 0")


def test_what_juries_refuse() -> None:
    two = [verdicts(["1"]), verdicts(["1"])]
    with pytest.raises(InputError, match="binary scale"):
        minority_veto(two, ORDINAL)
    with pytest.raises(InputError, match="1 to 2"):
        minority_veto(two, BINARY, veto=3)
    with pytest.raises(InputError, match="no judge"):
        majority_jury([], BINARY)
    with pytest.raises(InputError, match="same rows"):
        majority_jury([verdicts(["1"]), verdicts(["1", "0"])], BINARY)
    with pytest.raises(InputError, match="median"):
        weighted_jury(["1"], [verdicts(["1"])], ORDINAL)
    with pytest.raises(InputError, match="2 groups"):
        weighted_jury(["1", "0"], [verdicts(["1", "0"])], BINARY, groups=["doc", "doc"])
    with pytest.raises(InputError, match="2 folds"):
        weighted_jury(["1", "0"], [verdicts(["1", "0"])], BINARY, folds=1)


# Weights


def test_weights_by_hand() -> None:
    """Gold 1, 1, 1, 0; the judge says 1, 1, 0, 0; 1 is added to every count."""
    human, judge = ["1", "1", "1", "0"], verdicts(["1", "1", "0", "0"])
    found = learn_weights(human, [judge], BINARY)
    assert found.prior == pytest.approx([math.log(2 / 6), math.log(4 / 6)])
    assert np.exp(found.evidence[0]) == pytest.approx(np.array([[2 / 3, 1 / 3], [2 / 5, 3 / 5]]))
    verdict = found.decide(verdicts(["0"]))
    assert isinstance(verdict, Scored)
    against = (4 / 6 * 2 / 5, 2 / 6 * 2 / 3)
    assert (verdict.label, verdict.reasoning) == ("1", "0 of 1 judges: 1")
    assert verdict.confidence == pytest.approx(against[0] / sum(against))
    assert found.decide(verdicts([None])) == Unscored("invalid", "none of 1 judges gave a label")
    json.dumps(found.to_json(), allow_nan=False)


def test_one_good_judge_outweighs_two_poor_ones() -> None:
    human = gold(BINARY, 400, 0.5)
    codes = redrawn_candidates(human, BINARY, [0.55, 0.95, 0.55], np.random.default_rng(2))
    judges = [spoken(each, BINARY) for each in codes]
    found = weighted_jury(words(human, BINARY), judges, BINARY)
    reached = alignment_value(words(human, BINARY), found.verdicts, BINARY)
    majority = alignment_value(words(human, BINARY), majority_jury(judges, BINARY), BINARY)
    assert reached > majority + 0.2
    assert reached == pytest.approx(alignment_value(words(human, BINARY), judges[1], BINARY), abs=0.03)
    assert (found.folds, found.weights.n) == (5, 400)
    json.dumps(found.to_json(), allow_nan=False)


def test_an_item_is_decided_by_weights_that_did_not_see_its_label() -> None:
    """Whatever label an item had, given the folds the weights of the others decide it alike.

    Which fold an item is in does depend on labels: folds are dealt label by label.
    """
    human = words(gold(BINARY, 60, 0.5), BINARY)
    codes = redrawn_candidates(gold(BINARY, 60, 0.5), BINARY, [0.7, 0.8, 0.6], np.random.default_rng(3))
    judges = [spoken(each, BINARY) for each in codes]
    found = weighted_jury(human, judges, BINARY, seed=4)
    fold = deal_folds(pair(human, judges[0], BINARY), None, 5, 4)
    for at in range(60):
        changed = [*human]
        changed[at] = "1" if human[at] == "0" else "0"
        others = [row for row in range(60) if fold[row] != fold[at]]
        learned = learn_weights([changed[r] for r in others], [[each[r] for r in others] for each in judges], BINARY)
        assert learned.decide([each[at] for each in judges]) == found.verdicts[at]


def test_rows_without_gold_are_decided_by_all_weights() -> None:
    human: list[str | None] = [*words(gold(BINARY, 40, 0.5), BINARY), None]
    judge = [*spoken(gold(BINARY, 40, 0.5), BINARY), Scored("1")]
    found = weighted_jury(human, [judge], BINARY)
    assert found.verdicts[40] == found.weights.decide([Scored("1")])


def test_folds_keep_groups_together_and_labels_in_proportion() -> None:
    human = ["1"] * 60 + ["0"] * 20
    pairs = pair(human, verdicts(human), BINARY)
    alone = deal_folds(pairs, None, 5, 0)
    assert [int((alone[:60] == each).sum()) for each in range(5)] == [12] * 5
    assert [int((alone[60:] == each).sum()) for each in range(5)] == [4] * 5
    assert (deal_folds(pairs, None, 5, 0) == alone).all()
    assert (deal_folds(pairs, None, 5, 1) != alone).any()
    groups = [f"doc{at // 4}" for at in range(80)]
    together = deal_folds(pairs, groups, 5, 0)
    assert all(len(set(together[at : at + 4])) == 1 for at in range(0, 80, 4))
    assert len(set(together)) == 5
    assert len(set(deal_folds(pairs, [str(at // 40) for at in range(80)], 5, 0))) == 2
