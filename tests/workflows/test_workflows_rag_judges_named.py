"""Judges that are named for a role of a RAG evaluation and were measured on something else, or are of no use there.

What is known of them is told, with what makes it prove less: another dimension, another language, claims that were
asked about one by one, another model behind the name.
"""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback
from program import run_in
from rag_world import CHUNKS, JUDGE, RagJudges, write_desks, write_variant

from calibrate.workflows.rag_options import judge_notes, metrics_for

SPANISH = ("respaldada", "contradicha", "no mencionada")
CALLS = "measured one claim a call, here all claims of an answer in one call"
EMBEDDER = "openai:text-embedding-3-small"
RAG = ("rag", "run", "bank.jsonl", "--corpus", "corpus.jsonl", "--variant", "a=a.jsonl", "--json")


@pytest.fixture(scope="module")
def server() -> Iterator[Loopback]:
    with Loopback(RagJudges.of_desks()) as running:
        yield running


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, server: Loopback) -> Path:
    """Politeness (run 1) and its noise (2), claims in Spanish (3), correctness (4), claims in English (5),
    answer relevancy with an embedder (6).
    """
    place = tmp_path_factory.mktemp("named")
    write_desks(place)
    write_variant(place / "a.jsonl")
    (place / "mine.txt").write_text("Be a judge of my own.")
    for dimension in ("politeness", "correctness"):
        write_answers(place / f"{dimension}.csv", dimension)
    for name, labels in (("spanish", SPANISH), ("english", ("supported", "contradicted", "not mentioned"))):
        write_claims(place / f"{name}.csv", labels)
    own = ("--judge", JUDGE, "--prompt", "mine.txt")
    run_in(place, server, "baseline", "politeness.csv", *own)
    run_in(place, server, "noise", "politeness.csv", *own, "--runs", 2)
    run_in(place, server, "baseline", "spanish.csv", *claims_in(SPANISH), "--language", "es", "--judge", JUDGE)
    run_in(place, server, "baseline", "correctness.csv", "--judge", JUDGE)
    english = claims_in(("supported", "contradicted", "not mentioned"))
    run_in(place, server, "baseline", "english.csv", *english, "--judge", JUDGE)
    write_questions(place / "questions.csv")
    scale = ("--task", "questions", "--scale", "interval", "--threshold", 0.5, "--low", 0, "--high", 1)
    run_in(place, server, "baseline", "questions.csv", *scale, "--judge", JUDGE, "--embedder", EMBEDDER)
    return place


def claims_in(labels: tuple[str, ...]) -> tuple[str, ...]:
    return ("--task", "verify", "--scale", "nominal", "--labels", ",".join(labels))


def write_answers(path: Path, dimension: str) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        rows = csv.writer(stream)
        rows.writerow(["id", "dimension", "question", "reference", "answer", "label"])
        for n in range(1, 11):
            question, right = f"What is the fee of desk {n:02}?", f"The fee of desk {n:02} is {10 + n} euros."
            rows.writerow([f"r{n}", dimension, question, right, right, 1])
            # The experts let one more pass than the judge does.
            rows.writerow([f"w{n}", dimension, question, right, "It is free.", 1 if n == 1 else 0])


def write_claims(path: Path, labels: tuple[str, ...]) -> None:
    supported, contradicted, not_mentioned = labels
    with path.open("w", newline="", encoding="utf-8") as stream:
        rows = csv.writer(stream)
        rows.writerow(["id", "context", "claim", "label"])
        for n in range(1, 6):
            context = CHUNKS[f"c{n:02}"]
            rows.writerow([f"s{n}", context, f"The fee of desk {n:02} is {10 + n} euros.", supported])
            rows.writerow([f"k{n}", context, f"The fee of desk {n:02} is {50 + n} euros.", contradicted])
            rows.writerow([f"m{n}", context, f"Garden {n:02} has roses.", not_mentioned])


def write_questions(path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        rows = csv.writer(stream)
        rows.writerow(["id", "question", "answer", "label"])
        for n in range(1, 11):
            rows.writerow([f"a{n}", f"What is the fee of desk {n:02}?", f"It is {n}.", n / 10])


def evaluated(folder: Path, server: Loopback, *options: object, code: int = 0) -> Any:
    return run_in(folder, server, *RAG, *options, code=code)


def judge_of(outcome: Any, role: str) -> Any:
    (found,) = [each for each in outcome.json["judges"] if each["role"] == role]
    return found


# Measured on something else


def test_another_dimension_lends_its_figures_and_proves_nothing(folder, server):
    outcome = evaluated(folder, server, "--judge", "correctness=1", "--metric", "correctness")
    told = judge_of(outcome, "correctness")
    assert (told["source"], told["n"], told["measured"]) == ("run 1:0", 20, False)
    assert told["alignment"] is not None
    assert told["remarks"] == ["measured on politeness: unproven for correctness"]
    assert "(run 1:0), on fewer than 30 items; measured on politeness: unproven for correctness; " in told["sentence"]
    # What it lets pass of impolite answers says nothing of wrong ones.
    assert told["errors"] is None
    assert told["sentence"].endswith("0.0% of its verdicts flip there")
    assert told["noise_floors"] == {}
    assert "unproven: correctness" in outcome.json["sentence"]


def test_the_bundle_of_another_dimension_proves_as_little(folder, server, tmp_path):
    run_in(folder, server, "export", "1", "--to", "json", "-o", tmp_path / "polite.json")
    for name in ("bank.jsonl", "corpus.jsonl", "a.jsonl"):
        shutil.copy(folder / name, tmp_path / name)
    options = ("--judge", "correctness=polite.json", "--metric", "correctness")
    told = judge_of(evaluated(tmp_path, server, *options), "correctness")
    assert (told["source"], told["measured"], told["errors"]) == ("polite.json, run 1:0", False, None)
    assert told["remarks"] == ["measured on politeness: unproven for correctness"]


def test_on_its_own_dimension_it_is_proven_and_says_how_often_it_errs_either_way(folder, server):
    outcome = evaluated(folder, server, "--judge", "correctness=4", "--metric", "correctness")
    told = judge_of(outcome, "correctness")
    assert (told["measured"], told["remarks"]) == (True, [])
    assert told["errors"] == {"negatives": 9, "false_positives": 0, "positives": 11, "false_negatives": 1}
    assert "; it calls 0 of 9 wrong answers right and 1 of 11 right answers wrong; noise" in told["sentence"]
    # The same model and prompt are the same judge, whether its run is named or not.
    found = judge_of(evaluated(folder, server, "--judge", JUDGE, "--metric", "correctness"), "correctness")
    assert found["sentence"] == told["sentence"]


def test_a_judge_in_another_language_than_the_bank_s_is_unproven(folder, server):
    options = ("--judge", "claim_support=3", "--metric", "citation_support")
    told = judge_of(evaluated(folder, server, *options), "claim_support")
    assert (told["source"], told["measured"]) == ("run 3:0", False)
    assert told["remarks"] == ["measured in es, and this bank is in en: unproven here"]
    spanish = judge_of(evaluated(folder, server, *options, "--language", "es-MX"), "claim_support")
    assert (spanish["source"], spanish["measured"], spanish["remarks"]) == ("run 3:0", True, [])


def test_a_model_of_no_run_is_looked_up_in_the_language_of_the_bank(folder, server):
    options = ("--judge", JUDGE, "--metric", "citation_support")
    assert judge_of(evaluated(folder, server, *options), "claim_support")["source"] == "run 5:0"
    spanish = evaluated(folder, server, *options, "--language", "es")
    assert judge_of(spanish, "claim_support")["source"] == "run 3:0"


def test_claims_that_were_measured_one_by_one_and_are_verified_together_are_told_apart(folder, server):
    judges = ("--judge", f"claims={JUDGE}", "--judge", "claim_support=5", "--metric", "faithfulness")
    told = judge_of(evaluated(folder, server, *judges), "claim_support")
    assert (told["remarks"], told["measured"]) == ([CALLS], True)
    assert f"; {CALLS}; noise not measured" in told["sentence"]
    assert judge_of(evaluated(folder, server, *judges, "--per-claim"), "claim_support")["remarks"] == []
    # What an answer cites is verified one by one anyway.
    cited = evaluated(folder, server, "--judge", "claim_support=5", "--metric", "citation_support")
    assert judge_of(cited, "claim_support")["remarks"] == []


def test_a_run_of_another_model_behind_the_name_is_not_this_judge(folder, tmp_path):
    for name in ("bank.jsonl", "corpus.jsonl", "a.jsonl", "runs.db"):
        shutil.copy(folder / name, tmp_path / name)
    with Loopback(RagJudges.of_desks()) as elsewhere:
        outcome = evaluated(tmp_path, elsewhere, "--judge", "correctness=4", "--metric", "correctness")
    told = judge_of(outcome, "correctness")
    assert (told["measured"], told["alignment"], told["source"]) == (False, None, "")
    assert told["remarks"] == ["run 4 was another model behind this name"]
    assert told["sentence"].endswith("is unknown; run 4 was another model behind this name")


# Of no use


def test_a_judge_of_claims_alone_is_refused(folder, server):
    for judge in (f"claims={JUDGE}", "claims=5"):
        refused = evaluated(folder, server, "--judge", judge, code=2).error
        assert refused == "no metric uses the judge of claims alone: name claim_support too"
    assert "faithfulness" in metrics_for((), {"claims": "a", "claim_support": "b"})
    assert "faithfulness" in metrics_for((), {"claims": "a", None: "b"})


def test_a_verifier_alone_says_what_faithfulness_lacks(folder, server):
    said = "no faithfulness: it needs a judge of claims too; claim_support alone gives citation support"
    assert said in evaluated(folder, server, "--judge", "claim_support=5").json["notes"]
    assert said not in judge_notes((), ("citation_support",), {"claim_support": "a", None: "b"})
    assert judge_notes(("citation_support",), ("citation_support",), {"claim_support": "a"}) == ()


def test_a_judge_that_no_chosen_metric_needs_is_told_and_has_to_fit_its_role(folder, server):
    outcome = evaluated(folder, server, "--judge", "correctness=4", "--metric", "retrieval")
    assert outcome.json["judges"] == []
    assert "the judge of correctness is not asked: none of the metrics needs it" in outcome.json["notes"]
    refused = evaluated(folder, server, "--judge", "correctness=5", "--metric", "retrieval", code=2).error
    assert "run 5 has the task verify, and correctness needs verdict" in refused
    assert "no run 99" in evaluated(folder, server, "--judge", "correctness=99", "--metric", "retrieval", code=2).error


# The embedder of a judge that was measured with one


def test_it_keeps_its_embedder_as_a_run_and_as_a_bundle(folder, server):
    run_in(folder, server, "export", "6", "--to", "json", "-o", folder / "questions.json")
    for named in ("6", "questions.json"):
        options = ("--judge", f"answer_relevancy={named}", "--metric", "answer_relevancy")
        told = judge_of(evaluated(folder, server, *options), "answer_relevancy")
        assert told["judge"] == f"{JUDGE}, embedder {EMBEDDER}"
        assert told["record"]["identity"]["embedder"]["name"] == EMBEDDER
        assert (told["measured"], told["n"]) == (True, 10)
        same = evaluated(folder, server, *options, "--embedder", EMBEDDER)
        assert judge_of(same, "answer_relevancy")["source"] == told["source"]
        refused = evaluated(folder, server, *options, "--embedder", "lexical", code=2).error
        assert f"was measured with the embedder {EMBEDDER}, and lexical would" in refused


def test_a_model_with_another_embedder_inherits_nothing(folder, server):
    options = ("--judge", f"answer_relevancy={JUDGE}", "--metric", "answer_relevancy")
    lexical = judge_of(evaluated(folder, server, *options), "answer_relevancy")
    assert (lexical["measured"], lexical["judge"]) == (False, f"{JUDGE}, embedder lexical")
    named = evaluated(folder, server, *options, "--embedder", EMBEDDER)
    assert judge_of(named, "answer_relevancy")["source"] == "run 6:0"
