"""``golden check --plan`` and ``golden sample``: how many labels, and which."""

import csv
import json
from pathlib import Path

import pytest
from program import PAGES


def write_set(path, labelled, product=lambda at: "web", tie=()):
    """Pages in order; those not ``labelled`` have no label."""
    with Path(path).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "question", "context", "answer", "label", "product"])
        for at, page in enumerate(PAGES):
            own = str(int(page.startswith("f"))) if page in labelled else ""
            writer.writerow([page, f"What is on page {page}?", f"Text of {page}.", f"Answer {page}.", own, product(at)])
    return path


@pytest.fixture
def part():
    """Twenty labelled pages of thirty."""
    return write_set("part.csv", {*PAGES[:14], *PAGES[24:]}, lambda at: "phone" if at in (0, 15, 16) else "web")


def rows_of(path):
    with Path(path).open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_a_plan_says_what_more_labels_buy(program, part):
    (plan,) = program("golden", "check", part, "--plan", "--json").json["plan"]
    assert (plan["labelled"], plan["unlabelled"]) == (20, 10)
    assert (plan["assumed_alignment"], plan["assumed_from"]) == (0.7, None)
    rows = plan["rows"]
    assert [row["n"] for row in rows[:4]] == [20, 40, 80, 160]
    assert rows[1]["classes"] == {"0": 12, "1": 28}
    for name in ("half_width", "resolvable_difference"):
        figures = [row[name] for row in rows]
        assert figures == sorted(figures, reverse=True)
    assert plan["rarest_class"] == "0"
    # The wished difference lies between the last two rows.
    assert rows[-2]["n"] < plan["items_for_difference"] <= rows[-1]["n"]
    assert rows[-1]["resolvable_difference"] <= plan["difference"] == 0.05
    text = program("golden", "check", part, "--plan").out
    assert "what more labels buy, for a judge of alignment 0.70" in text
    assert "Rarest class: '0'." in text
    assert f"A difference of 0.05 is resolved by {plan['items_for_difference']:,} items" in text


def test_a_larger_difference_takes_fewer_items(program, part):
    def needed(*options):
        return program("golden", "check", part, "--plan", *options, "--json").json["plan"][0]["items_for_difference"]

    assert needed("--difference", "0.2") < needed("--difference", "0.1") < needed()
    assert "above 0" in program("golden", "check", part, "--plan", "--difference", "0", code=2).error


def test_the_alignment_that_a_run_measured(program, part, server):
    program("baseline", part, "--judge", "openai:gpt-4.1")
    measured = program("show", 1, "--json").json["results"][0]["alignment"]["value"]
    (plan,) = program("golden", "check", part, "--plan", "--run", "1", "--json").json["plan"]
    assert (plan["assumed_alignment"], plan["assumed_from"]) == (measured, "1:0")
    assert "for the judge of run 1:0, alignment" in program("golden", "check", part, "--plan", "--run", "1").out
    assert "no run 7" in program("golden", "check", part, "--plan", "--run", "7", code=2).error


def test_without_a_database_there_is_no_run(program, part):
    program("golden", "check", part, "--plan", "--run", "1", code=2)
    assert not Path("runs.db").exists()


def test_a_mere_check_has_no_plan(program, part):
    assert "plan" not in program("golden", "check", part, "--json").json
    assert "--plan" in program("golden", "check", part, "--by", "product", code=2).error
    assert not Path("runs.db").exists()


def test_where_nothing_is_known_labels_are_drawn_at_random_and_it_is_said(program, part):
    (plan,) = program("golden", "check", part, "--plan", "--json").json["plan"]
    assert "no run here has a verdict on an unlabelled item" in plan["how"]
    assert {tuple(each["reasons"]) for each in plan["label_next"]} == {("drawn at random",)}
    assert len(plan["label_next"]) == 10


def test_rare_slices_come_first(program, part):
    (plan,) = program("golden", "check", part, "--plan", "--by", "product", "--json").json["plan"]
    assert {each["id"] for each in plan["label_next"][:2]} == {"f16", "f17"}
    assert plan["label_next"][0]["reasons"] == ["rare: product=phone has 1 labelled item"]


def test_judges_that_disagreed_when_the_set_had_its_labels(program, part, server, world):
    write_set("full.csv", PAGES)
    program("baseline", "full.csv", "--judge", "openai:gpt-4.1")
    world.judge = lambda prompt, page: "0" if page == "f18" else "1"
    program("baseline", "full.csv", "--judge", "openai:gpt-4.1-mini")
    (plan,) = program("golden", "check", part, "--plan", "--json").json["plan"]
    # Both accept everything but f21 (the first) and f18 (the second), which both are without a label now.
    assert {each["id"] for each in plan["label_next"][:2]} == {"f18", "f21"}
    assert all(each["reasons"][0].startswith("judges disagree") for each in plan["label_next"][:2])
    assert plan["how"].startswith("2 of 10 unlabelled items stand out (runs here have verdicts on 10)")


def test_the_sample_goes_round_through_a_merge(program, part):
    document = program("golden", "sample", part, "-n", "4", "-o", "to_label.csv", "--json").json
    rows = rows_of("to_label.csv")
    assert document["rows"] == len(rows) == 4
    assert list(rows[0]) == ["id", "dimension", "question", "context", "answer", "label_new", "note"]
    assert all(row["label_new"] == row["note"] == "" for row in rows)
    assert {row["id"] for row in rows} <= set(PAGES[14:24])
    for row in rows:
        row["label_new"] = "1"
    with Path("to_label.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    merged = program("golden", "merge", part, "to_label.csv", "--json").json
    assert {each["id"] for each in merged["labels"]} == {row["id"] for row in rows}
    (dimension,) = program("golden", "check", merged["path"], "--json").json["dimensions"]
    assert dimension["labelled"] == 24


def test_json_lines_keep_chunks_apart(program):
    items = [
        {"id": str(n), "context": ["one", "two"], "answer": "a", "label": n % 2 if n < 6 else None} for n in range(9)
    ]
    Path("chunks.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in items))
    program("golden", "sample", "chunks.jsonl", "-o", "out.jsonl")
    rows = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert {row["id"] for row in rows} == {"6", "7", "8"}
    assert rows[0]["context"] == ["one", "two"]
    assert "Nothing changed" in program("golden", "merge", "chunks.jsonl", "out.jsonl").out


def test_the_seed_decides_the_draw(program, part):
    def drawn(seed):
        program("golden", "sample", part, "-n", "5", "-o", "out.csv", "--seed", seed, "--overwrite")
        return [row["id"] for row in rows_of("out.csv")]

    assert drawn("0") == drawn("0") != drawn("1")


def test_a_file_is_not_replaced_unless_told(program, part):
    Path("mine.csv").write_text("mine")
    asked = ("golden", "sample", part, "-o", "mine.csv")
    assert "--overwrite" in program(*asked, code=2).error
    assert Path("mine.csv").read_text() == "mine"
    program(*asked, "--overwrite")
    assert len(rows_of("mine.csv")) == 10


def test_the_set_is_never_replaced(program, part):
    before = Path(part).read_text()
    assert "never overwritten" in program("golden", "sample", part, "-o", part, "--overwrite", code=2).error
    assert Path(part).read_text() == before


def test_a_set_that_has_all_its_labels(program, pages):
    assert "nothing to sample" in program("golden", "sample", pages, "-o", "out.csv", code=2).error
    assert not Path("out.csv").exists()


def test_another_kind_of_file(program, part):
    assert "name a .csv or .jsonl file" in program("golden", "sample", part, "-o", "out.txt", code=2).error


def test_the_file_does_not_tell_what_judges_said(program, part, server):
    write_set("full.csv", PAGES)
    program("baseline", "full.csv", "--judge", "openai:gpt-4.1")
    program("golden", "sample", part, "-o", "out.csv")
    assert "judge" not in Path("out.csv").read_text()


def test_dimensions_take_turns(program):
    lines = ["id,dimension,context,answer,label"]
    for dimension in ("faithfulness", "relevance"):
        lines += [f"{n},{dimension},c {n},a {n},{n % 2 if n < 6 else ''}" for n in range(10)]
    Path("two.csv").write_text("\n".join(lines))
    program("golden", "sample", "two.csv", "-n", "4", "-o", "out.csv")
    assert [row["dimension"] for row in rows_of("out.csv")] == ["faithfulness", "relevance"] * 2
    program("golden", "sample", "two.csv", "-n", "4", "-o", "one.csv", "--dimension", "relevance")
    assert {row["dimension"] for row in rows_of("one.csv")} == {"relevance"}


def test_the_functions_in_python(part):
    import calibrate

    plan = calibrate.plan(part, difference=0.1).plan[0]
    assert plan.items_for_difference < 500
    written = calibrate.sample(part, "out.csv", number=3)
    assert len(written.suggestions) == 3


def test_judged_unlabelled_items_tell_which_to_label_next_and_count_in_no_figure(program, tmp_path):
    rows = [
        "id,answer,label",
        *(f"q{n},text {n},{n % 2}" for n in range(12)),
        *(f"w{n},text {n + 50}," for n in range(6)),
    ]
    (tmp_path / "items.csv").write_text("\n".join(rows))
    (tmp_path / "two.py").write_text(
        "def even(item):\n    return int(item['inputs']['answer'].split()[1]) % 2\n"
        "def odd_on_w3(item):\n    return even(item) if item['id'] != 'w3' else 1 - even(item)\n"
    )
    told = program("baseline", "items.csv", "--judge", "py:two:even", "--unlabelled", "--dry-run", "--json").json
    assert told["estimate"]["calls"] == 18
    for judge in ("even", "odd_on_w3"):
        document = program("baseline", "items.csv", "--judge", f"py:two:{judge}", "--unlabelled", "--json").json
        assert (document["results"][0]["n"], document["runs"][0]["paid_calls"]) == (12, 18)
    (plan,) = program("golden", "check", "items.csv", "--plan", "--json").json["plan"]
    assert plan["label_next"][0]["id"] == "w3"
    assert "differ" in plan["label_next"][0]["reasons"][0] or "disagree" in plan["label_next"][0]["reasons"][0]
    assert program("show", 1, "--json").json["results"][0]["n"] == 12
    assert program("disagreements", 1, "-o", "review.csv").code == 0
