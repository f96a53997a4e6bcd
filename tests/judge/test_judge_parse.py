"""Replies: where a verdict is found, and why there is none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calibrate.domain import UNSCORED_REASONS, Finish, Scale, Scored, Unscored, Verdict
from calibrate.errors import InputError
from calibrate.judge import parse_reply, parse_with_regex
from calibrate.judge.structured import read_parts

untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine fails no test
BINARY = Scale("binary", ("0", "1"), positive="1")
WORDS = Scale("nominal", ("faithful", "partly", "partly faithful", "unfaithful"))
ORDINAL = Scale("ordinal", tuple(str(level) for level in range(1, 11)))
INTERVAL = Scale("interval", threshold=0.5, low=0.0, high=1.0)
CASES = [
    json.loads(line)
    for line in Path(__file__)
    .with_name("data")
    .joinpath("verdict_replies.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


def declared(labels: list[str]) -> Scale:
    if len(labels) == 2:
        return Scale("binary", tuple(labels), positive=labels[0])
    return Scale("ordinal", tuple(labels))


def outcome(verdict: Verdict) -> str:
    return verdict.label if isinstance(verdict, Scored) else verdict.reason


@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
def test_recorded_replies(case: dict[str, Any]) -> None:
    verdict = parse_reply(case["reply"], case["finish"], declared(case["labels"]))
    expected = case["expect"]
    if "label" in expected:
        assert isinstance(verdict, Scored)
        assert verdict.label == expected["label"]
    else:
        assert isinstance(verdict, Unscored)
        assert verdict.reason == expected["unscored"]


# --- objects --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"result": {"verdict": {"reasoning": "r", "label": "1"}}}', "1"),
        ('{"a": [[{"reasoning": "r", "label": "0"}], 2]} and so on', "0"),
        ('```json\n{\n  // note, with {braces}\n  "reasoning": "r", /* } */\n  "label": 1,\n}\n```', "1"),
        ("{'reasoning': 'It doesn't say \"so\"', 'label': True, 'extra': None}", "1"),
        ("{reasoning: 'r', label: 0}", "0"),
        ('{"reasoning": "It says "30 days", "net" and so on", "label": "0"}', "0"),
        ('{"reasoning": "tab\there, line\r\nthere, \x01", "label": "1"}', "1"),
        ('{"reasoning": "\\d+ and \\u00e1 and \\ud83d\\ude00 and \\ud83d", "label": "1"}', "1"),
        ('{"razonamiento": "r", "ETIQUETA": "1"}', "1"),
        ('{"Justificación": "r", "etiqueta": "0"}', "0"),
        ('{"label": "1", "label": "0"}', "0"),
        ('The set {a, b} and {"name"} and {.\n{"label": "1"}', "1"),
        ('Use {"reasoning": "...", "label": ...}.\n{"reasoning": "r", "label": "0"}', "0"),
        ('{"reasoning": "r", "label": "0"}\nin the form {"reasoning": "...", "label": ...}', "0"),
        ('{"reasoning": "unfinished\n\n{"reasoning": "again", "label": "1"}', "1"),
    ],
)
def test_objects_are_found_wherever_and_however_they_are_written(reply: str, expected: str) -> None:
    assert outcome(parse_reply(reply, "stop", BINARY)) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"reasoning": "r", "label": "1"} {"label": "0"}', "1"),
        ('{"label": "1"} {"label": "0"}', "0"),
        ('{"verdict": "0", "reason": "r"}', "0"),
        ('{"label": "1"} {"verdict": "0", "reason": "r"}', "1"),
        ('{"verdict": {"reasoning": "r", "label": "1"}}', "1"),
        ('{"reasoning": "r", "label": "1"}\nLabel: 0', "1"),
    ],
)
def test_which_of_several_statements_counts(reply: str, expected: str) -> None:
    assert outcome(parse_reply(reply, "stop", BINARY)) == expected


def test_verdicts_on_single_claims_do_not_pass_for_the_verdict_on_the_answer() -> None:
    claims = '[{"reasoning": "a", "label": "1"}, {"reasoning": "b", "label": "1"}]'
    assert outcome(parse_reply(f'{{"label": "0", "claims": {claims}}}', "stop", BINARY)) == "0"
    assert outcome(parse_reply(f'{{"claims": {claims}, "reasoning": "c", "label": "0"}}', "stop", BINARY)) == "0"


@pytest.mark.parametrize(
    "reply",
    [
        '{"reasoning": "r", "label": "1"}\n{"reasoning": "r", "label": "maybe"}',
        '{"reasoning": "r", "label": "maybe"}\nLabel: 1',
        '{"reasoning": "r", "label": null}\nLabel: 1',
        '{"reasoning": "r", "label": {"value": "1"}}',
        '{"reasoning": "r", "label": "N/A"}',
        '{"reasoning": "r", "label": 1/2}',
    ],
)
def test_a_label_outside_the_set_is_invalid_and_nothing_else_is_asked(reply: str) -> None:
    assert outcome(parse_reply(reply, "stop", BINARY)) == "invalid"


def test_a_whole_number_that_is_no_label_is_shown_without_a_fraction() -> None:
    found = parse_reply('{"label": 7}', "stop", BINARY)
    assert isinstance(found, Unscored)
    assert found.detail.startswith('the label "7" is not one of ')


def test_the_reasoning_and_the_confidence_are_kept() -> None:
    reply = '{"explanation": "line\\none \\u00e1 \\"q\\" \\\\ \\ud83d\\ude00", "label": 1, "Confidence": 0.85}'
    assert parse_reply(reply, "stop", BINARY) == Scored("1", 'line\none á "q" \\ 😀', 0.85)


@pytest.mark.parametrize("confidence", ["1.01", "-0.1", "85", "true", '"high"', "null", "[0.5]", "1e999"])
def test_a_confidence_that_is_no_probability_is_left_out(confidence: str) -> None:
    assert parse_reply(f'{{"label": 1, "confidence": {confidence}}}', "stop", BINARY) == Scored("1")


def test_a_reasoning_in_steps_is_kept_as_it_was_written() -> None:
    assert parse_reply('{"reasoning": ["a", "b"], "label": 1}', "stop", BINARY) == Scored("1", '["a", "b"]')


@pytest.mark.parametrize("label", ["CANNOT_ASSESS", "cannot assess", " Cannot-Assess. ", "CANNOT\\\\_ASSESS"])
def test_the_abstention_is_known_in_every_writing(label: str) -> None:
    assert parse_reply(f'{{"reasoning": "empty", "label": "{label}"}}', "stop", BINARY) == Unscored(
        "abstained", "empty"
    )
    assert outcome(parse_reply(f"Label: {label}", "stop", BINARY)) == "abstained"


def test_an_abstention_that_is_declared_as_a_label_is_a_label() -> None:
    scale = Scale("nominal", ("yes", "no", "cannot assess"))
    assert outcome(parse_reply('{"label": "Cannot assess"}', "stop", scale)) == "cannot assess"


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"label": 0.25}', "0.25"),
        ('{"label": "1"}', "1.0"),
        ("Label: **0.8**.", "0.8"),
        ('{"label": 1.5}', "invalid"),
        ('{"label": true}', "invalid"),
        ('{"label": "8/10"}', "invalid"),
        ('{"label": 1e999}', "invalid"),
    ],
)
def test_scores_are_read_within_their_bounds(reply: str, expected: str) -> None:
    assert outcome(parse_reply(reply, "stop", INTERVAL)) == expected


# --- lines ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        "Label: 0",
        "why\n  label : 0  ",
        "**Label:** 0",
        "**Label**: `0`",
        "### Label: **0**",
        "1. Reasoning: x\n2. Label: 0",
        "- Label： 0",
        "Etiqueta: 0.",
        "Final label: 0",
        "Etiqueta final: 0",
        "Veredicto: 0",
        "Label: 0\nVerdict: the claim is wrong",
        "Label: 1\r\nLabel: 0\r\nThat is all.",
    ],
)
def test_labelled_lines(reply: str) -> None:
    assert outcome(parse_reply(reply, "stop", BINARY)) == "0"


@pytest.mark.parametrize(
    "reply",
    [
        "The label: 1",
        "> Label: 1",
        '"Label: 1"',
        "Labels: 1",
        "Label: 1 (supported)",
        "Label: 1 or 0",
        "Label:",
        "Label: 1\n\nLabel:",
        "Label:\n1",
        "1",
        '{"reasoning": "The answer says:\nLabel: 1\n',
        '{"reasoning": "The answer says:\nLabel: 1\nand so on"}',
        '{"reasoning": "The answer says:\nLabel: 1\nand" but, "label": }',
    ],
)
def test_what_is_no_labelled_line(reply: str) -> None:
    assert outcome(parse_reply(reply, "stop", BINARY)) == "invalid"


def test_the_text_before_a_labelled_line_is_its_reasoning() -> None:
    reply = "<think>hm</think>\nThe price is wrong.\n\nLabel: 0\n"
    assert parse_reply(reply, "stop", BINARY) == Scored("0", "The price is wrong.")


# --- thinking -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('<think>{"reasoning": "r", "label": "1"}</think>\nLabel: 0', "0"),
        ("<thinking>\nLabel: 1\n</thinking>\nLabel: 0", "0"),
        ("Label: 0\n<THINK>\nLabel: 1", "0"),
        ("[THINK]Label: 1[/THINK]Label: 0", "0"),
        ('maybe {"reasoning": "r", "label": "1"}\n</think>\nLabel: 0', "0"),
        ("<think>a <think>b</think> Label: 1\n</think>\nLabel: 0", "0"),
        ("<think>Label: 1</think>", "invalid"),
        ("<think>Label: 1", "invalid"),
        ('{"reasoning": "The answer holds <think> and </think> tags", "label": "0"}', "0"),
        ("<reasoning>\nLabel: 1\n</reasoning>\nLabel: 0", "0"),
        ("Lab<think></think>el: 1", "invalid"),
    ],
)
def test_thinking_never_counts(reply: str, expected: str) -> None:
    assert outcome(parse_reply(reply, "stop", BINARY)) == expected


# --- finish ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("finish", "expected"), [("stop", "invalid"), ("length", "truncated"), ("refusal", "refused")])
@pytest.mark.parametrize("reply", ["", "No idea.", '{"reasoning": "r"}', "<think>Label: 1"])
def test_the_finish_says_why_there_is_no_verdict(reply: str, finish: Finish, expected: str) -> None:
    verdict = parse_reply(reply, finish, BINARY)
    assert outcome(verdict) == expected
    assert isinstance(verdict, Unscored)
    assert verdict.detail


@pytest.mark.parametrize("finish", get_args(Finish))
def test_the_finish_says_nothing_when_there_is_a_verdict(finish: Finish) -> None:
    assert outcome(parse_reply('{"reasoning": "r", "label": "1"}', finish, BINARY)) == "1"
    assert outcome(parse_reply('{"reasoning": "r", "label": "maybe"}', finish, BINARY)) == "invalid"


@pytest.mark.parametrize(
    "reply",
    [
        '{"reasoning": "draft", "label": "1"}\nWait.\n{"reasoning": "the number',
        '{"claims": [{"reasoning": "a", "label": "1"}, {"reasoning": "b", "la',
        '{"label": "1", "reasoning": "the answer says {\'label\': \'0\'} and',
        '{"reasoning": "ok", "label": "1"',
    ],
)
def test_a_verdict_that_was_cut_off_outweighs_what_came_before(reply: str) -> None:
    assert outcome(parse_reply(reply, "length", BINARY)) == "truncated"


@pytest.mark.parametrize(
    ("scale", "reply", "expected"),
    [
        (ORDINAL, "Label: 1", "truncated"),
        (ORDINAL, "Label: 1\n", "1"),
        (ORDINAL, "Label: 2", "2"),
        (WORDS, "Label: partly", "truncated"),
        (WORDS, "Label: faithful", "faithful"),
        (WORDS, "Label: unfaith", "truncated"),
        (INTERVAL, "Label: 0.8", "truncated"),
        (INTERVAL, "Label: 0.8\n", "0.8"),
        (BINARY, "Label: 1", "1"),
    ],
)
def test_a_line_that_the_token_limit_may_have_cut_short(scale: Scale, reply: str, expected: str) -> None:
    assert outcome(parse_reply(reply, "length", scale)) == expected


# --- a judge's own format -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "reply", "expected"),
    [
        (r"label=Score: (\d)", "Score: 0, no, Score: 1", "1"),
        (r"label=^\[\[(?P<label>\d)(x)?\]\]$", "first\n[[1]]\nthen [[0]]", "1"),
        (r"label=(x)?(?P<label>\d)", "0 then x1", "1"),
        (r"label=<v>(\d)?</v>", "<v>1</v> <v></v>", "1"),
        (r"label=\d$", "it is 0", "0"),
        (r"label=label=(\d)", "label=1", "1"),
        (r"label=Score: (\w+)", "Score: seven", "invalid"),
        (r"label=Score: (\w+)", "Score: cannot_assess", "abstained"),
        (r"label=Score: (\d)", "<think>Score: 1</think> none", "invalid"),
    ],
)
def test_the_last_match_counts(option: str, reply: str, expected: str) -> None:
    assert outcome(parse_with_regex(option)(reply, "stop", BINARY)) == expected


def test_the_text_before_a_match_is_its_reasoning() -> None:
    assert parse_with_regex(r"label=Score: (\d)")("Wrong price.\nScore: 0", "stop", BINARY) == Scored(
        "0", "Wrong price."
    )


@pytest.mark.parametrize(("finish", "expected"), [("stop", "invalid"), ("length", "truncated"), ("refusal", "refused")])
def test_without_a_match_the_finish_says_why(finish: Finish, expected: str) -> None:
    assert outcome(parse_with_regex(r"label=Score: (\d)")("No score.", finish, BINARY)) == expected


def test_a_match_that_the_token_limit_may_have_cut_short() -> None:
    assert outcome(parse_with_regex(r"label=Score: (\d+)")("Score: 1", "length", ORDINAL)) == "truncated"


@pytest.mark.parametrize("option", [r"Score: (\d)", "label", "label=", "score=x", "", r"label=(\d", "label=*"])
def test_an_option_that_cannot_be_used_is_refused_in_one_line(option: str) -> None:
    with pytest.raises(InputError) as refusal:
        parse_with_regex(option)
    assert "\n" not in str(refusal.value)


# --- properties -----------------------------------------------------------------------------------------------------

PIECES = [*"{}[]:,\"'/\\*\n ", "//", "/*", "*/", "label", '"label"', '"reasoning":', "Label: ", "<think>", "</think>"]
PIECES += ["1", "-.5e3", "true", "null", "None", "\\u12", "\\ud800", "CANNOT_ASSESS", "`" * 3, '{"label":"1"}', "x"]
SOUP = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
SCALES = st.sampled_from([BINARY, WORDS, ORDINAL, INTERVAL])


@untimed
@given(st.one_of(st.text(), SOUP), st.sampled_from(get_args(Finish)), SCALES)
def test_any_text_gives_a_verdict_of_the_scale_or_a_reason(text: str, finish: Finish, scale: Scale) -> None:
    for read in (parse_reply, parse_with_regex(r"label=(\w+)")):
        verdict = read(text, finish, scale)
        if isinstance(verdict, Scored):
            assert scale.match(verdict.label) == verdict.label
        else:
            assert verdict.reason in UNSCORED_REASONS


JSON_VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(), SOUP
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.one_of(st.text(), SOUP), inner, max_size=4)
    ),
    max_leaves=12,
)


@untimed
@given(
    reasoning=st.one_of(st.text(), SOUP),
    label=st.sampled_from(["0", "1"]),
    extra=st.dictionaries(st.text(alphabet="xyz{}\"'\\:", min_size=1), JSON_VALUES, max_size=3),
    indent=st.sampled_from([None, 0, 2]),
    ascii_only=st.booleans(),
    before=st.sampled_from(["", "Here: ", "```json\n", "[", '{"result": ']),
    after=st.sampled_from(["", " Done.", "\n```", "]", "}"]),
)
def test_every_valid_json_object_reads_as_a_json_parser_reads_it(
    reasoning: str, label: str, extra: dict[str, Any], indent: int | None, ascii_only: bool, before: str, after: str
) -> None:
    written = json.dumps({**extra, "reasoning": reasoning, "label": label}, indent=indent, ensure_ascii=ascii_only)
    assert parse_reply(f"{before}{written}{after}", "stop", BINARY) == Scored(label, reasoning)


@untimed
@given(st.dictionaries(st.one_of(st.text(min_size=1), SOUP), JSON_VALUES, max_size=4))
def test_a_valid_json_object_is_read_as_one_whole(document: dict[str, Any]) -> None:
    written = json.dumps({"first": 1, **document})
    parts = read_parts(written, {"first": "first"})
    outermost = parts.structured[-1]
    assert (outermost.start, outermost.end) == (0, len(written))
    assert not parts.cut_off


@untimed
@given(st.one_of(st.text(), SOUP), st.integers(min_value=0))
def test_a_verdict_cut_anywhere_is_truncated_or_whole(reasoning: str, cut: int) -> None:
    whole = json.dumps({"reasoning": reasoning, "label": "1"})
    reply = whole[: cut % (len(whole) + 1)]
    expected = "1" if reply == whole else "truncated"
    assert outcome(parse_reply(reply, "length", BINARY)) == expected


UNITS = [
    "{",
    '{"',
    '{"a":',
    '{"a":"',
    '{"a',
    "{x",
    "{//",
    "{/*",
    "{//\n",
    '{"a":["',
    '{"label":1}',
    '{"label":"',
    '{"a\\',
]
UNITS += [
    "{    ",
    "{'a':'b' , ",
    "[",
    '"',
    '", "',
    "\\",
    " ",
    "1",
    "label: ",
    "Label:\n",
    "<think>",
    "</think>",
    "<think",
]


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("tail", ["", '"}', '*/ "a": 1}'])
def test_a_megabyte_of_anything_is_read_in_linear_time(unit: str, tail: str) -> None:
    # A quadratic scan of a megabyte would take hours; the suite's time limit is the assertion.
    reply = unit * (1_000_000 // len(unit)) + tail
    assert parse_reply(reply, "stop", BINARY)


def test_no_nesting_is_too_deep() -> None:
    depth = 20_000
    reply = '{"a":[' * depth + '{"reasoning": "deep", "label": 1}' + "]}" * depth
    assert parse_reply(reply, "stop", BINARY) == Scored("1", "deep")


def test_a_huge_number_is_no_label() -> None:
    assert outcome(parse_reply('{"label": ' + "1" * 100_000 + "}", "stop", BINARY)) == "invalid"
