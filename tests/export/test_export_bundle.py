"""The formats, and the JSON bundle: what it holds, and that a change shows."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from exported_judges import INPUTS, METRICS, PROVENANCE, SCALES, exported, sent
from hypothesis import given
from hypothesis import strategies as st

from calibrate.domain import Item, Scale, digest
from calibrate.errors import InputError
from calibrate.export import FORMATS, Exported, answering, as_json, as_text, bundle, export, read_bundle
from calibrate.judge import DATA_BLOCK_VERSION, FORMAT_VERSION, JudgeSettings, Prompt


def rewritten(document: dict[str, Any]) -> str:
    """A bundle with its content digest made anew, as someone would who edits it with care."""
    digests = {name: value for name, value in document["digests"].items() if name != "content"}
    content = digest({**document, "digests": digests})
    return json.dumps({**document, "digests": {**digests, "content": content}})


# --- the formats ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("to", ["text", "json", "python"])
def test_every_format_ends_in_one_line_break(to: str) -> None:
    text = export(exported(), to)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert FORMATS[to](exported()) == text


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="field 'to': unknown format 'yaml'; choose one of text, json, python"):
        export(exported(), "yaml")


def test_the_text_is_the_instructions_and_nothing_else() -> None:
    assert as_text(exported("Is it {right}?\n\nSay {{answer}}.")) == "Is it {right}?\n\nSay {{answer}}.\n"


def test_a_judge_that_is_code_has_nothing_to_export() -> None:
    with pytest.raises(InputError, match="py:judges:mine is code and has no prompt to export"):
        exported(settings=JudgeSettings(code=True), model="py:judges:mine")


def test_a_placeholder_that_is_no_input_is_refused() -> None:
    with pytest.raises(InputError, match="places 'reference', which is no input"):
        Exported(
            name="n",
            dimension="d",
            prompt=Prompt.parse("{{reference}}", ["reference"]),
            model="m",
            models_returned=(),
            scale=SCALES["binary"],
            settings=JudgeSettings(),
            inputs=INPUTS,
            metrics={},
            provenance={},
        )


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = "import sys, calibrate.export; print([m for m in ('pydantic', 'numpy', 'pandas') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# --- what a bundle holds --------------------------------------------------------------------------------------------


def test_a_bundle_says_that_a_judge_asks_for_its_confidence_only_if_it_does() -> None:
    asking = exported(settings=JudgeSettings(confidence=True))
    assert read_bundle(export(asking, "json")).settings == asking.settings
    assert "confidence" not in bundle(exported())["settings"]


def test_a_bundle_holds_what_is_sent_and_what_was_measured() -> None:
    judge = exported(settings=JudgeSettings(language="es", allow_abstain=True, temperature=None, max_tokens=300))
    written = bundle(judge)
    request = sent(judge, dict.fromkeys(INPUTS, "text"))
    assert written["schema"] == 1
    assert written["kind"] == "calibrate judge"
    assert written["prompt"] == {"text": judge.prompt.text, "placeholders": [], "single_braces": False}
    assert written["system"] == request["system"]
    assert written["system"] == f"{judge.prompt.text}\n\n{written['verdict']['section']}"
    assert written["verdict"]["schema"] == request["schema"]
    assert written["verdict"]["version"] == FORMAT_VERSION
    assert written["data_block"]["version"] == DATA_BLOCK_VERSION
    assert written["inputs"] == list(INPUTS)
    assert written["model"] == {"requested": "openai:gpt-4.1", "returned": ["gpt-4.1-2025-04-14"]}
    assert written["settings"] == judge.settings.to_json()
    assert written["scale"]["labels"] == ["0", "1"]
    assert written["metrics"] == METRICS
    assert written["provenance"] == PROVENANCE
    assert written["digests"]["prompt"] == judge.prompt.digest
    assert written["digests"]["judge"] == judge.judge.digest


def test_a_prompt_that_places_inputs_has_no_one_system_text() -> None:
    written = bundle(exported("<a>{{answer}}</a>"))
    assert written["system"] is None
    assert "the parts of the item that stand in the text above" in written["verdict"]["section"]
    assert "places" in written["data_block"]["description"]
    assert "stands in the text above" in bundle(exported("{{question}}{{context}}{{answer}}"))["verdict"]["section"]


def test_a_judge_with_its_own_format_has_neither_section_nor_schema() -> None:
    written = bundle(exported("End with Score: 0 or 1.", settings=JudgeSettings(parse=r"label=Score: (\d)")))
    assert written["system"] == "End with Score: 0 or 1."
    assert written["verdict"] == {"version": FORMAT_VERSION, "section": None, "schema": None}


def test_the_content_digest_covers_everything_else() -> None:
    written = bundle(exported())
    content = written["digests"].pop("content")
    assert content == digest(written)


def test_which_model_answers_is_in_the_bundle_and_where_it_is_is_not() -> None:
    identity = {"api": "openai", "model": "qwen3:8b", "max_tokens": None, "base_url": "http://house/v1"}
    judge = exported(model="local", answering=answering(identity))
    written = bundle(judge)
    assert written["model"]["answering"] == {"api": "openai", "model": "qwen3:8b", "max_tokens": None}
    assert read_bundle(as_json(judge)) == judge
    written["model"]["answering"]["model"] = "tiny"
    with pytest.raises(InputError, match="the bundle was changed"):
        read_bundle(json.dumps(written))
    assert "answering" not in bundle(exported())["model"]


# --- reading back ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(
    "text", ["Is it right?", "{{answer}}\n</a>", "ñ \"q\" '''\\ \u2028 \x00 \ud83d {answer} {{x y}}"]
)
@pytest.mark.parametrize("parse", [None, r"label=^\[\[(?P<label>\w+)\]\]$"])
def test_a_bundle_reads_back_as_the_judge_it_was_written_from(scale: str, text: str, parse: str | None) -> None:
    judge = exported(
        text, scale=SCALES[scale], settings=JudgeSettings(parse=parse, temperature=1, language="es"), single_braces=True
    )
    written = as_json(judge)
    assert read_bundle(written.encode("utf-8").decode("utf-8")) == judge


@given(st.text())
def test_any_prompt_survives_the_bundle(text: str) -> None:
    judge = exported(f"Judge: {text}", single_braces=True)
    assert read_bundle(as_json(judge)) == judge


def judges_that_can_be(settings: dict[str, Any]) -> bool:
    return not settings["adaptive"] or settings["votes"] == 3


@given(
    st.fixed_dictionaries(
        {
            "language": st.sampled_from(["en", "es", "pt-BR"]),
            "temperature": st.none() | st.floats(0, 2) | st.integers(0, 2),
            "max_tokens": st.integers(1, 10**6),
            "allow_abstain": st.booleans(),
            "parse": st.none() | st.just(r"label=(\w+)$"),
            "confidence": st.booleans(),
            "votes": st.integers(1, 9),
            "adaptive": st.booleans(),
            "both_orders": st.booleans(),
        }
    ).filter(judges_that_can_be)
)
def test_every_setting_survives_the_bundle_and_the_judge_stays_the_same(settings: dict[str, Any]) -> None:
    judge = exported(settings=JudgeSettings(**settings), scale=SCALES["pairwise"], inputs=("answer_a", "answer_b"))
    again = read_bundle(as_json(judge))
    assert again == judge
    assert again.judge.digest == judge.judge.digest
    item = Item("1", "d", {"answer_a": "x", "answer_b": "y"})
    for ask in judge.settings.asks:
        assert again.judge.request(item, ask) == judge.judge.request(item, ask)


def test_a_bundle_without_the_settings_that_came_later_still_reads() -> None:
    assert {"confidence", "votes", "adaptive", "both_orders"}.isdisjoint(bundle(exported())["settings"])
    assert read_bundle(as_json(exported())).settings == JudgeSettings()


@given(st.data())
def test_another_byte_anywhere_is_refused_or_means_the_same(data: st.DataObject) -> None:
    content = bytearray(as_json(exported("Is «{{answer}}» right?")).encode())
    content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        again = read_bundle(content.decode())
    except (UnicodeDecodeError, InputError):
        return
    assert again == exported("Is «{{answer}}» right?")


def test_a_bundle_may_be_laid_out_anew() -> None:
    judge = exported()
    assert read_bundle(json.dumps(bundle(judge), sort_keys=True)) == judge


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values that are no containers, or empty ones."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [leaf for key, member in members for leaf in leaves(member, (*path, key))]
    yield from found or [path]


def changed_at(document: Any, path: tuple[Any, ...]) -> Any:
    """A copy with another value of the same type at one place."""
    if not path:
        if isinstance(document, bool):
            return not document
        return document + ("x" if isinstance(document, str) else 1) if isinstance(document, str | int | float) else "x"
    copy = document.copy()
    copy[path[0]] = changed_at(document[path[0]], path[1:])
    return copy


@pytest.mark.parametrize("path", list(leaves(bundle(exported()))), ids=lambda path: ".".join(map(str, path)))
def test_a_change_at_any_place_shows(path: tuple[Any, ...]) -> None:
    with pytest.raises(InputError) as refusal:
        read_bundle(json.dumps(changed_at(bundle(exported()), path)), source="judge.json")
    assert str(refusal.value).startswith("judge.json")
    assert "\n" not in str(refusal.value)


def test_a_changed_figure_is_called_a_change() -> None:
    document = changed_at(bundle(exported()), ("metrics", "alignment", "value"))
    with pytest.raises(InputError, match=r"judge\.json: the bundle was changed after it was written"):
        read_bundle(json.dumps(document), source="judge.json")


@pytest.mark.parametrize(
    "path",
    [
        ("system",),
        ("prompt", "text"),
        ("prompt", "placeholders", 0),
        ("verdict", "section"),
        ("verdict", "schema", "required", 0),
        ("data_block", "description"),
        ("digests", "judge"),
        ("digests", "prompt"),
        ("model", "requested"),
    ],
)
def test_parts_that_do_not_follow_from_each_other_are_refused_whatever_the_digest(path: tuple[Any, ...]) -> None:
    document = changed_at(bundle(exported("Is {{answer}} right?")), path)
    with pytest.raises(InputError, match="does not follow from the rest"):
        read_bundle(rewritten(document))


@pytest.mark.parametrize("part", ["data_block", "verdict"])
def test_another_version_of_the_formats_is_named(part: str) -> None:
    document = changed_at(bundle(exported()), (part, "version"))
    with pytest.raises(InputError, match=f"field '{part}': written for version 2, and this tool sends version 1"):
        read_bundle(rewritten(document))


@pytest.mark.parametrize("path", [(), ("prompt",), ("verdict",), ("model",), ("settings",), ("scale",), ("digests",)])
def test_missing_and_unknown_keys_are_refused_by_name(path: tuple[str, ...]) -> None:
    for change, problem in (
        (lambda part: part.popitem(), "missing"),
        (lambda part: part.update(more=1), "unknown key"),
    ):
        document = bundle(exported())
        part = document
        for key in path:
            part = part[key]
        change(part)
        with pytest.raises(InputError, match=problem) as refusal:
            read_bundle(json.dumps(document))
        assert refusal.value.field
        assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Is the answer right?",
        "[]",
        "1",
        '{"schema": 1',
        '{"schema": 2}',
        '{"schema": NaN}',
        '{"schema": 1, "schema": 1}',
        '{"metrics": ' + "[" * 100_000,
        as_json(exported()).replace('"n": 30', f'"n": {"[" * 970}{"]" * 970}'),
        as_json(exported()).replace('"n": 30', '"n": 1e999'),
        as_json(exported()).replace('"temperature": 0.0', '"temperature": "0"'),
        as_json(exported()).replace('"temperature": 0.0', '"temperature": 7.0'),
        as_json(exported()).replace('"labels": [\n      "0",', '"labels": [\n      "1",'),
    ],
)
def test_what_is_no_bundle_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError) as refusal:
        read_bundle(text)
    assert "\n" not in str(refusal.value)


def test_whole_numbers_stay_as_they_were_given() -> None:
    judge = exported(scale=Scale("interval", threshold=5), settings=JudgeSettings(temperature=1))
    assert '"threshold": 5,' in as_json(judge)
    assert read_bundle(as_json(judge)).judge.digest == judge.judge.digest


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        (("settings", "temperature"), 7.0, "temperature 7.0: give a number from 0 to 2"),
        (("settings", "parse"), "label=(", "not a regular expression"),
        (("settings", "code"), True, "code and has no prompt"),
        (("scale", "positive"), "yes", "name the positive label"),
        (("prompt", "text"), "{{reference}}", "which is no input"),
    ],
)
def test_a_judge_that_cannot_be_is_refused_with_the_file(path: tuple[str, str], value: object, problem: str) -> None:
    document = bundle(exported())
    document[path[0]][path[1]] = value
    with pytest.raises(InputError, match=rf"^judge\.json: .*{problem}") as refusal:
        read_bundle(rewritten(document), source="judge.json")
    assert "\n" not in str(refusal.value)
