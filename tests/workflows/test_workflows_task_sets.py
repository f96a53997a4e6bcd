"""A set for a judge of one step: its dimension, and how its labels read, where neither card nor options say it."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibrate.errors import InputError
from calibrate.golden import LoadedSet, LoadOptions
from calibrate.judge import Task
from calibrate.judge.support import complete_labels
from calibrate.workflows.task_sets import load_for_task

ENGLISH = ("supported", "contradicted", "not mentioned")


def table(*labels: str, header: str = "context,claim,label") -> str:
    rows = [f"Opens at {n}.,It opens at {n}.,{label}" for n, label in enumerate(labels, 1)]
    Path("my.csv").write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return "my.csv"


def load(
    path: str, task: Task = "verify", wanted: tuple[str, ...] = (), **options: object
) -> tuple[LoadedSet, list[str]]:
    notes: list[str] = []
    return load_for_task(task, path, LoadOptions(**options), wanted, notes), notes  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_labels_of_claims_are_nominal_and_the_dimension_is_the_roles() -> None:
    loaded, notes = load(table("supported", "contradicted", "not mentioned", "supported"))
    scale = loaded.golden.scales["claim_support"]
    assert (scale.kind, scale.labels) == ("nominal", ENGLISH)
    assert notes == [
        "labels read as nominal supported, contradicted, not mentioned",
        "dimension: claim_support (none is named, and the judge verifies claims)",
    ]
    assert [item.label for item in loaded.golden.items] == [*ENGLISH, "supported"]


@pytest.mark.parametrize("wanted", [("faithfulness",), ("quality",)])
def test_a_dimension_that_is_asked_for_is_kept(wanted: tuple[str, ...]) -> None:
    loaded, notes = load(table(*ENGLISH), wanted=wanted)
    assert loaded.golden.dimensions == ("faithfulness",)
    assert len(notes) == 1


def test_a_dimension_that_is_named_is_kept() -> None:
    assert load(table(*ENGLISH), dimension="mine")[0].golden.dimensions == ("mine",)
    path = table("supported,own", "contradicted,own", header="context,claim,label,dimension")
    assert load(path)[0].golden.dimensions == ("own",)


def test_the_task_split_names_its_dimension_and_a_verdict_none() -> None:
    path = table("0", "1", header="question,answer,label")
    loaded, notes = load(path, "split")
    assert loaded.golden.dimensions == ("claims",)
    assert notes == ["dimension: claims (none is named, and the judge splits answers into claims)"]
    assert load(path, "verdict")[0].golden.dimensions == ("quality",)


@pytest.mark.parametrize(
    ("labels", "options"), [(("1", "0"), {}), (("yes", "no"), {"scale": "binary", "positive": "yes"})]
)
def test_a_binary_set_of_claims_stays_binary(labels: tuple[str, ...], options: dict[str, object]) -> None:
    loaded, _ = load(table(*labels), **options)
    assert loaded.golden.scales["claim_support"].kind == "binary"


@pytest.mark.parametrize(
    "labels", [("good", "bad"), ("yes", "no"), ("supported", "attributable"), ("supported", "odd")]
)
def test_other_labels_are_refused_with_what_the_task_takes(labels: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as error:
        load(table(*labels))
    assert "--task verify takes three nominal labels, supported, contradicted and not mentioned" in str(error.value)
    assert all(label in str(error.value) for label in labels)


def test_what_is_not_about_the_labels_is_said_as_ever() -> None:
    with pytest.raises(InputError, match="no column holds labels"):
        load(table("x", header="context,claim,other"))
    with pytest.raises(InputError, match="ordinal scale needs its labels"):
        load(table(*ENGLISH), scale="ordinal")


@pytest.mark.parametrize(
    ("found", "labels"),
    [
        (["not mentioned", "supported", "contradicted"], ENGLISH),
        (["Supported"], ("Supported", "contradicted", "not mentioned")),
        (["neutral", "entailment"], ("entailment", "contradiction", "neutral")),
        (["respaldada", "No_mencionada"], ("respaldada", "contradicha", "No_mencionada")),
        (["contradicho"], ("respaldado", "contradicho", "no mencionado")),
        (["yes", "no", "neutral"], ("yes", "no", "neutral")),
        (["yes", "no"], None),
        (["true"], None),
        (["supported", "yes"], None),
        (["supported", "good"], None),
        ([], None),
    ],
)
def test_known_words_make_three_labels(found: list[str], labels: tuple[str, ...] | None) -> None:
    assert complete_labels(found) == labels
