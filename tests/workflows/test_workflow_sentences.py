"""What a manager can quote: no more than the data carry, and money that can be told from none."""

import itertools
import json
import re

import pytest

from calibrate.domain import Scale, Scored, Unscored
from calibrate.metrics import Estimate, align, compare, family
from calibrate.workflows.evidence import Chance, Evidence, Noise, Unseen
from calibrate.workflows.record import money
from calibrate.workflows.results import JudgeAlignment, too_many_unscored
from calibrate.workflows.sentences import Search, calibration_sentence, judge_sentence, judges_sentence

BINARY = Scale("binary", ("0", "1"), positive="1")
GOLD = ["1"] * 21 + ["0"] * 9


def judged(tp, fn, fp, tn):
    assert (tp + fn, fp + tn) == (21, 9)
    return [Scored(label) for label in "1" * tp + "0" * fn + "1" * fp + "0" * tn]


GENERIC, BETTER, PERFECT = judged(20, 1, 9, 0), judged(19, 2, 3, 6), judged(21, 0, 0, 9)
SILENT = [*PERFECT[:10], *[Unscored("refused")] * 15, *PERFECT[25:]]
"""Right on ten faithful items and on five unfaithful ones, and without a verdict on the rest."""


def alignment(verdicts):
    return align(GOLD, verdicts, BINARY)


NOTHING = Evidence()
SEARCH = Search(judged=12, rejected=("empty",), ended=True)


def sentence_of(before, after, search=SEARCH, evidence=NOTHING):
    comparison = None if before is after else compare(GOLD, before, after, BINARY)
    return calibration_sentence(alignment(before), alignment(after), comparison, search, evidence, max_unscored=0.05)


def unseen(low, high, source="holdout", uses=1):
    conclusion = "better" if low > 0 else "worse" if high < -0.05 else "non_inferior" if low > -0.05 else "cannot_tell"
    return Unseen(
        source,
        40,
        Estimate(0.4),
        Estimate(0.4 + (low + high) / 2),
        Estimate((low + high) / 2, low, high),
        conclusion,
        (high - low) / 2,
        uses,
        ("0a1b2c3d",),
    )


def chance(p, corrected=0.6):
    return Chance(Estimate(p), 12, Estimate(corrected), 0.1)


def noise(resolution):
    return Noise(3, resolution, 0.1, (0.4, 0.4, 0.4), (0.9, 0.9, 0.9))


def test_a_judge():
    result = JudgeAlignment("mine", "faithfulness", None, alignment(GENERIC))
    assert judge_sentence(result, 0.05) == (
        "mine on faithfulness agrees with the experts at alignment 0.40 (95 % interval 0.28 to 0.58) on 30 items; it "
        "recognises 0 of 9 labelled '0' and 20 of 21 labelled '1'."
    )


def test_a_slice_is_named():
    result = JudgeAlignment("mine", "faithfulness", "region=east", alignment(GENERIC))
    assert judge_sentence(result, 0.05).startswith("mine on faithfulness (region=east) agrees")


def test_a_silent_judge_is_not_said_to_agree():
    said = judge_sentence(JudgeAlignment("mine", "faithfulness", None, alignment(SILENT)), 0.05)
    assert said == (
        "mine on faithfulness: 15 of 30 items have no usable verdict; this judge cannot be relied on until it answers."
    )


def test_an_undefined_alignment_is_said_to_be():
    same = align(["1"] * 5, [Scored("1")] * 5, BINARY)
    said = judge_sentence(JudgeAlignment("mine", "faithfulness", None, same), 0.05)
    assert said == "mine on faithfulness: alignment is undefined (single_class_gold) on 5 items."


def test_of_many_judges_the_best_and_the_worst_are_named():
    results = [
        JudgeAlignment(name, "faithfulness", None, alignment(verdicts))
        for name, verdicts in (("a", GENERIC), ("b", PERFECT), ("c", BETTER), ("d", judged(10, 11, 9, 0)))
    ]
    said = judges_sentence(results, 0.05)
    assert said.startswith("Of 4 judges on faithfulness, b agrees with the experts most, at alignment 1.00 (95 %")
    assert "d least, at 0.05" in said
    assert judges_sentence(results[:3], 0.05).count("agrees with the experts") == 3


def said_of(judges):
    results = [JudgeAlignment(name, "tone", None, alignment(verdicts)) for name, verdicts in judges.items()]
    return judges_sentence(results, 0.05, {"tone": family(GOLD, judges, BINARY)})


def test_judges_that_the_items_do_not_tell_apart_have_no_best_and_no_worst():
    alike = {"a": BETTER, "b": list(BETTER), "c": list(BETTER), "d": list(BETTER)}
    said = said_of(alike)
    assert said.startswith(
        "These items do not tell the 4 judges on tone apart. Their alignment lies between 0.75 (95 %"
    )
    assert "most" not in said
    assert "a agrees with the experts most" in said_of({"a": PERFECT, **dict.fromkeys("bcd", GENERIC)})


def test_of_two_judges_the_difference_is_said_from_the_better_one():
    said = said_of({"a": GENERIC, "b": PERFECT})
    assert re.search(r"\. b is better by 0\.60 \(95 % interval 0\.\d\d to 0\.\d\d\), p [=<] 0\.\d+\.$", said)
    said = said_of({"a": BETTER, "b": list(BETTER)})
    assert "These items do not tell a and b apart: difference 0.00 (95 % interval -0." in said
    assert said.endswith("), p = 1.000.")


def test_of_many_judges_a_silent_one_is_not_the_best():
    results = [
        JudgeAlignment(name, "faithfulness", None, alignment(verdicts))
        for name, verdicts in (("a", GENERIC), ("b", SILENT), ("c", BETTER), ("d", GENERIC))
    ]
    said = judges_sentence(results, 0.05)
    assert "c agrees with the experts most" in said
    assert "b on faithfulness: 15 of 30 items have no usable verdict" in said


def test_a_real_gain():
    said = sentence_of(GENERIC, PERFECT)
    assert said.startswith(
        "Better on these 30 items, not tested on unseen ones: alignment 0.40 before, 1.00 after; difference +0.60 (95 %"
    )
    assert said.endswith(", best of 12 rewrites, which the interval does not allow for.")


def test_a_gain_that_choosing_explains_is_none():
    said = sentence_of(GENERIC, PERFECT, evidence=Evidence(chance(0.2)))
    assert said.startswith("Not distinguishable from the baseline on these 30 items")
    assert said.endswith("best of 12 rewrites, p = 0.200 over all of them; choosing the best of so many explains it.")
    said = sentence_of(GENERIC, PERFECT, evidence=Evidence(chance(0.0004)))
    assert said.startswith("Better on these 30 items")
    assert "p < 0.001" in said


def test_a_gain_within_the_judges_own_noise_is_none():
    said = sentence_of(GENERIC, PERFECT, evidence=Evidence(chance(0.001), noise(0.7)))
    assert said.startswith("Not distinguishable from the baseline on these 30 items")
    assert said.endswith("; the judge's own noise explains it.")
    said = sentence_of(GENERIC, PERFECT, evidence=Evidence(chance(0.001), noise(0.1)))
    assert said.startswith("Better on these 30 items, not tested on unseen ones")


@pytest.mark.parametrize(
    ("low", "high", "begins"),
    [
        (0.1, 0.5, "Better on unseen answers: difference +0.30"),
        (-0.3, 0.4, "Not distinguishable from the baseline on unseen answers"),
        (-0.02, 0.4, "Not distinguishable from the baseline on unseen answers"),
        (-0.5, -0.1, "Worse on unseen answers"),
    ],
)
def test_a_test_on_unseen_items_decides(low, high, begins):
    said = sentence_of(GENERIC, PERFECT, evidence=Evidence(chance(0.001), noise(0.05), (unseen(low, high),)))
    assert said.startswith(begins)
    assert "on 40 held-out items" in said


def test_a_test_on_items_that_were_used_before_is_said_to_be():
    said = sentence_of(GENERIC, PERFECT, evidence=Evidence(unseen=(unseen(0.1, 0.5, uses=3),)))
    assert "on 40 held-out items (test 3 on some of them)" in said


def test_how_many_items_would_show_the_gain_is_said_where_more_would_help():
    # Half-width 0.35 on 40 items; the gain seen is 0.60: 40 * (0.35 / 0.60)^2 = 13.6, fewer than there are.
    assert "would be needed" not in sentence_of(GENERIC, PERFECT, evidence=Evidence(unseen=(unseen(-0.3, 0.4),)))
    # Half-width 0.75: 40 * (0.75 / 0.60)^2 = 62.5.
    said = sentence_of(GENERIC, PERFECT, evidence=Evidence(unseen=(unseen(-0.7, 0.8),)))
    assert "about 63 items would be needed for an even chance to show a gain of 0.60" in said


def test_more_items_do_not_help_where_choosing_explains_the_gain():
    said = sentence_of(judged(19, 2, 3, 6), judged(20, 1, 3, 6), evidence=Evidence(chance(0.4)))
    assert "would be needed" not in said


def test_better_on_unseen_items_but_within_noise_is_not_better():
    said = sentence_of(GENERIC, PERFECT, evidence=Evidence(None, noise(0.5), (unseen(0.1, 0.5),)))
    assert said.startswith("Not distinguishable from the baseline on unseen answers")
    assert "within the judge's own noise" in said


def test_fresh_labels_go_before_a_holdout_and_that_before_a_cross_fit():
    tests = (unseen(0.1, 0.5, "cross_fit"), unseen(-0.3, 0.4, "holdout"), unseen(-0.5, -0.1, "confirm"))
    assert sentence_of(GENERIC, PERFECT, evidence=Evidence(unseen=tests)).startswith("Worse on unseen answers")
    assert sentence_of(GENERIC, PERFECT, evidence=Evidence(unseen=tests[:2])).startswith("Not distinguishable")
    assert "without it" in sentence_of(GENERIC, PERFECT, evidence=Evidence(unseen=tests[:1]))


def test_of_several_tests_on_fresh_labels_the_first_counts_and_a_worse_one_is_said():
    tests = (unseen(-0.3, 0.4, "confirm"), unseen(0.1, 0.5, "confirm", uses=2))
    assert sentence_of(GENERIC, PERFECT, evidence=Evidence(unseen=tests)).startswith("Not distinguishable")
    tests = (unseen(-0.6, -0.1, "holdout"), unseen(0.1, 0.5, "confirm"))
    said = sentence_of(GENERIC, PERFECT, evidence=Evidence(unseen=tests))
    assert said.startswith("Not distinguishable")
    assert "worse on 40 items of another test (holdout)" in said


def test_evidence_is_read_back_as_it_was():
    evidence = Evidence(chance(0.02), noise(0.1), (unseen(0.1, 0.5), unseen(-0.1, 0.2, "confirm", uses=3)))
    assert Evidence.from_json(json.loads(json.dumps(evidence.to_json()))) == evidence
    assert Evidence.from_json(None) == Evidence()


def test_a_test_that_was_made_is_not_made_again():
    evidence = Evidence(unseen=(unseen(0.1, 0.5),))
    assert evidence.with_unseen(unseen(-0.1, 0.5)) is evidence
    assert len(evidence.with_unseen(unseen(0.1, 0.5, "confirm")).unseen) == 2


@pytest.mark.parametrize(
    ("search", "said"),
    [
        (Search(12, ("empty",), True), "None of 12 rewrites did better than the baseline, 0.40 (95 % interval"),
        (Search(1, (), True), "The one rewrite that was judged did no better than the baseline, 0.40"),
        (
            Search(0, ("empty", "cut off", "empty"), True),
            "No rewrite could be tried: all 3 were rejected (empty: 2); the baseline stands at 0.40",
        ),
        (Search(0, (), True), "Nothing was tried; the baseline stands at 0.40"),
        (Search(12, (), False), "Unfinished: None of 12 rewrites did better"),
    ],
)
def test_no_gain(search, said):
    assert sentence_of(GENERIC, GENERIC, search).startswith(said)


def test_an_unfinished_search_claims_nothing():
    assert sentence_of(GENERIC, PERFECT, Search(3, (), False)) == (
        "Unfinished: so far, on these 30 items, alignment 0.40 before, 1.00 after; the same command goes on."
    )


def test_a_gain_of_one_item_is_not_distinguishable():
    said = sentence_of(judged(19, 2, 3, 6), judged(20, 1, 3, 6))
    assert said.startswith("Not distinguishable from the baseline on these 30 items")


def test_a_winner_that_does_not_answer():
    assert sentence_of(GENERIC, SILENT) == (
        "The best prompt leaves 15 of these 30 items without a verdict; it is not usable."
    )


def test_no_sentence_speaks_of_unseen_items_but_to_say_that_they_were_not_tested():
    for before, after in itertools.product((GENERIC, BETTER, PERFECT, SILENT), repeat=2):
        said = sentence_of(before, after)
        assert "these 30 items" in said
        assert said.replace("not tested on unseen ones", "").count("unseen") == 0


def test_better_is_said_only_when_the_interval_lies_above_zero():
    for before, after in itertools.permutations((GENERIC, BETTER, PERFECT), 2):
        low = compare(GOLD, before, after, BINARY).difference.low
        assert sentence_of(before, after).startswith("Better") == (low > 0)


@pytest.mark.parametrize(
    ("blank", "allowed", "too_many"),
    [(0, 0.0, False), (1, 0.0, True), (3, 0.1, False), (4, 0.1, True), (21, 0.7, False), (30, 1.0, False)],
)
def test_more_than_allowed(blank, allowed, too_many):
    verdicts = [Unscored("invalid")] * blank + [Scored(label) for label in GOLD[blank:]]
    assert too_many_unscored(align(GOLD, verdicts, BINARY), allowed) is too_many


def test_no_items_are_too_few_answers():
    assert too_many_unscored(align([], [], BINARY), 0.05)


@pytest.mark.parametrize(
    ("dollars", "written"),
    [
        (None, "unknown"),
        (0.0, "$0"),
        (3200.0, "$3,200.00"),
        (1.0, "$1.00"),
        (0.096, "$0.096"),
        (0.00012, "$0.00012"),
        (0.0000042, "$4.2e-06"),
    ],
)
def test_money(dollars, written):
    assert money(dollars) == written
