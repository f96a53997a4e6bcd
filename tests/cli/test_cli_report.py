"""``calibrate report``: a run as a page, on a calibration worked by hand and on what the simulator does."""

import csv
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from explained import PATTERNS, TRIED, save_run
from html_pages import NASTY, parse

import calibrate
from calibrate.report import SIMULATED
from calibrate.store import Store
from calibrate.workflows.front import cost_per_verdict
from calibrate.workflows.stored import load_run


@pytest.fixture
def worked():
    save_run("runs.db", iterations=PATTERNS)


def test_a_calibration_as_a_page(program, worked):
    outcome = program("report", 1, "-o", "report.html")
    sentence = program("show", 1, "--json").json["sentence"]
    assert outcome.out == f"{sentence}\nWritten to report.html.\n"
    page = parse(Path("report.html").read_text(encoding="utf-8"))
    titles = [text for tag, text in page.texts if tag == "h2"]
    assert titles == [
        "Before and after",
        "Confusion",
        "Could it be chance?",
        "How it got there",
        "Failure patterns",
        "What changed in the prompt",
        "What judge and experts see differently",
        "What it costs",
        "The raters",
        "What stands behind the figures",
    ]
    assert sentence in page.shown
    assert SIMULATED not in page.shown
    assert all("scope" in each for each in page.all("th"))
    # Every fact of the checklist stands on it.
    for fact in program("show", 1, "--json").json["checklist"].values():
        assert (fact["words"] or fact["reason"] or "") in page.shown
    assert "quantities changed" in page.shown
    assert [each["data-error"] for each in page.all("details") if "data-error" in each] == ["wrongly rejected"]


def test_what_went_wrong_in_a_search_is_told_by_shape_and_in_words(program, worked):
    program("report", 1, "-o", "report.html")
    page = parse(Path("report.html").read_text(encoding="utf-8"))
    shapes = {}
    for trace in page.charts["trajectory"]["figure"]["data"]:
        if "hovertext" in trace:
            for number, symbol in zip(trace["x"], trace["marker"]["symbol"], strict=True):
                shapes[number] = (symbol, trace.get("yaxis", "y"))
    assert shapes == {
        0: ("hexagon", "y"),
        1: ("star", "y"),
        2: ("circle-open", "y"),
        3: ("x-thin", "y2"),
        4: ("square-open", "y2"),
        5: ("star", "y"),
        6: ("circle-open", "y"),
        7: ("star", "y"),
    }
    for said in ("rejected, never judged duplicate of the baseline", "stopped early cannot reach 0.50", "the winner"):
        assert said in page.shown


def test_below_its_parent_is_a_regression(program):
    worse = TRIED[2][0].__class__(8, 3, "shorten", 5, "Judge it.", "scored", score=0.6, cost=0.01)
    save_run("runs.db", (*TRIED, (worse, "11110011")))
    text = program("report", 1, "--format", "md").out
    assert "| 8 | 3 | shorten | 5 | 0.600 | ▽ a regression: below its parent | \\$0.010 |" in text
    assert "1 candidate scored below the prompt it was written from." in text


def test_the_front_is_over_this_run_and_the_others_on_the_same_items(program, worked):
    cheap = (TRIED[0][0].__class__(0, 0, "baseline", None, "Be quick.", "scored", score=0.7, cost=0.005), "11110001")
    save_run("runs.db", (cheap,), kind="baseline")
    rows = [line for line in program("report", 1, "--format", "md").out.splitlines() if line.endswith("| yes |")]
    # 1:7 shows an item, so that its cost is of seven verdicts; nothing else is both better and cheaper.
    assert [row.split(" |")[0].strip("| *") for row in rows] == ["1:5", "1:7", "2:0"]


def test_each_judge_is_listed_once_and_none_as_good_as_a_constant_one_is_on_the_front(program, worked):
    again, cheap = TRIED[5][0], TRIED[0][0]
    save_run("runs.db", ((replace(again, number=0, cost=0.00001), "11110001"),), kind="baseline")
    for number in range(14):
        other = replace(cheap, prompt=f"Prompt {number}", score=0.1 + number / 1000, cost=0.0001)
        save_run("runs.db", ((other, "11111111"),), kind="baseline", seed=number)
    text = program("report", 1, "--format", "md").out
    listed = text.partition("Prompts by cost")[2].partition("</details>")[0].splitlines()
    rows = [
        line.split(" |")[0].strip("| *")
        for line in listed
        if "baseline |" in line or line.startswith(("| 1:", "| **1:"))
    ]
    assert "2:0" not in rows  # the prompt and model of 1:5
    assert sum(not each.startswith("1:") for each in rows) == 12
    assert "Left out: 2 other judges of these items" in text
    assert "Never on the front: what does no better than always saying" in text
    assert not [line for line in text.splitlines() if line.endswith("| yes |") and "0.1" in line.split(" | ")[4]]


def test_the_cost_of_a_verdict_counts_those_on_items_without_a_label(program):
    Path("quick_judge.py").write_text("def judge(item):\n    return '1'\n")
    Path("some.csv").write_text("id,answer,label\n" + "".join(f"{n},a,{n % 2 if n < 4 else ''}\n" for n in range(8)))
    program("baseline", "some.csv", "--judge", "py:quick_judge:judge", "--labels", "0,1", "--unlabelled", code=None)
    with Store("runs.db", create=False) as store:
        stored = load_run(store, 1)
    (candidate,) = stored.candidates
    assert cost_per_verdict(replace(candidate, cost=0.8), stored.judged) == pytest.approx(0.1)


def test_an_interrupted_calibration_has_a_best_prompt_and_no_winner(program):
    save_run("runs.db", iterations=PATTERNS, done=False, holdout="digest")
    text = program("report", 1, "--format", "md").out
    assert "unseen items: not tested yet: the run is running" in text
    assert "best so far" in text
    assert "| winner" not in text
    assert "the winner" not in text.partition("## Failure")[0].partition("How it got there")[2]


def test_the_winner_of_a_finished_calibration_has_the_page_of_its_run(program, worked):
    assert program("report", "1:7", "--format", "md").out == program("report", 1, "--format", "md").out


def test_what_markdown_leaves_out_is_what_it_counts(program):
    candidate = replace(TRIED[0][0], score=0.1)
    save_run("runs.db", ((candidate, "1" * 50),), kind="baseline", gold="0" * 50)
    document = program("report", 1, "--format", "md", "--json").json
    assert document["disagreements_left_out"] == 30
    assert "- and 30 more: Markdown lists 20; the HTML page has their texts in full" in document["text"]
    assert document["text"].count("  - answer: answer ") == 20


def test_a_fold_says_of_which_cross_fit_it_is(program):
    save_run("runs.db", fold={"of": 4, "number": 2, "count": 5})
    assert "This run is fold 2 of 5 of run 4's cross-fit: see run 4." in program("report", 1, "--format", "md").out


def test_as_markdown_or_json(program, worked):
    text = program("report", 1, "--format", "md").out
    assert text.startswith("## Calibration of a judge of faithfulness\n\n**")
    assert program("report", 1, "-o", "report.md").out.endswith("Written to report.md.\n")
    assert Path("report.md").read_text(encoding="utf-8") == text
    document = program("report", 1, "-o", "report.html", "--json").json
    assert {name: document[name] for name in ("status", "path", "format", "text", "disagreements_left_out")} == {
        "status": "ok",
        "path": "report.html",
        "format": "html",
        "text": None,
        "disagreements_left_out": 0,
    }
    assert program("report", 1, "--format", "md", "--json").json["text"] == text
    assert calibrate.write_report(1, format="md").text == text


def test_one_candidate_as_a_page(program, worked):
    program("report", "1:1", "-o", "report.html", "--max-items", 1)
    page = parse(Path("report.html").read_text(encoding="utf-8"))
    assert "Candidate 1:1, a judge of faithfulness" in page.shown
    assert "From the baseline to candidate 1" in page.shown
    assert "1 more is left out: --max-items 1; calibrate disagreements 1:1 -o review.csv writes all." in page.shown


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((1,), "field '--output': name the file to write, such as -o report.html; --format md needs none"),
        ((1, "-o", "there.html"), "there.html: exists already; give another name, or replace it with --overwrite"),
        ((1, "-o", "runs.db", "--overwrite"), "runs.db: in use here and never overwritten; give another name"),
        ((1, "-o", "x.html", "--format", "pdf"), "field '--format': there is no format 'pdf'; use html or md"),
        ((7, "-o", "x.html"), "no run 7 here; `calibrate runs` lists them"),
        (("1:3", "-o", "x.html"), "candidate 3 of run 1 was not judged: duplicate of the baseline"),
    ],
)
def test_what_cannot_be_is_one_line(program, worked, arguments, error):
    Path("there.html").write_text("mine")
    assert program("report", *arguments, code=2).error.strip() == error
    assert Path("there.html").read_text() == "mine"


@pytest.mark.parametrize("library", ["plotly", "jinja2"])
def test_without_its_libraries_it_says_how_to_get_them(program, worked, monkeypatch, library):
    monkeypatch.setitem(sys.modules, library, None)
    error = program("report", 1, "-o", "report.html", code=2).error
    assert error.strip().endswith("pip install judge-calibrate[report]")
    assert len(error.strip().splitlines()) == 1
    assert program("report", 1, "--format", "md").out


def test_a_judge_that_answers_with_markup(program):
    """Items, labels and reasoning that would be markup, a script, a template or a mention anywhere else."""
    Path("markup_judge.py").write_text(
        f"def judge(item):\n    return {{'label': '0', 'reasoning': {NASTY!r}}} if '#3' in str(item) else 'none'\n"
    )
    with Path("nasty.csv").open("w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream)
        table.writerow(("id", "question", "answer", "label"))
        table.writerows((f"{number}<b>", f"#{number} {NASTY}", NASTY, number % 2) for number in range(6))
    program("baseline", "nasty.csv", "--judge", "py:markup_judge:judge", "--labels", "0,1", code=None)
    program("report", 1, "-o", "report.html")
    page = parse(Path("report.html").read_text(encoding="utf-8"))
    assert page.shown.count("{{7*7}} {% raw %} <img src=x") >= 12
    errors = [each["data-error"] for each in page.all("details") if "data-error" in each]
    assert sorted(errors) == ["unscored"] * 5 + ["wrongly rejected"]
    text = program("report", 1, "--format", "md").out
    assert "<script>" not in text.replace("```", "")
    assert "@octocat" not in text


@pytest.mark.slow
def test_every_kind_of_run_of_the_simulator(program):
    program("baseline", "email_quality", "--judge", "sim:reader")
    program("noise", "support_faithfulness", "--judge", "sim:reader", "--runs", 2)
    program("bias", 2)
    program("bias", 2, "--ask")
    kinds = {run["run"]: run["kind"] for run in program("runs", "--json").json["runs"]}
    assert set(kinds.values()) == {"baseline", "noise", "bias"}
    said = {"baseline": "Figures", "noise": "The judge's own variation", "bias": "Leanings"}
    for run, kind in kinds.items():
        program("report", run, "-o", f"{run}.html")
        page = parse(Path(f"{run}.html").read_text(encoding="utf-8"))
        assert SIMULATED in page.shown
        assert said[kind] in [text for tag, text in page.texts if tag == "h2"]
        assert SIMULATED in program("report", run, "--format", "md").out


@pytest.mark.slow
def test_a_large_run_stays_a_page_that_can_be_sent(program):
    """Five thousand items with long texts, all of them misjudged: below 6 MB, and what is left out is said."""
    Path("wordy_judge.py").write_text("def judge(item):\n    return {'label': '0', 'reasoning': 'because ' * 60}\n")
    rows = [
        {"id": f"item {number}", "question": "why? " * 40, "answer": f"<{number}> " * 300, "label": "1"}
        for number in range(5000)
    ]
    Path("large.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    program("baseline", "large.jsonl", "--judge", "py:wordy_judge:judge", "--labels", "0,1")
    program("report", 1, "-o", "some.html")
    page = parse(Path("some.html").read_text(encoding="utf-8"))
    assert "more are left out" in page.shown
    left_out = program("report", 1, "-o", "all.html", "--max-items", 5000, "--json").json["disagreements_left_out"]
    shown = [
        each for each in parse(Path("all.html").read_text(encoding="utf-8")).all("details") if "data-error" in each
    ]
    assert len(shown) + left_out == 5000
    assert len(shown) > 100
