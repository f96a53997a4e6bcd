"""Golden sets: from a folder with a card, a file with options, or the package's own sets."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibrate.domain import Scale
from calibrate.errors import InputError
from calibrate.golden import LoadedSet, LoadOptions, builtin_sets, check, load_golden
from calibrate.golden import locate as locate_module

BINARY = Scale("binary", ("0", "1"), "1")


def folder_set(folder: Path, card: str, table: str, name: str = "items.csv") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "card.toml").write_text(card, encoding="utf-8")
    (folder / name).write_text(table, encoding="utf-8")
    return folder


def file_set(folder: Path, table: str | list[dict[str, object]], name: str = "items.csv") -> Path:
    path = folder / name
    if isinstance(table, list):
        path = path.with_suffix(".jsonl")
        table = "".join(json.dumps(row) + "\n" for row in table)
    path.write_text(table, encoding="utf-8")
    return path


def labels(loaded: LoadedSet) -> dict[tuple[str, str], str | None]:
    return {(item.id, item.dimension): item.label for item in loaded.golden.items}


def refusal(path: Path, options: LoadOptions | None = None) -> str:
    with pytest.raises(InputError) as caught:
        load_golden(path, options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


class TestItems:
    def test_roles_note_group_and_attributes(self, tmp_path: Path) -> None:
        text = "id,prompt,response,critique,doc,source,label\n1,q,a,too long,d1,web,1\n2,q,b,,,,0\n"
        loaded = load_golden(file_set(tmp_path, text), LoadOptions(group="doc"))
        first, second = loaded.golden.items
        assert first.inputs == {"question": "q", "answer": "a"}
        assert (first.note, first.group, first.attributes, first.row) == ("too long", "d1", {"source": "web"}, 1)
        assert (second.note, second.group, second.attributes, second.row) == ("", None, {}, 2)
        assert "columns: id, question <- prompt, answer <- response, note <- critique, label" in loaded.messages

    def test_inputs_that_are_not_text_become_their_json_text(self, tmp_path: Path) -> None:
        rows: list[dict[str, object]] = [
            {"id": 1, "answer": False, "context": ["a", 7, None], "label": 1},
            {"id": 2, "answer": {"k": "ñ"}, "context": [], "label": 0},
            {"id": 3, "answer": 1.5, "label": 0},
        ]
        loaded = load_golden(file_set(tmp_path, rows))
        assert [item.inputs["answer"] for item in loaded.golden.items] == ["false", '{"k": "ñ"}', "1.5"]
        assert [item.inputs["context"] for item in loaded.golden.items] == [("a", "7", ""), (), ""]
        assert loaded.empty_inputs == (("2", "context"), ("3", "context"))

    def test_an_input_that_is_null_throughout_is_none_unless_asked_for(self, tmp_path: Path) -> None:
        rows: list[dict[str, object]] = [
            {"id": 1, "dimension": "a", "question": "q", "context": None, "answer": "x", "label": 1},
            {"id": 2, "dimension": "b", "question": None, "context": None, "answer": "x", "label": 1},
        ]
        path = file_set(tmp_path, rows)
        loaded = load_golden(path)
        assert [list(item.inputs) for item in loaded.golden.items] == [["question", "answer"], ["answer"]]
        assert "context is null in every row: not an input there" in loaded.messages
        assert "question is null in every row of b: not an input there" in loaded.messages
        assert loaded.empty_inputs == ()
        asked = load_golden(path, LoadOptions(inputs=("answer", "context")))
        assert [list(item.inputs) for item in asked.golden.items] == [["answer", "context"]] * 2

    def test_declared_inputs_may_be_any_columns_and_keep_their_order(self, tmp_path: Path) -> None:
        path = file_set(tmp_path, "id,Política de uso,respuesta,extra,label\n1,p,a,e,1\n2,p,b,e,0\n")
        loaded = load_golden(path, LoadOptions(inputs=("answer", "Política de uso")))
        assert loaded.golden.items[0].inputs == {"answer": "a", "Política_de_uso": "p"}
        assert loaded.golden.items[0].attributes == {"extra": "e"}

    def test_a_table_without_inputs_is_refused(self, tmp_path: Path) -> None:
        assert "--column answer=NAME" in refusal(file_set(tmp_path, "id,text,label\n1,x,1\n"))

    def test_ids_are_text_as_it_stands(self, tmp_path: Path) -> None:
        rows: list[dict[str, object]] = [
            {"id": each, "answer": "x", "label": 1} for each in (7, "007", 7.5, "7 ", True)
        ]
        loaded = load_golden(file_set(tmp_path, rows))
        assert [item.id for item in loaded.golden.items] == ["7", "007", "7.5", "7 ", "true"]

    def test_a_missing_id_is_refused_by_row(self, tmp_path: Path) -> None:
        assert "row 2, field 'id': no id" in refusal(file_set(tmp_path, "id,answer,label\n1,x,1\n,y,0\n"))

    def test_the_same_number_and_text_are_one_id(self, tmp_path: Path) -> None:
        rows: list[dict[str, object]] = [{"id": 1, "answer": "x", "label": 1}, {"id": "1", "answer": "y", "label": 0}]
        assert "id '1' appears twice, in rows 1 and 2" in refusal(file_set(tmp_path, rows))

    def test_without_an_id_column_ids_come_from_the_content(self, tmp_path: Path) -> None:
        rows = ["x,1", "y,0", "x,0"]
        first = load_golden(file_set(tmp_path, "answer,label\n" + "\n".join(rows) + "\n"))
        other = load_golden(file_set(tmp_path, "answer,label\n" + "\n".join(rows[1:]) + "\n", "other.csv"))
        ids = [item.id for item in first.golden.items]
        assert len(set(ids)) == 3
        assert ids[2] == f"{ids[0]}-2"
        assert [item.id for item in other.golden.items] == [ids[1], ids[0]]

    def test_rows_without_any_content_are_left_out_and_said(self, tmp_path: Path) -> None:
        loaded = load_golden(file_set(tmp_path, "id,answer,label\n1,x,1\n,,\n2,y,0\n,,\n"))
        assert [item.row for item in loaded.golden.items] == [1, 3]
        assert "2 rows without any content, left out" in loaded.messages

    @settings(max_examples=30)
    @given(
        ids=st.lists(st.text("q01-ñ '=", min_size=1).filter(str.strip), min_size=1, max_size=6, unique=True),
        data=st.data(),
    )
    def test_ids_survive_and_the_order_of_rows_does_not_change_the_digest(
        self, tmp_path_factory: pytest.TempPathFactory, ids: list[str], data: st.DataObject
    ) -> None:
        folder = tmp_path_factory.mktemp("sets")
        rows: list[dict[str, object]] = [
            {"id": each, "answer": f"answer {n}", "label": n % 2, "doc": f"d{n % 3}"} for n, each in enumerate(ids)
        ]
        loaded = load_golden(file_set(folder, rows))
        shuffled = load_golden(file_set(folder, data.draw(st.permutations(rows)), "shuffled.csv"))
        assert [item.id for item in loaded.golden.items] == ids
        assert shuffled.golden.digest == loaded.golden.digest


def test_spanish_columns_and_no_language_have_an_english_prompt_which_is_said(tmp_path: Path) -> None:
    table = "pregunta,respuesta,etiqueta\nq,x,1\nq,y,0\n"

    def said(path: Path, options: LoadOptions | None = None) -> list[str]:
        return [each for each in load_golden(path, options).messages if "--language es" in each]

    (message,) = said(file_set(tmp_path, table))
    assert message.startswith(
        "Spanish column names (etiqueta, pregunta, respuesta) and no language: the default prompt"
    )
    assert said(tmp_path / "items.csv", LoadOptions(language="es")) == []
    assert said(folder_set(tmp_path / "set", 'language = "en"\n', table)) == []
    assert said(file_set(tmp_path, "question,answer,label\nq,x,1\nq,y,0\n")) == []


class TestDimensions:
    def test_the_usual_dimension_depends_on_the_context(self, tmp_path: Path) -> None:
        with_context = load_golden(file_set(tmp_path, "id,context,answer,label\n1,c,x,1\n2,c,y,0\n"))
        without = load_golden(file_set(tmp_path, "id,answer,label\n1,x,1\n2,y,0\n", "b.csv"))
        assert with_context.golden.dimensions == ("faithfulness",)
        assert without.golden.dimensions == ("quality",)
        assert "dimension: quality (none is named, and the set has no context)" in without.messages

    def test_a_dimension_column_and_one_wanted_dimension(self, tmp_path: Path) -> None:
        path = file_set(tmp_path, "id,dimension,answer,label\n1,tone,x,1\n1,depth,x,0\n2,tone,y,0\n")
        loaded = load_golden(path)
        assert labels(loaded) == {("1", "tone"): "1", ("1", "depth"): "0", ("2", "tone"): "0"}
        assert loaded.golden.scales == {"tone": BINARY, "depth": BINARY}
        only = load_golden(path, LoadOptions(dimension="tone"))
        assert labels(only) == {("1", "tone"): "1", ("2", "tone"): "0"}
        assert "1 row of other dimensions, left out" in only.messages
        assert "no items of dimension 'style'; the table has tone, depth" in refusal(
            path, LoadOptions(dimension="style")
        )

    def test_a_row_without_a_dimension_is_refused(self, tmp_path: Path) -> None:
        assert "row 1, field 'dimension'" in refusal(file_set(tmp_path, "id,dimension,answer,label\n1,,x,1\n"))

    def test_each_dimension_has_its_scale(self, tmp_path: Path) -> None:
        path = file_set(tmp_path, "id,dimension,answer_a,answer_b,label\n1,x,a,b,A\n2,x,a,b,B\n1,y,a,b,1\n2,y,a,b,0\n")
        assert [scale.kind for scale in load_golden(path).golden.scales.values()] == ["pairwise", "binary"]

    def test_a_scale_declared_once_has_the_labels_of_all_dimensions(self, tmp_path: Path) -> None:
        path = file_set(tmp_path, "id,dimension,answer,label\n1,x,a,good\n2,x,b,bad\n1,y,a,good\n2,y,b,good\n")
        scales = load_golden(path, LoadOptions(scale="binary", positive="good")).golden.scales
        assert scales["y"] == Scale("binary", ("bad", "good"), "good")

    def test_labels_side_by_side(self, tmp_path: Path) -> None:
        card = """
            name = "wide"
            [dimensions.faithful]
            label = "f"
            scale = "binary"
            labels = ["yes", "no"]
            positive = "yes"
            [dimensions.tone]
            raters = ["ana", "ben"]
            scale = "ordinal"
            labels = [1, 2, 3]
        """
        folder = folder_set(tmp_path / "wide", card, "id,answer,f,ana,ben\n1,x,yes,1,1\n2,y,No.,2,3\n")
        loaded = load_golden(folder)
        assert labels(loaded) == {
            ("1", "faithful"): "yes",
            ("1", "tone"): "1",
            ("2", "faithful"): "no",
            ("2", "tone"): None,
        }
        assert loaded.ties == ("2",)
        assert loaded.golden.gold == "faithful: as given; tone: majority of 2 raters"
        assert [item.attributes for item in loaded.golden.items] == [{}] * 4
        assert labels(load_golden(folder, LoadOptions(dimension="faithful"))).keys() == {
            ("1", "faithful"),
            ("2", "faithful"),
        }

    def test_what_a_dimensions_table_leaves_unsaid_is_as_for_the_set(self, tmp_path: Path) -> None:
        card = """
            scale = "binary"
            positive = "good"
            aliases = {fine = "good"}
            [dimensions.b]
            positive = "bad"
            [dimensions.c]
            scale = "interval"
            threshold = 0.5
        """
        table = "id,dimension,answer,label\n1,a,x,good\n2,a,y,bad\n1,b,x,fine\n2,b,y,bad\n1,c,x,0.7\n"
        scales = load_golden(folder_set(tmp_path / "s", card, table)).golden.scales
        assert (scales["a"].positive, scales["b"].positive) == ("good", "bad")
        assert scales["c"] == Scale("interval", threshold=0.5)

    def test_dimensions_that_cannot_be_told_apart_are_refused(self, tmp_path: Path) -> None:
        card = "[dimensions.a]\n[dimensions.b]\n"
        message = refusal(folder_set(tmp_path / "s", card, "id,answer,label\n1,x,1\n"))
        assert "dimensions a, b share one table without a dimension column" in message


class TestGold:
    TABLE = "id,answer,rater_1,rater_2,rater_3,final\n1,x,1,1,0,0\n2,y,1,0,,0\n3,z,,,,\n4,w,1,0,,\n"

    def test_the_majority_with_ties_left_out(self, tmp_path: Path) -> None:
        loaded = load_golden(file_set(tmp_path, self.TABLE))
        assert list(labels(loaded).values()) == ["1", None, None, None]
        assert (loaded.ties, loaded.unlabelled) == (("2", "4"), ("3",))
        assert loaded.golden.items[1].ratings == {"rater_1": "1", "rater_2": "0"}
        assert loaded.golden.gold == "majority of 3 raters"

    def test_the_adjudication_decides_ties_and_only_ties(self, tmp_path: Path) -> None:
        loaded = load_golden(file_set(tmp_path, self.TABLE), LoadOptions(adjudicated="final"))
        assert list(labels(loaded).values()) == ["1", "0", None, None]
        assert (loaded.ties, loaded.unlabelled) == (("4",), ("3",))
        assert loaded.golden.gold == "majority of 3 raters, ties adjudicated by 'final'"

    def test_more_votes_than_any_other_label_is_enough(self, tmp_path: Path) -> None:
        text = "id,answer,rater_1,rater_2,rater_3,rater_4\n1,x,a,a,b,c\n2,y,a,a,b,b\n3,z,c,b,a,\n"
        loaded = load_golden(file_set(tmp_path, text), LoadOptions(scale="nominal"))
        assert list(labels(loaded).values()) == ["a", None, None]

    def test_a_label_column_is_gold_as_given_and_ratings_are_kept(self, tmp_path: Path) -> None:
        loaded = load_golden(file_set(tmp_path, "id,answer,label,rater_1\n1,x,0,1\n2,y,,1\n"))
        assert list(labels(loaded).values()) == ["0", None]
        assert loaded.golden.raters == ("rater_1",)
        assert loaded.golden.gold == "as given, beside one rater"

    def test_an_empty_label_column_gives_way_to_the_raters(self, tmp_path: Path) -> None:
        loaded = load_golden(file_set(tmp_path, "id,answer,label,rater_1\n1,x,,1\n2,y,,0\n"))
        assert list(labels(loaded).values()) == ["1", "0"]
        assert loaded.golden.gold == "one rater"
        assert "column 'label' is empty: gold comes from the raters" in loaded.messages

    def test_scores_of_several_raters_are_averaged(self, tmp_path: Path) -> None:
        options = LoadOptions(scale="interval", threshold=0.5, raters=("x", "y"))
        loaded = load_golden(file_set(tmp_path, "id,answer,x,y\n1,a,0.2,0.8\n2,b,0.9,\n"), options)
        assert list(labels(loaded).values()) == ["0.5", "0.9"]
        assert loaded.golden.gold == "mean of 2 raters"

    def test_a_rating_outside_the_labels_is_refused_by_row_and_column(self, tmp_path: Path) -> None:
        path = file_set(tmp_path, "id,answer,rater_1,rater_2\n1,x,1,0\n2,y,1,2\n")
        assert "row 2, field 'rater_2': '2' is not a label; expected 0, 1" in refusal(
            path, LoadOptions(scale="binary", labels=("0", "1"))
        )

    def test_a_label_over_several_lines_is_refused_in_one(self, tmp_path: Path) -> None:
        path = file_set(tmp_path, 'id,answer,label\n1,x,1\n2,y,"not\nsure"\n')
        assert "'not sure' is not a label" in refusal(path, LoadOptions(scale="binary", labels=("0", "1")))

    def test_a_table_without_labels_is_refused_unless_none_are_needed(self, tmp_path: Path) -> None:
        path = file_set(tmp_path, "id,answer\n1,x\n2,y\n")
        assert "no column holds labels of quality" in refusal(path)
        options = LoadOptions(scale="binary", labels=("0", "1"), positive="1", needs_labels=False)
        loaded = load_golden(path, options)
        assert list(labels(loaded).values()) == [None, None]
        assert loaded.golden.gold == "none"


fragments = st.lists(
    st.one_of(
        st.sampled_from(
            ["id,answer,label\n", "1,x,1\n", '{"id": 1, "answer": "x", "label": 1}\n', "[", "]", '"', ";", "\t"]
        ),
        st.sampled_from(["\ufeff", "\x85", "\u2028", "'=x", "\\ud800", "{}", "null", "NaN", "1e999", "\r", "\n", ","]),
        st.text(max_size=3),
    ),
    max_size=12,
).map(lambda parts: "".join(parts).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".json", ".toml"])
@settings(max_examples=150)
@given(content=st.one_of(fragments, st.binary(max_size=40)))
def test_whatever_a_file_holds_it_loads_or_is_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, content: bytes
) -> None:
    folder = tmp_path_factory.mktemp("any", numbered=True)
    if suffix == ".toml":
        (folder / "card.toml").write_bytes(content)
        file_set(folder, "id,answer,label\n1,x,1\n")
        path = folder
    else:
        path = folder / f"set{suffix}"
        path.write_bytes(content)
    refused = None
    try:
        loaded = load_golden(path)
    except InputError as error:
        refused = str(error)
    if refused is None:
        assert loaded.golden.digest
        assert check(loaded)
    else:
        assert len(refused.splitlines()) == 1


class TestOptionsAndPlaces:
    CARD = 'name = "The set"\nscale = "binary"\npositive = "good"\nprovenance = "two experts"\nlanguage = "es"\n'
    TABLE = "id,answer,human\n1,x,good\n2,y,bad\n"

    def test_a_folder_with_a_card(self, tmp_path: Path) -> None:
        golden = load_golden(folder_set(tmp_path / "s", self.CARD, self.TABLE)).golden
        assert (golden.name, golden.language, golden.provenance) == ("The set", "es", "two experts")

    def test_options_override_the_card(self, tmp_path: Path) -> None:
        folder = folder_set(tmp_path / "s", self.CARD, self.TABLE)
        (folder / "card.toml").write_text('label = "human"\n' + self.CARD)
        golden = load_golden(folder, LoadOptions(positive="bad", language="en", dimension="tone", name="n")).golden
        assert (golden.scales["tone"].positive, golden.language, golden.name) == ("bad", "en", "n")

    def test_a_file_and_its_options_equal_the_folder_and_its_card(self, tmp_path: Path) -> None:
        folder = folder_set(tmp_path / "s", self.CARD, self.TABLE)
        loaded = load_golden(folder / "items.csv", LoadOptions(scale="binary", positive="good", name="The set"))
        assert loaded.golden.digest == load_golden(folder).golden.digest
        assert load_golden(folder / "items.csv", LoadOptions(positive="good")).golden.name == "items"

    def test_several_tables_need_a_name_and_it_stays_inside_the_folder(self, tmp_path: Path) -> None:
        folder = folder_set(tmp_path / "s", self.CARD, self.TABLE)
        (folder / "more.csv").write_text(self.TABLE)
        assert "the folder holds tables items.csv, more.csv" in refusal(folder)
        (folder / "card.toml").write_text('file = "more.csv"\n' + self.CARD)
        assert load_golden(folder).source.endswith("more.csv")
        (folder / "card.toml").write_text('file = "../s2.csv"\n' + self.CARD)
        assert "must lie inside the folder" in refusal(folder)
        (folder / "card.toml").write_text('file = "none.csv"\n' + self.CARD)
        assert "no file 'none.csv'" in refusal(folder)

    def test_a_folder_without_a_table(self, tmp_path: Path) -> None:
        assert "the folder holds no table" in refusal(tmp_path)

    def test_the_packages_own_sets_are_found_by_name(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        package = tmp_path / "site" / "calibrate"
        (package / "golden_sets").mkdir(parents=True)
        folder_set(package / "golden_sets" / "own_set", self.CARD, self.TABLE)
        monkeypatch.setattr(locate_module.calibrate, "__file__", str(package / "__init__.py"))
        assert builtin_sets() == {"own_set": package / "golden_sets" / "own_set"}
        assert len(load_golden("own_set").golden.items) == 2
        assert "sets that come with calibrate: own_set" in refusal(Path("other_set"))

    def test_every_set_beside_the_package_loads(self) -> None:
        for name in builtin_sets():
            assert load_golden(name).golden.labelled

    def test_a_large_set_is_the_same_in_any_order(self, tmp_path: Path) -> None:
        lines = [f"{n},answer {n},{'good' if n % 3 else 'bad'}" for n in range(2000)]
        path = file_set(tmp_path, "id,answer,label\n" + "\n".join(lines))
        random.Random(1).shuffle(lines)
        other = file_set(tmp_path, "id,answer,label\n" + "\n".join(lines), "other.csv")
        options = LoadOptions(positive="good")
        assert load_golden(path, options).golden.digest == load_golden(other, options).golden.digest


def test_a_shipped_bank_is_no_golden_set_and_says_what_it_is() -> None:
    assert "`calibrate rag check tienda_rag`" in refusal(Path("tienda_rag"))
