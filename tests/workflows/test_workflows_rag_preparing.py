"""What a RAG evaluation refuses before it asks anyone, what it leaves out and says so, and when its exit code is 1."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from rag_world import (
    ANSWERABLE,
    CHUNKS,
    JUDGE,
    UNANSWERABLE,
    RagJudges,
    element,
    figure,
    role_of,
    rows_of,
    write_desks,
    write_variant,
)

FAITHFULNESS = ("--metric", "faithfulness")
Change = Callable[[str, dict[str, Any]], Mapping[str, Any]]


@pytest.fixture
def world() -> RagJudges:
    return RagJudges.of_desks()


@pytest.fixture
def asked(program, server, tmp_path):
    """Run the evaluation of the desks: other outputs by variant, and other fields of the bank's questions."""

    def run(
        *options: object,
        outputs: Mapping[str, Change | None] | None = None,
        questions: Sequence[str] = (*ANSWERABLE, *UNANSWERABLE),
        bank: Mapping[str, Mapping[str, Any]] | None = None,
        code: int = 0,
    ) -> Any:
        path = write_desks(tmp_path)
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        changed = [{**row, **(bank or {}).get(row["id"], {})} for row in rows]
        path.write_text("".join(json.dumps(row) + "\n" for row in changed))
        variants = [
            write_variant(tmp_path / f"{name}.jsonl", questions, change)
            for name, change in (outputs or {"a": None}).items()
        ]
        named = [word for each in variants for word in ("--variant", each)]
        return program("rag", "run", "bank.jsonl", "--corpus", "corpus.jsonl", "--json", *named, *options, code=code)

    return run


def judged(*metrics: str) -> tuple[str, ...]:
    return ("--judge", JUDGE, *(word for each in metrics for word in ("--metric", each)))


# The bank


@pytest.mark.parametrize("more", [(), ("--dry-run",), ("--sample", "2"), ("--metric", "correctness")])
def test_relevant_chunks_that_the_corpus_does_not_have_are_refused_before_anyone_is_asked(asked, server, more):
    """The message names ids and questions, and the command that lists all of them."""
    refused = asked(
        "--judge", JUDGE, *more, bank={"q03": {"relevant": ["c03", "c-3"]}, "q05": {"relevant": ["d5"]}}, code=2
    )
    assert refused.error == (
        "bank.jsonl: 2 questions with relevant chunks that the corpus does not have: c-3, d5 (questions q03, q05); "
        "mend them: `calibrate rag check bank.jsonl --corpus corpus.jsonl --json` lists all"
    )
    assert server.calls == []
    assert not Path("runs.db").exists()


def test_one_question_with_different_relevant_chunks_is_refused(asked, server):
    refused = asked("--judge", JUDGE, bank={"q04": {"question": "What is the fee of desk 03?"}}, code=2)
    assert "the same question with different relevant chunks: q03 = q04 (questions q03, q04)" in refused.error
    assert server.calls == []


def test_texts_in_place_of_ids_are_cut_in_messages(asked):
    refused = asked(bank={"q03": {"relevant": [CHUNKS["c03"]]}}, code=2)
    assert f"the corpus does not have: {CHUNKS['c03'][:39]}… (questions q03)" in refused.error


def test_a_bank_without_a_fault_is_not_refused(asked):
    assert asked().json["status"] == "ok"


DRAFTS: Mapping[str, Mapping[str, Any]] = {
    name: {"origin": "drafted", "reviewed": False} for name in ("q01", "q02", "n01")
}


def test_drafts_that_nobody_has_reviewed_count_and_a_note_says_so(asked):
    document = asked(bank=DRAFTS).json
    assert document["bank"]["unreviewed"] == 3
    assert document["bank"]["questions"] == 13
    assert (
        "3 of 13 questions are drafts that nobody has reviewed; they count (--reviewed-only leaves them out)"
        in document["notes"]
    )
    one = asked(bank={"q01": DRAFTS["q01"]}).json["notes"]
    assert any(each.startswith("1 of 13 questions is a draft that nobody has reviewed; it counts") for each in one)


def test_reviewed_only_leaves_them_out_their_faults_too(asked, world):
    drafts = {**DRAFTS, "q01": {**DRAFTS["q01"], "relevant": ["nowhere"]}}
    document = asked("--reviewed-only", *judged("correctness"), bank=drafts).json
    assert (document["bank"]["questions"], document["bank"]["unreviewed"]) == (10, 0)
    assert set(document["questions"]).isdisjoint(DRAFTS)
    assert "3 of 13 questions left out: not reviewed" in document["notes"]
    assert world.roles == {"correctness": 8}
    drafts = dict.fromkeys((*ANSWERABLE, *UNANSWERABLE), DRAFTS["q02"])
    assert "nobody has reviewed a question of the bank" in asked("--reviewed-only", bank=drafts, code=2).error


def test_a_library_that_is_missing_is_said_first(asked, server, monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    for more in ((), ("--dry-run",)):
        outcome = asked("--judge", JUDGE, *more, code=2)
        assert outcome.err.splitlines() == [
            "error: retrieval figures need ir-measures, which is not installed: pip install ir-measures, or pip "
            "install '.[rag]' in a clone"
        ]
    asked("--metric", "abstention")


# Contexts


def ghost(*names: str, chunk: str = "D-1") -> Change:
    """The contexts of some questions hold a chunk that is nowhere."""
    return lambda name, row: {"context": (*row["context"], chunk)} if name in names else {}


def test_questions_with_an_unknown_context_are_left_out_of_what_needs_it_and_counted(asked, world):
    metrics = ("retrieval", "citations", "abstention", "faithfulness", "citation_support", "context_relevancy")
    options = judged(*metrics, "answer_relevancy", "correctness")
    document = asked(*options, outputs={"a": ghost("q01", "q02", "n01")}).json
    of_context = (
        *("faithfulness", "contradiction_rate", "factual_claims", "citation_support", "citations_valid"),
        *("citation_precision", "context_relevancy", "context_recall", "context_precision"),
    )
    for name in of_context:
        told = figure(document, "a", name)
        assert (told["n"], told["left_out"]["unknown_context"]) == (8, 2), name
    assert figure(document, "a", "faithfulness")["left_out"] == {"unknown_context": 2, "abstained": 3}
    assert figure(document, "a", "context_recall")["left_out"] == {"unknown_context": 2, "no_relevant_chunk": 3}
    for name in ("recall@5", "correctness", "answer_relevancy", "answer_rate"):
        told = figure(document, "a", name)
        assert (told["n"], told["left_out"].get("unknown_context")) == (10, None), name
    # Nobody is paid to judge what is not counted.
    assert (world.roles["claims"], world.roles["context_relevancy"], world.roles["claim_support"]) == (8, 24, 24)
    assert document["results"][0]["unknown_context"] == 3
    assert rows_of(document, "a")["q01"]["unknown_context"] is True
    (note,) = [each for each in document["notes"] if "in the context" in each]
    assert note.startswith("a: chunks in the context that the corpus does not have, in 3 outputs: D-1; ")
    assert note.endswith("; 3 questions left out of what needs the context")


def test_the_dry_run_plans_nothing_for_unknown_contexts(asked, server):
    options = judged("faithfulness", "citation_support", "context_relevancy")
    works = asked(*options, "--dry-run", outputs={"a": ghost("q01", "q02")}).json["estimate"]["work"]
    calls = {each["purpose"]: each["calls"] for each in works}
    assert calls == {"claims": 8, "claim support": 24, "context relevancy": 24}


def test_contexts_of_texts_or_of_another_corpus_are_refused_in_one_line(asked, server):
    def texts(name: str, row: dict[str, Any]) -> Mapping[str, Any]:
        return {"context": [CHUNKS[each] for each in row["context"]]}

    refused = asked("--judge", JUDGE, outputs={"b": None, "a": texts}, code=2)
    assert ": a: every context holds chunks that the corpus does not have: The fee of desk 01 is 11 euros. Desk" in (
        refused.error
    )
    assert refused.error.endswith("a context holds the ids of the corpus's chunks: are these texts, or the ids of "
                                  "another corpus?")  # fmt: skip
    assert "opens at 1 hours" not in refused.error
    assert server.calls == []


def test_rankings_of_another_corpus_are_refused_where_retrieval_is_measured(asked):
    def renamed(name: str, row: dict[str, Any]) -> Mapping[str, Any]:
        return {"ranked": [f"doc {each}" for each in row["ranked"]]}

    assert "a: the corpus has none of the retrieved chunks: doc c01" in asked(outputs={"a": renamed}, code=2).error
    asked("--metric", "abstention", outputs={"a": renamed})


# Outputs


def test_a_variant_without_any_output_is_refused(asked):
    Path("other.jsonl").write_text(json.dumps({"id": "z9", "ranked": [], "context": [], "answer": "No."}) + "\n")
    refused = asked("--variant", "other=other.jsonl", code=2)
    assert "other: no output to any question of the bank" in refused.error


@pytest.mark.parametrize(("allowed", "code", "status"), [(0.3, 1, "too_many_missing"), (0.31, 0, "ok")])
def test_more_missing_outputs_than_allowed_are_an_exit_code_and_results_are_kept(asked, allowed, code, status):
    document = asked("--max-unscored", allowed, questions=(*ANSWERABLE[1:], "n01")[:9], code=code).json
    assert document["status"] == status
    assert document["results"][0]["missing"] == 4
    assert figure(document, "a", "recall@5")["value"] == 1.0
    said = f"a: 4 of 13 outputs are missing, more than --max-unscored {allowed} allows"
    assert (said in document["notes"]) is (code == 1)


# Claims


def test_a_splitter_that_finds_nothing_in_any_answer_is_an_exit_code_and_no_good_word(asked, server, world):
    server._replies = lambda call: (
        json.dumps({"reasoning": "", "claims": []}) if role_of(call) == "claims" else world(call)
    )
    document = asked(*judged("faithfulness", "retrieval"), code=1).json
    assert document["status"] == "no_claims"
    assert document["results"][0]["without_claims"] is True
    said = "o claim was found in any answer of a: look at the judge for claims"
    assert f"n{said}" in document["notes"]
    assert document["sentence"].endswith(f"N{said}.")
    assert figure(document, "a", "faithfulness")["value"] is None


def test_one_answer_with_a_claim_is_enough(asked, server, world):
    server._replies = lambda call: (
        json.dumps({"reasoning": "", "claims": []})
        if role_of(call) == "claims" and "desk 01" not in call.user
        else world(call)
    )
    document = asked(*judged("faithfulness")).json
    assert (document["status"], document["results"][0]["without_claims"]) == ("ok", False)
    assert figure(document, "a", "faithfulness")["left_out"] == {"no_claims": 9, "abstained": 3}


@pytest.mark.parametrize("more", [(), ("--per-claim",)])
def test_a_claim_that_the_splitter_repeats_counts_once(asked, server, world, more):
    def judge(call):
        if role_of(call) != "claims" or "desk 01" not in call.user:
            return world(call)
        said = [
            "The fee of desk 01 is 11 euros.",
            "the fee  of desk 01 is 11 euros",
            "The door is red.",
            "The door is red.",
        ]
        return json.dumps({"reasoning": "", "claims": [{"claim": each, "kind": "factual"} for each in said]})

    server._replies = judge
    trace = rows_of(asked(*judged("faithfulness"), *more).json, "a")["q01"]
    assert trace["figures"]["faithfulness"] == 0.5
    assert trace["figures"]["factual_claims"] == 2
    assert [(each["text"], each["label"]) for each in trace["claims"]] == [
        ("The fee of desk 01 is 11 euros.", "supported"),
        ("The door is red.", "not_mentioned"),
    ]
    assert trace["repeated_claims"] == 2
    shown = [element(call, "claim") for call in server.calls if role_of(call) == "claim_support"]
    assert sum(each.count("The door is red.") for each in shown) == 1


def test_a_binary_verifier_tells_no_rate_of_contradictions(asked, server, world, program):
    rows = "".join(f"{n},Desk {n} is open.,Desk {n} is {'open' if n % 2 else 'shut'}.,{n % 2}\n" for n in range(12))
    Path("verify.csv").write_text(f"id,context,claim,label\n{rows}")

    def judge(call):
        if role_of(call) != "claim_support" or "contradicted" in json.dumps(call.schema):
            return world(call)
        claims = call.user.count("<chunk index", call.user.index("<claim>")) or 1
        told = {"reasoning": "", "quote": "", "label": "0"}
        return json.dumps({"verdicts": [{"claim": number, **told} for number in range(1, claims + 1)]})

    server._replies = judge
    program("baseline", "verify.csv", "--task", "verify", "--judge", JUDGE, code=None)
    document = asked("--judge", JUDGE, "--judge", "claim_support=1", *FAITHFULNESS).json
    assert figure(document, "a", "faithfulness")["value"] == 0.0
    rate = figure(document, "a", "contradiction_rate")
    assert (rate["value"], rate["left_out"]) == (None, {"no_such_label": 10, "abstained": 3})


# Live systems, and what the plan says


def test_a_live_system_is_compared_with_the_variants_of_the_folder(program, tmp_path):
    write_desks(tmp_path / "shop")
    write_variant(tmp_path / "shop" / "variants" / "old.jsonl")
    (tmp_path / "live_desks.py").write_text(
        "def answer(question):\n"
        "    return {'ranked': ['x01', 'x02'], 'context': ['x01'], 'answer': 'Garden 01 has roses [x01].'}\n"
    )
    outcome = program("rag", "run", "shop", "--system", "new=live_desks:answer", "--json")
    sys.modules.pop("live_desks")
    assert [each["name"] for each in outcome.json["results"]] == ["old", "new"]
    assert [(each["first"], each["second"]) for each in outcome.json["between"]] == [("old", "new")]
    assert f"the outputs are kept in {tmp_path / 'new.outputs.jsonl'}" in outcome.err
    assert (tmp_path / "new.outputs.jsonl").exists()


def test_the_dry_run_counts_the_calls_to_an_embedder(asked, server):
    name = "openai:text-embedding-3-small"
    options = (*judged("answer_relevancy"), "--embedder", name)
    document = asked(*options, "--dry-run").json
    calls = {each["purpose"]: each["calls"] for each in document["estimate"]["work"]}
    assert calls == {"answer relevancy": 10, "comparing questions written back": 10}
    assert f"10 calls to {name}" in document["sentence"]
    assert document["calls_a_question"] == pytest.approx(10 / 13)
    lexical = asked(*judged("answer_relevancy"), "--dry-run").json
    assert [each["purpose"] for each in lexical["estimate"]["work"]] == ["answer relevancy"]


def test_the_help_says_what_a_line_of_outputs_holds(program):
    said = " ".join(program("rag", "run", "--help").out.replace("│", " ").split())
    assert "id, ranked (ids of chunks, best first), context (ids, not texts, of the chunks" in said
    assert "latency (seconds), input_tokens, output_tokens, cost (US dollars)" in said
    assert "compared with what is recorded" in said
