"""A judge that was never calibrated on a dimension says so, by the rule of ``calibrate.workflows.calibrated``."""

from pathlib import Path

import pytest
from program import ADDITIONS, FAITHFUL, PAGES, PROMPT, UNFAITHFUL, write_pages

import calibrate
from calibrate.golden import LoadOptions
from calibrate.optimizer import Limits
from calibrate.workflows.calibrated import calibration_in_words

JUDGE, OTHER, OPTIMIZER = "openai:gpt-4.1", "openai:gpt-4.1-mini", "openai:gpt-4.1-nano"
GOOD = f"{PROMPT} {ADDITIONS['ledger']}"  # alignment 0.7514
HARSH = {f"f{n:02}": "0" for n in range(1, 12)}  # labels with which no judge here is acceptable


def entry(report):
    (result,) = report.to_json()["results"]
    return result["calibrated"]


def test_a_baseline_that_falls_short_was_never_calibrated(pages, server):
    report = calibrate.baseline(pages, JUDGE, prompt=PROMPT)
    assert entry(report) is False
    (stored,) = calibrate.show(1).to_json()["results"]
    assert stored["calibrated"] is False


def test_a_baseline_that_is_acceptable_was_measured(pages, server):
    found = entry(calibrate.baseline(pages, JUDGE, prompt=GOOD))
    assert (found["run"], found["how"], found["acceptable_met"]) == (1, "measured", True)
    assert (found["n"], found["golden_set"]) == (len(PAGES), "pages")
    assert found["alignment"] == pytest.approx(0.7514, abs=1e-4)


@pytest.mark.slow
def test_the_winner_of_a_finished_calibration_is_calibrated_wherever_it_runs(pages, server):
    (calibration,) = calibrate.optimize(pages, JUDGE, OPTIMIZER, prompt=PROMPT).each
    before, after = calibration.results_json()
    assert before["calibrated"] is False
    assert (after["calibrated"]["run"], after["calibrated"]["how"]) == (1, "winner")
    # On another set on which it fails, it is still the one that run 1 calibrated.
    report = calibrate.baseline(write_pages(Path("others.csv"), labels=HARSH), JUDGE, prompt=calibration.prompt)
    assert report.results[0].alignment.alignment.value < 0.7
    assert entry(report) == {**after["calibrated"], "same_golden_set": False}
    words = calibration_in_words(report.results[0].calibrated, "faithfulness")
    assert f"n = {len(PAGES)}, golden set pages" in words
    assert "never_calibrated" in calibrate.card(2).card.to_json()["use"]["01_never_calibrated"]["value"]


@pytest.mark.slow
def test_a_set_with_more_items_than_were_searched_on_is_no_other_set(pages, server):
    part = write_pages(Path("part.csv"), pages=PAGES[2:])
    (calibration,) = calibrate.optimize(part, JUDGE, OPTIMIZER, prompt=PROMPT).each
    found = entry(calibrate.baseline(pages, JUDGE, prompt=calibration.prompt))
    assert (found["run"], found["how"], found["n"]) == (1, "winner", len(PAGES) - 2)
    assert (found["golden_set"], found["same_golden_set"]) == ("part", True)


@pytest.mark.slow
def test_another_model_with_the_same_prompt_is_another_judge(pages, server, world):
    (calibration,) = calibrate.optimize(pages, JUDGE, OPTIMIZER, prompt=PROMPT).each
    other = write_pages(Path("others.csv"), labels=HARSH)
    assert entry(calibrate.baseline(other, OTHER, prompt=calibration.prompt)) is False


def test_another_dimension_is_another_calibration(pages, server):
    calibrate.baseline(pages, JUDGE, prompt=GOOD)
    other = write_pages(Path("others.csv"), labels=HARSH)
    assert entry(calibrate.baseline(pages, JUDGE, prompt=GOOD, load=LoadOptions(dimension="relevance")))["run"] != 1
    assert entry(calibrate.baseline(other, JUDGE, prompt=GOOD)) is False


def test_few_items_make_no_judge_acceptable(pages, server):
    few = write_pages(Path("few.csv"), pages=(*FAITHFUL[:8], *UNFAITHFUL[3:8]))
    report = calibrate.baseline(few, JUDGE, prompt=GOOD)
    assert report.results[0].alignment.alignment.value == 1.0
    assert entry(report) is False


@pytest.mark.slow
def test_a_candidate_that_did_not_win_was_not_calibrated(pages, server):
    (calibration,) = calibrate.optimize(pages, JUDGE, OPTIMIZER, prompt=PROMPT).each
    winner = calibration.winner.candidate.number
    losers = [each for each in calibration.stored.candidates if each.number not in (0, winner)]
    best = max(losers, key=lambda each: each.score or 0.0)
    assert best.score > 0.7
    (result,) = calibrate.show(f"1:{best.number}").to_json()["results"]
    assert result["calibrated"] is False


def test_a_calibration_that_found_nothing_better_calibrates_nothing(pages, server, world):
    world.writer = lambda strategy, current: "I would rather not say."
    (calibration,) = calibrate.optimize(pages, JUDGE, OPTIMIZER, prompt=PROMPT).each
    assert calibration.winner.candidate.number == 0
    assert calibration.results_json()[1]["calibrated"] is False


def test_a_winner_that_falls_short_of_the_threshold_says_so(pages, server):
    one = Limits(iterations=1)
    (calibration,) = calibrate.optimize(pages, JUDGE, OPTIMIZER, prompt=PROMPT, limits=one, acceptable=0.99).each
    found = calibration.results_json()[1]["calibrated"]
    assert (found["how"], found["acceptable"], found["acceptable_met"]) == ("winner", 0.99, False)
    # Nor does measuring it again on the same items, by a lower threshold, hide the shortfall.
    again = entry(calibrate.baseline(pages, JUDGE, prompt=calibration.prompt))
    assert (again["run"], again["how"], again["acceptable_met"]) == (1, "winner", False)


def test_fresh_runs_measure_a_judge_too(program, pages, server):
    Path("good.txt").write_text(GOOD)
    Path("prompt.txt").write_text(PROMPT)
    program("noise", pages, "--judge", JUDGE, "--prompt", "good.txt", "--runs", "2")
    program("noise", pages, "--judge", JUDGE, "--prompt", "prompt.txt", "--runs", "2")
    good, generic = (calibrate.show(each).to_json()["results"][0]["calibrated"] for each in (1, 2))
    assert (good["run"], good["how"]) == (1, "measured")
    assert generic is False


def test_of_recorded_verdicts_it_is_not_known(tmp_path):
    rows = "".join(f"{n},{n % 2},{n % 3 > 0:d}\n" for n in range(12))
    (tmp_path / "verdicts.csv").write_text(f"id,human,judge\n{rows}")
    assert entry(calibrate.score("verdicts.csv")) is None
