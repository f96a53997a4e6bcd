"""A RAG evaluation from files to figures: retrieval as ir_measures has it, faults that were planted, claims by hand."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ir_measures
import pytest
from ir_measures import RR, P, R, Success, nDCG
from loopback import Loopback, Reply
from program import run_in
from rag_world import (
    ANSWERABLE,
    JUDGE,
    UNANSWERABLE,
    RagJudges,
    desk_answer,
    element,
    figure,
    role_of,
    rows_of,
    write_desks,
    write_variant,
)

from calibrate.rag.loading import load_bank, load_variants
from calibrate.rag.sentences import sentences

SHOP = load_bank("tienda_rag")
assert SHOP.corpus is not None
TEXTS = {each.id: each.text for each in SHOP.corpus.chunks}
QUESTIONS = {each.id: each for each in SHOP.bank.questions}
SHIPPED = {each.name: each for each in load_variants([str(path) for path in SHOP.variants], SHOP.bank)[0]}


@pytest.fixture
def world() -> RagJudges:
    return RagJudges.of_desks()


# Retrieval


def test_retrieval_figures_are_those_of_ir_measures_run_directly(program):
    document = program("rag", "run", "tienda_rag", "--metric", "retrieval", "--cut", 50, "--cut", 5, "--json").json
    measures = {
        "recall@50": R @ 50,
        "recall@5": R @ 5,
        "precision@50": P @ 50,
        "precision@5": P @ 5,
        "hit_rate@50": Success @ 50,
        "hit_rate@5": Success @ 5,
        "ndcg@50": nDCG @ 50,
        "ndcg@5": nDCG @ 5,
        "mrr": RR,
    }
    names = {measure: name for name, measure in measures.items()}
    relevant = {name: dict.fromkeys(each.relevant, 1) for name, each in QUESTIONS.items() if each.relevant}
    for name, variant in SHIPPED.items():
        run = {
            question: {chunk: -float(rank) for rank, chunk in enumerate(variant.outputs[question].ranked)}
            for question in relevant
        }
        found: dict[str, dict[str, float]] = {each: {} for each in measures}
        for metric in ir_measures.iter_calc(list(measures.values()), relevant, run):
            found[names[metric.measure]][metric.query_id] = metric.value
        for each, by_question in found.items():
            told = figure(document, name, each)
            assert told["value"] == pytest.approx(statistics.fmean(by_question.values()), abs=1e-12), each
            assert (told["n"], told["left_out"], told["judge"]) == (32, {"no_relevant_chunk": 8}, None)
            traces = rows_of(document, name)
            assert {q: traces[q]["figures"][each] for q in relevant} == pytest.approx(by_question)


# Faults that were planted in the shop of tienda_rag


def sound(name: str) -> dict[str, Any]:
    """What a system without a fault does: the relevant chunks come first, and it says what stands in them."""
    question = QUESTIONS[name]
    ranked = SHIPPED["base"].outputs[name].ranked
    best = (*question.relevant, *(each for each in ranked if each not in question.relevant))
    said = [f"{sentences(TEXTS[each])[0].text.rstrip('.')} [{each}]." for each in question.relevant]
    return {"ranked": best, "context": best[:5], "answer": " ".join(said) or "No consta en las condiciones."}


def faithful_to(context: tuple[str, ...]) -> str:
    return f"{sentences(TEXTS[context[0]])[0].text.rstrip('.')} [{context[0]}]."


def not_found(name: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The relevant chunks are nowhere; the answer is faithful to what is there."""
    others = tuple(each for each in row["ranked"] if each not in QUESTIONS[name].relevant)
    return _answered(name, row, others)


def ranked_low(name: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The relevant chunks stand behind the first twenty."""
    relevant = QUESTIONS[name].relevant
    others = tuple(each for each in row["ranked"] if each not in relevant)
    return _answered(name, row, (*others[:20], *relevant, *others[20:]))


def _answered(name: str, row: Mapping[str, Any], ranked: tuple[str, ...]) -> Mapping[str, Any]:
    answer = faithful_to(ranked) if QUESTIONS[name].answerable else row["answer"]
    return {"ranked": ranked, "context": ranked[:5], "answer": answer}


def contradicting(name: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The context holds the relevant chunks; the answer has other numbers, or a negation more or less."""

    def turned(sentence: str) -> str:
        words, bracket, citation = sentence.partition(" [")
        if re.search(r"\d", words):
            words = re.sub(r"\d+", lambda number: str(int(number[0]) + 7), words)
        elif re.search(r"\bno\b ", words):
            words = re.sub(r"\bno\b ", "", words, count=1)
        else:
            words = re.sub(r" ", " no ", words, count=1)
        return words + bracket + citation

    return {"answer": " ".join(turned(each.text) for each in sentences(row["answer"]))} if row["ranked"] else {}


def only_answers(name: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
    return contradicting(name, row) if QUESTIONS[name].answerable else {}


def inventing(name: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """It says something of its own where nothing answers."""
    return {} if QUESTIONS[name].answerable else {"answer": faithful_to(row["context"])}


PLANTED = {"not_found": not_found, "ranked_low": ranked_low, "contradicting": only_answers, "inventing": inventing}


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("planted")
    variants = [write_variant(folder / "sound.jsonl", QUESTIONS, made=sound)]
    variants += [write_variant(folder / f"{name}.jsonl", QUESTIONS, change, sound) for name, change in PLANTED.items()]
    assert SHOP.corpus is not None
    with Loopback(RagJudges.of(SHOP.bank, SHOP.corpus)) as server:
        return run_in(
            folder,
            server,
            *("rag", "run", "tienda_rag", "--judge", JUDGE, "--json"),
            *(word for each in variants for word in ("--variant", each)),
            *("--metric", "retrieval", "--metric", "abstention", "--metric", "faithfulness", "--metric", "correctness"),
        ).json


def codes(document: Any, variant: str) -> dict[str, bool]:
    (mine,) = [each for each in document["results"] if each["name"] == variant]
    return {each["code"]: each["certain"] for each in mine["faults"]}


def test_a_sound_system_has_no_fault(planted):
    assert codes(planted, "sound") == {}
    assert figure(planted, "sound", "faithfulness")["value"] == 1.0
    assert figure(planted, "sound", "correctness")["value"] == 1.0
    assert "sound: no fault found." in planted["sentence"]


def test_what_is_not_found_is_named_as_a_fault_of_retrieval_and_of_nothing_else(planted):
    assert codes(planted, "not_found") == {"retrieval": True}
    # The answers are faithful to the wrong chunks: that they are not right is no fault of generation.
    assert figure(planted, "not_found", "faithfulness")["value"] == 1.0
    assert figure(planted, "not_found", "correctness")["value"] == 0.0


def test_what_is_found_and_does_not_reach_the_context_is_named_as_a_fault_of_the_reranker(planted):
    assert codes(planted, "ranked_low") == {"reranker": True}
    assert figure(planted, "ranked_low", "recall@50")["value"] == 1.0
    assert figure(planted, "ranked_low", "context_recall")["value"] == 0.0


def test_answers_that_contradict_their_context_are_named_as_a_fault_of_generation_and_of_nothing_else(planted):
    assert codes(planted, "contradicting") == {"generation": True}
    assert figure(planted, "contradicting", "contradiction_rate")["value"] == 1.0
    assert figure(planted, "contradicting", "context_recall")["value"] == 1.0
    (fault,) = next(each for each in planted["results"] if each["name"] == "contradicting")["faults"]
    assert "faithfulness 0.00" in fault["sentence"]
    assert "answers otherwise: generation" in fault["sentence"]


def test_answers_where_nothing_answers_are_named_as_inventions_and_first(planted):
    assert codes(planted, "inventing") == {"invents": False}  # by declared phrases, it is never certain
    assert figure(planted, "inventing", "abstention_recall")["value"] == 0.0
    assert figure(planted, "inventing", "faithfulness")["value"] == 1.0
    assert "abstained" not in figure(planted, "inventing", "faithfulness")["left_out"]


def test_between_two_variants_the_change_is_named_too(planted):
    between = {(each["first"], each["second"]): each for each in planted["between"]}
    worse = {name: [each["code"] for each in between["sound", name]["faults"]] for name in PLANTED}
    assert worse == {
        "not_found": ["retrieval_worse"],
        "ranked_low": ["reranker_worse"],
        "contradicting": ["generation_worse"],
        "inventing": ["invents_more"],
    }


# Claims, worked by hand (STATISTICS 9)

RUN = ("rag", "run", "bank.jsonl", "--corpus", "corpus.jsonl", "--judge", JUDGE, "--json")
FAITHFULNESS = ("--metric", "faithfulness")
SIX = (
    "The fee of desk 01 is 11 euros. Desk 01 opens at 1 hours. Dogs like desk 01. "
    "Garden 01 has roses. Garden 02 has roses. The desk has a red door."
)


@pytest.fixture
def asked(program, server, tmp_path):
    """Run the evaluation of the desks with other answers to some questions."""
    write_desks(tmp_path)

    def run(answers: Mapping[str, str], *options: object, code: int = 0, questions=(*ANSWERABLE, *UNANSWERABLE)) -> Any:
        variant = write_variant(
            tmp_path / "a.jsonl", questions, lambda name, row: {"answer": answers.get(name, row["answer"])}
        )
        return program(*RUN, *(options or FAITHFULNESS), "--variant", variant, code=code).json

    return run


def faithfulness(document: Any, question: str) -> float | None:
    value: float | None = rows_of(document, "a")[question]["figures"].get("faithfulness")
    return value


def labels(document: Any, question: str) -> list[str | None]:
    return [each["label"] for each in rows_of(document, "a")[question]["claims"]]


def test_five_of_six_claims_are_supported(asked):
    document = asked({"q01": SIX})
    assert faithfulness(document, "q01") == pytest.approx(5 / 6)
    assert f"{faithfulness(document, 'q01'):.2f}" == "0.83"
    assert labels(document, "q01") == ["supported"] * 5 + ["not_mentioned"]
    # Every claim is in the record, with the quote that it rests on.
    first = rows_of(document, "a")["q01"]["claims"][0]
    assert first == {
        "text": "The fee of desk 01 is 11 euros.",
        "kind": "factual",
        "label": "supported",
        "quote": "The fee of desk 01 is 11 euros",
        "quote_found": True,
        "reasoning": "word for word",
    }
    assert figure(document, "a", "faithfulness")["value"] == pytest.approx((9 + 5 / 6) / 10)


def test_one_call_a_claim_gives_the_same_figures(asked, world):
    together = asked({"q01": SIX})
    assert world.roles == {"claims": 10, "claim_support": 10}
    apart = asked({"q01": SIX}, *FAITHFULNESS, "--per-claim")
    assert world.roles == {"claims": 10, "claim_support": 10 + 6 + 9 * 2}
    assert apart["claims_verified"] == "one call each"
    assert [each["figures"] for each in apart["results"]] == [each["figures"] for each in together["results"]]
    assert apart["traces"] == together["traces"]


@pytest.mark.parametrize("options", [(), ("--per-claim",)])
def test_a_claim_whose_quote_does_not_stand_in_the_context_is_not_supported(asked, options):
    document = asked(
        {"q02": "The fee of desk 02 is 12 euros. By hearsay, it is cheap by hearsay."}, *FAITHFULNESS, *options
    )
    known, heard = rows_of(document, "a")["q02"]["claims"]
    assert (known["label"], known["quote_found"]) == ("supported", True)
    assert (heard["label"], heard["quote"], heard["quote_found"]) == ("not_mentioned", "as everybody knows", False)
    assert faithfulness(document, "q02") == 0.5


def test_a_returns_policy_of_three_claims(program, server, world, tmp_path):
    """A general rule with an exception and a cost: three statements, each verified on its own."""
    policy = "Returns are free for 30 days. Sale items cannot be returned. The refund takes 5 days."
    rows = {"question": "How do returns work?", "relevant": ["d1"], "reference": policy}
    (tmp_path / "bank.jsonl").write_text(json.dumps({"id": "r1", **rows}) + "\n")
    (tmp_path / "corpus.jsonl").write_text(json.dumps({"id": "d1", "text": policy}) + "\n")
    answer = "Returns are free for 30 days [d1]. Sale items can be returned [d1]. The refund takes 5 days [d1]."
    output = {"id": "r1", "ranked": ["d1"], "context": ["d1"], "answer": answer}
    (tmp_path / "a.jsonl").write_text(json.dumps(output) + "\n")

    def judge(call):
        if role_of(call) == "claims":
            return world.say(call)
        texts = re.findall(r'<chunk index="\d+">\n(.*?)\n</chunk>', element(call, "claim"))
        quotes = policy.split(". ")
        told = ("supported", "contradicted", "supported")
        found = [
            {"claim": number, "reasoning": "", "quote": quotes[number - 1], "label": told[number - 1]}
            for number in range(1, len(texts) + 1)
        ]
        return json.dumps({"verdicts": found})

    server._replies = judge
    document = program(*RUN, *FAITHFULNESS, "--variant", "a.jsonl").json
    claims = rows_of(document, "a")["r1"]["claims"]
    assert [each["text"] for each in claims] == [
        "Returns are free for 30 days.",
        "Sale items can be returned.",
        "The refund takes 5 days.",
    ]
    assert labels(document, "r1") == ["supported", "contradicted", "supported"]
    assert figure(document, "a", "faithfulness")["value"] == pytest.approx(2 / 3)
    assert figure(document, "a", "contradiction_rate")["value"] == pytest.approx(1 / 3)


def test_what_only_holds_under_a_condition_and_advice_are_reported_apart(asked, server):
    answer = "If you are late, it is closed. You should call before. The fee of desk 03 is 13 euros."
    document = asked({"q03": answer})
    assert [each["kind"] for each in rows_of(document, "a")["q03"]["claims"]] == ["conditional", "normative", "factual"]
    assert labels(document, "q03") == [None, None, "supported"]
    assert faithfulness(document, "q03") == 1.0
    assert figure(document, "a", "conditional_claims")["value"] == pytest.approx(1 / 10)
    assert figure(document, "a", "normative_claims")["value"] == pytest.approx(1 / 10)
    shown = [element(call, "claim") for call in server.calls if role_of(call) == "claim_support"]
    assert not any("late" in each or "should" in each for each in shown)


def test_an_answer_without_factual_claims_has_no_faithfulness(asked, world):
    document = asked({"q01": "You should ask at the desk."})
    assert faithfulness(document, "q01") is None
    told = figure(document, "a", "faithfulness")
    assert (told["n"], told["left_out"]) == (9, {"abstained": 3, "no_claims": 1})
    assert world.roles["claim_support"] == 9


def test_who_abstains_makes_no_claims_and_answers_no_question(asked, world):
    document = asked({"q01": "I do not know."}, *FAITHFULNESS, "--metric", "answer_relevancy")
    for name in ("faithfulness", "answer_relevancy"):
        told = figure(document, "a", name)
        assert (told["n"], told["left_out"]) == (9, {"abstained": 4})
    assert world.roles == {"claims": 9, "claim_support": 9, "answer_relevancy": 9}


def test_a_question_without_output_is_left_out_and_counted(asked):
    metrics = (*FAITHFULNESS, "--metric", "retrieval", "--metric", "correctness", "--max-unscored", 0.4)
    document = asked({}, *metrics, questions=ANSWERABLE[1:])
    (variant,) = document["results"]
    assert (variant["outputs"], variant["missing"]) == (9, 4)
    assert figure(document, "a", "faithfulness")["left_out"] == {"no_output": 4}
    assert figure(document, "a", "recall@5")["left_out"]["no_output"] == 1
    assert figure(document, "a", "correctness")["left_out"] == {"no_output": 4}


@pytest.mark.parametrize("role", ["claims", "claim_support", "correctness", "context_relevancy", "answer_relevancy"])
def test_a_verdict_that_is_missing_leaves_its_question_out_and_too_many_are_an_exit_code(asked, server, world, role):
    def judge(call):
        return Reply("I would rather not.") if role_of(call) == role and "desk 01" in call.user else world(call)

    server._replies = judge
    metric = {"claims": "faithfulness", "claim_support": "faithfulness"}.get(role, role)
    document = asked({}, "--metric", metric, "--max-unscored", 0.2)
    told = figure(document, "a", metric)
    assert told["left_out"]["unscored"] == 1
    assert "q01" not in [q for q, trace in rows_of(document, "a").items() if metric in trace["figures"]]
    (judged,) = [each for each in document["judges"] if each["role"] == role]
    assert sum(judged["unscored"].values()) >= 1
    assert any(note.startswith(f"{role}: ") and "without a verdict" in note for note in document["notes"])
    strict = asked({}, "--metric", metric, "--max-unscored", 0, code=1)
    assert strict["status"] == "too_many_unscored"
    assert f"Too many verdicts are missing of {role}" in strict["sentence"]


def test_context_relevancy_is_the_share_of_chunks_or_of_sentences_that_were_needed(asked):
    document = asked({}, "--metric", "context_relevancy")
    assert rows_of(document, "a")["q01"]["figures"]["context_relevancy"] == pytest.approx(1 / 3)
    # Where nothing answers, nothing could be needed.
    told = figure(document, "a", "context_relevancy")
    assert (told["n"], told["left_out"]) == (10, {"no_relevant_chunk": 3})
    needed = [(each["part"], each["needed"]) for each in rows_of(document, "a")["q01"]["context_needed"]]
    assert needed == [("c01", True), ("x01", False), ("x02", False)]
    document = asked({}, "--metric", "context_relevancy", "--context-unit", "sentence")
    parts = [each["part"] for each in rows_of(document, "a")["q01"]["context_needed"]]
    assert parts == ["c01.1", "c01.2", "c01.3", "x01.1", "x02.1"]


def test_correctness_sees_an_omission_that_faithfulness_cannot_see(asked, server, world):
    def judge(call):
        whole = "11 euros" in element(call, "answer") if role_of(call) == "correctness" else None
        return world(call) if whole is None else json.dumps({"reasoning": "", "label": str(int(whole))})

    server._replies = judge
    document = asked({"q01": "Desk 01 opens at 1 hours."}, *FAITHFULNESS, "--metric", "correctness")
    assert faithfulness(document, "q01") == 1.0
    assert rows_of(document, "a")["q01"]["figures"]["correctness"] == 0.0


def test_citations_are_held_against_the_chunks_that_they_name(asked):
    answers = {
        "q01": "The fee of desk 01 is 11 euros [c01]. Garden 01 has roses [c01].",
        "q02": "The fee of desk 02 is 12 euros [c99].",
        "q03": "The fee of desk 03 is 13 euros.",
        "q04": "The fee of desk 04 is 14 euros [c05].",
    }
    document = asked(answers, "--metric", "citations", "--metric", "citation_support")
    traces = rows_of(document, "a")
    assert traces["q01"]["figures"]["citation_support"] == 0.5
    statuses = {name: [each["status"] for each in traces[name]["citations"]] for name in answers}
    assert statuses == {"q01": ["valid"] * 2, "q02": ["unknown"], "q03": [], "q04": ["not_in_context"]}
    assert [traces[name]["figures"]["citations_valid"] for name in answers] == [1.0, 0.0, 0.0, 0.0]
    assert figure(document, "a", "citation_support")["left_out"] == {"abstained": 3, "no_citations": 3}


def test_a_judge_of_abstention_takes_the_place_of_the_rule(asked, server, world):
    hidden = "That is nowhere in what I was given."
    by_rule = asked({"n01": hidden}, *FAITHFULNESS, "--metric", "abstention")
    assert by_rule["abstention_by"] == "declared phrases"
    assert rows_of(by_rule, "a")["n01"]["figures"]["abstention_recall"] == 0.0

    def judge(call):
        if role_of(call) == "abstention" and hidden in call.user:
            return json.dumps({"reasoning": "it declines", "label": "1"})
        return world(call)

    server._replies = judge
    judged = ("--judge", f"abstention={JUDGE}", *FAITHFULNESS, "--metric", "abstention")
    document = asked({"n01": hidden}, *judged)
    assert document["abstention_by"] == "judge"
    assert rows_of(document, "a")["n01"]["figures"]["abstention_recall"] == 1.0
    assert figure(document, "a", "faithfulness")["left_out"] == {"abstained": 3}


def test_where_the_judge_of_abstention_says_nothing_nobody_knows(asked, server, world):
    def judge(call):
        unread = role_of(call) == "abstention" and "desk 01" in call.user
        return Reply("I would rather not.") if unread else world(call)

    server._replies = judge
    judged = ("--judge", f"abstention={JUDGE}", "--metric", "abstention", "--metric", "citations", *FAITHFULNESS)
    document = asked({}, *judged, "--max-unscored", 1)
    assert rows_of(document, "a")["q01"]["abstained"] is None
    assert figure(document, "a", "answer_rate")["left_out"] == {"no_relevant_chunk": 3, "unscored": 1}
    for name in ("citations_valid", "faithfulness"):
        assert figure(document, "a", name)["left_out"] == {"abstained": 3, "unscored": 1}
    assert world.roles["claims"] == 9


def test_a_phrase_of_ones_own_makes_an_answer_abstain(asked):
    document = asked({"n01": "Please ask a person."}, "--metric", "abstention", "--abstain-phrase", "ask a person")
    assert figure(document, "a", "abstention_recall")["value"] == 1.0
    document = asked({}, "--metric", "abstention", "--abstain-phrase", "ask a person", "--only-these-phrases")
    assert figure(document, "a", "abstention_recall")["value"] == 0.0


def test_desks_without_a_fault_have_none(asked):
    """The figures of the small world itself: everything is found, supported and right."""
    document = asked({}, "--metric", "retrieval", *FAITHFULNESS, "--metric", "correctness", "--metric", "abstention")
    named = ("recall@50", "recall@5", "mrr", "context_recall", "faithfulness", "correctness", "abstention")
    assert {name: figure(document, "a", name)["value"] for name in named} == dict.fromkeys(named, 1.0)
    assert Path(document["results"][0]["source"]).name == "a.jsonl"
    assert desk_answer("q01")["context"][0] == "c01"


def test_names_that_could_be_put_together_in_two_ways_are_told_apart(program, server, tmp_path):
    """Question ``b/q`` of variant ``a`` is not question ``q`` of variant ``a/b``, nor part ``1`` of ``q`` ``q#1``."""
    write_desks(tmp_path)
    questions = {"b/q": "c01", "q": "c02", "q#1": "c03"}
    bank = [{"id": name, "question": f"{name}?", "relevant": [chunk]} for name, chunk in questions.items()]
    said = {
        "b/q": "The fee of desk 01 is 11 euros.",
        "q": "The fee of desk 02 is 99 euros.",
        "q#1": "The door is red. The fee of desk 03 is 13 euros.",
    }
    outputs = [
        {"id": name, "ranked": [questions[name]], "context": [questions[name]], "answer": said[name]} for name in said
    ]
    for name, rows in (("bank", bank), ("a", outputs)):
        (tmp_path / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    variants = ("--variant", "a=a.jsonl", "--variant", "a/b=a.jsonl")
    for options in ((), ("--per-claim",)):
        document = program(*RUN, *FAITHFULNESS, *variants, *options).json
        for variant in ("a", "a/b"):
            traces = rows_of(document, variant)
            assert {name: traces[name]["figures"]["faithfulness"] for name in said} == {
                "b/q": 1.0,
                "q": 0.0,
                "q#1": 0.5,
            }
