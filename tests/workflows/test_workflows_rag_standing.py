"""What is known of a RAG report's judges: their own alignment and noise, found by what they are and by nothing less.

A verifier is measured on 30 claims about the desks of the small world. It is wrong about three of them, and does not
say the same twice about every desk's garden when it is asked anew.
"""

from __future__ import annotations

import csv
import json
import math
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from loopback import Call, Loopback, Reply
from program import run_in
from rag_world import ANSWERABLE, CHUNKS, JUDGE, RagJudges, write_desks, write_variant

from calibrate.domain import Json, Scale
from calibrate.store import Store
from calibrate.workflows.bundles import load_bundle
from calibrate.workflows.rag_standing import Standing, standing_of

LABELS = ("supported", "contradicted", "not mentioned")
OTHER = "openai:gpt-4.1-mini-2025-04-14"
SET = ("claims.csv", "--task", "verify", "--scale", "nominal", "--labels", ",".join(LABELS))


class Wavering(RagJudges):
    """It says another thing every second time that it is asked about a garden, unless it was asked once only."""

    def __call__(self, call: Call) -> Reply:
        times = self.answered[json.dumps(call.body, sort_keys=True)]
        reply = super().__call__(call)
        if "Garden" in call.user and "<claim>\nGarden" in call.user and times % 2:
            said = json.loads(reply.text)
            for each in said["verdicts"]:
                each["label"] = "contradicted"
            return Reply(json.dumps(said))
        return reply


def write_claims(path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        rows = csv.writer(stream)
        rows.writerow(["id", "context", "claim", "label"])
        for number in range(1, 11):
            context = CHUNKS[f"c{number:02}"]
            fee = f"The fee of desk {number:02} is"
            rows.writerow([f"s{number}", context, f"{fee} {10 + number} euros.", "supported"])
            right = "contradicted" if number > 3 else "not mentioned"
            rows.writerow([f"k{number}", context, f"{fee} {50 + number} euros.", right])
            rows.writerow([f"m{number}", context, f"Garden {number:02} has roses.", "not mentioned"])


def one_claim(name: str, row: dict[str, Any]) -> dict[str, Any]:
    """One of the answers makes one claim, and says what holds only under a condition."""
    return {"answer": "If it rains, it is closed. The fee of desk 09 is 19 euros."} if name == "q09" else {}


def six_claims(name: str, row: dict[str, Any]) -> dict[str, Any]:
    """Four of the answers say one thing that their context does not."""
    return {"answer": f"{row['answer']} The door is red."} if name in ANSWERABLE[:4] else {}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("standing")


@pytest.fixture(scope="module")
def server() -> Iterator[Loopback]:
    with Loopback(Wavering(RagJudges.of_desks().relevant)) as running:
        yield running


@pytest.fixture(scope="module")
def runs(folder: Path, server: Loopback) -> dict[str, Any]:
    """A baseline (run 1), a RAG evaluation before the noise is known (2), the noise (3), and what came of them."""
    write_claims(folder / "claims.csv")
    header, *rows = (folder / "claims.csv").read_text().splitlines()
    named = [f"dimension,{header}", *(f"support,{row}" for row in rows)]
    (folder / "claims.csv").write_text("\n".join(named))
    write_desks(folder)
    write_variant(folder / "b.jsonl", change=one_claim)
    write_variant(folder / "a.jsonl", change=six_claims)
    return {
        "baseline": run_in(folder, server, "baseline", *SET, "--judge", JUDGE, "--json").json,
        "before": run_in(folder, server, *RAG, "--judge", JUDGE).json,
        "noise": run_in(folder, server, "noise", *SET, "--judge", JUDGE, "--runs", 2, "--json").json,
    }


RAG = (
    *("rag", "run", "bank.jsonl", "--corpus", "corpus.jsonl", "--variant", "a=a.jsonl", "--variant", "b=b.jsonl"),
    *("--metric", "faithfulness", "--json"),
)


def judge_of(document: Any, role: str = "claim_support") -> Any:
    (found,) = [each for each in document["judges"] if each["role"] == role]
    return found


def evaluated(folder: Path, server: Loopback, *judges: object) -> Any:
    return run_in(folder, server, *RAG, *(word for each in judges for word in ("--judge", each))).json


# Through the whole program


def test_a_judge_that_was_measured_says_on_what_and_how_well(runs, folder, server):
    alignment = runs["baseline"]["results"][0]["alignment"]
    told = judge_of(runs["before"])
    assert (told["measured"], told["calibrated"]) == (True, False)
    assert (told["alignment"], told["low"], told["high"]) == (alignment["value"], alignment["low"], alignment["high"])
    assert (told["n"], told["golden_set"], told["source"]) == (30, "claims", "run 1:0")
    assert told["flip_rate"] is None
    assert told["sentence"].startswith(
        "claim_support (openai:gpt-4.1-2025-04-14): measured, not calibrated, alignment 0."
    )
    assert "on claims, n = 30 (run 1:0)" in told["sentence"]
    assert told["sentence"].endswith("noise not measured")


def test_a_judge_that_was_never_measured_says_so_in_the_report_s_sentence(runs):
    told = judge_of(runs["before"], "claims")
    assert (told["measured"], told["alignment"], told["n"]) == (False, None, None)
    assert "was never calibrated on such data" in told["sentence"]
    assert "Never calibrated on such data, so that their figures are unproven: claims." in runs["before"]["sentence"]


def test_its_own_noise_stands_beside_it_and_makes_small_differences_noise(runs, folder, server):
    rate = runs["noise"]["noise"][0]["flip_rate"]["value"]
    assert rate == pytest.approx(10 / 30)
    before = compared(runs["before"])
    assert (before["noise_floor"], before["conclusion"]) == (None, "not distinguishable")
    document = evaluated(folder, server, JUDGE)
    told = judge_of(document)
    assert told["flip_rate"] == rate
    assert "33.3% of its verdicts flip" in told["sentence"]
    # Nine answers of two claims and one of one, which weighs as much as the others: as if there were 18.2 alike. The
    # other variant's answers have more claims.
    after = compared(document)
    assert after["noise_floor"] == pytest.approx(1.96 * math.sqrt(rate / (10**2 / (9 / 2 + 1 / 1))))
    assert 0 < after["difference"] < after["noise_floor"]
    assert after["conclusion"] == "noise"
    assert set(told["noise_floors"]) == {"faithfulness", "contradiction_rate"}
    assert judge_of(document, "claims")["noise_floors"] == {}


def compared(document: Any) -> Any:
    (found,) = [each for each in document["comparisons"] if each["name"] == "faithfulness"]
    return found


@pytest.mark.parametrize("named", ["1", "1:0", "3"])
def test_a_judge_named_by_its_run_is_reported_with_that_run(runs, folder, server, named):
    told = judge_of(evaluated(folder, server, JUDGE, f"claim_support={named}"))
    assert told["source"] == f"run {named[0]}:0"
    assert (told["n"], told["flip_rate"]) == (30, pytest.approx(1 / 3))


def test_another_model_inherits_nothing(runs, folder, server):
    told = judge_of(evaluated(folder, server, JUDGE, f"claim_support={OTHER}"))
    assert (told["measured"], told["flip_rate"]) == (False, None)


def test_a_bundle_from_another_database_brings_its_alignment_along(runs, folder, server, tmp_path):
    run_in(folder, server, "export", "1", "--to", "json", "-o", tmp_path / "judge.json")
    for name in ("bank.jsonl", "corpus.jsonl", "a.jsonl", "b.jsonl"):
        shutil.copy(folder / name, tmp_path / name)
    told = judge_of(evaluated(tmp_path, server, JUDGE, "claim_support=judge.json"))
    alignment = runs["baseline"]["results"][0]["alignment"]
    assert (told["alignment"], told["low"], told["n"]) == (alignment["value"], alignment["low"], 30)
    assert (told["source"], told["calibrated"], told["golden_set"]) == ("judge.json, run 1:0", False, "claims")
    assert told["flip_rate"] is None
    # The model alone is not known here, though it is the same.
    assert not judge_of(evaluated(tmp_path, server, JUDGE))["measured"]


# The rule


@pytest.fixture
def known(runs: dict[str, Any], folder: Path) -> Iterator[tuple[Store, str, dict[str, Any]]]:
    """The database, and prompt and record of the judge that was measured."""
    with Store(str(folder / "runs.db")) as store:
        yield store, store.candidates(1)[0].prompt, dict(store.run(1).spec["judge"])


def test_it_is_found_by_prompt_model_identity_and_task(known):
    store, prompt, judge = known
    found = standing_of(store, "claim_support", prompt, judge)
    assert (found.measured, found.flip_rate) == (True, pytest.approx(1 / 3))


@pytest.mark.parametrize(
    "other",
    [
        {"model": OTHER},
        {"identity": {"api": "another"}},
        {"settings": {"task": "verdict"}},
        {"settings": {}},
        {"splitter": {"model": JUDGE}},
    ],
    ids=["model", "identity", "task", "verdict by default", "two steps"],
)
def test_another_judge_inherits_neither_alignment_nor_noise(known, other: dict[str, Json]):
    store, prompt, judge = known
    found = standing_of(store, "claim_support", prompt, {**judge, **other})
    assert found == Standing("claim_support", str({**judge, **other}["model"]))


@pytest.mark.parametrize(
    ("asked", "same"),
    [
        ({"votes": 3, "temperature": 1.0}, False),
        ({"temperature": 1.0}, False),
        ({"temperature": None}, False),
        ({"allow_abstain": True}, False),
        ({"parse": "label=(.*)"}, False),
        ({"language": "es"}, False),
        ({"max_tokens": 64}, False),
        ({"max_tokens": 4096}, True),
        ({"confidence": True}, True),
        ({"language": "en-GB"}, True),
    ],
)
def test_alignment_and_noise_are_of_a_judge_that_is_asked_in_the_same_way(known, asked: dict[str, Json], same: bool):
    store, prompt, judge = known
    found = standing_of(store, "claim_support", prompt, {**judge, "settings": {**judge["settings"], **asked}})
    assert (found.measured, found.flip_rate is not None) == (same, same)


@pytest.mark.parametrize(
    ("scale", "same"),
    [
        (Scale("nominal", LABELS), True),
        (Scale("nominal", tuple(reversed(LABELS))), True),
        (Scale("binary", ("0", "1"), positive="1"), False),
        (Scale("nominal", ("entailment", "contradiction", "neutral")), False),
    ],
)
def test_a_judge_with_other_labels_is_another_judge(known, scale: Scale, same: bool):
    store, prompt, judge = known
    found = standing_of(store, "claim_support", prompt, judge, scale=scale)
    assert (found.measured, found.flip_rate is not None) == (same, same)


def test_another_prompt_inherits_neither_alignment_nor_noise(known):
    store, prompt, judge = known
    assert standing_of(store, "claim_support", prompt + " ", judge) == Standing("claim_support", JUDGE)


def test_a_step_is_the_same_step_whatever_the_dimension_of_its_set_is_called(known):
    store, prompt, judge = known
    assert store.run(1).dimension == "support"
    assert standing_of(store, "claim_support", prompt, judge).measured


def test_a_verdict_on_another_dimension_is_told_where_its_run_is_named_and_proves_nothing(folder, server, tmp_path):
    lines = [
        "id,question,context,label",
        *(f"i{n},What is {n}?,Garden {n:02} has roses.,0" for n in range(3)),
        "i4,x,y,1",
    ]
    (tmp_path / "needed.csv").write_text("\n".join(lines))
    run_in(tmp_path, server, "noise", "needed.csv", "--judge", JUDGE, "--runs", 2)
    with Store(str(tmp_path / "runs.db")) as store:
        prompt, judge = store.candidates(1)[0].prompt, store.run(1).spec["judge"]
        assert store.run(1).dimension == "faithfulness"
        unknown = standing_of(store, "context_relevancy", prompt, judge)
        named = standing_of(store, "context_relevancy", prompt, judge, reference="1:0")
    assert (unknown.source, unknown.flip_rate) == ("", None)
    assert (named.source, named.n, named.flip_rate) == ("run 1:0", 4, 0.0)
    # It is told, and proves nothing.
    assert (named.measured, named.elsewhere, named.flips_elsewhere) == (False, True, True)
    assert named.errors is None
    assert named.floor(100) is None
    assert "measured on faithfulness: unproven for context_relevancy" in named.sentence
    assert named.sentence.endswith("0.0% of its verdicts flip there")


def test_without_a_database_nothing_is_known(known):
    _, prompt, judge = known
    assert standing_of(None, "claim_support", prompt, judge) == Standing("claim_support", JUDGE)


def test_few_items_and_a_low_alignment_are_said():
    weak = Standing("claims", "m", 0.5, 0.3, 0.7, 12, "mine", "run 4:0")
    assert weak.sentence == (
        "claims (m): measured, not calibrated, alignment 0.50 [0.30, 0.70] on mine, n = 12 (run 4:0), below 0.70, "
        "on fewer than 30 items; noise not measured"
    )
    undefined = Standing("claims", "m", None, n=40, golden_set="mine", source="run 4:0", flip_rate=0.05)
    assert "alignment undefined on mine, n = 40 (run 4:0), below 0.70; 5.0% of its verdicts flip" in undefined.sentence


def test_the_floor_of_a_difference_is_1_96_times_the_root_of_flips_by_verdicts():
    judge = Standing("claim_support", "m", flip_rate=0.04)
    assert judge.floor(100) == pytest.approx(1.96 * 0.02)
    assert judge.floor(0) is None
    assert Standing("claim_support", "m").floor(100) is None
    # Similarities, and numbers of claims, are no verdicts that count 0 or 1.
    assert Standing("answer_relevancy", "m", flip_rate=0.04).floor(100) is None
    assert Standing("claims", "m", flip_rate=0.04).floor(100) is None


# A calibration


class Calibrated(Wavering):
    """With a ledger in its prompt it is right about all claims; its meta-LLM thinks of that, and of worse."""

    def __call__(self, call: Call) -> Reply:
        strategy = re.search(r'<request strategy="([^"]+)">', call.user)
        if strategy is not None:
            current = re.search(r'<current score="[^"]*">\n(.*?)\n</current>', call.user, re.DOTALL)
            assert current is not None
            better = strategy[1] == "explicit rubric"
            addition = (
                "Hold each figure against the ledger of figures."
                if better
                else f"Think long and hard, and think again: {strategy[1]}."
            )
            return Reply(f"<prompt>\n{current[1]} {addition}\n</prompt>")
        reply = super().__call__(call)
        if "ledger" in call.system and re.search(r"desk 0[123] is 5", call.user):
            return Reply(reply.text.replace('"contradicted"', '"not mentioned"'))
        return reply


@pytest.fixture(scope="module")
def calibration(folder: Path) -> Iterator[tuple[Path, Loopback, Any]]:
    """A search that finds a prompt of its own (run 1), in a folder of its own."""
    place = folder / "calibration"
    place.mkdir()
    (place / "prompt.txt").write_text("Say of each claim whether the context supports it.")
    write_claims(place / "claims.csv")
    write_desks(place)
    write_variant(place / "b.jsonl")
    write_variant(place / "a.jsonl", change=six_claims)
    with Loopback(Calibrated(RagJudges.of_desks().relevant)) as server:
        found = run_in(
            place,
            server,
            *(
                "optimize",
                *SET,
                "--prompt",
                "prompt.txt",
                "--judge",
                JUDGE,
                "--optimizer",
                JUDGE,
                "--iterations",
                1,
                "--json",
            ),
            *("--no-analysis", "--strategy", "explicit rubric", "--strategy", "general improvement"),
        ).json
        yield place, server, found


def test_a_calibrated_verifier_is_reported_with_its_alignment_set_run_and_noise(calibration):
    place, server, found = calibration
    winner = found["results"][-1]
    with Store(str(place / "runs.db")) as store:
        number = (store.run(1).result or {})["winner"]
    assert number > 0
    told = judge_of(evaluated(place, server, JUDGE, "claim_support=1"))
    assert told["source"] == f"run 1:{number}"
    assert (told["calibrated"], told["chosen_on_these"]) == (True, True)
    assert (told["n"], told["golden_set"]) == (30, "claims")
    assert told["alignment"] == pytest.approx(winner["alignment"]["value"])
    assert told["flip_rate"] == found["calibrations"][0]["evidence"]["noise"]["flip_rate"]
    assert "calibrated, alignment" in told["sentence"]
    assert f"n = 30, the items that it was chosen on (run 1:{number})" in told["sentence"]


def test_only_the_winner_of_a_calibration_is_calibrated(calibration):
    place, _, _ = calibration
    with Store(str(place / "runs.db")) as store:
        run = store.run(1)
        winner = (run.result or {})["winner"]
        scored = [each for each in store.candidates(1) if each.status == "scored"]
        assert len(scored) > 1
        for each in scored:
            found = standing_of(store, "claim_support", each.prompt, run.spec["judge"])
            assert (found.measured, found.calibrated) == (True, each.number == winner), each.number


def test_the_bundle_of_a_winner_says_that_it_was_calibrated_and_that_of_another_candidate_does_not(
    calibration, tmp_path
):
    place, _, _ = calibration
    with Store(str(place / "runs.db")) as store:
        winner = (store.run(1).result or {})["winner"]
        others = [each.number for each in store.candidates(1) if each.status == "scored" and each.number != winner]
    for number in (winner, max(others)):
        with Loopback() as unused:
            run_in(place, unused, "export", f"1:{number}", "--to", "json", "-o", tmp_path / f"{number}.json")
        bundle = load_bundle(tmp_path / f"{number}.json")
        judge = {"model": JUDGE, "identity": {}, "settings": {"task": "verify"}}
        found = standing_of(None, "claim_support", bundle.exported.prompt.text, judge, bundle=bundle)
        assert (found.measured, found.calibrated) == (True, number == winner)
        assert found.n == 30
