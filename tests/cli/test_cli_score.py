"""``calibrate score``: the alignment of recorded verdicts, with no model, no key and no database."""

import csv
import json
import re
from pathlib import Path

import pytest

GENERIC = {("1", "1"): 20, ("1", "0"): 1, ("0", "1"): 9}
CALIBRATED = {("1", "1"): 19, ("1", "0"): 2, ("0", "1"): 3, ("0", "0"): 6}
SMALL = {("1", "1"): 18, ("1", "0"): 3, ("0", "1"): 3, ("0", "0"): 6}


def write(name, columns, rows):
    with Path(name).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(columns)
        writer.writerows(rows)
    return name


def pairs(counts):
    """The verdicts behind a table of counts (human, judge), humans in one order whatever the judge."""
    return sorted((pair for pair, count in counts.items() for _ in range(count)), reverse=True)


@pytest.fixture
def three_judges():
    """The published table: one human column, three judges (STATISTICS section 1)."""
    tables = [pairs(counts) for counts in (GENERIC, CALIBRATED, SMALL)]
    rows = [
        [f"x{number}", judged[0][0], *(judge for _, judge in judged)]
        for number, judged in enumerate(zip(*tables, strict=True), 1)
    ]
    return write("verdicts.csv", ["id", "human_label", "judge_generic", "judge_calibrated", "judge_small"], rows)


def test_the_published_table(program, three_judges):
    results = program("score", three_judges, "--json").json["results"]
    found = {
        each["judge"]: [round(each["metrics"][name]["value"], 3) for name in each["metrics"]]
        + [round(each["alignment"]["value"], 4)]
        for each in results
    }
    assert found == {
        "judge_generic": [0.667, 0.690, 0.952, 0.800, -0.064, -0.122, -0.122, 0.4002],
        "judge_calibrated": [0.833, 0.864, 0.905, 0.884, 0.590, 0.592, 0.592, 0.7514],
        "judge_small": [0.800, 0.857, 0.857, 0.857, 0.524, 0.524, 0.524, 0.7061],
    }


def test_an_entry_of_the_document(program, three_judges):
    document = program("score", three_judges, "--judge", "judge_generic", "--json").json
    assert (document["schema"], document["status"]) == (1, "ok")
    (entry,) = document["results"]
    near = pytest.approx

    def estimate(value):
        return {"value": near(value, abs=0.0005)}

    def without_interval(figure):
        assert figure["low"] < figure["value"] < figure["high"]
        return {name: each for name, each in figure.items() if name not in ("low", "high")}

    assert {name: entry[name] for name in ("judge", "dimension", "slice", "invalid", "n", "scored", "coverage")} == {
        "judge": "judge_generic",
        "dimension": "quality",
        "slice": None,
        "invalid": "exclude",
        "n": 30,
        "scored": 30,
        "coverage": 1.0,
    }
    assert (entry["scale"], entry["positive"]) == ("binary", "1")
    assert without_interval(entry["alignment"]) == {**estimate(0.4002), "components": 7}
    assert {name: without_interval(figure) for name, figure in entry["metrics"].items()} == {
        "accuracy": estimate(20 / 30),
        "precision": estimate(20 / 29),
        "recall": estimate(20 / 21),
        "f1": estimate(0.8),
        "cohen_kappa": estimate(-0.0638),
        "pearson": estimate(-0.1216),
        "spearman": estimate(-0.1216),
    }
    # Always "1": accuracy and precision .7, recall 1, F1 14/17, the rest 0. Random: the same margins, no association.
    assert entry["reference"]["constant"] == near((0.7 + 0.7 + 1 + 14 / 17) / 7)
    assert entry["reference"]["random"] == near((20.6 / 30 + 0.7 + 29 / 30 + 0.812) / 7)
    assert entry["confusion"] == {"labels": ["0", "1"], "matrix": [[0, 9], [1, 20]]}
    assert entry["recall_by_class"] == {"0": 0.0, "1": near(20 / 21)}
    assert entry["positive_rate"] == {"human": near(0.7), "judge": near(29 / 30)}
    assert entry["unscored"] == {"abstained": 0, "invalid": 0, "refused": 0, "truncated": 0, "error": 0}


def test_an_undefined_figure_says_why(program):
    rows = [[number, human, "1"] for number, human in enumerate("1111100000")]
    (entry,) = program("score", write("v.csv", ["id", "human", "judge"], rows), "--json").json["results"]
    assert entry["metrics"]["pearson"] == {"value": None, "reason": "constant_judge"}
    assert entry["metrics"]["cohen_kappa"]["value"] == 0
    rows = [[number, "1", judge] for number, judge in enumerate("1111100000")]
    (entry,) = program("score", write("v.csv", ["id", "human", "judge"], rows), "--json").json["results"]
    assert entry["alignment"]["value"] is None
    assert entry["alignment"]["reason"] == "single_class_gold"


def test_the_text_begins_with_what_can_be_quoted_and_says_what_is_blind(program, three_judges):
    outcome = program("score", three_judges, "--judge", "judge_generic")
    first, *_ = outcome.out.splitlines()
    assert first.startswith("judge_generic on quality agrees with the experts at alignment 0.40 (95 % interval 0.28 to")
    assert "0 of 9 labelled '0' and 20 of 21 labelled '1'" in first
    assert "Blind to '0'" in outcome.out
    assert "Below the best constant judge" in outcome.out


def test_judges_stand_side_by_side(program, three_judges):
    outcome = program("score", three_judges)
    header = next(line for line in outcome.out.splitlines() if line.split() == [*JUDGES])
    assert header
    alignment = next(line for line in outcome.out.splitlines() if line.startswith("alignment"))
    assert [float(part) for part in alignment.split() if part.startswith("0.") and "]" not in part] == [
        0.400,
        0.751,
        0.706,
    ]


JUDGES = ("judge_generic", "judge_calibrated", "judge_small")


def test_the_document_is_all_that_stdout_holds(program, three_judges):
    outcome = program("score", three_judges, "--json")
    assert json.loads(outcome.out)["status"] == "ok"
    assert "note: columns: human <- human_label; judges judge_generic, judge_calibrated, judge_small" in outcome.err
    assert outcome.out.count("\n}") == 1


def test_quiet_leaves_the_result_only(program, three_judges):
    loud, quiet = program("score", three_judges), program("score", three_judges, "--quiet")
    assert quiet.err == ""
    assert loud.err != ""
    assert quiet.out == loud.out


def test_it_writes_nothing(program, three_judges):
    program("score", three_judges)
    assert [path.name for path in Path().iterdir()] == [three_judges]


def test_the_seed_fixes_the_intervals(program, three_judges):
    def interval(*more):
        alignment = program("score", three_judges, "--json", *more).json["results"][0]["alignment"]
        return alignment["low"], alignment["high"]

    assert interval() == interval() == interval("--seed", 0)
    assert interval("--seed", 1) != interval()


def test_slices_stand_beside_the_whole(program):
    rows = [(human, judge, "east") for human, judge in pairs(GENERIC)]
    rows += [(human, judge, "west") for human, judge in pairs(CALIBRATED)]
    file = write("v.csv", ["human", "judge", "region"], rows)
    results = program("score", file, "--by", "region", "--json").json["results"]
    assert [(each["slice"], each["n"], each["confusion"]["matrix"]) for each in results] == [
        (None, 60, [[6, 12], [3, 39]]),
        ("region=east", 30, [[0, 9], [1, 20]]),
        ("region=west", 30, [[6, 3], [2, 19]]),
    ]
    outcome = program("score", file, "--by", "region")
    assert re.search(r"^region=east +30 .*\nregion=west +30 ", outcome.out, re.MULTILINE)


def test_an_empty_cell_is_a_slice_of_its_own(program):
    rows = [("1", "1", "a"), ("0", "0", "a"), ("1", "0", ""), ("0", "0", "")]
    file = write("v.csv", ["human", "judge", "region"], rows)
    results = program("score", file, "--by", "region", "--json").json["results"]
    assert [(each["slice"], each["n"]) for each in results] == [(None, 4), ("region=a", 2), ("region=(empty)", 2)]


def test_dimensions_stand_apart_and_together(program):
    rows = [(f"x{n}", human, judge, "faithfulness") for n, (human, judge) in enumerate(pairs(GENERIC))]
    rows += [(f"x{n}", human, judge, "relevance") for n, (human, judge) in enumerate(pairs(CALIBRATED))]
    file = write("v.csv", ["id", "human", "judge", "dimension"], rows)
    results = program("score", file, "--json").json["results"]
    assert [(each["dimension"], each["n"], each["confusion"]["matrix"]) for each in results] == [
        ("faithfulness", 30, [[0, 9], [1, 20]]),
        ("relevance", 30, [[6, 3], [2, 19]]),
        ("all dimensions", 60, [[6, 12], [3, 39]]),
    ]
    # Asked for by its column, a dimension is no slice of itself.
    again = program("score", file, "--by", "dimension", "--json").json["results"]
    assert [(each["dimension"], each["slice"]) for each in again] == [
        ("faithfulness", None),
        ("relevance", None),
        ("all dimensions", None),
    ]


def test_labels_are_mapped_when_that_is_said(program):
    words = {"1": "good", "0": "bad"}
    rows = [(words[human], words[judge]) for human, judge in pairs(CALIBRATED)]
    file = write("v.csv", ["human", "judge"], rows)
    refused = program("score", file, code=2)
    assert "positive" in refused.error
    (entry,) = program("score", file, "--map", "good=1", "--map", "bad=0", "--json").json["results"]
    assert entry["confusion"] == {"labels": ["0", "1"], "matrix": [[6, 3], [2, 19]]}
    (entry,) = program("score", file, "--positive", "good", "--json").json["results"]
    assert entry["positive"] == "good"
    assert entry["alignment"]["value"] == pytest.approx(0.7514, abs=0.0001)


def test_scores_pass_by_a_declared_rule(program):
    scores = {"1": 0.5, "0": 0.49}
    rows = [(human, scores[judge]) for human, judge in pairs(CALIBRATED)]
    file = write("v.csv", ["human", "judge"], rows)
    assert "--pass-if" in program("score", file, code=2).error
    (entry,) = program("score", file, "--pass-if", "score >= 0.5", "--json").json["results"]
    assert entry["confusion"]["matrix"] == [[6, 3], [2, 19]]
    (entry,) = program("score", file, "--pass-if", "judge > 0.5", "--json").json["results"]
    assert entry["confusion"]["matrix"] == [[9, 0], [21, 0]]


def test_repeats_are_measured_run_by_run(program):
    rows = [(f"x{n}", human, judge, 1) for n, (human, judge) in enumerate(pairs(GENERIC))]
    rows += [(f"x{n}", human, judge, 2) for n, (human, judge) in enumerate(pairs(CALIBRATED))]
    file = write("v.csv", ["id", "human", "judge", "attempt"], rows)
    assert "--run" in program("score", file, code=2).error
    document = program("score", file, "--run", "attempt", "--json").json
    assert [(each["judge"], round(each["alignment"]["value"], 4)) for each in document["results"]] == [
        ("judge (run 1)", 0.4002),
        ("judge (run 2)", 0.7514),
    ]
    first, second = pairs(GENERIC), pairs(CALIBRATED)
    flips = sum(one != other for one, other in zip(first, second, strict=True))
    (noise,) = document["noise"]
    assert (noise["judge"], noise["k"], noise["n"], len(noise["flips"])) == ("judge", 2, 30, flips)
    assert noise["flip_rate"]["value"] == pytest.approx(flips / 30)
    assert "2 runs" in noise["sentence"]
    assert "are its own noise" in program("score", file, "--run", "attempt").out


@pytest.fixture
def silent():
    """Forty items; the judge gives four right answers and is silent on the others."""
    humans = ["1"] * 20 + ["0"] * 20
    judged = {0: "1", 1: "1", 20: "0", 21: "0"}
    return write("silent.csv", ["human", "judge"], [(h, judged.get(n, "")) for n, h in enumerate(humans)])


def test_a_silent_judge_is_not_praised(program, silent):
    outcome = program("score", silent, "--json", code=1)
    document = outcome.json
    assert document["status"] == "too_many_unscored"
    (entry,) = document["results"]
    assert (entry["n"], entry["scored"], entry["coverage"]) == (40, 4, 0.1)
    assert entry["metrics"]["accuracy"]["value"] == 1.0
    assert entry["accuracy_bounds"] == [0.1, 1.0]
    assert entry["wrong"]["accuracy"]["value"] == pytest.approx(0.1)
    assert entry["unscored"]["invalid"] == 36
    text = program("score", silent, code=1).out
    assert text.startswith("judge on quality: 36 of 40 items have no usable verdict;")
    assert "agrees" not in text.lower()
    assert "Without a verdict: 36 invalid of 40." in text


def test_silence_can_count_as_wrong(program, silent):
    (entry,) = program("score", silent, "--invalid", "wrong", "--json", code=1).json["results"]
    assert entry["invalid"] == "wrong"
    assert entry["metrics"]["accuracy"]["value"] == pytest.approx(0.1)
    assert entry["confusion"]["matrix"] == [[2, 18], [18, 2]]


def test_silence_can_be_allowed(program, silent):
    assert program("score", silent, "--max-unscored", "0.9", "--json").json["status"] == "ok"
    assert program("score", silent, "--max-unscored", "0.89", "--json", code=1).json["status"] == "too_many_unscored"


@pytest.mark.parametrize(("blank", "allowed"), [(1, 0.1), (3, 0.3), (7, 0.7), (9, 0.9)])
def test_as_many_as_allowed_is_not_more_than_allowed(program, blank, allowed):
    judged = ["1", "0"] * 5
    rows = [(human, "" if number < blank else human) for number, human in enumerate(judged)]
    file = write("v.csv", ["human", "judge"], rows)
    program("score", file, "--max-unscored", allowed, code=0)
    program("score", file, "--max-unscored", allowed - 0.001, code=1)


def test_silence_is_a_class_of_its_own_on_nominal_scales_only(program):
    rows = [("a", "a"), ("b", "b"), ("c", "c"), ("a", "CANNOT_ASSESS"), ("b", "b"), ("c", "a")]
    file = write("v.csv", ["human", "judge"], rows)
    declared = ("--scale", "nominal", "--labels", "a,b,c", "--max-unscored", 1)
    (entry,) = program("score", file, *declared, "--invalid", "category", "--json").json["results"]
    assert entry["unscored"]["abstained"] == 1
    assert entry["metrics"]["accuracy"]["value"] == pytest.approx(4 / 6)
    assert len(entry["confusion"]["labels"]) == 4
    rows = [(number % 5 + 1, number % 5 + 1) for number in range(20)]
    file = write("ordinal.csv", ["human", "judge"], rows)
    ordinal = ("--scale", "ordinal", "--labels", "1,2,3,4,5")
    assert "use exclude or wrong" in program("score", file, *ordinal, "--invalid", "category", code=2).error
    assert "exclude, wrong or category" in program("score", file, "--invalid", "drop", code=2).error


def test_every_scale_is_declared_on_the_command_line(program):
    levels = [(1, 1), (2, 2), (3, 4), (4, 4), (5, 3), (1, 2)]
    file = write("ordinal.csv", ["human", "judge"], levels)
    (entry,) = program("score", file, "--scale", "ordinal", "--labels", "1,2,3,4,5", "--json").json["results"]
    assert (entry["scale"], entry["alignment"]["components"]) == ("ordinal", 7)
    file = write("pairs.csv", ["human", "judge"], [("A", "A"), ("B", "B"), ("tie", "A"), ("A", "tie"), ("B", "B")])
    (entry,) = program("score", file, "--scale", "pairwise", "--json").json["results"]
    assert (entry["scale"], entry["alignment"]["components"]) == ("pairwise", 5)
    assert set(entry["extras"]) >= {"pearson", "spearman"}
    file = write("scores.csv", ["human", "judge"], [(0.1, 0.2), (0.9, 0.8), (0.4, 0.6), (0.7, 0.9), (0.2, 0.1)])
    (entry,) = program("score", file, "--scale", "interval", "--threshold", "0.5", "--json").json["results"]
    assert (entry["scale"], entry["alignment"]["components"]) == ("interval", 7)
    assert entry["confusion"]["matrix"] == [[2, 1], [0, 2]]


def test_a_required_alignment(program, three_judges):
    one = ("score", three_judges, "--judge", "judge_calibrated", "--json")
    assert program(*one, "--require", "0.75").json["status"] == "ok"
    missed = program(*one, "--require", "0.76", code=1).json
    assert missed["status"] == "below_acceptable"
    assert missed["results"][0]["alignment"]["value"] == pytest.approx(0.7514, abs=0.0001)


def test_an_alignment_that_is_undefined_meets_no_requirement(program):
    rows = [[number, "1", judge] for number, judge in enumerate("1111100000")]
    file = write("v.csv", ["id", "human", "judge"], rows)
    assert program("score", file, "--require", "-0.5", "--json", code=1).json["status"] == "below_acceptable"


def test_other_tables(program):
    rows = [{"human": human, "judge": judge} for human, judge in pairs(CALIBRATED)]
    Path("v.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    Path("v.json").write_text(json.dumps(rows))
    Path("v.tsv").write_text("human\tjudge\n" + "".join(f"{row['human']}\t{row['judge']}\n" for row in rows))
    for file in ("v.jsonl", "v.json", "v.tsv"):
        (entry,) = program("score", file, "--json").json["results"]
        assert entry["alignment"]["value"] == pytest.approx(0.7514, abs=0.0001)


@pytest.mark.parametrize(
    ("rows", "arguments", "said"),
    [
        ([("1", "1")], ("--human", "expert"), "expert"),
        ([("1", "1")], ("--judge", "gpt"), "gpt"),
        ([("1", "1")], ("--by", "region"), "region"),
        ([("1", "1"), ("2", "1"), ("0", "1")], (), "--scale"),
        ([("1", "1"), ("perhaps", "1"), ("0", "0")], ("--labels", "0,1"), "row 2"),
        ([], (), "v.csv"),
    ],
)
def test_a_table_that_cannot_be_used(program, rows, arguments, said):
    file = write("v.csv", ["human", "judge"], rows)
    outcome = program("score", file, *arguments, code=2)
    assert said in outcome.error
    assert outcome.out == ""


def test_a_refusal_is_a_document_too(program):
    file = write("v.csv", ["human", "judge"], [("1", "1")])
    outcome = program("score", file, "--human", "expert", "--json", code=2)
    assert outcome.json == {"schema": 1, "status": "bad_input", "error": outcome.error}


def test_text_of_the_data_is_shown_as_it_is(program):
    judges = ("[red]judge[/red]", "a:house:b", "[/]")
    rows = [("1", "1", "1", "1"), ("0", "0", "0", "0"), ("1", "0", "0", "0"), ("0", "0", "1", "1")]
    file = write("v.csv", ["human", *judges], rows)
    outcome = program("score", file, "--human", "human", *(part for judge in judges for part in ("--judge", judge)))
    for judge in judges:
        assert outcome.out.count(judge) >= 3  # in the sentence, the table and its own title
        assert judge in outcome.err


def test_several_judges_are_told_apart_or_not(program):
    right = ["1", "0"] * 20
    lines = [f"{human},{human},{human if at else '0'},{'1' if at % 3 else '0'}" for at, human in enumerate(right)]
    Path("three.csv").write_text("\n".join(["human,judge_a,judge_b,judge_c", *lines]) + "\n", encoding="utf-8")
    command = ("score", "three.csv", "--human", "human", *("--judge judge_a --judge judge_b --judge judge_c".split()))
    (family,) = program(*command, "--json").json["differences"].values()
    real = {(each["baseline"], each["candidate"]): each["real"] for each in family["pairs"]}
    assert real == {("judge_a", "judge_b"): False, ("judge_a", "judge_c"): True, ("judge_b", "judge_c"): True}
    assert "corrected for 3 comparisons (Holm): 2 of 3 are real" in program(*command).out
    alone = program(*command[:6], "--json").json
    assert "differences" not in alone


def test_what_is_required_and_missed_is_said(program, three_judges):
    outcome = program("score", three_judges, "--require", 0.75, code=1)
    assert [line for line in outcome.err.splitlines() if "require" in line] == [
        "note: judge_generic: alignment 0.40 is below --require 0.75",
        "note: judge_small: alignment 0.71 is below --require 0.75",
    ]
    assert program("score", three_judges, "--require", 0.75, "--quiet", code=1).err == ""


def test_differences_say_on_how_many_items_of_both_they_are(program):
    rows = [(n % 2, n % 2, "" if n == 3 else n % 3 % 2) for n in range(40)]
    said = program("score", write("v.csv", ["human", "judge_a", "judge_b"], rows)).out
    assert re.search(r"^judges +n +difference in alignment +p +real\njudge_b [\u2212-] judge_a +39 ", said, re.M)
