"""Judges as pages for people and as definitions for evaluation tools, as far as it shows without the tools.

``scripts/check-exports`` runs them in the tools. The golden files hold what stands before the code that all of them
have; ``CALIBRATE_UPDATE_SNAPSHOTS=1`` writes them anew: read the difference before committing it.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from exported_judges import PROVENANCE, SCALES, exported

from calibrate.cli.export import _FORMATS as HELP
from calibrate.domain import Item, Scale
from calibrate.errors import InputError
from calibrate.export import FORMATS, Exported, export
from calibrate.judge import JudgeSettings

MODULES = ("promptfoo", "inspect", "dspy", "langfuse")
EVALUATORS = ("mlflow", "deepeval", "ragas", "openevals", "phoenix")
modules = pytest.mark.parametrize("tool", MODULES)
every_module = pytest.mark.parametrize("tool", [*MODULES, *EVALUATORS])
GOLDEN = Path(__file__).with_name("golden")
SHARED = re.compile(r"\n\n\ndef (?:answer|render)\(")

HOSTILE = (
    "\\ \"\"\" ''' {x} {{ y.z }} {answer ${z} {% raw %} %s \\N{x}\nimport os\n```\n````js\n</script> # - : &a *b !!x"
)
HOSTILE += "\n\u2028\ud800"


# --- the files ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tool", [*MODULES, *EVALUATORS, "markdown", "openai-graders", "langfuse-evaluator"])
def test_a_definition_is_what_it_was(tool: str) -> None:
    before = SHARED.split(export(exported(), tool))[0].rstrip("\n") + "\n"
    path = GOLDEN / f"{tool}.txt"
    if os.environ.get("CALIBRATE_UPDATE_SNAPSHOTS"):
        path.write_text(before, encoding="utf-8", newline="\n")
    assert before == path.read_text(encoding="utf-8")


def test_definitions_of_every_kind_of_judge_are_clean_python(tmp_path: Path) -> None:
    judges = {
        "binary": exported(),
        "interval": exported(
            scale=SCALES["unbounded"], model="anthropic:claude-x", settings=JudgeSettings(language="es")
        ),
        "ordinal": exported(scale=SCALES["levels"], model="local:some.gguf"),
        "pairwise": exported("{{context}}", scale=SCALES["pairwise"], settings=JudgeSettings(parse="label=.")),
        "nominal": exported(scale=SCALES["nominal"], inputs=()),
    }
    for tool in (*MODULES, *EVALUATORS):
        for name, judge in judges.items():
            # A metric of DeepEval is a number; and a local model has no server that a definition could ask.
            if not (tool == "deepeval" and name == "nominal") and not (tool in EVALUATORS and name == "ordinal"):
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


@every_module
@pytest.mark.parametrize("kind", ["words", "interval", "pairwise", "levels"])
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


@pytest.mark.parametrize("tool", [*MODULES, "openai-graders", "langfuse-evaluator"])
def test_a_verdict_of_several_calls_is_refused(tool: str) -> None:
    for settings in (JudgeSettings(votes=3), JudgeSettings(both_orders=True)):
        with pytest.raises(InputError, match="several calls"):
            export(exported(settings=settings), tool)


@pytest.mark.parametrize("tool", FORMATS)
def test_a_refusal_names_no_format_that_refuses_too(tool: str) -> None:
    settings = JudgeSettings(votes=3, parse="label=.", allow_abstain=True)
    for judge in (
        exported(settings=settings, scale=SCALES["nominal"]),
        exported(settings=settings, scale=SCALES["low"], model="local"),
        exported(model="openai-decisions:d-1", scale=SCALES["nominal"]),
    ):
        with suppress(InputError):
            export(judge, tool)
            continue
        with pytest.raises(InputError) as refusal:
            export(judge, tool)
        _, _, other = str(refusal.value).partition("export it as ")
        assert export(judge, other)


@pytest.mark.parametrize("tool", ["python", "markdown"])
def test_what_makes_one_call_says_that_a_verdict_takes_several(tool: str) -> None:
    voting = export(exported(settings=JudgeSettings(votes=3, adaptive=True), scale=SCALES["pairwise"]), tool)
    assert "majority of 3 replies, the third only where the first two differ." in voting
    assert "both orders" not in voting
    both = export(exported(settings=JudgeSettings(both_orders=True), scale=SCALES["pairwise"]), tool)
    assert "Each pair is judged in both orders." in both
    assert "majority" not in export(exported(), tool)


def test_an_assertion_of_promptfoo_wants_no_label_that_is_not_the_good_one() -> None:
    quoted = Scale("binary", ("no", 'it\'s "so"'), positive='it\'s "so"')
    assert "value: 'it''s \"so\"'\n" in export(exported(scale=quoted), "promptfoo")
    for kind in ("nominal", "pairwise", "levels"):
        source = export(exported(scale=SCALES[kind]), "promptfoo")
        assert "value: LABEL\n" in source
        assert "None of the labels is the good one" in source
    assert "value: Number(output) >= 0.5\n" in export(exported(scale=SCALES["low"]), "promptfoo")


@modules
def test_a_model_that_answers_no_chat_is_refused(tool: str) -> None:
    with pytest.raises(InputError, match="answers questions"):
        export(exported(model="openai-decisions:d-1"), tool)


def test_the_help_names_every_format() -> None:
    assert set(re.findall(r"[a-z][a-z-]+", HELP)) >= set(FORMATS)


@pytest.mark.parametrize("tool", ["inspect", "dspy"])
def test_a_model_that_a_tool_does_not_know_is_never_guessed(tool: str) -> None:
    source = export(exported(model="local:some.gguf"), tool)
    assert "local/some" not in source
    assert "Give the model" in source or "give an lm" in source


# --- the page -------------------------------------------------------------------------------------------------------


def blocks(page: str) -> list[str]:
    """The code blocks of a page, as CommonMark reads them."""
    found: list[str] = []
    fence = ""
    for line in page.split("\n"):
        opening = re.fullmatch(r"(`{3,})\w*", line)
        if not fence and opening:
            fence, lines = opening[1], []
        elif fence and re.fullmatch(f"`{{{len(fence)},}}", line):
            found.append("\n".join(lines))
            fence = ""
        elif fence:
            lines.append(line)
        else:
            assert re.fullmatch(r"(#{1,2} )?[\w ,.:]*", line), line
    assert not fence
    return found


def test_a_page_shows_the_texts_of_the_judge_as_they_are() -> None:
    judge = exported(f"{HOSTILE}\n{{{{answer}}}}".replace("\ud800", ""), settings=JudgeSettings(allow_abstain=True))
    facts, instructions, section, message, schema = blocks(export(judge, "markdown"))
    assert instructions == judge.prompt.text
    assert section == judge.section
    assert message == "<item>\n<question>\n[question]\n</question>\n<context>\n[context]\n</context>\n</item>"
    assert json.loads(schema) == judge.example().schema
    for fact in ("0.712, 95 % interval 0.580 to 0.800", judge.judge.digest, "CANNOT_ASSESS", '"0", "1"'):
        assert fact in facts


def test_a_page_says_how_a_judge_is_asked_that_has_its_own_format() -> None:
    settings = JudgeSettings(parse=r"label=Score: (\d)", votes=3, adaptive=True, both_orders=True, temperature=None)
    facts, _, _, pattern = blocks(export(exported(settings=settings), "markdown"))
    assert pattern == r"Score: (\d)"
    for fact in ("majority of 3 replies, the third only", "both orders", "provider's default", "its own"):
        assert fact in facts


def test_a_page_can_be_written_whatever_it_holds() -> None:
    assert "\\ud800" in export(exported(HOSTILE, name=HOSTILE), "markdown").encode("utf-8").decode("utf-8")


# --- OpenAI's graders -----------------------------------------------------------------------------------------------


def grader(judge: Exported) -> tuple[dict[str, Any], dict[str, Any]]:
    document = json.loads(export(judge, "openai-graders"))
    [criterion] = document["testing_criteria"]
    return document, criterion


@pytest.mark.parametrize("text", ["Is it right?", "{{answer}} and {{ question }}", "{{answer}}{{question}}{{context}}"])
def test_a_filled_grader_holds_the_texts_of_the_judge(text: str) -> None:
    judge = exported(text)
    inputs = {"question": "Q?", "context": "C {x}", "answer": "A"}
    request = judge.judge.request(Item("1", judge.dimension, inputs))
    _, criterion = grader(judge)
    sent = [re.sub(r"{{item\.(\w+)}}", lambda m: inputs[m[1]], each["content"]) for each in criterion["input"]]
    assert sent == [request.system, request.user]
    assert criterion["labels"] == ["0", "1"]
    assert criterion["passing_labels"] == ["1"]


def test_a_grader_of_scores_has_their_range_and_threshold() -> None:
    _, criterion = grader(exported(scale=SCALES["interval"]))
    assert (criterion["type"], criterion["range"], criterion["pass_threshold"]) == ("score_model", [0.0, 1.0], 0.5)
    assert criterion["sampling_params"] == {"max_completions_tokens": 1024, "temperature": 0.0}


def test_labels_without_a_good_one_all_pass_and_it_is_said() -> None:
    document, criterion = grader(exported(scale=SCALES["nominal"]))
    assert criterion["passing_labels"] == criterion["labels"]
    assert "All labels pass" in document["metadata"]["passing"]


def test_what_the_api_takes_bounds_the_facts() -> None:
    facts = dict.fromkeys(PROVENANCE, HOSTILE * 20) | {"simulated": True}
    document, criterion = grader(exported(provenance=facts, name="n" * 900))
    assert len(document["metadata"]) <= 16
    assert max(map(len, document["metadata"].values())) <= 512
    assert "simulated model" in document["metadata"]["simulated"]
    assert len(criterion["name"]) <= 64


@pytest.mark.parametrize(
    ("judge", "why"),
    [
        (exported(model="anthropic:claude-x"), "is none"),
        (exported(settings=JudgeSettings(parse="label=.")), "--parse"),
        (exported(settings=JudgeSettings(allow_abstain=True)), "may abstain"),
        (exported(scale=SCALES["low"]), "open end"),
        (exported("{{ some text }}"), "braces"),
        (exported("{% x %}"), "braces"),
        (exported("{ {{answer}}} "), "braces"),
        (exported(inputs=("the answer",)), "'the answer' has no name"),
    ],
)
def test_a_judge_that_a_grader_cannot_be_is_refused(judge: Exported, why: str) -> None:
    with pytest.raises(InputError, match=why):
        export(judge, "openai-graders")


# --- Langfuse's evaluators ------------------------------------------------------------------------------------------


def test_a_filled_evaluator_holds_the_texts_of_the_judge() -> None:
    judge = exported("{{answer}} and\n{{ question }}", settings=JudgeSettings(allow_abstain=True))
    inputs = {"question": "Q?", "context": "C {x}", "answer": "A"}
    request = judge.judge.request(Item("1", judge.dimension, inputs))
    document = json.loads(export(judge, "langfuse-evaluator"))
    sent = [re.sub(r"{{(\w+)}}", lambda m: inputs[m[1]], each["content"]) for each in document["prompt"]]
    assert sent == [request.system, request.user]
    assert document["outputDefinition"]["categories"] == ["0", "1", "CANNOT_ASSESS"]
    assert {each["variable"]: each["source"] for each in document["variableMapping"]} == {
        "question": "input",
        "context": "input",
        "answer": "output",
    }
    assert "0.712, 95 % interval" in document["description"]
    assert "not neutralised" in document["description"]


@pytest.mark.parametrize(
    ("judge", "why"),
    [
        (exported(model="sim:careless"), "no model that Langfuse asks"),
        (exported(settings=JudgeSettings(parse="label=.")), "--parse"),
        (exported(scale=SCALES["interval"], settings=JudgeSettings(allow_abstain=True)), "no place for an abstention"),
        (exported("{{ some text }}"), "braces"),
    ],
)
def test_a_judge_that_an_evaluator_cannot_be_is_refused(judge: Exported, why: str) -> None:
    with pytest.raises(InputError, match=why):
        export(judge, "langfuse-evaluator")
