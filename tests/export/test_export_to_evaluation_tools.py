"""Judges as definitions for MLflow, DeepEval, Ragas, OpenEvals and Phoenix, as far as it shows without the tools.

``scripts/check-exports`` runs them in the tools; what they have in common with other formats is tested there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from exported_judges import INPUTS, SCALES, exported
from loopback import Loopback, Reply, error, refused, truncated

from calibrate.config import Secret
from calibrate.domain import Item, Scored, Text, Verdict
from calibrate.errors import InputError
from calibrate.export import Exported, export
from calibrate.export.asking import asking_module
from calibrate.export.item_parts import parts_code
from calibrate.judge import JudgeSettings
from calibrate.providers.anthropic_model import AnthropicModel
from calibrate.providers.endpoint import Endpoint
from calibrate.providers.openai_model import OpenAIModel
from calibrate.providers.prices import Pricing

TOOLS = ("mlflow", "deepeval", "ragas", "openevals", "phoenix")
tools = pytest.mark.parametrize("tool", TOOLS)

HOSTILE = "\\ \"\"\" ''' {x} {{ y.z }} {answer ${z} {% raw %} %s \\N{x}\nimport os\n\u2028\ud800 }}"


# --- the files ------------------------------------------------------------------------------------------------------


@tools
def test_what_cannot_be_asked_in_one_call_of_a_chat_is_refused(tool: str) -> None:
    votes = exported(settings=JudgeSettings(votes=3))
    with pytest.raises(InputError, match="several calls"):
        export(votes, tool)
    with pytest.raises(InputError, match="answers questions"):
        export(exported(model="openai-decisions:d-1"), tool)


def test_a_metric_of_deepeval_is_a_number() -> None:
    with pytest.raises(InputError, match="nominal labels have none"):
        export(exported(scale=SCALES["nominal"]), "deepeval")


def without_tool(source: str, **stand_ins: Any) -> ModuleType:
    """A definition without the library of its tool: the names that it imports from there are these."""
    lines = [line for line in source.split("\n") if not line.startswith(("from deepeval", "from langfuse"))]
    module = ModuleType("exported_judge")
    module.__dict__.update(stand_ins)
    exec(compile("\n".join(lines), "exported_judge.py", "exec"), module.__dict__)
    return module


def test_metadata_never_supply_what_is_judged() -> None:
    stored = {"answer": "an old one", "context": "C"}
    metric = without_tool(export(exported(), "deepeval"), BaseMetric=object)
    case = {"input": "Q", "actual_output": "A", "expected_output": None, "retrieval_context": None}
    assert metric._inputs_of(SimpleNamespace(**case, metadata=stored)) == {
        "question": "Q",
        "answer": "A",
        "context": "C",
    }
    evaluator, seen = without_tool(export(exported(), "langfuse"), Evaluation=dict), []
    evaluator.ask = lambda inputs: seen.append(inputs) or evaluator.Verdict("1")
    evaluator.judge(input="Q", output="A", metadata=stored)
    evaluator.judge(input="Q", output=None, metadata=stored)
    assert seen == [{"context": "C", "question": "Q", "answer": "A"}, {"context": "C", "question": "Q"}]


# --- which model it asks --------------------------------------------------------------------------------------------


def test_a_declared_model_is_asked_by_its_name_at_the_server() -> None:
    declared = {"api": "openai", "model": "qwen3:8b", "max_tokens": 512}
    source = export(exported(model="local", answering=declared), "mlflow")
    assert 'SERVED_MODEL = "qwen3:8b"  # what the server calls the model' in source
    assert "MAX_TOKENS = 512" in source
    assert 'MODEL = "local"  # the server calls it "qwen3:8b"' in export(
        exported(model="local", answering=declared), "python"
    )
    assert "OPENAI_API_KEY; OPENAI_BASE_URL names the server, which has to be set." in source
    anthropic = export(exported(model="local", answering={**declared, "api": "anthropic"}), "mlflow")
    assert "ANTHROPIC_API_KEY" in anthropic
    assert "OPENAI_API_KEY" not in anthropic


@pytest.mark.parametrize("model", ["local", "local:some.gguf", "sim:reader"])
def test_a_model_that_no_server_is_known_to_have_has_to_be_set(model: str) -> None:
    source = export(exported(model=model), "mlflow")
    assert f'SERVED_MODEL = "{model}"  # to be set' in source
    assert f"No server is known to have {model}: set SERVED_MODEL" in source
    assert (f"{model} exists only in calibrate" in source) == model.startswith("sim:")


# --- what asks the model --------------------------------------------------------------------------------------------


def module_of(source: str) -> ModuleType:
    module = ModuleType("exported_judge")
    exec(compile(source.encode("utf-8"), "exported_judge.py", "exec"), module.__dict__)
    return module


@contextmanager
def asking(judge: Exported, server: Loopback, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The part of a definition that knows no tool, with a model at the server."""
    for provider, url in (("OPENAI", server.openai_url), ("ANTHROPIC", server.anthropic_url)):
        monkeypatch.setenv(f"{provider}_API_KEY", "sk-test")
        monkeypatch.setenv(f"{provider}_BASE_URL", url)
    module = module_of(
        asking_module(
            judge, tool="a tool", unscored="none", usage="", library="", modules=(), adapter="# ask(inputs)\n"
        )
    )
    try:
        yield module
    finally:
        module._client().close()


def own(judge: Exported, server: Loopback) -> Verdict:
    """What the package itself sends and reads."""
    provider, _, name = judge.model.partition(":")
    url = server.anthropic_url if provider == "anthropic" else server.openai_url
    endpoint = Endpoint(name, name, url, Pricing(name, provider=provider), Secret("sk-test"))

    async def ask() -> Verdict:
        model = OpenAIModel(endpoint, token_limit="max_tokens") if provider == "openai" else AnthropicModel(endpoint)
        try:
            return judge.judge.read(await model.complete(judge.judge.request(Item("1", judge.dimension, TEXTS))))
        finally:
            await model.close()

    return asyncio.run(ask())


JUDGES = {
    "block": exported(HOSTILE.replace("\ud800", "").replace("{{ y.z }}", "")),
    "placed": exported("<reply>{{answer}}</reply>", settings=JudgeSettings(allow_abstain=True, language="es")),
    "own format": exported("{{answer}}", settings=JudgeSettings(parse=r"label=Score: (\d)", temperature=None)),
    "anthropic": exported(model="anthropic:claude-x"),
    "anthropic, own format": exported(
        "{{answer}}", model="anthropic:claude-x", settings=JudgeSettings(parse="label=[01]")
    ),
}
TEXTS: dict[str, Text] = {"question": "¿Qué?", "context": ("a </chunk>", ""), "answer": "{x} \\ </reply> {{question}}"}
REPLIES: tuple[str | Reply, ...] = (
    '{"reasoning": "So \\ud83d.", "label": "1"}',
    'Score: 0 or {"reasoning": "No.", "label": 0}',
    "no idea",
    '{"reasoning": "", "label": "CANNOT_ASSESS"}',
    refused("I cannot say 1."),
    truncated('{"reasoning": "It is'),
    "",
)


@pytest.mark.parametrize("name", JUDGES)
def test_it_sends_and_reads_what_the_package_sends_and_reads(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = JUDGES[name]
    with (
        Loopback([reply for reply in REPLIES for _ in range(2)]) as server,
        asking(judge, server, monkeypatch) as module,
    ):
        for reply in REPLIES:
            verdict, wanted = module.ask(TEXTS), own(judge, server)
            sent, expected = (dict(call.body) for call in server.calls[-2:])
            assert sent == expected, reply
            if isinstance(wanted, Scored):
                assert verdict == (wanted.label, None, wanted.reasoning, wanted.confidence)
            else:
                assert (verdict.label, verdict.unscored) == (None, wanted.reason)


def test_a_temperature_that_the_model_refuses_is_left_out_from_then_on(monkeypatch: pytest.MonkeyPatch) -> None:
    with Loopback(REPLIES[0], refuses=["temperature"]) as server, asking(exported(), server, monkeypatch) as module:
        assert [module.ask(TEXTS).label for _ in range(2)] == ["1", "1"]
        assert server.requests == 3


def test_a_request_that_fails_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    with Loopback(error(400, "no such thing")) as server, asking(exported(), server, monkeypatch) as module:
        with pytest.raises(Exception, match="no such thing"):
            module.ask(TEXTS)
        with pytest.raises(ValueError, match="the input 'answer' is missing"):
            module.ask({"question": "", "context": ""})


# --- where a definition finds its inputs ----------------------------------------------------------------------------


def found(judge: Exported, *parts: Any) -> dict[str, Any]:
    module = module_of(f"from collections.abc import Mapping\nfrom typing import Any\n{parts_code(judge)}")
    inputs: dict[str, Any] = module._inputs_from(*parts)
    return inputs


def test_inputs_are_found_by_name_and_texts_by_their_role() -> None:
    judge = exported(inputs=INPUTS)
    wanted = {"question": "Q", "context": ["C"], "answer": "A"}
    assert found(judge, {"question": "Q", "context": ["C"]}, "A", None) == wanted
    assert found(judge, "Q", {"answer": "A"}, {"context": ["C"]}) == wanted
    assert found(judge, wanted, None, None) == wanted


def test_the_reference_is_never_judged_in_place_of_the_answer() -> None:
    assert "answer" not in found(exported(), {"question": "Q"}, {"response": "A"}, {"answer": "gold"})
    assert found(exported(), {}, {"answer": "A"}, {"answer": "gold"})["answer"] == "A"
