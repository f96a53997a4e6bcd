"""Files of other tools as recorded verdicts; the fixtures are what the tools wrote, trimmed (Langfuse: its schema)."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from calibrate.domain import Scored, Unscored
from calibrate.errors import InputError
from calibrate.golden import Recorded, RecordedOptions, load_recorded

DATA = Path(__file__).parent / "imported"


def load(name: str | Path, tool: str, **options: Any) -> Recorded:
    return load_recorded(DATA / name, RecordedOptions(from_tool=tool, **options))


def stated(recorded: Recorded, judge: str) -> list[str]:
    return [each.label if isinstance(each, Scored) else f"({each.reason})" for each in recorded.verdicts[judge]]


def refusal(name: str | Path, tool: str, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        load(name, tool, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def written(folder: Path, content: object, name: str = "results.json") -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def deepeval(folder: Path, *metrics: dict[str, Any], metadata: dict[str, Any] | None = None) -> Path:
    """A test run with one case for each metric's result."""
    cases = [
        {"name": f"case {number}", "metricsData": [{"name": "Tone", **each}], "metadata": {"human": number % 2}}
        for number, each in enumerate(metrics)
    ]
    cases[0]["metadata"] = {"human": 0, **(metadata or {})}
    return written(folder, {"testCases": cases})


class TestPromptfoo:
    def test_each_assertion_is_a_judge_and_a_grader_that_failed_is_an_error(self) -> None:
        recorded = load("promptfoo.json", "promptfoo")
        assert recorded.judges == ("long", "contains", "contains #2", "equals", "llm-rubric")
        assert recorded.ids == ("0/0", "0/1", "2/0", "2/1", "4/0", "4/1")
        assert recorded.human == ("1", "1", "0", "0", "1", "1")
        assert stated(recorded, "long") == ["1", "1", "0", "1", "(error)", "(error)"]
        assert stated(recorded, "llm-rubric") == ["(invalid)"] * 4 + ["(error)"] * 2

    def test_scores_reasons_and_what_was_judged_are_columns(self) -> None:
        recorded = load("promptfoo.json", "promptfoo", pass_if=("long score >= 0.2",), by=("prompt", "topic"))
        assert stated(recorded, "long score")[:4] == ["1", "1", "1", "1"]
        assert recorded.verdicts["long"][3] == Scored("1", reasoning="length 13")
        assert set(recorded.slices["prompt"]) == {"Say {{word}}", "Please say {{word}}"}
        assert any("--group test" in each for each in recorded.messages)

    def test_a_persons_grade_is_the_human_label_and_a_failed_provider_an_error(self, tmp_path: Path) -> None:
        def result(test: int, passed: bool, human: bool) -> dict[str, Any]:
            grades = [({"type": "llm-rubric"}, passed), ({"type": "human"}, human)]
            components = [{"pass": each, "score": 1, "reason": "r", "assertion": kind} for kind, each in grades]
            return {"testIdx": test, "gradingResult": {"componentResults": components}, "failureReason": 0}

        broken = {"testIdx": 2, "error": "timeout", "gradingResult": None, "success": False, "failureReason": 2}
        path = written(tmp_path, {"results": {"results": [result(0, True, True), result(1, True, False), broken]}})
        recorded = load(path, "promptfoo")
        assert recorded.human == ("1", "0", None)
        assert stated(recorded, "llm-rubric") == ["1", "1", "(error)"]

    def test_a_test_without_an_assertion_did_not_ask_for_its_verdict(self, tmp_path: Path) -> None:
        def result(test: int, metrics: list[str], *, broken: bool = False) -> dict[str, Any]:
            asserts = [{"type": "llm-rubric", "metric": each} for each in metrics]
            graded = [{"pass": True, "score": 1, "assertion": each} for each in asserts[:1]]
            return {
                "testIdx": test,
                "testCase": {"vars": {"human": 1}, "assert": [*asserts, {"type": "human"}]},
                "gradingResult": None if broken else {"componentResults": graded},
                "failureReason": 2 if broken else 0,
            }

        tests = [result(0, ["faith"]), result(1, ["rel", "faith"]), result(2, ["rel"], broken=True)]
        recorded = load(written(tmp_path, {"results": {"results": tests}}), "promptfoo")
        assert stated(recorded.asked_of("faith"), "faith") == ["1", "(invalid)"]  # the second was asked, in vain
        assert stated(recorded.asked_of("rel"), "rel") == ["1", "(error)"]
        assert recorded.asked_of("faith", "rel").ids == ("1",)
        assert "judge 'rel' was not asked on 1 of 3 rows, which do not count for it" in recorded.messages


def test_deepeval_success_is_the_verdict_and_an_error_is_none() -> None:
    recorded = load("deepeval.json", "deepeval", by=("topic",))
    assert recorded.ids == ("test_case_0", "test_case_1", "test_case_2", "test_case_3")
    assert stated(recorded, "Faithfulness") == ["1", "0", "1", "1"]
    assert stated(recorded, "Tone") == ["1", "0", "(error)", "1"]
    assert recorded.human == ("1", "0", "0", "1")


class TestInspect:
    def test_scorers_are_judges_epochs_are_runs_and_nan_is_no_verdict(self) -> None:
        recorded = load("inspect.json", "inspect")
        assert recorded.judges == ("match", "model_graded_qa")
        assert recorded.runs == ("1",) * 4 + ("2",) * 4
        assert stated(recorded, "model_graded_qa") == ["1", "0", "1", "(invalid)", "1", "0", "(error)", "1"]
        assert recorded.verdicts["model_graded_qa"][3] == Unscored("invalid", "P")
        assert recorded.asked == {}
        assert stated(load("inspect.json", "inspect", pass_if=("polite >= 0.5",)), "polite")[:4] == [
            "0",
            "1",
            "1",
            "(invalid)",
        ]

    def test_grades_as_recorded(self) -> None:
        recorded = load("inspect.json", "inspect", judges=("match value",), aliases={"C": "1", "I": "0"})
        assert stated(recorded, "match value") == ["1"] * 8

    def archive(self, folder: Path, method: int = zipfile.ZIP_DEFLATED) -> Path:
        path = folder / "log.eval"
        content = json.loads((DATA / "inspect.json").read_text())
        with zipfile.ZipFile(path, "w", method) as archive:
            archive.writestr("header.json", "{}")
            for sample in content["samples"]:
                archive.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))
        return path

    def test_an_archive_says_the_same(self, tmp_path: Path) -> None:
        recorded, same = load(self.archive(tmp_path), "inspect"), load("inspect.json", "inspect")
        assert (recorded.ids, recorded.human, recorded.verdicts) == (same.ids, same.human, same.verdicts)

    def test_archives_that_are_not_read(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = self.archive(tmp_path)
        packed = path.read_bytes()
        # The method of an entry is in two places; Python 3.14 reads Zstandard (93), nobody reads 97.
        other = packed.replace(
            b"PK\x01\x02\x14\x03\x14\x00\x00\x00\x08\x00", b"PK\x01\x02\x14\x03\x14\x00\x00\x00\x61\x00"
        )
        path.write_bytes(other)
        assert "inspect log convert --to json" in refusal(path, "inspect")
        path.write_bytes(packed[:200])
        assert "not a readable ZIP file" in refusal(path, "inspect")
        path.write_bytes(packed)
        monkeypatch.setattr("calibrate.golden.imports.inspect_logs.MAX_FILE", 100)
        assert "when unpacked" in refusal(path, "inspect")


class TestMlflow:
    def test_feedback_of_people_is_the_human_label_of_the_judge_of_its_name(self) -> None:
        recorded = load("mlflow.json", "mlflow", positive="yes")
        assert recorded.judges == ("correctness",)
        assert recorded.gold == "as given in column 'human correctness'"
        assert sorted(zip(recorded.human, stated(recorded, "correctness"), strict=True)) == [
            ("no", "(error)"),
            ("no", "no"),
            ("yes", "yes"),
            ("yes", "yes"),
        ]
        assert any(each == Scored("yes", reasoning="answer 1 says so") for each in recorded.verdicts["correctness"])

    def test_overridden_feedback_does_not_count_and_raters_who_tie_give_no_label(self, tmp_path: Path) -> None:
        def said(kind: str, value: str, *, valid: bool = True) -> dict[str, Any]:
            return {
                "assessment_name": "ok",
                "source": {"source_type": kind},
                "feedback": {"value": value},
                "valid": valid,
            }

        first = [said("LLM_JUDGE", "no", valid=False), said("LLM_JUDGE", "yes"), said("HUMAN", "yes")]
        second = [said("LLM_JUDGE", "no"), said("HUMAN", "yes"), said("HUMAN", "no")]
        third = [said("LLM_JUDGE", "no"), said("LLM_JUDGE", "yes"), said("HUMAN", "no")]
        traces = [{"trace_id": f"t{n}", "assessments": each} for n, each in enumerate((first, second, third))]
        recorded = load(written(tmp_path, traces), "mlflow", positive="yes")
        assert recorded.human == ("yes", None, "no")
        assert stated(recorded, "ok") == ["yes", "no", "yes"]
        assert "ok: 1 earlier verdicts on the same item, left out" in recorded.messages
        assert "ok: people tie on 1 items, which have no human label" in recorded.messages

    def test_older_evaluation_tables(self, tmp_path: Path) -> None:
        columns = ["inputs", "label", "answer_correctness/v1/score", "answer_correctness/v1/justification"]
        path = written(tmp_path, {"columns": columns, "data": [["q", 5, 5, "same"], ["q2", 1, 2, "near"]]})
        recorded = load(path, "mlflow", scale="ordinal", labels=("1", "2", "3", "4", "5"))
        assert recorded.verdicts["answer_correctness"] == (Scored("5", "same"), Scored("2", "near"))


def test_langfuse_annotations_are_labels_and_a_missing_evaluation_is_no_verdict(tmp_path: Path) -> None:
    recorded = load("langfuse.json", "langfuse")
    assert recorded.ids == ("t1", "t2", "t3", "t4")
    assert recorded.human == ("1", "0", "0", "1")
    assert stated(recorded, "correct") == ["1", "1", "0", "(invalid)"]
    assert recorded.asked == {"correct": (True, True, True, False)}
    assert recorded.verdicts["correct"][0] == Scored("1", reasoning="the judge's reason")
    table = "id,Trace ID,name,value,String Value,Data Type,source\n"
    table += "1,a,ok,1,True,BOOLEAN,ANNOTATION\n2,a,ok,0,False,BOOLEAN,EVAL\n3,b,ok,0,False,BOOLEAN,ANNOTATION\n"
    as_csv = load(written(tmp_path, table, "scores.csv"), "langfuse")
    assert (as_csv.human, stated(as_csv, "ok")) == (("1", "0"), ["0", "(invalid)"])


def test_langfuse_scores_with_a_subject_and_inside_traces(tmp_path: Path) -> None:
    subject = {"kind": "observation", "id": "o", "traceId": "t"}
    scores: list[dict[str, Any]] = [
        {"name": "ok", "dataType": "BOOLEAN", "value": True, "source": "ANNOTATION", "subject": subject},
        {
            "name": "ok",
            "dataType": "BOOLEAN",
            "value": False,
            "source": "EVAL",
            "subject": {"kind": "trace", "id": "t"},
        },
        {"name": "output", "dataType": "CORRECTION", "value": 0, "source": "ANNOTATION", "subject": subject},
    ]
    recorded = load(written(tmp_path, {"data": scores}), "langfuse")
    assert (recorded.ids, recorded.human, stated(recorded, "ok")) == (("t",), ("1",), ["0"])
    assert "1 corrections and texts, which are no verdicts, left out" in recorded.messages
    inside = load(
        written(tmp_path, [{"id": "t", "input": "q", "metadata": {"k": "v"}, "scores": scores[:2]}]), "langfuse"
    )
    assert inside.human == ("1",)


class TestOpenInference:
    def test_annotations_by_people_and_by_models(self) -> None:
        recorded = load("phoenix_annotations.jsonl", "openinference", positive="kind")
        assert recorded.human == ("kind", "rude", "kind", "rude")
        assert stated(recorded, "kind") == ["kind", "rude", "(invalid)", "kind"]

    def test_an_evaluated_table_keeps_what_was_added_to_it(self) -> None:
        recorded = load("phoenix_evaluated.json", "openinference", positive="kind")
        assert recorded.gold == "as given in column 'human_label'"
        assert stated(recorded, "kind") == ["kind", "rude", "(error)", "kind"]

    def test_spans_with_annotations_inside_or_in_columns(self, tmp_path: Path) -> None:
        span = {"context": {"span_id": "s1", "trace_id": "t"}, "attributes": {"input": {"value": "q"}}}
        given = [{"name": "ok", "annotator_kind": kind, "result": {"score": 1}} for kind in ("HUMAN", "LLM")]
        nested = load(written(tmp_path, [{**span, "annotations": given}, span]), "openinference")
        assert (nested.ids, nested.human, stated(nested, "ok")) == (("s1",), ("1",), ["1"])
        flat = {"context.span_id": "s1", "eval.ok.label": "yes", "eval.ok.score": 1.0, "human": "yes"}
        columns = load(written(tmp_path, [flat]), "openinference", labels=("no", "yes"), positive="yes")
        assert (columns.ids, stated(columns, "ok")) == (("s1",), ["yes"])


class TestHumanLabels:
    def test_two_candidates_are_refused_unless_the_judge_that_is_asked_about_decides(self, tmp_path: Path) -> None:
        scores = [
            {"name": name, "value": 1, "source": source, "traceId": "t", "dataType": "BOOLEAN"}
            for name in ("a", "b")
            for source in ("ANNOTATION", "EVAL")
        ]
        path = written(tmp_path, scores)
        said = refusal(path, "langfuse")
        assert "'human a' and 'human b' could both be the human labels; decide with --human NAME" in said
        assert load(path, "langfuse", judges=("b",)).gold == "as given in column 'human b'"
        assert load(path, "langfuse", human="human a").judges == ("a",)

    def test_labels_from_a_table_of_their_own(self, tmp_path: Path) -> None:
        path = deepeval(tmp_path, {"success": True, "score": 1}, {"success": False, "score": 0})
        labels = written(tmp_path, "id,label,expert\ncase 0,1,0\ncase 1,1,\nother,0,0\n", "labels.csv")
        recorded = load(path, "deepeval", labels_from=str(labels))
        assert recorded.human == ("1", "1")
        assert load(path, "deepeval", labels_from=str(labels), human="expert").human == ("0", None)
        assert (
            "human labels of 2 of 2 rows <- labels.csv, column label; 1 of its ids are of no row" in recorded.messages
        )
        bare = written(
            tmp_path, {"testCases": [{"metricsData": [{"name": "T", "success": True, "score": 1}]}]}, "a.json"
        )
        assert "or give a table of labels by id with --labels-from TABLE" in refusal(bare, "deepeval")
        labels.write_text("id,label\nnobody,1\n")
        assert "none of its ids is an id of the verdicts, such as 'case 0'" in refusal(
            path, "deepeval", labels_from=str(labels)
        )
        labels.write_text("id,label\ncase 0,1\ncase 0,0\n")
        assert "id 'case 0' has two labels" in refusal(path, "deepeval", labels_from=str(labels))


class TestFilesThatAreNot:
    @pytest.mark.parametrize(
        ("name", "tool", "said"),
        [
            ("mlflow.json", "langfuse", "no langfuse file; it looks like one of mlflow: --from mlflow"),
            ("promptfoo.json", "deepeval", "no deepeval file; it looks like one of promptfoo: --from promptfoo"),
            ("inspect.json", "mlflow", "--from inspect"),
            ("langfuse.json", "openinference", "--from langfuse"),
            ("phoenix_annotations.jsonl", "promptfoo", "--from openinference"),
            ("deepeval.json", "inspect", "--from deepeval"),
            ("deepeval.json", "ragas", "'ragas' is no tool whose files are read; known are promptfoo, deepeval,"),
        ],
    )
    def test_another_tools_file_names_its_tool(self, name: str, tool: str, said: str) -> None:
        assert said in refusal(name, tool)

    @pytest.mark.parametrize(
        ("tool", "missing"),
        [
            ("promptfoo", "results.results"),
            ("deepeval", "testCases"),
            ("inspect", "samples"),
            ("mlflow", "assessments"),
            ("langfuse", "traceId"),
            ("openinference", "annotator_kind"),
        ],
    )
    @pytest.mark.parametrize("content", ["{}", "[]", "[null, 3]", '{"results": {"results": [[]]}}', '"x"', "null"])
    def test_an_unknown_shape_says_what_was_expected(
        self, tmp_path: Path, tool: str, missing: str, content: str
    ) -> None:
        assert missing in refusal(written(tmp_path, content), tool)


class TestHostileContent:
    def test_numbers_that_are_none_are_no_verdicts(self, tmp_path: Path) -> None:
        path = deepeval(
            tmp_path,
            {"success": True, "score": 1},
            {"success": False, "score": float("nan")},
            {"success": True, "score": float("inf")},
            {"success": False, "score": None},
            {"success": None, "score": 1},
        )
        recorded = load(path, "deepeval")
        assert stated(recorded, "Tone") == ["1"] + ["(invalid)"] * 4
        assert "2 values are NaN or Infinity: read as missing" in recorded.messages
        assert stated(load(path, "deepeval", pass_if=("Tone score > 0",)), "Tone score") == [
            "1",
            *["(invalid)"] * 3,
            "1",
        ]

    def test_text_stays_text(self, tmp_path: Path) -> None:
        hostile = "=HYPERLINK(1)\n\x1b[31m<script>{{7*7}}"
        path = deepeval(tmp_path, {"success": True, "score": 1, "reason": hostile}, metadata={hostile: hostile})
        recorded = load(path, "deepeval", by=("=HYPERLINK(1) [31m<script>{{7*7}}",))
        assert recorded.verdicts["Tone"] == (Scored("1", reasoning=hostile),)
        assert list(recorded.slices.values()) == [(hostile,)]

    def test_names_that_meet_are_kept_apart(self, tmp_path: Path) -> None:
        path = deepeval(tmp_path, {"success": True, "score": 1}, metadata={"tone": "x", "id": "y", "Tone score": "z"})
        recorded = load(path, "deepeval", by=("metadata tone", "metadata id", "metadata Tone score"))
        assert list(recorded.slices.values()) == [("x",), ("y",), ("z",)]
        assert recorded.ids == ("case 0",)

    def test_files_that_are_refused(self, tmp_path: Path) -> None:
        assert "key 'a' appears twice" in refusal(written(tmp_path, '{"testCases": [{"a": 1, "a": 2}]}'), "deepeval")
        assert "nested too deeply" in refusal(written(tmp_path, "[" * 100_000), "langfuse")
        assert "larger than 10 MB" in refusal(
            deepeval(tmp_path, {"success": True, "score": 1, "reason": "x" * 10_000_001}), "deepeval"
        )
        assert "the file is empty" in refusal(written(tmp_path, " "), "mlflow")
        assert "known are .json" in refusal(written(tmp_path, "{}", "run.yaml"), "promptfoo")
        sample = {"id": 1, "scores": {"m": {"value": {"x": [1]}, "reason": {}}, "n": None}}
        assert "no column holds human" in refusal(written(tmp_path, {"samples": [sample], "eval": {}}), "inspect")
        assert "no verdicts" in refusal(written(tmp_path, {"samples": [{"id": 1}], "eval": {}}), "inspect")

    def test_nested_nulls_and_halves_of_characters(self, tmp_path: Path) -> None:
        text = (
            '{"testCases": [{"name": null, "metadata": null, "metricsData": [{"name": null, "success": null}, '
            '{"name": "T", "success": true, "score": 1, "reason": "\\ud800"}]}, {"metricsData": null, '
            '"metadata": {"human": 1}}]}'
        )
        recorded = load(written(tmp_path, text), "deepeval", scale="binary", labels=("0", "1"))
        assert recorded.verdicts["T"] == (Scored("1", reasoning="\ufffd"), Unscored("invalid", "empty"))
