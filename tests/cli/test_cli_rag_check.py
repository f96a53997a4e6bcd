"""``calibrate rag check``, ``add`` and ``accept``: what a bank can show, and taking cases in."""

import json
from pathlib import Path

import pytest

QUESTIONS = [
    {
        "id": "q1",
        "pregunta": "¿Hasta cuándo puedo devolver la batidora?",
        "relevantes": ["c1"],
        "referencia": "30 días",
    },
    {"id": "q2", "pregunta": "Soy socio Oro, ¿tengo más margen?", "relevantes": ["c1", "c2"]},
    {"id": "q3", "pregunta": "¿Abrís los domingos?", "relevantes": []},
    {"id": "q4", "pregunta": "¿Qué cubre la garantía?", "relevantes": ["c3"], "origen": "drafted", "revisada": False},
]
CHUNKS = [
    {"id": "c1", "texto": "Las devoluciones se admiten durante treinta días.", "documento": "devoluciones"},
    {"id": "c2", "texto": "Los socios Oro disponen de sesenta días.", "documento": "club"},
    {"id": "c3", "texto": "La garantía es de tres años.", "documento": "garantía"},
    {"id": "c4", "texto": "El envío tarda dos días.", "documento": "envíos"},
]


def write(name: str, rows: list[dict[str, object]]) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def outputs(**changes: object) -> list[dict[str, object]]:
    return [
        {"id": each["id"], "recuperados": ["c1", "c2"], "contexto": ["c1"], "respuesta": "Sí [c1].", **changes}
        for each in QUESTIONS
    ]


@pytest.fixture
def shop() -> str:
    write("shop/bank.jsonl", QUESTIONS)
    write("shop/corpus.jsonl", CHUNKS)
    write("shop/variants/base.jsonl", outputs())
    return "shop"


def test_a_sound_bank(program, shop):
    document = program("rag", "check", shop, "--json").json
    assert document["status"] == "ok"
    assert document["language"] == "es"
    assert document["questions"] == {
        "total": 4,
        "answerable": 3,
        "unanswerable": 1,
        "unreviewed": 1,
        "references": 1,
        "origins": {"written": 3, "drafted": 1},
    }
    assert document["corpus"] == {"chunks": 4, "covered_chunks": 3, "documents": 4, "covered_documents": 3}
    assert [(each["of"], each["n"]) for each in document["resolution"]] == [("answerable", 3), ("unanswerable", 1)]
    source = str(Path("shop/variants/base.jsonl"))
    assert document["variants"] == [{"name": "base", "source": source, "outputs": 4, "missing": 0}]
    assert {each["code"]: each["level"] for each in document["findings"]} == {
        "small_bank": "warning",
        "unanswerable": "info",
        "unreviewed": "warning",
        "uncovered": "info",
    }
    text = program("rag", "check", shop).out
    assert text.startswith(
        "shop: 4 questions, 1 of them without an answer in the corpus, on 4 chunks, 1 variant; "
        "can be used (0 errors, 2 warnings).\n"
    )
    assert "3 questions with an answer in the corpus: a share is known to ±" in text


def test_the_shipped_bank(program):
    from calibrate.golden.locate import builtin_banks

    for name in builtin_banks():
        document = program("rag", "check", name, "--json").json
        assert document["status"] == "ok"
        assert [each for each in document["findings"] if each["level"] == "error"] == []


def test_chunks_that_do_not_exist_are_refused(program, shop):
    write("shop/bank.jsonl", [*QUESTIONS, {"id": "q5", "pregunta": "¿Y esto?", "relevantes": ["c9"]}])
    outcome = program("rag", "check", shop, "--json", code=2)
    assert outcome.json["status"] == "refused"
    (error,) = [each for each in outcome.json["findings"] if each["level"] == "error"]
    assert (error["code"], error["ids"], error["variant"]) == ("unknown_chunks", ["q5"], None)
    assert "cannot be used for an evaluation as it is (1 error, " in program("rag", "check", shop, code=2).out


def test_variants_that_are_named_take_the_place_of_the_folders(program, shop):
    write("other.jsonl", outputs(contexto=["c7"])[:2])
    outcome = program("rag", "check", shop, "--variant", "new=other.jsonl", "--json", code=2)
    assert [(each["name"], each["missing"]) for each in outcome.json["variants"]] == [("new", 2)]
    found = {each["code"]: each["ids"] for each in outcome.json["findings"] if each["variant"] == "new"}
    assert found == {
        "missing_outputs": ["q3", "q4"],
        "no_known_context": ["q1", "q2"],
        "context_not_retrieved": ["q1", "q2"],
    }
    assert "error: new: every context holds chunks that the corpus does not have: c7" in (
        program("rag", "check", shop, "--variant", "new=other.jsonl", code=2).out
    )


def test_a_file_with_options(program):
    Path("b.csv").write_text("key,question,gold\n1,How long?,a\n2,Who?,\n")
    Path("chunks.csv").write_text("id,text\na,Thirty days.\n")
    Path("v.csv").write_text("id,ranked,answer\n1,a,Thirty.\n2,a,No idea.\n")
    columns = ("--column", "id=key", "--column", "relevant=gold")
    asked = ("rag", "check", "b.csv", "--corpus", "chunks.csv", *columns, "--variant", "v.csv")
    assert "--context-from-ranked K" in program(*asked, code=2).error
    document = program(*asked, "--context-from-ranked", 1, "--language", "es", "--json").json
    assert (document["name"], document["language"]) == ("b", "es")
    assert [each["outputs"] for each in document["variants"]] == [2]


def test_a_bank_that_is_not_there(program):
    assert "no such file or folder" in program("rag", "check", "nowhere", code=2).error


def test_a_failure_becomes_a_case(program, shop):
    before = Path("shop/bank.jsonl").read_bytes()
    asked = ("rag", "add", shop, "--question", "¿Cuánto tarda en llegar?")
    assert "--relevant ID, or --unanswerable" in program(*asked, code=2).error
    assert "--relevant ID, or --unanswerable" in program(*asked, "--relevant", "c4", "--unanswerable", code=2).error
    assert "no chunk of the id c9" in program(*asked, "--relevant", "c9", code=2).error
    assert list(Path("shop").glob("bank*")) == [Path("shop/bank.jsonl")]
    document = program(*asked, "--relevant", "c4", "--reference", "Dos días.", "--json").json
    path = str(Path("shop/bank.v2.jsonl"))
    assert (document["path"], document["ids"]) == (path, ["q5"])
    assert Path("shop/bank.jsonl").read_bytes() == before
    added = json.loads(Path(path).read_text(encoding="utf-8").splitlines()[-1])
    assert added == {
        "id": "q5",
        "pregunta": "¿Cuánto tarda en llegar?",
        "relevantes": ["c4"],
        "origen": "failure",
        "referencia": "Dos días.",
        "revisada": True,
    }
    assert "the bank asks this already, as 'q5'" in program(*asked, "--relevant", "c4", code=2).error
    said = program("rag", "add", shop, "--question", "¿Hay tienda en Soria?", "--unanswerable", "--id", "soria").out
    third = Path("shop/bank.v3.jsonl")
    assert said.startswith(f"{third}: 'soria' added as a known failure, 6 questions now; {path} stays as it was.\n")
    assert program("rag", "check", shop, "--json").json["questions"]["origins"]["failure"] == 2


def test_the_question_of_a_recorded_output(program, shop):
    write("log.jsonl", [{"id": "77", "pregunta": "¿Cuánto tarda?"}, {"id": "78", "pregunta": "¿Quién?"}])
    program("rag", "add", shop, "--from-output", "log.jsonl:77", "--relevant", "c4")
    assert "¿Cuánto tarda?" in Path("shop/bank.v2.jsonl").read_text(encoding="utf-8")
    for given, said in (("log.jsonl:79", "no row of that id: '79'"), ("log.jsonl", "not of the form FILE:ID")):
        assert said in program("rag", "add", shop, "--from-output", given, "--unanswerable", code=2).error
    both = ("--from-output", "log.jsonl:78", "--question", "¿Quién?", "--unanswerable")
    assert "give the question with" in program("rag", "add", shop, *both, code=2).error


def test_without_a_corpus_it_says_that_ids_were_not_checked(program):
    Path("b.csv").write_text("id,question,relevant\nq1,How long?,a\n")
    asked = ("rag", "add", "b.csv", "--question", "Why?", "--relevant", "zz")
    assert program(*asked, "--json").json["messages"] == [
        "no corpus: the ids of the relevant chunks were not checked; give --corpus FILE"
    ]
    assert Path("b.v2.csv").exists()


def test_drafts_are_accepted(program, shop):
    assert "give the ids" in program("rag", "accept", shop, code=2).error
    assert "give the ids" in program("rag", "accept", shop, "q4", "--all", code=2).error
    assert "no question of the id q9" in program("rag", "accept", shop, "q9", code=2).error
    said = program("rag", "accept", shop, "q4", "q1").out
    second, first = Path("shop/bank.v2.jsonl"), Path("shop/bank.jsonl")
    assert said.startswith(f"{second}: 1 question accepted, 0 still to review; {first} stays as it was.\n")
    assert "reviewed before: q1" in said
    assert program("rag", "check", shop, "--json").json["questions"]["unreviewed"] == 0
    document = program("rag", "accept", shop, "--all", "--json").json
    assert (document["ids"], document["path"]) == ([], str(second))
    assert document["sentence"].startswith("Nothing to accept;")
    assert not Path("shop/bank.v3.jsonl").exists()


def test_a_shipped_bank_stays_as_it_is(program, monkeypatch, shop, tmp_path):
    monkeypatch.setattr("calibrate.rag.locating.builtin_banks", lambda: {"tienda": tmp_path / "shop"})
    outcome = program("rag", "add", "tienda", "--question", "¿Y?", "--unanswerable", code=2)
    assert "comes with the package and stays as it is; copy the folder" in outcome.error
    assert not Path("shop/bank.v2.jsonl").exists()
