"""Every file in ``data`` behaves as ``data/expected.json`` says; no file is left without a test."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from calibrate.errors import InputError
from calibrate.golden import LoadedSet, LoadOptions, check, load_golden, read_table, write_csv

DATA = Path(__file__).parent / "data"
EXPECTED: dict[str, str] = {
    name: text
    for name, text in json.loads((DATA / "expected.json").read_text(encoding="utf-8")).items()
    if not name.startswith("_")
}

NONE_LABEL = LoadOptions(scale="binary", positive="None")
SPANISH = LoadOptions(labels=("fiel", "infiel"), positive="fiel", language="es")
YES_NO = LoadOptions(scale="binary", labels=("Yes", "No"), positive="Yes")


def load(name: str, options: LoadOptions | None = None) -> LoadedSet:
    return load_golden(DATA / name, options)


def refusal(name: str, options: LoadOptions | None = None) -> str:
    with pytest.raises(InputError) as caught:
        load(name, options)
    message = str(caught.value)
    assert name in message
    assert "\n" not in message
    return message


def labels(loaded: LoadedSet) -> dict[str, str | None]:
    return {item.id: item.label for item in loaded.golden.items}


def bom() -> None:
    loaded = load("bom.csv")
    assert loaded.table.columns[0] == "id"
    assert labels(loaded) == {"q1": "1", "q2": "0"}


def none_label() -> None:
    loaded = load("none_label.csv", NONE_LABEL)
    assert labels(loaded) == {"007": "None", "008": "Some", "009": "None"}
    assert [item.inputs["answer"] for item in loaded.golden.items] == ["None", "Two", "NA"]


def semicolon_es() -> None:
    loaded = load("semicolon_es.csv", SPANISH)
    assert labels(loaded) == {"q1": "fiel", "q2": "infiel"}
    assert "delimiter ';'" in loaded.messages
    assert any("question <- pregunta" in message for message in loaded.messages)
    assert loaded.golden.items[0].inputs["question"] == "¿Plazo?"


def latin1() -> None:
    assert "--encoding latin-1" in refusal("latin1.csv")
    loaded = load("latin1.csv", LoadOptions(encoding="latin-1"))
    assert labels(loaded) == {"q1": "1", "q2": "0"}
    assert loaded.golden.items[0].inputs == {
        "question": "¿Cuánto?",
        "context": "El año cuesta 8 €.",
        "answer": "8 euros al año",
    }


def duplicate_ids() -> None:
    assert "id 'q1' appears twice, in rows 1 and 2" in refusal("duplicate_ids.csv")


def missing_label() -> None:
    loaded = load("missing_label.csv")
    assert loaded.unlabelled == ("q2",)
    assert [item.id for item in loaded.golden.labelled] == ["q1", "q3", "q4"]
    assert "1 item without a label, left out: q2" in loaded.messages
    assert "3 items used" in loaded.messages
    assert "row 2: item 'q2' has no gold label" in refusal("missing_label.csv", LoadOptions(strict=True))


def label_variants() -> None:
    assert "row 6, field 'label': 'maybe' is not a label; expected Yes, No" in refusal("label_variants.csv", YES_NO)
    undeclared = refusal("label_variants.csv")
    assert "labels found: Yes (3), no (2), maybe (1)" in undeclared
    assert "--scale" in undeclared


def single_class() -> None:
    findings = {finding.code: finding for finding in check(load("single_class.csv"))}
    assert findings["single_class_gold"].level == "error"


def braces() -> None:
    loaded = load("braces.jsonl")
    rows = [json.loads(line) for line in (DATA / "braces.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [dict(item.inputs) for item in loaded.golden.items] == [
        {name: row[name] for name in ("question", "context", "answer")} for row in rows
    ]


def mixed_types() -> None:
    loaded = load("mixed_types.jsonl")
    assert labels(loaded) == {"1": "1", "2": "0", "3": "0"}
    assert loaded.golden.items[0].inputs["context"] == ("first chunk", "second chunk")
    assert loaded.empty_inputs == (("3", "context"),)
    assert "1 empty input: 3 context" in loaded.messages


def broken_line() -> None:
    assert "row 2: not valid JSON: Expecting property name" in refusal("broken_line.jsonl")


def two_raters() -> None:
    loaded = load("two_raters.csv")
    assert labels(loaded) == {"q1": "1", "q2": None, "q3": "0", "q4": "1", "q5": "0", "q6": "1"}
    assert loaded.ties == ("q2",)
    assert loaded.golden.gold == "majority of 2 raters"
    assert "1 item on which raters tie, left out: q2" in loaded.messages
    pairs = [item.ratings for item in loaded.golden.items if len(item.ratings) == 2]
    assert len(pairs) == 5
    assert sum(ratings["rater_ana"] == ratings["rater_ben"] for ratings in pairs) == 4
    assert loaded.golden.items[4].ratings == {"rater_ana": "0"}


def multiline() -> None:
    loaded = load("multiline.csv")
    assert loaded.golden.items[0].inputs["question"] == "Two\nlines?"
    assert loaded.golden.items[0].inputs["context"] == 'He said "yes", then\n\nleft.'
    assert loaded.golden.items[1].inputs["answer"] == '=HYPERLINK("x")'


def not_a_table() -> None:
    assert "binary data" in refusal("not_a_table.csv")


def empty() -> None:
    assert "the file is empty" in refusal("empty.csv")


def header_only() -> None:
    assert "no items" in refusal("header_only.csv")


CHECKS: dict[str, Callable[[], None]] = {
    "bom.csv": bom,
    "none_label.csv": none_label,
    "semicolon_es.csv": semicolon_es,
    "latin1.csv": latin1,
    "duplicate_ids.csv": duplicate_ids,
    "missing_label.csv": missing_label,
    "label_variants.csv": label_variants,
    "single_class.csv": single_class,
    "braces.jsonl": braces,
    "mixed_types.jsonl": mixed_types,
    "broken_line.jsonl": broken_line,
    "two_raters.csv": two_raters,
    "multiline.csv": multiline,
    "not_a_table.csv": not_a_table,
    "empty.csv": empty,
    "header_only.csv": header_only,
}


@pytest.mark.parametrize("name", EXPECTED, ids=lambda name: f"{name}: {EXPECTED[name]}"[:60])
def test_each_file_gives_what_is_expected(name: str) -> None:
    CHECKS[name]()


def test_every_file_is_expected_and_checked() -> None:
    files = {path.name for path in DATA.iterdir()} - {"expected.json"}
    assert files == EXPECTED.keys() == CHECKS.keys()


def test_spellings_of_one_label_are_one() -> None:
    loaded = load("label_variants.csv", LoadOptions(scale="nominal", labels=("Yes", "No", "Maybe")))
    assert list(labels(loaded).values()) == ["Yes", "Yes", "No", "No", "Yes", "Maybe"]


def test_an_exported_multiline_set_loads_with_the_same_content(tmp_path: Path) -> None:
    before = load("multiline.csv")
    write_csv(tmp_path / "multiline.csv", before.table.columns, before.table.rows, source=before.source)
    assert b",\"'=HYPERLINK" in (tmp_path / "multiline.csv").read_bytes()
    assert load_golden(tmp_path / "multiline.csv").golden.digest == before.golden.digest
    assert read_table(tmp_path / "multiline.csv").rows == before.table.rows
