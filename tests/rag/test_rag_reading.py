"""Banks and corpora: what their columns may be called, what a cell may hold, and what is refused."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.errors import InputError
from calibrate.golden import locate
from calibrate.golden.table import Table
from calibrate.rag import Chunk, Question
from calibrate.rag.loading import load_bank
from calibrate.rag.table_cells import Cell, id_list_text

BANK = "id,question,relevant\nq1,How long?,c1; c2\nq2,Who?,\n"
CORPUS = "id,text,document\nc1,Thirty days.,returns\nc2,Sixty days for gold.,club\n"


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def lines(*rows: object) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def refusal(path: Path, **options: object) -> str:
    with pytest.raises(InputError) as caught:
        load_bank(path, **options)
    return str(caught.value)


def cell(value: object, *, csv: bool) -> Cell:
    table = Table("t", ("ids",), ({"ids": value},), (1,), delimiter="," if csv else None)
    return Cell.of(table, 1, table.rows[0], "ids")


class TestBank:
    def test_a_csv_file(self, tmp_path: Path) -> None:
        loaded = load_bank(write(tmp_path, "shop.csv", BANK))
        assert loaded.bank.name == "shop"
        assert loaded.bank.language == "en"
        assert loaded.bank.questions == (
            Question("q1", "How long?", ("c1", "c2"), row=1),
            Question("q2", "Who?", (), row=2),
        )
        assert [each.answerable for each in loaded.bank.questions] == [True, False]
        assert loaded.corpus is None
        assert loaded.messages == ()

    def test_spanish_columns_say_the_language_and_other_columns_are_attributes(self, tmp_path: Path) -> None:
        row = {
            "ID_Pregunta": 7,
            "Pregunta": "¿Cuánto?",
            "Fragmentos relevantes": ["c1", 2],
            "referencia": "30 días",
            "origen": "fallo",
            "revisada": "sí",
            "tema": "plazos",
        }
        loaded = load_bank(write(tmp_path, "banco.jsonl", lines(row)))
        assert loaded.bank.language == "es"
        (question,) = loaded.bank.questions
        assert question == Question(
            "7", "¿Cuánto?", ("c1", "2"), "30 días", origin="failure", attributes={"tema": "plazos"}, row=1
        )
        (said,) = loaded.messages
        assert said.startswith("banco.jsonl: columns: id <- ID_Pregunta, question <- Pregunta, ")

    def test_the_language_is_the_users_word_then_the_cards_then_the_columns(self, tmp_path: Path) -> None:
        write(tmp_path, "bank.csv", BANK)
        write(tmp_path, "card.toml", 'name = "Shop"\nlanguage = "es"\nprovenance = "made up"\n')
        loaded = load_bank(tmp_path)
        assert (loaded.bank.name, loaded.bank.language, loaded.provenance) == ("Shop", "es", "made up")
        assert load_bank(tmp_path, language="en").bank.language == "en"
        assert load_bank(tmp_path / "bank.csv").bank.language == "en"

    def test_two_candidates_for_one_role_are_refused_with_what_decides(self, tmp_path: Path) -> None:
        path = write(tmp_path, "b.jsonl", lines({"id": 1, "query": "a", "question": "b", "relevant": []}))
        assert "columns 'query' and 'question' could both be the question; decide with --column question=NAME" in (
            refusal(path)
        )
        assert load_bank(path, columns={"question": "QUERY"}).bank.questions[0].text == "a"

    def test_a_declared_column_or_role_that_is_not_there(self, tmp_path: Path) -> None:
        path = write(tmp_path, "b.csv", BANK)
        assert "no column 'gold'; the table has id, question, relevant" in refusal(path, columns={"relevant": "gold"})
        assert "no such role; known are id, question" in refusal(path, columns={"relevnt": "relevant"})
        assert load_bank(path, columns={"ranked": "elsewhere"}).bank.questions  # a role of outputs is not a bank's

    @pytest.mark.parametrize("column", ["id", "question", "relevant"])
    def test_a_bank_without_a_column_that_it_needs(self, tmp_path: Path, column: str) -> None:
        row = {"id": "q1", "question": "a", "relevant": []}
        del row[column]
        said = refusal(write(tmp_path, "b.jsonl", lines(row)))
        assert "b.jsonl: no column holds " in said
        assert f"name it with --column {column}=NAME" in said

    @pytest.mark.parametrize("row", [{"id": "q2", "question": "b"}, {"id": "q2", "question": "b", "relevant": None}])
    def test_json_says_that_nothing_answers_a_question_with_an_empty_list_only(
        self, tmp_path: Path, row: dict[str, object]
    ) -> None:
        said = refusal(write(tmp_path, "b.jsonl", lines({"id": "q1", "question": "a", "relevant": ["c"]}, row)))
        assert "row 2, field 'relevant'" in said
        assert "write [] when nothing in the corpus answers it" in said

    @pytest.mark.parametrize(
        ("text", "where"),
        [
            ("id,question,relevant\nq1,a,c\nq1,b,c\n", "row 2, field 'id': id 'q1' appears twice, in rows 1 and 2"),
            ("id,question,relevant\nq1,,c\n", "row 1, field 'question': no question"),
            ("id,question,relevant\n,a,c\n", "row 1, field 'id': no id"),
            ("id,question,relevant,reviewed\nq1,a,c,perhaps\n", "row 1, field 'reviewed': 'perhaps' says neither"),
            ("id,question,relevant,origin\nq1,a,c,chat\n", "row 1, field 'origin': 'chat' is no origin"),
            ('id,question,relevant\nq1,a,"[c1, c2]"\n', "row 1, field 'relevant': no list of ids"),
        ],
    )
    def test_refused_by_file_row_and_field(self, tmp_path: Path, text: str, where: str) -> None:
        path = write(tmp_path, "b.csv", text)
        assert f"{path}, {where}" in refusal(path)

    def test_drafts_are_not_reviewed_until_it_says_so(self, tmp_path: Path) -> None:
        rows = [
            {"id": "a", "question": "a", "relevant": []},
            {"id": "b", "question": "b", "relevant": [], "origin": "drafted"},
            {"id": "c", "question": "c", "relevant": [], "origin": "drafted", "reviewed": True},
            {"id": "d", "question": "d", "relevant": [], "reviewed": None},
        ]
        loaded = load_bank(write(tmp_path, "b.jsonl", lines(*rows)))
        assert [each.reviewed for each in loaded.bank.questions] == [True, False, True, False]

    def test_a_chunk_twice_is_counted_once_and_said(self, tmp_path: Path) -> None:
        loaded = load_bank(write(tmp_path, "b.csv", "id,question,relevant\nq1,a,c1;c1;c2\n"))
        assert loaded.bank.questions[0].relevant == ("c1", "c2")
        assert loaded.messages == ("b.csv: a chunk twice among the relevant ones of 1 question: counted once",)

    def test_every_kind_of_table_gives_the_same_bank(self, tmp_path: Path) -> None:
        rows = [{"id": "q1", "question": "How long?", "relevant": ["c1", "c2"]}, {"id": "q2", "question": "Who?"}]
        rows[1]["relevant"] = []
        tables = {
            "b.csv": BANK,
            "b.tsv": BANK.replace(",", "\t"),
            "b.jsonl": lines(*rows),
            "b.json": json.dumps({"questions": rows}),
        }
        assert len({load_bank(write(tmp_path, name, text)).bank.digest for name, text in tables.items()}) == 1

    def test_rows_without_content_are_left_out_and_said(self, tmp_path: Path) -> None:
        loaded = load_bank(write(tmp_path, "b.csv", BANK + ",,\n"))
        assert len(loaded.bank.questions) == 2
        assert loaded.messages == ("b.csv: 1 row without any content, left out",)

    def test_parquet_says_an_empty_list_where_nothing_answers(self, tmp_path: Path) -> None:
        pyarrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        columns = {"id": [1, 2], "question": ["How long?", "Who?"], "relevant": [["c1", "c2"], []]}
        parquet.write_table(pyarrow.table(columns), tmp_path / "b.parquet")
        assert [each.relevant for each in load_bank(tmp_path / "b.parquet").bank.questions] == [("c1", "c2"), ()]
        columns["relevant"][1] = None
        parquet.write_table(pyarrow.table(columns), tmp_path / "b.parquet")
        assert "row 2, field 'relevant': no list of ids; write []" in refusal(tmp_path / "b.parquet")

    def test_other_encodings(self, tmp_path: Path) -> None:
        path = tmp_path / "b.csv"
        path.write_bytes("id,pregunta,relevantes\nq1,¿Cuándo?,c1\n".encode("latin-1"))
        assert "--encoding latin-1" in refusal(path)
        assert load_bank(path, encoding="latin-1").bank.questions[0].text == "¿Cuándo?"


SHOWN = st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"))


class TestListsOfIds:
    @pytest.mark.parametrize("text", ["a; b", "a;b", "a|b", "a, b", "a b", "a\nb", '["a", "b"]', "['a', 'b']"])
    def test_text(self, text: str) -> None:
        assert cell(text, csv=True).ids("nothing") == ("a", "b")

    @pytest.mark.parametrize("value", [["a", "b"], [{"id": "a", "score": 2}, {"chunk_id": "b"}], "a; b"])
    def test_json(self, value: object) -> None:
        assert cell(value, csv=False).ids("nothing") == ("a", "b")

    @pytest.mark.parametrize(
        "value", [[None], [""], [True], [["a"]], [{"key": "a"}], {"key": "a"}, "[", "[{1, 2}]", False]
    )
    def test_what_is_no_list_of_ids(self, value: object) -> None:
        with pytest.raises(InputError, match="row 1, field 'ids'"):
            cell(value, csv=False).ids("nothing")

    def test_numbers_are_ids_too(self) -> None:
        assert cell([1, 2], csv=False).ids("nothing") == ("1", "2")
        assert cell(7, csv=False).ids("nothing") == ("7",)

    def test_whole_numbers_have_no_decimals(self) -> None:
        """As pandas writes them where a value is missing."""
        assert cell([1.0, 2, 2.5, "1.0"], csv=False).ids("nothing") == ("1", "2", "2.5", "1.0")
        assert cell(1.0, csv=False).text("id") == "1"

    @pytest.mark.parametrize("text", ["doc 1; doc 2", "doc 1, doc 2", "doc 1\ndoc 2", '["doc 1", "doc 2"]'])
    def test_ids_may_hold_spaces_where_something_else_tells_them_apart(self, text: str) -> None:
        assert cell(text, csv=True).ids("nothing") == ("doc 1", "doc 2")
        assert not cell(text, csv=True).split_at_white_space

    def test_ids_told_apart_by_white_space_alone_are_mentioned(self, tmp_path: Path) -> None:
        loaded = load_bank(write(tmp_path, "b.csv", "id,question,relevant\nq1,a,doc 1\nq2,b,c2\n"))
        assert loaded.bank.questions[0].relevant == ("doc", "1")
        (said,) = loaded.messages
        assert "the relevant chunks of 1 question are told apart by white space alone" in said
        assert not cell("c1", csv=True).split_at_white_space

    @pytest.mark.parametrize("odd", ["a\x00b", "a\x1b[31m", "a\u2028b", "a\ud800"])
    def test_control_characters_are_no_part_of_an_id(self, odd: str) -> None:
        with pytest.raises(InputError, match=r"holds a control character, U\+[0-9A-F]{4}; take it out"):
            cell([odd], csv=False).ids("nothing")
        with pytest.raises(InputError, match="row 1, field 'ids': the id"):
            cell(odd, csv=False).text("id")

    @given(st.lists(st.text(SHOWN, min_size=1).map(str.strip).filter(bool), max_size=4))
    def test_what_is_written_is_read_back(self, ids: list[str]) -> None:
        assert cell(id_list_text(ids), csv=True).ids("nothing") == tuple(ids)


class TestCorpus:
    def test_a_folder_brings_its_corpus_and_variants(self, tmp_path: Path) -> None:
        write(tmp_path, "bank.csv", BANK)
        write(tmp_path, "corpus.csv", CORPUS)
        second = write(tmp_path, "variants/reranked.jsonl", lines({"id": "q1"}))
        first = write(tmp_path, "variants/base.jsonl", lines({"id": "q1"}))
        write(tmp_path, "variants/notes.md", "no table")
        loaded = load_bank(tmp_path)
        assert loaded.variants == (first, second)
        assert loaded.corpus is not None
        assert loaded.corpus.chunks == (
            Chunk("c1", "Thirty days.", "returns", 1),
            Chunk("c2", "Sixty days for gold.", "club", 2),
        )

    def test_a_file_given_overrides_the_folders(self, tmp_path: Path) -> None:
        write(tmp_path, "bank.csv", BANK)
        write(tmp_path, "corpus.csv", CORPUS)
        other = write(tmp_path, "other.jsonl", lines({"id_fragmento": 1, "Texto": "Nada.", "fuente": "x"}))
        loaded = load_bank(tmp_path, corpus=other)
        assert loaded.corpus is not None
        assert loaded.corpus.chunks == (Chunk("1", "Nada.", "x", 1),)

    @pytest.mark.parametrize(
        ("text", "where"),
        [
            ("id,text\nc1,a\nc1,b\n", "row 2, field 'id': id 'c1' appears twice, in rows 1 and 2"),
            ("id,text\nc1,\n", "row 1, field 'text': no text"),
            ("id,words\nc1,a\n", "no column holds the texts of the chunks"),
            (
                "id,chunk_id,text\n1,c1,a\n",
                "'id' and 'chunk_id' could both be the chunk_id; decide with --column chunk_id=",
            ),
        ],
    )
    def test_refused(self, tmp_path: Path, text: str, where: str) -> None:
        path = write(tmp_path, "b.csv", BANK)
        assert where in refusal(path, corpus=write(tmp_path, "c.csv", text))


class TestFolders:
    def test_the_newest_version_of_the_bank_counts(self, tmp_path: Path) -> None:
        for name in ("bank.csv", "bank.v2.csv", "bank.v10.csv"):
            write(tmp_path, name, f"id,question,relevant\n{name},a,\n")
        loaded = load_bank(tmp_path)
        assert loaded.bank.questions[0].id == "bank.v10.csv"
        assert loaded.messages == (
            "bank.v10.csv is the newest of 3 versions of the bank and counts; give a file for another",
        )

    def test_refused(self, tmp_path: Path) -> None:
        assert "no such file or folder" in refusal(tmp_path / "nowhere")
        assert "holds no bank" in refusal(tmp_path)
        write(tmp_path, "bank.csv", BANK)
        write(tmp_path, "bank.jsonl", "{}")
        assert "holds bank.csv and bank.jsonl" in refusal(tmp_path)
        (tmp_path / "bank.jsonl").unlink()
        write(tmp_path, "card.toml", 'dimension = "x"\n')
        assert "field 'dimension': unknown key; known are name, language, provenance" in refusal(tmp_path)
        write(tmp_path, "card.toml", "name =")
        assert "not valid TOML" in refusal(tmp_path)


def test_shipped_banks_are_told_from_shipped_golden_sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site" / "calibrate"
    write(package, "golden_sets/shop/card.toml", 'name = "A shop"\n')
    write(package, "golden_sets/shop/bank.csv", BANK)
    write(package, "golden_sets/verdicts/card.toml", "")
    write(package, "golden_sets/verdicts/items.csv", "id,label\n1,1\n")
    monkeypatch.setattr(locate.calibrate, "__file__", str(package / "__init__.py"))
    assert set(locate.builtin_banks()) == {"shop"}
    assert set(locate.builtin_sets()) == {"verdicts"}
    assert load_bank("shop").bank.name == "A shop"
    assert "banks that come with calibrate: shop" in refusal(Path("other"))
