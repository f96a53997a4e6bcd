"""What a judge must not see, what is no number, and files that are not written over."""

from __future__ import annotations

import math
import os
from pathlib import Path

import pytest

from calibrate.errors import InputError
from calibrate.golden import (
    LoadOptions,
    RecordedOptions,
    load_golden,
    load_recorded,
    refuse_overwriting,
)

GOLDEN = "id,answer,label,rater_a,rater_b,decided,note\n1,x,1,1,1,,fine\n2,y,0,0,1,0,\n"
RECORDED = "id,answer,human,judge\n1,x,1,1\n2,y,0,1\n"


def file_of(folder: Path, text: str, name: str = "set.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def refusal(path: Path, options: LoadOptions | None = None) -> str:
    with pytest.raises(InputError) as caught:
        load_golden(path, options)
    return str(caught.value)


def refusal_of_recorded(path: Path, options: RecordedOptions) -> str:
    with pytest.raises(InputError) as caught:
        load_recorded(path, options)
    return str(caught.value)


# Inputs


@pytest.mark.parametrize(
    ("column", "use"),
    [
        ("label", "holds the gold labels"),
        ("rater_b", "is a rater's"),
        ("decided", "decides where raters tie"),
        ("note", "holds the experts' notes"),
    ],
)
def test_what_the_experts_said_is_no_input(tmp_path: Path, column: str, use: str) -> None:
    path = file_of(tmp_path, GOLDEN)
    message = refusal(path, LoadOptions(inputs=("answer", column), adjudicated="decided"))
    assert message == (
        f"{path}, field 'inputs': column '{column}' {use}, which a judge must not see; leave it out of the inputs "
        "(--inputs, or inputs in card.toml)"
    )


def test_a_role_does_not_hide_that_a_column_holds_the_labels(tmp_path: Path) -> None:
    path = file_of(tmp_path, "id,text,gold\n1,x,1\n2,y,0\n")
    message = refusal(path, LoadOptions(columns={"answer": "text", "context": "gold"}, label="gold"))
    assert "column 'gold' holds the gold labels, which a judge must not see" in message


def test_the_labels_of_one_dimension_are_no_input_of_another(tmp_path: Path) -> None:
    file_of(tmp_path, "id,answer,first,second\n1,x,1,1\n2,y,0,1\n")
    card = '[dimensions.one]\nlabel = "first"\n[dimensions.two]\nlabel = "second"\ninputs = ["answer", "first"]\n'
    file_of(tmp_path, card, "card.toml")
    assert "column 'first' holds the gold labels" in refusal(tmp_path)


def test_an_unlabelled_column_of_a_usual_name_may_be_an_input_when_the_labels_are_elsewhere(tmp_path: Path) -> None:
    path = file_of(tmp_path, "id,answer,label,gold\n1,x,wine,1\n2,y,beer,0\n")
    (first, _) = load_golden(path, LoadOptions(inputs=("answer", "label"), label="gold")).golden.items
    assert (first.inputs, first.label) == ({"answer": "x", "label": "wine"}, "1")


# Recorded verdicts


def test_one_column_is_not_expert_and_judge_at_once(tmp_path: Path) -> None:
    path = file_of(tmp_path, RECORDED)
    assert refusal_of_recorded(path, RecordedOptions(human="human", judges=("human",))) == (
        f"{path}: column 'human' cannot be both the human labels and a judge's verdicts; name two with --human and "
        "--judge"
    )


@pytest.mark.parametrize(
    ("options", "option"),
    [
        (RecordedOptions(group="human"), "--group"),
        (RecordedOptions(run="human"), "--run"),
        (RecordedOptions(judges=("judge", "human")), "--judge"),
    ],
)
def test_a_human_column_with_another_use_is_named(tmp_path: Path, options: RecordedOptions, option: str) -> None:
    assert f"column 'human' would hold the human labels, but {option} gives it another use" in refusal_of_recorded(
        file_of(tmp_path, RECORDED), options
    )


# Numbers and labels


@pytest.mark.parametrize("name", ["threshold", "low", "high"])
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_scale_has_finite_numbers(tmp_path: Path, name: str, value: float) -> None:
    path = file_of(tmp_path, RECORDED)
    said = f"field '{name}': {value} is no finite number; give one with --{name}, or {name} in card.toml"
    numbers = {"threshold": 0.5, name: value}
    assert said in refusal(path, LoadOptions(scale="interval", **numbers))
    assert said in refusal_of_recorded(path, RecordedOptions(scale="interval", **numbers))


@pytest.mark.parametrize("name", ["threshold", "low", "high"])
@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e999"])
@pytest.mark.parametrize("table", ["", "[dimensions.unused]\n"])
def test_a_card_has_finite_numbers(tmp_path: Path, name: str, value: str, table: str) -> None:
    file_of(tmp_path, RECORDED)
    card = file_of(tmp_path, f"{table}{name} = {value}\n", "card.toml")
    message = refusal(tmp_path)
    assert message.startswith(f"{card}, field '")
    assert message.endswith("input should be a finite number")


def test_a_number_of_thousands_of_digits_in_a_card_is_refused_without_advice_to_programmers(tmp_path: Path) -> None:
    file_of(tmp_path, RECORDED)
    card = file_of(tmp_path, f"threshold = {'1' * 5000}\n", "card.toml")
    assert refusal(tmp_path) == f"{card}: not valid TOML: a number of thousands of digits"


def test_a_whole_number_beyond_every_float_is_no_score(tmp_path: Path) -> None:
    path = file_of(tmp_path, f'{{"id": 1, "answer": "x", "label": {"1" * 400}}}\n', "set.jsonl")
    assert "is not a label; expected a number" in refusal(path, LoadOptions(scale="interval", threshold=0.5))


@pytest.mark.parametrize("labels", [("0", "0"), ("1", "1.0"), ("yes", "no", "Yes")])
def test_a_label_is_listed_once(tmp_path: Path, labels: tuple[str, ...]) -> None:
    path = file_of(tmp_path, RECORDED)
    said = f"labels {', '.join(labels)}: two of them read the same; list each label once"
    assert said in refusal(path, LoadOptions(labels=labels))
    assert said in refusal_of_recorded(path, RecordedOptions(labels=labels))


# Languages


@pytest.mark.parametrize(("tag", "told"), [("en", 0), ("es-MX", 0), ("EN_gb", 0), ("fr", 1), ("enm", 1)])
def test_a_language_without_texts_is_told(tmp_path: Path, tag: str, told: int) -> None:
    loaded = load_golden(file_of(tmp_path, RECORDED), LoadOptions(language=tag))
    said = f"language '{tag}': there are texts in en and es only; the English ones are used"
    assert loaded.messages.count(said) == told
    assert loaded.golden.language == tag


# Files that are there


def refusal_to_write(path: Path, *, overwrite: bool, never: tuple[Path, ...] = ()) -> str:
    with pytest.raises(InputError) as caught:
        refuse_overwriting(path, overwrite=overwrite, never=never)
    return str(caught.value)


def test_a_file_that_is_there_is_replaced_on_request_only(tmp_path: Path) -> None:
    path = file_of(tmp_path, "filled in", "review.csv")
    assert refusal_to_write(path, overwrite=False) == (
        f"{path}: exists already; give another name, or replace it with --overwrite"
    )
    refuse_overwriting(path, overwrite=True)
    refuse_overwriting(tmp_path / "new.csv", overwrite=False)


def test_a_file_in_use_is_never_replaced_whatever_it_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = file_of(tmp_path, "labels", "set.csv")
    (tmp_path / "soft.csv").symlink_to(path)
    os.link(path, tmp_path / "hard.csv")
    for name in (path, Path("set.csv"), tmp_path / "soft.csv", tmp_path / "hard.csv"):
        assert "in use here and never overwritten; give another name" in refusal_to_write(
            name, overwrite=True, never=(Path("set.csv"),)
        )
    gone = tmp_path / "runs.db-wal"
    assert "never overwritten" in refusal_to_write(Path("runs.db-wal"), overwrite=True, never=(gone,))


def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    for path in (tmp_path, Path(os.devnull)):
        assert "not a file that can be written" in refusal_to_write(path, overwrite=True)
