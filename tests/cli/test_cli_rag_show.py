"""RAG evaluations among the runs of a database: shown, listed, reported, and refused where a judge is wanted."""

import json
from pathlib import Path

import pytest
from html_pages import parse
from rag_pages import write_shop

from calibrate.store import Store
from calibrate.workflows.stored import load_run


@pytest.fixture
def shop(tmp_path) -> str:
    write_shop(tmp_path)
    return "shop"


@pytest.fixture
def shown(program, shop):
    """What ``rag run`` printed."""
    return program("rag", "run", shop, "--judge", "sim:reader").out


def leave_open(**spec: object) -> None:
    """Make the run look like one that has no result yet, or was for something else."""
    with Store("runs.db", create=False) as store:
        run = store.run(1)
        other = store.start_run("rag", {**run.spec, **spec, "seed": 1}, run.golden_digest, run.dimension)
        store.finish_run(other.id, "interrupted")


def test_show_prints_what_the_evaluation_printed(program, shown):
    assert "Where the fault of old lies:" in shown
    assert program("show", 1).out == shown


def test_its_json_is_the_same_document(program, shop):
    document = program("rag", "run", shop, "--judge", "sim:reader", "--json").json
    assert program("show", 1, "--json").json == document
    assert document["run"] == 1
    assert document["simulated"]
    assert {each["name"] for each in document["results"]} == {"old", "new"}


def test_without_judges_nothing_was_paid(program, shop):
    first = program("rag", "run", shop).out
    assert program("show", 1).out == first
    document = program("show", 1, "--json").json
    assert document["spent"] is None
    assert not document["simulated"]


def test_it_is_listed_with_its_questions_and_judges(program, shown):
    (row,) = program("runs", "--json").json["runs"]
    assert (row["kind"], row["n"], row["judge"], row["status"]) == ("rag", 3, "sim:reader", "done")
    assert (row["baseline"], row["best"]) == (None, None)
    line = program("runs").out.splitlines()[-1].split()
    assert line[:2] == ["1", "rag"]
    assert "(simulated)" in line


def test_a_simulated_judge_of_one_role_makes_the_run_simulated(program, shown):
    with Store("runs.db", create=False) as store:
        spec = store.run(1).spec
        judges = {role: {**each, "model": "openai:gpt-4.1"} for role, each in spec["judges"].items()}
        real = {**spec, "judge": {**spec["judge"], "model": "openai:gpt-4.1, sim:reader"}, "judges": judges}
        digest = store.run(1).golden_digest
        plain = store.start_run("rag", real, digest, "rag").id
        mixed = {**judges, "claims": {**judges["claims"], "model": "sim:reader"}}
        one = store.start_run("rag", {**real, "judges": mixed}, digest, "rag").id
        assert not load_run(store, plain).simulated
        assert load_run(store, one).simulated


def test_the_report_is_one_file(program, shown):
    said = program("report", 1, "-o", "rag.html").out
    assert "Written to rag.html." in said
    page = parse(Path("rag.html").read_text(encoding="utf-8"))
    assert "RAG evaluation on shop: 2 variants" in page.shown
    program("report", 1, "-o", "rag.html", code=2)  # it exists
    assert "## RAG evaluation on shop: 2 variants" in program("report", 1, "--format", "md").out


def test_what_the_report_leaves_out_is_what_it_counts(program, shown):
    assert "Written to rag.html; 2 changed questions left out." in (
        program("report", 1, "-o", "rag.html", "--max-items", 1).out
    )
    document = program("report", 1, "-o", "rag.html", "--max-items", 2, "--overwrite", "--json").json
    assert document["changed_questions_left_out"] == 1
    assert "disagreements_left_out" not in document


@pytest.mark.parametrize(
    "command",
    [
        ("show", "1:0"),
        ("show", "1", "--checklist"),
        ("show", "1", "--by", "relevant"),
        ("report", "1:0", "--format", "md"),
        ("diff", "1", "1"),
        ("explain", "1"),
        ("export", "1"),
        ("card", "1"),
        ("disagreements", "1", "-o", "review.csv"),
        ("bias", "1"),
        ("optimize", "support_faithfulness", "--judge", "sim:reader", "--optimizer", "sim:writer", "--from", "1"),
        ("compare", "support_faithfulness", "--judge", "sim:reader", "--prompt-from", "1"),
        ("rag", "run", "shop", "--judge", "1"),
    ],
    ids=" ".join,
)
def test_where_a_judge_is_wanted_it_says_what_it_is_and_what_to_do(program, shown, command):
    refused = program(*command, code=2)
    (line,) = [each for each in refused.err.splitlines() if each.startswith("error:")]
    assert "run 1 evaluates a RAG system and is no judge" in line
    assert "`calibrate report 1 -o rag.html`" in line
    assert not Path("review.csv").exists()


def test_one_that_has_no_result_yet_says_so(program, shown):
    leave_open()
    said = "Run 2 (interrupted) evaluates a RAG system and has no result yet; run the same command again to go on."
    assert program("show", 2).out.splitlines()[0] == said
    document = program("show", 2, "--json").json
    assert (document["kind"], document["run_status"], document["sentence"]) == ("rag", "interrupted", said)
    assert "there is nothing to report" in program("report", 2, "--format", "md", code=2).err
    assert [each["status"] for each in program("runs", "--json").json["runs"]] == ["done", "interrupted"]


def test_one_that_drafted_questions_says_so(program, shop):
    program("rag", "draft", shop, "--model", "sim:writer", "-n", 1, "-o", "drafts.jsonl")
    assert program("show", 1).out.startswith("Run 1 (done) drafts questions of a bank. ")
    assert "there is nothing to report" in program("report", 1, "--format", "md", code=2).err
    assert "run 1 drafted questions and judged nothing" in program("explain", 1, code=2).err
    (row,) = program("runs", "--json").json["runs"]
    assert row["judge"] == "sim:writer"


def test_the_number_of_questions_is_told_for_each_variant_where_it_differs(shown):
    table = shown.partition("Where the fault")[0]
    rows = {line.split("  ")[0]: " ".join(line.split()) for line in table.splitlines()}
    assert " 2, 3" in rows["citations valid"]
    assert rows["context recall"].endswith("] 2")


def test_many_variants_stay_within_a_line(program, shop):
    old = Path("shop/variants/old.jsonl").read_text(encoding="utf-8")
    for number in range(12):
        Path(f"shop/variants/a-rather-long-name-{number}.jsonl").write_text(old, encoding="utf-8")
    table = [line for line in program("rag", "run", shop).out.splitlines() if line.startswith("recall@5 ")]
    assert len(table) > 1  # in several blocks
    assert max(map(len, table)) <= 140


def test_json_of_the_stored_run_has_no_figure_that_is_no_number(program, shown):
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    json.loads(program("show", 1, "--json").out, parse_constant=refuse)


def test_what_goes_wrong_is_listed_for_a_single_variant_too(program, shop):
    shown = program("rag", "run", shop, "--variant", "shop/variants/old.jsonl").out
    heading, *lines = shown.partition("\nold: 3 of 3 questions go wrong: ")[2].partition("\n\n")[0].splitlines()
    assert (
        heading == "invented answer 1, not retrieved 1, lost before the context 1, invalid citation 1. The worst first:"
    )
    answer = "Yes, we open on Sundays [c1]."
    said = f"nothing in the corpus answers it, and it answered: “{answer}”"
    assert lines[0] == f"- n1 Do you open on Sundays?: {said}"
    assert lines[1].startswith("- q2 How long is the warranty?: c3 is not among the 2 retrieved chunks; cites [c3]")
    assert len(lines) == 3
    assert "new: no verdict says that any of 3 questions goes wrong." in program("rag", "run", shop).out


def test_ten_questions_that_go_wrong_are_listed_and_the_others_counted(program, shop):
    bank, outputs = Path("shop/bank.jsonl"), Path("shop/variants/old.jsonl")
    for at in range(12):
        question = {"id": f"x{at}", "question": f"Number {at}?", "relevant": []}
        output = {"id": f"x{at}", "ranked": ["c1"], "context": ["c1"], "answer": "Of course [c1]."}
        for file, row in ((bank, question), (outputs, output)):
            file.write_text(file.read_text(encoding="utf-8") + json.dumps(row) + "\n", encoding="utf-8")
    shown = program("rag", "run", shop, "--variant", "old=shop/variants/old.jsonl").out
    lines = shown.partition("The worst first:\n")[2].partition("\n\n")[0].splitlines()
    assert len(lines) == 11
    assert lines[-1] == "- 5 more: calibrate report 1"


def test_the_hint_names_the_database_that_was_named(program, shop):
    assert "`calibrate report 1 -o rag.html` writes the page." in program("rag", "run", shop).out
    said = "`calibrate report 1 -o rag.html --db 'my runs.db'` writes the page."
    assert said in program("rag", "run", shop, "--db", "my runs.db").out
    assert said in program("show", 1, "--db", "my runs.db").out


def test_ranked_figures_that_repeat_others_are_in_the_json_and_not_in_the_table(program, shop):
    shown = program("rag", "run", shop).out
    table = shown.partition("Where the fault")[0]
    rows = {line.split("  ")[0] for line in table.splitlines()}
    assert {"recall@50", "recall@5", "hit rate@5", "nDCG@5"} <= rows
    assert not {"precision@5", "precision@50", "hit rate@50", "nDCG@50"} & rows
    hidden = "precision@50, precision@5, hit rate@50, nDCG@50"
    assert f"Not in this table, but in the report and in --json: {hidden}." in table
    figures = program("show", 1, "--json").json["results"][0]["figures"]
    assert {"precision@50", "ndcg@50"} <= {each["name"] for each in figures}
