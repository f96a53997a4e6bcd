"""The checklist of a report, held against the list of facts that every report must state, item by item."""

from pathlib import Path

import pytest
from loopback import Reply
from program import FAITHFUL, PAGES, PROMPT, UNFAITHFUL

import calibrate
from calibrate.domain import digest
from calibrate.domain.version import VERSION
from calibrate.golden import LoadOptions
from calibrate.store import Store
from calibrate.workflows.checklist import checklist_json

JUDGE, OPTIMIZER = "openai:gpt-4.1-2025-04-14", "openai:gpt-4.1-mini"

SECTION = {
    "label scale": ["scale"],
    "positive class": ["positive_class"],
    "n, and n per class": ["n", "n_per_class"],
    "raters, their agreement and how gold was made": ["raters", "rater_agreement", "gold"],
    "handling of abstentions, ties and invalid outputs, with the rate of each": [
        "abstentions",
        "ties",
        "invalid_outputs",
        "other_unscored",
    ],
    "coverage, and bounds under exclude": ["coverage", "accuracy_bounds"],
    "the table": ["confusion"],
    "both positive rates": ["positive_rates"],
    "the reference judges": ["reference_judges"],
    "undefined metrics with their reason": ["undefined_metrics"],
    "aggregation (per dimension; macro or micro) and resampling unit": ["aggregation", "resampling_unit"],
    "whether any figure is on unseen items": ["unseen_items"],
    "judge model requested and returned": ["model_requested", "model_returned"],
    "prompt digest": ["prompt_digest"],
    "settings": ["settings"],
    "seed": ["seed"],
    "price snapshot": ["prices"],
    "tool version": ["version"],
    "dataset digest": ["golden_digest"],
}
KEYS = [key for keys in SECTION.values() for key in keys]


def rated_set(path, tie=()):
    """Two raters; they tie on some pages."""
    lines = ["id,context,answer,rater_ana,rater_ben"]
    for page in PAGES:
        label = "1" if page.startswith("f") else "0"
        other = str(1 - int(label)) if page in tie else label
        lines.append(f"{page},Text of {page}.,Answer of page {page}.,{label},{other}")
    Path(path).write_text("\n".join(lines))
    return path


@pytest.fixture
def facts(server, world):
    """The checklist of a baseline with a tie between raters, an abstention and an invalid output."""
    world.special = {"f02": Reply("no idea"), "f03": Reply('{"reasoning": "r", "label": "CANNOT_ASSESS"}')}
    calibrate.baseline(rated_set("raters.csv", tie=["f01"]), JUDGE, prompt=PROMPT, allow_abstain=True, seed=7)
    return calibrate.show(1).to_json()["checklist"]


def test_every_item_of_the_section_is_there_and_nothing_else(facts):
    assert list(facts) == KEYS


def test_every_fact_has_its_value_or_why_there_is_none(facts):
    for key, fact in facts.items():
        assert (fact["value"] is None) == bool(fact["reason"]), key
        assert (fact["value"] is None) != bool(fact["words"]), key


def test_labels_and_people(facts):
    assert facts["scale"]["value"]["kind"] == "binary"
    assert facts["positive_class"]["value"] == "1"
    assert facts["n"]["value"] == 29
    assert facts["n_per_class"]["value"] == {"0": 9, "1": 20}
    assert facts["raters"]["value"] == ["rater_ana", "rater_ben"]
    assert facts["rater_agreement"]["value"]["agreement"]["value"] == pytest.approx(29 / 30)
    assert facts["gold"]["value"] == "majority of 2 raters"


def test_what_has_no_label_and_how_it_counts(facts):
    abstained = facts["abstentions"]["value"]
    assert (abstained["count"], abstained["rate"], abstained["handling"]) == (1, pytest.approx(1 / 29), "exclude")
    assert abstained["offered"] is True
    invalid = facts["invalid_outputs"]["value"]
    assert (invalid["count"], invalid["rate"], invalid["handling"]) == (1, pytest.approx(1 / 29), "exclude")
    assert facts["ties"]["value"]["raters"] == {"count": 1, "left_out": 1, "rated": 30, "rate": pytest.approx(1 / 30)}
    assert {each["count"] for each in facts["other_unscored"]["value"].values()} == {0}
    assert facts["coverage"]["value"] == pytest.approx(27 / 29)
    # Of the 27 that are scored 17 are right (f04 to f20), so of all 29 between 17 and 19.
    assert facts["accuracy_bounds"]["value"] == [pytest.approx(17 / 29), pytest.approx(19 / 29)]


def test_figures(facts):
    assert facts["confusion"]["value"] == {"labels": ["0", "1"], "matrix": [[0, 9], [1, 17]]}
    assert facts["positive_rates"]["value"] == {"human": pytest.approx(18 / 27), "judge": pytest.approx(26 / 27)}
    assert facts["reference_judges"]["value"]["constant_label"] == "1"
    assert (facts["undefined_metrics"]["value"], facts["undefined_metrics"]["words"]) == ({}, "none")
    assert facts["aggregation"]["value"] == {
        "dimension": "faithfulness",
        "over_dimensions": "none",
        "over_classes": "positive class",
        "components": 7,
    }
    assert facts["resampling_unit"]["value"]["unit"] == "tables"
    assert facts["unseen_items"]["value"] is False


def test_the_judge(facts):
    run = calibrate.show(1).to_json()
    assert facts["model_requested"]["value"] == JUDGE
    assert facts["model_returned"]["value"]
    assert facts["prompt_digest"]["value"] == digest(PROMPT)
    assert facts["settings"]["value"]["allow_abstain"] is True
    assert facts["seed"]["value"] == 7
    assert facts["prices"]["value"] == run["record"]["prices"] is not None
    assert facts["version"]["value"] == VERSION
    assert facts["golden_digest"]["value"] == run["golden_digest"]


def test_a_constant_judge_has_undefined_metrics_and_each_is_named(pages, server, world):
    world.judge = lambda prompt, page: "1"
    calibrate.baseline(pages, JUDGE, prompt=PROMPT)
    undefined = calibrate.show(1).to_json()["checklist"]["undefined_metrics"]
    assert undefined["value"] == {"pearson": "constant_judge", "spearman": "constant_judge"}


def test_groups_are_the_resampling_unit_where_they_are_declared(server):
    lines = ["id,context,answer,label,document"]
    lines += [
        f"{page},Text of {page}.,Answer of page {page}.,{page[0] == 'f':d},{at % 7}" for at, page in enumerate(PAGES)
    ]
    Path("grouped.csv").write_text("\n".join(lines))
    calibrate.baseline("grouped.csv", JUDGE, prompt=PROMPT, load=LoadOptions(group="document"))
    assert calibrate.show(1).to_json()["checklist"]["resampling_unit"]["value"]["unit"] == "groups"


@pytest.mark.slow
def test_each_candidate_has_its_own(pages, server):
    (calibration,) = calibrate.optimize(pages, JUDGE, OPTIMIZER, prompt=PROMPT).each
    first, winner = (calibrate.show(each).to_json()["checklist"] for each in ("1:0", "1"))
    assert first["prompt_digest"]["value"] == digest(PROMPT)
    assert winner["prompt_digest"]["value"] == digest(calibration.prompt)
    assert list(first) == list(winner) == KEYS


@pytest.mark.slow
def test_a_gain_on_fresh_labels_is_a_figure_on_unseen_items(pages, server):
    fresh = [("other " + page, page) for page in (*FAITHFUL[:12], *UNFAITHFUL[:6])]
    lines = ["id,context,answer,label"]
    lines += [f"{name},Fresh text of {page}.,Fresh answer of page {page}.,{page[0] == 'f':d}" for name, page in fresh]
    Path("fresh.csv").write_text("\n".join(lines))
    (calibration,) = calibrate.optimize(pages, JUDGE, OPTIMIZER, prompt=PROMPT, confirm="fresh.csv").each
    best, judged = calibration.winner.candidate.number, calibration.stored.candidates
    loser = next(each.number for each in judged if each.number not in (0, best) and each.score is not None)
    winner, other = (calibrate.show(each).to_json()["checklist"]["unseen_items"] for each in ("1", f"1:{loser}"))
    assert [(each["source"], each["n"]) for each in winner["value"]] == [("confirm", 18)]
    assert "confirm, 18 items: gain +" in winner["words"]
    assert other["value"] is False


def test_what_an_unfinished_run_does_not_know_yet_is_said(pages, server):
    calibrate.baseline(pages, JUDGE, prompt=PROMPT)
    with Store("runs.db") as store:
        store.finish_run(1, "running", {})
    facts = calibrate.show(1).to_json()["checklist"]
    for key in ("unseen_items", "seed", "prices"):
        assert facts[key] == {**facts[key], "value": None, "reason": "recorded when the run ends; it is running"}


def test_without_a_golden_rater_it_says_that_agreement_is_unknown(pages, server):
    calibrate.baseline(pages, JUDGE, prompt=PROMPT)
    facts = checklist_json(calibrate.show(1).checklist)
    assert facts["rater_agreement"] == {
        "name": "raters' agreement",
        "value": None,
        "words": None,
        "reason": "agreement unknown: one rater",
    }
    assert facts["raters"]["reason"] == "the golden set names none"
