"""Merging new labels: a new version beside the old one, all or nothing."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from calibrate.errors import InputError
from calibrate.golden import LoadOptions, MergeResult, load_golden, merge, write_csv

TABLE = "id,doc,question,answer,label,extra\n007,d1,q,=one,1,x\n2,d1,q,two,0,\n3,d2,q,,,z\n"


def file_of(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


def new_labels(folder: Path, text: str) -> Path:
    return file_of(folder, "labels.csv", text)


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))


def gold(path: Path, options: LoadOptions | None = None) -> dict[tuple[str, str], str | None]:
    return {(item.id, item.dimension): item.label for item in load_golden(path, options).golden.items}


def refusal(*arguments: object) -> str:
    with pytest.raises(InputError) as caught:
        merge(*arguments)  # type: ignore[arg-type]  # paths and options
    assert "\n" not in str(caught.value)
    return str(caught.value)


class TestFile:
    def test_labels_and_notes_are_taken_and_the_rest_stays(self, tmp_path: Path) -> None:
        path = file_of(tmp_path, "set.csv", TABLE)
        before = path.read_bytes()
        labels = new_labels(tmp_path, "id,label_new,note\n007,0,wrong day\n2,,only a note\n3,1.0,\n")
        result = merge(path, labels)
        assert result.path == tmp_path / "set.v2.csv"
        assert result.labels == (("007", "1", "0"), ("3", None, "1"))
        assert (result.notes, result.changed, result.blank, result.confirmed) == (("007", "2"), 3, 0, ())
        assert path.read_bytes() == before
        assert rows(result.path) == [
            {
                "id": "007",
                "doc": "d1",
                "question": "q",
                "answer": "'=one",
                "label": "0",
                "extra": "x",
                "note": "wrong day",
            },
            {
                "id": "2",
                "doc": "d1",
                "question": "q",
                "answer": "two",
                "label": "0",
                "extra": "",
                "note": "only a note",
            },
            {"id": "3", "doc": "d2", "question": "q", "answer": "", "label": "1", "extra": "z", "note": ""},
        ]
        assert load_golden(result.path).golden.items[0].inputs["answer"] == "=one"
        assert sorted(each.name for each in tmp_path.iterdir()) == ["labels.csv", "set.csv", "set.v2.csv"]

    def test_versions_count_on_from_the_next_free_number(self, tmp_path: Path) -> None:
        path = file_of(tmp_path, "set.csv", TABLE)
        labels = new_labels(tmp_path, "id,label_new\n2,1\n")
        assert merge(path, labels).path.name == "set.v2.csv"
        more = file_of(tmp_path, "more.csv", "id,label_new\n3,1\n")
        assert merge(path, more).path.name == "set.v3.csv"
        flip = file_of(tmp_path, "flip.csv", "id,label_new\n007,0\n")
        assert merge(tmp_path / "set.v2.csv", flip).path.name == "set.v4.csv"

    @pytest.mark.parametrize("edits", ["2,1,\n", "2,,why\n", "2,1,why\n007,1,\n"])
    def test_the_same_edits_again_make_no_other_version(self, tmp_path: Path, edits: str) -> None:
        path = file_of(tmp_path, "set.csv", TABLE)
        labels = new_labels(tmp_path, f"id,label_new,note\n{edits}")
        first = merge(path, labels)
        again = merge(path, labels)
        assert (first.path.name, again.path, again.changed) == ("set.v2.csv", first.path, 0)
        assert again.messages[-1] == f"{first.path} holds these labels and notes already, so no new version was written"
        assert not (tmp_path / "set.v3.csv").exists()

    def test_edits_that_a_later_version_took_back_make_another_one(self, tmp_path: Path) -> None:
        path = file_of(tmp_path, "set.csv", TABLE)
        labels = new_labels(tmp_path, "id,label_new\n2,1\n")
        merge(path, labels)
        merge(tmp_path / "set.v2.csv", file_of(tmp_path, "flip.csv", "id,label_new\n2,0\n"))
        assert merge(path, labels).path.name == "set.v4.csv"

    @pytest.mark.parametrize("content", ["no table", "id,question,answer,label\n2,q,two,1\n"])
    def test_a_later_file_that_is_no_version_of_the_set_holds_nothing(self, tmp_path: Path, content: str) -> None:
        path = file_of(tmp_path, "set.csv", TABLE)
        file_of(tmp_path, "set.v2.csv", content)
        assert merge(path, new_labels(tmp_path, "id,label_new\n2,1\n")).path.name == "set.v3.csv"

    def test_blank_rows_and_confirmed_labels_change_nothing(self, tmp_path: Path) -> None:
        path = file_of(tmp_path, "set.csv", TABLE)
        result = merge(path, new_labels(tmp_path, "id,label_new,note\n007,1,\n2, ,\n"))
        assert (result.path, result.changed, result.confirmed, result.blank) == (path, 0, ("007",), 1)
        assert "no new version was written" in result.messages[-1]
        assert not (tmp_path / "set.v2.csv").exists()

    @pytest.mark.parametrize(
        ("labels", "what"),
        [
            ("id,label_new\n2,1\n9,1\n", "row 2, field 'id': no item '9'"),
            ("id,label_new\n7,1\n", "no item '7'"),
            ("id,label_new\n2,maybe\n", "row 1, field 'label_new': 'maybe' is not a label; expected 0, 1"),
            (
                "id,answer,label_new\n2,another,1\n",
                "row 1, field 'answer': the answer of item '2' is not the set's any more",
            ),
            ("id,answer,label_new\n2,another,\n", "is not the set's any more"),
            ("id,label_new\n2,1\n2,0\n", "id '2' appears twice, in rows 1 and 2"),
            ("id,label\n2,1\n", "no column 'label_new'"),
        ],
    )
    def test_what_does_not_fit_is_refused_before_anything_is_written(
        self, tmp_path: Path, labels: str, what: str
    ) -> None:
        path = file_of(tmp_path, "set.csv", TABLE)
        assert what in refusal(path, new_labels(tmp_path, labels))
        assert sorted(each.name for each in tmp_path.iterdir()) == ["labels.csv", "set.csv"]

    def test_inputs_that_a_spreadsheet_rewrote_are_the_same(self, tmp_path: Path) -> None:
        path = file_of(tmp_path, "set.jsonl", '{"id": 1, "answer": "a\\r\\nb", "context": ["x", "y"], "label": 1}\n')
        labels = file_of(tmp_path, "l.csv", 'id;answer;context;label_new\n1;"a\nb";"[""x"", ""y""]";0\n')
        assert merge(path, labels).labels == (("1", "1", "0"),)

    def test_an_edited_label_column_is_pointed_out(self, tmp_path: Path) -> None:
        result = merge(
            file_of(tmp_path, "set.csv", TABLE), new_labels(tmp_path, "id,label,label_new\n007,0,0\n2,0,1\n")
        )
        assert result.messages == ("label in 1 row is not the set's; label_new decides",)

    def test_a_round_trip_through_an_export(self, tmp_path: Path) -> None:
        path = file_of(tmp_path, "set.csv", TABLE)
        items = load_golden(path).golden.items
        export = [{"id": item.id, **item.inputs, "label": item.label, "label_new": "1", "note": ""} for item in items]
        write_csv(tmp_path / "out.csv", ["id", "question", "answer", "label", "label_new", "note"], export)
        assert merge(path, tmp_path / "out.csv").labels == (("2", "0", "1"), ("3", None, "1"))

    def test_declared_labels_and_aliases_hold_for_new_labels(self, tmp_path: Path) -> None:
        path = file_of(tmp_path, "set.csv", "id;answer;label\n1;x;yes\n2;y;no\n")
        options = LoadOptions(scale="binary", labels=("no", "yes"), positive="yes", aliases={"ok": "yes"})
        result = merge(path, new_labels(tmp_path, "id,label_new\n2,OK\n"), options)
        assert result.path.read_bytes().startswith(b"id;answer;label\r\n1;x;yes\r\n2;y;yes\r\n")

    def test_another_encoding_becomes_utf_8_and_that_is_said(self, tmp_path: Path) -> None:
        path = tmp_path / "set.csv"
        path.write_bytes("id,answer,label\n1,año,1\n2,y,0\n".encode("latin-1"))
        options = LoadOptions(encoding="latin-1")
        result = merge(path, new_labels(tmp_path, "id,label_new\n2,1\n"), options)
        assert "the new version is UTF-8" in result.messages[-1]
        assert load_golden(result.path).golden.items[0].inputs["answer"] == "año"
        assert load_golden(result.path, options).golden.items[0].inputs["answer"] == "año"

    def test_a_parquet_set_is_refused(self, tmp_path: Path) -> None:
        pyarrow = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        parquet.write_table(pyarrow.table({"id": ["1"], "answer": ["x"], "label": [1]}), tmp_path / "set.parquet")
        labels = new_labels(tmp_path, "id,label_new\n1,0\n")
        assert "save it as JSON Lines" in refusal(tmp_path / "set.parquet", labels)


class TestJson:
    def test_types_and_missing_keys_stay(self, tmp_path: Path) -> None:
        path = file_of(
            tmp_path,
            "set.jsonl",
            '{"id": 1, "answer": "ñ", "label": 1, "tags": ["a"]}\n\n{"label": null, "id": "2", "answer": "y"}\n'
            '{"id": 3, "answer": "z", "label": 0}\n',
        )
        result = merge(path, new_labels(tmp_path, "id,label_new,note\n1,0,\n2,1,why\n"))
        assert [json.loads(line) for line in result.path.read_text(encoding="utf-8").splitlines()] == [
            {"id": 1, "answer": "ñ", "label": 0, "tags": ["a"]},
            {"label": 1, "id": "2", "answer": "y", "note": "why"},
            {"id": 3, "answer": "z", "label": 0},
        ]

    def test_booleans_stay_booleans_and_words_words(self, tmp_path: Path) -> None:
        path = file_of(tmp_path, "set.jsonl", '{"id": 1, "answer": "a", "label": true}\n')
        result = merge(path, new_labels(tmp_path, "id,label_new\n1,0\n"))
        assert json.loads(result.path.read_text())["label"] is False

    def test_what_surrounds_the_array_stays(self, tmp_path: Path) -> None:
        text = '{"version": 3, "items": [{"id": 1, "answer": "x", "label": 1}], "by": "us"}'
        result = merge(file_of(tmp_path, "set.json", text), new_labels(tmp_path, "id,label_new\n1,0\n"))
        assert json.loads(result.path.read_text()) == {
            "version": 3,
            "items": [{"id": 1, "answer": "x", "label": 0}],
            "by": "us",
        }


class TestFolder:
    CARD = '# Two experts.\nname = "s"\nscale = "binary"\nlabels = [0, 1]\npositive = 1\nprovenance = "Made by hand."\n'

    def folder(self, tmp_path: Path, card: str, table: str) -> Path:
        folder = tmp_path / "s"
        folder.mkdir()
        file_of(folder, "card.toml", card)
        file_of(folder, "items.csv", table)
        return folder

    def merged(self, folder: Path, labels: str, options: LoadOptions | None = None) -> MergeResult:
        return merge(folder, new_labels(folder.parent, labels), options)

    def test_card_and_table_go_into_a_new_folder(self, tmp_path: Path) -> None:
        folder = self.folder(tmp_path, self.CARD, TABLE)
        result = self.merged(folder, "id,label_new,note\n2,1,so\n")
        assert result.path == tmp_path / "s.v2"
        assert sorted(each.name for each in tmp_path.iterdir()) == ["labels.csv", "s", "s.v2"]
        assert (folder / "items.csv").read_text() == TABLE
        assert (folder / "card.toml").read_text() == self.CARD
        again = load_golden(result.path).golden
        assert again.provenance == "Made by hand. 1 label and 1 note taken in from labels.csv."
        assert "# Two experts." in (result.path / "card.toml").read_text()
        assert self.merged(result.path, "id,label_new\n2,0\n").path == tmp_path / "s.v3"

    def test_labels_win_over_a_majority_of_raters_and_the_card_says_so(self, tmp_path: Path) -> None:
        table = "id,answer,rater_a,rater_b,rater_c\n1,x,1,1,0\n2,y,1,0,\n3,z,0,0,0\n"
        folder = self.folder(tmp_path, self.CARD, table)
        result = self.merged(folder, "id,label_new\n1,0\n")
        assert gold(result.path) == {("1", "quality"): "0", ("2", "quality"): None, ("3", "quality"): "0"}
        again = load_golden(result.path).golden
        assert again.items[0].ratings == {"rater_a": "1", "rater_b": "1", "rater_c": "0"}
        assert again.gold == "as given, beside 3 raters"
        assert "The other labels: majority of 3 raters." in again.provenance
        assert "column 'label' now holds every gold label and decides" in result.messages[-1]

    def test_a_note_alone_leaves_the_majority_as_it_is(self, tmp_path: Path) -> None:
        table = "id,answer,rater_a,rater_b\n1,x,1,1\n2,y,1,0\n"
        result = self.merged(self.folder(tmp_path, self.CARD, table), "id,label_new,note\n1,,clear\n")
        assert load_golden(result.path).golden.gold == "majority of 2 raters"
        assert rows(result.path / "items.csv")[0].keys() == {"id", "answer", "rater_a", "rater_b", "note"}

    def test_labels_side_by_side(self, tmp_path: Path) -> None:
        card = self.CARD + (
            '[dimensions.a]\nlabel = "la"\n'
            '[dimensions.b]\nraters = ["r1", "r2"]\nlabels = ["lo", "hi"]\npositive = "hi"\n'
        )
        folder = self.folder(tmp_path, card, "id,answer,la,r1,r2\n1,x,1,hi,hi\n2,y,0,lo,hi\n")
        assert "several dimensions (a, b)" in refusal(folder, new_labels(tmp_path, "id,label_new\n1,0\n"))
        labels = "id,dimension,label_new,note\n1,a,0,for a\n2,b,LO,for b\n2,a,,too\n"
        result = self.merged(folder, labels, LoadOptions(dimension="a"))
        assert gold(result.path) == {("1", "a"): "0", ("1", "b"): "hi", ("2", "a"): "0", ("2", "b"): "lo"}
        notes = {(item.id, item.dimension): item.note for item in load_golden(result.path).golden.items}
        assert notes == {("1", "a"): "for a", ("1", "b"): "", ("2", "a"): "too", ("2", "b"): "for b"}

    def test_a_dimension_column(self, tmp_path: Path) -> None:
        table = "id,dimension,answer,label\n1,a,x,1\n1,b,x,0\n2,b,y,1\n"
        folder = self.folder(tmp_path, self.CARD, table)
        result = self.merged(folder, "id,dimension,label_new\n1,b,1\n2,,0\n")
        assert gold(result.path) == {("1", "a"): "1", ("1", "b"): "1", ("2", "b"): "0"}
        assert "no item '2' in dimension 'a'" in refusal(
            folder, new_labels(tmp_path, "id,dimension,label_new\n2,a,1\n")
        )

    def test_a_folder_without_a_card_gets_one(self, tmp_path: Path) -> None:
        folder = self.folder(tmp_path, self.CARD, "id,answer,label\n1,x,1\n2,y,0\n")
        (folder / "card.toml").unlink()
        result = self.merged(folder, "id,label_new\n1,0\n")
        assert load_golden(result.path).golden.provenance == "1 label and 0 notes taken in from labels.csv."
