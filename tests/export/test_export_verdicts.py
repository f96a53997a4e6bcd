"""An exported module finds the verdict that the package finds."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest
from exported_judges import SCALES, exported, module_of
from hypothesis import given, settings
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
PATTERNS = [r"label=(\w+)", r"label=^\W*(x)?(?P<label>[\w ]+)$", r"label=\d", r"label=Score: (?:(\d+)|none)"]


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


# One reply or more for every rule by which a verdict is found, or is not.
REPLIES = [
    "",
    # objects
    '{"reasoning": "r", "label' + " " * 70 + '": 1}',
    '{" Label ": 1, "Justificación": "r"} {"label": 0}',
    '{"label": 1, "justificacio\u0301n": "r"} {"label": 0}',
    '{"reasoning": 1' + "0" * 50 + ', "label": 1}',
    '{"reasoning": 1' + "0" * 401 + ', "label": 1}',
    '{"label": 1, "x": }',
    '{"label": 1, }',
    '{"reasoning": 1,\nlabel final: 1',
    '{"reasoning": 1, "a {"label": "1"}',
    '{"reasoning":\n123.Label: 0',
    '{"reasoning":\nnonelabel: 0',
    '{"x": ["a} {"label": "1"}',
    '{"reasoning": "unfinished\nLabel: 1',
    '{"reasoning": "half a pair \\ud83d, a pair \\ud83d\\ude00", "label": 1}',
    '{"claims": [{"reasoning": "a", "label": "1"}], "label": "0"}',
    '{"label": {"value": "1"}}',
    '{"label": [1], "reasoning": ["a"]}',
    '{"label": 1, "verdict": 0} {"verdict": 0, "reasoning": "r"}',
    "{label: 'it's', reasoning: 'so', /* } */ // }\n}",
    *(
        f'{{"label": 1, "confidence": {each}}}'
        for each in ("0", "1", "1.01", "-0.1", "true", '"0.5"', "[0.5]", "1e999")
    ),
    # labels
    *(
        f'{{"label": {each}}}'
        for each in ("true", "false", "null", "1e0", "1e999", "-1.5", "-1.6", "10", "10.1", "4.5")
    ),
    *(
        f'{{"label": "{each}"}}'
        for each in (".5", "5.", "!", "(1)", "1)", "STRASSE", "Faithful.", "faith\u00adful", "٣", "")
    ),
    *(f'{{"label": "{each}"}}' for each in ("\u200b1", "1\ufeff", "**0.8**.", "1" + " " * 1000, "0.5" + " " * 1000)),
    *(f'{{"label": "{each}", "reasoning": "r"}}' for each in ("CANNOT_ASSESS", "cannot assess", "Cannot-assess!")),
    # lines
    "Label: 1\nVerdict: 0",
    "Verdict: 0\nand\nVeredicto final: 1",
    "12. Label: 1",
    "123. Label: 1",
    "**Etiqueta final:** 1",
    "Label： 1",
    "> Label: 1",
    *(
        f"why\nLabel: {each}"
        for each in ("1", "1\n", "1\r", "1\r\n", "1 ", "partly", "unf", "cannot", "*" * 1001 + "1", "**")
    ),
    # thinking
    "<thinker>\nLabel: 1",
    '<think why="' + "x" * 80 + '">\nLabel: 1\n</think>\nLabel: 0',
    '<think why="' + "x" * 101 + '">\nLabel: 1\n</think>\nLabel: 0',
    '<think why="' + "x" * 80 + '">\nLabel: 1',
    "<think>\nLabel: 1\n</think" + " " * 80 + ">\nLabel: 0",
    "<think>\nLabel: 1\n</think" + " " * 101 + ">\nLabel: 0",
    'maybe {"label": 1}\n</think>\n<think>a</think>\nLabel: 0',
    '[THINK]{"label": 1}[/think]Label: 0',
    # a format of its own
    "Score: 1, no: Score: none",
    "<think>Score: 0</think> Score: 1",
]


@pytest.mark.parametrize("scale", SCALES)
def test_replies_are_read_alike_on_every_scale_and_in_every_format(scale: str) -> None:
    for reply in [*REPLIES, *(case["reply"] for case in CASES)]:
        for finish in get_args(Finish):
            for parse in (None, *PATTERNS):
                ours = expected(SCALES[scale], reply, finish, parse)
                assert found(SCALES[scale], reply, finish, parse) == ours, (reply, finish, parse)


PIECES = [*"{}[]:,\"'/\\*\n\r \t.-_`#>", "//", "/*", "*/", "label", '"label"', '"reasoning":', "Label: ", "**Label:** "]
PIECES += [
    "<think>",
    "</think>",
    "[think]",
    "[/THINK]",
    "<reasoning>",
    "veredicto: ",
    "Label\uff1a ",
    "\uff1a",
    "1. ",
    "etiqueta final: ",
]
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
ANY_REPLY = st.one_of(SOUP, SOUP, st.text(), st.text(st.characters()))
FINISHES: st.SearchStrategy[Finish] = st.sampled_from(get_args(Finish))


@pytest.mark.slow
@settings(max_examples=2000, deadline=None)
@given(ANY_REPLY, FINISHES, st.sampled_from(list(SCALES.values())))
def test_any_reply_has_the_same_verdict(reply: str, finish: Finish, scale: Scale) -> None:
    assert found(scale, reply, finish) == expected(scale, reply, finish)


@settings(max_examples=400, deadline=None)
@given(ANY_REPLY, FINISHES, st.sampled_from(list(SCALES.values())), st.sampled_from(PATTERNS))
def test_any_reply_has_the_same_verdict_in_a_format_of_its_own(
    reply: str, finish: Finish, scale: Scale, parse: str
) -> None:
    assert found(scale, reply, finish, parse) == expected(scale, reply, finish, parse)


JSON_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), SOUP),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(SOUP, inner, max_size=3)),
    max_leaves=8,
)


@pytest.mark.slow
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
