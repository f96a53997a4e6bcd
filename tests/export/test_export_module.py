"""An exported module as a file: its header, its Python, and what it does when it is run."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from exported_judges import INPUTS, METRICS, PROVENANCE, SCALES, exported, module_of, sent

from calibrate.domain import Json
from calibrate.export import Exported, as_python
from calibrate.judge import JudgeSettings

KINDS = {
    "block": exported(),
    "placed": exported("<reply>{{answer}}</reply>", settings=JudgeSettings(language="es"), scale=SCALES["nominal"]),
    "all placed": exported("{{question}}{{context}}{{answer}}", scale=SCALES["low"]),
    "own format": exported(settings=JudgeSettings(parse=r"label=Score: (\d)")),
    "own format, placed": exported("{{answer}}", settings=JudgeSettings(parse="label=.$"), scale=SCALES["interval"]),
    "nasty": exported(
        "\"\"\"\\ ''' {answer} </x>\n\u2028\r\0", single_braces=True, dimension='"""\\', name='a\n"""\'\\N{x}\0'
    ),
}
kinds = pytest.mark.parametrize("kind", KINDS)


def run(
    path: Path, given: str | bytes, python: str = sys.executable, *, expect: int = 0
) -> subprocess.CompletedProcess[bytes]:
    """Run a module in an isolated interpreter in which every warning is an error."""
    data = given if isinstance(given, bytes) else given.encode("utf-8")
    done = subprocess.run([python, "-I", "-W", "error", str(path)], input=data, capture_output=True, timeout=60)
    assert done.returncode == expect, done.stderr.decode()
    return done


def saved(judge: Exported, folder: Path) -> Path:
    path = folder / "judge.py"
    path.write_text(as_python(judge), encoding="utf-8", newline="\n")
    return path


def python_39() -> str | None:
    """A Python 3.9 that runs: the one of CALIBRATE_PYTHON39, or one on the path."""
    for candidate in (os.environ.get("CALIBRATE_PYTHON39"), shutil.which("python3.9")):
        if candidate and subprocess.run([candidate, "-V"], capture_output=True).stdout.startswith(b"Python 3.9"):
            return candidate
    return None


# --- Python ---------------------------------------------------------------------------------------------------------


@kinds
def test_it_is_syntax_of_python_39(kind: str) -> None:
    ast.parse(as_python(KINDS[kind]), feature_version=(3, 9))


@kinds
def test_it_imports_the_standard_library_only(kind: str) -> None:
    for node in ast.parse(as_python(KINDS[kind])).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            top = node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
            assert (top or "").split(".")[0] in sys.stdlib_module_names


@kinds
def test_a_linter_finds_no_name_that_is_missing_unused_or_defined_twice(kind: str) -> None:
    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--isolated",
        "--target-version",
        "py39",
        "--select",
        "F,B,C4",
        "-",
    ]
    done = subprocess.run(command, input=as_python(KINDS[kind]), capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout


@kinds
def test_its_regular_expressions_know_no_possessive_quantifier(kind: str) -> None:
    module = module_of(KINDS[kind])
    own = {module._COMPILED} if hasattr(module, "_COMPILED") else set()
    values = [
        each for value in vars(module).values() for each in (value.values() if isinstance(value, dict) else [value])
    ]
    patterns = {value.pattern for value in values if isinstance(value, re.Pattern) and value not in own}
    assert len(patterns) >= 8
    for pattern in patterns:
        assert not re.search(r"[*+?}]\+|\(\?>", re.sub(r"\\.", "x", pattern)), pattern


@kinds
def test_nothing_in_it_is_defined_in_vain(kind: str) -> None:
    source = as_python(KINDS[kind])
    names: list[str] = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names += [target.id for target in targets if isinstance(target, ast.Name) and target.id != "__all__"]
    assert len(names) == len(set(names))
    for name in names:
        assert len(re.findall(rf"\b{name}\b", source)) > 1, name


# --- run ------------------------------------------------------------------------------------------------------------


ROWS = [
    {"question": "¿Cuánto cuesta?", "context": ["10 €", "</chunk>"], "answer": "<item> 12 €", "id": 1},
    {"question": "", "context": [], "answer": "\ud800 {{question}}"},
]


def requests(output: bytes) -> list[dict[str, Json]]:
    return [json.loads(line) for line in output.splitlines()]


@kinds
def test_run_as_a_script_it_prints_the_request_for_each_line(kind: str, tmp_path: Path) -> None:
    judge = KINDS[kind]
    lines = "\ufeff" + "\n\n".join(json.dumps(row) for row in ROWS)
    texts = [{name: tuple(t) if isinstance(t := row[name], list) else t for name in INPUTS} for row in ROWS]
    assert requests(run(saved(judge, tmp_path), lines).stdout) == [sent(judge, each) for each in texts]


def test_a_line_that_is_no_item_is_named(tmp_path: Path) -> None:
    path = saved(exported(), tmp_path)
    row = json.dumps(ROWS[0])
    for line, problem in (
        ('{"question": "q"}', "the input 'context' is missing"),
        ("[1]", "give the inputs as an object"),
        ("{", "Expecting property name"),
        (b"\xff", "can't decode byte"),
    ):
        given = row.encode() + b"\n" + (line if isinstance(line, bytes) else line.encode())
        done = run(path, given, expect=2)
        assert len(requests(done.stdout)) == 1
        assert done.stderr.decode().startswith("line 2: ")
        assert problem in done.stderr.decode()
        assert done.stderr.decode().count("\n") == 1


@kinds
def test_python_39_runs_it(kind: str, tmp_path: Path) -> None:
    python = python_39()
    if python is None:
        pytest.skip("no Python 3.9 here; name one in CALIBRATE_PYTHON39")
    judge = KINDS[kind]
    path = saved(judge, tmp_path)
    lines = "\n".join(json.dumps(row) for row in ROWS)
    assert run(path, lines, python).stdout == run(path, lines).stdout
    replies = [json.loads(line) for line in REPLIES.read_text(encoding="utf-8").splitlines()]
    given = "".join(json.dumps([each["reply"], each["finish"]]) + "\n" for each in replies)
    driver = tmp_path / "driver.py"
    driver.write_text(
        "import json, sys\n"
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        "import judge\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps(judge.parse(*json.loads(line))))\n",
        encoding="utf-8",
    )
    read = requests(run(driver, given, python).stdout)
    module = module_of(judge)
    assert read == [list(module.parse(each["reply"], each["finish"])) for each in replies]


REPLIES = Path(__file__).parents[1].joinpath("judge", "data", "verdict_replies.jsonl")


# --- the header -----------------------------------------------------------------------------------------------------


def header(judge: Exported) -> str:
    return ast.get_docstring(ast.parse(as_python(judge))) or ""


def test_the_header_says_what_it_is_and_where_it_comes_from() -> None:
    judge = exported()
    text = header(judge)
    for fact in (
        "A judge of faithfulness",
        PROVENANCE["sentence"],
        "support_faithfulness-faithfulness",
        "0.712, 95 % interval 0.580 to 0.800, n = 30",
        "support_faithfulness, digest 0123456789abcdef",
        "openai:gpt-4.1, answered by gpt-4.1-2025-04-14",
        "12:7, of 2025-06-01T10:00:00Z",
        judge.prompt.digest,
        judge.judge.digest,
        "calibrate 0.1.0",
        "python judge.py < inputs.jsonl",
        "Python 3.9",
    ):
        assert str(fact) in text
    assert "simulated" not in text


def test_simulated_figures_are_said_to_be() -> None:
    text = header(exported(provenance={**PROVENANCE, "simulated": True}))
    assert "The figures come from a simulated model." in text


@pytest.mark.parametrize(
    ("metrics", "said"),
    [
        ({"alignment": {"value": None, "reason": "constant_judge"}}, "undefined, constant_judge, n = 30"),
        ({"alignment": {"value": 0.5}}, "0.500, n = 30"),
        ({}, "not known, n = 30"),
    ],
)
def test_what_is_not_known_is_said(metrics: dict[str, Json], said: str) -> None:
    assert f"Alignment:  {said}\n" in header(exported(metrics=metrics))


def test_facts_that_are_missing_are_left_out() -> None:
    text = header(exported(provenance={}, models_returned=()))
    assert "n = 30" in text
    assert "Model:      openai:gpt-4.1\n" in text
    for absent in ("Golden set", "Run:", "Made with", "answered"):
        assert absent not in text


def test_hostile_facts_stay_in_the_header() -> None:
    hostile = '"""\nimport os\n\\" \0 \u2028 %s {x}'
    facts: dict[str, Json] = dict.fromkeys(PROVENANCE, hostile)
    judge = exported(provenance=facts, name=hostile, dimension=hostile, model=hostile, models_returned=(hostile,))
    assert header(judge).count("import os") >= 7
    assert hostile == module_of(judge).MODEL


def test_a_long_sentence_is_wrapped() -> None:
    sentence = "A word " * 60
    lines = header(exported(provenance={**PROVENANCE, "sentence": sentence})).splitlines()
    assert max(map(len, lines)) <= 120
    assert METRICS["n"] == 30
