"""An exported module finds the verdict that the package finds."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest
from exported_judges import SCALES, exported, module_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

from calibrate.domain import Finish, ModelResponse, Scale, Scored
from calibrate.judge import JudgeSettings

CASES = [
    json.loads(line)
    for line in Path(__file__)
    .parents[1]
    .joinpath("judge", "data", "verdict_replies.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
PATTERNS = [r"label=(\w+)", r"label=^\W*(?P<label>[\w ]+)(x)?$", r"label=\d"]


@cache
def module(scale: Scale, parse: str | None = None) -> ModuleType:
    return module_of(exported(scale=scale, settings=JudgeSettings(parse=parse)))


def found(scale: Scale, reply: str, finish: str, parse: str | None = None) -> tuple[Any, ...]:
    return tuple(module(scale, parse).parse(reply, finish))


def expected(scale: Scale, reply: str, finish: Finish, parse: str | None = None) -> tuple[Any, ...]:
    judge = exported(scale=scale, settings=JudgeSettings(parse=parse)).judge
    verdict = judge.read(ModelResponse(reply, finish, "any"))
    if isinstance(verdict, Scored):
        return verdict.label, None, verdict.reasoning, verdict.confidence
    return None, verdict.reason, verdict.detail if verdict.reason == "abstained" else "", None


@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
def test_recorded_replies(case: dict[str, Any]) -> None:
    labels = tuple(case["labels"])
    scale = Scale("binary", labels, positive=labels[0]) if len(labels) == 2 else Scale("ordinal", labels)
    verdict = module(scale).parse(case["reply"], case["finish"])
    assert (verdict.label, verdict.unscored) == (case["expect"].get("label"), case["expect"].get("unscored"))
    assert tuple(verdict) == expected(scale, case["reply"], case["finish"])


@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
def test_recorded_replies_are_read_alike_on_every_scale_and_in_every_format(case: dict[str, Any]) -> None:
    for scale in SCALES.values():
        for finish in get_args(Finish):
            for parse in (None, *PATTERNS):
                assert found(scale, case["reply"], finish, parse) == expected(scale, case["reply"], finish, parse)


PIECES = [*"{}[]:,\"'/\\*\n\r \t.-_`#>", "//", "/*", "*/", "label", '"label"', '"reasoning":', "Label: ", "**Label:** "]
PIECES += ["<think>", "</think>", "[think]", "[/THINK]", "<reasoning>", "veredicto: ", "1. ", "etiqueta final: "]
PIECES += ["1", "0", "-.5e3", "0.25", "1.", "true", "FALSE", "null", "None", "\\u12", "\\u0031", "\\ud800", "\\n"]
PIECES += ["CANNOT_ASSESS", "cannot assess", "`" * 3, '{"label":"1"}', '{"reasoning": "r", "label": 0}', '{"label": ']
PIECES += [
    "x",
    "faithful",
    "partly",
    "Un",
    "tie",
    "٣",
    "ﬁ",
    "\u00a0",
    "\u200b",
    "\u2028",
    "\x1c",
    "ı",
    '"confidence": ',
]
PIECES += [
    "Justificacio\u0301n",
    "razón",
    '", "',
    "', '",
    '"}',
    "'}",
    '"]',
    "'a': ",
    '{"claims": [',
    "]}",
    "verdict",
    "a",
]
SOUP = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
REPLIES = st.one_of(SOUP, SOUP, st.text(), st.text(st.characters()))
FINISHES: st.SearchStrategy[Finish] = st.sampled_from(get_args(Finish))


@settings(max_examples=2000, deadline=None)
@given(REPLIES, FINISHES, st.sampled_from(list(SCALES.values())))
@example('{"label": "' + "1" * 1001 + '"}', "stop", SCALES["binary"])
@example('{"label": ' + "1" * 401 + "}", "stop", SCALES["ordinal"])
@example('{"label": "", "reasoning": "r"}', "stop", SCALES["nominal"])
@example('{"label": 1, "confidence": true}', "stop", SCALES["binary"])
@example('{"label": 1, "confidence": "0.5"}', "stop", SCALES["binary"])
@example('{"label": true}', "stop", SCALES["booleans"])
@example('{"label": [1]}', "stop", SCALES["binary"])
@example('{"label": "1", "' + "x" * 100 + '": 0}', "stop", SCALES["binary"])
def test_any_reply_has_the_same_verdict(reply: str, finish: Finish, scale: Scale) -> None:
    assert found(scale, reply, finish) == expected(scale, reply, finish)


@settings(max_examples=400, deadline=None)
@given(REPLIES, FINISHES, st.sampled_from(list(SCALES.values())), st.sampled_from(PATTERNS))
def test_any_reply_has_the_same_verdict_in_a_format_of_its_own(
    reply: str, finish: Finish, scale: Scale, parse: str
) -> None:
    assert found(scale, reply, finish, parse) == expected(scale, reply, finish, parse)


JSON_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), SOUP),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(SOUP, inner, max_size=3)),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(
    before=SOUP,
    document=st.dictionaries(st.sampled_from(["label", "Verdict", "reasoning", "CONFIDENCE", "claims"]), JSON_VALUES),
    ascii_only=st.booleans(),
    kept=st.floats(0.5, 1),
    finish=FINISHES,
    scale=st.sampled_from(list(SCALES.values())),
)
def test_objects_whole_and_cut_off_are_read_alike(
    before: str, document: dict[str, Any], ascii_only: bool, kept: float, finish: Finish, scale: Scale
) -> None:
    written = before + json.dumps(document, ensure_ascii=ascii_only)
    for reply in (written, written[: int(len(written) * kept)]):
        assert found(scale, reply, finish) == expected(scale, reply, finish)


@pytest.mark.parametrize(
    ("finish", "reason"),
    [
        ("stop", "invalid"),
        ("end_turn", "invalid"),
        ("tool_use", "invalid"),
        ("length", "truncated"),
        ("max_tokens", "truncated"),
        ("model_context_window_exceeded", "truncated"),
        ("refusal", "refused"),
        ("content_filter", "refused"),
    ],
)
def test_the_finish_reasons_of_the_apis_are_known(finish: str, reason: str) -> None:
    assert module(SCALES["binary"]).parse("I cannot say.", finish).unscored == reason


def test_a_verdict_reads_like_a_record() -> None:
    verdict = module(SCALES["binary"]).parse('{"reasoning": "why", "label": 1, "confidence": 0.75}')
    assert verdict._asdict() == {"label": "1", "unscored": None, "reasoning": "why", "confidence": 0.75}


UNITS = [
    "{",
    '{"',
    '{"a":',
    '{"a":"',
    '{"a',
    "{x",
    "{x:",
    "{'a':'",
    "{/*",
    "{//\n",
    '{"a":["',
    '{"label":1}',
    '{"label":"',
]
UNITS += ['{"a\\', "{    ", "{'a':'b' , ", "[", '"', '", "', "\",'", "\\", " ", "*", "* ", "1", "label: ", "label   "]
UNITS += [
    "Label:\n",
    "<think>",
    "</think>",
    "<think",
    "final   ",
    "1.1e1",
    '{"a": 1',
    '",x',
    '{"label":"a\\',
    "< ",
    "</ ",
]


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("tail", ["", '"}', '*/ "a": 1}'])
@pytest.mark.parametrize("head", ["", '{"label": "'])
def test_a_long_reply_of_anything_is_read_in_linear_time(unit: str, tail: str, head: str) -> None:
    # A quadratic scan would take many minutes; the suite's time limit is the assertion.
    text = head + unit * (400_000 // len(unit)) + tail
    judge = module(SCALES["binary"])
    assert judge.parse(text, "length")
    assert judge.render({"question": text, "context": "<" + text, "answer": ""})


def test_no_nesting_is_too_deep() -> None:
    depth = 20_000
    reply = '{"a":[' * depth + '{"reasoning": "deep", "label": 1}' + "]}" * depth
    assert module(SCALES["binary"]).parse(reply) == ("1", None, "deep", None)
