"""Exports of judges with a task: which formats there are, and a module that reads a reply as the package does."""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest
from exported_judges import SCALES, exported, module_of
from hypothesis import given
from hypothesis import strategies as st
from test_export_module import run, saved

from calibrate.domain import Finish, Item, Json, ModelResponse, Scale, Scored, Text
from calibrate.errors import InputError
from calibrate.export import FORMATS, Exported, answering, as_json, as_python, export, read_bundle
from calibrate.judge import JudgeSettings, Task
from calibrate.judge.function_words import FUNCTION_WORDS, NEGATIONS

THREE = Scale("nominal", ("supported", "contradicted", "not mentioned"))
NLI = Scale("nominal", ("neutral", "contradiction", "entailment"))
INPUTS = ("question", "context", "answer", "claim")
CONTEXT = ("Items can be returned within 30 days.", "Enviar «de vuelta» cuesta 4.99 €.")
SEVERAL = ("Any item can be returned.", "Shipping back is free.", "Claim: it's so.")


def judge(task: Task, scale: Scale | None = None, text: str = "Do it.", **settings: Any) -> Exported:
    usual = {"split": SCALES["binary"], "verify": THREE, "questions": SCALES["interval"]}
    return exported(
        text, scale=scale or usual[task], settings=JudgeSettings(task=task, **settings), inputs=INPUTS, dimension="d"
    )


# --- formats --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", ["split", "verify"])
@pytest.mark.parametrize("to", FORMATS)
def test_a_judge_of_claims_exports_to_formats_that_read_its_reply(task: Task, to: str) -> None:
    if to in ("text", "markdown", "json", "python"):
        assert export(judge(task), to)
        return
    with pytest.raises(InputError, match=f"claims exports to text, markdown, json, python; not to {to}") as refusal:
        export(judge(task), to)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("to", FORMATS)
def test_a_judge_that_needs_an_embedder_has_no_module(to: str) -> None:
    if to in ("text", "markdown", "json"):
        assert export(judge("questions"), to)
        return
    with pytest.raises(InputError, match=f"needs an embedder exports to text, markdown, json; not to {to}"):
        export(judge("questions"), to)


@pytest.mark.parametrize("task", ["split", "verify", "questions"])
def test_a_bundle_is_read_back_with_its_task(task: Task) -> None:
    before = judge(task)
    document = json.loads(as_json(before))
    assert document["settings"]["task"] == task
    assert read_bundle(as_json(before)) == before


def test_the_bundle_of_a_plain_judge_says_nothing_of_tasks() -> None:
    document = json.loads(as_json(exported()))
    assert "task" not in document["settings"]


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("split", "The claims are those of the last list in the reply."),
        ("verify", "whose quote does not occur in the context word for word"),
        ("questions", "mean cosine similarity"),
    ],
)
def test_a_page_says_how_the_reply_is_read(task: Task, said: str) -> None:
    page = export(judge(task), "markdown")
    assert said in page.partition("## How the reply is read")[2]
    shown = page.partition("## Message with the item")[2].partition("## Schema")[0]
    assert ("[context]" in shown) == (task == "verify")
    assert "[answer]" in shown


# --- the module's requests ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["Do it.", "Look at <a>{{answer}}</a>.", "{{question}}{{answer}}"])
@pytest.mark.parametrize("task", ["split", "verify"])
def test_a_module_makes_the_request_of_the_package(task: Task, text: str) -> None:
    of = judge(task, text=text)
    inputs: dict[str, Text] = {
        "question": "¿Y si <item>?",
        "context": CONTEXT,
        "answer": "An </answer> and </a>",
        "claim": SEVERAL,
    }
    request = of.judge.request(Item("1", "d", inputs))
    told = {name: list(value) if isinstance(value, tuple) else value for name, value in inputs.items()}
    assert module_of(of).render(told) == {"system": request.system, "user": request.user, "schema": request.schema}


def test_a_splitter_asks_for_what_it_shows_and_no_more() -> None:
    module = module_of(judge("split"))
    assert module.INPUTS == ("question", "answer")
    assert "context" not in module.render({"question": "q", "answer": "a", "context": "c"})["user"]
    with pytest.raises(ValueError, match="'answer' is missing"):
        module.render({"question": "q"})


@pytest.mark.parametrize("task", ["split", "verify"])
def test_a_module_is_python_39_names_what_is_public_and_runs(task: Task, tmp_path: Path) -> None:
    of = judge(task)
    tree = ast.parse(as_python(of), feature_version=(3, 9))
    module = module_of(of)
    assert sorted(module.__all__) == sorted(set(module.__all__))
    for name in module.__all__:
        assert hasattr(module, name)
    defined = [node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    assert len(defined) == len(set(defined))
    inputs = {name: name for name in module.INPUTS}
    done = run(saved(of, tmp_path), json.dumps(inputs))
    assert json.loads(done.stdout) == module.render(inputs)
    for line in ("parse(reply, inputs, finish_reason)", "verdict.claims") if task == "verify" else ("split.claims",):
        assert line in (module.__doc__ or "")


# --- what the module reads ------------------------------------------------------------------------------------------


@cache
def module(task: Task, scale: Scale | None = None) -> ModuleType:
    return module_of(judge(task, scale))


def item(claims: tuple[str, ...]) -> Item:
    return Item("1", "d", {"answer": "a", "context": CONTEXT, "claim": claims[0] if len(claims) == 1 else claims})


def same_split(reply: str, finish: Finish) -> None:
    verdict = judge("split").judge.read(ModelResponse(reply, finish, "m"), item(SEVERAL[:1]))
    split = module("split").parse(reply, finish)
    if isinstance(verdict, Scored):
        assert verdict.evidence == {"claims": [{"claim": text, "kind": kind} for text, kind in split.claims]}
        assert split.unscored is None
    else:
        assert tuple(split) == (None, verdict.reason)


def same_verdict(reply: str, finish: Finish, claims: tuple[str, ...], scale: Scale) -> None:
    of = item(claims)
    verdict = judge("verify", scale).judge.read(ModelResponse(reply, finish, "m"), of)
    found = module("verify", scale).parse(reply, of.inputs, finish)
    if isinstance(verdict, Scored):
        assert verdict.evidence == {"claims": [each._asdict() for each in found.claims]}
        assert tuple(found) == (verdict.label, None, found.claims, "")
    else:
        assert tuple(found) == (None, verdict.reason, (), verdict.detail if verdict.reason == "abstained" else "")


FINISHES = get_args(Finish)
SPLITS = [
    "",
    "No claims.",
    '{"reasoning": "r", "claims": [{"claim": "a", "kind": "factual"}, {"claim": " b ", "kind": "Opinión"}]}',
    '```json\n{"afirmaciones": [{"afirmación": "a", "tipo": "condicional",},],}\n```',
    '{"claims": [{"claim": "x"}]}\nBetter: {"claims": [{"claim": "a"}, {"claim": ""}]}',
    '{"claims": [{"claim": "x"}]}\nNone: {"claims": []}',
    '{"claims": ["a", "b",]}',
    '{"claims": [1]}',
    '{"claims": [{"claim": 1}]}',
    '{"claims": {}}',
    '{"claims": [{"claim": "x"}], "final": {"claims": [{"claim": "a"}]}}',
    '{"final": {"claims": [{"claim": "x"}]}, "claims": [{"claim": "a"}]}',
    '[{"claim": "a"}, {"claim": "b"}] and more',
    '[{"claim": "a"}, {"claim": "b"}',
    '[{"claim": "a"}, {"claim": "b',
    '{"r": [{"claim": "a"}], "s": {"claim": "b"}}',
    '{"text": "t", "claims": [{"claim": "a", "source": {"text": "x"}}, {"claim": "b"}]}',
    '{"text": "t", "found": [{"claim": "a"}, {"claim": "b"}]}',
    '<think>{"claims": [{"claim": "x"}]}</think>{"claims": [{"claim": "a"}]}',
    '{"claims": ["a", {"claims": ["b"]}]}',
    '{"claims": [{"claim": "a", "kind": "factual"}, {"claim": "b"',
    '{"claims": [{"claim": "a", "kind": "factual"}, {"claim": "b"}',
    '{"claims": [{"claim": "a", "kind": "factual"}, {"claim": "b"}]',
    '{"claims": [{"claim": "a", "kind": factual}, {"claim": "b"}]}',
    '{"claims": [{"text": "a"}, {"statement": "b"}, "c"]}',
    '[{"claim": "a"}, "b"]',
    '["b", {"claim": "a"}]',
    '{"claims": [{"claim": "x", "kind": fact]}\nNow: {"claims": [{"claim": "a"} /* 1 */, {"x": {"claim": "b"}}]}',
    '{"claims": [{"claim": "a"}]} The {claim} is one.',
    '{"claims": [{"claim": "a"}]}\nNo: {"claims": [{"claim": "b"',
    '{"claims": [{"claim": "a"}, {"note": "b"}, null]}',
]


@pytest.mark.parametrize("finish", FINISHES)
@pytest.mark.parametrize("reply", SPLITS)
def test_a_module_reads_the_claims_that_the_package_reads(reply: str, finish: Finish) -> None:
    same_split(reply, finish)


def verdicts(*entries: tuple[object, str, object]) -> str:
    return json.dumps(
        {"verdicts": [{"claim": n, "reasoning": "r", "quote": quote, "label": label} for n, quote, label in entries]}
    )


def test_a_module_knows_the_function_words_of_the_package() -> None:
    assert module("verify")._WITHOUT_CONTENT == FUNCTION_WORDS | NEGATIONS


Q = "returned within 30 days"
VERDICTS = [
    "",
    "supported",
    verdicts((1, Q, "supported")),
    verdicts((1, "returned in 30 days", "supported")),
    verdicts((1, "", "supported")),
    verdicts((1, "«ENVIAR «de\nvuelta»", "supported"), (2, "x", "contradicted"), (3, "", "not mentioned")),
    verdicts((1, "30 days. Enviar", "supported"), (2, Q, "supported"), (3, "3", "supported")),
    verdicts((2, Q, "supported"), (1, Q, "supported"), (3, Q, "supported")),
    verdicts(("2", Q, "supported"), ("Claim 1.", Q, "not mentioned"), (3.0, Q, "supported")),
    verdicts((SEVERAL[1].upper(), Q, "contradicted"), (SEVERAL[0], Q, "supported"), (3, Q, "supported")),
    verdicts((None, Q, "supported"), (None, Q, "supported"), (None, Q, "contradicted")),
    verdicts((1, Q, "supported"), (3, Q, "supported")),
    verdicts((1, Q, "supported"), (1, Q, "contradicted")),
    verdicts((0, Q, "supported"), (1, Q, "supported"), (2, Q, "supported")),
    verdicts((1, Q, "supported"), (1, "x", "Supported")),
    verdicts((1, Q, "supported"), (2, Q, "contradicted"), (3, Q, "supported"), (2, Q, "supported")),
    verdicts((1, Q, "supported"), (2, Q, "contradicted"), (3, Q, "supported"), (4, Q, "supported")),
    verdicts((1, Q, "supported"), (2, Q, "contradicted"), (3, Q, "supported"), ("x", Q, "supported")),
    verdicts((None, Q, "supported"), (None, Q, "contradicted")),
    verdicts((1, "is", "supported")),
    verdicts((1, "the", "supported")),
    verdicts((1, "de", "supported")),
    verdicts((1, "", "Not_Mentioned")),
    verdicts((1, "", "not-mentioned")),
    verdicts((1, Q, "supported"))[:-2] + ', "c"]}',
    verdicts((1, Q, "supported"))[:-1] + ', "confidence": high}',
    verdicts((1, Q, "supported"))[:-2] + ', {"claim": 2, "lab',
    verdicts((1, Q, "Cannot assess")),
    verdicts((1, Q, "mostly")),
    verdicts((1, Q, None)),
    verdicts((1, Q, True)),
    verdicts((1, Q, 1)),
    verdicts((1, Q, "1")),
    verdicts((1, Q, "entailment")),
    verdicts((1, "no such", "Entailment.")),
    '{"verdicts": []}',
    '{"label": "supported", "quote": ["' + Q + '"], "reasoning": {"a": 1}}',
    '{"label": "contradicted", "found": [{"claim": 1, "quote": "' + Q + '", "label": "supported"}]}',
    verdicts((1, Q, "supported"))[:-1],
    verdicts((1, Q, "supported")) + " and",
    f"<think>{verdicts((1, Q, 'contradicted'))}</think>{verdicts((1, Q, 'supported'))}",
]


@pytest.mark.parametrize("finish", FINISHES)
@pytest.mark.parametrize("scale", [THREE, NLI, SCALES["binary"]], ids=["three", "inference", "binary"])
@pytest.mark.parametrize("claims", [SEVERAL[:1], SEVERAL], ids=["one", "several"])
@pytest.mark.parametrize("reply", VERDICTS)
def test_a_module_gives_the_verdict_of_the_package(
    reply: str, claims: tuple[str, ...], scale: Scale, finish: Finish
) -> None:
    same_verdict(reply, finish, claims, scale)


WORDS = [*'{}[],:" ', "1", "2", "null", "<think>", "</think>", '{"claim": ', '"label": "supported"}']
NAMES = ["claims", "verdicts", "claim", "text", "label", "quote", "a", "supported", "contradicted", Q]
PIECES = st.lists(st.sampled_from([*WORDS, *(f'"{name}"' for name in NAMES)]), max_size=40).map("".join)
WRITTEN = st.lists(
    st.builds(
        lambda number, quote, label: (number, quote, label),
        st.sampled_from([1, 2, 3, "1", "claim 2", None, SEVERAL[2], 7]),
        st.sampled_from([Q, "", "no such", "«de vuelta»", "30"]),
        st.sampled_from([*THREE.labels, "other"]),
    ),
    max_size=4,
).map(lambda entries: verdicts(*entries))


@given(st.text() | PIECES | WRITTEN, st.sampled_from(FINISHES), st.sampled_from([SEVERAL[:1], SEVERAL]))
def test_module_and_package_read_any_reply_alike(reply: str, finish: Finish, claims: tuple[str, ...]) -> None:
    same_split(reply, finish)
    same_verdict(reply, finish, claims, THREE)


@given(st.text(), st.text(), st.integers(0, 30), st.integers(0, 30))
def test_module_and_package_find_the_same_quotes(context: str, quote: str, start: int, end: int) -> None:
    of = Item("1", "d", {"answer": "a", "context": context, "claim": "c"})
    for each in (quote, context[start:end]):
        reply = verdicts((1, each, "supported"))
        verdict = judge("verify").judge.read(ModelResponse(reply, "stop", "m"), of)
        assert isinstance(verdict, Scored)
        assert module("verify").parse(reply, of.inputs).label == verdict.label


# --- the embedder ---------------------------------------------------------------------------------------------------


def test_a_bundle_says_which_embedder_compared_the_questions() -> None:
    identity: dict[str, Json] = {"api": "openai", "model": "m", "base_url": "u", "embedder": {"name": "lexical"}}
    known = answering(identity)
    assert known == {"api": "openai", "model": "m", "embedder": "lexical"}
    assert "embedder" not in answering({"api": "openai"})
    of = replace(judge("questions"), answering=known)
    assert json.loads(as_json(of))["model"]["answering"]["embedder"] == "lexical"
    assert read_bundle(as_json(of)) == of
    assert 'an embedder ("lexical")' in export(of, "markdown")
