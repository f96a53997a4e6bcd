"""The next version of a bank: what is added, what is accepted, and that the old version stays as it is."""

import json
from pathlib import Path

import pytest

from calibrate.errors import InputError
from calibrate.rag import Question
from calibrate.rag.bank_versions import accept_drafts, add_questions, next_ids
from calibrate.rag.loading import load_bank

FILES = {
    "bank.csv": "id,question,relevant,topic\nq-08,How long?,c1; c2,returns\nq-09,Who?,,club\n",
    "bank.tsv": "id\tpregunta\trelevantes\nq-08\t¿Cuánto?\tc1\nq-09\t¿Quién?\t\n",
    "bank.jsonl": (
        '{"id": "q-08", "question": "How long?", "relevant": ["c1"], "topic": 3}\n'
        '{"id": "q-09", "question": "Who?", "relevant": [], "origin": "drafted"}\n'
    ),
    "bank.json": '{"questions": [{"id": "q-09", "question": "Who?", "relevant": []}], "by": "us"}',
}
CASE = Question("q-10", "=1+1, and why?", ("c1", "c 2"), "Two.", origin="failure")


@pytest.fixture(params=FILES)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    file = tmp_path / request.param
    file.write_text(FILES[request.param], encoding="utf-8")
    return file


def test_a_question_more(path: Path) -> None:
    before = load_bank(path)
    written = add_questions(before, [CASE])
    assert written == path.with_name(f"bank.v2{path.suffix}")
    assert path.read_text(encoding="utf-8") == FILES[path.name]
    after = load_bank(written)
    assert after.bank.questions[:-1] == before.bank.questions
    new = after.bank.questions[-1]
    assert (new.id, new.text, new.relevant, new.reference) == (CASE.id, CASE.text, CASE.relevant, CASE.reference)
    assert (new.origin, new.reviewed) == ("failure", True)
    assert sorted(each.name for each in path.parent.iterdir()) == sorted([path.name, written.name])


def test_columns_keep_their_names_and_new_ones_get_the_language_of_the_others(tmp_path: Path) -> None:
    path = tmp_path / "bank.tsv"
    path.write_text(FILES["bank.tsv"], encoding="utf-8")
    text = add_questions(load_bank(path), [CASE]).read_text(encoding="utf-8")
    assert text.splitlines()[0] == "id\tpregunta\trelevantes\treferencia\torigen"
    assert text.splitlines()[1].rstrip() == "q-08\t¿Cuánto?\tc1"


def test_what_stands_beside_the_questions_in_a_json_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "bank.json"
    path.write_text(FILES["bank.json"], encoding="utf-8")
    document = json.loads(add_questions(load_bank(path), [CASE]).read_text(encoding="utf-8"))
    assert document["by"] == "us"
    assert [each["id"] for each in document["questions"]] == ["q-09", "q-10"]


def test_drafts_are_accepted(path: Path) -> None:
    drafts = [Question(each, f"Question {each}?", ("c1",), reviewed=False, origin="drafted") for each in ("d1", "d2")]
    second = load_bank(add_questions(load_bank(path), drafts))
    waiting = {each.id for each in second.bank.questions if not each.reviewed}
    assert {"d1", "d2"} <= waiting
    third = load_bank(accept_drafts(second, ["d2"]))
    assert third.location.table.name == f"bank.v3{path.suffix}"
    assert {each.id for each in third.bank.questions if not each.reviewed} == waiting - {"d2"}
    fourth = load_bank(accept_drafts(third, ["d1"]))
    assert {each.id for each in fourth.bank.questions if not each.reviewed} == waiting - {"d1", "d2"}
    assert fourth.bank.digest == second.bank.digest


def test_ids_go_on_from_the_last_one(path: Path) -> None:
    assert next_ids(load_bank(path), 3) == ("q-10", "q-11", "q-12")


def test_ids_without_a_number(tmp_path: Path) -> None:
    path = tmp_path / "bank.csv"
    path.write_text("id,question,relevant\nadded-4,a,\nfirst,b,\n")
    assert next_ids(load_bank(path), 1) == ("added-5",)


class TestRefused:
    def refusal(self, path: Path, *questions: Question, corpus: Path | None = None) -> str:
        before = set(path.parent.iterdir())
        with pytest.raises(InputError) as caught:
            add_questions(load_bank(path, corpus=corpus), questions)
        assert set(path.parent.iterdir()) == before
        return str(caught.value)

    def test_what_the_bank_has(self, tmp_path: Path) -> None:
        path = tmp_path / "bank.csv"
        path.write_text(FILES["bank.csv"])
        assert "the bank asks this already, as 'q-08'" in self.refusal(path, Question("new", "HOW  long?", ()))
        assert "a question of the id 'q-09' already" in self.refusal(path, Question("q-09", "Why?", ()))
        twice = (Question("a", "Why?", ()), Question("b", "why?", ()))
        assert "the bank asks this already, as 'a'" in self.refusal(path, *twice)
        assert "an empty question" in self.refusal(path, Question("a", " ", ()))

    def test_chunks_that_the_corpus_does_not_have(self, tmp_path: Path) -> None:
        path, corpus = tmp_path / "bank.csv", tmp_path / "chunks.csv"
        path.write_text(FILES["bank.csv"])
        corpus.write_text("id,text\nc1,a\n")
        said = self.refusal(path, Question("new", "Why?", ("c1", "c7")), corpus=corpus)
        assert "no chunk of the id c7" in said

    def test_a_version_that_is_not_the_newest(self, tmp_path: Path) -> None:
        path = tmp_path / "bank.csv"
        path.write_text(FILES["bank.csv"])
        add_questions(load_bank(path), [CASE])
        assert "bank.v2.csv is a newer version of it; use that one" in self.refusal(path, Question("x", "Why?", ()))

    def test_no_such_draft(self, tmp_path: Path) -> None:
        path = tmp_path / "bank.csv"
        path.write_text(FILES["bank.csv"])
        with pytest.raises(InputError, match="no question of the id q-99"):
            accept_drafts(load_bank(path), ["q-99"])


def test_an_id_of_an_earlier_version_is_not_given_again(tmp_path: Path) -> None:
    """Outputs to a question that was dropped may still be around."""
    table = tmp_path / "bank.jsonl"
    row = '{"id": "q1", "question": "How long?", "relevant": ["a"]}\n'
    table.write_text(row + '{"id": "q2", "question": "How far?", "relevant": ["a"], "origin": "drafted"}\n')
    accept_drafts(load_bank(table), (), dropped=("q2",))
    newest = load_bank(tmp_path / "bank.v2.jsonl")
    assert [each.id for each in newest.bank.questions] == ["q1"]
    assert next_ids(newest, 1) == ("q3",)
