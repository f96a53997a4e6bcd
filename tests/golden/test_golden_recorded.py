"""Recorded verdicts: labels as declared, unscored with a reason, nothing cast and nothing dropped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.domain import Scale, Scored, Unscored
from calibrate.errors import InputError
from calibrate.golden import Recorded, RecordedOptions, load_recorded
from calibrate.golden.pass_rules import parse_pass_rule


def csv_of(folder: Path, text: str) -> Path:
    path = folder / "verdicts.csv"
    path.write_text(text, encoding="utf-8")
    return path


def json_of(folder: Path, rows: list[dict[str, object]]) -> Path:
    path = folder / "verdicts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def refusal(path: Path, options: RecordedOptions | None = None) -> str:
    with pytest.raises(InputError) as caught:
        load_recorded(path, options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def stated(recorded: Recorded, judge: str) -> list[str | None]:
    return [verdict.label if isinstance(verdict, Scored) else None for verdict in recorded.verdicts[judge]]


BINARY = Scale("binary", ("0", "1"), "1")


class TestVerdicts:
    def test_every_kind_of_cell(self, tmp_path: Path) -> None:
        cells = ["1", "0.", '"Yes"', "", "CANNOT_ASSESS", "refused", "Error", "truncated", "abstained", "invalid", "7"]
        lines = "\n".join(f"{n},1,{cell}" for n, cell in enumerate(cells))
        recorded = load_recorded(
            csv_of(tmp_path, f"id,human,judge\n{lines}\n"), RecordedOptions(scale="binary", labels=("0", "1"))
        )
        assert recorded.verdicts["judge"] == (
            Scored("1"),
            Scored("0"),
            Unscored("invalid", "Yes"),
            Unscored("invalid", "empty"),
            Unscored("abstained", "as recorded"),
            Unscored("refused", "as recorded"),
            Unscored("error", "as recorded"),
            Unscored("truncated", "as recorded"),
            Unscored("abstained", "as recorded"),
            Unscored("invalid", "as recorded"),
            Unscored("invalid", "7"),
        )

    def test_a_declared_label_comes_before_a_reason(self, tmp_path: Path) -> None:
        path = csv_of(tmp_path, "id,human,judge\n1,valid,invalid\n2,invalid,valid\n")
        assert stated(load_recorded(path, RecordedOptions(positive="valid")), "judge") == ["invalid", "valid"]

    def test_objects_are_not_parsed_and_types_are_not_confused(self, tmp_path: Path) -> None:
        rows: list[dict[str, object]] = [
            {"id": 1, "label": 1, "judge": {"label": 1}},
            {"id": 2, "label": True, "judge": [1]},
            {"id": 3, "label": 0, "judge": False},
            {"id": 4, "label": "0", "judge": 1.0},
            {"id": 5, "label": 0.0},
        ]
        recorded = load_recorded(json_of(tmp_path, rows))
        assert recorded.human == ("1", "1", "0", "0", "0")
        assert recorded.verdicts["judge"] == (
            Unscored("invalid", '{"label": 1}'),
            Unscored("invalid", "[1]"),
            Scored("0"),
            Scored("1"),
            Unscored("invalid", "empty"),
        )

    def test_a_long_reply_is_shown_shortened(self, tmp_path: Path) -> None:
        recorded = load_recorded(csv_of(tmp_path, f"id,human,judge\n1,1,{'x' * 500}\n2,0,1\n"))
        (verdict, _) = recorded.verdicts["judge"]
        assert isinstance(verdict, Unscored)
        assert len(verdict.detail) == 80

    def test_reasons_are_found_or_named(self, tmp_path: Path) -> None:
        path = csv_of(tmp_path, "id,human,judge_x,judge_x_reason,why\n1,1,1,fine,because\n2,0,,none,since\n")
        assert load_recorded(path).verdicts["judge_x"][0] == Scored("1", "fine")
        named = load_recorded(path, RecordedOptions(reason="why"))
        assert named.verdicts["judge_x"] == (Scored("1", "because"), Unscored("invalid", "empty"))
        several = csv_of(tmp_path, "id,human,judge_x,judge_y,why\n1,1,1,0,because\n2,0,0,0,x\n")
        assert "one reason column for several judges" in refusal(several, RecordedOptions(reason="why"))

    @given(labels=st.lists(st.sampled_from(["0", "1", " 1", "0.0", "**1**", "x", ""]), min_size=1, max_size=20))
    def test_each_cell_reads_the_same_wherever_it_stands(
        self, tmp_path_factory: pytest.TempPathFactory, labels: list[str]
    ) -> None:
        lines = "\n".join(f"{n},{n % 2},{label}" for n, label in enumerate(labels))
        path = csv_of(tmp_path_factory.mktemp("r"), f"id,human,judge\n{lines}\n")
        options = RecordedOptions(scale="binary", labels=("0", "1"))
        meaning = {"0": "0", "1": "1", " 1": "1", "0.0": "0", "**1**": "1"}
        assert stated(load_recorded(path, options), "judge") == [meaning.get(label) for label in labels]


class TestScale:
    @pytest.mark.parametrize(
        ("human", "scale"),
        [(("0", "1"), BINARY), (("A", "B"), Scale("pairwise", ("A", "B", "tie"))), (("true", "false"), BINARY)],
    )
    def test_deduced_from_the_human_labels(self, tmp_path: Path, human: tuple[str, str], scale: Scale) -> None:
        recorded = load_recorded(csv_of(tmp_path, f"id,human,judge\n1,{human[0]},x\n2,{human[1]},y\n"))
        assert recorded.scales == {"quality": scale}

    def test_others_are_asked_for(self, tmp_path: Path) -> None:
        path = csv_of(tmp_path, "id,human,judge\n1,good,good\n2,bad,bad\n3,bad,good\n")
        assert "labels found: good (1), bad (2)" in refusal(path)
        assert refusal(path).endswith(": --scale binary --labels good,bad --positive bad")
        assert load_recorded(path, RecordedOptions(positive="good")).scales["quality"].positive == "good"

    def test_a_human_column_that_is_not_there_is_named_by_its_option(self, tmp_path: Path) -> None:
        path = csv_of(tmp_path, "id,human,judge\n1,1,1\n")
        assert "field '--human': no column 'nope'; the table has" in refusal(path, RecordedOptions(human="nope"))

    def test_a_human_label_outside_the_set_is_refused_by_row(self, tmp_path: Path) -> None:
        path = csv_of(tmp_path, "id,human,judge\n1,1,1\n2,maybe,1\n")
        message = refusal(path, RecordedOptions(scale="binary", labels=("0", "1")))
        assert "row 2, field 'human': 'maybe' is not a label; expected 0, 1" in message

    def test_aliases_in_all_columns_and_in_one(self, tmp_path: Path) -> None:
        path = csv_of(tmp_path, "id,human,judge_a,judge_b\n1,1,good,5\n2,0,bad,1\n3,0,x:y,5\n")
        aliases = {"good": "1", "bad": "0", "judge_b:5": "1", "judge_b:1": "0", "x:y": "0"}
        recorded = load_recorded(path, RecordedOptions(aliases=aliases))
        assert stated(recorded, "judge_a") == ["1", "0", "0"]
        assert stated(recorded, "judge_b") == ["1", "0", "1"]

    def test_scores(self, tmp_path: Path) -> None:
        path = csv_of(tmp_path, "id,human,judge\n1,0.25,0.9\n2,1,x\n")
        recorded = load_recorded(path, RecordedOptions(scale="interval", threshold=0.5))
        assert recorded.human == ("0.25", "1.0")
        assert stated(recorded, "judge") == ["0.9", None]


class TestNumbersForLabels:
    SCORES = "id,human,judge_x,judge_y\n1,1,0.9,0.2\n2,0,0.5,1\n3,0,x,\n"

    def test_a_fraction_is_never_cast(self, tmp_path: Path) -> None:
        message = refusal(csv_of(tmp_path, self.SCORES))
        assert "row 1, field 'judge_x': 0.9 is no label (0, 1)" in message
        assert '--pass-if "judge_x >= 0.5"' in message

    def test_a_rule_for_every_judge(self, tmp_path: Path) -> None:
        recorded = load_recorded(csv_of(tmp_path, self.SCORES), RecordedOptions(pass_if=("score > 0.5",)))
        assert stated(recorded, "judge_x") == ["1", "0", None]
        assert stated(recorded, "judge_y") == ["0", "1", None]
        assert recorded.verdicts["judge_x"][2] == Unscored("invalid", "x")
        assert recorded.verdicts["judge_y"][2] == Unscored("invalid", "empty")

    def test_a_rule_of_its_own_comes_first(self, tmp_path: Path) -> None:
        rules = ("score >= 0.5", "judge_y < 0.5")
        recorded = load_recorded(csv_of(tmp_path, self.SCORES), RecordedOptions(pass_if=rules))
        assert stated(recorded, "judge_x") == ["1", "1", None]
        assert stated(recorded, "judge_y") == ["1", "0", None]

    def test_a_rule_for_the_human_column(self, tmp_path: Path) -> None:
        path = csv_of(tmp_path, "id,stars,judge\n1,5,1\n2,2,0\n3,,1\n")
        recorded = load_recorded(path, RecordedOptions(human="stars", pass_if=("stars >= 4",)))
        assert (recorded.human, recorded.scales["quality"]) == (("1", "0", None), BINARY)
        path = csv_of(tmp_path, "id,stars,judge\n1,5,1\n2,two,0\n")
        assert "row 2, field 'stars': 'two' is not a number" in refusal(
            path, RecordedOptions(human="stars", pass_if=("stars >= 4",))
        )

    def test_a_column_called_score_is_meant_itself(self, tmp_path: Path) -> None:
        path = csv_of(tmp_path, "id,human,score\n1,1,0.9\n2,0,0.1\n")
        assert stated(load_recorded(path, RecordedOptions(pass_if=("score >= 0.5",))), "score") == ["1", "0"]

    def test_a_rule_names_a_judge_that_has_no_usual_name(self, tmp_path: Path) -> None:
        path = csv_of(tmp_path, "id,human,rating\n1,1,8\n2,0,3\n")
        assert stated(load_recorded(path, RecordedOptions(pass_if=("rating >= 5",))), "rating") == ["1", "0"]
        options = RecordedOptions(judges=("rating",), pass_if=("id >= 5",))
        assert "column 'id' is neither the human column nor a judge" in refusal(path, options)

    def test_the_words_pass_and_fail_are_the_declared_labels(self, tmp_path: Path) -> None:
        path = csv_of(tmp_path, "id,human,judge\n1,good,0.9\n2,bad,0.1\n")
        options = RecordedOptions(positive="bad", pass_if=("judge <= 0.5",))
        assert stated(load_recorded(path, options), "judge") == ["good", "bad"]

    def test_only_binary_labels_can_pass(self, tmp_path: Path) -> None:
        path = csv_of(tmp_path, "id,human,judge\n1,A,0.9\n2,B,0.1\n")
        assert "these are pairwise" in refusal(path, RecordedOptions(pass_if=("score >= 0.5",)))

    @pytest.mark.parametrize("rule", ["score", "score >=", ">= 0.5", "score => 0.5", "score >= high", "score != 1", ""])
    def test_what_is_no_rule(self, rule: str) -> None:
        with pytest.raises(InputError, match="is no rule; write it like"):
            parse_pass_rule(rule)

    @pytest.mark.parametrize(
        ("rule", "passing"),
        [
            ("s>=2", {2, 3}),
            ("s > 2", {3}),
            ("s<=2", {1, 2}),
            (" s < 2 ", {1}),
            ("s == 2", {2}),
            ("my col >= -1", {1, 2, 3}),
        ],
    )
    def test_the_operators(self, rule: str, passing: set[int]) -> None:
        assert {value for value in (1, 2, 3) if parse_pass_rule(rule).passes(value)} == passing
        assert parse_pass_rule(rule).passes("none") is None


class TestColumns:
    def test_usual_names_are_found_and_said(self, tmp_path: Path) -> None:
        recorded = load_recorded(
            csv_of(tmp_path, "ID,Etiqueta,Verdict,judge_b,judge_b_raw\nq,1,1,0,zero\nr,0,1,0,zero\n")
        )
        assert recorded.judges == ("Verdict", "judge_b")
        assert recorded.ids == ("q", "r")
        assert recorded.messages[0] == "columns: human <- Etiqueta; judges Verdict, judge_b"

    def test_a_column_that_is_a_judge_by_its_name_only_is_left_out_and_said(self, tmp_path: Path) -> None:
        path = csv_of(tmp_path, "id,human,judge_x,judge_x_score,judge_model\n1,1,1,0.9,m\n2,0,0,0.2,m\n")
        recorded = load_recorded(path)
        assert recorded.judges == ("judge_x",)
        for name in ("judge_x_score", "judge_model"):
            assert f"column '{name}' holds no labels, left out; to use it name it with --judge" in recorded.messages
        assert "0.9 is no label" in refusal(path, RecordedOptions(judges=("judge_x", "judge_x_score")))

    def test_a_silent_judge_stays(self, tmp_path: Path) -> None:
        recorded = load_recorded(csv_of(tmp_path, "id,human,judge_x,judge_y\n1,1,1,\n2,0,0,\n"))
        assert recorded.verdicts["judge_y"] == (Unscored("invalid", "empty"),) * 2

    def test_a_judge_of_other_words_stays_and_the_way_out_is_said(self, tmp_path: Path) -> None:
        recorded = load_recorded(csv_of(tmp_path, "id,human,judge\n1,1,good\n2,0,bad\n"))
        assert stated(recorded, "judge") == [None, None]
        assert "--map WORD=LABEL" in recorded.messages[-1]

    def test_missing_columns_are_refused_with_the_option_to_give(self, tmp_path: Path) -> None:
        assert "--human NAME" in refusal(csv_of(tmp_path, "id,judge\n1,1\n"))
        assert "--judge NAME" in refusal(csv_of(tmp_path, "id,human\n1,1\n"))
        assert "no column 'x'" in refusal(csv_of(tmp_path, "id,human,judge\n1,1,1\n"), RecordedOptions(judges=("x",)))
        assert "'human' and 'label' could both be the label" in refusal(csv_of(tmp_path, "human,label,judge\n1,1,1\n"))

    def test_verdicts_on_unlabelled_data(self, tmp_path: Path) -> None:
        path = csv_of(tmp_path, "id,judge\n1,1\n2,0\n")
        recorded = load_recorded(path, RecordedOptions(scale="binary", labels=("0", "1"), needs_human=False))
        assert (recorded.human, recorded.unlabelled) == ((None, None), 2)

    def test_dimensions_groups_slices_and_runs(self, tmp_path: Path) -> None:
        text = "id,dimension,doc,lang,run,human,judge\n1,a,d1,es,1,1,1\n1,a,d1,es,2,1,0\n1,b,d1,,1,0,0\n2,a,,en,1,,1\n"
        options = RecordedOptions(group="doc", by=("lang", "dimension"), run="run")
        recorded = load_recorded(csv_of(tmp_path, text), options)
        assert recorded.dimensions == ("a", "a", "b", "a")
        assert recorded.groups == ("d1", "d1", "d1", None)
        assert recorded.slices == {"lang": ("es", "es", None, "en")}
        assert recorded.runs == ("1", "2", "1", "1")
        assert recorded.scales == {"a": BINARY, "b": BINARY}
        only = load_recorded(csv_of(tmp_path, text), RecordedOptions(dimension="b", run="run"))
        assert (only.rows, only.dimensions) == ((3,), ("b",))
        assert "no row of dimension 'c'; the table has a, b" in refusal(
            csv_of(tmp_path, text), RecordedOptions(dimension="c", run="run")
        )

    def test_rows_without_a_human_label_are_counted_and_can_be_left_out(self, tmp_path: Path) -> None:
        recorded = load_recorded(
            csv_of(tmp_path, "id,human,judge,source\n1,1,1,x\n2,,0,y\n3,0,0,x\n"), RecordedOptions(by=("source",))
        )
        assert (recorded.human, recorded.unlabelled) == (("1", None, "0"), 1)
        assert "1 row without a human label, left out: 2" in recorded.messages
        labelled = recorded.labelled()
        assert (labelled.ids, labelled.rows, labelled.human, labelled.unlabelled) == (("1", "3"), (1, 3), ("1", "0"), 0)
        assert labelled.slices == {"source": ("x", "x")}
        assert len(labelled.verdicts["judge"]) == len(labelled.dimensions) == len(labelled.groups) == 2

    def test_a_repeated_id_is_refused_unless_a_run_tells_it_apart(self, tmp_path: Path) -> None:
        path = csv_of(tmp_path, "id,run,human,judge\nq,1,1,1\nr,1,0,1\nq,2,1,0\nq,2,1,1\n")
        assert "id 'q' appears twice, in rows 1 and 3; if these are repeats, name their column with --run" in refusal(
            path
        )
        assert "in rows 3 and 4; within one run" in refusal(path, RecordedOptions(run="run"))

    def test_without_ids_rows_are_numbered(self, tmp_path: Path) -> None:
        rows: list[dict[str, object]] = [{"label": 1, "judge": 1}, {"label": 0, "judge": 1}]
        assert load_recorded(json_of(tmp_path, rows)).ids == ("1", "2")
        assert "row 2, field 'id': no id" in refusal(json_of(tmp_path, [{"id": 1, **rows[0]}, {"id": None, **rows[1]}]))


def test_without_human_labels_the_raters_are_named_and_what_to_do(tmp_path: Path) -> None:
    path = csv_of(tmp_path, "id,rater_ana,rater_ben,judge\n1,1,0,1\n2,0,0,1\n3,1,1,1\n")
    said = refusal(path)
    assert "raters' (rater_ana, rater_ben)" in said
    assert "--human rater_ana, or add a column 'label'" in said
    assert load_recorded(path, RecordedOptions(human="rater_ana")).human == ("1", "0", "1")
    alone = refusal(csv_of(tmp_path, "id,rater_ana,rater_ben\n1,1,0\n2,0,0\n"))
    assert "--human rater_ana --judge NAME" in alone


def test_a_table_without_labels_or_verdicts_is_told_its_columns(tmp_path: Path) -> None:
    assert "the table has id, score, judge; name it with --human NAME" in refusal(
        csv_of(tmp_path, "id,score,judge\n1,1,0\n")
    )
    assert "the table has id, label, opinion; name it with --judge NAME" in refusal(
        csv_of(tmp_path, "id,label,opinion\n1,1,0\n")
    )


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (("0", "1", "1"), "it holds only 0 and 1: is it a probability, or a label?"),
        (("1", "1.0", ""), "it holds only 1: is it a probability, or a label?"),
        (("0", "1", "0.9"), None),
        (("", "", ""), None),
    ],
)
def test_a_confidence_of_only_0_and_1_is_questioned(tmp_path: Path, cells: tuple[str, ...], said: str | None) -> None:
    rows = "".join(f"{n},{n % 2},1,{cell}\n" for n, cell in enumerate(cells))
    path = csv_of(tmp_path, f"id,label,judge,sure\n{rows}")
    messages = load_recorded(path, RecordedOptions(confidence_column="sure")).messages
    (message,) = [each for each in messages if each.startswith("confidence of 'judge' <- sure")]
    assert message == f"confidence of 'judge' <- sure{'' if said is None else f'; {said}'}"
