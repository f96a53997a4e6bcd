"""What stands behind a winner: chance, noise, a holdout, fresh labels, a cross-fit."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from program import FAITHFUL, FIVE, PAGES, UNFAITHFUL

from calibrate.domain import GoldenSet, Item, Scale, Scored, Unscored
from calibrate.workflows.proving import compare_on

MODELS = ("--judge", "openai:gpt-4.1-mini", "--optimizer", "openai:gpt-4.1")
OPTIMIZE = ("optimize", "pages.csv", *MODELS, "--prompt", "prompt.txt")


def the_calibration(outcome):
    (calibration,) = outcome.json["calibrations"]
    return calibration


def write_fresh(path, pages, edition):
    """The same pages in another edition: new texts, which the judge treats as it treats the old ones."""
    with Path(path).open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "question", "context", "answer", "label"])
        for page in pages:
            row = [f"{edition} {page}", f"What is on page {page}?", f"{edition} text of {page}."]
            writer.writerow([*row, f"{edition} answer of page {page}.", "1" if page.startswith("f") else "0"])
    return path


def pages_shown_to_the_writer(server):
    return {
        page for call in server.calls if not call.schema for page in re.findall(r"Answer of page (\w\d\d)", call.user)
    }


@pytest.mark.slow
def test_a_winner_is_tested_against_chance_and_the_judges_own_noise(program, pages, server):
    outcome = program(*OPTIMIZE, *FIVE, "--json")
    calibration = the_calibration(outcome)
    evidence = calibration["evidence"]
    assert evidence["noise"]["repeats"] == 3
    assert evidence["noise"]["flip_rate"] == 0.0
    assert evidence["noise"]["winner"] == pytest.approx([1.0] * 3)
    assert evidence["noise"]["fresh_gain"] == pytest.approx(1 - 0.4002, abs=0.0001)
    assert evidence["chance"]["p"]["value"] < 0.05
    assert evidence["chance"]["candidates"] == 5
    assert evidence["chance"]["corrected"]["value"] < 1.0
    assert evidence["unseen"] == []
    assert calibration["sentence"].startswith("Better on these 30 items, not tested on unseen ones")
    # Two more runs of the baseline and three of the winner.
    searched = 6 * 30 + 15 + 10  # six prompts, fifteen meta-prompts and ten follow-ups
    assert calibration["spent"]["calls"] == len(server.calls) == searched + 5 * 30
    text = program(*OPTIMIZE, *FIVE).out
    assert "Chance: p " in text
    assert "Noise: 3 runs each" in text
    assert len(server.calls) == searched + 5 * 30


def test_held_out_items_are_shown_to_no_meta_llm_and_keep_their_side(program, pages, server):
    plain = (*OPTIMIZE, "--holdout", "0.3", "--noise-repeats", "0", "--json")
    first = the_calibration(program(*plain))
    (unseen,) = first["evidence"]["unseen"]
    assert (unseen["source"], unseen["uses"]) == ("holdout", 1)
    shown = pages_shown_to_the_writer(server)
    held = {call.user.split("page ")[1][:3] for call in server.calls if call.schema} - shown
    assert unseen["n"] + first["comparison"]["n"] == 30
    assert 3 <= unseen["n"] <= 15
    assert len(held) >= unseen["n"]
    again = the_calibration(program(*plain, "--iterations", 2))
    (second,) = again["evidence"]["unseen"]
    assert (second["items"], second["uses"]) == (unseen["items"], 2)
    assert "(test 2 on some of them)" in again["sentence"]
    assert "unseen answers" in again["sentence"]


@pytest.mark.slow
def test_a_holdout_of_zero_holds_nothing_out_and_a_hundred_items_hold_some_out_by_themselves(program, pages, server):
    assert (
        the_calibration(program(*OPTIMIZE, "--holdout", 0, "--noise-repeats", 0, "--json"))["evidence"]["unseen"] == []
    )
    big = [f"{edition} {page}" for edition in ("first", "second", "third", "fourth") for page in PAGES]
    with Path("big.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "answer", "label"])
        for name in big:
            page = name[-3:]
            writer.writerow([name, f"{name} answer of page {page}.", "1" if page.startswith("f") else "0"])
    big_set = ("optimize", "big.csv", *MODELS, "--prompt", "prompt.txt", "--noise-repeats", 0, "--json")
    calibration = the_calibration(program(*big_set))
    (unseen,) = calibration["evidence"]["unseen"]
    assert unseen["n"] == pytest.approx(36, abs=15)
    assert unseen["conclusion"] == "better"
    assert calibration["sentence"].startswith("Better on unseen answers: difference +0.")


@pytest.mark.slow
def test_fresh_labels_confirm_a_finished_calibration(program, pages, server):
    program(*OPTIMIZE, "--noise-repeats", 0)
    before = len(server.calls)
    fresh = write_fresh("fresh.csv", PAGES, "second")
    calibration = the_calibration(program(*OPTIMIZE, "--noise-repeats", 0, "--confirm", fresh, "--json"))
    (unseen,) = calibration["evidence"]["unseen"]
    assert (unseen["source"], unseen["n"], unseen["where"], unseen["conclusion"]) == ("confirm", 30, fresh, "better")
    assert calibration["sentence"].startswith("Better on unseen answers: difference +0.60")
    assert "on 30 fresh labels" in calibration["sentence"]
    assert len(server.calls) == before + 60
    # It is stored: asked again, nothing is paid, and shown without the file it is still there.
    assert the_calibration(program(*OPTIMIZE, "--noise-repeats", 0, "--confirm", fresh, "--json")) == calibration
    assert the_calibration(program(*OPTIMIZE, "--noise-repeats", 0, "--json")) == calibration
    assert len(server.calls) == before + 60


def test_a_winner_that_learned_its_items_by_heart_is_not_better_on_fresh_ones(program, pages, server, world):
    fresh = write_fresh("fresh.csv", [f"f{n}" for n in range(60, 75)] + [f"u{n}" for n in range(60, 70)], "new")
    calibration = the_calibration(program(*OPTIMIZE, "--noise-repeats", 0, "--confirm", fresh, "--json"))
    assert calibration["comparison"]["difference"]["low"] > 0
    assert calibration["sentence"].startswith("Not distinguishable from the baseline on unseen answers")


def test_items_of_the_set_are_no_fresh_labels(program, pages, server):
    own = (*OPTIMIZE, "--noise-repeats", 0, "--confirm", pages)
    assert "all its labelled items, or their groups, are in the set" in program(*own, code=2).error
    assert server.calls == []
    mixed = Path("mixed.csv")
    mixed.write_text(
        Path(pages).read_text() + Path(write_fresh("f.csv", PAGES[:9] + UNFAITHFUL, "x")).read_text().split("\n", 1)[1]
    )
    outcome = program(*OPTIMIZE, "--noise-repeats", 0, "--confirm", "mixed.csv", "--json")
    assert "30 items of mixed.csv, or their groups, are in the calibration's own set and are left out" in outcome.err
    assert the_calibration(outcome)["evidence"]["unseen"][0]["n"] == 18


def test_fresh_labels_that_cannot_be_used_are_refused_before_anything_is_paid_for(program, pages, server):
    assert "nowhere.csv" in program(*OPTIMIZE, "--confirm", "nowhere.csv", code=2).error
    Path("other.csv").write_text("id,answer,label\na,text,2\nb,other text,1\nc,third text,3\n")
    other = program(*OPTIMIZE, "--confirm", "other.csv", code=2).error
    assert "other.csv" in other
    assert server.calls == []
    assert not Path("runs.db").exists()


def test_a_subset_of_fresh_labels_is_no_second_look(program, pages, server):
    asked = (*OPTIMIZE, "--noise-repeats", 0, "--json", "--confirm")
    first = the_calibration(program(*asked, write_fresh("fresh.csv", PAGES, "second")))
    later = the_calibration(program(*asked, write_fresh("subset.csv", PAGES[:12] + UNFAITHFUL[:4], "second")))
    assert [(each["n"], each["uses"]) for each in later["evidence"]["unseen"]] == [(30, 1), (16, 2)]
    assert later["sentence"] == first["sentence"]


def test_a_dry_run_tells_of_tests_that_are_added_to_a_finished_calibration(program, pages, server):
    program(*OPTIMIZE, "--noise-repeats", 0)
    fresh = write_fresh("fresh.csv", PAGES, "second")
    told = program(*OPTIMIZE, "--noise-repeats", 0, "--confirm", fresh, "--dry-run", "--json").json
    assert told["estimate"]["calls"] == 60


def test_what_an_earlier_search_has_seen_is_never_held_out(program, pages, server):
    small = ("optimize", "few.csv", *MODELS, "--prompt", "prompt.txt", "--noise-repeats", 0, "--iterations", 1)
    rows = Path(pages).read_text().splitlines()
    Path("few.csv").write_text("\n".join([rows[0], *rows[1:15], *rows[22:28]]))
    program(*small)
    calibration = the_calibration(program(*OPTIMIZE, "--noise-repeats", 0, "--holdout", 0.3, "--json"))
    (unseen,) = calibration["evidence"]["unseen"]
    assert 8 <= unseen["n"] <= 10  # of what the first search did not see, as much as thirty per cent of all takes
    nothing = program("optimize", "few.csv", *MODELS, "--prompt", "prompt.txt", "--holdout", 0.3, code=2)
    assert "what an earlier search has seen is never held out" in nothing.error


def test_one_text_under_two_ids_is_on_one_side(program, pages, server):
    rows = Path(pages).read_text().splitlines()
    twins = [f"twin-{row}" for row in rows[1:]]
    Path("pages.csv").write_text("\n".join([*rows, *twins]))
    program(*OPTIMIZE, "--holdout", 0.3, "--noise-repeats", 0)
    shown = pages_shown_to_the_writer(server)
    judged = [call.user.split("page ")[1][:3] for call in server.calls if call.schema]
    # A page that is held out is judged twice only: with the first prompt and with the winner.
    held = {page for page in judged if judged.count(page) == 2}
    assert held
    assert not held & shown


@pytest.mark.slow
def test_a_budget_holds_over_all_parts_of_a_calibration_with_folds(program, pages, server):
    models = ("--judge", "openai:gpt-4.1", "--optimizer", "openai:gpt-4.1")  # at the server's prices
    asked = ("optimize", pages, *models, "--prompt", "prompt.txt", "--cross-fit", 3, "--noise-repeats", 0, "--json")
    asked = (*asked, "--budget")
    for budget in (0.05, 0.05, 0.12, 0.12):
        program(*asked, budget, code=3)
        assert server.charged <= budget
    assert server.charged > 0.06
    done = the_calibration(program(*asked, 5))
    assert done["evidence"]["unseen"][0]["source"] == "cross_fit"
    assert done["spent"]["cost"] == pytest.approx(server.charged)


@pytest.mark.slow
def test_a_new_calibration_that_is_stopped_in_its_cross_fit_goes_on(program, pages, server):
    program(*OPTIMIZE, "--noise-repeats", 0)
    asked = (*OPTIMIZE, "--new", "--cross-fit", 3, "--noise-repeats", 0, "--json")
    before = server.charged
    program(*asked, "--budget", before * 0.5, code=3)
    program(*asked, "--budget", 100)
    main = [run for run in program("runs", "--json").json["runs"] if run["n"] == 30]
    assert [run["status"] for run in main] == ["done", "done"]


@pytest.mark.slow
def test_a_cross_fit_judges_each_item_with_a_prompt_that_was_found_without_it(program, pages, server):
    asked = (*OPTIMIZE, "--cross-fit", 3, "--noise-repeats", 0, "--json")
    calibration = the_calibration(program(*asked))
    (unseen,) = calibration["evidence"]["unseen"]
    assert (unseen["source"], unseen["n"], unseen["where"]) == ("cross_fit", 30, "3 folds")
    assert unseen["baseline"]["value"] == pytest.approx(0.4002, abs=0.0001)
    assert unseen["winner"]["value"] > 0.7
    assert "each judged by a prompt that was found without it" in calibration["sentence"]
    assert len(program("runs", "--json").json["runs"]) == 4
    calls = len(server.calls)
    assert the_calibration(program(*asked)) == calibration
    assert len(server.calls) == calls


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--cross-fit", 12), "--cross-fit"),
        (("--cross-fit", 1), "--cross-fit"),
        (("--holdout", 0.95), "--holdout"),
    ],
)
def test_what_cannot_be_split_is_refused(program, pages, server, options, said):
    assert said in program(*OPTIMIZE, *options, code=2).error
    assert server.calls == []


def test_faithful_and_unfaithful_pages_are_what_the_world_says():
    assert (len(FAITHFUL), len(UNFAITHFUL)) == (21, 9)


def test_a_winner_that_declines_hard_items_is_not_better_on_unseen_ones():
    gold = ["1"] * 28 + ["0"] * 12
    scale = Scale("binary", ("0", "1"), positive="1")
    items = tuple(Item(str(n), "f", {"answer": str(n)}, label=label) for n, label in enumerate(gold))
    golden = GoldenSet("s", items, {"f": scale})
    before = {str(n): Scored("1") for n in range(40)}  # right on 28 of 40
    after = {str(n): Scored(gold[n]) if n % 20 < 13 else Unscored("abstained") for n in range(40)}
    comparison = compare_on(golden, before, after, seed=0)
    assert comparison.n == 40
    assert comparison.conclusion() != "better"
