"""What a card allows: limits follow from figures, labels and probes, and nothing in a card depends on the day."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from program import PROMPT

import calibrate
from calibrate.metrics import Probe
from calibrate.store import Store
from calibrate.workflows.evidence import Evidence
from calibrate.workflows.stored import choose, load_run
from calibrate.workflows.use_limits import Limit, limits_of, recommended

DATED = "openai:gpt-4.1-2025-04-14"
GOOD = f"{PROMPT} ledger roster mercy"


def sections(reference, **options):
    return json.loads(calibrate.card(reference, to="json", **options).text)


def codes(card):
    return {each["value"] for each in card["use"].values() if isinstance(each["value"], str)}


def test_a_good_judge_helps_people_until_its_limits_are_gone(pages, server):
    calibrate.baseline(pages, DATED, prompt=GOOD)
    card = sections(1)
    assert codes(card) == {"with_people", "agreement_unknown", "not_probed"}
    with Store("runs.db") as store:
        chosen = choose(store, load_run(store, 1))
        finished = store.run(1).finished
    lean = Probe("verbosity", "odds_ratio", 30, "biased", "it prefers long answers")
    found = {each.code for each in limits_of(chosen, Evidence(), [lean], floating=False)}
    assert found == {"agreement_unknown", "biased"}
    assert recommended(())[0] == "yes"
    assert recommended((Limit("a", "b"),))[0] == "with_people"
    assert recommended((Limit("a", "b"), Limit("c", "d", bars=True)))[0] == "no"
    assert card["review_by"] > finished[:10]
    assert sections(1) == card


@pytest.mark.slow
def test_a_judge_that_never_answers_has_a_card_without_figures(pages, server, world):
    world.judge = lambda prompt, page: "perhaps"
    calibrate.baseline(pages, DATED, prompt=PROMPT)
    card = sections(1)
    assert {"no", "unscored", "class_unmeasured"} <= codes(card)
    assert card["figures"]["alignment"]["value"]["value"] is None
    assert "none_scored" in card["figures"]["alignment"]["words"]


@pytest.mark.slow
def test_code_has_a_card_without_a_prompt(pages, monkeypatch):
    Path("always.py").write_text("def judge(item):\n    return '1'\n", encoding="utf-8")
    monkeypatch.syspath_prepend(".")
    calibrate.baseline(pages, "py:always:judge")
    made = calibrate.card(1)
    assert "```" not in made.text
    card = made.card.to_json()
    assert "below_constant" in codes(card)
    # Its source is what tells it from other code: not the prompt and the settings that it does not have.
    source = calibrate.show(1).to_json()["spec"]["judge"]["identity"]["source"]
    assert card["judge"]["source_digest"]["words"] == source
    assert f"source digest {source}" in card["again"]["prompt"]["words"]
    assert card["prompt"]["digest"] is None
    assert card["checklist"]["prompt_digest"]["words"] == "the judge is code: it has no prompt"
    assert "temperature" not in made.text
    page = calibrate.write_report(1, format="md").text
    assert source in page
    assert "temperature" not in page
    assert "The prompt" not in page


@pytest.mark.slow
def test_unseen_items_and_a_run_that_is_not_finished(pages, server, program):
    search = ("optimize", pages, "--judge", DATED, "--optimizer", "openai:gpt-5", "--prompt", "prompt.txt")
    program(*search, "--iterations", 2, "--holdout", 0.5)
    card = sections(1)
    assert any(key.startswith("holdout") for key in card["unseen"])
    assert "searched_items_only" not in codes(card)
    program(*search, "--iterations", 2, "--budget", 0.05, "--new", "--no-analysis", code=None)
    unfinished = sections(2)
    assert "unfinished" in codes(unfinished)
    assert unfinished["review_by"] is None
    assert sections(2, review_by="2031-01-31")["review_by"] == "2031-01-31"
