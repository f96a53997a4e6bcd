"""The raters in a report: their ceiling, the judge among them, and what is not known."""

import pytest

from calibrate.domain import GoldenSet, Item, Scale, Scored, Unscored
from calibrate.errors import InputError
from calibrate.workflows.people import measure_people, people_of

BINARY = Scale("binary", ("0", "1"), positive="1")
TRUTH = ["1"] * 21 + ["0"] * 9


def flipped(*positions):
    return [str(1 - int(label)) if at in positions else label for at, label in enumerate(TRUTH)]


def ratings(**labels):
    return [{rater: own[at] for rater, own in labels.items() if own[at]} for at in range(len(TRUTH))]


def people(rated, judge, **options):
    return measure_people(rated, rated, [Scored(label) for label in judge], BINARY, gold="majority", **options)


THREE = ratings(ana=TRUTH, ben=flipped(0), cy=flipped(21))


def test_raters_and_judge_are_measured_against_the_same_majorities():
    found = people(THREE, flipped(20))
    ana, ben, cy = found.ceiling.rows
    # Ben and Cy differ on items 0 and 21, Ana and Cy on 21, Ana and Ben on 0.
    assert [row.n for row in (ana, ben, cy)] == [28, 29, 29]
    assert ana.human.confusion.matrix == ((8, 0), (0, 20))
    assert ana.judge.confusion.matrix == ((8, 0), (1, 19))
    assert ben.human.confusion.matrix == ((8, 0), (1, 20))
    assert ben.judge.confusion.matrix == ((8, 0), (1, 20))
    assert cy.human.confusion.matrix == ((8, 1), (0, 20))
    assert cy.judge.confusion.matrix == ((9, 0), (1, 19))
    assert ana.human.alignment.value == pytest.approx(1.0)


def test_a_judge_like_the_raters_may_stand_in_for_one():
    found = people(THREE, TRUTH)
    assert found.alternative.passed is True
    assert found.undefined is None
    assert found.to_json()["alternative_annotator"]["omega"] == 1.0
    assert "reason" not in found.to_json()["alternative_annotator"]


def test_a_judge_that_accepts_everything_may_not():
    found = people(THREE, ["1"] * 30)
    assert found.alternative.passed is False
    assert found.alternative.omega == 0.0


@pytest.mark.parametrize(("annotators", "epsilon"), [("experts", 0.2), ("skilled", 0.15), ("crowd", 0.1)])
def test_what_a_judge_is_allowed_for_its_cost(annotators, epsilon):
    found = people(THREE, TRUTH, annotators=annotators).to_json()["alternative_annotator"]
    assert (found["annotators"], found["epsilon"]) == (annotators, epsilon)


def test_what_the_allowance_decides():
    # Behind each rater on 2 of 30 items: good enough to stand in for an expert, not for one of a crowd.
    judge = flipped(1, 22)
    assert people(THREE, judge, annotators="experts").alternative.passed is True
    assert people(THREE, judge, annotators="crowd").alternative.passed is False


def test_no_such_raters():
    with pytest.raises(InputError, match="use experts, skilled, crowd"):
        people(THREE, TRUTH, annotators="interns")


def test_two_raters_are_too_few_for_the_test_and_enough_for_a_ceiling():
    found = people(ratings(ana=TRUTH, ben=flipped(0)), TRUTH)
    assert found.undefined == ("too_few_raters", "it takes three raters or more, and there are two")
    entry = found.to_json()
    assert entry["alternative_annotator"]["passed"] is None
    assert entry["alternative_annotator"]["reason"] == "too_few_raters"
    assert entry["ceiling"]["raters"] == [2, 2]


def test_three_raters_of_too_few_items():
    own = {name: labels[:12] + [""] * 18 for name, labels in (("ana", TRUTH), ("ben", TRUTH), ("cy", flipped(0)))}
    found = people(ratings(**own), TRUTH)
    assert found.undefined == ("too_few_items", "no rater has 30 items or more that others labelled too")
    assert found.alternative.skipped == ("ana", "ben", "cy")


@pytest.mark.parametrize("rated", [[{}] * 30, ratings(ana=TRUTH)], ids=["nobody named", "one rater"])
def test_of_one_rater_agreement_is_unknown(rated):
    found = people(rated, TRUTH)
    entry = found.to_json()
    assert entry["known"] is False
    assert entry["gate"]["reason"] == "agreement unknown: one rater"
    assert (entry["agreement"], entry["ceiling"]) == (None, None)
    assert entry["alternative_annotator"]["reason_in_words"] == "it takes three raters or more, and there is one"


def test_an_unscored_verdict_counts_against_the_judge():
    verdicts = [Unscored("abstained"), *(Scored(label) for label in TRUTH[1:])]
    rated = ratings(ana=TRUTH, ben=TRUTH, cy=TRUTH)
    found = measure_people(rated, rated, verdicts, BINARY, gold="majority")
    assert found.ceiling.judge.value < found.ceiling.human.value == 1.0


def test_items_on_which_raters_tie_count_for_their_agreement():
    rated = ratings(ana=TRUTH, ben=flipped(0, 1, 2))
    items = tuple(
        Item(str(at), "faithfulness", {"answer": "a"}, None if at < 3 else TRUTH[at], rated[at]) for at in range(30)
    )
    golden = GoldenSet("set", items, {"faithfulness": BINARY}, gold="majority of 2 raters")
    found = people_of(golden, {item.id: Scored(item.label) for item in golden.labelled})
    assert found.agreement.agreement.value == pytest.approx(27 / 30)
    assert found.gold == "majority of 2 raters"
    # On the items that are left two raters agree by construction: that is no ceiling.
    assert (found.ceiling, found.no_ceiling) == (None, "ties_left_out")
    assert found.to_json()["no_ceiling"] == "ties_left_out"


def test_two_raters_whose_differences_were_adjudicated_have_a_ceiling():
    rated = ratings(ana=TRUTH, ben=flipped(0, 1, 2))
    items = tuple(Item(str(at), "faithfulness", {"answer": "a"}, TRUTH[at], rated[at]) for at in range(30))
    golden = GoldenSet("set", items, {"faithfulness": BINARY}, gold="majority of 2 raters, adjudicated")
    found = people_of(golden, {item.id: Scored(item.label) for item in golden.labelled})
    assert found.no_ceiling is None
    assert [row.n for row in found.ceiling.rows] == [30, 30]
