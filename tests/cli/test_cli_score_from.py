"""``calibrate score FILE --from TOOL``: verdicts that another tool recorded, measured as they are."""

import json
from pathlib import Path

DATA = Path(__file__).parent.parent / "golden" / "imported"


def test_a_file_of_another_tool_is_scored(program):
    document = program(
        "score", str(DATA / "mlflow.json"), "--from", "mlflow", "--positive", "yes", "--json", code=1
    ).json
    (entry,) = document["results"]
    assert (entry["judge"], entry["n"], entry["scored"]) == ("correctness", 4, 3)
    assert entry["unscored"]["error"] == 1
    assert document["status"] == "too_many_unscored"


def test_what_was_found_is_said(program):
    said = program("score", str(DATA / "deepeval.json"), "--from", "deepeval", "--judge", "Faithfulness").err
    assert "deepeval: 4 results; verdicts of Faithfulness, Tone" in said
    assert "scores beside them, for --judge with --pass-if: Faithfulness score, Tone score" in said
    assert "human <- human_label; judge Faithfulness" in said


def test_labels_of_their_own_and_a_wrong_tool(program):
    Path("labels.csv").write_text("id,label\ntest_case_0,0\ntest_case_1,0\ntest_case_3,1\n")
    options = ("--labels-from", "labels.csv", "--judge", "Tone", "--json")
    (entry,) = program("score", str(DATA / "deepeval.json"), "--from", "deepeval", *options).json["results"]
    assert (entry["n"], entry["scored"]) == (3, 3)
    refused = program("score", str(DATA / "deepeval.json"), "--from", "langfuse", code=2)
    assert "--from deepeval" in refused.err


def test_metrics_that_ran_on_some_rows_only_are_measured_on_those(program):
    def case(number):
        metric = {"name": "Faith" if number < 10 else "Tone", "success": number % 3 > 0, "score": 1}
        return {"name": f"c{number}", "metricsData": [metric], "metadata": {"human": number % 2}}

    Path("run.json").write_text(json.dumps({"testCases": [case(number) for number in range(20)]}))
    document = program("score", "run.json", "--from", "deepeval", "--json").json
    assert document["status"] == "ok"
    assert [(each["judge"], each["n"], each["scored"]) for each in document["results"]] == [
        ("Faith", 10, 10),
        ("Tone", 10, 10),
    ]
    assert "judge 'Faith' was not asked on 10 of 20 rows, which do not count for it" in document["notes"]
    assert "differences" not in document  # there is no item that both judged
