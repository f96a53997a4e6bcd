"""How a winner came about, on the calibration that ``explained`` works by hand."""

import json
from dataclasses import replace

import pytest
from explained import ITEMS, PATTERNS, PROMPTS, TRIED, save_run
from hypothesis import given
from hypothesis import strategies as st

import calibrate
from calibrate.domain import Scale
from calibrate.errors import InputError
from calibrate.store import CandidateRecord
from calibrate.workflows.explain import explain, score_name
from calibrate.workflows.lineage import edits_to, side_edits
from calibrate.workflows.yields import in_vain, new_bests, yields


@pytest.fixture
def found():
    save_run("runs.db", iterations=PATTERNS)
    return explain("runs.db", "1")


def candidates(explanation):
    return [each.candidate.number for each in explanation]


def test_the_sentence(found):
    # 0 to 7: i5, i6 and i7 are fixed, i4 is broken, i8 has no verdict of candidate 7. In vain are 3, 4 and 6.
    assert found.sentence == (
        "Run 1's winner (candidate 7, alignment 0.90) came from the baseline (0.20) in 4 edits (1 of them in what was "
        "merged in), which fixed 3 items and broke 1 (1 item not compared); 3 further rewrites (1 rejected, 1 stopped "
        "early) did not help."
    )


def test_the_line_of_edits_follows_first_parents_and_merges_bring_in_the_others(found):
    assert candidates(found.edits) == [1, 5, 7]
    assert candidates(found.side_edits) == [2]


@pytest.mark.parametrize(
    ("number", "parent", "partner", "fixed", "broken", "left_out"),
    [
        (1, 0, None, ["i5", "i6"], [], []),
        (2, 0, None, ["i7"], ["i1"], []),
        (5, 1, 2, ["i7"], [], []),
        (7, 5, None, [], ["i4"], ["i8"]),
    ],
)
def test_what_an_edit_did(found, number, parent, partner, fixed, broken, left_out):
    document = found.to_json()
    (edit,) = [each for each in (*document["lineage"], *document["side_lineage"]) if each["candidate"] == number]
    assert (edit["parent"], edit["partner"]) == (parent, partner)
    assert (edit["fixed"], edit["broken"], edit["left_out"]) == (fixed, broken, left_out)
    assert (edit["score_before"], edit["score_after"]) == (TRIED[parent][0].score, TRIED[number][0].score)
    assert (edit["length_before"], edit["length_after"]) == (len(PROMPTS[parent]), len(PROMPTS[number]))


def test_a_merge_is_compared_with_its_second_parent_too(found):
    merge = found.to_json()["lineage"][1]
    # 2 says 0111 1101, 5 says 1111 0001: i1, i5 and i6 are right now, nothing that was right is wrong.
    assert merge["from_partner"] == {"fixed": ["i1", "i5", "i6"], "broken": [], "left_out": []}
    assert merge["score_of_partner"] == 0.3


def test_the_diff_of_an_edit(found):
    assert found.edits[1].diff == (
        "--- 1:1",
        "+++ 1:5",
        "@@ -1,2 +1,3 @@",
        " Judge the answer.",
        " Check quantities.",
        "+Check names.",
    )


def test_failure_patterns_from_the_baseline_over_each_new_best_to_the_winner(found):
    assert {
        each.pattern.name: [(at.candidate, at.errors, at.left_out) for at in each.errors] for each in found.patterns
    } == {
        "quantities changed": [(0, 3, 0), (1, 1, 0), (5, 0, 0), (7, 0, 0)],
        "names swapped": [(0, 1, 0), (1, 1, 0), (5, 1, 0), (7, 0, 1)],  # i8 is an example of 7's
    }
    assert [each.pattern.found for each in found.patterns] == [1, 2]


def test_the_patterns_of_an_edit_count_what_both_prompts_were_judged_on(found):
    told = [{each.name: (each.before, each.after) for each in edit.patterns} for edit in found.edits]
    assert told == [
        {"quantities changed": (3, 1), "names swapped": (1, 1)},
        {"quantities changed": (1, 0), "names swapped": (1, 1)},
        {},  # i8 is left out, and of the others neither 5 nor 7 gets any wrong
    ]
    assert {each.name: (each.before, each.after) for each in found.side_edits[0].patterns} == {
        "quantities changed": (3, 2),
        "names swapped": (1, 2),
    }


def test_what_was_tried_in_vain(found):
    assert [(each.strategy, each.rewrites, each.best, each.rejected, each.stopped) for each in found.in_vain] == [
        ("fix wrongly accepted", 1, 0.5, {}, 0),
        ("radical simplification", 1, None, {"duplicate of the baseline": 1}, 0),
        ("general improvement", 1, None, {}, 1),
    ]
    assert found.never_right == ("i8",)
    assert found.lost == ()


def test_what_each_strategy_brought(found):
    brought = {each.strategy: each for each in found.yields}
    assert {name: (each.tries, each.rejected, each.stopped, each.wins) for name, each in brought.items()} == {
        "fix wrongly accepted": (2, 0, 0, 1),  # 6 equals its parent
        "explicit rubric": (1, 0, 0, 1),  # above its parent, below the best so far
        "radical simplification": (1, 1, 0, 0),
        "general improvement": (1, 0, 1, 0),
        "merge": (1, 0, 0, 1),
        "few-shot": (1, 0, 0, 1),
    }
    gains = {name: each.gain for name, each in brought.items() if each.gain}
    assert gains == pytest.approx({"fix wrongly accepted": 0.3, "merge": 0.3, "few-shot": 0.1})
    assert {name: each.cost for name, each in brought.items()} == pytest.approx(
        {
            "fix wrongly accepted": 0.06,
            "explicit rubric": 0.03,
            "radical simplification": 0.0,  # nothing was judged
            "general improvement": None,  # something was, and nobody knows what it costs
            "merge": 0.02,
            "few-shot": 0.05,
        }
    )


def test_a_merge_wins_only_above_both_parents():
    tried = [
        CandidateRecord(0, 0, "baseline", None, "a", "scored", score=0.2),
        CandidateRecord(1, 1, "explicit rubric", 0, "b", "scored", score=0.6),
        CandidateRecord(2, 2, "merge", 0, "c", "scored", score=0.4, partner=1),
    ]
    assert {each.strategy: each.wins for each in yields(tried)} == {"explicit rubric": 1, "merge": 0}


def test_scores_that_differ_in_the_last_digits_are_equal():
    tried = [
        CandidateRecord(0, 0, "baseline", None, "a", "scored", score=0.3),
        CandidateRecord(1, 1, "shorten", 0, "b", "scored", score=0.1 + 0.2),
    ]
    assert tried[1].score > tried[0].score
    assert [(each.wins, each.gain) for each in yields(tried)] == [(0, 0.0)]
    assert [each.number for each in new_bests(tried)] == [0]


def test_a_shorter_winner_that_scores_as_much_is_explained():
    """Of equal scores the shortest prompt wins: no new best, and the end of the line all the same."""
    tried = [*TRIED[:2], (CandidateRecord(2, 2, "shorten", 1, "Check.", "scored", score=0.5), "11110011")]
    save_run("runs.db", tried, PATTERNS)
    found = explain("runs.db", "1")
    assert candidates(found.edits) == [1, 2]
    assert [(at.candidate, at.errors) for at in found.patterns[0].errors] == [(0, 3), (1, 1), (2, 1)]
    assert (found.edits[1].change.fixed, found.edits[1].change.broken) == ((), ())


def test_one_candidate(found):
    one = explain("runs.db", "1:6")
    assert one.sentence == (
        "Candidate 6 of run 1 (alignment 0.50) came from the baseline (0.20) in 2 edits, which fixed 3 items and broke "
        "1; the winner is candidate 7 (0.90)."
    )
    assert candidates(one.edits) == [1, 6]
    # Its own way, but what was in vain is seen from the winner.
    assert one.in_vain == found.in_vain
    assert [at.candidate for at in one.patterns[0].errors] == [0, 1, 6]


def test_a_candidate_that_was_stopped(found):
    one = explain("runs.db", "1:4")
    assert one.sentence == (
        "Candidate 4 of run 1 (alignment unknown, stopped early) came from the baseline (0.20) in 2 edits, which fixed "
        "no item and broke 1 (4 items not compared); the winner is candidate 7 (0.90)."
    )
    assert one.edits[-1].change.left_out == ITEMS[4:]


def test_the_first_prompt(found):
    one = explain("runs.db", "1:0")
    assert one.sentence == (
        "Candidate 0 of run 1 (alignment 0.20) is the prompt that it started from; the winner is candidate 7 (0.90)."
    )
    assert (one.edits, one.side_edits, one.change.fixed) == ((), (), ())


def test_items_that_only_the_baseline_got_right():
    tried = [
        (TRIED[0][0], "11111111"),
        (TRIED[1][0], "01110011"),  # i1 is right at the baseline only, and the winner is wrong on it
        (replace(TRIED[2][0], score=0.3), "01011111"),  # i3 is right at candidate 1
    ]
    save_run("runs.db", tried)
    assert explain("runs.db", "1").lost == ("i1",)
    assert explain("runs.db", "1:2").lost == ("i1",)
    assert explain("runs.db", "1:0").lost == ()


def test_an_unscored_verdict_is_wrong_and_a_missing_one_is_neither():
    tried = [(TRIED[0][0], "11111111"), (TRIED[1][0], "?111.011")]
    save_run("runs.db", tried)
    change = explain("runs.db", "1").change
    assert (change.fixed, change.broken, change.left_out) == (("i6",), ("i1",), ("i5",))


def test_an_interval_scale_compares_sides_of_the_threshold():
    scale = Scale("interval", threshold=5.0, low=0.0, high=9.0)
    tried = [(TRIED[0][0], "9999"), (TRIED[1][0], "6122")]
    save_run("runs.db", tried, gold="7712", scale=scale)
    change = explain("runs.db", "1").change
    assert (change.fixed, change.broken) == (("i3", "i4"), ("i2",))


def test_a_run_that_is_not_finished():
    save_run("runs.db", TRIED[:6], {1: PATTERNS[1]}, done=False)
    found = explain("runs.db", "1")
    assert found.sentence == (
        "Unfinished: run 1's best prompt so far (candidate 5, alignment 0.80) came from the baseline (0.20) in 3 edits "
        "(1 of them in what was merged in), which fixed 3 items and broke none; 2 further rewrites (1 rejected, 1 "
        "stopped early) did not help."
    )
    assert [each.pattern.name for each in found.patterns] == ["quantities changed"]
    assert found.to_json()["run_status"] == "running"


def test_a_run_that_found_nothing_better():
    save_run("runs.db", [TRIED[0], (replace(TRIED[2][0], score=0.1), "01111101"), TRIED[3]])
    found = explain("runs.db", "1")
    assert found.sentence == (
        "Run 1's winner is the prompt that it started from (alignment 0.20): none of 2 rewrites (1 rejected) did "
        "better."
    )
    assert (found.edits, len(found.in_vain)) == ((), 2)


def test_a_run_that_has_tried_nothing():
    save_run("runs.db", TRIED[:1], done=False)
    assert explain("runs.db", "1").sentence == (
        "Unfinished: run 1's best prompt so far is the prompt that it started from (alignment 0.20): no rewrite "
        "was tried."
    )


def test_runs_without_a_record_of_iterations_say_nothing_of_patterns():
    save_run("runs.db")
    found = explain("runs.db", "1")
    assert (found.patterns, found.no_patterns) == ((), "")
    assert all(each.patterns == () for each in found.edits)


def test_why_there_are_no_patterns():
    save_run("runs.db", iterations={1: {"best": 0, "chosen": [], "patterns": [], "analysis": "the reply was empty"}})
    found = explain("runs.db", "1")
    assert (found.patterns, found.no_patterns) == ((), "the reply was empty")


def test_patterns_stay_known_when_a_later_analysis_fails():
    failed = {"best": 5, "chosen": [], "patterns": [], "analysis": "the reply was empty"}
    save_run("runs.db", iterations={**PATTERNS, 3: failed})
    found = explain("runs.db", "1")
    assert (len(found.patterns), found.no_patterns) == (2, "")


@pytest.mark.parametrize(
    ("objective", "name"),
    [
        ("alignment", "alignment"),
        ("pareto", "alignment"),
        ("recall:0", "recall:0"),
        ("recall:0 subject to precision:0>=0.8", "score"),
    ],
)
def test_a_score_is_called_by_its_objective(objective, name):
    assert score_name(objective) == name
    save_run("runs.db", objective=objective)
    assert f"(candidate 7, {name} 0.90)" in explain("runs.db", "1").sentence


def test_the_document(found):
    document = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert (document["schema"], document["status"], document["run"], document["candidate"]) == (1, "ok", 1, 7)
    assert (document["simulated"], document["objective"], document["policy"]) == (False, "alignment", None)
    assert document["change"] == {"fixed": ["i5", "i6", "i7"], "broken": ["i4"], "left_out": ["i8"]}
    assert [each["candidate"] for each in document["trajectory"] if each["new_best"]] == [0, 1, 5, 7]
    assert document["patterns"][0]["errors"][-1] == {"candidate": 7, "errors": 0, "left_out": 0}
    assert calibrate.explain(1, db="runs.db").to_json() == found.to_json()


def test_what_is_simulated_says_so():
    save_run("runs.db", judge={"model": "sim:reader", "settings": {}})
    assert explain("runs.db", "1").to_json()["simulated"] is True


@pytest.mark.parametrize(
    ("kind", "said"),
    [("baseline", "run 1 is a baseline"), ("noise", "is a measurement of noise"), ("bias", "is a search for bias")],
)
def test_what_is_no_calibration(kind, said):
    save_run("runs.db", TRIED[:1], kind=kind)
    with pytest.raises(InputError, match=f"{said}, no calibration"):
        explain("runs.db", "1")


def test_what_cannot_be_explained(found):
    save_run("runs.db", (), done=False, seed=1)
    for reference, said in (
        ("1:3", "candidate 3 of run 1 was not judged: duplicate of the baseline"),
        ("1:8", "run 1 has no candidate 8"),
        ("2", "run 2 has not judged anything yet"),
        ("3", "no run 3 here"),
        ("first", "names no run"),
    ):
        with pytest.raises(InputError, match=said):
            explain("runs.db", reference)


@st.composite
def searches(draw):
    """Candidates as a search leaves them: parents and partners come before, some were rejected or stopped."""
    tried = [CandidateRecord(0, 0, "baseline", None, "p", "scored", score=draw(st.floats(-1, 1)))]
    for number in range(1, draw(st.integers(1, 20))):
        scored = [each.number for each in tried if each.status == "scored"]
        status = draw(st.sampled_from(["scored", "scored", "rejected", "stopped"]))
        tried.append(
            CandidateRecord(
                number,
                1,
                draw(st.sampled_from(["a", "b", "c"])),
                draw(st.sampled_from(scored)),
                "p",
                status,
                score=draw(st.floats(-1, 1)) if status == "scored" else None,
                partner=draw(st.none() | st.sampled_from(scored)),
            )
        )
    return tried


@given(searches())
def test_gains_add_up_to_what_the_search_gained(tried):
    scores = [each.score for each in tried if each.score is not None]
    assert sum(each.gain for each in yields(tried)) == pytest.approx(max(scores) - scores[0], abs=1e-9)
    assert sum(each.tries for each in yields(tried)) == len(tried) - 1
    assert all(0 <= each.wins <= each.tries - each.rejected - each.stopped for each in yields(tried))


@given(searches())
def test_every_rewrite_is_on_the_way_or_in_vain(tried):
    by_number = {each.number: each for each in tried}
    winner = new_bests(tried)[-1].number
    line = edits_to(winner, by_number)
    sides = side_edits(line, by_number)
    assert not set(line) & set(sides)
    assert sum(each.rewrites for each in in_vain(tried, {*line, *sides})) == len(tried) - 1 - len(line) - len(sides)
    # Each edit's parents are on the way themselves, or the baseline.
    way = {0, *line, *sides}
    assert all({by_number[each].parent, by_number[each].partner} <= {*way, None} for each in way)
    assert [by_number[each].parent for each in line] == [0, *line][:-1]
