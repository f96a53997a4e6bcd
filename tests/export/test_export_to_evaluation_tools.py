"""Judges as definitions for MLflow, DeepEval, Ragas, OpenEvals and Phoenix, as far as it shows without the tools.

``scripts/check-exports`` runs them in the tools. The golden files hold what stands before the code that all of
them have; ``CALIBRATE_UPDATE_SNAPSHOTS=1`` writes them anew: read the difference before committing it.
"""

from __future__ import annotations

import ast
import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from exported_judges import INPUTS, PROVENANCE, SCALES, exported
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
GOLDEN = Path(__file__).with_name("golden")

HOSTILE = "\\ \"\"\" ''' {x} {{ y.z }} {answer ${z} {% raw %} %s \\N{x}\nimport os\n\u2028\ud800 }}"


# --- the files ------------------------------------------------------------------------------------------------------


@tools
def test_a_definition_is_what_it_was(tool: str) -> None:
    before = export(exported(), tool).partition("\n\n\ndef answer(")[0] + "\n"
    path = GOLDEN / f"{tool}.txt"
    if os.environ.get("CALIBRATE_UPDATE_SNAPSHOTS"):
        path.write_text(before, encoding="utf-8")
    assert before == path.read_text(encoding="utf-8")


def test_definitions_of_every_kind_of_judge_are_clean_python(tmp_path: Path) -> None:
    judges = {
        "binary": exported(),
        "interval": exported(
            scale=SCALES["unbounded"], model="anthropic:claude-x", settings=JudgeSettings(language="es")
        ),
        "pairwise": exported("{{context}}", scale=SCALES["pairwise"], settings=JudgeSettings(parse="label=.")),
        "nominal": exported(scale=SCALES["nominal"], inputs=()),
    }
    for tool in TOOLS:
        for name, judge in judges.items():
            if (tool, name) != ("deepeval", "nominal"):
                (tmp_path / f"{tool}_{name}.py").write_text(export(judge, tool), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--isolated",
        "--target-version",
        "py39",
        "--select",
        "F,B,C4,E7,I",
    ]
    done = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout


@tools
@pytest.mark.parametrize("kind", ["words", "interval", "pairwise", "ordinal"])
def test_whatever_a_judge_holds_is_data(tool: str, kind: str) -> None:
    facts = {**PROVENANCE, "sentence": HOSTILE, "golden_set": HOSTILE, "simulated": True}
    names = (HOSTILE, "answer", "")
    judge = exported(HOSTILE, inputs=names, name=HOSTILE, dimension=HOSTILE, scale=SCALES[kind], provenance=facts)
    tree = ast.parse(export(judge, tool).encode("utf-8"), feature_version=(3, 9))
    constants = {node.targets[0].id: node.value for node in tree.body if _assigns(node)}  # type: ignore[attr-defined]
    assert ast.literal_eval(constants["NAME"]) == HOSTILE
    assert "os" not in {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert "simulated model" in (ast.get_docstring(tree) or "")


def _assigns(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)


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
