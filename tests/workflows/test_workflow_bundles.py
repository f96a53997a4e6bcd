"""A bundle and a golden set: what the judge is shown of it, on which dimension and scale, and what leaves the set."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from pathlib import Path

import pytest

from calibrate.config import Settings, load_settings
from calibrate.domain import Item, Scale
from calibrate.errors import InputError
from calibrate.export import Exported, as_json
from calibrate.golden import LoadOptions, load_golden
from calibrate.judge import JudgeSettings, Prompt
from calibrate.optimizer.examples import with_examples
from calibrate.providers import Ledger
from calibrate.workflows.bundles import MAX_BUNDLE_BYTES, is_bundle, load_bundle
from calibrate.workflows.setup import JudgeOptions, Prepared, prepare

HEADER = ("id", "question", "context", "answer", "label")
ROWS = [(f"q{n}", f"What is {n}?", f"It is {n}, \nthat {{{{much}}}}.", f"{n} it is.", str(n % 2)) for n in range(6)]
INPUTS = ("question", "context", "answer")
BINARY = Scale("binary", ("0", "1"), positive="1")
INSTRUCTIONS = "Is it right?"


def write_set(header=HEADER, rows=ROWS, name="set.csv") -> str:
    with Path(name).open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return name


def judge(text=INSTRUCTIONS, *, inputs=INPUTS, settings=None, examples=(), **changed) -> Exported:
    made = Exported(
        name="set-faithfulness",
        dimension="faithfulness",
        prompt=Prompt.parse(text, inputs, single_braces="{" in text and "{{" not in text),
        model="sim:reader",
        models_returned=("sim:reader",),
        scale=BINARY,
        settings=settings or JudgeSettings(),
        inputs=inputs,
        metrics={},
        provenance={"examples": list(examples)},
    )
    return replace(made, **changed)


def write_bundle(exported: Exported, name="judge.json") -> str:
    Path(name).write_text(as_json(exported), encoding="utf-8")
    return name


def prepared(how: JudgeOptions, *, path="set.csv", dimensions=(), **load) -> Prepared:
    (part,), _ = prepare(path, how, LoadOptions(**load), dimensions, Settings(), Ledger(None))
    return part


def with_bundle(exported: Exported, **options) -> Prepared:
    return prepared(JudgeOptions(write_bundle(exported)), **options)


@pytest.fixture(autouse=True)
def _set(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_set()


def test_the_judge_is_the_bundles_to_the_last_setting():
    settings = JudgeSettings("es", 0.7, 300, allow_abstain=True, votes=3, adaptive=True)
    part = with_bundle(judge("Is {answer} right?", settings=settings))
    assert part.settings == settings
    assert part.prompt.fill({"answer": "5"}) == "Is 5 right?"
    assert part.bundle is not None
    assert part.bundle["file"] == "judge.json"
    assert part.bundle["content"] in Path("judge.json").read_text()


def test_a_set_with_just_the_bundles_inputs_is_the_set_that_earlier_runs_know():
    assert with_bundle(judge()).golden == load_golden("set.csv", LoadOptions()).golden


def test_the_judge_sees_its_own_inputs_in_its_own_order_and_no_others():
    header = ("id", "reference", "answer", "context", "question", "label")
    write_set(header, [(row[0], "It is secret.", row[3], row[2], row[1], row[4]) for row in ROWS])
    part = with_bundle(judge())
    assert [dict(item.inputs) for item in part.golden.items] == [
        dict(zip(INPUTS, row[1:4], strict=True)) for row in ROWS
    ]
    assert all(tuple(item.inputs) == INPUTS for item in part.golden.items)
    assert "not shown to the judge of judge.json, which does not know it: reference" in part.messages


def test_an_input_that_the_set_has_not_is_named():
    with pytest.raises(InputError, match=r"set\.csv: the judge .* sees question, reference, and the set has no ref"):
        with_bundle(judge(inputs=("question", "reference")))


def test_another_scale_is_refused_naming_both():
    other = Scale("binary", ("no", "yes"), positive="yes")
    with pytest.raises(InputError, match=r"binary: no / yes, good yes\) than .* \(binary: 0 / 1, good 1\)"):
        with_bundle(judge(scale=other))
    with pytest.raises(InputError, match=r"good 0\) than .*good 1\)"):
        with_bundle(judge(scale=replace(BINARY, positive="0")))
    with pytest.raises(InputError, match="nominal: 0 / 1"):
        with_bundle(judge(scale=Scale("nominal", ("0", "1"))))


def test_the_judge_is_told_the_labels_in_its_own_order():
    turned = replace(BINARY, labels=("1", "0"))
    assert with_bundle(judge(scale=turned)).golden.scales["faithfulness"] == turned
    ordinal = judge(scale=Scale("ordinal", ("1", "0")))
    with pytest.raises(InputError, match="another scale"):
        with_bundle(ordinal, scale="ordinal", labels=("0", "1"))


def test_the_dimension_is_its_own_else_the_only_one_else_to_be_named():
    write_set((*HEADER, "dimension"), [(*row, name) for name in ("faithfulness", "tone") for row in ROWS])
    assert with_bundle(judge()).dimension == "faithfulness"
    with pytest.raises(InputError, match="it judges 'brevity', and set has faithfulness, tone; name one"):
        with_bundle(judge(dimension="brevity"))
    named = with_bundle(judge(dimension="brevity"), dimensions=("tone",))
    assert named.dimension == "tone"
    assert "judge.json was written for 'brevity'; here it judges 'tone'" in named.messages
    with pytest.raises(InputError, match="it judges one dimension, 'faithfulness'"):
        with_bundle(judge(), dimensions=("faithfulness", "tone"))
    write_set()
    assert with_bundle(judge(dimension="brevity")).dimension == "faithfulness"


def example(row) -> Item:
    return Item(row[0], "faithfulness", dict(zip(INPUTS, row[1:4], strict=True)), row[4])


@pytest.mark.parametrize("whole", [True, False])
def test_items_that_the_prompt_shows_leave_the_set(whole):
    text = with_examples(INSTRUCTIONS, [example(ROWS[1]), example(ROWS[2])], "en")
    # q2 has another text by now, and q3 was not shown whatever the bundle says.
    write_set(rows=[*ROWS[:2], ("q2", "What else?", "Nothing.", "Two.", "0"), *ROWS[3:]])
    path = write_bundle(judge(text, examples=("q1", "q2", "q3", "gone")))
    part = prepared(JudgeOptions(path) if whole else JudgeOptions("sim:reader-small", prompt=Path(path)))
    assert [item.id for item in part.golden.items] == ["q0", "q2", "q3", "q4", "q5"]
    assert [item.id for item in part.shown] == ["q1"]
    assert "1 item is left out: the prompt of judge.json shows them, or items like them, as examples" in part.messages


def test_of_a_prompt_what_belongs_to_the_text_comes_along_and_nothing_else():
    own = JudgeSettings("es", 0.7, 300, parse=r"label=Score: (\d)", allow_abstain=True, votes=3)
    path = Path(write_bundle(judge("End with Score: {answer}.", settings=own)))
    part = prepared(JudgeOptions("sim:reader-small", prompt=path, temperature=0.2))
    assert part.prompt.text == "End with Score: {{answer}}."
    assert part.settings == JudgeSettings("en", 0.2, parse=own.parse, allow_abstain=True)
    other = prepared(JudgeOptions("sim:reader-small", prompt=path, parse=r"label=(\d)$"))
    assert other.settings.parse == r"label=(\d)$"
    with pytest.raises(InputError, match="leave --single-braces out"):
        prepared(JudgeOptions("sim:reader-small", prompt=path, single_braces=True))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"\xff\xfe", "not UTF-8 text"),
        (b"", "not valid JSON"),
        (b'{"schema": 1}', "not a bundle of this version"),
        (b'[{"id": 1}]', "not a bundle: write it with --to json"),
        (b" " * (MAX_BUNDLE_BYTES + 1), "larger than 8 MiB"),
    ],
)
def test_what_is_no_bundle_is_one_line(content, problem):
    Path("judge.json").write_bytes(content)
    with pytest.raises(InputError, match=rf"^judge\.json.*{problem}") as refusal:
        prepared(JudgeOptions("judge.json"))
    assert "\n" not in str(refusal.value)


def test_a_folder_and_a_file_that_is_not_there():
    Path("folder.json").mkdir()
    for name, problem in (("folder.json", "cannot read the bundle"), ("none.json", "no such bundle")):
        with pytest.raises(InputError, match=problem):
            load_bundle(name)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("judge.json", True),
        ("./judge.json", True),
        (Path("/tmp/a b/JUDGE.JSON"), True),
        ("openai:gpt-4.1", False),
        ("exec:python judge.py --rubric rubric.json", False),
        ("declared-name", False),
        ("Reply with JSON.\nAs in reply.json", False),
        ("a:b.json", True),
    ],
)
def test_which_names_are_bundles(name, expected):
    Path("a:b.json").touch()
    assert is_bundle(name) is expected


# --- labels that the set leaves unexplained ---


WORDS = Scale("binary", ("incorrecta", "correcta"), positive="correcta")


def test_labels_that_nothing_explains_are_read_as_the_bundle_says() -> None:
    rows = [(*row[:-1], ("incorrecta", "Correcta")[int(row[-1])]) for row in ROWS]
    write_set(rows=rows)
    path = write_bundle(judge(scale=WORDS))
    part = prepared(JudgeOptions(path))
    assert part.golden.scales == {"faithfulness": WORDS}
    assert [item.label for item in part.golden.items][:2] == ["incorrecta", "correcta"]
    assert f"labels read as {path} says: binary: incorrecta / correcta, good correcta" in part.messages
    # What the set says itself, stands.
    with pytest.raises(InputError, match="answers on another scale"):
        prepared(JudgeOptions(path), positive="incorrecta", scale="binary")
    with pytest.raises(InputError, match="say how to read them"):
        prepared(JudgeOptions("sim:reader"))


def test_labels_that_are_not_those_of_the_bundle_are_refused() -> None:
    write_set(rows=[(*row[:-1], ("mala", "correcta")[int(row[-1])]) for row in ROWS])
    with pytest.raises(InputError, match=r"set\.csv, .*'mala' is not a label.*, as judge\.json says; or say how"):
        prepared(JudgeOptions(write_bundle(judge(scale=WORDS))))


# --- which model answers --------------------------------------------------------------------------------------------


def declared(**changed) -> Settings:
    server = {"base_url": "http://127.0.0.1:9/v1", "api": "openai", "model": "qwen3:8b", **changed}
    Path("calibrate.toml").write_text(
        "[models.local]\n" + "".join(f"{name} = {value!r}\n" for name, value in server.items())
    )
    return load_settings({}, Path())


def test_the_model_behind_a_declared_name_is_part_of_the_judge() -> None:
    write_set()
    identity = {"api": "openai", "model": "qwen3:8b", "max_tokens": None}
    path = write_bundle(judge(model="local", answering=identity))
    how = JudgeOptions(path)
    assert load_bundle(path).exported.answering == identity
    for changed in ({}, {"base_url": "http://127.0.0.1:10/v1"}):
        prepare("set.csv", how, LoadOptions(), (), declared(**changed), Ledger(None))
    for changed, said in (
        ({"model": "ANOTHER-tiny"}, "the bundle's judge is qwen3:8b; calibrate.toml's 'local' is ANOTHER-tiny now"),
        ({"max_tokens": 64}, "calibrate.toml's 'local' is asked with max_tokens 64 now"),
        ({"api": "anthropic"}, "asked by the API openai; calibrate.toml's 'local' is asked by the API anthropic now"),
    ):
        settings = declared(**changed)
        with pytest.raises(InputError, match=re.escape(said)):
            prepare("set.csv", how, LoadOptions(), (), settings, Ledger(None))
    # An older bundle does not say which model it was.
    write_bundle(judge(model="local"))
    prepare("set.csv", how, LoadOptions(), (), settings, Ledger(None))
