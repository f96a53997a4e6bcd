"""``calibrate golden``: what a set can show, and taking new labels in."""

import csv
from pathlib import Path

import pytest
from program import FAITHFUL, FIVE, PAGES, UNFAITHFUL, write_pages


def rows_of(path):
    with Path(path).open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def fill_in(path, labels, notes=None):
    rows = rows_of(path)
    for row in rows:
        row["label_new"] = labels.get(row["id"], "")
        row["note"] = (notes or {}).get(row["id"], "")
    with Path(path).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def test_a_sound_set(program, pages):
    document = program("golden", "check", pages, "--json").json
    assert document["status"] == "ok"
    (dimension,) = document["dimensions"]
    assert (dimension["dimension"], dimension["items"], dimension["labelled"]) == ("faithfulness", 30, 30)
    assert dimension["classes"] == {"0": 9, "1": 21}
    assert 0.05 < dimension["resolution"]["half_width"] < 0.5
    codes = {each["code"] for each in document["findings"]}
    assert {"below_gate", "small_class"} <= codes
    text = program("golden", "check", pages).out
    assert text.startswith("pages: 30 labelled items in 1 dimension; can be used (0 errors, 2 warnings).")
    assert "30 items tell two judges" in text
    assert "agreement unknown: one rater" in text


def test_a_shipped_set(program):
    for name in ("support_faithfulness", "email_quality", "atencion_es"):
        assert program("golden", "check", name, "--json").json["status"] == "ok"


def test_a_set_of_one_class_is_refused(program):
    write_pages(Path("same.csv"), FAITHFUL)
    outcome = program("golden", "check", "same.csv", "--json", code=2)
    assert outcome.json["status"] == "refused"
    assert "single_class_gold" in {each["code"] for each in outcome.json["findings"] if each["level"] == "error"}
    assert "cannot be used for a calibration as it is" in program("golden", "check", "same.csv", code=2).out


def test_raters_who_agree_too_little(program):
    lines = ["id,context,answer,rater_ana,rater_ben,label"]
    for number, page in enumerate(PAGES):
        label = "1" if page.startswith("f") else "0"
        other = "0" if number % 3 == 0 else label
        lines.append(f"{page},Text of {page}.,Answer of {page}.,{label},{other},{label}")
    Path("raters.csv").write_text("\n".join(lines))
    document = program("golden", "check", "raters.csv", "--json", code=2).json
    (finding,) = [each for each in document["findings"] if each["level"] == "error"]
    assert finding["code"].startswith("raters_")
    # Ten of thirty items get "0" from Ben; of those three are unfaithful anyway.
    assert document["dimensions"][0]["agreement"]["agreement"]["value"] == pytest.approx(23 / 30)


def test_conflicting_duplicates_are_an_error(program):
    text = (
        write_pages(Path("twice.csv")).read_text().replace("page f01", "page u01").replace("Text of f01", "Text of u01")
    )
    Path("twice.csv").write_text(text)
    document = program("golden", "check", "twice.csv", "--json", code=2).json
    (finding,) = [each for each in document["findings"] if each["code"] == "conflicting_duplicates"]
    assert set(finding["ids"]) == {"f01", "u01"}


def test_one_dimension_of_several(program):
    document = program("golden", "check", "atencion_es", "--json").json
    names = [each["dimension"] for each in document["dimensions"]]
    assert names == ["faithfulness", "relevance", "accuracy"]
    one = program("golden", "check", "atencion_es", "--dimension", "accuracy", "--json").json
    assert [each["dimension"] for each in one["dimensions"]] == ["accuracy"]
    assert {each["dimension"] for each in one["findings"]} == {"accuracy"}


def test_scores_have_two_sides(program):
    lines = ["id,context,answer,label"] + [f"{n},c {n},a {n},{n / 40}" for n in range(40)]
    Path("scores.csv").write_text("\n".join(lines))
    asked = ("golden", "check", "scores.csv", "--scale", "interval")
    assert "--threshold" in program(*asked, code=2).error
    document = program(*asked, "--threshold", "0.5", "--json").json
    assert document["dimensions"][0]["classes"] == {"< 0.5": 20, ">= 0.5": 20}


def test_the_whole_way_round(program, pages, server):
    """Baseline, disagreements, new labels, a new version of the set, and the same judge on it."""
    asked = ("--judge", "openai:gpt-4.1", "--prompt", "prompt.txt", "--json")
    before = program("baseline", pages, *asked).json
    program("disagreements", 1, "-o", "review.csv")
    assert [row["id"] for row in rows_of("review.csv")] == ["f21", *UNFAITHFUL]
    # The experts give in on f21 and u01, stay with u02, and say nothing on the others.
    fill_in("review.csv", {"f21": "0", "u01": "1", "u02": "0"}, {"u02": "the date is wrong"})
    old = Path(pages).read_bytes()
    merged = program("golden", "merge", pages, "review.csv", "--json").json
    assert merged["path"] == "pages.v2.csv"
    assert merged["labels"] == [{"id": "f21", "old": "1", "new": "0"}, {"id": "u01", "old": "0", "new": "1"}]
    assert merged["notes"] == ["u02"]
    assert Path(pages).read_bytes() == old
    new = {row["id"]: row for row in rows_of("pages.v2.csv")}
    assert (new["f21"]["label"], new["u01"]["label"], new["u02"]["label"]) == ("0", "1", "0")
    assert new["u02"]["note"] == "the date is wrong"
    after = program("baseline", "pages.v2.csv", *asked).json
    # Not an item has changed, so every reply is replayed; the labels have, so the figures differ.
    assert after["runs"][0]["paid_calls"] == 0
    assert len(server.calls) == 30
    assert before["results"][0]["confusion"]["matrix"] == [[0, 9], [1, 20]]
    assert after["results"][0]["confusion"]["matrix"] == [[1, 8], [0, 21]]
    # Merged again, the version that is there is not written a second time.
    assert "pages.v2.csv holds these labels and notes already" in program("golden", "merge", pages, "review.csv").out
    assert not Path("pages.v3.csv").exists()
    Path("pages.v2.csv").unlink()
    text = program("golden", "merge", pages, "review.csv").out
    assert text.startswith("pages.v2.csv: 2 labels and ")
    assert "pages.csv stays as it was." in text
    assert "f21: 1 -> 0" in text


def test_the_experts_note_reaches_the_meta_llm_and_never_the_judge(program, pages, server):
    program("baseline", pages, "--judge", "openai:gpt-4.1", "--prompt", "prompt.txt")
    program("disagreements", 1, "-o", "review.csv")
    fill_in("review.csv", {}, {"u02": "the date is wrong"})
    program("golden", "merge", pages, "review.csv")
    server.calls.clear()
    program(
        *("optimize", "pages.v2.csv", "--judge", "openai:gpt-4.1", "--optimizer", "openai:gpt-4.1"),
        *("--prompt", "prompt.txt", "--iterations", 1),
        *("--strategy", "few-shot from disagreements", "--strategy", "fix wrongly accepted"),
    )
    metas = [call for call in server.calls if "<request " in call.user]
    analyses, rewrites = (
        [call for call in metas if f"<request {kind}=" in call.user] for kind in ("analysis", "strategy")
    )
    for asked in (analyses, rewrites):
        assert any("<expert_note>the date is wrong</expert_note>" in call.user for call in asked)
    judged = [call for call in server.calls if call not in metas]
    assert not any("the date is wrong" in call.user for call in judged)
    # A prompt that shows the item as an example gives its note as the reason, and is not judged on that item.
    showing = [call for call in judged if "the date is wrong" in call.system]
    assert showing
    assert not any("page u02" in call.user for call in showing)


def test_without_examples_in_the_prompt_no_note_reaches_the_judge(program, pages, server):
    program("baseline", pages, "--judge", "openai:gpt-4.1", "--prompt", "prompt.txt")
    program("disagreements", 1, "-o", "review.csv")
    fill_in("review.csv", {}, {"u02": "the date is wrong"})
    program("golden", "merge", pages, "review.csv")
    program(
        *("optimize", "pages.v2.csv", "--judge", "openai:gpt-4.1", "--optimizer", "openai:gpt-4.1", *FIVE),
        *("--prompt", "prompt.txt", "--iterations", 1),
    )
    told = [call for call in server.calls if "the date is wrong" in call.system + call.user]
    assert told
    assert all("<request strategy=" in call.user for call in told)


def test_a_set_that_needs_its_scale_said_is_merged_as_it_is_read(program, server):
    text = write_pages(Path("words.csv")).read_text()
    Path("words.csv").write_text(text.replace(".,1\n", ".,good\n").replace(".,0\n", ".,bad\n"))
    declared = ("--positive", "good")
    server._replies = lambda call: '{"reasoning": "", "label": "good"}'
    program("baseline", "words.csv", *declared, "--judge", "openai:gpt-4.1")
    program("disagreements", 1, "-o", "review.csv")
    fill_in("review.csv", {"u01": "good"})
    merged = program("golden", "merge", "words.csv", "review.csv", *declared, "--json").json
    assert merged["labels"] == [{"id": "u01", "old": "bad", "new": "good"}]


def test_nothing_new_writes_nothing(program, pages):
    Path("review.csv").write_text("id,label_new,note\nf01,,\nf02,1,\n")
    outcome = program("golden", "merge", pages, "review.csv")
    assert outcome.out.startswith("Nothing changed; pages.csv stays as it is and no new version was written.")
    assert sorted(path.name for path in Path().glob("*.csv")) == ["pages.csv", "review.csv"]


@pytest.mark.parametrize(
    ("review", "said"),
    [
        ("id,label_new,note\nzz,1,\n", ("review.csv", "row 1", "no item 'zz'")),
        ("id,label_new,note\nf01,perhaps,\n", ("review.csv", "row 1", "perhaps")),
        ("id,label_new,note\nf01,1,\nf01,0,\n", ("review.csv", "row 2", "appears twice")),
        ("id,answer,label_new,note\nf01,Another answer,0,\n", ("review.csv", "row 1", "answer")),
        ("id,note\nf01,x\n", ("review.csv", "label_new")),
    ],
)
def test_a_review_that_does_not_fit_is_refused_whole(program, pages, review, said):
    Path("review.csv").write_text(review)
    error = program("golden", "merge", pages, "review.csv", code=2).error
    assert all(part in error for part in said)
    assert not Path("pages.v2.csv").exists()


def test_a_shipped_set_stays_as_it_is(program):
    Path("review.csv").write_text("id,label_new,note\nsf-01,0,\n")
    assert "copy the folder" in program("golden", "merge", "support_faithfulness", "review.csv", code=2).error


def write_ratings(path, ratings: dict[str, list[str]], raters: int) -> str:
    """Write a set of one answer each with the ratings of so many raters, and their majority as label."""
    names = [f"rater_{number:02}" for number in range(1, raters + 1)]
    with Path(path).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "context", "answer", *names, "label"])
        for name, labels in ratings.items():
            label = max(sorted(set(labels)), key=labels.count)
            writer.writerow([name, f"Text of {name}.", f"Answer of {name}.", *labels, label])
    return path


def test_the_ratings_of_many_raters_are_counted_by_label(program):
    ratings = {f"q{n:02}": ["1"] * 50 + ["0"] * 38 if n < 3 else [str(n % 2)] * 88 for n in range(12)}
    shown = program("golden", "check", write_ratings("many.csv", ratings, 88), code=None).out
    (line,) = [line for line in shown.splitlines() if line.startswith("q01")]
    assert line.split("  ") == ["q01", "1: 50, 0: 38", "Answer of q01."]
    assert "rater_88" not in shown.split("raters disagree")[1].split("\n\n")[0]


def test_which_disputed_items_are_shown(program):
    ratings = {f"q{n:02}": ["1", "0"] if n < 18 else [str(n % 2)] * 2 for n in range(40)}
    shown = program("golden", "check", write_ratings("two.csv", ratings, 2), code=None).out
    assert "raters disagree on 18 items, on each as much; 10 of them:" in shown
    ratings["q00"] = ["1", "1"]
    three = {
        name: [*labels, labels[0] if name < "q05" else "0" if name < "q09" else labels[1]]
        for name, labels in ratings.items()
    }
    three |= {f"r{n}": ["1", "0", "x"] for n in range(3)}
    shown = program("golden", "check", write_ratings("three.csv", three, 3), "--scale", "nominal", code=None).out
    assert "raters disagree on 20 items, on these 10 the most:" in shown


def test_one_is_not_counted_in_the_plural(program, pages):
    write_pages(Path("same.csv"), FAITHFUL)
    assert "(1 error, " in program("golden", "check", "same.csv", code=2).out
    Path("new.csv").write_text("id,dimension,label_new,note\nf01,faithfulness,0,\nf02,faithfulness,1,mild\n")
    shown = program("golden", "merge", pages, "new.csv").out
    assert "1 label and 1 note changed, 1 label confirmed" in shown


def test_a_first_label_is_no_change_from_none(program):
    rows = Path(write_pages(Path("open.csv"))).read_text().replace("Answer of page f01.,1", "Answer of page f01.,")
    Path("open.csv").write_text(rows)
    Path("new.csv").write_text("id,dimension,label_new,note\nf01,faithfulness,1,\n")
    assert "  f01: no label -> 1\n" in program("golden", "merge", "open.csv", "new.csv").out
