"""``calibrate rag run``: one command, what it asks of whom, what that costs, and that nothing is paid for twice."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from program import start
from rag_world import (
    ANSWERABLE,
    JUDGE,
    UNANSWERABLE,
    RagJudges,
    element,
    figure,
    role_of,
    write_desks,
    write_variant,
)

ALL = ("claims", "claim_support", "answer_relevancy", "context_relevancy", "correctness")


@pytest.fixture
def world() -> RagJudges:
    return RagJudges.of_desks()


Change = Callable[[str, dict[str, Any]], Mapping[str, Any]]


def wordier(name: str, row: dict[str, Any]) -> Mapping[str, Any]:
    """Another answer, from the same chunks."""
    return {"answer": f"Dogs like desk {name[1:]}. {row['answer']}"} if name in ANSWERABLE else {}


def other_chunks(name: str, row: dict[str, Any]) -> Mapping[str, Any]:
    """The same answer, from one chunk more."""
    return {"context": (*row["context"], "x30")}


@pytest.fixture
def run(program, server, tmp_path):
    """Run the evaluation of the desks: variant ``a``, and those that are added."""
    write_desks(tmp_path)
    write_variant(tmp_path / "a.jsonl")

    def command(*options: object, variants: tuple[str, ...] = ("a",), code: int | None = 0) -> Any:
        named = [word for each in variants for word in ("--variant", f"{each}={each}.jsonl")]
        asked = ("rag", "run", "bank.jsonl", "--corpus", "corpus.jsonl", *named, "--json")
        judged = () if any(str(each).startswith("--judge") for each in options) else ("--judge", JUDGE)
        return program(*asked, *judged, *options, code=code)

    return command


def without_bills(document: Any) -> Any:
    """Return a report's JSON without what was paid now, and when."""
    paid = ("paid_calls", "replayed_from", "cost")
    judges = [{name: value for name, value in each.items() if name not in paid} for each in document["judges"]]
    spent = {name: value for name, value in document["spent"].items() if name not in ("calls", "cost", "saved")}
    return {**document, "judges": judges, "spent": spent}


# One command


def test_one_command_reports_on_the_two_variants_that_come_with_the_package(program):
    document = program("rag", "run", "tienda_rag", "--judge", "sim:reader", "--json").json
    assert [each["name"] for each in document["results"]] == ["base", "reranked"]
    assert (document["status"], document["simulated"]) == ("ok", True)
    assert [each["role"] for each in document["judges"]] == [
        "claims",
        "answer_relevancy",
        "context_relevancy",
        "correctness",
        "claim_support",
    ]
    assert {each["code"] for each in document["results"][0]["faults"]} >= {"invents", "reranker"}
    assert document["sentence"].startswith("40 questions")
    assert "Never calibrated on such data" in document["sentence"]
    assert document["changes"][0]["questions"]
    recall = next(each for each in document["comparisons"] if each["name"] == "context_recall")
    assert (recall["first"], recall["second"], recall["n"]) == ("base", "reranked", 32)


def test_without_a_judge_it_measures_what_needs_no_model_and_asks_nobody(program, tmp_path):
    document = program("rag", "run", "tienda_rag", "--json").json
    assert document["metrics"] == ["retrieval", "citations", "abstention"]
    assert (document["judges"], document["spent"], document["simulated"]) == ([], None, False)
    assert "Never calibrated" not in document["sentence"]


# Which metrics, which judges


@pytest.mark.parametrize(
    ("options", "metrics", "roles"),
    [
        (("--metric", "retrieval"), ["retrieval"], {}),
        (
            ("--judge", f"claim_support={JUDGE}"),
            ["retrieval", "citations", "abstention", "citation_support"],
            {"claim_support": 20},
        ),
        (("--judge", f"correctness={JUDGE}", "--metric", "correctness"), ["correctness"], {"correctness": 10}),
        (
            ("--judge", f"claims={JUDGE}", "--judge", f"claim_support={JUDGE}", "--metric", "faithfulness"),
            ["faithfulness"],
            {"claims": 10, "claim_support": 10},
        ),
        (("--judge", f"abstention={JUDGE}", "--metric", "abstention"), ["abstention"], {"abstention": 13}),
    ],
)
def test_only_the_judges_are_asked_that_the_metrics_need(run, world, options, metrics, roles):
    document = run(*options).json
    assert document["metrics"] == metrics
    assert world.roles == roles
    assert {each["role"] for each in document["judges"]} == set(roles)


def test_one_judge_plays_all_roles_unless_one_has_its_own(run, server):
    run("--judge", JUDGE, "--judge", "correctness=openai:gpt-4.1-mini-2025-04-14", "--sample", 4)
    models = {role_of(call): call.body["model"] for call in server.calls}
    assert models == {
        **dict.fromkeys(ALL, "gpt-4.1-2025-04-14"),
        "correctness": "gpt-4.1-mini-2025-04-14",
    }


def test_without_a_corpus_only_what_needs_its_texts_is_left_out(program, server, tmp_path):
    write_desks(tmp_path)
    write_variant(tmp_path / "a.jsonl")
    asked = ("rag", "run", "bank.jsonl", "--variant", "a.jsonl", "--json")
    document = program(*asked).json
    assert document["metrics"] == ["retrieval", "abstention"]
    assert "no corpus: citations are not checked" in document["notes"]
    document = program(*asked, "--judge", f"correctness={JUDGE}").json
    assert document["metrics"] == ["retrieval", "abstention", "correctness"]
    for options in (("--judge", JUDGE), ("--judge", JUDGE, "--metric", "faithfulness")):
        refused = program(*asked, *options, code=2).error
        assert refused == "faithfulness needs the chunks' texts; name the corpus with --corpus FILE"
    refused = program(*asked, "--metric", "citations", code=2).error
    assert refused == "citations needs the chunks' texts; name the corpus with --corpus FILE"


# The estimate


def planned(run: Any, *options: object, **more: Any) -> dict[str, int]:
    estimate = run("--dry-run", *options, **more).json["estimate"]
    return {each["purpose"].replace(" ", "_"): each["calls"] for each in estimate["work"] if each["calls"]}


def test_the_dry_run_tells_the_calls_that_are_made_and_the_same_command_again_makes_none(run, world, server):
    before = planned(run)
    assert server.calls == []
    first = run().json
    assert first["spent"]["calls"] == len(server.calls)
    known = [role for role in ALL if role != "claim_support"]
    assert {role: before[role] for role in known} == {role: world.roles[role] for role in known}
    # How many claims there are was not known; that they are verified an answer at a time was.
    assert before["claim_support"] == world.roles["claim_support"]
    assert planned(run) == {}
    again = run().json
    assert first["spent"]["calls"] == len(server.calls)
    assert without_bills(again) == without_bills(first)
    assert again["run"] == first["run"]
    assert all(each["paid_calls"] == 0 for each in again["judges"])


def test_once_answers_are_split_the_dry_run_tells_the_calls_for_each_claim(run, world, server):
    """The splitter takes the two facts of a sentence apart, which a plan by sentences cannot know."""

    def judge(call):
        if role_of(call) != "claims":
            return world(call)
        facts = element(call, "answer").replace(" and ", ". ").split(". ")
        world.roles["claims"] += 1
        return json.dumps({"reasoning": "", "claims": [{"claim": each, "kind": "factual"} for each in facts]})

    server._replies = judge
    facts = "Dogs like desk {n} and the fee of desk {n} is {fee} euros and desk {n} opens at {hour} hours."

    def change(name: str, row: dict[str, Any]) -> Mapping[str, Any]:
        n = name[1:]
        return {"answer": facts.format(n=n, fee=10 + int(n), hour=int(n))} if name in ANSWERABLE else {}

    write_variant(Path.cwd() / "joined.jsonl", change=change)
    options = ("--metric", "faithfulness", "--per-claim")
    assert planned(run, *options, variants=("joined",)) == {"claims": 10, "claim_support": 10}
    run("--metric", "faithfulness", variants=("joined",))
    assert world.roles["claims"] == 10
    before = world.roles["claim_support"]
    assert planned(run, *options, variants=("joined",)) == {"claim_support": 30}
    run(*options, variants=("joined",))
    assert world.roles["claim_support"] - before == 30
    assert planned(run, *options, variants=("joined",)) == {}


def test_the_dry_run_knows_what_a_judge_of_abstention_has_said(run, server, world):
    def judge(call):
        if role_of(call) == "abstention" and "desk 03" in call.user:
            return json.dumps({"reasoning": "it hedges", "label": "1"})
        return world(call)

    server._replies = judge
    options = ("--judge", JUDGE, "--judge", f"abstention={JUDGE}", "--metric", "abstention", "--metric", "faithfulness")
    run(*options)
    assert world.roles["claims"] == 9
    assert planned(run, *options) == {}


def test_a_dry_run_writes_nothing(run, tmp_path):
    run("--dry-run")
    assert not (tmp_path / "runs.db").exists()


# Nothing is paid for twice


def test_fresh_asks_all_of_it_anew(run, server):
    run("--sample", 4)
    calls = len(server.calls)
    document = run("--sample", 4, "--fresh").json
    assert len(server.calls) == 2 * calls
    assert sum(each["paid_calls"] for each in document["judges"]) == calls


def test_variants_that_share_question_and_chunk_pay_for_its_relevancy_once(run, world):
    write_variant(Path.cwd() / "b.jsonl", change=wordier)
    document = run("--metric", "context_relevancy", variants=("a", "b")).json
    assert world.roles["context_relevancy"] == 10 * 3
    assert set(world.answered.values()) == {1}
    assert figure(document, "a", "context_relevancy")["value"] == pytest.approx(1 / 3)
    assert figure(document, "b", "context_relevancy")["value"] == pytest.approx(1 / 3)


def test_a_variant_more_pays_for_its_own_calls_only(run, world, server):
    write_variant(Path.cwd() / "b.jsonl", change=wordier)
    write_variant(Path.cwd() / "c.jsonl", change=other_chunks)
    options = ("--metric", "faithfulness", "--metric", "context_relevancy", "--metric", "correctness")
    run(*options, variants=("a", "b"))
    world.roles.clear()
    document = run(*options, variants=("a", "b", "c")).json
    # Answers are those of a; each question's context has one chunk more, and its claims another context.
    assert world.roles == {"context_relevancy": 10, "claim_support": 10}
    assert set(world.answered.values()) == {1}
    assert [each["name"] for each in document["results"]] == ["a", "b", "c"]
    assert {(each["first"], each["second"]) for each in document["between"]} == {("a", "b"), ("a", "c"), ("b", "c")}
    assert planned(run, *options, variants=("a", "b", "c")) == {}


def test_too_small_a_budget_keeps_what_was_answered_and_more_of_it_goes_on(run, server, world):
    options = ("--concurrency", 2, "--metric", "faithfulness")
    ended = run(*options, "--budget", 0.03, code=3)
    assert ended.json["status"] == "budget_exceeded"
    assert "the budget of $0.03 ends here" in ended.error
    assert "the same command with a larger --budget goes on" in ended.err
    calls = len(server.calls)
    assert 0 < server.charged <= 0.03
    document = run(*options, "--budget", 5).json
    assert set(world.answered.values()) == {1}
    assert sum(each["paid_calls"] for each in document["judges"]) == len(server.calls) - calls
    assert document["spent"]["calls"] == len(server.calls)
    assert document["spent"]["cost"] == pytest.approx(server.charged, abs=1e-9)
    assert without_bills(run(*options, "--db", "other.db").json) == without_bills(document)


def test_a_budget_needs_a_price(run):
    refused = run("--judge", "openai:of-my-own", "--budget", 1, code=2).error
    assert refused.startswith("openai:of-my-own: --budget needs a price")


# Samples


def test_a_sample_has_both_kinds_and_a_larger_one_pays_for_the_new_questions_only(run, world):
    small = run("--sample", 5).json
    assert (small["bank"]["questions"], small["bank"]["sample"]) == (5, 5)
    assert small["bank"]["answerable"] == 3
    assert small["bank"]["unanswerable"] == 2
    assert "5 of 13 questions, drawn by strata" in small["notes"]
    world.roles.clear()
    larger = run("--sample", 12).json
    assert set(small["questions"]) < set(larger["questions"])
    new = larger["bank"]["answerable"] - small["bank"]["answerable"]
    assert world.roles == {
        "claims": new,
        "claim_support": 3 * new,  # all claims of an answer in one call, and each cited claim
        "answer_relevancy": new,
        "context_relevancy": 3 * new,
        "correctness": new,
    }
    assert set(world.answered.values()) == {1}


def test_a_sample_of_the_shipped_bank_has_both_kinds(program):
    document = program("rag", "run", "tienda_rag", "--sample", 12, "--by", "tema", "--json").json
    assert document["bank"]["questions"] == len(document["questions"]) == 12
    assert document["bank"]["unanswerable"] >= 2


def test_a_sample_as_large_as_the_bank_is_the_bank(run):
    document = run("--metric", "retrieval", "--sample", 500).json
    assert document["bank"]["questions"] == len(ANSWERABLE) + len(UNANSWERABLE)
    assert not any("drawn by strata" in note for note in document["notes"])


# What is refused, in one line


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--metric", "faithfullness"), "--metric faithfullness: give one of retrieval, citations, "),
        (("--judge", f"claims={JUDGE}", "--metric", "faithfulness"), "faithfulness needs a judge for claim_support; "),
        (
            ("--judge", f"claim_support={JUDGE}", "--metric", "correctness"),
            "correctness needs a judge for correctness;",
        ),
        (("--sample", "5", "--by", "colour"), "no question of the bank has the column 'colour'"),
        (("--variant", "a=nothing.jsonl"), "nothing.jsonl: no such file"),
    ],
)
def test_what_cannot_be_is_one_line(run, server, options, said):
    assert said in run(*options, code=2).error
    assert server.calls == []


def test_a_bank_alone_is_nothing_to_evaluate(program, tmp_path):
    write_desks(tmp_path)
    refused = program("rag", "run", "bank.jsonl", code=2).error
    assert refused == "nothing to evaluate; name recorded outputs with --variant NAME=FILE, or a --system"


# The other commands


def test_commands_on_a_judged_prompt_say_that_such_a_run_has_none(run, program):
    number = run("--metric", "retrieval").json["run"]
    for command in ("export", "card", "explain", "bias"):
        assert f"run {number} " in program(command, number, code=2).error


@pytest.mark.slow
def test_a_report_is_the_same_to_the_letter_whatever_order_python_gives_its_sets(program, tmp_path):
    program("noise", "claim_support_es", "--task", "verify", "--judge", "sim:reader", "--runs", 2)
    said = set()
    for seed in ("0", "1", "2", "3"):
        shutil.copy("runs.db", f"{seed}.db")
        command = ("rag", "run", "tienda_rag", "--judge", "sim:reader", "--sample", 8, "--json", "--db", f"{seed}.db")
        out, err = start(command, tmp_path, {"PYTHONHASHSEED": seed}).communicate(timeout=120)
        said.add(re.sub(r'"replayed_from": "[^"]*"', "", out))
        assert '"noise_floors": {' in out, err
    assert len(said) == 1
