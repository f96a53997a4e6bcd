"""Reading and writing tables: text stays text, and what is no table is refused in one line."""

from __future__ import annotations

import builtins
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.errors import InputError
from calibrate.golden import read_table, write_csv, write_json_lines
from calibrate.golden import table as table_module
from calibrate.golden import tables as tables_module


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def refusal(path: Path, **options: str) -> str:
    with pytest.raises(InputError) as caught:
        read_table(path, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message


class TestCsv:
    def test_every_cell_is_text_and_an_empty_one_is_missing(self, tmp_path: Path) -> None:
        table = read_table(written(tmp_path, "t.csv", "id,a,b,c\n007,None,NA,\n"))
        assert table.columns == ("id", "a", "b", "c")
        assert table.rows == ({"id": "007", "a": "None", "b": "NA", "c": None},)
        assert table.row_numbers == (1,)

    @pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
    def test_line_breaks_and_quotes_inside_cells(self, tmp_path: Path, line_end: str) -> None:
        text = line_end.join(["id,text", '1,"two', 'lines, ""quoted"""', "2,x", ""])
        table = read_table(written(tmp_path, "t.csv", text))
        assert [row["text"] for row in table.rows] == [f'two{line_end}lines, "quoted"', "x"]

    @pytest.mark.parametrize(("delimiter", "said"), [(",", ()), (";", ("delimiter ';'",)), ("|", ("delimiter '|'",))])
    def test_the_delimiter_is_found_and_said(self, tmp_path: Path, delimiter: str, said: tuple[str, ...]) -> None:
        lines = [["id", "question", "answer"], ["1", "what, and; why?", "a, b, c; d"], ["2", "x", "y"]]
        text = "\n".join(delimiter.join(f'"{cell}"' for cell in line) for line in lines)
        table = read_table(written(tmp_path, "t.csv", text))
        assert table.columns == ("id", "question", "answer")
        assert table.messages == said
        assert table.delimiter == delimiter

    def test_commas_in_the_text_do_not_beat_the_header(self, tmp_path: Path) -> None:
        table = read_table(written(tmp_path, "t.csv", "id;answer\n1;one, two, three\n2;four, five, six\n"))
        assert [row["answer"] for row in table.rows] == ["one, two, three", "four, five, six"]

    def test_tabs_in_a_tsv_go_without_saying(self, tmp_path: Path) -> None:
        table = read_table(written(tmp_path, "t.tsv", "id\ta\n1\tx,y\n"))
        assert table.rows == ({"id": "1", "a": "x,y"},)
        assert table.messages == ()

    def test_a_declared_delimiter_decides(self, tmp_path: Path) -> None:
        path = written(tmp_path, "t.csv", "a,b;c,d\n1,2;3,4\n")
        assert read_table(path, delimiter=";").columns == ("a,b", "c,d")
        assert read_table(written(tmp_path, "u.csv", "a\tb,c\n1\t2,3\n"), delimiter="tab").columns == ("a", "b,c")
        assert "one character" in refusal(path, delimiter=";;")

    def test_a_byte_order_mark_is_no_part_of_the_first_name(self, tmp_path: Path) -> None:
        table = read_table(written(tmp_path, "t.csv", "\ufeffid,a\n1,x\n"))
        assert table.columns == ("id", "a")

    def test_rows_of_another_width_are_refused_by_row(self, tmp_path: Path) -> None:
        message = refusal(written(tmp_path, "t.csv", "id,a\n1,x\n2,y,z\n"))
        assert "t.csv, row 2: 3 cells, but the header names 2 columns" in message

    @pytest.mark.parametrize(
        ("content", "what"),
        [
            ('id,a\n1,x\n2,"never closed\n3,y\n', "row 2: a quoted cell is never closed"),
            ('id,a\n1,"x" y\n', "row 1: text after a closing quote"),
            ("id,id\n1,2\n", "column 'id' appears twice"),
            (",\n1,2\n", "two columns have no name"),
            ("\n\n", "the file is empty"),
            ("", "the file is empty"),
            ("id,a\n", "no items"),
            ("id,a\n,\n\n", "no items"),
        ],
    )
    def test_what_is_no_table_is_refused(self, tmp_path: Path, content: str, what: str) -> None:
        assert what in refusal(written(tmp_path, "t.csv", content))

    def test_blank_lines_are_no_rows(self, tmp_path: Path) -> None:
        table = read_table(written(tmp_path, "t.csv", "id,a\n\n1,x\n\n2,y\n"))
        assert list(table.numbered()) == [(1, {"id": "1", "a": "x"}), (2, {"id": "2", "a": "y"})]

    def test_cells_beyond_the_modules_own_limit_are_read(self, tmp_path: Path) -> None:
        long = "x" * 200_000
        assert read_table(written(tmp_path, "t.csv", f"id,a\n1,{long}\n")).rows[0]["a"] == long

    def test_a_cell_above_the_limit_is_refused_by_row(self, tmp_path: Path) -> None:
        path = written(tmp_path, "t.csv", "id,a\n1,x\n2," + "y" * (table_module.MAX_FIELD + 1))
        assert "row 2: a cell is larger than 10 MB" in refusal(path)

    def test_a_foreign_neutralised_cell_is_read_without_its_mark_and_that_is_said(self, tmp_path: Path) -> None:
        table = read_table(written(tmp_path, "t.csv", "id,a\n1,'=x\n2,'tis\n"))
        assert [row["a"] for row in table.rows] == ["=x", "'tis"]
        assert table.messages[0].startswith("1 cell with an apostrophe before = + - @")


class TestEncoding:
    def test_other_encodings_are_refused_with_the_option_to_give(self, tmp_path: Path) -> None:
        message = refusal(written(tmp_path, "t.csv", "id,a\n1,año\n".encode("latin-1")))
        assert "not UTF-8 (byte 0xf1 in line 2)" in message
        assert "--encoding latin-1" in message

    def test_declared_latin_1(self, tmp_path: Path) -> None:
        path = written(tmp_path, "t.csv", "id,a\n1,año\n".encode("latin-1"))
        assert read_table(path, encoding="latin-1").rows[0]["a"] == "año"

    def test_bytes_that_latin_1_lacks_are_read_as_windows_text(self, tmp_path: Path) -> None:
        path = written(tmp_path, "t.csv", "id,a\n1,8 €\n".encode("cp1252"))
        table = read_table(path, encoding="latin-1")
        assert table.rows[0]["a"] == "8 €"
        assert "Windows-1252" in table.messages[0]

    def test_a_utf_8_file_declared_as_latin_1_is_not_garbled(self, tmp_path: Path) -> None:
        table = read_table(written(tmp_path, "t.csv", "id,a\n1,año\n"), encoding="latin-1")
        assert table.rows[0]["a"] == "año"
        assert "UTF-8" in table.messages[0]

    def test_utf_16(self, tmp_path: Path) -> None:
        path = written(tmp_path, "t.csv", "id,a\n1,año\n".encode("utf-16"))
        assert "--encoding utf-16" in refusal(path)
        assert read_table(path, encoding="utf-16").rows[0]["a"] == "año"

    def test_an_unknown_encoding(self, tmp_path: Path) -> None:
        assert "'klingon' is not a text encoding" in refusal(written(tmp_path, "t.csv", "id\n1\n"), encoding="klingon")

    @pytest.mark.parametrize(
        ("content", "what"),
        [
            (b"PK\x03\x04rest", "a ZIP or Excel file"),
            (b"\x1f\x8brest", "a gzip file"),
            (b"id,a\n1,\x00\n", "binary data"),
            (bytes(range(256)), "binary data"),
        ],
    )
    def test_binary_data(self, tmp_path: Path, content: bytes, what: str) -> None:
        assert what in refusal(written(tmp_path, "t.csv", content))


class TestJson:
    def test_lines_keep_types_and_are_counted_in_lines(self, tmp_path: Path) -> None:
        text = '{"id": 7, "a": [1, "x"]}\n\n{"id": "7", "b": null, "c": true}\n'
        table = read_table(written(tmp_path, "t.jsonl", text))
        assert table.columns == ("id", "a", "b", "c")
        assert table.rows == ({"id": 7, "a": [1, "x"]}, {"id": "7", "b": None, "c": True})
        assert table.row_numbers == (1, 3)

    def test_unicode_line_separators_are_text(self, tmp_path: Path) -> None:
        table = read_table(written(tmp_path, "t.jsonl", '{"id": 1, "a": "x\u2028y\x85z"}\n'))
        assert table.rows[0]["a"] == "x\u2028y\x85z"

    @pytest.mark.parametrize("text", ['[{"id": 1}]', '{"version": 1, "items": [{"id": 1}]}'])
    def test_an_array_or_an_object_with_one(self, tmp_path: Path, text: str) -> None:
        assert read_table(written(tmp_path, "t.json", text)).rows == ({"id": 1},)

    @pytest.mark.parametrize(
        ("name", "content", "what"),
        [
            ("t.jsonl", '{"id": 1}\n{"id":\n', "row 2: not valid JSON"),
            ("t.jsonl", "[1]\n", "row 1: not a JSON object; an array of objects belongs in a .json file"),
            ("t.jsonl", "3\n", "row 1: not a JSON object"),
            ("t.jsonl", '{"a": NaN}', "row 1: not valid JSON: NaN is not a JSON value; write null"),
            ("t.jsonl", '{"a": 1, "a": 2}', "row 1: not valid JSON: key 'a' appears twice"),
            ("t.jsonl", "[" * 100_000, "row 1: not readable: nested too deeply"),
            ("t.jsonl", '{"a": ' + "9" * 5000 + "}", "row 1: a number of thousands of digits; write it as text"),
            ("t.json", '{"id": 1}\n{"id": 2}', "one object per line belongs in a .jsonl file"),
            ("t.json", '{"a": [], "b": []}', "2 arrays (a, b)"),
            ("t.json", '{"a": 1}', "no array"),
            ("t.json", "[]", "no items"),
            ("t.json", "[1]", "row 1: not a JSON object"),
            ("t.json", "1", "neither an array of objects nor an object with one"),
        ],
    )
    def test_what_is_no_table_is_refused(self, tmp_path: Path, name: str, content: str, what: str) -> None:
        assert what in refusal(written(tmp_path, name, content))

    def test_half_a_surrogate_pair_becomes_a_character_that_files_can_hold(self, tmp_path: Path) -> None:
        table = read_table(written(tmp_path, "t.jsonl", r'{"id": 1, "a": ["cut \ud83d", "\ud83d\ude00"]}'))
        assert table.rows[0]["a"] == ["cut \ufffd", "😀"]
        assert table.messages == ("half a surrogate pair in 1 row: read as U+FFFD",)

    def test_a_value_above_the_limit_is_refused_by_row_and_key(self, tmp_path: Path) -> None:
        text = json.dumps({"id": 1, "a": "y" * (table_module.MAX_FIELD + 1)})
        assert "row 1, field 'a': a value is larger than 10 MB" in refusal(written(tmp_path, "t.jsonl", text))


class TestParquet:
    def test_types_are_kept_and_nan_is_missing(self, tmp_path: Path) -> None:
        pyarrow = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        columns = {"id": ["007", "b"], "score": [1.5, float("nan")], "chunks": [["a", "b"], None], "ok": [True, False]}
        parquet.write_table(pyarrow.table(columns), tmp_path / "t.parquet")
        table = read_table(tmp_path / "t.parquet")
        assert table.rows[0] == {"id": "007", "score": 1.5, "chunks": ["a", "b"], "ok": True}
        assert table.rows[1] == {"id": "b", "score": None, "chunks": None, "ok": False}

    def test_a_file_that_is_none(self, tmp_path: Path) -> None:
        pytest.importorskip("pyarrow")
        assert "not readable as Parquet" in refusal(written(tmp_path, "t.parquet", "id,a\n1,2\n"))

    def test_without_pyarrow_the_extra_is_named(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        original = builtins.__import__

        def without_pyarrow(name: str, *rest: object, **more: object) -> object:
            if name.startswith("pyarrow"):
                raise ModuleNotFoundError(name)
            return original(name, *rest, **more)  # type: ignore[arg-type]  # handed on as it came

        monkeypatch.setattr(builtins, "__import__", without_pyarrow)
        assert "pip install 'judge-calibrate[parquet]'" in refusal(written(tmp_path, "t.parquet", "x"))


class TestFiles:
    def test_what_cannot_be_read_is_said(self, tmp_path: Path) -> None:
        assert "no such file" in refusal(tmp_path / "none.csv")
        (tmp_path / "folder.csv").mkdir()
        assert "a folder, not a file" in refusal(tmp_path / "folder.csv")
        assert "save the sheet as CSV" in refusal(written(tmp_path, "t.xlsx", "x"))
        assert "not a table by its name" in refusal(written(tmp_path, "t.docx", "x"))

    def test_a_file_above_the_limit_is_refused_unread(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = written(tmp_path, "t.csv", "id,a\n1,x\n")
        monkeypatch.setattr(tables_module, "MAX_FILE", 8)
        assert "split it" in refusal(path)


names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
cells = st.one_of(
    st.none(), st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12)
)


class TestWriting:
    @given(columns=st.lists(names, min_size=2, max_size=4, unique=True), data=st.data())
    def test_csv_round_trip(
        self, tmp_path_factory: pytest.TempPathFactory, columns: list[str], data: st.DataObject
    ) -> None:
        row = st.fixed_dictionaries(dict.fromkeys(columns, cells))
        rows = data.draw(st.lists(row, min_size=1, max_size=4))
        if not any(cell is not None and cell.strip() for row in rows for cell in row.values()):
            rows[0][columns[0]] = "x"
        path = tmp_path_factory.mktemp("csv") / "t.csv"
        write_csv(path, columns, rows)
        again = read_table(path, delimiter=",")
        if not columns[0].startswith("\ufeff"):  # a byte order mark in a name cannot be told from the file's own
            assert again.columns == tuple(columns)
            assert [dict(row) for row in again.rows] == rows

    def test_dangerous_cells_are_neutralised_and_numbers_stay(self, tmp_path: Path) -> None:
        write_csv(tmp_path / "t.csv", ["a", "b"], [{"a": "=1+1", "b": -2}, {"a": "-2", "b": ["x"]}])
        assert (tmp_path / "t.csv").read_bytes() == b'a,b\r\n\'=1+1,-2\r\n-2,"[""x""]"\r\n'

    def test_the_file_that_was_read_is_never_overwritten(self, tmp_path: Path) -> None:
        path = written(tmp_path, "t.csv", "id,a\n1,x\n")
        (tmp_path / "link.csv").symlink_to(path)
        for target in (path, tmp_path / "link.csv"):
            with pytest.raises(InputError, match="would overwrite"):
                write_csv(target, ["id"], [{"id": "2"}], source=path)
        assert path.read_text() == "id,a\n1,x\n"

    def test_a_failed_write_leaves_nothing_behind(self, tmp_path: Path) -> None:
        def rows() -> object:
            yield {"id": "1"}
            yield {"id": "\ud800"}

        with pytest.raises(InputError, match="cannot be written as utf-8"):
            write_csv(tmp_path / "t.csv", ["id"], rows())  # type: ignore[arg-type]  # a generator of rows
        assert list(tmp_path.iterdir()) == []

    def test_a_folder_that_does_not_exist(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="No such file or directory"):
            write_csv(tmp_path / "none" / "t.csv", ["id"], [])

    def test_json_lines_keep_types(self, tmp_path: Path) -> None:
        rows = [{"id": 1, "a": None}, {"id": "ñ", "b": [True, "x\u2028"]}]
        write_json_lines(tmp_path / "t.jsonl", rows)
        assert read_table(tmp_path / "t.jsonl").rows == tuple(rows)
