"""Recorded outputs: what their columns may be called, several variants, and what is refused."""

import json
from pathlib import Path

import pytest

from calibrate.errors import InputError
from calibrate.rag import Bank, Output, Question, Variant
from calibrate.rag.loading import load_variants

BANK = Bank("shop", (Question("q1", "How long?", ("c1",)), Question("q2", "Who?", ())))
ROW = {"id": "q1", "ranked": ["c1", "c2"], "context": ["c1"], "answer": "Thirty days [c1]."}


def write(folder: Path, name: str, *rows: object) -> str:
    path = folder / name
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def one(path: str, **options: object) -> tuple[Variant, tuple[str, ...]]:
    (variant,), messages = load_variants([path], BANK, **options)
    return variant, messages


def refusal(*specs: str, **options: object) -> str:
    with pytest.raises(InputError) as caught:
        load_variants(specs, BANK, **options)
    return str(caught.value)


def test_one_file_is_one_variant_of_its_name(tmp_path: Path) -> None:
    path = write(tmp_path, "base.jsonl", ROW)
    variant, messages = one(path)
    assert variant == Variant("base", {"q1": Output("q1", ("c1", "c2"), ("c1",), "Thirty days [c1].", row=1)}, path)
    assert messages == ()
    assert load_variants([f"new={path}"], BANK)[0][0].name == "new"


def test_spanish_columns_and_everything_that_can_be_told(tmp_path: Path) -> None:
    path = tmp_path / "salida.csv"
    path.write_text(
        "id_pregunta,recuperados,contexto,respuesta,latencia_ms,tokens_de_entrada,tokens_de_salida,coste\n"
        "q1,c1; c2,c1,Treinta días [c1].,1500,900,40,0.0021\n"
        "q2,c2,,No lo sé.,,,,\n",
        encoding="utf-8",
    )
    variant, _ = one(str(path))
    assert variant.outputs == {
        "q1": Output("q1", ("c1", "c2"), ("c1",), "Treinta días [c1].", 1.5, 900, 40, 0.0021, row=1),
        "q2": Output("q2", ("c2",), (), "No lo sé.", row=2),
    }


def test_a_declared_column_of_milliseconds_is_one(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", {**ROW, "total_ms": 250, "wait": 2})
    assert one(path, columns={"latency": "total_ms"})[0].outputs["q1"].latency == 0.25
    assert one(path, columns={"latency": "wait"})[0].outputs["q1"].latency == 2


def test_objects_stand_in_the_order_given_and_a_rising_score_is_said(tmp_path: Path) -> None:
    falling = {**ROW, "ranked": [{"id": "c2", "score": 0.9}, {"id": "c1", "score": 0.4}]}
    rising = {**ROW, "id": "q2", "ranked": [{"id": "c2", "score": 0.1}, {"id": "c1", "score": 0.4}]}
    variant, messages = one(write(tmp_path, "a.jsonl", falling, rising))
    assert [each.ranked for each in variant.outputs.values()] == [("c2", "c1"), ("c2", "c1")]
    assert messages == ("a.jsonl: 1 output whose chunks do not stand by falling score: the order as given counts",)


def test_a_chunk_twice_keeps_its_first_place(tmp_path: Path) -> None:
    variant, messages = one(write(tmp_path, "a.jsonl", {**ROW, "ranked": ["c2", "c1", "c2"], "context": ["c1", "c1"]}))
    assert (variant.outputs["q1"].ranked, variant.outputs["q1"].context) == (("c2", "c1"), ("c1",))
    assert messages == (
        "a.jsonl: 1 output with a chunk twice among those retrieved: it keeps its first place",
        "a.jsonl: 1 output with a chunk twice among those in the context: it keeps its first place",
    )


def test_without_a_column_of_contexts_nothing_is_guessed(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", {key: value for key, value in ROW.items() if key != "context"})
    assert "--column context=NAME, or say with --context-from-ranked K" in refusal(path)
    assert one(path, context_from_ranked=1)[0].outputs["q1"].context == ("c1",)


def test_an_empty_answer_is_an_answer_and_said(tmp_path: Path) -> None:
    variant, messages = one(write(tmp_path, "a.jsonl", {**ROW, "answer": None}))
    assert variant.outputs["q1"].answer == ""
    assert messages == ("a.jsonl: 1 output without an answer: taken as an empty one",)


def test_questions_that_the_bank_does_not_have_are_left_out_and_counted(tmp_path: Path) -> None:
    variant, messages = one(write(tmp_path, "a.jsonl", ROW, {**ROW, "id": "q8"}, {**ROW, "id": "q9"}))
    assert set(variant.outputs) == {"q1"}
    assert messages == ("a.jsonl: 2 questions that the bank does not have, left out: q8, q9",)


def test_several_variants_in_one_file(tmp_path: Path) -> None:
    rows = [
        {**ROW, "variant": "old"},
        {**ROW, "variant": "new", "answer": "Sixty."},
        {**ROW, "id": "q2", "variant": "old"},
    ]
    path = write(tmp_path, "all.jsonl", *rows)
    variants, _ = load_variants([path], BANK)
    assert {each.name: set(each.outputs) for each in variants} == {"old": {"q1", "q2"}, "new": {"q1"}}
    assert "several variants (old, new) with names of their own; give it as FILE" in refusal(f"x={path}")
    single = write(tmp_path, "single.jsonl", rows[0])
    assert load_variants([single], BANK)[0][0].name == "old"
    assert load_variants([f"x={single}"], BANK)[0][0].name == "x"


def test_two_variants_of_one_name(tmp_path: Path) -> None:
    first, second = write(tmp_path, "a.jsonl", ROW), write(tmp_path, "b.jsonl", ROW)
    assert f"two variants are called 'a' (the other in {first}); give NAME=FILE" in refusal(first, f"a={second}")


def test_a_file_with_an_equals_sign_in_its_name(tmp_path: Path) -> None:
    assert load_variants([write(tmp_path, "k=5.jsonl", ROW)], BANK)[0][0].name == "k=5"
    assert "not of the form NAME=FILE" in refusal("=x.jsonl")
    assert "no such file" in refusal("nowhere.jsonl")


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"latency": -1}, "field 'latency': '-1' is no number of 0 or more"),
        ({"latency": "fast"}, "field 'latency': 'fast' is no number of 0 or more"),
        ({"cost": True}, "field 'cost': 'true' is no number of 0 or more"),
        ({"input_tokens": 1.5}, "field 'input_tokens': '1.5' is no whole number"),
        ({"output_tokens": "1e999"}, "field 'output_tokens': '1e999' is no number"),
        ({"ranked": None}, "field 'ranked': no list of ids; write [] when nothing was retrieved"),
        ({"context": None}, "field 'context': no list of ids; write [] when the context was empty"),
        ({"id": ""}, "field 'id': no id"),
        ({"variant": ""}, "field 'variant': no variant"),
    ],
)
def test_refused_by_row_and_field(tmp_path: Path, change: dict[str, object], where: str) -> None:
    row = {**ROW, "variant": "v"}
    said = refusal(write(tmp_path, "a.jsonl", {**row, "id": "q2"}, {**row, **change}))
    assert "row 2, " in said
    assert where in said


def test_a_question_twice_in_one_variant(tmp_path: Path) -> None:
    assert "row 2, field 'id': question 'q1' has two outputs in one variant, in rows 1 and 2" in refusal(
        write(tmp_path, "a.jsonl", ROW, ROW)
    )


@pytest.mark.parametrize("column", ["id", "ranked", "answer"])
def test_a_column_that_is_needed(tmp_path: Path, column: str) -> None:
    path = write(tmp_path, "a.jsonl", {key: value for key, value in ROW.items() if key != column})
    assert "no column holds " in refusal(path)


def test_latency_in_two_units_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", {**ROW, "latency": 1, "latency_ms": 1000})
    assert "columns 'latency' and 'latency_ms' could both be the latency" in refusal(path)
