"""A judge of two steps: what it asks, what it pays, what it records, and what it is kept apart from.

The world: a splitter takes an answer apart at its full stops ("If ..." is conditional, "You should ..." is normative),
and a verifier supports a claim that stands in the context, contradicts one that the context denies, and mentions no
other. A prompt that says "lenient" makes it call those supported too, without a quote; one that says "harsh" lets it
deny whatever is free.
"""

from __future__ import annotations

import csv
import json
import re
import signal
import sqlite3
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from loopback import Loopback, Reply, truncated
from program import start

import calibrate
from calibrate.domain import Scored, Unscored
from calibrate.judge import JudgeSettings
from calibrate.store import Store
from calibrate.workflows.calibrated import calibrated_by
from calibrate.workflows.two_step_work import CLAIMS_PER_ANSWER

POLICY = "You have 30 days to send it back. Returns are free of charge. Refunds take five days."
"""The returns policy, whose three sentences are three claims."""

ANSWERS = {
    "policy": (POLICY, POLICY, "1", "1.0"),
    "six": ("One is so. Two is so. Three is so. Four is so. Five is so.", "", "0", repr(5 / 6)),
    "denied": ("Denied: Shipping is free.", "Shipping is free.", "0", "0.0"),
    "mixed": ("Doors open at nine.", "Doors open at nine. If it rains we close. You should come early.", "1", "1.0"),
}
"""By id: context, answer, the experts' binary label, and the share of the claims that is supported."""
ANSWERS["six"] = (ANSWERS["six"][0], f"{ANSWERS['six'][0]} Six is so.", *ANSWERS["six"][2:])

JUDGE = ("--judge", "openai:gpt-4.1", "--splitter", "openai:gpt-4o-mini")
SHARES = ("--scale", "interval", "--low", 0, "--high", 1, "--threshold", 1)
BASELINE = ("baseline", "answers.csv", *JUDGE, "--json")

_CHUNK = re.compile(r'<chunk index="\d+">\n(.*?)\n</chunk>', re.DOTALL)


def block(name, text):
    return re.search(rf"<{name}>\n(.*?)\n</{name}>", text, re.DOTALL)[1]


def sentences(text):
    return re.findall(r"[^.]+\.", text)


def split_reply(answer):
    claims = []
    for each in (sentence.strip() for sentence in sentences(answer)):
        kind = "conditional" if each.startswith("If ") else "normative" if "should" in each else "factual"
        claims.append({"claim": each, "kind": kind})
    return json.dumps({"reasoning": "", "claims": claims})


def verify_reply(system, context, claims, labels=("supported", "contradicted", "not_mentioned")):
    verdicts = []
    for number, claim in enumerate(claims, 1):
        label, quote = labels[2], ""
        if f"Denied: {claim}" in context or ("harsh" in system and "free" in claim):
            label = labels[1]
        elif claim in context:
            label, quote = labels[0], claim
        elif "lenient" in system:
            label = labels[0]
        verdicts.append({"claim": number, "reasoning": "as it says", "quote": quote, "label": label})
    return json.dumps({"verdicts": verdicts})


@dataclass
class Steps:
    """The splitter, the verifier and the meta-LLM behind one server.

    Attributes:
        held_from: from this call on nothing is answered.
        replies: a reply by a text that stands in the request, in place of the usual one.
        labels: those of the verifier.
        asked: bodies that were answered, by step.
    """

    held_from: int | None = None
    replies: dict = field(default_factory=dict)
    labels: tuple = ("supported", "contradicted", "not_mentioned")
    asked: list = field(default_factory=list)

    def __call__(self, call):
        if self.held_from is not None and call.index >= self.held_from:
            return Reply(latency=3600.0)
        properties = (call.schema or {}).get("properties", {})
        step = next((name for name in ("claims", "verdicts") if name in properties), "rewrite")
        self.asked.append((step, json.dumps(call.body, sort_keys=True), call))
        for text, reply in self.replies.items():
            if text in call.user and step == reply[0]:
                return reply[1]
        if step == "claims":
            assert "<context>" not in call.user
            return Reply(split_reply(block("answer", call.user)))
        if step == "verdicts":
            claim = block("claim", call.user)
            claims = _CHUNK.findall(claim) or [claim]
            return Reply(verify_reply(call.system, block("context", call.user), claims, self.labels))
        current = re.search(r"<current [^>]*>\n(.*?)\n</current>", call.user, re.DOTALL)[1]
        word = "harsh" if 'strategy="general improvement"' in call.user else "lenient"
        return Reply(
            f"<prompt>\n{current} Be {word} with each and every one of them, whatever else is said.\n</prompt>"
        )

    def count(self, step):
        return sum(each == step for each, _, _ in self.asked)

    @property
    def bodies(self):
        return Counter(body for _, body, _ in self.asked)


@pytest.fixture
def world():
    return Steps()


@pytest.fixture
def answers(tmp_path, server):
    write(tmp_path / "answers.csv")
    return server


def write(path, label=2, words=lambda label: label, **others):
    """Write the golden set, on one of the scales; ``others`` are labels by id that differ from the world's."""
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "question", "context", "answer", "label"])
        for name, row in ANSWERS.items():
            writer.writerow([name, f"What of {name}?", row[0], row[1], others.get(name, words(row[label]))])
    return path


def verdicts(run=1, db="runs.db"):
    with closing(Store(db, create=False)) as store:
        return store.verdicts(store.candidates(run)[0].evaluation)


# What it says


def test_the_returns_policy_is_three_claims_each_with_its_quote_and_its_justification(program, answers):
    program(*BASELINE)
    policy = verdicts()["policy"]
    assert isinstance(policy, Scored)
    assert policy.label == "1"
    assert (policy.evidence["supported"], policy.evidence["of"]) == (3, 3)
    assert policy.evidence["claims"] == [
        {
            "claim": sentence.strip(),
            "kind": "factual",
            "label": "supported",
            "stated": "supported",
            "quote": sentence.strip(),
            "quote_found": True,
            "reasoning": "as it says",
        }
        for sentence in sentences(POLICY)
    ]
    assert "2. Returns are free of charge.: supported. as it says" in policy.reasoning
    assert program("show", 1, "--json").json["verdicts"]["policy"]["evidence"] == policy.evidence


def test_on_an_interval_scale_the_verdict_is_the_share_of_supported_claims(program, answers, tmp_path):
    write(tmp_path / "shares.csv", label=3)
    program("baseline", "shares.csv", *JUDGE, *SHARES, "--json")
    labels = {name: float(each.label) for name, each in verdicts().items()}
    assert labels == {name: float(row[3]) for name, row in ANSWERS.items()}
    assert round(labels["six"], 2) == 0.83


def test_on_three_labels_it_is_the_worst_of_the_claims(program, answers, tmp_path):
    write(tmp_path / "nli.csv", words=lambda label: "entailment" if label == "1" else "neutral")
    labels = ("--scale", "nominal", "--labels", "entailment,neutral,contradiction")
    program("baseline", "nli.csv", *JUDGE, *labels, "--json")
    found = {name: each.label for name, each in verdicts().items()}
    assert found == {"policy": "entailment", "six": "neutral", "denied": "contradiction", "mixed": "entailment"}


def test_claims_that_no_context_can_support_are_not_asked_about_and_are_in_the_record(program, answers, world):
    report = program(*BASELINE).json
    mixed = verdicts()["mixed"]
    assert [each["kind"] for each in mixed.evidence["claims"]] == ["factual", "conditional", "normative"]
    assert mixed.label == "1"
    assert all("If it rains" not in call.user for step, _, call in world.asked if step == "verdicts")
    facts = report["runs"][0]["claims"]
    assert (facts["factual"], facts["supported"], facts["not_checked"]) == (11, 9, 2)


def test_a_claim_called_supported_without_a_quote_of_the_context_is_none(program, answers, tmp_path):
    (tmp_path / "lenient.txt").write_text("Be lenient with claims.", encoding="utf-8")
    program(*BASELINE, "--prompt", "lenient.txt")
    last = verdicts()["six"].evidence["claims"][-1]
    assert (last["stated"], last["label"]) == ("supported", "not_mentioned")


def test_an_answer_without_claims_and_a_step_without_a_verdict_leave_no_label_and_say_why(
    program, answers, world, tmp_path
):
    world.replies = {
        "Doors": ("claims", Reply(split_reply("You should come early."))),
        "30 days": ("claims", truncated("{")),
        "Shipping": ("verdicts", Reply("I would rather not say.")),
    }
    report = program(*BASELINE, code=1).json
    found = verdicts()
    assert found["mixed"] == Unscored("abstained", "the answer makes no claim that can be checked")
    assert found["policy"].reason == "truncated"
    assert found["policy"].detail.startswith("splitting the answer into claims")
    assert found["denied"].reason == "invalid"
    assert found["denied"].detail.startswith("holding the claims against the context")
    assert found["six"].label == "0"
    assert world.count("verdicts") == 2
    assert report["results"][0]["unscored"]["abstained"] == 1


def test_a_spanish_set_is_asked_and_labelled_in_spanish(program, answers, world):
    world.labels = ("respaldada", "contradicha", "no mencionada")
    program(*BASELINE, "--language", "es")
    assert verdicts()["denied"].evidence["claims"][0]["label"] == "contradicha"
    systems = {step: call.system for step, _, call in world.asked}
    assert "afirmaciones" in systems["claims"]
    assert "afirmación" in systems["verdicts"]


def test_the_text_output_says_that_it_is_judged_claim_by_claim(program, answers):
    told = program(*BASELINE[:-1]).out
    assert told.startswith("openai:gpt-4.1, claim by claim on faithfulness agrees with the experts")
    assert "openai:gpt-4o-mini splits the answers; one call for all claims of an answer" in told
    assert "9 of 11 factual claims supported; 2 conditional or normative claims beside them." in told
    assert "openai:gpt-4.1, claim by claim" in program("runs").out
    shown = program("show", 1)
    assert "splitter: openai:gpt-4o-mini" in shown.out
    assert program("show", 1, "--json").json["checklist"]["splitter"]["value"]["model"] == "openai:gpt-4o-mini"
    program("report", 1, "-o", "report.html")
    assert "openai:gpt-4.1, claim by claim" in Path("report.html").read_text(encoding="utf-8")


def test_either_model_may_be_simulated_and_that_is_said(program, answers):
    for steps in (("--judge", "sim:reader", *JUDGE[2:]), ("--judge", "openai:gpt-4.1", "--splitter", "sim:reader")):
        report = program("baseline", "answers.csv", *steps, "--json", code=None).json
        assert report["simulated"] is True
        assert program("show", report["runs"][0]["run"], "--json").json["simulated"] is True
    assert program(*BASELINE).json["simulated"] is False


def test_the_simulated_reader_judges_a_shipped_set_claim_by_claim(program):
    report = program(
        "baseline", "support_faithfulness", "--judge", "sim:reader", "--splitter", "sim:reader", "--json", code=None
    ).json
    (result,) = report["results"]
    assert report["simulated"] is True
    assert result["n"] == 30
    assert result["scored"] >= 25
    assert result["judge"] == "sim:reader, claim by claim"
    for verdict in verdicts().values():
        if isinstance(verdict, Scored):
            held = [each for each in verdict.evidence["claims"] if each["kind"] == "factual"]
            assert len(held) == verdict.evidence["of"]
            assert all(each["quote_found"] for each in held if each["label"] == "supported")
            assert (verdict.label == "1") == (verdict.evidence["supported"] == verdict.evidence["of"])


# What it asks and pays


def test_each_answer_is_split_once_and_its_claims_are_one_call(program, answers, world):
    report = program(*BASELINE).json
    assert (world.count("claims"), world.count("verdicts")) == (4, 4)
    (run,) = report["runs"]
    assert run["paid_calls"] == run["spent"]["calls"] == 8
    assert run["cost"] == pytest.approx(run["spent"]["cost"])
    again = program(*BASELINE).json
    assert len(world.asked) == 8
    assert again["runs"][0]["paid_calls"] == 0
    assert again["results"] == report["results"]
    assert again["runs"][0]["run"] == 1


def test_with_a_call_for_each_claim_the_verdicts_are_the_same(program, answers, world):
    together = program(*BASELINE).json
    single = program(*BASELINE, "--per-claim").json
    assert world.count("claims") == 4  # the same splits
    assert world.count("verdicts") == 4 + 3 + 6 + 1 + 1
    assert single["runs"][0]["run"] == 2
    assert {name: (each.label, each.evidence) for name, each in verdicts(2).items()} == {
        name: (each.label, each.evidence) for name, each in verdicts(1).items()
    }
    assert single["results"][0]["alignment"] == together["results"][0]["alignment"]
    assert single["results"][0]["judge"] == "openai:gpt-4.1, claim by claim, each by itself"


def recorded():
    """How many replies the run database holds."""
    if not Path("runs.db").exists():
        return 0
    try:
        with closing(sqlite3.connect("file:runs.db?mode=ro", uri=True)) as connection:
            return connection.execute("select count(*) from responses").fetchone()[0]
    except sqlite3.OperationalError:  # its tables are being made
        return 0


# Amid the splits, between the steps, amid the claims.
@pytest.mark.parametrize(
    "moment", [pytest.param(each, marks=() if each == 4 else pytest.mark.slow) for each in (2, 4, 6)]
)
def test_killed_and_run_again_it_pays_for_nothing_twice(program, answers, world, tmp_path, moment):
    world.held_from = moment
    environment = {"OPENAI_BASE_URL": answers.openai_url, "OPENAI_API_KEY": "sk-any"}
    process = start(BASELINE, tmp_path, environment)
    deadline = time.monotonic() + 60
    while not (len(answers.calls) > moment and recorded() == moment):
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.01)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    world.held_from = None
    report = program(*BASELINE).json
    assert set(world.bodies.values()) == {1}
    assert len(world.asked) == 8
    assert report["runs"][0]["spent"]["calls"] == 8
    assert {name: each.label for name, each in verdicts().items()} == {name: row[2] for name, row in ANSWERS.items()}


def test_a_budget_holds_for_both_models_together_and_a_larger_one_goes_on(program, answers, world):
    whole = program(*BASELINE, "--db", "whole.db").json["runs"][0]["cost"]
    world.asked.clear()
    program(*BASELINE, "--budget", whole / 1000, code=3)
    first = len(world.asked)
    assert first < 8
    report = program(*BASELINE, "--budget", 1).json
    assert len(world.asked) == 8
    assert report["runs"][0]["spent"]["cost"] == pytest.approx(whole)


def test_asked_afresh_both_steps_are_paid_anew(program, answers, world):
    program(*BASELINE)
    program(*BASELINE, "--fresh")
    assert (world.count("claims"), world.count("verdicts")) == (8, 8)
    assert set(world.bodies.values()) == {2}
    program(*BASELINE)
    assert len(world.asked) == 16


def test_votes_are_taken_on_the_claims_of_one_split(program, answers, world):
    report = program(*BASELINE, "--votes", 3).json
    assert (world.count("claims"), world.count("verdicts")) == (4, 12)
    assert report["runs"][0]["paid_calls"] == 16


def test_votes_on_all_claims_together_give_no_share(program, answers, tmp_path):
    write(tmp_path / "shares.csv", label=3)
    command = ("baseline", "shares.csv", *JUDGE, *SHARES, "--votes", 3)
    assert "add --per-claim, or leave --votes out" in program(*command, code=2).error
    program(*command, "--per-claim")


def test_noise_is_that_of_both_steps(program, answers, world):
    noise = program("noise", "answers.csv", *JUDGE, "--runs", 3, "--json").json
    assert (world.count("claims"), world.count("verdicts")) == (12, 12)
    assert noise["noise"][0]["judge"] == "openai:gpt-4.1, claim by claim"
    program("noise", "answers.csv", *JUDGE, "--runs", 3, "--votes", 3, "--per-claim", "--json")
    assert world.count("claims") == 24  # under numbers of its own


def test_in_batch_mode_each_step_is_a_batch(program, answers, world):
    report = program(*BASELINE, "--mode", "batch", "--db", "batch.db").json
    assert len(answers.batches.batches) == 2
    direct = program(*BASELINE, "--db", "direct.db").json
    assert report["results"] == direct["results"]
    assert report["runs"][0]["cost"] == pytest.approx(direct["runs"][0]["cost"] / 2)


def test_a_model_without_batches_is_refused_as_a_splitter_too(program, answers):
    steps = ("--judge", "openai:gpt-4.1", "--splitter", "sim:reader")
    refused = program("baseline", "answers.csv", *steps, "--mode", "batch", code=2)
    assert "sim:reader has no batch endpoint" in refused.error


def test_what_it_would_take_is_told_before_it_is_asked(program, answers, world):
    told = program(*BASELINE, "--dry-run").json
    splits, claims = told["estimate"]["work"]
    assert (splits["model"], splits["calls"]) == ("openai:gpt-4o-mini", 4)
    assert (claims["model"], claims["calls"]) == ("openai:gpt-4.1", 4)
    assert claims["most"] is None
    assert f"{CLAIMS_PER_ANSWER} claims an answer" in told["sentence"]
    single = program(*BASELINE, "--dry-run", "--per-claim").json
    assert [each["calls"] for each in single["estimate"]["work"]] == [4, 4 * CLAIMS_PER_ANSWER]
    assert not world.asked
    program(*BASELINE)
    assert program(*BASELINE, "--dry-run").json["estimate"]["calls"] == 0
    known = program(*BASELINE, "--dry-run", "--per-claim").json
    assert [each["calls"] for each in known["estimate"]["work"]] == [0, 3 + 6 + 1 + 1]
    assert "claims an answer" not in known["sentence"]


def test_a_budget_needs_the_price_of_the_splitter_too(program, answers):
    steps = ("--judge", "openai:gpt-4.1", "--splitter", "openai:nobody-knows-me")
    refused = program("baseline", "answers.csv", *steps, "--budget", 1, code=2)
    assert "openai:nobody-knows-me: --budget needs a price" in refused.error


# What it is kept apart from


def test_with_another_splitter_it_is_another_judge(program, answers):
    runs = [
        program("baseline", "answers.csv", "--judge", "openai:gpt-4.1", *more, "--json", code=None).json["runs"][0][
            "run"
        ]
        for more in (JUDGE[2:], ("--splitter", "openai:gpt-4.1"), (*JUDGE[2:], "--per-claim"), JUDGE[2:])
    ]
    assert runs == [1, 2, 3, 1]
    with closing(Store("runs.db", create=False)) as store:
        judges = [store.run(number).spec["judge"] for number in (1, 2, 3)]
        evaluations = [store.candidates(number)[0].evaluation for number in (1, 2, 3)]
    assert len(set(evaluations)) == 3
    assert [each["splitter"]["model"] for each in judges] == [
        "openai:gpt-4o-mini",
        "openai:gpt-4.1",
        "openai:gpt-4o-mini",
    ]
    assert [each["splitter"]["per_claim"] for each in judges] == [False, False, True]
    assert JudgeSettings(**judges[0]["settings"]).task == "verdict"
    assert judges[0]["splitter"]["settings"]["task"] == "split"


def test_a_record_of_a_judge_of_one_verdict_is_what_it_was(program, server, tmp_path):
    write(tmp_path / "answers.csv")
    program("baseline", "answers.csv", "--judge", "sim:reader", "--json", code=None)
    with closing(Store("runs.db", create=False)) as store:
        assert set(store.run(1).spec["judge"]) == {"model", "identity", "settings", "data_block", "format"}


def test_only_a_run_with_the_same_splitter_calibrates_it(program, answers, tmp_path):
    many = tmp_path / "many.csv"
    with many.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "context", "answer", "label"])
        for number in range(40):
            good = number % 2
            writer.writerow([number, f"Fact {number}.", f"Fact {number if good else number + 100}.", good])
    first = program("baseline", "many.csv", *JUDGE, "--json").json["results"][0]
    assert first["alignment"]["value"] == pytest.approx(1.0)
    assert first["calibrated"]["run"] == 1
    with closing(Store("runs.db", create=False)) as store:
        (candidate,) = store.candidates(1)
        run = store.run(1)
        judge = {name: value for name, value in run.spec["judge"].items() if name != "splitter"}
        of_one_verdict = replace(run, id=99, spec={**run.spec, "judge": judge}, kind="optimize")
        assert calibrated_by(store, replace(run, id=99, kind="optimize"), candidate).run is not None
        assert calibrated_by(store, of_one_verdict, candidate).run is None


def test_a_comparison_shows_it_as_a_judge_of_its_own_with_the_cost_of_both_steps(program, answers):
    steps = ("--judge", "sim:reader", "--judge", "sim:reader-small", "--splitter", "sim:reader", "--one-verdict")
    found = program("compare", "answers.csv", *steps, "--no-juries", "--json", code=None).json
    by_name = {each["judge"]: each for each in found["results"]}
    assert list(by_name) == [
        "sim:reader, claim by claim",
        "sim:reader-small, claim by claim",
        "sim:reader",
        "sim:reader-small",
    ]
    with closing(Store("runs.db", create=False)) as store:
        paid = store.spending(by_name["sim:reader, claim by claim"]["run"])
    both = by_name["sim:reader, claim by claim"]
    assert both["calls_per_verdict"] == 2.0
    assert both["cost"]["per_verdict"] == pytest.approx(paid.cost / 4)
    assert by_name["sim:reader"]["calls_per_verdict"] == 1.0


def test_a_calibration_rewrites_what_the_verifier_is_told_and_splits_once(program, answers, world, tmp_path):
    write(tmp_path / "answers.csv", policy="0")
    command = ("optimize", "answers.csv", *JUDGE, "--optimizer", "openai:writer", "--iterations", 1, "--json")
    command += ("--no-analysis", "--noise-repeats", 0, "--width", 2)
    command += ("--strategy", "general improvement", "--strategy", "fix wrongly accepted")
    found = program(*command, code=None).json
    candidates = found["calibrations"][0]["candidates"]
    judged = [each for each in candidates if each["status"] == "scored"]
    assert world.count("claims") == 4
    assert world.count("verdicts") == 4 * len(judged) > 4
    assert max(each["score"] for each in judged) == pytest.approx(1.0)  # harsh on what is free, as this expert is
    meta = next(call for step, _, call in world.asked if step == "rewrite")
    assert "Inputs the judge sees: question, context, claim" in meta.user
    assert "The judge labels each claim of an answer (supported, contradicted, not_mentioned)" in meta.user
    program(*command, code=None)
    assert set(world.bodies.values()) == {1}


@pytest.mark.slow
def test_candidates_that_are_judged_in_stages_keep_one_evaluation_each(program):
    steps = ("--judge", "sim:reader", "--splitter", "sim:reader", "--optimizer", "sim:writer")
    command = ("optimize", "support_faithfulness", *steps, "--iterations", 2, "--noise-repeats", 0, "--prune", "--json")
    found = program(*command, code=None).json["calibrations"][0]["candidates"]
    with closing(Store("runs.db", create=False)) as store:
        sizes = {each.number: len(store.verdicts(each.evaluation)) for each in store.candidates(1) if each.evaluation}
    assert {each["status"] for each in found} >= {"scored", "stopped"}
    for each in found:
        if each["status"] == "scored":
            assert sizes[each["number"]] == 30
        elif each["status"] == "stopped":
            assert 0 < sizes[each["number"]] < 30


def test_a_prompt_of_one_verdict_is_no_prompt_of_a_verifier(program, answers):
    program("baseline", "answers.csv", "--judge", "sim:reader", code=None)
    refused = program("compare", "answers.csv", *JUDGE, "--prompt-from", 1, code=2)
    assert "run 1 gives one verdict: leave --splitter out" in refused.error
    program(*BASELINE)
    refused = program("compare", "answers.csv", "--judge", "openai:gpt-4.1", "--prompt-from", 2, code=2)
    assert "run 2 judges claim by claim: name a --splitter too" in refused.error


@pytest.mark.slow
def test_it_is_exported_part_by_part_and_the_parts_make_it_again(program, answers, tmp_path, world):
    program(*BASELINE)
    refused = program("export", 1, "--to", "json", code=2)
    assert "calibrate each with --task split / --task verify and export these" in refused.error
    text = program("export", 1, "--to", "text", "--json").json
    assert text["notes"] == ["It is what the verifier is told of claims; openai:gpt-4o-mini splits the answers."]
    assert text["text"].startswith("You check whether claims are supported")
    with (tmp_path / "claims.csv").open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows(
            [
                ["id", "answer", "claim", "label"],
                ["a", POLICY, "Returns are free of charge.", 1],
                ["b", POLICY, "No.", 0],
            ]
        )
    with (tmp_path / "support.csv").open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows(
            [
                ["id", "context", "claim", "label"],
                ["a", POLICY, "Returns are free of charge.", "supported"],
                ["b", "Denied: It is.", "It is.", "contradicted"],
                ["c", POLICY, "It is.", "not_mentioned"],
            ]
        )
    labels = ("--scale", "nominal", "--labels", "supported,contradicted,not_mentioned")
    program("baseline", "claims.csv", "--judge", "openai:gpt-4o-mini", "--task", "split")
    program("baseline", "support.csv", "--judge", "openai:gpt-4.1", "--task", "verify", *labels)
    program("export", 2, "--to", "json", "-o", "splitter.json")
    program("export", 3, "--to", "json", "-o", "verifier.json")
    whole = program("baseline", "answers.csv", "--judge", "verifier.json", "--splitter", "splitter.json", "--json").json
    assert whole["results"][0]["judge"] == "openai:gpt-4.1, claim by claim"
    assert {name: each.label for name, each in verdicts(4).items()} == {name: row[2] for name, row in ANSWERS.items()}
    prompts = ("--prompt", "verifier.json", "--splitter-prompt", "splitter.json")
    again = program("baseline", "answers.csv", *JUDGE, *prompts, "--json").json
    assert (again["runs"][0]["run"], again["runs"][0]["paid_calls"]) == (1, 0)  # they hold the generic prompts
    swapped = program("baseline", "answers.csv", "--judge", "splitter.json", "--splitter", "verifier.json", code=2)
    assert "calibrated with --task verify" in swapped.error


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--judge", "sim:reader", "--per-claim"), "--per-claim is for a judge of two steps"),
        (("--judge", "sim:reader", "--splitter-prompt", "p.txt"), "--splitter-prompt is for a judge of two steps"),
        ((*JUDGE, "--task", "verify"), "leave --task out"),
        ((*JUDGE, "--confidence"), "does not go together with --confidence"),
        ((*JUDGE, "--parse", "label=x"), "does not go together with --parse"),
        (("--judge", "py:a:b", *JUDGE[2:]), "does not go together with a judge that is code"),
        ((*JUDGE, "--splitter-prompt", "missing.txt"), "no such prompt file"),
        ((*JUDGE, "--scale", "ordinal", "--labels", "0,1"), "this scale is ordinal"),
        ((*JUDGE, "--inputs", "question,answer"), "has no context, which judging claim by claim needs"),
    ],
)
def test_what_does_not_go_together_is_refused_in_a_line_before_anything_is_spent(program, answers, options, why):
    assert why in program("baseline", "answers.csv", *options, code=2).error
    assert not answers.calls
    assert not Path("runs.db").exists()


def test_labels_that_are_no_shares_are_refused(program, answers, tmp_path):
    write(tmp_path / "points.csv", words=lambda label: "4" if label == "1" else "2")
    refused = program("baseline", "points.csv", *JUDGE, "--scale", "interval", "--threshold", 3, code=2)
    assert "no share from 0 to 1" in refused.error


def test_a_prompt_of_the_splitter_is_a_part_of_the_judge(program, answers, world, tmp_path):
    (tmp_path / "split.txt").write_text("Take the answer apart: {{answer}}", encoding="utf-8")
    program(*BASELINE)
    world.replies = {"": ("claims", Reply(split_reply("Nothing is so.")))}
    found = program(*BASELINE, "--splitter-prompt", "split.txt").json
    assert found["runs"][0]["run"] == 2
    asked = [call for step, _, call in world.asked if step == "claims"][-1]
    assert "Take the answer apart:" in asked.system + asked.user


def test_it_is_called_from_python_with_the_same_names(answers, tmp_path):
    found = calibrate.baseline(
        tmp_path / "answers.csv", "openai:gpt-4.1", splitter="openai:gpt-4o-mini", per_claim=True, db="api.db"
    )
    assert found.results[0].judge == "openai:gpt-4.1, claim by claim, each by itself"
    assert isinstance(answers, Loopback)
