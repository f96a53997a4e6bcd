"""The bank, corpus, variants and golden sets for RAG that come with the package: whole, consistent, and as they say."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from program_fixtures import own_folder, program

from calibrate.golden import builtin_sets, load_golden
from calibrate.judge.claims import Claim, contains
from calibrate.rag.abstention import AbstentionRule
from calibrate.rag.loading import load_bank, load_variants

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import rag_rankings

__all__ = ["own_folder", "program"]

LOADED = load_bank("tienda_rag")
BANK = LOADED.bank
assert LOADED.corpus is not None
CORPUS = LOADED.corpus
VARIANTS = {each.name: each for each in load_variants([str(path) for path in LOADED.variants], BANK)[0]}
GOLDEN_SETS = ("claim_support_es", "claims_es", "context_relevancy_es", "correctness_es")


def rows(name: str) -> list[dict[str, Any]]:
    text = (builtin_sets()[name] / "items.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


# The bank and its corpus


def test_the_bank_is_spanish_and_is_found_by_name() -> None:
    assert (BANK.language, len(BANK.questions), len(CORPUS.chunks)) == ("es", 40, 70)
    assert "columns: question <- pregunta" in " ".join(LOADED.messages)
    assert "tienda_rag" not in builtin_sets()


def test_every_relevant_chunk_is_in_the_corpus() -> None:
    assert {each for question in BANK.questions for each in question.relevant} <= set(CORPUS.by_id)


def test_a_fifth_of_the_questions_is_unanswerable_and_the_others_have_a_reference() -> None:
    unanswerable = [each for each in BANK.questions if not each.answerable]
    assert len(unanswerable) / len(BANK.questions) == 0.2
    assert all((each.reference is None) is (not each.answerable) for each in BANK.questions)


def test_some_questions_need_two_chunks() -> None:
    assert sum(len(each.relevant) == 2 for each in BANK.questions) >= 5


def test_chunks_are_of_one_size_and_tell_their_document() -> None:
    assert all(40 <= len(each.text.split()) <= 90 for each in CORPUS.chunks)
    by_document = defaultdict(set)
    for each in CORPUS.chunks:
        by_document[each.document].add(each.id.partition("-")[0])
    assert None not in by_document
    assert all(len(prefixes) == 1 for prefixes in by_document.values())


def test_the_check_of_banks_finds_nothing_wrong(program) -> None:  # type: ignore[no-untyped-def]
    document = program("rag", "check", "tienda_rag", "--json").json
    assert {each["level"] for each in document["findings"]} == {"info"}


# What the variants did


@pytest.mark.parametrize("name", ["base", "reranked"])
def test_a_variant_answers_every_question_from_the_first_five_chunks_that_it_ranked(name: str) -> None:
    outputs = VARIANTS[name].outputs
    assert list(outputs) == [each.id for each in BANK.questions]
    for output in outputs.values():
        assert len(set(output.ranked)) == len(output.ranked) == 50
        assert set(output.ranked) <= set(CORPUS.by_id)
        assert output.context == output.ranked[:5]
        assert output.answer
        assert output.latency is not None
        assert output.latency > 0


def test_citations_name_chunks_of_the_corpus_and_one_was_never_in_the_context() -> None:
    strangers = []
    for name, variant in VARIANTS.items():
        for output in variant.outputs.values():
            cited = set(re.findall(r"\[([a-z]+-\d+)\]", output.answer))
            assert cited <= set(CORPUS.by_id)
            strangers += [(name, output.question, each) for each in cited - set(output.context)]
    assert strangers == [("base", "p-09", "env-01")]


def test_the_rankings_are_those_that_the_script_computes() -> None:
    for path, computed in rag_rankings.rewritten().items():
        assert computed == rag_rankings.read(path)


def test_the_script_restores_rankings_and_leaves_the_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "tienda_rag"
    shutil.copytree(rag_rankings.FOLDER, folder)
    path = folder / "variants" / "base.jsonl"
    shipped = path.read_bytes()
    first, *others = rag_rankings.read(path)
    path.write_text(
        "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in ({**first, "ranked": ["dev-01"]}, *others)),
        encoding="utf-8",
    )
    changed = path.read_bytes()
    monkeypatch.setattr(sys, "argv", ["rag_rankings.py", "--check", "--folder", str(folder)])
    assert rag_rankings.main() == 1
    assert "base.jsonl: 40 questions, 1 with another ranking" in capsys.readouterr().out
    assert path.read_bytes() == changed
    monkeypatch.setattr(sys, "argv", ["rag_rankings.py", "--folder", str(folder)])
    assert rag_rankings.main() == 0
    assert path.read_bytes() == shipped


def test_reranking_moves_chunks_and_retrieves_none() -> None:
    base, reranked = VARIANTS["base"].outputs, VARIANTS["reranked"].outputs
    assert all(set(base[each].ranked) == set(reranked[each].ranked) for each in base)


def test_the_questions_that_are_declined_are_said_in_the_declared_words_but_for_one() -> None:
    rule = AbstentionRule()
    declined = {
        name: {each.question for each in variant.outputs.values() if rule.abstains(each.answer)}
        for name, variant in VARIANTS.items()
    }
    unanswerable = {each.id for each in BANK.questions if not each.answerable}
    assert declined["base"] & unanswerable == {"p-37", "p-38", "p-39"}
    assert declined["reranked"] & unanswerable == {"p-33", "p-34", "p-36", "p-37", "p-39"}
    assert "no se habla de descuentos" in VARIANTS["reranked"].outputs["p-38"].answer


# The golden sets for its judges


@pytest.mark.parametrize("name", GOLDEN_SETS)
def test_a_golden_set_can_be_used(name: str, program) -> None:  # type: ignore[no-untyped-def]
    document = program("golden", "check", name, "--json").json
    assert document["status"] == "ok"
    (dimension,) = document["dimensions"]
    assert min(dimension["classes"].values()) >= 15


@pytest.mark.parametrize("name", GOLDEN_SETS)
def test_items_are_grouped_and_their_ids_differ(name: str) -> None:
    golden = load_golden(name).golden
    assert len({each.id for each in golden.items}) == len(golden.items)
    assert all(each.group for each in golden.items)
    assert len({each.group for each in golden.items}) >= 14


def test_contexts_of_claims_are_chunks_of_the_corpus() -> None:
    for row in rows("claim_support_es"):
        assert tuple(row["contexto"]) == CORPUS.texts(row["fragmentos"])
        assert len(row["contexto"]) == len(row["fragmentos"])
        assert row["pregunta_id"] in BANK.by_id


def test_the_words_that_are_quoted_in_notes_stand_in_the_context() -> None:
    quoted = [
        (each, row["contexto"])
        for row in rows("claim_support_es")
        for each in re.findall("«(.*?)»", row["nota"])
    ]  # fmt: skip
    assert quoted
    for each, context in quoted:
        assert each.casefold() in "\n".join(context).casefold(), each


def test_a_right_split_has_every_statement_marked_right_and_none_marked_wrong() -> None:
    answers = defaultdict(list)
    for row in rows("claims_es"):
        answers[row["respuesta_id"]].append(row)
    for statements in answers.values():
        right = [Claim(each["claim"]) for each in statements if each["etiqueta"] == "1"]
        assert len(right) >= 2
        for each in statements:
            others = [claim for claim in right if claim.text != each["claim"]]
            assert not contains(others, each["claim"]), each["claim"]


def test_right_statements_are_in_the_words_of_the_answer() -> None:
    for row in rows("claims_es"):
        if row["etiqueta"] == "1":
            assert numbers(row["claim"]) <= numbers(row["respuesta"])
            words = re.findall(r"\w+", row["claim"].casefold())
            known = set(re.findall(r"\w+", f"{row['respuesta']} {row['pregunta']}".casefold()))
            assert sum(each in known for each in words) / len(words) >= 0.75, row["claim"]


def test_wrong_statements_say_what_is_wrong_with_them() -> None:
    faults = Counter(each["falta"] for each in rows("claims_es") if each["etiqueta"] == "0")
    assert set(faults) == {"compuesta", "no_autonoma", "inventada", "condicion_omitida", "sin_contenido"}
    assert all((each["falta"] == "") is (each["etiqueta"] == "1") for each in rows("claims_es"))


def test_relevant_chunks_are_those_of_the_bank() -> None:
    for row in rows("context_relevancy_es"):
        question = BANK.by_id[row["pregunta_id"]]
        assert (row["pregunta"], row["contexto"]) == (question.text, CORPUS.by_id[row["fragmento"]].text)
        assert (row["fragmento"] in question.relevant) is (row["etiqueta"] == "1")


def test_judged_answers_are_those_of_the_variants() -> None:
    judged = rows("correctness_es")
    assert len(judged) == 64
    for row in judged:
        question = BANK.by_id[row["pregunta_id"]]
        assert (row["pregunta"], row["referencia"]) == (question.text, question.reference)
        assert row["respuesta"] == VARIANTS[row["variante"]].outputs[question.id].answer


def test_declining_to_answer_what_has_an_answer_is_not_correct() -> None:
    rule = AbstentionRule()
    declined = [each for each in rows("correctness_es") if rule.abstains(each["respuesta"])]
    assert declined
    assert {each["etiqueta"] for each in declined} == {"0"}


def numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:[.,]\d+)?", text))
